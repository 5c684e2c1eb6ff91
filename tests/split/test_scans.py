"""Loops that use partial results, in pieces: the bits of the loop that is not cut, or a refusal."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

import weft
from tests.split.halves import HALVES, two_halves  # noqa: F401 - a fixture
from tests.split.test_folds import in_pieces, interpreted, numbers, same
from weft.errors import UnsupportedError
from weft.frontend import build
from weft.frontend.source.signature import describe


def running_sums(x, y):
    s = np.int32(3)
    for i in range(len(x)):
        s += x[i]
        y[i] = s
    return s


def running_products_in_place(x, y):
    s = y[0] + 1
    for i in range(1, len(x)):
        s *= x[i] + x[i]
        x[i] = s


def places_of_chosen(x, y):
    """How many were chosen before each, and how many there are."""
    count = 0
    for i in range(len(x)):
        y[i] = count
        if x[i] > 1:
            count += 1
    return count


def below_the_largest(x, y):
    best = x[0]
    for i in range(len(x)):
        best = max(best, x[i])
        y[i] = best - x[i]


def several(x, y):
    low, bits, alive = x[0], x[0], True
    for i in range(1, len(x) - 1):
        low = min(low, x[i - 1])
        bits ^= x[i + 1]
        alive = alive and x[i] < 90
        if alive:
            y[i] = low + bits
    return low, bits, alive


def sums_of_rows(x, y):
    """Numbers of rows that begin at the multiples of three."""
    total = x[0]
    for i in range(len(x) // 3):
        for j in range(3):
            total += x[3 * i + j]
        y[3 * i] = total


def then_another(x, y):
    s = x[0] - x[0]
    for i in range(len(x)):
        s |= x[i]
        y[i] = s
    for i in range(len(x)):
        y[i] += s
    return s


PROGRAMS = [
    (running_sums, ("int32",)), (running_products_in_place, ("int64", "uint16")),
    (places_of_chosen, ("int64", "float64")), (below_the_largest, ("int32", "float32")),
    (several, ("int64", "uint8")), (sums_of_rows, ("int32",)), (then_another, ("int64",)),
]  # fmt: skip
CASES = [(function, kind) for function, kinds in PROGRAMS for kind in kinds]


@pytest.mark.parametrize(("function", "kind"), CASES, ids=[f"{f.__name__}-{k}" for f, k in CASES])
def test_pieces_have_the_bits_of_the_whole(function, kind):
    rng = np.random.default_rng(zlib.crc32(f"{function.__name__} {kind}".encode()))
    for count in (1, 3, 17, 50):
        for cuts in ((0.5,), (0.0, 0.3, 0.31), (1.0, 1.0)):
            given = [numbers(rng, kind, count), np.zeros(count, kind if function is not places_of_chosen else "int64")]
            program = build(function, tuple(describe(value, name) for value, name in zip(given, "xy", strict=True)))
            whole = [value.copy() for value in given]
            wanted = interpreted(program, dict(zip("xy", whole, strict=True)))
            found = in_pieces(function, given, cuts)
            assert same(found, wanted), (found, wanted)
            assert same(given, whole), (given, whole)


def sums_of_floats(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        y[i] = s


def test_sums_of_floats_are_cut_where_bits_are_given_up():
    x, y = np.random.default_rng(0).random(300), np.zeros(300)
    in_pieces(sums_of_floats, [x, y], (0.2, 0.7))
    assert np.allclose(y, np.cumsum(x), rtol=1e-12)


def through_memory(x, y):
    for i in range(1, len(x)):
        y[i] = y[i - 1] + x[i]


def of_what_was_stored(x, y):
    s = np.int64(0)
    for i in range(len(x)):
        y[i] = x[i] * 2
        s += y[i]
        x[i] = s


@pytest.mark.parametrize(
    ("function", "kind", "cause"),
    [
        (sums_of_floats, float, "pieces would add the floats of s in another order"),
        (through_memory, int, "y goes from iteration to iteration"),
        (of_what_was_stored, int, "what it folds is read from y after it was written"),
    ],
)
def test_what_cannot_be_put_together_is_refused(function, kind, cause):
    with pytest.raises(UnsupportedError, match="cannot be cut into pieces") as caught:
        weft.jit(function, device=HALVES)(np.ones(5, kind), np.ones(5, kind))
    assert cause in str(caught.value)


@pytest.mark.opencl
@pytest.mark.usefixtures("two_halves")
def test_bits_on_halves_of_a_device():
    rng, function = np.random.default_rng(3), running_products_in_place
    split, whole = weft.jit(function, device=HALVES), weft.jit(function, device="cpu")
    for count in (1, 2, 900, 900, 40_000):
        given = [rng.integers(0, 5, count), np.zeros(count, "int64")]
        theirs = [value.copy() for value in given]
        assert split(*given) == whole(*theirs)
        assert same(given, theirs)
    assert {piece.device for piece in split.split} == set(HALVES)
    assert HALVES[1] in str(weft.explain(split, *given).split)


@pytest.mark.opencl
@pytest.mark.usefixtures("two_halves")
def test_arrays_are_those_of_cpython_where_an_iteration_raises():
    split = weft.jit(running_sums, device=HALVES)
    x = np.arange(1000, dtype=np.int32)
    for size in (100, 700):
        y, wanted = np.zeros(size, np.int32), np.zeros(size, np.int32)
        with pytest.raises(IndexError) as ours:
            split(x, y)
        with pytest.raises(IndexError) as theirs:
            running_sums(x, wanted)
        assert str(ours.value) == str(theirs.value)
        assert same([y], [wanted])
