"""Schedules that would change what a kernel computes, or that no device can run, are refused by name."""

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import arrays, kernel_of, program_of
from tests.schedule.test_points import stencil, triad
from tests.schedule.test_reductions import column_sums, product, row_sums
from tests.schedule.test_shared_arrays import histogram, keys, transposed
from weft.errors import ArgumentError
from weft.schedule import Bind, Privatise, Share, Stage, Turn
from weft.schedule.legality import check_schedule

VECTOR, MATRIX = (4,), (4, 4)
SQUARE = (Bind("j", "x", 16, 8, 4), Bind("i", "y", 16, 8, 4))


def running(a, b):
    for i in range(a.shape[0]):
        s = 1.0
        for j in range(a.shape[1]):
            s = s * 0.5 + a[i, j]
            b[i, j] = s


def triangle(a, r):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s = a[i, j] - a[i, j]
            for k in range(j):
                s += a[i, k] * a[k, j]
            r[i, j] = s


def in_place(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[j, i] = b[i, j] + a[i, j]


def cubes(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                b[k, j, i] = a[i, j, k]


def counted_twice(x, counts):
    for i in range(len(x)):
        counts[x[i]] += 1
        counts[x[i] // 2] += 1


def chosen(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            f = a[i, 0]
            while f > 100.0:
                f = f / 2.0
            s = f - f
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j] * f
            c[i, j] = s


FLOATS = {
    "begin-again": (chosen, (MATRIX,) * 3, (*SQUARE, Stage("k", 8))),
    "points": (triad, (VECTOR,) * 3, (Bind("i", "x", 4, 6, 4),)),
    "reduction": (stencil, (MATRIX,) * 2, (Bind("i", "y", 4), Share("j", "x", 4))),
    "axis-once": (row_sums, (MATRIX, VECTOR), (Bind("i", "x", 4), Share("j", "x", 4))),
    "known-bounds": (triangle, (MATRIX,) * 2, (*SQUARE, Stage("k", 8))),
    "only-values": (running, (MATRIX,) * 2, (Bind("i", "x", 4), Stage("j", 8))),
    "tile-size": (product, (MATRIX,) * 3, (*SQUARE, Stage("k", 1))),
    "shared-memory": (product, (MATRIX,) * 3, (*SQUARE, Stage("k", 1024))),
    "turned-loop": (transposed, (MATRIX,) * 2, (Bind("j", "x", 16), Bind("i", "y", 16), Turn("j"))),
    "turned-loads": (transposed, (MATRIX,) * 2, (Bind("j", "x", 16), Bind("i", "y", 16), Turn("i"))),
    "two-loops": (
        cubes,
        ((4, 4, 4),) * 2,
        (Bind("i", "x", 8), Bind("j", "z", 2), Bind("k", "y", 8), Turn("k")),
    ),
    "group-size": (column_sums, (MATRIX, VECTOR), (Bind("j", "x", 64), Share("i", "y", 32))),
}


@pytest.mark.parametrize("constraint", FLOATS)
def test_what_is_not_legal_is_refused_by_name(constraint):
    function, shapes, schedule = FLOATS[constraint]
    kernel = kernel_of(program_of(function, arrays(*shapes)()))[0]
    assert constraint in {violation.constraint for violation in check_schedule(kernel, schedule)}


@pytest.mark.parametrize(
    "constraint, function, schedule",
    [
        ("one-update", counted_twice, (Bind("i", "x", 4), Privatise("counts", 8))),
        ("shared-memory", histogram, (Bind("i", "x", 4), Privatise("counts", 1 << 20))),
    ],
)
def test_arrays_that_cannot_be_private_are_refused_by_name(constraint, function, schedule):
    kernel = kernel_of(program_of(function, keys(4, 4)()))[0]
    assert constraint in {violation.constraint for violation in check_schedule(kernel, schedule)}


def test_at_least_one_block_runs_at_a_time():
    kernel = kernel_of(program_of(triad, arrays(VECTOR, VECTOR, VECTOR)()))[0]
    assert not list(check_schedule(kernel, (Bind("i", "x", 4, blocks=2),)))
    assert [str(v) for v in check_schedule(kernel, (Bind("i", "x", 4, blocks=0),))] == ["points: 0 blocks at a time"]


@pytest.mark.opencl
def test_a_schedule_written_by_hand():
    a, b, c = arrays((33, 21), (21, 40), (33, 40))()
    schedule = (Bind("j", "x", 8, 4, 4), Bind("i", "y", 8, 4, 4), Stage("k", 8))
    by_hand = weft.jit(product, device="opencl", schedule=schedule)
    by_hand(a, b, c)
    np.testing.assert_array_equal(c, a @ b)
    assert "stage 8 iterations of k" in by_hand.inspect(a, b, c).schedule


@pytest.mark.opencl
def test_a_schedule_written_by_hand_that_is_not_legal_names_the_constraint():
    a, b, c = arrays((4, 4), (4, 4), (4, 4))()
    with pytest.raises(ArgumentError, match="axis-order: the axes of a block are used from x on"):
        weft.jit(product, device="opencl", schedule=[Bind("i", "y", 4)])(a, b, c)
    with pytest.raises(ArgumentError, match="no kernel has what the directive .* is about"):
        weft.jit(product, device="opencl", schedule=[Bind("z", "x", 4)])(a, b, c)


def test_loops_of_the_processor_are_not_scheduled_by_hand():
    with pytest.raises(ArgumentError, match="only loops on a device"):
        weft.jit(triad, schedule=[Bind("i", "x", 4)])
