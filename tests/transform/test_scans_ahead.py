"""Scans along rows that depend on one another are found before the rows."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import holds, run
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def summed_area(x, y, z):
    for i in range(x.shape[0]):
        row = 0.0
        for j in range(x.shape[1]):
            row += x[i, j]
            y[i, j] = row
            if i > 0:
                y[i, j] += y[i - 1, j]


def summed_by_choice(x, y, z):
    n, m = x.shape
    for i in range(n):
        total = 0.0
        for j in range(m):
            total = total + x[i, j]
            y[i, j] = total + (y[i - 1, j] if i >= 1 else 0.0)


def from_below(x, y, z):
    for i in range(x.shape[0] - 2, -1, -1):
        total = x[i, 0]
        for j in range(1, x.shape[1]):
            total = max(total, x[i, j])
            y[i, j] = 0.5 * y[i + 1, j] + total


def without_its_own(x, y, z):
    for i in range(1, x.shape[0]):
        before = 0.0
        for j in range(x.shape[1]):
            y[i, j] = y[i - 1, j] - before
            before += x[i, j]


def two_sums(x, y, z):
    for i in range(1, x.shape[0]):
        a = b = 0.0
        for j in range(x.shape[1]):
            a += x[i, j]
            b += x[i, j] * 2.0
            y[i, j] = 0.5 * y[i - 1, j] + a
            z[i, j] = z[i - 1, j] - b


def rows_of_steps(x, y, z):
    for t in range(1, x.shape[0]):
        state = 1.0
        for j in range(x.shape[1]):
            state = 0.5 * state + x[t, j]
            y[0, j] += state * y[0, j]


AHEAD = [summed_area, summed_by_choice, from_below, without_its_own, two_sums, rows_of_steps]


def of_what_was_stored(x, y, z):
    for i in range(1, x.shape[0]):
        total = 0.0
        for j in range(x.shape[1]):
            total += y[i - 1, j] + x[i, j]
            y[i, j] = total


def along_both(x, y, z):
    for i in range(1, x.shape[0]):
        total = 0.0
        for j in range(1, x.shape[1]):
            total += x[i, j]
            y[i, j] = y[i, j - 1] * 0.5 + y[i - 1, j] + total


def needed_behind(x, y, z):
    for i in range(1, x.shape[0]):
        total = 0.0
        for j in range(x.shape[1]):
            total += x[i, j]
            y[i, j] = y[i - 1, j] + total
        z[i, 0] = total


def triangle(x, y, z):
    for i in range(1, x.shape[0]):
        total = 0.0
        for j in range(min(i, x.shape[1])):
            total += x[i, j]
            y[i, j] = y[i - 1, j] + total


OTHERS = [of_what_was_stored, along_both, triangle]


def arguments(shape, dtype=np.float64):
    rng = np.random.default_rng(shape[0])
    return [rng.integers(-9, 9, shape).astype(dtype) for _ in range(3)]


def optimised(function, disable=frozenset(), dtype=np.float64):
    return optimise(program_of(function, *arguments((5, 4), dtype)), disable, blocks=True, rows=True)


def is_kept_in_an_array(program):
    return any(isinstance(s, n.Let) and isinstance(s.value, n.Alloc) for s in walk(program.body))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32])
@pytest.mark.parametrize("function", [*AHEAD, needed_behind, *OTHERS], ids=lambda f: f.__name__)
def test_results_are_pythons(function, dtype):
    if np.issubdtype(dtype, np.integer) and "0.5" in str(function.__code__.co_consts):
        pytest.skip("stores fractions in integers")
    program = optimised(function, dtype=dtype)
    verify(program)
    for shape in [(1, 1), (2, 3), (3, 2), (7, 5), (4, 0), (0, 4), (5, 1)]:
        found, expected = arguments(shape, dtype), arguments(shape, dtype)
        if holds(program, found):
            with np.errstate(over="ignore"):
                run(program, found)
                function(*expected)
            for a, b in zip(found, expected):
                np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("function", AHEAD, ids=lambda f: f.__name__)
def test_the_rest_runs_at_once_along_rows(function):
    program = optimised(function)
    assert is_kept_in_an_array(program)
    assert not any(isinstance(s, n.For) and s.mapping == "sequential" and s.args for s in walk(rest_of(program)))
    assert not is_kept_in_an_array(optimised(function, frozenset({"scans_ahead"})))


def rest_of(program):
    """The last loop."""
    return n.Block((next(s for s in reversed(program.body.statements) if isinstance(s, (n.For, n.If))),))


@pytest.mark.parametrize("function", OTHERS, ids=lambda f: f.__name__)
def test_other_rows_stay(function):
    assert not is_kept_in_an_array(optimised(function))


@pytest.mark.opencl
@pytest.mark.parametrize("function", AHEAD, ids=lambda f: f.__name__)
def test_on_opencl(function):
    for shape in [(37, 9), (3, 1100)]:
        found, expected = arguments(shape), arguments(shape)
        weft.jit(function, device="opencl")(*found)
        function(*expected)
        for a, b in zip(found, expected):
            np.testing.assert_allclose(a, b, rtol=1e-12)
