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
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path
from typing import TypeAlias

import weft
from benchmarks.gpu_cases import CASES
from benchmarks.gpu_kernels import Device, filled
from weft.report.kernels import KernelReport
from weft.schedule.classes import SECTOR

TRAFFIC = "l1tex__t_sectors_pipe_lsu_mem_"
SHARED, SHARED_AT_BEST = "memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal"
"""Steps of requests to shared memory, by instruction, and those without conflicts: the counters of conflicts themselves
have what waits for others, too (0.6 million for a histogram whose updates want one bank each)."""
STEPS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
BYPASS = "smsp__inst_executed_op_ldgsts_cache_bypass"
FACTORS = {BYPASS: 16, SHARED_AT_BEST: -1}
"""Copies that bypass the first-level cache are counted by instruction: 32 threads ask for 16 bytes each. Those that go
through it are among the loads. Conflicts are the steps that there would not be without them."""
CONFLICTS = "bank conflicts"
MEMORY = "bytes of memory"
SPILLS = "spills"
METRICS: Mapping[str, tuple[str, ...]] = {
    "sectors loaded": (TRAFFIC + "global_op_ld", BYPASS),
    "sectors stored": (TRAFFIC + "global_op_st",),
    "sectors updated": (TRAFFIC + "global_op_red", TRAFFIC + "global_op_atom"),
    "sectors read from L2": ("lts__t_sectors_srcunit_tex_op_read",),
    "sectors written to L2": tuple(f"lts__t_sectors_srcunit_tex_op_{kind}" for kind in ("write", "red", "atom")),
    MEMORY: ("dram__bytes_read", "dram__bytes_write"),
    CONFLICTS: (SHARED, SHARED_AT_BEST),
    SPILLS: (TRAFFIC + "local_op_ld", TRAFFIC + "local_op_st"),
}
"""What is compared, and the counters of which it is the sum."""
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


def predictions(report: KernelReport, cache: int) -> dict[str, float]:
    """What `explain` says of a kernel, by the names of `METRICS`, on a GPU with a `cache` of so many bytes."""
    loads, stores, updates = ([a for a in report.accesses if a.mode == mode] for mode in ("load", "store", "update"))
    needs, written = report.resources, sum(a.dram for a in (*stores, *updates))
    return {
        "sectors loaded": sum(a.l1 for a in loads) / SECTOR,
        "sectors stored": sum(a.l1 for a in stores) / SECTOR,
        "sectors updated": sum(a.l1 for a in updates) / SECTOR,
        "sectors read from L2": sum(a.l2 for a in loads) / SECTOR,
        "sectors written to L2": sum(a.l2 for a in (*stores, *updates)) / SECTOR,
        MEMORY: sum(a.dram for a in (*loads, *updates)) + max(written - cache / DIRTY, 0),
        CONFLICTS: report.shared.conflicts,
        "spills": float(needs.spill_loads + needs.spill_stores) if needs else 0.0,
    }


def run(names: Sequence[str], output: Path) -> None:
    """Call each program once, and write down what is predicted: this is what runs under the profiler."""
    device = Device()
    attribute = device.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
    cache = device.clock.check(device.driver.cuDeviceGetAttribute(attribute, device.clock.device))
    found = []
    for case in CASES:
        if case.name in names:
            arrays = filled(device, case)
            function = weft.jit(case.function, device="cuda", libraries=False, fastmath=case.fastmath)
            kernels = weft.explain(function, *arrays).kernels
            found.append((case.name, {report.name: predictions(report, cache) for report in kernels}))
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
    counters = [*sorted(plain), *(f"{counter}.sum" for counter in sorted(wanted & _known_counters() - plain))]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "predicted.json"
        command = [
            "ncu", "--csv", "--print-units", "base", "--clock-control", "none", "--metrics", ",".join(counters),
            sys.executable, "-m", "benchmarks.gpu_counters", "--run", str(output), *names,
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode or "ERR_NVGPUCTRPERM" in done.stdout + done.stderr:
            raise Unreadable(f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
        predicted = json.loads(output.read_text(encoding="utf-8"))
    launches = counted_in(done.stdout.splitlines())
    if not launches:
        raise Unreadable(f"ncu counted nothing: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return predicted, launches


def counted_in(lines: Iterable[str]) -> list[tuple[str, Figures]]:
    """The kernel and the counters of each launch in what the profiler printed; and how many `blocks` it had."""
    found: dict[str, tuple[str, Figures]] = {}
    for row in csv.DictReader(line for line in lines if line.startswith('"')):
        _, figures = found.setdefault(row["ID"], (row["Kernel Name"].partition("(")[0], {}))
        figures["blocks"] = float(prod(int(extent) for extent in re.findall(r"\d+", row["Grid Size"])))
        figures[row["Metric Name"].removesuffix(".sum")] = float(row["Metric Value"].replace(",", ""))
    return list(found.values())


def first_launches(
    predicted: Sequence[tuple[str, Mapping[str, Figures]]], launches: Iterable[tuple[str, Figures]]
) -> Iterator[tuple[str, str, Figures]]:
    """The case, the kernel and the counters of the first launch of each kernel of each case.

    Cases of one program follow one another and have kernels of the same names.
    """
    number, seen = 0, set[str]()
    for kernel, figures in launches:
        ahead = (k for k in range(number, len(predicted)) if kernel in predicted[k][1])
        found = next((k for k in ahead if k > number or kernel not in seen), None)
        if found is None:
            continue
        number, seen = found, ({kernel} if found > number else seen | {kernel})
        yield predicted[number][0], kernel, figures


def comparisons(names: Sequence[str]) -> Iterator[Comparison]:
    """Compare what is predicted and counted for some cases."""
    predicted, launches = count(names)
    by_case = dict(predicted)
    for case, kernel, figures in first_launches(predicted, launches):
        for what, counters in METRICS.items():
            figure = by_case[case][kernel][what] * (figures["blocks"] if what == CONFLICTS else 1)
            counted, whole = _sum(figures, counters), _sum(figures, ALL_TRAFFIC.get(what, counters))
            yield Comparison(case, kernel, what, figure, counted, whole)


def _sum(figures: Figures, counters: Iterable[str]) -> float:
    return sum(FACTORS.get(counter, 1) * figures.get(counter, 0.0) for counter in counters)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table of all kernels."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_counters", description=__doc__)
    parser.add_argument("--run", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", default=[], help="cases; all by default")
    options = parser.parse_args(arguments)
    names = [case.name for case in CASES if not options.names or any(name in case.name for name in options.names)]
    if options.run:
        run(names, options.run)
        return 0
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
