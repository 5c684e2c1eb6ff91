"""The command `python -m benchmarks.breadth`: check, time and print the programs of the breadth suite."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import machine
from benchmarks.breadth import bounds, tables
from benchmarks.breadth.families import FAMILIES, PROGRAMS
from benchmarks.breadth.measuring import figure
from benchmarks.breadth.program import FLOATS, SIZES, Program

HEAD = """# Figures of the breadth suite

Made by `{command}` on {date}: {processor}, {cores} cores, {system};
Python {python}, {packages}; {compilers}. Load while measuring: {least:.1f} to {most:.1f}.

A time is the shortest of the interleaved rounds. "Times Numba" is the time of Numba by that of Weft, both of the plain
spelling. "Share of the bound" is the least time (bytes at the speed of a copy of as many bytes, or operations at the
speed of a matrix product, whichever takes longer) by Weft's. "Slowest spelling" is the time of Weft's fastest spelling
by that of its slowest. In the first table these are geometric means over the programs of a half, the worst beside them.
"""

LOOKS = Path(__file__).parent / "looks.md"


def main(words: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = parser_of_command()
    options = parser.parse_args(words)
    if options.half != "seen":
        if not options.reason:
            parser.error("a look at the unseen half needs --reason; it is noted in benchmarks/breadth/looks.md")
        note_look(options)
    chosen = list(selected(options))
    if not chosen:
        parser.error("no such program")
    figures = measured_figures(chosen, options)
    print(head(figures))
    for section in tables.sections(figures):
        print(section)
    print_complaints(figures)
    return 1 if any(name.startswith("weft") for one in figures for name in one["wrong"]) else 0


def head(figures: Sequence[dict[str, Any]]) -> str:
    """Say where, with what and beside how much other work the figures were made."""
    facts = machine.facts(machine.command_line("benchmarks.breadth"))
    packages = ", ".join(f"{name} {version}" for name, version in facts["packages"].items())
    loads = [one["load"] for one in figures]
    return HEAD.format(
        **{**facts, "packages": packages, "compilers": ", ".join(facts["compilers"].values())},
        least=min(loads),
        most=max(loads),
    )


def parser_of_command() -> argparse.ArgumentParser:
    """Give what the command takes."""
    parser = argparse.ArgumentParser("python -m benchmarks.breadth", description=__doc__)
    parser.add_argument("--device", choices=("cpu", "cuda", "opencl"), default="cpu")
    parser.add_argument("--half", choices=("seen", "unseen", "both"), default="seen")
    parser.add_argument("--reason", help="why the unseen half is looked at")
    parser.add_argument("--family", choices=FAMILIES, action="append", help="may be given several times")
    parser.add_argument("--program", choices=PROGRAMS, action="append", metavar="NAME")
    parser.add_argument("--size", choices=SIZES, default="medium")
    parser.add_argument("--dtype", choices=FLOATS, default="float64", help="for programs that have both types")
    parser.add_argument("--cap", type=float, default=1.0, help="seconds for the timed rounds of a program")
    parser.add_argument("--json", type=Path, help="file for the figures; programs that are in it are not run again")
    return parser


def selected(options: argparse.Namespace) -> Iterator[Program]:
    """Give the programs that were asked for."""
    for program in PROGRAMS.values():
        half = options.half in ("both", program.half)
        family = not options.family or program.family in options.family
        if half and family and (not options.program or program.name in options.program):
            yield program


def note_look(options: argparse.Namespace, page: Path = LOOKS) -> None:
    """Append a line about this look at the unseen half."""
    what = ", ".join([options.device, options.size, options.dtype, *(options.family or []), *(options.program or [])])
    with page.open("a", encoding="utf-8") as lines:
        lines.write(f"| {datetime.date.today().isoformat()} | {what} | {options.reason} |\n")


def measured_figures(chosen: Sequence[Program], options: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure those that are not in the file yet, and write the file after each of them."""
    known = _read(options.json)
    found = {(one["program"], one["size"], one["dtype"], one["device"]): one for one in known["figures"]}
    keys = [(program.name, options.size, type_of(program, options.dtype), options.device) for program in chosen]
    speeds = None
    for program, key in zip(chosen, keys):
        if key in found:
            continue
        speeds = speeds or bounds.measured(options.device)
        made = figure(program, options.size, key[2], options.device, speeds, options.cap).to_json()
        made["load"] = os.getloadavg()[0]
        found[key] = made
        print(f"{program.name}: {_short(made)}", file=sys.stderr, flush=True)
        if options.json:
            facts = known["machine"] or machine.facts(machine.command_line("benchmarks.breadth"))
            options.json.write_text(json.dumps({"machine": facts, "figures": list(found.values())}, indent=1) + "\n")
    return [found[key] for key in keys]


def type_of(program: Program, dtype: str) -> str:
    """Give the type that is asked for, or the only one that a program has."""
    return dtype if dtype in program.dtypes else program.dtypes[0]


def _read(path: Path | None) -> dict[str, Any]:
    if path and path.exists():
        read: dict[str, Any] = json.loads(path.read_text())
        return read
    return {"machine": None, "figures": []}


def _short(made: dict[str, Any]) -> str:
    words = [f"{name} {1e3 * seconds:.3g} ms" for name, seconds in made["seconds"].items()]
    words += [f"{name} {what.upper()}" for what in ("refused", "wrong") for name in made[what]]
    return ", ".join(words)


def print_complaints(figures: Sequence[dict[str, Any]]) -> None:
    """Name what was wrong or refused, with the message."""
    for what in ("wrong", "refused"):
        said = [(one["program"], name, text) for one in figures for name, text in one[what].items()]
        if said:
            print(f"\n## {what[0].upper()}{what[1:]}\n")
        for program, name, text in said:
            print(f"* {program}, {name}: {' '.join(text.split())[:400]}")


if __name__ == "__main__":
    sys.exit(main())
