"""Numbers of the usual distributions: each is a function of the seed, of the place of the draw and of parameters."""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from weft.frontend.arrays.library import elementary, philox

FEW = 10.0
"""From this mean on, numbers of Poisson's distribution are found by rejection."""

MOST_EVENTS = 9.2e18
MOST_STEPS = 200
"""By then, the probabilities of a mean below `FEW` are too small to be added to their sum."""


def normal(seed, place):
    """A normal number of the mean 0 and the deviation 1 (Box and Muller, 1958)."""
    first, second = philox.bits_of(seed, place, 0)
    square = np.float64(-2.0) * elementary.logarithm_of_places(philox.share(first) + np.float64(1.0))
    return np.sqrt(square) * elementary.cosine_of_turns(philox.share(second) * np.float64(1.0 / philox.PLACES))


def exponential(seed, place):
    """An exponential number of the mean 1, by the inverse of its distribution."""
    first = philox.bits_of(seed, place, 0)[0]
    return np.float64(0.0) - elementary.logarithm_of_places(philox.share(first) + np.float64(1.0))


def poisson(seed, place, mean):
    """A number of events, given how many there are on average."""
    if mean < FEW:
        return few_events(seed, place, np.float64(mean))
    return many_events(seed, place, np.float64(mean))


def few_events(seed, place, mean):
    """By adding up probabilities until a uniform number is reached."""
    level = philox.share(philox.bits_of(seed, place, 0)[0]) * np.float64(1.0 / philox.PLACES)
    probability = elementary.falling_exponential(mean)
    total = probability
    events = 0
    while level >= total and events < MOST_STEPS:
        events += 1
        probability = probability * mean / np.float64(events)
        total = total + probability
    return events


def many_events(seed, place, mean):
    """By transformed rejection (PTRS of Hörmann, 1993)."""
    logarithm = elementary.logarithm(mean)
    b = np.float64(0.931) + np.float64(2.53) * np.sqrt(mean)
    a = np.float64(-0.059) + np.float64(0.02483) * b
    inverse = np.float64(1.1239) + np.float64(1.1328) / (b - np.float64(3.4))
    bound = np.float64(0.9277) - np.float64(3.6224) / (b - np.float64(2.0))
    attempt = 0
    while True:
        first, second = philox.bits_of(seed, place, attempt)
        attempt += 1
        u = (philox.share(first) + np.float64(0.5)) * np.float64(1.0 / philox.PLACES) - np.float64(0.5)
        v = (philox.share(second) + np.float64(1.0)) * np.float64(1.0 / philox.PLACES)
        side = np.float64(0.5) - np.abs(u)
        k = np.floor((np.float64(2.0) * a / side + b) * u + mean + np.float64(0.43))
        if k < 0.0 or k > MOST_EVENTS:
            continue
        if side >= 0.07 and v <= bound:
            return int(k)
        if side < 0.013 and v > side:
            continue
        density = elementary.logarithm(v) + elementary.logarithm(inverse)
        density = density - elementary.logarithm(a / (side * side) + b)
        if density <= k * logarithm - mean - elementary.logarithm_of_factorial(k):
            return int(k)
