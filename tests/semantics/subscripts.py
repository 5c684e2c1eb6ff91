"""Loops whose iterations touch one array at two places, which are the same element always, never, or for some values.

Every form of subscript is paired with every other, in rows, columns, views and transposed views; the loops run upwards,
downwards and with a step, towards the element that is read and away from it.
"""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import weft

SIZE = 14
VALUES = ((1, 1), (1, 2), (0, -1), (-1, SIZE - 2), (3, -2))
"""What `k` and `m` are, for `n` of 10: with these all subscripts are inside."""

GIVEN = (
    "1", "-1", "-3", "k", "m", "v.shape[1] - 1", "n", "k + 1", "2 * k - m", "k * m", "abs(m)", "k % 3", "min(k, m)",
    "p[0]", "p[k]",
)  # fmt: skip
"""Subscripts that are the same in all iterations."""

VARYING = ("i", "i + 1", "n - 1 - i", "i % 3", "i // 2", "p[i]")

PLACES = ("v[{row}, {column}]", "v[{column}, {row}]", "v.T[{column}, {row}]", "v[::-1, ::-1][{row}, {column}]")
VIEWS = ("v[:, {column}]", "v[{column}]", "v.T[{column}]")
"""Views made before the loop, of which an element is taken."""

LOOPS = (
    ("n", "i + 1", "i"), ("n", "i", "i + 1"), ("n, 0, -1", "i - 1", "i"), ("n, 0, -1", "i", "i - 1"),
    ("0, n, 2", "i + 2", "i"), ("0, n, 2", "i + 1", "i"), ("n, 1, -2", "i - 2", "i"),
)  # fmt: skip
"""The range, the row that is written, and the row that is read."""

STATEMENTS = {
    "=": "{to} = {of} + 1", "+=": "{to} += {of}", "*=": "{to} *= {of}", "|=": "{to} |= {of}",
    "max": "{to} = max({to}, {of})", "linear": "{to} = {of} * 2 + {to}",
    "guarded": "if {to} > 0:\n            {to} = {of}",
}  # fmt: skip
DTYPES = ("float64", "float32", "int64", "int32", "uint8")


@dataclass(frozen=True)
class Case:
    """One loop: where it runs, what it writes and reads, and how."""

    written: str
    read: str
    place: str
    loop: tuple[str, str, str]
    statement: str
    dtype: str

    def lines(self, number: int, kind: str = "range") -> list[str]:
        """The loop over an array of its own, with the views that it needs."""
        own, (bounds, to, of) = f"v{number}", self.loop
        sides, views = [], []
        for side, (column, row) in enumerate(((self.written, to), (self.read, of))):
            text = self.place.replace("v", own).replace("{column}", column.replace("v.", f"{own}."))
            if self.place in VIEWS:
                views.append(f"    x{number}_{side} = {text}")
                text = f"x{number}_{side}[{{row}}]"
            sides.append(text.replace("{row}", row))
        body = STATEMENTS[self.statement].format(to=sides[0], of=sides[1])
        return [*views, f"    for i in {kind}({bounds}):", f"        {body}"]

    def touched(self, n: int, k: int, m: int) -> list[tuple[Any, Any]]:
        """What each iteration writes and reads, as elements of the array."""
        known = {"n": n, "k": k, "m": m, "p": index(), "v": np.zeros((SIZE, SIZE))}
        places = np.arange(SIZE * SIZE).reshape(SIZE, SIZE)
        element = self.place if self.place not in VIEWS else self.place + "[{row}]"
        texts = [
            element.replace("v", "places").replace("{column}", column).replace("{row}", row)
            for column, row in ((self.written, self.loop[1]), (self.read, self.loop[2]))
        ]
        counters = eval(f"range({self.loop[0]})", {}, known)
        return [tuple(int(eval(t, {}, {**known, "i": i, "places": places})) for t in texts) for i in counters]

    def is_in_conflict(self, n: int, k: int, m: int) -> bool:
        """Whether an iteration writes what another touches."""
        touched = list(enumerate(self.touched(n, k, m)))
        return any(a[0] in b for (x, a), (y, b) in itertools.permutations(touched, 2))


def cases() -> Iterator[Case]:
    """The whole class: every pair in every place and loop; statements and dtypes take turns."""
    turns = itertools.cycle(itertools.product(DTYPES, STATEMENTS))
    for place, loop in itertools.product((*PLACES, *VIEWS), LOOPS):
        columns = GIVEN if place in VIEWS else (*GIVEN, *VARYING)
        for written, read in itertools.product(columns, columns):
            dtype, statement = next(turns)
            if statement == "|=" and dtype.startswith("float"):
                dtype = "int64"
            yield Case(written, read, place, loop, statement, dtype)


def index() -> Any:
    """The array of integers that subscripts are read from."""
    return np.array([1, 0, 2, 5, 3, 4, 7, 6, 9, 8, 11, 10, 1, 1])


def function(cases: Sequence[Case], kind: str = "range") -> Callable[..., Any]:
    """A function of one loop for each case, each over an array of its own."""
    arrays = [f"v{number}" for number in range(len(cases))]
    lines = [line for number, case in enumerate(cases) for line in case.lines(number, kind)]
    text = "\n".join([f"def f(n, k, m, p, {', '.join(arrays)}):", *lines, ""])
    file = f"<subscripts {len(linecache.cache)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {"weft": weft}
    exec(compile(text, file, "exec"), names)
    made: Callable[..., Any] = names["f"]
    return made


def arguments(cases: Sequence[Case], seed: int, k: int, m: int) -> tuple[Any, ...]:
    """Arguments for such a function."""
    random = np.random.default_rng(seed)
    arrays = [random.integers(0, 4, (SIZE, SIZE)).astype(case.dtype) for case in cases]
    return (10, k, m, index(), *arrays)
