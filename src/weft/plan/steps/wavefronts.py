"""Nests of two loops that both depend on iterations before, along the diagonals of tiles.

``for i: for j: d[i, j] = min(d[i - 1, j], d[i, j - 1]) + c[i, j]`` has no parallel loop, but neither of the elements
that it reads is on its own diagonal. So the nest runs in square tiles: a launch for each diagonal of tiles, a block for
each tile, and in a block one diagonal of elements after the other, which its threads share::

    for front: for tile in parallel: for step: for row in parallel: (i, j) = (row of the tile, step - row)

That keeps every dependence if none goes to a later outer and an earlier inner iteration. Where some do, the inner
counter is skewed first: ``j + c * i`` takes its place, for a small ``c``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from weft.analysis.access.access import AccessTable, table
from weft.analysis.access.structure import Loop
from weft.analysis.dependence.legality import COMMUTATIVE, skew_of
from weft.analysis.recurrences.recurrences import carried
from weft.analysis.values.hull import hull
from weft.analysis.values.linear import ZERO, Element, Form, Positive
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, block_may_raise
from weft.ir.neutral import identity, stored_as
from weft.ir.types import View
from weft.ir.visit import walk
from weft.plan.kernels import FOLDED
from weft.plan.scratch import Why
from weft.plan.steps.between import can_go_inside
from weft.plan.transfers.views import ViewMaker
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.support import with_loops

SIDE = 64
"""Rows and columns of a tile, and threads of its block."""

LEAST = 256
"""Iterations for each row and column from which on a device is done before a processor that runs them in order: it
needs as much time for a diagonal as that for so many iterations."""

REASON = "its rows or columns are few"

KINDS = (n.Let, n.Store, n.If, n.For)


@dataclass(frozen=True)
class Nest:
    """Two loops that can run along diagonals.

    Attributes
    ----------
    outer, inner
        The loops.
    low, high
        What bounds the counter of the inner one in all iterations of the outer.
    skew
        How far it is skewed.
    folds
        By which operators what both carry is folded, in the order of the outer loop's arguments.
    """

    outer: n.For
    inner: n.For
    low: Form
    high: Form
    skew: int
    folds: tuple[str, ...]

    @property
    def between(self) -> Iterator[n.Let]:
        """What an outer iteration computes beside the inner loop."""
        return (s for s in self.outer.body.statements if isinstance(s, n.Let))


def with_wavefronts(program: n.Program, why_host: Why) -> tuple[n.Program, frozenset[str]]:
    """Let nests of which no loop is parallel run along diagonals.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host
        Why a nest cannot be a kernel; None where it can.

    Returns
    -------
    tuple
        The program, and the labels of the loops that run where diagonals are short.
    """
    if not any(_inner(s) for s in walk(program.body)):
        return program, frozenset()
    accesses, copies, kept = table(program), Copies(program), set[str]()

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "sequential":
            return (loop,)
        inner = _inner(loop)
        nest = _nest(accesses, loop, inner) if inner is not None else None
        if nest is None:
            return None
        writer = _Writer(nest, accesses, copies)
        statements = writer.statements()
        if why_host(writer.tiles) is not None:
            return None
        kept.update(writer.small)
        return tuple(statements)

    body = with_loops(program.body, change)
    return (program if body is program.body else replace(program, body=body)), frozenset(kept)


def _inner(outer: n.Statement) -> n.For | None:
    """The loop inside of a loop, where both run in order, with nothing between them but values; none is deeper."""
    if not _runs_in_order(outer):
        return None
    assert isinstance(outer, n.For)
    inside = [s for s in outer.body.statements if not isinstance(s, n.Let)]
    if len(inside) != 1 or not _runs_in_order(inside[0]):
        return None
    (inner,) = inside
    assert isinstance(inner, n.For)
    deeper = (s for s in walk(inner.body) if isinstance(s, n.For))
    return None if any(s.mapping == "sequential" for s in deeper) else inner


def _runs_in_order(loop: n.Statement) -> bool:
    return isinstance(loop, n.For) and loop.mapping == "sequential" and loop.exit is None


def _nest(accesses: AccessTable, outer: n.For, inner: n.For) -> Nest | None:
    """Two loops, if they can run along diagonals."""
    around, within = (accesses.structure.loops[loop.label] for loop in (outer, inner))
    if block_may_raise(outer.body) or not all(map(_is_plain, walk(inner.body))):
        return None
    if not all(can_go_inside(accesses, around, s) for s in outer.body.statements if isinstance(s, n.Let)):
        return None
    folds = _folds(accesses, around, within)
    low, high = (_bound(accesses, around, accesses.forms.of(end), k) for k, end in enumerate((inner.start, inner.stop)))
    if folds is None or low is None or high is None:
        return None
    skew = skew_of(accesses, around, within)
    return None if skew is None else Nest(outer, inner, low, high, skew, folds)


def _is_plain(statement: n.Statement) -> bool:
    """Whether a statement computes, reads and stores, and makes no arrays."""
    makes = isinstance(statement, n.Let) and isinstance(statement.value, (n.Alloc, n.Undefined, *VIEWS))
    return isinstance(statement, KINDS) and not makes


def _folds(accesses: AccessTable, around: Loop, within: Loop) -> tuple[str, ...] | None:
    """By which operators two loops fold what they carry, if the order does not matter and no bit depends on it."""
    outer, inner = around.node, within.node
    links = [(arg.init, result) for arg, result in zip(inner.args, inner.results, strict=True)]
    if links != [(arg.var, value) for arg, value in zip(outer.args, outer.body.yields, strict=True)]:
        return None
    found = carried(accesses, within)
    for value in (*found, *carried(accesses, around)):
        if (
            value.kind != "reduction"
            or value.is_float
            or value.operator not in COMMUTATIVE
            or value.operator not in FOLDED
        ):
            return None
    return tuple(value.operator or "" for value in found)


def _bound(accesses: AccessTable, loop: Loop, form: Form, side: int) -> Form | None:
    """What is at most an end of the inner loop in all outer iterations, or (side 1) at least."""
    if not any(accesses.structure.is_inside(name, loop) for name in form.names):
        return form
    for name in form.symbols:  # a smaller of two values is one of them less what is not negative
        is_alone = sum(name in monomial for monomial in form.terms) == 1
        if isinstance(name, Positive) and is_alone and form.terms.get((name,), 0) * (1, -1)[side] > 0:
            others = [form.substitute({name: part}) for part in (ZERO, name.parts[0])]
            known = [_bound(accesses, loop, other, side) for other in others]
            return next((bound for bound, other in zip(known, others, strict=True) if bound == other), known[0])
    found = hull(accesses.ranges, form, loop.body, loop)
    bounds = () if found is None else (found.low, found.high)[side]
    return next((bound for bound in bounds if not any(isinstance(s, Element) for s in bound.symbols)), None)


class _Writer:
    """Writes a nest along diagonals.

    Attributes
    ----------
    tiles
        The loop over the tiles of a diagonal.
    small
        Labels of loops that run where diagonals are short.
    """

    def __init__(self, nest: Nest, accesses: AccessTable, copies: Copies) -> None:
        self.nest, self.copies = nest, copies
        self.write = Writing(copies.names, nest.outer.location)
        self.views = ViewMaker(copies.names, lambda name: accesses.structure.definition(name).var)
        self.parts: tuple[n.Var, ...] = ()
        self.small: set[str] = set()

    def statements(self) -> Sequence[n.Statement]:
        """The nest, as it is where its diagonals are short."""
        write, outer = self.write, self.nest.outer
        low, high = (
            self.views.atom(form, write.statements, write.location) for form in (self.nest.low, self.nest.high)
        )
        runs = write.both([write.compare("lt", outer.start, outer.stop), write.compare("lt", low, high)])
        with write.apart() as statements:
            rows, columns = write.op("sub", outer.stop, outer.start), write.op("sub", high, low)
            totals = self.by_size(low, rows, columns)
        inits = tuple(arg.init for arg in outer.args)
        block = n.Block(tuple(statements), totals)
        write.add(n.If(runs, block, n.Block((), inits), outer.results, outer.location))
        return write.statements

    def by_size(self, low: n.Atom, rows: n.Atom, columns: n.Atom) -> tuple[n.Var, ...]:
        """Write the nest as it is, for short diagonals, and along them."""
        write, outer = self.write, self.nest.outer
        steps = write.op("mul", write.op("add", rows, columns), LEAST)
        few = write.compare("lt", write.op("mul", rows, columns), steps, "few")
        small = self.copies.block(n.Block((outer,), outer.results))
        self.small = {s.label for s in walk(small) if isinstance(s, n.For)}
        with write.apart() as statements:
            totals = self.fronts(low, rows, columns)
        return write.branch(few, small, n.Block(tuple(statements), totals), [r.stem for r in outer.results])

    def fronts(self, low: n.Atom, rows: n.Atom, columns: n.Atom) -> tuple[n.Var, ...]:
        """Write the loop over the diagonals of tiles; what is carried afterwards."""
        write, label = self.write, self.nest.outer.label
        self.parts = tuple(
            self.cleared(arg, op, rows) for arg, op in zip(self.nest.outer.args, self.nest.folds, strict=True)
        )
        span = write.op("add", columns, write.op("mul", write.op("sub", rows, 1), self.nest.skew))
        down, across = (write.op("floordiv", write.op("add", extent, SIDE - 1), SIDE) for extent in (rows, span))
        fronts = write.op("sub", write.op("add", down, across), 1)
        with write.loop(f"{label}.fronts", 0, fronts, stem="front") as front:
            after = write.op("add", front.index, 1)
            first, last = write.op("max", write.op("sub", after, across), 0), write.op("min", down, after)
            with write.loop(f"{label}.tiles", first, last, "parallel", stem="tile") as tile:
                top = write.op("mul", tile.index, SIDE)
                left = write.op("mul", write.op("sub", front.index, tile.index), SIDE)
                self.tile(top, left, low, rows)
            tiles = write.statements[-1]
            assert isinstance(tiles, n.For)
            self.tiles = tiles
        return self.folded(rows)

    def cleared(self, arg: n.LoopArg, op: str, rows: n.Atom) -> n.Var:
        """Write what makes an array with the part of each row of what is carried."""
        write = self.write
        element = stored_as(arg.var.type)
        parts = write.let(n.Alloc((rows,), element), View(element, 1, contiguous=True), "parts")
        with write.loop(f"{self.nest.outer.label}.clears", 0, rows, "parallel", stem="row") as row:
            write.store(parts, (row.index,), identity(op, arg.var.type))
        return parts

    def folded(self, rows: n.Atom) -> tuple[n.Var, ...]:
        """Write the loop that folds the parts of all rows."""
        write, outer = self.write, self.nest.outer
        if not outer.args:
            return ()
        index = write.names.fresh("row", n.Const(0).type)
        args, results = [], []
        with write.apart() as statements:
            yields = []
            for arg, op, parts in zip(outer.args, self.nest.folds, self.parts, strict=True):
                total = write.fresh(arg.var.stem, arg.var.type)
                args.append(n.LoopArg(total, arg.init, op))
                results.append(write.fresh(arg.var.stem, arg.var.type))
                yields.append(write.let(n.Binary(op, total, self.part(parts, index, arg), checked=False), arg.var.type))  # type: ignore[arg-type]
        write.add(
            n.For(
                write.label(f"{outer.label}.fold"), index, n.Const(0), rows, n.Block(tuple(statements), tuple(yields)),
                tuple(args), tuple(results), mapping="parallel", location=outer.location,
            )
        )  # fmt: skip
        return tuple(results)

    def part(self, parts: n.Var, row: n.Atom, arg: n.LoopArg) -> n.Var:
        """Write the load of a row's part of what is carried."""
        found = self.write.load(parts, row)
        return found if found.type == arg.var.type else self.write.let(n.Cast(found, checked=False), arg.var.type)

    def tile(self, top: n.Atom, left: n.Atom, low: n.Atom, rows: n.Atom) -> None:
        """Write what a block does: one diagonal after the other."""
        write, label = self.write, self.nest.outer.label
        with (
            write.loop(f"{label}.steps", 0, 2 * SIDE - 1, stem="step") as step,
            write.loop(f"{label}.rows", 0, SIDE, "parallel", stem="row") as each,
        ):
            place = write.op("sub", step.index, each.index)
            row = write.op("add", top, each.index)
            inside = [write.compare("ge", place, 0), write.compare("lt", place, SIDE), write.compare("lt", row, rows)]
            with write.when(write.both(inside)):
                column = write.op("sub", write.op("add", left, place), write.op("mul", row, self.nest.skew))
                self.element(row, write.op("add", low, column))

    def element(self, row: n.Atom, column: n.Atom) -> None:
        """Write an iteration of the inner loop, if there is one."""
        write, outer, inner = self.write, self.nest.outer, self.nest.inner
        known: dict[str, n.Atom] = {
            outer.index.name: write.op("add", outer.start, row),
            inner.index.name: column,
        }
        for statement in self.nest.between:
            write.again(statement, known)
        start, stop = (known.get(end.name, end) if isinstance(end, n.Var) else end for end in (inner.start, inner.stop))
        with write.when(write.both([write.compare("le", start, column), write.compare("lt", column, stop)])):
            for arg, parts in zip(inner.args, self.parts, strict=True):
                known[arg.var.name] = self.part(parts, row, arg)
            yields = write.copy(inner.body, known)
            for value, parts in zip(yields, self.parts, strict=True):
                write.store(parts, (row,), value)
