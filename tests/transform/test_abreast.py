"""Tiles that run together, and conversions that are assumed to fit."""

from __future__ import annotations

import numpy as np
import pytest

from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.types import INT32, PYINT, Vector
from weft.ir.visit import walk
from weft.transform.pipeline import optimise
from weft.transform.simplify.dce import dce
from weft.transform.vector.dead_blends import dead_blends
from weft.transform.vector.interleave_tiles import interleave_tiles
from weft.transform.vector.lanes import lanes


def steps(x, counts, limit):
    for i in range(x.shape[0]):
        value = x[i]
        count = 0
        while count < limit and value < 100.0:
            value = value * 1.5 + 0.25
            count += 1
        counts[i] = count


def inputs(size: int, limit: int = 12) -> tuple[object, ...]:
    return np.random.default_rng(size).random(size) * 9, np.zeros(size, np.int32), limit


@pytest.fixture(scope="module")
def optimised() -> n.Program:
    return optimise(build(steps, [describe(x) for x in inputs(5)]))


def test_tiles_run_together(optimised: n.Program) -> None:
    before = lanes(optimised)
    after = interleave_tiles(before)
    assert after is not before
    (loop,) = (s for s in walk(after.body) if isinstance(s, n.While))
    alone = next(s for s in walk(before.body) if isinstance(s, n.While))
    vectors = sum(isinstance(a.var.type, Vector) for a in alone.args)
    assert len(loop.args) == 4 * vectors + (len(alone.args) - vectors)
    assert_same(optimised, dce(after), *(inputs(size) for size in (0, 1, 7, 8, 9, 40, 70)), inputs(9, -1))


def test_what_is_the_same_in_all_lanes_is_counted_once(optimised: n.Program) -> None:
    (loop,) = (s for s in walk(dce(interleave_tiles(lanes(optimised))).body) if isinstance(s, n.While))
    assert sum(a.var.type == PYINT for a in loop.args) == 1
    compared = [s.value for s in loop.condition.statements if isinstance(s, n.Let) and isinstance(s.value, n.Compare)]
    assert len(compared) == 1, "the limit is the same for all lanes, so it is tested once"


def test_what_nobody_reads_is_not_kept(optimised: n.Program) -> None:
    before = lanes(optimised)
    after = dead_blends(before)
    kept = [sum(isinstance(s, n.Let) and isinstance(s.value, n.Select) for s in walk(p.body)) for p in (before, after)]
    assert kept[1] == kept[0] - 1
    assert_same(
        optimised, dce(interleave_tiles(after)), *(inputs(size) for size in (0, 1, 7, 8, 9, 40, 70)), inputs(9, -1)
    )


def test_straight_loops_stay(optimised: n.Program) -> None:
    assert interleave_tiles(optimised) is optimised


def test_a_counter_is_assumed_to_fit(optimised: n.Program) -> None:
    casts = [s.value for s in walk(optimised.body) if isinstance(s, n.Let) and s.var.type == INT32]
    assert casts and not any(isinstance(cast, n.Cast) and cast.checked for cast in casts)
    assert optimised.assumption is not None
