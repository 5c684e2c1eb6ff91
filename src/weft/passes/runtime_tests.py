"""Tests before loops: conditions on sizes, offsets and index arrays as statements. No pass itself."""

from __future__ import annotations

from collections.abc import Sequence

from weft.analysis.conditions import AnyOf, Condition, NonNegative, NonZero, Sorted
from weft.analysis.linear import ZERO, Form, extent
from weft.analysis.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, Scalar, View
from weft.passes.emit import Emitter
from weft.passes.hull import limit_of, unlimited
from weft.passes.peel import Copies

TRUE, FALSE = n.Const(True, PYBOOL), n.Const(False, PYBOOL)


class Tests:
    """Emits tests at one place of a program; a test that cannot be made there is the constant False."""

    def __init__(self, emitter: Emitter, ranges: Ranges, copies: Copies) -> None:
        self.emitter = emitter
        self.ranges = ranges
        self.copies = copies

    def all(self, conditions: Sequence[Condition]) -> n.Atom:
        """Whether all conditions hold."""
        result: n.Atom = TRUE
        for condition in conditions:
            test = self.one(condition)
            if test == FALSE:
                return FALSE
            result = self.emitter.both(result, test)
        return result

    def one(self, condition: Condition) -> n.Atom:
        """Whether a condition holds; nothing is emitted for one that takes a replay."""
        if isinstance(condition, NonNegative):
            return self._not_negative(condition.form)
        if isinstance(condition, NonZero):
            return self._nonzero(condition.form)
        if isinstance(condition, Sorted):
            return self._sorted(condition)
        if isinstance(condition, AnyOf):
            either: n.Atom = FALSE
            for option in condition.options:
                either = self.emitter.either(either, self.one(option))
            return either
        return FALSE

    def _not_negative(self, form: Form) -> n.Atom:
        return self.emitter.case((form,), self.ranges)

    def _value(self, form: Form) -> tuple[n.Atom, n.Atom] | None:
        """The value of a form, and whether it was computed without overflow."""
        value = self.emitter.form(form)
        return None if value is None else (value, self.emitter.limited(unlimited(form, self.ranges), limit_of(form)))

    def _nonzero(self, form: Form) -> n.Atom:
        found = self._value(form)
        if found is None:
            return FALSE
        return self.emitter.both(found[1], self.emitter.let(n.Compare("ne", found[0], n.Const(0)), PYBOOL))

    def _sorted(self, condition: Sorted) -> n.Atom:
        """Whether the elements never decrease, and all that are looked at exist."""
        name = condition.array.name
        last = extent(name, condition.axis) - 1
        low, high = condition.low or ZERO, last if condition.high is None else condition.high
        inside = self.emitter.both(self._not_negative(low), self._not_negative(last - high))
        for axis, form in enumerate(condition.indices):
            if form is not None:
                inside = self.emitter.both(inside, self._not_negative(form))
                inside = self.emitter.both(inside, self._not_negative(extent(name, axis) - 1 - form))
        first, final = self._value(low), self._value(high)
        others = [None if form is None else self.emitter.form(form) for form in condition.indices]
        if inside == FALSE or first is None or final is None:
            return FALSE
        inside = self.emitter.both(inside, self.emitter.both(first[1], final[1]))
        result = self.copies.names.fresh("sorted", PYBOOL)
        rises = self._rises(condition.array, first[0], final[0], others)
        self.emitter.statements.append(n.If(inside, rises, n.Block((), (FALSE,)), (result,), self.emitter.location))
        return result

    def _rises(self, array: n.Var, low: n.Atom, high: n.Atom, others: Sequence[n.Atom | None]) -> n.Block:
        """A loop over neighbours along an axis, which ends where the second is smaller."""
        assert isinstance(array.type, View) and isinstance(array.type.element, Scalar)
        location, names = self.emitter.location, self.copies.names
        index, alive, result = names.fresh("k", PYINT), names.fresh("rises", PYBOOL), names.fresh("rises", PYBOOL)
        following = self.copies.let(n.Binary("add", index, n.Const(1), False), PYINT, location)
        loads = []
        for place in (index, following.var):
            indices = tuple(place if other is None else other for other in others)
            loads.append(self.copies.let(n.Load(array, indices, "safe"), array.type.element, location, array.stem))
        rises = self.copies.let(n.Compare("le", loads[0].var, loads[1].var), PYBOOL, location, "rises")
        body = n.Block((following, *loads, rises), (rises.var,))
        args = (n.LoopArg(alive, TRUE),)
        loop = n.For(self.copies.labels.fresh("k"), index, low, high, body, args, (result,), 0, location=location)
        return n.Block((loop,), (result,))
