"""Tests before loops: conditions on sizes, offsets and index arrays as statements. No pass itself."""

from __future__ import annotations

from collections.abc import Sequence

from weft.analysis.access.structure import Loop
from weft.analysis.dependence.conditions import AnyOf, Condition, NonNegative, NonZero, Sorted
from weft.analysis.values.linear import ZERO, Element, Form, extent, run_of
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.types import BOOL, PYBOOL, PYINT, UINT64, Scalar, View
from weft.transform.emit import Emitter
from weft.transform.peel import Copies
from weft.transform.safety.hull import LARGE, limit_of, unlimited

TRUE, FALSE = n.Const(True, PYBOOL), n.Const(False, PYBOOL)


class Tests:
    """Emits tests at one place of a program; a test that cannot be made there is the constant False."""

    def __init__(self, emitter: Emitter, ranges: Ranges, copies: Copies, loop: Loop) -> None:
        self.emitter = emitter
        self.ranges = ranges
        self.copies = copies
        self.unwritten = {"", *(run_of(outer.label) for outer in (*loop.around, loop))}
        self._known: dict[object, n.Atom] = {}

    def all(self, conditions: Sequence[Condition]) -> n.Atom:
        """Whether all conditions hold."""
        result: n.Atom = TRUE
        for condition in conditions:
            test = self.one(condition)
            if test == FALSE:
                return FALSE
            result = self.emitter.both((result, test))
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
        loaded = self._loaded(form)
        return FALSE if loaded == FALSE else self.emitter.both((loaded, self.emitter.case((form,), self.ranges)))

    def _loaded(self, form: Form) -> n.Atom:
        """Whether the elements that a form is made of exist; they are loaded."""
        result: n.Atom = TRUE
        for found in sorted(s for s in form.symbols if isinstance(s, Element)):
            if found not in self._known:
                self._known[found] = self._element(found)
            if self._known[found] == FALSE:
                return FALSE
            result = self.emitter.both((result, self._known[found]))
        return result

    def _element(self, found: Element) -> n.Atom:
        definition = self.ranges.structure.definitions.get(found.array)
        indices = [self.emitter.form(part) for part in found.parts]
        inside: n.Atom = TRUE
        for axis, part in enumerate(found.parts):
            for form in (part, extent(found.array, axis) - 1 - part):
                inside = self.emitter.both((inside, self.emitter.case((form,), self.ranges)))
        if definition is None or found.version not in self.unwritten or inside == FALSE or None in indices:
            return FALSE
        view = definition.var
        assert isinstance(view.type, View) and isinstance(view.type.element, Scalar)
        if view.type.element == UINT64:
            return FALSE
        location, stem = self.emitter.location, view.stem
        places = tuple(index for index in indices if index is not None)
        load = self.copies.let(n.Load(view, places, "safe"), view.type.element, location, stem)
        value = self.copies.let(n.Cast(load.var, False), PYINT, location, stem)
        result = self.copies.names.fresh(stem, PYINT)
        then, orelse = n.Block((load, value), (value.var,)), n.Block((), (n.Const(0),))
        self.emitter.statements.append(n.If(inside, then, orelse, (result,), location))
        self.emitter.given[found] = result
        return inside

    def _value(self, form: Form) -> tuple[n.Atom, n.Atom] | None:
        """The value of a form, and whether it was computed without overflow."""
        value = self.emitter.form(form)
        return None if value is None else (value, self.emitter.limited(unlimited(form, self.ranges), limit_of(form)))

    def _nonzero(self, form: Form) -> n.Atom:
        found = self._value(form)
        if found is None:
            return FALSE
        return self.emitter.both((found[1], self.emitter.let(n.Compare("ne", found[0], n.Const(0)), PYBOOL)))

    def _sorted(self, condition: Sorted) -> n.Atom:
        """Whether the elements never decrease, and all that are looked at exist."""
        name = condition.array.name
        last = extent(name, condition.axis) - 1
        low = ZERO if _says_nothing(condition.low) else condition.low or ZERO
        high = last if _says_nothing(condition.high) else condition.high or ZERO
        key = (name, condition.axis, condition.indices, low, high)
        if key not in self._known:
            self._known[key] = self._sorted_between(condition, low, high)
        return self._known[key]

    def _sorted_between(self, condition: Sorted, low: Form, high: Form) -> n.Atom:
        name = condition.array.name
        last = extent(name, condition.axis) - 1
        inside = self.emitter.both((self._not_negative(low), self._not_negative(last - high)))
        for axis, form in enumerate(condition.indices):
            if form is not None:
                inside = self.emitter.both((inside, self._not_negative(form)))
                inside = self.emitter.both((inside, self._not_negative(extent(name, axis) - 1 - form)))
        first, final = self._value(low), self._value(high)
        others = [None if form is None else self.emitter.form(form) for form in condition.indices]
        if inside == FALSE or first is None or final is None:
            return FALSE
        inside = self.emitter.both((inside, self.emitter.both((first[1], final[1]))))
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
        compared = self.copies.let(n.Compare("le", loads[0].var, loads[1].var), BOOL, location)
        rises = self.copies.let(n.Cast(compared.var, False), PYBOOL, location, "rises")
        body = n.Block((following, *loads, compared, rises), (rises.var,))
        args = (n.LoopArg(alive, TRUE),)
        loop = n.For(self.copies.labels.fresh("k"), index, low, high, body, args, (result,), 0, location=location)
        return n.Block((loop,), (result,))


def _says_nothing(bound: Form | None) -> bool:
    """Whether the bound of an index is none, or one of its type."""
    return bound is None or (bound.value is not None and abs(bound.value) >= LARGE)
