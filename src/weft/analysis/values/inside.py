"""Whether an access is inside its array wherever a region runs, not only where the access itself does.

What a program assumes is often that something holds or a loop has no iteration. So where the loop runs, it holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.analysis.access.structure import Region, Structure
from weft.analysis.values.linear import Form
from weft.analysis.values.prover import Prover
from weft.analysis.values.ranges import Ranges, branches_of
from weft.ir import nodes as n

MOST_ALTERNATIVES = 6


class Inside:
    """Proofs that accesses are inside.

    Parameters
    ----------
    ranges
        The ranges of the code.
    assumption
        What the program assumes, as in `weft.ir.nodes.Program`.
    params
        Its parameters.
    """

    def __init__(self, ranges: Ranges, assumption: n.Block | None = None, params: tuple[n.Var, ...] = ()) -> None:
        self.ranges = ranges
        self.alternatives: list[list[tuple[Form, ...]]] = []
        self._provers: dict[Region, Prover] = {}
        if assumption is not None:
            structure = Structure(params, assumption)
            self.alternatives = list(_alternatives(assumption.yields[0], Ranges(structure)))

    @classmethod
    def of(cls, program: n.Program, body: n.Block, ranges: Ranges) -> Inside:
        """Those for the body of a program or of one of its helpers, of which nothing is assumed."""
        params = tuple(p.var for p in program.params)
        return cls(ranges, program.assumption, params) if body is program.body else cls(ranges)

    def holds(self, load: n.Load, region: Region) -> bool:
        """Whether a load that stands in a region, or in a branch there, is inside whenever the region runs.

        What the branch says of its indices does not count, and neither does anything that is computed only there.
        """
        forms, extents = self.ranges.forms, range(len(load.indices))
        indices = [forms.of(index) for index in load.indices]
        if not indices or not all(self._is_known(form, region) for form in indices):
            return False
        lasts = [forms.extent(load.view, axis) - 1 for axis in extents]
        goals = [goal for form, last in zip(indices, lasts, strict=True) for goal in (form, last - form)]
        if all(self.ranges.nonnegative(goal, region) for goal in goals):
            return True
        prover = self._prover(region)
        return all(prover.nonnegative(goal) for goal in goals)

    def _prover(self, region: Region) -> Prover:
        """The facts of a region, and what the program assumes for where it runs."""
        if region not in self._provers:
            prover = self.ranges.prover(region)
            found: list[Form] = []
            for cases in self.alternatives:
                left = [case for case in cases if not any(prover.nonnegative(-form - 1) for form in case)]
                found += left[0] if len(left) == 1 else ()
            self._provers[region] = prover.extended(found)
        return self._provers[region]

    def _is_known(self, form: Form, region: Region) -> bool:
        """Whether all that a form is made of is defined in a region or around it."""
        definitions = self.ranges.structure.definitions
        return all(name in definitions and definitions[name].region.contains(region) for name in form.names)


def _alternatives(condition: n.Atom, ranges: Ranges) -> Iterator[list[tuple[Form, ...]]]:
    """For each part of a condition that says that one of several things holds, the forms of these."""
    if not isinstance(condition, n.Var):
        return
    definition = ranges.structure.definition(condition)
    value, choice = definition.value, branches_of(definition)
    if isinstance(value, n.Binary) and value.op == "and":
        yield from _alternatives(value.left, ranges)
        yield from _alternatives(value.right, ranges)
    elif isinstance(value, n.Binary) and value.op == "or":
        cases = [tuple(ranges.implied(case, True)) for case in _cases(condition, ranges)]
        if len(cases) <= MOST_ALTERNATIVES and all(cases):
            yield cases
    elif choice is not None and isinstance(choice[2], n.Const) and not choice[2].value:
        yield from _alternatives(choice[0], ranges)
        yield from _alternatives(choice[1], ranges)


def _cases(condition: n.Atom, ranges: Ranges) -> list[n.Atom]:
    value = ranges.structure.definition(condition).value if isinstance(condition, n.Var) else None
    if isinstance(value, n.Binary) and value.op == "or":
        return [*_cases(value.left, ranges), *_cases(value.right, ranges)]
    return [condition]
