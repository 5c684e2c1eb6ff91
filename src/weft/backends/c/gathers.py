"""Sums over elements whose indices are read, eight iterations at once: for processors that gather under masks.

Iteration `k` goes to the accumulator ``k % 8``; the accumulators are folded pairwise. What is left at the end of a loop
is a strip whose last lanes are off, so that short loops have no second loop. A strip in which an index is outside, or
counts from the end, runs one by one. Compilers make scalar code of such loops, and half of the time goes to tests and
to leaving the loop. Loops are left alone where numbers are not 32 or 64 bits large, where indices are computed, and
where an access may fail that is no gather.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.backends.text.code import UNARY, Code
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import PYINT, Scalar, View
from weft.ir.visit import atoms_of

if TYPE_CHECKING:
    from weft.backends.c.loops import LoopPrinter

LANES = 8
"""Iterations of a strip: the elements that one instruction gathers."""

FLOATS, INTEGERS = frozenset({"float32", "float64"}), frozenset({"int32", "int64"})


@dataclass(frozen=True)
class Gathered:
    """A loop that can run in such strips: the names of what differs between iterations are those of `vectors`."""

    loop: n.For
    vectors: dict[str, Scalar]

    @classmethod
    def of(cls, printer: LoopPrinter, loop: n.For) -> Gathered | None:
        """The loop, if all that it does has a form in vectors."""
        if len(loop.args) != 1 or loop.args[0].combine != "add" or not _is_float(loop.args[0].var.type):
            return None
        total, type = loop.args[0].var, loop.args[0].var.type
        assert isinstance(type, Scalar)
        found = cls(loop, {total.name: type})
        for statement in loop.body.statements:
            if not isinstance(statement, n.Let) or not found._takes(printer, statement):
                return None
        return found if any(found.is_gather(s.value) for s in found.lets) else None

    @property
    def lets(self) -> list[n.Let]:
        """The definitions in the loop."""
        return [s for s in self.loop.body.statements if isinstance(s, n.Let)]

    def is_gather(self, value: n.Expression) -> bool:
        """Whether a value is read at an index that was read."""
        return isinstance(value, n.Load) and value.indices[-1] != self.loop.index

    def _takes(self, printer: LoopPrinter, let: n.Let) -> bool:
        """Whether a definition has a form in vectors; if so its name is noted."""
        type, value = let.var.type, let.value
        if not isinstance(type, Scalar) or type.name not in FLOATS | INTEGERS and type != PYINT:
            return False
        if isinstance(value, n.Load):
            fits = self._is_read(printer, value)
        elif isinstance(value, n.Cast):
            source = value.operand.type
            fits = self._differs(value.operand) and isinstance(source, Scalar) and _widens(source, type)
        else:
            is_sum = isinstance(value, n.Fma) or (isinstance(value, n.Binary) and value.op in ("add", "sub", "mul"))
            operands = [self.vectors.get(atom.name, type) for atom in atoms_of(value) if isinstance(atom, n.Var)]
            fits = is_sum and type.kind == "f" and all(operand == type for operand in operands)
        self.vectors[let.var.name] = type
        return fits

    def _differs(self, atom: n.Atom) -> bool:
        return isinstance(atom, n.Var) and atom.name in self.vectors

    def _is_read(self, printer: LoopPrinter, load: n.Load) -> bool:
        """Whether a load takes neighbours, or elements of an array of one axis at integers that were read."""
        if not isinstance(load.view.type, View) or not load.indices or load.view.name not in printer.views:
            return False
        *outer, last = load.indices
        view = printer.view(load.view)
        dense = view.strides[-1].text == str(load.view.type.element.size)
        if any(index == self.loop.index or self._differs(index) for index in outer) or not dense:
            return False
        if last == self.loop.index:
            return load.bounds == "safe"
        return not outer and self._differs(last) and _is_float(load.view.type.element) and last.type == PYINT

    # -------------------------------------------------------------------------------------------- printing

    def print_strip(self, printer: LoopPrinter, next_: str, on: str, total: Code) -> tuple[list[str], str]:
        """Print the lanes of a strip; gives the conditions under which it is to run one by one, and the new sums."""
        code = {self.loop.args[0].var.name: total.text}
        failing: list[str] = []
        for let in self.lets:
            if isinstance(let.value, n.Load):
                text = self._load(printer, let.value, (next_, on), code, failing)
            else:
                text = self._computed(printer, let, code)
            code[let.var.name] = printer.declare(let.var.stem, vector_of(let.var.type), text)
        result = self.loop.body.yields[0]
        return failing, code[result.name] if isinstance(result, n.Var) else ""

    def _load(
        self, printer: LoopPrinter, load: n.Load, strip: tuple[str, str], code: dict[str, str], failing: list[str]
    ) -> str:
        next_, on = strip
        view = printer.view(load.view)
        vector = vector_of(load.view.type.element)  # type: ignore[union-attr]
        if not self.is_gather(load):
            indices = [*(printer.simple(index) for index in load.indices[:-1]), Code(next_)]
            return f"some_{vector}(&{view.at(printer.dialect, indices).inside(UNARY)}, {on})"
        keys = code[load.indices[0].name]  # type: ignore[union-attr]
        inside = on
        if load.bounds != "safe":
            inside = printer.declare("inside", "uint8_t", f"inside_int64x8({keys}, {view.shape[0].text}) & {on}")
            failing.append(f"{inside} != {on}")
        return f"gather_some_{vector}(&{view.at(printer.dialect, [Code('0')]).inside(UNARY)}, {keys}, {inside})"

    def _computed(self, printer: LoopPrinter, let: n.Let, code: dict[str, str]) -> str:
        value, vector = let.value, vector_of(let.var.type)
        if isinstance(value, n.Cast):
            return f"__builtin_convertvector({_operand(printer, value.operand, code, vector)}, {vector})"
        if isinstance(value, n.Fma):
            operands = [_operand(printer, atom, code, vector) for atom in (value.a, value.b, value.c)]
            return f"fma_{vector}({', '.join(operands)})"
        assert isinstance(value, n.Binary)
        sign = {"add": "+", "sub": "-", "mul": "*"}[value.op]
        return f" {sign} ".join(_operand(printer, atom, code, vector) for atom in (value.left, value.right))


def _operand(printer: LoopPrinter, atom: n.Atom, code: dict[str, str], vector: str) -> str:
    """A vector, of a number that is the same in all lanes too."""
    if isinstance(atom, n.Var) and atom.name in code:
        return code[atom.name]
    return f"splat_{vector}({printer.simple(atom).text})"


def vector_of(type: object) -> str:
    """The C type of eight values."""
    assert isinstance(type, Scalar)
    return f"{'int64' if type == PYINT else type.name}x{LANES}"


def _is_float(type: object) -> bool:
    return isinstance(type, Scalar) and type.name in FLOATS


def _widens(source: Scalar, target: Scalar) -> bool:
    """Whether a conversion changes no number: of an integer to an index, or of a float to one as large or larger."""
    return target.size >= source.size and source.kind == target.kind and (target == PYINT or target.kind == "f")
