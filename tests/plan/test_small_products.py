"""Products of few elements run under a schedule with smaller blocks, which the launch chooses by their size."""

import numpy as np
import pytest

from tests.schedule.scheduled import arrays, program_of
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.plan.place import Layout, place
from weft.plan.transfers.check import check_plan
from weft.schedule import Bind, Stage
from weft.schedule.legality import Limits

LARGE = Layout(Limits(1024, 227 * 1024, 132))


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def placed(device="cuda", layout=LARGE, schedule=(), dtype=np.float32):
    program = program_of(product, arrays((4, 4), (4, 4), (4, 4), dtype=dtype)())
    return place(program, device, layout=layout, schedule=schedule)


@pytest.mark.parametrize("dtype, points", [(np.float32, (128, 32)), (np.float64, (64, 32))])
def test_the_number_of_blocks_decides_between_two_kernels(dtype, points):
    placement = placed(dtype=dtype)
    check_plan(placement.program)
    (by_parts,) = (s for s in placement.program.body.statements if isinstance(s, n.If))
    (choice,) = (s for s in by_parts.orelse.statements if isinstance(s, n.If))
    launches = [[s for s in walk(block) if isinstance(s, n.Launch)] for block in (choice.then, choice.orelse)]
    ((small,), (usual,)) = launches
    assert small.kernel.name != usual.kernel.name and small.kernel.step < usual.kernel.step
    shown = [nest.schedule for nest in placement.nests if nest.label == "i"]
    assert tuple(np.prod([d.points for d in s if isinstance(d, Bind)]) for s in shown) == points
    assert all(any(isinstance(d, Stage) for d in s) for s in shown)


@pytest.mark.parametrize(
    "given",
    [
        {"device": "opencl"},
        {"layout": Layout(Limits(1024, 227 * 1024))},
        {"schedule": (Bind("j", "x", 16, 8, 4), Bind("i", "y", 16, 8, 4), Stage("k", 8))},
    ],
)
def test_there_is_one_kernel_where_nothing_is_known_of_the_device_or_the_user_wrote_the_schedule(given):
    assert len([nest for nest in placed(**given).nests if nest.kernel and nest.label == "i"]) == 1
