"""The command `python -m benchmarks.compiling`: first calls of ordinary programs on a bare store, beside Numba.

Each figure comes from a process of its own, and the compilers take turns. Two times are told: that of the first call,
and that of the whole process with the imports. Both are CPU seconds with those of child processes, beside seconds by
the clock. Numba compiles each program twice: as it stands, and with ``parallel=True`` and ``prange``; what it refuses,
as most programs of plain Python, has no figures of it. Python's bytecode is on disk, as it is once installed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from math import exp, log
from pathlib import Path

KINDS = ("weft", "numba", "numba-parallel")


def half(name: str) -> str:
    """`seen` or `unseen`, by the hash of a name."""
    return ("seen", "unseen")[hashlib.sha256(name.encode()).digest()[0] % 2]


def cpu_seconds() -> float:
    """What this process and its children took of the processor so far."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def one(name: str) -> None:
    """Measure in this process; print CPU seconds and seconds of the first call, then CPU seconds of it all."""
    from benchmarks.compiling.everyday import PROGRAMS

    function, arguments = PROGRAMS[name]
    values = arguments()
    cpu, clock = cpu_seconds(), time.perf_counter()
    function(*values)
    print(json.dumps([cpu_seconds() - cpu, time.perf_counter() - clock, cpu_seconds()]))


def child(kind: str, name: str) -> list[float] | None:
    """The figures of a fresh process with an empty store; None where Numba refuses the program."""
    with tempfile.TemporaryDirectory() as store:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment = {**kept, "COMPILER": kind, "WEFT_CACHE_DIR": store, "NUMBA_CACHE_DIR": store}
        command = [sys.executable, "-m", "benchmarks.compiling", "--one", name]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode and kind != "weft" and "numba" in done.stderr:
        return None
    if done.returncode:
        sys.exit(f"{name}, {kind}: {done.stderr}")
    figures: list[float] = json.loads(done.stdout)
    return figures


def measured(names: Iterable[str], kinds: tuple[str, ...], runs: int) -> Iterator[tuple[str, dict[str, list[float]]]]:
    """The least figures of each program, by compiler."""
    for name in names:
        found: dict[str, list[list[float]]] = {kind: [] for kind in kinds}
        for _ in range(runs):
            for kind in tuple(found):
                figures = child(kind, name)
                if figures is None:
                    del found[kind]
                else:
                    found[kind].append(figures)
        yield name, {kind: [min(column) for column in zip(*rows, strict=True)] for kind, rows in found.items()}


def mean(values: list[float]) -> float:
    """The geometric mean."""
    return exp(sum(map(log, values)) / len(values))


def main() -> None:
    """Print a line for each program, and geometric means of each half."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compiling", description=__doc__)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--half", choices=["seen", "unseen"])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.one:
        one(options.one)
        return
    os.environ["COMPILER"] = "weft"
    from benchmarks.compiling.everyday import PROGRAMS

    names = [k for k in options.programs or PROGRAMS if options.half in (None, half(k))]
    records = {}
    for name, figures in measured(names, tuple(options.kinds), options.runs):
        records[name] = figures
        columns = "  ".join(f"{k}: {v[0]:5.2f} {v[1]:5.2f} {v[2]:5.2f}" for k, v in figures.items())
        print(f"{name:20} {half(name):7} {columns}", flush=True)
    for kind in options.kinds[1:]:
        for part in ("seen", "unseen"):
            for place, what in enumerate(("CPU", "clock", "process")):
                both = [f for k, f in records.items() if half(k) == part and kind in f]
                ratios = [f["weft"][place] / f[kind][place] for f in both]
                if ratios:
                    print(f"weft / {kind}, {part}, {what}: {mean(ratios):.2f}, worst {max(ratios):.2f}")
    if options.json:
        options.json.write_text(json.dumps(records, indent=1))


if __name__ == "__main__":
    main()
