"""Kernels on windows: the nest works on a small array that holds some rows of a large one.

A *window* is an array of its own with as many rows as a piece of the nest needs; its first row is some row of the large
array. The nest keeps the indices of the large array, and every access subtracts the number of that row. So several
windows of one array can be on the device at a time, each with another piece of it, and copies into one of them run
beside kernels on another.

Not done here: nests that may raise, whose accesses are tested, or that use an array otherwise than element by element.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYINT, View
from weft.ir.visit import Names, atoms_of, rewrite, walk


@dataclass(frozen=True)
class Held:
    """Where a nest finds an array: the window, and the number of the row that is the window's first."""

    window: n.Var
    first: n.Var


def can_move(nest: n.For, arrays: Iterable[n.Var]) -> bool:
    """Whether a nest can work on windows of arrays: their rows lie together, and it uses elements and extents only."""
    names = {array.name for array in arrays}
    if not all(isinstance(a.type, View) and a.type.contiguous for a in arrays):
        return False
    return all(_is_simple(statement, names) for statement in walk(n.Block((nest,))))


def _is_simple(statement: n.Statement, names: set[str]) -> bool:
    """Whether a statement uses none of some arrays, or one of its elements, or an extent."""
    used = [a for a in atoms_of(statement) if isinstance(a, n.Var) and a.name in names]
    if not used:
        return True
    access = statement.value if isinstance(statement, n.Let) else statement
    if isinstance(access, n.Dim):
        return True
    if not isinstance(access, (n.Load, n.Store, n.Update)) or used != [access.view] or access.bounds != "safe":
        return False
    return getattr(access, "mask", None) is None and access.indices[0].type == PYINT


@dataclass
class Mover:
    """Rewrites nests to work on windows.

    Attributes
    ----------
    held
        The windows, by the names of the arrays.
    extents
        The extents of the arrays that nests ask for: variables that the host has to define before.
    """

    names: Names
    held: Mapping[str, Held]
    extents: dict[tuple[str, int], n.Var] = field(default_factory=dict)

    def moved(self, block: n.Block) -> n.Block:
        """The block with accesses to windows in place of those to arrays."""
        return rewrite(block, self._statement)

    def _statement(self, statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if isinstance(statement, (n.Store, n.Update)) and statement.view.name in self.held:
            index, indices = self._indices(statement, statement.location)
            return index, replace(statement, view=self.held[statement.view.name].window, indices=indices)
        if not isinstance(statement, n.Let):
            return statement
        value = statement.value
        if isinstance(value, n.Dim) and value.view.name in self.held:
            extent = self.extents.setdefault((value.view.name, value.axis), self.names.fresh("extent", PYINT))
            return replace(statement, value=n.Binary("add", extent, n.Const(0), checked=False))
        if isinstance(value, n.Load) and value.view.name in self.held:
            index, indices = self._indices(value, statement.location)
            moved = replace(value, view=self.held[value.view.name].window, indices=indices)
            return index, replace(statement, value=moved)
        return statement

    def _indices(self, access: n.Load | n.Store | n.Update, location: Location) -> tuple[n.Let, tuple[n.Atom, ...]]:
        """What computes the row in the window, and all indices."""
        row = self.names.fresh("row", PYINT)
        value = n.Binary("sub", access.indices[0], self.held[access.view.name].first, checked=False)
        return n.Let(row, value, location), (row, *access.indices[1:])
