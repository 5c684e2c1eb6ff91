"""Separate extremes: the least and the greatest number, found by tests of which one waits for the other.

``if x < low: low = x elif x > high: high = x`` changes `high` only where the first test fails: neither is a fold.
But where both begin with the same number, `low` is never above `high`: what is below `low` is not above `high`, and the
first test says nothing to the second. Where they begin as NaN, no test ever holds.

For values that the loops around carry from their beginning on, and change nowhere else. Not where they begin with
different numbers: with ``low = inf`` and ``high = -inf``, the first number is not tested against `high`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.visit import rewrite, walk
from weft.transform.support import on_blocks

OTHERS = {"lt": "gt", "gt": "lt"}

Definitions = Mapping[str, n.Expression]


def separate_extremes(program: n.Program) -> n.Program:
    """Take tests of one extreme out of the way of the other."""
    return on_blocks(program, _changed)


def _changed(block: n.Block) -> n.Block:
    loops = [s for s in walk(block) if isinstance(s, n.For) and len(s.args) > 1]
    if not loops:
        return block
    values = {s.var.name: s.value for s in walk(block) if isinstance(s, n.Let)}
    carried = {arg.var.name: (loop, place) for loop in loops for place, arg in enumerate(loop.args)}
    free = {
        value.name: inner
        for loop in loops
        for value in loop.body.yields
        if isinstance(value, n.Var) and (inner := _free(value, loop, values, carried)) is not None
    }
    if not free:
        return block

    def change(statement: n.Statement) -> n.Statement:
        if isinstance(statement, n.Let) and statement.var.name in free:
            return replace(statement, value=free[statement.var.name])
        return statement

    return rewrite(block, change)


Places = Mapping[str, tuple[n.For, int]]


def _free(value: n.Var, loop: n.For, values: Definitions, carried: Places) -> n.Select | None:
    """What an iteration makes of an extreme without the test of the other one; None where that may differ."""
    outer = values.get(value.name)
    if not isinstance(outer, n.Select) or not isinstance(outer.then, n.Var) or not isinstance(outer.orelse, n.Var):
        return None
    mine, inner = outer.then, values.get(outer.orelse.name)
    first = _test(outer.condition, values, carried)
    if first is None or not isinstance(inner, n.Select) or mine.name not in carried:
        return None
    op, number, other = first
    if inner != n.Select(inner.condition, number, mine):
        return None
    if _test(inner.condition, values, carried) != (OTHERS[op], number, mine):
        return None
    if carried[mine.name][0] is not loop or carried[other.name][0] is not loop or mine == other:
        return None
    if loop.body.yields[carried[mine.name][1]] != value:
        return None
    if _definition(loop.body.yields[carried[other.name][1]], values) != n.Select(outer.condition, number, other):
        return None
    return inner if _begin_as_one(loop, mine, other, carried) else None


def _test(condition: n.Atom, values: Definitions, carried: Places) -> tuple[str, n.Atom, n.Var] | None:
    """A test of a number against a carried value: how it compares, the number, the value."""
    test = _definition(condition, values)
    if not isinstance(test, n.Compare) or test.op not in OTHERS:
        return None
    if isinstance(test.right, n.Var) and test.right.name in carried:
        return test.op, test.left, test.right
    if isinstance(test.left, n.Var) and test.left.name in carried:
        return OTHERS[test.op], test.right, test.left
    return None


def _definition(atom: n.Atom, values: Definitions) -> n.Expression | None:
    return values.get(atom.name) if isinstance(atom, n.Var) else None


def _begin_as_one(loop: n.For, mine: n.Var, other: n.Var, carried: Places) -> bool:
    """Whether two carried values are the same before the outermost loop, and only a loop changes them."""
    while True:
        places = [carried[v.name][1] for v in (mine, other)]
        one, two = (loop.args[place].init for place in places)
        if one == two:
            return True
        if not isinstance(one, n.Var) or not isinstance(two, n.Var):
            return False
        if one.name not in carried or two.name not in carried or carried[one.name][0] is not carried[two.name][0]:
            return False
        around = carried[one.name][0]
        ends = [around.body.yields[carried[v.name][1]] for v in (one, two)]
        if ends != [loop.results[place] for place in places]:
            return False
        loop, mine, other = around, one, two
