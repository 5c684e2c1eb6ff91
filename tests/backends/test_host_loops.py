"""Loops that the user keeps on the host of a device are shaped for the processor, and give the same bits."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.visit import launches_in, walk
from weft.plan.place import place
from weft.transform import pipeline
from weft.transform.host_loops import shape_host_loops

pytestmark = pytest.mark.opencl


def product_first(a, b, c):
    with weft.device("cpu"):
        for i in range(a.shape[0]):
            for j in range(b.shape[1]):
                s = 0.0
                for k in range(a.shape[1]):
                    s += a[i, k] * b[k, j]
                c[i, j] = s
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] += 1
    return c[-1, -1]


def between_kernels(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = a[i, j] - b[j, i]
    most, total = -1e9, 0.0
    with weft.device("cpu"):
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                most = max(most, c[i, j])
                total += c[i, j]
        for i in range(1, c.shape[0] - 1):
            for j in range(c.shape[1]):
                a[i, j] = 0.25 * (c[i - 1, j] + 2 * c[i, j] + c[i + 1, j])
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = a[i, j] / (1 + abs(most))
    return most, total


def in_steps(a, b, c):
    own = np.zeros_like(b)
    for t in range(4):
        with weft.device("cpu"):
            for i in range(b.shape[0]):
                for j in range(b.shape[1]):
                    own[i, j] += b[i, j] * t + a[j, i]
        for i in range(b.shape[0]):
            for j in range(b.shape[1]):
                b[i, j] = own[i, j] * 0.5
    return own.sum()


def of_parts(a, b, c):
    left, right = c[:, :5], c[:, 3:]
    with weft.device("cpu"):
        for i in range(c.shape[0]):
            for j in range(4):
                right[i, j] = left[i, j] + a[i, j]
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] *= 2
    return right[0, 0]


FUNCTIONS = [product_first, between_kernels, in_steps, of_parts]


def arrays(n):
    rng = np.random.default_rng(n)
    return [np.round(rng.random((n, n)), 3) for _ in range(3)]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_bits_are_pythons(function):
    compiled, alone = weft.jit(function, device="opencl"), weft.jit(function, device="cpu")
    for size in (8, 37):
        expected, found, same = arrays(size), arrays(size), arrays(size)
        results = function(*expected), compiled(*found), alone(*same)
        for one, other in zip([*expected, *np.atleast_1d(results[0])], [*found, *np.atleast_1d(results[1])]):
            np.testing.assert_allclose(other, one, rtol=1e-13)
        for one, other in zip([*same, *np.atleast_1d(results[2])], [*found, *np.atleast_1d(results[1])]):
            np.testing.assert_array_equal(other, one)


@pytest.mark.parametrize(("function", "shaped"), [*((f, True) for f in FUNCTIONS[:3]), (of_parts, False)])
def test_only_loops_of_the_host_are_shaped(function, shaped):
    a = np.ones((9, 9))
    program = place(pipeline.optimise(program_of(function, a, a, a), turns=False, rows=True), "opencl").program
    made = shape_host_loops(program, pipeline.for_cpu)
    verify(made)
    assert (made is not program) == shaped
    assert list(launches_in(made.body)) == list(launches_in(program.body))
    moved = [s for s in walk(made.body) if isinstance(s, (n.Copy, n.Wait, n.Free, n.Reserve))]
    assert moved == [s for s in walk(program.body) if isinstance(s, (n.Copy, n.Wait, n.Free, n.Reserve))]
