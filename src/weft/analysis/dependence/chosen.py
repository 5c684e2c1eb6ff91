"""Accesses to arrays that an iteration chooses: a row of an array at first, an array of its own later.

Whatever is chosen, iterations are apart if each choice is made anew in an iteration, or lies on some axes of its array
at indices at which no later iteration touches that array.
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
"""Operations that it takes to ask about two accesses, whatever the answer is."""


@dataclass(frozen=True)
class Part:
    """A part of an array: the indices on the axes on which it has only one.

    Attributes
    ----------
    array
        The variable that holds the array whole.
    indices
        The index on each of these axes.
    """

    array: n.Var
    indices: dict[int, Index]


def are_apart(table: AccessTable, loop: Loop, source: Access, sink: Access) -> bool:
    """Whether an access touches no element that another one touches in a later iteration, whatever they choose."""
    overlapping = table.aliases.overlapping
    if source.indices is None or sink.indices is None or not overlapping.isdisjoint(table.roots(source)):
        return False
    lefts, rights = _parts(table, loop, source), _parts(table, loop, sink)
    if lefts is None or rights is None:
        return False
    return all(_never_meet(table, loop, (source, a), (sink, b)) for a in lefts for b in rights)


def _parts(table: AccessTable, loop: Loop, access: Access) -> list[Part] | None:
    """The parts of arrays that an access may touch and that outlive an iteration; None where they are not known."""
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
            return None  # an inner loop may have made the view in an iteration before the one of the access
        shown = table.forms.view(view)
        single = [None if axis.terms else axis.index for axis in shown.axes]
        found.append(Part(shown.array, dict(_whole_axes(shown.array, single))))
    return found


def _whole_axes(array: n.Var, indices: list[Index | None] | tuple[Index, ...]) -> Iterator[tuple[int, Index]]:
    """The indices on axes of the array itself, and not of fields of its elements."""
    assert isinstance(array.type, View)
    for axis, index in enumerate(indices[: array.type.ndim]):
        if index is not None:
            yield axis, index


def _never_meet(table: AccessTable, loop: Loop, first: tuple[Access, Part], second: tuple[Access, Part]) -> bool:
    """Whether a part is proven to be apart from another one in all later iterations."""
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
