"""How what a loop carries goes from one tile of its iterations to the next: what a tile is summed up by, and how.

A tile is a run of neighbouring iterations. A value that the loop folds by an associative operator is summed up by the
fold of the tile alone, started from what the operator leaves unchanged; a linear recurrence by its two coefficients; an
extreme by the extreme of the tile. What is the same in all iterations, or made anew in each, needs nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal, TypeAlias

from weft.analysis.access.access import AccessTable
from weft.analysis.access.structure import Loop
from weft.analysis.dependence.influence import is_effect
from weft.analysis.dependence.loop_facts import LoopFact
from weft.analysis.dependence.verdicts import Verdicts
from weft.analysis.recurrences.chains import ASSIGN
from weft.analysis.recurrences.recurrences import LINEAR, Carried
from weft.analysis.values.ranges import branches_of
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import PYINT, Scalar
from weft.ir.visit import walk

Rule: TypeAlias = Literal["kept", "fold", "extreme", "linear", "assigned", "called"]
FOLDS = frozenset({"add", "mul", "and", "or", "xor"})
VERDICTS = frozenset({"scan", "search", "compaction", "reduction"})
KEPT = frozenset({"unchanged", "dead", "last", "exit"})


@dataclass(frozen=True)
class Part:
    """How one carried value goes from tile to tile.

    Attributes
    ----------
    place
        Its position among the arguments of the loop.
    rule
        ``kept``: the tiles need not know it. ``fold``: combined by `operator`. ``extreme``: the smallest or largest.
        ``linear``: multiplied by one number, then another is added. ``assigned``: replaced, where a tile does so.
        ``called``: combined by a function that is associative by the user's word, where a tile contributes anything.
    operator
        For folds and extremes.
    value
        What the carried value is; see `weft.analysis.recurrences.recurrences`.
    companions
        For an extreme: the places of what is replaced with it.
    """

    place: int
    rule: Rule
    operator: str
    value: Carried
    companions: tuple[int, ...] = ()


@dataclass(frozen=True)
class Tiling:
    """How a loop is cut into tiles: a part for every carried value but companions."""

    loop: Loop
    fact: LoopFact
    parts: tuple[Part, ...]

    @property
    def summed(self) -> tuple[Part, ...]:
        """The parts that a tile has to be summed up by."""
        return tuple(p for p in self.parts if p.rule != "kept")


def tiling(verdicts: Verdicts, loop: Loop, associative: Collection[str] = ()) -> Tiling | None:
    """How a loop is cut into tiles; None where it cannot be, or has no use for it."""
    node, fact = loop.node, verdicts.loops[loop.label]
    if not isinstance(node, n.For) or node.index.type != PYINT or fact.verdict not in VERDICTS:
        return None
    if fact.conditions or fact.private or fact.updates or fact.scans or not all(map(_is_suited, walk(node.body))):
        return None
    parts = tuple(_parts(verdicts.table, loop, fact, associative))
    summed = sum(p.rule != "kept" for p in parts)
    known = len(parts) + sum(len(p.companions) for p in parts)
    if known < len(node.args) or (node.exit is None and not summed):
        return None
    return Tiling(loop, fact, parts)


def _is_suited(statement: n.Statement) -> bool:
    """Whether a statement is of a kind that may be run twice, but for its stores."""
    if isinstance(statement, (n.Call, n.While)):
        return isinstance(statement, n.Call) and not is_effect(statement)
    return isinstance(statement, (n.Let, n.Store, n.For, n.If, n.Raise))


def _parts(table: AccessTable, loop: Loop, fact: LoopFact, associative: Collection[str]) -> Iterator[Part]:
    node = loop.node
    assert isinstance(node, n.For)
    for value in fact.carried:
        same = _changes_only_at_the_end(table, node, value.place)
        rule: Rule | None = "kept" if same else _rule(node, value, associative)
        if rule is not None:
            partners = (c for c in fact.carried if c.kind == "companion" and c.partner == value.place)
            yield Part(value.place, rule, _operator(value), value, tuple(c.place for c in partners))


def _changes_only_at_the_end(table: AccessTable, node: n.For, place: int) -> bool:
    """Whether a carried value keeps its value in every iteration after which the loop goes on."""
    if node.exit is None or place == node.exit:
        return False
    ends, value = (_choice(table, node.body.yields[k]) for k in (node.exit, place))
    if ends is None or value is None or ends[0] != value[0]:
        return False
    going_on = [side for end, side in zip(ends[1:], value[1:], strict=True) if end != n.Const(False, end.type)]
    return len(going_on) == 1 and going_on[0] == node.args[place].var


def _choice(table: AccessTable, atom: n.Atom) -> tuple[n.Atom, n.Atom, n.Atom] | None:
    """The condition and the two values between which a value is chosen."""
    return branches_of(table.structure.definition(atom)) if isinstance(atom, n.Var) else None


def _operator(value: Carried) -> str:
    return "add" if value.kind == "induction" else value.operator or ""


def _rule(node: n.For, value: Carried, associative: Collection[str]) -> Rule | None:
    type = node.args[value.place].var.type
    if value.kind in KEPT:
        return "kept"
    if not isinstance(type, Scalar) or value.kind not in ("induction", "reduction", "scan", "counter"):
        return None
    operator = _operator(value)
    if operator == ASSIGN or operator in associative:
        return "assigned" if operator == ASSIGN else "called"
    if operator == LINEAR:
        return "linear" if _is_linear_type(type) else None
    if operator in ("min", "max"):
        return "extreme" if type.kind in "fiu" and type.bits > 16 else None
    if operator == "mul" and (type.kind == "c" or type == PYINT):
        return None
    return "fold" if operator in FOLDS and not (type.kind == "f" and type.bits == 16) else None


def _is_linear_type(type: Scalar) -> bool:
    return type.kind in "fiu" and type != PYINT and type.bits >= 32
