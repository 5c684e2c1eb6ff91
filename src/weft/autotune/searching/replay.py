"""Searches replayed in spaces that were measured before: how good they are, without a device."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean

from weft.autotune.searching.strategies import Prior, strategy
from weft.autotune.spaces.community import Measured, read_cache
from weft.autotune.spaces.space import Space

BLOCK = ("block_size_x", "block_size_y", "block_size_z")
"""What Kernel Tuner calls the threads of a block along each axis, unless it is told otherwise."""

EVALUATIONS = (1, 10, 25, 50, 100)
"""After how many evaluations searches are compared."""


def space_of(measured: Measured) -> Space:
    """The space of the points that were measured."""
    return Space.of_points(measured.parameters, measured.seconds)


def shares(
    measured: Measured, name: str, seed: int = 0, evaluations: Sequence[int] = EVALUATIONS, space: Space | None = None
) -> list[float]:
    """The shortest time of a space as a part of the shortest that a strategy found after some evaluations.

    Parameters
    ----------
    measured
        The space and its times.
    name
        The strategy.
    seed
        Of its choices.
    evaluations
        After how many.
    space
        That of the measured points, where it is at hand.

    Returns
    -------
    list of float
        1 where the best point was found; 0 where none worked yet.
    """
    space = space or space_of(measured)
    blocks = [name for name in BLOCK if name in measured.parameters]
    threads = (lambda point: math.prod(point[name] for name in blocks)) if blocks else None
    search = strategy(name, space, seed, Prior(threads=threads))
    best, found = float("inf"), []
    for count in range(1, max(evaluations) + 1):
        position = search.ask()
        if position is not None:
            seconds = measured.seconds[tuple(space[position].values())]
            search.tell(position, seconds)
            best = min(best, seconds)
        if count in evaluations:
            found.append(measured.best / best)
    return found


def compare(
    paths: Iterable[str | Path], names: Iterable[str], seeds: int = 10, evaluations: Sequence[int] = EVALUATIONS
) -> dict[str, dict[str, list[float]]]:
    """The mean shares of the optimum, by space and strategy, over some seeds."""
    found: dict[str, dict[str, list[float]]] = {}
    names = list(names)
    for path in paths:
        measured = read_cache(path)
        space = space_of(measured)
        found[measured.name] = {
            name: _means([shares(measured, name, seed, evaluations, space) for seed in range(seeds)]) for name in names
        }
    return found


def _means(rows: Sequence[Sequence[float]]) -> list[float]:
    return [fmean(column) for column in zip(*rows, strict=True)]
