"""On which device each loop of a graph runs: where its time, and the copies between devices, are predicted to be least.

A call of compiled code has one device; loops that are no kernels stay on the host (see `weft.plan`). That is not the
best where one actor has much work for few tokens, and another one little work for many. So the loops of a graph are
predicted one by one, on each device, and what crosses from one device to another one costs its copy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from weft.cost.prediction import DOUBTFUL
from weft.dataflow.analysis.network import Node
from weft.dataflow.program import Generated, generate
from weft.dataflow.running import forecast
from weft.dataflow.running.forecast import FEW, MANY, Timed
from weft.jit import jit
from weft.runtime import forecasting, machines
from weft.runtime.devices.devices import AUTO, CPU

if TYPE_CHECKING:
    from weft.cost.machine_file import MachineFile
    from weft.dataflow.graph import Graph
    from weft.runtime.forecasting import DeviceForecast

MARGIN = 1.1
"""How much faster several devices must be than the best single one, where all figures were measured."""

FUSION = ("fusion", "row_fusion", "inline_producers", "array_contraction")
"""The passes that make one loop of those of several actors: their time could not be told apart."""

HOST = -1
"""What stands for the host among the loops: inputs come from it, outputs go to it."""

Copy = Callable[[str, float, bool], float]
"""Seconds of a copy of so many bytes to a device, or from it."""


@dataclass(frozen=True)
class Crossing:
    """Tokens that one loop makes, or the host, and those that read them; numbers of loops."""

    source: int
    targets: tuple[int, ...]
    bytes: float


@dataclass(frozen=True)
class Costs:
    """What the loops of a graph take, and what passes between them.

    Attributes
    ----------
    seconds
        Of each loop, by the devices that can run it; the processor is among them unless an actor names a device.
    starts
        What a call takes besides, by device, where one of its loops runs there.
    crossings
        The tokens between loops.
    copy
        Seconds of a copy.
    """

    seconds: Sequence[Mapping[str, float]]
    starts: Mapping[str, float]
    crossings: Sequence[Crossing]
    copy: Copy


@dataclass(frozen=True)
class Placement:
    """The devices of actors that are not to run on the processor, and what `FEW` and `MANY` periods take so."""

    devices: dict[Node, str]
    few: Timed
    many: Timed


def placement(graph: Graph, machine: str | None = None) -> Placement | None:
    """The best device of each actor; None where it is one device for all, as for any call.

    Actors are predicted in loops of their own; neighbours on one device fire in one loop later.

    Parameters
    ----------
    machine
        A file of figures, as for `weft.predict`; by default those of this machine.
    """
    if graph.device != AUTO or (machine is None and not machines.other_devices()):
        return None
    made = generate(graph.schedule, graph.types, graph.name, alone=True)
    few, many = (_able(graph, made, periods, machine) for periods in (FEW, MANY))
    costs = _costs(graph, made, many, MANY, machine)
    devices, seconds = cheapest(costs)
    margin = DOUBTFUL if any(each.estimated for each in many) else MARGIN
    if len(set(devices)) == 1 or seconds * margin > min(each.seconds for each in many):
        return None
    pairs = zip(made.groups, devices, strict=True)
    where = {node: device for group, device in pairs for node in group.members if device != CPU and node.actor}
    short = _timed(made, devices, _costs(graph, made, few, FEW, machine))
    return Placement(where, short, _timed(made, devices, costs))


def _able(graph: Graph, made: Generated, periods: int, machine: str | None) -> list[DeviceForecast]:
    call = jit(made.function, device=AUTO, disable=FUSION)
    found = forecast.predicted(graph, periods, made, call, machine)
    return [each for each in found.devices if not each.impossible]


def _costs(graph: Graph, made: Generated, able: Sequence[DeviceForecast], periods: int, machine: str | None) -> Costs:
    copy = partial(_copy, _machine(machine))
    return Costs(_seconds(made, able), _starts(able), _crossings(graph, made, periods), copy)


def _timed(made: Generated, devices: Sequence[str], costs: Costs) -> Timed:
    loops = zip(made.groups, costs.seconds, devices, strict=True)
    return Timed(cost(devices, costs), {group.members[0]: each[device] for group, each, device in loops})


def cheapest(costs: Costs) -> tuple[list[str], float]:
    """The device of each loop, and what all of it takes.

    Starting from each device for all loops that it can run, one loop after the other moves where that helps. The
    result is no worse than the best of these starts.
    """
    found: list[tuple[float, list[str]]] = []
    for start in dict.fromkeys(device for each in costs.seconds for device in each):
        devices = [start if start in each else next(iter(each)) for each in costs.seconds]
        least, moved = cost(devices, costs), True
        while moved:
            moved = False
            for number, each in enumerate(costs.seconds):
                for device in each:
                    tried = [*devices[:number], device, *devices[number + 1 :]]
                    now = cost(tried, costs)
                    if now < least:
                        least, devices, moved = now, tried, True
        found.append((least, devices))
    least, devices = min(found)
    return devices, least


def cost(devices: Sequence[str], costs: Costs) -> float:
    """What loops take on their devices, with the copies between them, which go through the host's memory."""
    total = sum(each[device] for each, device in zip(costs.seconds, devices, strict=True))
    total += sum(costs.starts.get(device, 0.0) for device in sorted(set(devices)))
    for crossing in costs.crossings:
        source = CPU if crossing.source == HOST else devices[crossing.source]
        targets = {CPU if target == HOST else devices[target] for target in crossing.targets} - {source}
        if targets and source != CPU:
            total += costs.copy(source, crossing.bytes, False)
        total += sum(costs.copy(target, crossing.bytes, True) for target in sorted(targets - {CPU}))
    return total


def _machine(path: str | None) -> MachineFile:
    from weft.cost import machine_file

    return machines.here() if path is None else machine_file.load(path)


def _copy(machine: MachineFile, device: str, size: float, inwards: bool) -> float:
    known = machine.loops.get(device) or machines.kernels_of(device)
    speed = machine.devices.get(device) or machines.other_devices().get(device)
    return 0.0 if known is None else forecasting.copied(size, inwards, known.figures, speed)


def _seconds(made: Generated, able: Sequence[DeviceForecast]) -> list[dict[str, float]]:
    """What each loop takes on each device that has a loop or kernel for it."""
    by_device = {each.device: forecast.timed(made, each.seconds, each.parts).loops for each in able}
    seconds = []
    for group in made.groups:
        times = {name: loops[group.members[0]] for name, loops in by_device.items()}
        named = {node.actor.device for node in group.members if node.actor and node.actor.device in times}
        is_free = not group.step.is_cycle and any(node.actor and node not in made.hosts for node in group.members)
        allowed = named or {name for name in times if name == CPU or (is_free and times[name])}
        seconds.append({name: time for name, time in times.items() if name in allowed})
    return seconds


def _starts(able: Sequence[DeviceForecast]) -> dict[str, float]:
    """What calls and launches take: all that belongs to no loop, no copy and not to the host."""
    return {
        each.device: sum(part.seconds for part in each.parts if not part.line and part.what not in ("host", "copies"))
        for each in able
    }


def _crossings(graph: Graph, made: Generated, periods: int) -> list[Crossing]:
    """What each port of a loop, or an input, hands to other loops, or to the host."""
    loops = {node: number for number, group in enumerate(made.groups) for node in group.members if node.actor}
    found = []
    for node in graph.network.nodes:
        for port, rate in enumerate(node.produces):
            readers = [c.target for c in graph.network.out_of(node) if c.source_port == port]
            targets = tuple(dict.fromkeys(loops.get(reader, HOST) for reader in readers))
            source = loops.get(node, HOST)
            tokens = periods * graph.schedule.repetitions[node.number] * sum(rate) / len(rate)
            size = tokens * np.dtype(graph.types.ports[node, port]).itemsize
            if set(targets) - {source}:
                found.append(Crossing(source, targets, size))
    return found
