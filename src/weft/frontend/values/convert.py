"""Conversions between scalar types, and the type that two values of one variable share."""

from __future__ import annotations

import ast
import math
from typing import cast as typed

import numpy as np

from weft.errors import Error, TypeInferenceError
from weft.frontend.several_types.forms import fault_of, forms_of, is_rounded
from weft.frontend.values.scope import Context
from weft.frontend.values.values import type_name
from weft.ir import nodes as n
from weft.ir import values as numbers
from weft.ir.check.comparison import EXACT_IN_FLOAT
from weft.ir.effects import cast_may_raise
from weft.ir.location import Location
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, WEAK_TYPES, Scalar, Type, View, limits


class NoCommonTypeError(Error):
    """Two values cannot be held by one variable. Caught by the join, which knows the variable's name."""


def python_value(value: object) -> bool | int | float | complex:
    """A NumPy scalar as the Python number that a `Const` holds."""
    return typed("bool | int | float | complex", value.item() if isinstance(value, np.generic) else value)


def numpy_value(atom: n.Const) -> object:
    """The value of a constant in the form that `weft.ir.values` works on."""
    type = typed(Scalar, atom.type)
    return atom.value if type.weak else type.dtype.type(atom.value)


def cast(ctx: Context, atom: n.Atom, target: Scalar, node: ast.AST | Location) -> n.Atom:
    """The atom converted to a type, as `Cast` does; constants are converted at once where that cannot raise."""
    source = typed(Scalar, atom.type)
    if source == target:
        return atom
    if isinstance(atom, n.Const):
        folded = cast_constant(atom, target)
        if folded is not None:
            return folded
    elif _may_raise(ctx, atom, target):
        return _checked_as_python(ctx, atom, target, node)
    return ctx.emit(n.Cast(atom), target, node)


def casting_may_raise(ctx: Context, atom: n.Atom, target: Scalar) -> bool:
    """Whether `cast` of an atom to a type may raise."""
    source = typed(Scalar, atom.type)
    if source == target:
        return False
    if isinstance(atom, n.Const):
        return cast_constant(atom, target) is None
    return _may_raise(ctx, atom, target) or cast_may_raise(source, target)


def converted(ctx: Context, atom: n.Atom, target: Scalar, node: ast.AST) -> n.Atom:
    """The atom converted because the user says so: it has one type afterwards (see `forms`)."""
    if atom.type == target and forms_of(ctx, atom) is not None:
        return ctx.emit(n.Cast(atom), target, node)
    return cast(ctx, atom, target, node)


def _may_raise(ctx: Context, atom: n.Var, target: Scalar) -> bool:
    """Whether an atom may be a Python number (see `forms`), which raises where it does not fit in a type."""
    known = forms_of(ctx, atom)
    if known is None or target.weak or target.kind not in "iu":
        return False
    source = typed(Scalar, atom.type)
    if source.kind in "biu" and np.can_cast(source.dtype, target.dtype, "safe"):
        return False
    values = [form.value for form in known.others if form.type in (PYINT, PYFLOAT)]
    return any(value is None or cast_constant(value, target) is None for value in values)


def _checked_as_python(ctx: Context, atom: n.Var, target: Scalar, node: ast.AST | Location) -> n.Atom:
    """The conversion of what may be a Python number: OverflowError where it is one and does not fit.

    Where no test tells whether it is one, a number that does not fit is the error that the types differ.
    """
    known = forms_of(ctx, atom)
    assert known is not None
    if typed(Scalar, atom.type).kind == "f" and target.kind == "i":  # NumPy's floats raise there, too
        return ctx.emit(n.Cast(ctx.emit(n.Cast(atom), PYFLOAT, node)), target, node)
    location = node if isinstance(node, Location) else ctx.location(node)
    result = ctx.emit(n.Cast(atom), target, node)
    if known.gone is None:
        fault = fault_of(ctx, atom, location)
        ask_for_witnesses(ctx, fault)
        ctx.append(n.If(_is_outside(ctx, atom, target, location), n.Block((fault,)), location=location))
        return result
    with ctx.block() as builder:
        integer = ctx.emit(n.Cast(atom), PYINT, location)
        outside = does_not_fit(ctx, integer, target, location)
        message = f"Python integer {{}} out of bounds for {target.name}"
        fault = n.Raise("OverflowError", message, (integer,), location)
        ctx.append(n.If(outside, n.Block((fault,)), location=location))
    still = ctx.emit(n.Compare("eq", known.gone(), n.Const(False, PYBOOL)), PYBOOL, location)
    ctx.append(n.If(still, n.Block(tuple(builder.statements)), location=location))
    return result


def _is_outside(ctx: Context, atom: n.Atom, target: Scalar, location: Location) -> n.Atom:
    """Whether a number, as an integer, lies outside an integer type; NaN does."""
    if typed(Scalar, atom.type).kind != "f":
        return does_not_fit(ctx, ctx.emit(n.Cast(atom), PYINT, location), target, location)
    low, high = limits(target)
    wide = atom if atom.type == PYFLOAT else ctx.emit(n.Cast(atom), PYFLOAT, location)
    above = ctx.emit(n.Compare("ge", wide, n.Const(float(low), PYFLOAT)), PYBOOL, location)
    below = ctx.emit(n.Compare("lt", wide, n.Const(float(high + 1), PYFLOAT)), PYBOOL, location)
    inside = ctx.emit(n.Binary("and", above, below, checked=False), PYBOOL, location)
    return ctx.emit(n.Compare("eq", inside, n.Const(False, PYBOOL)), PYBOOL, location)


def ask_for_witnesses(ctx: Context, fault: n.Raise) -> None:
    """Refuse a program that cannot tell which type a value has, unless that has been tried with witnesses, too."""
    if not ctx.witnessed:
        ctx.report(TypeInferenceError(fault.message, fault.location))


def does_not_fit(ctx: Context, integer: n.Atom, target: Scalar, location: Location) -> n.Atom:
    """Whether a Python integer lies outside an integer type."""
    low, high = (n.Const(limit, PYINT) for limit in limits(target))
    below = ctx.emit(n.Compare("lt", integer, low), PYBOOL, location)
    if int(high.value.real) >= 2**63:
        return below
    above = ctx.emit(n.Compare("gt", integer, high), PYBOOL, location)
    return ctx.emit(n.Binary("or", below, above, checked=False), PYBOOL, location)


def cast_constant(atom: n.Const, target: Scalar) -> n.Const | None:
    """The converted constant; None where converting it raises."""
    convert = numbers.cast_function(typed(Scalar, atom.type), target)
    try:
        with np.errstate(all="ignore"):
            return n.Const(python_value(convert(numpy_value(atom))), target)
    except (OverflowError, ValueError):
        return None


def fits_exactly(atom: n.Const, target: Scalar) -> bool:
    """Whether a constant converted to a type keeps its value: integers have no -0.0."""
    value = atom.value
    if target.kind == "b":
        return isinstance(value, bool)
    if target.kind in "iu" and isinstance(value, float) and value == 0 and math.copysign(1.0, value) < 0:
        return False
    folded = cast_constant(atom, target)
    return folded is not None and (folded.value == value or (value != value and target.kind in "fc"))


def common_type(ctx: Context, a: n.Atom, b: n.Atom) -> Type:
    """The type of a variable that is one of two atoms, depending on the way taken.

    While the types of a loop are not settled, an argument of it that starts as a constant counts as that constant.

    Raises
    ------
    NoCommonTypeError
        There is no type that keeps both values.
    """
    if a.type == b.type:
        return a.type
    if isinstance(a.type, View) and isinstance(b.type, View):
        return _common_view(a.type, b.type)
    if isinstance(a.type, Scalar) and isinstance(b.type, Scalar):
        return _common_scalar(ctx, a, b)
    raise NoCommonTypeError("")


def _common_view(a: View, b: View) -> View:
    if (a.element, a.ndim, a.writable) != (b.element, b.ndim, b.writable):
        raise NoCommonTypeError("")
    return View(a.element, a.ndim, a.contiguous and b.contiguous, a.writable, min(a.aligned, b.aligned))


def _common_scalar(ctx: Context, a: n.Atom, b: n.Atom) -> Scalar:
    first, second = typed(Scalar, a.type), typed(Scalar, b.type)
    held = holding(first, second)
    if held is not None:
        return held
    if not first.weak and not second.weak:
        raise NoCommonTypeError("")
    weak, strong = (a, second) if first.weak else (b, first)
    if ctx.witnessed and is_rounded(typed(Scalar, weak.type), strong):
        return strong
    constant = ctx.start_of(weak)
    if constant is not None and fits_exactly(constant, strong):
        return strong
    raise NoCommonTypeError("")


def holding(a: Scalar, b: Scalar) -> Scalar | None:
    """The one of two types that keeps all numbers of both; None if there is none (integers are tested when running)."""
    if a.weak and b.weak:
        return max(a, b, key=WEAK_TYPES.index)
    if a.weak == b.weak:
        return None
    weak, strong = (a, b) if a.weak else (b, a)
    return strong if _always_fits(weak, strong) else None


def _always_fits(weak: Scalar, strong: Scalar) -> bool:
    """Whether a type keeps all values of a weak type (integers in floats are tested when running)."""
    names = {
        PYBOOL: ("bool",),
        PYINT: ("int64", "float64", "complex128"),
        PYFLOAT: ("float64", "complex128"),
        PYCOMPLEX: ("complex128",),
    }
    return strong.name in names[weak]


def join_cast(ctx: Context, atom: n.Atom, target: Type, location: Location) -> n.Atom:
    """The atom as a value of the common type; integers that a float cannot hold exactly raise OverflowError."""
    if atom.type == target:
        return atom
    if isinstance(target, View):
        assert isinstance(atom, n.Var)
        return ctx.emit(n.Transpose(atom, tuple(range(target.ndim))), target, location, atom.stem)
    assert isinstance(target, Scalar)
    if isinstance(atom, n.Const) and fits_exactly(atom, target):
        return typed(n.Const, cast_constant(atom, target))
    if atom.type == PYINT and target.kind in "fc":
        _check_exact(ctx, atom, target, location)
    return ctx.emit(n.Cast(atom), target, location, atom.stem if isinstance(atom, n.Var) else "t")


def _check_exact(ctx: Context, atom: n.Atom, target: Scalar, location: Location) -> None:
    """Python would keep an int here; a float is the same number up to 2**53 only."""
    limit = EXACT_IN_FLOAT
    above = ctx.emit(n.Compare("gt", atom, n.Const(limit, PYINT)), PYBOOL, location)
    below = ctx.emit(n.Compare("lt", atom, n.Const(-limit, PYINT)), PYBOOL, location)
    either = ctx.emit(n.Binary("or", above, below, checked=False), PYBOOL, location)
    message = f"the int {{}} becomes a {type_name(target)} in a variable that is both, and is too large to stay exact"
    fault = n.Raise("OverflowError", message, (atom,), location)
    ctx.put(n.If(either, n.Block((fault,)), location=location))  # no exception of Python: nothing catches it
