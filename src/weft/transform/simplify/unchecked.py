"""Unchecked: operations that are proven not to raise lose their check.

Python integers that are proven to fit in 64 bits, divisors proven not to be zero, conversions proven to fit, square
roots of what is proven not to be negative, other functions of what is proven small (see `magnitudes`). The proofs are
those of `weft.analysis.values.ranges`: bounds of loops, branches, extents and types. Accesses are not looked at: see
`bounds`.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.structure import Region
from weft.analysis.values.forms import is_integer
from weft.analysis.values.linear import Form
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import PYINT, Scalar, Type, limits
from weft.ir.values import MAX_INT, MIN_INT
from weft.ir.visit import rewrite
from weft.transform.simplify.magnitudes import is_in_domain
from weft.transform.support import for_each_body


def unchecked(program: n.Program) -> n.Program:
    """Clear the checks that cannot fail."""
    return for_each_body(program, cleared)


def cleared(body: n.Block, ranges: Ranges) -> n.Block:
    """The body without the checks that some ranges prove needless."""
    proofs = Proofs(ranges)
    proven = {
        statement.var.name
        for region in ranges.structure.regions()
        for statement in region.block.statements
        if isinstance(statement, n.Let)
        and may_raise(statement.value, statement.var.type)
        and proofs.cannot_raise(statement.value, statement.var.type, region)
    }
    return (
        rewrite(body, lambda s: _cleared(s) if isinstance(s, n.Let) and s.var.name in proven else s) if proven else body
    )


def _cleared(statement: n.Let) -> n.Let:
    value = statement.value
    if isinstance(value, n.Math):
        return replace(statement, value=replace(value, strict=False))
    assert isinstance(value, (n.Unary, n.Binary, n.Cast))
    return replace(statement, value=replace(value, checked=False))


class Proofs:
    """Proofs that operations cannot raise where they stand."""

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        self.forms = ranges.forms

    def cannot_raise(self, value: n.Expression, type: Type, region: Region) -> bool:
        """Whether an expression, assigned to a variable of `type` in a region, is proven not to raise.

        Expressions other than arithmetic count as not proven.
        """
        if isinstance(value, n.Binary):
            return self._binary(value, region)
        if isinstance(value, n.Unary):
            return value.operand.type == PYINT and self._fits(-self.forms.of(value.operand), PYINT, region)
        if isinstance(value, n.Cast):
            return is_integer(value.operand.type) and self._fits(self.forms.of(value.operand), type, region)
        if not isinstance(value, n.Math):
            return False
        if value.name == "sqrt":
            return self.not_negative(value.operands[0], region)
        return is_in_domain(value, region, self)

    def _fits(self, form: Form, type: Type, region: Region) -> bool:
        low, high = limits(type)
        return self.ranges.nonnegative(form - low, region) and self.ranges.nonnegative(high - form, region)

    def _binary(self, value: n.Binary, region: Region) -> bool:
        kind = value.left.type
        if value.op in ("floordiv", "mod", "truediv"):
            return self._divides(value, kind, region)
        if kind != PYINT:
            return False
        left, right = self.forms.of(value.left), self.forms.of(value.right)
        if value.op in ("add", "sub", "mul"):
            result = left + right if value.op == "add" else left - right if value.op == "sub" else left * right
            return self._fits(result, PYINT, region)
        if value.op in ("shl", "pow", "shr"):
            return self._grows(value, region)
        return False

    def _divides(self, value: n.Binary, kind: Type, region: Region) -> bool:
        if kind == PYINT:
            left, right = self.forms.of(value.left), self.forms.of(value.right)
            if not self.ranges.nonzero(right, region):
                return False
            return value.op != "floordiv" or self._not_minus_one(left, right, region)
        return self._is_float_nonzero(value.right, region)

    def _not_minus_one(self, left: Form, right: Form, region: Region) -> bool:
        """Dividing the smallest integer by -1 overflows."""
        return self.ranges.nonnegative(right, region) or self.ranges.nonnegative(left - MIN_INT - 1, region)

    def _is_float_nonzero(self, atom: n.Atom, region: Region) -> bool:
        """Whether a float is a converted integer that is not zero, or is not zero because of a branch around it."""
        if isinstance(atom, n.Const):
            return atom.value != 0
        value = self.ranges.structure.definition(atom).value
        if isinstance(value, n.Cast):
            if is_integer(value.operand.type):
                return self.ranges.nonzero(self.forms.of(value.operand), region)
            source = value.operand.type
            wider = isinstance(source, Scalar) and isinstance(atom.type, Scalar) and source.bits <= atom.type.bits
            return wider and isinstance(value.operand, n.Var) and self._is_float_nonzero(value.operand, region)
        return self._is_positive(atom, region) or any(self._excludes_zero(owner, atom) for owner in region.chain())

    def _is_positive(self, atom: n.Atom, region: Region, depth: int = 8) -> bool:
        """Whether a float is proven to be above 0, or a NaN. Products and quotients are not: they may underflow."""
        if isinstance(atom, n.Const):
            return isinstance(atom.value, (int, float)) and not atom.value <= 0
        value = self.ranges.structure.definition(atom).value
        if depth == 0:
            return False
        if isinstance(value, n.Math):
            grows = value.name == "sqrt" and self._is_positive(value.operands[0], region, depth - 1)
            return grows or value.name == "cosh"
        if not isinstance(value, n.Binary) or value.op not in ("add", "min", "max"):
            return False
        sides = (value.left, value.right)
        positive = [self._is_positive(side, region, depth - 1) for side in sides]
        if value.op == "min":
            return all(positive)
        if value.op == "max":
            return self.one_side_decides(value, *positive)
        others = [side for side, above in zip(sides, positive, strict=True) if not above]
        return any(positive) and all(self.not_negative(s, region, depth - 1) for s in others)

    def one_side_decides(self, value: n.Binary, left: bool, right: bool) -> bool:
        """Whether a `min` or `max` is on one side of a number, or NaN, because one of its operands is. A right operand
        that is NaN proves nothing: ``min(a, b)`` is ``b if b < a else a``."""
        return left or (right and self._is_a_number(value.right))

    def _is_a_number(self, atom: n.Atom) -> bool:
        """Whether a float is proven not to be NaN."""
        if isinstance(atom, n.Const):
            return atom.value == atom.value
        value = self.ranges.structure.definition(atom).value
        return isinstance(value, n.Cast) and is_integer(value.operand.type)

    def _excludes_zero(self, region: Region, atom: n.Var) -> bool:
        if not isinstance(region.owner, n.If) or not isinstance(region.owner.condition, n.Var):
            return False
        test = self.ranges.structure.definition(region.owner.condition).value
        if not isinstance(test, n.Compare):
            return False
        ops = ("ne", "lt", "gt") if region.number == 0 else ("eq",)
        sides = {test.left, test.right}
        other = next(iter(sides - {atom}), None)
        return test.op in ops and atom in sides and isinstance(other, n.Const) and other.value == 0

    def _grows(self, value: n.Binary, region: Region) -> bool:
        """Shifts and powers, by intervals."""
        low, high = self.ranges.interval(value.left, region)
        least, most = self.ranges.interval(value.right, region)
        if least is None or least < 0:
            return False
        if value.op == "shr":
            return True
        if low is None or high is None or most is None or most > 63:
            return False
        reach = max(abs(low), abs(high)) ** most if value.op == "pow" else max(abs(low), abs(high)) << most
        return reach <= MAX_INT

    def not_negative(self, atom: n.Atom, region: Region, depth: int = 8) -> bool:
        """Whether a float is proven to be 0 or more, or a NaN; -0.0 counts as 0."""
        if isinstance(atom, n.Const):
            return isinstance(atom.value, (int, float)) and not atom.value < 0
        value = self.ranges.structure.definition(atom).value
        if depth == 0 or value is None:
            return False
        if isinstance(value, n.Binary):
            return self._keeps_sign(value, region, depth - 1)
        if isinstance(value, n.Cast):
            if is_integer(value.operand.type):
                return self.ranges.nonnegative(self.forms.of(value.operand), region)
            return self.not_negative(value.operand, region, depth - 1)
        if isinstance(value, n.Math):
            return value.name in ("fabs", "absolute", "exp", "exp2", "sqrt", "square", "hypot", "cosh")
        return isinstance(value, n.Unary) and value.op == "abs"

    def _keeps_sign(self, value: n.Binary, region: Region, depth: int) -> bool:
        if value.op == "mul" and value.left == value.right:
            return True
        if value.op == "truediv":
            divides = isinstance(value.right, n.Const) and value.right.value > 0  # type: ignore[operator]
            return divides and self.not_negative(value.left, region, depth)
        if value.op not in ("add", "mul", "min", "max"):
            return False
        return all(self.not_negative(side, region, depth) for side in (value.left, value.right))
