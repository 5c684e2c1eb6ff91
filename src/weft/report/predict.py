"""`predict`: how long a call will take, without running it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.cost import machine_file
from weft.cost.machine_file import DeviceFigures, MachineFile
from weft.cost.prediction import FULL, Prediction
from weft.cost.prediction import on_device as predicted_on
from weft.cost.speed import Speed
from weft.errors import ArgumentError, DeviceError, OutOfMemoryError, format_bytes, warn
from weft.jit import Function, jit
from weft.report.forecast import Forecast
from weft.report.stand_in import Spec
from weft.runtime import forecasting, machines
from weft.runtime.arrays.arrays import Array
from weft.runtime.counting.demands import demand_of, device_demand_of
from weft.runtime.devices import accelerators
from weft.runtime.devices.devices import AUTO, CPU, canonical, chosen, find
from weft.runtime.dispatch import choosing
from weft.runtime.forecasting import DeviceForecast
from weft.split.devices import SplitFunction

if TYPE_CHECKING:
    from weft.cost.demand import Demand
    from weft.cost.device.walk import DeviceDemand
    from weft.machine.facts import Facts
    from weft.runtime.dispatch.specialisation import Specialisation

COMPILING, COMPILING_A_STATEMENT = 0.15, 0.004
"""Seconds that compiling takes: for any program, and for each of its statements; of a processor of 2023."""


def predict(
    function: Callable[..., Any],
    /,
    *args: object,
    device: str | None = None,
    machine: str | None = None,
    trips: Mapping[str, float] | None = None,
    strict: bool = False,
    **kwargs: object,
) -> Forecast:
    """Say how long a call will take, and why; nothing is run.

    Parameters
    ----------
    function
        A compiled function, or a plain one, which is then predicted as if ``@weft.jit`` stood above it. One for several
        devices is predicted for these together; ``parts`` are its pieces.
    *args, **kwargs
        What it would be called with; `weft.spec` stands for arrays that are not there.
    device
        Where; by default where the call would run.
    machine
        A file that ``weft calibrate --save`` wrote, for a machine that may be another one.
    trips
        How often loops run whose bounds are data, by ``"line 12"``; for a branch, in which share of the iterations.
    strict
        Refuse figures of another driver or processor, and estimates, instead of warning.

    Returns
    -------
    Forecast
        ``seconds``, ``interval`` (80 %), ``parts``, ``bound``, ``memory``, ``compile_seconds``, ``assumptions``; for
        each device ``forecast["cuda"]``. Printed as a table.

    Raises
    ------
    ArgumentError
        The machine file cannot be used, `trips` names no line, or with `strict` figures do not fit.
    OutOfMemoryError
        The arrays do not fit into the memory of the device that was named.

    Examples
    --------
    >>> import weft
    >>> def double(x):
    ...     for i in range(x.shape[0]):
    ...         x[i] = 2 * x[i]
    >>> weft.predict(double, weft.spec(1000, "f8")).device
    'cpu'
    """
    given = _checked_trips(trips)
    if isinstance(function, SplitFunction):
        if device is None and chosen(None) == AUTO:
            return _in_pieces(function, args, kwargs, bool(given or machine or strict))
        function = function.plain
    compiled = function if isinstance(function, Function) else jit(function)
    asked = _asked(compiled, device)
    known = _machine(machine, strict)
    stood, real = [_stand_in(value) for value in args], {name: _stand_in(value) for name, value in kwargs.items()}
    there = {id(value) for value in (*args, *kwargs.values()) if isinstance(value, np.ndarray)}
    on_cpu = Function(compiled.__wrapped__, compiled.options_for(CPU))
    specialisation, leaves = on_cpu.laid_out(*stood, **real)
    contents = [id(leaf) in there for leaf in leaves]
    demand = demand_of(specialisation, leaves, given, contents)
    forecasts = [forecasting.on_processor(demand, known.cpu, len(leaves))]
    forecasts += _others(specialisation, leaves, known, asked, given, contents, strict)
    where = asked if asked != AUTO else forecasting.best(forecasts).device
    sizes = _sizes(specialisation, leaves)
    made = Forecast(
        compiled.__qualname__,
        where,
        tuple(forecasts),
        int(forecasting.memory_of(demand, sizes)),
        _compile_seconds(specialisation),
        _assumptions(demand, given),
        known.name if machine else "",
    )
    _check_fits(made, sizes, known, asked)
    return made


def _in_pieces(
    function: SplitFunction[..., Any], args: Sequence[object], kwargs: Mapping[str, object], is_special: bool
) -> Forecast:
    """The forecast of a call on several devices of this machine."""
    if is_special:
        raise ArgumentError(
            "trips, machine and strict are for one device",
            argument="device",
            cause=f"{function.plain.__qualname__} runs on {', '.join(function.devices)}",
            hint=f'leave them out, or name one: device="{function.devices[0]}"',
        )
    from weft.report.splitting import split_forecast

    return split_forecast(function, [*map(_stand_in, args)], {k: _stand_in(value) for k, value in kwargs.items()})


def _asked(compiled: Function[..., Any], device: str | None) -> str:
    """The device that was named, here or in the decorator."""
    if device is not None and not isinstance(device, str):
        raise ArgumentError(
            f"{device!r} is no device whose calls are predicted",
            argument="device",
            cause="loops that several devices share are not predicted" if isinstance(device, (tuple, list)) else "",
            hint='a name: device="cpu"',
        )
    if device is not None and device.partition(":")[0] not in ("auto", "cpu", "cuda", "opencl"):
        find(device)
    asked = device or chosen(compiled.options_for(None).device)
    if asked == "interpreter":
        raise ArgumentError("the interpreter's time is not predicted", argument="device", hint='device="cpu"')
    return asked


def _stand_in(value: object) -> object:
    if isinstance(value, Spec):
        return value.array()
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(_stand_in, value))
    return value


def _checked_trips(trips: Mapping[str, float] | None) -> Mapping[str, float]:
    hint = 'trips={"line 12": 40}, a number for a line'
    if trips is not None and not isinstance(trips, Mapping):
        raise ArgumentError(f"trips is of the type {type(trips).__name__}", argument="trips", hint=hint)
    for place, number in (trips or {}).items():
        words = str(place).split()
        is_place = len(words) == 2 and words[0] == "line" and words[1].isdigit()
        is_number = isinstance(number, (int, float, np.number)) and not isinstance(number, bool)
        if not is_place or not is_number or not 0 <= number < math.inf:
            raise ArgumentError(f"trips has {place!r}: {number!r}", argument="trips", hint=hint)
    return trips or {}


def _assumptions(demand: Demand, trips: Mapping[str, float]) -> tuple[str, ...]:
    """What was assumed, with what was said and not taken."""
    taken = {text.partition(":")[0] for text in demand.assumptions if text.endswith("as was said")}
    unused = (f"{place}: no loop or condition there is counted by trips" for place in trips if place not in taken)
    return (*demand.assumptions, *unused)


# ------------------------------------------------------------------------------------------------------- figures


def _machine(path: str | None, strict: bool) -> MachineFile:
    """The machine that is asked for; a warning, or an error, where its figures are not those of this machine."""
    if path is not None and (not isinstance(path, (str, os.PathLike)) or not str(path)):
        raise ArgumentError(f"{path!r} names no file", argument="machine", hint='machine="machine.json"')
    found = machines.here() if path is None else machine_file.load(path)
    own = machines.here().cpu
    if path is not None and found.cpu.description == own.description and found.cpu.driver != own.driver:
        _doubt(f"{path} was measured under {found.cpu.driver}; this machine has {own.driver}", strict)
    for name, device in found.loops.items() if path is not None else ():
        facts = _facts_here(name)
        if facts is not None and facts.description == device.facts.description and facts.driver != device.facts.driver:
            _doubt(f"{path} was measured under {device.facts.driver}; {name} has {facts.driver} here", strict)
    if strict and not found.cpu.measured:
        raise _estimated("this processor", "weft calibrate")
    return found


def _estimated(what: str, command: str) -> ArgumentError:
    return ArgumentError(
        f"there are no measured figures of {what}",
        argument="strict",
        cause="strict=True refuses estimates",
        hint=f"run `{command}` once, or leave strict=True out",
    )


@cache
def _facts_here(device: str) -> Facts | None:
    """The facts of a device of this machine, None where it is not here."""
    try:
        return accelerators.facts_of(device)
    except DeviceError:
        return None


def _doubt(text: str, strict: bool) -> None:
    if strict:
        raise ArgumentError(
            text,
            argument="machine",
            cause="strict=True refuses figures of another driver",
            hint="calibrate again: weft calibrate --save machine.json",
        )
    warn("W010", f"{text}; the prediction may be off by more than it says")


def _others(
    specialisation: Specialisation,
    leaves: Sequence[object],
    machine: MachineFile,
    asked: str,
    trips: Mapping[str, float],
    contents: Sequence[bool],
    strict: bool,
) -> Iterator[DeviceForecast]:
    """The forecasts of devices with memory of their own."""
    here = machine is machines.here()
    devices: Mapping[str, Speed] = machines.other_devices() if here else machine.devices
    part = machines.speed_of(asked) if here and asked not in devices and "." in asked else None
    devices = devices if part is None else {**devices, asked: part}
    names = [name for name in devices if asked in (AUTO, name)]
    if asked not in (AUTO, CPU) and not names:
        raise DeviceError(
            f"there are no figures of {asked!r}" + ("" if here else f" in the file of {machine.name}"),
            cause=f"figures are known of {', '.join((CPU, *devices))}",
            hint=f"measure it: weft calibrate --device {canonical(asked.partition('.')[0])}",
        )
    for name in names:
        kernels = _loops(name, machine, devices[name], here)
        if strict and name == asked and not (kernels.figures if kernels is not None else devices[name]).measured:
            raise _estimated(repr(name), f"weft calibrate --device {name}")
        prediction = on_accelerator(specialisation, leaves, devices[name])
        if kernels is None:
            yield forecasting.on_device(prediction, machine)
            continue
        demand = device_demand_of(specialisation, leaves, name, kernels.facts, trips, contents)
        yield forecasting.on_kernels(
            demand, name, kernels, machine.cpu, len(leaves), prediction.impossible, devices[name]
        )


def _loops(device: str, machine: MachineFile, speed: Speed, here: bool) -> DeviceFigures | None:
    """The figures of a device's kernels; None where the older model knows more: it was measured, and kernels were not.

    Those of a machine that is not here are in its file or nowhere.
    """
    if not here:
        return machine.loops.get(device)
    facts = accelerators.facts_of(device)
    if facts.kind == "cuda" and not facts.is_processor and not speed.measured:
        return machines.loops_of(device, facts)
    return machines.kernels_of(device)


def on_accelerator(specialisation: Specialisation, leaves: Sequence[object], speed: Speed) -> Prediction:
    """What a call whose specialisation is known takes on a device with memory of its own."""
    outline = specialisation.outline(speed.device)
    work = outline.work([choosing.exactly(leaf) for leaf in leaves])
    return predicted_on(work, choosing.placed(outline, leaves), speed, choosing.processor_speed())


# -------------------------------------------------------------------------------------------------------- memory


def _sizes(specialisation: Specialisation, leaves: Sequence[object]) -> dict[str, float]:
    """Bytes of the arrays that are given, by name."""
    params = specialisation.shaped().params
    return {
        param.var.stem: float(leaf.nbytes)
        for param, leaf in zip(params, leaves, strict=False)
        if isinstance(leaf, (np.ndarray, Array))
    }


def _check_fits(forecast: Forecast, sizes: Mapping[str, float], machine: MachineFile, asked: str) -> None:
    """Refuse a device that was named whose memory the arrays exceed."""
    speed = (machines.other_devices() if machine is machines.here() else machine.devices).get(asked)
    if speed is None or not speed.capacity or forecast.memory <= FULL * speed.capacity:
        return
    largest = sorted(sizes.items(), key=lambda item: -item[1])[:3]
    names = ", ".join(f"{name} {format_bytes(int(size))}" for name, size in largest)
    raise OutOfMemoryError(
        f"{forecast.function} needs more memory than {asked} has",
        needed=forecast.memory,
        free=int(FULL * speed.capacity),
        cause=f"its largest arrays: {names}",
        hint='device="cpu", or smaller arrays; a call runs slab by slab there, which is not predicted',
    )


def _compile_seconds(specialisation: Specialisation) -> float:
    """What compiling is going to take; nothing where the code is in the store."""
    if specialisation.is_compiled():
        return 0.0
    from weft.ir.visit import walk

    return COMPILING + COMPILING_A_STATEMENT * sum(1 for _ in walk(specialisation.shaped().body))


def on_processor(specialisation: Specialisation, leaves: Sequence[object]) -> DeviceForecast:
    """The forecast for the processor of a call whose specialisation is known: for reports."""
    demand = demand_of(specialisation, leaves, {}, [isinstance(leaf, np.ndarray) for leaf in leaves])
    return forecasting.on_processor(demand, machines.here().cpu, len(leaves))


def demand_for(function: Callable[..., Any], *args: object) -> tuple[Demand, int]:
    """The demand of a call on the processor, and the number of its leaves: for calibration and evaluation."""
    compiled = function if isinstance(function, Function) else jit(function, device=CPU)
    specialisation, leaves = compiled.laid_out(*args)
    return demand_of(specialisation, leaves, {}, [True] * len(leaves)), len(leaves)


def device_demand_for(
    function: Callable[..., Any], device: str, facts: Facts, *args: object
) -> tuple[DeviceDemand, int]:
    """The same of a call on a device, which need not be here; all arrays are taken to be there."""
    compiled = function if isinstance(function, Function) else jit(function, device=CPU)
    specialisation, _, leaves = compiled.examine(*args)
    known = [True] * len(leaves)
    return device_demand_of(specialisation, leaves, device, facts, {}, known, there=True), len(leaves)
