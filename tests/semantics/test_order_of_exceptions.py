"""Semantics, "Exceptions": NumPy finds an element before it converts the number that is stored there."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from .tools import same, same_error

NUMBERS = (1.5, math.nan, math.inf, 1e30, 300, -1, np.float64(math.nan), np.float32(1e30), np.int64(2**40))
TYPES = (np.int8, np.int64, np.uint32)


def element(out, k, v):
    out[k] = v


def element_of_a_row(out, k, v):
    out[k][0] = v


def element_of_a_matrix(out, k, v):
    out[1, k] = v


def two_elements(out, k, v):
    out[0, 0], out[k, 1] = 1, v


def twice(out, k, v):
    out[k, 1] = out[0, 0] = v


def in_a_loop(out, k, v):
    for i in range(out.shape[0]):
        out[i, k] = v


def caught(out, k, v):
    try:
        out[0, k] = v
    except ValueError:
        return 1
    except IndexError:
        return 2
    return 3


def caught_in_a_loop(out, k, v):
    bad = 0
    for i in range(out.shape[0]):
        try:
            out[i, k + i] = v
        except IndexError:
            bad += 1
        except ValueError:
            bad += 100
    return bad


def chosen_by_a_mask(out, k, v):
    out[out > k] = v


def chosen_by_places(out, k, v):
    out[np.array([0, k])] = v


def filled(out, k, v):
    out[:] = np.full(3, v, dtype=out.dtype)


def filled_alike(out, k, v):
    out[:] = np.full_like(out, v)


def a_slice(out, k, v):
    out[k:, 1] = v


def outcome(function, out, k, v):
    """Compare the function compiled and not, whatever it does."""
    left = out.copy()
    try:
        with np.errstate(all="ignore"):
            function(left, k, v)
    except (IndexError, ValueError, OverflowError):
        same_error(function, out, k, v)
    else:
        same(function, out, k, v)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    "function",
    [
        element, element_of_a_row, element_of_a_matrix, two_elements, twice, in_a_loop, chosen_by_a_mask,
        chosen_by_places, filled, filled_alike, a_slice,
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", TYPES)
def test_the_index_comes_before_the_conversion(function, dtype):
    for k, v in itertools.product((1, 9, -9), NUMBERS):
        outcome(function, np.arange(12, dtype=dtype).reshape(4, 3), k, v)


@pytest.mark.parametrize("function", [caught, caught_in_a_loop])
def test_handlers_see_the_index_first(function):
    for k, v in itertools.product((0, 2, 9, -9), (1.5, math.nan, 100)):
        outcome(function, np.arange(12).reshape(4, 3), k, v)


def test_a_number_too_large_for_the_array_is_caught():
    def f(out, v):
        try:
            out[0] = v
        except OverflowError:
            return 1
        return 2

    for v in (1e30, -1e30, math.inf, 2.5):
        same(f, np.zeros(2, np.int64), v)
