"""Calibrates a device with memory of its own: times the programs of its suite, and fits figures to the times.

Arrays are on the device before the clock starts; the time of a call is over when the device is done. Every program is
timed in two rounds, and what disagrees once more: other programs may use the device, and its clock may change.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

import numpy as np

from weft.cost import fitting
from weft.cost.device.amounts import amounts_of
from weft.cost.figures import DeviceRates, Figures, device_estimates
from weft.cost.fitting import EXPONENTS, Point
from weft.cost.machine_file import DeviceFigures
from weft.errors import Error
from weft.evaluation.calibrating import AGREE, Measured, check_quiet, residuals
from weft.jit import jit
from weft.machine.device_suite import FAMILIES
from weft.machine.facts import Facts
from weft.machine.suite.programs import programs
from weft.report.predict import device_demand_for
from weft.runtime import machines
from weft.runtime.arrays.arrays import array
from weft.runtime.devices import accelerators, queues

SHARE, FEWEST, MOST = 0.006, 5, 40
"""Seconds for which a size is timed in a round; calls of a round at least and at most."""

LONGEST = 0.1
"""Seconds of a call above which larger sizes are left out."""

MIXTURES = 24
"""Random programs of each set that are fitted to, of those that may be seen; see `weft.machine.suite.programs`."""

MIXED_SIZES = tuple(1 << power for power in (8, 10, 13, 16, 18, 20, 22, 24))


def calibrate_device(
    device: str, seconds: float = 60.0, anyway: bool = False, mixtures: int = MIXTURES
) -> DeviceFigures:
    """Measure the kernels of a device, and store their figures for this process and those that follow.

    Parameters
    ----------
    device
        A name as in `weft.devices`.
    seconds, anyway, mixtures
        As for `weft.evaluation.calibrating.calibrate`.

    Raises
    ------
    DeviceError
        There is no such device, or two rounds disagree.
    """
    facts = accelerators.facts_of(device)
    until, load = time.monotonic() + seconds, os.getloadavg()[0]
    with np.errstate(all="ignore"):
        measured = list(_all_measured(device, facts, until, mixtures))
        for each in measured:
            if each.disagreement > AGREE and time.monotonic() < until:
                each.times.append(middle(each.make()))
    if not anyway:
        check_quiet(measured, load, facts.cores)
    found = DeviceFigures(facts, fitted(measured, facts, load))
    machines.keep_device(device, found)
    return found


def _all_measured(device: str, facts: Facts, until: float, mixtures: int) -> Iterator[Measured]:
    """Time all programs once, those of the suite first."""
    for family in FAMILIES.values():
        for kernel in family:
            yield from _sizes(device, facts, kernel.name, kernel.function, kernel.arguments, kernel.sizes, until)
    for program in _mixed(mixtures):
        yield from _sizes(device, facts, program.name, program.function(), program.arguments, MIXED_SIZES, until)


def _mixed(count: int) -> Iterator[Any]:
    pairs = zip(programs("restricted", 4 * count), programs("unrestricted", 4 * count), strict=True)
    seen = [program for pair in pairs for program in pair if program.is_seen]
    yield from seen[: 2 * count]


def _sizes(
    device: str,
    facts: Facts,
    name: str,
    function: Callable[..., Any],
    arguments: Callable[[int], tuple[Any, ...]],
    sizes: Iterable[int],
    until: float,
) -> Iterator[Measured]:
    """Time a program; one that is refused is left out, and so are sizes whose arrays or indices are too large."""
    compiled = jit(function, device=device)
    for size in sizes:
        if time.monotonic() > until:
            return
        try:
            found = _timed(device, facts, name, compiled, partial(arguments, size))
        except (Error, OverflowError):
            return
        yield found
        if found.best > LONGEST:
            return


def _timed(
    device: str, facts: Facts, name: str, compiled: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]]
) -> Measured:
    demand, leaves = device_demand_for(compiled, device, facts, *arguments())
    point = Point(name, amounts_of(demand, facts), leaves, 0.0)

    def make() -> Callable[[], object]:
        given = there(arguments())
        return lambda: compiled(*given)

    found = Measured(name, point, make)
    call = make()
    found.times += [middle(call), middle(call)]
    return found


def there(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, with arrays that come to the device at the first call and stay there."""
    return tuple(array(each) if isinstance(each, np.ndarray) else each for each in given)


def middle(call: Callable[[], object], share: float = SHARE) -> float:
    """The median of the times of single calls, each until the device is done."""
    times: list[float] = []
    first = once(call)
    first = min(first, once(call))
    for _ in range(int(min(max(share / max(first, 1e-7), FEWEST), MOST))):
        times.append(once(call))
    return float(np.median(times))


def once(call: Callable[[], object]) -> float:
    """Seconds of a call until the device is done."""
    started = time.perf_counter()
    call()
    queues.synchronize()
    return time.perf_counter() - started


# ------------------------------------------------------------------------------------------------------- fitting


def fitted(measured: Sequence[Measured], facts: Facts, load: float = 0.0) -> Figures:
    """The figures under which the measured times are predicted best, with what is left over."""
    points = [replace(each.point, nanoseconds=1e9 * float(np.median(each.times))) for each in measured]
    start = DeviceRates(device_estimates())
    values = fit(points, start)
    spread = {}
    if all(len(each.times) > 1 for each in measured):
        worse = [replace(each.point, nanoseconds=1e9 * max(each.times[:2])) for each in measured]
        again = fit(worse, values)
        spread = {name: abs(again[name] / values[name] - 1) for name in values if name not in EXPONENTS}
    every = {**device_estimates().values, **values}
    caches = ((facts.cache, 16),)
    rough = Figures(facts.description, facts.driver, date.today().isoformat(), every, caches, 1, spread, {}, load)
    return replace(rough, residuals=residuals(points, rough, DeviceRates, start))


def fit(points: Sequence[Point], start: Any) -> dict[str, float]:
    """The figures that the points are predicted best with, from where they begin."""
    return fitting.fit(points, {name: start[name] for name in fitting.names_in(points)})
