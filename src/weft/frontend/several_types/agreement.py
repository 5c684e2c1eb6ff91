"""Whether an operation gives one value, whichever of its types an operand has.

Pure: types and known values in, a verdict out. `weakness` asks it for each form of the operands and emits what is left
to be tested when the program runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum
from typing import TypeAlias

import numpy as np

from weft.dataclass import dataclass
from weft.errors import TypeInferenceError
from weft.frontend.several_types.forms import Form
from weft.frontend.values.convert import cast_constant, numpy_value, python_value
from weft.ir import nodes as n
from weft.ir import values as numbers
from weft.ir.check.comparison import EXACT_IN_FLOAT
from weft.ir.semantics import BINARY_UFUNCS, COMPARE_UFUNCS, UNARY_UFUNCS, operand_types, result_type
from weft.ir.types import Scalar, limits

Interval: TypeAlias = "tuple[int, int]"
DIVISIONS = frozenset({"truediv", "floordiv", "mod"})
_BITWISE = frozenset({"and", "or", "xor"})
_WRAPPING = frozenset({"add", "sub", "mul", "neg", "pos", "abs", "invert"})
_ROUNDED_ALIKE = frozenset({"add", "sub", "mul", "neg", "pos", "abs", "truediv", "floordiv", "mod"})
_MANTISSA = {16: 11, 32: 24, 64: 53}


class Verdict(Enum):
    """Whether another form of the operands gives the value that the operation on their own types gives."""

    SAME = "the same value"
    SIGN = "the same value, but for the sign of zero"
    CHECKED = "perhaps the same: it must be tested"
    REFUSED = "another value, or none"


@dataclass(frozen=True)
class Outcome:
    """A verdict, and the form that the result has then: None where it has the type of the operation itself."""

    verdict: Verdict
    form: Form | None = None


@dataclass(frozen=True)
class Operation:
    """An operation on operands of the types `own`; `exponent` as for `result_type`."""

    op: str
    own: tuple[Scalar, ...]
    exponent: int | None = None

    def signature(self, types: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
        """The types that operands are converted to, and that of the result."""
        taken = operand_types(self.op, *types, exponent=self.exponent)
        return *taken, result_type(self.op, *types, exponent=self.exponent)

    def compare(self, forms: tuple[Form, ...]) -> Outcome:
        """Whether operands of other types give the same value."""
        try:
            own, other = self.signature(self.own), self.signature(tuple(form.type for form in forms))
        except TypeInferenceError:
            return Outcome(Verdict.REFUSED)
        if self.op == "pow" and own[-1].kind in "iu" and other[-1].kind == "f":  # Python's integers, below zero
            return Outcome(Verdict.REFUSED)
        loses_sign = self.op not in COMPARE_UFUNCS and any(map(_loses_sign, forms, self.own))
        if own == other and not loses_sign:
            return Outcome(Verdict.SAME)
        if loses_sign and any(form.value is None for form in forms):
            return Outcome(Verdict.CHECKED)
        return _Comparison(self.op, forms, own, other).outcome()


@dataclass(frozen=True)
class _Comparison:
    """An operation by its own signature and by that of other forms of its operands."""

    op: str
    forms: tuple[Form, ...]
    own: tuple[Scalar, ...]
    other: tuple[Scalar, ...]

    def outcome(self) -> Outcome:
        known = [form.value for form in self.forms if form.value is not None]
        if len(known) == len(self.forms) and self._folds:
            return self._of_constants(known)
        zero = self._of_zero()
        if zero is not None:
            return zero
        same = self._of_sign() or self._of_bits() or self._fits() or self._computed_alike() or self._compared_alike()
        return Outcome(Verdict.SAME if same else Verdict.CHECKED, self._result())

    @property
    def _folds(self) -> bool:
        return self.op not in ("min", "max")

    def _result(self, value: n.Const | None = None) -> Form | None:
        return None if self.other[-1] == self.own[-1] else Form(self.other[-1], value)

    @staticmethod
    def _integers(*types: Scalar) -> bool:
        return all(type.kind in "iu" or type.name == "pybool" for type in types)

    # ------------------------------------------------------------------------------------------- known values

    def _of_constants(self, known: list[n.Const]) -> Outcome:
        wanted = folded(self.op, known, self.other)
        if wanted is None:  # it raises, and so does what is emitted for a division
            return Outcome(Verdict.SAME if self.op in DIVISIONS else Verdict.REFUSED)
        held = [cast_constant(value, type) for value, type in zip(known, self.own, strict=False)]
        got = folded(self.op, [value for value in held if value is not None], self.own) if None not in held else None
        if got is None or not _equal(got.value, wanted.value):
            return Outcome(Verdict.REFUSED)
        signs = _same_signs(got.value, wanted.value)
        return Outcome(Verdict.SAME if signs else Verdict.SIGN, self._result(wanted))

    def _of_zero(self) -> Outcome | None:
        """Operations with a known zero, whose results are zero or the other operand."""
        zeros = [form.value is not None and not form.value.value for form in self.forms]
        if len(zeros) != 2 or not any(zeros):
            return None
        if self.op in DIVISIONS and zeros[1]:
            return Outcome(Verdict.SAME) if all(type.weak for type in self.other) else None  # it raises before
        if self.op == "mul" or (self.op in DIVISIONS and zeros[0]):
            return self._vanishing(self.forms[zeros.index(True)])
        return self._unchanged(zeros)

    def _vanishing(self, zero: Form) -> Outcome | None:
        """Zero times something, and zero by something."""
        kinds = {type.kind in "fc" for type in (*self.own, *self.other)}
        value = zero.value if self.other[-1].kind not in "fc" else None
        assert zero.value is not None
        nought = None if value is None else n.Const(0, self.other[-1])
        if kinds == {False}:
            return Outcome(Verdict.SAME, self._result(nought))
        if self.own[-1].kind == self.other[-1].kind:
            exact = all(_stays_finite(type, form) for form, type in self._conversions()) or self._computed_alike()
            constant = n.Const(type_of_value(self.other[-1])(0), self.other[-1])
            if not exact and self.op == "mul":  # NaN, where the other factor is none or infinite
                return Outcome(Verdict.CHECKED, self._result())
            return Outcome(Verdict.SAME if exact else Verdict.CHECKED, self._result(constant))
        return Outcome(Verdict.SIGN, self._result(nought)) if value is not None and self.own[-1].kind in "fc" else None

    def _conversions(self) -> list[tuple[Form, Scalar]]:
        return [(form, types[k]) for types in (self.own, self.other) for k, form in enumerate(self.forms)]

    def _unchanged(self, zeros: list[bool]) -> Outcome | None:
        """``x + 0``, ``x - 0`` and ``0 + x``; ``0 - x`` of floats."""
        rest = self.forms[zeros.index(False)]
        floats = self.own[-1].kind in "fc" and self.other[-1].kind in "fc"
        if self.op not in ("add", "sub") or (self.op == "sub" and zeros[0] and not floats):
            return None
        if not all(keeps(type, rest) for form, type in self._conversions() if form is rest):
            return None
        return Outcome(Verdict.SAME, self._result()) if rest.type.kind != "b" else None

    # --------------------------------------------------------------------------------------- whole types

    def _of_sign(self) -> bool:
        """Whether the sign of a float changes, which every type can do that holds the value."""
        return self.op in ("neg", "abs") and self.own[0].kind == self.other[0].kind == "f"

    def _of_bits(self) -> bool:
        """Whether the bits of integers are combined, which gives the same in every type that holds the operands."""
        if self.op not in _BITWISE or not self._integers(*self.own, *self.other):
            return False
        return all(keeps(type, form) for form, type in zip(self.forms, self.other, strict=False))

    def _fits(self) -> bool:
        """Whether integers never leave either type."""
        if self.op not in _WRAPPING or not self._integers(*self.own, *self.other):
            return False
        operands = [_interval(form) for form in self.forms]
        result = _interval_of(self.op, operands)
        taken = all(_inside(operands[k], types[k]) for types in (self.own, self.other) for k in range(len(operands)))
        return taken and all(_inside(result, types[-1]) for types in (self.own, self.other))

    def _computed_alike(self) -> bool:
        """Whether the operations differ in nothing but in whose numbers they are, Python's or NumPy's."""
        if not all((a.kind, a.bits) == (b.kind, b.bits) for a, b in zip(self.own, self.other, strict=True)):
            return False
        if self.own[0].kind in "fc":
            return self.op in _ROUNDED_ALIKE or self.op in COMPARE_UFUNCS
        return self._integers(*self.own) and self.op in ("mod", "pos", "invert")

    def _compared_alike(self) -> bool:
        """Whether comparisons take all operands exactly, or compare with a float that rounding does not reach."""
        if self.op not in COMPARE_UFUNCS:
            return False
        if all(type.kind in "biu" for type in (*self.own, *self.other)):
            return True
        if all(keeps(type, form) for form, type in self._conversions()):
            return True
        limits = [form.value for form in self.forms if form.value is not None]
        small = any(abs(value.value) < EXACT_IN_FLOAT for value in limits)
        return small and all(t.kind in "biu" or t.bits == 64 for t in (*self.own[:-1], *self.other[:-1]))


def folded(op: str, known: list[n.Const], signature: tuple[Scalar, ...]) -> n.Const | None:
    """An operation of constants; None where it raises."""
    forms, result = signature[:-1], signature[-1]
    try:
        values = [cast_constant(value, form) for value, form in zip(known, forms, strict=True)]
        given = [numpy_value(value) for value in values if value is not None]
        if len(given) < len(forms):
            return None
        with np.errstate(all="ignore"):
            found: object = _function(op, forms, result)(*given)
        return n.Const(python_value(found), result)
    except (ArithmeticError, ValueError, TypeError):
        return None


def _function(op: str, forms: tuple[Scalar, ...], result: Scalar) -> Callable[..., object]:
    if op in COMPARE_UFUNCS:
        return numbers.compare_function(op, forms[0])
    if op in UNARY_UFUNCS:
        return numbers.unary_function(op, forms[0])
    return numbers.binary_function(op, forms[0]) if op in BINARY_UFUNCS else numbers.math_function(op, result)


def type_of_value(type: Scalar) -> Callable[[int], int | float | complex]:
    """The Python type that constants of a type hold."""
    return {"f": float, "c": complex}.get(type.kind, int)


def _equal(a: complex, b: complex) -> bool:
    return a == b or (a != a and b != b)


def _loses_sign(form: Form, own: Scalar) -> bool:
    """Whether a form is -0.0, and the type of the operand holds integers."""
    value = None if form.value is None else form.value.value
    return own.kind in "biu" and isinstance(value, float) and value == 0 and math.copysign(1, value) < 0


def _same_signs(a: complex, b: complex) -> bool:
    """Whether zeros have one sign: an integer's is positive."""
    pairs = zip((a.real, a.imag), (b.real, b.imag), strict=True)
    return all(x != 0 or math.copysign(1, x) == math.copysign(1, y) for x, y in pairs)


def keeps(target: Scalar, form: Form) -> bool:
    """Whether converting a form to a type keeps its value."""
    if form.value is not None:
        held = cast_constant(form.value, target)
        return held is not None and _equal(held.value, form.value.value)
    source = form.type
    if source.kind in "biu":
        if target.kind in "fc":
            bits = 1 if source.kind == "b" else source.bits
            return bits <= _MANTISSA[target.bits if target.kind == "f" else target.bits // 2]
        return target.kind != "b" and _inside(_interval(form), target) or target.kind == source.kind == "b"
    widths = {"f": 1, "c": 2}
    if target.kind not in "fc" or widths[target.kind] < widths[source.kind]:
        return False
    return target.bits // widths[target.kind] >= source.bits // widths[source.kind]


def _stays_finite(target: Scalar, form: Form) -> bool:
    """Whether converting a form to a type makes no infinity and no zero of other numbers."""
    return keeps(target, form) or (form.value is None and form.type.kind in "iu" and target.bits > 16)


# ---------------------------------------------------------------------------------------------------- intervals


def _interval(form: Form) -> Interval:
    if form.value is not None:
        value = int(form.value.value.real)
        return value, value
    return _limits(form.type)


def _limits(type: Scalar) -> Interval:
    return (0, 1) if type.kind == "b" else limits(type)


def _inside(interval: Interval, type: Scalar) -> bool:
    low, high = _limits(type) if type.kind in "biu" else (0, -1)
    return low <= interval[0] and interval[1] <= high


def _interval_of(op: str, operands: list[Interval]) -> Interval:
    first, second = operands[0], operands[-1]
    if op == "abs":
        return 0, max(abs(first[0]), abs(first[1]))
    if op in ("neg", "invert"):
        return -first[1] - (op == "invert"), -first[0] - (op == "invert")
    if op == "pos":
        return first
    if op == "sub":
        second = -second[1], -second[0]
    products = [a * b for a in first for b in second]
    return (min(products), max(products)) if op == "mul" else (first[0] + second[0], first[1] + second[1])
