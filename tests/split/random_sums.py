"""Random programs that add floats over their outermost loop, beside other loops, stores, and conditions.

``python -m tests.split.random_sums 100`` runs so many, and says how many were refused.
"""

from __future__ import annotations

import linecache
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.split.in_pieces import InPieces, copies
from weft.errors import Error, UnsupportedError

RANGES = ("len(x)", "n", "1, len(x) - 1", "2, n", "0, len(x), 2", "len(x) // 2", "m.shape[0]", "n, len(x)", "n - 3")
ELEMENTS = (
    "x[i]",
    "y[i]",
    "x[i - 1]",
    "x[i + 1]",
    "m[i, 1]",
    "m[i // 2, 0]",
    "x[i] * y[i]",
    "x[len(x) - 1 - i]",
    "i",
    "c",
)
SCALINGS = ("{}", "{} * {}", "{} - {}", "1 / (2 + abs({}))", "np.sqrt(abs({}))", "np.minimum({}, {})", "{} ** 2")
ALONE = ("y[i] = {}", "z[i] = {}", "z[i] = z[i] * 0.5 + {}", "k += 1", "most = max(most, {})", "t *= 1 + 0.001 * {}")


def source_of(seed: int) -> str:
    """The text of a function."""
    rng = random.Random(seed)

    def value() -> str:
        return rng.choice(SCALINGS).format(rng.choice(ELEMENTS), rng.choice(ELEMENTS))

    lines = ["def f(x, y, z, m, n, c):", "    s, t, k, most = 0.25, 1.0, 0, x[0]"]
    for number in range(rng.choice((1, 1, 2))):
        lines.append(f"    for i in range({rng.choice(RANGES)}):")
        body = [f"s += {value()}"] if number == 0 or rng.random() < 0.5 else []
        body += [rng.choice(ALONE).format(value()) for _ in range(rng.choice((0, 0, 1, 2)))] or ["t += x[i]"]
        if rng.random() < 0.3:
            body += ["for j in range(m.shape[1]):", f"    s += m[i, j] * {rng.choice(('1.5', 'x[i]', 'y[j]'))}"]
        if rng.random() < 0.3:
            body = [f"if {value()} > 0.3:", *(f"    {line}" for line in body)]
        lines += [f"        {line}" for line in body]
    if rng.random() < 0.2:
        lines.append("    z[0] = s")
    return "\n".join([*lines, "    return s, t, k, most", ""])


def function_of(source: str, name: str) -> Callable[..., Any]:
    """The function of a text."""
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    scope: dict[str, Any] = {"np": np}
    exec(compile(source, name, "exec"), scope)
    return scope["f"]  # type: ignore[no-any-return]


def arguments_of(rng: np.random.Generator, count: int, kind: str) -> list[Any]:
    """Numbers whose sums depend on their order."""
    x, y, z = ((rng.standard_normal(count) * 10.0 ** rng.integers(-3, 4, count)).astype(kind) for _ in range(3))
    m = rng.standard_normal((count, 3 if count % 2 else 66)).astype(kind)
    return [x, y, z, m, max(count - 5, 1), 0.75]


def bits(values: Any) -> list[bytes]:
    """What must be the same."""
    return [np.asarray(value).tobytes() for value in values]


def difference(seed: int) -> str:
    """What is wrong of a program in pieces, or ``refused``; empty where nothing is."""
    source, rng = source_of(seed), np.random.default_rng(seed)
    kind = rng.choice(["float64", "float32"])
    try:
        pieces = InPieces(function_of(source, f"<sums {seed}>"), arguments_of(rng, 8, kind))
    except Error as error:
        return f"refused: {error.cause or error.message}"
    for count in (10, 51):
        arguments = arguments_of(rng, count, kind)
        whole, found = copies(arguments), copies(arguments)
        cut = rng.random(2)
        outcomes = []
        for run in (pieces.run_whole, lambda given: pieces.run(given, sorted(cut))):
            try:
                outcomes.append(bits(run(whole if run == pieces.run_whole else found)))
            except (IndexError, ZeroDivisionError) as error:
                outcomes.append([str(error).encode()])
            except UnsupportedError as error:
                return f"refused: {error.cause or error.message}"
        raised = len(outcomes[0]) == 1
        if outcomes[0] != outcomes[1] or (not raised and bits(found) != bits(whole)):
            return f"{count} {kind} {cut}: {outcomes}\n{source}"
    return ""


def small_groups(patch: pytest.MonkeyPatch) -> None:
    """Groups of 16 iterations, 8 at most; 4 partial results are many; rows in parts from 16 entries."""
    patch.setattr("weft.plan.partition.reductions.CHUNK", 16)
    patch.setattr("weft.plan.place.PIECES", 8)
    patch.setattr("weft.split.grouped.chunk_of", lambda trip: ((max(trip, 1) - 1) // 128 + 1) * 16)
    patch.setattr("weft.plan.place.FEW", 4)
    patch.setattr("weft.plan.prepare.folds.split_reductions.LEAST", 16)
    patch.setattr("weft.plan.prepare.folds.split_reductions.ENOUGH", 64)


if __name__ == "__main__":
    small_groups(pytest.MonkeyPatch())
    first, count = (int(word) for word in sys.argv[1:3])
    for number in range(first, first + count):
        print(number, difference(number) or "same", flush=True)
