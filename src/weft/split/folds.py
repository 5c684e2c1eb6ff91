"""Loops that fold: what a piece of one begins with, and what puts the pieces together.

A piece folds its own iterations. What the pieces give is folded in their order, by the same operators. Folds whose
operands may be grouped in any way have the bits of a loop that is not cut: whole numbers, logical values, extremes and
the places where they are. Sums and products of floats have not, so `Folds.rounded` says where they are; their pieces
give the partial results of groups of iterations, see `weft.split.cutting.Groups`.

What it refuses: Python integers whose sums may overflow in a piece where they do not in the loop; extremes under other
rules for NaN than those of ``max`` and ``min``; the place of the last of equal extremes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from weft.analysis.dependence.loop_facts import LoopFact
from weft.analysis.recurrences.recurrences import Carried
from weft.analysis.recurrences.updates import UpdatePair
from weft.ir import nodes as n
from weft.ir.interface import RESULT, VALUE, Returns, Source
from weft.ir.location import Location
from weft.ir.neutral import identity
from weft.ir.scribe import Scribe
from weft.ir.types import PYINT, Scalar, View
from weft.ir.visit import Names, atoms_of, blocks_of, defined_by, walk
from weft.runtime.arrays.memory import scalar_of
from weft.split.arguments import EXTREMES, REPEATABLE

GROUPED = REPEATABLE | {"add", "mul", "xor"}
"""Operators that Weft folds in other groups."""
SMALL = 1 << 20
"""Steps of counters that no loop is long enough for to overflow."""


@dataclass(frozen=True)
class Folds:
    """What a loop folds.

    Attributes
    ----------
    values
        What each value is that it carries.
    updates
        The operators by which it folds into elements of arrays, by the name of the argument.
    rounded
        Where floats are added or multiplied, whose roundings depend on the order, and the name of one of these sums.
    """

    values: tuple[Carried, ...] = ()
    updates: Mapping[str, str] = field(default_factory=dict)
    rounded: tuple[Location, str] | None = None
    carries_rounded: bool = False
    """Whether these are values that it carries, and all that it carries is folded."""


def folds_of(loop: n.For, fact: LoopFact, arguments: Mapping[str, str]) -> Folds | str:
    """What a loop folds; or why it cannot be cut, in words.

    Parameters
    ----------
    loop, fact
        The loop, and what is known of it.
    arguments
        The names of the arguments, by those of the parameters.
    """
    for arg, value in zip(loop.args, fact.carried, strict=True):
        why = _why_not(loop, arg, value, fact)
        if why:
            return why
    updates: dict[str, str] = {}
    for update in fact.updates:
        view = update.store.array
        if view.name not in arguments:
            return f"it folds into {view.stem}, which is no argument"
        name = arguments[view.name]
        if (why := _why_no_update(update)) or updates.setdefault(name, update.operator) != update.operator:
            return why or f"it folds into {name} by several operators"
    carried = [value.name for value in fact.carried if value.is_float and value.operator in ("add", "mul")]
    others = [arguments[u.store.array.name] for u in fact.updates if _is_float(u.store.array) and not _is_extreme(u)]
    sums = carried + others
    carries = bool(carried) and not others and all(value.kind == "reduction" for value in fact.carried)
    return Folds(fact.carried, updates, (loop.location, sums[0]) if sums else None, carries)


def _why_not(loop: n.For, arg: n.LoopArg, value: Carried, fact: LoopFact) -> str:
    """Why a carried value keeps a loop from being cut; empty where it does not."""
    name = value.name
    if value.kind == "dead":
        return ""
    if value.kind == "companion":
        partner = fact.carried[cast(int, value.partner)]
        return f"{name} is the place of the last of equal extremes" if partner.ties_last else ""
    if value.kind not in ("reduction", "scan") or value.operator not in GROUPED:
        return f"each iteration needs the {name} of the one before"
    if value.nan_replaces or value.nan_stays:
        return f"{name} is an extreme that treats NaN in another way than max and min"
    if value.ties_last and value.is_float:
        return f"{name} is the last of equal extremes"
    if arg.var.type == PYINT and value.operator not in REPEATABLE and not _grows_little(loop, arg.var):
        return f"{name} is a Python integer, whose sum might overflow in a piece where it does not in the whole loop"
    return ""


def _grows_little(loop: n.For, carried: n.Var) -> bool:
    """Whether a carried integer is changed by small constants only, outside of loops inside."""
    reached = {carried.name}
    for statement in walk(loop.body):
        yields = (a for block in blocks_of(statement) for a in block.yields)
        if not any(isinstance(a, n.Var) and a.name in reached for a in (*atoms_of(statement), *yields)):
            continue
        if isinstance(statement, (n.For, n.While)):
            return False
        reached.update(var.name for var in defined_by(statement))
        value = statement.value if isinstance(statement, n.Let) else None
        if isinstance(value, n.Binary):
            steps = [a.value for a in (value.left, value.right) if isinstance(a, n.Const)]
            if value.op not in ("add", "sub") or not steps or abs(steps[0]) > SMALL:
                return False
        elif not isinstance(statement, n.If) and not isinstance(value, n.Select):
            return False
    return True


def _why_no_update(update: UpdatePair) -> str:
    name, chain = update.store.array.stem, update.chain
    if update.operator not in GROUPED or update.store.fields:
        return f"it folds into {name} in a way that is not followed"
    if _is_extreme(update) and chain is None:
        return f"it folds into {name} under rules that are not followed"
    if chain is not None and (
        chain.nan_replaces or chain.nan_stays or (chain.ties_last and _is_float(update.store.array))
    ):
        return f"the extremes in {name} treat NaN or equal numbers in another way than max and min"
    return ""


def _is_extreme(update: UpdatePair) -> bool:
    return update.operator in EXTREMES


def _is_float(view: n.Var) -> bool:
    element = view.type.element if isinstance(view.type, View) else None
    return isinstance(element, Scalar) and element.kind in ("f", "c")


# ------------------------------------------------------------------------------------------------------ programs


def begun(loop: n.For, folds: Folds) -> n.For:
    """A loop that begins as a piece does."""
    args = (
        arg if value.kind in ("dead", "companion") or value.operator in REPEATABLE else _neutral(arg, value)
        for arg, value in zip(loop.args, folds.values, strict=True)
    )
    return replace(loop, args=tuple(args))


def _neutral(arg: n.LoopArg, value: Carried) -> n.LoopArg:
    return replace(arg, init=identity(cast(str, value.operator), arg.var.type))


def merging(program: n.Program, loop: n.For, folds: Folds, params: tuple[n.Param, ...]) -> n.Program:
    """The program that folds what a piece gives into what those before it gave.

    Parameters
    ----------
    program
        The whole program.
    loop, folds
        The loop, and what it folds.
    params
        What comes before the values: those before, then those of the piece.
    """
    names = Names.of(program)
    before = [names.fresh(r.stem, r.type) for r in loop.results]
    piece = [names.fresh(r.stem, r.type) for r in loop.results]
    scribe, merged = Scribe(names, loop.location), list[n.Atom]()
    for place, value in enumerate(folds.values):
        one, other = before[place], piece[place]
        if value.kind == "companion":
            partner = cast(int, value.partner)
            better = "gt" if folds.values[partner].operator == "max" else "lt"
            is_better = scribe.compare(cast(n.CompareOp, better), piece[partner], before[partner])
            merged.append(scribe.select(is_better, other, one))
        elif value.kind == "dead":
            merged.append(one)
        else:
            operator = cast(n.BinaryOp, value.operator)
            merged.append(scribe.let(n.Binary(operator, one, other, checked=False), one.type, one.stem))
    given = [n.Param(v, Source("argument", f"{VALUE} {k}")) for k, v in enumerate((*before, *piece))]
    returns = Returns("tuple", (Returns("leaf"),) * len(merged))
    return replace(program, params=(*params, *given), body=scribe.block(merged), returns=returns, writes=())


# -------------------------------------------------------------------------------------------------------- arrays


def zeros_of_results(program: n.Program) -> dict[str, object]:
    """Values of the right types for the arguments of a program that are results of loops."""
    params = (param for param in program.params if param.source.name.startswith(f"{RESULT} "))
    return {param.source.name: scalar_of(cast(Scalar, param.var.type), bytes(16)) for param in params}
