"""Sums kept in a few elements of an array: short loops over them are written out, and the elements are variables."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def distances(x, w, a):
    for i in range(x.shape[0]):
        for c in range(3):
            a[i, c] = 0
        for j in range(x.shape[0]):
            square = w[0]
            for c in range(3):
                square += (x[j, c] - x[i, c]) * (x[j, c] - x[i, c])
            for c in range(3):
                a[i, c] += square * (x[j, c] - x[i, c])


def rows_in_variables(x, w, a):
    for i in range(x.shape[0]):
        a[i] = 0
        p = x[i]
        for j in range(x.shape[0]):
            q = x[j]
            d = q - p
            square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
            for c in range(3):
                a[i, c] += (square + w[j]) * d[c]


def in_an_array_of_its_own(x, w, a):
    for i in range(x.shape[0]):
        s = np.zeros(3, x.dtype)
        for j in range(x.shape[0]):
            for c in range(3):
                s[c] += w[j] * x[j, c]
        for c in range(3):
            a[i, c] = s[c]


def columns_of_two_loops(x, w, a):
    for i in range(x.shape[0]):
        for p in range(3):
            for q in range(3):
                a[p, q] += x[i, p] * x[i, q]


def from_behind(x, w, a):
    for i in range(x.shape[0]):
        for c in range(-1, 2):
            a[0, c + 1] = x[i, 1 - c] + a[0, c + 1]


def transposed(x, w, a):
    t = a.T
    for i in range(x.shape[0]):
        for c in range(3):
            t[c, 1] -= w[i] * x[i, c]


def extremes(x, w, a):
    for i in range(x.shape[0]):
        for c in range(3):
            a[0, c] = min(a[0, c], x[i, c])
            a[1, c] = max(a[1, c], x[i, c])


def steps(x, w, a):
    for i in range(x.shape[0]):
        for t in range(12):
            for c in range(2):
                a[i, c] -= x[i, c]
            for c in range(2):
                x[i, c] += a[i, c] // 2


OUT = (
    distances, rows_in_variables, in_an_array_of_its_own, columns_of_two_loops, from_behind, transposed, extremes,
    steps,
)  # fmt: skip


def reads_its_neighbour(x, w, a):
    for i in range(x.shape[0]):
        for c in range(2):
            a[0, c] += x[i, c] + a[0, c + 1]


def reads_the_first(x, w, a):
    for i in range(x.shape[0]):
        for c in range(3):
            a[0, c] += x[i, c] * a[0, 0]


def only_sometimes(x, w, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if w[j] > w[i]:
                for c in range(3):
                    a[i, c] += x[j, c]


def triangle(x, w, a):
    for i in range(x.shape[0]):
        for p in range(3):
            for q in range(p, 3):
                a[p, q] += x[i, p] * x[i, q]


def by_keys(x, w, a):
    for i in range(x.shape[0]):
        for c in range(3):
            a[i % 2, c] += x[i, c]


def until_found(x, w, a):
    for i in range(x.shape[0]):
        for c in range(3):
            a[0, c] += x[i, c]
        if x[i, 0] < 0:
            break


def left_early(x, w, a):
    for i in range(x.shape[0]):
        for c in range(3):
            if x[i, c] < 0:
                break
            a[0, c] += x[i, c]


def leaves_the_array(x, w, a):
    for i in range(x.shape[0]):
        for c in range(4):
            a[0, c] += x[i, c]


def may_divide_by_zero(x, w, a):
    for i in range(x.shape[0]):
        k = int(w[i])
        for c in range(3):
            a[0, c] += x[i, c] * (6 // k)


OTHERS = (
    reads_its_neighbour, reads_the_first, only_sometimes, triangle, by_keys, until_found, left_early,
    leaves_the_array, may_divide_by_zero,
)  # fmt: skip


def arguments(size: int, dtype: str, columns: int = 3) -> list[Any]:
    """Arrays of small whole numbers, whose sums are exact in every order."""
    rng = np.random.default_rng(size)
    x, w = rng.integers(-3, 4, (size, columns)), rng.integers(0, 4, size + 1)
    return [v.astype(dtype) for v in (x, w, rng.integers(-3, 4, (max(size, 3), columns)))]


def outcome(function: Any, values: list[Any]) -> tuple[Any, ...]:
    """The arrays afterwards, and the exception."""
    with np.errstate(all="ignore"):
        try:
            function(*values)
        except (ArithmeticError, IndexError, ValueError) as error:
            return type(error), *values
    return None, *values


def assert_same(function: Any, compiled: Any, values: list[Any]) -> None:
    """Compiled code leaves the arrays of CPython, to the sign of a zero, and raises the same."""
    expected, found = outcome(function, copy.deepcopy(values)), outcome(compiled, copy.deepcopy(values))
    assert expected[0] is found[0]
    for a, b in zip(expected[1:], found[1:], strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(np.signbit(a), np.signbit(b))


@pytest.mark.parametrize("function", OUT, ids=lambda f: f.__name__)
def test_elements_are_variables_of_the_longer_loop(function: Any) -> None:
    program = optimise(program_of(function, *arguments(5, "float64")), verify=True)
    longest = [s for s in walk(program.body) if isinstance(s, n.For) and s.args and not _loops(s.body)]
    assert longest and not any(isinstance(s, (n.Store, n.Update)) for s in walk(longest[-1].body))


def _loops(block: n.Block) -> list[n.For]:
    return [s for s in walk(block) if isinstance(s, n.For)]


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int16"])
@pytest.mark.parametrize("function", (*OUT, *OTHERS), ids=lambda f: f.__name__)
def test_arrays_are_as_in_cpython(function: Any, dtype: str) -> None:
    compiled = weft.jit(function)
    for size in (0, 1, 2, 7, 40):
        assert_same(function, compiled, arguments(size, dtype))
    assert_same(function, compiled, arguments(5, dtype, columns=2))


ONE_ARRAY = (lambda x: x, lambda x: x[1:], lambda x: x[::-1], lambda x: x[:, ::-1], lambda x: x[:3, :3].T)


@pytest.mark.parametrize(
    "function", (distances, columns_of_two_loops, reads_the_first, steps), ids=lambda f: f.__name__
)
def test_arguments_may_be_one_array(function: Any) -> None:
    compiled = weft.jit(function)
    for part in ONE_ARRAY:
        x, w, _ = arguments(6, "int64")
        expected, found = x.copy(), x.copy()
        raised = [outcome(f, [v, w, part(v)])[0] for f, v in ((function, expected), (compiled, found))]
        assert raised[0] is raised[1]
        np.testing.assert_array_equal(expected, found)


def test_special_values_stay() -> None:
    compiled = weft.jit(extremes)
    for special in (np.nan, np.inf, -np.inf, -0.0):
        x, w, a = arguments(9, "float64")
        x[4, 1] = a[0, 2] = special
        assert_same(extremes, compiled, [x, w, a])


def newton(x, w, a):
    for i in range(x.shape[0]):
        for t in range(3):
            value = 0.0
            slope = 0.0
            for k in range(len(w)):
                slope = slope * x[i, 0] + value
                value = value * x[i, 0] + w[k]
            x[i, 0] -= value / slope


def test_a_division_that_only_an_empty_array_makes_pythons_is_assumed_away() -> None:
    program = optimise(program_of(newton, *arguments(5, "float64")), verify=True)
    assert not any(isinstance(s, n.Raise) for s in walk(program.body))
    compiled = weft.jit(newton)
    for size in (0, 1, 5):
        x, w, a = arguments(size, "float64")
        assert_same(newton, compiled, [x, w, a])
        assert_same(newton, compiled, [x, w[:0], a])
