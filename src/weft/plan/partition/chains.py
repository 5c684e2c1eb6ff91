"""Which nests that follow one another run together, slab by slab, and what each slab computes of them.

A slab takes the iterations ``low <= i < high`` of every nest of a *chain*, one nest after the other, while what they
hand on to one another stays on the device. Where a nest looks at rows around its own, as a stencil does, the nests
before it run on so many rows *more*: what belongs to the neighbours is computed twice, and slabs need nothing of one
another.

That is right where everything a slab reads was either there before the chain and is not written by it, or was computed
by the slab itself; an array that is read and written in its own rows only may be both. Who hands on has written every
element that is read, certainly. What a slab computes beside its own rows does not leave it.

Nothing here writes a plan: see `chain_windows`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, takewhile
from typing import TypeAlias

from weft.analysis.access.access import AccessTable
from weft.analysis.values.linear import Form
from weft.ir import nodes as n
from weft.ir.effects import ARITHMETIC, VIEWS, may_raise
from weft.ir.types import View
from weft.ir.visit import free_variables
from weft.plan.partition.slabs import Piece, Uncut, ends_of
from weft.plan.partition.windows import can_move
from weft.plan.transfers.footprints import whole_array
from weft.plan.transfers.regions import Box, Side, Space

Proves: TypeAlias = Callable[[Form], bool]
"""Whether a form is certainly not negative where the nests stand."""


@dataclass(frozen=True)
class Rows:
    """Rows of an array that iterations touch: from ``low + first`` up to but without ``high + stop``."""

    first: int
    stop: int
    box: Box


@dataclass
class Link:
    """A nest of a chain.

    Attributes
    ----------
    nest, piece
        The nest, and what a piece of it touches.
    start, stop
        The bounds of the loop that is cut.
    reads, writes
        The rows that are touched of arrays that are cut.
    before, after
        How many iterations more a slab runs of it, on both sides.
    """

    nest: n.For
    piece: Piece
    start: Form
    stop: Form
    reads: Mapping[str, tuple[Rows, ...]]
    writes: Mapping[str, tuple[Rows, ...]]
    before: int = 0
    after: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The arrays that are cut."""
        return tuple(dict.fromkeys((*self.reads, *self.writes)))

    def of(self, name: str) -> tuple[Rows, ...]:
        """All rows that it touches of an array."""
        return (*self.reads.get(name, ()), *self.writes.get(name, ()))


@dataclass
class Chain:
    """Nests that run together.

    Attributes
    ----------
    links
        The nests, in their order.
    start, stop
        The link whose loop begins first, and the one whose loop ends last.
    proves
        What is known where they stand.
    arriving
        The arrays whose elements are copied to the device.
    """

    links: list[Link]
    start: Link
    stop: Link
    proves: Proves
    arriving: list[str] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        """The arrays that are cut."""
        return tuple(dict.fromkeys(name for link in self.links for name in link.names))

    @property
    def whole(self) -> tuple[str, ...]:
        """The arrays that every slab needs whole."""
        return tuple(dict.fromkeys(name for link in self.links for name in link.piece.whole))

    @property
    def written(self) -> tuple[str, ...]:
        """The arrays that are written, but for those that are needed whole."""
        return tuple(dict.fromkeys(name for link in self.links for name in link.writes))

    def around(self, name: str) -> tuple[int, int]:
        """The rows that a slab needs of an array: from its lowest iteration plus the first on, and so on."""
        touched = [(rows, link) for link in self.links for rows in link.of(name)]
        return min(r.first - k.before for r, k in touched), max(r.stop + k.after for r, k in touched)


def link_of(table: AccessTable, nest: n.For, piece: Piece) -> Link:
    """A nest as a part of chains.

    Raises
    ------
    Uncut
        It cannot be one.
    """
    arrays = [table.structure.definition(name).var for name in piece.windows]
    views = [v for v in free_variables(n.Block((nest,))) if isinstance(v.type, View)]
    if not arrays or any(whole_array(table, view) != view for view in views) or not can_move(nest, arrays):
        raise Uncut("it uses parts of arrays, or has none that is cut")
    reads, writes = (_rows(piece, boxes) for boxes in (piece.reads, piece.writes))
    if any(name not in piece.windows for name in piece.writes):
        raise Uncut("it writes an array that is needed whole")
    if any(rows.first != rows.stop for own in writes.values() for rows in own):
        raise Uncut("an iteration writes several rows")
    start, stop = (table.forms.of(atom) for atom in (piece.loop.start, piece.loop.stop))
    return Link(nest, piece, start, stop, reads, writes)


def _rows(piece: Piece, boxes: Mapping[str, Sequence[Box]]) -> dict[str, tuple[Rows, ...]]:
    """The rows of arrays that are cut."""
    found = {}
    for name, own in boxes.items():
        if name in piece.windows:
            found[name] = tuple(_rows_of(piece, box) for box in own)
    return found


def _rows_of(piece: Piece, box: Box) -> Rows:
    ends, bounds = ends_of(box[0], piece.low.name, piece.high.name), {piece.low.name, piece.high.name}
    if ends is None or ends.scale != 1 or ends.first.value is None or ends.stop.value is None:
        raise Uncut("it touches other rows than those of an iteration and some around it")
    if any(bounds & (side.low.names | side.stop.names) for side in box[1:]):
        raise Uncut("other indices follow the loop")
    return Rows(ends.first.value, ends.stop.value, box)


def chain_of(table: AccessTable, links: Sequence[Link]) -> Chain:
    """Nests that follow one another as a chain.

    Raises
    ------
    Uncut
        They do not run together.
    """
    region = table.structure.loops[links[0].nest.label].region

    def proves(form: Form) -> bool:
        return table.ranges.nonnegative(form, region)

    links = [Link(k.nest, k.piece, k.start, k.stop, k.reads, k.writes) for k in links]
    chain = Chain(links, _outermost(links, proves, "start"), _outermost(links, proves, "stop"), proves)
    _check_apart(table, chain)
    for place in reversed(range(len(links))):
        _extend(chain, place, proves)
    _check_reductions(chain)
    chain.arriving += [name for name in chain.names if name not in chain.written or _arrives(chain, name, proves)]
    for name in chain.written:
        _check_own_rows(chain, name, name in chain.arriving)
    return chain


def _outermost(links: Sequence[Link], proves: Proves, end: str) -> Link:
    """The link whose loop begins first, or ends last."""
    sign = 1 if end == "start" else -1
    for link in links:
        own: Form = getattr(link, end)
        others: list[Form] = [getattr(other, end) for other in links]
        if all(other == own or proves((other - own) * sign) for other in others):
            return link
    raise Uncut(f"which loop has the outermost {end} is not known")


def _check_apart(table: AccessTable, chain: Chain) -> None:
    """What is one array has one name, and is cut in all nests or in none."""
    if set(chain.names) & set(chain.whole):
        raise Uncut("an array is needed whole by one nest, and cut in another")
    arrays = [table.structure.definition(name).var for name in (*chain.names, *chain.whole)]
    if any(table.aliases.may_alias(a, b) for a, b in combinations(arrays, 2)):
        raise Uncut("two arrays may be one")


def _check_reductions(chain: Chain) -> None:
    """A reduction is cut between pieces of many iterations, and slabs with it: there is one, over all that is cut."""
    reductions = [link for link in chain.links if link.nest.args]
    if len(reductions) > 1:
        raise Uncut("two reductions are cut each in their own way")
    for link in reductions:
        is_whole = (link.start, link.stop) == (chain.start.start, chain.stop.stop)
        if not is_whole or link.before or link.after:
            raise Uncut("a reduction runs over less than the others, or is needed twice")


def _writers(chain: Chain, name: str, place: int) -> list[int]:
    return [k for k in range(place) if name in chain.links[k].writes]


def _extend(chain: Chain, place: int, proves: Proves) -> None:
    """Let the nests before one compute all that it reads of theirs."""
    reader = chain.links[place]
    for name, rows in _handed_on(chain, place, proves):
        source = _source(chain, place, name, rows, proves)
        for writer in (chain.links[k] for k in _writers(chain, name, place) if k >= source):
            (own, *_) = writer.writes[name]
            writer.before = max(writer.before, reader.before + own.first - rows.first)
            writer.after = max(writer.after, reader.after + rows.stop - own.stop)


def _handed_on(chain: Chain, place: int, proves: Proves) -> Iterator[tuple[str, Rows]]:
    """What a nest reads that a nest before it computes."""
    for name, own in chain.links[place].reads.items():
        for rows in own:
            if _source(chain, place, name, rows, proves) >= 0:
                yield name, rows


def _source(chain: Chain, place: int, name: str, rows: Rows, proves: Proves) -> int:
    """The last nest before a place that certainly writes all of some rows; -1 where there is none."""
    reader = chain.links[place]
    for k in reversed(_writers(chain, name, place)):
        writer = chain.links[k]
        made = () if name in writer.reads else writer.writes[name]
        if any(_fills(writer, own, reader, rows, name, proves) for own in made):
            return k
    return -1


def _fills(writer: Link, own: Rows, reader: Link, rows: Rows, name: str, proves: Proves) -> bool:
    """Whether what one nest writes has everything that another one reads, where both run on all their iterations."""
    below = reader.start + rows.first - writer.start - own.first
    above = writer.stop + own.stop - reader.stop - rows.stop
    space = Space(writer.piece.spaces[name].extents, proves)
    return _holds(below, proves) and _holds(above, proves) and _contains(space, own.box, rows.box)


def _holds(form: Form, proves: Proves) -> bool:
    return (form.value is not None and form.value >= 0) or proves(form)


def _contains(space: Space, outer: Box, inner: Box) -> bool:
    """Whether a box contains another but for the rows."""
    row = Side(space.whole[0].low, space.whole[0].stop)
    return space.contains((row, *outer[1:]), (row, *inner[1:]))


def _arrives(chain: Chain, name: str, proves: Proves) -> bool:
    """Whether a nest reads elements of an array that none before it computes."""
    return any(
        _source(chain, place, name, rows, proves) < 0
        for place, link in enumerate(chain.links)
        for rows in link.reads.get(name, ())
    )


def _check_own_rows(chain: Chain, name: str, arrives: bool) -> None:
    """What is written of an array in a slab is written in no other; nor read there, where it comes from outside."""
    touched = [(link, rows) for link in chain.links for rows in link.writes.get(name, ())]
    if len({rows.first for _, rows in touched}) > 1:
        raise Uncut(f"nests write different rows of {name.partition('.')[0]!r}")
    if not arrives:
        return
    first = touched[0][1].first
    for link in chain.links:
        own = link.of(name)
        if any(rows.first != first or rows.stop != first for rows in own) or (own and (link.before or link.after)):
            raise Uncut(f"a slab would read rows of {name.partition('.')[0]!r} that another one has written")


def longest(
    table: AccessTable, statements: Sequence[n.Statement], link: Callable[[n.For], Link]
) -> tuple[Chain, list[n.Let], Sequence[n.Statement]] | None:
    """The longest chain that begins with the first of some statements; None where there is none.

    Parameters
    ----------
    table
        The access table of the program.
    statements
        Statements of one block.
    link
        Makes a nest a part of chains, or raises `Uncut`.

    Returns
    -------
    tuple
        The chain; what stands between its nests, which may as well stand before it; and what follows it.
    """
    links: list[Link] = []
    found, between, before = None, list[n.Let](), list[n.Let]()
    run = list(takewhile(lambda statement: _may_belong(table, statement), statements))
    if sum(isinstance(statement, n.For) for statement in run) < 2:
        return None
    for place, statement in enumerate(run):
        if _uses(statement, links):
            break
        if isinstance(statement, n.Let):
            between.append(statement)
            continue
        assert isinstance(statement, n.For)
        try:
            links.append(link(statement))
            chain = chain_of(table, links) if len(links) > 1 else None
        except Uncut:
            break
        if chain is None:
            continue
        if not set(links[-1].names) & {name for other in links[:-1] for name in other.names}:
            break
        before, found = [*before, *between], (chain, statements[place + 1 :])
        between = []
    return None if found is None else (found[0], before, found[1])


def _may_belong(table: AccessTable, statement: n.Statement) -> bool:
    """Whether a statement is a parallel loop, or may as well stand before loops that it follows."""
    if isinstance(statement, n.For):
        return statement.mapping == "parallel"
    is_pure = isinstance(statement, n.Let) and isinstance(statement.value, (*ARITHMETIC, *VIEWS, n.Alloc, n.Dim))
    if not is_pure or not isinstance(statement, n.Let):
        return False
    return not may_raise(statement.value, statement.var.type) or has_extents(table, statement)


def has_extents(table: AccessTable, let: n.Let) -> bool:
    """Whether an array is made whose extents are certainly none below zero."""
    region = table.structure.definition(let.var).region
    shape = let.value.shape if isinstance(let.value, n.Alloc) else ()
    return bool(shape) and all(table.ranges.nonnegative(table.forms.of(extent), region) for extent in shape)


def _uses(statement: n.Statement, links: Sequence[Link]) -> bool:
    """Whether a statement needs the result of a nest."""
    results = {result.name for link in links for result in link.nest.results}
    return any(var.name in results for var in free_variables(n.Block((statement,))))
