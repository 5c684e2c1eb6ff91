"""Schedules that give an iteration a block of its own: for the tiles of a scan, and for long bodies."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from weft.analysis.access.reach import reach_of
from weft.ir import nodes as n
from weft.ir.visit import atoms_of, blocks_of, has_fewer_trips, known_trips, walk
from weft.schedule.directives import AXES, Bind, Deal, Scan, Schedule
from weft.schedule.legality import OWN_BYTES, SHARED_BYTES, check_schedule
from weft.schedule.lowering.cooperate import dealt_loops, has_effects, is_commutative, is_dealt, is_joint, shared_bytes
from weft.schedule.lowering.lanes import lanes_of
from weft.schedule.lowering.register_rows import kept_rows, prepared
from weft.schedule.lowering.tiles import Staged, Tile, most_counted, staged_in, tile_of
from weft.schedule.nests import flattened
from weft.transform.scan.arg_reductions import is_in_pieces
from weft.tune.lengths import resized, sizes_for

WARP = 32

IN_REGISTERS = 64
"""Bytes of arrays that a thread best has for itself."""

MOST_DEALT, IN_PIECES = 128, 512
"""Threads of a block to which loops are dealt out; and to which a piece of a long loop is, of which there are few."""

AT_ONCE = 4
"""Iterations that such a thread has under way at a time."""

SCANNING = 256
"""Threads of a block that runs a tile."""

MOST_BLOCKS, MULTIPROCESSOR, SCANNED = 6, 210 * 1024, 3 * 1024
"""Blocks that run tiles at a time, bytes of shared memory of a multiprocessor for them, and what each needs beside its
tile."""

REGISTERS, SCANNED_BESIDE = 65536, 24
"""Registers of a multiprocessor, and what a thread needs of them beside the elements of a tile that it holds."""

SHORT = 32
"""Iterations of a reduction that are worth several threads."""

LONGEST_RUN = 4
"""Neighbours that a thread runs at most."""


# ------------------------------------------------------------------------------------------------------ scans


def tiles_of_scans(kernel: n.Kernel, chain: Sequence[n.For]) -> Iterator[Schedule]:
    """A block for each tile of a loop whose tiles take turns."""
    for scan in _scans(kernel, chain[0]):
        yield Bind(chain[0].label, "y", 1), scan


def rows_in_tiles(kernel: n.Kernel, order: Sequence[n.For], chain: Sequence[n.For]) -> Iterator[Schedule]:
    """A block for each iteration, which runs the tiles of a row one after the other."""
    loops = (loop for loop in flattened(chain).statements if isinstance(loop, n.For))
    for scan in (scan for loop in loops for scan in _scans(kernel, loop)):
        binds = [Bind(outer.label, axis, 1) for outer, axis in zip(order, AXES[1:], strict=False)]
        if not check_schedule(kernel, (*binds, scan)):
            yield (*binds, scan)


def _scans(kernel: n.Kernel, loop: n.For) -> Iterator[Scan]:
    """How the threads of a block run a tile; the last way needs hardly any shared memory."""
    tile = tile_of(loop)
    if tile is None:
        return
    scan = Scan(tile.each.label, "x", SCANNING, tile.size // SCANNING)
    if scan.each % LONGEST_RUN == 0 and most_counted(tile, loop) is not None:
        staged = staged_in(tile, loop, kernel, scan.staged, scan.each)
        words = sum(element.size for element in staged.held.values()) * scan.each // 4
        most = REGISTERS // (SCANNING * (words + SCANNED_BESIDE))
        packing = replace(scan, run=LONGEST_RUN, blocks=min(_fitting(staged, tile), most))
        yield from (packing, replace(packing, blocks=1))
    yield replace(scan, blocks=_fitting(staged_in(tile, loop, kernel, scan.staged), tile))
    yield from (replace(scan, staged=most) for most in (scan.staged, SHARED_BYTES * 3 // 4, 0))


def _fitting(staged: Staged, tile: Tile) -> int:
    """How many blocks that run tiles there is shared memory for."""
    size = sum(element.size for element, _ in staged.arrays) * tile.size
    return min(MOST_BLOCKS, max(MULTIPROCESSOR // (size + SCANNED), 1))


# ------------------------------------------------------------------------------------------------ long bodies


def dealt_bodies(kernel: n.Kernel, order: Sequence[n.For], chain: Sequence[n.For]) -> Iterator[Schedule]:
    """A schedule for a nest whose iterations run several loops, make arrays, or fold in an order: a block for each."""
    flat = flattened(chain)
    loops = list(dealt_loops(flat))
    varying = _from_memory(flat, {loop.index.name for loop in chain})
    long = [loop for loop in _one_after_another(flat, varying) if not has_fewer_trips(loop, SHORT)]
    size = shared_bytes(flat) or 0
    many = len(long) > 1 or not all(is_commutative(arg) for loop in long for arg in loop.args)
    along = sum(accesses_along(kernel, loop) for loop in long)
    beside = accesses_along(kernel, order[0]) if len(order) > 1 else 0
    is_worth = size > IN_REGISTERS or (many and along > 0 and along >= beside)
    is_worth |= any(map(_has_steps, flat.statements))
    if not loops or (size <= OWN_BYTES and (not long or not is_worth or any(map(_is_alone, flat.statements)))):
        return
    binds = [Bind(loop.label, axis, 1) for loop, axis in zip(order, AXES[1:], strict=False)]
    most = IN_PIECES if is_in_pieces(chain[0]) else MOST_DEALT
    for deal in _dealt(kernel, flat, loops[0], most):
        yield (*binds, deal)


def _one_after_another(block: n.Block, varying: frozenset[str]) -> list[n.For]:
    """The dealt loops that an iteration runs; of a branch, those of one side. Loops whose ends are read from memory for
    each row are left out: they are taken to be short, like rows of sparse matrices."""
    found: list[n.For] = []
    for statement in block.statements:
        if (
            isinstance(statement, n.For)
            and {getattr(a, "name", "") for a in (statement.start, statement.stop)} & varying
        ):
            continue
        if isinstance(statement, n.For) and is_dealt(statement):
            found.append(statement)
        elif is_joint(statement):
            sides = [_one_after_another(inner, varying) for inner in blocks_of(statement)]
            chosen = [max(sides, key=len)] if isinstance(statement, n.If) else sides
            found += itertools.chain(*chosen)
    return found


def _from_memory(block: n.Block, varying: set[str]) -> frozenset[str]:
    """Names of what is read from memory at a place that depends on some variables, and of what is computed from it."""
    found: set[str] = set()
    for statement in walk(block):
        names = {a.name for a in atoms_of(statement) if isinstance(a, n.Var)}
        if not isinstance(statement, n.Let):
            continue
        if names & found or (isinstance(statement.value, n.Load) and names & varying):
            found.add(statement.var.name)
        if names & varying:
            varying = varying | {statement.var.name}
    return frozenset(found)


def _has_steps(statement: n.Statement) -> bool:
    """Whether a statement runs loops one after the other that are known to be long, and that threads can share."""
    if not isinstance(statement, n.For) or statement.mapping != "sequential" or statement.args:
        return False
    return any((known_trips(loop) or 0) >= SHORT for loop in dealt_loops(statement.body))


def _dealt(kernel: n.Kernel, flat: n.Block, loop: n.For, most_dealt: int) -> Iterator[Deal]:
    """How many threads a loop is dealt out to; where they keep rows, in runs and with room in their registers."""
    trip = known_trips(loop) or 0
    kept = kept_rows(kernel, prepared(flat))
    if kept is not None:
        (threads, rounds), *_, (widest, most) = sizes_for(kept)
        run = min(lanes_of(element) for element in kept.elements)
        while threads * run * most < trip and 2 * threads <= widest and not kept.is_written:
            threads *= 2
        group = min(-(-(trip or threads * run) // (WARP * run)) * WARP, threads)
        each = min(-(-trip // (group * run)), most) if trip else rounds
        deal = resized(Deal(loop.label, "x", group, run), kept, group, each)
        yield from dict.fromkeys((deal, replace(deal, blocks=max(deal.blocks - 1, 1)), replace(deal, blocks=1)))
    group = min(-(-(trip or most_dealt) // WARP) * WARP, most_dealt)
    yield Deal(loop.label, "x", group, 1 if trip else AT_ONCE)


def _is_alone(statement: n.Statement) -> bool:
    """Whether one thread would run a loop while the others wait."""
    return isinstance(statement, n.For) and has_effects(statement) and not any(dealt_loops(n.Block((statement,))))


def accesses_along(kernel: n.Kernel, loop: n.For) -> int:
    """How many accesses are of neighbours in neighbouring iterations of a loop."""
    reach = reach_of(kernel)
    found = reach.loop(loop.label)
    return sum(reach.is_along(access, found) for access in reach.table.accesses)
