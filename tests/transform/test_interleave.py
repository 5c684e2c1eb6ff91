"""Iterations of parallel loops whose inner loops go step by step run side by side."""

from __future__ import annotations

import numpy as np
import pytest

from tests.transform.programs import inputs, loops
from tests.transform.same import check
from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.types import FLOAT64, PYINT
from weft.transform.vector.interleave import ABREAST, VECTORS_ABREAST, interleave
from weft.transform.vector.lanes import lanes


def smoothed_rows(mapping: n.Mapping = "parallel", operations: int = 2) -> n.Program:
    """Each row of an array smoothed by the recurrence ``s = s * c + a[i, j]``, or summed up."""
    build = Builder("smoothed")
    a, out = build.array("a", FLOAT64, 2), build.array("out", FLOAT64, 2)
    with build.loop("i", 0, build.dim(a, 0), mapping=mapping) as i:
        with build.loop("j", 0, columns(build, a), {"s": build.const(0.0, FLOAT64)}) as j:
            old = build.mul(j["s"], build.const(0.5, FLOAT64)) if operations > 1 else j["s"]
            new = build.add(old, build.load(a, i.index, j.index, bounds="safe"))
            build.store(out, i.index, j.index, value=new, bounds="safe")
            j.carry(new)
    return build.program()


def columns(build: Builder, a: n.Var) -> n.Var:
    """The width of an array."""
    return build.dim(a, 1)


def hoisted(program: n.Program) -> n.Program:
    """The program with the width of the rows computed before the loops."""
    from weft.transform.simplify.licm import licm

    return licm(program)


def test_rows_run_side_by_side() -> None:
    program = hoisted(smoothed_rows())
    changed = check(program, interleave, *inputs(program))
    widest = max(len(loop.args) for loop in loops(changed).values())
    assert widest == ABREAST


def test_rows_beyond_the_last_group_run_too() -> None:
    program = hoisted(smoothed_rows())
    rng = np.random.default_rng(0)
    cases = [[rng.random((rows, 5)), np.zeros((rows, 5))] for rows in range(2 * ABREAST + 2)]
    check(program, interleave, *cases)


def test_tiles_in_lanes_run_side_by_side() -> None:
    build = Builder("powers")
    a, out = (build.array(name, FLOAT64, contiguous=True) for name in ("a", "out"))
    with build.loop("i", 0, build.dim(a), mapping="parallel") as i:
        with build.loop("k", 0, build.param("steps", PYINT), {"s": build.const(1.0, FLOAT64)}) as k:
            k.carry(build.add(build.mul(k["s"], build.const(0.5, FLOAT64)), build.load(a, i.index, bounds="safe")))
        build.store(out, i.index, value=k.results[0], bounds="safe")
    program = hoisted(build.program())
    rng = np.random.default_rng(0)
    changed = check(
        program, lambda p: interleave(lanes(p)), *([rng.random(n), np.zeros(n), n % 7] for n in (0, 1, 8, 64, 65, 150))
    )
    assert max(len(loop.args) for loop in loops(changed).values()) == VECTORS_ABREAST


@pytest.mark.parametrize(("mapping", "operations"), [("sequential", 2), ("parallel", 1)])
def test_what_gains_nothing_is_left_alone(mapping: n.Mapping, operations: int) -> None:
    program = hoisted(smoothed_rows(mapping, operations))
    assert interleave(program) is program


def test_loops_of_different_lengths_are_left_alone() -> None:
    program = smoothed_rows()  # the width is asked for in every row
    assert interleave(program) is program
