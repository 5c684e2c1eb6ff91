"""Reductions: ``sum prod min max mean var std any all argmin argmax count_nonzero ptp`` over some axes or all.

Sums of float64 are nested sums of blocks, those of narrower floats are accumulated in float64: their error is not above
that of NumPy's pairwise sums.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast as typed

import numpy as np

from weft.frontend.arrays import copies
from weft.frontend.arrays.allocation import element_type
from weft.frontend.arrays.assignments import update
from weft.frontend.arrays.each import Indices
from weft.frontend.arrays.expressions import element_of_array, elementwise, is_array
from weft.frontend.arrays.extents_of import extents_of, raise_unless, rank_of
from weft.frontend.arrays.folding import Folding, Options, over_axes
from weft.frontend.arrays.nests import Elements, all_of, materialised
from weft.frontend.arrays.numpy_table import math_function
from weft.frontend.arrays.sizes import arithmetic
from weft.frontend.values import methods, operators
from weft.frontend.values.convert import cast, cast_constant
from weft.frontend.values.scope import Context
from weft.frontend.values.values import FALSE, NONE, ONE, TRUE, ZERO, Value, is_none, scalar_type
from weft.ir import nodes as n
from weft.ir.types import BOOL, COMPLEX64, COMPLEX128, FLOAT64, INT64, PYBOOL, PYINT, Scalar, scalar_of

Reduce = Callable[[Context, Value, Options, ast.AST], Value]

_NAMES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("sum", "prod"), ("axis", "dtype", "out", "keepdims", "initial", "where")),
    **dict.fromkeys(("min", "max"), ("axis", "out", "keepdims", "initial", "where")),
    "mean": ("axis", "dtype", "out", "keepdims"),
    **dict.fromkeys(("var", "std"), ("axis", "dtype", "out", "ddof", "keepdims")),
    **dict.fromkeys(("any", "all"), ("axis", "out", "keepdims", "where")),
    **dict.fromkeys(("argmin", "argmax"), ("axis", "out", "keepdims")),
    "count_nonzero": ("axis", "keepdims"),
    "ptp": ("axis", "out", "keepdims"),
}
"""The arguments after the array, in NumPy's order; some are keywords only there."""


def reduced(
    ctx: Context, name: str, value: Value, arguments: Sequence[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
    """``np.name(value, *arguments, **keywords)``."""
    names = _NAMES[name]
    given = dict(zip(names, arguments, strict=False)) | keywords
    wrong = [k for k in given if k not in names]
    if wrong or len(arguments) > len(names):
        raise ctx.refusal("array option", node, name=wrong[0] if wrong else name)
    options = _options(ctx, value, given, node)
    if options.where is not None:
        value = _guarded(ctx, name, value, options, node)
    result = _KINDS[name](ctx, value, options, node)
    if options.out is None:
        return result
    update(ctx, options.out, result, name, node)
    return options.out


def _options(ctx: Context, value: Value, given: dict[str, Value], node: ast.AST) -> Options:
    rank = rank_of(value)
    axis = given.get("axis", NONE)
    axes = tuple(range(rank)) if is_none(axis) else _axes(ctx, axis, rank, node)
    dtype = given.get("dtype", NONE)
    element = None if is_none(dtype) else element_type(ctx, dtype, FLOAT64, node)
    keep = given.get("keepdims", FALSE)
    if not isinstance(keep, n.Const):
        raise ctx.type_error("keepdims must be a constant", node)
    out = given.get("out", NONE)
    initial, where = given.get("initial", NONE), given.get("where", TRUE)
    return Options(
        axes,
        is_none(axis),
        bool(keep.value),
        None if element is None else typed(Scalar, element),
        None if is_none(initial) else _number(ctx, initial, node),
        None if where == TRUE else where,
        None if is_none(out) else methods.as_view(ctx, out, node),
        given.get("ddof", ZERO),
    )


def _number(ctx: Context, value: Value, node: ast.AST) -> n.Atom:
    value = operators.as_scalar(ctx, value, node)
    if scalar_type(value) is None:
        raise ctx.type_error("a number is expected", node)
    return typed(n.Atom, value)


def _axes(ctx: Context, axis: Value, rank: int, node: ast.AST) -> tuple[int, ...]:
    items = axis if isinstance(axis, tuple) else (axis,)
    found = tuple(methods.axis_number(ctx, item, rank, node) for item in items)
    if len(set(found)) < len(found):
        raise ctx.type_error("duplicate value in 'axis'", node)
    return tuple(sorted(found))


def _guarded(ctx: Context, name: str, value: Value, options: Options, node: ast.AST) -> Value:
    """The operand of ``where=``: elements that do not count are the identity."""
    element = element_of_array(ctx, value, node)
    neutral = {"sum": 0, "prod": 1, "any": 0, "all": 1}.get(name)
    if neutral is None and options.initial is None:
        raise ctx.type_error(
            f"reduction operation '{name}imum' does not have an identity, so to use a where mask one has to specify "
            "'initial'",
            node,
        )
    if neutral is not None:
        filler: n.Atom = typed(n.Atom, cast_constant(n.Const(neutral, PYINT), element))
    else:
        filler = cast(ctx, typed(n.Atom, options.initial), element, node)
    assert options.where is not None

    def choose(atoms: Sequence[n.Atom]) -> n.Atom:
        return ctx.emit(n.Select(atoms[0], atoms[1], filler), element, node)

    return elementwise(ctx, (options.where, value), choose, node)


# --------------------------------------------------------------------------------------------------- sums, products


def _dtype_of(name: str, given: Scalar) -> Scalar:
    """NumPy's own type of a result."""
    return scalar_of(getattr(np, name)(np.zeros(1, given.dtype)).dtype)


def _wide(type: Scalar) -> Scalar:
    """The type that a sum is accumulated in."""
    if type.kind == "f":
        return FLOAT64
    return COMPLEX128 if type == COMPLEX64 else type


def _sum(ctx: Context, value: Value, options: Options, node: ast.AST) -> Value:
    given = element_of_array(ctx, value, node)
    type = options.dtype or _dtype_of("sum", given)
    wide = _wide(type)
    return over_axes(ctx, value, options, _summing(ctx, "add", 0, type, wide, options.initial, node), node)


def _summing(
    ctx: Context, op: n.BinaryOp, neutral: int, type: Scalar, wide: Scalar, initial: n.Atom | None, node: ast.AST
) -> Folding:
    first = n.Const(neutral, PYINT) if initial is None else initial

    def step(carried: list[n.Atom], atom: n.Atom, place: Indices) -> list[n.Atom]:
        converted = copies.converted(ctx, copies.converted(ctx, atom, type, node), wide, node)
        if wide == BOOL:
            return [ctx.emit(n.Binary("or" if op == "add" else "and", carried[0], converted), BOOL, node)]
        return [operators.scalar_binary(ctx, op, carried[0], converted, node)]

    return Folding(
        lambda elements, whole: [cast(ctx, first, wide, node)],
        step,
        lambda atoms: cast(ctx, atoms[0], type, node),
        type,
        op == "add" and wide.kind in "fc" and type == wide,
    )


def _prod(ctx: Context, value: Value, options: Options, node: ast.AST) -> Value:
    given = element_of_array(ctx, value, node)
    type = options.dtype or _dtype_of("prod", given)
    return over_axes(ctx, value, options, _summing(ctx, "mul", 1, type, type, options.initial, node), node)


# ----------------------------------------------------------------------------------------------------- means


def _count_of(ctx: Context, value: Value, options: Options, node: ast.AST) -> n.Atom:
    extents = extents_of(ctx, value, node)
    count: n.Atom = ONE
    for axis in options.axes:
        count = arithmetic(ctx, "mul", count, extents[axis], node)
    return count


def _mean(ctx: Context, value: Value, options: Options, node: ast.AST) -> Value:
    given = element_of_array(ctx, value, node)
    type = options.dtype or _dtype_of("mean", given)
    wide = _wide(type)
    total = over_axes(ctx, value, options, _summing(ctx, "add", 0, wide, wide, None, node), node)
    count = cast(ctx, _count_of(ctx, value, options, node), wide, node)
    return _divided(ctx, total, count, type, node)


def _divided(ctx: Context, total: Value, count: n.Atom, type: Scalar, node: ast.AST) -> Value:
    def divide(atoms: Sequence[n.Atom]) -> n.Atom:
        return cast(ctx, operators.scalar_binary(ctx, "truediv", atoms[0], count, node), type, node)

    if not is_array(total):
        return divide([typed(n.Atom, total)])
    return materialised(ctx, elementwise(ctx, (total,), divide, node), node)


def _var(ctx: Context, value: Value, options: Options, node: ast.AST) -> Value:
    """The mean of squared distances from the mean, in two passes as NumPy does it."""
    given = element_of_array(ctx, value, node)
    type = options.dtype or _dtype_of("var", given)
    accumulated = COMPLEX128 if given.kind == "c" else FLOAT64
    asked = replace(options, keepdims=True, dtype=accumulated, out=None)
    mean = _mean(ctx, value, asked, node)

    def distance(atoms: Sequence[n.Atom]) -> n.Atom:
        gap = operators.scalar_binary(ctx, "sub", cast(ctx, atoms[0], accumulated, node), atoms[1], node)
        if given.kind != "c":
            return operators.scalar_binary(ctx, "mul", gap, gap, node)
        parts = [math_function(ctx, name, [gap], node) for name in ("real", "imag")]
        squares = [operators.scalar_binary(ctx, "mul", part, part, node) for part in parts]
        return operators.scalar_binary(ctx, "add", squares[0], squares[1], node)

    squares = elementwise(ctx, (value, mean), distance, node)
    total = over_axes(ctx, squares, options, _summing(ctx, "add", 0, FLOAT64, FLOAT64, None, node), node)
    count = cast(ctx, _count_of(ctx, value, options, node), FLOAT64, node)
    ddof = cast(ctx, _number(ctx, options.ddof, node), FLOAT64, node)
    left = operators.scalar_binary(ctx, "sub", count, ddof, node)
    zero = n.Const(0.0, FLOAT64)
    return _divided(ctx, total, math_function(ctx, "maximum", [left, zero], node), type, node)


def _std(ctx: Context, value: Value, options: Options, node: ast.AST) -> Value:
    given = element_of_array(ctx, value, node)
    type = options.dtype or _dtype_of("std", given)
    variance = _var(ctx, value, replace(options, dtype=FLOAT64), node)

    def root(atoms: Sequence[n.Atom]) -> n.Atom:
        return cast(ctx, math_function(ctx, "sqrt", [atoms[0]], node), type, node)

    if not is_array(variance):
        return root([typed(n.Atom, variance)])
    return materialised(ctx, elementwise(ctx, (variance,), root, node), node)


# -------------------------------------------------------------------------------------------------- extremes


def _not_empty(ctx: Context, value: Value, options: Options, message: str, node: ast.AST) -> None:
    """Raise where there is nothing to fold."""
    extents = extents_of(ctx, value, node)
    some = all_of(ctx, [_some(ctx, extents[axis], node) for axis in options.axes], node)
    raise_unless(ctx, some, "ValueError", message, (), node)


def _some(ctx: Context, extent: n.Atom, node: ast.AST) -> n.Atom:
    """Whether there is an element on an axis."""
    if isinstance(extent, n.Const):
        return TRUE if extent != ZERO else FALSE
    return ctx.emit(n.Compare("gt", extent, ZERO), PYBOOL, node)


def _extreme(name: str) -> Reduce:
    def reduce(ctx: Context, value: Value, options: Options, node: ast.AST) -> Value:
        type = element_of_array(ctx, value, node)
        if options.initial is None:
            text = f"zero-size array to reduction operation {name}imum which has no identity"
            _not_empty(ctx, value, options, text, node)
        return over_axes(ctx, value, options, _extreme_of(ctx, name, type, options, node), node)

    return reduce


def _extreme_of(ctx: Context, name: str, type: Scalar, options: Options, node: ast.AST) -> Folding:
    if type.kind == "f":
        return _extreme_of_floats(ctx, name, type, options, node)

    def start(elements: Elements, whole: Callable[[Indices], Indices]) -> list[n.Atom]:
        if options.initial is not None:
            return [cast(ctx, options.initial, type, node)]
        return [elements.at(whole((ZERO,) * len(options.axes)))]

    def step(carried: list[n.Atom], atom: n.Atom, place: Indices) -> list[n.Atom]:
        if type == BOOL:
            return [ctx.emit(n.Binary("and" if name == "min" else "or", carried[0], atom), BOOL, node)]
        return [math_function(ctx, f"{name}imum", [carried[0], atom], node)]

    return Folding(start, step, lambda atoms: atoms[0], type)


def _extreme_of_floats(ctx: Context, name: str, type: Scalar, options: Options, node: ast.AST) -> Folding:
    """The extreme of what is a number, and the sum of the NaNs, 0 where there is none: both may be folded in parts."""

    def start(elements: Elements, whole: Callable[[Indices], Indices]) -> list[n.Atom]:
        if options.initial is not None:
            first = cast(ctx, options.initial, type, node)
        else:
            first = elements.at(whole((ZERO,) * len(options.axes)))
        return [first, zero]

    def step(carried: list[n.Atom], atom: n.Atom, place: Indices) -> list[n.Atom]:
        best = ctx.emit(n.Binary(typed(n.BinaryOp, name), carried[0], atom, checked=False), type, node)
        is_none = math_function(ctx, "isnan", [atom], node)
        other = ctx.emit(n.Select(is_none, atom, zero), type, node)
        return [best, ctx.emit(n.Binary("add", carried[1], other, checked=False), type, node)]

    def finish(atoms: list[n.Atom]) -> n.Atom:
        is_none = math_function(ctx, "isnan", [atoms[1]], node)
        return ctx.emit(n.Select(is_none, atoms[1], atoms[0]), type, node)

    zero = n.Const(0.0, type)
    return Folding(start, step, finish, type)


def _ptp(ctx: Context, value: Value, options: Options, node: ast.AST) -> Value:
    inner = replace(options, out=None)
    high, low = (_extreme(name)(ctx, value, inner, node) for name in ("max", "min"))

    def gap(atoms: Sequence[n.Atom]) -> n.Atom:
        return operators.scalar_binary(ctx, "sub", atoms[0], atoms[1], node)

    if not is_array(high):
        return gap([typed(n.Atom, high), typed(n.Atom, low)])
    return materialised(ctx, elementwise(ctx, (high, low), gap, node), node)


def _position(name: str) -> Reduce:
    """``argmin`` and ``argmax``: the first place of the extreme; a NaN is one."""

    def reduce(ctx: Context, value: Value, options: Options, node: ast.AST) -> Value:
        if len(options.axes) != 1 and not options.every:
            raise ctx.type_error(f"arg{name} takes one axis", node)
        _not_empty(ctx, value, options, f"attempt to get arg{name} of an empty sequence", node)
        type = element_of_array(ctx, value, node)
        extents = [extents_of(ctx, value, node)[axis] for axis in options.axes]
        return over_axes(ctx, value, options, _position_of(ctx, name, type, extents, len(options.axes), node), node)

    return reduce


def _position_of(ctx: Context, name: str, type: Scalar, extents: Sequence[n.Atom], rank: int, node: ast.AST) -> Folding:
    def start(elements: Elements, whole: Callable[[Indices], Indices]) -> list[n.Atom]:
        found = [elements.at(whole((ZERO,) * rank)), n.Const(0, INT64)]
        return [*found, nowhere] if type.kind in "fc" else found

    def step(carried: list[n.Atom], atom: n.Atom, place: Indices) -> list[n.Atom]:
        position = place[0]
        for extent, index in zip(extents[1:], place[1:], strict=True):
            position = arithmetic(ctx, "add", arithmetic(ctx, "mul", position, extent, node), index, node)
        better = operators.scalar_compare(ctx, "lt" if name == "min" else "gt", atom, carried[0], node, ufunc=True)
        here = cast(ctx, position, INT64, node)
        found = [
            ctx.emit(n.Select(better, atom, carried[0]), type, node),
            ctx.emit(n.Select(better, here, carried[1]), INT64, node),
        ]
        return [*found, *(first_nan(old, atom, here) for old in carried[2:])]

    def first_nan(old: n.Atom, atom: n.Atom, here: n.Atom) -> n.Atom:
        place = ctx.emit(n.Select(math_function(ctx, "isnan", [atom], node), here, nowhere), INT64, node)
        return ctx.emit(n.Binary("min", old, place, checked=False), INT64, node)

    def finish(atoms: list[n.Atom]) -> n.Atom:
        if len(atoms) == 2:
            return atoms[1]
        is_nan = ctx.emit(n.Compare("lt", atoms[2], nowhere), BOOL, node)
        return ctx.emit(n.Select(is_nan, atoms[2], atoms[1]), INT64, node)

    nowhere = n.Const(2**63 - 1, INT64)
    return Folding(start, step, finish, INT64)


# --------------------------------------------------------------------------------------------------------- truth


def _truth(name: str) -> Reduce:
    def reduce(ctx: Context, value: Value, options: Options, node: ast.AST) -> Value:
        def step(carried: list[n.Atom], atom: n.Atom, place: Indices) -> list[n.Atom]:
            holds = copies.converted(ctx, atom, BOOL, node)
            return [ctx.emit(n.Binary("or" if name == "any" else "and", carried[0], holds), BOOL, node)]

        start = n.Const(name == "all", BOOL)
        folding = Folding(lambda elements, whole: [start], step, lambda atoms: atoms[0], BOOL)
        return over_axes(ctx, value, options, folding, node)

    return reduce


def _count_nonzero(ctx: Context, value: Value, options: Options, node: ast.AST) -> Value:
    def step(carried: list[n.Atom], atom: n.Atom, place: Indices) -> list[n.Atom]:
        one = cast(ctx, copies.converted(ctx, atom, BOOL, node), INT64, node)
        return [operators.scalar_binary(ctx, "add", carried[0], one, node)]

    folding = Folding(lambda elements, whole: [n.Const(0, INT64)], step, lambda atoms: atoms[0], INT64)
    result = over_axes(ctx, value, options, folding, node)
    if options.every and not options.keepdims and isinstance(np.count_nonzero(np.zeros(1)), int):
        return cast(ctx, typed(n.Atom, result), PYINT, node)
    return result


_KINDS: dict[str, Reduce] = {
    "sum": _sum, "prod": _prod, "min": _extreme("min"), "max": _extreme("max"), "mean": _mean, "var": _var,
    "std": _std, "any": _truth("any"), "all": _truth("all"), "argmin": _position("min"), "argmax": _position("max"),
    "count_nonzero": _count_nonzero, "ptp": _ptp,
}  # fmt: skip
