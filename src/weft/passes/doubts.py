"""Doubts: what is tested in a loop, and hangs on the parameters alone, is tested at the call.

The frontend emits tests of values that may have several types (see `weft.frontend.rechecks`). Where such a test asks
about the parameters only, as whether a float fits in a `float32`, it is assumed that there is nothing to be found, and
the loop has no test left. Other arguments run the checked variant. Errors that the user raises stay where they are.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.ranges import Ranges
from weft.analysis.structure import Path
from weft.ir import nodes as n
from weft.ir.effects import is_repeatable, is_speculative
from weft.ir.types import PYBOOL
from weft.ir.visit import Names, atoms_of, walk
from weft.passes.emit import repeated
from weft.passes.support import assume, ranges_of, replace_at

SEVERAL_TYPES = "weft.errors:TypeInferenceError"
MOST_OPERATIONS = 60


def doubts(program: n.Program) -> n.Program:
    """Assume that tests of parameters find nothing."""
    if not any(_is_test(statement) for statement in walk(program.body)):
        return program
    ranges = ranges_of(program)
    wanted: dict[n.Var, list[n.Let]] = {}
    changes: dict[Path, tuple[n.Statement, ...]] = {}
    for site in ranges.structure.root.sites():
        if site.region.loops and _is_test(site.statement):
            assert isinstance(site.statement, n.If) and isinstance(site.statement.condition, n.Var)
            condition = site.statement.condition
            computed = wanted.get(condition) or _computed(condition, program, ranges)
            if computed is not None:
                wanted[condition] = computed
                changes[site.path] = ()
    return _assuming(program, wanted, changes) if wanted else program


def _is_test(statement: n.Statement) -> bool:
    """Whether a branch does nothing but raise, or test further, whether types differ."""
    if not isinstance(statement, n.If) or not isinstance(statement.condition, n.Var) or statement.results:
        return False
    inner = [*walk(statement.then)]
    faults = [s for s in inner if isinstance(s, n.Raise)]
    plain = all(isinstance(s, (n.Let, n.If, n.Raise)) for s in inner) and not statement.orelse.statements
    return plain and bool(faults) and all(fault.exception == SEVERAL_TYPES for fault in faults)


def _computed(condition: n.Var, program: n.Program, ranges: Ranges) -> list[n.Let] | None:
    """The statements that compute a condition from the parameters; None where there are no such."""
    given = {parameter.var.name for parameter in program.params}
    found: dict[str, tuple[int, n.Let]] = {}
    waiting: list[n.Atom] = [condition]
    while waiting:
        atom = waiting.pop()
        if not isinstance(atom, n.Var) or atom.name in given or atom.name in found:
            continue
        definition = ranges.structure.definitions.get(atom.name)
        let = definition.statement if definition is not None else None
        if definition is None or not isinstance(let, n.Let) or len(found) == MOST_OPERATIONS:
            return None
        if not (is_speculative(let.value, let.var.type) and is_repeatable(let.value)):
            return None
        found[atom.name] = definition.order, let
        waiting.extend(atoms_of(let.value))
    return [let for _, let in sorted(found.values(), key=lambda item: item[0])]


def _assuming(
    program: n.Program, wanted: dict[n.Var, list[n.Let]], changes: dict[Path, tuple[n.Statement, ...]]
) -> n.Program:
    names = Names.of(program)
    lets = {let.var.name: let for computed in wanted.values() for let in computed}
    statements, renaming = repeated(lets.values(), {}, names)
    holds: n.Atom = n.Const(True, PYBOOL)
    for condition in wanted:
        fine, both = names.fresh("fine", PYBOOL), names.fresh("holds", PYBOOL)
        absent = n.Compare("eq", renaming[condition.name], n.Const(False, PYBOOL))
        statements.append(n.Let(fine, absent, program.location))
        statements.append(n.Let(both, n.Binary("and", holds, fine, checked=False), program.location))
        holds = both
    return assume(replace(program, body=replace_at(program.body, changes)), tuple(statements), holds, names)
