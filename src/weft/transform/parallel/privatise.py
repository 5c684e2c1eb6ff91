"""Privatise: an array that each iteration of a loop writes before it reads it becomes one array for each iteration.

For arrays that hold something for a while only (work rows, small tables): the iterations no longer meet in them, and
the loop is parallel. Where the array is read after the loop, and every iteration writes the same elements and cannot
raise, the last iteration stands after the loop and works on the array itself. The arrays and the proofs are those of
`weft.analysis.recurrences.private`. Only for loops that are parallel then, and that are in no parallel loop.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.dependence.verdicts import LoopFact, Verdicts
from weft.analysis.recurrences.private import PrivateArray
from weft.ir import nodes as n
from weft.ir.types import PYINT, View
from weft.ir.visit import free_variables, substitute, walk
from weft.transform.parallel.parallelise import can_combine, is_parallel
from weft.transform.peel import Copies, with_last
from weft.transform.support import judged, with_loops


def privatise(program: n.Program) -> n.Program:
    """Give iterations arrays of their own."""
    if not any(isinstance(s, n.For) for s in walk(program.body)):
        return program
    verdicts = judged(program)
    if not any(fact.private for fact in verdicts.loops.values()):
        return program
    change = _Change(program, verdicts)
    return replace(program, body=with_loops(program.body, change.loop))


class _Change:
    def __init__(self, program: n.Program, verdicts: Verdicts) -> None:
        self.structure = verdicts.table.structure
        self.verdicts = verdicts
        self.associative = frozenset(f.name for f in program.functions if f.associative)
        self.copies = Copies(program)

    def loop(self, loop: n.For) -> tuple[n.Statement, ...] | None:
        """What stands for a loop that is parallel, or becomes so; None for another."""
        fact = self.verdicts.loops.get(loop.label)
        if fact is None or loop.exit is not None:
            return None
        if not self._becomes_parallel(fact):
            return (loop,) if is_parallel(fact, self.associative) else None
        private = self._with_own_arrays(loop, fact.private)
        if private is None:
            return None
        if any(array.copied_out for array in fact.private):
            return with_last(loop, self.copies, private)
        return (private,)

    def _becomes_parallel(self, fact: LoopFact) -> bool:
        if not fact.private or fact.verdict not in ("parallel", "reduction") or (fact.conditions and not fact.claimed):
            return False
        if fact.may_raise and any(array.copied_out for array in fact.private):
            return False
        return all(c.kind == "last" or can_combine(c, self.associative) for c in fact.carried)

    def _with_own_arrays(self, loop: n.For, arrays: tuple[PrivateArray, ...]) -> n.For | None:
        made: list[n.Statement] = []
        renaming: dict[str, n.Atom] = {}
        for array in (private.array for private in arrays):
            own = self._own(array, loop, made)
            if own is None:
                return None
            renaming[array.name] = own
            if not self._own_views(array, loop, renaming, made):
                return None
        body = substitute(loop.body, renaming)
        return replace(loop, body=replace(body, statements=(*made, *body.statements)))

    def _own_views(self, array: n.Var, loop: n.For, renaming: dict[str, n.Atom], made: list[n.Statement]) -> bool:
        """Views of the array that were made before the loop are made anew of the own one; False for others."""
        aliases = self.verdicts.table.aliases
        views = [view for view in free_variables(loop.body) if isinstance(view.type, View)]
        meeting = [view for view in views if not aliases.roots(view).isdisjoint(aliases.roots(array))]
        return all(self._own_view(view, renaming, made) for view in meeting)

    def _own_view(self, view: n.Var, renaming: dict[str, n.Atom], made: list[n.Statement]) -> bool:
        """Make a view, and first those that it is a view of; False where it is none of an array with an own one."""
        if view.name in renaming:
            return True
        value = self.structure.definition(view).value
        if not isinstance(value, (n.Subview, n.Transpose)) or not self._own_view(value.view, renaming, made):
            return False
        own = self.copies.names.fresh(view.stem, view.type)
        made.append(n.Let(own, substitute(value, renaming)))
        renaming[view.name] = own
        return True

    def _own(self, array: n.Var, loop: n.For, made: list[n.Statement]) -> n.Var | None:
        """A new array like another one, made by the statements that are added to `made`."""
        type = array.type
        definition = self.structure.definition(array)
        if not isinstance(type, View) or definition.kind not in ("parameter", "let"):
            return None
        shape: tuple[n.Atom, ...]
        if isinstance(definition.value, n.Alloc):
            shape = definition.value.shape
        else:
            dims = [self.copies.let(n.Dim(array, axis), PYINT, loop.location) for axis in range(type.ndim)]
            made.extend(dims)
            shape = tuple(dim.var for dim in dims)
        own = self.copies.names.fresh(array.stem, View(type.element, type.ndim, contiguous=True))
        made.append(n.Let(own, n.Alloc(shape, type.element), loop.location))
        return own
