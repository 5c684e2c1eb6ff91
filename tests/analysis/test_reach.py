"""The six questions about accesses, against all iterations of small nests that are gone through one by one."""

import itertools
import random

import numpy as np
import pytest

from tests.analysis.tools import function_of, table_of
from weft.analysis.access.reach import ALWAYS, Reach, reach_of
from weft.ir import nodes as n

ROWS, COLUMNS = 64, 64
COUNTERS = {"i": range(1, 4), "j": range(4), "k": range(2, 5)}
INDICES = (
    "i",
    "j",
    "k",
    "1 + i",
    "i - 1 + 2",
    "j + k",
    "2 * i + j",
    "3",
    "k - i + 5",
    "j - j + 1",
    "-1 + k",
    "2 * (j + 1)",
)
SIZE = 8


def reach_over(*pairs):
    """The answers about loads of ``a[...]`` at pairs of indices, in order, in a nest over `i`, `j` and `k`."""
    loads = " + ".join(f"a[{row}, {column}]" for row, column in pairs)
    lines = [
        "def f(a, s):",
        "    for i in range(1, 4):",
        "        for j in range(4):",
        "            for k in range(2, 5):",
        f"                s[i, j, k] = {loads}",
    ]
    given = np.zeros((ROWS, COLUMNS)), np.zeros((4, 4, 5))
    reach = Reach(table_of(function_of("\n".join(lines) + "\n"), *given))
    return reach, [access for access in reach.table.accesses if access.kind == "load"]


def places(pair):
    """The element of every iteration."""
    names = tuple(COUNTERS)
    return {
        point: tuple(eval(text, dict(zip(names, point, strict=True))) for text in pair)
        for point in itertools.product(*COUNTERS.values())
    }


def label_of(reach, counter):
    loops = reach.table.structure.loops.values()
    return next(x.label for x in loops if isinstance(x.node, n.For) and x.node.index.stem == counter)


PAIRS = [(row, column) for row in INDICES for column in INDICES]
SOME = random.Random(1).sample(PAIRS, 40)


def moved(point, axis, by=1):
    return tuple(c + by if k == axis else c for k, c in enumerate(point))


@pytest.mark.parametrize("pair", SOME)
def test_one_access(pair):
    reach, (access, *_) = reach_over(pair)
    found = places(pair)
    for axis, counter in enumerate(COUNTERS):
        steps = {tuple(np.subtract(found[moved(p, axis)], found[p])) for p in found if moved(p, axis) in found}
        (step,) = steps
        loop = reach.loop(label_of(reach, counter))
        stride = reach.stride(access, loop)
        moves = any(step)
        assert (loop.label in reach.depends(access)) == moves
        assert (loop in reach.reuse(access)) != moves
        assert (stride.kind == "none") == (not moves)
        assert reach.is_along(access, loop) == (step == (0, 1))
        if step[0] == 0:
            assert stride.bytes.value == step[1] * SIZE


@pytest.mark.parametrize("pair", SOME)
def test_places_of_one_counter(pair):
    reach, (access, *_) = reach_over(pair)
    for axis, found in enumerate(reach.moved(access)):
        values = {point: place[axis] for point, place in places(pair).items()}
        candidates = [
            (counter, values[next(iter(values))] - next(iter(values))[k])
            for k, counter in enumerate(COUNTERS)
            if len({value - point[k] for point, value in values.items()}) == 1
        ]
        expected = [(label_of(reach, counter), by) for counter, by in candidates]
        assert [found] == (expected or [None])


def test_distances():
    chosen = random.Random(2).sample(PAIRS, 12)
    for one, other in itertools.combinations(chosen, 2):
        reach, accesses = reach_over(one, other)
        first, second = accesses[0], accesses[-1]
        a, b = places(one), places(other)
        found = {tuple(np.subtract(b[point], a[point])) for point in a}
        assert reach.distance(first, second) == (found.pop() if len(found) == 1 else None)


@pytest.mark.parametrize("block", [{"i": 2}, {"j": 3, "k": 2}, {"i": 3, "j": 4, "k": 3}])
def test_footprint(block):
    for pair in SOME:
        further = (f"{pair[0]} + 2", f"{pair[1]} + 1")
        reach, accesses = reach_over(pair, further)
        labels = {label_of(reach, counter): trips for counter, trips in block.items()}
        boxes = reach.footprint(accesses, labels)
        assert len(boxes) == 1
        ranges = [range(r.start, r.start + block.get(c, 1)) for c, r in COUNTERS.items()]
        points = [p for p in itertools.product(*ranges)]
        touched = np.array([places(which)[p] for p in points for which in (pair, further)])
        assert boxes[0].extents == tuple(touched.max(0) - touched.min(0) + 1)


def test_footprints_of_accesses_that_are_not_near_are_apart():
    reach, accesses = reach_over(("i", "j"), ("j", "i"), ("i + 1", "j"))
    boxes = reach.footprint(accesses, {label_of(reach, "j"): 4})
    assert sorted(box.extents for box in boxes) == [(2, 4), (4, 1)]


@pytest.mark.parametrize("pair", SOME)
def test_alignment(pair):
    reach, (access, *_) = reach_over(pair)
    for multiples in ({}, {"j": 2}, {"i": 3, "k": 2}):
        known = reach.aligned(access, {label_of(reach, c): m for c, m in multiples.items()})
        fits = [
            place
            for point, place in places(pair).items()
            if all(c % multiples.get(name, 1) == 0 for name, c in zip(COUNTERS, point, strict=True))
        ]
        assert all((row * COLUMNS + column) * SIZE % known == 0 for row, column in fits)


def test_aligned_offsets():
    def f(a, b):
        for i in range(a.shape[0]):
            b[2 * i] = a[4 * i] + a[4 * i + 2] + a[0] + a[6 + 4 * i]

    reach = Reach(table_of(f, np.zeros(9), np.zeros(9)))
    assert [reach.aligned(a) for a in reach.table.accesses] == [32, 16, ALWAYS, 16, 16]
    assert reach.aligned(reach.table.accesses[-1], {"i": 4}) == 64


def test_spelling_does_not_matter():
    def f(a, b, n, m):
        for i in range(n):
            for j in range(m):
                up = i + 1
                b[i, j] = a[1 + i, j] + a[up, j] + a[(i + 2) - 1, j] + a[i - (-1), j]

    reach = Reach(table_of(f, np.zeros((5, 5)), np.zeros((5, 5)), 3, 3))
    loads = [a for a in reach.table.accesses if a.kind == "load"]
    assert {reach.moved(a) for a in loads} == {(("i", 1), ("j", 0))}
    assert {reach.distance(loads[0], a) for a in loads} == {(0, 0)}


def test_what_is_read_decides():
    def f(a, keys, b):
        for i in range(b.shape[0]):
            for j in range(b.shape[1]):
                b[i, j] = a[keys[i], 0] + a[keys[j], j] + a[keys[0], 1]

    reach = Reach(table_of(f, np.zeros((5, 5)), np.zeros(9, np.int64), np.zeros((5, 5))))
    found = [reach.depends(x) for x in reach.table.accesses if x.kind == "load" and x.view.name == "a"]
    assert found == [{"i"}, {"j"}, frozenset()]


def test_what_is_written_meanwhile_decides():
    def f(a, keys):
        for i in range(9):
            for j in range(9):
                a[keys[3]] = i
                keys[j] = j

    reach = Reach(table_of(f, np.zeros(5), np.zeros(9, np.int64)))
    store = next(x for x in reach.table.accesses if x.kind == "store")
    assert reach.depends(store) == {"i", "j"}


def test_what_loops_hand_on_decides():
    def f(a, n):
        k = 1
        for i in range(9):
            for j in range(3):
                a[k] = j
            k = (k * k) % n

    reach = Reach(table_of(f, np.zeros(5), 7))
    (store,) = reach.table.accesses
    assert reach.depends(store) == {"i"}
    assert [loop.label for loop in reach.reuse(store)] == ["j"]


def test_flattened_counters():
    def f(a, n, m):
        for k in range(n * m):
            a[k // m, k % m] = 1.0

    reach = Reach(table_of(f, np.zeros((5, 5)), 5, 5))
    (store,) = reach.table.accesses
    assert reach.depends(store) == {"k"}
    assert reach.moved(store) == (None, None)
    assert reach.stride(store, reach.loop("k")).kind == "irregular"


def test_answers_of_a_kernel_are_kept():
    kernel = n.Kernel("f", (), n.Block(()))
    assert reach_of(kernel) is reach_of(kernel)
    assert reach_of(kernel) is not reach_of(n.Kernel("g", (), n.Block(())))
