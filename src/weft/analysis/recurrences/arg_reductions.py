"""Loops that look for an extreme and where it is: ``if x[j] > best: best, at = x[j], j``.

The threads of a block can share such a loop: each finds the extreme of its own iterations and the number of the one
that it is from; of extremes that are equal the one of the first iteration counts, or of the last under ``>=``.
"""

from __future__ import annotations

from typing import Literal

from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import Scalar
from weft.ir.visit import atoms_of

_SWAPPED: dict[str, n.CompareOp] = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


@dataclass(frozen=True)
class First:
    """What such a loop looks for.

    Attributes
    ----------
    position
        Which of the arguments is the extreme.
    value
        What an iteration contributes to it.
    test
        The comparison of that, on the left, with the extreme, by which it becomes the new one.
    found
        What the arguments are in the iteration that the extreme is from; it needs no memory but for the extreme.
    """

    position: int
    value: n.Var
    test: n.CompareOp
    found: tuple[n.Atom, ...]

    @property
    def combine(self) -> Literal["min", "max"]:
        """How extremes of several iterations are put together."""
        return "max" if self.test in ("gt", "ge") else "min"

    @property
    def is_first(self) -> bool:
        """Whether the first iteration counts where several have the extreme."""
        return self.test in ("gt", "lt")


def first_of(loop: n.For) -> First | None:
    """What a loop looks for; None where it does anything else."""
    lets = {s.var.name: s.value for s in loop.body.statements if isinstance(s, n.Let)}
    if not loop.args or loop.exit is not None or len(lets) < len(loop.body.statements) or not _are_pure(loop):
        return None
    chosen = [_chosen(y, arg, lets) for y, arg in zip(loop.body.yields, loop.args, strict=True)]
    tests = {test for test, _ in chosen}
    test = next(iter(tests))
    if len(tests) != 1 or test is None:
        return None
    found = tuple(value for _, value in chosen)
    carried = {arg.var.name for arg in loop.args}
    compare = lets[test]
    assert isinstance(compare, n.Compare)
    for position, arg in enumerate(loop.args):
        for left, right, op in (
            (compare.left, compare.right, compare.op),
            (compare.right, compare.left, _swap(compare)),
        ):
            if right == arg.var and left == found[position] and op in _SWAPPED and _is_number(arg.var):
                known = all(_is_known(value, lets, carried, k == position) for k, value in enumerate(found))
                return First(position, left, op, found) if known and isinstance(left, n.Var) else None
    return None


def _swap(compare: n.Compare) -> n.CompareOp:
    return _SWAPPED.get(compare.op, compare.op)


def _is_number(var: n.Var) -> bool:
    return isinstance(var.type, Scalar) and var.type.kind in "fiu"


def _are_pure(loop: n.For) -> bool:
    return not any(
        may_raise(s.value, s.var.type) or isinstance(s.value, n.Alloc)
        for s in loop.body.statements
        if isinstance(s, n.Let)
    ) and all(isinstance(arg.var.type, Scalar) for arg in loop.args)


def _chosen(value: n.Atom, arg: n.LoopArg, lets: dict[str, n.Expression]) -> tuple[str | None, n.Atom]:
    """Under which comparison an argument gets which new value, and stays as it is otherwise."""
    made = lets.get(value.name) if isinstance(value, n.Var) else None
    if not isinstance(made, n.Select) or made.orelse != arg.var or not isinstance(made.condition, n.Var):
        return None, value
    name = made.condition.name
    condition = lets.get(name)
    while isinstance(condition, n.Cast) and isinstance(condition.operand, n.Var):
        name = condition.operand.name
        condition = lets.get(name)
    return (name if isinstance(condition, n.Compare) else None), made.then


def _is_known(value: n.Atom, lets: dict[str, n.Expression], carried: set[str], may_load: bool) -> bool:
    """Whether a value follows from the iteration's number and from outside, of memory only where it `may_load`."""
    if not isinstance(value, n.Var):
        return True
    made = lets.get(value.name)
    if value.name in carried or (isinstance(made, n.Load) and not may_load):
        return False
    return made is None or all(_is_known(a, lets, carried, may_load) for a in atoms_of(made))
