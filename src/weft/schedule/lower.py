"""A kernel under a schedule, as IR of the same grammar.

A bound loop becomes a loop over blocks and one over the threads of a block. Parallel loops that no directive binds run
one iteration after the other inside a thread. The loops over blocks nest from the last axis to x, whatever the order in
the source; each adds an offset and an extent to the kernel's parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.types import PYINT
from weft.ir.visit import Names, renamed, rewrite
from weft.schedule.directives import (
    Bind,
    Cache,
    Carve,
    Deal,
    Directive,
    Indices,
    Order,
    Privatise,
    Reorder,
    Scan,
    Schedule,
    Share,
    Slide,
    Split,
    Stage,
    Steps,
    Turn,
    Unroll,
    Vectorise,
    Walk,
)
from weft.schedule.frame import Frame, Lowered, in_order
from weft.schedule.legality import check_schedule
from weft.schedule.lowering.cooperative_block import write_dealt
from weft.schedule.lowering.order import ordered
from weft.schedule.lowering.points import write_points
from weft.schedule.lowering.private_bins import write_private
from weft.schedule.lowering.rolling_planes import write_ring
from weft.schedule.lowering.scan import Scanner, write_scan
from weft.schedule.lowering.scan_runs import RunScanner
from weft.schedule.lowering.share import write_shared
from weft.schedule.lowering.slide import Slider, write_sliding
from weft.schedule.lowering.slide_matrices import MatrixSlider
from weft.schedule.lowering.stage import write_staged
from weft.schedule.lowering.stage_transposed import write_turned
from weft.schedule.lowering.temporal_blocking import write_march
from weft.schedule.lowering.walk import write_walk

_LOOPS = (Split, Reorder, Unroll, Vectorise)


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
    return lay_out(kernel, schedule, names)


def lay_out(kernel: n.Kernel, schedule: Schedule, names: Names) -> Lowered:
    """The same of a schedule that nobody asks whether it is legal: for what looks at a kernel that never runs."""
    for directive in schedule:
        if isinstance(directive, _LOOPS):
            kernel = replace(kernel, body=_apply(kernel.body, directive, names))
    kernel = replace(kernel, hints=tuple(_hints(kernel, schedule)))
    if not any(isinstance(d, Bind) for d in schedule):
        return Lowered(replace(kernel, body=in_order(kernel.body), group=(1, 1, 1), step=(1, 1, 1)), ())
    frame = Frame(kernel, schedule, names)
    _write(frame, schedule)
    lowered = frame.finish()
    for order in (d for d in schedule if isinstance(d, Order)):
        lowered = replace(lowered, kernel=ordered(lowered.kernel, order, names))
    return lowered


def _hints(kernel: n.Kernel, schedule: Schedule) -> Iterator[n.Hint]:
    """What directives say that changes nothing in the kernel itself."""
    for directive in schedule:
        if isinstance(directive, Cache):
            yield from (n.Hint(directive.where, p.name) for p in kernel.params if p.stem == directive.array)
        if isinstance(directive, Carve):
            yield n.Hint("shared", amount=directive.percent)
        if isinstance(directive, Indices):
            yield n.Hint("indices", amount=directive.bits)


class Layouts:
    """What a kernel is under schedules: each is laid out once, with names of a supply."""

    def __init__(self, kernel: n.Kernel, names: Names) -> None:
        self._kernel, self._names = kernel, names
        self._known: dict[Schedule, Lowered] = {}

    def under(self, schedule: Schedule) -> Lowered:
        """The kernel under a legal schedule."""
        if schedule not in self._known:
            self._known[schedule] = lower(self._kernel, schedule, self._names)
        return self._known[schedule]


def _write(frame: Frame, schedule: Schedule) -> None:
    """Write what a block does: in the way of the directive that says more than which iterations it runs."""
    for directive in sorted(schedule, key=lambda d: not isinstance(d, Stage)):
        if isinstance(directive, Stage):
            write_staged(frame, directive)
            return
        if isinstance(directive, Slide):
            write_sliding(frame, directive, MatrixSlider if directive.matrix else Slider)
            return
        if isinstance(directive, Share):
            write_shared(frame, directive)
            return
        if isinstance(directive, Scan):
            write_scan(frame, directive, RunScanner if directive.run else Scanner)
            return
        if isinstance(directive, Deal):
            write_dealt(frame, directive)
            return
        if isinstance(directive, Steps):
            write_march(frame)
            return
        if isinstance(directive, Walk):
            (write_ring if directive.staged else write_walk)(frame, directive)
            return
        if isinstance(directive, Turn):
            write_turned(frame, directive)
            return
        if isinstance(directive, Privatise):
            write_private(frame, directive)
            return
    write_points(frame)


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
