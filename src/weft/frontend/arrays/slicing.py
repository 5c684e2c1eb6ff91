"""Slices, clipped to the extent of their axis exactly as ``slice.indices`` does."""

from __future__ import annotations

import ast

from weft.frontend.arrays.sizes import arithmetic
from weft.frontend.values.scope import Context
from weft.frontend.values.values import ONE, ZERO, SliceValue
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT

_MINUS_ONE = n.Const(-1, PYINT)
_LEAST_STEP = n.Const(-(2**63 - 1), PYINT)
"""As in CPython, so that the negated step is a 64-bit number too."""


def slice_axis(ctx: Context, value: SliceValue, extent: n.Atom, node: ast.AST) -> n.Slice:
    """The slice of an axis as start, length and step."""
    step = value.step if value.step is not None else ONE
    if isinstance(step, n.Const):
        if step == ZERO:
            raise ctx.type_error("slice step cannot be zero", node)
        return _with_sign(ctx, value, step, extent, bool(int(step.value.real) > 0), node)
    return _with_unknown_step(ctx, value, step, extent, node)


def _with_sign(ctx: Context, value: SliceValue, step: n.Atom, extent: n.Atom, forward: bool, node: ast.AST) -> n.Slice:
    last = arithmetic(ctx, "sub", extent, ONE, node)
    if forward:
        start = ZERO if value.start is None else _clip(ctx, value.start, extent, ZERO, extent, node)
        stop = extent if value.stop is None else _clip(ctx, value.stop, extent, ZERO, extent, node)
    else:
        start = last if value.start is None else _clip(ctx, value.start, extent, _MINUS_ONE, last, node)
        stop = _MINUS_ONE if value.stop is None else _clip(ctx, value.stop, extent, _MINUS_ONE, last, node)
    if value.start is None and value.stop is None and step == ONE:
        return n.Slice(ZERO, extent, ONE)
    length = _length(ctx, start, stop, step, forward, node)
    if step == ONE and isinstance(length, n.Var):
        _note_ends(ctx, value, length)
    return n.Slice(start, length, step)


def _note_ends(ctx: Context, value: SliceValue, length: n.Var) -> None:
    """Remember how many elements a slice leaves out, where it is ``[2:]``, ``[:-1]`` or ``[1:-1]``."""
    ends = [ZERO if part is None else part for part in (value.start, value.stop)]
    if all(isinstance(end, n.Const) for end in ends):
        before, after = (int(end.value.real) for end in ends if isinstance(end, n.Const))
        if before >= 0 and (after < 0 or value.stop is None):
            ctx.slices[length.name] = before, -after


def _clip(ctx: Context, bound: n.Atom, extent: n.Atom, low: n.Atom, high: n.Atom, node: ast.AST) -> n.Atom:
    """A bound counted from the end where it is negative, and moved into the axis."""
    if ctx.is_nonnegative(bound):
        return arithmetic(ctx, "min", bound, high, node)
    from_end = arithmetic(ctx, "add", bound, extent, node)
    if isinstance(bound, n.Const):
        return arithmetic(ctx, "max", from_end, low, node)
    negative = ctx.emit(n.Compare("lt", bound, ZERO), PYBOOL, node)
    counted = ctx.emit(n.Select(negative, from_end, bound), PYINT, node)
    clipped = arithmetic(ctx, "max", arithmetic(ctx, "min", counted, high, node), low, node)
    if low == ZERO and isinstance(clipped, n.Var):
        ctx.nonnegative.add(clipped.name)
    return clipped


def _length(ctx: Context, start: n.Atom, stop: n.Atom, step: n.Atom, forward: bool, node: ast.AST) -> n.Atom:
    span = arithmetic(ctx, "sub", stop, start, node) if forward else arithmetic(ctx, "sub", start, stop, node)
    size = step if forward else arithmetic(ctx, "sub", ZERO, step, node)
    if size != ONE:
        before_last = arithmetic(ctx, "sub", span, ONE, node)
        span = arithmetic(ctx, "add", arithmetic(ctx, "floordiv", before_last, size, node), ONE, node)
    if ctx.is_nonnegative(span):
        return span
    length = arithmetic(ctx, "max", span, ZERO, node)
    if isinstance(length, n.Var):
        ctx.nonnegative.add(length.name)
    return length


def _with_unknown_step(ctx: Context, value: SliceValue, step: n.Atom, extent: n.Atom, node: ast.AST) -> n.Slice:
    """Both directions are computed, and the sign of the step chooses."""
    location = ctx.location(node)
    zero = ctx.emit(n.Compare("eq", step, ZERO), PYBOOL, node)
    fault = n.Raise("ValueError", "slice step cannot be zero", (), location)
    ctx.append(n.If(zero, n.Block((fault,)), location=location))
    forward = ctx.emit(n.Compare("gt", step, ZERO), PYBOOL, node)
    up = ctx.emit(n.Binary("max", step, ONE), PYINT, node)
    down = ctx.emit(n.Binary("min", step, _MINUS_ONE), PYINT, node)
    down = ctx.emit(n.Binary("max", down, _LEAST_STEP), PYINT, node)
    first = _with_sign(ctx, value, up, extent, True, node)
    second = _with_sign(ctx, value, down, extent, False, node)
    start = ctx.emit(n.Select(forward, first.start, second.start), PYINT, node)
    length = ctx.emit(n.Select(forward, first.length, second.length), PYINT, node)
    ctx.nonnegative.add(length.name)
    return n.Slice(start, length, step)
