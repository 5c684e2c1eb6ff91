"""Dependences carried by a loop: can an iteration touch an element that a later iteration touches too?

Quick tests on our own linear forms come first; isl is asked about what they leave open. Where the answer hangs on
values that are known only at the call, the conditions are given under which there is no dependence.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Literal, TypeAlias

from weft.analysis import effort
from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop, Region
from weft.analysis.dependence.certainty import May, Must
from weft.analysis.dependence.chosen import are_apart
from weft.analysis.dependence.conditions import Condition
from weft.analysis.dependence.meeting import Meeting, ask, is_impossible
from weft.analysis.dependence.question import Question
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import Field, Record, View

QUESTION = 10
"""Operations that it takes to ask about two accesses, whatever the answer is."""

DependenceKind: TypeAlias = Literal["flow", "anti", "output"]


@dataclass(frozen=True, eq=False)
class Dependence:
    """`source` may touch an element that `sink` touches in a later iteration of `loop`.

    Attributes
    ----------
    kind
        ``flow`` (written, then read), ``anti`` (read, then written) or ``output`` (written twice).
    source, sink
        The accesses.
    loop
        The loop that carries the dependence.
    meeting
        What was found out; None where the maps of the accesses are not known.
    reason
        Why a dependence is assumed where `meeting` is None: in the user's words.
    """

    kind: DependenceKind
    source: Access
    sink: Access
    loop: Loop
    meeting: Meeting | None = None
    reason: str = ""

    @property
    def distance(self) -> May[int] | None:
        """How many iterations later if at all, where that is always the same number."""
        return None if self.meeting is None else self.meeting.distance

    @property
    def certain_distance(self) -> Must[int] | None:
        """How many iterations later `sink` touches the element of `source`, where it does so in every iteration."""
        if self.meeting is None or self.source.fields != self.sink.fields:
            return None
        return self.meeting.certain_distance

    @property
    def is_doubtful(self) -> bool:
        """Whether it has a distance, but more than that must hold for the accesses to meet."""
        return self.meeting is not None and self.distance is not None and not self.meeting.is_in_step

    @property
    def conditions(self) -> tuple[Condition, ...] | None:
        """Conditions under which there is no dependence after all; None where there are no useful ones."""
        return None if self.meeting is None else self.meeting.conditions

    @property
    def is_real(self) -> bool:
        """Whether the dependence is still there when isl was asked."""
        return self.meeting is None or bool(self.meeting.cases)

    @property
    def is_settled(self) -> bool:
        """Whether isl knows no more than is known already."""
        return self.meeting is None or self.meeting.is_settled

    def is_proven(self) -> bool:
        """Whether the dependence exists for all sizes that are large enough."""
        certain = all(access.is_certain_in(self.loop.body) for access in (self.source, self.sink))
        return self.meeting is not None and certain and self.meeting.is_inevitable


def kind_of(source: Access, sink: Access) -> DependenceKind:
    """The kind of a dependence between two accesses."""
    if source.writes and sink.writes:
        return "output"
    return "flow" if source.writes else "anti"


def find(table: AccessTable, loop: Loop, source: Access, sink: Access) -> Dependence | None:
    """The dependence from an access in one iteration to another access in a later one; None where there is none."""
    found = suspect(table, loop, source, sink)
    return found if found is not None and found.is_real else None


def suspect(table: AccessTable, loop: Loop, source: Access, sink: Access) -> Dependence | None:
    """As `find`, by the quick tests alone."""
    kind = kind_of(source, sink)
    if is_last(table, loop, source):
        return None
    if not table.aliases.may_alias(source.array, sink.array, loop):
        return None
    if isinstance(loop.node, n.While):
        return Dependence(kind, source, sink, loop, reason="a while loop has no counter")
    obstacle = obstacle_between(table, loop, source, sink)
    if obstacle:
        if are_apart(table, loop, source, sink):
            return None
        return Dependence(kind, source, sink, loop, reason=obstacle)
    if not fields_meet(source, sink):
        return None
    if not effort.current().spend(QUESTION):
        return Dependence(kind, source, sink, loop, reason=effort.REASON)
    meeting = _meeting(table, loop, source, sink)
    if meeting is None:
        return None
    if not meeting.open:
        return Dependence(kind, source, sink, loop, reason="an index has too many cases")
    return Dependence(kind, source, sink, loop, meeting)


def _meeting(table: AccessTable, loop: Loop, source: Access, sink: Access) -> Meeting | None:
    """How two accesses meet, remembered: a load and a store of one element ask the same."""
    key = (loop, source.region, source.indices, sink.region, sink.indices, source.array)
    if key not in table.meetings:
        table.meetings[key] = ask(Question(table, loop, source, sink))
    found = table.meetings[key]
    assert found is None or isinstance(found, Meeting)
    return found


def carried(table: AccessTable, loop: Loop) -> Iterator[Dependence]:
    """All dependences that a loop carries."""
    for source, sink in pairs(table, loop):
        found = find(table, loop, source, sink)
        if found is not None:
            yield found


def pairs(table: AccessTable, loop: Loop) -> Iterator[tuple[Access, Access]]:
    """Ordered pairs of accesses inside a loop of which one writes, to storage that outlives an iteration."""
    inside = [a for a in table.within(loop.body) if not table.aliases.is_fresh_in(a.array, loop)]
    for source in inside:
        for sink in inside:
            if (source.writes or sink.writes) and not table.roots(source).isdisjoint(table.roots(sink)):
                yield source, sink


def is_last(table: AccessTable, loop: Loop, access: Access) -> bool:
    """Whether the iteration in which an access is made is the last one: it stands in a branch that ends the loop."""
    node = loop.node
    if not isinstance(node, n.For) or node.exit is None:
        return False
    value = node.body.yields[node.exit]
    for region in _regions_down_to(loop, access):
        definition = table.structure.definition(value) if isinstance(value, n.Var) else None
        if definition is None or definition.statement is not region.owner or definition.kind != "result":
            break
        inner = region.block.yields[definition.place]
        if isinstance(region.owner, n.For) and not _ends(table, region, access):
            return False
        if not isinstance(region.owner, (n.If, n.For)):
            return False
        value = inner
    return isinstance(value, n.Const) and not value.value


def _ends(table: AccessTable, region: Region, access: Access) -> bool:
    assert isinstance(region.owner, n.For)
    return is_last(table, table.structure.loops[region.owner.label], access)


def _regions_down_to(loop: Loop, access: Access) -> list[Region]:
    """The regions inside the body of a loop around an access, outermost first."""
    inside = [region for region in access.region.chain() if loop.body.contains(region) and region is not loop.body]
    return inside[::-1]


def obstacle_between(table: AccessTable, loop: Loop, source: Access, sink: Access) -> str:
    """Why the maps of two accesses cannot be compared."""
    if source.indices is None or sink.indices is None:
        return "a function that is not inlined may touch any element"
    if not table.roots(source).isdisjoint(table.aliases.overlapping):
        return f"{source.view.stem} and {sink.view.stem} may overlap"
    if source.array != sink.array:
        return f"{source.view.stem} and {sink.view.stem} may be the same array"
    if table.structure.is_inside(source.array.name, loop):
        return f"{source.array.stem} may be another array in every iteration"
    return ""


def fields_meet(source: Access, sink: Access) -> bool:
    """Whether the fields of two accesses have bytes in common: one contains the other, or they overlap."""
    element = source.array.type.element if isinstance(source.array.type, View) else None
    for a, b in zip(source.fields, sink.fields, strict=False):
        if a != b:
            return isinstance(element, Record) and _overlap(element.field(a), element.field(b))
        element = element.field(a).type if isinstance(element, Record) else None
    return True


def _overlap(a: Field, b: Field) -> bool:
    return a.offset < b.offset + b.type.size * prod(b.shape) and b.offset < a.offset + a.type.size * prod(a.shape)


def never_meet(question: Question) -> bool:
    """Whether the accesses of a question are proven never to touch the same element."""
    if not fields_meet(question.first, question.second):
        return True
    if obstacle_between(question.table, question.loop, question.first, question.second):
        return False
    cases = question.cases()
    return cases is not None and all(is_impossible(question, case) for case in cases)
