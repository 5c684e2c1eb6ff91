"""How a nest over rows of very different length is cut: by entries where these give the same in any row, else so that
only long rows are in pieces. See `weft.plan.uneven` and `weft.plan.entries`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from weft.errors import ArgumentError
from weft.ir import nodes as n
from weft.ir.visit import Names, free_variables
from weft.plan import uneven
from weft.plan.entries import GROUP, RUN, EntryWriter, kept_bytes, largest_count
from weft.plan.rows import Rows, rows_in
from weft.plan.uneven import UnevenWriter
from weft.schedule.choice import concerns
from weft.schedule.default import MULTIPROCESSOR, RAGGED, ragged_rows
from weft.schedule.directives import Bind, Deal, Entries, Schedule
from weft.schedule.legality import Limits, check_schedule

THREADS, BLOCKS = 256, 8
"""Threads of the block of a tile, and blocks that are to run at a time on a multiprocessor: 2048 threads in all."""

RESERVED = 1024
"""Bytes of shared memory that a device keeps of each block."""

FEWER = 6
"""The same where threads need more registers: 1536 threads with 40 each."""

NOTING = 256, 4
"""Threads of a block that notes which rows are the first of tiles, and rows of each: so little is done for a row that
what a thread does at first would cost more."""

PIECE = 32
"""Threads that fold a piece together."""

TRIED = (
    (uneven.COUNT, THREADS),
    (uneven.COUNT, 128),
    (uneven.COUNT // 2, 128),
    (uneven.COUNT // 2, 256),
    (2 * uneven.COUNT, 256),
)
"""Entries of a tile and threads of its block that are worth measuring."""


@dataclass(frozen=True)
class Cut:
    """A nest that is cut.

    `before` makes the `arrays`; the nest needs the results of the kernels in `first`, each with the end of its name and
    schedules that it may have, the best one first. It runs in this way where `are_many`, None: always. `others` are
    ways to cut it that are worth measuring.
    """

    before: tuple[n.Statement, ...]
    arrays: tuple[n.Var, ...]
    first: tuple[tuple[n.For, str, Sequence[Schedule]], ...]
    nest: n.For
    ways: Sequence[Schedule]
    are_many: n.Atom | None
    others: tuple[Schedule, ...] = ()


def cut_rows(nest: n.For, names: Names, given: Schedule, limits: Limits) -> Cut | None:
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
    wanted = asked or Entries(nest.label, uneven.COUNT, THREADS, BLOCKS)
    rows = rows_in(nest)
    made = _by_entries(rows, names, wanted, limits, few=0 if asked else uneven.FEW)
    if not isinstance(made, str):
        return made
    if asked is not None:
        raise ArgumentError(f"entries: {nest.label!r} cannot be cut by entries: {made}", argument="schedule")
    if rows is None or limits.threads < wanted.group:
        return None
    return _in_pieces(UnevenWriter(rows, names, uneven.COUNT, uneven.FEW))


def _by_entries(rows: Rows | None, names: Names, wanted: Entries, limits: Limits, few: int) -> Cut | str:
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
    return _in_tiles(EntryWriter(rows, names, count, few), wanted, few)


def _in_tiles(writer: EntryWriter, wanted: Entries, few: int) -> Cut | str:
    """A nest over tiles, or why its blocks cannot be laid out."""
    rows, count = writer.rows, writer.count
    tiles = writer.nest_of_tiles()
    resident = MULTIPROCESSOR // (kept_bytes(rows, count) + RESERVED)
    most = min(wanted.blocks, max(resident, 1)) if few else wanted.blocks
    ways = [
        (Bind(tiles.label, "y", 1), Deal(writer.label, "x", wanted.group, blocks=blocks))
        for blocks in dict.fromkeys((most, min(most, FEWER), 1))
    ]
    block = n.Block((tiles,))
    violations = check_schedule(n.Kernel("", free_variables(block), block), ways[0])
    if violations:
        return str(violations[0])
    return replace(_cut(writer, tiles, ways, writer.are_many), others=tuple(_others(wanted.loop)))


def _others(loop: str) -> Iterator[Schedule]:
    """Ways to cut a loop that are worth measuring, the default first."""
    yield from ((Entries(loop, count, group, BLOCKS * THREADS // group),) for count, group in TRIED)
    yield (Entries(loop, 0),)


def _in_pieces(writer: UnevenWriter) -> Cut:
    """A nest with long rows in pieces; where arrays are small there are no tiles, and launches before it are empty."""
    rows = writer.rows
    return _cut(writer, writer.nest_in_pieces(), _shared(rows.nest.label, rows.found.loop.label, RAGGED), None)


def _cut(writer: UnevenWriter, nest: n.For, ways: Sequence[Schedule], are_many: n.Atom | None) -> Cut:
    made = writer.written()
    folds = _shared(made.folds.label, made.piece, PIECE)
    notes = [(Bind(made.notes.label, "x", *NOTING),)]
    first = (made.clears, "_clears", ()), (made.notes, "_notes", notes), (made.folds, "_folds", folds)
    return Cut(made.before, made.arrays, first, nest, ways, are_many)


def _shared(rows: str, row: str, group: int) -> list[Schedule]:
    """Schedules for a loop over rows, which a few threads share each."""
    return [ragged_rows(rows, row, group), ragged_rows(rows, row, group, blocks=1)]
