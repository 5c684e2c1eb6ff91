"""Loops that stand twice, behind a test of what only the values at the call decide."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.errors import RaceError
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import run
from weft.ir.visit import walk
from weft.transform.parallel.runtime_dependence import runtime_dependence
from weft.transform.pipeline import prepared

from .same import outcome


def transformed(function, *arguments):
    """The program before and after the pass, for a function and arguments like those given."""
    before = prepared(build(function, [describe(a) for a in arguments]))
    after = runtime_dependence(before)
    verify(after)
    return before, after


def ways(program):
    """How the loops over `i` run."""
    return sorted(s.mapping for s in walk(program.body) if isinstance(s, n.For) and s.label.startswith("i"))


def assert_like(before, after, *arguments):
    """Both programs leave the same arrays and raise the same."""
    expected, found = outcome(before, arguments), outcome(after, arguments)
    assert expected[2] == found[2]
    for a, b in zip((*expected[0], *expected[1]), (*found[0], *found[1]), strict=True):
        np.testing.assert_array_equal(a, b)


def scatter(p, x, out):
    for i in range(len(p)):
        out[p[i]] = x[i]


def claimed_scatter(p, x, out):
    for i in weft.prange(len(p)):
        out[p[i]] = x[i]


def costly_scatter(p, x, out):
    for i in range(len(p)):
        s = 0.0
        for k in range(200):
            s += np.sin(x[i] + k)
        out[p[i]] = s


def sparse_rows(start, value):
    for i in range(len(start) - 1):
        for k in range(start[i], start[i + 1]):
            value[k] = value[k] * value[k] + 1.0


PLACES = np.array([2, 0, 1])


def test_a_cheap_scatter_is_left_alone():
    before, after = transformed(scatter, PLACES, np.ones(3), np.zeros(3))
    assert after is before


def test_a_costly_scatter_is_tested():
    before, after = transformed(costly_scatter, PLACES, np.ones(3), np.zeros(3))
    assert "parallel" in ways(after)
    assert "sequential" in ways(after)
    for places in (PLACES, PLACES - 3, np.array([1, 1, 0]), np.array([0, 1, 3]), PLACES[:0]):
        assert_like(before, after, places, np.ones(3), np.zeros(3))


def test_few_iterations_over_many_elements_make_no_marks():
    before, after = transformed(costly_scatter, PLACES, np.ones(3), np.zeros(3))
    assert_like(before, after, PLACES, np.ones(3), np.zeros(10_000))


def test_rows_are_parallel_where_their_bounds_never_decrease():
    before, after = transformed(sparse_rows, PLACES, np.ones(3))
    assert not any(isinstance(s, n.Let) and isinstance(s.value, n.Alloc) for s in walk(after.body))
    assert ways(after).count("parallel") == 1
    for start in ([0, 2, 2, 5], [0, 3, 2, 5], [0], [], [0, 9], [-2, 1, 3]):
        assert_like(before, after, np.array(start, np.int64), np.arange(5.0))


def test_a_claim_is_tested_whatever_it_costs():
    before, after = transformed(claimed_scatter, PLACES, np.ones(3), np.zeros(3))
    assert "parallel" in ways(after)
    for places in (PLACES, PLACES - 3, np.array([0, 1, 3]), PLACES[:0]):
        assert_like(before, after, places, np.ones(3), np.zeros(3))


@pytest.mark.parametrize("places", [[1, 1, 0], [0, 1, -2], [2, 0, -1]])
def test_a_wrong_claim_is_an_error_before_anything_is_written(places):
    _, after = transformed(claimed_scatter, PLACES, np.ones(3), np.zeros(3))
    out = np.zeros(3)
    with pytest.raises(RaceError) as caught:
        run(after, [np.array(places), np.ones(3), out])
    assert "the same element out[" in str(caught.value)
    assert caught.value.other is not None
    np.testing.assert_array_equal(out, 0)


def test_a_fault_before_the_race_is_found_raises_as_written():
    before, after = transformed(claimed_scatter, PLACES, np.ones(3), np.zeros(3))
    assert_like(before, after, np.array([0, 5, 0]), np.ones(3), np.zeros(3))


def test_indices_that_the_loop_writes_are_not_tested():
    def follow(p, x):
        for i in weft.prange(len(p)):
            p[p[i]] = x[i]

    before, after = transformed(follow, PLACES, PLACES)
    assert after is before


def test_a_loop_that_may_end_early_is_not_tested():
    def until(p, out):
        for i in weft.prange(len(p)):
            if p[i] < 0:
                break
            out[p[i]] = i

    before, after = transformed(until, PLACES, np.zeros(3))
    assert after is before


def test_the_users_word_is_not_tested():
    def trusted(p, out):
        for i in weft.assume_independent(range(len(p))):
            out[p[i]] = i

    before, after = transformed(trusted, PLACES, np.zeros(3))
    assert after is before
