"""A block for each iteration of the bound loops: the loops inside of it are dealt out to all threads of the block.

Arrays that an iteration makes are in shared memory, or in registers where each thread keeps to its own elements. What a
thread does is a list of phases, one for each loop that is dealt out; what threads fold, all of them know afterwards.
Values that follow from parameters and from what was folded are computed by every thread for itself; those that follow
from the block's arrays are read by every thread, in a phase of their own. What has effects and is no parallel loop, the
first thread does alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import cast

from weft.analysis.recurrences.arg_reductions import first_of
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, fails_quietly, may_raise, written_views
from weft.ir.types import Scalar
from weft.ir.visit import atoms_of, defined_by, walk
from weft.schedule.nests import flattened, grid_chain, is_repeatable

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
    """The loops of a block that can be dealt out, those inside of loops that run one iteration after the other too."""
    for statement in block.statements:
        if is_dealt(statement):
            yield cast(n.For, statement)
        elif isinstance(statement, n.For) and not statement.args:
            yield from dealt_loops(statement.body)


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
    awaited = n.Block(flat.statements[: _last_phase(flat)])
    ends = not any(isinstance(s, n.While) for s in walk(flat))
    if any(_may_fail(s) and not (ends and isinstance(s, n.Let) and fails_quietly(s)) for s in walk(awaited)):
        return "no-exceptions", "an iteration may raise, and the threads of its block would not know"
    if any(isinstance(s, n.Call) or (isinstance(s, n.Let) and isinstance(s.value, VIEWS)) for s in walk(flat)):
        return "whole-arrays", "an iteration makes views of arrays, or calls functions"
    return _why_not_in_phases(kernel, flat)


def _last_phase(flat: n.Block) -> int:
    """Where the last loop stands that is dealt out and gives nothing, if nothing follows: no thread waits for it."""
    last = flat.statements[-1] if flat.statements else None
    is_last = last is not None and is_dealt(last) and not defined_by(last)
    return len(flat.statements) - is_last


def _may_fail(statement: n.Statement) -> bool:
    if isinstance(statement, n.Let) and not isinstance(statement.value, n.Alloc):
        return may_raise(statement.value, statement.var.type)
    return isinstance(statement, n.Raise)


def _why_not_in_phases(kernel: n.Kernel, flat: n.Block) -> tuple[str, str] | None:
    """Phases are entered by all threads: what decides about them is the same for all, and known outside of them."""
    for statement in flat.statements:
        if isinstance(statement, n.For) and not is_dealt(statement) and any(dealt_loops(statement.body)):
            bounds = {a.name for a in (statement.start, statement.stop) if isinstance(a, n.Var)}
            if statement.args or own_arrays(statement.body) or bounds & _late(kernel, flat):
                return "same-for-all", f"what {statement.label!r} runs or carries is not known to all threads"
            inner = _why_not_in_phases(kernel, statement.body)
            if inner is not None:
                return inner
        elif has_effects(statement) and not is_dealt(statement) and defined_by(statement):
            return "one-thread", f"values come from what only one thread does, in line {_line(statement)}"
    return None


def _late(kernel: n.Kernel, block: n.Block) -> set[str]:
    """Names of the variables that follow from what threads do."""
    found: set[str] = set()
    for statement in block.statements:
        uses = {a.name for a in atoms_of(statement) if isinstance(a, n.Var)}
        if not is_repeatable(statement, kernel) or uses & found:
            found |= {v.name for v in defined_by(statement)}
    return found


def _line(statement: n.Statement) -> int:
    return int(getattr(getattr(statement, "location", None), "line", 0))


def has_effects(statement: n.Statement) -> bool:
    """Whether a statement writes to memory, whatever is inside of it included."""
    return any(True for inner in walk(n.Block((statement,))) for _ in written_views(inner))
