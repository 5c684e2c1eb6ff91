"""Scratch memory: arrays that the iterations of a parallel nest make, and that are too large for a thread or a block.

They become one array of the device each, with a part for every iteration. Where that is more than `LIMIT` bytes, a loop
of the host around a copy of the nest runs as many iterations at a time as there are parts for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import PYINT, Scalar, View
from weft.ir.visit import atoms_of, blocks_of, bound_inside, defined_by, free_variables, rewrite, walk
from weft.schedule.lowering.cooperate import dealt_loops
from weft.schedule.nests import flattened, grid_chain
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.support import with_loops

LIMIT = 1 << 30
"""Bytes of scratch memory of a nest: fewer iterations at once leave a device idle."""

Why = Callable[[n.For], "str | None"]
WhyArray = Callable[[n.Let, n.Alloc], "str | None"]


def with_scratch(program: n.Program, why_host: Why, why_array: WhyArray) -> tuple[n.Program, dict[str, str]]:
    """Give arrays of iterations scratch memory where their nests can be kernels then, and cannot without.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host, why_array
        Why a nest cannot be a kernel, and why an iteration of one cannot make an array; None where it can.

    Returns
    -------
    program, notes
        What a report says of loops, by their labels.
    """
    notes: dict[str, str] = {}
    copies = Copies(program)
    sizes = _sizes(program)

    def change(nest: n.For) -> tuple[n.Statement, ...] | None:
        if nest.mapping != "parallel":
            return None
        if why_host(nest) is None:
            return (nest,)
        found = _Writer.of(nest, sizes, why_array, Writing(copies.names, nest.location))
        if found is None:
            return None
        statements = found.statements(copies)
        if not all(s.mapping != "parallel" or why_host(s) is None for s in _outermost(statements)):
            return None
        arrays = ", ".join(repr(let.var.stem) for let in found.arrays)
        for loop in _outermost(statements):
            notes[loop.label] = f"{arrays} of every iteration in scratch memory"
            if loop.mapping != "parallel":
                notes[loop.label] = f"some iterations at a time, where scratch memory for {arrays} of all is too large"
        return tuple(statements)

    body = with_loops(program.body, change)
    return (replace(program, body=body), notes) if notes else (program, notes)


def _sizes(program: n.Program) -> frozenset[str]:
    """Names of extents, and of what is computed from them and cannot be negative: sums, products, quotients."""
    found: set[str] = set()

    def is_size(atom: n.Atom) -> bool:
        return atom.name in found if isinstance(atom, n.Var) else isinstance(atom.value, int) and atom.value >= 0

    for statement in walk(program.body):
        value = statement.value if isinstance(statement, n.Let) else None
        is_found = isinstance(value, n.Dim)
        if isinstance(value, n.Binary) and value.op in ("add", "mul", "min", "max"):
            is_found = is_size(value.left) and is_size(value.right)
        if isinstance(value, n.Binary) and value.op in ("floordiv", "shr") and isinstance(value.right, n.Const):
            is_found = is_size(value.left) and value.right.value.real > 0
        if isinstance(statement, n.Let) and is_found and statement.var.type == PYINT:
            found.add(statement.var.name)
    return frozenset(found)


@dataclass(frozen=True)
class _Writer:
    """Writes what stands for a nest.

    Each iteration of the loops of `chain` has a part of the arrays. If `rows` is set, each part is contiguous, for
    threads that share the work of an iteration, and for views of a part. Otherwise threads that run an iteration each
    have neighbouring elements. `shown` are the arrays with such views. `longest` has the greatest first extent of
    arrays whose first extent is known inside the nest only.
    """

    nest: n.For
    chain: tuple[n.For, ...]
    arrays: tuple[n.Let, ...]
    rows: bool
    shown: frozenset[str]
    longest: Mapping[str, n.Var]
    write: Writing

    @classmethod
    def of(cls, nest: n.For, sizes: frozenset[str], why_array: WhyArray, write: Writing) -> _Writer | None:
        """The writer for a nest; None where its arrays cannot be parts of others. No size in `sizes` is negative."""
        outside = n.Block((replace(nest, args=()),))
        chain = grid_chain(n.Kernel("", free_variables(outside), outside))
        flat = flattened(chain) if chain else n.Block()
        arrays = tuple(let for let in _arrays(flat) if isinstance(let.value, n.Alloc) and why_array(let, let.value))
        longest = _longest(arrays, nest, sizes)
        if not arrays or not all(_can_move(let, nest, flat, sizes, longest, arrays) for let in arrays):
            return None
        shown = frozenset(let.var.name for let in arrays) & {_shown_of(s) for s in walk(flat)}
        return cls(nest, (nest, *chain[1:]), arrays, bool(shown) or any(dealt_loops(flat)), shown, longest, write)

    def statements(self, copies: Copies) -> list[n.Statement]:
        """The nest with parts for all iterations, or for some at a time; one that carries values runs at once."""
        write, nest = self.write, self.nest
        extents = [write.trips(loop.start, loop.stop, "extent") for loop in self.chain]
        if nest.args:
            self._part(nest.start, nest.stop, extents)
            return write.statements
        most = write.op("max", write.op("floordiv", LIMIT, write.op("max", self._bytes(extents[1:]), 1)), 1, "most")
        fits = write.both([write.compare("lt", 0, extents[0]), write.compare("le", extents[0], most)])
        with write.when(fits):
            self._part(nest.start, nest.stop, extents)
        with write.otherwise():
            self._in_rounds(extents, most)
        branch = write.statements[-1]
        assert isinstance(branch, n.If)
        write.statements[-1] = replace(branch, orelse=copies.block(branch.orelse))
        return write.statements

    def _in_rounds(self, extents: Sequence[n.Atom], most: n.Atom) -> None:
        """A loop that runs as many iterations at a time as are allowed."""
        write, nest = self.write, self.nest
        rounds = write.op("floordiv", write.op("sub", write.op("add", extents[0], most), 1), most, "rounds")
        with write.loop(f"{nest.label}.scratch", 0, rounds) as loop:
            first = write.op("add", nest.start, write.op("mul", loop.index, most), "first")
            last = write.op("min", write.op("add", first, most), nest.stop, "last")
            self._part(first, last, [write.op("sub", last, first, "extent"), *extents[1:]])

    def _bytes(self, inner: Sequence[n.Atom]) -> n.Atom:
        """Bytes of all arrays of one iteration of the nest."""
        total: n.Atom = n.Const(0)
        for let in self.arrays:
            alloc = _alloc(let)
            size: n.Atom = n.Const(alloc.element.size)
            for extent in (*inner, *self._shape(let)):
                size = self.write.op("mul", size, extent, "bytes")
            total = self.write.op("add", total, size, "bytes")
        return total

    def _part(self, first: n.Atom, last: n.Atom, extents: Sequence[n.Atom]) -> None:
        """The nest for some of its iterations, whose parts are made before it."""
        made = {let.var.name: self._made(let, extents) for let in self.arrays}
        with self.write.apart() as places:
            starts = (first, *(loop.start for loop in self.chain[1:]))
            own = [self.write.op("sub", x.index, s, "part") for x, s in zip(self.chain, starts, strict=True)]
        body = _within(self.chain, tuple(places), lambda block: self._moved(block, made, own))
        self.write.add(replace(self.nest, start=first, stop=last, body=body))

    def _shape(self, let: n.Let) -> tuple[n.Atom, ...]:
        """The extents of an iteration's part."""
        first, *others = _alloc(let).shape
        return (self.longest.get(let.var.name, first), *others)

    def _made(self, let: n.Let, extents: Sequence[n.Atom]) -> n.Var:
        alloc, own = _alloc(let), self._shape(let)
        shape = (*extents, *own) if self.rows else (*own, *extents)
        type = View(alloc.element, len(shape), contiguous=True)
        return self.write.let(n.Alloc(shape, alloc.element), type, let.var.stem)

    def _moved(self, block: n.Block, made: Mapping[str, n.Var], own: Sequence[n.Atom]) -> n.Block:
        """A block with its accesses to the arrays moved to the iteration's parts."""

        def place(indices: Sequence[n.Atom]) -> tuple[n.Atom, ...]:
            return (*own, *indices) if self.rows else (*indices, *own)

        def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
            if isinstance(statement, (n.Store, n.Update)) and statement.view.name in made:
                return replace(statement, view=made[statement.view.name], indices=place(statement.indices))
            if not isinstance(statement, n.Let):
                return statement
            value = statement.value
            if isinstance(value, n.Alloc) and statement.var.name in made:
                array = made[statement.var.name]
                return (*self._shown(statement, array, own), *self._filled(value, array, place))
            if isinstance(value, n.Load) and value.view.name in made:
                moved = replace(value, view=made[value.view.name], indices=place(value.indices))
                return replace(statement, value=moved)
            if isinstance(value, n.Dim) and value.view.name in made:
                axis = value.axis + (len(own) if self.rows else 0)
                return replace(statement, value=n.Dim(made[value.view.name], axis))
            return statement

        return rewrite(block, change)

    def _shown(self, let: n.Let, array: n.Var, own: Sequence[n.Atom]) -> list[n.Statement]:
        """The part of an iteration as a view, if the program makes views of the array."""
        if let.var.name not in self.shown:
            return []
        slices = (n.Slice(n.Const(0), extent, n.Const(1)) for extent in _alloc(let).shape)
        return [replace(let, value=n.Subview(array, (*own, *slices), "safe"))]

    def _filled(
        self, alloc: n.Alloc, array: n.Var, place: Callable[[Sequence[n.Atom]], tuple[n.Atom, ...]]
    ) -> list[n.Statement]:
        """Loops that give every element of a part its first value."""
        if alloc.fill is None:
            return []
        indices = [self.write.names.fresh("at", PYINT) for _ in alloc.shape]
        filled: n.Statement = n.Store(array, place(indices), alloc.fill, "safe", location=self.nest.location)
        for index, extent in reversed(list(zip(indices, alloc.shape, strict=True))):
            label = self.write.label(f"{self.nest.label}.fill")
            mapping: n.Mapping = "parallel" if self.rows else "sequential"
            block = n.Block((filled,))
            filled = n.For(label, index, n.Const(0), extent, block, mapping=mapping, location=self.nest.location)
        return [filled]


def _outermost(statements: Sequence[n.Statement]) -> Iterator[n.For]:
    """The loops of the host, and the nests in them."""
    for statement in statements:
        if isinstance(statement, n.For):
            yield statement
        if not isinstance(statement, n.For) or statement.mapping != "parallel":
            for block in blocks_of(statement):
                yield from _outermost(block.statements)


def _alloc(let: n.Let) -> n.Alloc:
    assert isinstance(let.value, n.Alloc)
    return let.value


def _arrays(block: n.Block) -> Iterator[n.Let]:
    """The arrays that a block makes one after the other: those of parallel loops in it live side by side."""
    for statement in block.statements:
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc):
            yield statement
        if not (isinstance(statement, n.For) and statement.mapping == "parallel"):
            for inner in blocks_of(statement):
                yield from _arrays(inner)


def _longest(arrays: Sequence[n.Let], nest: n.For, sizes: frozenset[str]) -> dict[str, n.Var]:
    """Sizes known before the nest that bound the first extents of arrays, by array.

    ``n >> k`` and ``n // 2`` are at most `n`, and not negative.
    """
    inside = {s.var.name: s.value for s in walk(nest.body) if isinstance(s, n.Let)}
    found = {}
    for let in arrays:
        first = _alloc(let).shape[0] if _alloc(let).shape else None
        value = inside.get(first.name) if isinstance(first, n.Var) else None
        if isinstance(value, n.Binary) and isinstance(value.left, n.Var) and value.left.name in sizes - inside.keys():
            is_part = isinstance(value.right, n.Const) and int(value.right.value.real) > 0
            if value.op == "shr" or (value.op == "floordiv" and is_part):
                found[let.var.name] = value.left
    return found


def _can_move(
    let: n.Let, nest: n.For, flat: n.Block, sizes: frozenset[str], longest: Mapping[str, n.Var], moved: Sequence[n.Let]
) -> bool:
    """Whether an array has numbers for elements and a size known before the nest, and is only read and written."""
    alloc, block = _alloc(let), n.Block((nest,))
    inside = {v.name for s in walk(block) for v in (*defined_by(s), *bound_inside(s))}
    if let.var.name in longest:
        alloc = replace(alloc, shape=(longest[let.var.name], *alloc.shape[1:]))
        if any(_asks_for_extent(s, let.var) for s in walk(block)):
            return False
    if not isinstance(alloc.element, Scalar) or not alloc.shape or any(a.name in inside for a in _variables(alloc)):
        return False
    yielded = any(y == let.var for s in walk(block) for b in blocks_of(s) for y in b.yields)
    if yielded or not all(_is_access(s, let.var) for s in walk(block)):
        return False
    return all(v.name in sizes for v in _variables(alloc)) or _may_stand_before(let, nest, flat, moved)


def _asks_for_extent(statement: n.Statement, array: n.Var) -> bool:
    """Whether a statement needs the extents of an array: to give one, to test an index, or to count from the end."""
    access = statement.value if isinstance(statement, n.Let) else statement
    if isinstance(access, (n.Load, n.Store, n.Update)):
        return access.view == array and access.bounds != "safe"
    if isinstance(access, n.Subview):
        return access.view == array and access.bounds != "safe"
    return isinstance(access, n.Dim) and access.view == array


def _variables(alloc: n.Alloc) -> list[n.Var]:
    return [extent for extent in alloc.shape if isinstance(extent, n.Var)]


def _may_stand_before(let: n.Let, nest: n.For, flat: n.Block, moved: Sequence[n.Let]) -> bool:
    """Whether the array can be made before the nest: a negative size raises before an iteration does anything.

    It cannot raise if its sizes are those of arrays that the iteration makes before it, and that are `moved`, too.
    """
    if not may_raise(_alloc(let), let.var.type):
        return True
    position = next((k for k, s in enumerate(flat.statements) if s is let), None)
    if position is None or nest.args:
        return False
    before = flat.statements[:position]
    arrays = [s for s in before if any(s is other for other in moved)]
    made = {extent for s in arrays for extent in _variables(_alloc(cast(n.Let, s)))}
    if set(_variables(_alloc(let))) <= made:
        return True
    return all(isinstance(s, n.Let) and (s in arrays or not may_raise(s.value, s.var.type)) for s in before)


def _shown_of(statement: n.Statement) -> str:
    """The array that a statement makes a view of; nothing for others."""
    is_view = isinstance(statement, n.Let) and isinstance(statement.value, (n.Subview, n.Transpose, n.Split))
    return statement.value.view.name if is_view else ""  # type: ignore[union-attr]


def _is_access(statement: n.Statement, array: n.Var) -> bool:
    """Whether a statement only reads or writes an element of an array, makes a view of it, or asks for its extent."""
    if _shown_of(statement) == array.name:
        return True
    if isinstance(statement, n.Let):
        if isinstance(statement.value, (n.Load, n.Dim)):
            return array not in getattr(statement.value, "indices", ())
        return array not in atoms_of(statement)
    if isinstance(statement, (n.Store, n.Update)):
        return statement.value != array
    return array not in atoms_of(statement)


def _within(chain: Sequence[n.For], first: tuple[n.Statement, ...], change: Callable[[n.Block], n.Block]) -> n.Block:
    """The body of the outermost of nested loops with the innermost's changed and begun by some statements."""
    loop, *inner = chain
    if not inner:
        body = change(loop.body)
        return replace(body, statements=(*first, *body.statements))
    *lets, last = loop.body.statements
    return replace(loop.body, statements=(*lets, replace(inner[0], body=_within(inner, first, change))))
