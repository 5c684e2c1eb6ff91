"""Rows that threads keep in registers: the launch chooses how many threads share them by their length."""

import numpy as np
import pytest

from tests.schedule.scheduled import arrays, program_of
from weft.ir import nodes as n
from weft.ir.reference.interpreter import run
from weft.ir.visit import walk
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.schedule import Bind, Deal


def normalised(x, out):
    for i in range(x.shape[0]):
        s = x[i, 0] - x[i, 0]
        for j in range(x.shape[1]):
            s += x[i, j] * x[i, j]
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] / s


def placed(device="cuda", schedule=()):
    return place(program_of(normalised, arrays((2, 8), (2, 8))()), device, schedule=schedule)


def test_there_are_kernels_for_short_usual_and_long_rows():
    placement = placed()
    check_plan(placement.program)
    dealt = [next(d for d in nest.schedule if isinstance(d, Deal)) for nest in placement.nests]
    assert sorted(d.group * d.run * d.rounds for d in dealt) == [1024, 4096, 8192, 16384]


def test_a_schedule_by_hand_is_the_only_one():
    placement = placed(schedule=(Bind("i", "y", 1), Deal("j", "x", 32, 4, 2)))
    assert len([s for s in walk(placement.program.body) if isinstance(s, n.Launch)]) == 1


@pytest.mark.parametrize("columns", [1, 900, 1024, 1025, 4100])
def test_every_length_has_its_kernel(columns):
    x, out = arrays((2, columns), (2, columns))()
    x[:, 0] = 3
    expected = np.zeros_like(x)
    normalised(x, expected)
    run(placed().program, (x, out))
    np.testing.assert_allclose(out, expected, rtol=1e-5)
