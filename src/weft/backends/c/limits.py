"""Constants that bound the values of a loop, to be hidden from gcc.

For ``v > 255.0 ? 255.0 : v`` gcc computes what follows twice, for the constant and for ``v``, and then chooses: by
branches, or by a mask for each operation. If it does not know the constant, it emits one instruction for a minimum.
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import walk


def limits_of(loop: n.For) -> Iterator[n.Const]:
    """The float constants that a loop clips its values to: by comparisons and choices, or by `min` and `max`."""
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
