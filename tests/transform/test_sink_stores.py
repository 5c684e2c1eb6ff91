"""Stores to one element at the ends of both sides of a branch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise
from weft.transform.simplify.sink_stores import sink_stores


def guarded(a, b):
    for i in range(a.shape[0]):
        if a[i] != 0.0:
            b[i] = 1.0 / a[i]
        else:
            b[i] = 0.0


def three_ways(a, b):
    for i in range(a.shape[0]):
        if a[i] < 0.3:
            b[i] = a[i] * 2.0
        elif a[i] < 0.6:
            b[i] = a[i] / 3.0
        else:
            b[i] = a[i]


def two_stores(a, b):
    for i in range(a.shape[0]):
        if a[i] < 0.5:
            b[i] = a[i] / 3.0
            a[i] = 1.0
        else:
            b[i] = 2.0
            a[i] = b[i] / 7.0


def other_order(a, b):
    for i in range(a.shape[0]):
        if a[i] < 0.5:
            b[i] = a[i] / 3.0
            a[0] = 1.0
        else:
            a[0] = 2.0
            b[i] = a[i] / 7.0


def other_element(a, b):
    for i in range(a.shape[0] - 1):
        if a[i] < 0.5:
            b[i] = a[i] / 3.0
        else:
            b[i + 1] = a[i] / 7.0


def one_side(a, b):
    for i in range(a.shape[0]):
        if a[i] < 0.5:
            b[i] = a[i] / 3.0


def outside(a, b):
    for i in range(a.shape[0]):
        k = int(a[i] * 3.0)
        if a[i] < 0.5:
            b[k] = 1.0
        else:
            b[k] = 2.0


def stores_inside_branches(program: n.Program) -> int:
    branches = [s for s in walk(program.body) if isinstance(s, n.If)]
    return sum(isinstance(s, n.Store) for b in branches for side in (b.then, b.orelse) for s in walk(side))


def before_and_after(function: Any) -> tuple[n.Program, n.Program]:
    arrays = np.zeros(9), np.zeros(9)
    before = optimise(
        build(function, [describe(x) for x in arrays]), disable=frozenset({"sink_stores", "if_conversion"})
    )
    return before, sink_stores(before)


def inputs(function: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    random = np.random.default_rng(1)
    found = [(random.random(size), np.zeros(size)) for size in (0, 1, 2, 9, 40)]
    found[-1][0][::3] = 0.0
    return found


@pytest.mark.parametrize("function", (guarded, three_ways, two_stores))
def test_the_stores_go_behind_the_branch(function: Any) -> None:
    before, after = before_and_after(function)
    assert stores_inside_branches(before) > stores_inside_branches(after) == 0
    assert_same(before, after, *inputs(function))


@pytest.mark.parametrize("function", (other_order, other_element, one_side, outside))
def test_other_stores_stay(function: Any) -> None:
    before, after = before_and_after(function)
    assert stores_inside_branches(before) == stores_inside_branches(after) > 0
    assert_same(before, after, *inputs(function))
