"""Rows of very different length: long ones are folded in pieces before, by kernels that store nothing of the user's."""

from dataclasses import replace

import numpy as np
import pytest

from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE
from weft.ir import nodes as n
from weft.ir.interpreter import run
from weft.ir.verifier import verify
from weft.ir.visit import walk
from weft.passes.pipeline import optimise
from weft.plan import uneven
from weft.plan.check import check_plan
from weft.plan.place import place
from weft.schedule import Bind, Share


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch):
    monkeypatch.setattr(uneven, "PIECE", 4)
    monkeypatch.setattr(uneven, "FEW", 1)


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


def two_sums(p, c, v, x, y):
    for i in range(1, len(y)):
        s = 0.0
        largest = np.int64(-5)
        for k in range(p[i - 1], p[i]):
            s += v[k]
            largest = max(largest, np.int64(c[k]))
        y[i] = s * 2 + largest


def lengths_apart(p, c, v, x, y):
    for i in range(len(y)):
        s = np.float32(0)
        for k in range(p[i], c[i]):
            s += v[k]
        y[i] = s


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
    assert any(name.endswith("_folds") for name in launches(made))
    run(made, arguments)
    function(*expected)
    np.testing.assert_array_equal(arguments[-1], expected[-1])


LENGTHS = {
    "one": [30], "short": [0, 1, 3, 0, 2], "mixed": [0, 3, 4, 5, 0, 17, 8, 1, 40, 0], "all long": [4, 9, 4, 4, 30],
}  # fmt: skip


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize("function", [product, added, two_sums, row_in_the_sum])
def test_rows_of_any_length(function, lengths, index):
    check(function, matrix(lengths, index))


@pytest.mark.parametrize("first", [1, 5, 19])
def test_rows_that_begin_further_on(first):
    check(product, matrix(LENGTHS["mixed"], first=first))


def test_no_rows():
    check(product, (np.zeros(1, np.int32), *matrix([20])[1:4], np.zeros(0, np.float32)))


@pytest.mark.parametrize("ends", [(0, 9, 3, 20), (12, 0, 12, 4), (20, 10, 0, 20)])
def test_rows_that_overlap(ends):
    _, c, v, x, y = matrix([7, 7, 6])
    check(product, (np.array(ends, np.int32), c, v, x, y))


@pytest.mark.parametrize("where", [0, 4, 9, 16, 30, 49])
def test_an_index_outside_fails_in_its_row(where):
    given = matrix([4, 5, 1, 17, 3, 20])
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


def test_a_schedule_by_hand_is_kept():
    schedule = (Bind("i", "y", 4), Share("k", "x", 2))
    assert len(launches(placed(product, matrix([3, 9]), schedule))) == 1


def test_small_arrays_are_not_cut(monkeypatch):
    monkeypatch.setattr(uneven, "FEW", 1000)
    check(product, matrix(LENGTHS["mixed"]))


def test_arrays_that_may_be_one_are_left_alone():
    arguments = matrix([3, 9])
    program = optimise(program_of(product, *arguments))
    made = place(replace(program, overlaps=("c", "v")), DEVICE).program
    assert len(launches(made)) == 1
