"""Schedules change how a kernel runs, never what it computes; those that would are refused."""

from dataclasses import replace

import numpy as np
import pytest

from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.forms.builder import Builder
from weft.ir.reference.interpreter import run
from weft.ir.types import FLOAT64, INT64, PYINT
from weft.ir.visit import Names
from weft.schedule.directives import Bind, Reorder, Split, Unroll, Vectorise, describe
from weft.schedule.legality import check_schedule
from weft.schedule.lower import lower
from weft.tune.default import default_schedule


def grid_kernel(mapping="parallel"):
    """``c[i, j] = i * 10 + j`` over a rectangle."""
    build = Builder("grid")
    c, rows, columns = build.array("c", INT64, 2), build.param("rows", PYINT), build.param("columns", PYINT)
    with build.loop("i", 0, rows, mapping=mapping) as outer:
        with build.loop("j", 0, columns, mapping=mapping) as inner:
            build.store(c, outer.index, inner.index, value=build.add(build.mul(outer.index, 10), inner.index))
    program = build.program()
    return program, n.Kernel("grid", tuple(p.var for p in program.params), program.body)


def sum_kernel(exit=None):
    """A sum that is stored: a loop that carries a value, and may end early."""
    build = Builder("sum")
    x, out = build.array("x", FLOAT64), build.array("out", FLOAT64)
    carried = {"go": True, "s": build.const(0.0, FLOAT64)}
    with build.loop("k", 0, build.dim(x), carried, exit=exit) as loop:
        s = build.add(loop["s"], build.load(x, loop.index))
        loop.carry(build.unary("not", build.compare("gt", s, 1e9)), s)
    build.store(out, 0, value=loop.results[1])
    program = build.program()
    return program, n.Kernel("sum", tuple(p.var for p in program.params), program.body)


def lowered(program, kernel, schedule):
    return lower(kernel, schedule, Names.of(program))


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (8, 64), (5, 0), (9, 70)])
@pytest.mark.parametrize(
    "schedule",
    [
        (Bind("j", "x", 64), Bind("i", "y", 4)),
        (Bind("j", "y", 2), Bind("i", "x", 3)),
        (Bind("i", "x", 4),),
        (Bind("i", "x", 4), Split("j", 3), Unroll("j.in")),
        (Bind("i", "x", 4), Vectorise("j")),
    ],
    ids=describe,
)
def test_a_scheduled_kernel_does_what_it_did(schedule, shape):
    program, kernel = grid_kernel()
    result = lowered(program, kernel, schedule)
    expected, got = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    run(program, (expected, *shape))
    run(_launching(result, len(schedule)), (got, *shape, *_extra(result, schedule, shape)))
    np.testing.assert_array_equal(got, expected)


def _extra(result, schedule, shape):
    extents = dict(zip("ij", shape))
    bound = sorted((d for d in schedule if isinstance(d, Bind)), key=lambda bind: bind.axis, reverse=True)
    return [number for bind in bound for number in (0, extents[bind.loop])]


def _launching(result, count):
    """A program that launches a kernel with its own parameters."""
    params = tuple(n.Param(replace(v, name=f"{v.name}.p"), n.Source("argument", v.name)) for v in result.kernel.params)
    launch = n.Launch(result.kernel, "cpu", tuple(p.var for p in params))
    program = n.Program("launching", params, n.Block((launch,)))
    verify(program)
    return program


def test_offset_and_extent_run_a_part_of_the_loop():
    program, kernel = grid_kernel()
    result = lowered(program, kernel, (Bind("j", "x", 4), Bind("i", "y", 2)))
    part = np.full((6, 9), -1)
    run(_launching(result, 2), (part, 6, 9, 2, 5, 3, 9))
    whole = np.add.outer(np.arange(6) * 10, np.arange(9))
    expected = np.full((6, 9), -1)
    expected[2:5, 3:9] = whole[2:5, 3:9]
    np.testing.assert_array_equal(part, expected)


@pytest.mark.parametrize("factor", [1, 2, 3, 8, 100])
def test_split_loops_carry_their_values_on(factor):
    program, kernel = sum_kernel()
    result = lowered(program, kernel, (Split("k", factor),))
    expected, got = np.zeros(1), np.zeros(1)
    run(program, (np.arange(17.0), expected))
    run(_launching(result, 0), (np.arange(17.0), got))
    assert got == expected


REFUSED = {
    "early-end": (sum_kernel(exit=0), (Split("k", 4),)),
    "parallel": (sum_kernel(), (Bind("k", "x", 4),)),
    "loop-exists": (grid_kernel(), (Bind("z", "x", 4),)),
    "axis-once": (grid_kernel(), (Bind("i", "x", 4), Bind("j", "x", 4))),
    "axis-order": (grid_kernel(), (Bind("i", "y", 4),)),
    "group-size": (grid_kernel(), (Bind("i", "x", 2048),)),
    "outermost": (grid_kernel(), (Bind("j", "x", 4),)),
    "tile-size": (grid_kernel(), (Split("j", 0),)),
    "dependence-order": (grid_kernel("sequential"), (Reorder("i", "j"),)),
}


@pytest.mark.parametrize("constraint", REFUSED)
def test_illegal_schedules_are_refused_by_name(constraint):
    (program, kernel), schedule = REFUSED[constraint]
    assert constraint in {v.constraint for v in check_schedule(kernel, schedule)}
    with pytest.raises(InternalError, match="an illegal schedule"):
        lowered(program, kernel, schedule)


@pytest.mark.parametrize("schedule", [(), (Bind("j", "x", 64), Bind("i", "y", 4)), (Reorder("i", "j"),)])
def test_legal_schedules_break_no_constraint(schedule):
    assert check_schedule(grid_kernel()[1], schedule) == ()


def test_the_default_puts_unit_strides_along_x():
    assert default_schedule(grid_kernel()[1]) == (Bind("j", "x", 64), Bind("i", "y", 4))  # rows are not contiguous
    assert default_schedule(sum_kernel()[1]) == ()
