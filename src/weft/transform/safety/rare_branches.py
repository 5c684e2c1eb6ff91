"""Rare branches: the tests of operations whose exceptions the program catches, where nothing is raised.

A ``try`` around ``a[i]`` makes the test of the index a branch, see `weft.frontend.control.catching`. As `bounds` does
for accesses that nothing catches, this pass proves that the branch is not taken, perhaps under conditions of sizes and
numbers, which become part of the program's assumption. Where they do not hold at a call, the checked variant runs,
which has the branch. So a ``try`` that catches nothing costs nothing. A test that asks about parameters only, as of a
divisor that is one, is assumed to find nothing. Tests of what arrays hold stay, and so does what the user raises.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.structure import Site
from weft.analysis.values.forms import is_integer
from weft.analysis.values.linear import Form
from weft.analysis.values.ranges import OPPOSITE, Ranges, comparison_facts
from weft.ir import nodes as n
from weft.ir.types import PYBOOL
from weft.ir.visit import Names, rewrite, walk
from weft.transform.safety.bounds import Condition, assuming_conditions, conditions_for
from weft.transform.safety.doubts import Tests
from weft.transform.simplify.fold import fold
from weft.transform.support import assume, for_each_body, ranges_of

FALSE = n.Const(False, PYBOOL)


def rare_branches(program: n.Program, assuming: bool = True) -> n.Program:
    """Remove rare branches that are not taken; with `assuming`, also under conditions that are tested at the call."""
    if not any(isinstance(statement, n.If) and statement.rare for statement in walk(program.body)):
        return program
    if not assuming:
        return fold(for_each_body(program, lambda body, ranges: _Branches(ranges, frozenset()).removed(body)))
    ranges, names = ranges_of(program), Names.of(program)
    work = _Branches(ranges, frozenset(p.var.name for p in program.params))
    changed = assuming_conditions(replace(program, body=work.removed(program.body)), work.conditions, names)
    statements, holds = work.tests.emitted(names, program.location)
    return fold(assume(changed, tuple(statements), holds, names))


class _Branches:
    """The rare branches of a body that are not taken, where all of `conditions` hold and none of `tests`.

    `known` are the parameters that conditions may be about.
    """

    def __init__(self, ranges: Ranges, known: frozenset[str]) -> None:
        self.ranges = ranges
        self.known = known
        self.conditions: list[Condition] = []
        self.tests = Tests(ranges)

    def removed(self, body: n.Block) -> n.Block:
        """The body with False as the conditions of such branches."""
        sites: dict[n.Var, list[Site]] = {}
        for site in self.ranges.structure.root.sites():
            if isinstance(site.statement, n.If) and site.statement.rare and isinstance(site.statement.condition, n.Var):
                sites.setdefault(site.statement.condition, []).append(site)
        never = {condition for condition, places in sites.items() if self._never_holds(condition, places)}

        def without(statement: n.Statement) -> n.Statement:
            if isinstance(statement, n.If) and statement.rare and statement.condition in never:
                return replace(statement, condition=FALSE)
            return statement

        return rewrite(body, without) if never else body

    def _never_holds(self, condition: n.Var, sites: list[Site]) -> bool:
        """Whether a condition does not hold where it is asked."""
        goals = self._goals(condition)
        if goals is not None:
            found = [conditions_for(goals, site.region, self.ranges, self.known) for site in sites]
            if all(_is_of_use(some, site) for some, site in zip(found, sites, strict=True)):
                self.conditions += [condition for some in found for condition in some or ()]
                return True
        return all(site.region.loops and self.tests.take(site, condition, self.known.__contains__) for site in sites)

    def _goals(self, condition: n.Atom) -> list[Form] | None:
        """Forms of which none is negative where a condition does not hold; None where no forms say that."""
        value = self.ranges.structure.definition(condition).value if isinstance(condition, n.Var) else None
        if isinstance(value, n.Binary) and value.op == "or":
            left, right = self._goals(value.left), self._goals(value.right)
            return None if left is None or right is None else left + right
        if isinstance(value, n.Compare) and is_integer(value.left.type) and is_integer(value.right.type):
            of = self.ranges.forms.of
            return list(comparison_facts(OPPOSITE[value.op], of(value.left) - of(value.right))) or None
        return None


def _is_of_use(conditions: list[Condition] | None, site: Site) -> bool:
    """Whether these conditions can be had; outside of loops nothing is assumed."""
    return conditions is not None and (bool(site.region.loops) or not conditions)
