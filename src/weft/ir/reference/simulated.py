"""Simulated devices: a memory of a certain size, a clock, limits, and failures on demand.

The interpreter runs every placed program on such devices, one for each memory that the program names:

    trace(program, values, {"cuda": SimulatedDevice(memory=4096, failing={("copy", 2)})})

`Memories` keeps the bytes, and finds copies and waits that are missing; this module keeps time and says no. Steps are
numbered from 0 for each device and kind:

* ``allocation``: a storage gets a place there (`Reserve`, or the first `Copy` or `Launch` that needs it). It fails with
  `OutOfMemoryError` where the memory is full or the number is in `failing`.
* ``copy``, ``launch``: they are queued. A device has three queues: for kernels, for copies to it and for copies from
  it. Each runs in order, and behind what another one does with the same storage in the same memory, if one of both
  writes it. They fail with `DeviceError`.
* ``wait``: the host waits for all that is queued, or for the copies of some arrays; a `Launch` that has a result waits
  for all. It fails with `DeviceError`.

What happened is in `Trace.steps`, and the seconds that it took in `Trace.seconds`: those of copies and kernels by the
device's figures; the host's own work takes no time. `Trace.held` says what memory was not given back.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field, replace
from typing import Literal, TypeAlias

from weft.dataclass import dataclass
from weft.errors import DeviceError, OutOfMemoryError
from weft.ir import nodes as n

StepKind: TypeAlias = Literal["allocation", "release", "copy", "launch", "wait"]


@dataclass(frozen=True)
class SimulatedDevice:
    """What a device can do, and where it fails.

    Parameters
    ----------
    memory
        Bytes that it holds at most; None for as many as are asked for.
    group, operands
        Work items of a block and operands of a kernel at most.
    latency
        Seconds from the start of a copy or kernel to its first byte.
    copy_bandwidth, memory_bandwidth
        Bytes per second between host and device, and between the device's memory and its kernels.
    failing
        Steps that fail, by kind and number.
    """

    memory: int | None = None
    group: int = 1024
    operands: int = 400
    latency: float = 5e-6
    copy_bandwidth: float = 2e10
    memory_bandwidth: float = 1e12
    failing: AbstractSet[tuple[StepKind, int]] = frozenset()


@dataclass(frozen=True)
class Step:
    """Something that a device did: how many bytes it concerned, and from when to when, in seconds.

    `target` is the memory that a copy fills, and the name of a kernel that was launched.
    """

    kind: StepKind
    device: str
    size: int
    start: float
    end: float
    target: str = ""


Place: TypeAlias = tuple[int, str]
"""A storage, by its number, in a memory."""

Queue: TypeAlias = Literal["kernels", "in", "out"]


@dataclass
class _State:
    """A device during a run: among others, until when each queue is busy."""

    device: SimulatedDevice
    free_at: dict[Queue, float] = field(default_factory=dict)
    held: int = 0
    done: Counter[StepKind] = field(default_factory=Counter)


class Simulation:
    """The devices of a run, and the time that has passed on the host and on them."""

    def __init__(self, devices: Mapping[str, SimulatedDevice] | None = None) -> None:
        self.steps: list[Step] = []
        self.seconds = 0.0
        self._devices = dict(devices or {})
        self._states: dict[str, _State] = {}
        self._written: dict[Place, float] = {}
        self._used: dict[Place, float] = {}

    @property
    def held(self) -> dict[str, int]:
        """Bytes that each device holds."""
        return {name: state.held for name, state in self._states.items() if state.held}

    def allocate(self, name: str, size: int) -> None:
        """Take memory of a device; OutOfMemoryError where there is not enough."""
        state, limit = self._state(name), self._state(name).device.memory
        fails = self._fails(name, "allocation")
        if fails or (limit is not None and state.held + size > limit):
            free = None if limit is None else limit - state.held
            raise OutOfMemoryError(f"the device {name!r} has no memory left", needed=size, free=free)
        state.held += size
        self.steps.append(Step("allocation", name, size, self.seconds, self.seconds))

    def room(self, name: str) -> int:
        """Bytes that a device takes still."""
        state = self._state(name)
        return sys.maxsize if state.device.memory is None else state.device.memory - state.held

    def release(self, name: str, size: int) -> None:
        """Give memory of a device back."""
        self._state(name).held -= size
        self.steps.append(Step("release", name, size, self.seconds, self.seconds))

    def copy(self, name: str, size: int, source: Place, target: Place) -> None:
        """Queue a copy between the host and a device, or within a device."""
        device = self._state(name).device
        is_from, is_to = (place[1].partition("/")[0] == name for place in (source, target))
        queue: Queue = "in" if not is_from else "kernels" if is_to else "out"
        seconds = device.latency + size / device.copy_bandwidth
        self._queue(name, queue, Step("copy", name, size, 0.0, seconds, target[1]), (source,), (target,))

    def launch(self, name: str, size: int, kernel: str, reads: Iterable[Place], writes: Iterable[Place]) -> None:
        """Queue a kernel that moves so many bytes."""
        device = self._state(name).device
        seconds = device.latency + size / device.memory_bandwidth
        self._queue(name, "kernels", Step("launch", name, size, 0.0, seconds, kernel), tuple(reads), tuple(writes))

    def wait(self, name: str, of: Iterable[Place] | None = None) -> None:
        """Let the host wait until a device has done all that was queued, or what was queued with some places."""
        start, state = self.seconds, self._state(name)
        self._check("wait", name)
        ends = state.free_at.values() if of is None else [self._used.get(place, 0.0) for place in of]
        self.seconds = max([self.seconds, *ends])
        self.steps.append(Step("wait", name, 0, start, self.seconds))

    def _queue(self, name: str, queue: Queue, step: Step, reads: Sequence[Place], writes: Sequence[Place]) -> None:
        """Put a step, which would start at 0, into a queue."""
        self._check(step.kind, name)
        state = self._state(name)
        before = [self._written.get(place, 0.0) for place in reads] + [self._used.get(place, 0.0) for place in writes]
        start = max([self.seconds, state.free_at.get(queue, 0.0), *before])
        end = state.free_at[queue] = start + step.end
        self._written |= {place: max(end, self._written.get(place, 0.0)) for place in writes}
        self._used |= {place: max(end, self._used.get(place, 0.0)) for place in (*reads, *writes)}
        self.steps.append(replace(step, start=start, end=end))

    def _check(self, kind: StepKind, name: str) -> None:
        if self._fails(name, kind):
            raise DeviceError(f"the {kind} number {self._state(name).done[kind] - 1} of the device {name!r} failed")

    def _fails(self, name: str, kind: StepKind) -> bool:
        """Count a step, and say whether it is one that fails."""
        state = self._state(name)
        state.done[kind] += 1
        return (kind, state.done[kind] - 1) in state.device.failing

    def _state(self, name: str) -> _State:
        return self._states.setdefault(name, _State(self._devices.get(name, SimulatedDevice())))


def check_launch(launch: n.Launch, device: SimulatedDevice) -> None:
    """DeviceError where a kernel is beyond the limits of its device."""
    name, items, operands = launch.kernel.name, math.prod(launch.kernel.group), len(launch.operands)
    if items > device.group:
        raise DeviceError(f"{name} has {items} work items a block; {launch.device!r} takes {device.group}")
    if operands > device.operands:
        raise DeviceError(f"{name} has {operands} operands; {launch.device!r} takes {device.operands}")
