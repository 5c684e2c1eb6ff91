"""Which schedule a kernel runs under: the one that the user wrote for its loops, else the default."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

from weft.errors import ArgumentError
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.visit import free_variables, walk
from weft.machine.occupancy import Resources
from weft.schedule.directives import (
    Bind,
    Cache,
    Carve,
    Deal,
    Directive,
    Entries,
    Indices,
    Order,
    Privatise,
    Scan,
    Schedule,
    Share,
    Slide,
    Stage,
    Steps,
    Turn,
    Walk,
    named,
)
from weft.schedule.legality import Limits, Violation, check_fits, check_indices, check_schedule
from weft.schedule.lower import Layouts
from weft.schedule.lowering.cooperate import is_joint
from weft.schedule.nests import flattened, grid_chain, names_of
from weft.tune.default import candidates, for_few, for_few_of_piece
from weft.tune.products import is_by_matrices, needs_much
from weft.tune.transpositions import for_single_elements, turned_vectors
from weft.tune.vectors import Vectors
from weft.tune.walks import for_uneven_rows, plane_vectors

MOST_THREADS = {"cuda": 1024}
"""Threads of a block that every device of a kind takes; 256 of others."""


WITH_MUCH = ("cuda",)
"""Kinds of devices with many registers, which copy to shared memory while threads work."""


PLANNED = (Steps, Entries)
"""Directives that say which kernels there are for a loop, and nothing of how these are laid out."""

ADDED = (Order, Cache, Carve)
"""Directives that are added to a schedule, also to the default one where no others are written."""


def schedule_for(
    kernel: n.Kernel,
    given: Schedule,
    device: str = "cuda",
    limits: Limits | None = None,
    avoid: Container[Schedule] = (),
    layouts: Layouts | None = None,
    without: tuple[type[Directive], ...] = (),
) -> Schedule:
    """The directives that name loops or arrays of a kernel; without any, its default schedule on a device.

    Parameters
    ----------
    kernel
        The kernel as it was written.
    given
        What the user wrote, for this kernel and for others.
    device
        The device.
    limits
        What a block may have there.
    avoid
        Schedules that turned out to be bad for this kernel: the next ones that may do are taken instead.
    layouts
        Keeps how the kernel is laid out, for whoever goes on with that.
    without
        Kinds of directives that a default schedule is not to have.

    Raises
    ------
    ArgumentError
        They are not legal, or exceed the limits; it names the constraints that they break.
    """
    limits, layouts = limits or Limits(), layouts or Layouts(kernel, names_of(kernel))
    own = written_by_hand(kernel, given)
    if all(isinstance(directive, (*PLANNED, *ADDED)) for directive in own):
        added = tuple(directive for directive in own if isinstance(directive, ADDED))
        own = _default(kernel, device.partition(":")[0], limits, avoid, layouts, added, without)
    if not written_by_hand(kernel, given):
        return own
    violations = check_schedule(kernel, own) or _exceeded(layouts, own, limits)
    if violations:
        raise ArgumentError("; ".join(map(str, violations)), argument="schedule")
    return own


def suits(schedule: Schedule, device: str) -> bool:
    """Whether devices of a kind have what a schedule is made for: registers, and copies to shared memory."""
    return device.partition(":")[0] in WITH_MUCH or not needs_much(schedule)


def schedules_for_few(kernel: n.Kernel, usual: Schedule, device: str, *, of_piece: bool = False) -> Iterator[Schedule]:
    """Legal schedules of a kernel where its `usual` one makes fewer blocks than a device runs at a time, with smaller
    blocks; none where that is no better. Those `of_piece`, for a piece of a loop, add sums in the same order."""
    for schedule in for_few_of_piece(kernel, usual) if of_piece else for_few(kernel, usual):
        if suits(schedule, device) and not check_schedule(kernel, schedule):
            yield schedule


def schedules_for_uneven(kernel: n.Kernel, usual: Schedule, device: str) -> Iterator[Schedule]:
    """Legal schedules of a kernel for arrays whose rows are no multiple of a vector; none where the `usual` one is
    good."""
    if device.partition(":")[0] in WITH_MUCH:
        yield from for_uneven_rows(kernel, usual)
        yield from for_single_elements(kernel, usual)


def vectors_of(kernel: n.Kernel, usual: Schedule) -> Vectors:
    """What the `usual` schedule needs of the arrays, where there are `schedules_for_uneven`."""
    return (turned_vectors if any(isinstance(d, Turn) for d in usual) else plane_vectors)(kernel, usual)


def first_fitting(
    schedules: Iterable[Schedule], layouts: Layouts, limits: Limits, avoid: Container[Schedule]
) -> Schedule:
    """The first of some legal schedules that does not exceed the limits and is not to be avoided; none."""
    fitting = (s for s in schedules if s not in avoid and not _exceeded(layouts, s, limits))
    return next(fitting, ())


def written_by_hand(kernel: n.Kernel, given: Schedule) -> Schedule:
    """The directives that are about a kernel, and say more than how wide its indices are."""
    return tuple(d for d in given if not isinstance(d, Indices) and concerns(d, kernel))


def indices_for(kernel: n.Kernel, given: Schedule) -> Schedule:
    """What the user wrote about the width of a kernel's indices.

    Raises
    ------
    ArgumentError
        There is no version of the kernel with narrow ones.
    """
    own = tuple(d for d in given if isinstance(d, Indices) and concerns(d, kernel))
    violations = tuple(check_indices(kernel, own))
    if violations:
        raise ArgumentError("; ".join(map(str, violations)), argument="schedule")
    return own


def refuse_spills(kernel: n.Kernel, given: Schedule, needs: Resources) -> None:
    """ArgumentError where the schedule was written by hand under which a kernel spills."""
    if any(not isinstance(directive, (Cache, Carve, Entries)) for directive in written_by_hand(kernel, given)):
        raise ArgumentError(
            f"registers: each thread has {needs.registers}, so it writes {needs.spill_stores} bytes to memory and "
            f"reads {needs.spill_loads} back",
            argument="schedule",
            hint="give a thread fewer points, or ask for fewer blocks at a time",
        )


def _default(
    kernel: n.Kernel,
    kind: str,
    limits: Limits,
    avoid: Container[Schedule],
    layouts: Layouts,
    added: Schedule = (),
    without: tuple[type[Directive], ...] = (),
) -> Schedule:
    """The first schedule, with what is added, that fits the device and is not to be avoided; the last where all are."""
    fitted: Schedule = ()
    most = min(MOST_THREADS.get(kind, 256), limits.threads)
    instead = tuple(type(directive) for directive in added if isinstance(directive, Order))
    for schedule in candidates(kernel):
        if not suits(schedule, kind) or (is_by_matrices(schedule) and not limits.matrices):
            continue
        if any(isinstance(directive, without) for directive in schedule):
            continue
        if kind == "opencl" and _leaves_amid_loops(kernel, schedule):
            continue
        fitted = (*(d for d in _fitted(schedule, most) if not isinstance(d, instead)), *added)
        if fitted not in avoid and not _exceeded(layouts, fitted, limits):
            break
    return fitted


def _leaves_amid_loops(kernel: n.Kernel, schedule: Schedule) -> bool:
    """Whether the threads of a block may leave in the middle of a loop that they run together, since something raises.
    Kernels that do that do not always end on PoCL."""
    if not any(isinstance(directive, Deal) for directive in schedule):
        return False
    together = (s for s in walk(flattened(grid_chain(kernel))) if isinstance(s, (n.For, n.While)) and is_joint(s))
    return any(block_may_raise(n.Block((loop,))) for loop in together)


def _exceeded(layouts: Layouts, schedule: Schedule, limits: Limits) -> tuple[Violation, ...]:
    """The limits that a legal schedule exceeds. What it needs of shared memory, it says once it is lowered."""
    threads = math.prod(d.group for d in schedule if isinstance(d, (Bind, Share, Deal, Scan)))
    plain = not any(isinstance(d, (Share, Deal, Scan, Slide, Stage, Steps, Turn, Walk, Privatise)) for d in schedule)
    if threads <= limits.threads and plain:
        return ()
    return check_fits(layouts.under(schedule).kernel, limits)


def _fitted(schedule: Schedule, most: int) -> Schedule:
    """A schedule with fewer threads for a shared reduction, until a block has no more than it may."""
    groups = [d.group for d in schedule if isinstance(d, (Bind, Share, Deal))]
    if math.prod(groups) <= most or not any(isinstance(d, (Share, Deal)) for d in schedule):
        return schedule
    halved = (replace(d, group=d.group // 2) if isinstance(d, (Share, Deal)) else d for d in schedule)
    return _fitted(tuple(halved), most)


def concerns(directive: Directive, kernel: n.Kernel) -> bool:
    """Whether a directive names a loop of a kernel, or one that a split makes of it, or one of its arrays."""
    if isinstance(directive, Carve):
        return True
    if isinstance(directive, (Privatise, Cache)):
        return any(param.stem == directive.array for param in kernel.params)
    if isinstance(directive, Steps):
        return any(isinstance(s, n.For) and s.steps and s.steps.label == directive.loop for s in walk(kernel.body))
    labels = {s.label for s in walk(kernel.body) if isinstance(s, n.For)}
    return any(name in labels or name.rpartition(".")[0] in labels for name in named(directive))


def is_about(schedule: Schedule, nest: n.For) -> bool:
    """Whether a directive of a schedule concerns the kernel that a nest would be."""
    kernel = n.Kernel("", free_variables(n.Block((nest,))), n.Block((nest,)))
    return any(concerns(directive, kernel) for directive in schedule)


def check_all_used(given: Schedule, kernels: Sequence[n.Kernel], labels: Iterable[str]) -> None:
    """ArgumentError where a directive is about nothing that runs on the device."""
    for directive in given:
        if isinstance(directive, Steps) and directive.count == 1:
            continue
        if not any(concerns(directive, kernel) for kernel in kernels):
            raise ArgumentError(
                f"no kernel has what the directive {str(directive)!r} is about",
                argument="schedule",
                hint=f"loops are named by variable; those that run on the device are {', '.join(labels) or 'none'}",
            )
