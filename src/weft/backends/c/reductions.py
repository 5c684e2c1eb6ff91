"""Reductions: identities, the combination of pieces, and sums in several lanes at once.

A floating-point reduction whose iterations are proven to be combined in any grouping runs in `LANES` accumulators, the
iteration `k` in the lane ``k % LANES``; they are folded pairwise. The grouping depends on the trip count alone. Minima
and maxima of floats are those of Python: NaN never wins against what came before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.backends.code import Code, call
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import Scalar, Vector
from weft.ir.visit import walk

if TYPE_CHECKING:
    from weft.backends.c.loops import LoopPrinter
    from weft.backends.c.printer import CPrinter

LANE_BYTES = 256
"""Bytes of the accumulators of one reduction: four of the widest vectors, which hides the latency of an addition."""

OPERATORS = frozenset({"add", "sub", "mul", "min", "max", "and", "or", "xor"})
"""Operators that have an identity."""


def identity(printer: CPrinter, arg: n.LoopArg) -> Code:
    """The value that changes nothing; -0.0 for sums, since 0.0 + -0.0 is 0.0."""
    assert isinstance(arg.var.type, Scalar) and arg.combine is not None
    type = arg.var.type
    return printer.dialect.constant(n.Const(_identity(arg.combine, type), type), exact=True)


def _identity(op: str, type: Scalar) -> bool | int | float | complex:
    if op in ("add", "sub"):
        return {"f": -0.0, "c": complex(-0.0, -0.0), "b": False}.get(type.kind, 0)
    if op == "mul":
        return True if type.kind == "b" else 1
    if op in ("or", "xor"):
        return False if type.kind == "b" else 0
    if op == "and":
        return True if type.kind == "b" else -1
    return _extreme(op, type)


def _extreme(op: str, type: Scalar) -> bool | int | float:
    """The largest value of a type for ``min``, the smallest for ``max``."""
    if type.kind == "f":
        return float("inf") if op == "min" else float("-inf")
    if type.kind == "b":
        return op == "min"
    low, high = (0, 2**type.bits - 1) if type.kind == "u" else (-(2 ** (type.bits - 1)), 2 ** (type.bits - 1) - 1)
    return high if op == "min" else low


def combination(printer: CPrinter, arg: n.LoopArg, left: Code, right: Code) -> Code:
    """Two results of a reduction put together; differences were taken inside the pieces already."""
    assert isinstance(arg.var.type, Scalar) and arg.combine is not None
    op = "add" if arg.combine == "sub" else arg.combine
    if op not in OPERATORS:
        return call(printer.module.function_names[op], left, right)
    return printer.combined(op, left, right, arg.var.type)


class LaneReduction:
    """A reduction printed so that the compiler makes vector code of it."""

    def __init__(self, printer: LoopPrinter, loop: n.For, index: str) -> None:
        self._printer = printer
        self._loop = loop
        self._index = index
        self._arrays = [f"{printer.atoms[a.var.name].text}_lanes" for a in loop.args]
        self._lanes = LANE_BYTES // max(a.var.type.size for a in loop.args)  # type: ignore[union-attr]

    @staticmethod
    def suits(loop: n.For) -> bool:
        """Whether a loop reduces floats only, in a body without loops and failures."""
        if loop.mapping != "parallel" or loop.exit is not None or not loop.args:
            return False
        if any(not isinstance(a.var.type, Scalar) or a.combine not in OPERATORS for a in loop.args):
            return False
        if not any(_is_float(a.var.type) for a in loop.args):
            return False
        return all(_is_straight(s) for s in walk(loop.body)) and not block_may_raise(loop.body)

    def print(self, start: Code, stop: Code) -> Code:
        """Print all full rounds of the lanes and their folding; gives the first iteration that is left."""
        printer = self._printer
        next_ = printer.declare(f"{self._loop.index.stem}_next", "int64_t", start.text)
        with printer.lines.braces(f"if ({stop.inside(9)} - {next_} >= {self._lanes})"):
            for arg, array in zip(self._loop.args, self._arrays, strict=True):
                self._open(arg, array)
            with printer.lines.braces(f"for (; {stop.inside(9)} - {next_} >= {self._lanes}; {next_} += {self._lanes})"):
                self._round(next_)
            self._fold()
        return Code(next_)

    def _open(self, arg: n.LoopArg, array: str) -> None:
        printer = self._printer
        assert not isinstance(arg.var.type, Vector)
        printer.lines.add(f"{printer.type_name(arg.var.type)} {array}[{self._lanes}];")
        value = identity(printer, arg)
        printer.lines.add(f"for (int lane = 0; lane < {self._lanes}; lane++) {array}[lane] = {value.text};")

    def _round(self, next_: str) -> None:
        printer, loop = self._printer, self._loop
        saved = {a.var.name: printer.atoms[a.var.name] for a in loop.args}
        targets = [f"{array}[lane]" for array in self._arrays]
        for arg, target in zip(loop.args, targets, strict=True):
            printer.atoms[arg.var.name] = Code(target)
        with printer.lines.braces(f"for (int lane = 0; lane < {self._lanes}; lane++)"):
            printer.lines.add(f"const int64_t {self._index} = {next_} + lane;")
            printer.iteration(loop, targets)
        printer.atoms.update(saved)

    def _fold(self) -> None:
        printer = self._printer
        with printer.lines.braces(f"for (int half = {self._lanes // 2}; half > 0; half /= 2)"):
            with printer.lines.braces("for (int lane = 0; lane < half; lane++)"):
                for arg, array in zip(self._loop.args, self._arrays, strict=True):
                    value = combination(printer, arg, Code(f"{array}[lane]"), Code(f"{array}[lane + half]"))
                    printer.lines.add(f"{array}[lane] = {value.text};")
        for arg, array in zip(self._loop.args, self._arrays, strict=True):
            target = printer.atoms[arg.var.name]
            printer.lines.add(f"{target.text} = {combination(printer, arg, target, Code(f'{array}[0]')).text};")


def _is_float(type: object) -> bool:
    return isinstance(type, Scalar) and type.kind in "fc" and type.bits > 16


def _is_straight(statement: n.Statement) -> bool:
    if isinstance(statement, n.Let):
        return not isinstance(statement.value, (n.Alloc, n.Subview, n.Transpose, n.FieldView))
    return isinstance(statement, (n.Store, n.If))
