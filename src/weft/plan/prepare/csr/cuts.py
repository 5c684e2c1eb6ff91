"""How a nest over rows of very different length is cut: by entries where these give the same in any row, else so that
only long rows are in pieces. See `weft.plan.prepare.csr.balanced` and `weft.plan.prepare.csr.entries`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from weft.errors import ArgumentError
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, written_views
from weft.ir.visit import Names, free_variables, walk
from weft.plan.prepare.csr import balanced
from weft.plan.prepare.csr.balanced import UnevenWriter
from weft.plan.prepare.csr.entries import EntryWriter, kept_bytes, largest_count
from weft.plan.prepare.csr.entry_folds import GROUP, RUN
from weft.plan.prepare.csr.rows import Rows, rows_in
from weft.schedule.directives import Bind, Cache, Deal, Entries, Schedule
from weft.schedule.legality import Limits, check_schedule
from weft.transform.whole_loop import WholeLoop
from weft.tune.choice import concerns
from weft.tune.default import ragged_rows

COUNT = 4096
"""Rows and entries of the tile of a block."""

STREAMED, GATHERED = (128, 8), (256, 6)
"""Threads of the block of a tile, and blocks that are to run at a time on a multiprocessor. They leave more of its fast
memory to the cache where entries read elements that may be anywhere."""

SHARED, RESERVED = 180 * 1024, 1024
"""Bytes of fast memory that blocks may have together, such that the cache has some, and that a device keeps of each."""

NOTING = 256, 4, 4
"""Threads of a block that notes which rows are the first of tiles, and rows of each: so little is done for a row that
what a thread does at first would cost more."""

ENDS = 128
"""Threads of a block that finishes rows which go on behind their tiles, one each."""

PIECE, AHEAD, PIECES = 32, 8, 10
"""Threads that fold a piece together, entries that each of them reads at once, and blocks that are to run at a time."""

TRIED = (
    (COUNT, *GATHERED),
    (COUNT, *STREAMED),
    (COUNT, 256, 5),
    (COUNT // 2, 128, 8),
    (COUNT // 2, 128, 12),
    (COUNT // 2, 64, 16),
)
"""Entries of a tile, threads of its block and blocks at a time that are worth measuring."""


Helper: TypeAlias = tuple[n.For, str, Sequence[Schedule]]
"""A nest that goes with one that is cut, the end of the name of its kernel, and schedules that it may have."""


@dataclass(frozen=True)
class Cut:
    """A nest that is cut.

    `before` makes the `arrays`; the nest needs the results of the kernels in `first`, and those in `last` finish what
    it began. Each has the end of its name and schedules that it may have, the best one first. The nest runs in this
    way where `are_many`, None: always. `others` are ways to cut it that are worth measuring.
    """

    before: tuple[n.Statement, ...]
    arrays: tuple[n.Var, ...]
    first: tuple[Helper, ...]
    nest: n.For
    ways: Sequence[Schedule]
    last: tuple[Helper, ...]
    are_many: n.Atom | None
    others: tuple[Schedule, ...] = ()
    around: tuple[n.Var, ...] = ()
    """Arrays of which it reads what belongs to rows of other pieces, too."""
    of_entries: tuple[tuple[n.Var, ...], tuple[n.Var, ...]] = ((), ())
    """The arrays that each entry reads at its own number, and those that it reads at other places."""
    reach: int = 0
    """How many entries before and behind those of its own rows it reads at most."""


def cut_rows(nest: n.For, names: Names, given: Schedule, limits: Limits, whole: WholeLoop) -> Cut | None:
    """How a nest is cut; None where it is not.

    Parameters
    ----------
    nest
        A parallel nest that gives no results, and of whose arrays none shares memory with another one.
    names
        A supply of names that the program does not have.
    given
        What the user wrote. Nests whose kernels are laid out there are not cut.
    limits
        What a block may have.
    whole
        What is known of the whole loop, where the nest is a piece of one.

    Raises
    ------
    ArgumentError
        The nest cannot be cut by entries, and the user wants it to be.
    """
    block = n.Block((nest,))
    kernel = n.Kernel("", free_variables(block), block)
    asked = next((d for d in given if isinstance(d, Entries) and d.loop == nest.label), None)
    if any(concerns(d, kernel) for d in given if d is not asked) or (asked is not None and not asked.count):
        return None
    rows = rows_in(nest)
    usual = GATHERED if rows is not None and rows.has_gathers() else STREAMED
    wanted = asked or Entries(nest.label, COUNT, *usual)
    made = _by_entries(rows, names, wanted, limits, 0 if asked else balanced.FEW, whole)
    if not isinstance(made, str):
        return made
    if asked is not None:
        raise ArgumentError(f"entries: {nest.label!r} cannot be cut by entries: {made}", argument="schedule")
    if rows is None or limits.threads < wanted.group:
        return None
    return _in_pieces(UnevenWriter(rows, names, balanced.COUNT, balanced.FEW, whole))


def _by_entries(
    rows: Rows | None, names: Names, wanted: Entries, limits: Limits, few: int, whole: WholeLoop
) -> Cut | str:
    """A nest by tiles of entries, or why it is none."""
    if rows is None:
        return "it is no loop over rows that end where the next one begins, each folded by operators, apart from others"
    why = rows.why_not_entries()
    if why:
        return why
    fitting = largest_count(rows, limits.shared)
    count = min(wanted.count, fitting) if few else wanted.count
    is_size = RUN * GROUP <= count <= fitting and count & (count - 1) == 0
    if not is_size or not 1 <= wanted.group <= limits.threads:
        sizes = f"a power of two from {RUN * GROUP} to {fitting} does"
        return f"tiles of {count} and blocks of {wanted.group} threads do not fit, {sizes}"
    return _in_tiles(EntryWriter(rows, names, count, few, whole), wanted, few)


def _in_tiles(writer: EntryWriter, wanted: Entries, few: int) -> Cut | str:
    """A nest over tiles, or why its blocks cannot be laid out."""
    rows, count = writer.rows, writer.count
    tiles = writer.nest_of_tiles()
    resident = SHARED // (kept_bytes(rows, count) + RESERVED)
    most = min(wanted.blocks, max(resident, 1)) if few else wanted.blocks
    caches = [Cache(name, "once") for name in _read_once(rows, tiles)]
    ways: list[Schedule] = [
        (Bind(tiles.label, "y", 1), Deal(writer.label, "x", wanted.group, blocks=blocks), *caches)
        for blocks in dict.fromkeys((most, (most + 1) // 2, 1))
    ]
    block = n.Block((tiles,))
    violations = check_schedule(n.Kernel("", free_variables(block), block), ways[0])
    if violations:
        return str(violations[0])
    ends = writer.nest_of_ends()
    if block_may_raise(n.Block((ends,))):
        return "what follows the loop over a row may fail, and only one launch of a nest can"
    last = (ends, "_ends", [(Bind(ends.label, "x", ENDS),)])
    around = writer.around(), writer.of_entries(), writer.reach()
    return Cut(*_noted(writer), tiles, ways, (last,), writer.are_many, tuple(_others(wanted)), *around)


def _read_once(rows: Rows, tiles: n.For) -> list[str]:
    """Names of arrays whose elements are read once, so that what is gathered keeps its place in the caches."""
    written = {view.stem for statement in walk(tiles.body) for view in written_views(statement)}
    return [name for name in dict.fromkeys(load.view.stem for load in rows.untested()) if name not in written]


def _others(wanted: Entries) -> Iterator[Schedule]:
    """Ways to cut a loop that are worth measuring, the one that is taken first."""
    yield from ((way,) for way in dict.fromkeys((wanted, *(Entries(wanted.loop, *sizes) for sizes in TRIED))))
    yield (Entries(wanted.loop, 0),)


def _in_pieces(writer: UnevenWriter) -> Cut:
    """A nest with long rows in pieces; where arrays are small there are no tiles, and launches before it are empty."""
    labels = writer.nest.label, writer.found.loop.label
    ways = [ragged_rows(*labels), ragged_rows(*labels, blocks=1)]
    before, arrays, first = _noted(writer)
    piece = f"{writer.found.loop.label}.piece"
    folds = writer.nest_of_pieces(piece)
    schedules = [ragged_rows(folds.label, piece, PIECE, blocks, AHEAD) for blocks in (PIECES, PIECES - 2, 1)]
    first = (*first, (folds, "_folds", schedules))
    around = writer.around(), writer.of_entries(), writer.reach()
    return Cut(before, arrays, first, writer.nest_in_pieces(), ways, (), None, (), *around)


def _noted(writer: UnevenWriter) -> tuple[tuple[n.Statement, ...], tuple[n.Var, ...], tuple[Helper, ...]]:
    """What goes before a nest: what the host computes, arrays, and the kernels that note where rows begin."""
    made = writer.written()
    notes = [(Bind(made.notes.label, "x", *NOTING),)]
    return made.before, made.arrays, ((made.clears, "_clears", ()), (made.notes, "_notes", notes))
