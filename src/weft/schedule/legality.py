"""Which schedules a kernel allows: a list of named constraints, each a small check with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod

from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import Scalar
from weft.ir.visit import atoms_of, walk
from weft.schedule.deal import dealt_loops, is_commutative, shared_bytes, why_not_dealt
from weft.schedule.directives import (
    AXES,
    Bind,
    Deal,
    Privatise,
    Reorder,
    Schedule,
    Share,
    Split,
    Stage,
    Turn,
    Vectorise,
    named,
)
from weft.schedule.nests import (
    Reduction,
    flattened,
    grid_chain,
    has_known_bounds,
    is_repeatable,
    is_sliced,
    names_in,
    reads,
    reduction_in,
    slice_of,
    turned_loads,
    updates_of,
)

MAX_GROUP = 1024
"""Threads of a block at most, on every GPU of the last ten years."""


SHARED_BYTES = 48 * 1024
"""Bytes of shared memory of a block that every GPU of the last ten years gives without being asked."""


OWN_BYTES = 1024
"""Bytes of arrays that every thread may have for itself."""


@dataclass(frozen=True)
class Limits:
    """What a block of a device may have: threads, and bytes of shared memory."""

    threads: int = MAX_GROUP
    shared: int = SHARED_BYTES


@dataclass(frozen=True)
class Violation:
    """A constraint that a schedule breaks: its name, and the reason in the user's words."""

    constraint: str
    reason: str

    def __str__(self) -> str:
        return f"{self.constraint}: {self.reason}"


def check_schedule(kernel: n.Kernel, schedule: Schedule) -> tuple[Violation, ...]:
    """All constraints that a schedule of a kernel breaks; none when it is legal."""
    return tuple(violation for check in CHECKS for violation in check(kernel, schedule))


def check_fits(laid_out: n.Kernel, limits: Limits) -> tuple[Violation, ...]:
    """The limits of a device that a kernel exceeds which is laid out."""
    threads = prod(laid_out.group)
    shared = sum(_shared_bytes(s.value) for s in walk(laid_out.body) if isinstance(s, n.Let))
    found = []
    if threads > limits.threads:
        found.append(Violation("group-size", f"a block of {threads} threads; the device takes {limits.threads}"))
    if shared > limits.shared:
        found.append(Violation("shared-memory", f"a block needs {shared} bytes; the device has {limits.shared}"))
    return tuple(found)


def _shared_bytes(value: n.Expression) -> int:
    if not isinstance(value, n.Alloc) or value.memory != "shared":
        return 0
    return prod(int(e.value.real) for e in value.shape if isinstance(e, n.Const)) * value.element.size


def check_loops_exist(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Every directive names a loop of the kernel, or one that an earlier split made."""
    known = set(_loops(kernel))
    for directive in schedule:
        for name in named(directive):
            if name not in known:
                yield Violation("loop-exists", f"there is no loop {name!r}; there are {', '.join(sorted(known))}")
        if isinstance(directive, Split) and directive.loop in known:
            known |= {f"{directive.loop}.{part}" for part in ("tile", "in", "rest")}


def check_bound_loops_are_parallel(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Only parallel loops without results run over a grid or in lanes."""
    loops = _loops(kernel)
    for directive in schedule:
        if isinstance(directive, (Bind, Vectorise)) and directive.loop in loops:
            loop = loops[directive.loop]
            if loop.mapping != "parallel" or (loop.args and isinstance(directive, Bind)):
                yield Violation("parallel", f"iterations of {directive.loop!r} depend on one another")


def check_axes(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Each axis is bound once, and a block has no more threads than a device can hold."""
    bound = [d for d in schedule if isinstance(d, (Bind, Share, Deal))]
    axes = [d.axis for d in bound]
    if len(set(axes)) < len(axes):
        yield Violation("axis-once", "two loops run along one axis of a block")
    if set(axes) != set(AXES[: len(set(axes))]):
        yield Violation("axis-order", "the axes of a block are used from x on")
    threads = 1
    for directive in bound:
        threads *= directive.group
    if threads > MAX_GROUP or any(d.group < 1 for d in bound):
        yield Violation("group-size", f"a block of {threads} threads; between 1 and {MAX_GROUP} are possible")


def check_bound_loops_are_nested(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Bound loops are the outermost ones, nested without effects between, their bounds known before the launch."""
    names = {d.loop for d in schedule if isinstance(d, Bind)}
    chain = [loop.label for loop in grid_chain(kernel)]
    if names and names != set(chain[: len(names)]):
        possible = ", ".join(chain) or "none"
        yield Violation("outermost", f"loops that can run over the grid are, outermost first: {possible}")


def check_factors(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Tiles have at least one iteration."""
    for directive in schedule:
        if isinstance(directive, Split) and directive.factor < 1:
            yield Violation("tile-size", f"a tile of {directive.factor} iterations of {directive.loop!r}")


def check_cut_loops_do_not_end_early(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """A loop that a ``break`` can end is not cut: its later tiles would run."""
    loops = _loops(kernel)
    for directive in schedule:
        if isinstance(directive, Split) and directive.loop in loops and loops[directive.loop].exit is not None:
            yield Violation("early-end", f"{directive.loop!r} may end early")


def check_exchange_keeps_order(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Exchanged loops are perfectly nested and rectangular, and both are parallel."""
    loops = _loops(kernel)
    for directive in schedule:
        if isinstance(directive, Reorder) and directive.outer in loops and directive.inner in loops:
            outer, inner = loops[directive.outer], loops[directive.inner]
            reason = why_not_exchanged(outer, inner)
            if reason:
                yield Violation("dependence-order", reason)


def check_points(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """The points of a thread are whole runs; a thread of a shared reduction has one."""
    shares = any(isinstance(d, Share) for d in schedule)
    for directive in schedule:
        if isinstance(directive, Bind):
            if directive.run < 1 or directive.points < 1 or directive.points % directive.run:
                yield Violation("points", f"{directive.points} points in runs of {directive.run} of {directive.loop!r}")
            if shares and directive.points > 1:
                yield Violation("points", f"several points of {directive.loop!r} where a reduction is shared")


def check_shared_reductions(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """What a block's threads fold together may be folded in any order, and they can all begin it."""
    for share in [d for d in schedule if isinstance(d, Share)]:
        found = _reduction(kernel, share.loop)
        if found is None or found.loop.mapping != "parallel" or found.loop.exit is not None:
            yield Violation("reduction", f"{share.loop!r} is no parallel reduction inside of the bound loops")
            continue
        for arg in found.loop.args:
            if not is_commutative(arg):
                yield Violation("any-order", f"{arg.var.stem!r} is combined by {arg.combine}, whose order matters")
        is_simple = is_sliced(found.before, found.wanted())
        if not is_simple or not all(is_repeatable(s, kernel) for s in found.needed().statements):
            yield Violation("begin-again", f"what {share.loop!r} needs is computed once only")


def _reduction(kernel: n.Kernel, label: str) -> Reduction | None:
    chain = grid_chain(kernel)
    return reduction_in(flattened(chain), label) if chain else None


def check_dealt_loops(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Loops that are dealt out are parallel and inside of the bound loops, of which a block runs one iteration each."""
    for deal in [d for d in schedule if isinstance(d, Deal)]:
        chain = grid_chain(kernel)
        if not chain or deal.loop not in {loop.label for loop in dealt_loops(flattened(chain))}:
            yield Violation("parallel", f"{deal.loop!r} is no parallel loop inside of the bound loops")
            continue
        if any(d.step > 1 for d in schedule if isinstance(d, Bind)):
            yield Violation("one-iteration", "a block runs several iterations of a bound loop")
        reason = why_not_dealt(kernel)
        if reason is not None:
            yield Violation(*reason)
        elif (shared_bytes(flattened(chain)) or 0) > SHARED_BYTES:
            yield Violation("shared-memory", f"{shared_bytes(flattened(chain))} bytes, of {SHARED_BYTES}")


def check_own_arrays(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Arrays that an iteration makes are small where each thread has one; larger ones need loops that are dealt out."""
    chain = grid_chain(kernel)
    if not any(isinstance(d, Bind) for d in schedule) or any(isinstance(d, Deal) for d in schedule) or not chain:
        return
    size = shared_bytes(flattened(chain))
    if size is not None and size > OWN_BYTES:
        yield Violation(
            "own-arrays", f"{size} bytes for each thread, of {OWN_BYTES}; deal the loops inside out instead"
        )


def check_staged_reductions(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """A staged loop reads and computes; every block runs it alike; each element read belongs to one bound loop."""
    binds = {d.loop: d for d in schedule if isinstance(d, Bind)}
    for stage in [d for d in schedule if isinstance(d, Stage)]:
        found = _reduction(kernel, stage.loop)
        if found is None or found.loop.exit is not None or not found.loop.args:
            yield Violation("reduction", f"{stage.loop!r} is no reduction inside of the bound loops")
            continue
        if not has_known_bounds(found.loop, kernel):
            yield Violation("known-bounds", f"how long {stage.loop!r} runs is not the same for all points")
        if not all(isinstance(s, n.Let) and not may_raise(s.value, s.var.type) for s in found.loop.body.statements):
            yield Violation("only-values", f"{stage.loop!r} does more than compute values")
            continue
        wanted = found.wanted() | names_in(found.after)
        sliced = slice_of(found.before, wanted).statements
        if not is_sliced(found.before, wanted) or not all(is_repeatable(s, kernel) for s in sliced):
            yield Violation("begin-again", f"what comes before {stage.loop!r} is computed once only")
        yield from _check_reads(kernel, stage, found, binds)


def _check_reads(kernel: n.Kernel, stage: Stage, found: Reduction, binds: dict[str, Bind]) -> Iterator[Violation]:
    loops = grid_chain(kernel)
    threads = size = 1
    for bind in binds.values():
        threads *= bind.group
    size = 0
    for load, labels in reads(found, loops):
        chosen = labels - {stage.loop}
        if not is_repeatable(load, kernel):
            yield Violation("only-read", f"{load.var.stem!r} is read from an array that the kernel writes")
        if len(chosen) > 1 or (chosen and stage.loop not in labels):
            yield Violation("one-loop", f"which element is read depends on {', '.join(sorted(labels))}")
        elif chosen and next(iter(chosen)) in binds:
            elements = stage.depth * binds[next(iter(chosen))].step
            assert isinstance(load.var.type, Scalar)
            size += 2 * (elements + 16 * stage.depth) * load.var.type.size
            if stage.depth < 1 or elements % threads:
                yield Violation("tile-size", f"a tile of {elements} elements for {threads} threads")
    if size > SHARED_BYTES:
        yield Violation("shared-memory", f"{size} bytes, of {SHARED_BYTES}")


def check_turned_loops(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """A turned loop is bound to another axis than x, no third one has tiles, and what is turned is only read."""
    binds = {d.loop: d for d in schedule if isinstance(d, Bind)}
    for turn in [d for d in schedule if isinstance(d, Turn)]:
        along = binds.get(turn.loop)
        across = next((d for d in binds.values() if d.axis == "x"), None)
        if along is None or across is None or along is across:
            yield Violation("turned-loop", f"{turn.loop!r} is not bound to another axis than x")
            continue
        if any(d.step > 1 for d in binds.values() if d not in (along, across)):
            yield Violation("two-loops", "a third loop has several iterations in a block")
        chain = grid_chain(kernel)
        loops = _loops(kernel)
        loads = turned_loads(flattened(chain), loops[turn.loop].index, loops[across.loop].index)
        yield from _check_turned_loads(kernel, turn, loads, along, across)


def _check_turned_loads(
    kernel: n.Kernel, turn: Turn, loads: list[n.Let], along: Bind, across: Bind
) -> Iterator[Violation]:
    threads, elements = along.group * across.group, along.step * across.step
    if not loads:
        yield Violation("turned-loads", f"nothing is read along {turn.loop!r}")
    if elements % threads:
        yield Violation("tile-size", f"a tile of {elements} elements for {threads} threads")
    if not all(is_repeatable(load, kernel) for load in loads):
        yield Violation("only-read", f"what is read along {turn.loop!r} is written, too")
    size = sum(load.var.type.size for load in loads if isinstance(load.var.type, Scalar))
    if size * across.step * (along.step + 1) > SHARED_BYTES:
        yield Violation("shared-memory", f"{size * elements} bytes, of {SHARED_BYTES}")


def check_private_arrays(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """A privatised array is one-dimensional, and the kernel does nothing with it but update it in one way."""
    for directive in [d for d in schedule if isinstance(d, Privatise)]:
        chain = grid_chain(kernel)
        found = [s for s in updates_of(flattened(chain)) if s.view.stem == directive.array] if chain else []
        if len(found) != 1 or found[0].view not in kernel.params or len(found[0].indices) != 1:
            yield Violation("one-update", f"{directive.array!r} is not updated at one place, by one index")
            continue
        view = found[0].view
        uses = sum(a == view for s in walk(kernel.body) for a in atoms_of(s))
        if uses > 1 or view.name in kernel.overlaps:
            yield Violation("only-updated", f"{directive.array!r} is also used otherwise")
        size = found[0].value.type.size if isinstance(found[0].value.type, Scalar) else SHARED_BYTES
        if directive.extent < 1 or directive.extent * size > SHARED_BYTES:
            yield Violation("shared-memory", f"{directive.extent} elements of {size} bytes, of {SHARED_BYTES}")


CHECKS: tuple[Callable[[n.Kernel, Schedule], Iterator[Violation]], ...] = (
    check_loops_exist,
    check_bound_loops_are_parallel,
    check_axes,
    check_bound_loops_are_nested,
    check_factors,
    check_cut_loops_do_not_end_early,
    check_exchange_keeps_order,
    check_points,
    check_shared_reductions,
    check_dealt_loops,
    check_own_arrays,
    check_staged_reductions,
    check_turned_loops,
    check_private_arrays,
)


def why_not_exchanged(outer: n.For, inner: n.For) -> str | None:
    """Why two loops cannot be exchanged; None where both are parallel, which keeps every dependence."""
    if outer.body.statements != (inner,):
        return f"{inner.label!r} is not all that {outer.label!r} does"
    if outer.index in (inner.start, inner.stop):
        return f"how long {inner.label!r} runs depends on {outer.label!r}"
    if outer.mapping != "parallel" or inner.mapping != "parallel" or outer.args or inner.args:
        return f"iterations of {outer.label!r} or {inner.label!r} depend on one another"
    return None


def _loops(kernel: n.Kernel) -> dict[str, n.For]:
    return {s.label: s for s in walk(kernel.body) if isinstance(s, n.For)}
