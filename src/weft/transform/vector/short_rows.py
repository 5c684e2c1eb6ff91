"""Short rows: what the loops inside of an iteration read of its own short row again and again is copied once.

``for k: d = 0; for j in range(len(c[k])): d += (x[i, j] - c[k, j]) ** 2`` folds rows of three or eight elements. A fold
so short is no vector code; iterations of `i` side by side would be, but neighbours in `i` are a row apart in memory.
So each iteration copies its row into a small array of its own, and `lanes` runs the loop in vectors, in which these
arrays lie side by side. Elements at constant places are loaded into variables before the loops.

The length of a row is known when the loop runs. The nest stands twice: in order over rows of at most `LONGEST`
elements, and as it was. Only where `lanes` takes the first form and did not take the loop as it was. Each element is
read as often as it would be, or once, and only if the loops that read it run; the terms of a fold are added in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from weft.analysis.values.ranges import Ranges
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import written_views
from weft.ir.types import PYBOOL, PYINT, Scalar, View
from weft.ir.visit import Names, blocks_of, bound_inside, defined_by, rewrite, substitute, walk, with_blocks
from weft.transform.peel import Copies
from weft.transform.support import for_each_body, on_blocks, with_loops
from weft.transform.vector.lanes import runs_in_lanes

LONGEST = 16
"""Elements of the longest row that is copied. Longer folds are vector code by themselves."""
SMALLEST = 4
"""Bytes of the smallest elements that lanes have side by side."""

Bounds: TypeAlias = "tuple[n.Atom, n.Atom]"


@dataclass(frozen=True)
class _Read:
    """A load of an element of an iteration's own row: its loops, of which `along` counts along the row, if one does."""

    let: n.Let
    load: n.Load
    along: n.For | None
    others: tuple[Bounds, ...]

    @property
    def row(self) -> tuple[object, ...]:
        """What loads of one row have in common."""
        if self.along is None:
            return self.load.view, self.load.indices
        return self.load.view, self.load.indices[:-1], self.along.stop


def short_rows(program: n.Program) -> n.Program:
    """Copy short rows that loops inside of parallel iterations read repeatedly."""
    copies = Copies(program)

    def change(body: n.Block, ranges: Ranges) -> n.Block:
        return with_loops(body, lambda loop: _changed(program, loop, ranges, copies))

    return for_each_body(program, change)


def _changed(program: n.Program, loop: n.For, ranges: Ranges, copies: Copies) -> tuple[n.Statement, ...] | None:
    if loop.mapping != "parallel" or loop.exit is not None or loop.index.type != PYINT:
        return None
    inner = [s for s in walk(loop.body) if isinstance(s, (n.For, n.While))]
    if not inner or any(isinstance(s, n.For) and s.mapping == "parallel" and not s.args for s in inner):
        return None
    reads = _Reads(loop, ranges).found
    if not reads or runs_in_lanes(program, loop, copies):
        return None
    made = _Writer(loop, reads, copies.names).made()
    changed = (*made.before, made.loop)
    trial = on_blocks(program, lambda body: with_loops(body, lambda other: changed if other is loop else None))
    if not runs_in_lanes(trial, made.loop, copies):
        return None
    if not made.stops:
        return changed
    return (*made.before, *_versions(loop, made, copies))


class _Reads:
    """The loads of rows of the iterations themselves, below at least one loop more than the one along the row."""

    def __init__(self, loop: n.For, ranges: Ranges) -> None:
        self.loop, self.aliases = loop, ranges.aliases
        self.inside = {v.name for v in bound_inside(loop)}
        self.written: list[n.Var] = []
        for statement in walk(loop.body):
            self.inside.update(v.name for v in (*defined_by(statement), *bound_inside(statement)))
            self.written.extend(written_views(statement))
        self.found: list[_Read] = []
        self._block(loop.body, ())
        again = {read.row for read in self.found if read.others}
        self.found = [read for read in self.found if read.row in again]

    def _block(self, block: n.Block, loops: tuple[n.For, ...]) -> None:
        for statement in block.statements:
            if isinstance(statement, n.For) and statement.exit is None and self._is_fixed(statement):
                self._block(statement.body, (*loops, statement))
            elif isinstance(statement, n.Let) and isinstance(statement.value, n.Load) and loops:
                self._load(statement, statement.value, loops)

    def _is_fixed(self, loop: n.For) -> bool:
        return loop.index.type == PYINT and self._is_outside(loop.start) and self._is_outside(loop.stop)

    def _is_outside(self, atom: n.Atom) -> bool:
        return isinstance(atom, n.Const) or atom.name not in self.inside

    def _load(self, let: n.Let, load: n.Load, loops: tuple[n.For, ...]) -> None:
        element = load.view.type.element if isinstance(load.view.type, View) else None
        if not isinstance(element, Scalar) or element.kind not in "iuf" or element.size < SMALLEST:
            return
        if load.bounds != "safe" or load.mask is not None or not self._is_outside(load.view) or not load.indices:
            return
        *others, last = load.indices
        if sum(index == self.loop.index for index in others) != 1:
            return
        if not all(index == self.loop.index or self._is_outside(index) for index in others):
            return
        if any(self.aliases.may_alias(load.view, view) for view in self.written):
            return
        along = next((s for s in loops if s.index == last), None)
        if along is None and not self._is_outside(last):
            return
        if along is not None and (along.start != n.Const(0) or _is_long(along.stop)):
            return
        bounds = tuple((s.start, s.stop) for s in loops if s is not along)
        self.found.append(_Read(let, load, along, bounds))


def _is_long(stop: n.Atom) -> bool:
    """Whether a row is known to be longer than what is copied."""
    return isinstance(stop, n.Const) and stop.value.real > LONGEST


@dataclass(frozen=True)
class _Made:
    """The loop that copies rows, what is computed before it, and what must be at most `LONGEST`."""

    before: tuple[n.Statement, ...]
    loop: n.For
    stops: tuple[n.Atom, ...]


class _Writer:
    def __init__(self, loop: n.For, reads: Sequence[_Read], names: Names) -> None:
        self.loop, self.names = loop, names
        self.before: list[n.Statement] = []
        self.begin: list[n.Statement] = []
        self.rows: dict[tuple[object, ...], n.Var] = {}
        self.others: dict[tuple[object, ...], dict[tuple[Bounds, ...], None]] = {}
        for read in reads:
            self.others.setdefault(read.row, {})[read.others] = None
        self.stops: list[n.Atom] = []
        self.places = {id(read.let): self._place(read) for read in reads}
        self.reads = {id(read.let): read for read in reads}

    def made(self) -> _Made:
        """The loop over short rows; folds in it run in order."""
        body = self._replaced(self.loop.body)
        body = rewrite(body, lambda s: replace(s, mapping="sequential") if isinstance(s, n.For) else s)
        body = replace(body, statements=(*self.begin, *body.statements))
        stops = tuple(dict.fromkeys(stop for stop in self.stops if isinstance(stop, n.Var)))
        return _Made(tuple(self.before), replace(self.loop, body=body), stops)

    def _replaced(self, block: n.Block) -> n.Block:
        statements: list[n.Statement] = []
        values: dict[str, n.Atom] = {}
        for given in block.statements:
            read = self.reads.get(id(given))
            if read is None:
                statement = substitute(given, values)
                if blocks_of(statement):
                    statement = substitute(with_blocks(given, tuple(map(self._replaced, blocks_of(given)))), values)
                statements.append(statement)
            elif read.along is None:
                values[read.let.var.name] = self.places[id(given)]
            else:
                load = n.Load(self.places[id(given)], (read.along.index,), "safe")
                statements.append(replace(read.let, value=load))
        return replace(block, statements=tuple(statements), yields=substitute(block.yields, values))

    def _place(self, read: _Read) -> n.Var:
        """The array or the variable that has a copy."""
        known = self.rows.get(read.row)
        if known is None:
            known = self.rows[read.row] = self._row(read) if read.along is not None else self._element(read)
        return known

    def _element(self, read: _Read) -> n.Var:
        value = self.names.fresh(read.load.view.stem, read.let.var.type)
        inner = self.names.fresh(read.load.view.stem, read.let.var.type)
        assert isinstance(inner.type, Scalar)
        then = n.Block((n.Let(inner, read.load, read.let.location),), (inner,))
        zero = n.Const(inner.type.dtype.type(0).item(), inner.type)
        self.begin.append(n.If(self._runs(read), then, n.Block((), (zero,)), (value,), read.let.location))
        return value

    def _row(self, read: _Read) -> n.Var:
        assert read.along is not None and isinstance(read.load.view.type, View)
        location, element = read.let.location, read.load.view.type.element
        row = self.names.fresh(read.load.view.stem, View(element, 1, contiguous=True))
        count = self.names.fresh("count", PYINT)
        self.before.append(n.Let(count, n.Select(self._runs(read), read.along.stop, n.Const(0)), location))
        index, value = self.names.fresh(read.along.index.stem, PYINT), self.names.fresh("t", read.let.var.type)
        body = n.Block((
            n.Let(value, replace(read.load, indices=(*read.load.indices[:-1], index)), location),
            n.Store(row, (index,), value, "safe", location=location),
        ))  # fmt: skip
        self.begin.append(n.Let(row, n.Alloc((n.Const(LONGEST),), element), location))
        label = f"{read.along.label}.row{len(self.rows)}"
        self.begin.append(n.For(label, index, n.Const(0), count, body, location=location))
        self.stops.append(read.along.stop)
        return row

    def _runs(self, read: _Read) -> n.Atom:
        """Whether all loops run around some load of a row, but for the one along it."""
        found: n.Atom | None = None
        for others in self.others[read.row]:
            runs: n.Atom | None = None
            for start, stop in dict.fromkeys(others):
                test = self._let("runs", n.Compare("lt", start, stop))
                runs = test if runs is None else self._let("runs", n.Binary("and", runs, test, False))
            if runs is None:
                return n.Const(True, PYBOOL)
            found = runs if found is None else self._let("runs", n.Binary("or", found, runs, False))
        assert found is not None
        return found

    def _let(self, name: str, value: n.Expression) -> n.Var:
        var = self.names.fresh(name, PYBOOL)
        self.before.append(n.Let(var, value, self.loop.location))
        return var


def _versions(loop: n.For, made: _Made, copies: Copies) -> tuple[n.Statement, ...]:
    """The loop over short rows where they are short, else the loop as it was."""
    tests: list[n.Statement] = []
    short: n.Atom | None = None
    for stop in made.stops:
        test = copies.names.fresh("short", PYBOOL)
        tests.append(n.Let(test, n.Compare("le", stop, n.Const(LONGEST)), loop.location))
        if short is None:
            short = test
            continue
        both = copies.names.fresh("short", PYBOOL)
        tests.append(n.Let(both, n.Binary("and", short, test, False), loop.location))
        short = both
    assert short is not None
    (rows,) = copies.block(n.Block((made.loop,))).statements
    assert isinstance(rows, n.For)
    results = tuple(copies.names.fresh(r.stem, r.type) for r in loop.results)
    plain = n.Block((replace(loop, results=results),), results)
    return (*tests, n.If(short, n.Block((rows,), rows.results), plain, loop.results, loop.location))
