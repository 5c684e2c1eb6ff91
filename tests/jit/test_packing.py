"""Packing with several counters, branches in branches and nests of loops, with the answer of CPython."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import weft
from tests.jit.test_tiles import LONG, TILE, check
from weft.runtime import _stub


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    """Threads for loops of any size."""
    _stub.set_threads(3)
    _stub.set_grain(0.0)
    yield
    _stub.set_grain(20_000.0)
    _stub.set_threads(0)


def thirds(x, low, middle, high):
    a = b = c = 0
    for i in range(len(x)):
        if x[i] < 0.3:
            low[a] = x[i]
            a += 1
        elif x[i] < 0.6:
            middle[b] = i
            b += 1
        else:
            high[c] = -x[i]
            c += 1
    return a, b, c


def two_tests(x, low, middle, high):
    a = b = 0
    for i in range(len(x)):
        if x[i] < 0.7:
            low[a] = x[i]
            middle[a] = i
            a += 1
        if x[i] > 0.4:
            high[b] = x[i]
            b += 1
    return a, b


def one_counter_twice(x, low, middle, high):
    k = 0
    for i in range(len(x)):
        if x[i] < 0.7:
            low[k] = x[i]
            k += 1
        if x[i] < 0.2:
            low[k] = -x[i]
            k += 1
    return k


def one_counter_on_both_sides(x, low, middle, high):
    k = 0
    for i in range(len(x)):
        if x[i] < 0.3:
            low[k] = x[i]
            k += 1
        elif x[i] > 0.6:
            low[k] = -x[i]
            k += 1
    return k


def with_holes(x, low, middle, high):
    k = 0
    for i in range(len(x)):
        if x[i] < 0.3:
            low[k] = x[i]
            k += 1
        elif x[i] > 0.8:
            k += 1
    return k


def with_holes_in_one_array(x, low, middle, high):
    k = 0
    for i in range(len(x)):
        if x[i] < 0.5:
            low[k] = x[i]
            if x[i] < 0.2:
                middle[k] = x[i]
            k += 1
    return k


def counters_in_a_branch_of_a_branch(x, low, middle, high):
    a = b = 0
    for i in range(len(x)):
        if x[i] < 0.6:
            low[a] = x[i]
            a += 1
            if x[i] < 0.3:
                high[b] = a
                b += 1
    return a, b


def of_neighbours(x, low, middle, high):
    k = 0
    for i in range(1, len(x) - 1):
        if x[i] > x[i - 1] and x[i] > x[i + 1]:
            low[k] = x[i + 1]
            middle[k] = i
            k += 1
    return k


def gathered_in_the_branch(x, low, middle, high):
    k = 0
    for i in range(len(x)):
        if x[i] < 0.4:
            low[k] = x[int(1.5 * i) % len(x)]
            k += 1
    return k


def of_the_first_ones_of_rows(x, low, middle, high):
    k = 0
    for i in range(len(x) // 10):
        for j in range(10):
            if x[10 * i + j] > 0.9:
                break
            if x[10 * i + j] < 0.5:
                low[k] = x[10 * i + j]
                middle[k] = j
                k += 1
    return k


def of_rows(x, low, middle, high):
    k = m = 0
    for i in range(len(x) // 10):
        if x[i] < 0.1:
            high[m] = i
            m += 1
        for j in range(10):
            if x[10 * i + j] < 0.5:
                low[k] = x[10 * i + j]
                middle[k] = j
                k += 1
    return k, m


def of_rows_with_ends(x, low, middle, high):
    k = 0
    for i in range(len(x) // 10):
        for j in range(10):
            if x[10 * i + j] < 0.5:
                low[k] = j
                k += 1
        high[i] = k
    return k


def with_ends_in_the_branch(x, low, middle, high):
    k = 0
    for i in range(len(x)):
        if x[i] < 0.5:
            high[i] = k
            low[k] = i
            k += 1
    return k


def of_rows_in_a_branch(x, low, middle, high):
    k = 0
    for i in range(len(x) // 10):
        if x[i] < 0.6:
            for j in range(10):
                if x[10 * i + j] < 0.5:
                    low[k] = x[10 * i + j]
                    k += 1
    return k


def down(x, low, middle, high):
    k, m = 0, len(x) - 1
    for i in range(len(x)):
        if x[i] < 0.5:
            low[k] = x[i]
            k += 1
        else:
            middle[m] = x[i]
            m -= 1
    return k, m


def repeated(x, low, middle, high):
    k = 0
    for i in range(len(x)):
        for _ in range(int(3 * x[i])):
            low[k] = i
            k += 1
    return k


def reads_what_it_packs(x, low, middle, high):
    k = 0
    for i in range(len(x)):
        if x[i] < 0.5:
            low[k] = x[i] + low[k]
            k += 1
    return k


PROGRAMS = (
    thirds, two_tests, one_counter_twice, one_counter_on_both_sides, with_holes, with_holes_in_one_array,
    counters_in_a_branch_of_a_branch, of_neighbours, gathered_in_the_branch, of_the_first_ones_of_rows, of_rows,
    of_rows_with_ends, with_ends_in_the_branch, of_rows_in_a_branch, down, repeated, reads_what_it_packs,
)  # fmt: skip


def arrays(size: int, *rooms: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(size)
    return rng.random(size), *(np.full(room, -7.0) for room in rooms)


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize("size", [0, 1, 11, LONG])
def test_there_is_room(function: Callable[..., Any], size: int) -> None:
    check(function, *arrays(size, 3 * size, 3 * size, 3 * size))


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize(
    "rooms", [(100, LONG, LONG), (LONG, 2 * TILE, LONG), (LONG, LONG, 0), (3 * TILE, 3 * TILE, 3 * TILE)]
)
def test_an_array_that_is_too_short_leaves_the_state_of_cpython(
    function: Callable[..., Any], rooms: tuple[int, int, int]
) -> None:
    check(function, *arrays(LONG, *rooms))


@pytest.mark.parametrize("function", [thirds, down, one_counter_on_both_sides])
def test_parts_of_one_array(function: Callable[..., Any]) -> None:
    """Where one part is full, the other begins; where they overlap, the later store wins."""
    x = np.random.default_rng(5).random(LONG)
    for start in (LONG // 3, TILE, 1):

        def both(x, out, function=weft.jit(function), start=start):
            return function(x, out[:LONG], out[start:], out[2 * start :])

        def expected(x, out, function=function, start=start):
            return function(x, out[:LONG], out[start:], out[2 * start :])

        mine, others = np.full(3 * LONG, -7.0), np.full(3 * LONG, -7.0)
        assert both(x, mine) == expected(x, others)
        np.testing.assert_array_equal(mine, others)


@pytest.mark.parametrize(
    ("function", "stores"),
    [(thirds, 3), (two_tests, 3), (of_neighbours, 2), (of_rows, 3), (of_rows_with_ends, 1)],
)
def test_elements_are_stored_without_a_branch(function: Callable[..., Any], stores: int) -> None:
    text = weft.jit(function).inspect(*arrays(9, 9, 9, 9)).ir
    assert sum(line.lstrip().startswith("open") for line in text.splitlines()) == stores


@pytest.mark.parametrize("function", [gathered_in_the_branch, of_rows_in_a_branch, of_the_first_ones_of_rows])
def test_counts_alone_say_whether_there_is_room(function: Callable[..., Any]) -> None:
    """No loop looks for stores that are outside."""
    text = weft.jit(function).inspect(*arrays(9, 9, 9, 9)).ir
    assert ".turns" in text
    assert ".watch" not in text


@pytest.mark.parametrize("function", [with_holes, one_counter_twice, one_counter_on_both_sides, reads_what_it_packs])
def test_other_ways_of_counting_keep_their_branches(function: Callable[..., Any]) -> None:
    assert "open" not in weft.jit(function).inspect(*arrays(9, 9, 9, 9)).ir


def places(a, rows, columns, ends):
    k = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 0.5:
                rows[k] = i
                columns[k] = j
                k += 1
        ends[i] = k
    return k


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1, 60000), (7, 9000), (9, 9000), (40, 5000), (300, 300), (9000, 3)])
@pytest.mark.parametrize("room", [1.0, 0.3])
def test_nests_of_any_shape(shape: tuple[int, int], room: float) -> None:
    """Tiles of long rows have one row each, those of short ones many."""
    a = np.random.default_rng(4).random(shape)
    rows, columns = (np.full(int(room * a.size), -7) for _ in range(2))
    check(places, a, rows, columns, np.full(shape[0], -7))


def test_tiles_of_nests_are_cut_by_the_work_inside() -> None:
    text = weft.jit(places).inspect(np.ones((9, 9)), np.ones(9, int), np.ones(9, int), np.ones(9, int)).ir
    assert ".turns" in text
    assert text.count("trips") > 2
    assert "combine add" in text
