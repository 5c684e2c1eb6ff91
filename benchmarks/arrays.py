"""Array programs beside NumPy, and beside themselves without fusion: `python -m benchmarks.arrays`.

The programs are those of `tests/arrays/programs`, and a few chains and normalisations of this file. A hash of its name
puts each into the seen or the unseen half; both are reported. Answers are compared before anything is timed. The
candidates of a program are timed in turn, several rounds, and the ratios of the medians are printed.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import math
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import weft
from tests.arrays.programs import data, fields, sciences, solvers, tutorials  # noqa: F401 - they register themselves
from tests.arrays.programs.registry import PROGRAMS, Program, program, vectors

WITHOUT_FUSION = ("fusion", "array_contraction", "inline_producers", "row_fusion")
SECONDS, ROUNDS, MOST_RUNS = 0.2, 5, 40
LONGEST = 2.0
"""Seconds that NumPy may take for one run; programs that take longer at a size are left out, and named."""


@program(vectors)
def chain_of_operators(a, b):
    t = a * b
    u = t + a
    v = np.sqrt(np.abs(u))
    w = v - a
    return w * w


@program(vectors)
def distance_by_names(a, b):
    d = a - b
    e = d * d
    return e.sum()


@program(lambda r, n, t: (r.random((n, max(n // 2, 1))).astype(t),), sizes=(1, 2, 7, 13, 40))
def softmax_by_names(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@program(lambda r, n, t: (r.random((n, max(n // 2, 1))).astype(t),), sizes=(1, 2, 7, 13, 40))
def normalised_rows(x):
    mean = x.mean(axis=1, keepdims=True)
    spread = ((x - mean) ** 2).mean(axis=1, keepdims=True)
    return (x - mean) / np.sqrt(spread + 1e-5)


@program(lambda r, n, t: (r.random((n, n)).astype(t),), sizes=(1, 2, 7, 13, 40))
def extremes_of_rows(x):
    return x.max(axis=1), x.min(axis=1)


@dataclass(frozen=True)
class Row:
    """One program at one size: seconds of each candidate, and whether its name is in the unseen half."""

    name: str
    size: int
    seconds: dict[str, float]

    @property
    def is_unseen(self) -> bool:
        """Whether the program is in the half that nobody tunes for."""
        return bool(hashlib.sha256(self.name.encode()).digest()[0] & 1)

    def ratio(self, other: str) -> float:
        """How many times as long another candidate takes."""
        return self.seconds[other] / self.seconds["weft"]


def rows(names: Sequence[str], size: int) -> Iterator[Row | str]:
    """The rows of a size, or why there is none."""
    for name in names:
        try:
            yield measured(name, PROGRAMS[name], size)
        except (weft.Error, ValueError, ArithmeticError, AssertionError, np.linalg.LinAlgError) as error:
            yield f"{name} at {size}: {type(error).__name__}: {str(error).splitlines()[0]}"


def measured(name: str, given: Program, size: int) -> Row | str:
    """Compare a program's answers, then time it."""
    arguments = given.make(np.random.default_rng(size), size, np.float64)
    candidates: dict[str, Callable[..., Any]] = {
        "numpy": given.function,
        "weft": weft.jit(given.function, device="cpu"),
        "unfused": weft.jit(given.function, device="cpu", disable=WITHOUT_FUSION),
    }
    start = time.perf_counter()
    with np.errstate(all="ignore"):
        wanted = given.function(*copy.deepcopy(arguments))
        if time.perf_counter() - start > LONGEST:
            return f"{name} at {size}: NumPy takes more than {LONGEST:g} s"
        for candidate in candidates.values():
            compare(candidate(*copy.deepcopy(arguments)), wanted, given.tolerance)
        turns = [{key: one(f, arguments) for key, f in candidates.items()} for _ in range(ROUNDS)]
    return Row(name, size, {key: statistics.median(turn[key] for turn in turns) for key in candidates})


def compare(found: Any, wanted: Any, tolerance: float) -> None:
    """Raise AssertionError where answers differ by more than roundings."""
    if isinstance(wanted, (tuple, list)):
        for a, b in zip(found, wanted, strict=True):
            compare(a, b, tolerance)
    elif wanted is not None:
        np.testing.assert_allclose(found, wanted, rtol=tolerance * 1e-15, atol=tolerance * 1e-15)


def one(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """The least time of several runs, each on arguments of its own."""
    found, end = [], time.perf_counter() + SECONDS / ROUNDS
    while not found or (len(found) < MOST_RUNS and time.perf_counter() < end):
        own = copy.deepcopy(arguments)
        start = time.perf_counter()
        function(*own)
        found.append(time.perf_counter() - start)
    return min(found)


def mean(values: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(statistics.fmean(map(math.log, values))) if values else math.nan


def main() -> None:
    """Print a table for each size, and the geometric means of both halves."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arrays", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 300])
    parser.add_argument("--only", nargs="+", help="names of programs")
    options = parser.parse_args()
    for size in options.sizes:
        found = list(rows(options.only or sorted(PROGRAMS), size))
        print(f"\n| program, size {size} | weft | beside NumPy | beside itself without fusion |\n|---|---:|---:|---:|")
        good = sorted((r for r in found if isinstance(r, Row)), key=lambda r: r.ratio("numpy"))
        for row in good:
            micro = row.seconds["weft"] * 1e6
            print(f"| {row.name} | {micro:.1f} us | {row.ratio('numpy'):.2f} | {row.ratio('unfused'):.2f} |")
        for half, unseen in (("seen", False), ("unseen", True)):
            part = [r for r in good if r.is_unseen == unseen]
            slow = sum(r.ratio("numpy") < 0.9 for r in part)
            beside = (mean([r.ratio(other) for r in part]) for other in ("numpy", "unfused"))
            print(
                "| {} half: {} programs, {} below 0.9 of NumPy | | {:.2f} | {:.2f} |".format(
                    half, len(part), slow, *beside
                )
            )
        for text in found:
            if isinstance(text, str):
                print(text)


if __name__ == "__main__":
    main()
