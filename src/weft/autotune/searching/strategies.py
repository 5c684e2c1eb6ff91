"""Strategies: which point of a space is measured next.

A strategy is asked for the position of a point and told its time, infinite where it failed. It never names a point
twice, and returns None when it has no more. `model` is the default; `genetic`, `annealing` and `bayes` are
those of Optuna (the extra ``weft[tune]``).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Protocol

import numpy as np

from weft.autotune.searching.surrogate import Surrogate, fit, improvement
from weft.autotune.spaces.space import Point, Space
from weft.errors import ArgumentError


@dataclass(frozen=True)
class Prior:
    """What is known of a space before anything is measured.

    Attributes
    ----------
    first
        Positions of points that are measured before all others, such as the best predicted.
    threads
        The threads of a block at a point, for kernels; None where it is not known.
    """

    first: Sequence[int] = ()
    threads: Callable[[Point], int] | None = None


NOTHING = Prior()


class Strategy(Protocol):
    """Chooses points one after the other."""

    def ask(self) -> int | None:
        """The position of the next point; None where there are no more."""

    def tell(self, position: int, seconds: float) -> None:
        """What a point that was asked for took; infinite where it failed."""


class Exhaustive:
    """Every point, in the order of the space."""

    def __init__(self, space: Space, seed: int, prior: Prior) -> None:
        self._positions = iter(dict.fromkeys((*prior.first, *range(len(space)))))

    def ask(self) -> int | None:
        """The next one."""
        return next(self._positions, None)

    def tell(self, position: int, seconds: float) -> None:
        """Nothing depends on times."""


class Random:
    """Every point, in a random order."""

    def __init__(self, space: Space, seed: int, prior: Prior) -> None:
        self._random, self._count = random.Random(seed), len(space)
        self._seen: set[int] = set()
        self._first = list(prior.first)

    def ask(self) -> int | None:
        """One that was not asked for yet."""
        if len(self._seen) == self._count:
            return None
        position = self._first.pop(0) if self._first else self._random.randrange(self._count)
        while position in self._seen:
            position = self._random.randrange(self._count)
        self._seen.add(position)
        return position

    def tell(self, position: int, seconds: float) -> None:
        """Nothing depends on times."""


POOL = 6000
"""Points that the model is asked about at a time; of larger spaces these are some at random and neighbours."""
SPREAD = 6
"""Points that are measured before the model is asked."""
MODELLED = 250
"""Measured points that the model knows: the best ones and the latest."""
CENTRE = 0.6
"""Where the first point lies in the lists of values: threads do best with several elements each."""
BLOCKS, USUAL, MOST = (64, 512), 256, 1024
"""Threads of the blocks of the first points, of the very first one, and at most."""
WORSE, FAILED = 2.0, 1.2
"""Times of more than the median, and of more than so many times the best, count as equally bad: the model is to know
the good ones. Failures are worse by a factor."""


class Model:
    """A point near the middle, then a few at random, then where a Gaussian process expects most."""

    def __init__(self, space: Space, seed: int, prior: Prior) -> None:
        self._space, self._random, self._prior = space, random.Random(seed), prior
        self._seen: dict[int, float] = {}
        self._asked: set[int] = set()
        self._waiting = list(prior.first)
        self._axes, self._ranks = _axes(space), _ranks(space)
        if prior.threads is not None:
            self._axes.append(lambda point: [self._block(point)])
        self._pool, self._rows = self._draw()
        self._lengths = np.full(self._rows.shape[1], 0.6)
        self._centred = False

    def _draw(self) -> tuple[list[int], np.ndarray[Any, Any]]:
        count = len(self._space)
        pool = list(range(count)) if count <= POOL else self._random.sample(range(count), POOL)
        return pool, np.array([self._row(self._space[k]) for k in pool])

    def _row(self, point: Point) -> list[float]:
        return [number for axis in self._axes for number in axis(point)]

    def ask(self) -> int | None:
        """The next point."""
        if len(self._asked) == len(self._space):
            return None
        position = self._next()
        self._asked.add(position)
        return position

    def _next(self) -> int:
        while self._waiting:
            position = self._waiting.pop(0)
            if position not in self._asked:
                return position
        open_ = [k for k, position in enumerate(self._pool) if position not in self._asked]
        if not open_:
            return next(k for k in range(len(self._space)) if k not in self._asked)
        working = sum(map(math.isfinite, self._seen.values()))
        if not self._centred:
            self._centred = True
            return self._pool[min(open_, key=lambda k: self._off_centre(self._space[self._pool[k]]))]
        if len(self._seen) < SPREAD or working < 2:
            usual = [k for k in open_ if self._is_usual(self._space[self._pool[k]])]
            return self._pool[self._random.choice(usual or open_)]
        return self._expected(open_)

    def _off_centre(self, point: Point) -> float:
        """How far a point is from where searches begin."""
        off = sum((number - CENTRE) ** 2 for axis in self._ranks for number in axis(point))
        if self._prior.threads is not None:
            off += 0.3 * abs(math.log2(max(self._prior.threads(point), 1) / USUAL))
        return off

    def _is_usual(self, point: Point) -> bool:
        """Whether a block has neither very few threads nor very many, as far as that is known."""
        least, most = BLOCKS
        return self._prior.threads is None or least <= self._prior.threads(point) <= most

    def _block(self, point: Point) -> float:
        """The logarithm of the threads of a block as a number between 0 and 1."""
        threads = self._prior.threads(point) if self._prior.threads is not None else 1
        return min(math.log2(max(threads, 1)) / math.log2(MOST), 1.0)

    def _expected(self, open_: list[int]) -> int:
        model, best = self._fitted()
        around = self._around()
        rows = np.vstack([self._rows[open_], *([[self._row(self._space[k]) for k in around]] if around else [])])
        mean, deviation = model.expect(rows)
        chosen = int(improvement(mean, deviation, best).argmax())
        return self._pool[open_[chosen]] if chosen < len(open_) else around[chosen - len(open_)]

    def _around(self) -> list[int]:
        """Neighbours of the best point, where the pool has not all points."""
        if len(self._pool) == len(self._space):
            return []
        best = min(self._seen, key=lambda k: self._seen[k])
        found = (self._space.position(p) for p in self._space.neighbours(self._space[best]))
        return [k for k in found if k is not None and k not in self._asked]

    def _fitted(self) -> tuple[Surrogate, float]:
        known = sorted(self._seen, key=lambda k: self._seen[k])
        if len(known) > MODELLED:
            known = known[: MODELLED // 2] + list(self._seen)[-MODELLED // 2 :]
            known = list(dict.fromkeys(known))
        values = np.array([self._seen[k] for k in known])
        works = np.isfinite(values)
        worst = values[works].max()
        if values.min() > 0:  # times; an objective of the user's own may be anything
            worst = min(worst, max(float(np.median(values[works])), WORSE * float(values.min())))
            values = np.log(np.where(works, np.minimum(values, worst), FAILED * worst))
        else:
            values = np.where(works, values, worst + 0.5 * abs(worst))
        model = fit(np.array([self._row(self._space[k]) for k in known]), values, self._lengths)
        self._lengths = model.lengths
        return model, float(values.min())

    def tell(self, position: int, seconds: float) -> None:
        """Learn what a point took."""
        self._seen[position] = seconds


Axis = Callable[[Point], "list[float]"]


MANY = 6
"""More values than these may have structure: how often 2 divides them is a number for the model, too."""


def _ranks(space: Space) -> list[Axis]:
    """For each parameter with several values its place in the order, or one number for each word."""
    return [_rank(name, values) for name, values in space.parameters.items() if len(values) > 1]


def _rank(name: str, values: tuple[Any, ...]) -> Axis:
    if _are_numbers(values):
        place = {value: k / (len(values) - 1) for k, value in enumerate(sorted(values))}
        return lambda point: [place.get(point.get(name), 0.5)]
    return lambda point: [0.7 * (point.get(name) == value) for value in values]


def _axes(space: Space) -> list[Axis]:
    """The numbers of a point for the model.

    For each parameter the logarithm of its value; how often 2 divides it, since groups of threads are powers of two;
    and the logarithm of the product of all, since sizes of tiles and groups make up for one another.
    """
    found, sizes = [], []
    for name, values in space.parameters.items():
        if len(values) > 1:
            found.append(_logarithm(name, values) if _are_sizes(values) else _rank(name, values))
            if _are_sizes(values) and len(values) > 2:
                sizes.append(name)
            if _are_sizes(values) and len(values) > MANY and len({_twos(value) for value in values}) > 2:
                found.append(_divisible(name, values))
    return [*found, _product(space, sizes)] if len(sizes) > 1 else found


def _are_numbers(values: tuple[Any, ...]) -> bool:
    return all(isinstance(value, (int, float)) for value in values)


def _are_sizes(values: tuple[Any, ...]) -> bool:
    return all(isinstance(value, int) and not isinstance(value, bool) and value > 0 for value in values)


def _logarithm(name: str, values: tuple[int, ...]) -> Axis:
    low, high = math.log2(min(values)), math.log2(max(values))
    place: dict[Any, float] = {value: (math.log2(value) - low) / (high - low) for value in values}
    return lambda point: [place.get(point.get(name), 0.5)]


def _divisible(name: str, values: tuple[int, ...]) -> Axis:
    most = max(map(_twos, values))
    return lambda point: [_twos(point[name]) / most if name in point else 0.5]


def _twos(value: int) -> int:
    """How often 2 divides a number."""
    return (value & -value).bit_length() - 1


def _product(space: Space, names: Sequence[str]) -> Axis:
    bits = {name: [math.log2(value) for value in space.parameters[name]] for name in names}
    low, high = (sum(end(values) for values in bits.values()) for end in (min, max))

    def axis(point: Point) -> list[float]:
        total = sum(math.log2(point[name]) if name in point else fmean(bits[name]) for name in names)
        return [(total - low) / (high - low)]

    return axis


OWN: dict[str, Callable[[Space, int, Prior], Strategy]] = {
    "model": Model,
    "exhaustive": Exhaustive,
    "random": Random,
}
LIBRARY = ("genetic", "annealing", "bayes")


def strategy(name: str, space: Space, seed: int = 0, prior: Prior = NOTHING) -> Strategy:
    """A strategy by its name.

    Parameters
    ----------
    name
        ``model``, ``exhaustive``, ``random``, or one of Optuna: ``genetic``, ``annealing``, ``bayes``.
    space
        What is searched.
    seed
        Makes the choice the same every time.
    prior
        What is known before anything is measured.

    Raises
    ------
    ArgumentError
        There is no such strategy, or its library is not installed.
    """
    if name in OWN:
        return OWN[name](space, seed, prior)
    if name in LIBRARY:
        from weft.autotune.searching.library import Sampled

        return Sampled(name, space, seed, prior.first)
    raise ArgumentError(
        f"there is no strategy {name!r}", argument="strategy", hint="use one of " + ", ".join((*OWN, *LIBRARY))
    )
