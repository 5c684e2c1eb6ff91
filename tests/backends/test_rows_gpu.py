"""Rows that threads of a GPU keep in registers: of any length, aligned or not, with the same bits."""

import numpy as np
import pytest

import weft
from tests.schedule.test_deal_extremes import branching, data
from tests.schedule.test_kept_rows import centred, from_somewhere, in_an_array, softmax, written_in_parts
from tests.schedule.test_places_of_extremes import largest, last_smallest, special, swapped

pytestmark = pytest.mark.gpu


def rows(columns, dtype, offset=0):
    """Rows of numbers that begin so many elements behind an aligned place."""
    memory = np.random.default_rng(columns).standard_normal((3, columns + offset)).astype(dtype)
    return memory[:, offset:]


@pytest.mark.parametrize("columns", [1, 7, 255, 1000, 4095, 4096, 5000, 8192, 16384, 20001])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", [softmax, centred, written_in_parts], ids=lambda f: f.__name__)
def test_rows_of_any_length_are_right(function, dtype, columns):
    compiled, tolerance = weft.jit(function, device="cuda"), 1e-4 if dtype == np.float32 else 1e-11
    for offset in (0, 1, 4):
        x = rows(columns, dtype, offset)
        wide, got = x.astype(np.float64), np.zeros_like(x)
        expected = np.zeros_like(wide)
        weft.jit(function, device="cpu")(wide, expected)
        compiled(x, got)
        np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance * 100)


@pytest.mark.parametrize("columns", [64, 1000, 4096, 8192, 16384, 30000])
def test_results_depend_neither_on_the_address_nor_on_the_run(columns):
    compiled, found = weft.jit(softmax, device="cuda"), set()
    x = rows(columns, np.float32)
    for offset in (0, 1, 2, 4, 0):
        memory = np.zeros((3, columns + offset), np.float32)
        memory[:, offset:] = x
        given, got = weft.array(memory), weft.zeros((3, columns + offset), np.float32)
        compiled(given[:, offset:], got[:, offset:])
        found.add(np.asarray(got)[:, offset:].tobytes())
    assert len(found) == 1


@pytest.mark.parametrize("low", [0, 1, 2, 3, 4, 500])
def test_runs_begin_where_the_loops_do(low):
    x, got = rows(400, np.float32), np.zeros((3, 400), np.float32)
    expected = got.astype(np.float64)
    from_somewhere(x.astype(np.float64), expected, low)
    weft.jit(from_somewhere, device="cuda")(x, got, low)
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-3)


def test_arrays_of_an_iteration_are_kept():
    x, got = rows(37, np.float64), np.zeros((3, 37))
    expected = np.zeros_like(got)
    in_an_array(x, expected)
    weft.jit(in_an_array, device="cuda")(x, got)
    np.testing.assert_allclose(got, expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("columns", [1, 37, 64, 1500, 5000])
@pytest.mark.parametrize("function", [largest, last_smallest, swapped], ids=lambda f: f.__name__)
def test_places_of_special_numbers_are_those_of_python(function, columns):
    x = special(24, columns)
    expected, got = np.zeros((24, 2)), np.zeros((24, 2))
    with np.errstate(all="ignore"):
        function(x, expected)
    weft.jit(function, device="cuda")(x, got)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("width", [1, 127, 300, 1024, 5001])
def test_extremes_have_their_signs(dtype, width):
    x = data(width, dtype)
    got, expected = np.zeros_like(x), np.zeros_like(x)
    weft.jit(branching, device="cuda")(x, got)
    with np.errstate(all="ignore"):
        branching(x, expected)
    np.testing.assert_array_equal(got, expected)


def place(x):
    best = np.inf
    at = -1
    for i in range(len(x)):
        if x[i] < best:
            best = x[i]
            at = i
    return best, at


@pytest.mark.parametrize("size", [0, 1, 16383, 16384, 1_000_003])
def test_the_place_in_a_long_array_is_found(size):
    x = np.random.default_rng(size).integers(-99, 99, size).astype(np.float64)
    assert weft.jit(place, device="cuda")(x) == place(x)
