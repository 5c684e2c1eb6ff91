"""Semantics, "One value, several types": accumulators that start as Python numbers beside narrow floats."""

from __future__ import annotations

import numpy as np
import pytest

import weft

from .accumulators import NEAR, PROGRAMS, SETTLED, given
from .tools import every_device

SIZES = [1, 2, 7, 40]


def outcome(function, arguments):
    """What a call returns and leaves in its arrays, or its exception."""
    with np.errstate(all="ignore"):
        try:
            found = function(*arguments)
        except (ArithmeticError, LookupError, ValueError, weft.Error) as error:
            return error
    return [*(found if isinstance(found, tuple) else (found,)), *arguments]


def same(want, got, near, empty):
    """Whether two results have the same types, but for those of empty loops, and the same values."""
    if not empty and type(want) is not type(got):
        return False
    if want is got is None:
        return True
    if near:
        bound = 4e-3 if np.asarray(want).dtype == np.float16 else 1e-5
        return np.allclose(want, got, bound, bound, equal_nan=True)
    return np.array_equal(np.asarray(want), np.asarray(got), equal_nan=True)


def check(name, dtype, n, device):
    function, compiled = PROGRAMS[name], weft.jit(PROGRAMS[name], device=device)
    for seed in range(3):
        before = given(dtype, n, seed)
        want, got = outcome(function, given(dtype, n, seed)), outcome(compiled, arguments := given(dtype, n, seed))
        if isinstance(got, Exception):
            refused = isinstance(got, weft.TypeInferenceError) and not isinstance(got, weft.InternalError)
            assert type(got) is type(want) or (refused and may_refuse(name, n, before)), (got, want)
            continue
        assert not isinstance(want, Exception), (want, got)
        assert all(map(lambda a, b: same(a, b, name in NEAR, n == 0), want, got)), (want, got, arguments)


def may_refuse(name, n, arguments):
    """Whether a loop of the program may have run no iteration, so that it is a Python number that is asked for."""
    if name in SETTLED:
        return False
    v, m, p = arguments[1], arguments[3], arguments[4]
    if name.startswith(("under", "a_total", "left", "least_distance")):
        return n < 3 or not (v > 0).any() or not (v < 0).any() or not (m > 0).any() or v[0] > 2.5
    if name in ("rows_of_a_sparse_matrix", "mean_of_rows_that_may_be_empty"):
        return bool((p[1:] == p[:-1]).any())
    return n == 0 or (n == 1 and name in ("triangle", "python_products"))


@every_device
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_cpythons(name, n, device):
    check(name, "float32", n, device)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_empty_loops_are_right_or_errors(name, dtype):
    check(name, dtype, 0, "cpu")


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_half_precision(name, n):
    check(name, "float16", n, "cpu")


@pytest.mark.opencl
@pytest.mark.parametrize("name", PROGRAMS)
def test_empty_loops_on_opencl(name):
    check(name, "float32", 0, "opencl")


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "spread_by_helpers"])
def test_nothing_is_stored_before_the_error(name):
    arguments = given("float32", 0)
    if isinstance(outcome(weft.jit(PROGRAMS[name], device="cpu"), arguments), Exception):
        assert not arguments[2].any()
