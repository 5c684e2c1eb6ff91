"""What random programs are, and what writes their lines: loops, indices and expressions that fit the arrays.

Accesses are inside by construction: one-dimensional arrays have ``2 n + 8`` elements and matrices ``n + 4`` rows and
columns, loops run within 0 to n, and indices are of forms that fit. So every exception is a finding.
"""

from __future__ import annotations

import ast
import itertools
import linecache
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from types import FunctionType
from typing import Any

import numpy as np

import weft
from weft.frontend.calls.markers import prange

from .inputs import Array, Number, Parameter, arguments
from .terms import Expressions, Term, term

FLOATS = ("float64", "float64", "float64", "float32")
INTEGERS = ("int64", "int64", "int32", "uint8", "int16")


@dataclass(frozen=True)
class Allowed:
    """How a program may end otherwise than in CPython, and whether its state after an exception is defined.

    `races`: by a RaceError before anything is written. `overflows`: by an OverflowError where Python's integers leave
    64 bits. `exact`: after an exception the arrays are as CPython leaves them.
    """

    races: bool = False
    overflows: bool = False
    exact: bool = False


@dataclass(frozen=True)
class RandomProgram:
    """A function's source, its parameters, the families of its nests, and whether floats are summed in it."""

    source: str
    parameters: tuple[Parameter, ...]
    families: tuple[str, ...]
    reduces: bool
    allowed: Allowed = Allowed()

    def function(self) -> FunctionType:
        """The function; its source can be found as that of any function."""
        return _compiled(self.source)

    def widened(self) -> FunctionType:
        """The function with constants in the widest arithmetic, in which sums that start from one stay."""
        return _compiled(ast.unparse(_Widened().visit(ast.parse(self.source))))

    def arguments(self, seed: int) -> tuple[Any, ...]:
        """Arguments for one call."""
        return arguments(self.parameters, seed)

    def __str__(self) -> str:
        return f"{self.source}\n# {self.parameters}\n# {self.families}"


class _Widened(ast.NodeTransformer):
    """Makes the widest floats of constants."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.parse(f"np.longdouble({node.value!r})", mode="eval").body if isinstance(node.value, float) else node


def _compiled(source: str) -> FunctionType:
    file = f"<random program {next(_numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {"np": np, "math": math, "prange": prange, "weft": weft}
    exec(compile(source, file, "exec"), namespace)
    function: FunctionType = namespace["program"]
    return function


_numbers = itertools.count(1)
_LAYOUTS = {1: ("strided", "reversed", "within"), 2: ("transposed", "reversed"), 3: ("transposed", "reversed", "inner")}


@dataclass
class Counter:
    """A loop variable: at least `low`, and below n."""

    name: str
    low: int = 0


@dataclass
class Writer:
    """Writes one program. Every choice is taken from `random`."""

    random: Random
    parameters: list[Parameter] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    families: list[str] = field(default_factory=list)
    helpers: list[str] = field(default_factory=list)
    reduces: bool = False
    races: bool = False
    overflows: bool = False
    exact: bool = False
    depth: int = 1
    used: int = 0

    # ------------------------------------------------------------------------------------------- helpers

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def inside(self, head: str, *body: Callable[[], object] | str) -> None:
        """A compound statement: its head and the lines of its body."""
        self.line(head)
        self.depth += 1
        for part in body:
            if isinstance(part, str):
                self.line(part)
            else:
                part()
        self.depth -= 1

    def fresh(self, stem: str) -> str:
        self.used += 1
        return f"{stem}{self.used}"

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def array(
        self, ndim: int = 1, dtypes: tuple[str, ...] = FLOATS, values: str = "quarters", new: bool = False
    ) -> Array:
        """An array parameter, an earlier one or a new one."""
        known = [
            p for p in self.parameters
            if isinstance(p, Array) and p.ndim == ndim and p.dtype in dtypes and p.values == values
        ]  # fmt: skip
        if known and not new and (self.chance(0.5) or len(known) > 3):
            return self.random.choice(known)
        layouts = ("plain",) * 8 + _LAYOUTS.get(ndim, ("plain",))
        made = Array(self.fresh("a"), self.random.choice(dtypes), ndim, values, self.random.choice(layouts))
        self.parameters.append(made)
        return made

    def number(self, type: str) -> Term:
        made = Number(self.fresh("c"), type)
        self.parameters.append(made)
        return term(made.name, {"int": "pyint", "float": "pyfloat"}.get(type, type))

    def alias(self) -> None:
        """Let one array be another, or a part of the same memory."""
        arrays = [p for p in self.parameters if isinstance(p, Array) and p.values == "quarters"]
        for position, array in enumerate(arrays):
            for other in arrays[position + 1 :]:
                if (array.dtype, array.ndim) == (other.dtype, other.ndim) and not array.same_as:
                    shift = self.random.choice((0, 1, 2)) if array.layout == "within" else 0
                    changed = Array(other.name, other.dtype, other.ndim, other.values, "plain", array.name, shift)
                    self.parameters[self.parameters.index(other)] = changed
                    return

    def counter(self, low: int = 0) -> Counter:
        return Counter(self.random.choice("ijk") + str(self.used), low)

    def head(self, counter: Counter, stop: str = "n", claim: str = "range") -> str:
        """The head of a loop whose counter stays within its low bound and n."""
        name, low = counter.name, counter.low
        forms = [f"{claim}({low}, {stop})"] * 5 + [f"{claim}({low}, {stop}, 2)"]
        if low == 0:
            forms += [f"{claim}({stop})"] * 4
        if stop == "n":
            forms += [f"{claim}(n - 1, {low - 1}, -1)", f"{claim}(n - 1, {low - 1}, -2)", f"{claim}({low}, n - 1)"]
        return f"for {name} in {self.random.choice(forms)}:"

    def index(self, counter: Counter) -> str:
        """An index into a one-dimensional array."""
        i, low = counter.name, counter.low
        forms = [i] * 6 + [
            f"{i} + {self.random.randint(1, 4)}",
            f"2 * {i}",
            f"2 * {i} + 1",
            f"n - 1 - {i}",
            f"{i} // 2",
        ]
        forms += [f"{i} - {self.random.randint(1, low)}"] * 2 if low else []
        forms += [str(self.random.randint(0, 3)), f"{i} % 3", "-1"] if self.chance(0.3) else []
        return self.random.choice(forms)

    def place(self, outer: Counter, inner: Counter, offsets: bool = True) -> str:
        """Indices into a matrix."""
        return f"{self._near(outer, offsets)}, {self._near(inner, offsets)}"

    def _near(self, counter: Counter, offsets: bool) -> str:
        if not offsets or self.chance(0.6):
            return counter.name
        if counter.low and self.chance(0.5):
            return f"{counter.name} - {self.random.randint(1, counter.low)}"
        return f"{counter.name} + {self.random.randint(1, 3)}"

    def expressions(self, *counters: Counter, ndim: int = 1, more: tuple[Term, ...] = ()) -> Expressions:
        """Expressions over elements of arrays, loop counters and scalars."""
        terms = list(more)
        for _ in range(self.random.randint(1, 3)):
            array = self.array(ndim)
            place = self.index(counters[-1]) if ndim == 1 else self.place(*counters)
            terms.append(term(f"{array.name}[{place}]", array.dtype))
        if self.chance(0.3):
            terms.append(term(self.random.choice(counters).name, "pyint"))
        if self.chance(0.2):
            terms.append(self.number("float"))
        return Expressions(self.random, terms)

    def element(self, counter: Counter, **options: Any) -> Term:
        array = self.array(**options)
        return term(f"{array.name}[{counter.name}]", array.dtype)
