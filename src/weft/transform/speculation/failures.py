"""Operations that may raise, written so that they do not: a condition says where they would, or might.

Where the condition holds, an operation has any value; then nobody uses it. A condition may also hold where the
operation would have managed: such lanes are run again by the exact code, which is slow and right.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.scribe import FALSE, Scribe
from weft.ir.types import FLOAT64, PYFLOAT, PYINT, Scalar
from weft.ir.values import MAX_INT
from weft.transform.scan.speculative_copy import Unsuited, between, inside

LARGEST = sys.float_info.max
LARGEST_TERM, LARGEST_FACTOR, LARGEST_INTEGER = 2**62 - 1, 2**31, 2**62
"""Integers up to these are added, multiplied and converted without overflow."""

OUTSIDE: dict[str, tuple[tuple[n.CompareOp, float], ...]] = {
    "sqrt": (("lt", 0.0),),
    **dict.fromkeys(("exp", "expm1"), (("gt", 709.782712893384),)),
    "exp2": (("ge", 1024.0),),
    **dict.fromkeys(("log", "log2", "log10"), (("le", 0.0),)),
    "log1p": (("le", -1.0),),
    **dict.fromkeys(("sin", "cos", "tan"), (("lt", -LARGEST), ("gt", LARGEST))),
    **dict.fromkeys(("arcsin", "arccos"), (("lt", -1.0), ("gt", 1.0))),
    **dict.fromkeys(("sinh", "cosh"), (("lt", -710.4758600739439), ("gt", 710.4758600739439))),
}  # fmt: skip
"""For which arguments functions of Python's ``math`` raise; infinite ones are among them."""

ROUNDED: dict[str, str] = {"floor": "floor", "ceil": "ceil", "trunc": "trunc", "round": "rint"}
"""Functions of Python that make integers of floats, and those of NumPy that round."""

POWERS: dict[float, tuple[float, float]] = {
    2.0: (-1e150, 1e150), 3.0: (-1e100, 1e100), 4.0: (-1e75, 1e75), 0.5: (0.0, LARGEST), -1.0: (1e-300, LARGEST),
    -2.0: (1e-150, 1e150),
}  # fmt: skip
"""For which floats a power with a constant exponent surely does not raise."""

BASES, EXPONENTS = (1e-30, 1e30), (-10.0, 10.0)
"""For which floats any power does not."""


def attempt(let: n.Let, scribe: Scribe) -> n.Atom:
    """Write an assignment that does not raise; gives whether the original might."""
    value, type = let.value, let.var.type
    if not may_raise(value, type):
        scribe.add(let)
        return FALSE
    if not isinstance(type, Scalar):
        raise Unsuited
    if isinstance(value, n.Load):
        return _load(let, value, scribe)
    if isinstance(value, n.Math):
        return _math(let, value, scribe)
    if isinstance(value, n.Binary) and isinstance(value.left.type, Scalar):
        return _binary(let, value, scribe)
    if isinstance(value, n.Unary) and value.operand.type == PYINT:
        fine = between(value.operand, -LARGEST_TERM, LARGEST_TERM, scribe)
        return _guarded(
            let, replace(value, operand=scribe.select(fine, value.operand, n.Const(0)), checked=False), fine, scribe
        )
    if isinstance(value, n.Cast) and isinstance(value.operand.type, Scalar):
        return _cast(let, value, value.operand.type, scribe)
    raise Unsuited


def _guarded(let: n.Let, value: n.Expression, fine: n.Atom, scribe: Scribe) -> n.Atom:
    scribe.add(replace(let, value=value))
    return scribe.negated(fine)


def _cast(let: n.Let, value: n.Cast, source: Scalar, scribe: Scribe) -> n.Atom:
    target = let.var.type
    assert isinstance(target, Scalar)
    if source.kind not in "fiu" or (source.kind == "f" and source.bits == 16) or target.kind not in "iu":
        raise Unsuited
    signed = target.kind == "i"
    low, high = (-(2 ** (target.bits - 1)), 2 ** (target.bits - 1) - 1) if signed else (0, 2**target.bits - 1)
    if source.kind == "f":
        exact = LARGEST_INTEGER if target.bits == 64 else 2**30  # such bounds are exact in every float type
        low, high = max(low, -exact), min(high, exact)
    else:
        low, high = max(low, -(2**63) if source.kind == "i" else 0), min(high, 2**63 - 1)
    fine = between(value.operand, low, high, scribe)
    zero = n.Const(0.0 if source.kind == "f" else 0, source)
    return _guarded(let, replace(value, operand=scribe.select(fine, value.operand, zero), checked=False), fine, scribe)


def _math(let: n.Let, value: n.Math, scribe: Scribe) -> n.Atom:
    if value.name in ROUNDED and let.var.type == PYINT and value.operands[0].type == PYFLOAT:
        fine = between(value.operands[0], -LARGEST_INTEGER, LARGEST_INTEGER, scribe)
        operand = scribe.select(fine, value.operands[0], n.Const(0.0, PYFLOAT))
        rounded = scribe.let(n.Math(ROUNDED[value.name], (operand,)), PYFLOAT)
        return _guarded(let, n.Cast(rounded, checked=False), fine, scribe)
    if let.var.type != PYFLOAT or any(a.type != PYFLOAT for a in value.operands):
        raise Unsuited
    if value.name not in OUTSIDE:
        raise Unsuited
    scribe.add(replace(let, value=replace(value, strict=False)))
    fails: n.Atom = FALSE
    for op, limit in OUTSIDE[value.name]:
        fails = scribe.either(fails, scribe.compare(op, value.operands[0], n.Const(limit, PYFLOAT)))
    return fails


# ------------------------------------------------------------------------------------------------- operators


def _binary(let: n.Let, value: n.Binary, scribe: Scribe) -> n.Atom:
    type = value.left.type
    assert isinstance(type, Scalar)
    if type == PYFLOAT and value.op in ("truediv", "floordiv", "mod"):
        return _divided(let, value, scribe)
    if type == PYFLOAT and value.op == "pow":
        return _power(let, value, scribe)
    if type != PYINT:
        raise Unsuited
    if value.op in ("floordiv", "mod", "truediv"):
        if isinstance(value.right, n.Const) or value.op == "truediv":
            raise Unsuited
        fine = scribe.compare("gt", value.right, 0)
        return _guarded(
            let, replace(value, right=scribe.select(fine, value.right, n.Const(1)), checked=False), fine, scribe
        )
    fine = scribe.both([between(side, *_limits(value, other), scribe) for side, other in _sides(value)])
    left, right = (
        side if isinstance(side, n.Const) else scribe.select(fine, side, n.Const(0)) for side, _ in _sides(value)
    )
    return _guarded(let, replace(value, left=left, right=right, checked=False), fine, scribe)


def _sides(value: n.Binary) -> tuple[tuple[n.Atom, n.Atom], ...]:
    """The operands, each with the other one."""
    return (value.left, value.right), (value.right, value.left)


def _limits(value: n.Binary, other: n.Atom) -> tuple[int, int]:
    """Between which an operand has to be for a result that fits, where the other one is a constant or as small."""
    known = int(other.value.real) if isinstance(other, n.Const) else None
    if value.op == "mul":
        limit = LARGEST_FACTOR if known is None else MAX_INT // max(abs(known), 1)
    elif value.op in ("add", "sub"):
        limit = LARGEST_TERM if known is None else MAX_INT - abs(known)
    else:
        raise Unsuited
    return -limit, limit


def _divided(let: n.Let, value: n.Binary, scribe: Scribe) -> n.Atom:
    """A quotient of Python's floats, as that of NumPy's where that is the same but for zeros."""
    fails = scribe.compare("eq", value.right, n.Const(0.0, PYFLOAT))
    if value.op != "truediv":
        right = scribe.select(fails, n.Const(1.0, PYFLOAT), value.right)
        scribe.add(replace(let, value=replace(value, right=right, checked=False)))
        return fails
    left, right = (scribe.let(n.Cast(side, False), FLOAT64) for side in (value.left, value.right))
    quotient = scribe.let(n.Binary("truediv", left, right, False), FLOAT64)
    scribe.add(replace(let, value=n.Cast(quotient, False)))
    return fails


def _power(let: n.Let, value: n.Binary, scribe: Scribe) -> n.Atom:
    exponent = value.right.value if isinstance(value.right, n.Const) else None
    one = n.Const(1.0, PYFLOAT)
    if isinstance(exponent, float) and exponent in POWERS:
        fine = between(value.left, *POWERS[exponent], scribe)
        return _guarded(let, replace(value, left=scribe.select(fine, value.left, one), checked=False), fine, scribe)
    fine = scribe.both([between(value.left, *BASES, scribe), between(value.right, *EXPONENTS, scribe)])
    left = scribe.select(fine, value.left, one)
    right = value.right if exponent is not None else scribe.select(fine, value.right, one)
    return _guarded(let, replace(value, left=left, right=right, checked=False), fine, scribe)


# ------------------------------------------------------------------------------------------------- accesses


def _load(let: n.Let, value: n.Load, scribe: Scribe) -> n.Atom:
    """An element, where there is one; zero elsewhere."""
    if value.mask is not None:
        raise Unsuited
    fine, indices = inside(value.view, value.indices, value.bounds, scribe)
    inner = scribe.inner()
    assert isinstance(let.var.type, Scalar)
    element = inner.let(replace(value, indices=indices, bounds="safe"), let.var.type, let.var.stem)
    zero = n.Const(let.var.type.dtype.type(0).item(), let.var.type)
    scribe.add(n.If(fine, inner.block((element,)), n.Block((), (zero,)), (let.var,), let.location))
    return scribe.negated(fine)
