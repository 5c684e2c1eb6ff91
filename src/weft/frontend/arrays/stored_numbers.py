"""What NumPy does when it assigns a number to an element: it finds the element, then converts the number."""

from __future__ import annotations

import ast

from weft.frontend.control import catching, faults
from weft.frontend.values.convert import cast, cast_constant, casting_may_raise
from weft.frontend.values.scope import Context
from weft.frontend.values.values import FALSE, scalar_type
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.semantics import stored_through
from weft.ir.types import FLOAT64, PYBOOL, PYFLOAT, PYINT, Scalar


def as_element(ctx: Context, value: n.Atom, target: Scalar, node: ast.AST) -> n.Atom:
    """A scalar converted as NumPy does when it assigns an element."""
    source = scalar_type(value)
    assert source is not None
    if source.kind == "c" and target.kind != "c" and target.kind != "b":
        raise ctx.type_error(
            f"a complex number cannot be stored in an array of {target}", node, hint="store its .real or .imag"
        )
    if isinstance(value, n.Const) and value.type == PYINT and target.kind == "f":
        value = cast(ctx, value, PYFLOAT, node)
    steps = stored_through(typed_scalar(value), target)
    if len(steps) > 1 and source.kind == "f" and catching.catcher(ctx, OverflowError):
        _raise_if_too_large(ctx, value, node)
    for step in steps:
        value = cast(ctx, value, step, node)
    return value


def as_cast_element(ctx: Context, value: n.Atom, target: Scalar, node: ast.AST, python_too: bool = False) -> n.Atom:
    """A scalar for elements that arrays choose: NumPy's numbers wrap as in ``astype``; `python_too`: so do floats."""
    source = typed_scalar(value)
    if python_too and source == PYFLOAT:
        value, source = cast(ctx, value, FLOAT64, node), FLOAT64
    if source.weak or source.kind == "c" or target.kind not in "iu":
        return as_element(ctx, value, target, node)
    return cast(ctx, value, target, node)


def _raise_if_too_large(ctx: Context, value: n.Atom, node: ast.AST) -> None:
    """Raise where a float is an integer beyond 64 bits, which NumPy does not store and the program catches."""
    wide, zero = cast(ctx, value, PYFLOAT, node), n.Const(0.0, PYFLOAT)
    limit = n.Const(float(2**63), PYFLOAT)
    lowest = n.Const(-float(2**63), PYFLOAT)
    above = ctx.emit(n.Compare("ge", wide, limit), PYBOOL, node)
    below = ctx.emit(n.Compare("lt", wide, lowest), PYBOOL, node)
    outside = ctx.emit(n.Binary("or", above, below, checked=False), PYBOOL, node)
    rest = ctx.emit(n.Binary("sub", wide, wide, checked=False), PYFLOAT, node)
    finite = ctx.emit(n.Compare("eq", rest, zero), PYBOOL, node)
    test = ctx.emit(n.Binary("and", outside, finite, checked=False), PYBOOL, node)
    location = ctx.location(node)
    fault = n.Raise("OverflowError", "Python int too large to convert to C long", (), location)
    ctx.append(n.If(test, n.Block((fault,)), location=location, rare=True))


def typed_scalar(value: n.Atom) -> Scalar:
    """The type of an atom that is a scalar."""
    assert isinstance(value.type, Scalar)
    return value.type


def converting_may_raise(ctx: Context, value: n.Atom, target: Scalar) -> bool:
    """Whether `as_element` may raise."""
    steps = stored_through(typed_scalar(value), target)
    if not isinstance(value, n.Const):
        return len(steps) > 1 or any(casting_may_raise(ctx, value, step) for step in steps)
    known: n.Const | None = value
    for step in steps:
        known = None if known is None else cast_constant(known, step)
    return known is None


def check_indices(ctx: Context, view: n.Var, indices: tuple[n.Atom, ...], location: Location) -> None:
    """Raise where an index of a store is outside: NumPy finds the element before it converts the value."""
    for fault in faults.indices_outside(ctx, view, indices, location):
        test = fault.test()
        if test != FALSE:
            block = n.Block((n.Raise("IndexError", fault.message, fault.operands, location),))
            ctx.append(n.If(test, block, location=location, rare=True))
