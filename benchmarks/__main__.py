"""The command `python -m benchmarks`: all figures of `records/cpu.md`, and those of them in `docs/benchmarks.md`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import ablation, latency, machine, report, startup, steady, tables
from benchmarks.budget import Budget
from benchmarks.implementations import available, weft_problem
from benchmarks.program import Program
from benchmarks.programs import PROGRAMS
from weft.machine.timing import Policy

SIZES = tuple(1 << power for power in range(8, 25, 2))
QUICK_SIZES = (1 << 12, 1 << 20)
PARTS = ("steady", "startup", "latency", "ablation")
RESULTS = Path(__file__).parent / "results" / "cpu.json"
ABLATION_SIZE = 1 << 20
SHARES = {"steady": 0.55, "startup": 0.15, "latency": 0.1, "ablation": 0.2}
"""What each part gets of a budget."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks; the exit status is 1 if any implementation gave a wrong answer."""
    options = _parser().parse_args(arguments)
    console = Console(stderr=True, highlight=False)
    figures: dict[str, Any] = {"machine": machine.facts(machine.command_line("benchmarks")), "notes": []}
    target = options.json or (RESULTS if _is_complete(options) else None)
    for part in options.parts:
        figures[part] = PART[part](options, console, figures["notes"])
        if target:  # after each part: a run that is stopped leaves what it has measured
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps(figures, separators=(",", ":")) + "\n")
    wrong = [one for one in figures.get("steady", []) if one["status"] == "wrong"]
    for one in wrong:
        console.print(f"[bold red]wrong answer[/]: {one['implementation']}: {one['message']}", soft_wrap=True)
    if target:
        console.print(f"raw figures: {target}")
    if _is_complete(options):
        console.print(f"tables: {report.write(target)}")
    return 1 if wrong else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", type=_programs, default=list(PROGRAMS.values()), help="programs, by commas")
    parser.add_argument("--sizes", type=_sizes, default=None, help="sizes by commas, such as 2^8,2^16 or 1000000")
    parser.add_argument("--parts", type=_parts, default=list(PARTS), help="some of " + ",".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="two sizes, short measurements")
    parser.add_argument("--device", default="cpu", help="device of the Weft column (%(default)s)")
    parser.add_argument("--cap", type=float, default=None, help="seconds for one program at one size")
    parser.add_argument("--runs", type=int, default=None, help="fresh processes for each start-up figure")
    parser.add_argument("--budget", type=float, default=None, help="seconds for all parts together, about")
    parser.add_argument("--jobs", type=int, default=1, help="processes at once where first calls are measured")
    parser.add_argument("--json", type=Path, default=None, help="write the raw figures to this file")
    return parser


def _programs(text: str) -> list[Program]:
    unknown = [name for name in text.split(",") if name not in PROGRAMS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no program {unknown[0]}; there are {', '.join(PROGRAMS)}")
    return [PROGRAMS[name] for name in text.split(",")]


def _sizes(text: str) -> tuple[int, ...]:
    powers = (word.partition("^") for word in text.split(","))
    return tuple(sorted(int(base) ** int(power or 1) for base, _, power in powers))


def _parts(text: str) -> list[str]:
    unknown = [name for name in text.split(",") if name not in PARTS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no part {unknown[0]}; there are {', '.join(PARTS)}")
    return text.split(",")


def _is_complete(options: argparse.Namespace) -> bool:
    """Only a run of everything may replace the published tables."""
    everything = len(options.only) == len(PROGRAMS) and options.sizes is None and options.parts == list(PARTS)
    return everything and not options.quick and options.budget is None and options.device == "cpu"


def _part_of(options: argparse.Namespace, part: str) -> float | None:
    """The seconds of the budget that a part gets."""
    if options.budget is None:
        return None
    return float(options.budget * SHARES[part] / sum(SHARES[name] for name in options.parts))


def run_steady(options: argparse.Namespace, console: Console, notes: list[str]) -> list[dict[str, Any]]:
    """Measure the steady state and print the tables of times and of ratios."""
    implementations, missing = available(options.device)
    notes += missing
    for note in missing:
        console.print(f"[yellow]note[/]: {note}")
    short = options.quick or options.budget is not None
    policy = Policy(cap=options.cap or (1.5 if options.quick else 12.0), fewest=2 if short else 3)
    limits = steady.Limits(policy, repeats=1 if short else 2, longest=0.4 if short else 4.0)
    runner = steady.Runner(implementations, limits)
    sizes = options.sizes or (QUICK_SIZES if options.quick else SIZES)
    budget = Budget(_part_of(options, "steady"), len(options.only) * len(sizes))
    found: list[dict[str, Any]] = []
    for program in options.only:
        mine: list[dict[str, Any]] = []
        for size in sizes:
            with console.status(f"{program.title}, {size}"):
                figures = runner.figures(program, size, budget.share(policy.cap))
                mine += [figure.to_json() for figure in figures]
        Console(width=100).print(tables.steady_table(program.title, mine))
        found += mine
    Console(width=100).print(tables.goals_table(found))
    return found


def run_startup(options: argparse.Namespace, console: Console, notes: list[str]) -> list[dict[str, Any]]:
    """Measure first calls in fresh processes."""
    runs = options.runs or (2 if options.quick else 40)
    kinds = [kind for kind in startup.KINDS if not (kind.startswith("weft") and weft_problem())]
    found: list[dict[str, Any]] = []
    names = [program.name for program in options.only]
    with console.status("start-up"):
        found += [one.to_json() for one in startup.measure_all(names, 1 << 16, kinds, runs, options.jobs)]
    Console(width=100).print(tables.startup_table(found))
    return found


def run_latency(options: argparse.Namespace, console: Console, notes: list[str]) -> list[dict[str, Any]]:
    """Measure imports, first calls, the warm store, small calls and checked indices."""
    runs = options.runs or (3 if options.quick else 40)
    short = options.quick or options.budget is not None
    with console.status("latencies"):
        measured = latency.measure_all(runs, 1.0 if short else 10.0, options.jobs, 8 if short else 1)
        found = [one.to_json() for one in measured]
    Console(width=100).print(tables.latency_table(found))
    return found


def run_ablation(options: argparse.Namespace, console: Console, notes: list[str]) -> list[dict[str, Any]]:
    """Measure every optimisation alone off."""
    if problem := weft_problem():
        notes.append(f"no ablation: {problem}")
        return []
    policy = Policy(cap=options.cap or (2.0 if options.quick else 10.0))
    budget = Budget(_part_of(options, "ablation"), len(options.only))
    found: list[dict[str, Any]] = []
    if options.jobs > 1:
        with console.status("ablation: compiling"):
            ablation.compile_ahead(options.only, ablation.optimisations(), options.jobs)
    for program in options.only:
        with console.status(f"ablation of {program.title}"):
            limited = replace(policy, cap=budget.share(policy.cap))
            measured = ablation.measure(program, ABLATION_SIZE, ablation.optimisations(), limited)
            found += [one.to_json() for one in measured]
    Console(width=100).print(tables.ablation_table(found))
    return found


PART = {"steady": run_steady, "startup": run_startup, "latency": run_latency, "ablation": run_ablation}


if __name__ == "__main__":
    sys.exit(main())
