"""Values of the iteration before that are computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.transform.parallel.wraparound import wraparound
from weft.transform.pipeline import optimise, prepared
from weft.transform.support import judged

SIZES = (0, 1, 2, 3, 7, 20)


def index(a, b, out):
    before = len(a) - 1
    for i in range(len(a)):
        out[i] = a[i] + a[before]
        before = i


def two_indices(a, b, out):
    before = 0
    before_that = len(a) - 1
    for i in range(len(a)):
        out[i] = a[before_that] - a[before]
        before_that = before
        before = i


def value(a, b, out):
    previous = 0.5
    for i in range(1, len(a)):
        out[i] = a[i] - previous
        previous = a[i] * b[i]
    return previous


def quotient(a, b, out):
    previous = 0
    for i in range(len(a)):
        out[i] = previous
        previous = 7 // (i - 3)
    return previous


def stored_first(a, b, out):
    previous = 0
    for i in range(len(a)):
        out[i] = previous + a[i]
        previous = 5 // (len(a) - 7 - i)
    return previous


def flag(a, b, out):
    first = True
    for i in range(len(a)):
        out[i] = -1.0 if first else b[i]
        first = False


def every_other(a, b, out):
    last = 0
    for i in range(len(a) - 1, 0, -2):
        out[i] = a[last] + i
        last = i
    return last


def with_a_sum(a, b, out):
    previous = 0.0
    total = 0
    for i in range(len(a)):
        out[i] = previous
        previous = a[i]
        total += i
    return total, previous


def written_meanwhile(a, b, out):
    previous = 0.0
    for i in range(len(a)):
        out[i] = previous + a[i]
        previous = out[i] * 0.5


def fibonacci(a, b, out):
    old = 0.0
    new = 1.0
    for i in range(len(a)):
        old, new = new, old + new
        out[i] = new


def ends_early(a, b, out):
    previous = 0.0
    for i in range(len(a)):
        if previous > 0.9:
            break
        out[i] = previous
        previous = a[i]


CHANGED = (index, two_indices, value, quotient, stored_first, flag, every_other, with_a_sum)
KEPT = (written_meanwhile, fibonacci, ends_early)


def arguments() -> Iterator[tuple[Any, ...]]:
    rng = np.random.default_rng(1)
    for size in SIZES:
        yield rng.random(size), rng.random(size), np.zeros(size)


def built(function: Callable[..., Any]) -> n.Program:
    return build(function, [describe(x) for x in next(arguments())])


@pytest.mark.parametrize("function", CHANGED, ids=lambda f: f.__name__)
def test_the_loop_is_parallel_afterwards(function: Any) -> None:
    verdicts = judged(prepared(built(function))).loops.values()
    assert {fact.verdict for fact in verdicts} <= {"parallel", "reduction"}
    without = judged(prepared(built(function), frozenset({"wraparound"}))).loops.values()
    assert "sequential" in {fact.verdict for fact in without}


@pytest.mark.parametrize("function", CHANGED + KEPT, ids=lambda f: f.__name__)
def test_the_results_are_the_same(function: Any) -> None:
    program = built(function)
    assert_same(program, wraparound(program), *arguments())
    assert_same(program, optimise(program, verify=True), *arguments())
    assert_same(program, optimise(program, checked=True, verify=True), *arguments())


@pytest.mark.parametrize("function", KEPT, ids=lambda f: f.__name__)
def test_other_loops_are_kept(function: Any) -> None:
    program = built(function)
    assert wraparound(program) is program
