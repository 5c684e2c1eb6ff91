"""What is known of integer values: bounds by other values, from loop bounds, branches, extents and types.

Facts are linear forms that are not negative. A fact of a region holds wherever the region runs; an inherent fact holds
of a variable or extent everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from weft.analysis.access.aliases import Aliases
from weft.analysis.access.structure import Definition, Loop, Region, Structure
from weft.analysis.values.forms import Forms, is_integer
from weft.analysis.values.intervals import constant_bounds
from weft.analysis.values.linear import (
    Derived,
    Element,
    Extent,
    Form,
    Positive,
    Quotient,
    constant,
    divisors,
    positive,
    symbol,
)
from weft.analysis.values.prover import Prover
from weft.ir import nodes as n
from weft.ir.types import PYINT, Type, View, limits

MOST_TRIES = 6
"""How often the facts of a symbol are looked for before what is there has to do."""

LARGEST_EXTENT = 2**62
"""Extents times the size of an element stay below this; the entry of a program tests it."""


class Ranges:
    """Bounds of the integer values of a program, and proofs from them.

    Parameters
    ----------
    structure
        The code.
    aliases
        Its storages; made when not given.
    assumed
        Forms that are not negative wherever the code runs.
    """

    def __init__(self, structure: Structure, aliases: Aliases | None = None, assumed: Iterable[Form] = ()) -> None:
        self.structure = structure
        self.assumed = tuple(assumed)
        self.aliases = aliases or Aliases(structure)
        self.forms = Forms(structure, self.aliases, self.nonnegative)
        self._facts: dict[Region, tuple[Form, ...]] = {}
        self._nonzero: dict[Region, frozenset[Form]] = {}
        self._provers: dict[Region, Prover] = {}
        self._answers: dict[tuple[Form, Region], bool] = {}
        self._inherent: dict[str, tuple[Form, ...]] = {}
        self.hulls: dict[object, Any] = {}
        """What `weft.analysis.values.hull` has found: stencils ask for the same one for many accesses."""
        # Facts may rest on facts that are just being looked for; then they are found without them, and not kept.
        self._busy: set[object] = set()
        self._partial: dict[str, list[Form]] = {}
        self._tries: dict[str, int] = {}
        self._cut = 0

    def nonnegative(self, form: Form, region: Region) -> bool:
        """Whether ``form >= 0`` is proven wherever a region runs."""
        value = form.value
        if value is not None:
            return value >= 0
        key = (form, region)
        if key not in self._answers:
            before = self._cut
            answer = self.prover(region).nonnegative(self.simplified(form, region))
            if not answer and not self._is_complete(before):
                return False
            self._answers[key] = answer
        return self._answers[key]

    def _is_complete(self, before: int) -> bool:
        """Whether what was found since `before` may be kept: nothing was left out because it was being looked for."""
        return self._cut == before or not self._busy

    def is_settled(self) -> bool:
        """Whether nothing is being looked for, so that what is found now is all that there is."""
        return not self._busy

    def runs(self, loop: Loop) -> bool:
        """Whether a loop is proven to have a first iteration wherever it stands."""
        if isinstance(loop.node, n.While):
            return False
        return self.nonnegative(self.forms.of(loop.node.stop) - self.forms.of(loop.node.start) - 1, loop.region)

    def nonzero(self, form: Form, region: Region) -> bool:
        """Whether ``form != 0`` is proven wherever a region runs."""
        return self.prover(region).nonzero(self.simplified(form, region))

    def proves(self, condition: n.Atom, region: Region) -> bool:
        """Whether a Boolean value is proven to be True wherever a region runs."""
        if isinstance(condition, n.Const):
            return bool(condition.value)
        value = self.structure.definition(condition).value
        if isinstance(value, n.Unary) and value.op == "not":
            return self.refutes(value.operand, region)
        if isinstance(value, n.Binary) and value.op in ("and", "or"):
            rule = all if value.op == "and" else any
            return rule(self.proves(side, region) for side in (value.left, value.right))
        return isinstance(value, n.Compare) and self._compared(value.op, value, region)

    def refutes(self, condition: n.Atom, region: Region) -> bool:
        """Whether a Boolean value is proven to be False wherever a region runs."""
        if isinstance(condition, n.Const):
            return not condition.value
        value = self.structure.definition(condition).value
        if isinstance(value, n.Unary) and value.op == "not":
            return self.proves(value.operand, region)
        if isinstance(value, n.Binary) and value.op in ("and", "or"):
            rule = any if value.op == "and" else all
            return rule(self.refutes(side, region) for side in (value.left, value.right))
        return isinstance(value, n.Compare) and self._compared(OPPOSITE[value.op], value, region)

    def _compared(self, op: str, value: n.Compare, region: Region) -> bool:
        if not (is_integer(value.left.type) and is_integer(value.right.type)):
            return False
        difference = self.forms.of(value.left) - self.forms.of(value.right)
        if op == "ne":
            return self.nonzero(difference, region)
        return all(self.nonnegative(fact, region) for fact in comparison_facts(op, difference))

    def interval(self, atom: n.Atom, region: Region) -> tuple[int | None, int | None]:
        """Constant bounds of an integer atom where a region runs; None where there is none."""
        form = self.simplified(self.forms.of(atom), region)
        prover = self.prover(region)
        low, high = constant_bound(prover, form), constant_bound(prover, -form)
        high = None if high is None else -high
        known = constant_bounds(atom, lambda var: self.structure.definition(var).value)
        if known is not None:
            low = known[0] if low is None else max(low, known[0])
            high = known[1] if high is None else min(high, known[1])
        return low, high

    def prover(self, region: Region) -> Prover:
        """The facts of a region, ready for proofs."""
        if region in self._provers:
            return self._provers[region]
        before = self._cut
        facts, excluded = self.facts(region), self.excluded(region)
        prover = Prover(facts, self.rank, lambda name: self.inherent_in(name, region), excluded, self.is_settled)
        if self._is_complete(before):
            self._provers[region] = prover
        return prover

    def simplified(self, form: Form, region: Region) -> Form:
        """The form with ``max(e, 0)`` replaced by what it is, where the sign of ``e`` is proven."""
        values: dict[str, Form] = {}
        for name in form.symbols:
            if isinstance(name, Positive):
                if self.nonnegative(name.parts[0], region):
                    values[name] = name.parts[0]
                elif self.nonnegative(-name.parts[0], region):
                    values[name] = constant(0)
        return self.simplified(form.substitute(values), region) if values else form

    def rank(self, name: str) -> float:
        """The order in which symbols are eliminated: what is defined later first, quotients of lengths before lengths.

        Quotients of elements stand beside these: a bound of what an array holds is no condition for a call.
        """
        if not isinstance(name, Derived):
            return self._order(name)
        of_lengths = all(isinstance(inner, Extent) for part in name.parts for inner in part.symbols)
        behind = 0.75 if isinstance(name, Quotient) and of_lengths else 0.5
        return max((self._order(inner) for inner in name.names()), default=-1) + behind

    def _order(self, name: str) -> float:
        definition = self.structure.definitions.get(name)
        return -1 if definition is None else definition.order

    def facts(self, region: Region) -> tuple[Form, ...]:
        """Forms that are not negative wherever a region runs."""
        if region in self._facts:
            return self._facts[region]
        inherited = self.assumed if region.parent is None else self.facts(region.parent)
        if region in self._busy:
            self._cut += 1
            return inherited
        before = self._cut
        self._busy.add(region)
        found = (*inherited, *self._own_facts(region), *self._passed(region))
        self._busy.discard(region)
        if self._is_complete(before):
            self._facts[region] = found
        return found

    def excluded(self, region: Region) -> frozenset[Form]:
        """Forms that are not zero wherever a region runs."""
        if region not in self._nonzero:
            found = frozenset() if region.parent is None else self.excluded(region.parent)
            for atom, truth in (*self._conditions(region), *self._survived(region)):
                found |= frozenset(self._unequal(atom, truth))
            self._nonzero[region] = found
        return self._nonzero[region]

    def _own_facts(self, region: Region) -> Iterator[Form]:
        if isinstance(region.owner, n.For):
            trips = self.forms.of(region.owner.stop) - self.forms.of(region.owner.start)
            yield trips - 1
            yield from self._factors(trips, region)
            (only, *others) = trips.terms or [()]
            if not others and len(only) == 1 and isinstance(only[0], Positive) and trips.terms[only] > 0:
                yield only[0].parts[0] - 1
        for atom, truth in self._conditions(region):
            yield from self.implied(atom, truth)

    def _factors(self, trips: Form, region: Region) -> Iterator[Form]:
        """Where a product of values that are not negative is positive, each of them is."""
        (only, *others) = trips.terms or [()]
        if others or len(only) < 2 or trips.terms[only] < 0 or region.parent is None:
            return
        factors = [symbol(name) for name in dict.fromkeys(only)]
        if all(self.nonnegative(factor, region.parent) for factor in factors):
            yield from (factor - 1 for factor in factors)

    @staticmethod
    def _conditions(region: Region) -> Iterator[tuple[n.Atom, bool]]:
        """What was decided for the region to run."""
        if isinstance(region.owner, n.If):
            yield region.owner.condition, region.number == 0
        elif isinstance(region.owner, n.While) and region.number == 1:
            yield region.owner.condition.yields[0], True

    def _passed(self, region: Region) -> Iterator[Form]:
        for atom, truth in self._survived(region):
            yield from self.implied(atom, truth)

    @staticmethod
    def _survived(region: Region) -> Iterator[tuple[n.Atom, bool]]:
        """What the region would not have been reached without: conditions of earlier branches that only raise."""
        if region.parent is None:
            return
        for statement in region.parent.block.statements[: region.position]:
            if isinstance(statement, n.If) and ends_in_raise(statement.then):
                yield statement.condition, False

    def implied(self, condition: n.Atom, truth: bool) -> Iterator[Form]:
        """Forms that are not negative where a Boolean value is as given."""
        for op, left, right in self._comparisons(condition, truth):
            yield from comparison_facts(op, self.forms.of(left) - self.forms.of(right))

    def _unequal(self, condition: n.Atom, truth: bool) -> Iterator[Form]:
        for op, left, right in self._comparisons(condition, truth):
            if op == "ne":
                yield self.forms.of(left) - self.forms.of(right)

    def _comparisons(self, condition: n.Atom, truth: bool) -> Iterator[tuple[str, n.Atom, n.Atom]]:
        """Comparisons of integers that all hold where a Boolean value is as given."""
        if not isinstance(condition, n.Var):
            return
        definition = self.structure.definitions.get(condition.name)
        value = None if definition is None else definition.value
        if isinstance(value, n.Compare):
            if is_integer(value.left.type) and is_integer(value.right.type):
                yield (value.op if truth else OPPOSITE[value.op]), value.left, value.right
        elif isinstance(value, n.Unary) and value.op == "not":
            yield from self._comparisons(value.operand, not truth)
        elif isinstance(value, n.Cast):
            yield from self._comparisons(value.operand, truth)
        elif isinstance(value, n.Binary) and value.op == ("and" if truth else "or"):
            yield from self._comparisons(value.left, truth)
            yield from self._comparisons(value.right, truth)
        elif definition is not None:
            yield from self._short_circuit(definition, truth)

    def _short_circuit(self, definition: Definition, truth: bool) -> Iterator[tuple[str, n.Atom, n.Atom]]:
        """``a and b`` that is True, or ``a or b`` that is False, when it was made of branches."""
        choice = branches_of(definition)
        if choice is None:
            return
        condition, then, orelse = choice
        decided, other = (orelse, then) if truth else (then, orelse)
        if isinstance(decided, n.Const) and bool(decided.value) != truth:
            yield from self._comparisons(condition, truth)
            yield from self._comparisons(other, truth)

    def inherent_in(self, name: str, region: Region) -> tuple[Form, ...]:
        """Facts of a symbol that hold wherever a region runs."""
        if not isinstance(name, Quotient):
            return self.inherent(name)
        if (name, region) in self._busy:
            self._cut += 1
            return ()
        self._busy.add((name, region))
        found = tuple(self._of_quotient(name, region))
        self._busy.discard((name, region))
        return found

    def inherent(self, name: str) -> tuple[Form, ...]:
        """Facts of a symbol that hold everywhere."""
        if name in self._inherent:
            return self._inherent[name]
        if name in self._busy:
            self._cut += 1
            return tuple(self._partial[name])
        before = self._cut
        self._busy.add(name)
        self._partial[name] = []
        for fact in self._inherent_facts(name):
            self._partial[name].append(fact)
        self._busy.discard(name)
        found = tuple(self._partial.pop(name))
        self._tries[name] = self._tries.get(name, 0) + 1
        if self._is_complete(before) or self._tries[name] >= MOST_TRIES:
            self._inherent[name] = found
        return found

    def _inherent_facts(self, name: str) -> Iterator[Form]:
        own = symbol(name)
        if isinstance(name, Extent):
            yield from (own, self._largest_extent(name) - own)
        elif isinstance(name, Positive):
            yield from (own, own - name.parts[0])
        elif isinstance(name, Quotient):
            yield from self._of_quotient(name, self.structure.root)
        elif isinstance(name, Element):
            yield from self._of_type(own, self._element_type(name))
        elif name in self.structure.definitions:
            yield from self._of_variable(own, self.structure.definitions[name])

    def _largest_extent(self, name: Extent) -> int:
        view = self.structure.definitions[name.array].var.type if name.array in self.structure.definitions else None
        return LARGEST_EXTENT // view.element.size if isinstance(view, View) else LARGEST_EXTENT

    def _element_type(self, name: Element) -> Type | None:
        view = self.structure.definitions[name.array].var.type if name.array in self.structure.definitions else None
        return view.element if isinstance(view, View) else None

    @staticmethod
    def _of_type(own: Form, type: Type | None) -> Iterator[Form]:
        if type is not None and is_integer(type):
            low, high = limits(type)
            yield from (own - low, high - own)

    def _of_quotient(self, name: Quotient, region: Region) -> Iterator[Form]:
        """Facts of a quotient that has a value: they say nothing of its divisor, whose test for zero may come later."""
        (dividend, divisor), own = name.parts, symbol(name)
        if divisor and self.nonnegative(divisor, region):
            yield from quotient_facts(name)
            if divisor.value is None and self.nonnegative(dividend, region):
                yield from (own, dividend - own)

    def _of_variable(self, own: Form, definition: Definition) -> Iterator[Form]:
        region = definition.region
        yield from self._of_type(own, definition.var.type)
        if definition.kind == "index":
            assert isinstance(definition.statement, n.For)
            yield from self.counter_facts(self.structure.loops[definition.statement.label])
        value = definition.value
        if isinstance(value, n.Binary) and value.op in ("min", "max") and is_integer(definition.var.type):
            for side in (self.forms.of(value.left), self.forms.of(value.right)):
                yield side - own if value.op == "min" else own - side
        elif isinstance(value, n.Unary) and value.op == "abs" and is_integer(definition.var.type):
            form = self.forms.of(value.operand)
            if definition.var.type == PYINT or self.nonnegative(form - limits(definition.var.type)[0] - 1, region):
                yield from (own, own - form, own + form)
        elif isinstance(value, n.Binary) and value.op == "shr":
            yield from self._of_shift(own, value)
        elif isinstance(value, n.Cast) and getattr(value.operand.type, "kind", "") == "b":
            yield from (own, 1 - own)
        elif definition.kind in ("argument", "result") and isinstance(definition.statement, (n.For, n.While)):
            yield from self._of_carried(own, definition)
        elif is_integer(definition.var.type):
            yield from self._of_choice(own, definition)

    def _of_shift(self, own: Form, value: n.Binary) -> Iterator[Form]:
        """A shift of lengths to the right keeps the sign.

        Of other numbers that would have to be proven, at every step of a search for the highest bit anew.
        """
        left = self.forms.of(value.left)
        is_plain = all(isinstance(name, Extent) for name in left.symbols) and min(left.terms.values(), default=0) >= 0
        if is_plain:
            yield from (own, left - own)

    def counter_facts(self, loop: Loop) -> tuple[Form, ...]:
        """The bounds of the counter of a loop."""
        if not isinstance(loop.node, n.For):
            return ()
        own = symbol(loop.node.index.name)
        return own - self.forms.of(loop.node.start), self.forms.of(loop.node.stop) - 1 - own

    def _of_choice(self, own: Form, definition: Definition) -> Iterator[Form]:
        """Bounds of a value that is one of two."""
        choice = branches_of(definition)
        if choice is None:
            return
        condition, then, orelse = choice[0], self.forms.of(choice[1]), self.forms.of(choice[2])
        if_true = self.assuming(definition.region, condition, True)
        if_false = self.assuming(definition.region, condition, False)
        sides = (then, True), (orelse, False)
        facts = [(side, fact) for side, truth in sides for fact in self.implied(condition, truth)]
        near = ((side, bound) for side, fact in facts for bound in (side + fact, side - fact))
        nearer = [bound for side, bound in near if bound.value is None and not side.names <= bound.names]
        outer = [bound for side in (then, orelse) for bound in self._known_bounds(side, definition.region)]
        for bound in dict.fromkeys((*outer, constant(0), *nearer)):
            if next(divisors(bound), None) is not None or not self._is_known_in(bound, definition.region):
                continue  # its value may be zero as a divisor, or not be computed at all, on the other side
            if if_true.nonnegative(then - bound) and if_false.nonnegative(orelse - bound):
                yield own - bound
            if if_true.nonnegative(bound - then) and if_false.nonnegative(bound - orelse):
                yield bound - own

    def _known_bounds(self, form: Form, region: Region) -> Iterator[Form]:
        """A form; where it names a value that is computed inside of a region, the bounds of that value in its place."""
        if self._is_known_in(form, region):
            yield form
            return
        for name in sorted(form.symbols):
            inner, step = self.structure.definitions.get(name), form.coefficient(name).value
            if inner is None or inner.region.contains(region) or step not in (1, -1):
                continue
            for fact in self.inherent(name):
                sign = fact.coefficient(name).value
                if sign in (1, -1):
                    yield form - fact * (sign * step)

    def _is_known_in(self, form: Form, region: Region) -> bool:
        """Whether all that a form depends on is computed before a region. Facts of a branch hold in it only."""
        definitions = (self.structure.definitions.get(name) for name in form.names)
        return all(definition is None or definition.region.contains(region) for definition in definitions)

    def assuming(self, region: Region, condition: n.Atom, truth: bool) -> Prover:
        """A prover with the facts of a region in which a condition has a given truth."""
        return self.prover(region).extended(self.implied(condition, truth))

    def _of_carried(self, own: Form, definition: Definition) -> Iterator[Form]:
        """Bounds of a carried value whose steps are bounded: by its start, and by how often the loop has run."""
        assert isinstance(definition.statement, (n.For, n.While))
        if not is_integer(definition.var.type):
            return
        loop = self.structure.loops[definition.statement.label]
        arg = loop.node.args[definition.place]
        init = self.forms.of(arg.init)
        least, most = self.steps(loop, definition.place)
        if least is not None and least >= 0:
            yield own - init
        if most is not None and most <= 0:
            yield init - own
        yield from self._replaced(own, loop, definition.place)
        if isinstance(loop.node, n.While):
            if most is not None and most > 0:
                yield from self._guarded(own, loop, definition.place, most)
            if least is not None and least < 0:
                yield from self._guarded(own, loop, definition.place, least)
        done = self._done(loop, definition)
        if done is not None:
            if least is not None and least < 0:
                yield own - init - done * least
            if most is not None and most > 0:
                yield init + done * most - own

    def _replaced(self, own: Form, loop: Loop, place: int) -> Iterator[Form]:
        """A value that is kept or replaced stays within the bounds of what it starts with and of what replaces it."""
        arg = loop.node.args[place]
        values = self._choices(loop.node.body.yields[place], arg.var, 8)
        if not values or not isinstance(loop.node, n.For):
            return
        init, largest = self.forms.of(arg.init), self.forms.of(loop.node.stop) - 1
        if all(self._holds(self.forms.of(value) - init, value, loop) for value in values):
            yield own - init
        below = (self._holds(largest - self.forms.of(value), value, loop) for value in values)
        if self.nonnegative(largest - init, loop.region) and all(below):
            yield largest - own

    def _holds(self, form: Form, value: n.Atom, loop: Loop) -> bool:
        region = loop.body if isinstance(value, n.Const) else self.structure.definition(value).region
        return self.nonnegative(form, region if loop.body.contains(region) else loop.body)

    def _choices(self, value: n.Atom, kept: n.Var, depth: int) -> list[n.Atom] | None:
        """The values that a value is one of, without the one that is kept; None where that is not how it is made."""
        if value == kept:
            return []
        choice = branches_of(self.structure.definition(value)) if isinstance(value, n.Var) else None
        if choice is None:
            return [value]
        if depth == 0:
            return None
        sides = [self._choices(side, kept, depth - 1) for side in choice[1:]]
        return None if sides[0] is None or sides[1] is None else sides[0] + sides[1]

    def _guarded(self, own: Form, loop: Loop, place: int, step: int) -> Iterator[Form]:
        """A value that grows only while it is below something ends at most one step beyond that, and the reverse."""
        arg = loop.node.args[place]
        init = self.forms.of(arg.init)
        sign = 1 if step > 0 else -1
        for fact in self._own_facts(loop.body):
            if fact.degree(arg.var.name) == 1 and fact.coefficient(arg.var.name).value == -sign:
                limit = symbol(arg.var.name) + sign * fact
                if not any(self.structure.is_inside(name, loop) for name in limit.names):
                    yield sign * (init - own) + positive(sign * (limit + step - init))

    def _done(self, loop: Loop, definition: Definition) -> Form | None:
        """At most how many iterations were finished when the variable got its value."""
        if not isinstance(loop.node, n.For):
            return None
        if definition.kind == "result":
            return self.forms.trips(loop)
        return symbol(loop.node.index.name) - self.forms.of(loop.node.start)

    def steps(self, loop: Loop, place: int) -> tuple[int | None, int | None]:
        """Constant bounds of what one iteration adds to a carried integer."""
        change = self.forms.open.of(loop.node.body.yields[place]) - symbol(loop.node.args[place].var.name)
        prover = self.prover(loop.body)
        low, high = constant_bound(prover, change), constant_bound(prover, -change)
        return low, None if high is None else -high


OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


def comparison_facts(op: str, difference: Form) -> Iterable[Form]:
    """Forms that are not negative where ``difference op 0`` holds, for integers."""
    if op == "eq":
        return (difference, -difference)
    if op in ("lt", "le"):
        return (-difference - (op == "lt"),)
    return (difference - (op == "gt"),) if op in ("gt", "ge") else ()


def branches_of(definition: Definition) -> tuple[n.Atom, n.Atom, n.Atom] | None:
    """Condition and alternatives of a value that is one of two."""
    statement, value = definition.statement, definition.value
    if isinstance(value, n.Select):
        return value.condition, value.then, value.orelse
    if isinstance(statement, n.If) and definition.kind == "result":
        place = definition.place
        return statement.condition, statement.then.yields[place], statement.orelse.yields[place]
    return None


def ends_in_raise(block: n.Block) -> bool:
    """Whether control never leaves a block in the ordinary way."""
    return bool(block.statements) and isinstance(block.statements[-1], n.Raise)


def constant_bound(prover: Prover, form: Form) -> int | None:
    """A constant that the form is proven not to be below; the largest that elimination finds."""
    bounds = prover.lower_bounds(form, lambda symbol: True)
    return max((bound.constant for bound in bounds), default=None)


def quotient_facts(own: Quotient) -> tuple[Form, Form]:
    """What is known of a quotient whose divisor is positive."""
    (dividend, divisor), value = own.parts, symbol(own)
    return dividend - divisor * value, divisor * value + divisor - 1 - dividend


def assumed(program: n.Program) -> tuple[Form, ...]:
    """Forms of the parameters that are not negative where the assumption of a program holds."""
    if program.assumption is None:
        return ()
    structure = Structure((p.var for p in program.params), program.assumption)
    return tuple(Ranges(structure).implied(program.assumption.yields[0], True))


def ranges(program: n.Program) -> Ranges:
    """The ranges of the integers of a program, under what it assumes."""
    structure = Structure.of(program)
    return Ranges(structure, Aliases(structure, program.overlaps), assumed(program))
