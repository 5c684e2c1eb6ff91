"""Calibrates the processor: times the programs of the suite, and fits figures to the times.

Times are those that the thread was computing, on one thread, and the least of several batches: on a machine that does
other things as well, they are the ones that repeat. What further threads add is measured afterwards, in wall-clock
time. Every program is timed in two rounds; what disagrees is timed again. Where others take the processor, too much
still disagrees, or figures of the two rounds predict different times, the machine is too busy, and nothing is stored.
"""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import Any

import numpy as np

from weft.cost import fitting, model
from weft.cost.figures import Figures, Rates, Residual, estimates
from weft.cost.fitting import EXPONENTS, Point
from weft.cost.thread_fitting import Shared, fit_threads
from weft.errors import DeviceError
from weft.jit import jit
from weft.machine.suite import FAMILIES
from weft.machine.suite.programs import programs
from weft.report.predict import demand_for
from weft.runtime import _stub, machines
from weft.runtime.devices.devices import CPU, find
from weft.runtime.forecasting import kind_of

AGREE = 0.10
"""How far two rounds may differ."""

TOLERATED = 0.15
"""Which part of the programs may differ further after all repetitions."""

BATCH, SHARE = 5e-5, 0.012
"""Seconds of a batch of calls at least, and of all batches of one size."""

GOT, WATCHED = 0.8, 0.25
"""Which part of the time a computing thread must get; for how many seconds that is watched."""

REPEATED = 0.05
"""How far predictions by the figures of two rounds may differ at the median."""

FEWEST, REPEATS = 5, 3
"""Batches of a size at least; how often what disagrees is timed again."""

LONGEST = 0.05
"""Seconds of a call above which larger sizes are left out."""

MIXTURES = 40
"""Random programs of each set that are fitted to, of those that may be seen; see `weft.machine.suite.programs`."""

SHARED, TAKING = 24, (1e-4, 2e-2)
"""How many calls are timed on all threads, too, and between which seconds they take on one."""

MIXED_SIZES = tuple(1 << power for power in (8, 10, 13, 16, 18, 20, 22))


@dataclass
class Measured:
    """A program of the suite at one size: its demand, what makes a call of it, and the times of the rounds."""

    name: str
    point: Point
    make: Callable[[], Callable[[], object]]
    times: list[float] = field(default_factory=list)

    @property
    def best(self) -> float:
        """The least time, in seconds."""
        return min(self.times)

    @property
    def disagreement(self) -> float:
        """How far the two least times differ, as a fraction."""
        first, second, *_ = (*sorted(self.times), *self.times)
        return second / first - 1 if len(self.times) > 1 else 0.0


def calibrate(seconds: float = 60.0, anyway: bool = False, mixtures: int = MIXTURES) -> Figures:
    """Measure the processor, and store its figures for this process and those that follow.

    Parameters
    ----------
    seconds
        How long it may take; what is left is left out, the least important last.
    anyway
        Store the figures though the machine is busy.
    mixtures
        Random programs of each set beside the suite.

    Raises
    ------
    DeviceError
        The machine is busy: others take the processor, or two rounds disagree.
    """
    if not anyway:
        check_free(share_of_time(), os.getloadavg()[0], find(CPU).cores)
    until, load = time.monotonic() + seconds, os.getloadavg()[0]
    _stub.set_threads(1)
    try:
        with np.errstate(all="ignore"):
            measured = list(_all_measured(until, mixtures))
            _repeat(measured, until)
    finally:
        _stub.set_threads(0)
    if not anyway:
        check_quiet(measured, load, find(CPU).cores)
    figures = with_threads(fitted(measured, load), measured)
    if not anyway:
        check_repeats(measured, figures, find(CPU).cores)
    machines.keep(figures)
    return figures


def share_of_time(seconds: float = WATCHED) -> float:
    """Which part of the time a thread that only computes gets of a core."""
    started, computing = time.perf_counter(), time.thread_time()
    while time.perf_counter() - started < seconds:
        sum(range(1000))
    return (time.thread_time() - computing) / (time.perf_counter() - started)


def check_free(share: float, load: float, cores: int) -> None:
    """Refuse to measure where other programs take the processor."""
    if share < GOT:
        raise DeviceError(
            f"the machine is busy: load {load:.1f} on {cores} cores; a computing thread gets {share:.0%} of a core",
            cause="times that are measured beside other programs do not repeat; nothing was measured",
            hint="end what else is running, then: weft calibrate",
        )


def check_repeats(measured: Sequence[Measured], figures: Figures, cores: int) -> None:
    """Refuse figures if those of the first round and those of the second predict different times."""
    apart = [
        abs(math.log(one / other))
        for one, other in zip(*(_predicted(measured, figures, place) for place in (0, 1)), strict=True)
    ]
    typical = float(np.median(apart)) if apart else 0.0
    if typical > REPEATED:
        raise DeviceError(
            f"the machine is busy: load {figures.load:.1f} on {cores} cores; predictions by the figures of two rounds "
            f"differ by {typical:.0%}",
            cause=f"figures have to repeat within {REPEATED:.0%}; nothing was stored",
            hint="end what else is running, then: weft calibrate",
        )


def _predicted(measured: Sequence[Measured], figures: Figures, place: int) -> list[float]:
    """Nanoseconds of all points under the figures of one round alone."""
    points = [replace(each.point, nanoseconds=1e9 * each.times[place]) for each in measured]
    start = Rates(figures)
    values = fitting.fit(points, {name: start[name] for name in fitting.names_in(points)})
    rates = Rates(replace(figures, values={**figures.values, **values}))
    return [model.nanoseconds(point.amounts, rates, point.arguments) for point in points]


def check_quiet(measured: Sequence[Measured], load: float, cores: int) -> None:
    """Refuse times of which too many disagree between rounds."""
    apart = [each for each in measured if each.disagreement > AGREE]
    if len(apart) <= TOLERATED * len(measured):
        return
    worst = max(apart, key=lambda each: each.disagreement)
    raise DeviceError(
        f"the machine is busy: load {load:.1f} on {cores} cores; two runs of {worst.name} differ by "
        f"{1 + worst.disagreement:.2g} x",
        cause=f"{len(apart)} of {len(measured)} measurements did not repeat within {AGREE:.0%}; nothing was stored",
        hint="end what else is running, then: weft calibrate",
    )


# ----------------------------------------------------------------------------------------------------- measuring


def _all_measured(until: float, mixtures: int) -> Iterator[Measured]:
    """Time all programs once, those of the suite first."""
    kernels = [kernel for family in FAMILIES.values() for kernel in family]
    for kernel in kernels:
        yield from _sizes(kernel.name, kernel.function, kernel.arguments, kernel.sizes)
        if time.monotonic() > until:
            return
    for program in _mixed(mixtures):
        yield from _sizes(program.name, program.function(), program.arguments, MIXED_SIZES)
        if time.monotonic() > until:
            return


def _mixed(count: int) -> Iterator[Any]:
    pairs = zip(programs("restricted", 4 * count), programs("unrestricted", 4 * count), strict=True)
    seen = [program for pair in pairs for program in pair if program.is_seen]
    yield from seen[: 2 * count]


def _sizes(
    name: str, function: Callable[..., Any], arguments: Callable[[int], tuple[Any, ...]], sizes: Iterable[int]
) -> Iterator[Measured]:
    compiled = jit(function, device=CPU)
    for size in sizes:
        yield (found := _timed(name, compiled, partial(arguments, size)))
        if found.best > LONGEST:
            return


def _timed(name: str, compiled: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]]) -> Measured:
    demand, leaves = demand_for(compiled, *arguments())
    point = Point(name, model.amounts(demand, _hierarchy()), leaves, 0.0)

    def make() -> Callable[[], object]:
        given = arguments()
        compiled(*given)
        return lambda: compiled(*given)

    found = Measured(name, point, make)
    call = make()
    found.times += [least(call, SHARE), least(call, SHARE)]
    return found


def _hierarchy() -> tuple[Any, ...]:
    from weft.cost.misses import Cache

    return tuple(Cache(float(size), ways) for size, ways in machines.caches())


def least(call: Callable[[], object], share: float, clock: Callable[[], float] = time.thread_time) -> float:
    """The least time of a call, over batches that take `share` seconds together."""
    started = clock()
    call()
    one = max(clock() - started, 1e-7)
    batch = max(1, int(BATCH / one))
    found, spent, rounds = one, 0.0, 0
    while rounds < FEWEST or spent < share:
        started = clock()
        for _ in range(batch):
            call()
        taken = clock() - started
        found, spent, rounds = min(found, taken / batch), spent + taken, rounds + 1
        if spent > 20 * share:
            break
    return found


def _repeat(measured: Sequence[Measured], until: float) -> None:
    """Time what disagrees again."""
    for _ in range(REPEATS):
        for each in measured:
            if each.disagreement > AGREE and time.monotonic() < until:
                each.times.append(least(each.make(), SHARE))


def with_threads(figures: Figures, measured: Sequence[Measured]) -> Figures:
    """The figures with what further threads add: some calls are timed on all threads, in wall-clock time."""
    rates = Rates(figures)
    able = sorted(
        (each for each in measured if TAKING[0] <= each.best <= TAKING[1] and _is_shared(each.point, figures.threads)),
        key=lambda each: each.best,
    )
    chosen = able[:: max(math.ceil(len(able) / SHARED), 1)] if figures.threads > 1 else []
    calls = []
    for each in chosen:
        call = each.make()
        with one_thread():
            alone = least(call, SHARE, time.perf_counter)
        gain = alone / least(call, SHARE, time.perf_counter)
        calls.append(Shared(each.point.amounts, each.point.arguments, figures.threads, gain))
    names = fitting.names_in([each.point for each in chosen])
    return replace(figures, values={**figures.values, **fit_threads(calls, rates, names)})


def _is_shared(point: Point, threads: int) -> bool:
    return any(model.threads_for(nest, threads) > 1 for nest in point.amounts)


# ------------------------------------------------------------------------------------------------------- fitting


def fitted(measured: Sequence[Measured], load: float = 0.0) -> Figures:
    """The figures under which the measured times are predicted best, with what is left over."""
    points = [replace(each.point, nanoseconds=1e9 * each.best) for each in measured]
    values = _fit(points)
    worse = [replace(each.point, nanoseconds=1e9 * max(each.times[:2])) for each in measured]
    again = fitting.fit(worse, values)
    spread = {name: abs(again[name] / values[name] - 1) for name in values if name not in EXPONENTS}
    processor = find(CPU)
    rough = Figures(
        processor.description, machines.driver(), date.today().isoformat(), {**estimates().values, **values},
        machines.caches(), processor.cores, spread, {}, load,
    )  # fmt: skip
    return replace(rough, residuals=residuals(points, rough))


def _fit(points: Sequence[Point], start: Mapping[str, float] | None = None) -> dict[str, float]:
    start = Rates(estimates()) if start is None else start
    return fitting.fit(points, {name: start[name] for name in fitting.names_in(points)})


def residuals(
    points: Sequence[Point],
    figures: Figures,
    rates_of: Callable[[Figures], Mapping[str, float]] = Rates,
    start: Mapping[str, float] | None = None,
) -> Mapping[str, Residual]:
    """What is left over, by what calls are bound by: of each half of the programs under figures fitted to the other.

    A fit is nearer to its own programs than to those to come, so intervals made of them would be too narrow.
    """
    halves: tuple[list[Point], list[Point]] = ([], [])
    for point in points:
        halves[hashlib.sha256(f"half {point.name}".encode()).digest()[0] % 2].append(point)
    found = dict[str, list[float]]()
    for own, other in (halves, halves[::-1]):
        values = _fit(other, start) if other else {}
        rates = rates_of(replace(figures, values={**figures.values, **values}))
        for point in own:
            rest = math.log(point.nanoseconds / model.nanoseconds(point.amounts, rates, point.arguments))
            found.setdefault(kind_of(_bound(point, rates)), []).append(rest)
    return {
        kind: Residual(float(np.quantile(rest, 0.1)), float(np.quantile(rest, 0.9)), len(rest))
        for kind, rest in found.items()
    }


def _bound(point: Point, rates: Mapping[str, float]) -> str:
    """What a call is bound by: its longest nest, or the call itself."""
    call = rates["call"] + point.arguments * rates["argument"]
    longest = max(point.amounts, key=lambda nest: nest.times * model.nest_times(nest, rates).total, default=None)
    if longest is None or longest.times * model.nest_times(longest, rates).total < call:
        return "launch"
    return model.bound_of(longest, rates)


@contextmanager
def one_thread() -> Iterator[None]:
    """Loops inside stay on the calling thread."""
    _stub.set_threads(1)
    try:
        yield
    finally:
        _stub.set_threads(0)
