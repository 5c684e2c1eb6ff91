"""Programs in which CPython rounds a Python float once, where it is stored, and Weft computes in the narrow type.

A case is a way in which an element and a Python number meet, what is computed of them with Python's floats `w` and `b`,
and where the result goes.
"""

from __future__ import annotations

import itertools
import linecache
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

MEETINGS = {
    "maximum": "x = max(a[i], {p})",
    "maximum of a difference": "x = max(a[i] - 1, {p})",
    "minimum": "x = min({p}, a[i])",
    "if": "x = {p}\n        if a[i] > 0.5:\n            x = a[i]",
    "else": "if a[i] > 0.5:\n            x = a[i]\n        else:\n            x = {p}",
    "expression": "x = a[i] if a[i] > 0.5 else {p}",
    "or": "x = a[i] or {p}",
    "and": "x = a[i] and {p}",
    "last": "x = {p}\n        for j in range(i):\n            x = a[j]",
    "sum": "x = {p}\n        for j in range(i):\n            x += a[j]",
    "accumulator": "x = {p}\n        for j in range(i):\n            x = max(x, np.{dtype}(a[j]))",
    "helper": "def pick(v):\n            return v if v > 0.5 else {p}\n        x = pick(a[i])",
}
PYTHONS = ["0.0", "1.0", "0", "-2.0", "0.5", "-0.0"]
STORED_RIGHT = [
    "x * w", "x * w + b", "x + b", "b - x", "w * x - b", "-(x * w + b)", "abs(x + b)", "min(x * w + b, 6.0)",
    "max(x + b, a[i])", "(x * w + b) * a[i]", "a[i] + (x + b)", "-x * w + b", "x * w * a[i] + b",
]  # fmt: skip
"""What is right where it is rounded once, for a zero."""
OTHERS = [
    "(x * w + b) * w", "x * w + b + w", "(x + b) / w", "(x + b) // 1.0", "np.sqrt(x + b)", "float(x + b)", "int(x + b)",
    "1.0 if x + b else 2.0", "1.0 if x + b > b else 2.0", "1.0 if x + b == b else a[i]", "math.floor(x * w + b)",
    "(x + b) ** 2", "(x + b if a[i] < 2 else a[i])", "(x + b) or a[i]", "round(x + b, 1)", "np.float64(x + b)",
    "np.maximum(x + b, a[i])", "(x + b) * (x + b)", "(x + b) - b", "not (x + b)", "(x + b, w)[0]", "(x + b) % 1.0",
]  # fmt: skip
SINKS = {
    "store": "out[i] = {e}",
    "variable": "y = {e}\n        out[i] = y",
    "type": "out[i] = np.{dtype}({e})",
    "type, wide": "wide[i] = np.{dtype}({e})",
    "wide": "wide[i] = {e}",
    "narrow": "half[i] = {e}",
    "integer": "whole[i] = {e}",
    "join": "y = {e}\n        if a[i] > 1:\n            y = a[i]\n        out[i] = y",
    "join, wide": "y = {e}\n        if a[i] > 1:\n            y = a[i]\n        wide[i] = y",
    "loop": "y = a[i]\n        for k in range(2):\n            out[i] = y\n            y = {e}",
    "in a loop": "y = {e}\n        for k in range(2):\n            wide[i] += y * k\n            out[i] = y",
    "added": "out[i] += {e}",
    "twice": "y = {e}\n        wide[i] = y\n        out[i] = y",
    "in a branch": "y = {e}\n        if a[i] > 0:\n            wide[i] = y\n        out[i] = y",
    "helper": "def act(v):\n            return {e}\n        out[i] = act(x)",
    "conditional": "y = {e}\n        out[i] = y if a[i] > 0 else 1.0",
}
PARAMETERS = [0.5, 0.1, float("inf"), float("nan"), 1e300, -0.0, 0.0, -0.1, 3.0, 1e-300, -1e-300, 70000.0, 1 + 2.0**-12]
ROUNDED = ("store", "variable", "type", "helper", "added", "conditional")
"""Sinks that round where CPython does."""


@dataclass(frozen=True)
class Case:
    """A program."""

    meeting: str
    python: str
    dtype: str
    expression: str
    sink: str

    @property
    def source(self) -> str:
        """The program's text."""
        meeting = MEETINGS[self.meeting].format(p=self.python, dtype=self.dtype)
        sink = SINKS[self.sink].format(e=self.expression, dtype=self.dtype)
        head = "def f(a, w, b, out, wide, half, whole):\n    for i in range(a.shape[0]):"
        return f"{head}\n        {meeting}\n        {sink}\n"

    def function(self) -> Callable[..., Any]:
        """The program."""
        name = f"<rounded once {len(linecache.cache)}>"
        linecache.cache[name] = (len(self.source), None, self.source.splitlines(True), name)
        scope: dict[str, Any] = {"np": np, "math": math}
        exec(compile(self.source, name, "exec"), scope)
        return scope["f"]  # type: ignore[no-any-return]


def cases() -> Iterator[Case]:
    """All programs."""
    numbers = itertools.product(MEETINGS, PYTHONS, ("float16", "float32"))
    for (meeting, python, dtype), expression, sink in itertools.product(numbers, STORED_RIGHT + OTHERS, SINKS):
        yield Case(meeting, python, dtype, expression, sink)


def arguments(case: Case, w: float, b: float) -> tuple[Any, ...]:
    """One call's arguments."""
    a = np.array([0.3, 2.0, -1.0, 0.0, 1.5, -0.0], case.dtype)
    return a, w, b, np.zeros(6, case.dtype), np.zeros(6), np.zeros(6, np.float16), np.zeros(6, np.int64)


def outcome(function: Callable[..., Any], given: tuple[Any, ...]) -> list[bytes] | Exception:
    """The bits of all arrays after a call, or its exception."""
    given = tuple(value.copy() if isinstance(value, np.ndarray) else value for value in given)
    with np.errstate(all="ignore"):
        try:
            function(*given)
        except Exception as error:
            return error
    return [np.where(x != x, np.nan, x).astype(x.dtype).tobytes() for x in given[3:]]
