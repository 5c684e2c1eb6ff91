"""What a statement of the IR may raise that CPython raises, too: the class, the test before the statement, the text.

Asked only where a ``try`` stands around. Integers beyond 64 bits, and what else only compiled code refuses, are not
among these: nothing catches them.
"""

from __future__ import annotations

import builtins
import math
import sys
from collections.abc import Callable, Iterator
from typing import cast as typed

from weft.dataclass import dataclass
from weft.frontend.values.convert import cast_constant, does_not_fit
from weft.frontend.values.scope import Context
from weft.frontend.values.values import FALSE, TRUE
from weft.ir import nodes as n
from weft.ir import values
from weft.ir.effects import may_raise
from weft.ir.location import Location
from weft.ir.types import PYBOOL, PYFLOAT, PYINT, Scalar


@dataclass(frozen=True)
class Fault:
    """An exception that a statement raises where `test`, which emits a Boolean, holds."""

    kind: type[BaseException]
    test: Callable[[], n.Atom]
    message: str
    operands: tuple[n.Atom, ...] = ()
    unknown: bool = False
    """Nothing is known but that it may be raised: such a statement stands in no ``try`` that catches it."""


def faults_of(ctx: Context, statement: n.Statement) -> Iterator[Fault]:
    """What a statement, without the loops inside it, may raise, in the order in which CPython tests it."""
    location = statement.location
    if isinstance(statement, n.Raise):
        kind = class_called(statement.exception)
        if kind is not None:
            yield Fault(kind, lambda: TRUE, statement.message, statement.operands)
    elif isinstance(statement, n.If):
        yield from _raised_where(statement)
    elif isinstance(statement, (n.Store, n.Update)):
        if statement.bounds != "safe":
            yield from indices_outside(ctx, statement.view, statement.indices, location)
    elif isinstance(statement, n.Let) and may_raise(statement.value, statement.var.type):
        yield from _of_value(ctx, statement.value, typed(Scalar, statement.var.type), location)


def _raised_where(statement: n.If) -> Iterator[Fault]:
    """An ``if`` that does nothing but raise."""
    inner = statement.then.statements
    if len(inner) == 1 and isinstance(inner[0], n.Raise) and not statement.orelse.statements and not statement.results:
        kind = class_called(inner[0].exception)
        if kind is not None:
            yield Fault(kind, lambda: statement.condition, inner[0].message, inner[0].operands)


def class_called(name: str) -> type[BaseException] | None:
    """The class of an exception by its name in the IR; None for Weft's own errors, which nothing catches."""
    module, colon, path = name.partition(":")
    found: object = getattr(builtins, name, None) if not colon else sys.modules.get(module)
    for part in path.split(".") if colon else ():
        found = getattr(found, part, None)
    is_class = isinstance(found, type) and issubclass(found, BaseException)
    return found if is_class and not module.startswith("weft.") else None  # type: ignore[return-value]


def _of_value(ctx: Context, value: n.Expression, type: Scalar, location: Location) -> Iterator[Fault]:
    if isinstance(value, n.Load):
        yield from indices_outside(ctx, value.view, value.indices, location)
    elif isinstance(value, n.Subview):
        places = [axis for axis in value.axes if axis is not None]
        yield from indices_outside(ctx, value.view, places, location)
    elif isinstance(value, n.Alloc):
        yield from (_extent(ctx, extent, location) for extent in value.shape if not ctx.is_nonnegative(extent))
    elif isinstance(value, n.Binary):
        yield from _of_binary(ctx, value, typed(Scalar, value.left.type), location)
    elif isinstance(value, n.Cast):
        yield from _of_cast(ctx, value.operand, typed(Scalar, value.operand.type), type, location)
    elif isinstance(value, n.Math):
        yield from _of_math(ctx, value, location)
    elif isinstance(value, n.Unary) and type.kind != "i":
        yield _unknown(OverflowError)


def _extent(ctx: Context, extent: n.Atom, location: Location) -> Fault:
    def test() -> n.Atom:
        return _compare(ctx, "lt", extent, n.Const(0, PYINT), location)

    return Fault(ValueError, test, "negative dimensions are not allowed")


def _unknown(kind: type[BaseException]) -> Fault:
    return Fault(kind, lambda: TRUE, "", (), unknown=True)


def indices_outside(ctx: Context, view: n.Var, axes: object, location: Location) -> Iterator[Fault]:
    """What the integers among the indices of an array may raise."""
    for axis, index in enumerate(typed("list[object]", axes)):
        if not isinstance(index, (n.Var, n.Const)):
            continue
        size = ctx.dimension(view, axis, location)

        def test(index: n.Atom = index, size: n.Var = size) -> n.Atom:
            above = _compare(ctx, "ge", index, size, location)
            if ctx.is_nonnegative(index):
                return above
            lowest = ctx.emit(n.Unary("neg", size, checked=False), PYINT, location)
            return _either(ctx, _compare(ctx, "lt", index, lowest, location), above, location)

        message = f"index {{}} is out of bounds for axis {axis} with size {{}}"
        yield Fault(IndexError, test, message, (index, size))


def _of_binary(ctx: Context, value: n.Binary, type: Scalar, location: Location) -> Iterator[Fault]:
    nought = typed(n.Const, cast_constant(n.Const(0, PYINT), type))
    if value.op in ("truediv", "floordiv", "mod"):
        try:
            values.binary_function(value.op, type)(type.dtype.type(1).item(), type.dtype.type(0).item())
        except ZeroDivisionError as error:
            yield Fault(ZeroDivisionError, lambda: _compare(ctx, "eq", value.right, nought, location), str(error))
    elif value.op in ("shl", "shr"):
        yield Fault(ValueError, lambda: _compare(ctx, "lt", value.right, nought, location), "negative shift count")
    elif value.op == "pow" and not type.weak:
        text = "Integers to negative integer powers are not allowed."
        yield Fault(ValueError, lambda: _compare(ctx, "lt", value.right, nought, location), text)
    elif value.op == "pow" and not (type == PYINT and ctx.is_nonnegative(value.right)):
        yield from (_unknown(ZeroDivisionError), _unknown(OverflowError), _unknown(ValueError))


def _of_cast(ctx: Context, operand: n.Atom, source: Scalar, target: Scalar, location: Location) -> Iterator[Fault]:
    if source.kind == "f":

        def wide() -> n.Atom:
            return operand if source == PYFLOAT else ctx.emit(n.Cast(operand), PYFLOAT, location)

        def infinite() -> n.Atom:
            return _is_infinite(ctx, wide(), location)

        def no_number() -> n.Atom:
            value = wide()
            return _compare(ctx, "ne", value, value, location)

        yield Fault(ValueError, no_number, "cannot convert float NaN to integer")
        yield Fault(OverflowError, infinite, "cannot convert float infinity to integer")
        if target != PYINT:
            yield _unknown(OverflowError)
    elif source.kind == "i" and target != PYINT:
        message = f"Python integer {{}} out of bounds for {target.name}"
        yield Fault(OverflowError, lambda: does_not_fit(ctx, operand, target, location), message, (operand,))
    elif source.kind == "c":
        yield from (_unknown(ValueError), _unknown(OverflowError))


_LARGEST_EXPONENT = math.log(sys.float_info.max)
_DOMAINS: dict[str, tuple[tuple[n.CompareOp, float], ...]] = {
    "sqrt": (("lt", 0.0),), "log": (("le", 0.0),), "log2": (("le", 0.0),), "log10": (("le", 0.0),),
    "log1p": (("le", -1.0),), "arcsin": (("lt", -1.0), ("gt", 1.0)), "arccos": (("lt", -1.0), ("gt", 1.0)),
    "arccosh": (("lt", 1.0),), "arctanh": (("le", -1.0), ("ge", 1.0)),
    "sin": (("eq", math.inf), ("eq", -math.inf)), "cos": (("eq", math.inf), ("eq", -math.inf)),
    "tan": (("eq", math.inf), ("eq", -math.inf)),
}  # fmt: skip
"""Where functions of Python's ``math`` raise ValueError."""


def _of_math(ctx: Context, value: n.Math, location: Location) -> Iterator[Fault]:
    operand = value.operands[0]
    if value.name in _DOMAINS and len(value.operands) == 1:

        def outside() -> n.Atom:
            tests = [_compare(ctx, op, operand, n.Const(b, PYFLOAT), location) for op, b in _DOMAINS[value.name]]
            return tests[0] if len(tests) == 1 else _either(ctx, tests[0], tests[1], location)

        yield Fault(ValueError, outside, "math domain error")
    elif value.name == "exp":

        def too_large() -> n.Atom:
            above = _compare(ctx, "gt", operand, n.Const(_LARGEST_EXPONENT, PYFLOAT), location)
            finite = _compare(ctx, "lt", operand, n.Const(math.inf, PYFLOAT), location)
            return ctx.emit(n.Binary("and", above, finite, checked=False), PYBOOL, location)

        yield Fault(OverflowError, too_large, "math range error")
    else:
        yield from (_unknown(ValueError), _unknown(OverflowError))


def _is_infinite(ctx: Context, atom: n.Atom, location: Location) -> n.Atom:
    above, below = (_compare(ctx, "eq", atom, n.Const(end, PYFLOAT), location) for end in (math.inf, -math.inf))
    return _either(ctx, above, below, location)


def _compare(ctx: Context, op: n.CompareOp, a: n.Atom, b: n.Atom, location: Location) -> n.Atom:
    if isinstance(a, n.Const) and isinstance(b, n.Const):
        found = {"eq": a.value == b.value, "ne": a.value != b.value}
        if op not in found:
            x, y = a.value.real, b.value.real
            found = {"lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}
        return TRUE if found[op] else FALSE
    return ctx.emit(n.Compare(op, a, b), PYBOOL, location)


def _either(ctx: Context, a: n.Atom, b: n.Atom, location: Location) -> n.Atom:
    if isinstance(a, n.Const):
        return TRUE if a.value else b
    if isinstance(b, n.Const):
        return TRUE if b.value else a
    return ctx.emit(n.Binary("or", a, b, checked=False), PYBOOL, location)
