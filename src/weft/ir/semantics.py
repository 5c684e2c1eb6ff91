"""What each operator means: the types that it takes and gives, and (in `weft.ir.values`) its value.

One rule per family. Where a NumPy type takes part, NumPy itself is asked (``ufunc.resolve_dtypes`` knows NEP 50); where
all operands have Python types, the tables below say what Python does. Nothing else in Weft decides a type.

Operands of `Binary` have one type, `operation_type`; the result has the type `result_type`. Three cases need care:

* ``truediv`` of two ``pyint`` stays an operation on ``pyint`` whose result, a ``pyfloat``, is rounded once;
* comparing signed with unsigned 64-bit integers, or ``pyint`` with ``pyfloat``, is exact and has no common type: write
  it with `weft.ir.check.comparison.compare`;
* assigning to an array's element converts as `stored_through` says, which is not always NumPy's unsafe cast.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from weft.errors import TypeInferenceError
from weft.ir.types import BOOL, FLOAT64, PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, Scalar, scalar_of

BINARY_UFUNCS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "true_divide", "floordiv": "floor_divide",
    "mod": "remainder", "pow": "power", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "shl": "left_shift", "shr": "right_shift", "min": "minimum", "max": "maximum",
}  # fmt: skip
"""The ufunc whose types (not always whose values) each binary operator has."""

UNARY_UFUNCS = {"neg": "negative", "pos": "positive", "invert": "invert", "abs": "absolute"}

COMPARE_UFUNCS = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
                  "ge": "greater_equal"}  # fmt: skip

SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and": "&",
    "or": "|", "xor": "^", "shl": "<<", "shr": ">>", "min": "min", "max": "max", "neg": "-", "pos": "+", "invert": "~",
    "not": "not", "abs": "abs", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip
"""How the operators are written in Python."""

MATH_FUNCTIONS: dict[str, int] = {
    **dict.fromkeys((
        "sqrt", "cbrt", "square", "reciprocal", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos",
        "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "degrees",
        "radians", "floor", "ceil", "trunc", "rint", "fabs", "absolute", "sign", "signbit", "isnan", "isinf",
        "isfinite", "conjugate", "spacing", "bitwise_count", "real", "imag", "logical_not",
    ), 1),
    **dict.fromkeys((
        "arctan2", "hypot", "copysign", "nextafter", "fmod", "ldexp", "logaddexp", "logaddexp2", "maximum", "minimum",
        "fmax", "fmin", "heaviside", "gcd", "lcm", "float_power", "logical_and", "logical_or", "logical_xor",
        "complex",
    ), 2),
}  # fmt: skip
"""NumPy's functions that `Math` may name when it is not strict, with their numbers of operands."""

STRICT_FUNCTIONS: dict[str, tuple[Scalar, Scalar, int]] = {
    **dict.fromkeys((
        "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin",
        "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "degrees", "radians", "fabs",
        "erf", "erfc", "gamma", "lgamma", "ulp",
    ), (PYFLOAT, PYFLOAT, 1)),
    **dict.fromkeys((
        "arctan2", "hypot", "copysign", "nextafter", "fmod", "pow", "remainder", "log_base",
    ), (PYFLOAT, PYFLOAT, 2)),
    **dict.fromkeys(("floor", "ceil", "trunc", "round"), (PYFLOAT, PYINT, 1)),
    **dict.fromkeys(("isnan", "isinf", "isfinite"), (PYFLOAT, PYBOOL, 1)),
    **dict.fromkeys(("gcd", "lcm", "comb", "perm"), (PYINT, PYINT, 2)),
    **dict.fromkeys(("isqrt", "factorial"), (PYINT, PYINT, 1)),
}  # fmt: skip
"""Functions that follow Python's ``math`` (and its ``round``): the type they take, the type they give, their operands.

They carry NumPy's names where NumPy has the function (``math.asin`` is ``arcsin``)."""


def result_type(op: str, *operands: Scalar, strict: bool = False, exponent: int | None = None) -> Scalar:
    """The type of the result of an operator, comparison or mathematical function.

    Parameters
    ----------
    op
        An operator of `Unary`, `Binary` or `Compare`, or the name of a `Math`.
    operands
        The types of the operands as the user wrote them, before any conversion.
    strict
        For `Math`: the function is one of Python's ``math``.
    exponent
        For ``pow`` of two Python integers: the exponent where it is a constant. Its sign decides the type.

    Raises
    ------
    TypeInferenceError
        Python or NumPy has no such operation, or the type of its result depends on a value.
    """
    return _signature(op, operands, strict, exponent)[-1]


def operand_types(op: str, *operands: Scalar, strict: bool = False, exponent: int | None = None) -> tuple[Scalar, ...]:
    """The types that the operands must be cast to before the operation; parameters as for `result_type`."""
    return _signature(op, operands, strict, exponent)[:-1]


def operation_type(op: str, *operands: Scalar, exponent: int | None = None) -> Scalar:
    """The one type that all operands of a `Unary`, `Binary` or `Compare` are cast to.

    Raises
    ------
    TypeInferenceError
        As for `result_type`, and for comparisons that have no common type: see `weft.ir.check.comparison`.
    """
    types = set(operand_types(op, *operands, exponent=exponent))
    if len(types) > 1:
        raise TypeInferenceError(f"comparing {operands[0]} with {operands[1]} has no common type")
    return types.pop()


def node_type(op: str, operand: Scalar) -> Scalar:
    """The type of the result of an operator whose operands were converted: they all have the type `operand`."""
    if op in BINARY_UFUNCS:
        if operand.weak and op == "pow":
            return operand
        return result_type(op, operand, operand)
    return result_type(op, *(operand,) * (2 if op in COMPARE_UFUNCS else 1))


def stored_through(source: Scalar, target: Scalar) -> tuple[Scalar, ...]:
    """The conversions, one after the other, that NumPy does when a value is assigned to an element of an array.

    Signed integers take anything as ``int(value)`` and raise where it does not fit; unsigned ones do so for Python's
    own numbers only.
    """
    if source == target:
        return ()
    if target.kind == "i" and target.bits < _needed_bits(source):
        return (PYINT, target) if source != PYINT else (target,)
    return (target,)


def _needed_bits(source: Scalar) -> int:
    """Bits of the smallest signed integer that holds all values of a type (more than 64: none does)."""
    if source.kind == "b":
        return 8
    if source.kind == "u":
        return source.bits * 2
    return source.bits if source.kind == "i" else 128


@cache
def _signature(op: str, operands: tuple[Scalar, ...], strict: bool, exponent: int | None) -> tuple[Scalar, ...]:
    """The operand types and, last, the result type."""
    if strict:
        return _strict_signature(op, operands)
    if op == "not":
        return operands[0], PYBOOL
    if operands == (PYCOMPLEX, FLOAT64) and op in _DONE_BY_COMPLEX:
        operands = (PYCOMPLEX, PYFLOAT)  # Python's complex takes NumPy's float64 for the float whose subclass it is
    weak = all(t.weak for t in operands)
    if op in COMPARE_UFUNCS:
        return _weak_compare(op, operands) if weak else _compare(op, operands)
    if weak and op in UNARY_UFUNCS:
        return _weak_unary(op, operands[0])
    if weak and op in BINARY_UFUNCS:
        return _weak_binary(op, operands, exponent)
    return _resolved(op, operands)


_DONE_BY_COMPLEX = frozenset({"add", "sub", "mul", "truediv", "pow", "eq", "ne"})


def _refusal(op: str, operands: tuple[Scalar, ...], why: str = "") -> TypeInferenceError:
    symbol = SYMBOLS.get(op, op)
    names = " and ".join(t.name.removeprefix("py") if t.weak else t.name for t in operands)
    hint = "convert the operands to types that have this operation, for example with int or float"
    return TypeInferenceError(f"unsupported operand type(s) for {symbol}: {names}", cause=why, hint=hint)


def _strict_signature(op: str, operands: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    if op not in STRICT_FUNCTIONS:
        raise TypeInferenceError(f"Python's math has no function {op}")
    taken, given, count = STRICT_FUNCTIONS[op]
    if len(operands) != count:
        raise TypeInferenceError(f"{op} takes {count} operand(s), and {len(operands)} were given")
    if any(not _is_taken(t, taken) for t in operands):
        raise _refusal(op, operands)
    return (*(taken,) * count, given)


def _is_taken(operand: Scalar, taken: Scalar) -> bool:
    """Whether Python's ``math`` takes an operand: NumPy's bool is a float for it, and no index."""
    return operand.kind in "iu" or operand == PYBOOL or (taken != PYINT and operand.kind in "bf")


def _weak_unary(op: str, operand: Scalar) -> tuple[Scalar, ...]:
    if operand == PYBOOL:
        return PYINT, PYINT
    if op == "invert" and operand != PYINT:
        raise _refusal(op, (operand,))
    return operand, PYFLOAT if op == "abs" and operand == PYCOMPLEX else operand


_WEAK_ORDER = (PYBOOL, PYINT, PYFLOAT, PYCOMPLEX)


def _weak_binary(op: str, operands: tuple[Scalar, ...], exponent: int | None) -> tuple[Scalar, ...]:
    common = max(operands, key=_WEAK_ORDER.index)
    if common == PYBOOL and op not in ("and", "or", "xor", "min", "max"):
        common = PYINT
    if (op in _INTEGERS_ONLY and common not in (PYBOOL, PYINT)) or (op in _NOT_COMPLEX and common == PYCOMPLEX):
        raise _refusal(op, operands)
    if op == "pow" and common == PYINT:
        common = _integer_power(exponent)
    return common, common, PYFLOAT if op == "truediv" and common == PYINT else common


_INTEGERS_ONLY = frozenset({"and", "or", "xor", "shl", "shr"})
_NOT_COMPLEX = frozenset({"floordiv", "mod", "min", "max"})


def _integer_power(exponent: int | None) -> Scalar:
    if exponent is None:
        raise TypeInferenceError(
            "the type of ** of two Python integers depends on the sign of the exponent",
            cause="the result is an int where the exponent is 0 or more, and a float where it is negative",
            hint="write a shift for a power of two, a constant as the exponent, or make one side a float with float",
        )
    return PYFLOAT if exponent < 0 else PYINT


def _weak_compare(op: str, operands: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    common = max(operands, key=_WEAK_ORDER.index)
    if common == PYCOMPLEX and op not in ("eq", "ne"):
        raise _refusal(op, operands)
    if common == PYFLOAT:
        left, right = (PYINT if t == PYBOOL else t for t in operands)
        return left, right, PYBOOL
    return common, common, PYBOOL


def _compare(op: str, operands: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    if all(t.kind in "biu" for t in operands) and any(t.kind in "iu" for t in operands):
        return (*_integer_comparison(*operands), BOOL)
    return _resolved(op, operands)


def _integer_comparison(left: Scalar, right: Scalar) -> tuple[Scalar, Scalar]:
    """Comparisons of integers are exact in NumPy 2, also with Python integers beyond the other's range."""
    signed = any(t.kind == "i" for t in (left, right))
    if signed and any(t.kind == "u" and t.bits == 64 for t in (left, right)):
        wide = {"u": _named("uint64"), "i": _named("int64"), "b": _named("uint64")}
        return wide[left.kind], wide[right.kind]
    common = scalar_of(np.result_type(left.dtype, right.dtype))
    return common, common


def _named(name: str) -> Scalar:
    return scalar_of(np.dtype(name))


def _resolved(op: str, operands: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    """NumPy's own answer."""
    if op in _SPECIAL:
        return _special(op, operands)
    name = BINARY_UFUNCS.get(op) or UNARY_UFUNCS.get(op) or COMPARE_UFUNCS.get(op)
    if name is None and MATH_FUNCTIONS.get(op) != len(operands):
        raise TypeInferenceError(f"Weft knows no function {op} of {len(operands)} operand(s)")
    ufunc = getattr(np, name or op)
    try:
        dtypes = ufunc.resolve_dtypes((*map(_for_numpy, operands), None))
        return tuple(scalar_of(d) for d in dtypes)
    except (TypeError, KeyError) as error:
        raise _refusal(op, operands, str(error).splitlines()[0]) from None


_SPECIAL = frozenset({"real", "imag", "complex", "bits_of"})
"""Functions that are no ufuncs: the attributes of numbers, Python's ``complex(real, imag)``, the bits of a float."""


def _special(op: str, operands: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    if op == "complex":
        return PYFLOAT, PYFLOAT, PYCOMPLEX
    (operand,) = operands
    if op == "bits_of":
        return operand, _named(f"uint{operand.bits}")
    if operand.weak:
        taken = PYINT if operand == PYBOOL else operand
        return taken, PYFLOAT if operand == PYCOMPLEX else taken
    return operand, _named(f"float{operand.bits // 2}") if operand.kind == "c" else operand


def _for_numpy(operand: Scalar) -> object:
    """The operand as ``resolve_dtypes`` wants it. Python's bool is not weak: NumPy takes it as its own."""
    return {PYINT: int, PYFLOAT: float, PYCOMPLEX: complex}.get(operand, operand.dtype)


def default_type(weak: Scalar) -> Scalar:
    """The NumPy type that a Python number gets in an array of its own."""
    return scalar_of(weak.dtype)
