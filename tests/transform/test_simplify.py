"""Folding, reuse, dead code, decided comparisons, selections."""

from __future__ import annotations

import numpy as np
import pytest

from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.types import FLOAT32, FLOAT64, PYBOOL, PYFLOAT, PYINT
from weft.transform.simplify.cse import cse
from weft.transform.simplify.dce import dce
from weft.transform.simplify.decide import decide
from weft.transform.simplify.fold import fold
from weft.transform.simplify.if_conversion import if_conversion

from .programs import inputs, lets, loops
from .same import check


def test_constants_are_computed():
    build = Builder("constants")
    total = build.add(build.mul(3, 4), build.binary("floordiv", -7, 2))
    program = check(build.program(total), fold, [])
    assert program.body == n.Block((), (n.Const(8),))


@pytest.mark.parametrize(
    ("op", "left", "right"),
    [("floordiv", 1, 0), ("add", 2**63 - 1, 1), ("shl", 1, 70), ("truediv", 1.0, 0.0)],
)
def test_what_would_raise_stays(op, left, right):
    build = Builder("raises")
    program = check(build.program(build.binary(op, left, right)), fold, [])
    assert len(program.body.statements) == 1


def test_a_nan_is_not_computed():
    build = Builder("nan")
    program = fold(build.program(build.sub(build.const(float("inf")), float("inf"))))
    assert len(program.body.statements) == 1


def test_identities_of_floats_keep_the_sign_of_zero():
    build = Builder("zeros")
    x = build.param("x", FLOAT64)
    program = build.program(build.add(x, 0.0), build.sub(x, 0.0), build.mul(x, 1.0), build.mul(x, 0.0))
    folded = check(program, fold, *([np.float64(v)] for v in (0.0, -0.0, 1.5, np.inf)))
    assert [e.op for e in lets(folded, n.Binary)] == ["add", "mul"]


def test_division_by_a_power_of_two_is_multiplication():
    build = Builder("halves")
    x = build.param("x", FLOAT32)
    program = build.program(
        build.binary("truediv", x, build.const(8.0, FLOAT32)), build.binary("truediv", x, build.const(3.0, FLOAT32))
    )
    folded = check(program, fold, *([np.float32(v)] for v in (1e-45, 3e38, -7.0)))
    assert [e.op for e in lets(folded, n.Binary)] == ["mul", "truediv"]


def test_a_decided_branch_goes():
    build = Builder("branch")
    with build.when(True) as branch:
        branch.yields(1)
        with branch.otherwise():
            branch.yields(2)
    assert check(build.program(branch.results[0]), fold, []).body == n.Block((), (n.Const(1),))


def test_loops_of_no_and_of_one_iteration_go():
    build = Builder("short")
    with build.loop("i", 3, 3, {"s": 1}) as none:
        none.carry(build.add(none["s"], none.index))
    with build.loop("j", 3, 4, {"s": none.results[0]}) as one:
        one.carry(build.add(one["s"], one.index))
    assert not loops(check(build.program(one.results[0]), fold, []))


def test_arguments_that_never_change_go_through_nested_loops():
    build = Builder("unchanging")
    x = build.param("x", PYFLOAT)
    with build.loop("i", 0, 4, {"a": x}) as outer:
        with build.loop("j", 0, 4, {"a": outer["a"]}) as inner:
            inner.carry(inner["a"])
        outer.carry(inner.results[0])
    program = check(build.program(outer.results[0]), fold, [2.5])
    assert program.body.yields == (x,)
    assert not any(loop.args for loop in loops(program).values())


def test_an_exit_that_may_be_false_at_once_stays():
    build = Builder("exit")
    alive = build.param("alive", PYBOOL)
    with build.loop("i", 0, 4, {"alive": alive, "k": 0}, exit=0) as loop:
        loop.carry(loop["alive"], build.add(loop["k"], 1))
    program = check(build.program(loop.results[1]), fold, [True], [False])
    assert loops(program)["i"].exit == 0


def test_equal_expressions_are_computed_once():
    build = Builder("twice")
    x, y = build.param("x", FLOAT64), build.param("y", FLOAT64)
    program = build.program(build.add(build.mul(x, y), build.mul(y, x)))
    assert [e.op for e in lets(check(program, cse, [np.float64(2), np.float64(3)]), n.Binary)] == ["mul", "add"]


def test_elements_are_loaded_again_after_a_store_that_may_change_them():
    build = Builder("loads")
    a, b = build.array("a", FLOAT64), build.array("b", FLOAT64)
    first = build.load(a, 0)
    build.store(b, 0, value=first)
    same = build.load(a, 0)
    build.store(a, 1, value=same)
    changed = build.load(a, 0)
    program = check(build.program(build.add(same, changed)), cse, *inputs(build.program(), sizes=(3,)))
    assert len(lets(program, n.Load)) == 2


def test_a_stored_value_is_not_loaded():
    build = Builder("forwarded")
    a = build.array("a", FLOAT64)
    build.store(a, 0, value=1.5)
    program = build.program(build.load(a, 0))
    assert not lets(check(program, cse, *inputs(program)), n.Load)


def test_dead_code_goes_and_what_may_raise_stays():
    build = Builder("dead")
    a, x = build.array("a", FLOAT64), build.param("x", FLOAT64)
    build.mul(x, x)
    build.load(a, 2)
    program = build.program(x)
    cleaned = check(program, dce, *inputs(program))
    assert len(cleaned.body.statements) == 1


def test_unused_carried_values_and_empty_loops_go():
    build = Builder("unused")
    a = build.array("a", FLOAT64)
    with build.loop("i", 0, build.dim(a), {"s": build.const(0.0, FLOAT64), "t": build.const(0.0, FLOAT64)}) as loop:
        loop.carry(build.add(loop["s"], 1.0), build.add(loop["t"], loop["s"]))
    with build.loop("j", 0, build.dim(a), {"u": build.const(0.0, FLOAT64)}) as other:
        other.carry(build.add(other["u"], 1.0))
    program = build.program(loop.results[0])
    cleaned = check(program, dce, *inputs(program))
    assert [len(found.args) for found in loops(cleaned).values()] == [1]


def test_comparisons_that_loop_bounds_decide():
    build = Builder("decided")
    a = build.array("a", FLOAT64)
    with build.loop("i", 1, build.dim(a)) as loop:
        with build.when(build.compare("gt", loop.index, 0)):
            build.store(a, loop.index, value=1.0)
    program = build.program()
    decided = check(program, lambda p: fold(decide(p)), *inputs(program))
    assert not any(isinstance(s, n.If) for s in loops(decided)["i"].body.statements)


def test_cheap_branches_become_selections_and_accesses_stay_guarded():
    build = Builder("selected")
    a, x = build.array("a", FLOAT64), build.param("x", FLOAT64)
    with build.when(build.compare("gt", x, 1.0)) as cheap:
        cheap.yields(build.mul(x, 2.0))
        with cheap.otherwise():
            cheap.yields(x)
    with build.when(build.compare("gt", x, 1.0)) as guarded:
        guarded.yields(build.load(a, 0))
        with guarded.otherwise():
            guarded.yields(x)
    program = build.program(build.add(cheap.results[0], guarded.results[0]))
    selected = check(program, if_conversion, *inputs(program, 0.5), *inputs(program, 1.5))
    assert len([s for s in selected.body.statements if isinstance(s, n.If)]) == 1


def test_nothing_is_computed_with_a_value_that_was_never_given():
    build = Builder("undefined")
    undefined = build.let(n.Undefined(), PYINT)
    with build.loop("i", 0, 3, {"last": undefined}) as loop:
        with build.when(build.compare("gt", loop.index, 0)) as branch:
            branch.yields(build.compare("eq", loop["last"], 0))
            with branch.otherwise():
                branch.yields(False)
        loop.carry(loop.index)
    program = check(build.program(loop.results[0]), if_conversion, [])
    assert any(isinstance(s, n.If) for s in loops(program)["i"].body.statements)
