"""The kinds of operations that figures are measured for, and which kind a node of the IR is."""

from __future__ import annotations

from collections.abc import Iterator

from weft.ir import nodes as n
from weft.ir.types import Scalar, Type, Vector

CHEAP = frozenset({
    "fabs", "absolute", "floor", "ceil", "trunc", "rint", "real", "imag", "square", "copysign", "maximum", "minimum",
    "fmax", "fmin", "sign", "isnan", "isinf", "isfinite", "signbit", "conjugate", "reciprocal", "degrees", "radians",
    "bits_of", "ldexp",
})  # fmt: skip
"""Functions that are a few instructions."""

FUNCTIONS = {
    "sqrt": "sqrt", "exp": "exp", "exp2": "exp", "expm1": "exp", "log": "log", "log2": "log", "log10": "log",
    "log1p": "log", "sin": "sin", "cos": "sin", "tan": "sin", "power": "pow", "hypot": "sqrt",
}  # fmt: skip
"""Functions by the kind whose figures they have; others count as powers."""

HYPERBOLIC = frozenset({"sinh", "cosh", "tanh"})
"""Functions that cost an exponential and a division."""

PRODUCTS = (2, 3, 4)
"""Exponents of powers that are a few products."""

INDEX_OPS = frozenset({"add", "sub", "mul", "and", "or", "xor", "shl", "shr", "min", "max"})


def scalar_type(type_: Type) -> Scalar | None:
    """The type of a value, or of its lanes."""
    element = type_.element if isinstance(type_, Vector) else type_
    return element if isinstance(element, Scalar) else None


def lanes_of(type_: Type) -> int:
    """The lanes of a value; 1 for a scalar."""
    return type_.lanes if isinstance(type_, Vector) else 1


def bits_of(type_: Scalar) -> int:
    """The width that decides about speed: 32 or 64."""
    bits = type_.bits // 2 if type_.kind == "c" else type_.bits
    return 32 if bits <= 32 else 64


def kinds_of(value: n.Expression, type_: Type) -> Iterator[tuple[str, float]]:
    """The operations that an expression is, each with how many of its kind; loads are counted as accesses."""
    scalar = scalar_type(type_)
    if scalar is None:
        return
    if isinstance(value, n.Binary):
        yield from _binary(value, scalar)
    elif isinstance(value, n.Math):
        width = bits_of(scalar)
        if value.name in CHEAP:
            yield f"float{width}", 1
        elif value.name in HYPERBOLIC:
            yield f"exp{width}", 1
            yield f"division{width}", 1
        else:
            yield f"{FUNCTIONS.get(value.name, 'pow')}{width}", 1
    elif isinstance(value, n.Native):
        yield f"pow{bits_of(scalar)}", 1
    elif isinstance(value, n.Fma):
        yield f"float{bits_of(scalar)}", 1
    elif isinstance(value, n.Cast):
        yield from _cast(value, scalar)
    elif isinstance(value, n.Compare):
        operand = scalar_type(value.left.type)
        yield _simple(operand or scalar), 1
    elif isinstance(value, (n.Unary, n.Select)):
        yield _simple(scalar), 1
    elif isinstance(value, (n.ReduceLanes, n.RunningLanes)):
        yield _simple(scalar_type(value.operand.type) or scalar), 4
    elif isinstance(value, n.Pack):
        yield _simple(scalar), len(value.items)


def _simple(type_: Scalar) -> str:
    return f"float{bits_of(type_)}" if type_.kind in "fc" else f"int{bits_of(type_)}"


def _binary(value: n.Binary, type_: Scalar) -> Iterator[tuple[str, float]]:
    weight = 3.0 if type_.kind == "c" and value.op in ("mul", "truediv") else 1.0
    width = bits_of(type_)
    if value.op == "pow":
        cheap = isinstance(value.right, n.Const) and value.right.value in PRODUCTS
        yield (f"float{width}", 2 * weight) if cheap else (f"pow{width}", weight)
    elif value.op == "truediv":
        yield f"division{width}", weight
    elif value.op in ("floordiv", "mod"):
        yield from _integer_division(value, type_)
    else:
        yield _simple(type_), weight
    operand = scalar_type(value.left.type)
    if value.checked and operand is not None and operand.weak and value.op not in ("and", "or", "xor", "min", "max"):
        yield "overflow", 1


def _integer_division(value: n.Binary, type_: Scalar) -> Iterator[tuple[str, float]]:
    width = bits_of(type_)
    if type_.kind == "f":
        yield f"division{width}", 1
        yield f"float{width}", 4
    elif isinstance(value.right, n.Const):
        yield f"int{width}", 1 if _is_power_of_two(value.right) else 5
    else:
        yield f"remainder{width}", 1


def _is_power_of_two(atom: n.Const) -> bool:
    number = atom.value
    return isinstance(number, int) and number > 0 and number & (number - 1) == 0


def _cast(value: n.Cast, type_: Scalar) -> Iterator[tuple[str, float]]:
    source = scalar_type(value.operand.type)
    if source is None or source.kind == type_.kind and source.bits == type_.bits:
        return
    if type_.kind in "fc" or source.kind in "fc":
        yield f"convert{max(bits_of(source), bits_of(type_))}", 1
    else:
        yield "int64", 0.5
