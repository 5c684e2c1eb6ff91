"""Bounds: indices that are proven to be inside their arrays are no longer tested, one by one.

The proof may rest on conditions of the sizes and numbers that the program is given: they become part of its assumption,
and where it does not hold at a call, the checked variant runs instead. The conditions are for whole loops: the hull of
an index over the iterations, with the branches around it. A loop that does not run puts no condition. Indices that are
proven negative become what they mean, counted from the beginning, and so do those of both signs that are proven to be
inside. What else hangs on values that are computed, and other indices of both signs, stay as they are; of an index
that is proven not to be negative only the upper bound is tested.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from weft.analysis.access.structure import Path, Region, Site, Structure
from weft.analysis.values.linear import Extent, Form
from weft.analysis.values.ranges import OPPOSITE, Ranges, comparison_facts
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT
from weft.ir.visit import Names
from weft.transform.emit import Emitter
from weft.transform.safety.hull import Case, Hull, fits, is_computable
from weft.transform.support import assume, for_each_body, ranges_of, replace_at


def bounds(program: n.Program, assuming: bool = True) -> n.Program:
    """Prove accesses to be inside; with `assuming`, also under conditions that are tested at the call."""
    names = Names.of(program)
    if not assuming:
        return for_each_body(program, lambda body, ranges: _Prover(ranges, names, frozenset()).proven(body))
    prover = _Prover(ranges_of(program), names, frozenset(p.var.name for p in program.params))
    body = prover.proven(program.body)
    functions = for_each_body(replace(program, body=n.Block()), lambda b, r: _Prover(r, names, frozenset()).proven(b))
    changed = replace(program, body=body, functions=functions.functions)
    assuming_more = assuming_conditions(changed, prover.conditions, names)
    if assuming_more.assumption is program.assumption:
        return assuming_more
    return bounds(assuming_more, assuming=False)  # one loop's conditions may be all that another one needs


@dataclass(frozen=True)
class Condition:
    """All forms of one of `cases` are not negative, or one of the loops of `region` does not run."""

    cases: tuple[Case, ...]
    region: Region


@dataclass
class Indexing:
    """A view and the indices that fix axes of it: each with its axis."""

    view: n.Var
    indices: list[tuple[int, n.Atom]]
    bounds: n.Bounds


@dataclass
class _Prover:
    ranges: Ranges
    names: Names
    known: frozenset[str]
    conditions: list[Condition] = field(default_factory=list)

    def proven(self, body: n.Block) -> n.Block:
        changes: dict[Path, tuple[n.Statement, ...]] = {}
        for site in self.ranges.structure.root.sites():
            indexing = indexing_of(site.statement)
            if indexing is not None and indexing.indices and indexing.bounds in ("python", "check"):
                new = self._improved(site, indexing)
                if new is not None:
                    changes[site.path] = new
        return replace_at(body, changes)

    def _improved(self, site: Site, indexing: Indexing) -> tuple[n.Statement, ...] | None:
        emitter = Emitter(self.ranges.structure, site.region, site.position, self.names, site.statement.location)
        goals: list[Form] = []
        atoms: dict[int, n.Atom] = {}
        signed = False
        for axis, atom in indexing.indices:
            form, extent = self.ranges.forms.of(atom), self.ranges.forms.extent(indexing.view, axis)
            if self._is_negative(form, indexing.bounds, site.region):
                atoms[axis] = emitter.op("add", emitter.let(n.Dim(indexing.view, axis)), atom)
                form += extent
            elif indexing.bounds == "python" and self._counts_from_both_ends(form, extent, site.region):
                atoms[axis] = _from_the_beginning(emitter, atom, emitter.let(n.Dim(indexing.view, axis)))
                continue
            signed |= not self.ranges.nonnegative(form, site.region)
            goals += [form, extent - 1 - form]
        conditions = conditions_for(goals, site.region, self.ranges, self.known)
        if conditions is not None:
            self.conditions += conditions
            return (*emitter.statements, with_bounds(site.statement, "safe", atoms))
        if not signed and (indexing.bounds == "python" or atoms):
            return (*emitter.statements, with_bounds(site.statement, "check", atoms))
        return None

    def _counts_from_both_ends(self, form: Form, extent: Form, region: Region) -> bool:
        """Whether an index is known to be inside, and may be of both signs: so may ``j - 1``, and what an array holds
        and the program tested."""
        inside = all(self.ranges.nonnegative(goal, region) for goal in (form + extent, extent - 1 - form))
        return inside and not self.ranges.nonnegative(form, region)

    def _is_negative(self, form: Form, bounds: n.Bounds, region: Region) -> bool:
        return bounds == "python" and self.ranges.nonnegative(-form - 1, region)


def _from_the_beginning(emitter: Emitter, index: n.Atom, extent: n.Atom) -> n.Atom:
    """What an index means, which may count from the end."""
    return emitter.select(emitter.compare("lt", index, 0), emitter.op("add", extent, index), index)


def conditions_for(goals: list[Form], region: Region, ranges: Ranges, known: frozenset[str]) -> list[Condition] | None:
    """What must hold for all goals to be reached in a region; None where that cannot be tested at the call."""
    found = Hull(ranges, region, lambda symbol: is_computable(symbol, known.__contains__)).conditions(goals)
    if found is None or not all(fits(form, ranges) for cases in found for case in cases for form in case):
        return None
    at_most_once = _at_most_once(region, ranges)
    if any(all(any(_is_for_one(form, at_most_once) for form in case) for case in cases) for cases in found):
        return None
    return [Condition(cases, region) for cases in found]


def _at_most_once(region: Region, ranges: Ranges) -> list[Form]:
    """For each loop around a region, a form that is not negative only where the loop runs at most once."""
    of = ranges.forms.of
    return [of(loop.node.start) - of(loop.node.stop) + 1 for loop in region.loops if isinstance(loop.node, n.For)]


def _is_for_one(form: Form, at_most_once: list[Form]) -> bool:
    """Whether a form is not negative only for a size of one or zero, or where a loop hardly runs at all.

    A variant that assumes it hardly ever runs: a list that loops append to is not assumed to stay as it begins.
    """
    if any(_implies(form, once) for once in at_most_once):
        return True
    rest = form - form.constant
    if not all(isinstance(name, Extent) for name in rest.symbols):
        return False
    coefficients = list(rest.terms.values())
    return len(coefficients) == 1 and coefficients[0] < 0 and form.constant < -2 * coefficients[0]


def _implies(form: Form, other: Form) -> bool:
    """Whether a form is not negative only where another one is not: they differ in a positive factor and a constant."""
    monomial = next((m for m in other.terms if m), None)
    if monomial is None or form.terms.get(monomial, 0) * other.terms[monomial] <= 0:
        return False
    more = (other * abs(form.terms[monomial]) - form * abs(other.terms[monomial])).value
    return more is not None and more >= 0


def indexing_of(statement: n.Statement) -> Indexing | None:
    """The indices of an access, or of a subview that fixes axes; None for other statements."""
    access = statement.value if isinstance(statement, n.Let) else statement
    if isinstance(access, (n.Load, n.Store, n.Update)):
        return Indexing(access.view, list(enumerate(access.indices)), access.bounds)
    if isinstance(access, n.Subview):
        return Indexing(access.view, list(_fixed(access)), access.bounds)
    return None


def _fixed(view: n.Subview) -> Iterator[tuple[int, n.Atom]]:
    """The axes that an integer fixes."""
    axis = 0
    for item in view.axes:
        if isinstance(item, (n.Var, n.Const)):
            yield axis, item
        axis += item is not None


def with_bounds(statement: n.Statement, bounds: n.Bounds, atoms: dict[int, n.Atom]) -> n.Statement:
    """The statement with other bounds, and other indices on some axes."""
    if isinstance(statement, n.Let) and isinstance(statement.value, n.Subview):
        return replace(statement, value=replace(statement.value, axes=_axes(statement.value, atoms), bounds=bounds))
    if isinstance(statement, n.Let):
        assert isinstance(statement.value, n.Load)
        indices = tuple(atoms.get(k, a) for k, a in enumerate(statement.value.indices))
        return replace(statement, value=replace(statement.value, indices=indices, bounds=bounds))
    assert isinstance(statement, (n.Store, n.Update))
    return replace(statement, indices=tuple(atoms.get(k, a) for k, a in enumerate(statement.indices)), bounds=bounds)


def _axes(view: n.Subview, atoms: dict[int, n.Atom]) -> tuple[n.Atom | n.Slice | None, ...]:
    axes: list[n.Atom | n.Slice | None] = []
    axis = 0
    for item in view.axes:
        axes.append(item if item is None else atoms.get(axis, item) if not isinstance(item, n.Slice) else item)
        axis += item is not None
    return tuple(axes)


# ---------------------------------------------------------------------------------------------- the assumption


def assuming_conditions(program: n.Program, conditions: list[Condition], names: Names) -> n.Program:
    """The program that assumes these conditions, too."""
    if not conditions:
        return program
    ranges = ranges_of(program)
    structure = Structure((p.var for p in program.params), n.Block())
    emitter = Emitter(structure, structure.root, 0, names, program.location)
    total: n.Atom = n.Const(True, PYBOOL)
    for condition in _strongest(conditions, ranges):
        total = emitter.both((total, _test(condition, ranges, emitter)))
    return assume(program, tuple(emitter.statements), total, names)


def _strongest(conditions: list[Condition], ranges: Ranges) -> list[Condition]:
    """Conditions without those that others imply: equal up to the constants, stronger, and asked wherever they are."""
    best: dict[object, list[tuple[Condition, frozenset[Form]]]] = {}
    for condition in conditions:
        excused = frozenset(_excluding(condition.region, ranges))
        same = best.setdefault(tuple(tuple(form - form.constant for form in case) for case in condition.cases), [])
        if not any(others <= excused and _is_stronger(other, condition) for other, others in same):
            same[:] = [(c, e) for c, e in same if not (excused <= e and _is_stronger(condition, c))]
            same.append((condition, excused))
    return [condition for same in best.values() for condition, _ in same]


def _is_stronger(one: Condition, other: Condition) -> bool:
    return all(a <= b for a, b in zip(_constants(one), _constants(other), strict=True))


def _constants(condition: Condition) -> list[int]:
    return [form.constant for case in condition.cases for form in case]


def _test(condition: Condition, ranges: Ranges, emitter: Emitter) -> n.Atom:
    result: n.Atom = n.Const(False, PYBOOL)
    for case in (*condition.cases, *_empty(condition, ranges)):
        result = emitter.either(result, emitter.case(case, ranges))
    return result


def _empty(condition: Condition, ranges: Ranges) -> Iterator[Case]:
    """Cases in which a loop or branch does not run; only of those where the condition does not hold then anyway."""
    for empty in _excluding(condition.region, ranges):
        if empty.value is not None or not fits(empty, ranges):
            continue
        where_empty = ranges.prover(ranges.structure.root).extended((empty,))
        if not any(all(map(where_empty.nonnegative, case)) for case in condition.cases):
            yield (empty,)


def _excluding(region: Region, ranges: Ranges) -> Iterator[Form]:
    """Forms of which none is negative only where a region does not run: of the loops and comparisons around it."""
    of = ranges.forms.of
    for loop in region.loops:
        if isinstance(loop.node, n.For):
            yield of(loop.node.start) - of(loop.node.stop)
    for inner in region.chain():
        if isinstance(inner.owner, n.If) and isinstance(inner.owner.condition, n.Var):
            test = ranges.structure.definition(inner.owner.condition).value
            if isinstance(test, n.Compare) and test.left.type == test.right.type == PYINT:
                op = OPPOSITE[test.op] if inner.number == 0 else test.op
                facts = list(comparison_facts(op, of(test.left) - of(test.right)))
                yield from facts if len(facts) == 1 else ()
