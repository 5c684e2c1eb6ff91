"""The plan verifier tells equal boxes equal, and still finds what is missing."""

import importlib
from dataclasses import replace

import numpy as np
import pytest

import weft
from tests.plan.simulated import DEVICE, Simulated, placed
from weft.errors import InternalError
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.types import FLOAT64, PYINT, View
from weft.ir.visit import rewrite, walk
from weft.plan.place import place
from weft.plan.transfers import check
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise

transfers = importlib.import_module("weft.plan.transfers.transfers")


def reversed_tail(n, a):
    tail = a[1:][::-1]
    for i in range(min(n, len(tail))):
        a[i] = tail[i]


def program():
    values = (5, np.arange(9.0))
    return placed(build(reversed_tail, tuple(describe(v, k) for v, k in zip(values, ("n", "a")))))


def test_a_side_with_a_shorter_form_inside_a_branch_is_the_same_side():
    check_plan(program())


def test_a_copy_that_is_missing_at_the_end_of_a_branch_is_found():
    def without(statement):
        is_copy = isinstance(statement, n.Copy) and statement.target == DEVICE
        return replace(statement, source=DEVICE, target="host") if is_copy else statement

    broken = program()
    with pytest.raises(InternalError, match="may be old"):
        check_plan(replace(broken, body=rewrite(broken.body, without)))


@pytest.mark.parametrize("count", [-2, 0, 1, 3, 4, 5, 20])
@pytest.mark.parametrize("size", [0, 1, 2, 5, 8])
def test_a_reversed_tail_written_over_its_array_is_right(count, size):
    expected, found = np.arange(float(size)), np.arange(float(size))
    reversed_tail(count, expected)
    Simulated(reversed_tail)(count, found)
    np.testing.assert_array_equal(found, expected)


def first_elements_apart(n, a, b):
    for i in range(4):
        a[i] = a[i] + b[i]
    for i in range(1, n - 1):
        a[i] *= 0.5
    for i in range(2 * n + 7):
        b[i] = b[i] + a[i]


def parts_by_branch(n, a, b):
    if b[1] > 0.0:
        for i in range(4):
            a[i] *= 0.5
    else:
        for i in range(n):
            a[i] *= 0.5
    for i in range(2 * n + 7):
        a[i] = b[1] + i
    with weft.device("cpu"):
        for i in range(4):
            a[i] = a[i] + b[i]


def plan_of(function):
    values = (5, np.arange(20.0), np.arange(20.0))
    return placed(build(function, tuple(describe(v, k) for v, k in zip(values, ("n", "a", "b")))))


def test_sizes_of_which_nothing_is_known_are_looked_at_in_cases(monkeypatch):
    program = plan_of(parts_by_branch)
    check_plan(program)
    monkeypatch.setattr(check, "MOST_CASES", 1)
    with pytest.raises(InternalError, match="may be old"):
        check_plan(program)


def test_a_missing_copy_is_found_in_whatever_case_it_matters():
    program = plan_of(first_elements_apart)
    copies = [s for s in walk(program.body) if isinstance(s, n.Copy)]
    for missing in copies:
        left = rewrite(program.body, lambda s, missing=missing: () if s is missing else s)
        with pytest.raises(InternalError, match="may be old"):
            check_plan(replace(program, body=left))


def sent_in_every_iteration(n, a, b):
    for i in range(4):
        b[i] = 0.5 * b[i] + 0.25
    for t in range(n - 2):
        for i in range(4):
            a[i] = a[i + 1] * 0.5
        for i in range(n, 2 * n):
            b[i] = b[i] + a[i]


def test_the_host_waits_for_the_copy_of_the_iteration_before_it_writes():
    program = plan_of(sent_in_every_iteration)
    check_plan(program)
    (loop,) = (s for s in walk(program.body) if isinstance(s, n.For) and s.label == "t")
    inner = loop.body.statements
    sent = [k for k, s in enumerate(inner) if isinstance(s, n.Copy) and s.target == DEVICE and s.view.stem == "a"]
    assert sent and any(isinstance(s, n.Wait) for s in inner)
    without = replace(loop, body=replace(loop.body, statements=tuple(s for s in inner if not isinstance(s, n.Wait))))
    with pytest.raises(InternalError, match="written while it is being copied"):
        check_plan(replace(program, body=rewrite(program.body, lambda s: without if s is loop else s)))


def test_a_plan_that_is_not_proven_gives_way_to_the_naive_one(monkeypatch):
    function = sent_in_every_iteration
    values = (5, np.arange(20.0), np.arange(20.0))
    program = optimise(build(function, tuple(describe(v, k) for v, k in zip(values, ("n", "a", "b")))))
    naive = place(program, DEVICE, frozenset({"placement"})).program
    assert copies_of(place(program, DEVICE).program) < copies_of(naive)
    monkeypatch.setattr(transfers, "is_proven", lambda placed, there: False)
    assert copies_of(place(program, DEVICE).program) == copies_of(naive)


def copies_of(program):
    """How many copies stand in the loops of a plan."""
    loops = [s for s in walk(program.body) if isinstance(s, n.For)]
    return sum(isinstance(s, n.Copy) for loop in loops for s in walk(loop.body))


def row_by_row(x):
    last = 0.0
    for k in range(1, x.shape[0]):
        with weft.device("cpu"):
            for j in range(1):
                last = abs(last - x[k - 1, j])
        for j in range(x.shape[1]):
            x[k, j] = 2.0 * x[k - 1, j]
    return last


def test_what_an_iteration_leaves_old_is_not_taken_for_the_same_place_in_the_next_one():
    """Row `k` is old at the end of an iteration, and row `k - 1` is read in the next one: the same row."""
    right = placed(build(row_by_row, (describe(np.ones((4, 3))),)))
    (loop,) = (
        s for s in walk(right.body) if isinstance(s, n.For) and any(isinstance(k, n.Launch) for k in walk(s.body))
    )
    array, columns = right.params[0].var, n.Var("columns", PYINT)
    row, one = n.Var("row", View(FLOAT64, 2)), n.Const(1)
    axes = n.Slice(loop.index, one, one), n.Slice(n.Const(0), columns, one)

    def with_row(statement):
        if isinstance(statement, n.Copy):
            return ()
        if not isinstance(statement, n.Launch):
            return statement
        cut = n.Let(columns, n.Dim(array, 1)), n.Let(row, n.Subview(array, axes, "safe"))
        return *cut, replace(statement, writes=(row,))

    late = replace(loop, body=rewrite(loop.body, with_row))
    with pytest.raises(InternalError, match="x is used by the host"):
        check_plan(replace(right, body=rewrite(right.body, lambda s: late if s == loop else s)))


def in_place(a, b):
    for i in range(a.shape[0] - 3):
        for j in range(a.shape[1]):
            b[i, j] = a[i, j] + b[i + 3, j]


def test_rows_that_the_host_computes_anew_where_a_kernel_fails_are_told_from_others():
    program = optimise(build(in_place, (describe(np.ones((9, 4))), describe(np.ones((9, 4), np.int32)))))
    check_plan(place(program, DEVICE, slabs=True).program)
