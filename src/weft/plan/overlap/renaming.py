"""Buffers of a loop's arrays on the device that take turns: what one iteration uses, the next one does not wait for.

The device works on *windows* in place of an array: two arrays of their own which change places after every iteration,
and which copies fill and empty. So the array itself is on the host only, and a copy for the next iteration has a place
to go to while a kernel still reads what this one copied.

Legal where every iteration fills, on the device, whatever it reads there, and where nothing outside of the loop touches
the array on the device.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from weft.analysis.access.access import AccessTable
from weft.analysis.access.structure import Region
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.reference.memories import HOST
from weft.ir.types import PYINT, View
from weft.ir.visit import Names, launches_in, rewrite, walk
from weft.plan.transfers import footprints
from weft.plan.transfers.owners import Owners
from weft.plan.transfers.regions import Boxes
from weft.plan.transfers.views import box_of


@dataclass(frozen=True)
class Turns:
    """The two windows of an array: before a loop, in an iteration of it, and behind it.

    In an iteration, the first one belongs to it, and the second one to the iteration before.
    """

    made: tuple[n.Var, n.Var]
    inside: tuple[n.Var, n.Var]
    left: tuple[n.Var, n.Var]

    def args(self) -> tuple[n.LoopArg, ...]:
        """What the loop carries."""
        return tuple(n.LoopArg(own, view) for own, view in zip(self.inside, self.made, strict=True))


class Renaming:
    """What is known of the arrays that the plan of a program moves.

    Parameters
    ----------
    program
        With launches and copies.
    table
        Its access table.
    device
        The memory of the launches.
    there
        Parameters whose arrays are on the device before the program starts.
    names
        Where new variables get their names.
    """

    def __init__(
        self, program: n.Program, table: AccessTable, device: str, there: frozenset[str], names: Names
    ) -> None:
        self.table = table
        self.owners = Owners(program, table)
        self.device = device
        self.there = there
        self.names = names
        self.uses = self._uses(program.body)

    def handles(self, views: Iterable[n.Atom]) -> set[str]:
        """The variables that hold the arrays of views."""
        return {self.owners.handle(v) for v in views if isinstance(v, n.Var) and isinstance(v.type, View)}

    def _uses(self, block: n.Block) -> Counter[str]:
        """How many launches and copies use each array."""
        return Counter(name for s in walk(block) for name in self.handles(moved_by(s)))

    def can_rename(self, name: str, loop: n.For, region: Region, early: Iterable[n.Statement], late: n.Block) -> bool:
        """Whether the device may work on windows of an array in a loop whose iterations do `early`, and then `late`."""
        array = self.owners.vars[name]
        definition = self.table.structure.definition(array)
        if not isinstance(array.type, View) or not array.type.contiguous or not self.owners.is_owned(name):
            return False
        if definition.kind not in ("parameter", "let") or self.owners.is_guest(name):
            return False
        if not self.there.isdisjoint(self.table.aliases.roots(array)):
            return False
        if region.contains(definition.region) or self._uses(loop.body)[name] != self.uses[name]:
            return False
        return self._is_plain(name, loop) and self._is_filled(name, region, early, late)

    def _is_plain(self, name: str, loop: n.For) -> bool:
        """Whether a loop uses no fields of an array on the device, and writes it there only if it is no argument."""
        launches = list(launches_in(loop.body))
        is_written = any(name in self.handles(launch.writes) for launch in launches)
        if is_written and self.owners.may_be_parameter(name):
            return False  # an exception would have to pay for what the device has of it
        views = (v for s in walk(loop.body) for v in moved_by(s) if isinstance(v, n.Var) and isinstance(v.type, View))
        return all(self._is_cut(view) for view in views if self.owners.handle(view) == name)

    def _is_cut(self, view: n.Var) -> bool:
        value = self.table.structure.definition(view).value
        if isinstance(value, (n.Subview, n.Transpose)):
            return self._is_cut(value.view)
        return not isinstance(value, (n.FieldView, n.Split, n.Merge))

    def _is_filled(self, name: str, region: Region, early: Iterable[n.Statement], late: n.Block) -> bool:
        """Whether an iteration has filled, itself and on the device, all that it reads there."""
        where = footprints.space(self.table, self.owners.vars[name], region)
        filled: Boxes = ()
        for statement in early:
            if not all(where.covers(filled, (box,)) for box in self._boxes(name, _read(statement))):
                return False
            filled = (*filled, *self._boxes(name, _filled(statement)))
        return all(where.covers(filled, (box,)) for s in late.statements for box in self._boxes(name, _read(s)))

    def _boxes(self, name: str, views: Iterable[n.Var]) -> Boxes:
        return tuple(box_of(self.table, view)[1] for view in views if self.owners.handle(view) == name)

    def turns(self, name: str) -> Turns:
        """New windows of an array."""
        array = self.owners.vars[name]
        first, second, third = (
            tuple(self.names.fresh(f"{array.stem}_window", array.type) for _ in range(2)) for _ in range(3)
        )
        return Turns((first[0], first[1]), (second[0], second[1]), (third[0], third[1]))

    def made(self, name: str, turns: Turns, location: Location) -> list[n.Statement]:
        """What makes the windows of an array before a loop."""
        array, statements, shape = self.owners.vars[name], list[n.Statement](), list[n.Var]()
        assert isinstance(array.type, View)
        for axis in range(array.type.ndim):
            shape.append(self.names.fresh(f"{array.stem}_dim{axis}", PYINT))
            statements.append(n.Let(shape[-1], n.Dim(array, axis), location))
        statements += (n.Let(view, n.Alloc(tuple(shape), array.type.element), location) for view in turns.made)
        return [*statements, *(n.Reserve(view, self.device, location) for view in turns.made)]

    def on_windows(self, statements: Iterable[n.Statement], windows: Mapping[str, n.Var]) -> tuple[n.Statement, ...]:
        """The statements with windows in place of arrays on the device."""

        def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
            if not isinstance(statement, (n.Launch, n.Copy)):
                return statement
            made: list[n.Statement] = []
            views = {v.name: self._in_window(v, windows, made, statement.location) for v in moved_by(statement)}
            if isinstance(statement, n.Copy):
                view = views[statement.view.name]
                if view == statement.view:
                    return statement
                is_home = statement.target == HOST
                return *made, replace(statement, view=view if is_home else statement.view,
                                      onto=statement.view if is_home else view)  # fmt: skip
            operands = tuple(views.get(a.name, a) if isinstance(a, n.Var) else a for a in statement.operands)
            reads, writes = (tuple(views[v.name] for v in own) for own in (statement.reads, statement.writes))
            return *made, replace(statement, operands=operands, reads=reads, writes=writes)

        return rewrite(n.Block(tuple(statements)), change).statements

    def _in_window(
        self, view: n.Var, windows: Mapping[str, n.Var], made: list[n.Statement], location: Location
    ) -> n.Var:
        """The elements in a window that belong to a view; the view itself where its array has no windows."""
        window = windows.get(self.owners.handle(view)) if isinstance(view.type, View) else None
        if window is None:
            return view
        value = self.table.structure.definition(view).value
        if not isinstance(value, (n.Subview, n.Transpose)):
            return window
        whole = self._in_window(value.view, windows, made, location)
        part = self.names.fresh(window.stem, view.type)
        made.append(n.Let(part, replace(value, view=whole), location))
        return part


def moved_by(statement: n.Statement) -> tuple[n.Var, ...]:
    """The variables that a launch or a copy by itself uses."""
    if isinstance(statement, n.Copy):
        return (statement.view, *((statement.onto,) if statement.onto else ()))
    if isinstance(statement, n.Launch):
        return (*(a for a in statement.operands if isinstance(a, n.Var)), *statement.reads, *statement.writes)
    return ()


def _read(statement: n.Statement) -> Iterator[n.Var]:
    """The views that a statement, with all that is inside of it, reads on the device."""
    for inner in walk(n.Block((statement,))):
        if isinstance(inner, n.Launch):
            yield from inner.reads
        elif isinstance(inner, n.Copy) and inner.target == HOST:
            yield inner.view


def _filled(statement: n.Statement) -> tuple[n.Var, ...]:
    """The views that a statement certainly fills on the device; what a launch may leave out it also reads."""
    if isinstance(statement, n.Launch):
        return statement.writes
    return (statement.view,) if isinstance(statement, n.Copy) and statement.source == HOST else ()
