"""Loops that become several loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.parallel.distribute import distribute
from weft.transform.pipeline import ORDER, optimise, prepared
from weft.transform.support import judged

SIZES = (0, 1, 2, 3, 7, 20)


def writer_after_reader(a, b, c, m, q):
    for i in range(1, len(a)):
        a[i] = b[i - 1] + c[i]
        b[i] = c[i] * 2.0


def reader_of_the_next(a, b, c, m, q):
    for i in range(len(a) - 1):
        a[i] = b[i + 1] * 2.0
        b[i] = c[i] + 1.0


def three(a, b, c, m, q):
    for i in range(2, len(a)):
        c[i] = b[i - 1] + 1.0
        b[i] = a[i - 2] * 0.5
        a[i] = m[i, i] - 2.0


def read_before_and_after_a_write(a, b, c, m, q):
    """`t` is used by two statements, between which stands a third that overwrites what it was read from."""
    for i in range(1, len(a)):
        t = b[i] * 0.5
        a[i] = t + a[i]
        b[i] = c[i - 1]
        c[i] = t * 2.0


def sum_and_recurrence(a, b, c, m, q):
    total = 0.0
    state = 0.25
    for i in range(len(a)):
        b[i] = a[i] * 2.0
        total += b[i]
        state = state * state + a[i] - state
        c[i] = state
    return total, state


def counted_recurrence(a, b, c, m, q):
    for i in range(1, len(a)):
        a[i] = a[i - 1] * a[i - 1] * 0.5 + c[i]
        b[i] = c[i] * c[i]
        m[i, 0] = b[i - 1] + i


def nest(a, b, c, m, q):
    for i in range(1, m.shape[0]):
        for j in range(m.shape[1]):
            m[i, j] = q[i - 1, j] + c[i]
            q[i, j] = a[i] * 4.0


def branches(a, b, c, m, q):
    for i in range(1, len(a)):
        if c[i] > 0.5:
            a[i] = b[i - 1]
        if a[i] > 0.25:
            c[i] = a[i]
        b[i] = m[i, 0]


def circle(a, b, c, m, q):
    for i in range(1, len(a)):
        a[i] = b[i - 1] + c[i]
        b[i] = a[i - 1] * 2.0


def shared_value(a, b, c, m, q):
    state = 0.5
    for i in range(1, len(a)):
        state = state * state + c[i]
        a[i] = a[i] + state
        b[i] = state


def may_raise(a, b, c, m, q):
    for i in range(1, len(a)):
        a[i] = b[i - 1] + 1 // (i - 5)
        b[i] = c[i] * 2.0


SPLIT = (
    writer_after_reader, reader_of_the_next, three, read_before_and_after_a_write, sum_and_recurrence,
    counted_recurrence, nest,
)  # fmt: skip
KEPT = (circle, shared_value, may_raise)


def arguments() -> Iterator[tuple[Any, ...]]:
    rng = np.random.default_rng(1)
    for size in SIZES:
        yield rng.random(size), rng.random(size), rng.random(size), rng.random((size, size)), rng.random((size, size))


def simplified(function: Callable[..., Any]) -> n.Program:
    """The program as the pass sees it."""
    program = build(function, [describe(x) for x in next(arguments())])
    for run in ORDER[: ORDER.index(distribute)]:
        program = run(program)
    return program


def loops(program: n.Program) -> list[n.For]:
    return [s for s in walk(program.body) if isinstance(s, n.For)]


@pytest.mark.parametrize("function", SPLIT, ids=lambda f: f.__name__)
def test_parts_are_parallel_afterwards(function: Any) -> None:
    program = simplified(function)
    after = distribute(program)
    assert len(loops(after)) > len(loops(program))
    assert len({loop.label for loop in loops(after)}) == len(loops(after))
    assert any(fact.verdict in ("parallel", "reduction") for fact in judged(after).loops.values())


@pytest.mark.parametrize("function", KEPT, ids=lambda f: f.__name__)
def test_other_loops_are_kept(function: Any) -> None:
    program = simplified(function)
    assert distribute(program) is program


@pytest.mark.parametrize("function", (*SPLIT, *KEPT, branches), ids=lambda f: f.__name__)
def test_the_results_are_the_same(function: Any) -> None:
    program = simplified(function)
    assert_same(program, distribute(program), *arguments())
    source = build(function, [describe(x) for x in next(arguments())])
    for checked in (False, True):
        after = optimise(source, checked=checked, verify=True)
        assert_same(source, after, *arguments(), exact=function is not sum_and_recurrence)


def test_a_part_that_stays_sequential_stands_beside_parallel_ones() -> None:
    program = prepared(build(counted_recurrence, [describe(x) for x in next(arguments())]))
    assert sorted(fact.verdict == "parallel" for fact in judged(program).loops.values()) == [False, True, True]


def test_loops_over_results_keep_their_names() -> None:
    program = simplified(sum_and_recurrence)
    before, after = loops(program), loops(distribute(program))
    assert {r.name for loop in before for r in loop.results} == {r.name for loop in after for r in loop.results}
