"""Rows of very different length: cut by entries or in pieces, by kernels of which some store nothing of the user's."""

from dataclasses import replace

import numpy as np
import pytest

from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE
from weft.errors import ArgumentError
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import run
from weft.ir.visit import walk
from weft.plan.place import place
from weft.plan.prepare.csr import balanced, cuts, entries
from weft.plan.transfers.check import check_plan
from weft.schedule import Bind, Deal, Entries, Share
from weft.transform.pipeline import optimise


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch):
    monkeypatch.setattr(balanced, "COUNT", 32)
    monkeypatch.setattr(cuts, "COUNT", 32)
    monkeypatch.setattr(balanced, "FEW", 1)


def product(p, c, v, x, y):
    for i in range(len(y)):
        s = np.float32(0)
        for k in range(p[i], p[i + 1]):
            s += v[k] * x[c[k]]
        y[i] = s


def added(p, c, v, x, y):
    for i in range(len(y)):
        s = np.float32(3)
        for k in range(p[i], p[i + 1]):
            s += v[k] * x[c[k]]
        y[i] += s


def stored_before(p, c, v, x, y):
    for i in range(len(y)):
        y[i] += 2
        s = y[i]
        for k in range(p[i], p[i + 1]):
            s += v[k] * x[c[k]]
        y[i] += s


def small_enough(p, c, v, x, y):
    for i in range(len(y)):
        s = np.float32(0)
        for k in range(p[i], p[i + 1]):
            s += v[k] * x[c[k]]
        if s > np.float32(1e6):
            raise ValueError("too large")
        y[i] += s


def two_sums(p, c, v, x, y):
    for i in range(1, len(y)):
        s = 0.0
        largest = np.int64(-5)
        for k in range(p[i - 1], p[i]):
            s += v[k]
            largest = max(largest, np.int64(c[k]))
        y[i] = s * 2 + largest


def largest(p, c, v, x, y):
    for i in range(len(y)):
        m = np.float32(-np.inf)
        for k in range(p[i], p[i + 1]):
            m = max(m, v[k] * x[c[k]])
        y[i] = m


def largest_in_its_row(p, c, v, x, y):
    for i in range(len(y)):
        m = np.float32(-1)
        for k in range(p[i], p[i + 1]):
            m = max(m, v[k] * i)
        y[i] = m


def from_the_second(p, c, v, x, y):
    for i in range(len(y)):
        m = np.float32(9)
        for k in range(p[i] + 1, p[i + 1]):
            m = min(m, v[k])
        y[i] = m


def without_its_ends(p, c, v, x, y):
    for i in range(len(y)):
        s = np.float32(0)
        for k in range(p[i] + 1, p[i + 1] - 1):
            s += v[k]
        y[i] = s


def from_far_behind_its_begin(p, c, v, x, y):
    for i in range(len(y)):
        s = np.float32(0)
        for k in range(p[i] + 40, p[i + 1]):
            s += v[k]
        y[i] = s


def lengths_apart(p, c, v, x, y):
    for i in range(len(y)):
        s = np.float32(0)
        for k in range(p[i], c[i]):
            s += v[k]
        y[i] = s


def begins_converted(p, c, v, x, y):
    for i in range(len(y)):
        s = np.float32(0)
        for k in range(np.uint8(p[i]), p[i + 1]):
            s += v[k]
        y[i] = s


def ends_converted(p, c, v, x, y):
    for i in range(len(y)):
        s = np.float32(0)
        for k in range(p[i], np.uint8(p[i + 1])):
            s += v[k]
        y[i] = s


def rows_from_below_zero(p, c, v, x, y):
    for i in range(-3, len(y) - 3):
        s = np.float32(0)
        for k in range(p[i + 3], p[i + 4]):
            s += v[k] * x[c[k]]
        y[i + 3] = s


def row_in_the_sum(p, c, v, x, y):
    for i in range(len(y)):
        s = np.float32(0)
        for k in range(p[i], p[i + 1]):
            s += v[k] * x[c[k]] * i
        y[i] = s


def matrix(lengths, index=np.int32, wide=9, first=0):
    generator = np.random.default_rng(len(lengths))
    p = np.concatenate(([first], first + np.cumsum(lengths))).astype(index)
    c = generator.integers(-wide, wide, first + sum(lengths)).astype(index)
    v, x = (generator.integers(-9, 9, size).astype(np.float32) for size in (len(c), wide))
    return p, c, v, x, np.full(len(lengths), 7, np.float32)


def placed(function, arguments, schedule=()):
    program = optimise(program_of(function, *arguments))
    made = place(program, DEVICE, schedule=schedule).program
    verify(made)
    check_plan(made)
    return made


def launches(program):
    return [s.kernel.name for s in walk(program.body) if isinstance(s, n.Launch)]


def check(function, arguments):
    """The placed function gives what Python does, in pieces."""
    expected = tuple(a.copy() for a in arguments)
    made = placed(function, arguments)
    assert any(name.endswith(("_folds", "_ends")) for name in launches(made))
    run(made, arguments)
    function(*expected)
    np.testing.assert_array_equal(arguments[-1], expected[-1])


LENGTHS = {
    "one": [230], "short": [0, 1, 3, 0, 2], "mixed": [0, 3, 4, 5, 0, 17, 8, 31, 140, 0, 32, 33, 1, 2, 9, 300, 7, 0],
    "all long": [32, 69, 33, 32, 130], "empty": [0] * 99, "many": [0, 1, 2, 3, 4, 5, 6, 7] * 20,
    "ones": [2] + [1] * 99, "last at a border": [32, 0], "across a border": [33, 0, 20],
}  # fmt: skip
ALL = [
    product, added, stored_before, small_enough, two_sums, rows_from_below_zero, row_in_the_sum, largest,
    largest_in_its_row, from_the_second, without_its_ends, from_far_behind_its_begin,
]  # fmt: skip


@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize("function", ALL)
def test_rows_of_any_length(function, lengths):
    check(function, matrix(lengths, np.int64 if function is added else np.int32))


@pytest.mark.parametrize("first", [1, 5, 19])
def test_rows_that_begin_further_on(first):
    check(product, matrix(LENGTHS["mixed"], first=first))


def test_no_rows():
    check(product, (np.zeros(1, np.int32), *matrix([20])[1:4], np.zeros(0, np.float32)))


@pytest.mark.parametrize("ends", [(0, 90, 30, 200), (120, 0, 120, 40), (200, 100, 0, 200)])
@pytest.mark.parametrize("function", ALL)
def test_rows_that_overlap(function, ends):
    _, c, v, x, y = matrix([70, 70, 60])
    check(function, (np.array(ends, np.int32), c, v, x, y))


@pytest.mark.sample(2)
@pytest.mark.parametrize("where", [0, 4, 9, 16, 130, 149])
def test_an_index_outside_fails_in_its_row(where):
    given = matrix([4, 5, 1, 117, 3, 20])
    given[1][where] = 9
    expected = tuple(a.copy() for a in given)
    with pytest.raises(IndexError):
        run(placed(product, given), given)
    with pytest.raises(IndexError):
        product(*expected)
    np.testing.assert_array_equal(given[-1], expected[-1])


def test_a_row_beyond_the_array_fails():
    given = matrix([4, 9, 12])
    given[0][-1] = 26
    with pytest.raises(IndexError):
        run(placed(product, given), given)
    np.testing.assert_array_equal(given[-1][2], 7)


def test_nothing_to_read_from():
    p, c, v, x, y = matrix([4, 9])
    with pytest.raises(IndexError):
        run(placed(product, (p, c, v, x[:0], y)), (p, c, v, x[:0], y))


def test_ends_from_two_arrays_may_overlap_and_are_left_alone():
    arguments = matrix([3, 4, 5])
    assert len(launches(placed(lengths_apart, arguments))) == 1


@pytest.mark.parametrize("function", [begins_converted, ends_converted])
def test_rows_whose_ends_are_converted_in_two_ways_may_overlap_and_are_left_alone(function):
    arguments = matrix(LENGTHS["mixed"])
    expected = tuple(a.copy() for a in arguments)
    made = placed(function, arguments)
    assert len(launches(made)) == 1
    run(made, arguments)
    function(*expected)
    np.testing.assert_array_equal(arguments[-1], expected[-1])


def test_a_schedule_by_hand_is_kept():
    schedule = (Bind("i", "y", 4), Share("k", "x", 2))
    assert len(launches(placed(product, matrix([3, 9]), schedule))) == 1


def test_small_arrays_are_not_cut(monkeypatch):
    monkeypatch.setattr(balanced, "FEW", 10_000)
    check(product, matrix(LENGTHS["mixed"]))


def test_arrays_that_may_be_one_are_left_alone():
    arguments = matrix([3, 9])
    program = optimise(program_of(product, *arguments))
    made = place(replace(program, overlaps=("c", "v")), DEVICE).program
    assert len(launches(made)) == 1


# -------------------------------------------------------------------------------------------------- by entries


def by_entries(function, arguments, schedule=()):
    """Whether a function's rows are cut by entries, so that a block deals these out to its threads."""
    nests = place(optimise(program_of(function, *arguments)), DEVICE, schedule=schedule).nests
    return any(isinstance(d, Deal) and d.loop.endswith(".entries") for nest in nests for d in nest.schedule)


def test_entries_that_are_the_same_in_any_row_are_cut_into_tiles():
    arguments = matrix(LENGTHS["mixed"])
    assert by_entries(product, arguments) and by_entries(largest, arguments)
    assert not by_entries(row_in_the_sum, arguments) and not by_entries(small_enough, arguments)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("function", [largest, largest_in_its_row, from_the_second])
def test_extremes_are_those_that_the_loop_finds_among_zeros_of_either_sign_and_nan(function, seed):
    generator = np.random.default_rng(seed)
    p, c, v, x, y = matrix(LENGTHS["mixed"])
    v = generator.choice(np.array([0.0, -0.0, np.nan, -np.inf, -1], np.float32), len(v))
    x = np.ones_like(x)
    expected, got = y.copy(), y.copy()
    function(p, c, v, x, expected)
    run(placed(function, (p, c, v, x, got)), (p, c, v, x, got))
    np.testing.assert_array_equal(got.view(np.int32), expected.view(np.int32))


def test_sums_are_the_same_bits_wherever_arrays_lie(monkeypatch):
    p, c, v, x, y = matrix(LENGTHS["mixed"])
    v, x = (np.random.default_rng(1).random(len(a)).astype(np.float32) for a in (v, x))
    other = y.copy()
    run(placed(product, (p, c, v, x, y)), (p, c, v, x, y))
    monkeypatch.setattr(entries, "aligned", lambda write, accesses: [write.compare("lt", n.Const(1), 0)])
    run(placed(product, (p, c, v, x, other)), (p, c, v, x, other))
    np.testing.assert_array_equal(other.view(np.int32), y.view(np.int32))


@pytest.mark.parametrize("count", [32, 64, 1024])
def test_tiles_by_hand_are_of_any_size(count, monkeypatch):
    monkeypatch.setattr(balanced, "FEW", 1 << 18)
    schedule = (Entries("i", count, 64),)
    arguments = matrix(LENGTHS["mixed"])
    assert by_entries(product, arguments, schedule)
    expected = tuple(a.copy() for a in arguments)
    run(placed(product, arguments, schedule), arguments)
    product(*expected)
    np.testing.assert_array_equal(arguments[-1], expected[-1])


def test_no_tiles_by_hand():
    assert len(launches(placed(product, matrix([3, 90]), (Entries("i", 0),)))) == 1


@pytest.mark.parametrize("function, count, why", [
    (row_in_the_sum, 64, "depends on the row"), (lengths_apart, 64, "no loop over rows"), (product, 48, "do not fit"),
    (product, 96, "do not fit"), (product, 1 << 20, "do not fit"),
])  # fmt: skip
def test_tiles_by_hand_are_refused_where_there_are_none(function, count, why):
    with pytest.raises(ArgumentError, match=f"entries: .*{why}"):
        placed(function, matrix([3, 90]), (Entries("i", count),))


@pytest.mark.parametrize("function, sizes", [(product, cuts.GATHERED), (from_the_second, cuts.STREAMED)])
def test_blocks_leave_more_to_the_cache_where_entries_read_elements_anywhere(function, sizes):
    nests = place(optimise(program_of(function, *matrix(LENGTHS["mixed"]))), DEVICE).nests
    (others,) = (nest.others for nest in nests if nest.others)
    assert others[0] == (Entries("i", cuts.COUNT, *sizes),)


def test_ways_to_cut_rows_are_worth_measuring():
    arguments = matrix(LENGTHS["mixed"])
    nests = place(optimise(program_of(product, *arguments)), DEVICE).nests
    (others,) = (nest.others for nest in nests if nest.others)
    assert others[-1] == (Entries("i", 0),) and len(set(others)) > 3
    for schedule in others[:-1]:
        assert by_entries(product, arguments, schedule)
