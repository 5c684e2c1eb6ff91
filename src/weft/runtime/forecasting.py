"""The time of a call from its demand and the figures of a machine: all parts of it, and an interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from weft.cost import model
from weft.cost.device.amounts import amounts_of, large_copies
from weft.cost.figures import DOUBT, DeviceRates, Figures, Rates
from weft.cost.prediction import NO_KERNEL
from weft.machine.copying import IN, OUT

if TYPE_CHECKING:
    from weft.cost.demand import Demand
    from weft.cost.device.walk import DeviceDemand
    from weft.cost.machine_file import DeviceFigures, MachineFile
    from weft.cost.prediction import Prediction
    from weft.cost.speed import Speed

GPU_SPREAD = {"copies": 0.35, "kernels": 0.5, "host": 0.5}
"""Half of the logarithm of an 80 % interval for times of devices whose figures were measured."""


@dataclass(frozen=True)
class ForecastPart:
    """A part of a call.

    Attributes
    ----------
    what
        ``call``, ``loop``, ``memory``, ``copies``, ``kernels`` or ``host``.
    line
        Of the source; 0 for what has none.
    count
        How often it runs.
    amount
        How much it is, in words.
    seconds
        What it takes alone, all runs together.
    share
        Which part of the whole time that is.
    hidden
        Whether another part of the same loop takes longer, so that most of this one passes beside it.
    """

    what: str
    line: int
    count: float
    amount: str
    seconds: float
    share: float
    hidden: bool = False


@dataclass(frozen=True)
class DeviceForecast:
    """What a call takes on one device; see `weft.predict`."""

    device: str
    seconds: float
    interval: tuple[float, float]
    parts: tuple[ForecastPart, ...]
    bound: str
    basis: str
    impossible: str = ""
    assumptions: tuple[str, ...] = field(default=())
    estimated: bool = False
    """Whether figures of the device were estimated, and not measured."""


def on_processor(demand: Demand, figures: Figures, arguments: int) -> DeviceForecast:
    """The forecast for the processor."""
    rates = Rates(figures)
    found = model.amounts(demand, figures.hierarchy())
    start = (rates["call"] + arguments * rates["argument"]) * 1e-9
    rows: list[tuple[str, int, float, str, float, bool]] = [("call", 0, 1, f"{arguments} arguments", start, False)]
    total, bounds = start, {"launch": start}
    for nest in found:
        times = model.nest_times(nest, rates, figures.threads)
        seconds = nest.times * times.total * 1e-9
        total += seconds
        bound = model.bound_of(nest, rates, figures.threads)
        bounds[bound] = bounds.get(bound, 0.0) + seconds
        rows += _rows(nest, times, model.threads_for(nest, figures.threads))
    parts = tuple(ForecastPart(*row[:5], row[4] / total if total else 0.0, row[5]) for row in rows if row[4] > 0)
    bound = max(bounds, key=lambda name: bounds[name])
    interval, basis = figures.interval(total, kind_of(bound)), _basis(figures)
    return DeviceForecast("cpu", total, interval, parts, bound, basis, estimated=not figures.measured)


def _rows(nest: model.Amounts, times: model.NestTimes, threads: int) -> list[tuple[str, int, float, str, float, bool]]:
    """The rows of a nest: what it computes with what begins it, and what memory brings."""
    shared = f" on {threads} threads" if threads > 1 else ""
    computing = nest.times * (times.computing + times.start) * 1e-9
    memory = nest.times * times.memory * 1e-9
    wide = f"{nest.bytes / 1e6:.3g} MB" if nest.bytes else "caches"
    return [
        ("loop", nest.line, nest.times, f"computes{shared}", computing, times.computing < times.memory),
        ("memory", nest.line, nest.times, wide, memory, times.memory <= times.computing),
    ]


def kind_of(bound: str) -> str:
    """Which residuals are for a bound."""
    if bound == "launch":
        return "call"
    return "memory" if bound.startswith(("L2", "L3", "DRAM")) else "computing"


def _basis(figures: Figures) -> str:
    if not figures.measured:
        return "estimates: this processor was not calibrated (weft calibrate)"
    return f"measured on {figures.date}: {figures.description}, {figures.driver.partition(', compiler')[0]}"


def on_kernels(
    demand: DeviceDemand,
    device: str,
    known: DeviceFigures,
    host: Figures,
    arguments: int,
    impossible: str = "",
    speed: Speed | None = None,
) -> DeviceForecast:
    """The forecast for a device with memory of its own: what its kernels ask of it, and what the host does beside.

    `speed` has the measured times of copies. `impossible` is the outline's reason; it does not count
    that there is no kernel if `demand` has some.
    """
    figures, rates = known.figures, DeviceRates(known.figures)
    if impossible == NO_KERNEL and demand.launches:
        impossible = ""
    found = amounts_of(demand, known.facts)
    start = (rates["call"] + arguments * rates["argument"]) * 1e-9
    between = sum(
        nest.times * model.nest_times(nest, Rates(host)).total * 1e-9
        for nest in model.amounts(demand.host, host.hierarchy())
    )
    rows: list[tuple[str, int, float, str, float, bool]] = [("call", 0, 1, f"{arguments} arguments", start, False)]
    copies = sum(times * copied(size, inwards, figures, speed) for inwards, size, times in large_copies(demand))
    rows.append(("host", 0, 1, "", between, False))
    rows.append(("copies", 0, 1, "", copies, False))
    total, bounds = start + between + copies, {"launch": start, "the host": between, "copies": copies}
    for nest in found:
        times = model.nest_times(nest, rates)
        seconds = nest.times * times.total * 1e-9
        total += seconds
        bound = model.bound_of(nest, rates) if nest.parts else "launch"
        bounds[bound] = bounds.get(bound, 0.0) + seconds
        rows += _kernel_rows(nest, times)
    parts = tuple(ForecastPart(*row[:5], row[4] / total if total else 0.0, row[5]) for row in rows if row[4] > 0)
    bound = max(bounds, key=lambda name: bounds[name])
    basis = _basis(figures) if figures.measured else f"estimates: {device} was not calibrated (weft calibrate)"
    interval = figures.interval(total, kind_of(bound))
    return DeviceForecast(device, total, interval, parts, bound, basis, impossible, tuple(demand.assumptions))


def copied(size: float, inwards: bool, figures: Figures, speed: Speed | None) -> float:
    """Seconds of a copy between the host and a device: as measured, else by the figures of the device."""
    if speed is not None and speed.copies is not None:
        return speed.copy(IN if inwards else OUT, size, False)
    rates, way = DeviceRates(figures), "in" if inwards else "out"
    return 1e-9 * (rates[f"copy.{way}"] + size * rates[f"copy.{way}.byte"])


def _kernel_rows(nest: model.Amounts, times: model.NestTimes) -> list[tuple[str, int, float, str, float, bool]]:
    if not nest.parts:
        return [("launches and copies", 0, 1, "", times.total * 1e-9, False)]
    computing = nest.times * (times.computing + times.start) * 1e-9
    memory, wide = nest.times * times.memory * 1e-9, f"{nest.bytes / 1e6:.3g} MB"
    return [
        ("kernel", nest.line, nest.times, "computes", computing, times.computing < times.memory),
        ("memory", nest.line, nest.times, wide, memory, times.memory <= times.computing),
    ]


def on_device(prediction: Prediction, machine: MachineFile) -> DeviceForecast:
    """The forecast for a device with memory of its own, from the model that chooses devices.

    Its intervals are wide: the model knows distinct bytes and kinds of operations, and no strides.
    """
    whole = prediction.seconds
    named = (("copies", prediction.copies), ("kernels", prediction.kernels), ("host", prediction.host))
    rest = max(whole - sum(seconds for _, seconds in named), 0.0)
    rows = [("call", rest), *named]
    parts = tuple(ForecastPart(name, 0, 1, "", each, each / whole if whole else 0.0) for name, each in rows if each > 0)
    worst = max(rows, key=lambda row: row[1])[0]
    half = GPU_SPREAD.get(worst, 0.5) * (1.0 if prediction.measured else DOUBT)
    bound = {"call": "launch", "copies": "copies", "kernels": "kernels", "host": "the host"}[worst]
    basis = "estimates of a model without strides" + ("" if prediction.measured else ", on estimated figures")
    interval = (whole * math.exp(-half), whole * math.exp(half))
    found = DeviceForecast(prediction.device, whole, interval, parts, bound, basis, prediction.impossible)
    return found if prediction.measured else replace(found, estimated=True)


def best(forecasts: Sequence[DeviceForecast]) -> DeviceForecast:
    """The device that is predicted to be the fastest of those that can run the call."""
    return min((each for each in forecasts if not each.impossible), key=lambda each: each.seconds)


def memory_of(demand: Demand, sizes: Mapping[str, float]) -> float:
    """Peak bytes: the arrays that are given, and those that the call makes."""
    return demand.made + sum(sizes.values())
