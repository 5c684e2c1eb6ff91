"""Closed forms, limits of sizes, proofs of accesses, versions of loops, checks that go."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.reference.interpreter import holds
from weft.ir.types import FLOAT64, INT64, PYFLOAT, PYINT
from weft.ir.visit import walk
from weft.transform.parallel.induction import induction
from weft.transform.pipeline import optimise
from weft.transform.safety.bounds import bounds
from weft.transform.safety.index_limits import index_limits
from weft.transform.safety.versions import versions
from weft.transform.simplify.fold import fold
from weft.transform.simplify.unchecked import unchecked

from .programs import flattened, inputs, lets, loops, sparse, stencil
from .same import assert_same, check


def all_bounds(program):
    """How the accesses of a program are treated."""
    nodes = [s.value if isinstance(s, n.Let) else s for s in walk(program.body)]
    return [node.bounds for node in nodes if isinstance(node, (n.Load, n.Store, n.Update, n.Subview))]


def test_an_induction_variable_is_a_function_of_the_counter():
    build = Builder("induction")
    a, count = build.array("a", FLOAT64), build.param("count", PYINT)
    with build.loop("i", 2, count, {"k": 3}) as loop:
        build.store(a, loop["k"], value=1.0)
        loop.carry(build.add(loop["k"], 2))
    program = build.program(loop.results[0])
    closed = check(program, induction, *inputs(program, sizes=(0, 1, 2, 7)), *inputs(program, 4, sizes=(20,)))
    assert not loops(closed)["i"].args


def test_an_induction_variable_after_a_loop_that_may_end_early_stays_carried():
    build = Builder("early")
    a = build.array("a", FLOAT64)
    with build.loop("i", 0, build.dim(a), {"alive": True, "k": 0}, exit=0) as loop:
        going = build.cast(build.compare("lt", build.load(a, loop["k"]), 0.5), loop["alive"].type)
        loop.carry(going, build.add(loop["k"], 1))
    program = build.program(loop.results[1])
    assert len(loops(check(program, induction, *inputs(program)))["i"].args) == 2


def test_guarded_steps_are_no_induction():
    build = Builder("guarded")
    a = build.array("a", FLOAT64)
    with build.loop("i", 0, build.dim(a), {"k": 0}) as loop:
        positive = build.compare("gt", build.load(a, loop.index), 0.0)
        loop.carry(build.select(positive, build.add(loop["k"], 1), loop["k"]))
    program = build.program(loop.results[0])
    assert loops(check(program, induction, *inputs(program)))["i"].args


def test_a_stencil_needs_no_test_and_one_condition_at_the_call():
    program = check(stencil(), lambda p: bounds(index_limits(p)), *inputs(stencil()))
    assert set(all_bounds(program)) == {"safe"}
    small = [np.zeros((6, 6)), np.zeros((5, 6))]
    assert holds(program, [np.zeros((6, 6)), np.zeros((6, 7))])
    assert holds(program, [np.zeros((6, 6)), np.zeros((5, 5))])  # the border of v is not written
    assert not holds(program, [np.zeros((6, 6)), np.zeros((4, 6))])
    assert_same(stencil(), optimise(stencil(), checked=True), small, [np.zeros((6, 6)), np.zeros((4, 6))])


def test_loops_that_do_not_run_put_no_condition():
    program = bounds(index_limits(stencil()))
    assert holds(program, [np.zeros((2, 9)), np.zeros((0, 0))])
    assert holds(program, [np.zeros((9, 1)), np.zeros((0, 0))])


def test_flattened_indices():
    program = check(
        flattened(), lambda p: bounds(index_limits(p)), *inputs(flattened(), 3, 2), *inputs(flattened(), 0, 9)
    )
    assert set(all_bounds(program)) == {"safe"}
    assert holds(program, [np.zeros(12), 3, 4])
    assert not holds(program, [np.zeros(11), 3, 4])
    assert not holds(program, [np.zeros(11), 2**40, 2**40])
    assert not holds(program, [np.zeros(11), 2**62, 4])


def test_the_variant_that_assumes_nothing_raises_where_python_does():
    program = optimise(flattened(), checked=True)
    assert program.assumption is None
    assert_same(flattened(), program, *inputs(flattened(), 3, 4), *inputs(flattened(), -3, 4))


def test_negative_constants_count_from_the_end():
    build = Builder("ends")
    a = build.array("a", FLOAT64)
    build.store(a, -1, value=build.load(a, -2))
    program = check(build.program(), lambda p: bounds(index_limits(p)), *inputs(build.program()))
    assert set(all_bounds(program)) == {"safe"}
    assert not holds(program, [np.zeros(1)])


def test_an_index_of_both_signs_stays():
    build = Builder("wraps")
    a, b = build.array("a", FLOAT64), build.array("b", FLOAT64)
    with build.loop("i", 0, build.dim(b)) as loop:
        build.store(b, loop.index, value=build.load(a, build.sub(loop.index, 1)))
    program = check(build.program(), bounds, *inputs(build.program()))
    assert all_bounds(program) == ["python", "safe"]


def test_guards_are_part_of_the_hull():
    build = Builder("guard")
    a, limit = build.array("a", FLOAT64), build.param("limit", PYINT)
    with build.loop("i", 0, limit) as loop:
        with build.when(build.compare("lt", loop.index, build.dim(a))):
            build.store(a, loop.index, value=1.0)
    program = check(build.program(), bounds, *inputs(build.program(), 7))
    assert all_bounds(program) == ["safe"]
    assert program.assumption is None


def test_a_condition_that_asks_too_much_is_not_made():
    build = Builder("doubling")
    a = build.array("a", FLOAT64)
    with build.while_loop({"k": 1}) as loop:
        with loop.test() as test:
            test.yields(build.compare("lt", build.mul(loop["k"], 2), build.dim(a)))
        build.store(a, build.add(loop["k"], loop["k"]), value=1.0)
        loop.carry(build.mul(loop["k"], 2))
    program = check(build.program(), lambda p: bounds(index_limits(p)), *inputs(build.program()))
    assert program.assumption is None or holds(program, [np.zeros(9)])


def test_rows_of_a_sparse_matrix_are_tested_once_each():
    program = versions(bounds(sparse()))
    rows = [np.array([0, 2, 2, 3]), np.array([0, 2, 1]), np.ones(3), np.arange(3.0), np.zeros(3)]
    wrong = [np.array([0, 2, 2, 4]), *rows[1:]]
    beyond = [rows[0], np.array([0, 9, 1]), *rows[2:]]
    assert_same(sparse(), program, rows, wrong, beyond)
    assert set(loops(program)) == {"i", "k", "k@2"}
    fast = [s.value for s in walk(loops(program)["k"].body) if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
    assert [load.bounds for load in fast] == ["safe", "python", "safe"] or sorted(load.bounds for load in fast) == [
        "python",
        "safe",
        "safe",
    ]


def test_arithmetic_of_indices_loses_its_checks():
    program = unchecked(index_limits(flattened()))
    assert not any(e.checked for e in lets(program, n.Binary) if e.left.type == PYINT)


def test_sums_of_data_keep_their_checks():
    build = Builder("data")
    a = build.array("a", INT64)
    with build.loop("i", 0, build.dim(a), {"s": 0}) as loop:
        loop.carry(build.add(loop["s"], build.cast(build.load(a, loop.index), PYINT)))
    program = build.program(loop.results[0])
    kept = check(program, lambda p: unchecked(index_limits(p)), *inputs(program), [np.array([2**62, 2**62, 1])])
    assert [e.checked for e in lets(kept, n.Binary)] == [True]


@pytest.mark.parametrize("offset", [1, 0])
def test_divisors_that_are_not_zero(offset):
    build = Builder("divisors")
    a = build.array("a", FLOAT64)
    with build.loop("i", 0, build.dim(a)) as loop:
        divisor = build.cast(build.add(loop.index, offset), PYFLOAT)
        build.store(a, loop.index, value=build.binary("truediv", 1.0, divisor))
    program = check(build.program(), unchecked, *inputs(build.program()))
    assert [e.checked for e in lets(program, n.Binary) if e.op == "truediv"] == [offset == 0]


def test_roots_of_sums_of_squares():
    build = Builder("roots")
    x, y = build.param("x", PYFLOAT), build.param("y", PYFLOAT)
    size = build.add(build.mul(x, x), build.mul(y, y))
    program = build.program(build.math("sqrt", size, strict=True), build.math("sqrt", x, strict=True))
    done = check(fold(program), unchecked, [3.0, 4.0], [-1.0, 2.0])
    assert [e.strict for e in lets(done, n.Math)] == [False, True]


def first_only(values):
    table = np.zeros(1)
    for i in range(values.shape[0]):
        table[i] = values[i]
    return table


def test_a_size_of_one_is_not_assumed():
    program = optimise(build(first_only, [describe(np.ones(3))]))
    assert all_bounds(program).count("check") == 1
    assert weft.jit(first_only)(np.ones(1)) == [1.0]
    with pytest.raises(IndexError):
        weft.jit(first_only)(np.ones(2))


def grown(count):
    found = []
    for k in range(count):
        found.append(k * 3)
    return sum(found)


def rows_of(groups):
    rows = [[] for _ in range(groups)]
    for k in range(groups * 4):
        rows[k % groups].append(k)
    return sum(len(row) for row in rows)


@pytest.mark.parametrize("function", [grown, rows_of])
def test_no_variant_assumes_that_a_loop_runs_at_most_once(function):
    program = optimise(build(function, (describe(7, "count"),)))
    assert program.assumption is not None and holds(program, (7,))
    assert weft.jit(function)(7) == function(7)
