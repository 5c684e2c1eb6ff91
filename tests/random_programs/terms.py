"""Random expressions: text with a type, so that what is written is what users write and what can be typed."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from weft.errors import TypeInferenceError
from weft.ir.semantics import result_type
from weft.ir.types import PYFLOAT, PYINT, SCALARS, Scalar


@dataclass(frozen=True)
class Term:
    """An expression and its type."""

    text: str
    type: Scalar

    @property
    def is_float(self) -> bool:
        return self.type.kind == "f"


def term(text: str, type: str) -> Term:
    """An expression of a type given by name."""
    return Term(text, SCALARS[type])


FLOAT_CONSTANTS = ("0.5", "2.0", "0.25", "1.5", "-1.0")
INTEGER_CONSTANTS = ("1", "2", "3")


@dataclass
class Expressions:
    """Makes expressions over some terms. `exact` keeps to operations that round as little as can be."""

    random: Random
    terms: list[Term]

    def value(self, depth: int = 2) -> Term:
        """An expression that may have any numeric type."""
        if depth == 0 or self.random.random() < 0.2:
            return self.leaf()
        make = self.random.choices(
            (self._arithmetic, self._choice, self._extreme, self._function), weights=(10, 1.5, 1.5, 2)
        )[0]
        return make(depth)

    def integer(self, type: Scalar, depth: int = 2) -> Term:
        """An expression of one integer type, which wraps rather than overflows."""
        same = [t for t in self.terms if t.type == type] or [Term("1", PYINT)]
        left = self.random.choice(same)
        if depth == 0:
            return left
        right = self.random.choice((self.integer(type, depth - 1), Term(self.random.choice(INTEGER_CONSTANTS), PYINT)))
        op = self.random.choice(("+", "*", "-", "&", "|", "^", "//", "%", "<<", ">>"))
        if op in ("//", "%", "<<", ">>"):
            right = Term(self.random.choice(INTEGER_CONSTANTS), PYINT)
        return Term(f"({left.text} {op} {right.text})", left.type)

    def leaf(self) -> Term:
        """A term or a constant."""
        if self.random.random() < 0.25:
            return Term(self.random.choice(FLOAT_CONSTANTS), PYFLOAT)
        return self.random.choice(self.terms)

    def condition(self, depth: int = 1) -> str:
        """A Boolean expression."""
        kind = self.random.random()
        if depth and kind < 0.25:
            op = self.random.choice(("and", "or"))
            return f"({self.condition(depth - 1)} {op} {self.condition(depth - 1)})"
        if depth and kind < 0.32:
            return f"(not {self.condition(depth - 1)})"
        left = self.random.choice(self.terms)
        op = self.random.choice(("<", ">", "<=", ">=", "==", "!="))
        constant = self.random.choice(FLOAT_CONSTANTS) if left.is_float else self.random.choice(INTEGER_CONSTANTS)
        return f"{left.text} {op} {constant}"

    def _arithmetic(self, depth: int) -> Term:
        left, right = self.value(depth - 1), self.value(depth - 1)
        op, name = self.random.choice((("+", "add"), ("-", "sub"), ("*", "mul"), ("+", "add")))
        if self.random.random() < 0.12:
            op, name, right = "/", "truediv", Term(self.random.choice(("2.0", "4.0", "3.0")), PYFLOAT)
        return self._combined(op, name, left, right)

    def _combined(self, op: str, name: str, left: Term, right: Term) -> Term:
        try:
            return Term(f"({left.text} {op} {right.text})", result_type(name, left.type, right.type))
        except TypeInferenceError:
            return left

    def _pair(self, depth: int) -> tuple[Term, Term]:
        """Two expressions of one type."""
        left = self.value(depth - 1)
        for _ in range(4):
            right = self.value(depth - 1)
            if right.type == left.type:
                return left, right
        return left, left

    def _choice(self, depth: int) -> Term:
        left, right = self._pair(depth)
        return Term(f"({left.text} if {self.condition(0)} else {right.text})", left.type)

    def _extreme(self, depth: int) -> Term:
        left, right = self._pair(depth)
        return Term(f"{self.random.choice(('min', 'max'))}({left.text}, {right.text})", left.type)

    def _function(self, depth: int) -> Term:
        inner = self.value(depth - 1)
        if not inner.is_float:
            return inner
        if self.random.random() < 0.7:
            return Term(f"abs({inner.text})", inner.type)
        return Term(f"math.sqrt(abs({inner.text}))", PYFLOAT)
