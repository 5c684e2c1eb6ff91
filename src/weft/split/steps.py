"""Which loops of a program run in pieces, in which order: loops that are cut, and time loops around them.

What it does: `plan` gives the loops of a program in order. A loop that is parallel is a `Phase`, a call of a kernel
that a user wrote a `KernelCall`. A loop over steps, whose body is these and numbers, is a `Steps`: the caller runs what
is inside once for each step, and afterwards exchanges arrays as the program does (``u, v = v, u``). What it assumes:
arrays that change places have one shape, which `check_shapes` tests at each call. What it does not do: steps that hand
on numbers, or that end by a condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

import numpy as np

from weft.analysis.dependence.verdicts import judge
from weft.errors import ArgumentError, UnsupportedError
from weft.ir import nodes as n
from weft.ir.interface import Returns, Source
from weft.ir.location import Location
from weft.ir.types import View
from weft.ir.visit import Names, free_variables, substitute, walk
from weft.split.cutting import (
    Phase,
    Returned,
    bounds_program,
    check_whole,
    kernel_call,
    needs_rest,
    phases,
    refusal,
    rest,
    returned,
    without_loops,
)
from weft.split.kernel_calls import KernelCall, is_call, is_item
from weft.transform.parallel.induction import induction
from weft.transform.simplify.dce import dce

Item: TypeAlias = "Phase | Steps | KernelCall"
Path: TypeAlias = "tuple[int, ...]"
"""Where an item stands: its place among the items, then its place among those of these steps."""


@dataclass(frozen=True)
class Steps:
    """A loop whose iterations run one after the other, with loops inside that are cut.

    Attributes
    ----------
    label, location
        The loop.
    counter
        The name of the argument of its phases that has the counter.
    bounds
        The program that returns its first counter and the one behind its last.
    items
        What a step does.
    moves
        For each array that changes its place at the end of a step: the name of the one that it becomes.
    """

    label: str
    location: Location
    counter: str
    bounds: n.Program
    items: tuple[Item, ...]
    moves: Mapping[str, str]

    def moved(self, places: Mapping[str, str]) -> dict[str, str]:
        """Which argument stands where after one more step."""
        return {name: places[self.moves.get(name, name)] for name in places}


@dataclass(frozen=True)
class Plan:
    """What runs in pieces, and how the arguments make the result."""

    items: tuple[Item, ...]
    returned: Returned
    rest: n.Program | None = None
    """The program of what follows the last loop and is done once."""

    def phases(self) -> Iterator[Phase]:
        """All loops that are cut."""
        return _phases(self.items)

    def calls(self) -> Iterator[KernelCall]:
        """All calls of kernels."""
        return _calls(self.items)

    def moves(self) -> Iterator[Mapping[str, str]]:
        """The exchanges of all steps."""
        return _moves(self.items)

    def changes(self) -> set[str]:
        """The arguments that are written or change places."""
        moved = {name for moves in self.moves() for name in moves}
        return moved.union(*(phase.writes for phase in self.phases()), *(call.writes for call in self.calls()))


def _phases(items: Sequence[Item]) -> Iterator[Phase]:
    for item in items:
        if isinstance(item, Steps):
            yield from _phases(item.items)
        elif isinstance(item, Phase):
            yield item


def _calls(items: Sequence[Item]) -> Iterator[KernelCall]:
    for item in items:
        if isinstance(item, Steps):
            yield from _calls(item.items)
        elif isinstance(item, KernelCall):
            yield item


def _moves(items: Sequence[Item]) -> Iterator[Mapping[str, str]]:
    for item in items:
        if isinstance(item, Steps):
            yield item.moves
            yield from _moves(item.items)


def plan(program: n.Program, folding: bool = False, kernels: bool = False) -> Plan:
    """The loops of a program that run in pieces.

    Parameters
    ----------
    program
        The program.
    folding
        Whether loops that fold are cut, and what follows the last loop may store and return new numbers.
    kernels
        Whether calls of kernels that users wrote are cut.

    Raises
    ------
    UnsupportedError
        A loop cannot be cut, or something outside of the loops cannot be done once for each piece.
    """
    program = dce(program)
    verdicts = judge(program)
    if folding and any(value.kind == "induction" for fact in verdicts.loops.values() for value in fact.carried):
        program = induction(program)
        verdicts = judge(program)
    statements = program.body.statements
    if not kernels:
        _refuse_calls(program)
    loops = [s for s in statements if isinstance(s, n.For)]
    facts = {loop.label: verdicts[loop.label] for loop in loops}
    cut = ("parallel", "reduction", "scan") if folding else ("parallel",)
    in_order = [loop for loop in loops if facts[loop.label].verdict not in cut or facts[loop.label].private]
    over_steps = [loop for loop in in_order if _has_items(program, loop)]
    if not over_steps:
        found = _in_order(program, phases(program, folding))
        return Plan(found, returned(program), rest(program) if folding and needs_rest(program) else None)
    moves = {loop.label: _moves_of(program, loop) for loop in over_steps}
    results: dict[str, n.Atom] = {}
    for loop in over_steps:
        results |= {
            result.name: substitute(arg.init, results) for result, arg in zip(loop.results, loop.args, strict=True)
        }
    others = tuple(s for s in statements if not any(s is loop for loop in over_steps))
    plain = replace(program, body=substitute(n.Block(others, program.body.yields), results))
    check_whole(program, plain)
    _check_moved(program, {name for found in moves.values() for name in found})
    around = iter(_in_order(plain, phases(plain) if any(is_item(s, program) for s in others) else ()))
    items = [
        _steps(program, s, moves[s.label], results, kernels)
        if isinstance(s, n.For) and any(s is one for one in over_steps)
        else next(around)
        for s in statements
        if is_item(s, program)
    ]
    return Plan(tuple(items), returned(plain))


def _in_order(program: n.Program, found: Sequence[Phase]) -> tuple[Item, ...]:
    """Loops that are cut and calls of kernels, as they stand in a program."""
    loops, items = iter(found), list[Item]()
    for statement in program.body.statements:
        if isinstance(statement, n.For):
            items.append(next(loops))
        elif is_call(statement, program):
            items.append(kernel_call(program, statement))
    return tuple(items)


def _refuse_calls(program: n.Program) -> None:
    for statement in walk(program.body):
        if is_call(statement, program):
            raise refusal(program, statement.location, "it runs a kernel that was written by hand")


def plan_for_devices(program: n.Program) -> Plan:
    """The loops of a program that run in pieces on devices; loops that fold are cut where it is refused otherwise.

    Raises
    ------
    UnsupportedError
        As for `plan`.
    """
    try:
        return plan(program, kernels=True)
    except UnsupportedError:
        return plan(program, folding=True, kernels=True)


def item_at(program: n.Program, path: Path) -> Item:
    """The item at a path."""
    return item_of(plan(program).items, path)


def item_of(items: Sequence[Item], path: Path) -> Item:
    """The item at a path among some."""
    for place in path[:-1]:
        inner = items[place]
        assert isinstance(inner, Steps)
        items = inner.items
    return items[path[-1]]


def _has_items(program: n.Program, loop: n.For) -> bool:
    return loop.exit is None and any(is_item(statement, program) for statement in loop.body.statements)


def _moves_of(program: n.Program, loop: n.For) -> dict[str, str]:
    """Which array takes the place of which at the end of a step."""
    inits = [arg.init for arg in loop.args]
    for arg in loop.args:
        if not isinstance(arg.var.type, View):
            raise refusal(
                program, loop.location, f"the steps of {loop.label} hand on the number {arg.var.stem}",
            )  # fmt: skip
    names: dict[str, n.Atom] = {arg.var.name: arg.init for arg in loop.args}
    for inner in loop.body.statements:
        if isinstance(inner, n.For):
            names |= {r.name: substitute(a.init, names) for r, a in zip(inner.results, inner.args, strict=True)}
    after = [names.get(value.name, value) if isinstance(value, n.Var) else value for value in loop.body.yields]
    same = all(a.type == arg.var.type == r.type for a, arg, r in zip(after, loop.args, loop.results, strict=True))
    inside = set(free_variables(loop.body))
    if not same or set(after) != set(inits) or len(set(inits)) < len(inits) or inside & set(inits):
        raise refusal(
            program, loop.location, f"the steps of {loop.label} exchange arrays in a way that is not followed"
        )
    moved = zip(inits, after, strict=True)
    return {a.name: b.name for a, b in moved if isinstance(a, n.Var) and isinstance(b, n.Var) and a != b}


def _check_moved(program: n.Program, moved: set[str]) -> None:
    """Refuse what is read outside of all loops of arrays that change places: later steps would see another array."""
    table = judge(program).table
    for statement in program.body.statements:
        if isinstance(statement, n.Let) and isinstance(statement.var.type, View):
            raise refusal(program, statement.location, f"{statement.var.stem} shows a part of an array")
    for access in table.accesses:
        if not access.loops and not moved.isdisjoint(table.roots(access)):
            raise refusal(program, access.location, f"it reads {access.array.name}, which changes its place, outside")


def _steps(
    program: n.Program, loop: n.For, moves: Mapping[str, str], results: Mapping[str, n.Atom], kernels: bool
) -> Steps:
    counter = f"counter of {loop.label}"
    statements = program.body.statements
    place = next(k for k, statement in enumerate(statements) if statement is loop)
    before = without_loops(program, statements[:place])
    index = Names.of(program).fresh(loop.index.stem, loop.index.type)
    values: dict[str, n.Atom] = {arg.var.name: arg.init for arg in loop.args} | {loop.index.name: index}
    body = n.Block((*before, *substitute(loop.body, values).statements))
    own = [param for param in program.params if param.source.kind == "argument"]
    others = [param for param in program.params if param.source.kind != "argument"]
    step = replace(
        program,
        params=(*own, n.Param(index, Source("argument", counter)), *others),
        body=substitute(body, results),
        returns=Returns("none"),
    )
    bounds = bounds_program(substitute(program, results), loop.label)
    sources = {param.var.name: param.source.name for param in program.params}
    named = {sources[a]: sources[b] for a, b in moves.items() if a in sources and b in sources}
    if len(named) < len(moves):
        raise refusal(program, loop.location, f"the steps of {loop.label} exchange arrays that are no arguments")
    return Steps(loop.label, loop.location, counter, bounds, plan(step, kernels=kernels).items, named)


def check_shapes(arguments: Mapping[str, object], moves: Iterable[Mapping[str, str]]) -> None:
    """ArgumentError where arrays that change places have different shapes or types."""
    for found in moves:
        for name, other in found.items():
            shapes = [np.shape(cast("np.ndarray[Any, Any]", arguments[one])) for one in (name, other)]
            if shapes[0] != shapes[1]:
                raise ArgumentError(
                    f"{name!r} and {other!r} change places, and have different shapes",
                    argument=name,
                    cause=f"{shapes[0]} and {shapes[1]}",
                    hint="pass arrays of one shape",
                )
