"""The rows of arrays that the program of a piece reads, if elements of other arrays say which.

Arguments of the program say these rows, see `weft.split.footprints`. A box without known bounds gets these bounds, so
the array is not copied whole. Kernels that also read entries beside those of their rows get some more on either side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from weft.analysis.values.linear import ZERO, symbol
from weft.ir import nodes as n
from weft.ir.interface import END_OF_ROWS, FIRST_ROW
from weft.plan.transfers.footprints import Footprint
from weft.plan.transfers.regions import Box, Side


def stretches(program: n.Program) -> dict[str, Side]:
    """The rows that a program reads of its arrays, by their names; nothing for arrays that it may read all of."""
    named = {p.source.name: p.var.name for p in program.params if p.source.kind == "argument" and not p.source.path}
    found: dict[str, Side] = {}
    for name, var in named.items():
        first, end = named.get(f"{FIRST_ROW} {name}"), named.get(f"{END_OF_ROWS} {name}")
        if first is not None and end is not None:
            found[var] = Side(symbol(first), symbol(end))
    return found


def narrowed(found: Footprint, rows: Mapping[str, Side], reach: int = 0) -> Footprint:
    """A footprint whose boxes have the rows of a piece, and some more on either side.

    Parameters
    ----------
    found
        The footprint.
    rows
        What `stretches` gives.
    reach
        How many rows may be read on either side.
    """
    reads = {
        name: tuple(_cut(box, rows[name], reach) for box in boxes) if name in rows else boxes
        for name, boxes in found.reads.items()
    }
    return replace(found, reads=reads) if rows else found


def _cut(box: Box, rows: Side, reach: int) -> Box:
    """A box that begins at row 0, as one of all rows does, with the rows of the piece; another one as it is."""
    return (Side(rows.low - reach, rows.stop + reach), *box[1:]) if box[0].low == ZERO else box
