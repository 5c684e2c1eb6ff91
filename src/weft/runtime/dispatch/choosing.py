"""Where a call with ``device="auto"`` runs: the device that is predicted to be the fastest, decided once a size class.

A decision depends on the specialisation, on the class of its sizes, on where coherent arrays are, and on the figures of
the machine. It is made for the smallest sizes of the class and kept while the process lives, so that equal calls run in
the same place and give the same results. Nothing is decided where there is only the processor.

An outline takes microseconds to evaluate, but does not know what a nest becomes: one thread that computes a sum in
order, or one kernel instead of a host loop of kernels. So where a device may be worth it, the counts of
`weft.predict` decide: of the processor's loops, and of the kernels. They look up the lengths of rows in the arguments
of the first call of the class.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from weft.compile import lock
from weft.cost.prediction import HOST, NO_KERNEL, Choice, Placed, Prediction, choose, on_device, on_processor
from weft.cost.speed import Speed
from weft.cost.work import Outline
from weft.errors import DeviceError, Error
from weft.frontend.source.signature import device_interface
from weft.machine.copying import IN, OUT
from weft.runtime import _stub, forecasting, machines
from weft.runtime.arrays.arrays import Array
from weft.runtime.counting.demands import demand_of, device_demand_of
from weft.runtime.devices import accelerators, speeds
from weft.runtime.devices.devices import CPU

if TYPE_CHECKING:
    from weft.cost.machine_file import DeviceFigures
    from weft.runtime.dispatch.specialisation import Specialisation

log = logging.getLogger(__name__)

WORTH_LOOKING = 5e-3
"""Seconds that a call has to take on the processor before GPUs are looked for that were not measured."""

WORTH_COUNTING = 3e-6
"""Seconds on the processor, by the outline, from which on loops and kernels are counted, which takes milliseconds."""

Key = tuple[str, bytes]

_made: dict[Key, Choice] = {}
_gone: dict[str, str] = {}
"""Devices that cannot be used in this process, and why."""


ALONE = Choice(CPU, "no other device was measured (weft devices --measure), and there is no driver of a GPU")


PINNED = Choice(CPU, "a block of the function is pinned to another device, which only that block is for")


def for_kernels(kind: str) -> Choice:
    """The choice of a device that a kernel of the user's is for."""
    return Choice(kind, f"the function runs a kernel that was written for {kind!r}")


def key_of_call(specialisation: Specialisation, leaves: Sequence[object]) -> Key:
    """What calls have in common that run on the same device."""
    request = specialisation.request
    return f"{request.digest} {request.options.key()}", _stub.size_class(tuple(leaves))


def choice_of(specialisation: Specialisation, leaves: Sequence[object]) -> Choice:
    """The device of a call.

    Parameters
    ----------
    specialisation
        That of the processor.
    leaves
        The flat arguments and captured values.
    """
    key = key_of_call(specialisation, leaves)
    found = _made.get(key)
    if found is None:
        with lock.lock:
            found = _made.get(key) or _decided(specialisation, leaves)
            _made[key] = found
    return found


def refuse(specialisation: Specialisation, leaves: Sequence[object], device: str, error: Error) -> Choice:
    """Note that a device cannot run a call that was to run there; what the call does instead."""
    key = key_of_call(specialisation, leaves)
    reason = f"{device} refused: {error.message}"
    if isinstance(error, DeviceError):
        _gone[device] = error.message
        _made[key] = _decided(specialisation, leaves)
    else:
        _made[key] = Choice(CPU, reason, _made[key].predictions)
    return _made[key]


def _decided(specialisation: Specialisation, leaves: Sequence[object]) -> Choice:
    """The choice for the smallest sizes of the class of a call."""
    cpu = speeds.processor()
    outline = specialisation.outline(CPU)
    sizes = [size_of(leaf) for leaf in leaves]
    measured = [speed for name, speed in speeds.known().items() if name != CPU and name not in _gone]
    arrays = _arrays(outline, leaves)
    first = on_processor(outline.work(sizes), arrays, cpu, measured)
    candidates = measured
    if first.seconds >= WORTH_LOOKING:
        names = {speed.device for speed in measured} | set(_gone)
        candidates = [*measured, *(speed for speed in speeds.estimates() if speed.device not in names)]
    if not candidates:
        return Choice(CPU, _alone(first), (first,))
    known = list(map(_kernels_of, candidates))
    counts = first.seconds >= WORTH_COUNTING and any(known)
    if counts:
        first = _counted_here(specialisation, leaves, first)
    if min(speed.call for speed in candidates) >= first.seconds:
        return Choice(CPU, "a call on a device takes longer than all of this one", (first,))
    others = [_on(specialisation, leaves, sizes, speed, cpu) for speed in candidates]
    if counts:
        others = [_counted(specialisation, leaves, *each) for each in zip(others, candidates, known, strict=True)]
    return choose([first, *others])


def _kernels_of(speed: Speed) -> DeviceFigures | None:
    """The figures of a device's kernels; None if the device is not here, or if nothing is known of such devices."""
    try:
        return machines.kernels_of(speed.device)
    except Error as error:
        log.info("the kernels of %s are not counted: %s", speed.device, error)
        return None


def _counted_here(specialisation: Specialisation, leaves: Sequence[object], outlined: Prediction) -> Prediction:
    """The prediction for the processor by its loops as they are compiled."""
    contents = [isinstance(leaf, np.ndarray) for leaf in leaves]
    demand = demand_of(specialisation, leaves, {}, contents)
    seconds = forecasting.on_processor(demand, machines.here().cpu, len(leaves)).seconds
    return replace(outlined, seconds=seconds + outlined.copies, kernels=seconds)


def _counted(
    specialisation: Specialisation,
    leaves: Sequence[object],
    outlined: Prediction,
    speed: Speed,
    kernels: DeviceFigures | None,
) -> Prediction:
    """The prediction by the kernels themselves if their figures are known; otherwise the one by the outline."""
    if kernels is None or outlined.impossible not in ("", NO_KERNEL):
        return outlined
    contents = [isinstance(leaf, np.ndarray) for leaf in leaves]
    try:
        demand = device_demand_of(specialisation, leaves, speed.device, kernels.facts, {}, contents)
    except Error as error:
        log.info("the kernels of %s were not counted: %s", speed.device, error)
        return outlined
    here = machines.here().cpu
    found = forecasting.on_kernels(demand, speed.device, kernels, here, len(leaves), outlined.impossible, speed=speed)
    copies, host = (sum((p.seconds for p in found.parts if p.what == what), 0.0) for what in ("copies", "host"))
    alone = max(found.seconds - copies - host - speed.call, 0.0)
    return replace(
        outlined, seconds=found.seconds, kernels=alone, copies=copies, host=host, impossible=found.impossible
    )


def _on(
    specialisation: Specialisation, leaves: Sequence[object], sizes: Sequence[object], speed: Speed, cpu: Speed
) -> Prediction:
    outline = specialisation.outline(speed.device)
    return on_device(outline.work(sizes), _arrays(outline, leaves), speed, cpu)


def _alone(cpu: Prediction) -> str:
    if _gone:
        return "; ".join(f"{device} cannot be used: {why}" for device, why in _gone.items())
    if cpu.seconds < WORTH_LOOKING:
        return "the call is short, and no device was measured (weft devices --measure)"
    return "there is no other device that was measured (weft devices --measure)"


def size_of(leaf: object) -> object:
    """A leaf as outlines take it: extents or an integer, the smallest of their class."""
    if isinstance(leaf, (np.ndarray, Array)):
        return tuple(map(smallest, leaf.shape))
    return smallest(int(leaf)) if isinstance(leaf, (int, np.integer)) else None


def exactly(leaf: object) -> object:
    """The same as it is."""
    if isinstance(leaf, (np.ndarray, Array)):
        return leaf.shape
    if isinstance(leaf, (int, np.integer)):
        return int(leaf)
    interface = device_interface(leaf)
    return None if interface is None else tuple(interface["shape"])


def smallest(number: int) -> int:
    """The smallest number of the class of a number: its three leading binary digits, then zeros.

    Examples
    --------
    >>> smallest(1000), smallest(1024), smallest(5)
    (896, 1024, 5)
    """
    spare = max(number.bit_length() - 3, 0) if number > 0 else 0
    return number >> spare << spare


def _arrays(outline: Outline, leaves: Sequence[object], exactly: bool = False) -> list[Placed]:
    """The arrays of a call, and where they are; of the smallest size of their class, or `exactly` as they are."""
    placed = []
    for use in outline.arrays:
        leaf = leaves[use.leaf]
        if isinstance(leaf, (np.ndarray, Array)):
            shape = leaf.shape if exactly else map(smallest, leaf.shape)
            size = math.prod(shape) * use.itemsize
            where = leaf.where if isinstance(leaf, Array) else (HOST,)
            placed.append(Placed(use.name, size, use.read, use.written, where, isinstance(leaf, Array)))
    return placed


def placed(outline: Outline, leaves: Sequence[object]) -> list[Placed]:
    """The arrays of a call as they are, and where they are."""
    return _arrays(outline, leaves, exactly=True)


def processor_speed() -> Speed:
    """How fast the processor is, measured or estimated."""
    return speeds.processor()


def plain_arrays(outline: Outline, leaves: Sequence[object], device: str) -> tuple[int, int, float | None]:
    """What the NumPy arrays of a call cost on a device: bytes in, bytes out, and seconds where they were measured."""
    arrays = [placed for placed in _arrays(outline, leaves, exactly=True) if not placed.coherent]
    into = sum(array.bytes for array in arrays if array.read)
    out_of = sum(array.bytes for array in arrays if array.written)
    speed = speeds.known().get(device)
    if speed is None or speed.copies is None:
        return into, out_of, None
    seconds = sum(speed.copy(IN, array.bytes, False) for array in arrays if array.read)
    return into, out_of, seconds + sum(speed.copy(OUT, array.bytes, False) for array in arrays if array.written)


def made(outline: Outline, leaves: Mapping[str, object]) -> Mapping[int, int]:
    """The bytes of the arrays that a call makes, as far as they are known, by their lines; leaves by their sources.

    They are not known of a variant for arguments that are one array, which takes that once.
    """
    names = [str(source) for source in outline.sources]
    if not all(name in leaves for name in names):
        return {}
    given = [leaves[name] for name in names]
    return outline.work([exactly(leaf) for leaf in given]).made


def crossing(outline: Outline, leaves: Sequence[object]) -> tuple[int, int]:
    """The bytes in and out of a call whose arrays are all on the host, and are to be there again afterwards."""
    arrays = _arrays(outline, leaves, exactly=True)
    return sum(a.bytes for a in arrays if a.read), sum(a.bytes for a in arrays if a.written)


def check_device(device: str) -> None:
    """DeviceError where a device cannot be opened, or is not the one, or not under the driver, that was measured."""
    facts = accelerators.open_device(device).facts
    speed = speeds.known().get(device)
    if speed is not None and (facts.description, facts.driver) != (speed.description, speed.driver):
        raise DeviceError(f"it was measured as {speed.description}, {speed.driver}; measure it again")
