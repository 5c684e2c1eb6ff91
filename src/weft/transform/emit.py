"""Turns linear forms back into statements, and repeats the computation of a value for another iteration."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from dataclasses import replace

from weft.analysis.access.structure import Region, Structure
from weft.analysis.values.linear import Extent, Form, Monomial, Positive, Quotient
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.scribe import FALSE, TRUE, Scribe
from weft.ir.types import PYINT, Scalar, Type
from weft.ir.visit import Names, atoms_of, substitute
from weft.transform.safety.hull import limit_of, unlimited
from weft.transform.support import assume


def assuming(program: n.Program, forms: Collection[Form], ranges: Ranges, names: Names) -> n.Program:
    """The program that assumes, too, that none of some forms of its arguments is negative."""
    if not forms:
        return program
    structure = Structure((p.var for p in program.params), n.Block())
    emitter = Emitter(structure, structure.root, 0, names, program.location)
    condition = emitter.case(forms, ranges)
    return assume(program, tuple(emitter.statements), condition, names)


class Emitter(Scribe):
    """Collects the statements that compute values at one place of a program; equal expressions share a variable.

    Parameters
    ----------
    structure
        The code that the forms are about.
    region, position
        Before which statement of which block they will stand; a form is emitted if all that it needs is defined there.
    names
        Fresh names.
    location
        Given to the statements.

    `given` may hold the variables of symbols that are not computed. Python integers are computed without checks, modulo
    2**64: who emits knows that the result fits.
    """

    def __init__(self, structure: Structure, region: Region, position: int, names: Names, location: Location) -> None:
        super().__init__(names, location)
        self.structure = structure
        self.region = region
        self.path = (*region.path, position)
        self.given: dict[str, n.Atom] = {}
        self._emitted: dict[object, n.Var] = {}

    def let(self, value: n.Expression, type: Type = PYINT, stem: str = "t") -> n.Var:
        """A variable with a value."""
        key = (value, type)
        if key not in self._emitted:
            self._emitted[key] = super().let(value, type, stem)
        return self._emitted[key]

    def form(self, form: Form) -> n.Atom | None:
        """The value of a form, or None where it cannot be computed here."""
        positive = [(m, c) for m, c in form.terms.items() if m and c > 0]
        negative = [(m, c) for m, c in form.terms.items() if m and c < 0]
        total: n.Atom = n.Const(form.constant)
        if negative or form.constant < 0:
            total = n.Const(0)
        for monomial, factor in positive:
            term = self._term(monomial, factor)
            if term is None:
                return None
            total = self.op("add", total, term)
        for monomial, factor in negative:
            term = self._term(monomial, -factor)
            if term is None:
                return None
            total = self.op("sub", total, term)
        if negative or form.constant < 0:
            return self._plus_constant(total, form.constant)
        return total

    def not_negative(self, form: Form) -> n.Atom | None:
        """Whether the value of a form is 0 or more; None where it cannot be computed here."""
        left = self.form(Form({m: c for m, c in form.terms.items() if c > 0}))
        right = self.form(Form({m: -c for m, c in form.terms.items() if c < 0}))
        if left is None or right is None:
            return None
        return self.compare("ge", left, right)

    def case(self, forms: Iterable[Form], ranges: Ranges) -> n.Atom:
        """Whether none of some forms is negative, and none overflows; False where that cannot be computed here."""
        result: n.Atom = TRUE
        for form in forms:
            small = self.limited(unlimited(form, ranges), limit_of(form))
            result = self.both((result, self.where(small, form)))
        return result

    def where(self, condition: n.Atom, form: Form) -> n.Atom:
        """Whether a condition holds and a form is not negative, which is computed only then."""
        if isinstance(condition, n.Const):
            test = self.not_negative(form) if condition.value else None
            return FALSE if test is None else test
        inner = copy(self)
        inner.statements, inner._emitted = [], dict(self._emitted)
        test = inner.not_negative(form)
        if test is None:
            return FALSE
        return self.holds(condition, inner.block((test,)))

    def holds(self, condition: n.Atom, then: n.Block) -> n.Atom:
        """The Boolean that a block yields, or False without running it where a condition does not hold."""
        (result,) = self.branch(condition, then, n.Block((), (FALSE,)), ("holds",))
        return result

    def limited(self, symbols: Iterable[str], limit: int) -> n.Atom:
        """Whether the values of some symbols are at most `limit` in size."""
        result: n.Atom = TRUE
        for atom in (self.form(Form({(symbol,): 1})) for symbol in symbols):
            if atom is None:
                return FALSE
            result = self.both((result, self.compare("le", atom, limit), self.compare("ge", atom, -limit)))
        return result

    def _plus_constant(self, total: n.Atom, constant: int) -> n.Atom:
        return self.op("sub", total, -constant) if constant < 0 else self.op("add", total, constant)

    def _term(self, monomial: Monomial, factor: int) -> n.Atom | None:
        product: n.Atom = n.Const(factor)
        for symbol in monomial:
            atom = self._symbol(symbol)
            if atom is None:
                return None
            product = self.op("mul", atom, product)
        return product

    def _symbol(self, symbol: str) -> n.Atom | None:
        if symbol in self.given:
            return self.given[symbol]
        if isinstance(symbol, Positive):
            inner = self.form(symbol.parts[0])
            return None if inner is None else self.op("max", inner, 0)
        if isinstance(symbol, Quotient):
            return self._quotient(*symbol.parts)
        if isinstance(symbol, Extent):
            view = self._visible(symbol.array)
            return None if view is None else self.let(n.Dim(view, symbol.axis))
        var = self._visible(symbol)
        if var is None or not isinstance(var.type, Scalar):
            return None
        if var.type == PYINT:
            return var
        if var.type.kind not in "iub" or (var.type.kind == "u" and var.type.bits == 64):
            return None
        return self.let(n.Cast(var))

    def _quotient(self, dividend: Form, divisor: Form) -> n.Atom | None:
        size, inner = divisor.value, self.form(dividend)
        if size is None or size <= 0 or inner is None:
            return None
        return self.op("floordiv", inner, size)

    def _visible(self, name: str) -> n.Var | None:
        definition = self.structure.definitions.get(name)
        if definition is None or not definition.region.contains(self.region):
            return None
        return definition.var if definition.position < self.path[len(definition.region.path)] else None


def slice_of(body: n.Block, atom: n.Atom, inside: Collection[str]) -> list[n.Let] | None:
    """The statements of a body from which a value follows, in order; None where they are not all plain `Let` of it.

    `inside` are the names that the loop defines, without its index.
    """
    definitions = {s.var.name: (k, s) for k, s in enumerate(body.statements) if isinstance(s, n.Let)}
    found: dict[str, tuple[int, n.Let]] = {}
    waiting: list[n.Atom] = [atom]
    while waiting:
        current = waiting.pop()
        if not isinstance(current, n.Var) or current.name not in inside or current.name in found:
            continue
        if current.name not in definitions:
            return None
        place, let = definitions[current.name]
        found[current.name] = (place, let)
        waiting.extend(atoms_of(let.value))
    return [let for _, let in sorted(found.values(), key=lambda item: item[0])]


def repeated(
    lets: Iterable[n.Let], values: Mapping[str, n.Atom], names: Names
) -> tuple[list[n.Statement], dict[str, n.Atom]]:
    """The same computation with other values; gives the statements, and the new names of what they define."""
    renaming: dict[str, n.Atom] = dict(values)
    statements: list[n.Statement] = []
    for let in lets:
        var = names.fresh(let.var.stem, let.var.type)
        statements.append(replace(let, var=var, value=substitute(let.value, renaming)))
        renaming[let.var.name] = var
    return statements, renaming
