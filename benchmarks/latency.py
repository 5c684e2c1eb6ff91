"""Latencies: importing, the first call, a warm store, a small call, and what checked indices cost."""

from __future__ import annotations

import importlib
import json
import math
import os
import pkgutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import startup
from benchmarks.implementations import HandWrittenC, Weft, alternative, numba_problem, weft_problem
from benchmarks.programs import PROGRAMS
from weft.machine import timing
from weft.machine.timing import Policy

FIRST_CALL_SIZE = 1024


@dataclass(frozen=True)
class Latency:
    """One figure with what it should be at most; `unit` is s, ms, us or a ratio."""

    name: str
    unit: str
    sample: tuple[float, ...]
    at_most: float = math.nan
    message: str = ""

    @property
    def median(self) -> float:
        """The median; NaN where nothing could be measured."""
        return timing.median(self.sample) if self.sample else math.nan

    def to_json(self) -> dict[str, Any]:
        """Give a dictionary with five digits a number."""
        return {
            "name": self.name,
            "unit": self.unit,
            "sample": [float(f"{value:.5g}") for value in self.sample],
            "at_most": None if math.isnan(self.at_most) else self.at_most,
            "message": self.message,
        }


def measure_all(runs: int, cap: float, jobs: int = 1, every: int = 1) -> Iterator[Latency]:
    """Measure all latencies, in `runs` fresh processes each, or `cap` seconds in this one.

    Parameters
    ----------
    jobs : int
        How many processes measure first calls at once.
    every : int
        Of the acceptance programs, first calls of every so manieth.
    """
    if problem := weft_problem():
        yield Latency("all of Weft's", "s", (), message=problem)
        return
    yield Latency("import numpy", "ms", tuple(_imports("numpy", runs)))
    yield Latency("import weft", "ms", tuple(_imports("weft", runs)), 150.0)
    yield Latency("import weft and the decorator, numpy included", "ms", tuple(_imports("weft; weft.jit", runs)))
    sets = [("weft-acceptance", 0.35, every), ("weft", 0.35, 1)]
    if not numba_problem():
        sets.append(("numba", math.nan, 1))
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda one: first_calls(*one), sets)
    yield warm_store(runs, jobs)
    yield from small_calls(cap)
    yield from checked_indices(cap)


def _python(code: str, environment: dict[str, str] | None = None) -> str:
    """Run a few lines in a fresh process and give the last line that they print."""
    root = Path(__file__).parent.parent
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=root, env={**os.environ, **(environment or {})}
    )
    return done.stdout.splitlines()[-1]


def _imports(module: str, runs: int) -> Iterator[float]:
    """Give the milliseconds of an import and what follows it in fresh processes, with bytecode as installers leave it.

    The first process makes the bytecode and fills the disk cache; it does not count.
    """
    code = f"import time; t = time.perf_counter(); import {module}; print(1e3 * (time.perf_counter() - t))"
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}
        times = [float(_python(code, environment)) for _ in range(runs + 1)]
    yield from times[1:]


def first_calls(what: str, at_most: float = math.nan, every: int = 1) -> Latency:
    """First call of the programs of a set, in one process with nothing stored."""
    name = f"first call, {FIRST_CALLS[what]}" + (f", one of {every}" if every > 1 else "")
    call = f"latency.time_first_calls({what!r}, {every})"
    code = f"import json; from benchmarks import latency; print(json.dumps({call}))"
    with tempfile.TemporaryDirectory() as empty:
        try:
            times, refused = json.loads(_python(code, {"WEFT_CACHE_DIR": empty, "NUMBA_CACHE_DIR": empty}))
        except subprocess.CalledProcessError as problem:
            return Latency(name, "s", (), at_most, problem.stderr.strip().splitlines()[-1])
    return Latency(name + (f" ({refused} refused)" if refused else ""), "s", tuple(times), at_most)


FIRST_CALLS = {
    "weft-acceptance": "Weft, the programs of tests/acceptance",
    "weft": "Weft, the programs of this page",
    "numba": "Numba, the programs of this page",
}


def time_first_calls(what: str, every: int = 1) -> tuple[list[float], int]:
    """Give the seconds of the first call of each program, and how many were refused; for the fresh process."""
    times, refused = [], 0
    for function, arguments in islice(_functions(what), 0, None, every):
        try:
            times.append(_time_first_call(function, arguments))
        except Exception:  # a program that the compiler cannot take has no first call
            refused += 1
    return times, refused


def _time_first_call(function: Callable[..., object], arguments: Sequence[Any]) -> float:
    started = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - started


def _functions(what: str) -> Iterator[tuple[Callable[..., object], Sequence[Any]]]:
    """Give the compiled functions of a set, not called yet, with arguments."""
    compiler = importlib.import_module(what.partition("-")[0])
    if what == "weft-acceptance":
        for program in _acceptance_programs():
            function, case = program.bind(program.cases()[0])
            yield compiler.jit(function), case
        return
    for program in PROGRAMS.values():
        function = compiler.jit(program.loops) if what == "weft" else compiler.njit(parallel=True)(program.numba)
        yield function, program.inputs(FIRST_CALL_SIZE)


def _acceptance_programs() -> list[Any]:
    """Give the acceptance programs that are expected to run without an exception."""
    package = importlib.import_module("tests.acceptance.programs")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    registry = importlib.import_module("tests.acceptance.registry")
    return [program for program in registry.PROGRAMS.values() if program.raises is None]


def warm_store(runs: int, jobs: int = 1) -> Latency:
    """First call in a new process when another one has compiled before; the median program of each run."""
    name, sample = "first call in a new process, warm store", []
    for outcome in startup.measure_all(list(PROGRAMS), FIRST_CALL_SIZE, ["weft-warm"], max(runs // 8, 2), jobs):
        if outcome.message:
            return Latency(name, "ms", (), 40.0, f"{outcome.program}: {outcome.message}")
        sample.append(1e3 * timing.median(outcome.first_call))
    return Latency(name, "ms", tuple(sample), 40.0)


def small_calls(cap: float) -> Iterator[Latency]:
    """Call a compiled function with three small arrays."""
    weft = importlib.import_module("weft")
    program = PROGRAMS["vector_add"]
    a, b, r = program.inputs(8)
    kinds: dict[str, tuple[Callable[..., object], float]] = {"weft": (weft.jit(program.loops), 8.0)}
    if not numba_problem():
        numba = importlib.import_module("numba")
        kinds["numba, sequential"] = (numba.njit(program.loops), math.nan)
    kinds["numpy"] = (program.numpy, math.nan) if program.numpy else (program.loops, math.nan)
    calls = {name: timing.Alternative(lambda f=function: f(a, b, r)) for name, (function, _) in kinds.items()}
    for name, result in timing.measure_interleaved(calls, Policy(cap=cap)).items():
        sample = tuple(1e6 * value for value in result.sample)
        yield Latency(f"call with three small arrays, {name}", "us", sample, kinds[name][1])


def checked_indices(cap: float) -> Iterator[Latency]:
    """Compare the checked indirect read with C that does not check, at three sizes."""
    program = PROGRAMS["gather"]
    compilers = [HandWrittenC("gcc"), HandWrittenC("clang")]
    for size in (1 << 14, 1 << 18, 1 << 22):
        calls = {}
        for implementation in (*compilers, Weft()):
            try:
                call = implementation.prepare(program, program.inputs(size))
            except FileNotFoundError:
                continue
            assert call is not None
            calls[implementation.name] = alternative(implementation, call, program)
        times = {name: result.sample for name, result in timing.measure_interleaved(calls, Policy(cap=cap)).items()}
        fastest = min((name for name in times if name != "weft"), key=lambda name: np.median(times[name]))
        ratios = tuple(mine / other for mine, other in zip(times["weft"], times[fastest]))
        yield Latency(f"checked indirect read, {size} elements, time to unchecked C", "ratio", ratios, 1.10)
