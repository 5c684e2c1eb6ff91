"""Fits the figures of a processor to measured times.

All figures are fitted at once, in logarithms, by damped least squares with a weight that outliers lose (Huber's), and a
weak pull to where they begin. So a figure that nothing measures keeps its estimate.

K. Levenberg, *A method for the solution of certain non-linear problems in least squares*, 1944.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from weft.cost.model import Amounts

Array: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"

EXPONENTS = ("overlap", "hidden")
OUTLIER, PULL, ROUNDS = 0.3, 0.02, 25
LEAST = 1e-12


@dataclass(frozen=True)
class Point:
    """A measured call: its amounts, its array arguments, and nanoseconds."""

    name: str
    amounts: Sequence[Amounts]
    arguments: int
    nanoseconds: float


class Predicting(Protocol):
    """What a fit works on: logarithms of what was measured, and of what given figures predict for it."""

    measured: Array

    def predicted(self, logarithms: Array) -> Array:
        """Logarithms of what is predicted, from those of the figures."""


class System:
    """The points as matrices: rows are resources, parts and nests; columns are figures."""

    def __init__(self, points: Sequence[Point], names: Sequence[str]) -> None:
        self.names, self.count = list(names), len(points)
        self.columns = {name: k for k, name in enumerate(self.names)}
        self.measured = np.log([point.nanoseconds for point in points])
        self.arguments = np.array([float(point.arguments) for point in points])
        resources: list[Array] = []
        self._part_of: list[int] = []
        self._nest_of: list[int] = []
        self._point_of: list[int] = []
        memory: list[Array] = []
        fixed: list[Array] = []
        times: list[float] = []
        for place, point in enumerate(points):
            for nest in point.amounts:
                self._point_of.append(place)
                times.append(nest.times)
                memory.append(self._row(nest.memory))
                fixed.append(self._row(nest.fixed))
                for part in nest.parts:
                    if part.resources:
                        resources += [self._row(each) for each in part.resources.values()]
                        self._part_of += [len(self._nest_of)] * len(part.resources)
                        self._nest_of.append(len(self._point_of) - 1)
        self.resources, self.memory, self.fixed = np.array(resources), np.array(memory), np.array(fixed)
        self.times = np.array(times)

    def _row(self, amounts: Mapping[str, float]) -> Array:
        row = np.zeros(len(self.names))
        for name, amount in amounts.items():
            row[self.columns[name]] = amount
        return row

    def predicted(self, logarithms: Array) -> Array:
        """Logarithms of the times of all points."""
        figures = np.exp(logarithms)
        overlap, hidden = (1 + figures[self.columns[name]] for name in EXPONENTS)
        each = np.maximum(self.resources @ figures, LEAST) ** overlap
        parts = np.bincount(self._part_of, each, len(self._nest_of)) ** (1 / overlap)
        computing = np.maximum(np.bincount(self._nest_of, parts, len(self._point_of)), LEAST)
        memory = np.maximum(self.memory @ figures, LEAST)
        nests = (computing**hidden + memory**hidden) ** (1 / hidden) + self.fixed @ figures
        calls = figures[self.columns["call"]] + self.arguments * figures[self.columns["argument"]]
        result: Array = np.log(np.bincount(self._point_of, nests * self.times, self.count) + calls)
        return result


def names_in(points: Sequence[Point]) -> list[str]:
    """The figures that some points are made of."""
    found = {"call", "argument", *EXPONENTS}
    for point in points:
        for nest in point.amounts:
            found.update(nest.memory, nest.fixed)
            for part in nest.parts:
                for amounts in part.resources.values():
                    found.update(amounts)
    return sorted(found)


def fit(points: Sequence[Point], start: Mapping[str, float]) -> dict[str, float]:
    """The figures under which the points are predicted best.

    Parameters
    ----------
    points
        What was measured.
    start
        Where figures begin, by name: all that the points have.

    Returns
    -------
    dict
        By name; exponents as they are used.
    """
    system = System(points, names_in(points))
    first = np.array([_logarithm(name, start[name]) for name in system.names])
    found = minimum(system, first)
    values = {name: float(math.exp(value)) for name, value in zip(system.names, found, strict=True)}
    return {name: 1 + value if name in EXPONENTS else value for name, value in values.items()}


def _logarithm(name: str, value: float) -> float:
    return math.log(max(value - 1 if name in EXPONENTS else value, 1e-6))


def minimum(system: Predicting, first: Array) -> Array:
    """The logarithms of the figures, near `first`, that predict best what was measured."""
    present: Array = first
    damping = 1e-2
    rest, weights, cost = _cost(system, present, first)
    for _ in range(ROUNDS):
        slopes = _slopes(system, present)
        matrix: Array = slopes.T @ (weights[:, None] * slopes) + PULL * np.eye(len(first))
        gradient: Array = slopes.T @ (weights * rest) + PULL * (present - first)
        while damping < 1e6:
            step = np.linalg.solve(matrix + damping * np.diag(np.diag(matrix)), -gradient)
            tried: Array = present + np.clip(step, -1, 1)
            outcome = _cost(system, tried, first)
            if outcome[2] < cost:
                gain, present, damping = cost - outcome[2], tried, max(damping / 3, 1e-6)
                rest, weights, cost = outcome
                break
            damping *= 4
        else:
            return present
        if gain < 1e-6 * cost:
            return present
    return present


def _cost(system: Predicting, present: Array, first: Array) -> tuple[Array, Array, float]:
    rest = system.predicted(present) - system.measured
    weights = 1 / np.maximum(np.abs(rest) / OUTLIER, 1)
    return rest, weights, float((weights * rest**2).sum() + PULL * ((present - first) ** 2).sum())


def _slopes(system: Predicting, present: Array) -> Array:
    step, here = 1e-4, system.predicted(present)
    columns = []
    for place in range(len(present)):
        moved = present.copy()
        moved[place] += step
        columns.append((system.predicted(moved) - here) / step)
    result: Array = np.array(columns).T
    return result
