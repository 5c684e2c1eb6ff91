"""Bounds of the magnitude of floats, and whether they are at most zero: proofs that functions of `math` do not raise.

``math.cos(6.28 * (k * t % n) / n)`` raises for infinities only, ``math.exp(-0.5 * d * d)`` if the result overflows.
A bound says nothing about NaN, for which none of these functions raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from weft.analysis.access.structure import Region
from weft.analysis.values.forms import is_integer
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, Scalar, Type

if TYPE_CHECKING:
    from weft.transform.simplify.unchecked import Proofs

FINITE = frozenset({"sin", "cos", "tan"})
"""Functions that raise for infinities only."""

GROWING = {"exp": 700.0, "exp2": 1000.0, "expm1": 700.0, "sinh": 700.0, "cosh": 700.0}
"""Functions whose results may overflow, and an operand up to which none does."""

ONE_SIDED = frozenset({"exp", "exp2", "expm1"})
"""Those of them that do not overflow if the operand is at most zero."""

WITHIN_ONE = frozenset({"sin", "cos", "tanh", "erf"})
"""Functions whose results are between -1 and 1."""

LARGEST = {16: 6e4, 32: 3e38, 64: 1e308}
"""A magnitude that is surely finite, by the bits of a type."""

DEEPEST = 12
"""How many definitions are followed, one from another."""


def is_in_domain(value: n.Math, region: Region, proofs: Proofs) -> bool:
    """Whether a function of one operand is proven not to raise for it."""
    (operand, *others) = value.operands
    if others:
        return False
    if value.name in FINITE:
        return magnitude(operand, region, proofs) is not None
    if value.name in GROWING:
        if value.name in ONE_SIDED and is_not_positive(operand, region, proofs):
            return True
        most = magnitude(operand, region, proofs)
        return most is not None and most <= GROWING[value.name]
    return False


def magnitude(atom: n.Atom, region: Region, proofs: Proofs, depth: int = DEEPEST) -> float | None:
    """A number that the absolute value of a float does not exceed unless it is NaN; None where none is known."""
    most = _magnitude(atom, region, proofs, depth)
    return most if most is not None and most <= _largest(atom.type) else None


def _magnitude(atom: n.Atom, region: Region, proofs: Proofs, depth: int) -> float | None:
    if isinstance(atom, n.Const):
        return float(abs(atom.value)) if isinstance(atom.value, (int, float)) else None
    if is_integer(atom.type) or atom.type == PYBOOL:
        return _of_integer(atom, region, proofs)
    value = proofs.ranges.structure.definition(atom).value
    if depth == 0:
        return None
    if isinstance(value, n.Cast):
        return magnitude(value.operand, region, proofs, depth - 1)
    if isinstance(value, n.Unary) and value.op in ("neg", "abs"):
        return magnitude(value.operand, region, proofs, depth - 1)
    if isinstance(value, n.Math) and value.name in WITHIN_ONE:
        return 1.0
    return _of_binary(value, region, proofs, depth - 1) if isinstance(value, n.Binary) else None


def _of_integer(atom: n.Atom, region: Region, proofs: Proofs) -> float:
    low, high = proofs.ranges.interval(atom, region)
    return float(1 << 64) if low is None or high is None else float(max(abs(low), abs(high)))


def _of_binary(value: n.Binary, region: Region, proofs: Proofs, depth: int) -> float | None:
    if value.op == "mod":
        return magnitude(value.right, region, proofs, depth)
    left = magnitude(value.left, region, proofs, depth)
    if value.op == "truediv":
        least = _least(value.right, region, proofs)
        return None if left is None or least is None else left / least * ROUNDED
    right = magnitude(value.right, region, proofs, depth)
    if left is None or right is None:
        return None
    if value.op in ("min", "max"):
        return max(left, right)
    if value.op in ("add", "sub"):
        return (left + right) * ROUNDED
    return left * right * ROUNDED if value.op == "mul" else None


ROUNDED = 1.01
"""A factor by which a result may exceed what the bounds of its operands say, since it is rounded."""


def _least(atom: n.Atom, region: Region, proofs: Proofs) -> float | None:
    """A positive lower bound of the absolute value of a divisor; None where none is known."""
    if isinstance(atom, n.Const):
        return float(abs(atom.value)) or None if isinstance(atom.value, (int, float)) else None
    value = proofs.ranges.structure.definition(atom).value
    if isinstance(value, n.Cast) and is_integer(value.operand.type):
        return 0.5 if proofs.ranges.nonzero(proofs.forms.of(value.operand), region) else None
    return None


def _largest(type: Type) -> float:
    return LARGEST.get(type.bits, 0.0) if isinstance(type, Scalar) and type.kind == "f" else LARGEST[64]


def is_not_positive(atom: n.Atom, region: Region, proofs: Proofs, depth: int = DEEPEST) -> bool:
    """Whether a float is proven to be 0 or less, or a NaN."""
    if isinstance(atom, n.Const):
        return isinstance(atom.value, (int, float)) and not atom.value > 0
    value = proofs.ranges.structure.definition(atom).value
    if depth == 0:
        return False
    if isinstance(value, n.Cast) and not is_integer(value.operand.type):
        return is_not_positive(value.operand, region, proofs, depth - 1)
    if isinstance(value, n.Unary) and value.op == "neg":
        return proofs.not_negative(value.operand, region, depth - 1)
    if not isinstance(value, n.Binary):
        return False
    left, right = value.left, value.right
    if value.op == "sub":
        return is_not_positive(left, region, proofs, depth - 1) and proofs.not_negative(right, region, depth - 1)
    if value.op == "truediv":
        divides = isinstance(right, n.Const) and isinstance(right.value, (int, float)) and right.value > 0
        return divides and is_not_positive(left, region, proofs, depth - 1)
    if value.op == "min":
        sides = [is_not_positive(side, region, proofs, depth - 1) for side in (left, right)]
        return proofs.one_side_decides(value, *sides)
    if value.op in ("add", "max"):
        return all(is_not_positive(side, region, proofs, depth - 1) for side in (left, right))
    return value.op == "mul" and _sign_of_product(atom, region, proofs, depth - 1) < 0


def _sign_of_product(atom: n.Atom, region: Region, proofs: Proofs, depth: int) -> int:
    """1 if a product is not negative, -1 if it is not positive, 0 if neither is known.

    Squares are not negative, however their factors are bracketed: roundings keep signs.
    """
    sign, alone = 1, dict[n.Atom, int]()
    for factor in _factors(atom, proofs, depth):
        alone[factor] = alone.get(factor, 0) + 1
    for factor, times in alone.items():
        if times % 2 == 0 or proofs.not_negative(factor, region, depth):
            continue
        if not is_not_positive(factor, region, proofs, depth):
            return 0
        sign = -sign
    return sign


def _factors(atom: n.Atom, proofs: Proofs, depth: int) -> Iterator[n.Atom]:
    value = proofs.ranges.structure.definition(atom).value if isinstance(atom, n.Var) else None
    if depth > 0 and isinstance(value, n.Binary) and value.op == "mul" and value.left != value.right:
        yield from _factors(value.left, proofs, depth - 1)
        yield from _factors(value.right, proofs, depth - 1)
    elif depth > 0 and isinstance(value, n.Unary) and value.op == "neg":
        yield n.Const(-1.0, value.operand.type)
        yield from _factors(value.operand, proofs, depth - 1)
    else:
        yield atom
