"""The figures as tables: one description of each table, printed by rich or written as Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table

from weft.machine import timing

Figures = Sequence[Mapping[str, Any]]

LONG_CALL = 1e-3
"""The goals hold where a call takes at least this many seconds."""

GOALS = {
    "C": (0.95, "Weft at least 0.95 of hand-written C"),
    "tiled C": (0.95, "matrix product at least 0.95 of hand-tiled C"),
    "Numba": (0.95, "never slower than 0.95 of Numba with parallel=True"),
    "Numba x 4": (4.0, "Black-Scholes and Mandelbrot at least 4 times Numba"),
}

FAR_FROM_NUMBA = ("black_scholes", "mandelbrot")


def seconds(value: float) -> str:
    """Write a time with three digits and its unit."""
    if math.isnan(value):
        return "-"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def power(size: int) -> str:
    """Write a size as a power of two where it is one."""
    return f"2^{size.bit_length() - 1}" if size & (size - 1) == 0 else str(size)


def by_implementation(figures: Figures, size: int) -> dict[str, Mapping[str, Any]]:
    """Give the measured figures of a program at a size; of C only the faster compiler, as `c` and `c-tuned`."""
    measured = {one["implementation"]: one for one in figures if one["size"] == size and one["status"] == "measured"}
    chosen = {name: one for name, one in measured.items() if not name.startswith("c-")}
    for name in ("c", "c-tuned"):
        compilers = [
            measured[f"{name}-{compiler}"] for compiler in ("gcc", "clang") if f"{name}-{compiler}" in measured
        ]
        if compilers:
            chosen[name] = min(compilers, key=lambda one: timing.median(one["times"]))
    return chosen


def ratio(figures: Mapping[str, Mapping[str, Any]], other: str, own: str = "weft") -> timing.Interval | None:
    """Give the interval of time(other) / time(own), from paired rounds: above one means that `own` is faster."""
    if other not in figures or own not in figures:
        return None
    first, second = figures[other]["times"], figures[own]["times"]
    return timing.ratio_interval(first, second) if len(first) == len(second) else None


def ratio_cell(figures: Mapping[str, Mapping[str, Any]], other: str) -> str:
    """Write a ratio; in brackets where the 99 % intervals of the two overlap."""
    found = ratio(figures, other)
    if found is None:
        return "-"
    paired = [a / b for a, b in zip(figures[other]["times"], figures["weft"]["times"])]
    text = f"{timing.median(paired):.2f}"
    both = [timing.interval(figures[name]["times"]) for name in (other, "weft")]
    return text if timing.differ(*both) else f"({text})"


def time_cell(figures: Mapping[str, Mapping[str, Any]], name: str) -> str:
    """Write the mean and the half width of its 99 % interval; a tilde where no steady state was reached."""
    if name not in figures:
        return "-"
    one = figures[name]
    found = timing.interval(one["times"])
    width = f" ±{100 * found.half_width / found.mean:.0f}%" if math.isfinite(found.half_width) else ""
    return f"{'' if one['steady'] else '~'}{seconds(found.mean)}{width}"


def kernel_cell(figures: Mapping[str, Mapping[str, Any]], name: str) -> str:
    """Write the median time inside the kernels."""
    times = figures.get(name, {}).get("kernel_times", [])
    return seconds(timing.median(times)) if times else "-"


STEADY_HEAD = ("size", "C", "kernel", "tuned C", "Numba", "NumPy", "Weft", "kernel", "C/W", "Numba/W", "NumPy/W")


def steady_rows(figures: Figures) -> list[list[str]]:
    """Give a row for each size of one program."""
    rows = []
    for size in sorted({one["size"] for one in figures}):
        chosen = by_implementation(figures, size)
        times = [time_cell(chosen, name) for name in ("c-tuned", "numba", "numpy", "weft")]
        ratios = [ratio_cell(chosen, name) for name in ("c", "numba", "numpy")]
        kernels = [kernel_cell(chosen, name) for name in ("c", "weft")]
        rows.append([power(size), time_cell(chosen, "c"), kernels[0], *times, kernels[1], *ratios])
    return rows


def steady_table(title: str, figures: Figures) -> Table:
    """Give the table of one program, with the complaints below."""
    table = rich_table(title, STEADY_HEAD, steady_rows(figures))
    complaints = {f"{one['implementation']}: {one['message']}" for one in figures if one["status"] == "refused"}
    if complaints:
        table.caption = "\n".join(sorted(complaints))[:600]
        table.caption_justify = "left"
    return table


SUMMARY_HEAD = ("program", "size", "Weft", "beside C", "beside Numba", "beside NumPy")


def summary_rows(figures: Figures, titles: Mapping[str, str]) -> list[list[str]]:
    """Give a row for each program, at the largest size at which Weft and C were measured."""
    rows = []
    for program, title in titles.items():
        mine = [one for one in figures if one["program"] == program]
        both = {size: by_implementation(mine, size) for size in {one["size"] for one in mine}}
        sizes = [size for size, chosen in both.items() if {"weft", "c"} <= chosen.keys()]
        if sizes:
            chosen = both[max(sizes)]
            ratios = [ratio_cell(chosen, name) for name in ("c", "numba", "numpy")]
            rows.append([title, power(max(sizes)), seconds(timing.median(chosen["weft"]["times"])), *ratios])
    return rows


GOALS_HEAD = ("goal", "reached", "of", "worst", "where")


def goals_rows(figures: Figures) -> list[list[str]]:
    """Hold the ratios of all calls of a millisecond or more against the goals."""
    ratios = goal_ratios(figures)
    rows = []
    for name, (at_least, text) in GOALS.items():
        found = ratios[name]
        reached = sum(value >= at_least for value, _ in found)
        worst, where = min(found, default=(math.nan, "-"))
        rows.append([text, str(reached), str(len(found)), f"{worst:.2f}", where])
    return rows


def goal_ratios(figures: Figures) -> dict[str, list[tuple[float, str]]]:
    """Give the ratios that each goal is about, with program and size."""
    found: dict[str, list[tuple[float, str]]] = {name: [] for name in GOALS}
    for program, size in sorted({(one["program"], one["size"]) for one in figures}):
        chosen = by_implementation([one for one in figures if one["program"] == program], size)
        if "weft" not in chosen or timing.median(chosen["weft"]["times"]) < LONG_CALL:
            continue
        for goal, other in _goals_of(program):
            pairs = ratio(chosen, other)
            if pairs is not None:
                values = [a / b for a, b in zip(chosen[other]["times"], chosen["weft"]["times"])]
                found[goal].append((timing.median(values), f"{program} {power(size)}"))
    return found


def _goals_of(program: str) -> Iterable[tuple[str, str]]:
    """Give the goals for a program, each with the implementation it is measured against."""
    yield ("tiled C", "c-tuned") if program.startswith("matmul") else ("C", "c")
    yield "Numba", "numba"
    if program in FAR_FROM_NUMBA:
        yield "Numba x 4", "numba"


def goals_table(figures: Figures) -> Table:
    """Give the table of goals."""
    return rich_table("Goals, over all calls of 1 ms and more", GOALS_HEAD, goals_rows(figures))


STARTUP_HEAD = ("program", "C", "NumPy", "Numba", "Numba, cached", "Weft", "Weft, stored")


def startup_rows(figures: Figures) -> list[list[str]]:
    """Give a row for each program: the first call in a fresh process."""
    rows = []
    for program in dict.fromkeys(one["program"] for one in figures):
        kinds = {one["kind"]: one for one in figures if one["program"] == program}
        cells = [_startup_cell(kinds.get(kind)) for kind in ("c", "numpy", "numba", "numba-warm", "weft", "weft-warm")]
        rows.append([program, *cells])
    return rows


def _startup_cell(one: Mapping[str, Any] | None) -> str:
    if one is None or not one["first_call"]:
        return "-"
    found = timing.interval(one["first_call"])
    return f"{seconds(found.mean)} ±{100 * found.half_width / found.mean:.0f}%"


def startup_table(figures: Figures) -> Table:
    """Give the table of first calls."""
    return rich_table("First call in a fresh process, imports not counted", STARTUP_HEAD, startup_rows(figures))


LATENCY_HEAD = ("what", "median", "90 %", "worst", "at most", "n")


def latency_rows(figures: Figures) -> list[list[str]]:
    """Give a row for each latency."""
    rows = []
    for one in figures:
        sample = sorted(one["sample"])
        goal = "-" if one["at_most"] is None else f"{one['at_most']:g} {one['unit']}"
        if not sample:
            rows.append([f"{one['name']}: {one['message']}", "-", "-", "-", goal, "0"])
            continue
        values = (timing.median(sample), sample[min(int(0.9 * len(sample)), len(sample) - 1)], sample[-1])
        rows.append([one["name"], *(f"{value:.3g} {one['unit']}" for value in values), goal, str(len(sample))])
    return rows


def latency_table(figures: Figures) -> Table:
    """Give the table of latencies."""
    return rich_table("Latencies; the goal is for the median", LATENCY_HEAD, latency_rows(figures))


def ablation_rows(figures: Figures) -> tuple[list[str], list[list[str]]]:
    """Give the head, and a row for each optimisation that changes something: time without it / time with all."""
    programs = list(dict.fromkeys(one["program"] for one in figures))
    rows = []
    for name in dict.fromkeys(one["optimisation"] for one in figures if one["optimisation"]):
        mine = {one["program"]: one for one in figures if one["optimisation"] == name}
        rows.append([name, *(_ablation_cell(mine.get(program)) for program in programs)])
    return ["without", *programs], rows


def _ablation_cell(one: Mapping[str, Any] | None) -> str:
    if one is None:
        return ""
    if not one["ratios"]:
        return "fails"
    found = timing.interval(one["ratios"])
    return f"{timing.median(one['ratios']):.2f}" if found.low > 1.0 or found.high < 1.0 else "."


def ablation_table(figures: Figures) -> Table:
    """Give the table of optimisations: programs in rows here, because a terminal is narrow."""
    head, rows = ablation_rows(figures)
    table = Table("program", "optimisation: time without it / time with all", title="Each optimisation alone off")
    for column, program in enumerate(head[1:], start=1):
        cells = (f"{row[0]} {row[column]}" for row in rows if row[column] not in ("", "."))
        table.add_row(program, ", ".join(cells) or "no difference")
    return table


GPU_HEAD = ("program", "size", "Weft, NumPy arrays", "on the GPU", "kernels", "CuPy", "numba-cuda", "CuPy/W", "numba/W")


def gpu_rows(figures: Figures) -> list[list[str]]:
    """Give a row for each program and size; ratios are of the kernels."""
    rows = []
    for program, size in dict.fromkeys((one["program"], one["size"]) for one in figures):
        mine = {one["implementation"]: one for one in figures if (one["program"], one["size"]) == (program, size)}
        own = [_median_of(mine, "weft", kind) for kind in ("from_host", "on_device", "kernels")]
        others = [_median_of(mine, name, "kernels") for name in ("cupy", "numba-cuda")]
        ratios = ["-" if math.isnan(other / own[2]) else f"{other / own[2]:.2f}" for other in others]
        rows.append([program, power(size), *(seconds(value) for value in (*own, *others)), *ratios])
    return rows


def _median_of(figures: Mapping[str, Mapping[str, Any]], name: str, kind: str) -> float:
    times = figures.get(name, {}).get(kind, [])
    return timing.median(times) if times else math.nan


def rich_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Give a table for a terminal; all columns but the first are numbers."""
    table = Table(title=title, title_justify="left", padding=(0, 0, 0, 1), show_edge=False)
    for position, name in enumerate(head):
        table.add_column(name, justify="right" if position else "left")
    for row in rows:
        table.add_row(*row)
    return table


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table in Markdown."""
    align = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, align, *rows))
