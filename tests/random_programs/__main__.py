"""The long run: ``python -m tests.random_programs --count 5000 [--device cpu]``.

Reports how many programs there were, how many have a parallel verdict, how many sequential verdicts had no real
conflict, and every difference. The exit status is 1 where there was a difference or a wrong verdict.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field
from random import Random

from weft.errors import Error, RaceError
from weft.runtime import _stub

from .check import check
from .generator import FAMILIES, Generator, RandomProgram
from .stages import CHECKED, GUESTS, INTERPRETED, OPTIMISED, PLANNED, Stage, coherent, compiled, in_slabs, small_tiles
from .verdicts import judged

STAGES = {"frontend": INTERPRETED, "passes": OPTIMISED, "checked": CHECKED, "plan": PLANNED, "guests": GUESTS}


@dataclass
class Figures:
    """What the run found."""

    programs: int = 0
    calls: int = 0
    skipped: int = 0
    with_parallel: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        sequential = self.verdicts["sequential"]
        lost = sum(self.lost.values())
        return [
            f"programs                {self.programs}",
            f"calls compared          {self.calls} ({self.skipped} skipped: another variant would run)",
            f"with a parallel verdict {self.with_parallel} ({_share(self.with_parallel, self.programs)})",
            f"loops by verdict        {dict(self.verdicts.most_common())}",
            f"lost precision          {lost} of {sequential} sequential verdicts ({_share(lost, sequential)})",
            *(f"  {count:5}  {reason}" for reason, count in self.lost.most_common(20)),
            f"refused                 {sum(self.refused.values())}",
            *(f"  {count:5}  {reason}" for reason, count in self.refused.most_common(20)),
            f"failures                {len(self.failures)}",
        ]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


PARALLEL = ("parallel", "reduction", "scan", "search", "compaction", "checked")


def examine(program: RandomProgram, stages: list[Stage], inputs: int, figures: Figures, seed: int) -> None:
    """Put one program through everything."""
    seeds = range(seed, seed + inputs)
    found = check(program, stages, seeds[:3])
    figures.programs += 1
    figures.calls += found.calls
    figures.skipped += found.skipped
    for stage, error in found.refused.items():
        figures.refused[f"{stage}: {str(error).splitlines()[0]}"] += 1
    figures.failures += [f"program {seed}: {d}\n{program}" for d in found.differences]
    try:
        verdicts = judged(program, seeds)
    except Error as error:
        races = isinstance(error, RaceError) and program.allowed.races
        if not found.refused and not races:
            figures.failures.append(f"program {seed}: {type(error).__name__}: {error}\n{program}")
        return
    figures.verdicts.update(verdicts.verdicts.values())
    figures.with_parallel += any(v in PARALLEL for v in verdicts.verdicts.values())
    figures.lost.update(verdicts.reasons[label] for label in verdicts.lost)
    figures.failures += [f"program {seed}: {text}\n{program}" for text in verdicts.wrong]


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.random_programs", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="number of programs")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first program; each has the next one")
    parser.add_argument("--inputs", type=int, default=10, help="inputs for each program when conflicts are sought")
    parser.add_argument("--device", action="append", default=[], help="also run the whole way on this device")
    parser.add_argument("--coherent", action="append", default=[], help="the same with coherent arrays")
    parser.add_argument("--family", action="append", default=[], choices=FAMILIES, help="nests of this family alone")
    parser.add_argument("--stages", default="frontend,passes,checked", help="the stages to compare with CPython")
    parser.add_argument("--threads", type=int, default=0, help="cut loops of any size into pieces for so many threads")
    parser.add_argument("--memory-limit", type=int, help="also in slabs for so many bytes, and devices have no more")
    parser.add_argument("--tiles", action="store_true", help="cut short loops into tiles; use a store of its own")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no program after so many seconds")
    parser.add_argument("--show", type=int, default=5, help="failures that are printed")
    options = parser.parse_args()
    stages = [STAGES[name] for name in options.stages.split(",") if name]
    stages += [in_slabs(options.memory_limit)] if options.memory_limit else []
    stages += [compiled(d, None if d == "cpu" else options.memory_limit) for d in options.device]
    stages += [coherent(device) for device in options.coherent]
    if options.threads:
        _stub.set_threads(options.threads)
        _stub.set_grain(0.0)
    figures, started = Figures(), time.monotonic()
    with small_tiles() if options.tiles else nullcontext():
        for seed in range(options.seed, options.seed + options.count):
            if time.monotonic() - started > options.seconds:
                break
            examine(Generator(Random(seed)).program(*options.family), stages, options.inputs, figures, seed)
    print("\n".join(figures.lines()))
    print(f"seconds                 {time.monotonic() - started:.0f}")
    for text in figures.failures[: options.show]:
        print(f"\n{text}")
    return 1 if figures.failures else 0


if __name__ == "__main__":
    sys.exit(main())
