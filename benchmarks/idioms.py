"""Common spellings of what people write of numbers, beside serial and parallel Numba: `python -m benchmarks.idioms`.

Every idiom is one loop over 200,000 elements. The spellings fall into two halves by a hash of their text: what is tuned
may look at the first half alone, and its figures count for nothing without those of the second.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import weft

SIZE, REPEATS = 200_000, 10
SECONDS = 0.3
"""How long each candidate is timed at least."""

IDIOMS = {
    "square": ("v ** 2", "v * v", "pow(v, 2)", "x[i] ** 2", "math.pow(v, 2.0)"),
    "cube": ("v ** 3", "v * v * v", "x[i] ** 3"),
    "fourth power": ("v ** 4", "v ** 2 * v ** 2"),
    "root": ("v ** 0.5", "math.sqrt(v)", "np.sqrt(x[i])"),
    "inverse": ("v ** -1", "1.0 / v", "1 / v", "1.0 / x[i]"),
    "inverse square": ("v ** -2", "1.0 / (v * v)", "1.0 / v ** 2"),
    "exponential": ("math.exp(-v)", "np.exp(-x[i])"),
    "logarithm": ("math.log(v)", "np.log(x[i])"),
    "sine": ("math.sin(v)", "np.sin(x[i])"),
    "whole part": ("int(v)", "int(x[i])", "math.floor(v)"),
    "fraction": ("v % 1.0", "v - int(v)", "x[i] % 1.0"),
    "grid spacing": ("v / s ** 2", "v / (s * s)"),
    "distance": (
        "math.sqrt(v ** 2 + s ** 2)",
        "math.sqrt(v * v + s * s)",
        "(v * v + s * s) ** 0.5",
        "math.hypot(v, s)",
    ),
    "small integer": ("int(v) % 3", "np.uint8(int(v))"),
    "choice": ("v if v > s else s", "max(v, s)", "min(max(v, 1.0), s)"),
}

PROGRAM = """\
import math
import numpy as np

def idiom(x, y, s, repeats):
    for r in range(repeats):
        for i in {range}(x.shape[0]):
            v = float(x[i])
            y[i] = {expression}
"""


@dataclass(frozen=True)
class Figure:
    """Milliseconds for one spelling by Weft and by Numba on one and on all threads; infinity where Numba refuses it."""

    idiom: str
    expression: str
    half: str
    weft: float
    serial: float
    parallel: float
    is_right: bool

    @property
    def ratio(self) -> float:
        """How many times faster Weft is than the faster Numba."""
        return min(self.serial, self.parallel) / self.weft


def half_of(expression: str) -> str:
    """The half that a spelling belongs to."""
    return "ab"[hashlib.sha256(expression.encode()).digest()[0] % 2]


def figures(names: Sequence[str], folder: Path) -> Iterator[Figure]:
    """Time all spellings of the idioms with these names."""
    for name in names:
        for expression in IDIOMS[name]:
            yield figure(name, expression, folder)


def figure(name: str, expression: str, folder: Path) -> Figure:
    """Time one spelling, and compare its results with those of CPython."""
    x = np.random.default_rng(0).uniform(0.5, 5.0, SIZE)
    y, expected = np.zeros(SIZE), np.zeros(500)
    plain = function_of(expression, "range", folder)
    plain(x[:500], expected, 1.3, 1)
    mine = weft.jit(plain, device="cpu")
    taken = milliseconds(lambda: mine(x, y, 1.3, REPEATS))
    is_right = bool(np.allclose(y[:500], expected, rtol=1e-14, atol=0.0))
    others = [numba_milliseconds(expression, parallel, x, folder) for parallel in (False, True)]
    return Figure(name, expression, half_of(expression), taken, *others, is_right)


def numba_milliseconds(expression: str, parallel: bool, x: np.ndarray[Any, Any], folder: Path) -> float:
    """The time of Numba; infinity where it refuses the program."""
    import numba

    plain = function_of(expression, "numba.prange" if parallel else "range", folder)
    compiled = numba.njit(parallel=parallel)(plain)
    y = np.zeros(len(x))
    try:
        return milliseconds(lambda: compiled(x, y, 1.3, REPEATS))
    except numba.core.errors.NumbaError:
        return float("inf")


def function_of(expression: str, range_: str, folder: Path) -> Callable[..., None]:
    """The loop with one spelling, in a file of its own."""
    text = PROGRAM.format(expression=expression, range=range_)
    text = text if "numba" not in range_ else f"import numba\n{text}"
    path = folder / f"idiom_{hashlib.sha256(text.encode()).hexdigest()[:12]}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[..., None] = module.idiom
    return found


def milliseconds(call: Callable[[], object]) -> float:
    """The best time of a call that was made once before."""
    call()
    best, end = float("inf"), time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return 1e3 * best


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table; the exit status is 1 where a result is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.idioms", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("idioms", nargs="*", help="names of idioms; by default all")
    chosen = parser.parse_args(arguments).idioms or list(IDIOMS)
    found = []
    print(f"{'idiom':15} {'spelling':28} half  weft ms  serial  parallel  times Numba")
    with tempfile.TemporaryDirectory() as folder:
        for entry in figures(chosen, Path(folder)):
            found.append(entry)
            times = f"{entry.weft:8.2f} {entry.serial:7.2f} {entry.parallel:9.2f} {entry.ratio:12.2f}"
            print(f"{entry.idiom:15} {entry.expression:28} {entry.half:4} {times}{'' if entry.is_right else '  WRONG'}")
            sys.stdout.flush()
    for half in ("a", "b"):
        ratios = [entry.ratio for entry in found if entry.half == half and entry.ratio < float("inf")]
        if ratios:
            print(f"half {half}: geometric mean {statistics.geometric_mean(ratios):.2f}, least {min(ratios):.2f}")
    return 0 if all(entry.is_right for entry in found) else 1


if __name__ == "__main__":
    sys.exit(main())
