"""``zip(*rows)`` of a list of lists, modules that a function imports, names of members that are chosen at run time."""

from __future__ import annotations

import enum

import pytest

import weft
from weft.errors import UnsupportedError

from .compare import check


def test_columns_of_lists():
    """The loop reads rows while it runs, up to the end of the shortest."""

    def f(n):
        m = [[i * n + j for j in range(n + i)] for i in range(2)]
        found = []
        for c in zip(*m):
            m[1][1] = 50
            found.append(max(c) + c[0])
            if 50 in c:
                break
        for a, b in zip(*m):
            found.append(a - b)
        return found, [list(c) for c in zip(*m)]

    check(f, 3)


def test_columns_that_are_kept_are_tuples():
    def keeps(m):
        return [c for c in zip(*m)]

    def slices(m):
        return [c[1:] for c in zip(*m)]

    def own(m):
        list = tuple
        return [list(c) for c in zip(*m)]

    for function in (keeps, slices, own):
        with pytest.raises(UnsupportedError, match="makes tuples"):
            weft.jit(function)([[1, 2], [3, 4]])


def test_rows_are_taken_at_the_call():
    def later(n):
        rows = [[x, x + 1, x * 2] for x in range(1, n)]
        sums = (sum(c) for c in zip(*rows))
        rows.append([100, 0, 100])
        return sum(sums)

    def inside(n):
        rows, total = [[x, x + 1, x * 2] for x in range(1, n)], 0
        for c in zip(*rows):
            total += sum(c)
            rows.append([1, 1, 1])
        return total

    check(later, 3)
    check(inside, 3)


class Colour(enum.Enum):
    RED = "red"
    GREEN = "g"


def test_names_of_members():
    def f(n):
        colour, log = Colour.RED, []
        for i in range(n):
            if i % 3 == 1:
                colour = Colour.GREEN
            log.append(f"{colour.name:>6}:" + colour.value)
        return log, colour.name, len(colour.value)

    check(f, 3)
    check(f, 1)


def test_imports_inside():
    def f(n):
        import bisect as places
        import heapq
        from collections import deque
        from itertools import accumulate

        heap, waiting = [], deque([n])
        for i in range(n):
            heapq.heappush(heap, -i)
        return heapq.heappop(heap), waiting.popleft(), places.bisect_left([1, 2, 5, 9], n), sum(accumulate(range(n)))

    check(f, 5)
