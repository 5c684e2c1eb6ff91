"""Interchange, distribution and peeling: when they are legal, and why not."""

from __future__ import annotations

import numpy as np
import pytest

from weft.analysis.access.access import table
from weft.analysis.dependence.legality import can_distribute, can_interchange, can_peel
from weft.transform.safety.bounds import bounds
from weft.transform.safety.index_limits import index_limits
from weft.transform.simplify.dce import dce
from weft.transform.simplify.fold import fold
from weft.transform.simplify.licm import licm
from weft.transform.simplify.unchecked import unchecked

from .tools import MATRIX, VECTOR, program_of


def prepared(function, *arguments):
    """The table of a program whose accesses are assumed to be inside, so that nothing raises."""
    program = program_of(function, *arguments)
    for run in (fold, dce, index_limits, bounds, unchecked, licm, dce):
        program = run(program)
    return table(program)


# ------------------------------------------------------------------------------------------------ interchange


def test_independent_loops_change_places():
    def f(a, b):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] = b[i, j] + 1.0

    assert can_interchange(prepared(f, MATRIX, MATRIX), "i", "j").legal


def test_a_dependence_along_one_axis():
    def f(a):
        for i in range(1, a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] = a[i - 1, j]

    assert can_interchange(prepared(f, MATRIX), "i", "j").legal


def test_a_dependence_down_and_to_the_right():
    def f(a):
        for i in range(1, a.shape[0]):
            for j in range(1, a.shape[1]):
                a[i, j] = a[i - 1, j - 1]

    assert can_interchange(prepared(f, MATRIX), "i", "j").legal


def test_a_dependence_down_and_to_the_left():
    def f(a):
        for i in range(1, a.shape[0]):
            for j in range(a.shape[1] - 1):
                a[i, j] = a[i - 1, j + 1]

    found = can_interchange(prepared(f, MATRIX), "i", "j")
    assert not found.legal
    assert "must come before" in found.reason
    assert len(found.between) == 2


def test_a_triangle():
    def f(a):
        for i in range(a.shape[0]):
            for j in range(i):
                a[i, j] = 0.0

    assert "range of the inner loop" in can_interchange(prepared(f, MATRIX), "i", "j").reason


def test_statements_between_the_loops():
    def f(a, b):
        for i in range(a.shape[0]):
            b[i] = 1.0
            for j in range(a.shape[1]):
                a[i, j] = 0.0

    assert "between the loops" in can_interchange(prepared(f, MATRIX, VECTOR), "i", "j").reason


@pytest.mark.parametrize(("dtype", "legal"), [(np.int64, True), (np.float64, False)])
def test_only_exact_folds_change_their_order(dtype, legal):
    def f(a, s):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                s += a[i, j]
        return s

    assert can_interchange(prepared(f, np.zeros((3, 3), dtype), dtype(0)), "i", "j").legal is legal


def test_an_exception_keeps_its_place():
    def f(a, p):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                a[p[i], j] = 0.0

    assert "exception" in can_interchange(prepared(f, MATRIX, np.zeros(3, np.int64)), "i", "j").reason


# ----------------------------------------------------------------------------------------------- distribution


def test_a_writer_moves_before_a_reader():
    def f(a, b, c):
        for i in range(1, len(a)):
            a[i] = b[i - 1]
            b[i] = c[i]

    access = prepared(f, VECTOR, VECTOR, VECTOR)
    found = can_distribute(access, "i")
    assert found.legal, found.reason
    assert not any(group.carries for group in found.groups)
    body = access.structure.loops["i"].node.body
    stored = [body.statements[group.positions[-1]].view.stem for group in found.groups]
    assert stored == ["b", "a"]


def test_a_recurrence_stays_alone():
    def f(a, b, x):
        for i in range(1, len(a)):
            a[i] = b[i] * 2.0
            x[i] = x[i - 1] * x[i - 1] + a[i]

    found = can_distribute(prepared(f, VECTOR, VECTOR, VECTOR), "i")
    assert found.legal
    assert [group.carries for group in found.groups] == [False, True]


def test_a_cycle_stays_together():
    def f(a, b):
        for i in range(1, len(a)):
            a[i] = b[i - 1] + 1.0
            b[i] = a[i] * 2.0

    assert not can_distribute(prepared(f, VECTOR, VECTOR), "i").legal


def test_values_that_cross():
    def f(a, b, c):
        for i in range(1, len(a)):
            t = c[i] * 2.0
            a[i] = t
            b[i] = b[i - 1] * b[i - 1] + t

    found = can_distribute(prepared(f, VECTOR, VECTOR, VECTOR), "i")
    assert found.legal
    assert len(found.groups) == 2
    assert found.crossing


# ---------------------------------------------------------------------------------------------------- peeling


def test_the_first_iteration_writes_what_all_read():
    def f(a, b):
        for i in range(len(a)):
            a[i] = a[0] + b[i]

    found = can_peel(prepared(f, VECTOR, VECTOR), "i")
    assert (found.first, found.last) == (True, False)


def test_the_last_iteration_writes_what_all_read():
    def f(a, b):
        for i in range(len(a)):
            a[i] = a[len(a) - 1] + b[i]

    found = can_peel(prepared(f, VECTOR, VECTOR), "i")
    assert (found.first, found.last) == (False, True)


def test_a_recurrence_is_not_peeled():
    def f(a):
        for i in range(1, len(a)):
            a[i] = a[i - 1]

    found = can_peel(prepared(f, VECTOR), "i")
    assert (found.first, found.last) == (False, False)


def test_there_is_nothing_to_peel():
    def f(a):
        for i in range(len(a)):
            a[i] = 0.0

    found = can_peel(prepared(f, VECTOR), "i")
    assert (found.first, found.last) == (False, False)
