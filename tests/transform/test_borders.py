"""Loops whose first and last iterations are taken out, because minima, maxima and comparisons are decided between."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import weft
from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise
from weft.transform.safety.split_boundaries import split_boundaries

RNG = np.random.default_rng(5)


def blurred(a, b, r):
    for y in range(a.shape[0]):
        for x in range(a.shape[1]):
            total = 0.0
            for dy in range(-r, r + 1):
                for dx in range(-r, r + 1):
                    row = min(max(y + dy, 0), a.shape[0] - 1)
                    column = max(min(x + dx, a.shape[1] - 1), 0)
                    total += a[row, column]
            b[y, x] = total


def guarded(a, b, r):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if 0 < i and i < a.shape[0] - 1 and j >= r and not j > a.shape[1] - 1 - r:
                b[i, j] = a[i - 1, j] + a[i, j - r]
            else:
                b[i, j] = -a[i, j]


def below_the_diagonal(a, b, r):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[i, j] if j + r < i else 0.5


def skipped(a, b, r):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            total = 0.0
            for k in range(-r, r + 1):
                if j + k < 0 or j + k >= a.shape[1]:
                    continue
                total += a[i, j + k]
            b[i, j] = total


def from_the_other_side(a, b, r):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[max(a.shape[0] - 1 - i - r, 0), min(a.shape[1] - 1 - j, a.shape[1] - 3 + r)] + max(r - j, j - r)


def twice(a, b, r):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            k = min(j + r, a.shape[1] - 1)
            b[i, j] = a[i, max(k - 2, 0)] + (1.0 if k < a.shape[1] - 1 else 2.0)


FUNCTIONS = (blurred, guarded, below_the_diagonal, skipped, from_the_other_side, twice)


def arguments(rows, columns, r):
    return RNG.integers(-99, 99, (rows, columns)) + 0.0, np.zeros((rows, columns)), r  # sums of these are exact


def loops(program):
    return [s for s in walk(program.body) if isinstance(s, n.For)]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("r", [0, 1, 2, 5])
@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (3, 4), (6, 9)])
def test_results_are_the_same(function, shape, r):
    before = optimise(build(function, tuple(map(describe, arguments(*shape, r), ("a", "b", "r")))))
    assert_same(before, split_boundaries(before), arguments(*shape, r))


@pytest.mark.sample(1)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(("rows", "columns", "r"), [(40, 33, 3), (5, 200, 2), (17, 3, 7), (64, 64, 0)])
def test_compiled_code_gives_what_python_gives(function, rows, columns, r):
    a, expected, _ = arguments(rows, columns, r)
    found = expected.copy()
    function(a, expected, r)
    weft.jit(function)(a, found, r)
    np.testing.assert_array_equal(found, expected)


def after(function):
    return split_boundaries(optimise(build(function, tuple(map(describe, arguments(4, 5, 1), ("a", "b", "r"))))))


@pytest.mark.parametrize("function", [blurred, skipped, twice], ids=lambda f: f.__name__)
def test_nothing_is_asked_in_the_middle(function):
    program = after(function)
    innermost = next(s for s in loops(program) if not any(isinstance(i, n.For) for i in walk(s.body)))
    asked = [
        s
        for s in walk(innermost.body)
        if isinstance(s, n.Let) and (isinstance(s.value, n.Compare) or getattr(s.value, "op", "") in ("min", "max"))
    ]
    assert not asked


def test_three_nests_stand_for_one():
    """The middle, what is left and right of it, and the rows above and below, whose loop over columns stays whole."""
    assert len(loops(optimise(build(guarded, tuple(map(describe, arguments(4, 5, 1), ("a", "b", "r"))))))) == 2
    nests = [s for s in after(guarded).body.statements if isinstance(s, n.For)]
    assert len(nests) == 3
    for nest in nests:
        (inner,) = (s for s in nest.body.statements if isinstance(s, n.For))
        assert nest.body.statements[-1] is inner
        assert all(isinstance(s, n.Let) for s in nest.body.statements[:-1])


def raising(a, b, r):
    for i in range(a.shape[0]):
        if i > r:
            assert a[i, 0] > 0
        b[i, 0] = 1.0


def summed(a, b, r):
    total = 0.0
    for i in range(a.shape[0]):
        if i > r:
            total += a[i, 0]
    b[0, 0] = total


def remainders(a, b, r):
    for i in range(a.shape[0]):
        b[i, 0] = a[i, 0] if i % 3 < 1 else 0.0


@pytest.mark.parametrize("function", [raising, summed, remainders], ids=lambda f: f.__name__)
def test_other_loops_stay(function):
    before = optimise(build(function, tuple(map(describe, arguments(4, 5, 1), ("a", "b", "r")))))
    assert split_boundaries(before) is before


def test_it_can_be_switched_off():
    a, b, r = arguments(12, 12, 2)
    expected = b.copy()
    skipped(a, expected, r)
    weft.jit(skipped, disable=("split_boundaries",))(a, b, r)
    np.testing.assert_array_equal(b, expected)
    assert inspect.getmodule(split_boundaries).__name__ == "weft.transform.safety.split_boundaries"
