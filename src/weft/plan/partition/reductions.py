"""A parallel reduction as two loops of plain IR: partial results in parallel, then a fold in order.

The pieces are contiguous and their number depends on the trip count alone, so the result is the same bits on every run
of every device. A piece is a parallel reduction again, which a schedule may deal out to threads. The second loop runs
on the host and folds the initial value in first; where order does not matter and nothing can fail, the device folds
many partial results to one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, may_raise
from weft.ir.neutral import identity, stored_as
from weft.ir.types import PYINT, View
from weft.ir.visit import Names
from weft.schedule.lowering.cooperate import is_commutative
from weft.schedule.writing import Writing
from weft.transform.scan.arg_reductions import OF_PIECES
from weft.transform.whole_loop import WholeLoop

PIECES = 16384
"""Pieces of a long reduction: several for each warp that a large GPU runs at a time, so that all end together."""

ON_HOST = 4096
"""The same in a loop of the host, which folds what the pieces give: few enough for microseconds."""

FEW = 1024
"""Partial results that the host folds in less time than another kernel takes."""

CHUNK = 1024
"""Pieces have a multiple of this many iterations, but the last: so that they begin as aligned as the first."""

LAST = (1 << 63) - 1
"""The largest integer of a counter."""

ENDLESS = 1 << 48
"""From so many iterations on, whose end nobody would see, there are too many pieces for any memory: an error."""


@dataclass(frozen=True)
class Split:
    """What `split` makes of a reduction.

    `before` computes the number of pieces and allocates `partials`; `kernel` is the parallel loop over pieces; `fold`
    the loop on the host whose results are those of the original loop. There are `pieces` of `chunk` iterations.
    """

    before: tuple[n.Statement, ...]
    kernel: n.For
    partials: tuple[n.Var, ...]
    fold: n.For
    chunk: n.Atom
    pieces: n.Atom


@dataclass(frozen=True)
class Gathering:
    """A kernel that folds partial results to `totals` of one element each, which `before` allocates, and the `fold` of
    these on the host."""

    before: tuple[n.Statement, ...]
    kernel: n.For
    totals: tuple[n.Var, ...]
    fold: n.For


def can_gather(nest: n.For) -> bool:
    """Whether the partial results of a reduction may be folded in any order, and nothing can fail."""
    may_fail = any(
        may_raise(n.Binary(cast(n.BinaryOp, arg.combine), arg.var, arg.var), arg.var.type) for arg in nest.args
    )
    return all(map(is_commutative, nest.args)) and not may_fail and not block_may_raise(n.Block((nest,)))


def gathering(nest: n.For, parts: Split, names: Names) -> Gathering:
    """What folds many partial results on the device; assumes that `can_gather` says so."""
    one = n.Const(1)
    before, totals = [], []
    for view in parts.partials:
        assert isinstance(view.type, View)
        totals.append(names.fresh("total", view.type))
        before.append(n.Let(totals[-1], n.Alloc((one,), view.type.element), nest.location))
    results = tuple(names.fresh(r.stem, r.type) for r in nest.results)
    fold = replace(_fold(nest, names, one, totals), label=f"{nest.label}.total", results=results)
    return Gathering(tuple(before), _gather(nest, names, parts, totals), tuple(totals), fold)


def _gather(nest: n.For, names: Names, parts: Split, totals: Sequence[n.Var]) -> n.For:
    """One iteration, which folds partial results in any order."""
    results = tuple(names.fresh(arg.var.stem, arg.var.type) for arg in nest.args)
    fold = _fold(nest, names, parts.pieces, parts.partials)
    args = tuple(
        replace(folded, init=identity(arg.combine or "", arg.var.type), combine=arg.combine)
        for folded, arg in zip(fold.args, nest.args, strict=True)
    )
    label = f"{nest.label}.gathered"
    inner = replace(fold, label=label, args=args, results=results, mapping="parallel", claim="range")
    place = names.fresh("total", PYINT)
    stores = [s for r, view in zip(results, totals, strict=True) for s in _store(r, view, place, names, nest)]
    body = n.Block((inner, *stores))
    return n.For(f"{nest.label}.all", place, n.Const(0), n.Const(1), body, mapping="parallel", location=nest.location)


def chunk_of(trip: int, most: int = PIECES) -> int:
    """How many iterations a piece has, of a loop with so many: what `split` computes in a program."""
    return ((max(trip, 1) - 1) // (most * CHUNK) + 1) * CHUNK


def split(nest: n.For, names: Names, most: int, whole: WholeLoop, given: Sequence[n.Var] = ()) -> Split:
    """Two loops that compute the results of a parallel loop with reductions.

    Parameters
    ----------
    nest
        The loop. No iteration writes memory that another reads, as ``parallel`` says.
    names
        Where variables get their names.
    most
        How many pieces there are at most.
    whole
        The loop may be a part of a longer one, whose pieces these are.
    given
        Where partial results are kept; arrays of their own, if none are given.
    """
    before, chunk, pieces = _pieces(nest, names, most, whole)
    partials = list(given)
    for arg in nest.args if not given else ():
        element = stored_as(arg.var.type)
        view = names.fresh("partials", View(element, 1, contiguous=True))
        before.append(n.Let(view, n.Alloc((pieces,), element), nest.location))
        partials.append(view)
    kernel = _kernel(nest, names, chunk, pieces, partials)
    fold = _fold(nest, names, pieces, partials)
    return Split(tuple(before), kernel, tuple(partials), fold, chunk, pieces)


def _pieces(nest: n.For, names: Names, most: int, whole: WholeLoop) -> tuple[list[n.Statement], n.Atom, n.Atom]:
    """What computes how many iterations a piece has and how many pieces there are."""
    write = Writing(names, nest.location)
    trip = write.trips(nest.start, nest.stop, "trip")
    may_wrap = isinstance(trip, n.Var) and not isinstance(nest.start, n.Const)
    if may_wrap:  # ends that were read may be 2^63 and more apart
        trip = write.op("and", write.op("or", trip, write.op("shr", trip, 63)), LAST, "trip")
    before = write.op("sub", write.op("max", whole.of(trip, write), 1), 1, "before")
    chunks = write.op("add", write.op("floordiv", before, most * CHUNK), 1, "chunks")
    chunk = write.op("mul", chunks, CHUNK, "chunk")
    pieces = write.op("add", write.op("floordiv", write.op("sub", trip, 1), chunk), 1, "pieces")
    pieces = write.op("max", pieces, write.op("and", trip, -ENDLESS), "pieces")
    return write.statements, chunk, pieces


def _kernel(nest: n.For, names: Names, chunk: n.Atom, pieces: n.Atom, partials: list[n.Var]) -> n.For:
    piece = names.fresh("piece", PYINT)
    done, first, latest, near, end, stop = (
        names.fresh(stem, PYINT) for stem in ("done", "first", "latest", "near", "end", "stop")
    )
    statements: list[n.Statement] = [
        n.Let(done, n.Binary("mul", piece, chunk, checked=False), nest.location),
        n.Let(first, n.Binary("add", nest.start, done, checked=False), nest.location),
        n.Let(latest, n.Binary("sub", nest.stop, chunk, checked=False), nest.location),
        n.Let(near, n.Binary("min", first, latest, checked=False), nest.location),  # so that the end does not wrap
        n.Let(end, n.Binary("add", near, chunk, checked=False), nest.location),
        n.Let(stop, n.Binary("min", end, nest.stop, checked=False), nest.location),
    ]
    results = tuple(names.fresh(arg.var.stem, arg.var.type) for arg in nest.args)
    args = tuple(replace(arg, init=identity(arg.combine or "", arg.var.type)) for arg in nest.args)
    statements.append(replace(nest, start=first, stop=stop, args=args, results=results, claim="range"))
    for result, view in zip(results, partials, strict=True):
        statements += _store(result, view, piece, names, nest)
    return n.For(
        f"{nest.label}{OF_PIECES}", piece, n.Const(0), pieces, n.Block(tuple(statements)), mapping="parallel",
        location=nest.location,
    )  # fmt: skip


def _store(result: n.Var, view: n.Var, piece: n.Var, names: Names, nest: n.For) -> list[n.Statement]:
    element = stored_as(result.type)
    kept = result if result.type == element else names.fresh(result.stem, element)
    store = n.Store(view, (piece,), kept, "safe", location=nest.location)
    return [store] if kept is result else [n.Let(kept, n.Cast(result, checked=False), nest.location), store]


def _fold(nest: n.For, names: Names, pieces: n.Atom, partials: Sequence[n.Var]) -> n.For:
    piece = names.fresh("piece", PYINT)
    statements: list[n.Statement] = []
    args, yields = [], []
    for arg, view in zip(nest.args, partials, strict=True):
        type_ = arg.var.type
        element = stored_as(type_)
        carried, kept = names.fresh(arg.var.stem, type_), names.fresh("partial", element)
        statements.append(n.Let(kept, n.Load(view, (piece,), "safe"), nest.location))
        if element != type_:
            value = names.fresh("partial", type_)
            statements.append(n.Let(value, n.Cast(kept, checked=False), nest.location))
            kept = value
        folded = names.fresh(arg.var.stem, type_)
        operator = cast(n.BinaryOp, arg.combine)
        statements.append(n.Let(folded, n.Binary(operator, carried, kept), nest.location))
        args.append(n.LoopArg(carried, arg.init))
        yields.append(folded)
    body = n.Block(tuple(statements), tuple(yields))
    return n.For(
        f"{nest.label}.fold", piece, n.Const(0), pieces, body, tuple(args), nest.results, location=nest.location
    )
