"""What a program in the making knows: loop variables with their bounds, arrays, scalars, and how text is written."""

from __future__ import annotations

from contextlib import contextmanager
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from .arguments import Shape

T = TypeVar("T")

SIGNED = ("i8", "i2", "i4", "i1")
UNSIGNED = ("u8", "u4", "u2", "u1")


@dataclass
class Counter:
    """An int variable: it is at least `low` and at most ``factor * n + high``."""

    name: str
    low: int
    factor: int
    high: int
    loop: bool = True


@dataclass
class Scalar:
    """A variable: a Python number ('i', 'f', 'b') or one of a NumPy dtype."""

    name: str
    kind: str
    loose: bool = False
    """Whether its type may change in a loop."""


@dataclass
class Scope:
    """The state of the writer."""

    rng: Random
    features: frozenset[str]
    arrays: list[Shape] = field(default_factory=list)
    counters: list[Counter] = field(default_factory=list)
    scalars: list[Scalar] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    helpers: list[str] = field(default_factory=list)
    indent: int = 1
    loops: int = 0
    depth: int = 0
    budget: int = 8
    names: int = 0
    rounded: bool = False
    """Whether floats may be other than whole numbers."""

    functions: bool = False
    """Whether there are mathematical functions or powers."""

    returns: list[str] = field(default_factory=list)
    planted: bool = False
    in_prange: int = 0
    noted: dict[str, str] = field(default_factory=dict)

    def on(self, feature: str, chance: float = 1.0) -> bool:
        return feature in self.features and (chance >= 1.0 or self.rng.random() < chance)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pick(self, items: Sequence[T]) -> T:
        return items[self.rng.randrange(len(items))]

    def name(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def write(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A compound statement; what is written inside is its body, `pass` if nothing is."""
        self.write(head)
        self.indent += 1
        before = len(self.lines)
        kept = len(self.scalars), len(self.arrays)
        yield
        if len(self.lines) == before:
            self.write("pass")
        del self.scalars[kept[0]:], self.arrays[kept[1]:]
        self.indent -= 1

    @contextmanager
    def counting(self, *counters: Counter) -> Iterator[None]:
        self.counters.extend(counters)
        yield
        for counter in counters:
            self.counters.remove(counter)

    def written(self) -> list[Shape]:
        """Arrays that may be written."""
        return [array for array in self.arrays if array.writable and not array.index]
