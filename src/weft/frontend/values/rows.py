"""Lists of arrays of one dtype and rank: copies that lie in one pool, where nobody can tell them from the arrays.

The store of such a list is how much of the pool is used, how many places of the list were ever filled, the pool, and
for each place where its array starts, how many elements it has, and its extents. An array in a list is never changed,
and neither is one that was put into a list while that is there: `weft.frontend.arrays.kept_parts` looks at the finished
program, and refuses others.
"""

from __future__ import annotations

import ast
from functools import cache
from types import FunctionType
from typing import cast as typed

import numpy as np

from weft.dataclass import dataclass
from weft.frontend.arrays import copies, kept_parts
from weft.frontend.arrays.array_attributes import shape
from weft.frontend.arrays.sizes import arithmetic
from weft.frontend.calls import inlining
from weft.frontend.calls import library_rows as library
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import ONE, ZERO, Static, Value, is_view
from weft.ir import nodes as n
from weft.ir.types import PYINT, SCALARS, Scalar, View

INDEX = View(SCALARS["int64"], 1, True)
"""Where starts, counts and extents lie."""


@dataclass(frozen=True)
class Kind:
    """What an element of a list of arrays is."""

    element: Scalar
    rank: int

    def __str__(self) -> str:
        return f"array of {self.element} with {self.rank} dimension{'s' * (self.rank > 1)}"


def kind_of(model: Value) -> Kind | None:
    """What the arrays in a list are, by its model; None where it holds something else."""
    return model.value if isinstance(model, Static) and isinstance(model.value, Kind) else None


def model_of(value: Value) -> Value | None:
    """The model of a list that holds an array; None where there are no such lists."""
    if not isinstance(value, n.Var) or not is_view(value):
        return None
    type = view_type(value)
    is_plain = isinstance(type.element, Scalar) and type.ndim > 0
    return Static(_kind(typed(Scalar, type.element), type.ndim)) if is_plain else None


@cache
def _kind(element: Scalar, rank: int) -> Kind:
    """One object for each kind, since models are compared by identity."""
    return Kind(element, rank)


def empty(ctx: Context, kind: Kind, node: ast.AST) -> tuple[Value, ...]:
    """The store of a list without arrays."""
    types = (View(kind.element, 1, True), *[INDEX] * (2 + kind.rank))
    arrays = [ctx.emit(n.Alloc((ZERO,), type.element, None), type, node, "items") for type in types]
    return ZERO, ZERO, *arrays


def load(ctx: Context, kind: Kind, store: Value, place: n.Atom, node: ast.AST) -> n.Var:
    """The array at a place."""
    _, _, pool, *indices = typed("tuple[n.Var, ...]", store)
    start, count, *extents = [_number(ctx, view, place, node) for view in indices]
    return _part(ctx, pool, start, count, extents, node, pool.stem)


def _number(ctx: Context, view: n.Var, place: n.Atom, node: ast.AST) -> n.Var:
    loaded = ctx.emit(n.Load(view, (place,), "safe"), INDEX.element, node)
    number = ctx.emit(n.Cast(loaded, checked=False), PYINT, node)
    ctx.nonnegative.add(number.name)
    return number


def _part(
    ctx: Context, pool: n.Var, start: n.Atom, count: n.Atom, extents: list[n.Var], node: ast.AST, stem: str
) -> n.Var:
    flat = View(view_type(pool).element, 1, True)
    part = ctx.emit(n.Subview(pool, (n.Slice(start, count, ONE),), "safe"), flat, node, stem)
    ctx.extents[part.name] = (count,)
    if len(extents) > 1:
        type = View(flat.element, len(extents), True)
        part = ctx.emit(n.Split(part, 0, tuple(extents)), type, node, stem)
        ctx.extents[part.name] = tuple(extents)
    return part


def kept_part(ctx: Context, pool: Value, start: Value, count: Value, node: ast.AST) -> Value:
    """`library.kept_part`."""
    part = _part(ctx, typed(n.Var, pool), typed(n.Atom, start), typed(n.Atom, count), [], node, kept_parts.STEM)
    ctx.kept_parts[part.name] = None
    return part


def stored(ctx: Context, store: Value, place: n.Atom, value: n.Var, node: ast.AST) -> tuple[Value, ...]:
    """The store with an array at a place, which has room for its numbers."""
    used, filled, pool, starts, counts, *lengths = typed("tuple[n.Var, ...]", store)
    extents = shape(ctx, value, node)
    count: n.Atom = ONE
    for extent in extents:
        count = arithmetic(ctx, "mul", count, extent, node)
    function = typed(FunctionType, library.roomy)
    found = inlining.call_function(ctx, function, [pool, starts, counts, used, filled, count], {}, node)
    pool, used = typed("tuple[n.Var, n.Var]", found)
    part = _part(ctx, pool, used, count, list(typed("tuple[n.Var, ...]", extents)), node, kept_parts.STEM)
    refusal = ctx.refusal("array in a list", node, what=ast.unparse(node))
    ctx.kept_parts[part.name] = (value.name, refusal)
    copies.copy_elements(ctx, part, value, node)
    for view, number in zip((starts, counts, *lengths), (used, count, *extents), strict=True):
        ctx.append(n.Store(view, (place,), _as_index(ctx, number, node), "safe", location=ctx.location(node)))
    end = arithmetic(ctx, "add", place, ONE, node)
    return (
        arithmetic(ctx, "add", used, count, node), arithmetic(ctx, "max", filled, end, node), pool, starts, counts,
        *lengths,
    )  # fmt: skip


def moved(ctx: Context, store: Value, source: n.Atom, target: n.Atom, node: ast.AST) -> None:
    """Give one place of a list the array of another one."""
    for view in typed("tuple[n.Var, ...]", store)[3:]:
        loaded = ctx.emit(n.Load(view, (source,), "safe"), INDEX.element, node)
        ctx.append(n.Store(view, (target,), loaded, "safe", location=ctx.location(node)))


def _as_index(ctx: Context, number: n.Atom, node: ast.AST) -> n.Atom:
    return ctx.emit(n.Cast(number, checked=False), INDEX.element, node)


JOINING: dict[object, object] = {
    np.stack: library.stack, np.concatenate: library.concatenate, np.vstack: library.vstack,
    np.hstack: library.hstack, np.column_stack: library.column_stack,
}  # fmt: skip
"""Functions of NumPy that join the arrays of a list, and what Weft does for them."""

COPYING: dict[object, object] = {np.array: library.array_of, np.asarray: library.array_of, **JOINING}
"""The same, where there is no other argument."""
