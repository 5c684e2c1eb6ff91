"""A run of neighbouring iterations of a parallel loop: statement by statement, with accesses to neighbours as vectors.

Iterations of a parallel loop do not depend on one another, so any order between them is right as long as each keeps its
own. Whatever does not depend on the loop's counter is written once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.effects import VIEWS, may_raise, written_views
from weft.ir.types import PYINT, Scalar, View
from weft.ir.visit import atoms_of, defined_by, walk
from weft.schedule.writing import Writing

WIDEST = 16
"""Bytes of the widest load or store."""

MOST_LANES = 4
"""Elements of the longest vector that every kind of device has."""

Row = tuple[str, tuple[n.Atom, ...]]
"""A view by name, and all indices but the last."""


def lanes_of(element: Scalar) -> int:
    """How many numbers of a type are loaded or stored as a vector at most."""
    is_half = element.size == 2 and element.kind == "f"
    return min(WIDEST // element.size, MOST_LANES) if element.kind in "iuf" and not is_half else 1


@dataclass
class Accesses:
    """Which accesses of a block lie side by side in a run: by identity of the statement, row and distance.

    `branches` are those that all lanes take or none.
    """

    lanes: int = 1
    loads: dict[int, tuple[Row, int]] = field(default_factory=dict)
    stores: frozenset[int] = frozenset()
    branches: frozenset[int] = frozenset()
    whole: frozenset[Row] = frozenset()
    """Rows of which a run reads a whole vector."""
    views: tuple[n.Var, ...] = ()
    varying: frozenset[str] = frozenset()
    beside: Mapping[Row, frozenset[int]] = field(default_factory=dict)
    """Which vectors beside that of the run are read as such, by their distance: those of which several elements are
    needed. The rows then have a multiple of `lanes` elements."""
    apart: bool = False
    """Whether vectors that are stored are of values that are best in registers apart (`ir.nodes.Pack`)."""


def side_by_side(
    block: n.Block,
    index: n.Var,
    lanes: int,
    overlaps: frozenset[str],
    different: frozenset[str] = frozenset(),
    in_whole_rows: bool = False,
) -> Accesses:
    """Find what neighbouring iterations access side by side.

    Parameters
    ----------
    block
        What one iteration does.
    index
        The counter that grows from lane to lane.
    lanes
        The length of the run.
    overlaps
        Names of arrays that may share memory with another one.
    different
        Names of variables from outside that are not the same in all lanes.
    in_whole_rows
        Whether the rows of all arrays have a multiple of `lanes` elements, or that is tested.
    """
    found = _Finder(block, index, lanes, overlaps, different)
    accesses = found.accesses()
    return replace(accesses, beside=found.beside(accesses.whole)) if in_whole_rows else accesses


class _Finder:
    def __init__(
        self, block: n.Block, index: n.Var, lanes: int, overlaps: frozenset[str], different: frozenset[str]
    ) -> None:
        self.block, self.lanes, self.overlaps = block, lanes, overlaps
        self.distance: dict[str, int] = {index.name: 0}
        self.varying: set[str] = {index.name, *different}
        self.made = {s.var.name for s in walk(block) if isinstance(s, n.Let) and isinstance(s.var.type, View)}
        self.written: set[str] = set()
        self.loads: dict[int, tuple[Row, int]] = {}
        self.stores: dict[int, str] = {}
        self.branches: set[int] = set()
        self.views: dict[str, n.Var] = {}
        self.everything_written = {v.name for s in walk(block) for v in written_views(s)}

    def accesses(self) -> Accesses:
        for statement in self.block.statements:
            self._visit(statement)
        whole = self._whole()
        used = {row[0] for row in whole} | set(self.stores.values())
        return Accesses(
            self.lanes, self.loads, frozenset(self.stores), frozenset(self.branches), whole,
            tuple(v for v in self.views.values() if v.name in used), frozenset(self.varying),
        )  # fmt: skip

    def _visit(self, statement: n.Statement, is_certain: bool = True) -> None:
        """Note what a statement accesses; `is_certain`: it runs, so that what it reads is there to be read."""
        found = self._access(statement)
        if found is not None:
            view, row, distance = found
            if isinstance(statement, n.Store) and distance == 0:
                self.stores[id(statement)] = view.name
                self.views[view.name] = view
            elif isinstance(statement, n.Let) and is_certain and not self._may_be_written(view):
                self.loads[id(statement)] = (row, distance)
                self.views.setdefault(view.name, view)
        if isinstance(statement, n.If) and self._is_common(statement):
            self.branches.add(id(statement))
            for inner in statement.then.statements:
                self._visit(inner, is_certain=False)
            return
        self._note(statement)

    def _is_common(self, branch: n.If) -> bool:
        """Whether all lanes take a branch or none, and there is nothing else."""
        return not branch.results and branch.orelse == n.Block() and not self._varies(branch.condition)

    def _whole(self) -> frozenset[Row]:
        read: dict[Row, set[int]] = {}
        for row, distance in self.loads.values():
            read.setdefault(row, set()).update(range(distance, distance + self.lanes))
        return frozenset(row for row, elements in read.items() if elements >= set(range(self.lanes)))

    def beside(self, whole: frozenset[Row]) -> Mapping[Row, frozenset[int]]:
        """The vectors beside those of whole rows of which several elements are read."""
        read: dict[Row, set[int]] = {row: set() for row in whole}
        for row, distance in self.loads.values():
            if row in whole:
                read[row].update(range(distance, distance + self.lanes))
        numbers = {row: [element // self.lanes for element in elements] for row, elements in read.items()}
        return {row: frozenset(k for k in found if k and found.count(k) > 1) for row, found in numbers.items()}

    def _access(self, statement: n.Statement) -> tuple[n.Var, Row, int] | None:
        """The view, the row and the distance of an access that moves to the neighbour from lane to lane."""
        access = statement.value if isinstance(statement, n.Let) else statement
        if not isinstance(access, (n.Load, n.Store)) or access.bounds != "safe" or not access.indices:
            return None
        *outer, last = access.indices
        if access.mask is not None or not self._is_vector(access.view) or any(self._varies(a) for a in outer):
            return None
        distance = self.distance.get(last.name) if isinstance(last, n.Var) else None
        return None if distance is None else (access.view, (access.view.name, tuple(outer)), distance)

    def _is_vector(self, view: n.Var) -> bool:
        if not isinstance(view.type, View) or view.name in self.made:
            return False
        if not view.type.contiguous and self.lanes > 1:
            return False
        element = view.type.element
        return isinstance(element, Scalar) and self.lanes <= lanes_of(element)

    def _may_be_written(self, view: n.Var) -> bool:
        """Whether an earlier statement may have written what a load reads."""
        return view.name in self.written or (view.name in self.overlaps and bool(self.written & self.overlaps))

    def _varies(self, atom: n.Atom) -> bool:
        return isinstance(atom, n.Var) and atom.name in self.varying

    def _note(self, statement: n.Statement) -> None:
        for inner in walk(n.Block((statement,))):
            self.written |= {v.name for v in written_views(inner)}
            if isinstance(inner, n.Let) and isinstance(inner.value, VIEWS):
                self.written.add(inner.value.view.name)  # what is written through it is not followed
        if isinstance(statement, n.Let):
            distance = self._moved(statement.value)
            if distance is not None:
                self.distance[statement.var.name] = distance
        if not self._is_fixed(statement):
            self.varying |= {v.name for v in defined_by(statement)}

    def _is_fixed(self, statement: n.Statement) -> bool:
        """Whether a statement does the same in all iterations, so that one of them may do it for all."""
        if not isinstance(statement, n.Let) or any(self._varies(a) for a in atoms_of(statement)):
            return False
        if isinstance(statement.value, n.Load):
            view = statement.value.view.name
            return not self.everything_written and view not in self.made and statement.value.bounds == "safe"
        return not isinstance(statement.value, (n.Alloc, *VIEWS)) and not may_raise(statement.value, statement.var.type)

    def _moved(self, value: n.Expression) -> int | None:
        """How far an expression is from the counter, where that is a constant."""
        if not isinstance(value, n.Binary) or value.op not in ("add", "sub"):
            return None
        left, right = (self._known(a) for a in (value.left, value.right))
        if isinstance(left, tuple) and isinstance(right, int):
            return left[0] + right if value.op == "add" else left[0] - right
        if isinstance(right, tuple) and isinstance(left, int) and value.op == "add":
            return left + right[0]
        return None

    def _known(self, atom: n.Atom) -> int | tuple[int] | None:
        if isinstance(atom, n.Const):
            return int(atom.value.real)
        return (self.distance[atom.name],) if atom.name in self.distance else None


def can_be_cut(block: n.Block, accesses: Accesses) -> bool:
    """Whether lanes that are no iterations may compute what those beside them do, and only not store it.

    So nothing raises, and what they read lies beside what the others read.
    """
    return bool(accesses.stores) and all(_can_be_idle(statement, accesses) for statement in block.statements)


def _can_be_idle(statement: n.Statement, accesses: Accesses) -> bool:
    if isinstance(statement, n.Store):
        return id(statement) in accesses.stores
    if not isinstance(statement, n.Let) or may_raise(statement.value, statement.var.type):
        return False
    if isinstance(statement.value, n.Load) and statement.var.name in accesses.varying:
        row, _ = accesses.loads.get(id(statement), (None, 0))
        return row in accesses.whole
    return not isinstance(statement.value, (n.Alloc, *VIEWS))


Ends: TypeAlias = tuple[n.Atom, n.Atom]
"""The first iteration of a loop, and the one after its last."""


def write_run(
    write: Writing, block: n.Block, index: n.Var, first: n.Atom, accesses: Accesses, values: list[dict[str, n.Atom]],
    ends: Ends | None = None,
) -> None:  # fmt: skip
    """Write the iterations from `first` on.

    Parameters
    ----------
    values
        For each lane, what stands for variables that the block uses; those that it defines are added.
    ends
        Given where some lanes may be no iterations, see `can_be_cut`.
    """
    for k, lane in enumerate(values):
        lane[index.name] = write.sum(first, k, stem=index.stem)
    Runner(write, first, accesses, values, ends).run(block)


def write_abreast(write: Writing, block: n.Block, varying: frozenset[str], values: list[dict[str, n.Atom]]) -> None:
    """Write iterations with any counters, statement by statement: what they read is under way together.

    Parameters
    ----------
    varying
        Names of variables that are not the same in all iterations.
    values
        For each iteration, what stands for variables that the block uses; those that it defines are added.
    """
    Runner(write, n.Const(0), Accesses(varying=varying), values, None).run(block)


class Runner:
    """Writes iterations beside one another, statement by statement; it knows what was loaded before.

    The parameters are those of `write_run`, but that `values` has the counters, too.
    """

    def __init__(
        self, write: Writing, first: n.Atom, accesses: Accesses, values: list[dict[str, n.Atom]], ends: Ends | None
    ) -> None:
        self.write, self.first, self.accesses, self.values, self.ends = write, first, accesses, values, ends
        self.lanes = len(values)
        self.rows: dict[tuple[str, tuple[n.Atom, ...], int], tuple[n.Atom, ...]] = {}

    def run(self, block: n.Block) -> None:
        """Write statements."""
        for statement in block.statements:
            with self.write.at(statement):
                self._run(statement)

    def each(self, atom: n.Atom) -> list[n.Atom]:
        """What an atom is in every lane."""
        return [self._value(atom, lane) for lane in range(self.lanes)]

    def _run(self, statement: n.Statement) -> None:
        row, distance = self.accesses.loads.get(id(statement), (None, 0))
        if row in self.accesses.whole and isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
            self._load(statement, statement.value, distance)
        elif id(statement) in self.accesses.stores and isinstance(statement, n.Store):
            self._store(statement)
        elif id(statement) in self.accesses.branches and isinstance(statement, n.If):
            with self.write.when(self._value(statement.condition, 0)):
                self.run(statement.then)
        else:
            self._each(statement)

    def outer(self, load: n.Load) -> tuple[n.Atom, ...]:
        """All indices of a load but the last one, which are the same in all lanes and were written before."""
        return tuple(self._value(a, 0) for a in load.indices[:-1])

    def give(self, load: n.Load, elements: tuple[n.Atom, ...]) -> None:
        """What the lanes have of the row of a load, which need not be loaded."""
        self.rows[load.view.name, self.outer(load), 0] = elements

    def _load(self, let: n.Let, load: n.Load, distance: int) -> None:
        row, _ = self.accesses.loads[id(let)]
        outer = self.outer(load)
        for lane in range(self.lanes):
            number, place = divmod(distance + lane, self.lanes)
            if number == 0 or number in self.accesses.beside.get(row, ()):
                self.values[lane][let.var.name] = self._vector(load.view, outer, number)[place]
            elif self.ends is None:
                self.write.again(let, self.values[lane])
            else:
                within = self._within(self._view(load.view), distance + lane)
                self.values[lane][let.var.name] = self.write.load(self._view(load.view), *outer, within)

    def _vector(self, view: n.Var, outer: tuple[n.Atom, ...], number: int) -> tuple[n.Atom, ...]:
        """The elements of a row in the run, or in one beside it; those nearby where the array ends before."""
        row = (view.name, outer, number)
        if row not in self.rows:
            array, first = self._view(view), self.write.op("add", self.first, number * self.lanes)
            if number and self.ends is not None:
                first = self.write.within(first, n.Const(0), self.write.op("sub", self._extent(array), self.lanes - 1))
            self.rows[row] = self.write.load_run(array, (*outer, first), self.lanes)
        return self.rows[row]

    def _extent(self, view: n.Var) -> n.Atom:
        assert isinstance(view.type, View)
        return self.write.let(n.Dim(view, view.type.ndim - 1), PYINT, "extent")

    def _within(self, view: n.Var, element: int) -> n.Atom:
        """The place of an element beside the run, or one nearby where the array ends before."""
        return self.write.within(self.write.op("add", self.first, element), n.Const(0), self._extent(view))

    def _store(self, store: n.Store) -> None:
        """Store a run, or the lanes of one that is cut, each under a test of its own.

        Compilers make conditions of instructions of these. Past a branch around them they load nothing early.
        """
        outer = tuple(self._value(a, 0) for a in store.indices[:-1])
        values = [self._value(store.value, lane) for lane in range(self.lanes)]
        if self.ends is None:
            self.write.store_run(self._view(store.view), (*outer, self.first), values, apart=self.accesses.apart)
            return
        (low, high), write, view = self.ends, self.write, self._view(store.view)
        last = write.op("add", self.first, self.lanes)
        is_whole = write.both([write.compare("ge", self.first, low), write.compare("le", last, high)])
        with write.when(is_whole):
            write.store_run(view, (*outer, self.first), values)
        is_cut = write.negated(is_whole)
        for lane, value in enumerate(values):
            place = write.op("add", self.first, lane)
            with write.when(write.both([is_cut, write.compare("ge", place, low), write.compare("lt", place, high)])):
                write.store(view, (*outer, place), value)

    def _each(self, statement: n.Statement) -> None:
        """The statement in every lane, or once where all lanes would do the same."""
        defined = defined_by(statement)
        if defined and not any(v.name in self.accesses.varying for v in defined):
            self.write.again(statement, self.values[0])
            for values in self.values[1:]:
                values.update({v.name: self.values[0][v.name] for v in defined})
            return
        for values in self.values:
            self.write.again(statement, values)

    def _view(self, view: n.Var) -> n.Var:
        found = self._value(view, 0)
        assert isinstance(found, n.Var)
        return found

    def _value(self, atom: n.Atom, lane: int) -> n.Atom:
        return self.values[lane].get(atom.name, atom) if isinstance(atom, n.Var) else atom
