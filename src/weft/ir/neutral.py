"""What operators leave unchanged, and how partial results are kept in memory."""

from __future__ import annotations

from weft.ir import nodes as n
from weft.ir.types import BOOL, COMPLEX128, FLOAT64, INT64, Scalar, Type

_STORED_AS = {"b": BOOL, "i": INT64, "f": FLOAT64, "c": COMPLEX128}


def identity(op: str, type: Type) -> n.Const:
    """The value that an operator leaves any other unchanged with; for a minimum the largest there is."""
    assert isinstance(type, Scalar)
    return n.Const(_neutral(op, type), type)


def stored_as(type: Type) -> Scalar:
    """The NumPy type in which partial results of a type are kept."""
    assert isinstance(type, Scalar)
    return _STORED_AS[type.kind] if type.weak else type


def _neutral(op: str, type: Scalar) -> bool | int | float | complex:
    if op in ("min", "max"):
        return _extreme(type, lowest=op == "max")
    if type.kind == "b":
        return op in ("and", "mul")
    if type.kind in "iu":
        return {"add": 0, "mul": 1, "and": -1 if type.kind == "i" else 2**type.bits - 1, "or": 0, "xor": 0}[op]
    number = {"add": -0.0, "mul": 1.0}[op]
    return complex(number, number if op == "add" else 0.0) if type.kind == "c" else number


def _extreme(type: Scalar, lowest: bool) -> bool | int | float | complex:
    if type.kind == "b":
        return not lowest
    if type.kind in "fc":  # complex numbers are ordered by their real parts, then by their imaginary ones
        number = float("-inf") if lowest else float("inf")
        return complex(number, number) if type.kind == "c" else number
    if type.kind == "u":
        return 0 if lowest else (1 << type.bits) - 1
    return -(1 << (type.bits - 1)) if lowest else (1 << (type.bits - 1)) - 1
