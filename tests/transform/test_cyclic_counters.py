"""Counters that go round, carried by hand: remainders and quotients of the loop's counter, and nothing is carried."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.transform.test_accumulators import outcome
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def by_a_branch(u, v, size, m):
    i = j = 0
    for k in range(size):
        v[k] = u[k] * i + j
        j += 1
        if j == m:
            j = 0
            i += 1
    return i, j


def at_the_start(u, v, size, m):
    i, j = 0, -1
    for k in range(size):
        j += 1
        if j >= m:
            j = 0
            i += 1
        v[k] = u[k] * i + u[j]


def by_a_remainder(u, v, size, m):
    j = 0
    for k in range(size):
        v[k] = u[k] - u[j]
        j = (j + 1) % m
    return j


def rounds_by_a_remainder(u, v, size, m):
    i = j = 0
    for k in range(size):
        v[k] = u[i] - u[j]
        j = (j + 1) % m
        if j == 0:
            i += 1
    return i


def by_a_choice(u, v, size, m):
    j = 0
    for k in range(size):
        v[k] = u[k] * u[j]
        j = j + 1 if j + 1 < m else 0


def before_the_end(u, v, size, m):
    j = 0
    for k in range(size):
        v[k] = u[j]
        if j == m - 1:
            j = 0
        else:
            j += 1


def beyond_the_end(u, v, size, m):
    j = 0
    for k in range(size):
        v[k] = u[k] + j
        j += 1
        if j > m:
            j = 0


def from_one(u, v, size, m):
    i, j = 3, 1
    for k in range(5, size):
        v[k] = u[k] + j * i
        j += 1
        if m < j:
            j = 1
            i -= 2
    return i, j


def from_the_middle(u, v, size, m):
    base, j = 0, 2
    for k in range(size):
        v[k] = base + j
        j += 1
        if not j != m:
            base += m
            j = 0
    return base, j


def rows_and_planes(u, v, size, m):
    i = j = p = 0
    for k in range(size):
        v[k] = i * 100 + j + p * 7
        j += 1
        if j == 3:
            j = 0
            i += 1
            if i == 4:
                i = 0
                p += 1
    return i, j, p


def used_after_the_step(u, v, size, m):
    j = 0
    for k in range(size):
        j += 1
        if j == m:
            j = 0
        v[k] = u[j] * 2


def in_an_outer_loop(u, v, size, m):
    for t in range(3):
        i = j = 0
        for k in range(size):
            v[k] += u[i] + t * u[j]
            j += 1
            if j == m:
                j, i = 0, i + 1


def a_few(u, v, size, m):
    j = 0
    for k in range(30):
        v[k] = u[k] + 5 * j
        j += 1
        if j == m:
            j = 0
    return j


CLOSED = (
    by_a_branch, at_the_start, by_a_remainder, rounds_by_a_remainder, by_a_choice, before_the_end, beyond_the_end,
    from_one, from_the_middle, a_few, used_after_the_step, in_an_outer_loop,
)  # fmt: skip


def with_more_in_the_branch(u, v, size, m):
    j = 0
    s = 0
    for k in range(size):
        v[k] = u[j]
        j += 1
        if j == m:
            j = 0
            s += u[k]
    return s


def stores_in_the_branch(u, v, size, m):
    i, j = 0, -1
    for k in range(size):
        j += 1
        if j == m:
            j = 0
            v[i] = u[k]
            i += 1
    return i, j


def changes_its_end(u, v, size, m):
    j = 0
    for k in range(size):
        v[k] = u[j]
        j += 1
        if j == m:
            j = 0
            m += 1
    return j, m


def in_twos(u, v, size, m):
    j = 0
    for k in range(size):
        v[k] = u[k] + j
        j += 2
        if j == m:
            j = 0
    return j


def back_somewhere(u, v, size, m):
    j = 0
    for k in range(size):
        v[k] = u[k] + j
        j += 1
        if j == m:
            j = int(u[k]) % 3
    return j


def rounds_elsewhere(u, v, size, m):
    i = j = 0
    for k in range(size):
        v[k] = u[k] + 2 * i
        j = (j + 1) % m
        if j == 2:
            i += 1
    return i, j


def sums(u, v, size, m):
    j, s = 0, 0
    for k in range(size):
        s += u[j] * u[k]
        j = (j + 1) % m
    return s


def left_early(u, v, size, m):
    j = 0
    for k in range(size):
        if u[k] > 97:
            break
        v[k] = j
        j += 1
        if j == m:
            j = 0
    return j


def in_two_loops(u, v, size, m):
    j = 0
    for k in range(size // 4):
        for c in range(4):
            v[4 * k + c] = u[j]
            j = (j + 1) % m
    return j


OTHERS = (
    rows_and_planes, with_more_in_the_branch, stores_in_the_branch, changes_its_end, in_twos, back_somewhere,
    rounds_elsewhere, sums, left_early, in_two_loops,
)  # fmt: skip


def result(function: Any, values: list[Any]) -> tuple[Any, ...]:
    """What a call returns or raises, and the array afterwards."""
    given, returned = copy.deepcopy(values), []
    raised = outcome(lambda *a: returned.append(function(*a)), given)[0]
    return raised, returned, given[1].tolist()


@pytest.mark.parametrize("size", [-1, 0, 1, 2, 6, 7, 31, 97])
@pytest.mark.parametrize("function", (*CLOSED, *OTHERS), ids=lambda f: f.__name__)
def test_answers_are_cpythons(function: Any, size: int) -> None:
    compiled = weft.jit(function)
    for m in (-3, -1, 0, 1, 2, 3, 7, 31, 200):
        for room in (128, 33):
            values = [np.random.default_rng(5).integers(0, 100, room), np.arange(room) % 5, size, m]
            assert result(compiled, values) == result(function, values), (m, room)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_on_several_threads(dtype: str, request: Any) -> None:
    request.addfinalizer(lambda count=weft.get_num_threads(): weft.set_num_threads(count))
    weft.set_num_threads(3)
    for function in CLOSED:
        compiled = weft.jit(function)
        for m in (10, 101):
            values = [np.arange(3000).astype(dtype) % 50, np.zeros(3000, dtype), 2999, m]
            assert result(compiled, values) == result(function, values)


@pytest.mark.parametrize("function", CLOSED, ids=lambda f: f.__name__)
def test_nothing_is_carried(function: Any) -> None:
    program = optimise(program_of(function, np.arange(128), np.zeros(128, int), 97, 7), verify=True)
    loops = [s for s in walk(program.body) if isinstance(s, n.For) and s.label.startswith("k")]
    assert loops and not any(loop.args for loop in loops)
    assert all(loop.mapping == "parallel" for loop in loops)


def test_the_report_says_that_the_loop_is_parallel() -> None:
    values = [np.arange(128), np.zeros(128, int), 97, 7]
    assert "parallel" in str(weft.explain(weft.jit(by_a_branch), *values))
