"""Counts what a placed program asks of its device: launches with their kernels' demand, copies, and waits.

The host part is walked like any program of the processor; where a launch stands, its kernel is counted
(`weft.cost.device.kernel_walk`), and what its accesses bring through the caches (`weft.cost.memory`).
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from weft.cost.demand import Demand, Level
from weft.cost.device.kernel_walk import SECTOR, WARP, KernelCount, counted, known_of
from weft.cost.memory.addresses import UNKNOWN as NO_CONTENTS
from weft.cost.memory.addresses import Contents
from weft.cost.memory.classes import AccessClass, access_classes
from weft.cost.memory.waves import in_waves
from weft.cost.quantities import Region, constant, tally
from weft.cost.walk import Walker
from weft.ir import nodes as n
from weft.ir.python_calls import callee_of
from weft.ir.reference.memories import HOST
from weft.ir.types import Scalar, View
from weft.ir.visit import foreign_call, walk
from weft.machine.facts import Facts
from weft.schedule.directives import Schedule
from weft.schedule.versions import version_for

USUAL = 1024
"""What stands for a number that is known only while the program runs."""

THREADS, MOST_BLOCKS = 2048, 32
"""Of a multiprocessor, at a time."""

SHARED, RESERVED = 228 << 10, 1 << 10
"""Bytes of shared memory of a multiprocessor, and what the driver keeps of each block."""


LINE = 128
"""Bytes of a line of the second-level cache. It reads single sectors of a line, but reserves space for all of it."""

USUAL_GROUP = 256
"""Threads of a block of a kernel of which that is not known."""


@dataclass(frozen=True)
class Written:
    """A kernel as it was written, and its schedule."""

    kernel: n.Kernel
    schedule: Schedule


@dataclass
class LaunchDemand:
    """Launches of a kernel that are alike.

    Attributes
    ----------
    name, line, times
        The kernel, its line of the source, and how often it is launched.
    count
        What a launch computes.
    accesses
        How it accesses memory.
    """

    name: str
    line: int
    times: float
    count: KernelCount
    accesses: tuple[AccessClass, ...] = ()


@dataclass
class DeviceDemand:
    """All of a call on a device.

    Attributes
    ----------
    launches
        In order.
    host
        What the processor computes in between.
    copies
        Bytes of copies and how often, into the device and out of it.
    waits
        How often the host waits.
    flags
        How often it looks whether a kernel would have raised.
    touched
        Bytes of all arrays that kernels touch.
    saved
        Bytes of each array on the device that is copied before the call, since a kernel may find a fault half-way.
    homes
        Like copies, of arrays that are on the device, and that the host changes: home, and back in.
    """

    launches: list[LaunchDemand] = field(default_factory=list)
    host: Demand = field(default_factory=Demand)
    copies: list[tuple[bool, float, float]] = field(default_factory=list)
    waits: float = 0.0
    flags: float = 0.0
    touched: float = 0.0
    saved: list[float] = field(default_factory=list)
    homes: list[tuple[bool, float, float]] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)


class DeviceWalker(Walker):
    """Walks a placed program once.

    Parameters
    ----------
    program
        With its kernels placed.
    leaves
        For each parameter a `Region`, a number, or None.
    there
        For each parameter whether it is an array that is on the device already, and stays there.
    written
        The kernels as they were written, by name.
    facts
        Of the device.
    trips, samples, contents
        As for the processor; contents of arrays of integers by kernel.
    """

    def __init__(
        self,
        program: n.Program,
        leaves: Sequence[Region | float | None],
        there: Sequence[bool],
        written: Mapping[str, Written],
        facts: Facts,
        trips: Mapping[str, float] | None = None,
        samples: Mapping[str, np.ndarray[Any, Any]] | None = None,
        contents: Mapping[str, Contents] | None = None,
        work: Callable[..., float] = lambda loop, values, trips: 0.0,
    ) -> None:
        super().__init__(program, leaves, work, trips, samples)
        self.written, self.facts, self.contents = written, facts, contents or {}
        names = [param.var.name for param in program.params]
        self.there = {name for name, is_there in zip(names, there, strict=True) if is_there}
        self.found = DeviceDemand()
        self.roots: dict[str, float] = {}
        self.sizes = {name: leaf.size for name, leaf in zip(names, leaves, strict=True) if isinstance(leaf, Region)}
        self.at_home: dict[str, int] = {}
        self.changed: set[str] = set()
        self.now = 1.0

    def run_device(self) -> DeviceDemand:
        """The demand of the program."""
        self.found.host = self.run()
        for root in sorted(self.at_home):
            self._back(root, 1.0)
        if any(isinstance(statement, n.Launch) and statement.results for statement in walk(self.program.body)):
            self.found.saved += [self.sizes[root] for root in sorted(self.changed & self.there)]
        self.found.touched = sum(self.roots.values())
        self.found.assumptions = self.found.host.assumptions
        return self.found

    def _plain(self, statement: n.Statement, level: Level, share: float) -> None:
        times = level.times * share
        if not level.label:
            self.now = times
        if isinstance(statement, n.Launch):
            self._launch(statement, times)
        elif isinstance(statement, n.Copy):
            self._copy(statement, times)
        elif isinstance(statement, n.Wait):
            self.found.waits += times
        elif isinstance(statement, n.Let) and not level.label and not isinstance(statement.value, (n.Load, n.Alloc)):
            self.values.let(statement)
        else:
            super()._plain(statement, level, share)

    def _host_while_at_once(self, loop: n.While, times: float) -> float:
        """All rounds at once: what the first one launches, copies and waits for happens as often as its loops run."""
        found = self.found
        launches, copies, waits, flags = len(found.launches), len(found.copies), found.waits, found.flags
        homes = len(found.homes)
        rounds = super()._host_while_at_once(loop, times)
        for launch in found.launches[launches:]:
            launch.times *= rounds
        found.copies[copies:] = [(inwards, size, often * rounds) for inwards, size, often in found.copies[copies:]]
        found.homes[homes:] = [(inwards, size, often * rounds) for inwards, size, often in found.homes[homes:]]
        found.waits = waits + (found.waits - waits) * rounds
        found.flags = flags + (found.flags - flags) * rounds
        return rounds

    def _nest(self, loop: n.For, times: float) -> None:
        self.now = times
        super()._nest(loop, times)

    def _touch(
        self, mode: str, view: n.Var, indices: Any, value: n.Atom, level: Level, share: float, bounds: str
    ) -> None:
        root = self.values.region(view).root
        if root in self.there and root not in self.at_home and (mode != "load" or root in self.changed):
            self.at_home[root] = len(self.found.homes)
            self.found.homes.append((False, self.sizes[root], self.now))
        if mode != "load":
            self.changed.add(root)
        super()._touch(mode, view, indices, value, level, share, bounds)

    def _usual(self, branch: n.If) -> float:
        """The side that launches kernels, where the other one does not."""
        launches = [any(isinstance(s, n.Launch) for s in walk(block)) for block in (branch.then, branch.orelse)]
        return float(launches[0]) if launches[0] != launches[1] else super()._usual(branch)

    def _back(self, root: str, times: float) -> None:
        """An array goes back to its device: as often as it came home, and it comes home no more often."""
        place, homes = self.at_home.pop(root), self.found.homes
        times = min(times, homes[place][2])
        homes[place] = (False, self.sizes[root], times)
        homes.append((True, self.sizes[root], times))

    def _copy(self, copy: n.Copy, times: float) -> None:
        region = self.values.region(copy.view)
        if region.root in self.there:
            if copy.target != HOST and region.root in self.at_home:
                self._back(region.root, times)
            return
        size = math.prod(e for e in region.extents if e == e) * region.itemsize
        if HOST not in (copy.source, copy.target):
            self.found.saved += [size] * (times > 0)
            return
        self.found.copies.append((copy.target != HOST, size, times))

    def _foreign(self, launch: n.Launch, call: n.External, times: float) -> None:
        """The launch of a kernel that a user wrote: each array that it says it touches is moved once, side by side."""
        line, given = launch.location.line, dict(zip(launch.kernel.params, launch.operands, strict=True))
        accesses, places = [], tally()
        for mode, views in (("load", call.reads), ("store", call.writes)):
            for param in views:
                region = self.values.region(given[param])  # type: ignore[arg-type]
                size = math.prod(e for e in region.extents if e == e) * region.itemsize
                sectors = WARP * region.itemsize / SECTOR
                accesses.append(
                    AccessClass(
                        param.stem, line, mode, "coalesced", region.itemsize, sectors, sectors,
                        size / (WARP * region.itemsize), size, size, size, size, 1.0, "none", False,
                    )
                )  # fmt: skip
                places[param.name] = max(places.get(param.name, 0.0), size)
                self.roots[region.root] = max(self.roots.get(region.root, 0.0), size)
                if mode == "store":
                    self.changed.add(region.root)
        self.assume(f"line {line}: {callee_of(call.reference)} touches each element once, and computes in no time")
        blocks = max((a.requests * WARP / USUAL_GROUP for a in accesses), default=1.0)
        count = KernelCount(max(blocks, 1.0), USUAL_GROUP, places=places)
        self.found.launches.append(LaunchDemand(launch.kernel.name, line, times, count, tuple(accesses)))

    def _launch(self, launch: n.Launch, times: float) -> None:
        call = foreign_call(launch.kernel)
        if call is not None:
            self._foreign(launch, call, times)
            return
        self.found.flags += times * len(launch.results)
        for result in launch.results:
            self.values.quantities[result.name] = constant(0.0)
        sizes, is_known = self._sizes(launch)
        if not is_known:
            self.assume(f"line {launch.location.line}: extents that are not known count as {USUAL}")
        kernel = launch.kernel
        with contextlib.suppress(KeyError):  # of numbers that are not known, the usual version
            kernel = version_for(kernel, sizes)
        pairs = list(zip(kernel.params, launch.operands, strict=False))
        samples = {
            param.name: self.values.samples[root]
            for param, operand in pairs
            if isinstance(operand, n.Var)
            and isinstance(param.type, View)
            and (root := self.values.region(operand).root) in self.values.samples
        }
        count, assumptions = counted(kernel, known_of(kernel, sizes), self.given, samples)
        for text in assumptions:
            self.assume(text)
        accesses = self._accesses(launch, sizes, count)
        for param, operand in pairs:
            if isinstance(operand, n.Var) and isinstance(operand.type, View):
                reach = count.places.get(param.name, 0.0) - count.apart.get(param.name, 0.0)
                accesses = _at_least(accesses, param.stem, min(reach, self.values.region(operand).size))
        self.changed |= {
            self.values.region(operand).root
            for param, operand in pairs
            if isinstance(operand, n.Var)
            and isinstance(operand.type, View)
            and any(a.mode != "load" and a.array == param.stem for a in accesses)
        }
        for param, operand in pairs:
            if isinstance(operand, n.Var) and isinstance(operand.type, View):
                region = self.values.region(operand)
                size = math.prod(e for e in region.extents if e == e) * region.itemsize
                lines = count.apart.get(param.name, 0.0) * (LINE / SECTOR - 1)
                size = min(size, count.places.get(param.name, size) + lines)
                self.roots[region.root] = max(self.roots.get(region.root, 0.0), size)
        self.found.launches.append(LaunchDemand(kernel.name, launch.location.line, times, count, accesses))

    def _accesses(self, launch: n.Launch, sizes: Mapping[str, int], count: KernelCount) -> tuple[AccessClass, ...]:
        written = self.written.get(launch.kernel.name)
        if written is None:
            return ()
        contents = self.contents.get(launch.kernel.name, NO_CONTENTS)
        try:
            classes = access_classes(written.kernel, written.schedule, sizes, contents)
        except KeyError:
            self.assume(f"line {launch.location.line}: what the kernel moves is not known, and takes no time")
            return ()
        together = self.facts.cores * at_once(count)
        return in_waves(classes, written.kernel, written.schedule, sizes, together, self.facts.cache)

    def _sizes(self, launch: n.Launch) -> tuple[dict[str, int], bool]:
        found: dict[str, int] = {}
        is_known = True
        for param, operand in zip(launch.kernel.params, launch.operands, strict=False):
            if isinstance(param.type, View):
                region = self.values.region(operand)  # type: ignore[arg-type]
                for k, (extent, stride) in enumerate(zip(region.extents, region.strides, strict=True)):
                    is_known &= extent == extent
                    found[f"{param.name}.shape[{k}]"] = int(extent) if extent == extent else USUAL
                    found[f"{param.name}.strides[{k}]"] = int(stride) if stride == stride else param.type.element.size
            elif isinstance(param.type, Scalar) and param.type.kind in "iub":
                number = self.values.number(operand)
                is_known &= number == number
                found[param.name] = int(number) if math.isfinite(number) else USUAL
        return found, is_known


def _at_least(accesses: tuple[AccessClass, ...], array: str, reach: float) -> tuple[AccessClass, ...]:
    """Estimated accesses, of which the one that asks most often brings what all together reach at least."""
    loads = [a for a in accesses if a.array == array and a.mode == "load"]
    lacks = reach - sum(a.l2 for a in loads)
    if not loads or lacks <= 0 or all(a.exact for a in loads):
        return accesses
    most = max(loads, key=lambda a: a.requests)
    more = replace(most, l2=most.l2 + lacks, dram=max(most.dram, reach))
    return tuple(more if a is most else a for a in accesses)


def at_once(count: KernelCount) -> int:
    """Blocks that run at a time on a multiprocessor, as far as threads and shared memory decide."""
    by_threads = THREADS // max(count.threads, 1)
    by_shared = int(SHARED // (count.shared + RESERVED))
    return max(min(by_threads, by_shared, MOST_BLOCKS), 1)
