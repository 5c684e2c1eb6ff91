"""Which innermost loops become vector code: the C compiler's habits, as far as they can be told from the program."""

from __future__ import annotations

from collections.abc import Sequence

from weft.cost.demand import Level, Touch
from weft.cost.kinds import scalar_type
from weft.cost.quantities import LINE
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import Vector
from weft.ir.visit import walk

SHORT = 8
"""Iterations below which vector code does not begin."""

WIDE = 64
"""Bytes of a vector."""


def can_be_vector(loop: n.For) -> bool:
    """Whether a loop may become vector code by the compiler's own making.

    It does where iterations are independent or fold what they carry, and nothing but straight code stands in it; unless
    something `blocks_vectors` that differs from iteration to iteration.
    """
    if loop.mapping != "parallel" or loop.exit is not None:
        return False
    inside = tuple(walk(loop.body))
    if loop.args and overflows(loop.body):
        return False
    if block_may_raise(loop.body) and any(isinstance(s, n.If) for s in inside):
        return False
    return not any(isinstance(s, (n.For, n.While, n.Call, n.External, n.Update)) for s in inside)


def overflows(block: n.Block) -> bool:
    """Whether arithmetic in a block is tested for overflow."""
    return any(isinstance(s, n.Let) and _is_tested(s) for s in walk(block))


def blocks_vectors(let: n.Let) -> bool:
    """Whether processors have no vector instruction for something.

    Integers that are divided by what is no power of two, powers, and arithmetic that is tested for overflow.
    """
    value, type_ = let.value, let.var.type
    if isinstance(type_, Vector):
        return True
    if not isinstance(value, n.Binary):
        return False
    scalar = scalar_type(type_)
    if value.op in ("floordiv", "mod") and scalar is not None and scalar.kind in "iu":
        return not (isinstance(value.right, n.Const) and _is_power_of_two(value.right))
    return value.op == "pow" or _is_tested(let)


def _is_tested(let: n.Let) -> bool:
    value, scalar = let.value, scalar_type(let.var.type)
    if not isinstance(value, n.Binary) or scalar is None or not scalar.weak or scalar.kind != "i":
        return False
    return value.checked and value.op in ("add", "sub", "mul", "shl")


def _is_power_of_two(atom: n.Const) -> bool:
    return isinstance(atom.value, int) and atom.value > 0 and atom.value & (atom.value - 1) == 0


# ------------------------------------------------------------------------------------------------ ends of loops


def runs(level: Level) -> float:
    """How often code begins for an entry of a loop: once more where stores do not begin with a line of the cache."""
    if not level.vector or level.trips < SHORT:
        return 1.0
    first, lanes = _places(level)
    return 1.0 + sum(0 < each < level.trips for each in first) / len(first)


def _places(level: Level) -> tuple[Sequence[int], int]:
    store = next((touch for touch, _ in level.touches if touch.mode != "load"), None)
    itemsize = (store or level.touches[0][0]).region.itemsize if level.touches else 4
    lanes = max(WIDE // itemsize, 2)
    return _firsts(store, level, lanes), lanes


def _firsts(store: Touch | None, level: Level, lanes: int) -> Sequence[int]:
    """How many iterations may come before the first whole vector of what is stored."""
    if store is None:
        return (0,)
    *rows, (stride, index) = zip(store.region.strides, store.indices, strict=False)
    aligned = all(abs(stride) % LINE == 0 or not index.depends for stride, index in rows)
    start = index.value - (index.step(level.label) * (level.trips - 1)) / 2
    if aligned and abs(stride) == store.region.itemsize and start == start and not (index.depends - {level.label}):
        return (int(-start % lanes),)
    if _is_whole(level, lanes) and aligned:
        return (0,)
    return range(0, lanes, max(lanes // 8, 1)) if level.entries > 1 else (0,)


def _is_whole(level: Level, lanes: int) -> bool:
    """Whether vectors leave nothing over."""
    return level.trips % lanes == 0
