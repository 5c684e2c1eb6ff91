"""Runs acceptance programs under the sanitizers: a script, started with their libraries loaded."""

from __future__ import annotations

import copy
import sys

import numpy as np

from tests.acceptance import oracle
from tests.acceptance import programs as programs  # registers them
from tests.acceptance.registry import PROGRAMS
from tests.backends.harness import Compiled, OtherVariant, runtime
from tests.frontend.compare import complete
from weft.frontend import build
from weft.frontend.signature import describe, flatten
from weft.passes import pipeline

FLAGS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g", "-O2")


def check(name: str, work: float) -> None:
    """Run the typical case of a program, with its loops cut into pieces as if they were long."""
    function, arguments = PROGRAMS[name].bind(oracle.cases(name)[0])
    arguments = complete(function, arguments)
    types = [describe(a, f"argument {k}") for k, a in enumerate(arguments)]
    program = build(function, tuple(types))
    if any(p.source.kind != "argument" for p in program.params):
        return
    leaves = copy.deepcopy([leaf for a, t in zip(arguments, types) for leaf in flatten(a, t)])
    compiled = Compiled(pipeline.for_cpu(pipeline.optimise(program)), FLAGS)
    runtime().test_scale(work)
    try:
        with np.errstate(all="ignore"):
            compiled(*leaves)
    except (ArithmeticError, ValueError, LookupError, AssertionError, OtherVariant):
        pass


if __name__ == "__main__":
    every, first, work = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    for name in list(PROGRAMS)[first::every]:
        print(name, flush=True)
        check(name, work)
