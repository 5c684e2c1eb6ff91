"""The parts of arrays that a call of a kernel touches: `touches` over the whole grid, computed before the call.

What it does: `touches` and `grid` are read as text. Where what they say is affine in the counters of the grid, over
numbers and extents of the call, the first and the last element along each axis are computed there, and the call reads
and writes views of these parts. What it does not: other descriptions give whole arrays.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from weft.errors import SourceError
from weft.frontend.source.source import source_of
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import is_view
from weft.ir import nodes as n
from weft.ir.scribe import Scribe
from weft.ir.types import PYINT, Scalar, View

ONE = n.Const(1)


@dataclass(frozen=True)
class Part:
    """What a call touches of an array: a view, and whether it certainly writes all of that."""

    view: n.Var
    is_filled: bool


def parts_of_call(ctx: Context, kernel: Any, given: Mapping[str, n.Atom], node: ast.AST) -> dict[str, Part]:
    """The parts of arrays that a kernel touches whose `touches` was checked; arrays that are not there are whole."""
    if kernel.touches is None or not kernel.is_checked:
        return {}
    touches, grid = _read(kernel.touches.function), _read(kernel.grid)
    if touches is None or grid is None or not isinstance(touches.value, ast.Dict):
        return {}
    write = Scribe(ctx.names, ctx.location(node))
    extents = _extents(_Reader(write, given, {}), grid.value)
    counters = touches.names[: len(extents or ())]
    if extents is None or touches.names[: len(kernel.touches.counters)] != counters:
        return {}
    reader = _Reader(write, given, dict(zip(counters, extents, strict=True)))
    found: dict[str, Part] = {}
    for key, value in zip(touches.value.keys, touches.value.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            part = _part(ctx, reader, given[key.value], value)
            if part is not None:
                found[key.value] = part
    for statement in write.statements:
        ctx.append(statement)
    return found


@dataclass(frozen=True)
class _Text:
    """What a function returns, and the names of its parameters."""

    names: tuple[str, ...]
    value: ast.expr


def _read(function: object) -> _Text | None:
    """The text of a function that is one expression; None where it is more."""
    if not isinstance(function, FunctionType):
        return None
    try:
        node = source_of(function).node
    except SourceError:
        return None
    names = tuple(argument.arg for argument in node.args.args)
    if isinstance(node, ast.Lambda):
        return _Text(names, node.body)
    last = node.body[-1]
    rest = [s for s in node.body[:-1] if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return _Text(names, last.value) if isinstance(last, ast.Return) and last.value is not None and not rest else None


@dataclass(frozen=True)
class _Affine:
    """A sum of counters times numbers, and a number."""

    rest: n.Atom
    terms: dict[str, n.Atom] = field(default_factory=dict)


class _NotAffineError(Exception):
    """An expression that is not affine, or that uses something else than numbers and extents of the call."""


class _Reader:
    """Reads expressions, and writes what computes them."""

    def __init__(self, write: Scribe, given: Mapping[str, n.Atom], counters: Mapping[str, n.Atom]) -> None:
        self.write, self.given, self.counters = write, given, counters

    def number(self, node: ast.expr) -> n.Atom:
        """An expression without counters."""
        found = self.affine(node)
        if found.terms:
            raise _NotAffineError
        return found.rest

    def affine(self, node: ast.expr) -> _Affine:
        """An expression."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return _Affine(n.Const(node.value))
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return self._times(self.affine(node.operand), n.Const(-1))
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        return _Affine(self._extent(node))

    def _name(self, name: str) -> _Affine:
        if name in self.counters:
            return _Affine(n.Const(0), {name: ONE})
        atom = self.given.get(name)
        if atom is None or not isinstance(atom.type, Scalar) or atom.type.kind not in "iu":
            raise _NotAffineError
        return _Affine(atom if atom.type == PYINT else self.write.let(n.Cast(atom, checked=False), PYINT))

    def _binary(self, node: ast.BinOp) -> _Affine:
        left, right = self.affine(node.left), self.affine(node.right)
        if isinstance(node.op, ast.Add):
            return self.plus(left, right)
        if isinstance(node.op, ast.Sub):
            return self.plus(left, self._times(right, n.Const(-1)))
        if isinstance(node.op, ast.Mult) and not (left.terms and right.terms):
            return self._times(right, left.rest) if not left.terms else self._times(left, right.rest)
        positive = isinstance(right.rest, n.Const) and right.rest.value.real > 0
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and not left.terms and not right.terms and positive:
            op: n.BinaryOp = "floordiv" if isinstance(node.op, ast.FloorDiv) else "mod"
            return _Affine(self.write.op(op, left.rest, right.rest))
        raise _NotAffineError

    def plus(self, left: _Affine, right: _Affine) -> _Affine:
        """A sum."""
        names = dict.fromkeys((*left.terms, *right.terms))
        zero = n.Const(0)
        terms = {k: self.write.op("add", left.terms.get(k, zero), right.terms.get(k, zero)) for k in names}
        rest = self.write.op("add", left.rest, right.rest)
        return _Affine(rest, {k: v for k, v in terms.items() if v != zero})

    def _times(self, form: _Affine, factor: n.Atom) -> _Affine:
        terms = {name: self.write.op("mul", value, factor) for name, value in form.terms.items()}
        return _Affine(self.write.op("mul", form.rest, factor), terms)

    def _extent(self, node: ast.expr) -> n.Atom:
        """``len(x)``, ``x.shape[0]`` or ``x.size``."""
        if isinstance(node, ast.Call) and _is_call_of(node, "len") and len(node.args) == 1:
            return self._dim(node.args[0], 0)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            axis = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if type(axis) is int:
                return self._dim(node.value.value, axis)
        raise _NotAffineError

    def _dim(self, node: ast.expr, axis: int) -> n.Atom:
        view = self.given.get(node.id) if isinstance(node, ast.Name) else None
        if not isinstance(view, n.Var) or not is_view(view):
            raise _NotAffineError
        ndim = view_type(view).ndim
        if not -ndim <= axis < ndim:
            raise _NotAffineError
        return self.write.let(n.Dim(view, axis % ndim), PYINT)

    def ends(self, form: _Affine) -> tuple[n.Atom, n.Atom]:
        """The least and the largest value over a grid that has points."""
        low = high = form.rest
        for name, factor in form.terms.items():
            far = self.write.op("mul", factor, self.write.op("sub", self.counters[name], 1))
            low = self.write.op("add", low, self.write.op("min", far, 0))
            high = self.write.op("add", high, self.write.op("max", far, 0))
        return low, high


def _is_call_of(node: ast.Call, name: str) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == name


def _extents(reader: _Reader, value: ast.expr) -> list[n.Atom] | None:
    """The points of the grid along each dimension."""
    try:
        if isinstance(value, (ast.Tuple, ast.List)) and value.elts:
            return [reader.number(item) for item in value.elts]
        if isinstance(value, ast.Attribute) and value.attr == "shape" and isinstance(value.value, ast.Name):
            view = reader.given.get(value.value.id)
            if isinstance(view, n.Var) and is_view(view):
                return [reader.write.let(n.Dim(view, axis), PYINT) for axis in range(view_type(view).ndim)]
    except _NotAffineError:
        pass
    return None


def _part(ctx: Context, reader: _Reader, array: n.Atom, value: ast.expr) -> Part | None:
    """The part of an array that all points touch; None where that is not known."""
    assert isinstance(array, n.Var)
    type_ = view_type(array)
    nodes = list(value.elts) if isinstance(value, ast.Tuple) else [value]
    if len(nodes) > type_.ndim:
        return None
    axes: list[n.Slice] = []
    used: list[str] = []
    is_filled = True
    try:
        for axis in range(type_.ndim):
            extent = reader.write.let(n.Dim(array, axis), PYINT)
            side = _side(reader, nodes[axis], extent) if axis < len(nodes) else _Side(n.Const(0), extent, True, ())
            is_filled = is_filled and side.is_filled
            used += side.counters
            axes.append(_clipped(reader, side, extent))
    except _NotAffineError:
        return None
    made = View(type_.element, type_.ndim, type_.contiguous, type_.writable)
    view = reader.write.let(n.Subview(array, tuple(axes), "safe"), made, array.stem)
    return Part(view, is_filled and len(used) == len(set(used)))


@dataclass(frozen=True)
class _Side:
    """The elements along an axis: the first, the end, whether all between are touched, and by which counters."""

    low: n.Atom
    stop: n.Atom
    is_filled: bool
    counters: tuple[str, ...]


def _side(reader: _Reader, node: ast.expr, extent: n.Atom) -> _Side:
    write, step = reader.write, 1
    if isinstance(node, ast.Call) and _is_call_of(node, "slice") and not node.keywords:
        parts = [None if isinstance(a, ast.Constant) and a.value is None else a for a in node.args]
        start, stop, more = (None, parts[0], None) if len(parts) == 1 else (*parts, None)[:3]
        step = 1 if more is None or (isinstance(more, ast.Constant) and more.value == 1) else 2
        first = _Affine(n.Const(0)) if start is None else reader.affine(start)
        last = _Affine(extent) if stop is None else reader.affine(stop)
    else:
        first = reader.affine(node)
        last = reader.plus(first, _Affine(ONE))
    low, end = reader.ends(first)[0], reader.ends(last)[1]
    counters = tuple(dict.fromkeys((*first.terms, *last.terms)))
    return _Side(low, end, step == 1 and _is_dense(first, last, write), counters)


def _is_dense(first: _Affine, last: _Affine, write: Scribe) -> bool:
    """Whether the elements of neighbouring points leave none out between them."""
    if first.terms.keys() != last.terms.keys() or len(first.terms) > 1:
        return False
    if not first.terms:
        return True
    (factor,), (other,) = first.terms.values(), last.terms.values()
    length = write.op("sub", last.rest, first.rest)
    is_known = isinstance(factor, n.Const) and isinstance(length, n.Const)
    return factor == other and (
        (is_known and abs(factor.value.real) <= length.value.real) or factor == length  # type: ignore[union-attr]
    )


def _clipped(reader: _Reader, side: _Side, extent: n.Atom) -> n.Slice:
    """A slice of what is inside of the array; nothing where the grid has no points."""
    write = reader.write
    low = write.op("min", write.op("max", side.low, 0), extent)
    length = write.op("max", write.op("sub", write.op("min", side.stop, extent), low), 0)
    for points in reader.counters.values():
        if not isinstance(points, n.Const):
            length = write.select(write.compare("gt", points, 0), length, n.Const(0))
    return n.Slice(low, length, ONE)
