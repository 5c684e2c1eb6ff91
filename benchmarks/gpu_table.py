"""The command `python -m benchmarks.gpu_table LOG...`: the table of what `benchmarks.gpu_kernels` printed.

A row for each case, a column for each of its forms; of several logs the last one that has a figure counts. With
``--into`` the table replaces the one between two comments of a document.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import pages
from benchmarks.gpu_cases import CASES, FORMS

LINE = re.compile(
    r"(?P<name>\S.*?) +(?P<what>default|libraries|WRONG by \S+) +(?P<microseconds>[\d.]+) us +(?P<rate>[\d.]+) "
    r"(?P<unit>\S+) +(?P<ratio>[\d.]+) of (?P<of>copy|library) ?(?:\(floor (?P<floor>[\d.]+)\))?"
)
FAILED = re.compile(r"(?P<name>\S.*?) +FAILED: .*")
TERAFLOPS = {"bodies": 17.0, "bodies fastmath": 34.0}
"""Floors of rows that no library computes."""
LIBRARIES = "with libraries"
COLUMNS = ("as it is", "floor", *FORMS, LIBRARIES)
BEGIN, END = "<!-- table of gpu_kernels -->", "<!-- end of that table -->"


@dataclass(frozen=True)
class Figure:
    """What a form of a row reached: a part of a ceiling, or TFLOP/s; a message where there is no answer to time."""

    reached: float = 0.0
    floor: float = 0.0
    message: str = ""

    def __str__(self) -> str:
        missed = self.floor and self.reached < self.floor
        return self.message or f"{self.reached:.{3 if self.reached < 10 else 1}f}{' *' * bool(missed)}"


def figures_in(lines: Iterable[str]) -> Iterator[tuple[str, str, Figure]]:
    """The name of a case, the column, and the figure, of each line of a log that has one."""
    for line in lines:
        if found := LINE.match(line.strip()):
            name, column = _place(found["name"], found["what"])
            yield name, column, _figure(name, found)
        elif found := FAILED.match(line.strip()):
            name, column = _place(found["name"], "default")
            yield name, column, Figure(message="failed")


def _place(name: str, what: str) -> tuple[str, str]:
    base, _, form = name.rpartition(", ")
    if form in FORMS:
        return base, form if what != "libraries" else f"{form} {LIBRARIES}"
    return name, LIBRARIES if what == "libraries" else COLUMNS[0]


def _figure(name: str, found: re.Match[str]) -> Figure:
    if found["what"].startswith("WRONG"):
        return Figure(message="wrong")
    if name in TERAFLOPS:
        return Figure(float(found["rate"]), TERAFLOPS[name])
    return Figure(float(found["ratio"]), float(found["floor"] or 0) * (found["what"] != "libraries"))


def table(figures: Mapping[tuple[str, str], Figure]) -> Iterator[str]:
    """The lines of the table in Markdown; what is short of its floor has a star."""
    yield "| work | " + " | ".join(COLUMNS) + " |"
    yield "| --- |" + " ---: |" * len(COLUMNS)
    for case in CASES:
        own = {column: figures[case.name, column] for column in COLUMNS if (case.name, column) in figures}
        if not own:
            continue
        floor = own.get(COLUMNS[0], Figure()).floor
        cells = {column: str(figure) for column, figure in own.items()} | {"floor": f"{floor:g}" if floor else "-"}
        unit = " (TFLOP/s)" * (case.name in TERAFLOPS)
        yield f"| {case.name}{unit} | " + " | ".join(cells.get(column, "-") for column in COLUMNS) + " |"


def replaced(text: str, lines: Sequence[str]) -> str:
    """A document with the table between its two comments."""
    return pages.replaced(text, BEGIN, END, lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, or put it into a document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_table", description=__doc__)
    parser.add_argument("logs", nargs="+", type=Path, help="what benchmarks.gpu_kernels printed")
    parser.add_argument("--into", type=Path, help="a document with the comments around a table")
    options = parser.parse_args(arguments)
    figures = {
        (name, column): figure
        for log in options.logs
        for name, column, figure in figures_in(log.read_text(encoding="utf-8", errors="replace").splitlines())
    }
    lines = list(table(figures))
    if options.into:
        options.into.write_text(replaced(options.into.read_text(encoding="utf-8"), lines), encoding="utf-8")
    else:
        print(*lines, sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
