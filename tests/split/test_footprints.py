"""Pieces copy the rows that they read, where elements of other arrays say which: counted, and with the same bits."""

from __future__ import annotations

import contextlib
import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.split.in_pieces import InPieces, copies
from tests.split.random_sums import small_groups
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.split.steps import plan_for_devices

ROWS = 24
STARTS = st.lists(st.integers(-2, 44), min_size=ROWS + 1, max_size=ROWS + 1)


def rows_of_entries(v, p, q, w, y):
    for i in range(len(y)):
        s = 0.0
        for k in range(p[i], p[i + 1]):
            s += v[k] * w[k]
        y[i] = s


def starts_and_ends(v, p, q, w, y):
    for r in range(len(y)):
        s = 0.0
        for place in range(q[r], p[r + 1]):
            s += v[place + 1] - v[place]
        y[r] = s


def starts_and_lengths(v, p, q, w, y):
    for i in range(1, len(y)):
        s = 0.0
        for j in range(p[i + 1] - p[i]):
            s = max(s, v[p[i] + j])
        y[i] = s


def backwards(v, p, q, w, y):
    for i in range(len(y)):
        s = 0.0
        for k in range(p[i + 1] - 1, p[i] - 1, -1):
            s += v[k]
        y[i] = s


def blocks_of_three(v, p, q, w, y):
    for i in range(len(y)):
        s = 0.0
        for k in range(p[i] // 3, p[i + 1] // 3):
            for j in range(3):
                s += v[3 * k + j] * w[k]
        y[i] = s


def slices(v, p, q, w, y):
    for i in range(len(y)):
        y[i] = v[p[i] : p[i + 1]].sum()


def rows_that_an_array_chooses(v, p, q, w, y):
    for i in range(len(y)):
        s = 0.0
        for k in range(p[i // 2], p[i // 2 + 1]):
            s += v[k]
        y[i] = s


def by_conditions(v, p, q, w, y):
    for i in range(len(y)):
        s = 0.0
        for k in range(p[i], p[i + 1]):
            if w[k] > 0.5:
                s += v[k]
        y[i] = s


CLASS = [
    rows_of_entries, starts_and_ends, starts_and_lengths, backwards, blocks_of_three, slices,
    rows_that_an_array_chooses, by_conditions,
]  # fmt: skip


def ragged(lengths, dtype=np.int64):
    rng = np.random.default_rng(len(lengths))
    p = np.concatenate([[0], np.cumsum(lengths)]).astype(dtype)
    return [rng.random(p[-1] + 1), p, p[:-1].copy(), rng.random(p[-1] + 1), rng.random(len(lengths))]


def in_two(pieces, arguments, cut):
    """The bytes that go to a device that runs a call whole, and to each of two; all leave the same bits."""
    pieces.copied.clear()
    whole, found = copies(arguments), copies(arguments)
    pieces.run_whole(whole)
    pieces.run(found, (cut,))
    assert found[-1].tobytes() == whole[-1].tobytes() != arguments[-1].tobytes()
    return pieces.copied


class Reads:
    """An array that notes which elements are read."""

    def __init__(self, values):
        self.values, self.read = values, []

    def __getitem__(self, index):
        places = range(len(self.values))[index]
        self.read += places if isinstance(places, range) else [places]
        return self.values[index]


class Rows:
    """Results whose stores end an iteration: `read` has what the iterations read of some arrays."""

    def __init__(self, count, arrays):
        self.count, self.arrays, self.read = count, arrays, {}

    def __len__(self):
        return self.count

    def __setitem__(self, row, value):
        self.read[row] = {name: array.read for name, array in self.arrays.items()}
        for array in self.arrays.values():
            array.read = []


@pytest.mark.parametrize("function", CLASS)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    p=st.lists(st.integers(-2, 44), min_size=ROWS + 1, max_size=ROWS + 1), ends=st.tuples(*[st.integers(0, ROWS)] * 2)
)
def test_no_piece_reads_more(function, p, ends):
    """Rows in any order, also outside of the array. Where that shows, all of it is needed."""
    phase, low, high = phase_of(function), min(ends), max(ends)
    for given_ends in (p, sorted(map(abs, p))):
        v, _, _, w, _ = ragged(np.full(ROWS, 2), np.int32)
        p, arrays = np.array(given_ends, np.int32), {"v": Reads(v[:40]), "w": Reads(w[:40])}
        y = Rows(ROWS, arrays)
        with contextlib.suppress(IndexError):
            function(arrays["v"], p, p[:-1], arrays["w"], y)
        found = phase.footprints.of_piece({"v": v[:40], "p": p, "q": p[:-1], "w": w[:40], "y": v[:ROWS]}, low, high)
        stretches = zip(phase.footprints.arrays, found[::2], found[1::2], strict=True)
        for array, first, stop in stretches:
            read = {place for row in y.read if low <= row < high for place in y.read[row][array.argument]}
            assert read <= {*range(first, stop)}
            is_all = (first, stop) == (0, 40)
            assert is_all or given_ends is p or stop - first <= max(p) - min(p) + 4


@functools.cache
def phase_of(function):
    types = [describe(value) for value in ragged(np.full(ROWS, 6), np.int32)]
    (phase,) = plan_for_devices(build(function, tuple(types))).phases()
    assert phase.footprints.arrays
    return phase


@functools.cache
def in_pieces(function):
    return InPieces(function, ragged(np.full(ROWS, 6), np.int32))


@pytest.mark.sample(2)
@pytest.mark.parametrize("function", [rows_of_entries, slices, starts_and_lengths])
def test_pieces_copy_what_they_read(function):
    arguments = ragged(np.random.default_rng(0).integers(0, 9, ROWS), np.int32)
    whole, *parts = in_two(in_pieces(function), arguments, 0.5)
    assert sum(parts) < 1.35 * whole and max(parts) < 0.8 * whole


def test_rows_outside_raise_as_in_the_whole():
    pieces = in_pieces(rows_of_entries)
    for place, end in ((3, 500), (20, 500), (7, -2)):
        arguments = ragged(np.full(ROWS, 6), np.int32)
        arguments[1][place] = end
        whole, found, errors = copies(arguments), copies(arguments), []
        for run in (lambda: pieces.run_whole(whole), lambda: pieces.run(found, (0.5,))):
            try:
                run()
            except IndexError as error:
                errors.append(str(error))
        assert len(errors) == 2 * (end > 0) and len(set(errors)) < 2
        assert errors or found[-1].tobytes() == whole[-1].tobytes()


def test_numbers_that_wrap_say_nothing():
    """``p[i] - 1`` of an unsigned zero is the largest number."""
    v, p, q, w, y = ragged(np.full(ROWS, 6), np.uint8)
    types = [describe(value) for value in (v, p, q, w, y)]
    (phase,) = plan_for_devices(build(backwards, tuple(types))).phases()
    names = {"v": v, "p": p, "q": q, "w": w, "y": y}
    assert phase.footprints.of_piece(names, 0, 4) == (0, len(v))
    assert phase.footprints.of_piece(names, 1, 4) == (6, 24)


def sum_of_all(v, p, q, w, y):
    s = 0.0
    for i in range(len(y)):
        for k in range(p[i], p[i + 1]):
            s += v[k] * w[k]
    return s


def test_groups_of_float_sums_copy_what_they_read(monkeypatch):
    small_groups(monkeypatch)
    arguments = ragged(np.random.default_rng(4).integers(0, 3, 96))
    pieces = InPieces(sum_of_all, arguments)
    assert pieces.run_whole(copies(arguments)) == pieces.run(copies(arguments), (0.5,))
    whole, *parts, _ = pieces.copied
    assert sum(parts) < 1.2 * whole and max(parts) < 0.8 * whole


def test_kernels_by_entries_read_some_around(monkeypatch):
    """Tiles are those of the whole loop, so those at borders have entries of other pieces."""
    monkeypatch.setattr("weft.plan.prepare.csr.balanced.FEW", 100)
    monkeypatch.setattr("weft.plan.prepare.csr.cuts.COUNT", 32)
    arguments = ragged(np.random.default_rng(1).integers(0, 40, 60))
    whole, *parts = in_two(InPieces(rows_of_entries, arguments), arguments, 0.5)
    assert sum(parts) < 1.5 * whole and max(parts) < 0.8 * whole
