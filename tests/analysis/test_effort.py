"""The limit of operations over a whole compile: what is over it is not known, and the report says so."""

from __future__ import annotations

import linecache

import numpy as np
import pytest

import weft
from tests.analysis.tools import VECTOR, program_of
from weft.analysis import effort
from weft.analysis.dependence import sets
from weft.analysis.dependence.verdicts import judge
from weft.analysis.values.linear import symbol
from weft.analysis.values.prover import Prover
from weft.transform import pipeline


def copy(a, b):
    for i in range(len(a)):
        a[i] = b[i]


def shifts(count):
    """A function whose loop makes ever so many accesses, each of which may meet each other."""
    lines = [f"        a[i * s + {k} * t] = b[i * t + {k}] + a[i * s + {k}]" for k in range(count)]
    source = "\n".join(["def shifted(a, b, n, s, t):", "    for i in range(n):", *lines])
    return weft_function(source)


def weft_function(source):
    file = f"<effort {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    namespace = {}
    exec(compile(source, file, "exec"), namespace)
    return namespace["shifted"]


def prover():
    return Prover([symbol("x") - 3], lambda name: 0.0, lambda name: ())


def test_without_a_limit_everything_is_asked():
    assert effort.current().left == float("inf")
    assert prover().nonnegative(symbol("x") - 2)


def test_over_the_limit_nothing_is_proven():
    with effort.limited(0):
        assert not prover().nonnegative(symbol("x") - 2)


def test_over_the_limit_isl_is_not_asked(monkeypatch):
    monkeypatch.setattr(sets, "_isl", lambda: pytest.fail("isl was asked"))
    with effort.limited(0):
        assert sets.is_empty([symbol("x")], [symbol("x") - 3], lambda name: True) is None


def test_the_same_question_about_another_variable_is_not_asked_again_but_counts(monkeypatch):
    def ask(name):
        return sets.is_empty([symbol(name) - 1009], [symbol(name) - 1010], lambda name: True)

    assert ask("x")
    monkeypatch.setattr(sets, "_isl", lambda: pytest.fail("isl was asked"))
    with effort.limited(sets.QUESTION + 1) as left:
        assert ask("y")
        assert left.left == 1
        assert ask("z")
        assert ask("z") is None


def test_the_verdict_says_that_the_limit_was_reached():
    program = program_of(copy, VECTOR, VECTOR)
    assert judge(program).loops["i"].verdict == "parallel"
    with effort.limited(0):
        fact = judge(program).loops["i"]
    assert fact.verdict == "sequential"
    assert effort.REASON in fact.reason


def test_a_limit_inside_of_another_is_the_other():
    with effort.limited(10) as outer, effort.limited(1000) as inner:
        assert inner is outer


def test_the_limit_ends_with_the_compile():
    with effort.limited(0):
        pass
    assert not effort.current().is_spent


def test_the_passes_run_under_a_limit():
    program = program_of(shifts(40), np.zeros(500), np.zeros(500), 5, 3, 4)
    with effort.limited() as used:
        pipeline.optimise(program)
    assert used.is_spent
    assert used.left > -1000


def test_ordinary_programs_stay_far_below_the_limit():
    with effort.limited() as used:
        pipeline.optimise(program_of(copy, VECTOR, VECTOR))
    assert effort.MOST_OPERATIONS - used.left < 1000


def test_what_is_over_the_limit_computes_the_same():
    function = shifts(40)
    expected, other = np.arange(500.0), np.arange(500.0)
    function(expected, other, 5, 3, 4)
    got, same = np.arange(500.0), np.arange(500.0)
    weft.jit(function)(got, same, 5, 3, 4)
    np.testing.assert_array_equal(got, expected)


def two_loops(a, b):
    for i in range(len(a)):
        a[i] = b[i]
    for j in range(len(a)):
        b[j] = a[j]


def test_a_loop_is_judged_when_it_is_asked_for_under_the_limit_of_the_question():
    with effort.limited() as limit:
        loops = judge(program_of(two_loops, VECTOR, VECTOR)).loops
    at_first = limit.left
    first, second = loops
    assert loops[first].verdict != "sequential"
    after_one = limit.left
    assert after_one < at_first
    assert loops[first] is loops[first] and limit.left == after_one
    limit.left = 0
    assert effort.REASON in loops[second].reason


def test_what_is_tried_leaves_operations():
    with effort.limited(100) as limit:
        with effort.at_most(30) as part:
            assert part.spend(31)
            assert part.is_spent
        assert limit.left == 70
        with effort.at_most(1000) as part:
            part.spend(20)
        assert limit.left == 50
    with effort.at_most(5) as part:
        part.spend(1)
    assert not part.is_spent
