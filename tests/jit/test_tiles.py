"""Scans, searches, packing and arg-reductions run in tiles on threads, with the answer of CPython."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import weft
from weft.ir.reference.interpreter import trace
from weft.runtime import _stub
from weft.transform.scan import tiles

TILE, TURN = tiles.TILE_WORK // 5, tiles.TURN_WORK // 5
"""About how many iterations of a simple loop a tile has; also one of tiles that take turns."""
LEAST, MOST = TILE * tiles.LEAST_TILES, TURN * tiles.LEAST_TILES
SIZES = (0, 1, 5, *(size + k for size in (LEAST, MOST) for k in (-1, 0, 1, TILE // 2, 2 * TURN + 7)))
LONG = MOST + 2 * TURN + 7
PLACES = (0, 1, TILE - 1, TILE, TILE + 1, 3 * TILE, LEAST - 1, LONG - 2, LONG - 1)


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    """Threads for loops of any size."""
    _stub.set_threads(3)
    _stub.set_grain(0.0)
    yield
    _stub.set_grain(20_000.0)
    _stub.set_threads(0)


def run(function: Callable[..., Any], *arguments: Any) -> tuple[Any, list[np.ndarray], str]:
    """What a function gives, its arrays afterwards, and its exception, on copies of the arguments."""
    own = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    result, error = None, ""
    try:
        with np.errstate(all="ignore"):
            result = function(*own)
    except Exception as raised:
        error = type(raised).__name__
    return result, [a for a in own if isinstance(a, np.ndarray)], error


def check(function: Callable[..., Any], *arguments: Any, rtol: float = 0.0) -> None:
    """The compiled function does what CPython does; to the last bit where no tolerance is given."""
    expected, found = run(function, *arguments), run(weft.jit(function), *arguments)
    assert found[2] == expected[2]
    left = [np.asarray(v) for v in (*flat(expected[0]), *expected[1])]
    right = [np.asarray(v) for v in (*flat(found[0]), *found[1])]
    for a, b in zip(left, right, strict=True):
        if rtol:
            np.testing.assert_allclose(b, a, rtol=rtol, atol=rtol)
        else:
            np.testing.assert_array_equal(a, b)
            assert a.dtype.kind != "f" or np.array_equal(np.signbit(a), np.signbit(b))


def flat(value: Any) -> tuple[Any, ...]:
    return () if value is None else value if isinstance(value, tuple) else (value,)


# ---------------------------------------------------------------------------------------------- the programs


def running_sum(x, out):
    s = 0
    for i in range(len(x)):
        s += x[i]
        out[i] = s
    return s


def running_sum_in_place(a):
    for i in range(1, len(a)):
        a[i] += a[i - 1]


def running_maximum(x, out):
    high = -math.inf
    for i in range(len(x)):
        if x[i] > high:
            high = x[i]
        out[i] = high
    return high


def keep(x, limit, out):
    k = 0
    for i in range(len(x)):
        if x[i] > limit:
            out[k] = x[i]
            k += 1
    return k


def find(x, value):
    for i in range(len(x)):
        if x[i] == value:
            return i, x[i]
    return -1, value


def write_until(x, value, out):
    total = 0
    for i in range(len(x)):
        if x[i] == value:
            break
        total += x[i]
        out[i] = 2 * x[i]
    else:
        total = -1
    return total


def first_smallest(x):
    m, p = x[0], 0
    for i in range(len(x)):
        if x[i] < m:
            m, p = x[i], i
    return m, p


def last_largest(x):
    m, p = x[0], 0
    for i in range(len(x)):
        if x[i] >= m:
            m, p = x[i], i
    return m, p


def smallest_unless_not_smaller(x):
    m, p = x[0], -1
    for i in range(len(x)):
        if not x[i] >= m:
            m = x[i]
            p = i
    return m, p


def largest_with_element_first(x):
    m = x[0]
    for i in range(len(x)):
        m = max(x[i], m)
    return m


def smallest_of_numpy(x):
    m = math.inf
    for i in range(len(x)):
        m = np.minimum(m, x[i])
    return m


def running_largest_of_numpy(x, out):
    m = -math.inf
    for i in range(len(x)):
        m = np.maximum(x[i], m)
        out[i] = m
    return m


def last_positive(x, out):
    last = 0.0
    for i in range(len(x)):
        if x[i] > 0.9:
            last = x[i]
        out[i] = last
    return last


def congruence(out):
    state = np.uint64(88172645463325252)
    for i in range(len(out)):
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        out[i] = state


def smoothed(x, out, weight):
    level = 0.5
    for i in range(len(x)):
        level = weight * x[i] + (1.0 - weight) * level
        out[i] = level
    return level


def doubtful(x, out, factor):
    s = 1.0
    for i in range(len(x)):
        s = factor * s - (factor - 1.0) * x[i]
        out[i] = s
    return s


def recurrence(a, b, x):
    for i in range(1, len(x)):
        x[i] = a[i] * x[i - 1] + b[i]


def raises_while_summing(x, out):
    s = 0
    for i in range(len(x)):
        if x[i] < 0:
            raise ValueError("negative")
        s += x[i]
        out[i] = s
    return s


def sum_of_python_ints(x, out):
    s = 0
    for i in range(len(x)):
        s += int(x[i])
        out[i] = i
    return s


def gathered_sum(x, places, out):
    s = 0
    for i in range(len(places)):
        s += x[places[i]]
        out[i] = s
    return s


@weft.associative
def common_divisor(a, b):
    while b != 0:
        a, b = b, a % b
    return a


@weft.associative
def composed(a, b):
    """Affine maps modulo 97, packed into one integer; not commutative."""
    scale = (a // 97) * (b // 97) % 97
    shift = ((a % 97) * (b // 97) + b % 97) % 97
    return scale * 97 + shift


def running_divisors(x, out):
    divisor = x[0]
    for i in range(len(x)):
        divisor = common_divisor(divisor, x[i])
        out[i] = divisor
    return divisor


def running_maps(x, out):
    both = 97
    for i in range(len(x)):
        if x[i] > 500:
            both = composed(both, x[i])
        out[i] = both
    return both


# ------------------------------------------------------------------------------------------------ the answers


@pytest.mark.parametrize("size", SIZES)
def test_scans_of_integers_are_exact(size: int) -> None:
    rng = np.random.default_rng(size)
    check(running_sum, rng.integers(-9, 9, size), np.zeros(size, np.int64))
    check(running_sum_in_place, rng.integers(-(2**62), 2**62, size))
    check(congruence, np.zeros(size, np.uint64))


@pytest.mark.parametrize("size", SIZES)
def test_scans_of_floats_are_as_good_as_in_order(size: int) -> None:
    rng = np.random.default_rng(size)
    check(running_sum, rng.random(size), np.zeros(size), rtol=1e-12)
    check(smoothed, rng.random(size), np.zeros(size), 0.2, rtol=1e-12)
    check(recurrence, rng.uniform(-0.9, 0.9, size), rng.random(size), np.ones(size), rtol=1e-12)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("limit", [0.0, 0.5, 0.999, 2.0])
def test_packing(size: int, limit: float) -> None:
    rng = np.random.default_rng(size)
    check(keep, rng.random(size), limit, np.full(size, -1.0))


def part(x, low, high):
    k = m = 0
    for i in range(len(x)):
        if x[i] < 0.25:
            low[k] = x[i]
            k += 1
        else:
            high[m] = i
            m += 1
    return k, m


@pytest.mark.parametrize("room", [LONG, LONG // 4, 100])
def test_packing_into_two_arrays(room: int) -> None:
    """What is stored in vain is overwritten; where there is no room for all, nothing is."""
    x = np.random.default_rng(2).random(LONG)
    check(part, x, np.full(room, -1.0), np.full(LONG, -1.0))


def keep_in_columns(x, limit, out):
    k = 0
    for i in range(len(x)):
        column = out[:, i]
        if x[i] > limit:
            column[k] = x[i]
            k += 1
    return k


@pytest.mark.parametrize("room", [900, 300])
def test_packing_through_another_view_in_each_iteration(room: int) -> None:
    x = np.random.default_rng(2).random(900)
    check(keep_in_columns, x, 0.5, np.full((room, 900), -1.0))


def test_packing_stores_without_asking() -> None:
    assert "open" in weft.jit(part).inspect(np.ones(9), np.ones(9), np.ones(9)).ir


@pytest.mark.parametrize("place", [*PLACES, -1])
def test_searches_find_the_lowest_index(place: int) -> None:
    x = np.arange(LONG) % 1000
    if place >= 0:
        x[place] = x[-1] = 5000
    check(find, x, 5000)
    check(write_until, x, 5000, np.full(LONG, -7))


@pytest.mark.parametrize("size", SIZES[1:])
def test_places_of_extremes_of_integers(size: int) -> None:
    x = np.random.default_rng(size).integers(-50, 50, size)
    for function in (first_smallest, last_largest, smallest_unless_not_smaller):
        check(function, x)
        check(function, np.full(size, np.iinfo(np.int64).max))


@pytest.mark.sample(1)
@pytest.mark.parametrize("special", [math.nan, math.inf, -math.inf, 0.0, -0.0])
@pytest.mark.parametrize("background", ["random", "zeros", "the same"])
def test_extremes_of_floats_in_the_order_of_python(special: float, background: str) -> None:
    rng = np.random.default_rng(3)
    zeros = np.where(rng.random(LONG) < 0.5, 0.0, -0.0)
    x = {"random": rng.normal(size=LONG), "zeros": zeros, "the same": np.full(LONG, special)}[background]
    for places in ([0], [TILE], [3 * TILE - 1, 3 * TILE], [LONG - 1], list(range(0, LONG, TILE // 3))):
        case = x.copy()
        case[places] = special
        for function in (first_smallest, last_largest, smallest_unless_not_smaller, largest_with_element_first):
            check(function, case)
        check(smallest_of_numpy, case)
        for function in (running_maximum, running_largest_of_numpy):
            check(function, case, np.zeros(LONG))


def test_last_value_assigned_under_a_condition() -> None:
    x = np.zeros(LONG)
    x[[5, TILE, 3 * TILE + 1]] = (1.0, 2.0, 3.0)
    check(last_positive, x, np.zeros(LONG))


@pytest.mark.parametrize("size", SIZES[1:])
def test_scans_by_functions_that_are_associative(size: int) -> None:
    rng = np.random.default_rng(size)
    check(running_divisors, 6 * rng.integers(1, 1000, size), np.zeros(size, np.int64))
    check(running_maps, rng.integers(0, 97 * 97, size), np.zeros(size, np.int64))
    check(running_maps, np.where(np.arange(size) == size - 2, 600, 0), np.zeros(size, np.int64))


@pytest.mark.parametrize("factor", [1.5, 1.0, -1.0, 0.0, -2.0])
def test_recurrences_that_grow_are_not_cut(factor: float) -> None:
    """Each tile alone would lose all digits that the exact answer has."""
    check(doubtful, np.ones(LONG), np.zeros(LONG), factor)


@pytest.mark.parametrize("special", [math.nan, math.inf])
def test_recurrences_with_what_is_no_number(special: float) -> None:
    x = np.random.default_rng(1).random(LONG)
    x[3 * TILE] = special
    check(smoothed, x, np.zeros(LONG), 0.25, rtol=1e-12)
    check(running_sum, x, np.zeros(LONG), rtol=1e-12)


# ------------------------------------------------------------------------------------------------ exceptions


@pytest.mark.parametrize("place", PLACES)
def test_an_exception_leaves_the_state_of_cpython(place: int) -> None:
    x = np.ones(LONG, np.int64)
    x[[place, -1]] = -1
    check(raises_while_summing, x, np.zeros(LONG, np.int64))


@pytest.mark.parametrize("place", PLACES)
def test_an_index_that_is_outside_in_some_tile(place: int) -> None:
    places = np.random.default_rng(0).integers(-1000, 1000, LONG)
    places[place] = 1000
    check(gathered_sum, np.arange(1000), places, np.zeros(LONG, np.int64))


@pytest.mark.parametrize("room", [0, 1, 3 * TILE, LONG // 2 - 5])
def test_packing_into_an_array_that_is_too_short(room: int) -> None:
    x = np.tile([0.0, 1.0], LONG // 2)
    check(keep, x, 0.5, np.zeros(room))


def unpack(mask, packed, out, other):
    k = 0
    for i in range(len(mask)):
        if mask[i]:
            out[i] = packed[k]
            k += 1
        other[i] = 2 * i
    return k


def keep_pairs(x, out):
    k = 0
    for i in range(len(x)):
        if x[i] > 0.5:
            out[k] = x[i]
            out[k + 1] = -x[i]
            k += 2
    return k


@pytest.mark.parametrize("room", [0, 1, TILE, 3 * TILE + 1, LONG])
def test_indices_that_only_partial_results_show_to_be_outside(room: int) -> None:
    """Nothing after the iteration that fails is touched."""
    mask = np.random.default_rng(3).random(LONG) < 0.6
    check(unpack, mask, np.arange(float(room)), np.zeros(LONG), np.zeros(LONG, np.int64))
    check(keep_pairs, np.where(mask, 1.0, 0.0), np.zeros(room))


@pytest.mark.parametrize("place", PLACES)
def test_overflow_of_python_integers_is_raised_where_it_happens(place: int) -> None:
    x = np.zeros(LONG, np.int64)
    x[0] = 2**62
    x[place] += 2**61
    x[LONG - 1] += 2**61 + (place < LONG - 1) * (2**62 - 2**61)
    out = np.full(LONG, -1)
    expected = run(weft.jit(sum_of_python_ints, disable=("tiles",)), x, out)
    found = run(weft.jit(sum_of_python_ints), x, out)
    assert found[2] == expected[2] == "OverflowError"
    np.testing.assert_array_equal(found[1][1], expected[1][1])


# ------------------------------------------------------------------------------------------- how they run


TILED = (
    (running_sum, (np.ones(9), np.zeros(9))),
    (running_sum_in_place, (np.ones(9),)),
    (running_maximum, (np.ones(9), np.zeros(9))),
    (keep, (np.ones(9), 0.5, np.zeros(9))),
    (find, (np.ones(9), 2.0)),
    (write_until, (np.ones(9), 2.0, np.zeros(9))),
    (first_smallest, (np.ones(9),)),
    (last_largest, (np.ones(9),)),
    (smallest_unless_not_smaller, (np.ones(9),)),
    (largest_with_element_first, (np.ones(9),)),
    (smallest_of_numpy, (np.ones(9),)),
    (running_largest_of_numpy, (np.ones(9), np.zeros(9))),
    (last_positive, (np.ones(9), np.zeros(9))),
    (unpack, (np.ones(9, bool), np.ones(9), np.ones(9), np.ones(9))),
    (keep_pairs, (np.ones(9), np.ones(9))),
    (congruence, (np.zeros(9, np.uint64),)),
    (running_divisors, (np.ones(9, np.int64), np.ones(9, np.int64))),
    (running_maps, (np.ones(9, np.int64), np.ones(9, np.int64))),
    (recurrence, (np.ones(9), np.ones(9), np.ones(9))),
    (raises_while_summing, (np.ones(9), np.zeros(9))),
    (sum_of_python_ints, (np.ones(9), np.zeros(9))),
    (gathered_sum, (np.ones(9), np.ones(9, np.int64), np.zeros(9))),
)


@pytest.mark.parametrize(("function", "arguments"), TILED, ids=lambda v: getattr(v, "__name__", ""))
def test_the_report_and_the_code_say_that_tiles_run_on_threads(
    function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    (placed,) = weft.explain(function, *arguments).placement
    assert "in tiles on threads" in placed.reason
    source = weft.jit(function).inspect(*arguments).source
    assert "runtime->parallel(" in source or "runtime->in_order(" in source


@pytest.mark.parametrize("count", [1, 2, 5])
def test_results_are_the_same_bits_on_any_number_of_threads(count: int) -> None:
    x = np.random.default_rng(7).normal(size=LONG)
    _stub.set_threads(4)
    expected = run(weft.jit(smoothed), x, np.zeros(LONG), 0.3)
    _stub.set_threads(count)
    found = run(weft.jit(smoothed), x, np.zeros(LONG), 0.3)
    assert found[0] == expected[0]
    np.testing.assert_array_equal(found[1][1], expected[1][1])


def loads(function: Callable[..., Any], *arguments: Any) -> int:
    """How many elements the compiled program reads."""
    compiled = weft.jit(function)
    program = compiled.specialise(*arguments).program()
    values = [float(a) if isinstance(a, float) else a for a in arguments]
    return trace(program, values).counts.total("load")


def test_a_hit_at_the_beginning_costs_no_sweep() -> None:
    x = np.zeros(LONG)
    x[3] = 1.0
    assert loads(find, x, 1.0) < 20


@pytest.mark.sample(0)
def test_what_follows_a_hit_is_not_swept() -> None:
    x = np.zeros(6 * LONG)
    x[LONG] = 1.0
    assert loads(find, x, 1.0) < 4 * LONG


def test_short_loops_run_as_they_are_written() -> None:
    x = np.zeros(LEAST // 2)
    assert loads(find, x, 1.0) == LEAST // 2


def test_tiles_can_be_switched_off() -> None:
    placed = weft.explain(weft.jit(running_sum, disable=("tiles",)), np.ones(9), np.zeros(9)).placement
    assert [p.reason for p in placed] == ["one after the other"]


# ------------------------------------------------------------------------------------------------- devices


@pytest.mark.sample(0)
@pytest.mark.opencl
@pytest.mark.filterwarnings("error::weft.WeftWarning")
def test_tiles_run_on_a_device() -> None:
    """With the answers of CPython, and without a warning that a loop runs on the host."""
    x, out = np.random.default_rng(5).integers(0, 1000, LONG), np.zeros(LONG, np.int64)
    x[3 * TILE] = 5000
    for function, arguments in (
        (running_sum, (x, out)), (keep, (x, 500.0, out)), (find, (x, 5000)), (write_until, (x, 5000, out)),
        (first_smallest, (x,)), (last_largest, (x,)), (raises_while_summing, (x - 1, out)),
    ):  # fmt: skip
        compiled = weft.jit(function, device="opencl")
        assert {p.device for p in weft.explain(compiled, *arguments).placement} == {"opencl"}
        expected, found = run(function, *arguments), run(compiled, *arguments)
        assert found[0] == expected[0] and found[2] == expected[2]
        for a, b in zip(expected[1], found[1], strict=True):
            np.testing.assert_array_equal(a, b)
