"""Steps inside of the iterations of a parallel loop are a loop inside of each of their elements."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.plan.place import place
from weft.transform.pipeline import optimise


def product(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0.0
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def added(a, b, c):
    for i in range(c.shape[0]):
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def nearest(a, b, c):
    for i in range(c.shape[0]):
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                if a[i, k] + b[k, j] < c[i, j]:
                    c[i, j] = a[i, k] + b[k, j]


def decaying(a, b, c):
    for i in range(c.shape[0]):
        for k in range(a.shape[1]):
            w = a[i, k] * 0.5
            for j in range(c.shape[1]):
                c[i, j] = c[i, j] * 0.5 + w * b[k, j]


def triangular(a, b, c):
    for i in range(c.shape[0]):
        for k in range(min(i + 1, a.shape[1])):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def in_three_parts(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 1.0
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
        for j in range(c.shape[1]):
            c[i, j] = c[i, j] * 0.25


INSIDE = [product, added, nearest, decaying, triangular, in_three_parts]


def along_the_row(a, b, c):
    for i in range(c.shape[0]):
        for k in range(1, a.shape[1]):
            for j in range(1, c.shape[1]):
                c[i, j] += c[i, j - 1] * a[i, k]


def with_what_others_wrote(a, b, c):
    for i in range(c.shape[0]):
        for k in range(min(a.shape[1], c.shape[1])):
            for j in range(c.shape[1]):
                c[i, j] = c[i, j] + c[i, k] * b[k, j]


def few(a, b, c):
    for i in range(c.shape[0]):
        for k in range(a.shape[1]):
            for j in range(3):
                c[i, j] += a[i, k] * b[k, j]


def with_a_sum_between(a, b, c):
    for i in range(c.shape[0]):
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k]
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += total * b[k, j]


def with_a_row_of_its_own(a, b, c):
    for i in range(c.shape[0]):
        row = np.zeros(c.shape[1])
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                row[j] += a[i, k] * b[k, j]
        for j in range(c.shape[1]):
            c[i, j] = row[j] + row[c.shape[1] - 1 - j]


OTHERS = [along_the_row, with_what_others_wrote, few, with_a_sum_between, with_a_row_of_its_own]


def arguments(rows, middle, columns, dtype=np.float64):
    rng = np.random.default_rng(rows * 100 + columns)
    return [
        (rng.integers(-9, 9, shape) / 8).astype(dtype) for shape in ((rows, middle), (middle, columns), (rows, columns))
    ]


@pytest.mark.opencl
@pytest.mark.sample(2)
@pytest.mark.parametrize("function", [*INSIDE, *OTHERS], ids=lambda f: f.__name__)
def test_results_are_pythons(function):
    compiled = weft.jit(function, device="opencl")
    for size in [(3, 0, 4), (1, 1, 3), (0, 2, 3), (9, 8, 33), (33, 20, 70)]:
        found, expected = arguments(*size, np.float32), arguments(*size, np.float32)
        compiled(*found)
        function(*expected)
        np.testing.assert_array_equal(found[2], expected[2])


@pytest.mark.parametrize("function", INSIDE, ids=lambda f: f.__name__)
def test_threads_have_elements(function):
    found = place(optimise(program_of(function, *arguments(9, 8, 33))), DEVICE)
    for kernel in found.kernels:
        nests = [s for s in kernel.body.statements if isinstance(s, n.For)]
        inside = [s for nest in nests for s in walk(nest.body) if isinstance(s, n.For)]
        parallel = [s for s in inside if s.mapping == "parallel" and not s.args]
        steps = [s for s in inside if s not in parallel]
        assert not any(p in walk(step.body) for step in steps for p in parallel)


@pytest.mark.gpu
@pytest.mark.parametrize("function", INSIDE, ids=lambda f: f.__name__)
def test_on_a_gpu(function):
    found, expected = arguments(300, 120, 700), arguments(300, 120, 700)
    there = [weft.array(x) for x in found]
    weft.jit(function, device="cuda")(*there)
    weft.jit(function)(*expected)
    np.testing.assert_array_equal(np.asarray(there[2]), expected[2])
