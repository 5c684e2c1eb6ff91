"""Local arrays whose elements follow a rule: ``np.arange``, ``np.linspace``, ``np.eye``, ``np.identity``."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import cast as typed

import numpy as np

from weft.frontend.arrays.allocation import element_type, options
from weft.frontend.arrays.sizes import arithmetic, as_index
from weft.frontend.arrays.tables import function
from weft.frontend.calls import inlining, library
from weft.frontend.calls.python_builtins import number
from weft.frontend.control.iteration import range_length
from weft.frontend.values.scope import Context
from weft.frontend.values.values import NONE, ONE, TRUE, ZERO, Range, Static, Value, is_none
from weft.ir import nodes as n
from weft.ir.types import BOOL, FLOAT16, FLOAT32, FLOAT64, INT64, PYINT, Scalar, element_of

Values = list[Value]
Keywords = dict[str, Value]

LARGEST_STEP = 1024
"""Up to it, a quotient of integers that NumPy rounds is that of an array too large to exist."""


def _given(
    ctx: Context, names: Sequence[str], arguments: Values, keywords: Keywords, required: int, what: str, node: ast.AST
) -> dict[str, Value]:
    """The arguments by their names, after those that only ask for the usual order are gone."""
    options(ctx, keywords, names, node)
    given = dict(zip(names, arguments, strict=False))
    if len(arguments) > len(names) or set(given) & set(keywords):
        raise ctx.type_error(f"{what} takes the arguments {', '.join(names)}", node)
    given |= {name: value for name, value in keywords.items() if name in names}
    if any(name not in given for name in names[:required]):
        raise ctx.type_error(f"{what} takes the arguments {', '.join(names)}", node)
    return given


def _scalar(ctx: Context, dtype: Value | None, default: Scalar, what: str, node: ast.AST) -> Scalar:
    element = element_type(ctx, dtype, default, node)
    if not isinstance(element, Scalar):
        raise ctx.type_error(f"{what} makes arrays of numbers", node)
    return element


# ------------------------------------------------------------------------------------------------------ arange


@function(np.arange)
def _arange(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    given = _given(ctx, ("start", "stop", "step", "dtype"), arguments, keywords, 0, "np.arange", node)
    start, stop, step = (given.get(name, NONE) for name in ("start", "stop", "step"))
    if is_none(stop):
        start, stop = ZERO, start
    parts = [number(ctx, part, node) for part in (start, stop, ONE if is_none(step) else step)]
    types = [typed(Scalar, part.type) for part in parts]
    joint = typed(Scalar, element_of(np.result_type(np.int64, *(type.dtype for type in types))))
    kind = _scalar(ctx, given.get("dtype"), joint, "np.arange", node)
    if "c" in {kind.kind, *(type.kind for type in types)} or kind == BOOL:
        raise ctx.type_error(f"np.arange of the dtype {kind} is not supported", node, hint="write the loop")
    count = _count(ctx, parts[0], parts[1], parts[2], node)
    wide = INT64 if kind.kind in "iu" else FLOAT32 if kind == FLOAT16 else kind
    forms = [Static(form.dtype.type) for form in (kind, wide)]
    return inlining.call_library(ctx, library.spaced, [count, parts[0], parts[2], *forms], node)


def _count(ctx: Context, start: n.Atom, stop: n.Atom, step: n.Atom, node: ast.AST) -> Value:
    whole = start.type == stop.type == step.type == PYINT
    if whole and isinstance(step, n.Const) and 0 < abs(int(step.value.real)) <= LARGEST_STEP:
        length = range_length(ctx, Range(start, stop, step), node)
        return length if ctx.is_nonnegative(length) else arithmetic(ctx, "max", length, ZERO, node)
    return inlining.call_library(ctx, library.steps_between, [start, stop, step], node)


# ---------------------------------------------------------------------------------------------- linspace, eye


@function(np.linspace)
def _linspace(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    names = ("start", "stop", "num", "endpoint")
    given = _given(ctx, names, arguments, keywords, 2, "np.linspace", node)
    ends = [number(ctx, given[name], node) for name in ("start", "stop")]
    if any(typed(Scalar, end.type).kind == "c" or end.type in (FLOAT16, FLOAT32) for end in ends):
        raise ctx.type_error("the ends of np.linspace must be float64 in compiled code", node, hint="write float(...)")
    count = as_index(ctx, given.get("num", n.Const(50, PYINT)), node)
    return inlining.call_library(ctx, library.linearly_spaced, [*ends, count, given.get("endpoint", TRUE)], node)


@function(np.eye)
def _eye(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    given = _given(ctx, ("N", "M", "k", "dtype"), arguments, keywords, 1, "np.eye", node)
    rows = as_index(ctx, given["N"], node)
    columns = given.get("M", NONE)
    sizes = [rows, rows if is_none(columns) else as_index(ctx, columns, node), given.get("k", ZERO)]
    kind = _scalar(ctx, given.get("dtype"), FLOAT64, "np.eye", node)
    return inlining.call_library(ctx, library.diagonal_of_ones, [*sizes, Static(kind.dtype.type)], node)


@function(np.identity)
def _identity(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    given = _given(ctx, ("n", "dtype"), arguments, keywords, 1, "np.identity", node)
    return _eye(ctx, [given["n"]], {"dtype": given.get("dtype", NONE)}, node)
