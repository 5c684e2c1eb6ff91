"""Iterations that stand beside their loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.transform.parallel.peel_ends import peel
from weft.transform.pipeline import ORDER, optimise, prepared
from weft.transform.support import judged

SIZES = (0, 1, 2, 3, 7, 20)


def first_writes(a, b, m):
    for i in range(len(a)):
        a[i] = a[0] + b[i]


def last_writes(a, b, m):
    for i in range(len(a)):
        a[i] = a[len(a) - 1] * 0.5 + b[i]


def later_start(a, b, m):
    for i in range(2, len(a)):
        a[i] = a[2] * 0.5 + b[i]


def first_row(a, b, m):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            m[i, j] = m[0, j] * 0.5 + b[j]


def with_a_count(a, b, m):
    count = 0
    for i in range(len(a)):
        a[i] = a[0] + b[i]
        if b[i] > 0.5:
            count += 1
    return count


def with_a_last_value(a, b, m):
    t = 0.0
    for i in range(len(a)):
        t = a[0] + b[i]
        a[i] = t
    return t


def recurrence(a, b, m):
    for i in range(1, len(a)):
        a[i] = a[i - 1] * a[i - 1] + b[i]


def middle(a, b, m):
    for i in range(len(a)):
        a[i] = a[len(a) // 2] + b[i]


def ends_early(a, b, m):
    for i in range(len(a)):
        a[i] = a[0] + b[i]
        if b[i] > 0.9:
            break


PEELED = (first_writes, last_writes, later_start, first_row, with_a_count, with_a_last_value)
KEPT = (recurrence, middle, ends_early)


def arguments() -> Iterator[tuple[Any, ...]]:
    rng = np.random.default_rng(1)
    for size in SIZES:
        yield rng.random(size), rng.random(size), rng.random((size, size))


def built(function: Callable[..., Any]) -> n.Program:
    return build(function, [describe(x) for x in next(arguments())])


def simplified(function: Callable[..., Any]) -> n.Program:
    """The program as the pass sees it."""
    program = built(function)
    for run in ORDER[: ORDER.index(peel)]:
        program = run(program)
    return program


@pytest.mark.parametrize("function", PEELED, ids=lambda f: f.__name__)
def test_the_rest_is_parallel(function: Any) -> None:
    facts = judged(prepared(built(function))).loops
    assert {fact.verdict for fact in facts.values()} <= {"parallel", "reduction"}
    without = judged(prepared(built(function), frozenset({"peel"}))).loops
    assert without["i"].verdict == "sequential"


@pytest.mark.parametrize("function", KEPT, ids=lambda f: f.__name__)
def test_other_loops_are_kept(function: Any) -> None:
    program = simplified(function)
    assert peel(program) is program


@pytest.mark.parametrize("function", (*PEELED, *KEPT), ids=lambda f: f.__name__)
def test_the_results_are_the_same(function: Any) -> None:
    program = simplified(function)
    assert_same(program, peel(program), *arguments())
    source = built(function)
    for checked in (False, True):
        assert_same(source, optimise(source, checked=checked, verify=True), *arguments())
