"""Extents of arrays: which are known to be equal, and how shapes are broadcast.

An extent has a *key*, and equal keys mean equal extents. Keys see through views: ``u[2:]`` and ``u[1:-1]`` have the
extent ``max(n - 2, 0)``, whatever n is. Where keys differ, the program compares the extents when it runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from weft.frontend.arrays.array_attributes import shape
from weft.frontend.values.scope import Builder, Context, view_type
from weft.frontend.values.values import ONE, TRUE, ArrayExpression, Value, is_view
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT

Extents: TypeAlias = "tuple[n.Atom, ...]"
Key: TypeAlias = tuple[object, ...]


def extents_of(ctx: Context, value: Value, node: ast.AST) -> Extents:
    """The extents of an array or expression; a scalar has none."""
    if isinstance(value, ArrayExpression):
        return value.extents
    if isinstance(value, n.Var) and is_view(value):
        known = ctx.extents.get(value.name)
        return known if known is not None else _noted(ctx, value, shape(ctx, value, node))
    return ()


def _noted(ctx: Context, view: n.Var, extents: Extents) -> Extents:
    """Extents, each a constant where the definition of the view says so."""
    return tuple(_constant(ctx, view, axis) or extent for axis, extent in enumerate(extents))


def _constant(ctx: Context, view: n.Var, axis: int) -> n.Const | None:
    key = _axis_key(ctx, view, axis)
    if key[0] == "const":
        assert isinstance(key[1], int)
        return n.Const(key[1], PYINT)
    return None


def same(ctx: Context, a: n.Atom, b: n.Atom) -> bool:
    """Whether two extents are known to be equal."""
    return a == b or _nonnegative(key_of(ctx, a)) == _nonnegative(key_of(ctx, b))


def _nonnegative(key: Key) -> Key:
    """The key of an extent, which is no negative number."""
    if key[0] == "plus":
        return ("most", key[1], key[2])
    return key


# ---------------------------------------------------------------------------------------------------------- keys


def key_of(ctx: Context, atom: n.Atom) -> Key:
    """The key of an integer: a constant, ``base + c``, ``max(base + c, 0)``, or what it is by its definition."""
    if isinstance(atom, n.Const):
        return ("const", int(atom.value.real))
    definition = ctx.definitions.get(atom.name)
    if isinstance(definition, n.Dim):
        return _axis_key(ctx, definition.view, definition.axis)
    if isinstance(definition, n.Binary) and definition.op in ("add", "sub", "mul", "min", "max", "floordiv"):
        return _binary_key(definition.op, key_of(ctx, definition.left), key_of(ctx, definition.right))
    return ("atom", atom.name)


def _binary_key(op: str, left: Key, right: Key) -> Key:
    if op in ("add", "sub") and right[0] == "const":
        return _shifted(left, right[1] if op == "add" else -right[1])  # type: ignore[operator]
    if op == "add" and left[0] == "const":
        return _shifted(right, left[1])
    if op == "max" and right == ("const", 0):
        return ("most", left[1], left[2]) if left[0] == "plus" else left if left[0] == "most" else (op, left, right)
    return (op, left, right)


def _shifted(key: Key, by: object) -> Key:
    assert isinstance(by, int)
    if key[0] == "const":
        return ("const", key[1] + by)  # type: ignore[operator]
    base, offset = (key[1], key[2]) if key[0] == "plus" else (key, 0)
    total = offset + by  # type: ignore[operator]
    return base if total == 0 else ("plus", base, total)  # type: ignore[return-value]


def _axis_key(ctx: Context, view: n.Var, axis: int) -> Key:
    """The key of an extent of a view."""
    known = ctx.extents.get(view.name)
    if known is not None:
        return _nonnegative(key_of(ctx, known[axis]))
    definition = ctx.definitions.get(view.name)
    if isinstance(definition, n.Alloc):
        return _nonnegative(key_of(ctx, definition.shape[axis]))
    if isinstance(definition, n.Transpose):
        return _axis_key(ctx, definition.view, definition.permutation[axis])
    if isinstance(definition, n.Subview):
        return _subview_key(ctx, definition, axis)
    return ("axis", view.name, axis)


def _subview_key(ctx: Context, definition: n.Subview, axis: int) -> Key:
    kept = [k for k, item in enumerate(definition.axes) if item is None or isinstance(item, n.Slice)]
    position = kept[axis]
    item = definition.axes[position]
    if item is None:
        return ("const", 1)
    assert isinstance(item, n.Slice)
    outer = sum(1 for before in definition.axes[:position] if before is not None)
    whole = _axis_key(ctx, definition.view, outer)
    bounds = ctx.slices.get(item.length.name) if isinstance(item.length, n.Var) else None
    if bounds is not None:
        return _cut(whole, *bounds)
    key = _nonnegative(key_of(ctx, item.length))
    return key


def _cut(whole: Key, before: int, after: int) -> Key:
    """The key of ``[before:-after]`` of an axis."""
    if whole[0] == "const":
        return ("const", max(whole[1] - before - after, 0))  # type: ignore[operator]
    base, offset = (whole[1], whole[2]) if whole[0] == "most" else (whole, 0)
    return ("most", base, offset - before - after)  # type: ignore[operator]


# -------------------------------------------------------------------------------------------------- broadcasting


def broadcast(
    ctx: Context, shapes: Sequence[Extents], node: ast.AST, message: str = "", expected: Sequence[Extents] | None = None
) -> tuple[Extents, tuple[n.Atom, ...]]:
    """The common shape, and conditions that hold where no extent of 1 met another one unforeseen.

    Raises NumPy's ValueError when the program runs, where shapes do not fit.
    """
    rank = max(map(len, shapes), default=0)
    common: list[n.Atom] = []
    agree: list[n.Atom] = []
    fits: list[n.Atom] = []
    for axis in range(rank):
        meeting = [s[axis - rank + len(s)] for s in shapes if axis - rank + len(s) >= 0]
        common.append(_meet(ctx, meeting, agree, fits, node))
    if fits:
        text = message or "operands could not be broadcast together with shapes "
        _check(ctx, fits, text, expected or shapes, node)
    return tuple(common), tuple(agree)


def _meet(ctx: Context, meeting: list[n.Atom], agree: list[n.Atom], fits: list[n.Atom], node: ast.AST) -> n.Atom:
    """The extent that several extents have together."""
    result = meeting[0]
    for other in meeting[1:]:
        if same(ctx, result, other) or other == ONE:
            continue
        if result == ONE:
            result = other
            continue
        equal = ctx.emit(n.Compare("eq", result, other), PYBOOL, node, "shapes_meet")
        alone = [ctx.emit(n.Compare("eq", extent, ONE), PYBOOL, node) for extent in (result, other)]
        either = ctx.emit(n.Binary("or", alone[0], alone[1], checked=False), PYBOOL, node)
        fits.append(ctx.emit(n.Binary("or", equal, either, checked=False), PYBOOL, node))
        if isinstance(result, n.Const) or isinstance(other, n.Const):
            result = result if isinstance(result, n.Const) else other
            agree.append(equal)
            continue
        agree.append(equal)
        wide = ctx.emit(n.Select(alone[0], other, result), PYINT, node)
        chosen = ctx.emit(n.Select(equal, result, wide), PYINT, node, "extent")
        ctx.nonnegative.update((wide.name, chosen.name))
        result = chosen
    return result


def _check(ctx: Context, fits: list[n.Atom], text: str, shapes: Sequence[Extents], node: ast.AST) -> None:
    whole = fits[0]
    for one in fits[1:]:
        whole = ctx.emit(n.Binary("and", whole, one, checked=False), PYBOOL, node)
    message = text + "".join(f"{_template(shape)} " for shape in shapes)
    raise_unless(ctx, whole, "ValueError", message, [e for shape in shapes for e in shape], node)


@contextmanager
def awaited(ctx: Context, values: Sequence[Value]) -> Iterator[None]:
    """Operands that come before what is translated inside; what they raise is raised first."""
    faulty = [value for value in values if isinstance(value, ArrayExpression) and value.faults]
    before = ctx.awaited
    ctx.awaited = [*before, *faulty]
    try:
        yield
    finally:
        ctx.awaited = before


def raise_unless(
    ctx: Context, condition: n.Atom, exception: str, message: str, operands: Sequence[n.Atom], node: ast.AST
) -> None:
    """Raise when the program runs, unless a condition holds, or an expression before this one raises."""
    if condition == TRUE:
        return
    fault = n.Raise(exception, message, tuple(operands), ctx.location(node))
    with ctx.block(Builder()) as builder:
        compute_awaited(ctx, node)
        ctx.append(fault)
    if isinstance(condition, n.Const):
        ctx.splice(builder)
    else:
        block = n.Block(tuple(builder.statements))
        ctx.append(n.If(condition, n.Block(), block, location=ctx.location(node)))


def compute_awaited(ctx: Context, node: ast.AST) -> None:
    """Compute the expressions that come before what is being translated, since it raises."""
    from weft.frontend.arrays.nests import materialised

    before, ctx.awaited = ctx.awaited, []
    for value in before:
        for part in _faulty_parts(value):
            materialised(ctx, part, node)
    ctx.awaited = before


def _faulty_parts(value: Value) -> Iterator[ArrayExpression]:
    """The operations of an expression that may raise, in their order; each over its own shape."""
    if isinstance(value, ArrayExpression) and value.faults:
        for operand in value.operands:
            yield from _faulty_parts(operand)
        yield value


def _template(shape: Extents) -> str:
    """A shape as NumPy prints it, as a template."""
    return "(" + ",".join("{}" for _ in shape) + ("," if len(shape) == 1 else "") + ")"


def template(shape: Extents) -> str:
    """A shape as NumPy prints it in its messages, as a template over the extents."""
    return _template(shape)


def require_same(ctx: Context, a: n.Atom, b: n.Atom, message: str, operands: Sequence[n.Atom], node: ast.AST) -> None:
    """Raise ValueError when the program runs, unless two extents are equal."""
    if same(ctx, a, b):
        return
    equal = ctx.emit(n.Compare("eq", a, b), PYBOOL, node, "shapes_agree")
    raise_unless(ctx, equal, "ValueError", message, operands, node)


def rank_of(value: Value) -> int:
    """The number of dimensions; of a scalar 0."""
    if isinstance(value, ArrayExpression):
        return len(value.extents)
    return view_type(value).ndim if isinstance(value, n.Var) and is_view(value) else 0
