"""What nobody needs goes; what has an effect stays, wherever it stands."""

import pytest

from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, View
from weft.transform.simplify.dce import cleaned

ARRAY = n.Var("array", View(PYINT, 1))
ZERO = n.Const(0)


def test_a_statement_that_stands_in_several_branches_stays_in_all():
    conditions = [n.Var(f"c.{k}", PYBOOL) for k in range(3)]
    shared = n.Raise("ValueError", "negative")
    branches = tuple(n.If(c, n.Block((shared,))) for c in conditions)
    assert cleaned(n.Block(branches)).statements == branches


def numbers(stem, count):
    return [n.Var(f"{stem}.{k}", PYINT) for k in range(count)]


def loop(label, statements, carried, yields, exit=None):
    """A loop that carries values from zero on."""
    results = tuple(n.Var(f"{var.name}.last", var.type) for var in carried)
    args = tuple(n.LoopArg(var, n.Const(0, var.type)) for var in carried)
    body = n.Block(tuple(statements), tuple(yields))
    return n.For(label, n.Var(label, PYINT), ZERO, n.Const(9), body, args, results, exit)


def store(value):
    return n.Store(ARRAY, (ZERO,), value, "safe")


def let(var, left, right):
    return n.Let(var, n.Binary("add", left, right, checked=False))


@pytest.mark.parametrize("count", (1, 2, 5))
def test_values_that_later_iterations_need_stay_and_others_go(count):
    """Each of some values becomes the next one; the last is stored. Others go round as well, and nobody looks."""
    handed, idle, more, sums = (numbers(stem, count) for stem in ("handed", "idle", "more", "sum"))
    found = n.Var("found", PYINT)
    first = let(found, n.Var("i", PYINT), n.Const(1))
    lets = [let(total, value, n.Const(1)) for total, value in zip(sums, more, strict=True)]
    carried, yields = [*idle, *handed, *more], [*idle, found, *handed[:-1], *sums]
    whole = loop("i", [first, *lets, store(handed[-1])], carried, yields)
    left = loop("i", [first, store(handed[-1])], handed, [found, *handed[:-1]])
    assert cleaned(n.Block((whole,))) == n.Block((left,))


def test_what_an_inner_loop_needs_of_an_earlier_iteration_of_the_outer_one_stays():
    outer, inner, total = numbers("outer", 2), numbers("inner", 2), n.Var("total", PYINT)
    nested = loop("j", [let(total, inner[1], outer[1]), store(inner[1])], inner, [total, inner[0]])
    whole = n.Block((loop("i", [nested], outer, [nested.results[0], outer[0]]),))
    assert cleaned(whole) is whole


def test_a_loop_in_which_nothing_is_done_goes_with_its_exit():
    alive = n.Var("alive", PYBOOL)
    idle = loop("i", [], [alive], [alive], exit=0)
    assert cleaned(n.Block((idle,))) == n.Block()


def test_a_loop_that_is_kept_keeps_its_exit():
    alive, idle = n.Var("alive", PYBOOL), n.Var("idle", PYINT)
    whole = loop("i", [store(ZERO)], [idle, alive], [idle, alive], exit=1)
    assert cleaned(n.Block((whole,))) == n.Block((loop("i", [store(ZERO)], [alive], [alive], exit=0),))


def test_a_loop_that_may_never_end_stays_without_what_nobody_needs():
    alive, idle = n.Var("alive", PYBOOL), n.Var("idle", PYINT)
    args = (n.LoopArg(idle, ZERO), n.LoopArg(alive, n.Const(True, PYBOOL)))
    results = (n.Var("idle.last", PYINT), n.Var("alive.last", PYBOOL))
    whole = n.While("w", n.Block((), (alive,)), n.Block((), (idle, alive)), args, results)
    left = n.While("w", n.Block((), (alive,)), n.Block((), (alive,)), args[1:], results[1:])
    assert cleaned(n.Block((whole,))) == n.Block((left,))
