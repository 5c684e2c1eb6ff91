"""Lists inside of lists: references as CPython has them, beside CPython."""

from __future__ import annotations

import copy
import heapq
import itertools
import math

import numpy as np
import pytest

import weft
from weft.errors import UnsupportedError

from .compare import check


def tables(n):
    grid = [[0.0] * 3 for _ in range(n)]
    for i in range(n):
        for j in range(3):
            grid[i][j] += i * 0.5 - j
    return grid, [row[1] for row in grid], sum(sum(row) for row in grid)


def one_row_several_times(n):
    rows = [[0] * 2] * (n + 1)
    rows[0][1] = 7
    rows[n].append(n)
    return rows, len(rows[0])


def other_names(n):
    rows = [[i] for i in range(n + 2)]
    first = rows[0]
    rows[0], rows[1] = rows[1], rows[0]
    first.append(10)
    rows[0].append(20)
    kept = rows.pop()
    kept.extend(first)
    return rows, first, kept


def swapped_tables(n):
    old = [[i, i + 1] for i in range(3)]
    for step in range(n):
        new = []
        for i in range(3):
            row = []
            for v in old[i]:
                row.append(v * 2 + step)
            new.append(row)
        old = new
    return old


def neighbours(n):
    rows = [[] for _ in range(n)]
    for i in range(n):
        rows[i * i % n].append(i)
        rows[(i + 1) % n].append(-i)
    total = 0
    for i, row in enumerate(rows):
        for v in row:
            total += v * (i + 1)
    return rows, total


def triangle(n):
    rows = [[1]]
    for i in range(1, n):
        last = rows[-1]
        rows.append([1] + [last[j - 1] + last[j] for j in range(1, i)] + [1])
    return rows


def three_levels(n):
    cube = [[[0] * 2 for _ in range(2)] for _ in range(n)]
    for i in range(n):
        cube[i][i % 2][1] += i
        cube[0][0].append(i)
    return cube


def branches(n):
    rows = []
    for i in range(n):
        row = [i] if i % 2 else [0, i]
        if i == 2:
            row = rows[0]
        rows.append(row)
    if n:
        rows[0].append(9)
    return rows


def methods(n):
    rows = [[3, 1, 2], [n], []]
    rows[0].sort()
    rows[0].insert(1, n)
    rows[1].reverse()
    rows[2].extend(rows[0])
    del rows[0][0]
    rows[0] += [8]
    return rows, [1, 2] in rows, rows[1] == [n], rows[0][1:], rows[2].index(3)


def pairs_with_lists(n):
    groups = [(i, [i * 0.5]) for i in range(n)]
    for k, values in groups:
        values.append(float(k))
    return groups


def arrays_of_rows(n):
    rows = [[i * 1.5, 2.0] for i in range(n)]
    return np.array(rows), np.array(rows).sum(axis=0)


def unpacked(n):
    points = [[i, i + 1] for i in range(n)]
    return [a * b for a, b in points]


FUNCTIONS = [
    tables, one_row_several_times, other_names, swapped_tables, neighbours, triangle, three_levels, branches, methods,
    pairs_with_lists, unpacked,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_same_as_in_python(function):
    compiled = weft.jit(function)
    for n in (0, 1, 2, 5):
        assert outcome(compiled, n) == outcome(function, n)


@pytest.mark.parametrize("function", [one_row_several_times, other_names, three_levels])
def test_the_interpreter_agrees(function):
    assert outcome(weft.jit(function, device="interpreter"), 3) == outcome(function, 3)


def test_one_list_returned_in_two_places_is_one():
    rows = weft.jit(one_row_several_times)(2)[0]
    assert rows[0] is rows[1] is rows[2]


def test_arrays_of_rows():
    for got, expected in zip(weft.jit(arrays_of_rows)(3), arrays_of_rows(3), strict=True):
        np.testing.assert_array_equal(got, expected)


def outside(n):
    rows = [[1], [2, 3]]
    rows[n][1] = 5
    return rows


def longer_than_others(n):
    rows = [[0.0] * k for k in range(n)]
    return np.array(rows)


def test_exceptions():
    for n in (0, 1, 2, 3):
        assert outcome(weft.jit(outside), n) == outcome(outside, n)
    with pytest.raises(ValueError, match="inhomogeneous shape"):
        weft.jit(longer_than_others)(3)


def grows_while_looped_over(n):
    rows = [[1], [2]]
    for v in rows[0]:
        rows[n].append(v)
        if len(rows[n]) > 3:
            break
    return rows


def test_a_row_that_changes_while_a_loop_runs_over_it():
    assert weft.jit(grows_while_looped_over)(1) == [[1], [2, 1]]
    with pytest.raises(weft.UnsupportedError, match="becomes longer or shorter while a loop runs over it"):
        weft.jit(grows_while_looped_over)(0)


def other_elements(n):
    rows = [[n], [n + 1]]
    rows[0].append(rows[0])
    return rows


def test_elements_of_several_types_are_refused():
    with pytest.raises(weft.UnsupportedError, match="holds elements of the type int, and gets one of the type list"):
        weft.jit(other_elements)(1)


def outcome(function, *args):
    try:
        return function(*args)
    except weft.Error:
        raise
    except Exception as error:
        return type(error), error.args


def swapped(rows):
    if len(rows) > 1:
        rows[0], rows[-1] = rows[-1], rows[0]
    for row in rows:
        for k in range(len(row)):
            row[k] += 1
    return len(rows), [row for row in rows if len(row) > 1]


def one_in_both(rows):
    rows[0] = rows[1]
    rows[0][0] = 7
    return rows[1][0], rows[0] == rows[1], [7] in rows


def raised_inside(rows):
    for row in rows:
        row[0] += 1
        row[1] *= 2
    return rows


def kept_rows(rows):
    order = sorted(rows, key=lambda row: -len(row))
    order[0][0] = -1
    named = {k: row for k, row in enumerate(rows)}
    named[0][0] -= 5
    stack = [rows[0]]
    while stack:
        row = stack.pop()
        if row[0] < 0:
            row[0] = 0
            stack.append(row)
    return order, np.array([len(row) for row in rows])


one_row = [4, 5]
TABLES = ([[1, 2], [3, 4]], [[1], [2, 3, 4], [5]], [one_row, [6], one_row], [[1, 2]], [[1, 2], [], [3]], [[], []])


@pytest.mark.parametrize("function", (swapped, one_in_both, raised_inside, kept_rows), ids=lambda f: f.__name__)
@pytest.mark.parametrize("rows", TABLES, ids=str)
def test_lists_of_lists_as_arguments(function, rows):
    both = [copy.deepcopy(rows), copy.deepcopy(rows)]
    found = [outcome(f, given) for f, given in zip((weft.jit(function), function), both, strict=True)]
    assert repr(found[0]) == repr(found[1])
    assert both[0] == both[1]
    assert [[a is b for a in both[0]] for b in both[0]] == [[a is b for a in both[1]] for b in both[1]]


def weights(graph):
    total = 0.0
    for k, row in enumerate(graph):
        for other, weight in row:
            total += weight * (k + other)
    graph[0][0] = (9, -1.0)
    return total


def deep(cubes):
    cubes[0], cubes[1] = cubes[1], cubes[0]
    cubes[0][0][0] += 0.5
    return sum(sum(sum(row) for row in square) for square in cubes)


def test_tuples_and_deeper_lists_as_arguments():
    for function, given in (
        (weights, [[(1, 0.5), (2, 1.5)], [], [(0, 2.0)]]),
        (deep, [[[1.0], [2.0, 3.0]], [[4.0, 5.0]]]),
    ):
        both = [copy.deepcopy(given), copy.deepcopy(given)]
        assert outcome(weft.jit(function), both[0]) == outcome(function, both[1])
        assert both[0] == both[1]


def untouched(rows):
    return rows[1][0]


def test_elements_that_a_call_leaves_stay_the_same_objects():
    rows = [[1000.5], [2000.5]]
    before = [*rows, rows[0][0], rows[1][0]]
    weft.jit(untouched)(rows)
    assert all(a is b for a, b in zip(before, [*rows, rows[0][0], rows[1][0]], strict=True))


def puts_a_new_row(rows):
    rows[0] = [1, 2]


def lengthens(rows):
    rows[0].append(1)


def stores_a_float(rows):
    rows[0][0] = 0.5


@pytest.mark.parametrize("function", (puts_a_new_row, lengthens, stores_a_float), ids=lambda f: f.__name__)
def test_changes_of_given_rows_that_are_refused(function):
    rows = [[1, 2], [3]]
    with pytest.raises(weft.UnsupportedError):
        weft.jit(function)(rows)
    assert rows == [[1, 2], [3]]


def two_tables(a, b):
    a[0][0] = 5
    return b[0][0]


def test_rows_that_two_arguments_hold():
    rows = [[1], [2]]
    with pytest.raises(weft.ArgumentError, match="lies in another one"):
        weft.jit(two_tables)(rows, [rows[0]])
    with pytest.raises(weft.ArgumentError, match="lies in another one"):
        weft.jit(lambda a, b: a[0][0] + b[0])(rows, rows[0])
    with pytest.raises(weft.ArgumentError, match="lies in another one"):
        weft.jit(lambda a, b: a[0] + b[0][0])(rows[0], rows)
    assert weft.jit(two_tables)(rows, rows) == 5


def stored(n):
    groups, named = {}, {}
    for i in range(n):
        if i % 2 in groups:
            groups[i % 2].append(i)
        else:
            groups[i % 2] = [i]
    named["a"] = [n]
    return groups, named, list(itertools.chain([[1], [n]]))


def compared(n):
    a, b = [n, 2], [1, 3, n]
    return a < b, a <= b, a > b, a >= b, a <= a, [] < a, a < [], [] >= []


def pushed(n):
    heap = []
    for i in range(n):
        heapq.heappush(heap, [-i, i])
    return heap


def test_lists_that_are_stored_stay_lists_and_compare_as_in_cpython():
    check(stored, 3)
    check(compared, 3)
    check(compared, 1)
    check(pushed, 3)


def ordered(x):
    return sorted([[x], [1.0]])


def test_lists_with_nan_have_no_order():
    assert weft.jit(ordered)(2.0) == ordered(2.0)
    with pytest.raises(UnsupportedError, match="a list with NaN is sorted"):
        weft.jit(ordered)(math.nan)
