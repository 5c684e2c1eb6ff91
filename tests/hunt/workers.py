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
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from .grammars import generate
from .metamorphic import sibling
from .oracle import LIMIT, TooSlow, Verdict, compare, judge, run
from .program import Program, forget, function_of

PATIENCE = {"cpu": 60.0, "opencl": 120.0, "cuda": 120.0}
"""Seconds of work, or a few times as many of waiting, after which a program hangs."""

GONE = -2
"""Instead of a seed: the process is not to be used any more."""

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
    program: Program | None = None
    """The program, if it is a finding."""


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

    tiles: Any = importlib.import_module("weft.transform.scan.tiles")
    if not _plain:
        _plain.update({name: getattr(tiles, name) for name in SMALL_TILES})
        _plain["FLAGS"] = toolchain.FLAGS
    for name, value in SMALL_TILES.items():
        setattr(tiles, name, value if program.way.tiles else _plain[name])
    toolchain.FLAGS = tuple(program.way.optimise if f == "-O3" else f for f in _plain["FLAGS"])
    _stub.set_threads(program.way.threads)
    _stub.set_grain(0.0 if program.way.threads else 1e4)


_plain: dict[str, Any] = {}


def one(seed: int, device: str) -> tuple[Program, Verdict]:
    """Generate the program of a seed and judge it; and another spelling of it, if it is to have one."""
    program = generate(seed)
    verdict = checked(program, device)
    other = sibling(program, seed) if program.way.sibling and verdict.kind == "same" else None
    if other is None or not means_the_same(other):
        return program, verdict
    second = checked(other, device)
    second.calls += verdict.calls
    second.notes = [*verdict.notes, *second.notes, "sibling: run"]
    return (other, second) if second.is_finding else (program, replace(second, kind="same"))


def means_the_same(other: Program) -> bool:
    """Whether CPython gives the same for both spellings."""
    first, second = function_of(other.origin), function_of(other.source)
    try:
        for arguments in other.calls:
            one_way, another = run(first, arguments, LIMIT), run(second, arguments, LIMIT)
            if one_way.error or another.error or compare(other, arguments, one_way, another, first).kind != "same":
                return False
    except TooSlow:
        return False
    finally:
        forget(first)
        forget(second)
    return True


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
            program = None
        kept = program if verdict.is_finding else None
        pipe.send(Report(seed, verdict, features, time.perf_counter() - started, kept))


@dataclass
class Worker:
    """A process, and the seed that it works on."""

    process: BaseProcess
    pipe: Connection
    folder: str
    seed: int = -1
    since: float = 0.0
    worked: float = 0.0
    done: int = 0

    def give(self, seed: int) -> None:
        self.seed, self.since, self.worked = seed, time.monotonic(), self._work()
        self.pipe.send(seed)

    def hangs(self, patience: float) -> bool:
        """Whether it works on its program for too long; on a busy machine, waiting is no work."""
        waited = time.monotonic() - self.since
        return waited > 8 * patience or waited > patience and self._work() - self.worked > patience / 2

    def _work(self) -> float:
        """Seconds that the process was running."""
        try:
            words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return time.monotonic()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

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
        crew = [worker for worker in crew if _given(worker, seeds)]
        while crew and time.monotonic() < until:
            ready = wait([worker.pipe for worker in crew], timeout=1.0)
            for worker in list(crew):
                report = _answer(worker, worker.pipe in ready, device)
                if report is not None:
                    yield report
                    _go_on(crew, worker, seeds, device)
    finally:
        for worker in crew:
            worker.end()


def _given(worker: Worker, seeds: Iterator[int]) -> bool:
    """Give a process its next seed; without one it ends."""
    seed = next(seeds, None)
    if seed is None:
        worker.end()
        return False
    worker.give(seed)
    return True


def _go_on(crew: list[Worker], worker: Worker, seeds: Iterator[int], device: str) -> None:
    """The next seed for a process, or for a new one in its place."""
    place = crew.index(worker)
    if worker.seed == GONE or worker.done >= LIFE:
        worker.end()
        crew[place] = worker = start(device)
    if not _given(worker, seeds):
        del crew[place]


def _answer(worker: Worker, ready: bool, device: str) -> Report | None:
    if ready:
        try:
            report: Report = worker.pipe.recv()
            worker.done += 1
            return report
        except (EOFError, OSError):
            worker.process.join()
            verdict = Verdict("crash", f"the process ended with {worker.process.exitcode}")
    elif worker.hangs(PATIENCE.get(device, 60.0)):
        verdict = Verdict("hang", "no answer")
    else:
        return None
    report, worker.seed = Report(worker.seed, verdict), GONE
    return report
