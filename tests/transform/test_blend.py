"""Branches that store what an iteration has loaded."""

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
from weft.transform.vector.blend_stores import blend_stores


def exchange(a):
    for i in range(0, a.shape[0] - 1, 2):
        if a[i] > a[i + 1]:
            a[i], a[i + 1] = a[i + 1], a[i]


def clip(a):
    for i in range(a.shape[0]):
        x = a[i]
        if x > 0.5:
            pass
        else:
            a[i] = x * 2.0


def both_sides(a):
    for i in range(a.shape[0]):
        if a[i] > 0.5:
            a[i] = 1.0
        else:
            a[i] = 0.0


def not_loaded(a, b):
    for i in range(a.shape[0]):
        if a[i] > 0.5:
            b[i] = 1.0


def bubble(a):
    for i in range(a.shape[0] - 1):
        if a[i] > a[i + 1]:
            a[i], a[i + 1] = a[i + 1], a[i]


def branches(program: n.Program) -> int:
    return sum(isinstance(s, n.If) for s in walk(program.body))


@pytest.mark.parametrize("function", (exchange, clip))
def test_the_branch_goes(function: Any) -> None:
    inputs = [(np.random.default_rng(size).random(size),) for size in (0, 1, 2, 7, 40)]
    before = optimise(build(function, [describe(x) for x in inputs[0]]))
    assert branches(before) == 1
    after = blend_stores(before)
    assert branches(after) == 0
    assert_same(before, after, *inputs)


@pytest.mark.parametrize("function", (not_loaded, bubble, both_sides))
def test_the_branch_stays(function: Any) -> None:
    arrays = [np.random.default_rng(1).random(9), np.zeros(9)][: function.__code__.co_argcount]
    before = optimise(build(function, [describe(x) for x in arrays]), disable=frozenset({"sink_stores"}))
    assert branches(blend_stores(before)) == branches(before)
    assert_same(before, blend_stores(before), arrays)
