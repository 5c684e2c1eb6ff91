"""Which schedules a kernel allows: a list of named constraints, each a small check with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from weft.analysis.values.widths import why_wide
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, may_raise, written_views
from weft.ir.types import FLOAT32, FLOAT64, Scalar, Vector, View
from weft.ir.visit import atoms_of, defined_by, free_variables, walk
from weft.schedule.directives import (
    AXES,
    NARROW,
    WIDE,
    Bind,
    Cache,
    Carve,
    Deal,
    Indices,
    Order,
    Privatise,
    Reorder,
    Scan,
    Schedule,
    Share,
    Slide,
    Split,
    Stage,
    Steps,
    Turn,
    Vectorise,
    Walk,
    alone_along_z,
    named,
)
from weft.schedule.lowering.broadcast_tile import CommonReads, common_reads, row_bytes
from weft.schedule.lowering.columns import columns_along
from weft.schedule.lowering.cooperate import dealt_loops, is_commutative, is_float_extreme, shared_bytes, why_not_dealt
from weft.schedule.lowering.planes import planes_of
from weft.schedule.lowering.sliding import SlidingSum, sliding_sum, why_no_matrices
from weft.schedule.lowering.stencils import Stencil, stencil_of
from weft.schedule.lowering.tiles import ROW, tile_of, tiles_with
from weft.schedule.nests import (
    Latest,
    Reduction,
    dependent,
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
from weft.transform.vector.fma_reductions import fused

MAX_GROUP = 1024
"""Threads of a block at most, on every GPU of the last ten years."""


SHARED_BYTES = 48 * 1024
"""Bytes of shared memory of a block that every GPU of the last ten years gives without being asked."""

MOST_SHARED_BYTES = 227 * 1024
"""What the largest GPUs give a block that asks for it at the launch."""


TF32 = "tf32"
"""The precision in which tensor cores multiply float32 numbers."""

SHARED_UNIT, LINE, BYPASSING = 16, 128, 16
"""Bytes that arrays in shared memory begin at multiples of, those of a row of its banks, and those of a copy to it that
is under way, from which on it goes past the first-level cache (``cp.async.cg``)."""
FOLD_BYTES = 4096
"""Bytes of shared memory that are left for what the threads of a block fold."""


OWN_BYTES = 1024
"""Bytes of arrays that every thread may have for itself."""


@dataclass(frozen=True)
class Limits:
    """What a block of a device may have: threads, and bytes of shared memory. `cores` run blocks at the same time; 0:
    nobody knows how many. `matrices`: its matrix instructions of float64 are faster than multiply-adds."""

    threads: int = MAX_GROUP
    shared: int = SHARED_BYTES
    cores: int = 0
    matrices: bool = False


@dataclass(frozen=True)
class Violation:
    """A constraint that a schedule breaks: its name, and the reason in the user's words."""

    constraint: str
    reason: str

    def __str__(self) -> str:
        return f"{self.constraint}: {self.reason}"


_CHECKED: Latest[Schedule, tuple[Violation, ...]] = Latest()


def check_schedule(kernel: n.Kernel, schedule: Schedule) -> tuple[Violation, ...]:
    """All constraints that a schedule of a kernel breaks; none when it is legal."""
    return _CHECKED.of(
        kernel, schedule, lambda: tuple(violation for check in CHECKS for violation in check(kernel, schedule))
    )


def check_fits(laid_out: n.Kernel, limits: Limits) -> tuple[Violation, ...]:
    """The limits of a device that a kernel exceeds which is laid out."""
    threads, shared = prod(laid_out.group), _shared_bytes(laid_out)
    found = []
    if threads > limits.threads:
        found.append(Violation("group-size", f"a block of {threads} threads; the device takes {limits.threads}"))
    if shared > limits.shared:
        found.append(Violation("shared-memory", f"a block needs {shared} bytes; the device has {limits.shared}"))
    return tuple(found)


def asked_bytes(laid_out: n.Kernel) -> int:
    """Bytes of shared memory that the launch of a kernel asks for; 0 where a device gives them anyway."""
    shared = _shared_bytes(laid_out)
    return shared if shared > SHARED_BYTES else 0


def _shared_bytes(laid_out: n.Kernel) -> int:
    """Bytes of a block's arrays, each at a multiple of their unit, and what folds of its threads need at most."""
    statements = list(walk(laid_out.body))
    unit = shared_unit(statements)
    values = [s.value for s in statements if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)]
    arrays = sum(aligned_bytes(value, unit) for value in values if value.memory == "shared") + unit - SHARED_UNIT
    loops = [s for s in statements if isinstance(s, n.For)]
    together = sum(_together_bytes(loop) for loop in loops if loop.together is not None)
    return arrays + together + (FOLD_BYTES if any(s.mapping == "threads" and s.args for s in loops) else 0)


def _together_bytes(loop: n.For) -> int:
    """Bytes through which threads put parts together: where each has one part, a place for it and for every 16 of them
    at most. Several parts of each are for devices with warps, which need a place for each of these."""
    assert isinstance(loop.stop, n.Const) and loop.together is not None
    if loop.together.runs > 1:
        return FOLD_BYTES
    parts = int(loop.stop.value.real)
    return sum(arg.var.type.size * (parts + -(-parts // 16)) for arg in loop.args if isinstance(arg.var.type, Scalar))


def aligned_bytes(array: n.Alloc, unit: int) -> int:
    """Bytes of an array of a constant size, up to the next multiple of a unit."""
    size = prod(int(e.value.real) for e in array.shape if isinstance(e, n.Const)) * array.element.size
    return -(-size // unit) * unit


def shared_unit(statements: Iterable[n.Statement]) -> int:
    """The bytes that a block's shared arrays begin at multiples of: rows of banks, where copies past the first-level
    cache fill some, so that each line goes to one row (`weft.cost.memory.banks`)."""
    late = (s.value for s in statements if isinstance(s, n.Store) and s.late and isinstance(s.value, n.Var))
    is_past = any(isinstance(v.type, Vector) and v.type.element.size * v.type.lanes >= BYPASSING for v in late)
    return LINE if is_past else SHARED_UNIT


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
    scans = any(isinstance(d, Scan) for d in schedule)
    for directive in schedule:
        if isinstance(directive, (Bind, Vectorise)) and directive.loop in loops:
            loop = loops[directive.loop]
            if scans and loop.mapping == "turns":
                continue
            if loop.mapping != "parallel" or (loop.args and isinstance(directive, Bind)):
                yield Violation("parallel", f"iterations of {directive.loop!r} depend on one another")


def check_axes(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Each axis is bound once, and a block has no more threads than a device can hold.

    Two loops with one thread each may run along z where a reduction that is shared has x.
    """
    bound = [d for d in schedule if isinstance(d, (Bind, Share, Deal, Scan))]
    axes = [d.axis for d in bound]
    is_shared = any(isinstance(d, Share) and d.axis == AXES[0] for d in bound)
    alone = [d for d in bound if d.axis == AXES[-1] and isinstance(d, Bind) and d.group == 1]
    meeting = len(axes) - len(set(axes))
    if meeting and not (is_shared and meeting == 1 and len(alone) == 2):
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
            if directive.blocks < 1:
                yield Violation("points", f"{directive.blocks} blocks at a time")
            if shares and directive.points > 1:
                yield Violation("points", f"several points of {directive.loop!r} where a reduction is shared")


def check_shared_reductions(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """What a block's threads fold together may be folded in any order, and they can all begin it."""
    for share in [d for d in schedule if isinstance(d, Share)]:
        found = _reduction(kernel, share.loop)
        if found is None or found.loop.mapping != "parallel" or found.loop.exit is not None:
            yield Violation("reduction", f"{share.loop!r} is no parallel reduction inside of the bound loops")
            continue
        is_staged = any(isinstance(d, Stage) for d in schedule)
        for arg in found.loop.args:
            if not is_commutative(arg) and (is_staged or not is_float_extreme(arg)):
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
        if deal.run < 1 or deal.rounds < 0 or deal.blocks < 1:
            yield Violation("points", f"runs of {deal.run}, {deal.rounds} times in registers, {deal.blocks} blocks")
        reason = why_not_dealt(kernel)
        if reason is not None:
            yield Violation(*reason)
        elif (shared_bytes(flattened(chain)) or 0) > SHARED_BYTES:
            yield Violation("shared-memory", f"{shared_bytes(flattened(chain))} bytes, of {SHARED_BYTES}")


def check_scans(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Tiles that take turns are the blocks, or are run by the block that their iteration has for itself; the threads of
    a block run one tile together."""
    for scan in [d for d in schedule if isinstance(d, Scan)]:
        chain = grid_chain(kernel)
        found = chain[-1] if chain and chain[-1].mapping == "turns" else _tiles_inside(kernel, scan.loop)
        tile = tile_of(found) if found is not None else None
        if tile is None or not any(isinstance(d, Bind) for d in schedule):
            yield Violation("turns", f"{scan.loop!r} is no loop over tiles that take turns")
            continue
        if any(d.step > 1 for d in schedule if isinstance(d, Bind)):
            yield Violation("one-iteration", "a block runs several iterations of a bound loop")
        whole_runs = not scan.run or scan.each % scan.run == 0
        if scan.group % ROW or scan.group * scan.each != tile.size or not whole_runs:
            runs = f" in runs of {scan.run}" if scan.run else ""
            sizes = f"{scan.group} threads with {scan.each} iterations each{runs}"
            yield Violation(
                "tile-size", f"a tile has {tile.size} iterations; {sizes} are no rows of {ROW} that make one"
            )


def _tiles_inside(kernel: n.Kernel, label: str) -> n.For | None:
    """The loop over tiles with a label, where what stands before it may be computed by every thread for itself."""
    chain = grid_chain(kernel)
    found = tiles_with(flattened(chain), label) if chain else None
    if found is None or not is_sliced(found.before, frozenset(v.name for v in free_variables(n.Block((found.loop,))))):
        return None
    others = {v.name for s in found.before.statements if not isinstance(s, n.Let) for v in defined_by(s)}
    if others & {v.name for v in free_variables(found.after)}:  # only one thread knows them
        return None
    lets = [s for s in found.before.statements if isinstance(s, n.Let)]
    if all(is_repeatable(s, kernel) for s in lets):
        return found.loop
    # Each thread may load these itself, before the row: threads wait for each other before any of them stores.
    if any(isinstance(s, n.Let) and isinstance(s.value, VIEWS) for s in walk(kernel.body)):
        return None
    written = {v.name for s in walk(found.before) for v in written_views(s)} | set(kernel.overlaps)
    own = [s for s in lets if not is_repeatable(s, kernel)]
    return found.loop if all(_loads_of_others(s, written) for s in own) else None


def _loads_of_others(let: n.Let, written: set[str]) -> bool:
    """Whether a definition loads an existing element of an array that is not among `written`."""
    load = let.value
    return isinstance(load, n.Load) and load.bounds == "safe" and load.mask is None and load.view.name not in written


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


def check_steps(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Steps that run at once are those that the nest stands for; blocks compute all that the last step needs."""
    chain = grid_chain(kernel)
    steps = chain[0].steps if chain else None
    given = [d for d in schedule if isinstance(d, Steps)]
    if steps is None or not given:
        if given or any(isinstance(d, Bind) and d.halo for d in schedule):
            yield Violation("steps", "a loop around the nest does not run several steps at once")
        elif steps is not None:
            yield Violation("steps", f"{steps.count} steps of {steps.label!r} run at once")
        return
    found = stencil_of(chain, steps.source)
    if isinstance(found, str) or {steps.source.name, steps.target.name} & set(kernel.overlaps):
        yield Violation("stencil", found if isinstance(found, str) else "arrays may share memory")
    elif len(given) > 1 or given[0].count != steps.count or steps.count % 2 == 0:
        yield Violation("steps", f"{steps.count} steps of {steps.label!r} run at once")
    else:
        yield from _check_strips(schedule, found, steps.count)


def _check_strips(schedule: Schedule, found: Stencil, count: int) -> Iterator[Violation]:
    """A block has a strip of columns, wide enough for all steps, and all rows of it in one thread."""
    binds = {d.axis: d for d in schedule if isinstance(d, Bind)}
    if set(binds) != {"x", "y"} or len(schedule) != 3:
        yield Violation("strips", "columns run along x, rows along y, and there are no other directives")
        return
    x, y = binds["x"], binds["y"]
    if y.group != 1 or y.halo or y.run != y.points or x.run != x.points:
        yield Violation("strips", "a block has one thread along the rows, and a thread one run along the columns")
    elif x.halo % x.run or x.halo < count * found.reach[1] or x.run < found.reach[1] or x.step < 1:
        reason = f"{count} steps that reach {found.reach[1]} columns far, in runs of {x.run}"
        yield Violation("halo", f"{x.halo} of {x.group * x.run} columns at either side for {reason}")


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
        common = common_reads(kernel, found, [loop for loop in grid_chain(kernel) if loop.label in binds])
        lets = (isinstance(s, n.Let) and not may_raise(s.value, s.var.type) for s in found.loop.body.statements)
        if common is None and not all(lets):
            yield Violation("only-values", f"{stage.loop!r} does more than compute values")
            continue
        wanted = found.wanted() | names_in(found.after)
        sliced = slice_of(found.before, wanted).statements
        if not is_sliced(found.before, wanted) or not all(is_repeatable(s, kernel) for s in sliced):
            yield Violation("begin-again", f"what comes before {stage.loop!r} is computed once only")
        shares = [d for d in schedule if isinstance(d, Share)]
        if common is None:
            yield from _check_reads(kernel, stage, found, binds)
        else:
            yield from _check_common(stage, common)
        if any(d.loop != stage.loop or common is None for d in shares):
            yield Violation("shared-tiles", f"tiles of {stage.loop!r} are not shared by threads")
        reason = why_no_matrix(kernel, stage, found, binds) if stage.matrix else None
        if reason is not None:
            yield Violation("matrix-instructions", reason)


def _check_common(stage: Stage, common: CommonReads) -> Iterator[Violation]:
    size = stage.depth * row_bytes(common)
    if stage.depth < 1:
        yield Violation("tile-size", f"a tile of {stage.depth} iterations of {stage.loop!r}")
    if size > MOST_SHARED_BYTES:
        yield Violation("shared-memory", f"{size} bytes, of {MOST_SHARED_BYTES}")


def why_no_matrix(kernel: n.Kernel, stage: Stage, found: Reduction, binds: dict[str, Bind]) -> str | None:
    """Why the warps of a block cannot multiply the tiles of a staged reduction as matrices."""
    loops = [loop.label for loop in grid_chain(kernel) if loop.label in binds and binds[loop.label].step > 1]
    axes = [binds[label].axis for label in loops]
    given = alone_along_z(binds.values())
    read = [next(iter(labels - {stage.loop} - given), "") for _, labels in reads(found, grid_chain(kernel))]
    if axes != ["y", "x"] or sorted(read) != sorted(loops) or not _is_product(found, kernel.precision):
        what = "float64 numbers, or of float32 under precision='tf32'"
        return f"{stage.loop!r} is no sum of products of {what}, one of a row and one of a column"
    y, x = (binds[label] for label in loops)
    if (y.run, x.run) != (1, 2) or y.group % 8 or x.group % 4 or y.points % 2 or stage.depth % 16:
        return (
            "rows are dealt out to 8, pairs of columns to 4 threads, two of each to a thread, 16 iterations at a time"
        )
    return None


def _is_product(found: Reduction, precision: str) -> bool:
    """Whether a reduction adds products of what it reads, in types for which there are instructions, and does nothing
    else."""
    types = (FLOAT64, FLOAT32) if precision == TF32 else (FLOAT64,)
    loop = fused(found.loop)
    loads = {s.var for s in loop.body.statements if isinstance(s, n.Let) and isinstance(s.value, n.Load)}
    made = [s for s in loop.body.statements if isinstance(s, n.Let) and s.var in loop.body.yields]
    if len(loop.args) != 1 or len(made) != 1 or loop.args[0].var.type not in types:
        return False
    value, carried = made[0].value, loop.args[0].var
    return isinstance(value, n.Fma) and {value.a, value.b} == loads and value.c == carried


def _check_reads(kernel: n.Kernel, stage: Stage, found: Reduction, binds: dict[str, Bind]) -> Iterator[Violation]:
    loops, given = grid_chain(kernel), alone_along_z(binds.values())
    if _uses_before(found, loops, given):
        yield Violation("one-loop", f"{stage.loop!r} uses more of each point than elements")
    threads = size = 1
    for bind in binds.values():
        threads *= bind.group
    size = 0
    for load, labels in reads(found, loops):
        chosen = labels - {stage.loop} - given
        if not is_repeatable(load, kernel):
            yield Violation("only-read", f"{load.var.stem!r} is read from an array that the kernel writes")
        if len(chosen) > 1 or (chosen and stage.loop not in labels):
            yield Violation("one-loop", f"which element is read depends on {', '.join(sorted(labels))}")
        elif chosen and next(iter(chosen)) in binds:
            elements = stage.depth * binds[next(iter(chosen))].step
            assert isinstance(load.var.type, Scalar)
            size += stage.most * (elements * load.var.type.size + 16 * stage.depth)
            if stage.depth < 1 or stage.buffers < 2 or elements % threads:
                yield Violation("tile-size", f"a tile of {elements} elements for {threads} threads")
    if size > MOST_SHARED_BYTES:
        yield Violation("shared-memory", f"{size} bytes, of {MOST_SHARED_BYTES}")


def _uses_before(found: Reduction, loops: Sequence[n.For], given: frozenset[str]) -> bool:
    """Whether a reduction uses the counters of its point, or what was computed from them, otherwise than to find the
    elements that are staged."""
    staged = {load.var.name for load, labels in reads(found, loops) if len(labels - given) > 1}
    kept = (s for s in found.loop.body.statements if not (isinstance(s, n.Let) and s.var.name in staged))
    wanted = frozenset(v.name for v in found.loop.body.yields if isinstance(v, n.Var))
    of_points = frozenset(loop.index.name for loop in loops if loop.label not in given)
    used = names_in(slice_of(n.Block(tuple(kept)), wanted)) | wanted
    return bool(used & (of_points | dependent(found.before, of_points)))


def check_sliding_sums(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """A sum over windows reads at the sums of its counters and those of two bound loops; whole warps share a tile."""
    for slide in [d for d in schedule if isinstance(d, Slide)]:
        binds = {d.loop: d for d in schedule if isinstance(d, Bind)}
        loops = {binds[loop.label].axis: loop for loop in grid_chain(kernel) if loop.label in binds}
        if "x" not in loops or "y" not in loops or any(b.step > 1 for b in binds.values() if b.axis == "z"):
            yield Violation("two-loops", "windows slide along two bound loops, x and y")
            continue
        found = sliding_sum(flattened(grid_chain(kernel)[: len(binds)]), slide.loop, loops["y"], loops["x"])
        if isinstance(found, str):
            yield Violation("window", found)
            continue
        x, y = binds[loops["x"].label], binds[loops["y"].label]
        if slide.matrix:
            yield from _check_sliding_matrices(kernel, slide, found, (y, x))
        elif x.group * y.group % 32 or x.group % 4 or y.group % 8 or x.run != x.points or slide.depth < 1:
            yield Violation(
                "tile-size", "threads are dealt out in rows of 4 and columns of 8, each with one run along x"
            )
        yield from _check_sliding(kernel, found)


def _check_sliding_matrices(
    kernel: n.Kernel, slide: Slide, found: SlidingSum, binds: tuple[Bind, Bind]
) -> Iterator[Violation]:
    """The two of `binds` are of the innermost loops, in that order, since the sums of a thread lie so."""
    y, x = binds
    reason = why_no_matrices(found)
    if reason is None and [loop.label for loop in grid_chain(kernel)][-2:] != [y.loop, x.loop]:
        reason = f"{y.loop!r} and {x.loop!r} are not the innermost loops, in that order"
    if reason is not None:
        yield Violation("matrix-instructions", reason)
        return
    assert found.height is not None
    if (y.points, y.run, x.run) != (2, 1, 2) or y.group % 16 or x.group % 4 or slide.depth < found.height:
        yield Violation(
            "tile-size",
            "two rows are dealt out to each of 16 threads, pairs of columns to 4 threads, and windows are whole",
        )


def _check_sliding(kernel: n.Kernel, found: SlidingSum) -> Iterator[Violation]:
    if not has_known_bounds(found.rows, kernel):
        yield Violation("known-bounds", f"how long {found.rows.label!r} runs is not the same for all points")
    if not has_known_bounds(found.columns, kernel):
        yield Violation("known-bounds", f"how long {found.columns.label!r} runs is not the same for all points")
    if not all(is_repeatable(load, kernel) for load in (*found.windows, *found.weights)):
        yield Violation("only-read", f"what {found.rows.label!r} reads is also written")
    needed = names_in(n.Block(found.lets)) | names_in(found.found.after)
    sliced = slice_of(found.found.before, needed).statements
    if not is_sliced(found.found.before, needed) or not all(is_repeatable(s, kernel) for s in sliced):
        yield Violation("begin-again", f"what comes before {found.rows.label!r} is computed once only")


def check_walks(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """A thread walks along one loop, which is not that of its neighbours, and an iteration loads before it stores."""
    binds = {d.loop: d for d in schedule if isinstance(d, Bind)}
    for found in [d for d in schedule if isinstance(d, Walk)]:
        loops, along = {loop.label: loop for loop in grid_chain(kernel)}, binds.get(found.loop)
        across = next((d for d in binds.values() if d.axis == "x"), None)
        if along is None or across is None or along is across or len(binds) < len(loops):
            yield Violation("walked-loop", f"{found.loop!r} is bound to x, or a loop of the nest is not bound")
            continue
        others = [d for d in binds.values() if d not in (along, across)]
        is_run = along.run == along.points and across.run == across.points
        if (
            along.group > 1
            or not is_run
            or any(d.run != d.points or (d.points > 1 and not found.staged) for d in others)
        ):
            yield Violation("points", "one thread walks, neighbours along x have a run each, others one iteration")
        flat = flattened(grid_chain(kernel)).statements
        if not all(_is_plain_store(s) or is_repeatable(s, kernel) for s in flat):
            yield Violation("begin-again", f"an iteration of {found.loop!r} does more than load what stays, and store")
        elif found.staged:
            yield from _check_planes(kernel, found, across)
        elif found.ahead < 0 or not columns_along(kernel, loops[found.loop], loops[across.loop]):
            yield Violation("columns", f"no elements are read again along {found.loop!r}")


def _check_planes(kernel: n.Kernel, found: Walk, across: Bind) -> Iterator[Violation]:
    """An array is read around the iterations, and its rows lie along x."""
    planes = planes_of(kernel, found.loop)
    if planes is None or found.ahead < 1:
        yield Violation("planes", f"no array of the kernel is read at constant distances along {found.loop!r} only")
    elif planes.axes[-1] != across.loop:
        yield Violation("planes", f"rows of {planes.view.stem!r} do not lie along {across.loop!r}")


def _is_plain_store(statement: n.Statement) -> bool:
    return isinstance(statement, n.Store) and statement.bounds == "safe" and statement.mask is None


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
    """The kernel does nothing with a privatised array but update it in one way."""
    for directive in [d for d in schedule if isinstance(d, Privatise)]:
        chain = grid_chain(kernel)
        found = [s for s in updates_of(flattened(chain)) if s.view.stem == directive.array] if chain else []
        is_one = len(found) == 1 and found[0].op != "assign"
        if not is_one or found[0].view not in kernel.params or not found[0].indices:
            yield Violation("one-update", f"{directive.array!r} is not updated at one place, by its indices")
            continue
        view = found[0].view
        uses = sum(a == view for s in walk(kernel.body) for a in atoms_of(s))
        if uses > 1 or view.name in kernel.overlaps:
            yield Violation("only-updated", f"{directive.array!r} is also used otherwise")
        size = found[0].value.type.size if isinstance(found[0].value.type, Scalar) else SHARED_BYTES
        elements = directive.extent + (directive.few * directive.copies if directive.copies > 1 else 0)
        if min(directive.extent, directive.copies, directive.few) < 1 or elements * size > SHARED_BYTES:
            yield Violation("shared-memory", f"{elements} elements of {size} bytes, of {SHARED_BYTES}")


def check_order(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Blocks are grouped along the loop that is bound to y, and another one is bound to x."""
    bound = [loop.label for loop in grid_chain(kernel)]
    binds = sorted((d for d in schedule if isinstance(d, Bind) and d.loop in bound), key=lambda d: d.axis)
    orders = [d for d in schedule if isinstance(d, Order)]
    if len(orders) > 1:
        yield Violation("block-order", "blocks have one order")
    for order in orders:
        if len(binds) < 2 or binds[1].loop != order.loop or any(s.args for s in grid_chain(kernel)):
            yield Violation("block-order", f"{order.loop!r} is not the loop whose blocks follow those along x")
        elif order.blocks < 2:
            yield Violation("block-order", "a group has at least two blocks")


def check_caches(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """What is cached as read-only or loaded once is not written, and one array at most is kept in the second-level
    cache."""
    written = {v.stem for s in walk(kernel.body) for v in written_views(s)}
    shared = {p.stem for p in kernel.params if p.name in kernel.overlaps}
    caches = [d for d in schedule if isinstance(d, Cache)]
    for cache in caches:
        if cache.where != "L2" and cache.array in written | shared:
            yield Violation("only-read", f"{cache.array!r} is written, or may share memory with what is")
        elif cache.array not in {p.stem for p in kernel.params if isinstance(p.type, View)}:
            yield Violation("array", f"there is no array {cache.array!r} in the kernel")
    if sum(cache.where == "L2" for cache in caches) > 1:
        yield Violation("one-window", "one array is kept in the second-level cache")


def check_carving(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """A part of the fast memory is kept for shared arrays."""
    for carve in (d for d in schedule if isinstance(d, Carve)):
        if not 0 <= carve.percent <= 100:
            yield Violation("percent", f"{carve.percent} % of the fast memory")


def check_indices(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Indices have 64 bits, or 32 where there is a version of the kernel for that."""
    for indices in (d for d in schedule if isinstance(d, Indices)):
        if indices.bits not in (NARROW, WIDE):
            yield Violation("index-width", f"indices have {NARROW} or {WIDE} bits, not {indices.bits}")
        elif indices.bits == NARROW and (reason := why_wide(kernel)):
            yield Violation("index-width", reason)


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
    check_scans,
    check_order,
    check_caches,
    check_carving,
    check_indices,
    check_own_arrays,
    check_staged_reductions,
    check_sliding_sums,
    check_turned_loops,
    check_walks,
    check_steps,
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
