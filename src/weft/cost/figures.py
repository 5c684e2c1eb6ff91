"""Figures of a processor: what each thing that programs do takes there, fitted to measurements or estimated.

A figure is a number of nanoseconds; its spread says how far two calibrations differ, as a fraction. A `Residual` is
what was left over of the measurements: intervals of predictions are made of these.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from weft.cost.misses import Cache

ESTIMATES = Path(__file__).parents[1] / "machine" / "targets" / "processor.json"
"""Figures of a processor that was measured, for those that were not."""

DEVICE_ESTIMATES = tuple(ESTIMATES.with_name(f"{name}.json") for name in ("h200", "h100"))
"""Measured figures of GPUs. Those of the first, for each multiprocessor, stand in for GPUs that were not measured. Fits
begin there, too."""

ESTIMATED = "sm_90"
"""The architecture of the GPUs with these figures."""

DOUBT = 3.0
"""How many times as wide an interval is, on a logarithmic axis, where figures are estimates."""

CLASSES = ("call", "computing", "memory")
"""What the time of a call is mostly made of; residuals are kept for each."""


@dataclass(frozen=True)
class Residual:
    """Logarithms of measured over predicted times: the 10 % and 90 % quantiles, and how many they are made of."""

    low: float
    high: float
    count: int = 0


@dataclass(frozen=True)
class Figures:
    """What a processor takes for what programs do.

    Attributes
    ----------
    description, driver
        The processor, and what its code depends on besides: its cores and the compiler.
    date
        The day of the calibration; empty for estimates.
    values
        Nanoseconds by figure, and the exponents ``overlap`` and ``hidden``.
    spread
        How far repetitions of the calibration differ, as a fraction, by figure.
    caches
        Bytes and ways of the caches, the smallest first.
    threads
        Threads that share loops.
    residuals
        By one of `CLASSES`.
    load
        Processes that were running when it was calibrated.
    """

    description: str
    driver: str
    date: str
    values: Mapping[str, float]
    caches: tuple[tuple[int, int], ...]
    threads: int = 1
    spread: Mapping[str, float] = field(default_factory=dict)
    residuals: Mapping[str, Residual] = field(default_factory=dict)
    load: float = 0.0

    @property
    def measured(self) -> bool:
        """Whether they were measured on the processor that they are for."""
        return bool(self.date)

    def hierarchy(self) -> tuple[Cache, ...]:
        """The caches as the model takes them."""
        return tuple(Cache(float(size), ways) for size, ways in self.caches)

    def interval(self, seconds: float, kind: str) -> tuple[float, float]:
        """The 80 % interval around a time that is mostly made of something."""
        residual = self.residuals.get(kind) or Residual(-0.3, 0.3)
        wider = 1.0 if self.measured else DOUBT
        low, high = min(residual.low, -0.02), max(residual.high, 0.02)
        return seconds * math.exp(wider * low), seconds * math.exp(wider * high)

    def known(self, name: str) -> float:
        """A figure; that of the estimates where it was not measured, for what is rare."""
        found = self.values.get(name)
        if found is not None:
            return found
        for values in (estimates().values, self.values):
            found = values.get(name, _from_relatives(name, values))
            if found is not None:
                return found
        return _guess(name)

    def to_data(self) -> dict[str, Any]:
        """As JSON takes it."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Figures:
        """What `to_data` gave."""
        given = dict(data)
        given["caches"] = tuple((int(size), int(ways)) for size, ways in given["caches"])
        given["residuals"] = {name: Residual(**each) for name, each in given.get("residuals", {}).items()}
        return cls(**given)


WIDTHS = {"s.": 8.0, "v.": 1.0, "l.": 1.5}
"""How much longer an operation takes for each element in scalar code, in the compiler's vector code, and in lanes."""


def _from_relatives(name: str, values: Mapping[str, float]) -> float | None:
    """A figure by that of the same operation in another form, or of a loop that begins in another way."""
    if name.startswith("enter."):
        plain = name.replace(".fold", "").replace(".short", "")
        return values.get(f"{plain}.fold.short", values.get(plain))
    form, kind = name[:2], name[2:]
    if form not in WIDTHS or kind in ("loop", "noted", "gather", "scatter"):
        return None
    found = (values[other + kind] * WIDTHS[form] / WIDTHS[other] for other in WIDTHS if other + kind in values)
    return next(found, None)


def _guess(name: str) -> float:
    """A guess at a figure of which nobody has measured the likes: nanoseconds of common operations."""
    likes = {
        "v.": 0.1,
        "l.": 0.1,
        "s.": 0.5,
        "c.": 1.2,
        "enter.": 5.0,
        "l2.wait": 1.0,
        "l3.wait": 10.0,
        "dram.wait": 100.0,
    }
    functions = {"exp": 8.0, "log": 8.0, "sin": 12.0, "pow": 25.0, "sqrt": 3.0, "division": 1.5, "remainder": 3.0}
    prefix, _, kind = name.partition(".")
    for function, cost in functions.items():
        if kind.startswith(function):
            return cost / 8 if prefix in ("v", "l") else cost
    return next((cost for start, cost in likes.items() if name.startswith(start)), 1.0)


@cache
def device_estimates(description: str = "") -> Figures:
    """Figures that stand in for a GPU that was not measured: those of a GPU of its name, otherwise the first ones."""
    found = [Figures.from_data(json.loads(path.read_text(encoding="utf-8"))) for path in DEVICE_ESTIMATES]
    alike = next((each for each in found if each.description == description), found[0])
    return replace(alike, date="")


class DeviceRates(dict[str, float]):
    """Figures of a device by name: all that there are, and for what is rare those of the likes."""

    def __init__(self, figures: Figures) -> None:
        super().__init__(figures.values)

    def __missing__(self, name: str) -> float:
        self[name] = found = device_figure(name, self)
        return found


LIKES = {"chain.": "", "64": "32", "pow": "log", "sin": "exp", "shared.": "global.", "copy.out": "copy.in"}
"""Parts of names, and what stands there in the name of something alike."""


def device_figure(name: str, values: Mapping[str, float]) -> float:
    """A figure that was not measured: that of the estimates, of something alike, or of a simple operation."""
    found = device_estimates().values.get(name)
    if found is not None:
        return found
    for part, like in LIKES.items():
        other = name.replace(part, like)
        if other != name and other in values:
            return values[other]
    return values.get(f"{name[:2]}float32", 1.0)


class Rates(dict[str, float]):
    """Figures by name, as the model asks for them: all that there are, and guesses for the others."""

    def __init__(self, figures: Figures) -> None:
        super().__init__(figures.values)
        self._figures = figures

    def __missing__(self, name: str) -> float:
        self[name] = found = self._figures.known(name)
        return found


@cache
def estimates() -> Figures:
    """The figures that stand in for a processor that was not measured."""
    return Figures.from_data(json.loads(ESTIMATES.read_text(encoding="utf-8")))
