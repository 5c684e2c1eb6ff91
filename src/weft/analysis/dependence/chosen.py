"""Accesses to arrays that an iteration chooses: first a row of an array, say, and then an array that it has made.

Iterations are independent if each array that may be chosen is made in the iteration itself, or is a part of an array
that no later iteration touches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weft.analysis import effort
from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop
from weft.analysis.access.views import Index
from weft.analysis.dependence.question import Question
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import View

QUESTION = 10
"""The effort, in operations, of a question about two accesses."""


@dataclass(frozen=True)
class Part:
    """A part of an array, given by its index on each axis where it has only one.

    Attributes
    ----------
    array
        The variable that holds the whole array.
    indices
        The index on each of these axes.
    """

    array: n.Var
    indices: dict[int, Index]


def are_apart(table: AccessTable, loop: Loop, source: Access, sink: Access) -> bool:
    """Whether the source touches no element that the sink touches in a later iteration, whatever arrays they choose."""
    overlapping = table.aliases.overlapping
    if source.indices is None or sink.indices is None or not overlapping.isdisjoint(table.roots(source)):
        return False
    lefts, rights = _parts(table, loop, source), _parts(table, loop, sink)
    if lefts is None or rights is None:
        return False
    return all(_never_meet(table, loop, (source, a), (sink, b)) for a in lefts for b in rights)


def _parts(table: AccessTable, loop: Loop, access: Access) -> list[Part] | None:
    """The parts of arrays that an access may touch and that outlive an iteration; None if unknown."""
    choices = table.aliases.choices(access.view, loop)
    if choices is None:
        return None
    found = []
    for view in choices:
        if table.aliases.is_made_in(view, loop):
            continue
        if view == access.view:
            assert access.indices is not None
            found.append(Part(access.array, dict(_whole_axes(access.array, access.indices))))
            continue
        loops = table.structure.definition(view).loops
        if loop in loops and loops[-1] is not loop:
            return None  # an inner loop may have made the view in an earlier iteration than that of the access
        shown = table.forms.view(view)
        single = [None if axis.terms else axis.index for axis in shown.axes]
        found.append(Part(shown.array, dict(_whole_axes(shown.array, single))))
    return found


def _whole_axes(array: n.Var, indices: list[Index | None] | tuple[Index, ...]) -> Iterator[tuple[int, Index]]:
    """The indices on the axes of the array, without those of fields of its elements."""
    assert isinstance(array.type, View)
    for axis, index in enumerate(indices[: array.type.ndim]):
        if index is not None:
            yield axis, index


def _never_meet(table: AccessTable, loop: Loop, first: tuple[Access, Part], second: tuple[Access, Part]) -> bool:
    """Whether it is proven that the first part and the second one of later iterations have no element in common."""
    (source, left), (sink, right) = first, second
    if left.array != right.array:
        return not table.aliases.may_alias(left.array, right.array, loop)
    axes = sorted(left.indices.keys() & right.indices.keys())
    if not axes or not effort.current().spend(QUESTION):
        return False
    a, b = (
        replace(access, array=part.array, indices=tuple(part.indices[axis] for axis in axes))
        for access, part in ((source, left), (sink, right))
    )
    question = Question(table, loop, a, b)
    cases = question.cases()
    return cases is not None and all(question.is_excluded(case.equations, case.prover) for case in cases)
