"""Variables that start as Python's constants and go on as NumPy numbers: ``s = 0.0; s += x[i]`` for a float32 ``x``.

Such a variable has NumPy's type from the start. In CPython it still is Python's number in the first iteration, so an
operation of it with another Python number is computed as Python does there. Where that gives another value than
NumPy's operation does, the program is refused.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

import numpy as np

from weft.errors import TypeInferenceError
from weft.frontend.convert import cast_constant, numpy_value, python_value
from weft.frontend.scope import Context
from weft.frontend.values import type_name
from weft.ir import nodes as n
from weft.ir import values as numbers
from weft.ir.semantics import operand_types, result_type
from weft.ir.types import Scalar

_EXACT = frozenset({"float64", "complex128", "int64"})
"""Types whose sums and products are those of the Python type that they replace."""


@dataclass(frozen=True)
class Start:
    """The Python number that a variable may still be; `value` is None where it may be several."""

    value: n.Const | None


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
        ctx.weak[result.name] = starts[0] if same else Start(None)


def check_binary(ctx: Context, op: n.BinaryOp, left: n.Atom, right: n.Atom, result: n.Var, node: ast.AST) -> None:
    """Refuse an operation that gives another value while its operands are still Python's numbers.

    The error is reported and not raised: while the types of a loop are not settled, it may be none.
    """
    if not any(isinstance(atom, n.Var) and atom.name in ctx.weak for atom in (left, right)):
        return
    first, second = start_of(ctx, left), start_of(ctx, right)
    if first is None or second is None:
        return
    ctx.weak[result.name] = Start(_common_value(ctx, op, (left, right), (first.value, second.value), result, node))


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
    name = next(atom.stem for atom in operands if isinstance(atom, n.Var) and atom.name in ctx.weak)
    return ctx.type_error(
        f"'{name}' starts as a Python number and is {type_name(result.type)} later, which round differently here",
        node,
        cause="CPython computes with Python's precision until the variable becomes NumPy's",
        hint=f"start it as {type_name(result.type)}(...)",
    )
