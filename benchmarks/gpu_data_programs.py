"""The programs of `benchmarks.gpu_data` in which host and device take turns: matrix series, n-body, embossing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

import weft
from benchmarks.gpu_data_peers import library
from tests.plan.thesis import bodies, emboss, fill, jacobi, series, total

__all__ = ["Compared", "Turns", "compare", "jacobi", "programs", "with_vendor"]

FLOAT = 8
ROUNDS, PROFILED = 9, 3
"""How often both placements take turns, and how often what they move and wait for is looked at."""


@dataclass(frozen=True)
class Turns:
    """A program, and the bytes that have to cross the bus."""

    name: str
    function: Callable[..., Any]
    arguments: Callable[[], tuple[Any, ...]]
    needed_in: int
    needed_out: int


@dataclass(frozen=True)
class Compared:
    """Seconds and bytes of a program with its transfers placed and with naive ones.

    `ratio` is the median of the turns' ratios of the two, `least` and `most` are the ends of the interval that covers
    the true median in 96 %: the second and the eighth of nine.
    """

    placed: float
    naive: float
    ratio: float
    least: float
    most: float
    exposed: float
    naive_exposed: float
    bytes: int
    naive_bytes: int


def programs(scale: int) -> Iterator[Turns]:
    """The three programs of 001; sizes grow with `scale`."""
    size, rounds = 32 * scale, 4
    matrix = FLOAT * size * size
    yield Turns(
        f"matrix series {size}",
        series,
        lambda: (size, rounds),
        4 * rounds * matrix,
        3 * rounds * matrix,
    )
    count = 128 * scale
    yield Turns(f"n-body {count}", bodies, lambda: (*_bodies(count), 100), 5 * count * FLOAT, 4 * count * FLOAT)
    side, images = 64 * scale, 6
    yield Turns(
        f"embossing {side}", emboss, lambda: (side, images), images * FLOAT * side * side,
        images * FLOAT * side * side,
    )  # fmt: skip


def _bodies(count: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(0)
    return rng.random((count, 2)), np.zeros((count, 2)), rng.random(count)


def compare(
    program: Turns,
    placed: Callable[..., Any],
    naive: Callable[..., Any],
    seconds_of: Callable[[Callable[[], object]], float],
) -> Compared:
    """Times of both placements in turn, and the part of the copies that neither kernels nor the host's work hide."""
    given = {f: program.arguments() for f in (placed, naive)}
    assert _same(placed(*given[placed]), naive(*given[naive])) and _all_same(given[placed], given[naive])
    times, moved, waits = ({f: list[float]() for f in given} for _ in range(3))
    for turn in range(ROUNDS):
        for f in (placed, naive) if turn % 2 else (naive, placed):  # the first one may find caches and clocks otherwise
            times[f].append(seconds_of(lambda f=f: f(*given[f])))  # type: ignore[misc]
            for found, figure in zip((moved, waits), _profiled(f, given[f]), strict=True) if turn < PROFILED else ():
                found[f].append(figure)
    seconds, bytes_, exposed = ({f: median(found[f]) for f in given} for found in (times, moved, waits))
    ratios = sorted(one / other for one, other in zip(times[placed], times[naive], strict=True))
    return Compared(
        seconds[placed], seconds[naive], median(ratios), ratios[1], ratios[-2],
        exposed[placed], exposed[naive], int(bytes_[placed]), int(bytes_[naive]),
    )  # fmt: skip


def _profiled(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[float, float]:
    """The bytes that a call moves, and for how many seconds the host waits that are not those of kernels."""
    with weft.profile() as profile:
        function(*arguments)
        weft.synchronize()
    moved = sum(event.bytes for event in profile.of("copy_in", "copy_out"))
    waited, kernels = (sum(event.seconds for event in profile.of(kind)) for kind in ("wait", "launch"))
    return moved, max(waited - kernels, 0.0)


def _same(a: Any, b: Any) -> bool:
    return a is b is None or a == b


def _all_same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    pairs = zip(one, other, strict=True)
    return all(np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b for a, b in pairs)


def with_vendor(size: int, rounds: int = 4) -> Iterator[tuple[str, Callable[[], float], Callable[[], float]]]:
    """The matrix series with the vendor's product: arrays of Weft lent to it, and naive copies for each product."""
    cupy = library("cupy")
    if cupy is None:
        return
    filled, totalled = weft.jit(fill, device="cpu"), weft.jit(total, device="cpu")

    def lent(*arrays: Any) -> list[Any]:
        return [cupy.asarray(array[:]) for array in arrays]

    def placed() -> float:
        result = 0.0
        for t in range(rounds):
            a, b, c, d, e, f, g = (weft.empty((size, size)) for _ in range(7))
            for k, x in enumerate((a, b, c, d)):
                filled(x, t + k)
            for left, right, out in ((a, b, e), (c, d, f), (e, f, g)):
                x, y, z = lent(left, right, out)
                cupy.matmul(x, y, out=z)
                del x, y, z
            result = result * 0.5 + totalled(e) + totalled(f) + totalled(g)
        return result

    def naive() -> float:
        result = 0.0
        a, b, c, d = (np.empty((size, size)) for _ in range(4))
        for t in range(rounds):
            for k, x in enumerate((a, b, c, d)):
                filled(x, t + k)
            e = cupy.matmul(cupy.asarray(a), cupy.asarray(b)).get()
            f = cupy.matmul(cupy.asarray(c), cupy.asarray(d)).get()
            g = cupy.matmul(cupy.asarray(e), cupy.asarray(f)).get()
            result = result * 0.5 + totalled(e) + totalled(f) + totalled(g)
        return result

    yield f"matrix series {size} with the vendor's product", placed, naive
