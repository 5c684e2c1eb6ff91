"""What a nest over rows and columns computes from neighbours: a precondition of running several steps at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weft.ir import nodes as n
from weft.ir.effects import VIEWS, may_raise
from weft.ir.types import Scalar, View
from weft.ir.visit import atoms_of, walk
from weft.schedule.nests import flattened

SIZES = (4, 8)
"""Bytes of elements of which several make a vector of 16."""


@dataclass(frozen=True)
class Stencil:
    """A nest over rows and columns that computes each element of one array from elements around it in another.

    Attributes
    ----------
    flat
        What one iteration does.
    source
        The array that is read.
    loads
        How far from the row and the column of an iteration its loads of the source are, by the variable.
    store
        Its only store.
    """

    flat: n.Block
    source: n.Var
    loads: Mapping[str, tuple[int, int]]
    store: n.Store

    @property
    def reach(self) -> tuple[int, int]:
        """How many rows and columns around an element are read at most."""
        rows, columns = zip(*self.loads.values(), strict=True)
        return max(map(abs, rows)), max(map(abs, columns))

    @property
    def sideways(self) -> tuple[int, ...]:
        """The rows, from that of the iteration, in which other columns are read."""
        return tuple(sorted({row for row, column in self.loads.values() if column}))

    @property
    def element(self) -> Scalar:
        """The type of the elements."""
        assert isinstance(self.source.type, View) and isinstance(self.source.type.element, Scalar)
        return self.source.type.element


def stencil_of(chain: Sequence[n.For], source: n.Var) -> Stencil | str:
    """The stencil that nested loops compute from one array; in the user's words why they do not.

    Parameters
    ----------
    chain
        Parallel loops, the outermost first; see `nests.grid_chain`.
    source
        The array.
    """
    if len(chain) != 2:
        return "it is no nest of two parallel loops"
    flat = flattened(chain)
    *lets, store = flat.statements
    if not isinstance(store, n.Store) or store.mask is not None or store.bounds != "safe":
        return "an iteration does not end with one store"
    if isinstance(lets, list) and not all(map(_is_value, lets)):
        return "an iteration does more than compute a value, or may raise"
    places = _places(flat, chain)
    loads: dict[str, tuple[int, int]] = {}
    for let in lets:
        if _uses(let, store.view):
            return f"{store.view.stem!r} is read where it is written"
        if isinstance(let, n.Let) and _uses(let, source):
            place = _distance(let.value, places)
            if place is None:
                return f"{source.stem!r} is not read at a constant distance"
            loads[let.var.name] = place
    if _at(store.indices, places) != (0, 0):
        return f"{store.view.stem!r} is not written element by element"
    return _checked(Stencil(flat, source, loads, store))


def _checked(found: Stencil) -> Stencil | str:
    """A stencil if its elements can be kept in registers."""
    source, target = found.source.type, found.store.view.type
    assert isinstance(source, View) and isinstance(target, View)
    element = source.element
    if not isinstance(element, Scalar) or element.kind not in "iuf" or element.size not in SIZES:
        return "elements are no numbers of 4 or 8 bytes"
    if element != target.element or found.store.value.type != element:
        return "what is written is of another type than what is read"
    if not found.loads or found.reach[0] == 0:
        return f"nothing around an element of {found.source.stem!r} is read"
    return found


def _is_value(statement: n.Statement) -> bool:
    """Whether a statement defines a number and does nothing else."""
    if not isinstance(statement, n.Let) or isinstance(statement.value, (n.Alloc, *VIEWS)):
        return False
    return not isinstance(statement.var.type, View) and not may_raise(statement.value, statement.var.type)


def _uses(statement: n.Statement, view: n.Var) -> bool:
    is_extent = isinstance(statement, n.Let) and isinstance(statement.value, n.Dim)
    return not is_extent and view in atoms_of(statement)


def _places(flat: n.Block, chain: Sequence[n.For]) -> dict[str, tuple[int, int]]:
    """The variables at a constant distance from a counter: which one, and how far."""
    known = {loop.index.name: (axis, 0) for axis, loop in enumerate(chain)}
    for statement in walk(flat):
        value = statement.value if isinstance(statement, n.Let) else None
        if not isinstance(value, n.Binary) or value.op not in ("add", "sub"):
            continue
        assert isinstance(statement, n.Let)
        left, right = value.left, value.right
        if value.op == "add" and isinstance(left, n.Const):
            left, right = right, left
        if isinstance(left, n.Var) and left.name in known and isinstance(right, n.Const):
            axis, distance = known[left.name]
            step = int(right.value.real)
            known[statement.var.name] = axis, distance + (step if value.op == "add" else -step)
    return known


def _distance(value: n.Expression, places: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
    if not isinstance(value, n.Load) or value.bounds != "safe" or value.mask is not None:
        return None
    return _at(value.indices, places)


def _at(indices: Sequence[n.Atom], places: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
    """How far indices are from the counters, where they are one of each in this order."""
    found = [places.get(index.name) if isinstance(index, n.Var) else None for index in indices]
    if len(found) != 2 or found[0] is None or found[1] is None or (found[0][0], found[1][0]) != (0, 1):
        return None
    return found[0][1], found[1][1]
