"""How good predictions are: quotients of predicted and measured times, and competitors that cost nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

NEAR = 0.2
"""Predictions that are off by at most this much count as near."""

SMALL = 50_000
"""Elements below which a program is small."""


@dataclass(frozen=True)
class Sample:
    """A program at one size: seconds that were predicted, with their interval, and measured.

    `features` are what competitors may know: bytes that are touched, operations, rows.
    """

    name: str
    form: str
    size: int
    seen: bool
    predicted: float
    low: float
    high: float
    measured: float
    features: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def quotient(self) -> float:
        """Predicted over measured."""
        return self.predicted / self.measured


@dataclass(frozen=True)
class Summary:
    """Quotients of a set of samples.

    Attributes
    ----------
    median, mean, deviation
        Of the quotients; 1 is ideal.
    near
        The share within 20 %.
    twice
        The share within a factor of two.
    inside
        The share of measured times in their 80 % interval.
    """

    count: int
    median: float
    mean: float
    deviation: float
    near: float
    twice: float
    inside: float

    def as_dict(self) -> dict[str, float]:
        """The fields by name."""
        return asdict(self)


def summary(samples: Sequence[Sample]) -> Summary:
    """The quotients of some samples, at least one."""
    quotients = np.array([sample.quotient for sample in samples])
    inside = np.mean([sample.low <= sample.measured <= sample.high for sample in samples])
    return Summary(
        len(samples),
        float(np.median(quotients)),
        float(quotients.mean()),
        float(quotients.std()),
        float(np.mean(np.abs(quotients - 1) <= NEAR)),
        float(np.mean((quotients <= 2) & (quotients >= 0.5))),
        float(inside),
    )


def near(quotients: Sequence[float]) -> float:
    """The share within 20 %."""
    return float(np.mean(np.abs(np.array(quotients) - 1) <= NEAR))


# --------------------------------------------------------------------------------------------------- competitors


def competitors(samples: Sequence[Sample]) -> Mapping[str, float]:
    """The share within 20 % of predictors that need no model, on the samples that nothing was fitted to.

    They are tuned on the samples that may be seen: one constant time for each element; the larger of bytes at a rate
    and operations at a rate; and four constants: a call, an element, an operation, a byte.
    """
    seen = [sample for sample in samples if sample.seen]
    unseen = [sample for sample in samples if not sample.seen]
    if not seen or not unseen:
        return {}
    return {
        "a constant for each element": _constant(seen, unseen),
        "a roofline": _roofline(seen, unseen),
        "four constants": _four_constants(seen, unseen),
    }


def _constant(seen: Sequence[Sample], unseen: Sequence[Sample]) -> float:
    each = math.exp(float(np.median([math.log(sample.measured / sample.size) for sample in seen])))
    return near([each * sample.size / sample.measured for sample in unseen])


def _roofline(seen: Sequence[Sample], unseen: Sequence[Sample]) -> float:
    """Rates are the highest that any sample reaches."""
    by_byte = min(sample.measured / max(sample.features[0], 1.0) for sample in seen)
    by_operation = min(sample.measured / max(sample.features[1], 1.0) for sample in seen)
    return near([max(by_byte * s.features[0], by_operation * s.features[1]) / s.measured for s in unseen])


def _four_constants(seen: Sequence[Sample], unseen: Sequence[Sample]) -> float:
    """Least squares of relative errors, none of them negative."""
    constants = _nonnegative(np.array([_row(s) for s in seen]) / np.array([[s.measured] for s in seen]))
    return near([float(np.dot(_row(s), constants)) / s.measured for s in unseen])


def _row(sample: Sample) -> tuple[float, float, float, float]:
    return (1.0, float(sample.size), sample.features[1], sample.features[0])


def _nonnegative(matrix: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Coefficients, none negative, whose products with the rows are nearest to 1: negative ones are dropped in turn."""
    active = list(range(matrix.shape[1]))
    while active:
        found = np.linalg.lstsq(matrix[:, active], np.ones(len(matrix)), rcond=None)[0]
        if (found >= 0).all():
            result = np.zeros(matrix.shape[1])
            result[active] = found
            return result
        active = [column for column, value in zip(active, found, strict=True) if value >= 0]
    return np.zeros(matrix.shape[1])
