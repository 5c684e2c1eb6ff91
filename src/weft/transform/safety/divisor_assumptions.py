"""Operands: Python integers that are converted or divide are assumed to suit, where that is a matter of sizes.

A counter that stays below a parameter fits in 32 bits if the parameter does, and a parameter that divides is mostly
positive; that is tested once, at the call, and not in the loop. Where it does not hold, the checked variant runs. Only
for what stands in loops.
"""

from __future__ import annotations

from weft.analysis.access.structure import Site
from weft.analysis.values.forms import is_integer
from weft.analysis.values.linear import ZERO, Form, Positive
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.effects import cast_may_raise
from weft.ir.types import PYINT, limits
from weft.ir.visit import Names, walk
from weft.transform.emit import assuming
from weft.transform.safety.hull import fits
from weft.transform.support import ranges_of

MOST_FORMS = 4

DIVIDING = ("floordiv", "mod", "truediv")


def divisor_assumptions(program: n.Program) -> n.Program:
    """Assume that conversions fit, and that divisors are positive."""
    if not any(_is_candidate(s) for s in walk(program.body)):
        return program
    ranges = ranges_of(program)
    known = frozenset(p.var.name for p in program.params if p.var.type == PYINT)
    wanted: dict[Form, None] = {}
    for site in ranges.structure.root.sites():
        if site.region.loops and _is_candidate(site.statement):
            wanted.update(dict.fromkeys(_conditions(site, ranges, known)))
    return assuming(program, wanted, ranges, Names.of(program))


def is_checked_division(value: n.Binary) -> bool:
    """Whether an integer is divided by a variable, which may be zero for all that is known."""
    return value.checked and value.op in DIVIDING and value.right.type == PYINT and isinstance(value.right, n.Var)


def _is_candidate(statement: n.Statement) -> bool:
    value = statement.value if isinstance(statement, n.Let) else None
    if isinstance(value, n.Binary):
        return is_checked_division(value)
    if not isinstance(statement, n.Let) or not isinstance(value, n.Cast) or not value.checked:
        return False
    operand, type = value.operand, statement.var.type
    return operand.type == PYINT and is_integer(type) and cast_may_raise(PYINT, type)


def _goals(statement: n.Statement, ranges: Ranges) -> tuple[Form, ...]:
    """Forms that must not be negative for an operation not to raise."""
    assert isinstance(statement, n.Let)
    if isinstance(statement.value, n.Binary):
        return (ranges.forms.of(statement.value.right) - 1,)
    assert isinstance(statement.value, n.Cast)
    form, (low, high) = ranges.forms.of(statement.value.operand), limits(statement.var.type)
    return form - low, high - form


def _conditions(site: Site, ranges: Ranges, known: frozenset[str]) -> list[Form]:
    """Forms of the parameters that must not be negative for an operation to suit; none where there is no such set."""
    found: list[Form] = []
    for goal in _goals(site.statement, ranges):
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
