"""The command `python -m benchmarks.compiling.growth`: how the time to compile grows with the length of a program.

Programs of several shapes are generated. Each is compiled in a process of its own on a bare store, and the CPU seconds
of each stage are told, with the exponent between neighbouring lengths: 1 where time grows as the length does.
"""

from __future__ import annotations

import argparse
import json
import linecache
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import log
from typing import Any

LENGTHS = (100, 300, 1000, 3000)
STAGES = ("frontend", "passes", "shaping", "printing", "C compiler")


def one_body(lines: int) -> str:
    """One loop with straight code in it."""
    forms = ("t{a} * 0.5 + t{b}", "t{a} - t{b} * 1.25", "t{a} * t{b}", "abs(t{a}) + t{b}")
    body = [f"        t{k} = " + forms[k % 4].format(a=k - 1, b=max(k - 7, 0)) for k in range(1, lines)]
    return _program("    for i in range(a.shape[0]):\n        t0 = a[i]", body, f"        b[i] = t{lines - 1}")


def no_loop(lines: int) -> str:
    """Straight code of Python integers, which are checked."""
    body = [f"    x{k} = (x{k - 1} * 3 + x{max(k - 5, 0)}) % 1009" for k in range(1, lines)]
    return _program("    x0 = n", body, f"    b[0] = x{lines - 1}")


def helpers(lines: int) -> str:
    """Functions of five lines, each called once."""
    count = max(lines // 6, 1)
    text = "".join(
        f"def h{k}(x, y):\n    s = x * {k}.0\n    if s > y:\n        return s - y\n    return s * 0.5 + y\n\n"
        for k in range(count)
    )
    body = [f"        t = h{k}(t, {k}.5)" for k in range(count)]
    return text + _program("    for i in range(a.shape[0]):\n        t = a[i]", body, "        b[i] = t")


def nests(lines: int) -> str:
    """Loops of three lines, one after the other, over the same arrays."""
    body = [
        f"    for i in range(1, a.shape[0] - 1):\n        t = {'ab'[k % 2]}[i - 1] + {'ab'[k % 2]}[i + 1]\n"
        f"        {'ba'[k % 2]}[i] = t * 0.{k + 1}"
        for k in range(max(lines // 3, 1))
    ]
    return _program("    pass", body, "    b[0] = 1.0")


def deep(lines: int) -> str:
    """Nests of four loops and three branches."""
    nest = (
        "    for i in range(3):\n        for j in range(n):\n            if j > i:\n"
        "                for k in range(j):\n                    if k != i:\n"
        "                        for m in range(2):\n                            if a[m] > {k}.5:\n"
        "                                b[k] = a[j] + {k}.0"
    )
    return _program("    pass", [nest.format(k=k) for k in range(max(lines // 8, 1))], "    b[0] = 1.0")


def arrays(lines: int) -> str:
    """A new array in each line."""
    body = [f"    x{k} = x{k - 1} * 0.5 + x{max(k - 3, 0)}[::-1]" for k in range(1, lines)]
    return _program("    x0 = a", body, f"    b[:] = x{lines - 1}")


def lists(lines: int) -> str:
    """Lists that grow, one for every five lines."""
    body = [
        f"    l{k} = []\n    for i in range(n):\n        l{k}.append(i * {k + 1})\n"
        f"    for v in l{k}:\n        total += v"
        for k in range(max(lines // 5, 1))
    ]
    return _program("    total = 0", body, "    b[0] = total")


def branches(lines: int) -> str:
    """Branches one after the other, in a loop."""
    body = [f"        if t > {k}.0:\n            t = t * 0.5 - {k}.0" for k in range(max(lines // 2, 1))]
    return _program("    for i in range(a.shape[0]):\n        t = a[i]", body, "        b[i] = t")


SHAPES: dict[str, Callable[[int], str]] = {
    f.__name__: f for f in (one_body, no_loop, helpers, nests, deep, arrays, lists, branches)
}


def _program(first: str, body: list[str], last: str) -> str:
    return "\n".join(["def program(a, b, n):", first, *body, last]) + "\n"


@contextmanager
def staged() -> Iterator[dict[str, float]]:
    """CPU seconds of each stage, of this process and its children, while this runs."""
    import weft.backends.c as c
    from benchmarks.compiling.__main__ import cpu_seconds
    from weft.backends.c import toolchain
    from weft.frontend import program
    from weft.transform import pipeline

    found = dict.fromkeys(STAGES, 0.0)
    places: list[tuple[Any, str, str]] = [
        (program, "finish", "frontend"), (pipeline, "optimise", "passes"), (pipeline, "for_cpu", "shaping"),
        (c, "generate", "printing"), (toolchain, "compile_source", "C compiler"),
    ]  # fmt: skip

    def timed(function: Any, stage: str) -> Any:
        def run(*arguments: Any, **options: Any) -> Any:
            begin = cpu_seconds()
            try:
                return function(*arguments, **options)
            finally:
                found[stage] += cpu_seconds() - begin

        return run

    before = [(module, name, getattr(module, name)) for module, name, _ in places]
    for module, name, stage in places:
        setattr(module, name, timed(getattr(module, name), stage))
    try:
        yield found
    finally:
        for module, name, function in before:
            setattr(module, name, function)


def one(shape: str, lines: int) -> None:
    """Compile a program in this process, and print the seconds of its stages."""
    import numpy as np

    import weft

    text, file = SHAPES[shape](lines), f"<{shape}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space: dict[str, Any] = {}
    exec(compile(text, file, "exec"), space)
    with staged() as found:
        weft.jit(space["program"])(np.ones(64), np.zeros(64), 7)
    print(json.dumps(found))


def child(shape: str, lines: int) -> dict[str, float]:
    """The figures of a fresh process with an empty store."""
    with tempfile.TemporaryDirectory() as store:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        command = [sys.executable, "-m", "benchmarks.compiling.growth", "--one", shape, str(lines)]
        done = subprocess.run(
            command, capture_output=True, text=True, env={**environment, "WEFT_CACHE_DIR": store}, check=False
        )
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[-1])
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Print a line for each shape and length."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compiling.growth", description=__doc__)
    parser.add_argument("shapes", nargs="*", metavar="shape", help=", ".join(SHAPES))
    parser.add_argument("--lengths", nargs="+", type=int, default=LENGTHS)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        one(options.one[0], int(options.one[1]))
        return
    print(f"{'':10}{'lines':>6}" + "".join(f"{stage:>18}" for stage in STAGES))
    for shape in options.shapes or SHAPES:
        before: dict[str, float] = {}
        last = 0
        for lines in options.lengths:
            try:
                found = child(shape, lines)
            except RuntimeError as error:
                print(f"{shape:10}{lines:6}  {error}", flush=True)
                break
            columns = []
            for stage in STAGES:
                old = before.get(stage, 0.0)
                grown = f"({log(found[stage] / old) / log(lines / last):.2f})" if old > 0.02 and found[stage] else ""
                columns.append(f"{found[stage]:11.2f}{grown:>7}")
            print(f"{shape:10}{lines:6}" + "".join(columns), flush=True)
            before, last = found, lines


if __name__ == "__main__":
    main()
