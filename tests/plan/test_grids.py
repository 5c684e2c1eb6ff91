"""A launch has as many blocks as have something to do."""

import numpy as np
import pytest

from tests.schedule.scheduled import program_of
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.plan.place import place
from weft.schedule import Bind

OPERATIONS = {
    "add": int.__add__,
    "sub": int.__sub__,
    "mod": int.__mod__,
    "floordiv": int.__floordiv__,
    "max": max,
    "min": min,
}


def doubled(x, y, first):
    for i in range(first, len(x)):
        y[i] = x[i] * 2.0


def blocks_of(extent, first):
    """The blocks of a launch over iterations from `first` on, 16 in a block, in runs of 4."""
    arguments = np.ones(8, np.float32), np.ones(8, np.float32), first
    program = place(program_of(doubled, arguments), "cuda", schedule=(Bind("i", "x", 4, 4, 4),)).program
    known = {param.var.name: first for param in program.params if param.var.stem == "first"}

    def value(atom):
        return int(atom.value) if isinstance(atom, n.Const) else known.get(atom.name)

    for statement in walk(program.body):
        if isinstance(statement, n.Launch):
            return value(statement.grid[0])
        made = statement.value if isinstance(statement, n.Let) else None
        if isinstance(made, n.Dim):
            known[statement.var.name] = extent
        elif isinstance(made, n.Binary) and made.op in OPERATIONS and None not in (value(made.left), value(made.right)):
            known[statement.var.name] = OPERATIONS[made.op](value(made.left), value(made.right))
    raise AssertionError("nothing is launched")


@pytest.mark.parametrize(
    "extent, first, blocks",
    [(64, 0, 4), (65, 0, 5), (64, 4, 4), (68, 4, 4), (67, 1, 5), (64, 1, 4), (66, 2, 5), (3, 3, 0), (0, 0, 0)],
)
def test_the_first_block_begins_at_a_multiple_of_a_run_and_no_block_is_idle(extent, first, blocks):
    needed = -(-(extent - first // 4 * 4) // 16) if extent > first else blocks
    assert blocks_of(extent, first) == blocks == needed
