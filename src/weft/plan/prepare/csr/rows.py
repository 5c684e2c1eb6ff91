"""Nests over rows that an array cuts another one into, as those of sparse matrices: what such a row consists of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import Scalar, Type
from weft.ir.visit import defined_by, free_variables, walk
from weft.schedule.lowering.cooperate import is_commutative, is_float_extreme
from weft.schedule.nests import (
    Reduction,
    flattened,
    grid_chain,
    is_moved,
    is_repeatable,
    is_sliced,
    names_in,
    reduction_in,
    slice_of,
    step_of,
)


@dataclass(frozen=True)
class Rows:
    """A nest over rows, each of which is folded.

    Attributes
    ----------
    nest
        The loop over rows.
    found
        The loop over the entries of a row, and what is around it.
    ends
        Where a row begins and ends in its array: an element of another array and the next one.
    loop_ends
        The first iteration of the loop over a row, and the one after its last; whatever branch the loop is on.
    array
        An array that the entries of a row read one after the other.
    """

    nest: n.For
    found: Reduction
    ends: tuple[n.Atom, n.Atom]
    loop_ends: tuple[n.Atom, n.Atom]
    array: n.Var

    @property
    def condition(self) -> n.Atom | None:
        """What decides whether a row's loop runs; None where nothing does."""
        return self.found.guard.condition if self.found.guard is not None else None

    def wanted(self) -> frozenset[str]:
        """Names of the variables that a row's loop and its ends need of what stands before."""
        atoms = (*self.ends, *self.loop_ends, self.condition)
        return self.found.wanted() | {a.name for a in atoms if isinstance(a, n.Var)}

    def untested(self) -> list[n.Load]:
        """What an entry reads by indices of which it is known that they are in the array for the entries of rows."""
        return [load for load in _loads(self.found.loop.body) if load.bounds == "safe" and load.indices]

    def has_gathers(self) -> bool:
        """Whether an entry reads elements whose places are not its own."""
        return any(load.indices != (self.found.loop.index,) for load in _loads(self.found.loop.body) if load.indices)

    def distance_of(self, load: n.Load) -> int | None:
        """How far the element that a row reads is from its number; None where that is no constant."""
        lets = {s.var.name: s.value for s in self.found.before.statements if isinstance(s, n.Let)}
        return _distance(load.indices[0], lets, self.nest.index) if len(load.indices) == 1 else None

    def why_not_entries(self) -> str:
        """Why what entries give cannot be computed apart from rows; nothing where it can."""
        before = self.found.before.statements
        ours = {self.nest.index.name, *(v.name for s in before for v in defined_by(s))}
        shared = names_in(self.found.loop.body) & ours
        if shared:
            return "what an entry gives depends on the row that it is in"
        if any(load.indices != (self.found.loop.index,) for load in self.untested()):
            return "an element is read that is only known to be there for the entries of a row"
        return ""


def rows_in(nest: n.For) -> Rows | None:
    """What a parallel nest without results does, if it folds rows that an array cuts another one into."""
    block = n.Block((nest,))
    kernel = n.Kernel("", free_variables(block), block)
    chain = grid_chain(kernel)
    found = _reduction(flattened(chain)) if len(chain) == 1 and chain[0] is nest else None
    if found is None:
        return None
    ends = _ends(nest, found)
    array = _read_along(found.loop, kernel)
    if ends is None or array is None or not _are_values(found.loop.body, kernel):
        return None
    rows = Rows(nest, found, *ends, array)
    needed = slice_of(found.before, rows.wanted()).statements
    is_simple = is_sliced(found.before, rows.wanted()) and all(is_repeatable(s, kernel) for s in needed)
    return rows if is_simple else None


def _reduction(flat: n.Block) -> Reduction | None:
    """The only loop of an iteration, a reduction of numbers; on the other side of a branch may be more."""
    loops = [s for s in walk(flat) if isinstance(s, n.For) and s.mapping == "parallel" and s.args]
    found = reduction_in(flat, loops[0].label) if loops else None
    if found is None or found.loop.exit is not None:
        return None
    spare = [] if found.guard is None else _loops(found.guard.orelse)
    others = [*_loops(found.before), *_loops(found.after)]
    return found if len(others) == len(spare) and all(map(_is_folded, found.loop.args)) else None


def _is_folded(arg: n.LoopArg) -> bool:
    """Whether what neighbouring entries give may be put together first, in their order."""
    return isinstance(arg.var.type, Scalar) and (is_commutative(arg) or is_float_extreme(arg))


def _loops(block: n.Block) -> list[n.Statement]:
    return [s for s in walk(block) if isinstance(s, (n.For, n.While))]


Ends = tuple[n.Atom, n.Atom]


def _ends(nest: n.For, found: Reduction) -> tuple[Ends, Ends] | None:
    """The ends of a row and those of its loop, if an element of an array and the next one say so."""
    lets = {s.var.name: s.value for s in found.before.statements if isinstance(s, n.Let)}
    start, stop = (_chosen(a, lets) if found.guard is not None else a for a in (found.loop.start, found.loop.stop))
    first, last = (_element(a, lets, nest.index) for a in (start, stop))
    if first is None or last is None or first[1] != last[1] or last[2] - first[2] != 1:
        return None
    if _narrowed(first[0], lets) != _narrowed(last[0], lets):
        return None  # a row would not end where the next one begins
    return (first[0], last[0]), (start, stop)


Lets = Mapping[str, n.Expression]


def _value(atom: n.Atom, lets: Lets) -> n.Expression | None:
    return lets.get(atom.name) if isinstance(atom, n.Var) else None


def _chosen(atom: n.Atom, lets: Lets) -> n.Atom:
    """An end of a loop on one side of a branch, which is empty where the other side is taken."""
    value = _value(atom, lets)
    return value.then if isinstance(value, n.Select) else atom


def _element(atom: n.Atom, lets: Lets, index: n.Var) -> tuple[n.Atom, n.Var, int] | None:
    """The element of an array that an atom is, maybe moved by a constant; the array, and how far the element is from an
    index."""
    value = _value(atom, lets)
    while isinstance(value, n.Cast) or (isinstance(value, n.Binary) and _is_step(value)):
        atom = atom if isinstance(value, n.Cast) else value.left
        value = _value(value.operand if isinstance(value, n.Cast) else atom, lets)
    if not isinstance(value, n.Load) or len(value.indices) != 1 or value.mask is not None:
        return None
    distance = _distance(value.indices[0], lets, index)
    return None if distance is None else (atom, value.view, distance)


def _narrowed(atom: n.Atom, lets: Lets) -> tuple[Type, ...]:
    """The types that an element is converted to although they do not have all of its values."""
    found: list[Type] = []
    value = _value(atom, lets)
    while isinstance(value, n.Cast):
        if not _has_all(atom.type, value.operand.type):
            found.append(atom.type)
        atom = value.operand
        value = _value(atom, lets)
    return tuple(found)


def _has_all(type: Type, other: Type) -> bool:
    """Whether a type of integers has all values of another one."""
    if not (isinstance(type, Scalar) and isinstance(other, Scalar)) or {type.kind, other.kind} - {"i", "u"}:
        return False
    return type.bits >= other.bits if type.kind == other.kind else type.kind == "i" and type.bits > other.bits


def _is_step(value: n.Binary) -> bool:
    return isinstance(value.left, n.Var) and is_moved(value, {value.left.name})


def _distance(atom: n.Atom, lets: Lets, index: n.Var) -> int | None:
    """How far a place is from an index, where that is a constant."""
    moved = _value(atom, lets)
    if isinstance(moved, n.Binary) and is_moved(moved, {index.name}):
        return step_of(moved)
    return 0 if atom == index else None


def _read_along(loop: n.For, kernel: n.Kernel) -> n.Var | None:
    """An array whose elements the iterations of a row read one after the other: rows lie within it."""
    for load in _loads(loop.body):
        if load.indices == (loop.index,) and load.view in kernel.params:
            return load.view
    return None


def _loads(block: n.Block) -> Iterator[n.Load]:
    for statement in block.statements:
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
            yield statement.value


def _are_values(body: n.Block, kernel: n.Kernel) -> bool:
    """Whether an iteration computes values only, and nothing in it fails but indices of arrays from outside."""
    lets = [s for s in body.statements if isinstance(s, n.Let)]
    if len(lets) < len(body.statements):
        return False
    tested = [load for load in _loads(body) if load.bounds != "safe"]
    others = [s for s in lets if not isinstance(s.value, n.Load)]
    known = all(load.view in kernel.params and load.bounds in ("python", "check") for load in tested)
    return known and not any(may_raise(s.value, s.var.type) or isinstance(s.value, n.Alloc) for s in others)
