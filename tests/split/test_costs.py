"""Rows of different lengths are cut by their entries, with the bits of the whole loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weft
from tests.split.halves import HALVES, WHOLE, two_halves  # noqa: F401 - a fixture
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.split.costs import ALONE, End, Rows, pieces_by_cost
from weft.split.shares import Speeds
from weft.split.steps import plan_for_devices


def product(v, c, p, x, y):
    for i in range(len(p) - 1):
        s = 0.0
        for k in range(p[i], p[i + 1]):
            s += v[k] * x[c[k]]
        y[i] = s


def apart(v, c, p, x, y):
    """Each row has its own beginning and end."""
    for i in range(len(y)):
        s = 0.0
        for k in range(p[i], c[i]):
            s += v[k]
        y[i] = s


def padded(v, c, p, x, y):
    for i in range(len(y)):
        s = 0.0
        for k in range(c[i]):
            s += x[k]
        y[i] = s


def triangle(v, c, p, x, y):
    for i in range(1, len(y)):
        s = 0.0
        for k in range(i - 1):
            s += v[k]
        y[i] = s


def elsewhere(v, c, p, x, y):
    for i in range(len(y)):
        s = 0.0
        for k in range(p[c[i]], p[c[i] + 1]):
            s += v[k]
        y[i] = s


def lower_part(m):
    for i in range(m.shape[0]):
        for j in range(i):
            m[i, j] = 1.0


def alike(v, c, p, x, y):
    for i in range(len(y)):
        s = 0.0
        for k in range(len(x)):
            s += x[k]
        y[i] = s


def matrix(rows=400, seed=0):
    """Rows of which the first ones are long."""
    rng = np.random.default_rng(seed)
    lengths = np.concatenate([rng.integers(100, 200, rows // 10), rng.integers(0, 9, rows - rows // 10)])
    p = np.concatenate([[0], np.cumsum(lengths)])
    return [rng.random(p[-1]), rng.integers(0, 50, p[-1]), p, rng.random(50), rng.random(rows)]


def phase(function):
    arguments = [np.zeros((4, 4))] if function is lower_part else matrix()
    program = build(function, tuple(describe(value) for value in arguments))
    return plan_for_devices(program).items[0]


@pytest.mark.parametrize(
    ("function", "rows"),
    [
        (product, Rows(End("p", 0), End("p", 1))),
        (apart, Rows(End("p", 0), End("c", 0))),
        (padded, Rows(None, End("c", 0))),
        (triangle, Rows(None, End("", -1))),
        (elsewhere, None),
        (alike, None),
    ],
)
def test_the_lengths_of_rows_are_found(function, rows):
    assert phase(function).rows == rows


@pytest.mark.parametrize(("function", "is_certain"), [(product, True), (padded, True), (lower_part, False)])
def test_rows_run_at_the_same_time_unless_they_store_in_loops_of_other_lengths(function, is_certain):
    assert phase(function).is_certain is is_certain


@given(st.lists(st.integers(0, 50), min_size=1, max_size=40), st.integers(0, 3))
def test_costs_are_those_of_the_rows_before(lengths, low):
    low, high = min(low, len(lengths) - 1), len(lengths)
    p = np.concatenate([[0], np.cumsum(lengths)])
    wanted = [sum(lengths[low:row]) + ALONE * (row - low) for row in range(low, high + 1)]
    for rows in (Rows(End("p", 0), End("p", 1)), Rows(None, End("n", 0))):
        before = rows.before({"p": p, "n": np.array(lengths)}, low, high)
        assert [before(row) for row in range(low, high + 1)] == wanted


def test_rows_without_their_elements_are_cut_by_number():
    rows = Rows(End("p", 0), End("p", 1))
    assert rows.before({"p": np.arange(5)}, 0, 5) is None
    assert rows.before({"p": np.zeros((3, 3), int)}, 0, 2) is None


@given(
    st.lists(st.integers(-5, 100), min_size=1, max_size=60),
    st.integers(1, 4),
    st.lists(st.floats(0.1, 10), min_size=1, max_size=4),
)
def test_pieces_by_cost_cover_the_loop_once(ends, start, seconds):
    """Also where the elements are in no order."""
    rows, stop = Rows(End("p", 0), End("p", 1)), len(ends) - 1
    start = min(start, stop)
    speeds = Speeds(len(seconds))
    for _ in range(3):
        speeds.learn([(10, one) for one in seconds])
    before = rows.before({"p": np.array(ends)}, start, stop)
    found = pieces_by_cost(start, stop, before, speeds)
    assert [row for low, high in found for row in range(low, high)] == list(range(start, stop))
    assert len(found) == len(seconds)


def test_the_first_pieces_have_as_many_entries():
    before = Rows(End("p", 0), End("p", 1)).before({"p": matrix()[2]}, 0, 400)
    (_, middle), _ = pieces_by_cost(0, 400, before, Speeds(2))
    assert abs(2 * before(middle) - before(400)) < 400 and middle < 100


@pytest.mark.opencl
@pytest.mark.usefixtures("two_halves")
@pytest.mark.parametrize("function", [product, apart, padded, triangle])
def test_bits_on_halves(function):
    split, whole = weft.jit(function, device=HALVES), weft.jit(function, device=WHOLE)
    for seed in range(4):
        arguments = matrix(seed=seed)
        if function is apart:
            arguments[1] = np.minimum(arguments[2][:400] + 3, len(arguments[0]))
        theirs = [value.copy() for value in arguments]
        whole(*theirs)
        with weft.profile() as found:
            split(*arguments)
        sent = sum(event.bytes for event in found.events if event.kind == "copy_in" and event.array == "v")
        assert function in (padded, triangle) or 0 < sent <= arguments[0].nbytes + 3 * 8
        assert all(a.tobytes() == b.tobytes() for a, b in zip(arguments, theirs, strict=True))
        if seed == 0 and function is product:
            assert split.split[0].stop < 100
            (loop,) = weft.explain(split, *arguments).split.loops
            assert sum(piece.sent["v"] for piece in loop.pieces) == arguments[0].nbytes
