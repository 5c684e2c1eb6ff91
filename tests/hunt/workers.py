"""Processes that run programs; one that hangs or crashes is replaced, and its program is a finding."""

from __future__ import annotations

import gc
import importlib
import os
import shutil
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from .generator import generate
from .oracle import Verdict, judge
from .program import Program

PATIENCE = {"cpu": 40.0, "opencl": 90.0, "cuda": 90.0}
"""Seconds after which a program hangs."""

LIFE = 400
"""Programs of one process: what they leave behind goes with it."""

SMALL_TILES = {"TILE_WORK": 12, "TURN_WORK": 12, "LEAST_ITERATIONS": 2, "LEAST_TILES": 2, "FIRST_ROUND": 1, "ROUND": 3}


@dataclass
class Report:
    """What a process says of a program."""

    seed: int
    verdict: Verdict
    features: frozenset[str] = frozenset()
    seconds: float = 0.0


@dataclass
class Totals:
    """What a hunt has seen."""

    programs: int = 0
    calls: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)


def prepare(program: Program) -> None:
    """Set what holds for the whole process: threads, the sizes of tiles, the compiler's effort."""
    from weft.backends.c import toolchain
    from weft.runtime import _stub

    tiles: Any = importlib.import_module("weft.passes.tiles")
    if not _plain:
        _plain.update({name: getattr(tiles, name) for name in SMALL_TILES})
        _plain["FLAGS"] = toolchain.FLAGS
    for name, value in SMALL_TILES.items():
        setattr(tiles, name, value if program.way.tiles else _plain[name])
    toolchain.FLAGS = tuple(program.way.optimise if f == "-O3" else f for f in _plain["FLAGS"])
    _stub.set_threads(program.way.threads)
    _stub.set_grain(0.0 if program.way.threads else 1e4)


_plain: dict[str, Any] = {}


def one(seed: int, device: str, make: Callable[[int], Program] = generate) -> tuple[Program, Verdict]:
    """Generate the program of a seed and judge it."""
    program = make(seed)
    return program, checked(program, device)


def checked(program: Program, device: str) -> Verdict:
    """The verdict of a program, its ways included."""
    prepare(program)
    verdict = judge(program, device)
    if verdict.kind == "same" and program.way.referee:
        other = judge(program, device, referee=True)
        if other.is_finding:
            other.text = "the interpreter: " + other.text
            return other
    return verdict


def _work(pipe: Connection, device: str, folder: str) -> None:
    """Take seeds from a pipe until it closes."""
    os.environ["WEFT_CACHE_DIR"] = folder
    os.environ.setdefault("POCL_WORK_GROUP_SPECIALIZATION", "0")
    gc.freeze()
    while True:
        try:
            seed = pipe.recv()
        except EOFError:
            return
        if seed is None:
            return
        started = time.perf_counter()
        try:
            program, verdict = one(seed, device)
            features = program.features
        except Exception:
            verdict, features = Verdict("generator", traceback.format_exc(limit=-3)), frozenset()
        pipe.send(Report(seed, verdict, features, time.perf_counter() - started))


@dataclass
class Worker:
    """A process, and the seed that it works on."""

    process: BaseProcess
    pipe: Connection
    folder: str
    seed: int = -1
    since: float = 0.0
    done: int = 0

    def give(self, seed: int) -> None:
        self.seed, self.since = seed, time.monotonic()
        self.pipe.send(seed)

    def end(self) -> None:
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _fast_folder() -> str | None:
    return "/dev/shm" if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK) else None


def start(device: str) -> Worker:
    """A new process with a store of its own; it is forked, so that nothing is imported again."""
    context = get_context("fork")
    mine, theirs = context.Pipe()
    folder = tempfile.mkdtemp(prefix="weft-hunt-", dir=_fast_folder())
    process = context.Process(target=_work, args=(theirs, device, folder), daemon=True)
    process.start()
    theirs.close()
    return Worker(process, mine, folder)


def reports(seeds: Iterator[int], device: str, workers: int, until: float) -> Iterator[Report]:
    """The verdicts of seeds, as they come, until a time."""
    crew = [start(device) for _ in range(workers)]
    try:
        for worker in crew:
            worker.give(next(seeds))
        while crew and time.monotonic() < until:
            ready = wait([worker.pipe for worker in crew], timeout=1.0)
            for place, worker in enumerate(crew):
                report = _answer(worker, worker.pipe in ready, device)
                if report is None:
                    continue
                yield report
                if worker.seed == -2 or worker.done >= LIFE:
                    worker.end()
                    crew[place] = worker = start(device)
                worker.give(next(seeds))
    except StopIteration:
        return
    finally:
        for worker in crew:
            worker.end()


def _answer(worker: Worker, ready: bool, device: str) -> Report | None:
    if ready:
        try:
            report: Report = worker.pipe.recv()
            worker.done += 1
            return report
        except (EOFError, OSError):
            worker.process.join()
            verdict = Verdict("crash", f"the process ended with {worker.process.exitcode}")
    elif time.monotonic() - worker.since > PATIENCE.get(device, 60.0):
        verdict = Verdict("hang", "no answer")
    else:
        return None
    report, worker.seed = Report(worker.seed, verdict), -2
    return report
