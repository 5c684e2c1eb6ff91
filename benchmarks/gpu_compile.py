"""The command `python -m benchmarks.gpu_compile`: what it takes to choose schedules, and to compile kernels by NVRTC.

No GPU is needed. Times are those of the processor, in milliseconds: the least of several rounds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.gpu_cases import CASES, Case
from weft.backends.cuda import compiler
from weft.backends.cuda.dialect import generate_kernels
from weft.frontend import build
from weft.frontend.signature import describe
from weft.ir import nodes as n
from weft.passes import pipeline
from weft.plan.place import Layout, Placement, place
from weft.schedule.legality import Limits

H200 = Limits(threads=1024, shared=227 * 1024, cores=132)
ROUNDS = 3


def program_of(case: Case) -> n.Program:
    """The optimised program of a case, for arrays on the host."""
    dtypes = [case.counts if case.counts and k else case.dtype for k in range(len(case.small))]
    arrays = case.arrays(True) if case.arrays else map(np.zeros, case.small, dtypes)
    types = tuple(describe(array, f"argument {k}") for k, array in enumerate(arrays))
    return pipeline.optimise(build(case.function, types), fastmath=case.fastmath, turns=False, blocks=True, rows=True)


def milliseconds(work: Callable[[], Any]) -> float:
    """What some work takes of the processor."""
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return 1e3 * min(times)


def placed(program: n.Program) -> Placement:
    """The program with its kernels laid out for an H200."""
    return place(program, "cuda", layout=Layout(H200))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each case."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_compile", description=__doc__)
    parser.add_argument("--only", default="", help="a part of the names of cases")
    only = parser.parse_args(arguments).only
    print(f"{'':26}{'schedules':>12}{'a kernel':>12}{'NVRTC':>12}{'kernels':>10}")
    for case in (case for case in CASES if only in case.name):
        program = program_of(case)
        placement = placed(program)
        text, kernels = generate_kernels(placement.program, case.fastmath), max(len(placement.kernel_names), 1)
        chosen = milliseconds(lambda program=program: placed(program))  # type: ignore[misc]
        compiled = milliseconds(lambda text=text, fast=case.fastmath: compiler.compile_source(text, "sm_90", fast))  # type: ignore[misc]
        print(f"{case.name:26}{chosen:12.0f}{chosen / kernels:12.0f}{compiled:12.0f}{kernels:10}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
