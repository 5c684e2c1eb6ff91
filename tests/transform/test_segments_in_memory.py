"""Scans through memory that begin anew where data say so, as branches of which only one side reads what was stored."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def by_choice(x, first, y):
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = x[i] if first[i] else y[i - 1] + x[i]


def by_branches(x, first, y):
    for i in range(1, len(x)):
        if first[i] > 0:
            y[i] = x[i]
        else:
            y[i] = y[i - 1] + x[i]


def from_behind(x, first, y):
    for i in range(len(x) - 2, -1, -1):
        if not first[i]:
            y[i] = y[i + 1] + x[i]
        else:
            y[i] = x[i]


def largest(x, first, y):
    for i in range(1, len(x)):
        y[i] = x[i] if first[i] else max(y[i - 1], x[i])


def kept(x, first, y):
    for i in range(1, len(x)):
        y[i] = x[i] if first[i] else y[i - 1]


SCANS = [by_choice, by_branches, from_behind]


def alternating(x, first, y):
    for i in range(1, len(x)):
        y[i] = x[i] if i % 2 else y[i - 1] + x[i]


def behind_the_store(x, first, y):
    for i in range(1, len(x)):
        y[i] = x[i]
        if first[i]:
            y[i] = y[i - 1] + 1.0


def not_at_all(x, first, y):
    for i in range(1, len(x)):
        z = y[i - 1] if first[0] else x[i]
        y[i] = z + 1.0


OTHERS = [largest, kept, alternating, behind_the_store, not_at_all]


def arguments(size, dtype="float64", odd=False):
    rng = np.random.default_rng(size)
    x = (rng.integers(-9, 9, size) / 8).astype(dtype)
    if odd and size > 9:
        x[rng.integers(0, size, 3)] = [np.nan, np.inf, -0.0]
    return x, rng.integers(0, 40, size) == 0, np.zeros(size, dtype)


def is_scan(function):
    carried = optimise(program_of(function, *arguments(9)), frozenset({"tiles"})).body
    return any(isinstance(s, n.For) and s.args for s in walk(carried))


@pytest.mark.parametrize("function", SCANS, ids=lambda f: f.__name__)
def test_they_are_scans(function):
    assert is_scan(function)


@pytest.mark.parametrize("size", [1, 2, 13, 5003, 60_007])
@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("function", [*SCANS, *OTHERS], ids=lambda f: f.__name__)
def test_results_are_pythons(function, size, odd, request):
    request.addfinalizer(lambda count=weft.get_num_threads(): weft.set_num_threads(count))
    weft.set_num_threads(3)
    found, expected = arguments(size, odd=odd), arguments(size, odd=odd)
    weft.jit(function)(*found)
    function(*expected)
    np.testing.assert_array_equal(found[2], expected[2])


def test_an_array_too_short_raises_where_python_does():
    def shifted(x, first, y):
        for i in range(len(x)):
            y[i] = x[i] if first[i] else y[i + 1 - 2] + x[i]

    x, first, _ = arguments(50)
    for extent in (50, 30):
        found, expected = np.zeros(extent), np.zeros(extent)
        errors = []
        for run, y in ((weft.jit(shifted), found), (shifted, expected)):
            try:
                run(x, first, y)
            except IndexError as error:
                errors.append(type(error))
        assert len(errors) in (0, 2)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.opencl
@pytest.mark.parametrize("function", SCANS[:2], ids=lambda f: f.__name__)
def test_on_opencl(function):
    found, expected = arguments(40_003, "float32"), arguments(40_003, "float32")
    weft.jit(function, device="opencl")(*found)
    weft.jit(function)(*expected)
    np.testing.assert_array_equal(found[2], expected[2])
