"""Variables that start as Python's constants and go on as NumPy numbers: ``s = 0.0; s += x[i]`` for a float32 ``x``.

Such a variable has NumPy's type from the start. In CPython it still is Python's number in the first iteration, so an
operation of it with another Python number is computed as Python does there. Where that gives another value than
NumPy's operation does, the program is refused. A divisor of zero, for which Python raises and NumPy does not, is tested
when the program runs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import cast as typed

import numpy as np

from weft.errors import TypeInferenceError
from weft.frontend.convert import cast, cast_constant, fits_exactly, numpy_value, python_value, rounded_start
from weft.frontend.scope import Context
from weft.frontend.values import FALSE, Value, leaves
from weft.ir import nodes as n
from weft.ir import values as numbers
from weft.ir.semantics import operand_types, result_type
from weft.ir.types import BOOL, PYBOOL, PYINT, Scalar

_EXACT = frozenset({"float64", "complex128", "int64"})
"""Types whose sums and products are those of the Python type that they replace."""


@dataclass(frozen=True)
class Start:
    """The Python number that a variable may still be; `value` is None where it may be several.

    `gone` emits the test whether it surely is NumPy's by now; None where no simple test tells.
    """

    value: n.Const | None
    gone: Callable[[], n.Atom] | None = field(default=None, compare=False)


def start_of(ctx: Context, atom: n.Atom | None) -> Start | None:
    """What Python number an atom may be; None where it surely is NumPy's."""
    if isinstance(atom, n.Const):
        return Start(atom) if isinstance(atom.type, Scalar) and atom.type.weak else None
    if atom is None:
        return None
    if isinstance(atom.type, Scalar) and atom.type.weak:
        return Start(ctx.starts.get(atom.name))
    return ctx.weak.get(atom.name)  # type: ignore[return-value]


def note(ctx: Context, result: n.Atom, *sources: n.Atom | None) -> None:
    """A variable of NumPy's type is one of several atoms: it may be the Python number that one of them may be."""
    if not isinstance(result, n.Var) or not isinstance(result.type, Scalar) or result.type.weak:
        return
    starts = [start for start in (start_of(ctx, atom) for atom in sources) if start is not None]
    if starts:
        same = all(start.value is not None and start.value == starts[0].value for start in starts)
        ctx.weak[result.name] = Start(starts[0].value if same else None)


def note_loop(
    ctx: Context, result: n.Var, initial: n.Atom | None, end: n.Atom, ran: Callable[[], n.Atom] | None
) -> None:
    """A result of a loop: where each iteration leaves NumPy's number, it is Python's only if the loop did not run."""
    note(ctx, result, initial, end)
    before = start_of(ctx, initial)
    if result.name in ctx.weak and before is not None and start_of(ctx, end) is None:
        ctx.weak[result.name] = Start(before.value, _either(ctx, ran, before.gone))


def _either(
    ctx: Context, ran: Callable[[], n.Atom] | None, gone: Callable[[], n.Atom] | None
) -> Callable[[], n.Atom] | None:
    if ran is None or gone is None:
        return ran or gone
    location = ctx.location(ctx.frame.node)
    return lambda: ctx.emit(n.Binary("or", ran(), gone(), checked=False), PYBOOL, location)


def check_returned(ctx: Context, value: Value) -> None:
    """Refuse to return a variable that may be a Python number that NumPy's type does not hold exactly."""
    for atom in leaves(value):
        start = ctx.weak.get(atom.name) if isinstance(atom, n.Var) else None
        if (
            isinstance(start, Start)
            and start.value is not None
            and not fits_exactly(start.value, typed(Scalar, atom.type))
        ):
            ctx.report(rounded_start(typed(n.Var, atom), ctx.location(ctx.frame.node)))


def check_binary(ctx: Context, op: n.BinaryOp, left: n.Atom, right: n.Atom, result: n.Var, node: ast.AST) -> None:
    """Refuse an operation that gives another value while its operands are still Python's numbers.

    The error is reported and not raised: while the types of a loop are not settled, it may be none.
    """
    if not any(isinstance(atom, n.Var) and atom.name in ctx.weak for atom in (left, right)):
        return
    first, second = start_of(ctx, left), start_of(ctx, right)
    if first is None or second is None:
        if any(_is_float_in_integer(atom, start) for atom, start in ((left, first), (right, second))):
            ctx.report(_refusal(ctx, (left, right), result, node))
        return
    if op in _DIVISIONS and second.value is not None and not second.value.value:
        return  # `check_divisor` has raised
    ctx.weak[result.name] = Start(_common_value(ctx, op, (left, right), (first.value, second.value), result, node))


def _is_float_in_integer(atom: n.Atom, start: Start | None) -> bool:
    """Whether a variable of an integer type may still be a float, with which NumPy's integers give floats."""
    held = typed(Scalar, atom.type)
    value = None if start is None or held.weak or held.kind not in "biu" else start.value
    return value is not None and typed(Scalar, value.type).kind in "fc"


def check_divisor(ctx: Context, op: n.BinaryOp, left: n.Atom, right: n.Atom, node: ast.AST) -> None:
    """Before a division that may still be Python's, which raises ZeroDivisionError: emit the test of the divisor."""
    if op not in _DIVISIONS or not any(isinstance(atom, n.Var) and atom.name in ctx.weak for atom in (left, right)):
        return
    first, second = start_of(ctx, left), start_of(ctx, right)
    if first is None or second is None or (second.value is not None and second.value.value):
        return
    location = ctx.location(node)
    nought = typed(n.Const, cast_constant(n.Const(0, PYINT), typed(Scalar, right.type)))
    zero = ctx.emit(n.Compare("eq", right, nought), PYBOOL if typed(Scalar, right.type).weak else BOOL, location)
    zero = typed(n.Var, cast(ctx, zero, PYBOOL, location))
    for start in (first, second):
        if start.gone is not None:
            still = ctx.emit(n.Compare("eq", start.gone(), FALSE), PYBOOL, location)
            zero = ctx.emit(n.Binary("and", zero, still, checked=False), PYBOOL, location)
    floats = any(typed(Scalar, atom.type).kind == "f" for atom in (left, right))
    fault = n.Raise("ZeroDivisionError", _DIVISIONS[op][floats], (), location)
    ctx.append(n.If(zero, n.Block((fault,)), location=location))


_DIVISIONS = {
    "truediv": ("division by zero", "float division by zero"),
    "floordiv": ("integer division or modulo by zero", "float floor division by zero"),
    "mod": ("integer modulo by zero", "float modulo"),
}
"""What Python says of integers and of floats."""


def _common_value(
    ctx: Context,
    op: n.BinaryOp,
    operands: tuple[n.Atom, n.Atom],
    known: tuple[n.Const | None, n.Const | None],
    result: n.Var,
    node: ast.AST,
) -> n.Const | None:
    """Python's result where it is known and NumPy's is the same."""
    first, second = known
    if first is not None and second is not None:
        value = _in_python(op, first, second)
        if value is not None and _agrees(op, first, second, value, result):
            return value
    elif op == "mul" and any(constant is not None and not constant.value for constant in known):
        return first if first is not None and not first.value else second
    elif op in _DIVISIONS and first is not None and not first.value and typed(Scalar, operands[1].type).kind in "iub":
        return first
    elif str(result.type) in _EXACT or (op in ("add", "sub") and _has_zero(known)):
        return None
    ctx.report(_refusal(ctx, operands, result, node))
    return None


def _has_zero(known: tuple[n.Const | None, n.Const | None]) -> bool:
    return any(constant is not None and not constant.value for constant in known)


def _in_python(op: str, first: n.Const, second: n.Const) -> n.Const | None:
    types = [constant.type for constant in (first, second) if isinstance(constant.type, Scalar)]
    try:
        exponent = second.value if isinstance(second.value, int) else None
        forms = operand_types(op, *types, exponent=exponent)
        result = result_type(op, *types, exponent=exponent)
        converted = [cast_constant(c, form) for c, form in zip((first, second), forms, strict=True)]
        a, b = (None if c is None else c.value for c in converted)
        return n.Const(python_value(numbers.evaluate_binary(op, forms[0], a, b)), result)
    except (ArithmeticError, ValueError, TypeError):
        return None


def _agrees(op: str, first: n.Const, second: n.Const, value: n.Const, result: n.Var) -> bool:
    """Whether NumPy's operation on the converted constants gives the converted result of Python's."""
    type = result.type
    assert isinstance(type, Scalar)
    wanted = cast_constant(value, type)
    operands = [cast_constant(constant, type) for constant in (first, second)]
    if wanted is None or None in operands:
        return False
    a, b = (numpy_value(constant) for constant in operands if constant is not None)
    with np.errstate(all="ignore"):
        got = np.asarray(numbers.evaluate_binary(op, type, a, b))
    return bool(
        np.array_equal(got.astype(type.dtype), np.asarray(wanted.value, type.dtype), equal_nan=type.kind in "fc")
    )


def _refusal(ctx: Context, operands: tuple[n.Atom, n.Atom], result: n.Var, node: ast.AST) -> TypeInferenceError:
    named = next(atom for atom in operands if isinstance(atom, n.Var) and atom.name in ctx.weak)
    return rounded_start(replace(named, type=result.type), ctx.location(node))
