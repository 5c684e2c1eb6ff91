"""Loops over rows that become one where rows are long and many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import weft
from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.loops.row_fusion import row_fusion
from weft.transform.pipeline import ORDER, optimise

SHAPES = ((0, 3), (1, 1), (5, 40), (64, 32), (70, 31), (67, 45))


def softmax(m, q):
    e = np.exp(m - m.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def normalised(m, q):
    mean = m.mean(axis=1, keepdims=True)
    spread = ((m - mean) ** 2).mean(axis=1, keepdims=True)
    return (m - mean) / np.sqrt(spread + 1e-5), mean


def written_loops(m, q):
    best = np.zeros(m.shape[0])
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            q[i, j] = m[i, j] * 2.0
    for k in range(m.shape[0]):
        s = 0.0
        for j in range(m.shape[1]):
            s += q[k, j]
        best[k] = s
    return best


def in_a_time_loop(m, q):
    for _ in range(2):
        t = np.sqrt(m + q)
        m -= t.mean(axis=1)[:, None]
        m += 3.0
    return m


def filled_in_part(m, q):
    t = np.ones((m.shape[0], m.shape[1]))
    for i in range(m.shape[0]):
        for j in range(1, m.shape[1]):
            t[i, j] = m[i, j] * 2.0
    sums = np.zeros(m.shape[0])
    for i in range(m.shape[0]):
        s = 0.0
        for j in range(m.shape[1]):
            s += t[i, j]
        sums[i] = s
    return sums


JOINED = (softmax, normalised, written_loops, filled_in_part)


def next_rows(m, q):
    for i in range(m.shape[0] - 1):
        for j in range(m.shape[1]):
            q[i, j] = m[i, j] * 2.0
    sums = np.zeros(m.shape[0])
    for i in range(m.shape[0] - 1):
        s = 0.0
        for j in range(m.shape[1]):
            s += q[i + 1, j]
        sums[i] = s
    return sums


def sums_of_columns(m, q):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            q[i, j] = m[i, j] * 2.0
    sums = np.zeros(m.shape[0])
    for i in range(m.shape[0]):
        s = 0.0
        for j in range(min(m.shape[0], m.shape[1])):
            s += m[j, i % m.shape[1]]
        sums[i] = s
    return sums


def other_rows(m, q):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            q[i, j] = m[i, j] * 2.0
    sums = np.zeros(m.shape[0])
    for i in range(1, m.shape[0]):
        s = 0.0
        for j in range(m.shape[1]):
            s += q[i, j]
        sums[i] = s
    return sums


APART = (next_rows, sums_of_columns, other_rows)


def arguments() -> Iterator[tuple[Any, ...]]:
    rng = np.random.default_rng(1)
    for shape in SHAPES:
        yield rng.random(shape), rng.random(shape)


def simplified(function: Any) -> n.Program:
    """The program as the pass sees it."""
    program = build(function, [describe(x) for x in next(arguments())])
    for run in ORDER[: ORDER.index(row_fusion)]:
        program = run(program)
    return program


@pytest.mark.parametrize("function", JOINED, ids=lambda f: f.__name__)
def test_loops_over_rows_are_joined(function: Any) -> None:
    after = row_fusion(simplified(function))
    choices = [s for s in after.body.statements if isinstance(s, n.If) and s.then.statements and s.orelse.statements]
    assert len(choices) == 1
    together, apart = (sum(isinstance(s, n.For) for s in b.statements) for b in (choices[0].then, choices[0].orelse))
    assert together == 1
    assert apart >= 2


@pytest.mark.parametrize("function", APART, ids=lambda f: f.__name__)
def test_other_loops_stay_apart(function: Any) -> None:
    program = simplified(function)
    assert row_fusion(program) is program


@pytest.mark.parametrize("function", (*JOINED, *APART, in_a_time_loop), ids=lambda f: f.__name__)
def test_the_results_are_the_same(function: Any) -> None:
    program = simplified(function)
    after = row_fusion(program)
    assert_same(program, after, *arguments())
    source = build(function, [describe(x) for x in next(arguments())])
    assert_same(source, optimise(source, verify=True, caches=True), *arguments(), exact=False)


def test_rows_need_no_whole_arrays() -> None:
    """What a softmax needs for a while is one row where rows are long and many."""
    after = row_fusion(simplified(softmax))
    (choice,) = (s for s in after.body.statements if isinstance(s, n.If) and s.then.statements and s.orelse.statements)
    made = [s.value for s in walk(choice.then) if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)]
    assert [len(value.shape) for value in made] == [1]


@pytest.mark.parametrize("function", (*JOINED, *APART, in_a_time_loop), ids=lambda f: f.__name__)
def test_compiled_programs_give_numpys_answers(function: Any) -> None:
    compiled = weft.jit(function, device="cpu")
    for m, q in arguments():
        if not m.size:
            continue
        mine, theirs = (m.copy(), q.copy()), (m.copy(), q.copy())
        found, wanted = compiled(*mine), function(*theirs)
        for a, b in zip(as_tuple(found), as_tuple(wanted), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14)
        for a, b in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14)


def as_tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
