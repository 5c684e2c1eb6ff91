"""The examples compute what CPython computes from the same lines."""

from __future__ import annotations

import copy
import inspect

import numpy as np
import pytest

from weft.examples import black_scholes, blur, emboss, jacobi, mandelbrot, matmul, nbody, raytracer

PHOTO = np.random.default_rng(3).integers(0, 256, (24, 31, 3), np.uint8)


def options(n: int) -> tuple:
    rng = np.random.default_rng(n)
    price, strike, years = rng.uniform(5.0, 30.0, n), rng.uniform(1.0, 100.0, n), rng.uniform(0.25, 10.0, n)
    return price, strike, years, 0.02, 0.3, np.zeros(n), np.zeros(n)


CASES = {
    "emboss": (emboss.emboss, (PHOTO, np.full_like(PHOTO, 128)), 0.0),
    "blur": (blur.blur, (PHOTO, np.zeros_like(PHOTO), 3), 0.0),
    "mandelbrot": (mandelbrot.mandelbrot, (np.zeros((20, 33), np.int32), -2.25, 1.0, 3.0, 100), 0.0),
    "matmul": (matmul.matmul, (PHOTO[:, :, 0] / 7.0, PHOTO[:20, :, 1].T / 3.0, np.zeros((24, 20))), 1e-13),
    "black_scholes": (black_scholes.black_scholes, options(200), 1e-13),
    "nbody": (nbody.simulate, (*nbody.cluster(23), 0.01, 5), 1e-11),
    "jacobi": (jacobi.heat, (jacobi.hot_edge(17), 30), 0.0),
    "raytracer": (raytracer.trace, (raytracer.spiral(6), raytracer.LAMP, np.zeros((30, 45))), 0.0),
}


@pytest.mark.parametrize("name", CASES)
def test_example_gives_the_answer_of_cpython(name: str) -> None:
    function, arguments, tolerance = CASES[name]
    compiled, interpreted = copy.deepcopy(arguments), copy.deepcopy(arguments)
    results = function(*compiled), inspect.unwrap(function)(*interpreted)
    for mine, other in zip((*compiled, results[0]), (*interpreted, results[1]), strict=True):
        if isinstance(other, np.ndarray):
            np.testing.assert_allclose(mine, other, rtol=tolerance, atol=tolerance)
