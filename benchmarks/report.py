"""`python -m benchmarks.report`: the raw figures as tables.

All of them go to `records/cpu.md`, and the few that users want to know to `docs/benchmarks.md`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks import pages, tables
from benchmarks.programs import PROGRAMS

ROOT = Path(__file__).parent.parent
RECORD = ROOT / "benchmarks" / "records" / "cpu.md"
PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- figures of a processor -->", "<!-- end of these figures -->"
RESULTS = ROOT / "benchmarks" / "results"

TITLES = {name: f"{program.title[0].upper()}{program.title[1:]}" for name, program in PROGRAMS.items()}

HEAD = """# All figures of one run

Made by `{command}` on {date}: {processor}, {cores} cores, {system}; Python {python}, {packages}; {compilers}.
The machine may be shared, so only ratios from one run mean something, not the absolute times.

**Method.** Every program exists four times: plain Python loops for Weft, the same with `prange` for Numba
(`parallel=True`), whole-array NumPy, and hand-written C with threads (`benchmarks/c`, flags `{flags}`; of gcc and clang
the faster counts). All get the same seeded inputs. Before anything is timed the answers are compared: with CPython up
to 1024 elements, with each other above, bit for bit where the program has no re-associated sum and no transcendental
function. Then all are called in interleaved rounds, with pauses, until the coefficient of variation of the last 20
times is at most 2 % for all of them, or a cap is reached (a tilde marks those); this is done twice with fresh arrays,
once under `--budget` or `--quick`. All arrays begin at a line of the cache.

Times are means with the half width of Student's 99 % interval. Ratios are medians over paired rounds; above 1 Weft is
faster; in brackets where the 99 % intervals overlap, so that the two do not differ. "Kernel" is the time inside the C
function or the compiled program; the rest of a call is the way from Python into it. "Tuned C" goes beyond the loop nest
as it is written: the matrix product in tiles. The size is the number of elements or innermost iterations. The programs
use NumPy's scalar functions (`np.sqrt`), which like those of C give NaN where `math.sqrt` raises.
"""


def write(source: Path | None = None, record: Path = RECORD, page: Path = PAGE) -> Path:
    """Write the record of a run, and the part of the manual's page that is about the processor."""
    figures = json.loads((source or RESULTS / "cpu.json").read_text())
    text = "\n".join(sections(figures))
    gpu = RESULTS / "cuda.json"
    if gpu.exists():
        text += "\n" + "\n".join(gpu_sections(json.loads(gpu.read_text())))
    record.parent.mkdir(parents=True, exist_ok=True)
    record.write_text(text + "\n")
    page.write_text(pages.replaced(page.read_text(), BEGIN, END, list(summary(figures))))
    return record


def summary(figures: Mapping[str, Any]) -> Iterator[str]:
    """Give what a user wants to know of a run: by how much Weft is faster than others, on which machine."""
    machine = figures["machine"]
    yield f"`{machine['command']}` on {machine['date']}: {machine['processor']}, {machine['cores']} cores.\n"
    yield tables.markdown(tables.SUMMARY_HEAD, tables.summary_rows(figures.get("steady", []), TITLES))


def has_cpu_figures() -> bool:
    """Say whether the figures of the processor were measured already."""
    return (RESULTS / "cpu.json").exists()


def _head(machine: Mapping[str, Any]) -> str:
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
    return HEAD.format(**{**machine, "packages": packages, "compilers": ", ".join(machine["compilers"].values())})


def sections(figures: Mapping[str, Any]) -> Iterator[str]:
    """Give the parts of the page that are about the CPU."""
    yield _head(figures["machine"])
    yield from (f"Note: {note}.\n" for note in figures["notes"])
    yield "## Goals\n\nOver all calls that take 1 ms or more.\n"
    yield tables.markdown(tables.GOALS_HEAD, tables.goals_rows(figures.get("steady", []))) + "\n"
    yield "## Steady state\n"
    for name in PROGRAMS:
        mine = [one for one in figures.get("steady", []) if one["program"] == name]
        if mine:
            yield f"### {TITLES[name]}\n"
            yield tables.markdown(tables.STEADY_HEAD, tables.steady_rows(mine)) + "\n"
            yield from _complaints(mine)
    if figures.get("startup"):
        yield "## Start-up\n\nThe first call in a fresh process, imports not counted, 2^16 elements.\n"
        yield tables.markdown(tables.STARTUP_HEAD, tables.startup_rows(figures["startup"])) + "\n"
    if figures.get("latency"):
        yield "## Latencies\n\nThe goals are for the medians.\n"
        yield tables.markdown(tables.LATENCY_HEAD, tables.latency_rows(figures["latency"])) + "\n"
    if figures.get("ablation"):
        yield from _ablation(figures["ablation"])


def _ablation(figures: tables.Figures) -> Iterator[str]:
    yield "## Each optimisation alone off\n"
    yield "Time without it / time with all of them; a dot where the 99 % interval contains 1. Size 2^20.\n"
    head, rows = tables.ablation_rows(figures)
    # Programs go down the page: there are more of them than optimisations fit across.
    turned = [list(row) for row in zip(*([head, *rows]))]
    yield tables.markdown(["program", *turned[0][1:]], turned[1:]) + "\n"


def _complaints(figures: tables.Figures) -> Iterator[str]:
    """Name what was refused, wrong or left out."""
    seen = dict.fromkeys(
        f"* {one['implementation']} at {tables.power(one['size'])}: {one['status']}, {one['message'].splitlines()[0]}"
        for one in figures
        if one["status"] != "measured"
    )
    if seen:
        yield "\n".join(seen) + "\n"


def gpu_sections(figures: Mapping[str, Any]) -> Iterator[str]:
    """Give the part of the page that is about a GPU."""
    machine = figures["machine"]
    yield f"## On a GPU\n\nMade by `{machine['command']}` on {machine['date']}: {machine['device']}.\n"
    yield "Whole call with NumPy arrays (copies included), with arrays that are on the device, and the kernels alone.\n"
    yield tables.markdown(tables.GPU_HEAD, tables.gpu_rows(figures["gpu"])) + "\n"


if __name__ == "__main__":
    print(write(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
