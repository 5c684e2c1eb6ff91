"""Nests of more loops than a grid has: outer ones are merged, so that neighbouring threads have neighbours."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.plan.simulated import Simulated
from tests.predict.test_device import H100

F = np.float32


def scaled(x, y):
    for a in range(y.shape[0]):
        for b in range(y.shape[1]):
            for c in range(y.shape[2]):
                for d in range(y.shape[3]):
                    y[a, b, c, d] = 2 * x[a, b, c, d] + a - b


def inner_part(x, y):
    for a in range(1, y.shape[0]):
        p = x[a - 1]
        for b in range(2, y.shape[1] - 1):
            half = b * 0.5
            for c in range(y.shape[2]):
                for d in range(1, y.shape[3]):
                    y[a, b, c, d] = p[b, c, d - 1] + half


def permuted(x, y):
    for a in range(y.shape[0]):
        for b in range(y.shape[1]):
            for c in range(y.shape[2]):
                for d in range(y.shape[3]):
                    y[a, b, c, d] = x[a, b, c, d] + x[a, b, c, 0]


def scores(q, k, s):
    for n in range(s.shape[0]):
        for h in range(s.shape[1]):
            for i in range(s.shape[2]):
                for j in range(s.shape[3]):
                    total = F(0)
                    for c in range(q.shape[3]):
                        total += q[n, h, i, c] * k[n, h, j, c]
                    s[n, h, i, j] = total


def channels_last(x, w, y):
    for n in range(y.shape[0]):
        for i in range(y.shape[1]):
            for j in range(y.shape[2]):
                for o in range(y.shape[3]):
                    total = F(0)
                    for p in range(3):
                        for c in range(x.shape[3]):
                            total += x[n, i, j + p, c] * w[p, c, o]
                    y[n, i, j, o] = total


def six(x, y):
    for a in range(y.shape[0]):
        for b in range(y.shape[1]):
            for c in range(y.shape[2]):
                for d in range(y.shape[3]):
                    for e in range(y.shape[4]):
                        for f in range(y.shape[5]):
                            y[a, b, c, d, e, f] = x[f, e, d, c, b, a] - 1


def raises_inside(x, k, y):
    for a in range(y.shape[0]):
        for b in range(y.shape[1]):
            for c in range(y.shape[2]):
                for d in range(y.shape[3]):
                    y[a, b, c, d] = x[k[a, b, c, d]]


def given(*shapes):
    rng = np.random.default_rng(len(shapes))
    return [rng.integers(-8, 9, shape).astype(F) for shape in shapes]


CASES = [
    (scaled, given((3, 2, 5, 40), (3, 2, 5, 40))),
    (scaled, given((0, 2, 5, 40), (0, 2, 5, 40))),
    (scaled, given((2, 3, 4, 0), (2, 3, 4, 0))),
    (scaled, given((1, 1, 1, 1), (1, 1, 1, 1))),
    (inner_part, given((4, 6, 3, 19), (4, 6, 3, 19))),
    (inner_part, given((3, 2, 3, 19), (3, 2, 3, 19))),
    (permuted, [given((5, 4, 3, 18))[0].transpose(3, 1, 0, 2), given((18, 4, 5, 3))[0]]),
    (scores, given((2, 3, 9, 20), (2, 3, 17, 20), (2, 3, 9, 17))),
    (channels_last, given((2, 4, 9, 18), (3, 18, 20), (2, 4, 7, 20))),
    (six, given((2, 3, 2, 2, 3, 17), (17, 3, 2, 2, 3, 2))),
]


@pytest.mark.parametrize("device", ["cuda", "slabs", pytest.param("opencl", marks=pytest.mark.opencl)])
@pytest.mark.parametrize("function", dict.fromkeys(function for function, _ in CASES))
def test_the_answer_is_that_of_python(function, device):
    """For CUDA the plan is interpreted."""
    compiled = weft.jit(function, device=device) if device == "opencl" else Simulated(function, slabs=device == "slabs")
    for case, arguments in CASES:
        if case is function:
            wanted, found = ([array.copy(order="K") for array in arguments] for _ in range(2))
            function(*wanted)
            compiled(*found)
            for one, other in zip(wanted, found, strict=True):
                np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("function", [scaled, inner_part, scores, channels_last, six])
def test_neighbouring_threads_have_neighbouring_elements(function):
    arguments = next(arguments for case, arguments in CASES if case is function)
    specialisation, _, _ = weft.jit(function, device="cpu").examine(*arguments)
    for nest in specialisation.placement_for("cuda", H100).nests:
        (along_x,) = [d.loop for d in nest.schedule if getattr(d, "axis", "") == "x"]
        assert along_x.partition("@")[0] == {"scores": "j", "channels_last": "o", "six": "f"}.get(
            function.__name__, "d"
        )


@pytest.mark.opencl
def test_the_first_iteration_that_raises_is_that_of_python():
    x, k = np.arange(9.0), np.zeros((2, 3, 4, 33), np.int64)
    k[1, 1, 2, 5], k[1, 2, 0, 0] = 9, -10
    results = []
    for function in (raises_inside, weft.jit(raises_inside, device="opencl")):
        y = np.full(k.shape, -1.0)
        with pytest.raises(IndexError) as caught:
            function(x, k, y)
        results.append((str(caught.value), y))
    assert np.array_equal(results[0][1], results[1][1])
