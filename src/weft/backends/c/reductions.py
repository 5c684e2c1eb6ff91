"""Reductions: the identities of operators, and the combination of partial results.

Minima and maxima of floats are those of Python: NaN never wins against what came before. With infinity as their
identity a part whose values are all NaN changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.backends.text.code import Code
from weft.ir import neutral
from weft.ir import nodes as n
from weft.ir.types import Scalar

if TYPE_CHECKING:
    from weft.backends.c.printer import CPrinter

OPERATORS = frozenset({"add", "sub", "mul", "min", "max", "and", "or", "xor"})
"""Operators that have an identity."""


def identity(printer: CPrinter, arg: n.LoopArg) -> Code:
    """The value that changes nothing when it is combined with others."""
    assert isinstance(arg.var.type, Scalar) and arg.combine is not None
    return identity_of(printer, arg.combine, arg.var.type)


def identity_of(printer: CPrinter, op: str, type: Scalar) -> Code:
    """The identity of an operator; -0.0 for sums, since 0.0 + -0.0 is 0.0."""
    return printer.dialect.constant(neutral.identity("add" if op == "sub" else op, type), exact=True)


def combination(printer: CPrinter, arg: n.LoopArg, left: Code, right: Code) -> Code:
    """Two results of a reduction put together."""
    assert isinstance(arg.var.type, Scalar) and arg.combine is not None
    return combined_parts(printer, arg.combine, left, right, arg.var.type)


def combined_parts(printer: CPrinter, op: str, left: Code, right: Code, type: Scalar) -> Code:
    """Two partial results put together; differences were taken inside the parts already."""
    return printer.combined("add" if op == "sub" else op, left, right, type)
