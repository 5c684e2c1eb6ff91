"""A kernel under a schedule, as IR of the same grammar.

A bound loop becomes a loop over blocks and one over the threads of a block, with a guard for the last block. Parallel
loops that no directive binds run one iteration after the other inside a thread. The loops over blocks nest from the
last axis to x, whatever the order in the source; each adds an offset and an extent to the kernel's parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT
from weft.ir.visit import Names, renamed, rewrite
from weft.schedule.directives import AXES, Axis, Bind, Directive, Reorder, Schedule, Split, Unroll, Vectorise
from weft.schedule.legality import check_schedule, grid_chain


@dataclass(frozen=True)
class Dimension:
    """A bound loop: its bounds as atoms of the kernel's parameters, its axis, the threads of a block along it."""

    start: n.Atom
    stop: n.Atom
    axis: Axis
    group: int


@dataclass(frozen=True)
class Lowered:
    """A kernel whose loops are laid out, and its grid, the last axis first."""

    kernel: n.Kernel
    dimensions: tuple[Dimension, ...]


def lower(kernel: n.Kernel, schedule: Schedule, names: Names) -> Lowered:
    """Lay a kernel out under a schedule.

    Raises
    ------
    InternalError
        The schedule is not legal; `legality.check_schedule` says so beforehand.
    """
    violations = check_schedule(kernel, schedule)
    if violations:
        raise InternalError("an illegal schedule: " + "; ".join(map(str, violations)))
    for directive in schedule:
        if not isinstance(directive, Bind):
            kernel = replace(kernel, body=_apply(kernel.body, directive, names))
    return _bind(kernel, [d for d in schedule if isinstance(d, Bind)], names)


def sequential(statement: n.Statement) -> n.Statement:
    """A loop as one work item runs it: in order, without partial results. Other statements stay."""
    if not isinstance(statement, n.For):
        return statement
    args = tuple(replace(arg, combine=None) for arg in statement.args)
    mapping: n.Mapping = "sequential" if statement.mapping in ("parallel", "lanes") else statement.mapping
    return replace(statement, mapping=mapping, args=args)


def _bind(kernel: n.Kernel, binds: Sequence[Bind], names: Names) -> Lowered:
    chain = grid_chain(kernel)[: len(binds)]
    by_loop = {bind.loop: bind for bind in binds}
    if not chain:
        return Lowered(replace(kernel, body=rewrite(kernel.body, sequential), group=(1, 1, 1)), ())
    dimensions = tuple(Dimension(f.start, f.stop, by_loop[f.label].axis, by_loop[f.label].group) for f in chain)
    loops = [_Bound(loop, dimension, names) for loop, dimension in zip(chain, dimensions, strict=True)]
    nested = sorted(loops, key=lambda loop: AXES.index(loop.dimension.axis), reverse=True)
    inner = rewrite(chain[-1].body, sequential)
    for position in range(len(chain) - 1, -1, -1):
        before = () if position == 0 else chain[position - 1].body.statements[:-1]
        inner = n.Block((*before, *loops[position].guarded(inner)))
    first = kernel.body.statements[:-1]
    body = n.Block((*first, *(s for loop in nested for s in loop.counts), *_nested(nested, inner)))
    params = (*kernel.params, *(v for loop in nested for v in (loop.offset, loop.extent)))
    groups = {d.axis: d.group for d in dimensions}
    group = tuple(groups.get(axis, 1) for axis in AXES)
    return Lowered(replace(kernel, params=params, body=body, group=group), tuple(loop.dimension for loop in nested))


def _nested(loops: Sequence[_Bound], inner: n.Block) -> tuple[n.Statement, ...]:
    """All block loops around all thread loops around what one thread does."""
    block = inner
    for loop in reversed(loops):
        block = n.Block((loop.threads(block),))
    for loop in reversed(loops):
        block = n.Block((loop.blocks(block),))
    return block.statements


class _Bound:
    """The pieces of one bound loop."""

    def __init__(self, loop: n.For, dimension: Dimension, names: Names) -> None:
        self.loop, self.dimension, self.names = loop, dimension, names
        stem = loop.index.stem
        self.offset, self.extent = names.fresh(f"{stem}_offset", PYINT), names.fresh(f"{stem}_extent", PYINT)
        self.block, self.thread = names.fresh(f"{stem}_block", PYINT), names.fresh(f"{stem}_thread", PYINT)
        padded, self.count = names.fresh("padded", PYINT), names.fresh(f"{stem}_blocks", PYINT)
        left = names.fresh("left", PYINT)
        self.counts = (
            self._let(left, "sub", self.extent, self.offset),
            self._let(padded, "add", left, n.Const(dimension.group - 1)),
            self._let(self.count, "floordiv", padded, n.Const(dimension.group)),
        )

    def _let(self, var: n.Var, op: n.BinaryOp, left: n.Atom, right: n.Atom) -> n.Let:
        return n.Let(var, n.Binary(op, left, right, checked=False), self.loop.location)

    def blocks(self, body: n.Block) -> n.For:
        return n.For(
            f"{self.loop.label}.block", self.block, n.Const(0), self.count, body, mapping="blocks",
            location=self.loop.location,
        )  # fmt: skip

    def threads(self, body: n.Block) -> n.For:
        return n.For(
            f"{self.loop.label}.thread", self.thread, n.Const(0), n.Const(self.dimension.group), body,
            mapping="threads", location=self.loop.location,
        )  # fmt: skip

    def guarded(self, body: n.Block) -> tuple[n.Statement, ...]:
        """The user's counter from block, thread and offset, and the body where it is inside the loop."""
        first, within, position = (self.names.fresh(stem, PYINT) for stem in ("first", "within", "position"))
        inside = self.names.fresh("inside", PYBOOL)
        counter = self._let(self.loop.index, "add", self.loop.start, position)
        return (
            self._let(first, "mul", self.block, n.Const(self.dimension.group)),
            self._let(within, "add", first, self.thread),
            self._let(position, "add", within, self.offset),
            n.Let(inside, n.Compare("lt", position, self.extent), self.loop.location),
            n.If(inside, n.Block((counter, *body.statements)), location=self.loop.location),
        )


# ------------------------------------------------------------------------------------------- other directives


def _apply(block: n.Block, directive: Directive, names: Names) -> n.Block:
    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if not isinstance(statement, n.For):
            return statement
        if isinstance(directive, Split) and statement.label == directive.loop:
            return _split(statement, directive.factor, names)
        if isinstance(directive, (Unroll, Vectorise)) and statement.label == directive.loop:
            return replace(statement, mapping="unroll" if isinstance(directive, Unroll) else "lanes")
        if isinstance(directive, Reorder) and statement.label == directive.outer:
            inner = statement.body.statements[0]
            assert isinstance(inner, n.For)
            return replace(inner, body=n.Block((replace(statement, body=inner.body),)))
        return statement

    return rewrite(block, change)


def _split(loop: n.For, factor: int, names: Names) -> tuple[n.Statement, ...]:
    """Full tiles without guards, then the rest; values carried around the loop pass through both."""
    trip, tiles, covered, middle = (names.fresh(stem, PYINT) for stem in ("trip", "tiles", "covered", "middle"))
    positive = names.fresh("positive", PYINT)

    def let(var: n.Var, op: n.BinaryOp, left: n.Atom, right: n.Atom) -> n.Let:
        return n.Let(var, n.Binary(op, left, right, checked=False), loop.location)

    tile, base, first, last = (names.fresh(stem, PYINT) for stem in ("tile", "base", "first", "last"))
    outer_args = tuple(replace(a, var=names.fresh(a.var.stem, a.var.type)) for a in loop.args)
    inner_results = tuple(names.fresh(a.var.stem, a.var.type) for a in loop.args)
    inner = replace(
        loop, label=f"{loop.label}.in", start=first, stop=last, results=inner_results,
        args=tuple(replace(a, init=o.var) for a, o in zip(loop.args, outer_args, strict=True)),
    )  # fmt: skip
    tile_body = n.Block(
        (let(base, "mul", tile, n.Const(factor)), let(first, "add", loop.start, base),
         let(last, "add", first, n.Const(factor)), inner),
        inner_results,
    )  # fmt: skip
    between = tuple(names.fresh(a.var.stem, a.var.type) for a in loop.args)
    tiled = replace(
        loop, label=f"{loop.label}.tile", index=tile, start=n.Const(0), stop=tiles, body=tile_body, args=outer_args,
        results=between,
    )  # fmt: skip
    rest = _again(loop, "rest", names)
    rest = replace(
        rest,
        start=middle,
        args=tuple(replace(a, init=b) for a, b in zip(rest.args, between, strict=True)),
        results=loop.results,
    )
    return (
        let(trip, "sub", loop.stop, loop.start), let(positive, "max", trip, n.Const(0)),
        let(tiles, "floordiv", positive, n.Const(factor)), let(covered, "mul", tiles, n.Const(factor)),
        let(middle, "add", loop.start, covered), tiled, rest,
    )  # fmt: skip


def _again(loop: n.For, part: str, names: Names) -> n.For:
    """The loop once more, with names and labels of its own."""

    def relabel(statement: n.Statement) -> n.Statement:
        if isinstance(statement, (n.For, n.While)):
            return replace(statement, label=f"{statement.label}.{part}")
        return statement

    (copy,) = rewrite(renamed(n.Block((loop,)), names), relabel).statements
    assert isinstance(copy, n.For)
    return copy
