"""How long a call would take on each device, and which one it takes: from sizes, places of the data and figures alone.

A call takes the time of the entry, of its nests, of what the host computes between them, and of the copies of arrays
that are not where it runs. Parts of NumPy's arrays are copied in and out at every call, as planned. Copies of coherent
arrays count for one in `STAYS`, since they stay where they were used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weft.cost.speed import CPU, Speed
from weft.cost.work import Crossing, Work
from weft.machine.copying import IN, OUT

HOST = "host"

MARGIN = 1.05
"""A device with measured figures is taken where the processor would take this many times as long."""

DOUBTFUL = 2.0
"""The same where figures are estimates, and for a device that is the processor itself: it can hardly be faster."""

STAYS = 32
"""How many calls on a coherent array are expected to follow one another until Python looks at it or changes it."""

WAITING = 0.5
"""The part of the time of the smallest copy that goes by until the host hears that it is done."""

LAUNCH = 0.3
"""The part of the time of a call that each further kernel takes which no loop repeats: others are queued together."""

NO_KERNEL = "none of its loops can be a kernel"
"""Why a call cannot run on a device, by its outline. The plan may have kernels that the outline does not see."""

FULL = 0.8
"""The part of a device's memory that the arrays of a call may take."""


@dataclass(frozen=True)
class Placed:
    """An array of a call: its bytes, what the call does with it, and the memories in which it is current, if any.

    `coherent` says that it is an array of Weft's, which stays where it was used.
    """

    name: str
    bytes: int
    read: bool
    written: bool
    where: tuple[str, ...] = (HOST,)
    coherent: bool = False


@dataclass(frozen=True)
class Prediction:
    """The time of a call on a device, in seconds.

    Attributes
    ----------
    device
        The name of the device.
    seconds
        All of it.
    copies, kernels, host
        Parts of it: copies of arrays; nests; what the host computes while a device waits.
    measured
        Whether figures of the device were measured; otherwise they are estimated.
    impossible
        Why the call cannot run there; empty where it can.
    margin
        How many times as long the processor has to take.
    """

    device: str
    seconds: float
    copies: float = 0.0
    kernels: float = 0.0
    host: float = 0.0
    measured: bool = True
    impossible: str = ""
    margin: float = MARGIN


@dataclass(frozen=True)
class Choice:
    """The device of a call, why it was taken, and what was expected of each."""

    device: str
    reason: str
    predictions: tuple[Prediction, ...] = ()


def on_processor(work: Work, arrays: Sequence[Placed], cpu: Speed, devices: Sequence[Speed]) -> Prediction:
    """The time of a call on the processor; `devices` have what has to be brought home first."""
    nests = sum(
        nest.times * (cpu.nest(nest) if nest.iterations > 1 else cpu.alone(nest.operations)) for nest in work.nests
    )
    copies = sum(_way_home(array, devices) for array in arrays if HOST not in array.where and array.read)
    return Prediction(CPU, cpu.call + nests + copies, copies, nests, 0.0, cpu.measured)


def _way_home(array: Placed, devices: Sequence[Speed]) -> float:
    """Seconds to bring a coherent array home, for one of the calls that profit."""
    there = [speed for speed in devices if speed.device in array.where]
    return min((speed.copy(OUT, array.bytes, True) for speed in there), default=0.0) / STAYS


def on_device(work: Work, arrays: Sequence[Placed], device: Speed, cpu: Speed) -> Prediction:
    """The time of a call on a device with memory of its own."""
    kernels = sum(nest.times * (device.nest(nest) + nest.waits * device.call) for nest in work.kernels)
    kernels += LAUNCH * device.call * max(sum(nest.times for nest in work.kernels if nest.times <= 1) - 1, 0)
    host = sum(nest.times * cpu.alone(nest.operations) for nest in work.nests if not nest.on_device)
    copies = _unplanned(work, arrays, device) if work.copies is None else _planned(work, arrays, device)
    seconds = device.call + kernels + host + copies
    impossible, margin = _impossible(work, arrays, device), DOUBTFUL if device.is_processor else MARGIN
    return Prediction(device.device, seconds, copies, kernels, host, device.measured, impossible, margin)


def _planned(work: Work, arrays: Sequence[Placed], device: Speed) -> float:
    """Seconds of the copies of a call, of which it is known what they move."""
    sizes = {array.name: array.bytes for array in arrays if not array.coherent}
    stay = [array for array in arrays if array.coherent]
    moved = [copy for copy in work.copies or () if copy.name in sizes or not copy.name]
    seconds = sum(copy.times * _seconds(copy, sizes.get(copy.name), device) for copy in moved)
    coming = sum(_coming(array, device) for array in stay)
    return seconds + coming + (_shared(work, device) if stay else 0.0)


def _seconds(copy: Crossing, size: float | None, device: Speed) -> float:
    """Seconds of a copy, of an array of the caller's of some size, or of one that the program makes.

    Figures of single copies have a wait each. A call waits once, which `Speed.call` has, and for what the host needs
    in between.
    """
    direction = IN if copy.inwards else OUT
    alone = device.copy(direction, copy.bytes, size is None, copy.rows, size)
    waits = not copy.inwards and copy.times > 1
    return alone if waits else alone - WAITING * device.copy(direction, 1.0, size is None)


def _unplanned(work: Work, arrays: Sequence[Placed], device: Speed) -> float:
    """The same where all that is known is which arrays kernels read and write."""
    sizes = [(IN, a.bytes) for a in arrays if not a.coherent and a.read and device.device not in a.where]
    sizes += [(OUT, a.bytes) for a in arrays if not a.coherent and a.written]
    copies = [Crossing("", way == IN, 1, size) for way, size in sizes]
    copies += [Crossing("", False, 1, work.results)] if work.results else []
    coming = sum(_coming(array, device) for array in arrays if array.coherent)
    return sum(_seconds(copy, copy.bytes, device) for copy in copies) + coming + _shared(work, device)


def _coming(array: Placed, device: Speed) -> float:
    """Seconds to bring a coherent array to a device, for one of the calls that profit."""
    moves = array.read and bool(array.where) and device.device not in array.where
    return device.copy(IN, array.bytes, True) / STAYS if moves else 0.0


def _shared(work: Work, device: Speed) -> float:
    """Seconds of copies of what both the host and kernels touch, there and back for each change of hands."""
    launches = sum(nest.times for nest in work.kernels)
    seconds = 0.0
    for nest in work.nests:
        if not nest.on_device and nest.shared:
            changes = max(min(nest.times, launches), 1.0)
            each = nest.times * nest.shared / changes
            seconds += changes * (device.copy(OUT, each, True) + device.copy(IN, each, True))
    return seconds


def _impossible(work: Work, arrays: Sequence[Placed], device: Speed) -> str:
    if not work.kernels:
        return NO_KERNEL
    if device.capacity and sum(array.bytes for array in arrays) + work.results > FULL * device.capacity:
        return "its arrays do not fit into the memory"
    return ""


def choose(predictions: Sequence[Prediction]) -> Choice:
    """The device of a call: the processor, which comes first, unless another one is certainly faster.

    Examples
    --------
    >>> choose([Prediction("cpu", 2e-3), Prediction("cuda", 1e-3)]).device
    'cuda'
    """
    cpu, *others = predictions
    able = [p for p in others if not p.impossible]
    best = min(able, key=lambda p: p.seconds * _margin(cpu, p), default=None)
    if best is None:
        why = others[0].impossible if others else "there is no other device with figures"
        return Choice(CPU, why, tuple(predictions))
    if best.seconds * _margin(cpu, best) < cpu.seconds:
        gain = f"{cpu.seconds / best.seconds:.2g} times as fast as the processor"
        return Choice(best.device, gain, tuple(predictions))
    if best.seconds < cpu.seconds:
        return Choice(CPU, f"{best.device} is not certainly faster: {_figures(cpu, best)}", tuple(predictions))
    return Choice(CPU, f"{best.seconds / cpu.seconds:.2g} times as fast as {best.device}", tuple(predictions))


def _margin(cpu: Prediction, other: Prediction) -> float:
    return other.margin if cpu.measured and other.measured else DOUBTFUL


def _figures(cpu: Prediction, other: Prediction) -> str:
    measured = cpu.measured and other.measured
    return "the difference is small" if measured else "its figures are estimates (weft devices --measure)"


def other_way(choice: Choice) -> str:
    """What would have to change for another device to be taken; empty where only one was predicted.

    Examples
    --------
    >>> other_way(choose([Prediction("cpu", 2e-3), Prediction("cuda", 1e-3)]))
    'cpu would be taken if the call took 1.9 times as long on cuda'
    """
    cpu, *others = choice.predictions or (None,)
    able = [each for each in others if not each.impossible]
    if cpu is None or not able:
        return ""
    best = min(able, key=lambda each: each.seconds * _margin(cpu, each))
    most = cpu.seconds / _margin(cpu, best)
    if choice.device != CPU:
        return f"{CPU} would be taken if the call took {most / best.seconds:.2g} times as long on {best.device}"
    if best.seconds < most:
        return ""  # it was refused there
    if best.seconds < cpu.seconds / best.margin:
        return (
            f"{best.device} would be taken if its figures were measured: estimates must be {DOUBTFUL:g} times as fast"
        )
    parts = {"copies": best.copies, "kernels": best.kernels, "work of the host": best.host}
    largest = max(parts, key=lambda name: parts[name])
    lacking = best.seconds - most
    if lacking < parts[largest]:
        where = ", as they do where arrays of weft.array stay there" if largest == "copies" else ""
        left = 1 - lacking / parts[largest]
        return f"{best.device} would be taken if its {largest} took {left:.0%} of their time{where}"
    return f"{best.device} would be taken if the call took {most / best.seconds:.0%} of its time there"
