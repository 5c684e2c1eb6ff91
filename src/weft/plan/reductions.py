"""A parallel reduction as two loops of plain IR: partial results in parallel, then a fold in order.

The pieces are contiguous and their number depends on the trip count alone, so the result is the same bits on every run
of every device. A piece is a parallel reduction again, which a schedule may deal out to threads. The second loop runs
on the host and folds the initial value in first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.neutral import identity, stored_as
from weft.ir.types import PYINT, View
from weft.ir.visit import Names

PIECES = 4096
"""Pieces of a long reduction: enough to fill a large GPU, few enough to fold on the host in microseconds."""

CHUNK = 1024
"""Pieces have a multiple of this many iterations, but the last: so that they begin as aligned as the first."""


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


def split(nest: n.For, names: Names) -> Split:
    """Two loops that compute the results of a parallel loop with reductions. Assumes that no iteration writes memory
    that another reads, as ``parallel`` says."""
    before, chunk, pieces = _pieces(nest, names)
    partials = []
    for arg in nest.args:
        element = stored_as(arg.var.type)
        view = names.fresh("partials", View(element, 1, contiguous=True))
        before.append(n.Let(view, n.Alloc((pieces,), element), nest.location))
        partials.append(view)
    kernel = _kernel(nest, names, chunk, pieces, partials)
    fold = _fold(nest, names, pieces, partials)
    return Split(tuple(before), kernel, tuple(partials), fold, chunk, pieces)


def _pieces(nest: n.For, names: Names) -> tuple[list[n.Statement], n.Atom, n.Atom]:
    """What computes how many iterations a piece has and how many pieces there are."""
    statements: list[n.Statement] = []

    def let(op: n.BinaryOp, left: n.Atom, right: n.Atom, stem: str) -> n.Var:
        var = names.fresh(stem, PYINT)
        statements.append(n.Let(var, n.Binary(op, left, right, checked=False), nest.location))
        return var

    trip = let("max", let("sub", nest.stop, nest.start, "difference"), n.Const(0), "trip")
    chunks = let("floordiv", let("add", trip, n.Const(PIECES * CHUNK - 1), "padded"), n.Const(PIECES * CHUNK), "chunks")
    chunk = let("max", let("mul", chunks, n.Const(CHUNK), "scaled"), n.Const(CHUNK), "chunk")
    last = let("sub", chunk, n.Const(1), "last")
    pieces = let("floordiv", let("add", trip, last, "padded"), chunk, "pieces")
    return statements, chunk, pieces


def _kernel(nest: n.For, names: Names, chunk: n.Atom, pieces: n.Atom, partials: list[n.Var]) -> n.For:
    piece = names.fresh("piece", PYINT)
    done, first, end, stop = (names.fresh(stem, PYINT) for stem in ("done", "first", "end", "stop"))
    statements: list[n.Statement] = [
        n.Let(done, n.Binary("mul", piece, chunk, checked=False), nest.location),
        n.Let(first, n.Binary("add", nest.start, done, checked=False), nest.location),
        n.Let(end, n.Binary("add", first, chunk, checked=False), nest.location),
        n.Let(stop, n.Binary("min", end, nest.stop, checked=False), nest.location),
    ]
    results = tuple(names.fresh(arg.var.stem, arg.var.type) for arg in nest.args)
    args = tuple(replace(arg, init=identity(arg.combine or "", arg.var.type)) for arg in nest.args)
    statements.append(replace(nest, start=first, stop=stop, args=args, results=results, claim="range"))
    for result, view in zip(results, partials, strict=True):
        statements += _store(result, view, piece, names, nest)
    return n.For(
        f"{nest.label}.pieces", piece, n.Const(0), pieces, n.Block(tuple(statements)), mapping="parallel",
        location=nest.location,
    )  # fmt: skip


def _store(result: n.Var, view: n.Var, piece: n.Var, names: Names, nest: n.For) -> list[n.Statement]:
    element = stored_as(result.type)
    kept = result if result.type == element else names.fresh(result.stem, element)
    store = n.Store(view, (piece,), kept, "safe", location=nest.location)
    return [store] if kept is result else [n.Let(kept, n.Cast(result, checked=False), nest.location), store]


def _fold(nest: n.For, names: Names, pieces: n.Atom, partials: list[n.Var]) -> n.For:
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
