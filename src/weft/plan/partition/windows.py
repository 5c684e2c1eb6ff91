"""Kernels on windows: the nest works on a small array that holds some rows of a large one.

A *window* is an array of its own with as many rows as a piece of the nest needs; its first row is some row of the large
array. The nest keeps the indices of the large array, and every access subtracts the number of that row. So several
windows of one array can be on the device at a time, each with another piece of it, and copies into one of them run
beside kernels on another. What is said of rows, along the first axis, holds for any other axis.

Not done here: nests that may raise, whose accesses are tested, or that use an array otherwise than element by element.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYINT, View
from weft.ir.visit import Names, atoms_of, bound_inside, defined_by, rewrite, walk


@dataclass(frozen=True)
class Held:
    """Where a nest finds an array: the window, the number of the row that is the window's first, and along which axis
    rows are counted."""

    window: n.Var
    first: n.Var
    axis: int = 0


def can_move(nest: n.For, arrays: Iterable[n.Var], axes: Mapping[str, int] | None = None) -> bool:
    """Whether a nest can work on windows of arrays: their rows lie together, and it uses elements and extents only;
    `axes` says which axes are meant by rows where these are not the first."""
    names = {array.name: (axes or {}).get(array.name, 0) for array in arrays}
    if not all(isinstance(a.type, View) and a.type.contiguous for a in arrays):
        return False
    return all(_is_simple(statement, names) for statement in walk(n.Block((nest,))))


def _is_simple(statement: n.Statement, names: Mapping[str, int]) -> bool:
    """Whether a statement uses none of some arrays, or one of its elements, or an extent."""
    used = [a for a in atoms_of(statement) if isinstance(a, n.Var) and a.name in names]
    if not used:
        return True
    access = statement.value if isinstance(statement, n.Let) else statement
    if isinstance(access, n.Dim):
        return True
    if not isinstance(access, (n.Load, n.Store, n.Update)) or used != [access.view] or access.bounds != "safe":
        return False
    return getattr(access, "mask", None) is None and access.indices[names[access.view.name]].type == PYINT


@dataclass
class Mover:
    """Rewrites nests to work on windows.

    Attributes
    ----------
    held
        The windows, by the names of the arrays.
    extents
        The extents of the arrays that nests ask for: variables that the host has to define before.
    rows, firsts
        The rows of windows that indices stand for, by the names of an index and of the number of the window's first
        row; and what has that number.
    """

    names: Names
    held: Mapping[str, Held]
    extents: dict[tuple[str, int], n.Var] = field(default_factory=dict)
    rows: dict[tuple[str, str], n.Var] = field(default_factory=dict)
    firsts: dict[str, n.Var] = field(default_factory=dict)

    def moved(self, block: n.Block) -> n.Block:
        """The block with accesses to windows in place of those to arrays."""
        defined = {v.name for s in walk(block) for v in (*defined_by(s), *bound_inside(s))}
        self.rows = {
            (index.name, held.first.name): self.names.fresh("row", PYINT)
            for statement in walk(block)
            for index, held in self._moving(statement)
            if isinstance(index, n.Var) and index.name in defined
        }
        self.firsts = {held.first.name: held.first for held in self.held.values()}
        return rewrite(block, self._statement)

    def _moving(self, statement: n.Statement) -> Iterator[tuple[n.Atom, Held]]:
        """The index of a statement that counts rows of an array with a window."""
        access = statement.value if isinstance(statement, n.Let) else statement
        if isinstance(access, (n.Load, n.Store, n.Update)) and access.view.name in self.held:
            held = self.held[access.view.name]
            yield access.indices[held.axis], held

    def _statement(self, statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        """A statement on windows, and the rows in windows that its own variables stand for: so all accesses to a row
        have one variable for it."""
        if isinstance(statement, n.For):
            rows = self._rows_of(statement.index, statement.location)
            return replace(statement, body=replace(statement.body, statements=(*rows, *statement.body.statements)))
        if isinstance(statement, (n.Store, n.Update)) and statement.view.name in self.held:
            before, indices = self._indices(statement, statement.location)
            return (*before, replace(statement, view=self.held[statement.view.name].window, indices=indices))
        rows = [row for var in defined_by(statement) for row in self._rows_of(var, statement.location)]
        if not isinstance(statement, n.Let):
            return (statement, *rows)
        value, before = statement.value, []
        if isinstance(value, n.Dim) and value.view.name in self.held:
            extent = self.extents.setdefault((value.view.name, value.axis), self.names.fresh("extent", PYINT))
            statement = replace(statement, value=n.Binary("add", extent, n.Const(0), checked=False))
        elif isinstance(value, n.Load) and value.view.name in self.held:
            before, indices = self._indices(value, statement.location)
            moved = replace(value, view=self.held[value.view.name].window, indices=indices)
            statement = replace(statement, value=moved)
        return (*before, statement, *rows)

    def _rows_of(self, var: n.Var, location: Location) -> list[n.Let]:
        """What computes the rows in windows of an index that counts rows."""
        found = [(self.firsts[first], row) for (index, first), row in self.rows.items() if index == var.name]
        return [n.Let(row, n.Binary("sub", var, first, checked=False), location) for first, row in found]

    def _indices(
        self, access: n.Load | n.Store | n.Update, location: Location
    ) -> tuple[list[n.Let], tuple[n.Atom, ...]]:
        """The indices of an element of a window, and what computes its row where that is not there already."""
        held, indices = self.held[access.view.name], list(access.indices)
        index, before = indices[held.axis], list[n.Let]()
        row = self.rows.get((index.name, held.first.name)) if isinstance(index, n.Var) else None
        if row is None:
            row = self.names.fresh("row", PYINT)
            before.append(n.Let(row, n.Binary("sub", index, held.first, checked=False), location))
        indices[held.axis] = row
        return before, tuple(indices)
