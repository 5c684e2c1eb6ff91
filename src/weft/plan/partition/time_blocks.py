"""Several steps of a time loop for each stay of a slab: what a loop on the host must be like, and how far it reaches.

A loop whose iterations run parallel nests over the same arrays, as in ``for t in range(steps)`` around a stencil, would
bring every array to the device and back for every step. Instead a slab stays for a block of steps: each launch of the
block is shifted against the one before by as many rows as the nests look around them (the *reach*), towards the slabs
that are done. So it finds its neighbours as they were at its time, on both sides: every element is computed once, from
the same values as in the program's own order, and slabs run one after the other.

Nothing here writes a plan: see `block_loops`.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from weft.analysis.access.access import AccessTable
from weft.analysis.values.linear import Form
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import View
from weft.ir.visit import Names, free_variables
from weft.plan.partition.slabs import Piece, Uncut, ends_of, piece_of
from weft.plan.partition.windows import can_move
from weft.plan.transfers.regions import Box


@dataclass(frozen=True)
class Steps:
    """A loop whose iterations can run in blocks.

    Attributes
    ----------
    loop
        The loop.
    pieces
        What pieces of its nests touch, in their order.
    arrays
        The arrays that are cut: the variable in the loop, and the one that holds the array before it.
    written
        Those that are written in some iteration, and which of their elements but for the rows.
    cycles
        The variables through which an array goes.
    reach
        By how many rows a launch is shifted against the one before.
    touched, made
        The rows that an iteration touches, and that it writes: from its number plus the first up to but without its
        number plus the second.
    period
        After so many iterations each array is back at its place.
    filled
        Arrays that the device has whole, and whose elements are written and not read.
    """

    loop: n.For
    pieces: tuple[Piece, ...]
    arrays: Mapping[n.Var, n.Var]
    written: Mapping[n.Var, Box]
    cycles: Mapping[n.Var, set[str]]
    reach: int
    touched: tuple[int, int]
    made: tuple[int, int]
    period: int
    filled: tuple[str, ...] = ()


def steps_of(
    program: n.Program, table: AccessTable, loop: n.For, names: Names, small: Container[str] = ()
) -> Steps | None:
    """A loop on the host as one whose iterations can run in blocks; None where they cannot, or where that is not known.

    Parameters
    ----------
    program, table
        The program, before anything is placed, and its access table.
    loop
        A loop in which every nest can be a kernel.
    names
        Where the bounds of pieces get their names.
    small
        Arrays of which the device may have all while nests write them.
    """
    nests = [s for s in loop.body.statements if isinstance(s, n.For)]
    order = _order(loop)
    if not nests or order is None or not all(map(_is_plain, loop.body.statements)):
        return None
    if any(nest.args or nest.mapping != "parallel" or block_may_raise(n.Block((nest,))) for nest in nests):
        return None
    try:
        pieces = [piece_of(program, nest, names) for nest in nests]
    except Uncut:
        return None
    reads, writes = (_all_rows(pieces, [getattr(piece, kind) for piece in pieces]) for kind in ("reads", "writes"))
    filled = {name for piece in pieces for name in piece.writes if name in small and name in piece.whole}
    if any(name in piece.reads for piece in pieces for name in filled):
        return None
    arrays = _arrays(table, loop, pieces, nests, filled)
    if arrays is None or reads is None or not writes or any(first + 1 != stop for first, stop in writes):
        return None
    steps = _steps(loop, pieces, arrays, order, _around([*reads, *writes]), _around(writes))
    return replace(steps, filled=tuple(sorted(filled)))


def _steps(
    loop: n.For,
    pieces: Sequence[Piece],
    arrays: Mapping[n.Var, n.Var],
    order: Sequence[int],
    touched: tuple[int, int],
    made: tuple[int, int],
) -> Steps:
    reach = max(touched[1] - 1 - made[0], made[1] - 1 - touched[0])
    names = {name for piece in pieces for name in piece.writes}
    cycles = {var: _cycle(loop, order, var.name) for var in arrays}
    written = {var: _hull(pieces, cycle) for var, cycle in cycles.items() if cycle & names}
    return Steps(loop, tuple(pieces), arrays, written, cycles, reach, touched, made, _period(order))


def _around(rows: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return min(first for first, _ in rows), max(stop for _, stop in rows)


def _is_plain(statement: n.Statement) -> bool:
    """Whether a statement is a nest, or arithmetic on numbers."""
    if isinstance(statement, n.Let):
        return not isinstance(statement.value, (n.Load, n.Alloc)) and not isinstance(statement.var.type, View)
    return isinstance(statement, n.For)


def _order(loop: n.For) -> list[int] | None:
    """From which place each array of a loop comes after an iteration; None where the loop carries anything else."""
    args = [arg.var for arg in loop.args]
    if loop.exit is not None or not all(isinstance(arg.type, View) for arg in args):
        return None
    if set(loop.body.yields) != set(args) or len({arg.init for arg in loop.args}) < len(args):
        return None
    return [args.index(value) for value in loop.body.yields if isinstance(value, n.Var)]


def _period(order: Sequence[int]) -> int:
    """After how many iterations every array is back at its place."""
    lengths = []
    for place in range(len(order)):
        length, at = 1, order[place]
        while at != place:
            length, at = length + 1, order[at]
        lengths.append(length)
    return math.lcm(*lengths)


def _cycle(loop: n.For, order: Sequence[int], name: str) -> set[str]:
    """The variables of a loop through which an array goes."""
    names = [arg.var.name for arg in loop.args]
    found = {name}
    while name in names and names[order[names.index(name)]] not in found:
        name = names[order[names.index(name)]]
        found.add(name)
    return found


def _all_rows(pieces: Sequence[Piece], boxes: Sequence[Mapping[str, Sequence[Box]]]) -> list[tuple[int, int]] | None:
    """The rows of all boxes of arrays that are cut; None where some vary."""
    found = [_rows(piece, own) for piece, own in zip(pieces, boxes, strict=True)]
    return None if None in found else [rows for own in found for rows in own or ()]


def _rows(piece: Piece, boxes: Mapping[str, Sequence[Box]]) -> list[tuple[int, int]] | None:
    """The rows of boxes of arrays that are cut, as distances from the number of an iteration; None where these vary."""
    found = []
    for name, own in boxes.items():
        for box in own if name in piece.windows else ():
            ends = ends_of(box[0], piece.low.name, piece.high.name)
            if ends is None or ends.scale != 1 or ends.first.value is None or ends.stop.value is None:
                return None
            found.append((ends.first.value, ends.stop.value + 1))
    return found


def _arrays(
    table: AccessTable, loop: n.For, pieces: Sequence[Piece], nests: Sequence[n.For], filled: set[str]
) -> dict[n.Var, n.Var] | None:
    """The arrays that all nests find cut, by the variable in the loop; None where one needs such an array otherwise."""
    inits = {arg.var.name: arg.init for arg in loop.args}
    found: dict[n.Var, n.Var] = {}
    for piece in pieces:
        for name in piece.windows:
            var = table.structure.definition(name).var
            init = inits.get(name, var)
            if not isinstance(init, n.Var):
                return None
            found[var] = init
    if any(arg.var not in found for arg in loop.args):
        return None
    names = {var.name for var in found}
    whole = {name for piece in pieces for name in piece.whole}
    if whole & names or whole & {name for piece in pieces for name in piece.writes} - filled:
        return None
    used = [v for nest in nests for v in free_variables(n.Block((nest,))) if isinstance(v.type, View)]
    if any(v.name not in names | whole for v in used) or not all(can_move(nest, found) for nest in nests):
        return None
    return found


def _hull(pieces: Sequence[Piece], names: set[str]) -> Box:
    """A box around all that is written of some arrays, but for the rows; wide where it follows a piece."""
    space = next(piece.spaces[name] for piece in pieces for name in names if name in piece.spaces)
    boxes = [box for piece in pieces for name in sorted(names) for box in piece.writes.get(name, ())]
    bounds = {var.name for piece in pieces for var in (piece.low, piece.high)}
    sides = zip(space.hull(boxes)[1:], space.whole[1:], strict=True)
    return tuple(all_ if bounds & (side.low.names | side.stop.names) else side for side, all_ in sides)


def is_outside(table: AccessTable, form: Form, loop: n.For) -> bool:
    """Whether a form can be computed before a loop."""
    known = table.structure.loops[loop.label]
    return not any(table.structure.is_inside(name, known) for name in form.names)
