"""Numbers that a loop's values are kept below or above: gcc is not to know them.

Of ``v > 255.0 ? 255.0 : v`` it computes what follows twice, for the number and for ``v``, and chooses between these: by
branches, or by a mask for each operation, where one instruction for a minimum does.
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import walk


def limits_of(loop: n.For) -> Iterator[n.Const]:
    """The floats that a loop compares with, and takes in place of what it compared."""
    values = [s.value for s in walk(loop.body) if isinstance(s, n.Let)]
    compared = {atom for value in values if isinstance(value, n.Compare) for atom in (value.left, value.right)}
    for value in values:
        taken: tuple[n.Atom, ...] = ()
        if isinstance(value, n.Select):
            taken = tuple(atom for atom in (value.then, value.orelse) if atom in compared)
        elif isinstance(value, n.Binary) and value.op in ("min", "max"):
            taken = value.left, value.right
        yield from (atom for atom in taken if isinstance(atom, n.Const) and is_float(atom))


def is_float(const: n.Const) -> bool:
    """Whether a constant is a float of 32 or 64 bits."""
    return isinstance(const.type, Scalar) and const.type.kind == "f" and const.type.bits in (32, 64)
