"""Fits how much each further thread adds, from how many times as fast calls were on all threads.

The figures of one thread are fitted before. This fit is to ratios of times: errors of the model that are in both times
cancel.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from weft.cost import model
from weft.cost.fitting import Array, minimum
from weft.cost.model import Amounts

FIGURES = ("threads.compute", "threads.dram", "threads.l3", "threads.wake")


@dataclass(frozen=True)
class Shared:
    """A call that was timed on one thread and on `threads`: amounts, number of array arguments, ratio of times."""

    amounts: Sequence[Amounts]
    arguments: int
    threads: int
    gain: float


class _Gains:
    """The calls, and what the figures of one thread predict for them."""

    def __init__(self, calls: Sequence[Shared], rates: Mapping[str, float]) -> None:
        self.calls, self.rates = calls, rates
        self.measured: Array = np.log([call.gain for call in calls])
        self.alone = [model.nanoseconds(call.amounts, rates, call.arguments) for call in calls]

    def predicted(self, logarithms: Array) -> Array:
        """Logarithms of the gains that given figures of threads predict."""
        rates = {**self.rates, **dict(zip(FIGURES, np.exp(logarithms), strict=True))}
        together = [model.nanoseconds(call.amounts, rates, call.arguments, call.threads) for call in self.calls]
        gains: Array = np.log(np.array(self.alone) / np.array(together))
        return gains


def fit_threads(calls: Sequence[Shared], rates: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    """The fraction that each further thread adds, at most 1, to computing and bandwidths, and the ns to wake threads.

    Parameters
    ----------
    calls
        What was timed; without any, no figures are returned.
    rates
        Figures of one thread, and where the fit begins.
    names
        The figures that the times of the calls are made of.
    """
    if not calls:
        return {}
    known = {name: rates[name] for name in {*names, *FIGURES}}
    found = minimum(_Gains(calls, known), np.log([known[name] for name in FIGURES]))
    values = dict(zip(FIGURES, map(math.exp, found), strict=True))
    return {name: value if name == "threads.wake" else min(value, 1.0) for name, value in values.items()}
