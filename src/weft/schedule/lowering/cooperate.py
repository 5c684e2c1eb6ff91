"""A block for each iteration of the bound loops: the loops inside of it are dealt out to all threads of the block.

Arrays that an iteration makes are in shared memory, or in registers where each thread keeps to its own elements. What a
thread does is a list of phases, one for each loop that is dealt out; what threads fold, all of them know afterwards.
Values that follow from parameters and from what was folded are computed by every thread for itself; those that follow
from the block's arrays are read by every thread, in a phase of their own. All threads run the loops and branches around
loops that are dealt out together: what decides about these is the same for all. Anything else that has effects, the
first thread does alone. If one thread raises, all leave at the end of the phase.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import cast

from weft.analysis.recurrences.arg_reductions import first_of
from weft.ir import nodes as n
from weft.ir.effects import written_views
from weft.ir.types import Scalar
from weft.ir.visit import blocks_of, defined_by, walk
from weft.schedule.nests import flattened, grid_chain

COMMUTATIVE = ("add", "mul", "and", "or", "xor")


def is_dealt(statement: n.Statement) -> bool:
    """Whether a statement is a loop that can be dealt out: parallel, without results or with sums of any order; or one
    that looks for an extreme and its place."""
    if not isinstance(statement, n.For):
        return False
    if statement.mapping != "parallel" or statement.exit is not None:
        return statement.mapping == "sequential" and first_of(statement) is not None
    return all(is_commutative(arg) for arg in statement.args) or is_extreme(statement)


def is_extreme(loop: n.For) -> bool:
    """Whether a loop finds extremes of floats, maybe beside sums, and does nothing else.

    Their order matters only between zeros of either sign: where threads find a zero, they look for the first one.
    """
    return not has_effects(loop) and all(is_commutative(arg) or is_float_extreme(arg) for arg in loop.args)


def is_float_extreme(arg: n.LoopArg) -> bool:
    """Whether an argument is an extreme of floats."""
    return arg.combine in ("min", "max") and isinstance(arg.var.type, Scalar) and arg.var.type.kind == "f"


def is_commutative(arg: n.LoopArg) -> bool:
    """Whether the order of a reduction's operands does not matter: for extremes of floats it does, between zeros."""
    is_float = isinstance(arg.var.type, Scalar) and arg.var.type.kind in "fc"
    return arg.combine in COMMUTATIVE or (arg.combine in ("min", "max") and not is_float)


def dealt_loops(block: n.Block) -> Iterator[n.For]:
    """The loops of a block that can be dealt out, also those inside what all threads run together."""
    for statement in block.statements:
        if is_dealt(statement):
            yield cast(n.For, statement)
        elif _may_be_joint(statement):
            for inner in blocks_of(statement):
                yield from dealt_loops(inner)


def is_joint(statement: n.Statement) -> bool:
    """Whether all threads run a statement together, since loops in it are dealt out: a sequential loop, or a branch.
    Its bounds or its condition are the same for all threads."""
    return not is_dealt(statement) and _may_be_joint(statement) and any(dealt_loops(n.Block((statement,))))


def _may_be_joint(statement: n.Statement) -> bool:
    if isinstance(statement, n.For) and statement.mapping != "sequential":
        return False
    is_region = isinstance(statement, (n.For, n.While, n.If))
    return is_region and all(isinstance(v.type, Scalar) for v in defined_by(statement))


def own_arrays(block: n.Block) -> tuple[n.Let, ...]:
    """The arrays that a block makes itself, outside of what is dealt out."""
    return tuple(s for s in block.statements if isinstance(s, n.Let) and isinstance(s.value, n.Alloc))


def shared_bytes(block: n.Block) -> int | None:
    """Bytes of the arrays that a block makes; None where one has no constant size, or no numbers for elements."""
    total = 0
    for let in own_arrays(block):
        assert isinstance(let.value, n.Alloc)
        shape = let.value.shape
        if not isinstance(let.value.element, Scalar) or not all(isinstance(e, n.Const) for e in shape):
            return None
        total += prod(int(e.value.real) for e in shape if isinstance(e, n.Const)) * let.value.element.size
    return total


def why_not_dealt(kernel: n.Kernel) -> tuple[str, str] | None:
    """The constraint that keeps the iterations of a kernel from being dealt out, and why; None where they can be."""
    flat = flattened(grid_chain(kernel))
    if shared_bytes(flat) is None:
        return "known-size", "an array that an iteration makes has no constant size, or no numbers for elements"
    if any(isinstance(s, n.Call) for s in walk(flat)):
        return "whole-arrays", "an iteration calls functions"
    return _why_not_in_phases(flat)


def _why_not_in_phases(block: n.Block) -> tuple[str, str] | None:
    """What one thread does alone must define nothing, and all arrays are made outside what threads run together."""
    for statement in block.statements:
        if is_joint(statement):
            for inner in blocks_of(statement):
                if own_arrays(inner):
                    return "known-size", f"an array is made inside the statement in line {_line(statement)}"
                reason = _why_not_in_phases(inner)
                if reason is not None:
                    return reason
        elif has_effects(statement) and not is_dealt(statement) and defined_by(statement):
            return "one-thread", f"values come from what only one thread does, in line {_line(statement)}"
    return None


def _line(statement: n.Statement) -> int:
    return int(getattr(getattr(statement, "location", None), "line", 0))


def has_effects(statement: n.Statement) -> bool:
    """Whether a statement writes to memory, whatever is inside of it included."""
    return any(True for inner in walk(n.Block((statement,))) for _ in written_views(inner))
