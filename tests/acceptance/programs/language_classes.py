"""Data classes and named tuples: fields, methods, properties and operators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..inputs import each_matrix, each_size, signed
from ..registry import program


class Point(NamedTuple):
    x: float
    y: float

    @property
    def square(self):
        return self.x * self.x + self.y * self.y

    def moved(self, by, times=1):
        return Point(self.x + by.x * times, self.y + by.y * times)


@dataclass(frozen=True)
class Vector:
    x: float
    y: float
    z: float = 0.0

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    def __neg__(self):
        return self * -1.0

    def dot(self, other):
        return self.x * other.x + self.y * other.y + self.z * other.z

    @property
    def length(self):
        return np.sqrt(self.dot(self))


@dataclass
class Grid:
    values: np.ndarray
    spacing: float

    @property
    def rows(self):
        return self.values.shape[0]

    def slope(self, i, j):
        return (self.values[i, j + 1] - self.values[i, j - 1]) / (2.0 * self.spacing)


class Particles(NamedTuple):
    position: np.ndarray
    velocity: np.ndarray
    mass: float

    def __len__(self):
        return len(self.position)

    def push(self, i, step):
        self.position[i] += step * self.velocity[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n), np.zeros(n))))
def named_tuple_in_the_loop(x, y, out):
    for i in range(len(x)):
        p = Point(x[i], y[i])
        q = p.moved(Point(1.0, -1.0), times=2)
        out[i] = q.square - p[0]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), signed(rng, n), np.zeros((2, n)))))
def operators_of_a_data_class(x, y, out):
    origin = Vector(0.5, -0.5)
    for i in range(len(x)):
        v = Vector(x[i], y[i], 1.0) - origin
        w = -v * 2.0 + Vector(1.0, 1.0)
        out[0, i] = w.dot(v)
        out[1, i] = w.length


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (Grid(rng.random((n, n + 2)), 0.1), np.zeros((n, n + 2))), layouts=False),
)
def data_class_with_an_array(grid, out):
    for i in range(grid.rows):
        for j in range(1, grid.values.shape[1] - 1):
            out[i, j] = grid.slope(i, j)


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (Particles(rng.random(n), signed(rng, n), 2.0), 0.01), layouts=False),
)
def named_tuple_of_arrays(particles, step):
    for i in range(len(particles)):
        particles.push(i, step * particles.mass)
    return particles.position


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.integers(-9, 9, n), rng.integers(-9, 9, n))),
)
def sum_of_named_tuples(x, y):
    total = Point(0, 0)
    for i in range(len(x)):
        total = Point(total.x + x[i], total.y + y[i])
    return total.x, total.y


@dataclass(frozen=True)
class Range:
    low: float
    high: float

    def __contains__(self, value):
        return self.low <= value < self.high

    def __or__(self, other):
        return Range(min(self.low, other.low), max(self.high, other.high))


@program(verdicts={"i": "reduction"}, args=each_size(lambda rng, n: (signed(rng, n),), (257, 1, 7)))
def operator_as_a_fold(x):
    covered = Range(x[0], x[0])
    inside = 0
    for i in range(len(x)):
        covered = covered | Range(x[i], x[i])
        if x[i] in Range(-0.25, 0.25):
            inside += 1
    return covered.low, covered.high, inside


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (Point(0.5, 2.0), np.zeros(n)), layouts=False))
def named_tuple_of_numbers(point, out):
    x, y = point
    for i in range(len(out)):
        out[i] = x * i + point.y + y
    return point.moved(point).x
