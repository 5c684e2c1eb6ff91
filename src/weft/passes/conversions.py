"""Conversions: Python integers that become narrower ones are assumed to fit, where that is a matter of sizes.

A counter that stays below a parameter fits in 32 bits if the parameter does; that is tested once, at the call, and the
conversion in the loop need not be. Where it does not hold, the checked variant runs. Only for conversions in loops.
"""

from __future__ import annotations

from weft.analysis.forms import is_integer, limits
from weft.analysis.linear import ZERO, Form, Positive
from weft.analysis.ranges import Ranges
from weft.analysis.structure import Site, Structure
from weft.ir import nodes as n
from weft.ir.effects import cast_may_raise
from weft.ir.types import PYBOOL, PYINT
from weft.ir.visit import Names, walk
from weft.passes.emit import Emitter
from weft.passes.hull import fits
from weft.passes.support import assume, ranges_of

MOST_FORMS = 4


def conversions(program: n.Program) -> n.Program:
    """Assume that conversions fit."""
    if not any(_is_candidate(s) for s in walk(program.body)):
        return program
    ranges = ranges_of(program)
    known = frozenset(p.var.name for p in program.params if p.var.type == PYINT)
    wanted: dict[Form, None] = {}
    for site in ranges.structure.root.sites():
        if site.region.loops and _is_candidate(site.statement):
            wanted.update(dict.fromkeys(_conditions(site, ranges, known)))
    if not wanted:
        return program
    names = Names.of(program)
    structure = Structure((p.var for p in program.params), n.Block())
    emitter = Emitter(structure, structure.root, 0, names, program.location)
    condition: n.Atom = n.Const(True, PYBOOL)
    for form in wanted:
        condition = emitter.both(condition, emitter.case((form,), ranges))
    return assume(program, tuple(emitter.statements), condition, names)


def _is_candidate(statement: n.Statement) -> bool:
    if not isinstance(statement, n.Let) or not isinstance(statement.value, n.Cast) or not statement.value.checked:
        return False
    operand, type = statement.value.operand, statement.var.type
    return operand.type == PYINT and is_integer(type) and cast_may_raise(PYINT, type)


def _conditions(site: Site, ranges: Ranges, known: frozenset[str]) -> list[Form]:
    """Forms of the parameters that must not be negative for a conversion to fit; none where there is no such set."""
    statement = site.statement
    assert isinstance(statement, n.Let) and isinstance(statement.value, n.Cast)
    form, (low, high) = ranges.forms.of(statement.value.operand), limits(statement.var.type)
    found: list[Form] = []
    for goal in (form - low, high - form):
        if ranges.nonnegative(goal, site.region):
            continue
        bounds = ranges.prover(site.region).lower_bounds(goal, lambda symbol: not _is_known(symbol, known))
        cases = [case for bound in bounds if (case := _split(bound, known)) and all(fits(f, ranges) for f in case)]
        if not cases:
            return []
        found += cases[0]
    return found


def _is_known(symbol: str, known: frozenset[str]) -> bool:
    return all(s in known for s in symbol.parts[0].symbols) if isinstance(symbol, Positive) else symbol in known


def _split(form: Form, known: frozenset[str]) -> list[Form]:
    """Forms without maxima that are all not negative only where a form is not; none where it can never hold."""
    waiting, found = [form], []
    while waiting:
        current = waiting.pop()
        maximum = next((s for s in current.symbols if isinstance(s, Positive)), None)
        if maximum is not None:
            waiting += [current.substitute({maximum: case}) for case in (ZERO, maximum.parts[0])]
        elif current.value is None:
            found.append(current)
        elif current.value < 0:
            return []
        if len(found) + len(waiting) > MOST_FORMS:
            return []
    return found if all(s in known for f in found for s in f.symbols) else []
