"""Random programs to test predictions with: those of the thesis behind this evaluation, and forms that it lacks.

A program is an expression tree over a matrix of float32, in one of a few forms: a map over one, two or three
dimensions, a guarded map, a nested one, a reduction, a filter. Two sets: *restricted* has 2 to 6 nodes, indices of at
most two, and no division; *unrestricted* has 2 to 50 nodes and everything. A name fixes its program, and a hash of the
name says whether it may be used to fit anything.

The expression nodes and their probabilities are those of A. Pöppl, *Evaluation and Prediction of Execution Times for
OpenCL-based Computations on GPGPU Systems*, TU München 2014, section 6.1.1.
"""

from __future__ import annotations

import hashlib
import linecache
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

SetName = Literal["restricted", "unrestricted"]

SIZES = tuple(1 << power for power in range(8, 25))
"""Elements of the matrix: 17 sizes."""

LOCAL = 128
"""Elements of the small array that some accesses read."""

NESTED = 8
"""Iterations of the inner loop of nested programs."""

FORMS = ("map2", "map2", "map2", "map1", "map3", "guarded", "nested", "reduce", "filter")
"""The forms; each program has one of these, all as likely."""


@dataclass(frozen=True)
class Limits:
    """What expressions of a set may have: nodes of trees and of indices, and whether they divide."""

    fewest: int
    most: int
    index: int
    divides: bool


LIMITS: dict[SetName, Limits] = {
    "restricted": Limits(2, 6, 2, False),
    "unrestricted": Limits(2, 50, 8, True),
}


@dataclass(frozen=True)
class RandomProgram:
    """A program of the evaluation.

    Attributes
    ----------
    name
        Fixes everything else.
    source
        The text of a Python function ``program``.
    form
        One of `FORMS`.
    dimensions
        Of the matrix.
    """

    name: str
    source: str
    form: str
    dimensions: int

    @property
    def is_seen(self) -> bool:
        """Whether it may be used to fit something: half of all names are."""
        return hashlib.sha256(self.name.encode()).digest()[0] % 2 == 0

    def function(self) -> Callable[..., Any]:
        """The function, compiled from the source, which tracebacks and Weft find under the program's name."""
        file = f"<{self.name}>"
        linecache.cache[file] = (len(self.source), None, self.source.splitlines(keepends=True), file)
        names: dict[str, Any] = {"__name__": "weft_evaluation"}
        exec(compile(self.source, file, "exec"), names)
        found: Callable[..., Any] = names["program"]
        return found

    def shape(self, size: int) -> tuple[int, ...]:
        """Extents of a matrix of `size` elements, a power of two: as equal as they can be."""
        power = size.bit_length() - 1
        parts = [power // self.dimensions] * self.dimensions
        for k in range(power % self.dimensions):
            parts[-1 - k] += 1
        return tuple(1 << part for part in parts)

    def arguments(self, size: int) -> tuple[Any, ...]:
        """Arrays for `size` elements: the matrix, the small array, and the result."""
        shape = self.shape(size)
        matrix = (np.arange(size, dtype=np.int64) % 97).astype(np.float32).reshape(shape)
        local = np.arange(1, LOCAL + 1, dtype=np.float32)
        if self.form == "reduce":
            return matrix, local
        out = np.ones(size if self.form == "filter" else shape, np.float32)
        return matrix, local, out


def generate(which: SetName, number: int) -> RandomProgram:
    """The program of a number in a set."""
    name = f"{which}-{number}"
    chance = random.Random(name)
    form = chance.choice(FORMS)
    dimensions = {"map1": 1, "map3": 3}.get(form, 2)
    body = _Expression(chance, LIMITS[which], "xyz"[:dimensions]).text()
    return RandomProgram(name, _function(form, dimensions, body, chance), form, dimensions)


def programs(which: SetName, count: int) -> Iterator[RandomProgram]:
    """The first programs of a set."""
    return (generate(which, number) for number in range(count))


class _Expression:
    """Grows expression trees until one has as many nodes as a set allows."""

    def __init__(self, chance: random.Random, limits: Limits, counters: str) -> None:
        self.chance, self.limits, self.counters = chance, limits, counters
        self.nodes = 0

    def text(self) -> str:
        """A tree that fits, and reads the matrix or counts at least once."""
        while True:
            self.nodes = 0
            text = self._value(0)
            if self.limits.fewest <= self.nodes <= self.limits.most and any(c in text for c in ("m[", "f")):
                return text

    def _value(self, depth: int) -> str:
        self.nodes += 1
        if self.nodes > self.limits.most:
            return "0.5"
        kind = self.chance.random()
        if kind < 0.5:
            op = self.chance.choice("+-*/" if self.limits.divides else "+-*")
            return f"({self._value(depth + 1)} {op} {self._value(depth + 1)})"
        if kind < 0.6:
            return f"{self.chance.uniform(0.5, 9.5):.2f}"
        if kind < 0.7:
            return f"f{self.chance.choice(self.counters)}"
        if kind < 0.8:
            return f"m[{', '.join(self.counters)}]"
        if kind < 0.9:
            return f"m[{', '.join(f'{self._index()} % n{axis}' for axis in range(len(self.counters)))}]"
        return f"local[{self._index()} & 127]"

    def _index(self) -> str:
        """An index tree, of sums and products only: nothing is negative."""
        nodes = self.chance.randint(1, self.limits.index)
        return self._tree(nodes)

    def _tree(self, nodes: int) -> str:
        if nodes == 1:
            is_counter = self.chance.random() < 0.7
            return self.chance.choice(self.counters) if is_counter else str(self.chance.randint(1, 342))
        left = max((nodes - 1) // 2, 1)
        right = max(nodes - 1 - left, 1)
        op = self.chance.choice("+*")
        return f"({self._tree(left)} {op} {self._tree(right)})"


def _function(form: str, dimensions: int, body: str, chance: random.Random) -> str:
    """The text of a function of a form."""
    counters = "xyz"[:dimensions]
    arrays = "m, local" if form == "reduce" else "m, local, out"
    lines = ["import numpy as np", "", "", f"def program({arrays}):"]
    lines += [f"    n{axis} = m.shape[{axis}]" for axis in range(dimensions)]
    start = {"reduce": "total = np.float32(0.0)", "filter": "count = 0"}.get(form)
    lines += [f"    {start}"] if start else []
    for axis, counter in enumerate(counters):
        lines.append(f"{'    ' * (axis + 1)}for {counter} in range(n{axis}):")
    inner = "    " * (dimensions + 1)
    lines += [f"{inner}f{counter} = np.float32({counter})" for counter in counters if f"f{counter}" in body]
    lines += [inner + line for line in _statements(form, counters, body, chance)]
    end = {"reduce": "return total", "filter": "return count"}.get(form)
    return "\n".join([*lines, *([f"    {end}"] if end else []), ""])


def _statements(form: str, counters: str, body: str, chance: random.Random) -> list[str]:
    own = ", ".join(counters)
    if form == "guarded":
        return [f"if m[{own}] > {chance.choice((16, 48, 80))}.0:", f"    out[{own}] = {body}"]
    if form == "nested":
        total = ["s = np.float32(0.0)", f"for k in range({NESTED}):", f"    s += {body} * local[k]"]
        return [*total, f"out[{own}] = s"]
    if form == "reduce":
        return [f"total += {body}"]
    if form == "filter":
        test = f"m[{own}] > {chance.choice((16, 48, 80))}.0"
        return [f"if {test}:", f"    out[count] = {body}", "    count += 1"]
    return [f"out[{own}] = {body}"]
