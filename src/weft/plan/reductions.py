"""A parallel reduction as two loops of plain IR: partial results in parallel, then a fold in order.

The pieces are contiguous and their number depends on the trip count alone, so the result is the same bits on every run
of every device. The second loop runs on the host and folds the initial value in first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.types import BOOL, COMPLEX128, FLOAT64, INT64, PYINT, Scalar, Type, View
from weft.ir.visit import Names

PIECES = 16384
"""Pieces of a long reduction: enough to fill a large GPU, few enough to fold on the host in microseconds."""

_STORED_AS = {"b": BOOL, "i": INT64, "f": FLOAT64, "c": COMPLEX128}


@dataclass(frozen=True)
class Split:
    """What `split` makes of a reduction.

    `before` computes the number of pieces and allocates `partials`; `kernel` is the parallel loop over pieces; `fold`
    the loop on the host whose results are those of the original loop.
    """

    before: tuple[n.Statement, ...]
    kernel: n.For
    partials: tuple[n.Var, ...]
    fold: n.For


def split(nest: n.For, names: Names) -> Split:
    """Two loops that compute the results of a parallel loop with reductions. Assumes that no iteration writes memory
    that another reads, as ``parallel`` says."""
    before, trip, pieces = _pieces(nest, names)
    partials = []
    for arg in nest.args:
        element = stored_as(arg.var.type)
        view = names.fresh("partials", View(element, 1, contiguous=True))
        before.append(n.Let(view, n.Alloc((pieces,), element), nest.location))
        partials.append(view)
    kernel = _kernel(nest, names, trip, pieces, partials)
    return Split(tuple(before), kernel, tuple(partials), _fold(nest, names, pieces, partials))


def stored_as(type: Type) -> Scalar:
    """The NumPy type in which partial results of a type are kept."""
    assert isinstance(type, Scalar)
    return _STORED_AS[type.kind] if type.weak else type


def _pieces(nest: n.For, names: Names) -> tuple[list[n.Statement], n.Atom, n.Atom]:
    difference, trip, pieces = (names.fresh(stem, PYINT) for stem in ("difference", "trip", "pieces"))
    zero, limit = n.Const(0), n.Const(PIECES)
    lets: list[n.Statement] = [
        n.Let(difference, n.Binary("sub", nest.stop, nest.start, checked=False), nest.location),
        n.Let(trip, n.Binary("max", difference, zero, checked=False), nest.location),
        n.Let(pieces, n.Binary("min", trip, limit, checked=False), nest.location),
    ]
    return lets, trip, pieces


def _kernel(nest: n.For, names: Names, trip: n.Atom, pieces: n.Atom, partials: list[n.Var]) -> n.For:
    piece, after = names.fresh("piece", PYINT), names.fresh("after", PYINT)
    statements: list[n.Statement] = [n.Let(after, n.Binary("add", piece, n.Const(1), checked=False), nest.location)]
    bounds = []
    for number in (piece, after):
        scaled, done, bound = (names.fresh(stem, PYINT) for stem in ("scaled", "done", "bound"))
        statements += [
            n.Let(scaled, n.Binary("mul", trip, number, checked=False), nest.location),
            n.Let(done, n.Binary("floordiv", scaled, pieces, checked=False), nest.location),
            n.Let(bound, n.Binary("add", nest.start, done, checked=False), nest.location),
        ]
        bounds.append(bound)
    results = tuple(names.fresh(arg.var.stem, arg.var.type) for arg in nest.args)
    args = tuple(replace(arg, init=identity(arg), combine=None) for arg in nest.args)
    inner = replace(
        nest, start=bounds[0], stop=bounds[1], args=args, results=results, mapping="sequential", claim="range"
    )
    statements.append(inner)
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


def identity(arg: n.LoopArg) -> n.Const:
    """The value that an operator leaves any other unchanged with."""
    type_ = arg.var.type
    assert isinstance(type_, Scalar)
    return n.Const(_neutral(arg.combine or "", type_), type_)


def _neutral(op: str, type_: Scalar) -> bool | int | float | complex:
    if op in ("min", "max"):
        return _extreme(type_, lowest=op == "max")
    if type_.kind == "b":
        return op in ("and", "mul")
    if type_.kind in "iu":
        return {"add": 0, "mul": 1, "and": -1 if type_.kind == "i" else 2**type_.bits - 1, "or": 0, "xor": 0}[op]
    number = {"add": -0.0, "mul": 1.0}[op]
    return complex(number, number if op == "add" else 0.0) if type_.kind == "c" else number


def _extreme(type_: Scalar, lowest: bool) -> bool | int | float:
    if type_.kind == "b":
        return not lowest
    if type_.kind == "f":
        return float("-inf") if lowest else float("inf")
    if type_.kind == "u":
        return 0 if lowest else (1 << type_.bits) - 1
    return -(1 << (type_.bits - 1)) if lowest else (1 << (type_.bits - 1)) - 1
