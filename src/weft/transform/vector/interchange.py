"""Interchange: a parallel loop over neighbours in memory goes inside the loops in it, a strip at a time.

``for j: for k: s += a[i, k] * b[k, j]`` walks through `b` from row to row; with the loop over `j` inside, it walks
along the rows, in vector code. Where a second parallel loop stands around it, and some of what is loaded does not
depend on that one, several of its iterations go along, so that each element is loaded once for all of them, from a copy
of the strip in the order of use. The order of the operations on each element does not change, nor does any result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import PYBOOL, PYINT, Scalar, View
from weft.ir.visit import atoms_of, blocks_of, bound_inside, defined_by, walk
from weft.transform.peel import Copies
from weft.transform.support import on_blocks, with_loops
from weft.transform.vector.divergence import Divergence
from weft.transform.vector.expansion import Expansion, Strip, stored

TILE_BYTES = 128
"""Bytes of a strip of one row where several rows go along: two of the widest vectors, which stay in registers."""

ROWS = 8
"""The most rows that go along; fewer where each carries more than one value."""

STRIP_BYTES = 1024
"""Bytes of a strip that goes alone: a few lines of memory at a time, and sums that stay in the first cache."""

FEWEST_LANES = 8
"""Of fewer iterations no strip is made: colours of a pixel, coordinates of a point."""

BLOCKS = 16
"""Blocks of rows for which one copy of a strip is made."""


def interchange(program: n.Program) -> n.Program:
    """Move parallel loops inside the loops in them where memory is then read in order."""
    if not any(isinstance(s, n.For) for block in _bodies(program) for s in walk(block)):
        return program
    copies = Copies(program)
    return on_blocks(program, lambda block: with_loops(block, lambda loop: _changed(loop, copies)))


def _bodies(program: n.Program) -> tuple[n.Block, ...]:
    return program.body, *(f.body for f in program.functions)


def _changed(loop: n.For, copies: Copies) -> tuple[n.Statement, ...] | None:
    """What stands for a loop, or for it and the one inside it; None where it stays."""
    if not _is_parallel(loop):
        return None
    if reads_in_order(loop):
        return _Alone(loop, copies).statements()
    rows = _Rows.of(loop, copies)
    return None if rows is None else rows.statements()


# ------------------------------------------------------------------------------------------------- conditions


def _is_parallel(loop: n.For) -> bool:
    return loop.mapping == "parallel" and loop.exit is None and not loop.args and loop.index.type == PYINT


def reads_in_order(loop: n.For) -> bool:
    """Whether the iterations of a parallel loop can go side by side, and all loops inside then read memory in order."""
    loops = [s for s in walk(loop.body) if isinstance(s, n.For)]
    if not loops or block_may_raise(loop.body):
        return False
    divergence = Divergence(loop)
    if not all(_is_expandable(s, divergence) for s in walk(loop.body)):
        return False
    steps = _unit_steps(loop, divergence)
    found = [_in_order(s, divergence, steps) for inner in loops for s in walk(inner.body)]
    return all(order is not False for order in found) and any(found)


def _is_expandable(statement: n.Statement, divergence: Divergence) -> bool:
    if isinstance(statement, n.Let):
        excluded = (n.Undefined, n.Alloc, n.Subview, n.Transpose, n.Split, n.FieldView)
        return isinstance(statement.var.type, Scalar) and not isinstance(statement.value, excluded)
    if isinstance(statement, n.If):
        return not any(isinstance(s, n.For) for b in blocks_of(statement) for s in walk(b))
    if isinstance(statement, n.For):
        scalars = all(isinstance(a.var.type, Scalar) for a in statement.args)
        uniform = not divergence.differs(statement.start) and not divergence.differs(statement.stop)
        return scalars and uniform and statement.exit is None and statement.index.type == PYINT
    return isinstance(statement, n.Store)


def _unit_steps(loop: n.For, divergence: Divergence) -> set[str]:
    """Names of integers that grow by one from iteration to iteration of a loop."""
    found = {loop.index.name}
    for statement in walk(loop.body):
        if not isinstance(statement, n.Let) or not isinstance(statement.value, n.Binary):
            continue
        value = statement.value
        left, right = value.left, value.right
        if value.op == "add" and isinstance(right, n.Var) and right.name in found:
            left, right = right, left
        moved = isinstance(left, n.Var) and left.name in found and not divergence.differs(right)
        if value.op in ("add", "sub") and moved and value.left.type == PYINT:
            found.add(statement.var.name)
    return found


def _in_order(statement: n.Statement, divergence: Divergence, steps: set[str]) -> bool | None:
    """Whether the lanes of an access are neighbours in memory; None: it is no access, or to one element for all."""
    access = statement.value if isinstance(statement, n.Let) else statement
    if not isinstance(access, (n.Load, n.Store)) or not any(divergence.differs(i) for i in access.indices):
        return None if not isinstance(access, n.Store) else False
    *outer, last = access.indices
    unit = isinstance(access.view.type, View) and access.view.type.contiguous
    return unit and not any(divergence.differs(i) for i in outer) and isinstance(last, n.Var) and last.name in steps


# ------------------------------------------------------------------------------------------------- one strip


Packed: TypeAlias = "dict[str, tuple[n.Var, n.For]]"


@dataclass
class _Parts:
    """Makes the pieces that take the place of a loop."""

    loop: n.For
    copies: Copies

    def __post_init__(self) -> None:
        self.location = self.loop.location
        self.divergence = Divergence(self.loop)

    def lanes(self, size: int) -> int:
        """How many lanes fill `size` bytes."""
        kept = [a.var for s in walk(self.loop.body) if isinstance(s, n.For) for a in s.args]
        kept = [v for v in kept if v.name in self.divergence.varying]
        loaded = [s.var for s in walk(self.loop.body) if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
        types = [v.type.size for v in kept or loaded if isinstance(v.type, Scalar)]
        return max(size // max(types, default=8), 8)

    def let(self, op: n.BinaryOp, left: n.Atom, right: n.Atom, out: list[n.Statement]) -> n.Var:
        """An unchecked operation on Python integers."""
        made = self.copies.let(n.Binary(op, left, right, False), PYINT, self.location)
        out.append(made)
        return made.var

    def span(self, loop: n.For, size: int, out: list[n.Statement]) -> tuple[n.Atom, n.Atom, n.Atom]:
        """How many full pieces a loop has, the first iteration after them, and how many are left then."""
        trips = self.let("max", self.let("sub", loop.stop, loop.start, out), n.Const(0), out)
        pieces = self.let("floordiv", trips, n.Const(size), out)
        done = self.let("mul", pieces, n.Const(size), out)
        return pieces, self.let("add", loop.start, done, out), self.let("sub", trips, done, out)

    def at(self, loop: n.For, piece: n.Atom, size: int, out: list[n.Statement]) -> n.Var:
        """The first iteration of a piece."""
        return self.let("add", loop.start, self.let("mul", piece, n.Const(size), out), out)

    def counted(self, like: n.For, stop: n.Atom, name: str, start: n.Atom | None = None) -> n.For:
        """An empty parallel loop that stands for a part of another."""
        label = self.copies.labels.fresh(like.label)
        index = self.copies.names.fresh(name, PYINT)
        return replace(like, label=label, index=index, start=start or n.Const(0), stop=stop, body=n.Block())

    def strip(self, first: n.Atom, count: n.Atom, most: int) -> tuple[list[n.Statement], list[n.Statement]]:
        """Arrays, and the loop for some of its iterations at once."""
        strip = Strip(self.loop.index, first, count, most)
        work = Expansion(self.loop.body, strip, self.divergence.varying, set(), self.copies, self.location)
        work.block(self.loop.body)
        return work.arrays, work.out

    def if_any(self, count: n.Atom, then: Sequence[n.Statement], out: list[n.Statement]) -> None:
        """Add what is done where `count` is not zero."""
        some = self.copies.let(n.Compare("gt", count, n.Const(0)), PYBOOL, self.location)
        out += [some, n.If(some.var, n.Block(tuple(then)), location=self.location)]


class _Alone(_Parts):
    """One parallel loop."""

    def statements(self) -> tuple[n.Statement, ...]:
        """The loop as it was for few iterations, else strips."""
        many = self._strips()
        before: list[n.Statement] = []
        trips = self.let("sub", self.loop.stop, self.loop.start, before)
        few = self.copies.let(n.Compare("lt", trips, n.Const(FEWEST_LANES)), PYBOOL, self.location)
        original = self.copies.block(n.Block((self.loop,)))
        return (*before, few, n.If(few.var, original, n.Block(many), location=self.location))

    def _strips(self) -> tuple[n.Statement, ...]:
        """Full strips in parallel, then the rest."""
        out: list[n.Statement] = []
        most = self.lanes(STRIP_BYTES)
        strips, first, left = self.span(self.loop, most, out)
        each = self.counted(self.loop, strips, self.loop.index.stem)
        inner: list[n.Statement] = []
        start = self.at(self.loop, each.index, most, inner)
        arrays, strip = self.strip(start, n.Const(most), most)
        out.append(replace(each, body=n.Block((*inner, *arrays, *strip))))
        arrays, strip = self.strip(first, left, most)
        self.if_any(left, [*arrays, *strip], out)
        return tuple(out)


# ------------------------------------------------------------------------------------------------- with rows


class _Rows(_Parts):
    """A parallel loop, `outer`, with only the one inside, of which rows go along."""

    outer: n.For
    by_row: set[str]

    @classmethod
    def of(cls, outer: n.For, copies: Copies) -> _Rows | None:
        """The two loops, if they suit."""
        *before, last = outer.body.statements or (None,)
        if not isinstance(last, n.For) or not _is_parallel(last) or not reads_in_order(last):
            return None
        divergence = Divergence(outer)
        plain = all(isinstance(s, n.Let) and isinstance(s.var.type, Scalar) for s in before)
        if not plain or block_may_raise(outer.body) or divergence.differs(last.start) or divergence.differs(last.stop):
            return None
        if any(
            isinstance(s, n.For) and (divergence.differs(s.start) or divergence.differs(s.stop))
            for s in walk(last.body)
        ):
            return None
        rows = cls(last, copies)
        rows.outer, rows.by_row, rows.before = outer, divergence.varying, before
        return rows if rows.shared() and rows.height > 1 else None

    before: list[n.Statement]

    def shared(self) -> list[tuple[n.Let, n.For]]:
        """Loads in the loops inside that are the same for all rows, each with its loop."""
        found = []
        for loop in (s for s in walk(self.loop.body) if isinstance(s, n.For)):
            for statement in loop.body.statements:
                if isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
                    name = statement.var.name
                    if name in self.divergence.varying and name not in self.by_row:
                        found.append((statement, loop))
        return found

    @property
    def height(self) -> int:
        """How many rows go along."""
        loops = [s for s in walk(self.loop.body) if isinstance(s, n.For)]
        carried = sum(a.var.name in self.divergence.varying for loop in loops for a in loop.args)
        return ROWS // max(carried, 1)

    def statements(self) -> tuple[n.Statement, ...]:
        """Wide strips, then narrow ones for blocks of rows, then the columns that are left, row by row."""
        out: list[n.Statement] = []
        hoisted = [s for s in self.before if not any(v.name in self.by_row for v in defined_by(s))]
        out += hoisted
        self.before = [s for s in self.before if s not in hoisted]
        width = self.lanes(TILE_BYTES)
        blocks, row, _ = self.span(self.outer, self.height, out)
        strips, first, left = self.span(self.loop, width, out)
        out.append(self._blocks(self.loop, strips, blocks, width, out))
        out.append(self._single_rows(row, strips, width))
        last = (first, left)
        if width > FEWEST_LANES:
            columns = replace(self.loop, start=first)
            strips, *after = self.span(columns, FEWEST_LANES, out)
            last = (after[0], after[1])
            narrow: list[n.Statement] = []
            narrow.append(self._blocks(columns, strips, blocks, FEWEST_LANES, narrow))
            self.if_any(strips, narrow, out)
        self.if_any(left, [self._rest(row, (first, left), last, width)], out)
        return tuple(out)

    def _rest(self, row: n.Atom, outside: tuple[n.Atom, n.Atom], inside: tuple[n.Atom, n.Atom], width: int) -> n.For:
        """The columns that are left, row by row: their first and their number, outside of blocks of rows and inside."""
        rest = self.counted(self.outer, self.outer.stop, self.outer.index.stem, self.outer.start)
        body: list[n.Statement] = []
        behind = self.copies.let(n.Compare("ge", rest.index, row), PYBOOL, self.location)
        body.append(behind)
        chosen = [
            self.copies.let(n.Select(behind.var, a, b), PYINT, self.location)
            for a, b in zip(outside, inside, strict=True)
        ]
        body += chosen
        arrays, piece = self._piece((rest.index,), chosen[0].var, chosen[1].var, width)
        self.if_any(chosen[1].var, [*arrays, *piece], body)
        return replace(rest, body=n.Block(tuple(body)))

    def _blocks(self, columns: n.For, strips: n.Atom, blocks: n.Atom, width: int, out: list[n.Statement]) -> n.For:
        """Several blocks of rows for each full strip."""
        rounds = self.let("add", blocks, n.Const(BLOCKS - 1), out)
        several = self.counted(self.outer, self.let("floordiv", rounds, n.Const(BLOCKS), out), self.outer.index.stem)
        across = self.counted(self.loop, strips, self.loop.index.stem)
        inner: list[n.Statement] = []
        start = self.at(columns, across.index, width, inner)
        low = self.let("mul", several.index, n.Const(BLOCKS), inner)
        high = self.let("min", self.let("add", low, n.Const(BLOCKS), inner), blocks, inner)
        packed = self._packed(start, width, inner)
        block = replace(self.counted(self.outer, high, self.outer.index.stem, low), mapping="sequential")
        tile: list[n.Statement] = []
        first = self.at(self.outer, block.index, self.height, tile)
        rows = tuple(self.let("add", first, n.Const(k), tile) if k else first for k in range(self.height))
        arrays, piece = self._piece(rows, start, n.Const(width), width, packed)
        inner += [*arrays, replace(block, body=n.Block((*tile, *piece)))]
        return replace(several, body=n.Block((replace(across, body=n.Block(tuple(inner))),)))

    def _single_rows(self, row: n.Atom, strips: n.Atom, width: int) -> n.For:
        """The rows that fill no block, for each full strip."""
        each = self.counted(self.outer, self.outer.stop, self.outer.index.stem, row)
        across = self.counted(self.loop, strips, self.loop.index.stem)
        inner: list[n.Statement] = []
        start = self.at(self.loop, across.index, width, inner)
        arrays, piece = self._piece((each.index,), start, n.Const(width), width)
        return replace(each, body=n.Block((replace(across, body=n.Block((*inner, *arrays, *piece))),)))

    def _piece(
        self, rows: tuple[n.Atom, ...], start: n.Atom, count: n.Atom, width: int, packed: Packed | None = None
    ) -> tuple[list[n.Statement], list[n.Statement]]:
        """Arrays, and a strip of some rows."""
        strip = Strip(self.loop.index, start, count, width, rows, self.outer.index)
        work = Expansion(
            self.outer.body, strip, self.divergence.varying, self.by_row, self.copies, self.location, packed
        )
        for statement in self.before:
            work.uniform(statement)
        work.block(self.loop.body)
        return work.arrays, work.out

    def _packed(self, start: n.Atom, width: int, out: list[n.Statement]) -> Packed:
        """Copy what all rows load in the loops inside, in the order in which they use it."""
        packed: Packed = {}
        for let, loop in self.shared():
            if not self._is_packable(let, loop):
                continue
            assert isinstance(let.value, n.Load) and isinstance(let.var.type, Scalar)
            type = stored(let.var.type)
            trips = self.let("max", self.let("sub", loop.stop, loop.start, out), n.Const(0), out)
            array = self.copies.names.fresh(let.value.view.stem, View(type, 2, contiguous=True))
            out.append(n.Let(array, n.Alloc((trips, n.Const(width)), type), self.location))
            out.append(self._copying(let, loop, array, start, width))
            packed[let.var.name] = (array, loop)
        return packed

    def _is_packable(self, let: n.Let, loop: n.For) -> bool:
        """Whether a load depends on nothing but its loop and the lane, by simple arithmetic."""
        if loop not in self.loop.body.statements:
            return False
        inside = {v.name for s in walk(self.loop.body) for v in (*bound_inside(s), *defined_by(s))}
        slice_ = _slice(self.loop.body, let)
        made = {s.var.name for s in slice_} | {loop.index.name}
        used = {a.name for s in slice_ for a in atoms_of(s.value) if isinstance(a, n.Var)}
        bounds = {a.name for a in (loop.start, loop.stop) if isinstance(a, n.Var)}
        others = all(isinstance(s.value, (n.Binary, n.Dim)) for s in slice_ if s is not let)
        return others and not (used & inside) - made and not bounds & inside

    def _copying(self, let: n.Let, loop: n.For, array: n.Var, start: n.Atom, width: int) -> n.For:
        """The loop that copies one strip."""
        index = self.copies.names.fresh(loop.index.stem, PYINT)
        lane = self.copies.names.fresh("lane", PYINT)
        work = Expansion(
            self.loop.body, Strip(self.loop.index, start, n.Const(width), width), self.divergence.varying, set(),
            self.copies, self.location,
        )  # fmt: skip
        inner: list[n.Statement] = []
        number = self.let("sub", index, loop.start, inner)
        known = work.known[0]
        known[loop.index.name] = index
        here: list[n.Statement] = []
        known[self.loop.index.name] = self.let("add", start, lane, here)
        for statement in _slice(self.loop.body, let):
            work.copied(statement, work.known, here)
        work.put(array, (number, lane), known[let.var.name], here)
        label = self.copies.labels.fresh(self.loop.label)
        lanes = n.For(label, lane, n.Const(0), n.Const(width), n.Block(tuple(here)), mapping="parallel")
        label = self.copies.labels.fresh(loop.label)
        body = n.Block((*inner, lanes))
        return n.For(label, index, loop.start, loop.stop, body, location=self.location)


def _slice(body: n.Block, last: n.Let) -> list[n.Let]:
    """The assignments in a body from which one follows, itself included, in order."""
    wanted = {last.var.name}
    found: list[n.Let] = []
    for statement in reversed(list(walk(body))):
        if isinstance(statement, n.Let) and statement.var.name in wanted:
            found.append(statement)
            wanted.update(a.name for a in atoms_of(statement.value) if isinstance(a, n.Var))
    return found[::-1]
