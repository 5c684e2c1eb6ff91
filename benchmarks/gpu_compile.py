"""The command `python -m benchmarks.gpu_compile`: what it takes to choose schedules, and to compile kernels by NVRTC.

No GPU is needed. Times are those of the processor, in milliseconds: the least of several rounds. The choice is that of
schedules, and that kernels are laid out under them; what the program moves is planned beside, once for all kernels, and
has a column of its own. A kernel is what one launch runs: versions of it for certain sizes or addresses are compiled by
the first launch that needs one, each by itself. So what counts is the version that takes longest, among those for
indices of 32 bits.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from benchmarks.gpu_cases import CASES, Case
from weft.analysis.values.widths import is_wide_version
from weft.backends.cuda import compiler
from weft.backends.cuda.dialect import generate_kernels
from weft.backends.gpu.modules import Module, modules_of
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.plan.place import Layout, Placement, place
from weft.schedule.legality import Limits
from weft.transform import pipeline

H200 = Limits(threads=1024, shared=227 * 1024, cores=132, matrices=True)
ROUNDS, SHORT_ROUNDS = 3, 9
"""Of compilations, and of choices, which other programs on the machine disturb more."""
CHOICE, COMPILING = 30, 400
"""Milliseconds that a kernel may take at most."""


@dataclass(frozen=True)
class Figures:
    """What a case takes, in milliseconds: a kernel's schedule, the plan of what the program moves, each module."""

    choice: float
    moves: float
    modules: dict[str, float]


def program_of(case: Case) -> n.Program:
    """The optimised program of a case, for arrays on the host."""
    dtypes = [case.counts if case.counts and k else case.dtype for k in range(len(case.small))]
    arrays = case.arrays(True) if case.arrays else map(np.zeros, case.small, dtypes)
    types = tuple(describe(array, f"argument {k}") for k, array in enumerate(arrays))
    return pipeline.optimise(build(case.function, types), fastmath=case.fastmath, turns=False, blocks=True, rows=True)


def milliseconds(work: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """What some work takes of the processor."""
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return 1e3 * min(times)


def placed(program: n.Program, disable: frozenset[str] = frozenset()) -> Placement:
    """The program with its kernels laid out for an H200."""
    return place(program, "cuda", disable, layout=Layout(H200))


def modules(placement: Placement) -> Iterator[Module]:
    """The modules of a program, without those for arrays whose indices need 64 bits."""
    for module in modules_of(placement.program):
        if not all(map(is_wide_version, module.kernels)):
            yield module


@cache
def compiled(text: str, fastmath: bool) -> float:
    """What it takes to compile a module; cases of other sizes have the same."""
    return milliseconds(lambda: compiler.compile_source(text, "sm_90", fastmath))


def figures_of(case: Case) -> Figures:
    """The figures of a case."""
    program = program_of(case)
    placement = placed(program)
    kernels = max(sum(bool(nest.kernel) for nest in placement.nests), 1)
    chosen = milliseconds(lambda: placed(program, frozenset({"placement"})), SHORT_ROUNDS)
    whole = milliseconds(lambda: placed(program), SHORT_ROUNDS)
    texts = {m.kernels[0]: generate_kernels(placement.program, case.fastmath, m.kernels) for m in modules(placement)}
    found = {name: compiled(text, case.fastmath) for name, text in texts.items()}
    return Figures(chosen / kernels, max(whole - chosen, 0.0), found)


def line_of(case: Case, found: Figures) -> str:
    """A line of the table; what is more than it may be is marked."""
    longest = max(found.modules.values(), default=0.0)
    marks = ["*" if figure > most else " " for figure, most in ((found.choice, CHOICE), (longest, COMPILING))]
    times = " ".join(f"{time:.0f}" for time in found.modules.values())
    return f"{case.name:26}{found.choice:9.0f}{marks[0]}{found.moves:9.0f} {longest:9.0f}{marks[1]}   {times}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each case."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_compile", description=__doc__)
    parser.add_argument("--only", default="", help="a part of the names of cases")
    only = parser.parse_args(arguments).only
    print(f"{'milliseconds':26}{'choice':>9} {'moves':>9} {'NVRTC':>9}    each module by itself")
    print(f"{'may be at most':26}{CHOICE:9} {'-':>9} {COMPILING:9}    * is more")
    for case in (case for case in CASES if only in case.name):
        print(line_of(case, figures_of(case)), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
