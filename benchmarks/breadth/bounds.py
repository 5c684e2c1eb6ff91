"""The least time that a program can take here: its bytes at the speed of a copy, its operations at that of a product.

Both speeds are measured in the same run. A copy is measured for several amounts of data, because caches are faster; a
program is held against the copy whose amount of data is nearest to its own. Operations on whole numbers count as those
on floats.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.breadth.peers import array_library
from benchmarks.breadth.program import FLOATS, Program

AMOUNTS = tuple(1 << power for power in (16, 19, 22, 25, 28))
"""Bytes that a copy reads and writes, together."""

SIDE = {"cpu": 1024, "cuda": 8192}


@dataclass(frozen=True)
class Bounds:
    """Bytes a second by the amount of data, operations a second by the type."""

    copy: dict[int, float]
    operations: dict[str, float]

    def seconds(self, program: Program, size: str, dtype: str) -> float:
        """Give the least time of a program."""
        amount = program.least_bytes(size, dtype)
        nearest = min(self.copy, key=lambda one: abs(math.log(one / amount)))
        return max(amount / self.copy[nearest], program.least_operations(size) / self.operations[dtype])


def measured(device: str) -> Bounds:
    """Measure both speeds of a device."""
    if device == "cuda":
        return Bounds({1 << 31: _gpu_copy()}, {dtype: _gpu_product(dtype) for dtype in FLOATS})
    return Bounds({amount: _copy(amount) for amount in AMOUNTS}, {dtype: _product(dtype) for dtype in FLOATS})


def _best(call: Callable[[], Any], rounds: int = 7) -> float:
    """Give the shortest time of a call."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return min(times)


def _copy(amount: int) -> float:
    """Copy in as many threads as there are cores; each of them its own part, many times over."""
    threads = len(os.sched_getaffinity(0))
    repeats = max(1, (1 << 27) // amount)
    parts = [(np.ones(amount // 16 // threads), np.ones(amount // 16 // threads)) for _ in range(threads)]

    def part(pair: tuple[Any, Any]) -> None:
        for _ in range(repeats):
            np.copyto(pair[1], pair[0])

    with ThreadPoolExecutor(threads) as pool:
        return amount * repeats / _best(lambda: list(pool.map(part, parts)))


def _product(dtype: str) -> float:
    side = SIDE["cpu"]
    a = np.ones((side, side), dtype)
    return float(2 * side**3 / _best(lambda: a @ a))


def _gpu_copy() -> float:
    cupy = array_library("cupy")
    a, b = cupy.ones(1 << 27), cupy.ones(1 << 27)
    return float((1 << 31) / _best(lambda: (cupy.copyto(b, a), cupy.cuda.Device().synchronize())))


def _gpu_product(dtype: str) -> float:
    cupy = array_library("cupy")
    side = SIDE["cuda"]
    a = cupy.ones((side, side), dtype)
    return float(2 * side**3 / _best(lambda: (a @ a, cupy.cuda.Device().synchronize())))
