"""A Gaussian process over the points of a space: what it expects of points that were not measured.

What it does: `fit` takes measured points as rows of numbers between 0 and 1 and the logarithms of their times,
`Surrogate.expect` gives mean and deviation for other points. Lengths of the Matern 5/2 kernel are one for each
parameter, found by climbing the marginal likelihood (Rasmussen and Williams, Gaussian Processes for Machine Learning,
2006, chapters 2 and 5). What it does not do: scale beyond a few hundred measured points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = "np.ndarray[Any, Any]"

LENGTHS = (0.15, 0.3, 0.6, 1.2, 2.5, 6.0)
"""Lengths that are tried for a parameter; the last one says that it hardly matters."""
NOISE = 1e-3
"""Variance of a measurement, as a part of that of all."""


@dataclass(frozen=True, eq=False)
class Surrogate:
    """What is expected, from measured points."""

    points: Array
    lengths: Array
    factor: Array
    weights: Array
    middle: float
    scale: float

    def expect(self, points: Array) -> tuple[Array, Array]:
        """The mean and the deviation of the logarithm of the time, for each of some points."""
        across = _matern(points, self.points, self.lengths)
        mean = across @ self.weights
        solved = np.linalg.solve(self.factor, across.T)
        variance = np.maximum(1.0 - (solved**2).sum(axis=0), 1e-9)
        return self.middle + self.scale * mean, self.scale * np.sqrt(variance)


def fit(points: Array, values: Array, lengths: Array) -> Surrogate:
    """The process that explains some values best, beginning with lengths that did before."""
    middle, scale = float(np.median(values)), float(values.std()) or 1.0
    scaled = (values - middle) / scale
    lengths = _climbed(points, scaled, lengths.copy())
    factor = _factor(points, lengths)
    assert factor is not None
    weights = np.linalg.solve(factor.T, np.linalg.solve(factor, scaled))
    return Surrogate(points, lengths, factor, weights, middle, scale)


def _climbed(points: Array, values: Array, lengths: Array) -> Array:
    """Lengths, each in turn the best one while the others stay."""
    for axis in range(points.shape[1]):
        scores = []
        for length in LENGTHS:
            lengths[axis] = length
            scores.append(_likelihood(points, values, lengths))
        lengths[axis] = LENGTHS[int(np.argmax(scores))]
    return lengths


def _likelihood(points: Array, values: Array, lengths: Array) -> float:
    """The logarithm of the marginal likelihood, without its constant; long lengths are a little more likely."""
    factor = _factor(points, lengths)
    if factor is None:
        return -math.inf
    solved = np.linalg.solve(factor, values)
    prior = float((np.log(lengths / 0.6) ** 2).sum()) / 4
    return float(-0.5 * solved @ solved - np.log(np.diag(factor)).sum()) - prior


def _factor(points: Array, lengths: Array) -> Array | None:
    try:
        return np.linalg.cholesky(_matern(points, points, lengths) + NOISE * np.eye(len(points)))
    except np.linalg.LinAlgError:
        return None


def _matern(left: Array, right: Array, lengths: Array) -> Array:
    a, b = left / lengths, right / lengths
    squares = np.maximum((a**2).sum(1)[:, None] + (b**2).sum(1)[None, :] - 2 * a @ b.T, 0.0)
    distance = np.sqrt(5.0 * squares)
    result: Array = (1.0 + distance + distance**2 / 3.0) * np.exp(-distance)
    return result


def improvement(mean: Array, deviation: Array, best: float) -> Array:
    """The expected improvement over the best value so far (Jones, Schonlau and Welch, 1998)."""
    z = (best - mean) / deviation
    density = np.exp(-0.5 * z**2) / math.sqrt(2 * math.pi)
    below = 0.5 * (1.0 + _erf(z / math.sqrt(2)))
    result: Array = deviation * (z * below + density)
    return result


def _erf(x: Array) -> Array:
    """The error function within 1.2e-7 (Numerical Recipes 6.2, Chebyshev form)."""
    t = 1.0 / (1.0 + 0.5 * np.abs(x))
    terms = (
        -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
        -0.82215223, 0.17087277,
    )  # fmt: skip
    power = np.zeros_like(x)
    for term in reversed(terms):
        power = power * t + term
    result: Array = np.sign(x) * (1.0 - t * np.exp(-(x**2) + power))
    return result
