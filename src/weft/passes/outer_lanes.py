"""Outer lanes: a parallel loop around a loop that sums runs in vectors, where the inner loop would walk across memory.

In a matrix product, the loop over the columns of the result: its neighbours read neighbouring elements, while the loop
inside jumps from row to row. Every lane keeps its own sum, in the order of the source. For bodies in which lanes do not
part, whose accesses in inner loops go along the vector or are the same in all lanes. Full tiles need no mask; the last
one is masked. Two tiles run together, so that a sum need not wait for the one before: see `jam` for rows.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.linear import Form
from weft.analysis.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import PYBOOL, PYINT, Scalar, Vector, View
from weft.ir.visit import rewrite, walk
from weft.passes.divergence import Divergence
from weft.passes.jam import Different, jammed
from weft.passes.peel import Copies
from weft.passes.select import undefined_names
from weft.passes.support import ranges_of
from weft.passes.vectorise import Unsuited, Vectoriser

VECTOR_BYTES = 64
TILES_AT_ONCE = 2
MOST_STATEMENTS = 24


def outer_lanes(program: n.Program, vector_bytes: int = VECTOR_BYTES) -> n.Program:
    """Run parallel loops around sums in vectors."""
    if not any(_has_form(s) for s in walk(program.body)):
        return program
    change = _Change(program, vector_bytes)
    body = rewrite(program.body, change.statement)
    return program if body is program.body else replace(program, body=body)


def _has_form(statement: n.Statement) -> bool:
    """Whether a statement is a parallel loop of little but straight code and loops that carry values."""
    if not isinstance(statement, n.For) or statement.mapping != "parallel" or statement.args:
        return False
    if statement.exit is not None or statement.index.type != PYINT:
        return False
    inner = list(walk(statement.body))
    loops = [s for s in inner if isinstance(s, n.For)]
    straight = all(isinstance(s, (n.Let, n.Store, n.For, n.If)) for s in inner)
    carries = all(loop.args and loop.exit is None for loop in loops)
    return bool(loops) and straight and carries and len(inner) <= MOST_STATEMENTS


class _Change:
    def __init__(self, program: n.Program, vector_bytes: int) -> None:
        self.vector_bytes = vector_bytes
        self.copies = Copies(program)
        self.ranges = ranges_of(program)
        self.undefined = undefined_names(program.body)

    def statement(self, statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if not isinstance(statement, n.For) or not _has_form(statement) or block_may_raise(statement.body):
            return statement
        if not _pays(statement, self.ranges):
            return statement
        try:
            return self._in_tiles(statement)
        except (Unsuited, Different):
            return statement

    def _in_tiles(self, loop: n.For) -> tuple[n.Statement, ...]:
        count = self.vector_bytes // _widest(loop)
        let, location = self.copies.let, loop.location
        span = let(n.Binary("sub", loop.stop, loop.start, False), PYINT, location, "span")
        whole = let(n.Binary("floordiv", span.var, n.Const(count), False), PYINT, location, "whole")
        padded = let(n.Binary("add", span.var, n.Const(count - 1), False), PYINT, location)
        tiles = let(n.Binary("floordiv", padded.var, n.Const(count), False), PYINT, location, "tiles")
        partial = self.copies.loop(loop, loop.start, loop.stop, ())
        main = self._tiled(loop, n.Const(0), whole.var, count, masked=False)
        last = self._tiled(partial, whole.var, tiles.var, count, masked=True)
        return (span, whole, padded, tiles, *jammed(main, TILES_AT_ONCE, self.copies), last)

    def _tiled(self, loop: n.For, first: n.Atom, end: n.Atom, count: int, masked: bool) -> n.For:
        """A loop over some of the tiles."""
        vectoriser = Vectoriser(Divergence(loop), count, self.copies.names, self.undefined)
        vectoriser.location = loop.location
        tile = self.copies.names.fresh(loop.index.stem, PYINT)
        offset = vectoriser.let(n.Binary("mul", tile, n.Const(count), False), PYINT)
        start = vectoriser.let(n.Binary("add", loop.start, offset, False), PYINT)
        type = Vector(PYINT, count)
        index = n.Var(loop.index.name, type)
        vectoriser.out.append(n.Let(index, n.Lanes(start), loop.location))
        vectoriser.first[loop.index.name] = start
        mask: n.Atom | None = None
        if masked:
            stop = vectoriser.let(n.Broadcast(loop.stop), type)
            mask = vectoriser.let(n.Compare("lt", index, stop), Vector(PYBOOL, count), "mask")
        vectoriser.out.extend(vectoriser.statements(loop.body, mask))
        body = n.Block(tuple(vectoriser.out))
        return replace(loop, index=tile, start=first, stop=end, body=body)


def _widest(loop: n.For) -> int:
    """The size of the largest number that is loaded, stored or carried: what fills the vectors."""
    sizes = [
        a.var.type.size
        for s in walk(loop.body)
        if isinstance(s, n.For)
        for a in s.args
        if isinstance(a.var.type, Scalar)
    ]
    sizes += [view.type.element.size for view in _views(loop) if isinstance(view.type, View)]
    return max(sizes)


def _views(loop: n.For) -> list[n.Var]:
    nodes = (s.value if isinstance(s, n.Let) else s for s in walk(loop.body))
    return [node.view for node in nodes if isinstance(node, (n.Load, n.Store))]


def _pays(loop: n.For, ranges: Ranges) -> bool:
    """Whether accesses inside the inner loops go along the outer loop, and one of them across the inner one."""
    across = False
    divergence = Divergence(loop)
    for inner in walk(loop.body):
        if isinstance(inner, n.If) and divergence.differs(inner.condition):
            return False
        if not isinstance(inner, n.For):
            continue
        for load in _loads(inner):
            along = _motion(load, loop.index, ranges)
            if along not in ("still", "along"):
                return False
            moves = _motion(load, inner.index, ranges)
            across |= along == "along" and moves == "across"
    return across


def _loads(loop: n.For) -> list[n.Load]:
    return [s.value for s in loop.body.statements if isinstance(s, n.Let) and isinstance(s.value, n.Load)]


def _motion(load: n.Load, index: n.Var, ranges: Ranges) -> str:
    """How the place of a load moves with a counter: not at all, from neighbour to neighbour, or otherwise."""
    assert isinstance(load.view.type, View)
    forms = [ranges.forms.of(atom) for atom in load.indices]
    if not any(index.name in form.names for form in forms):
        return "still"
    own = Form({(index.name,): 1})
    last = forms[-1]
    rest = [form for form in (*forms[:-1], last - own) if index.name in form.names]
    return "along" if load.view.type.contiguous and not rest else "across"
