"""Which parallel nests can be kernels of a device, and why others stay on the host."""

from __future__ import annotations

from weft.ir import nodes as n
from weft.ir.types import FLOAT16, Record, Scalar, View
from weft.ir.visit import walk

SMALL_ARRAY = 1024
"""Bytes of an array that every work item may have for itself."""

MAX_OPERANDS = 48
"""Arrays and numbers that a kernel takes at most; each array is up to 17 arguments of the device's call."""

INTEGER_UPDATES = frozenset({"add", "and", "or", "xor", "min", "max"})
"""Updates that are one atomic operation on integers, and whose order therefore does not matter."""

FOLDED = frozenset({"add", "mul", "and", "or", "xor", "min", "max"})
"""Reductions that start from an identity."""


def why_host(nest: n.For) -> str | None:
    """Why a parallel nest cannot be a kernel, in the user's words; None where it can."""
    if nest.exit is not None:
        return "it may end early"
    for arg in nest.args:
        reason = _why_not_folded(arg)
        if reason:
            return reason
    for statement in walk(nest.body):
        reason = _why_statement(statement)
        if reason:
            return reason
    return None


def _why_not_folded(arg: n.LoopArg) -> str | None:
    if arg.combine is None:
        return f"{arg.var.stem!r} is carried from one iteration to the next"
    if arg.combine not in FOLDED:
        return f"{arg.var.stem!r} is combined by the function {arg.combine!r}, which has no known neutral element"
    if not isinstance(arg.var.type, Scalar) or (arg.var.type.kind == "c" and arg.combine in ("min", "max")):
        return f"{arg.var.stem!r} is no number"
    return None


def _why_statement(statement: n.Statement) -> str | None:
    if isinstance(statement, n.External):
        return f"it calls {statement.reference!r}, which is Python"
    if isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc) and not _is_small(statement.value):
        return f"every iteration makes an array {statement.var.stem!r} whose size is not a small constant"
    if isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc) and isinstance(statement.value.element, Record):
        return f"every iteration makes a structured array {statement.var.stem!r}"
    if isinstance(statement, n.Update):
        return _why_update(statement)
    if isinstance(statement, (n.For, n.While, n.If)) and any(isinstance(v.type, View) for v in statement.results):
        return f"line {statement.location.line} chooses between arrays"
    return None


def _why_update(statement: n.Update) -> str | None:
    element = statement.value.type
    exact = isinstance(element, Scalar) and element.kind in "iu" and element.bits >= 32
    if exact and statement.op in INTEGER_UPDATES:
        return None
    return f"elements of {statement.view.stem!r} are updated in an order that would change the result"


def _is_small(alloc: n.Alloc) -> bool:
    size = alloc.element.size
    for extent in alloc.shape:
        if not isinstance(extent, n.Const) or not isinstance(extent.value, int):
            return False
        size *= extent.value
    return 0 <= size <= SMALL_ARRAY


def uses_half(block: n.Block) -> bool:
    """Whether a block computes with float16, which not every OpenCL device can."""
    return any(var.type == FLOAT16 for s in walk(block) if isinstance(s, n.Let) for var in (s.var,))
