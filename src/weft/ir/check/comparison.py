"""Exact comparison of numbers of different types, in terms of comparisons of one type.

Python compares an int with a float, and NumPy a signed with an unsigned integer, by their mathematical values. No type
holds both, so such a comparison becomes several operations.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from weft.ir import nodes as n
from weft.ir.semantics import operand_types, result_type
from weft.ir.types import BOOL, PYFLOAT, PYINT, UINT64, Scalar

Emit = Callable[[n.Expression, Scalar], n.Atom]
"""Puts an expression before the one being built, and gives the variable that holds it."""

_MIRRORED: dict[str, n.CompareOp] = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}

EXACT_IN_FLOAT = 2**53
"""Integers up to this are float64 exactly."""


def compare(op: n.CompareOp, left: n.Atom, right: n.Atom, emit: Emit) -> n.Atom:
    """Compare two scalars of any types as Python and NumPy do.

    Parameters
    ----------
    op
        The comparison.
    left, right
        Operands of scalar types.
    emit
        Called for every operation that is needed, the last one included.

    Raises
    ------
    TypeInferenceError
        The types cannot be compared.
    """
    left_type, right_type = _scalar(left), _scalar(right)
    result = result_type(op, left_type, right_type)
    left_form, right_form = operand_types(op, left_type, right_type)
    left, right = cast(left, left_form, emit), cast(right, right_form, emit)
    if left_form == right_form:
        return emit(n.Compare(op, left, right), result)
    if PYFLOAT in (left_form, right_form):
        if left_form == PYFLOAT:
            return _integer_with_float(_MIRRORED[op], right, left, emit)
        return _integer_with_float(op, left, right, emit)
    if left_form == UINT64:
        return _signed_with_unsigned(_MIRRORED[op], right, left, emit)
    return _signed_with_unsigned(op, left, right, emit)


def is_of_scalars(left: Scalar, right: Scalar) -> bool:
    """Whether NumPy's scalars compare a complex number themselves; else it is left to the function ``np.less``.

    They do where the type of one holds the other safely. NumPy's bool leaves all comparisons to functions.
    """
    if left == BOOL:
        return False
    return any(
        a.kind == "c" and not a.weak and (b.weak or np.can_cast(b.dtype, a.dtype))
        for a, b in ((left, right), (right, left))
    )


def compare_complex(op: n.CompareOp, left: n.Atom, right: n.Atom, by_ufunc: bool, emit: Emit) -> n.Atom:
    """An order of complex numbers: by their real parts, or by their imaginary parts where these are equal.

    A NaN in an imaginary part makes the answer of NumPy's function false; NumPy's scalars look at the real parts first.
    """
    forms = operand_types(op, _scalar(left), _scalar(right))
    operands = [cast(atom, form, emit) for atom, form in zip((left, right), forms, strict=True)]
    order = emit(n.Compare(op, *operands), BOOL)
    for operand in operands if by_ufunc else ():
        part = emit(n.Math("imag", (operand,)), result_type("imag", _scalar(operand)))
        order = emit(n.Binary("and", order, emit(n.Compare("eq", part, part), BOOL), False), BOOL)
    return order


def cast(atom: n.Atom, target: Scalar, emit: Emit) -> n.Atom:
    """The atom converted to a type; constants of Python types that fit exactly are converted at once."""
    source = _scalar(atom)
    if source == target:
        return atom
    if isinstance(atom, n.Const) and source.weak and target == PYFLOAT and abs(atom.value) <= EXACT_IN_FLOAT:
        return n.Const(float(atom.value), PYFLOAT)  # type: ignore[arg-type]
    return emit(n.Cast(atom), target)


def _scalar(atom: n.Atom) -> Scalar:
    assert isinstance(atom.type, Scalar)
    return atom.type


def _signed_with_unsigned(op: n.CompareOp, signed: n.Atom, unsigned: n.Atom, emit: Emit) -> n.Atom:
    """A negative number is below every unsigned one; others are compared as unsigned."""
    negative = emit(n.Compare("lt", signed, n.Const(0, signed.type)), BOOL)
    bits = emit(n.Cast(signed, checked=False), UINT64)
    same = emit(n.Compare(op, bits, unsigned), BOOL)
    return emit(n.Select(negative, n.Const(op in ("lt", "le", "ne"), BOOL), same), BOOL)


def _integer_with_float(op: n.CompareOp, integer: n.Atom, real: n.Atom, emit: Emit) -> n.Atom:
    """Rounding the integer to a float keeps the order, except where the two are then equal.

    In that case the float is integral, and so is its distance to the integer's upper 53 bits, which is exact (Sterbenz'
    lemma) and is compared with the lower bits.
    """
    rounded = cast(integer, PYFLOAT, emit)
    if isinstance(rounded, n.Const) or _small_constant(real, op):
        return emit(n.Compare(op, rounded, real), result_type(op, PYFLOAT, PYFLOAT))
    equal = emit(n.Compare("eq", rounded, real), result_type("eq", PYFLOAT, PYFLOAT))
    upper = emit(n.Binary("and", integer, n.Const(-2048, PYINT), checked=False), PYINT)
    lower = emit(n.Binary("and", integer, n.Const(2047, PYINT), checked=False), PYINT)
    rest = emit(n.Binary("sub", real, cast(upper, PYFLOAT, emit), checked=False), PYFLOAT)
    close = emit(n.Compare(op, cast(lower, PYFLOAT, emit), rest), result_type(op, PYFLOAT, PYFLOAT))
    apart = emit(n.Compare(op, rounded, real), result_type(op, PYFLOAT, PYFLOAT))
    return emit(n.Select(equal, close, apart), result_type(op, PYFLOAT, PYFLOAT))


def _small_constant(real: n.Atom, op: n.CompareOp) -> bool:
    """Integers that round to a float below 2**53 are equal to it."""
    return isinstance(real, n.Const) and not abs(real.value) >= EXACT_IN_FLOAT
