"""The command `python -m benchmarks.gpu_peers`: plain loops beside what other libraries make of the same work.

All rows of `benchmarks.gpu_cases`, at full size, arrays on the GPU. Weft's answer is checked against NumPy at a small
size, everybody's at full size against Weft's. Times are those of batches of calls that together take some milliseconds;
all ways take turns, and a ratio is the median over the turns, with the interval that covers the true median in 98.8 %
(the second and the tenth of eleven). Ways that take more than ten times as long as Weft have three turns only.
Weft calls no library but in the column that says so. Many processes call every way once before, so that what the
libraries keep of compiled code on disk is there: compiling takes longer than timing.

Where not all peers can be installed beside one another, `--merge` prints one table of several runs with `--json`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

import weft
from benchmarks.gpu_cases import Case
from benchmarks.gpu_kernels import LIBRARY_MAY, Device, checked, chosen, filled, small_arrays
from benchmarks.peers import Peer, all_peers

ROUNDS = 11
FEW = 3
BATCH, LONG_BATCH = 4e-3, 20e-3
"""Seconds that a batch of calls takes at least, and one of Weft and of those who take at most `NEAR` times as long."""
NEAR = 1.5
LONGEST = 0.1
"""A way whose call takes so many seconds is not repeated."""
TOLERANCE = {"float32": 5e-4, "float64": 1e-9}
"""Of the largest element."""
AT_ONCE = 10
"""Processes that compile at a time: each has the arrays of a row on the GPU."""


@dataclass
class Figure:
    """The times of a way of a row, in seconds a call, by turn; or why there are none."""

    row: str
    peer: str
    message: str = ""
    times: list[float] = field(default_factory=list)
    error: float = 0.0

    @property
    def median(self) -> float:
        """Seconds of a call."""
        return sorted(self.times)[len(self.times) // 2]


OURS = ("Weft", "Weft, libraries")


def is_right(error: float, dtype: str) -> bool:
    """Whether an answer that is so far from Weft's is right; one that is no number is not."""
    return error <= TOLERANCE.get(dtype, 0)


def weft_way(case: Case, arrays: Sequence[Any], libraries: bool = False) -> Callable[[], Any]:
    """Plain loops."""
    function = weft.jit(case.function, device="cuda", libraries=libraries, fastmath=case.fastmath)
    position = _answer(case)

    def call() -> Any:
        returned = function(*arrays)
        if position is None:
            return float(returned)
        return arrays[position] if returned is None else arrays[position][: int(returned)]

    return call


def _answer(case: Case) -> int | None:
    """Where a program writes its answer."""
    position: int | None = case.answer(*small_arrays(case))[0]
    return position


class Row:
    """A case and all ways of it, on the same arrays."""

    def __init__(self, device: Device, case: Case, peers: Sequence[Peer]) -> None:
        self.cupy = import_module("cupy")
        self.device, self.case = device, case
        self.memory = filled(device, case)
        self.arrays = [self.cupy.asarray(array) for array in self.memory]
        self.before = [array.copy() for array in self.arrays]
        self.figures: dict[str, Figure] = {}
        self.calls: dict[str, Callable[[], Any]] = {}
        self.expected: Any = None
        self._enter(OURS[0], partial(weft_way, case, self.arrays))
        if case.function in LIBRARY_MAY:
            self._enter(OURS[1], partial(weft_way, case, self.arrays, True))
        else:
            self.figures[OURS[1]] = Figure(case.name, OURS[1], "-")
        for peer in peers:
            name = case.function.__name__
            make = peer.ways.get(name + "_fast" * case.fastmath, peer.ways.get(name))
            if make is None or peer.missing:
                self.figures[peer.name] = Figure(case.name, peer.name, "absent" if peer.missing else "-")
            else:
                self._enter(peer.name, partial(make, *self.arrays))

    def _enter(self, peer: str, make: Callable[[], Callable[[], Any] | None]) -> None:
        figure = self.figures[peer] = Figure(self.case.name, peer)
        try:
            call = make()
            if call is None:
                figure.message = "-"
                return
            for array, before in zip(self.arrays, self.before, strict=True):
                array[...] = before
            self.device.clock.synchronise()
            figure.error = self._error(call())
        except Exception as problem:  # a peer that cannot do a row must not stop the others
            figure.message = f"failed: {type(problem).__name__}: {str(problem).strip().splitlines()[0][:160]}"
            return
        if not is_right(figure.error, self.case.dtype):
            figure.message = f"wrong by {figure.error:.2g}"
            return
        self.calls[peer] = call

    def _error(self, result: Any) -> float:
        """How far an answer is from Weft's, by its largest element."""
        self.device.clock.synchronise()
        result = self.cupy.asarray(result[0] if isinstance(result, tuple) else result)
        if self.expected is None:
            self.expected = result.copy()
            return 0.0
        expected = _middle(self.expected, result.shape)
        if result.dtype.kind != "f":
            return float(self.cupy.abs(result.astype(np.int64) - expected).max())
        return float(self.cupy.abs(result - expected).max() / self.cupy.abs(expected).max())

    def measure(self) -> None:
        """Time all ways in turns."""
        seconds = {peer: self._seconds(call, 1) for peer, call in self.calls.items()}
        seconds = {peer: min(once, self._seconds(self.calls[peer], 1)) for peer, once in seconds.items()}
        for turn in range(ROUNDS):
            for peer, call in self.calls.items():
                once, ours = seconds[peer], seconds.get(OURS[0], seconds[peer])
                if once < LONGEST and (turn < FEW or once < 10 * ours):
                    batch = LONG_BATCH if once <= NEAR * ours else BATCH
                    self.figures[peer].times.append(self._seconds(call, max(round(batch / once), 1)))
        for peer, once in seconds.items():
            self.figures[peer].times = self.figures[peer].times or [once]

    def _seconds(self, call: Callable[[], Any], count: int) -> float:
        self.device.clock.synchronise()
        start = time.perf_counter()
        for _ in range(count):
            call()
        self.device.clock.synchronise()
        return (time.perf_counter() - start) / count

    def free(self) -> None:
        """Give the memory back."""
        self.calls.clear()
        self.arrays.clear()
        self.before.clear()
        self.expected = None
        self.cupy.get_default_memory_pool().free_all_blocks()
        if torch := sys.modules.get("torch"):
            torch.cuda.empty_cache()
        for array in self.memory:
            self.device.free(array)


def _middle(expected: Any, shape: tuple[int, ...]) -> Any:
    """The part of an answer that another way gives: the interior of a stencil, the leading columns."""
    starts = [(have - want) // 2 for have, want in zip(expected.shape, shape, strict=True)]
    return expected[tuple(slice(start, start + want) for start, want in zip(starts, shape, strict=True))]


def compile_all(cases: Sequence[Case], skipped: Sequence[str]) -> None:
    """Call all ways once, many rows at a time; what breaks here is seen, and said, where it is timed."""
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", tempfile.mkdtemp())
    os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
    workers = max(1, min(AT_ONCE, (os.cpu_count() or 1) - 2, len(cases)))
    with suppress(BrokenProcessPool), ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        wait([pool.submit(_called_once, case.name, tuple(skipped)) for case in cases])


def _called_once(name: str, skipped: Sequence[str]) -> None:
    case = next(case for case in chosen("", False) if case.name == name)
    Row(Device(), case, _without(skipped)).free()


def _without(skipped: Sequence[str]) -> list[Peer]:
    return [peer for peer in all_peers() if not any(name in peer.name for name in skipped)]


# ----------------------------------------------------------------------------------------------------- tables


Best: TypeAlias = tuple[str, float, float, float]
"""A peer, how many times as fast as it Weft is, and the ends of the interval."""


def against_best(figures: dict[str, Figure]) -> Best | None:
    """The fastest peer, and how many times as fast as it Weft is: the median over the turns and its interval."""
    others = [f for peer, f in figures.items() if peer not in OURS and f.times]
    mine = figures[OURS[0]].times
    if not others or not mine:
        return None
    best = min(others, key=lambda f: f.median)
    ratios = sorted(theirs / ours for theirs, ours in zip(best.times, mine, strict=False))
    edge = 1 if len(ratios) >= ROUNDS else 0
    return best.peer, ratios[len(ratios) // 2], ratios[edge], ratios[-1 - edge]


def cell(case: Case, figure: Figure, copy: float) -> str:
    """What a way reached: a part of the copy's speed, or TFLOP/s."""
    if not figure.times:
        return figure.message.partition(":")[0]
    if case.flops:
        return f"{1e-12 * case.flops / figure.median:.3g} T"
    return f"{case.bytes / figure.median / copy:.3f}"


def table(rows: Sequence[tuple[Case, dict[str, Figure]]], copy: float) -> Iterator[str]:
    """The lines of a table in Markdown."""
    yield from _lines(
        list(rows[0][1]) if rows else [],
        ((case, [cell(case, f, copy) for f in figures.values()], against_best(figures)) for case, figures in rows),
    )


def _lines(names: Sequence[str], rows: Iterable[tuple[Case, list[str], Best | None]]) -> Iterator[str]:
    yield "| work | " + " | ".join(names) + " | Weft beside the best |"
    yield "|---" * (len(names) + 2) + "|"
    for case, cells, found in rows:
        ratio = f"{found[1]:.2f} ({found[2]:.2f} to {found[3]:.2f}) of {found[0]}" if found else "-"
        yield f"| {case.name} | " + " | ".join(cells) + f" | {ratio} |"


@dataclass(frozen=True)
class Run:
    """What `--json` keeps of a run: the rate of a copy, and the figures by row and way."""

    copy: float
    rows: dict[str, dict[str, Figure]]

    @staticmethod
    def read(path: Path) -> Run:
        """The run in a file."""
        data = json.loads(path.read_text(encoding="utf-8"))
        rows: dict[str, dict[str, Figure]] = {}
        for figure in (Figure(**one) for one in data["figures"]):
            rows.setdefault(figure.row, {})[figure.peer] = figure
        return Run(data["copy"], rows)


def merged(runs: Sequence[Run]) -> Iterator[str]:
    """The lines of one table: of each peer the first run that had it, beside Weft in that run."""
    names = list(dict.fromkeys(peer for run in runs for figures in run.rows.values() for peer in figures))
    source = {peer: next((run for run in runs if _has(run, peer)), runs[0]) for peer in names}
    rows = []
    for case in (case for case in chosen("", False) if case.name in runs[0].rows):
        cells, against = [], []
        for peer in names:
            figure = source[peer].rows.get(case.name, {}).get(peer)
            cells.append(cell(case, figure, source[peer].copy) if figure else "-")
        for run in runs:
            theirs = {p: f for p, f in run.rows.get(case.name, {}).items() if p == OURS[0] or source[p] is run}
            if OURS[0] in theirs and (found := against_best(theirs)):
                against.append(found)
        rows.append((case, cells, min(against, key=lambda found: found[1], default=None)))
    yield from _lines(names, rows)


def _has(run: Run, peer: str) -> bool:
    """Whether a run has figures of a peer: elsewhere it was absent, or left out."""
    return any(figures[peer].times for figures in run.rows.values() if peer in figures)


def main(arguments: Sequence[str] | None = None) -> int:
    """Check and time everything."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_peers", description=__doc__)
    parser.add_argument("--only", default="", help="parts of names of rows, with commas between them")
    parser.add_argument("--skip", default="", help="parts of names of peers, with commas between them")
    parser.add_argument("--json", type=Path, help="where to write all times")
    parser.add_argument(
        "--merge", type=Path, nargs="+", metavar="FILE", help="measure nothing: one table of these runs"
    )
    options = parser.parse_args(arguments)
    if options.merge:
        print(*merged([Run.read(path) for path in options.merge]), sep="\n")
        return 0
    began, cases = time.perf_counter(), list(chosen(options.only, False))
    skipped = [name for name in options.skip.split(",") if name]
    problems = checked(cases)
    compile_all(cases, skipped)
    device, peers = Device(), _without(skipped)
    copy = device.copy_rate()
    print(f"{device.clock.name()}; copy {1e-9 * copy:.0f} GB/s; Python {platform.python_version()}", end="; ")
    print(f"Weft {weft.__version__}; ", end="")
    print("; ".join(f"{peer.name} {peer.version or peer.missing}" for peer in peers), flush=True)
    rows, wrong = [], 0
    for case, problem in zip(cases, problems, strict=True):
        start = time.perf_counter()
        row = Row(device, case, peers)
        row.measure()
        rows.append((case, row.figures))
        wrong += bool(problem)
        row.free()
        print(_line(case, row.figures, copy, problem, time.perf_counter() - start), flush=True)
    print(*table(rows, copy), f"{time.perf_counter() - began:.0f} s", sep="\n")
    if options.json:
        figures = [asdict(figure) for _, by_peer in rows for figure in by_peer.values()]
        versions = {peer.name: peer.version or peer.missing for peer in peers}
        options.json.write_text(json.dumps({"copy": copy, "versions": versions, "figures": figures}), encoding="utf-8")
    return int(wrong > 0)


def _line(case: Case, figures: dict[str, Figure], copy: float, problem: str, seconds: float) -> str:
    ways = (f"{peer} {cell(case, f, copy)}" for peer, f in figures.items() if f.message != "-")
    notes = (f"\n    {peer} {f.message}" for peer, f in figures.items() if ":" in f.message or "wrong" in f.message)
    return f"{case.name} [{seconds:.1f} s] {problem}: " + "; ".join(ways) + "".join(notes)


if __name__ == "__main__":
    raise SystemExit(main())
