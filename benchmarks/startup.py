"""Start-up: the first call of a program in a fresh process, many times.

As a module it is the fresh process: `python -m benchmarks.startup IMPLEMENTATION PROGRAM SIZE` prints two numbers, the
seconds to load the implementation and the seconds of the first call.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KINDS = {
    "c": "hand-written C, shared object built before",
    "numpy": "NumPy",
    "numba": "Numba, nothing stored",
    "numba-warm": "Numba, with its cache on disk",
    "weft": "Weft, nothing stored",
    "weft-warm": "Weft, with its store on disk",
}


@dataclass(frozen=True)
class StartUp:
    """Seconds from fresh processes."""

    program: str
    size: int
    kind: str
    load: tuple[float, ...]
    first_call: tuple[float, ...]
    message: str = ""

    def to_json(self) -> dict[str, Any]:
        """Give a dictionary with five digits a number."""
        times = {name: [float(f"{value:.5g}") for value in getattr(self, name)] for name in ("load", "first_call")}
        return {"program": self.program, "size": self.size, "kind": self.kind, "message": self.message, **times}


def measure(program: str, size: int, kind: str, runs: int) -> StartUp:
    """Start `runs` fresh processes, after one whose result is thrown away."""
    load, first = [], []
    with tempfile.TemporaryDirectory() as kept:
        for run in range(runs + 1):
            with tempfile.TemporaryDirectory() as empty:
                store = kept if kind.endswith("-warm") else empty
                outcome = _child(program, size, kind, store)
            if isinstance(outcome, str):
                return StartUp(program, size, kind, (), (), outcome)
            if run:
                load.append(outcome[0])
                first.append(outcome[1])
    return StartUp(program, size, kind, tuple(load), tuple(first))


def measure_all(
    programs: Sequence[str], size: int, kinds: Sequence[str], runs: int, jobs: int = 1
) -> Iterator[StartUp]:
    """Measure each kind on each program, `jobs` of them at once: first calls are mostly the work of one core."""
    tasks = [(program, size, kind, runs) for program in programs for kind in kinds]
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda task: measure(*task), tasks)


def _child(program: str, size: int, kind: str, store: str) -> tuple[float, float] | str:
    """Run one fresh process; give its two times, or the last line of its complaint."""
    environment = {**os.environ, "WEFT_CACHE_DIR": store, "NUMBA_CACHE_DIR": store}
    command = [sys.executable, "-m", "benchmarks.startup", kind, program, str(size)]
    root = Path(__file__).parent.parent
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=root, check=False)
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["no message"])[-1]
    load, first = json.loads(done.stdout.splitlines()[-1])
    return load, first


def main(kind: str, name: str, size: int) -> None:
    """Be the fresh process."""
    import numpy  # noqa: F401 (its import belongs to nobody's time)

    started = time.perf_counter()
    _import(kind)
    imported = time.perf_counter()
    arguments = _program(name).inputs(size)
    call = _prepare(kind, name)
    ready = time.perf_counter()
    call(*arguments)
    finished = time.perf_counter()
    print(json.dumps([imported - started, finished - ready]))


def _import(kind: str) -> None:
    """Import the implementation. Numba is kept out of the processes of the others: the programs would import it."""
    if kind.startswith("numba"):
        import numba  # noqa: F401

        return
    sys.modules["numba"] = None  # type: ignore[assignment]
    if kind.startswith("weft"):
        import weft  # noqa: F401


def _program(name: str) -> Any:
    from benchmarks.programs import PROGRAMS

    return PROGRAMS[name]


def _prepare(kind: str, name: str) -> Any:
    """Give the function as a user has it before the first call."""
    program = _program(name)
    if kind == "c":
        from benchmarks import native

        compiler = native.available()[0]
        native.library(compiler)
        return lambda *arguments: native.bind(program, compiler, arguments)()
    if kind == "numpy":
        return program.numpy or sys.exit("NumPy has no such program")
    if kind.startswith("numba"):
        import numba

        return numba.njit(parallel=True, cache=kind.endswith("warm"))(program.numba)
    import weft

    return weft.jit(program.loops, device="cpu")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
