"""The rows of arrays that a program of a piece reads, where elements of other arrays say it.

Its arguments say these rows, see `weft.split.footprints`. So a box that no bounds are known of has these bounds: the
array is not copied whole. Kernels that read entries around those of their own rows read some more on either side.
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
    """A footprint whose boxes end where the rows of a piece do, and some rows that are read on either side of these.

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
    """A box of which all rows were to be copied."""
    return (Side(rows.low - reach, rows.stop + reach), *box[1:]) if box[0].low == ZERO else box
