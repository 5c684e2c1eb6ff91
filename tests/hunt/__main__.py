"""The hunt from the command line.

``python -m tests.hunt --device cpu --seconds 600 --workers 32 --seed 0 --out findings/``
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import sys
import tempfile
import time
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

from .findings import save, text_of
from .grammars import GRAMMARS, choose, generate
from .oracle import FINDINGS, Verdict
from .program import Program
from .reducer import shrink
from .workers import Report, Totals, checked, one, reports

SHRUNK = 6
"""Findings of one kind and text that are made small; more are written as they are."""


def main() -> int:
    options = _options()
    choose(options.grammar)
    folder = tempfile.TemporaryDirectory(prefix="weft-hunt-")
    os.environ["WEFT_CACHE_DIR"] = folder.name
    if options.coverage:
        from .coverage import report

        return report(options.coverage, options.seed, options.device, options.workers)
    if options.seed_only is not None:
        return _alone(options.seed_only, options.device, options.shrink)
    return _hunt(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.hunt", description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--grammar", choices=GRAMMARS, default="all", help="which programs; both, all: in turn")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--hours", type=float, default=0.0, help="instead of seconds")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=0, help="the number of programs; 0: as many as the time allows")
    parser.add_argument("--out", type=Path, default=None, help="a folder for findings")
    parser.add_argument("--seed-only", type=int, default=None, help="print the program of one seed and its verdict")
    parser.add_argument("--shrink", action="store_true", help="with --seed-only: make it small")
    parser.add_argument(
        "--coverage", type=int, default=0, metavar="N", help="lines of the compiler that N programs do not reach"
    )
    options = parser.parse_args()
    options.seconds = options.hours * 3600 or options.seconds
    return options


def _alone(seed: int, device: str, smaller: bool) -> int:
    print(generate(seed).source, flush=True)
    program, verdict = one(seed, device)
    print(program.way, verdict.kind, verdict.text, *verdict.notes, sep="\n")
    if smaller and verdict.is_finding:
        program, verdict = _shrunk(program, verdict, device, 60.0)
        print(text_of(program, verdict, device))
    return int(verdict.is_finding)


def _shrunk(program: Program, verdict: Verdict, device: str, seconds: float) -> tuple[Program, Verdict]:
    def fails(candidate: Program) -> bool:
        try:
            found = checked(candidate, device)
        except Exception:
            return False
        return found.kind == verdict.kind and signature(found.text) == signature(verdict.text)

    small = shrink(program, fails, seconds)
    return small, checked(small, device)


def signature(text: str) -> str:
    """A text without what differs between programs."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "Q", text)
    if re.match(r"(after \w+: )?(buffer|result)", text):
        return "after" if text.startswith("after") else "value"
    return re.sub(r"\d+(\.\d+)?(e[+-]?\d+)?", "N", text)[:120]


def _hunt(options: argparse.Namespace) -> int:
    import weft  # before the processes are made
    import weft.jit  # noqa: F401

    seeds = iter(range(options.seed, options.seed + options.count)) if options.count else itertools.count(options.seed)
    totals, shrinking, seen = Totals(), [], {}
    started = time.monotonic()
    told = started
    for report in reports(seeds, options.device, options.workers, started + options.seconds):
        if time.monotonic() - told > 60.0:
            told = time.monotonic()
            print(f"{told - started:.0f} s: {totals.programs} programs", flush=True)
        _add(totals, report)
        if report.verdict.is_finding or report.verdict.kind == "generator":
            key = f"{report.verdict.kind}: {signature(report.verdict.text)}"
            seen.setdefault(key, []).append(report.seed)
            print(f"seed {report.seed}: {report.verdict.kind}: {report.verdict.text[:200]}", flush=True)
            if options.out:
                shrinking = _write(options, report, len(seen[key]) <= SHRUNK, shrinking)
    _summary(totals, seen, time.monotonic() - started, options)
    _finish(shrinking)
    return int(any(totals.kinds[kind] for kind in FINDINGS))


def _add(totals: Totals, report: Report) -> None:
    verdict = report.verdict
    totals.programs += 1 + sum(note.startswith("sibling") for note in verdict.notes)
    totals.calls += verdict.calls
    totals.kinds[verdict.kind] += 1
    totals.features.update(report.features)
    totals.notes.update(note.partition(":")[0] for note in verdict.notes)
    if verdict.kind == "refused":
        totals.refused[signature(verdict.text)] += 1


def _write(options: argparse.Namespace, report: Report, small: bool, running: list[BaseProcess]) -> list[BaseProcess]:
    """Write a finding, made small by a process of its own, of which few run at a time."""
    if report.verdict.kind == "generator":
        return running
    program = report.program or generate(report.seed)
    save(options.out, program, report.verdict, options.device)
    running = [process for process in running if process.is_alive()]
    if small and report.verdict.kind not in ("crash", "hang") and len(running) < max(1, options.workers // 4):
        process = get_context("fork").Process(
            target=_make_small, args=(options.out, program, report.verdict, options.device), daemon=True
        )
        process.start()
        running.append(process)
    return running


def _make_small(folder: Path, program: Program, verdict: Verdict, device: str) -> None:
    sys.stderr = open(os.devnull, "w")
    with tempfile.TemporaryDirectory(prefix="weft-hunt-") as store:
        os.environ["WEFT_CACHE_DIR"] = store
        small, found = _shrunk(program, verdict, device, 40.0)
        if found.is_finding:
            save(folder / "small", small, found, device)


def _finish(running: list[BaseProcess]) -> None:
    until = time.monotonic() + 45.0
    for process in running:
        process.join(max(0.0, until - time.monotonic()))
        if process.is_alive():
            process.kill()


def _summary(totals: Totals, seen: dict[str, list[int]], seconds: float, options: argparse.Namespace) -> None:
    rate = totals.programs / max(seconds, 1e-9)
    print(
        f"\n{totals.programs} programs, {totals.calls} calls in {seconds:.0f} s on {options.workers} workers,", end=" "
    )
    print(f"{rate:.1f} a second, {rate / options.workers:.2f} a second and worker")
    print("verdicts:", dict(totals.kinds.most_common()))
    print("calls that were not compared in full:", dict(totals.notes.most_common()))
    print(f"refused: {100 * totals.kinds['refused'] / max(totals.programs, 1):.1f} %")
    for text, number in totals.refused.most_common(25):
        print(f"  {number:6} {text}")
    print("findings:", sum(len(found) for found in seen.values()))
    for key, found in sorted(seen.items(), key=lambda item: -len(item[1])):
        print(f"  {len(found):6} {key}: seeds {found[:6]}")
    print("features:", ", ".join(f"{name} {number}" for name, number in sorted(totals.features.items())))


if __name__ == "__main__":
    sys.exit(main())
