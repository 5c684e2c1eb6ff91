"""Python integers beyond 64 bits: only constants have such values.

Floats take them rounded, comparisons with integers are decided by them, and a `np.uint64` may have the smaller ones.
Whatever else is computed with them is refused: no operation of a program has an operand that does not fit.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from weft.errors import UnsupportedError
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYINT, Scalar
from weft.ir.values import MAX_INT, MIN_INT
from weft.ir.visit import atoms_of, blocks_of

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BITS = 1100
"""Powers and shifts of constants with more bits are no float either; they raise when the program runs."""

_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip


def is_wide(atom: n.Atom) -> bool:
    """Whether an atom is a Python integer that 64 bits do not hold."""
    if not isinstance(atom, n.Const) or atom.type != PYINT or not isinstance(atom.value, int):
        return False
    return not MIN_INT <= atom.value <= MAX_INT


def refuse(atom: n.Const, location: Location) -> UnsupportedError:
    """The error for a constant that does not fit where it is used."""
    return UnsupportedError(
        f"the integer {atom.value} does not fit in 64 bits",
        location,
        cause="Python integers are 64-bit integers in compiled code",
        hint="write np.uint64(...) around it, or a float",
    )


def check(statement: n.Statement) -> None:
    """Refuse a statement with a constant that does not fit."""
    check_all(_atoms(statement), statement.location)


def check_all(atoms: Iterable[n.Atom], location: Location) -> None:
    """Refuse constants that do not fit."""
    for atom in atoms:
        if isinstance(atom, n.Const) and is_wide(atom):
            raise refuse(atom, location)


def _atoms(statement: n.Statement) -> Iterator[n.Atom]:
    yield from atoms_of(statement)
    for block in blocks_of(statement):
        yield from block.yields


def folds(op: str, left: int, right: int) -> bool:
    """Whether an operation on constants has a result of a size that is worth having."""
    if op not in ("pow", "shl"):
        return True
    return 0 <= right <= MOST_BITS and (right * (left.bit_length() - 1) if op == "pow" else right) <= MOST_BITS


def compared(op: n.CompareOp, left: n.Atom, right: n.Atom) -> bool | None:
    """The truth of a comparison of an integer with a constant that its type does not hold; None for other operands."""
    for constant, other, order in ((left, right, (0, 1)), (right, left, (1, 0))):
        if not isinstance(constant, n.Const) or constant.type != PYINT or not isinstance(other.type, Scalar):
            continue
        value = int(constant.value.real)
        if other.type.kind not in "iu" or _holds(other.type, value):
            continue
        sides = ((1, 0), (-1, 0))[value < 0]
        return _COMPARED[op](sides[order[0]], sides[order[1]])
    return None


def _holds(type: Scalar, value: int) -> bool:
    signed = type.kind == "i"
    low = -(1 << (type.bits - 1)) if signed else 0
    return low <= value < low + (1 << type.bits)
