"""How elements are folded over some of the axes of an array, or over all."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import cast as typed

from weft.dataclass import dataclass
from weft.frontend.arrays import memory_order
from weft.frontend.arrays.each import Indices, each_element
from weft.frontend.arrays.extents_of import Extents, extents_of
from weft.frontend.arrays.nests import Elements, agreeing, allocated, fold
from weft.frontend.arrays.sizes import arithmetic
from weft.frontend.values import operators
from weft.frontend.values.convert import cast, cast_constant
from weft.frontend.values.scope import Builder, Context
from weft.frontend.values.values import ONE, ZERO, ArrayExpression, Value
from weft.ir import nodes as n
from weft.ir.types import INT64, PYINT, Scalar

BLOCK = 1024
"""Elements of a block of a sum of float64."""


@dataclass(frozen=True)
class Options:
    """What a reduction is asked for, beside its operand."""

    axes: tuple[int, ...]
    every: bool
    keepdims: bool
    dtype: Scalar | None
    initial: n.Atom | None
    where: Value | None
    out: n.Var | None
    ddof: Value = ZERO


@dataclass(frozen=True)
class Folding:
    """How elements are folded: initial values, what an element does to them, the result of them and its type."""

    start: Callable[[Elements, Callable[[Indices], Indices]], list[n.Atom]]
    step: Callable[[list[n.Atom], n.Atom, Indices], list[n.Atom]]
    finish: Callable[[list[n.Atom]], n.Atom]
    type: Scalar
    blocks: bool = False


def over_axes(ctx: Context, value: Value, options: Options, folding: Folding, node: ast.AST) -> Value:
    """Fold an operand over some of its axes: a scalar, or a new array."""
    extents = extents_of(ctx, value, node)
    kept = [axis for axis in range(len(extents)) if axis not in options.axes]
    flags = value.agree if isinstance(value, ArrayExpression) else ()
    if not kept:
        (atom,) = agreeing(ctx, flags, lambda spread: [_folded(ctx, value, options, folding, (), node, spread)], node)
        return _kept_scalar(ctx, atom, options, len(extents), node)
    shape = tuple(
        ONE if axis in options.axes else extents[axis]
        for axis in range(len(extents))
        if options.keepdims or axis in kept
    )
    result = allocated(ctx, shape, folding.type, node)
    memory_order.note(ctx, result, memory_order.of_all(ctx, (value,)))

    def emit(spread: bool) -> list[n.Atom]:
        def visit(place: Indices) -> None:
            atom = _folded(ctx, value, options, folding, place, node, spread)
            inner = iter(place)
            full = [ZERO if axis in options.axes else next(inner) for axis in range(len(extents))]
            at = tuple(k for axis, k in enumerate(full) if options.keepdims or axis in kept)
            ctx.append(n.Store(result, at, atom, "safe", location=ctx.location(node)))

        each_element(ctx, [extents[axis] for axis in kept], visit, node)
        return []

    agreeing(ctx, flags, emit, node)
    return result


def _kept_scalar(ctx: Context, atom: n.Atom, options: Options, rank: int, node: ast.AST) -> Value:
    """The result of all elements; an array of extents 1 for ``keepdims``."""
    if not options.keepdims:
        return atom
    type = typed(Scalar, atom.type)
    result = allocated(ctx, (ONE,) * rank, INT64 if type == PYINT else type, node)
    ctx.append(n.Store(result, (ZERO,) * rank, cast(ctx, atom, INT64, node) if type == PYINT else atom, "safe",
                       location=ctx.location(node)))  # fmt: skip
    return result


def _folded(
    ctx: Context, value: Value, options: Options, folding: Folding, place: Indices, node: ast.AST, spread: bool
) -> n.Atom:
    """The result for one position on the axes that are kept."""
    extents = extents_of(ctx, value, node)
    elements = Elements(ctx, value, extents, node, spread)
    over = tuple(extents[axis] for axis in options.axes)

    def whole(inner: Indices) -> Indices:
        folded, kept = iter(inner), iter(place)
        return tuple(next(folded) if axis in options.axes else next(kept) for axis in range(len(extents)))

    def step(inner: Indices, carried: list[n.Atom]) -> list[n.Atom]:
        return folding.step(carried, elements.at(whole(inner)), inner)

    start = folding.start(elements, whole)
    atoms = _in_blocks(ctx, over, start, step, node) if folding.blocks else fold(ctx, over, start, step, node)
    return folding.finish(atoms)


def _in_blocks(
    ctx: Context, extents: Extents, start: list[n.Atom], step: Callable[[Indices, list[n.Atom]], list[n.Atom]],
    node: ast.AST, outer: Indices = (),
) -> list[n.Atom]:  # fmt: skip
    """A sum whose blocks, and the loops inside them, have sums of their own."""
    if not extents:
        return step(outer, start)
    extent, rest = extents[0], extents[1:]
    zero = [typed(n.Atom, cast_constant(ZERO, typed(Scalar, atom.type))) for atom in start]

    def inner(index: n.Atom, carried: list[n.Atom]) -> list[n.Atom]:
        if not rest:
            return step((*outer, index), carried)
        part = _in_blocks(ctx, rest, zero, step, node, (*outer, index))
        return [_plus(ctx, a, b, node) for a, b in zip(carried, part, strict=True)]

    if isinstance(extent, n.Const) and int(extent.value.real) <= BLOCK:
        return _loop(ctx, ZERO, extent, start, inner, node)
    size = n.Const(BLOCK, PYINT)
    rounded = arithmetic(ctx, "add", extent, n.Const(BLOCK - 1, PYINT), node)
    count = arithmetic(ctx, "floordiv", rounded, size, node)

    def block(index: n.Atom, carried: list[n.Atom]) -> list[n.Atom]:
        first = arithmetic(ctx, "mul", index, size, node)
        last = arithmetic(ctx, "min", arithmetic(ctx, "add", first, size, node), extent, node)
        part = _loop(ctx, first, last, zero, inner, node)
        return [_plus(ctx, a, b, node) for a, b in zip(carried, part, strict=True)]

    return _loop(ctx, ZERO, count, start, block, node)


def _plus(ctx: Context, a: n.Atom, b: n.Atom, node: ast.AST) -> n.Atom:
    return operators.scalar_binary(ctx, "add", a, b, node)


def _loop(
    ctx: Context, start: n.Atom, stop: n.Atom, init: list[n.Atom],
    body: Callable[[n.Atom, list[n.Atom]], list[n.Atom]], node: ast.AST,
) -> list[n.Atom]:  # fmt: skip
    index = ctx.names.fresh("k", PYINT)
    ctx.nonnegative.add(index.name)
    args = [n.LoopArg(ctx.names.fresh("fold", atom.type), atom) for atom in init]
    with ctx.block(Builder()) as builder:
        atoms = body(index, [arg.var for arg in args])
    results = tuple(ctx.names.fresh("fold", arg.var.type) for arg in args)
    block = n.Block(tuple(builder.statements), tuple(atoms))
    ctx.append(n.For("k", index, start, stop, block, tuple(args), results, location=ctx.location(node)))
    return list(results)
