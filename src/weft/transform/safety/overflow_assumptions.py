"""Totals: assumes that loops are short enough for the sums that they carry to fit in 64 bits.

``total += int(pixel)`` adds at most 255 each time, and ``count += 1`` one; no array is so long that these overflow.
Where every addition to a carried Python integer lies between constants, the trips of the loops around it, which are
known at the call, bound the total; that is assumed, and the additions lose their checks. So do conversions of totals,
or of their quotients, to narrower integers: a mean of bytes is a byte. What is computed of counters, as in
``i * i`` and ``(7 * i + j) % m``, is at most what is computed of the ends of their loops. If an assumption
does not hold, the checked variant runs. Not done: products that are carried, sums of numbers that may be as large as
64 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from weft.analysis.access.structure import Region
from weft.analysis.values.forms import is_integer
from weft.analysis.values.growth import LARGEST_TOTAL, Growth, Growths
from weft.analysis.values.linear import ZERO, Form
from weft.ir import nodes as n
from weft.ir.effects import cast_may_raise
from weft.ir.types import PYBOOL, PYFLOAT, PYINT, limits
from weft.ir.visit import Names, rewrite, walk
from weft.transform.emit import Emitter
from weft.transform.safety.hull import fits
from weft.transform.support import assume, ranges_of

SMALL = 2**32
"""A bound up to this one that is known while compiling is used; for larger ones the call looks for a smaller bound."""

MOST_ARITHMETIC = 8
"""For how many operations on counters a program assumes at most that they fit: each is a test at the call."""

LARGEST_EXACT = 2**52
"""Below it floating-point numbers, their sums and products are exact integers."""


def overflow_assumptions(program: n.Program) -> n.Program:
    """Clear the checks of sums that loops carry, and of conversions of the sums."""
    checked = {s.var.name: s for s in walk(program.body) if isinstance(s, n.Let) and _is_checked(s)}
    if not checked:
        return program
    ranges = ranges_of(program)
    names = Names.of(program)
    emitter = Emitter(ranges.structure, ranges.structure.root, 0, names, program.location)
    work = _Assumption(Growths(ranges), emitter)
    work.additions({name for name, let in checked.items() if isinstance(let.value, n.Binary)})
    for let in checked.values():
        work.conversion(let)
    work.arithmetic()
    if not work.cleared:
        return program
    body = rewrite(program.body, lambda s: _cleared(s) if isinstance(s, n.Let) and s.var.name in work.cleared else s)
    return assume(replace(program, body=body), tuple(emitter.statements), work.condition, names)


def _is_checked(let: n.Let) -> bool:
    """Whether this is a checked addition, or a checked conversion to fewer bits."""
    value = let.value
    if isinstance(value, n.Binary):
        return value.op in ("add", "sub", "mul") and value.checked and let.var.type == PYINT
    narrows = isinstance(value, n.Cast) and value.checked and value.operand.type == PYINT and is_integer(let.var.type)
    return narrows and cast_may_raise(PYINT, let.var.type)


def _cleared(let: n.Let) -> n.Let:
    assert isinstance(let.value, (n.Binary, n.Cast))
    return replace(let, value=replace(let.value, checked=False))


@dataclass
class _Assumption:
    """The condition under which totals fit, and the operations that need no check then."""

    growths: Growths
    emitter: Emitter

    def __post_init__(self) -> None:
        self.condition: n.Atom = n.Const(True, PYBOOL)
        self.cleared: set[str] = set()
        self.arithmetics: set[str] = set()

    def additions(self, checked: set[str]) -> None:
        """Totals fit in 64 bits."""
        for growth in self.growths.all():
            if growth.additions & checked:
                size = self._sum(growth, lambda low, high: max(-low, high))
                if size is not None:
                    self._assume(size, self._number(LARGEST_TOTAL))
                    self.cleared |= growth.additions

    def conversion(self, let: n.Let) -> None:
        """A total, or its quotient, fits in a narrower type."""
        if not isinstance(let.value, n.Cast):
            return
        total, divisor = self._quotient(let.value.operand)
        found = self.growths.total(total)
        if found is None or divisor is None:
            return
        (least, most), growth = found
        low, high = limits(let.var.type)
        up = self._sum(growth, lambda _, step: step)
        down = self._sum(growth, lambda step, _: -step)
        by = self._float(divisor)
        if up is None or down is None or by is None:
            return
        # low * divisor <= least - down, and most + up <= high * divisor + divisor - 1
        for size in (up, down, by):
            self._assume(size, self._number(LARGEST_EXACT))
        self._assume(self._binary("add", up, self._number(most + 1)), self._binary("mul", by, self._number(high + 1)))
        self._assume(self._binary("add", down, self._number(-least)), self._binary("mul", by, self._number(-low)))
        self.cleared.add(let.var.name)

    def arithmetic(self) -> None:
        """What loops compute of their counters fits in 64 bits, where the ends of the loops say so."""
        ranges = self.growths.ranges
        for site in ranges.structure.root.sites():
            let = site.statement
            if not site.region.loops or not isinstance(let, n.Let) or not isinstance(let.value, n.Binary):
                continue
            if _is_checked(let) and let.var.name not in self.cleared and len(self.arithmetics) < MOST_ARITHMETIC:
                size = self._size(let.var, site.region)
                if size is not None and not isinstance(size, n.Const):
                    self._assume(size, self._number(LARGEST_TOTAL))
                    self.cleared.add(let.var.name)
                    self.arithmetics.add(let.var.name)

    def _size(self, atom: n.Atom, region: Region, depth: int = 6) -> n.Atom | None:
        """A floating-point number that is at least the absolute value of a Python integer; None where the call does
        not know one."""
        ranges = self.growths.ranges
        low, high = ranges.interval(atom, region)
        if low is not None and high is not None and max(-low, high) <= SMALL:
            return self._number(max(-low, high))
        if isinstance(atom, n.Const) or depth == 0:
            return None
        definition = ranges.structure.definition(atom)
        if definition.kind == "index":
            loop = definition.region.loops[-1].node
            assert isinstance(loop, n.For)
            ends = [self._size(end, definition.region.loops[-1].region, depth - 1) for end in (loop.start, loop.stop)]
            return self._largest(*ends)
        value = definition.value
        if isinstance(value, n.Binary) and value.left.type == PYINT and value.right.type == PYINT:
            left, right = (self._size(side, definition.region, depth - 1) for side in (value.left, value.right))
            if value.op == "mod":
                return right
            if value.op in ("floordiv", "shr"):
                return left
            if left is None or right is None:
                return None
            if value.op in ("min", "max"):
                return self._largest(left, right)
            if value.op in ("add", "sub", "mul"):
                return self._product_or_sum("mul" if value.op == "mul" else "add", left, right)
            return None
        form = ranges.forms.of(atom)
        if form.symbols != {atom.name} and not isinstance(value, n.Dim):
            return None
        number = self._float(form)
        negative = number and self._binary("sub", self._number(0), number)
        return number if isinstance(value, n.Dim) else self._largest(number, negative)

    def _product_or_sum(self, op: n.BinaryOp, left: n.Atom, right: n.Atom) -> n.Atom:
        if isinstance(left, n.Const) and isinstance(right, n.Const):
            a, b = left.value, right.value
            return n.Const(a * b if op == "mul" else a + b, PYFLOAT)
        return self._binary(op, left, right)

    def _largest(self, left: n.Atom | None, right: n.Atom | None) -> n.Atom | None:
        if left is None or right is None:
            return None
        if isinstance(left, n.Const) and isinstance(right, n.Const):
            return left if left.value >= right.value else right  # type: ignore[operator]
        zero = self._number(0)
        return left if right == zero else right if left == zero else self._binary("max", left, right)

    def _assume(self, left: n.Atom, right: n.Atom) -> None:
        """One number is at most another."""
        condition = self.emitter.compare("le", left, right)
        self.condition = self.emitter.both((self.condition, condition))

    def _sum(self, growth: Growth, size: Callable[[int, int], int]) -> n.Atom | None:
        """A growth as a floating-point number, with a size for each step; None where the call does not know it."""
        total: n.Atom = self._number(0)
        for (low, high), factors in growth.terms:
            term: n.Atom = self._number(size(low, high))
            for trips in factors if size(low, high) else ():
                number = self._float(trips)
                if number is None:
                    return None
                term = self._binary("mul", term, self._binary("max", number, self._number(0)))
            total = self._binary("add", total, term)
        return total

    def _quotient(self, atom: n.Atom) -> tuple[n.Atom, Form | None]:
        """The two sides of a division, or an atom and 1; None for a divisor that may not be positive, or overflow."""
        value = self.growths.structure.definition(atom).value if isinstance(atom, n.Var) else None
        if not isinstance(value, n.Binary) or value.op != "floordiv" or value.right.type != PYINT:
            return atom, ZERO + 1
        ranges = self.growths.ranges
        divisor = ranges.forms.of(value.right)
        suits = ranges.nonnegative(divisor - 1, ranges.structure.root) and fits(divisor, ranges)
        return value.left, divisor if suits else None

    def _float(self, form: Form) -> n.Atom | None:
        atom = self.emitter.form(form)
        if atom is None or isinstance(atom, n.Const):
            return None if atom is None else self._number(int(atom.value))  # type: ignore[arg-type]
        return self.emitter.let(n.Cast(atom, checked=False), PYFLOAT)

    @staticmethod
    def _number(value: int) -> n.Const:
        return n.Const(float(value), PYFLOAT)

    def _binary(self, op: n.BinaryOp, left: n.Atom, right: n.Atom) -> n.Atom:
        if op == "mul" and isinstance(left, n.Const) and left.value == 1:
            return right
        return self.emitter.let(n.Binary(op, left, right, checked=False), PYFLOAT)
