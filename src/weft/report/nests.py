"""What each nest of loops of a call costs, by prediction, and what its device does at most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weft.cost import model
from weft.cost.demand import Demand, Nest
from weft.cost.figures import Figures, Rates
from weft.cost.quantities import LINE as LINE_BYTES
from weft.cost.speed import STEPS, Speed
from weft.runtime import machines
from weft.runtime.counting.demands import demand_of
from weft.runtime.devices.accelerators import is_accelerator
from weft.runtime.dispatch import choosing
from weft.runtime.dispatch.specialisation import Specialisation


@dataclass(frozen=True)
class NestCost:
    """A nest of loops.

    Attributes
    ----------
    line
        Of its outermost loop in the source; 0 where that is not known.
    device
        Where it runs.
    times
        How often it runs in a call.
    operations, bytes
        Operations on floats, and distinct bytes that it touches, of all runs together.
    seconds
        The predicted time of all runs.
    """

    line: int
    device: str
    times: float
    operations: float
    bytes: float
    seconds: float


@dataclass(frozen=True)
class Roofs:
    """What a device does at most in a second: operations on floats, and bytes to and from its memory."""

    operations: float
    bytes: float
    measured: bool


def costs_of(specialisation: Specialisation, leaves: tuple[object, ...]) -> tuple[tuple[NestCost, ...], Roofs | None]:
    """The nests of a call in the order of the program, and the limits of its device.

    Parameters
    ----------
    specialisation
        What runs.
    leaves
        The flat arguments of the call.
    """
    device = specialisation.device
    if device == "cpu":
        figures = machines.here().cpu
        demand = demand_of(specialisation, leaves, {}, [True] * len(leaves))
        return tuple(_on_processor(demand, figures)), _roofs_of_processor(figures)
    if not is_accelerator(device):
        return (), None
    speed = machines.other_devices().get(device)
    return (
        (tuple(_on_device(specialisation, leaves, speed)), _roofs_of_device(speed)) if speed is not None else ((), None)
    )


def _on_processor(demand: Demand, figures: Figures) -> Iterator[NestCost]:
    rates = Rates(figures)
    amounts = model.amounts(demand, figures.hierarchy())
    for nest, found, known in zip(demand.nests, amounts, model.footprints(demand), strict=True):
        seconds = nest.times * model.nest_times(found, rates, figures.threads).total * 1e-9
        touched = nest.times * model.touched([known])
        if nest.top.label:
            yield NestCost(nest.line, "cpu", nest.times, nest.times * _operations(nest), touched, seconds)


def _operations(nest: Nest) -> float:
    """Operations on floats of one run."""
    counted = (level.times * number for level in nest.top.levels() for kind, number in level.operations.items()
               if not kind.startswith(("int", "index", "bound", "branch", "loop", "overflow", "convert")))  # fmt: skip
    return sum(counted)


def _roofs_of_processor(figures: Figures) -> Roofs:
    rates = Rates(figures)
    operations = model.gain(rates["threads.compute"], figures.threads) / rates["v.float64"] * 1e9
    return Roofs(operations, LINE_BYTES / rates["dram.run"] * 1e9, figures.measured)


def _on_device(specialisation: Specialisation, leaves: tuple[object, ...], speed: Speed) -> Iterator[NestCost]:
    work = specialisation.outline(speed.device).work([choosing.exactly(leaf) for leaf in leaves])
    lines = list(dict.fromkeys(nest.line for nest in specialisation.placement().nests if nest.kernel))
    known = lines if len(lines) == len(work.kernels) else [0] * len(work.kernels)
    for line, nest in zip(known, work.kernels, strict=True):
        operations = nest.times * sum(nest.operations.values())
        yield NestCost(
            line, speed.device, nest.times, operations, nest.times * nest.bytes, nest.times * speed.nest(nest)
        )


def _roofs_of_device(speed: Speed) -> Roofs:
    size, seconds = speed.memory[-1]
    iterations, computing = speed.arithmetic[-1]
    return Roofs(STEPS * iterations / computing, size / seconds, speed.measured)
