"""The command `python -m benchmarks.gpu_counters`: what `explain` predicts of memory against the hardware's counters.

Every program of `benchmarks.gpu_kernels` runs once under NVIDIA's profiler, `ncu`. The driver has to let it read the
counters. Beside each figure that was counted stands what `explain` said for the same arguments.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

import weft
from benchmarks.gpu_cases import CASES
from benchmarks.gpu_kernels import Device, filled
from weft.cost.memory.classes import SECTOR, AccessClass
from weft.report.kernels import KernelReport

TRAFFIC = "l1tex__t_sectors_pipe_lsu_mem_"
SHARED, SHARED_AT_BEST = "memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal"
"""Steps of requests to shared memory, by instruction, and those without conflicts: the counters of conflicts themselves
have what waits for others, too (0.6 million for a histogram whose updates want one bank each)."""
STEPS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
FACTORS = {SHARED_AT_BEST: -1}
"""Conflicts are the steps that there would not be without them."""
BY_INSTRUCTION = "memory_l2_theoretical_sectors_global"
ASKING = "STRONG.GPU"
"""Sectors of requests are counted by instruction, too. Loads that have to see what other blocks store are those with
which blocks wait for one another. How many there are follows from the time that they wait, so they are counted apart.
"""
LOADED, ASKED = "sectors loaded by instruction", "sectors asked of other blocks"
COLUMN = "L2 Theoretical Sectors Global"
BYPASSED, BYPASS, THREADS = "sectors that bypass the cache", "BYPASS", "Predicated-On Thread Instructions Executed"
"""Copies to shared memory are among the loads, also those that bypass the first-level cache. By instruction these are
counted by the threads that make them, 16 bytes each: the profiler says nothing of their sectors."""
CONFLICTS = "bank conflicts"
MEMORY = "bytes of memory"
SPILLS = "spills"
METRICS: Mapping[str, tuple[str, ...]] = {
    "sectors loaded": (TRAFFIC + "global_op_ld",),
    "sectors stored": (TRAFFIC + "global_op_st",),
    "sectors updated": (TRAFFIC + "global_op_red", TRAFFIC + "global_op_atom"),
    "sectors read from L2": ("l1tex__m_xbar2l1tex_read_sectors",),
    "sectors written to L2": tuple(f"lts__t_sectors_srcunit_tex_op_{kind}" for kind in ("write", "red", "atom")),
    MEMORY: ("dram__bytes_read", "dram__bytes_write"),
    CONFLICTS: (SHARED, SHARED_AT_BEST),
    SPILLS: (TRAFFIC + "local_op_ld", TRAFFIC + "local_op_st"),
}
"""What is compared, and the counters of which it is the sum. What multiprocessors get from the second-level cache is
counted where it arrives: the cache itself is asked once for what several of them want at the same time."""
WITH_ASKING = "sectors loaded", "sectors read from L2"
AT_ONCE = METRICS["sectors loaded"] + METRICS["sectors read from L2"]
"""Counters in which sectors that blocks asked of others are. Every run of a kernel has other ones, so both are counted
once more, in one run."""
WITHIN = {what: 0.1 for what in METRICS} | {CONFLICTS: 0.2, SPILLS: 0.0}
"""By what part predictions may be off."""
LITTLE = 0.01
"""The part of all traffic of a kind that a difference may be as well: a kernel that reads much may write a little more
than is predicted."""
NOISE = 2**14
"""Bytes of memory that any kernel reads besides: its code and its arguments."""
_STEPS = tuple(STEPS + kind for kind in ("ld", "st", "atom", "ldgsts"))
_REQUESTS = METRICS["sectors loaded"] + METRICS["sectors stored"] + METRICS["sectors updated"]
_L2 = METRICS["sectors read from L2"] + METRICS["sectors written to L2"]
ALL_TRAFFIC: Mapping[str, tuple[str, ...]] = {
    "sectors loaded": _REQUESTS,
    "sectors stored": _REQUESTS,
    "sectors updated": _REQUESTS,
    "sectors read from L2": _L2,
    "sectors written to L2": _L2,
    CONFLICTS: _STEPS + METRICS["sectors loaded"],
}
DIRTY = 3
"""The part of the second-level cache that holds results when a kernel ends, which memory has not got yet: a third on an
H200, as counted for results of 64 MiB to 1 GiB."""


@dataclass(frozen=True)
class Comparison:
    """A figure of a kernel as it was predicted and as it was counted, and the `whole` of which it is a part."""

    case: str
    kernel: str
    what: str
    predicted: float
    counted: float
    whole: float

    @property
    def error(self) -> float:
        """By what part of the counted figure the prediction is off."""
        return (self.predicted - self.counted) / self.counted if self.counted else float(self.predicted > 0)

    @property
    def is_near(self) -> bool:
        """Whether the prediction is good enough, or the difference little of all traffic of that kind.

        The compiler says how many bytes it spills, not how often: there are spills or there are none.
        """
        if self.what == SPILLS:
            return (self.predicted > 0) == (self.counted > 0)
        apart, noise = abs(self.predicted - self.counted), NOISE if self.what == MEMORY else 0
        return abs(self.error) <= WITHIN[self.what] or apart < max(LITTLE * self.whole, noise)


class Unreadable(Exception):
    """The profiler cannot read the counters; says why."""


def predictions(report: KernelReport, cache: int, kept: float = 1.0) -> dict[str, float]:
    """What `explain` says of a kernel, by the names of `METRICS`, on a GPU with a `cache` of so many bytes.

    Where it says how much there is at most, that is for a kernel that keeps everything; this one keeps a part.
    """
    accesses = [_part_of(a, kept) if a.at_most else a for a in report.accesses]
    loads, stores, updates = ([a for a in accesses if a.mode == mode] for mode in ("load", "store", "update"))
    needs, written = report.resources, sum(a.dram for a in (*stores, *updates))
    return {
        "sectors loaded": sum(a.l1 for a in loads) / SECTOR,
        "sectors stored": sum(a.l1 for a in stores) / SECTOR,
        "sectors updated": sum(a.l1 for a in updates) / SECTOR,
        "sectors read from L2": sum(a.l2 for a in loads) / SECTOR,
        "sectors written to L2": sum(a.l2 for a in (*stores, *updates)) / SECTOR,
        MEMORY: sum(a.dram for a in (*loads, *updates)) + max(written - cache / DIRTY, 0),
        CONFLICTS: report.shared.keeping(kept).conflicts,
        "spills": float(needs.spill_loads + needs.spill_stores) if needs else 0.0,
    }


def _part_of(access: AccessClass, part: float) -> AccessClass:
    return replace(access, l1=access.l1 * part, l2=access.l2 * part, dram=access.dram * part)


def next_case(mark: Any) -> None:
    """A kernel whose launches tell cases apart."""
    for i in range(len(mark)):
        mark[i] = 0.0


def run(names: Sequence[str], output: Path) -> None:
    """Call each program once, after a mark, and write down what is predicted: this is what runs under the profiler."""
    device = Device()
    mark, marked = device.array(np.zeros(32, np.float32)), weft.jit(next_case, device="cuda", libraries=False)
    attribute = device.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
    cache = device.clock.check(device.driver.cuDeviceGetAttribute(attribute, device.clock.device))
    found = []
    for case in CASES:
        if case.name in names:
            arrays = filled(device, case)
            function = weft.jit(case.function, device="cuda", libraries=False, fastmath=case.fastmath)
            kernels = weft.explain(function, *(case.arrays(False) if case.arrays else arrays)).kernels
            found.append((case.name, {report.name: predictions(report, cache, case.kept) for report in kernels}))
            marked(mark)
            function(*arrays)
            device.clock.synchronise()
            for array in arrays:
                device.free(array)
    output.write_text(json.dumps(found), encoding="utf-8")


Figures: TypeAlias = dict[str, float]


@cache
def _known_counters() -> frozenset[str]:
    """The counters that the profiler knows on this GPU."""
    listed = subprocess.run(["ncu", "--query-metrics"], capture_output=True, text=True, check=True).stdout
    return frozenset(line.split()[0] for line in listed.splitlines() if line.strip())


def count(names: Sequence[str]) -> tuple[list[tuple[str, dict[str, Figures]]], list[tuple[str, Figures]]]:
    """Run programs under the profiler: what is predicted by kernel for each case, and what was counted by launch."""
    if shutil.which("ncu") is None:
        raise Unreadable("ncu, NVIDIA's profiler, is not installed")
    wanted = {counter for each in (*METRICS.values(), *ALL_TRAFFIC.values()) for counter in each}
    plain = {SHARED, SHARED_AT_BEST}
    hardware = [f"{counter}.sum" for counter in sorted(wanted & _known_counters() - plain)]
    with tempfile.TemporaryDirectory() as folder:
        output, report = Path(folder) / "predicted.json", str(Path(folder) / "counted.ncu-rep")
        metrics = [*sorted(plain), BY_INSTRUCTION, *hardware]
        printed = _profiled(names, output, report, metrics, "--section", "SourceCounters")
        predicted = json.loads(output.read_text(encoding="utf-8"))
        shown, source = (_shown(report, *options) for options in ((), ("--page", "source")))
        launches = counted_in(shown)
        if not launches:
            raise Unreadable(f"ncu counted nothing: {printed}")
        for (_, figures), loaded in zip(launches, loaded_in(source), strict=True):
            figures.update(zip((LOADED, ASKED, BYPASSED), loaded, strict=True))
        if any(figures[ASKED] for _, figures in launches):
            _profiled(names, output, report, [f"{counter}.sum" for counter in AT_ONCE])
            for (_, figures), (_, again) in zip(launches, counted_in(_shown(report)), strict=True):
                figures.update({counter: again[counter] for counter in AT_ONCE if counter in again})
    return predicted, launches


def _profiled(names: Sequence[str], output: Path, report: str, metrics: Sequence[str], *options: str) -> str:
    """Write a report of what the profiler counts while programs run; gives what it prints."""
    command = [
        "ncu", "-f", "-o", report, "--clock-control", "none", *options, "--metrics", ",".join(metrics),
        sys.executable, "-m", "benchmarks.gpu_counters", "--run", str(output), *names,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or "ERR_NVGPUCTRPERM" in done.stdout + done.stderr:
        raise Unreadable(f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return f"{done.stdout[-2000:]}{done.stderr[-2000:]}"


def _shown(report: str, *options: str) -> list[str]:
    """What the profiler prints of what it counted."""
    command = ["ncu", "--import", report, "--csv", "--print-units", "base", *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def loaded_in(lines: Iterable[str]) -> list[tuple[float, float, float]]:
    """Sectors of the loads of each launch by instruction: of those that read arrays, that ask other blocks, and that go
    past the first-level cache to shared memory.
    """
    found: list[tuple[float, float, float]] = []
    head: list[str] = []
    for row in csv.reader(lines):
        if row[:1] == ["Kernel Name"]:
            found.append((0.0, 0.0, 0.0))
        elif row[1:2] == ["Source"]:
            head = row
        elif found and len(row) == len(head) and "LDG" in row[1]:
            told = dict(zip(head, row, strict=True))
            sectors, threads = _number(told.get(COLUMN)), _number(told.get(THREADS))
            loaded, asked, copied = found[-1]
            if BYPASS in row[1]:
                found[-1] = (loaded, asked, copied + threads * 16 / SECTOR)
            elif ASKING in row[1]:
                found[-1] = (loaded, asked + sectors, copied)
            else:
                found[-1] = (loaded + sectors, asked, copied)
    return found


def counted_in(lines: Iterable[str]) -> list[tuple[str, Figures]]:
    """The kernel and the counters of each launch in what the profiler printed; and how many `blocks` it had."""
    found: dict[str, tuple[str, Figures]] = {}
    for row in csv.DictReader(line for line in lines if line.startswith('"')):
        _, figures = found.setdefault(row["ID"], (row["Kernel Name"].partition("(")[0], {}))
        figures["blocks"] = float(prod(int(extent) for extent in re.findall(r"\d+", row["Grid Size"])))
        figures[row["Metric Name"].removesuffix(".sum")] = _number(row["Metric Value"])
    return list(found.values())


def _number(text: str | None) -> float:
    """A number as the profiler writes it; 0 for what is none."""
    try:
        return float((text or "").replace(",", ""))
    except ValueError:
        return 0.0


def first_launches(
    predicted: Sequence[tuple[str, Mapping[str, Figures]]], launches: Iterable[tuple[str, Figures]]
) -> Iterator[tuple[str, str, Figures]]:
    """The case, the kernel and the counters of the first launch of each kernel of each case, between their marks."""
    case, seen = -1, set[str]()
    for kernel, figures in launches:
        if kernel.startswith(next_case.__name__):
            case, seen = case + 1, set()
        elif case >= 0 and kernel in predicted[case][1] and kernel not in seen:
            seen.add(kernel)
            yield predicted[case][0], kernel, figures


def comparisons(names: Sequence[str]) -> Iterator[Comparison]:
    """Compare what is predicted and counted for some cases."""
    predicted, launches = count(names)
    by_case = dict(predicted)
    for case, kernel, figures in first_launches(predicted, launches):
        for what, counters in METRICS.items():
            figure = by_case[case][kernel][what] * (figures["blocks"] if what == CONFLICTS else 1)
            counted, whole = _sum(figures, counters), _sum(figures, ALL_TRAFFIC.get(what, counters))
            if what in WITH_ASKING:
                counted -= asked(figures)
            yield Comparison(case, kernel, what, figure, counted, whole)


def asked(figures: Mapping[str, float]) -> float:
    """Sectors with which blocks asked others while the loads were counted: all but those that read arrays.

    The profiler runs a kernel several times, and each time blocks wait for as long as they do: see `AT_ONCE`.
    """
    if not figures.get(ASKED):
        return 0.0
    return max(figures.get(TRAFFIC + "global_op_ld", 0.0) - figures[LOADED] - figures.get(BYPASSED, 0.0), 0.0)


def _sum(figures: Figures, counters: Iterable[str]) -> float:
    return sum(FACTORS.get(counter, 1) * figures.get(counter, 0.0) for counter in counters)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table of all kernels."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_counters", description=__doc__)
    parser.add_argument("--run", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", default=[], help="cases; all by default")
    options = parser.parse_args(arguments)
    if options.run:
        run(options.names, options.run)
        return 0
    names = [case.name for case in CASES if not options.names or any(name in case.name for name in options.names)]
    try:
        for c in comparisons(names):
            if c.predicted or c.counted:
                print(f"{c.case:24} {c.kernel:20} {c.what:22} {c.predicted:14.0f} {c.counted:14.0f}", end=" ")
                print(f"{100 * c.error:+8.1f} %{'' if c.is_near else ' *'}")
    except Unreadable as problem:
        print(problem)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
