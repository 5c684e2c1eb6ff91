"""Runs random programs on the processor, and sets measured times beside predicted ones."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from weft.cost.demand import Demand
from weft.cost.device.walk import DeviceDemand
from weft.cost.model import footprints, touched
from weft.errors import Error
from weft.evaluation.calibrating import least, one_thread
from weft.evaluation.device_calibrating import middle, there
from weft.evaluation.statistics import SMALL, Sample, Summary, competitors, summary
from weft.jit import jit
from weft.machine.suite.programs import SIZES, RandomProgram, SetName, generate
from weft.report.predict import demand_for, device_demand_for
from weft.runtime import machines
from weft.runtime.devices import accelerators
from weft.runtime.devices.devices import CPU
from weft.runtime.forecasting import on_kernels, on_processor

LONGEST = 0.3
"""Seconds of a call above which larger sizes of a program are left out."""

SHARE = 0.02
"""Seconds for which a size is timed."""


@dataclass(frozen=True)
class Evaluation:
    """Samples of a set of programs, programs that were refused, and the load of the machine meanwhile."""

    which: str
    samples: tuple[Sample, ...]
    refused: tuple[str, ...]
    load: float
    threads: int

    def halves(self) -> Mapping[str, Summary]:
        """The quotients of programs that may be fitted to, of the others, and of the others by size."""
        parts = {
            "seen": [s for s in self.samples if s.seen],
            "unseen": [s for s in self.samples if not s.seen],
            "unseen, small": [s for s in self.samples if not s.seen and s.size < SMALL],
            "unseen, large": [s for s in self.samples if not s.seen and s.size >= SMALL],
        }
        return {name: summary(part) for name, part in parts.items() if part}

    def competitors(self) -> Mapping[str, float]:
        """The share within 20 % of predictors that need no model."""
        return competitors(self.samples)

    def save(self, path: str | Path) -> None:
        """Write everything as JSON."""
        data = {
            **asdict(self),
            "halves": {name: each.as_dict() for name, each in self.halves().items()},
            "competitors": dict(self.competitors()),
        }
        Path(path).write_text(json.dumps(data) + "\n", encoding="utf-8")


def evaluate(
    which: SetName,
    count: int,
    sizes: Iterable[int] = SIZES,
    progress: Callable[[str], None] = lambda name: None,
    device: str = CPU,
    first: int = 0,
) -> Evaluation:
    """Predict and then measure some programs of a set.

    Times are those of the computing thread, on one thread, the least of several batches: what else runs on the machine
    disturbs these the least. Predictions are for one thread, too.

    Parameters
    ----------
    which
        ``restricted`` or ``unrestricted``.
    count
        How many programs.
    sizes
        Elements of their matrices.
    progress
        Is told the name of each program.
    device
        Where they run. On a device with memory of its own the arrays are there before the clock starts, which stops
        when the device is done.
    first
        The number of the first program.
    """
    samples: list[Sample] = []
    refused: list[str] = []
    load = os.getloadavg()[0]
    with one_thread(), np.errstate(all="ignore"):
        for program in (generate(which, number) for number in range(first, first + count)):
            progress(program.name)
            try:
                found = _samples(program, sizes) if device == CPU else _samples_on(device, program, sizes)
                for sample in found:
                    samples.append(sample)
            except (Error, OverflowError) as error:  # indices beyond 64 bits at large sizes
                refused.append(f"{program.name}: {getattr(error, 'message', error)}")
    return Evaluation(which, tuple(samples), tuple(refused), max(load, os.getloadavg()[0]), 1)


def _samples(program: RandomProgram, sizes: Iterable[int]) -> Iterator[Sample]:
    function = program.function()
    compiled = jit(function, device="cpu")
    figures = replace(machines.here().cpu, threads=1)
    for size in sizes:
        given = program.arguments(size)
        demand, leaves = demand_for(function, *given)
        forecast = on_processor(demand, figures, leaves)
        compiled(*given)
        started = time.thread_time()
        compiled(*given)
        if time.thread_time() - started > LONGEST:
            return
        measured = least(lambda given=given: compiled(*given), SHARE)  # type: ignore[misc]
        low, high = forecast.interval
        yield Sample(
            program.name, program.form, size, program.is_seen, forecast.seconds, low, high, measured, features(demand)
        )


def _samples_on(device: str, program: RandomProgram, sizes: Iterable[int]) -> Iterator[Sample]:
    """The same on a device with memory of its own."""
    facts = accelerators.facts_of(device)
    known, host = machines.loops_of(device, facts), machines.here().cpu
    compiled = jit(program.function(), device=device)
    for size in sizes:
        given = program.arguments(size)
        demand, leaves = device_demand_for(compiled, device, facts, *given)
        forecast = on_kernels(demand, device, known, host, leaves)
        arrays = there(given)
        measured = middle(lambda arrays=arrays: compiled(*arrays))  # type: ignore[misc]
        low, high = forecast.interval
        counted = features_on(demand)
        yield Sample(program.name, program.form, size, program.is_seen, forecast.seconds, low, high, measured, counted)
        if measured > LONGEST:
            return


def features_on(demand: DeviceDemand) -> tuple[float, float, float]:
    """What competitors may know of a call on a device: bytes that are touched, operations, threads."""
    operations = sum(launch.times * sum(launch.count.all.values()) for launch in demand.launches)
    threads = sum(launch.times * launch.count.blocks * launch.count.threads for launch in demand.launches)
    return demand.touched, operations, threads


def features(demand: Demand) -> tuple[float, float, float]:
    """What competitors may know: bytes that are touched, operations, iterations of all loops."""
    operations, iterations = 0.0, 0.0
    for nest in demand.nests:
        for level in nest.top.levels():
            iterations += nest.times * level.times
            each: Any = sum(level.operations.values()) + len(level.touches)
            operations += nest.times * level.times * each
    return touched(footprints(demand)), operations, iterations
