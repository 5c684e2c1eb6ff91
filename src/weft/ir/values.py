"""The value of each operator, computed by Python's own numbers and NumPy's scalars: right by construction.

Values of Python types are Python's ``bool, int, float, complex``; values of NumPy types are NumPy scalars of exactly
that type. The functions here are the definition; the interpreter runs them, constant folding uses them, and the
runtime calls them again with the operands of a fault to raise the very exception that CPython raises.

NumPy's floating-point warnings are not issued; callers of many operations hold ``np.errstate(all="ignore")`` themselves
and use the functions that `binary_function` and its sisters return.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from weft import errors
from weft.errors import InternalError
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, Scalar

Value = Any
"""A Python number or a NumPy scalar."""

MIN_INT, MAX_INT = -(2**63), 2**63 - 1


def evaluate_binary(op: str, type: Scalar, a: Value, b: Value, checked: bool = True) -> Value:
    """The value of a `Binary` whose operands have type `type`.

    Raises
    ------
    OverflowError, ZeroDivisionError, ValueError
        What Python raises; OverflowError also where a Python integer leaves int64.
    InternalError
        Instead of these where `checked` is not set.
    """
    with np.errstate(all="ignore"):
        return binary_function(op, type, checked)(a, b)


def evaluate_unary(op: str, type: Scalar, a: Value, checked: bool = True) -> Value:
    """The value of a `Unary` whose operand has type `type`; errors as for `evaluate_binary`."""
    with np.errstate(all="ignore"):
        return unary_function(op, type, checked)(a)


def evaluate_compare(op: str, type: Scalar, a: Value, b: Value) -> Value:
    """The value of a `Compare`: a Python bool for Python types, else a NumPy one."""
    with np.errstate(all="ignore"):
        return compare_function(op, type)(a, b)


def evaluate_cast(source: Scalar, target: Scalar, a: Value, checked: bool = True) -> Value:
    """The value of a `Cast`; OverflowError and ValueError with the texts of NumPy and Python."""
    with np.errstate(all="ignore"):
        return cast_function(source, target, checked)(a)


def evaluate_math(name: str, result: Scalar, *operands: Value, strict: bool = False) -> Value:
    """The value of a `Math` with a result of type `result`; strict ones raise as Python's ``math`` does."""
    with np.errstate(all="ignore"):
        return math_function(name, result, strict)(*operands)


def constant(value: bool | int | float | complex, type: Scalar) -> Value:
    """The value of a `Const`, which holds a Python number whatever its type."""
    if type.weak:
        return _PYTHON[type](value)
    with np.errstate(all="ignore"):
        return type.dtype.type(value)


def plain(value: Value) -> bool | int | float | complex:
    """The Python number that a `Const` holds for a value; exact, since every NumPy type fits in a Python one."""
    return value.item() if isinstance(value, np.generic) else value  # type: ignore[no-any-return]


_PYTHON: dict[Scalar, type] = {PYBOOL: bool, PYINT: int, PYFLOAT: float, PYCOMPLEX: complex}

# ------------------------------------------------------------------------------------------------ operators

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
    "floordiv": operator.floordiv, "mod": operator.mod, "pow": operator.pow, "and": operator.and_,
    "or": operator.or_, "xor": operator.xor, "shl": operator.lshift, "shr": operator.rshift,
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt,
    "ge": operator.ge, "min": lambda a, b: b if b < a else a, "max": lambda a, b: b if b > a else a,
}  # fmt: skip
_UNARY_OPERATORS: dict[str, Callable[[Any], Any]] = {
    "neg": operator.neg, "pos": operator.pos, "invert": operator.invert, "not": operator.not_, "abs": abs,
}  # fmt: skip


@cache
def binary_function(op: str, type: Scalar, checked: bool = True) -> Callable[[Any, Any], Any]:
    """The function that computes a `Binary` on operands of one type."""
    function = _OPERATORS[op]
    if not type.weak:
        return _proven(function) if op == "pow" and type.kind in "iu" and not checked else function
    if op == "pow" and type == PYFLOAT:
        function = _float_power
    if type == PYINT:
        function = _BOUNDED.get(op, function)
    if not checked:
        return _proven(function)
    return _fitting(function) if type == PYINT and op not in _STAYS_INSIDE else function


_STAYS_INSIDE = frozenset({"mod", "and", "or", "xor", "shr", "min", "max", "truediv"})
"""Operators on int64 whose result is always an int64, or no integer at all."""


def _fitting(function: Callable[..., int]) -> Callable[..., int]:
    def compute(*operands: int) -> int:
        return check_fits(function(*operands))

    return compute


def check_fits(value: int) -> int:
    """The Python integer itself; OverflowError where it is no int64."""
    if MIN_INT <= value <= MAX_INT:
        return value
    raise OverflowError("integer overflow: the result does not fit in 64 bits")


def _proven(function: Callable[..., Any]) -> Callable[..., Any]:
    """An operation that was proven not to raise: it is a mistake of Weft if it would."""

    def compute(*operands: Any) -> Any:
        try:
            result = function(*operands)
        except (ArithmeticError, ValueError) as error:
            raise InternalError(f"an unchecked operation would have raised: {error}") from error
        if isinstance(result, int) and not MIN_INT <= result <= MAX_INT:
            raise InternalError("an unchecked operation has overflowed")
        return result

    return compute


def _wrapping(function: Callable[..., int]) -> Callable[..., int]:
    def compute(*operands: int) -> int:
        return wrap(function(*operands))

    return compute


def wrap(value: int) -> int:
    """The int64 that equals a Python integer modulo 2**64."""
    return (value + 2**63) % 2**64 - 2**63


def _shift_left(a: int, b: int) -> int:
    if b > 64 and a != 0:
        raise OverflowError("integer overflow: the result does not fit in 64 bits")
    return a << b if a != 0 or b < 0 else 0


def _integer_power(a: int, b: int) -> int:
    if b < 0:
        raise ValueError("a Python integer raised to a negative power is a float")
    if b > 64 and abs(a) > 1:
        raise OverflowError("integer overflow: the result does not fit in 64 bits")
    return int(a**b)


_BOUNDED: dict[str, Callable[[int, int], int]] = {"shl": _shift_left, "pow": _integer_power}
"""Operators whose result could have more digits than memory."""


def _float_power(a: float, b: float) -> float:
    result = a**b
    if isinstance(result, complex):
        raise errors.ValueError(
            "a negative number raised to a fractional power is a complex number",
            cause="compiled code gives a power of real numbers the type float",
            hint="test the sign before it, or write complex(x) ** y where a complex number is meant",
        )
    return float(result)


@cache
def unary_function(op: str, type: Scalar, checked: bool = True) -> Callable[[Any], Any]:
    """The function that computes a `Unary`."""
    function = _UNARY_OPERATORS[op]
    if type == PYINT and op in ("neg", "abs"):
        return _fitting(function) if checked else _proven(function)
    return function


@cache
def compare_function(op: str, type: Scalar) -> Callable[[Any, Any], Any]:
    """The function that computes a `Compare`."""
    return _OPERATORS[op]


# ---------------------------------------------------------------------------------------------- conversions


@cache
def cast_function(source: Scalar, target: Scalar, checked: bool = True) -> Callable[[Any], Any]:
    """The function that computes a `Cast` from one scalar type to another."""
    if source == target:
        return lambda value: value
    if target.weak:
        return _to_python(source, target, checked)
    if source.weak and target.kind in "iu" and source != PYBOOL:
        return _python_to_integer(source, target, checked)
    make = target.dtype.type
    if source.kind == "c" and target.kind not in "cb":
        return lambda value: make(value.real)
    if target.kind == "b":
        return lambda value: make(value != 0)
    return lambda value: _array_cast(value, target)


def _array_cast(value: Any, target: Scalar) -> Any:
    return np.asarray(value).astype(target.dtype)[()]


def _to_python(source: Scalar, target: Scalar, checked: bool) -> Callable[[Any], Any]:
    if target == PYINT and source.kind == "u" and source.bits == 64:
        return _fitting(int) if checked else _wrapping(int)
    if target == PYINT and source.kind == "f":
        return _float_to_int if checked else _float_to_int_unchecked
    if source.kind == "c" and target in (PYINT, PYFLOAT):
        narrow = cast_function(PYFLOAT, target, checked)
        return lambda value: narrow(float(value.real))
    return _PYTHON[target]


def _float_to_int(value: Any) -> int:
    result = int(value)
    if MIN_INT <= result <= MAX_INT:
        return result
    raise OverflowError("integer overflow: the result does not fit in 64 bits")


def _float_to_int_unchecked(value: Any) -> int:
    return int(_array_cast(np.float64(value), _STORED_INT))


_STORED_INT = Scalar("int64", "i", 64)


def _python_to_integer(source: Scalar, target: Scalar, checked: bool) -> Callable[[Any], Any]:
    if not checked:
        to_int = cast_function(source, PYINT, False) if source != PYINT else int
        return lambda value: _array_cast(np.int64(wrap(to_int(value))), target)
    make = target.dtype.type
    if source == PYINT:
        return make
    if source == PYFLOAT and target.kind == "u" and target.bits == 64:
        return lambda value: make(int(value))  # Python's integer may be larger than any other of a program
    to_int = cast_function(source, PYINT)
    return lambda value: make(to_int(value))


# ------------------------------------------------------------------------------------- mathematical functions

_MATH_NAMES = {
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "arcsinh": "asinh", "arccosh": "acosh",
    "arctanh": "atanh",
}  # fmt: skip


@cache
def math_function(name: str, result: Scalar, strict: bool = False) -> Callable[..., Any]:
    """The function that computes a `Math` with a result of type `result`."""
    if not strict:
        return _numpy_function(name, result)
    function = _STRICT.get(name) or getattr(math, _MATH_NAMES.get(name, name))
    return _fitting(function) if result == PYINT else function


def _numpy_function(name: str, result: Scalar) -> Callable[..., Any]:
    if name == "complex":
        return complex
    if name == "bits_of":
        return lambda value: value.view(result.dtype)
    function = getattr(np, name)
    make = result.dtype.type
    if result.weak:
        convert = _PYTHON[result]
        return lambda *operands: convert(function(*operands))
    return lambda *operands: make(function(*operands))


def _cube_root(value: float) -> float:
    """``math.cbrt``, which Python 3.10 lacks."""
    return float(np.cbrt(value))


def _power_of_two(value: float) -> float:
    """``math.exp2``, which Python 3.10 lacks."""
    return math.pow(2.0, value)


_STRICT: dict[str, Callable[..., Any]] = {
    "round": round,
    "log_base": math.log,
    "cbrt": getattr(math, "cbrt", _cube_root),
    "exp2": getattr(math, "exp2", _power_of_two),
}

# ---------------------------------------------------------------------------------------- fused multiply-add


@cache
def fma_function(type: Scalar) -> Callable[[Any, Any, Any], Any]:
    """The function that computes an `Fma`: the exact ``a * b + c``, rounded once."""
    make = _PYTHON[type] if type.weak else type.dtype.type
    return lambda a, b, c: make(_fused(a, b, c, type.dtype))


def _fused(a: Any, b: Any, c: Any, dtype: np.dtype[Any]) -> Any:
    operands = [float(x) for x in (a, b, c)]
    if not all(math.isfinite(x) for x in operands):
        return operands[0] * operands[1] + operands[2]
    exact = Fraction(operands[0]) * Fraction(operands[1]) + Fraction(operands[2])
    return _nearest(exact, dtype) if exact else dtype.type(operands[0] * operands[1] + operands[2])


def _nearest(exact: Fraction, dtype: np.dtype[Any]) -> Any:
    """The floating-point number next to a fraction; of two that are as near, the even one."""
    try:
        guess = dtype.type(float(exact))
    except OverflowError:
        return dtype.type(math.inf if exact > 0 else -math.inf)
    if not np.isfinite(guess) or dtype.itemsize == 8:
        return guess
    bits = np.dtype(f"u{dtype.itemsize}").type
    around = (guess, np.nextafter(guess, dtype.type(math.inf)), np.nextafter(guess, dtype.type(-math.inf)))
    finite = [x for x in around if np.isfinite(x)]
    return min(finite, key=lambda x: (abs(Fraction(float(x)) - exact), int(x.view(bits)) & 1))
