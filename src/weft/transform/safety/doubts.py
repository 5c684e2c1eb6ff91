"""Doubts: what is tested in a loop, and hangs on nothing that changes there, is tested before it.

The frontend emits tests of values that may have several types (see `weft.frontend.several_types.rechecks`). Where such
a test asks about the parameters only, as whether a `float32` holds a float, it is assumed that there is nothing to be
found, and the loop has no test left. Other arguments run the checked variant. Where a test asks about what was computed
before a loop, the loop stands twice, without the test and as it was. Errors that the user raises stay where they are,
but for those that only an empty array leads to: it is assumed that the array has elements. A value that is a Python
float before a loop, and NumPy's after it, divides as the former only if the loop does not run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from weft.analysis.access.structure import Loop, Path, Site, Structure
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.effects import is_repeatable, is_speculative
from weft.ir.location import Location
from weft.ir.types import PYBOOL
from weft.ir.visit import Names, atoms_of, walk
from weft.transform.emit import repeated
from weft.transform.peel import Copies
from weft.transform.support import assume, ranges_of, replace_at

SEVERAL_TYPES = "weft.errors:TypeInferenceError"
MOST_OPERATIONS = 60
MOST_STATEMENTS = 120
"""Larger loops are not put into the program twice."""


def doubts(program: n.Program) -> n.Program:
    """Assume that tests of parameters find nothing, and test before loops what these do not change."""
    if not any(_is_test(statement) or _is_error(statement) for statement in walk(program.body)):
        return program
    return _versioned(_assumed(program))


def _assumed(program: n.Program) -> n.Program:
    ranges = ranges_of(program)
    given = {parameter.var.name for parameter in program.params}
    found = Tests(ranges)
    for site, condition in _tests(ranges):
        found.take(site, condition, given.__contains__)
    for site in ranges.structure.root.sites():
        if site.region.loops and _is_error(site.statement):
            for condition in _emptiness(site.statement, ranges.structure):
                if found.take(site, condition, given.__contains__):
                    break
    names = Names.of(program)
    statements, holds = found.emitted(names, program.location)
    return assume(replace(program, body=replace_at(program.body, found.removed)), tuple(statements), holds, names)


def _versioned(program: n.Program) -> n.Program:
    """Loops whose tests hang on what they do not change stand twice: without these tests, and as they were."""
    ranges = ranges_of(program)
    wanted: dict[str, tuple[Loop, Tests]] = {}
    for site, condition in _tests(ranges):
        for loop in site.region.loops:
            found = wanted[loop.label][1] if loop.label in wanted else Tests(ranges)
            if _is_small(loop) and found.take(site, condition, _outside(ranges, loop)):
                wanted[loop.label] = loop, found
                break
    copies, changes = Copies(program), {}
    for loop, found in wanted.values():
        if not any(outer.label in wanted for outer in loop.around):
            changes[loop.path] = _both_versions(loop, found, copies)
    return replace(program, body=replace_at(program.body, changes)) if changes else program


def _tests(ranges: Ranges) -> Iterator[tuple[Site, n.Var]]:
    """The tests in loops, with their conditions."""
    for site in ranges.structure.root.sites():
        statement = site.statement
        if site.region.loops and _is_test(statement) and isinstance(statement, n.If):
            assert isinstance(statement.condition, n.Var)
            yield site, statement.condition


def _is_small(loop: Loop) -> bool:
    return isinstance(loop.node, n.For) and sum(1 for _ in walk(loop.node.body)) <= MOST_STATEMENTS


def _outside(ranges: Ranges, loop: Loop) -> Callable[[str], bool]:
    return lambda name: not ranges.structure.is_inside(name, loop)


def _both_versions(loop: Loop, found: Tests, copies: Copies) -> tuple[n.Statement, ...]:
    node = loop.node
    assert isinstance(node, n.For)
    statements, holds = found.emitted(copies.names, node.location)
    body = replace_at(node.body, found.removed, (*loop.path, 0))
    fast = replace(node, body=body, results=tuple(copies.names.fresh(r.stem, r.type) for r in node.results))
    slow = copies.loop(node, node.start, node.stop, tuple(a.init for a in node.args))
    then, orelse = (n.Block((version,), version.results) for version in (fast, slow))
    return (*statements, n.If(holds, then, orelse, node.results, node.location))


def _is_test(statement: n.Statement) -> bool:
    """Whether a branch does nothing but raise, or test further, whether types differ."""
    if not isinstance(statement, n.If) or not isinstance(statement.condition, n.Var) or statement.results:
        return False
    inner = [*walk(statement.then)]
    faults = [s for s in inner if isinstance(s, n.Raise)]
    plain = all(isinstance(s, (n.Let, n.If, n.Raise)) for s in inner) and not statement.orelse.statements
    return plain and bool(faults) and all(fault.exception == SEVERAL_TYPES for fault in faults)


def _is_error(statement: n.Statement) -> bool:
    """Whether a branch does nothing but raise."""
    if not isinstance(statement, n.If) or statement.results or statement.orelse.statements:
        return False
    return len(statement.then.statements) == 1 and isinstance(statement.then.statements[0], n.Raise)


def _emptiness(statement: n.Statement, structure: Structure) -> Iterator[n.Var]:
    """The parts of a condition, all of which must hold, that say of an array that it is empty."""
    assert isinstance(statement, n.If)
    waiting = [statement.condition]
    while waiting:
        part = waiting.pop()
        value = structure.definition(part).value if isinstance(part, n.Var) else None
        if isinstance(value, n.Binary) and value.op == "and" and part.type == PYBOOL:
            waiting += [value.left, value.right]
        elif isinstance(value, n.Compare) and value.op == "ge" and value.left == n.Const(0) and isinstance(part, n.Var):
            extent = value.right
            if isinstance(extent, n.Var) and isinstance(structure.definition(extent).value, n.Dim):
                yield part


@dataclass
class Tests:
    """Tests that are removed, and the statements that compute their conditions."""

    ranges: Ranges
    computed: dict[str, tuple[int, n.Let]] = field(default_factory=dict)
    conditions: dict[n.Var, None] = field(default_factory=dict)
    removed: dict[Path, tuple[n.Statement, ...]] = field(default_factory=dict)

    def take(self, site: Site, condition: n.Var, is_given: Callable[[str], bool]) -> bool:
        """Add a test whose condition follows from given names; whether it does."""
        found: dict[str, tuple[int, n.Let]] = {}
        waiting: list[n.Atom] = [condition]
        while waiting:
            atom = waiting.pop()
            if not isinstance(atom, n.Var) or is_given(atom.name) or atom.name in found:
                continue
            definition = self.ranges.structure.definitions.get(atom.name)
            let = definition.statement if definition is not None else None
            if definition is None or not isinstance(let, n.Let) or not _is_pure(let) or len(found) == MOST_OPERATIONS:
                return False
            found[atom.name] = definition.order, let
            waiting.extend(atoms_of(let.value))
        self.computed.update(found)
        self.conditions[condition] = None
        self.removed[site.path] = ()
        return True

    def emitted(self, names: Names, location: Location) -> tuple[list[n.Statement], n.Atom]:
        """Copies of the statements, and whether no condition holds."""
        lets = [let for _, let in sorted(self.computed.values(), key=lambda item: item[0])]
        statements, renaming = repeated(lets, {}, names)
        holds: n.Atom = n.Const(True, PYBOOL)
        for condition in self.conditions:
            fine, both = names.fresh("fine", PYBOOL), names.fresh("holds", PYBOOL)
            absent = n.Compare("eq", renaming.get(condition.name, condition), n.Const(False, PYBOOL))
            statements.append(n.Let(fine, absent, location))
            statements.append(n.Let(both, n.Binary("and", holds, fine, checked=False), location))
            holds = both
        return statements, holds


def _is_pure(let: n.Let) -> bool:
    return is_speculative(let.value, let.var.type) and is_repeatable(let.value)
