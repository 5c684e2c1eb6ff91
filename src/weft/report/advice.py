"""Which change would help an access that costs more than its bytes: other threads along x, or shared memory.

A proposal is a legal schedule under which the whole kernel asks for fewer sectors; nothing is proposed by the look of
an access alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from weft.cost.memory.addresses import UNKNOWN, Contents
from weft.cost.memory.classes import SECTOR, AccessClass, access_classes
from weft.ir import nodes as n
from weft.schedule.directives import Bind, Schedule, Turn
from weft.schedule.legality import check_schedule
from weft.tune.default import default_schedule
from weft.tune.products import is_by_matrices

OTHERWISE = "no schedule of this loop makes it fewer, an array that is stored along the other axis would"
COSTLY = 2
"""An access is worth a word from so many times the sectors on that its bytes would fill."""
WORTH = 0.9
"""The share of a kernel's sectors that a change leaves at most."""


@dataclass(frozen=True)
class Advice:
    """A change that makes an access cheaper, and the kernel with it.

    Attributes
    ----------
    access
        The access as it is.
    change
        What to do, in words.
    after
        The access afterwards; None where nothing legal helps.
    schedule
        The schedule that does it.
    """

    access: AccessClass
    change: str
    after: AccessClass | None = None
    schedule: Schedule = ()

    def __str__(self) -> str:
        does = {"load": "read", "store": "written"}.get(self.access.mode, "updated")
        stride = "" if self.access.stride is None else f" with stride {self.access.stride} bytes"
        found = f"`{self.access.array}` in line {self.access.line} is {does}{stride}: {self.access.sectors:.3g} sectors"
        makes = self.change if self.after is None else f"{self.change} makes {_of(self.after)}"
        return f"{found} a request where {self.access.best:.3g} would do; {makes}"


def advise(
    kernel: n.Kernel,
    schedule: Schedule,
    classes: Sequence[AccessClass],
    sizes: Mapping[str, int],
    contents: Contents = UNKNOWN,
) -> Iterator[Advice]:
    """What would help each strided access of a kernel; the arguments as for `access_classes`, which made `classes`."""
    costly = [c for c in classes if _is_costly(c)]
    if not costly:
        return
    total = sum(c.l1 for c in classes)
    tried = [
        (change, other, access_classes(kernel, other, sizes, contents)) for change, other in _others(kernel, schedule)
    ]
    for access in costly:
        found = [
            (sum(c.l1 for c in changed), Advice(access, change, after, other))
            for change, other, changed in tried
            for after in changed
            if _is_same(access, after) and after.l1 < access.l1
        ]
        cost, best = min(found, key=itemgetter(0), default=(total, None))
        if best is not None and cost < WORTH * total:
            yield best
        elif access.stride is not None and abs(access.stride) >= SECTOR:
            yield Advice(access, OTHERWISE)


def _of(access: AccessClass) -> str:
    return f"{access.sectors:.3g} where {access.best:.3g} would do"


def _is_costly(access: AccessClass) -> bool:
    return access.kind == "strided" and access.sectors >= COSTLY * access.best


def _is_same(one: AccessClass, other: AccessClass) -> bool:
    return (one.array, one.line, one.mode) == (other.array, other.line, other.mode)


def _others(kernel: n.Kernel, schedule: Schedule) -> Iterator[tuple[str, Schedule]]:
    """Legal schedules that differ in what runs along x, or in what goes through shared memory."""
    usual = default_schedule(kernel)
    if usual != schedule and not is_by_matrices(usual):
        yield f"the schedule that Weft would choose ({', '.join(map(str, usual))})", usual
    binds = sorted((d for d in schedule if isinstance(d, Bind)), key=lambda bind: bind.axis)
    for k, bind in enumerate(binds[1:], 1):
        plain = [replace(d, points=1, run=1) for d in binds]
        plain[0], plain[k] = replace(plain[0], loop=bind.loop), replace(plain[k], loop=binds[0].loop)
        if not check_schedule(kernel, tuple(plain)):
            yield f"running neighbouring threads along {bind.loop} instead of {binds[0].loop}", tuple(plain)
        rest = [replace(d, axis="z", group=1, points=1, run=1) for d in binds[1:] if d is not bind]
        for across, along in ((binds[0].loop, bind.loop), (bind.loop, binds[0].loop)):
            turned: Schedule = (Bind(across, "x", 32), Bind(along, "y", 8, 4), *rest, Turn(along))
            if not check_schedule(kernel, turned):
                yield f"turning loads along {along} through shared memory", turned
