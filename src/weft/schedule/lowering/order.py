"""The order in which blocks run: several rows of blocks at a time, so that those that run together share elements.

Devices begin blocks in the order of their numbers, x first. Under `Order` the numbers go down a group of rows before
they go to the next column; the second-level cache then holds what the blocks of a group share.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import PYINT
from weft.ir.visit import Names, rewrite
from weft.schedule.directives import Order
from weft.schedule.writing import Writing

MOST_BLOCKS = 65535
"""Blocks along y of one launch; of a larger grid each launch is ordered for itself."""


def ordered(kernel: n.Kernel, order: Order, names: Names) -> n.Kernel:
    """A kernel that is laid out, its blocks in groups of rows."""

    def change(statement: n.Statement) -> n.Statement:
        if not isinstance(statement, n.For) or statement.label != f"{order.loop}.block":
            return statement
        inner = statement.body.statements[-1]
        assert isinstance(inner, n.For) and inner.mapping == "blocks"
        return _in_groups(statement, inner, order.blocks, names)

    return replace(kernel, body=rewrite(kernel.body, change))


def _in_groups(rows: n.For, columns: n.For, blocks: int, names: Names) -> n.For:
    """Two loops over blocks whose counters are computed from the numbers of the blocks."""
    write = Writing(names, rows.location)
    row, column = names.fresh("row", PYINT), names.fresh("column", PYINT)
    height, width = write.op("min", rows.stop, MOST_BLOCKS, "height"), write.op("max", columns.stop, 1, "width")
    number = write.op("add", write.op("mul", row, width), column, "number")
    size = write.op("mul", width, blocks, "size")
    group = write.op("floordiv", number, size, "group")
    first = write.op("mul", group, blocks, "first")
    within = write.op("mod", number, size, "within")
    many = write.op("max", write.op("min", write.op("sub", height, first), blocks), 1, "many")
    place = write.op("add", first, write.op("mod", within, many))
    write.add(n.Let(rows.index, n.Binary("add", place, n.Const(0), checked=False), rows.location))
    step = write.op("floordiv", within, many)
    write.add(n.Let(columns.index, n.Binary("add", step, n.Const(0), checked=False), rows.location))
    body = replace(columns.body, statements=(*write.statements, *columns.body.statements))
    inner = replace(columns, index=column, body=body)
    return replace(rows, index=row, body=replace(rows.body, statements=(*rows.body.statements[:-1], inner)))
