"""Random programs with objects whose fields are assigned: CPython's answer, or a refusal."""

from __future__ import annotations

import linecache
import sys
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import Any

import pytest

import weft

CLASSES = """
import dataclasses

@dataclasses.dataclass
class Point:
    x: float
    y: float

    def pick(self, other):
        if self.x > other.y:
            return Point(self.y, other.x)
        return Point(other.x, self.y)

    def larger(self, other):
        if self.x > other.x:
            return self
        return other

    def move(self, distance):
        self.x += distance
        return self

@dataclasses.dataclass
class Box:
    inner: Point
    size: float
"""

HEAD = """
def program(p, c, n):
    q = Point(1.0, c)
    r = Point(c, 2.0)
    b = Box(Point(0.5, c), 1.0)
    d = Box(Point(c, 0.25), 2.0)
    total = 0.0
    p = Point(p.x, p.y)
"""

TAIL = """
    if b.size > q.y:
        return p, q.x, total
    return q, b.inner.y + b.size, total + r.x + d.inner.x
"""


@dataclass
class Writer:
    """Writes one program."""

    random: Random
    text: str = HEAD
    loops: int = 0

    def point(self) -> str:
        return self.random.choice("pqr")

    def number(self) -> str:
        return self.random.choice(
            ("c", "1.0", f"{self.point()}.x", f"{self.point()}.y", "b.size", "b.inner.x", "d.inner.y")
        )

    def test(self) -> str:
        return f"{self.number()} {self.random.choice('<>')} {self.number()}"

    def made(self) -> str:
        new = f"Point({self.number()}, {self.number()})"
        chosen = f"({self.random.choice((self.point(), new))} if {self.test()} else {new})"
        method = self.random.choice((f"pick({self.point()})", f"larger({self.point()})", f"move({self.number()})"))
        return self.random.choice((new, new, new, new, self.point(), "b.inner", chosen, f"{self.point()}.{method}"))

    def block(self, depth: int, in_loop: bool = False) -> None:
        for _ in range(self.random.randint(1, 4)):
            self.statement(depth, in_loop)

    def statement(self, depth: int, in_loop: bool) -> None:
        choice = self.random.random()
        space = "    " * depth
        if choice < 0.25 and depth < 4:
            self.text += f"{space}if {self.test()}:\n"
            self.block(depth + 1, in_loop)
            if in_loop and self.random.random() < 0.1:
                self.text += f"{space}    {self.random.choice(('break', 'continue'))}\n"
            elif self.random.random() < 0.6:
                self.text += f"{space}else:\n"
                self.block(depth + 1, in_loop)
        elif choice < 0.4 and depth < 4:
            self.loops += 1
            self.text += f"{space}for i{self.loops} in range({self.random.choice(('n', '2', 'n - 1'))}):\n"
            self.block(depth + 1, True)
        else:
            self.text += f"{space}{self.assignment()}\n"

    def assignment(self) -> str:
        first, second = self.random.sample("pqr", 2)
        box = self.random.choice("bd")
        return self.random.choice((
            f"{first} = {self.made()}", f"{first} = {self.made()}", f"{first}, {second} = {second}, {first}",
            f"{first}.{self.random.choice('xy')} += {self.number()}", f"{first}.x = {self.number()}",
            f"{box} = Box({self.made()}, {self.number()})", f"{box}.inner = {self.made()}", f"{box}.inner.x += 1.0",
            "b, d = d, b", f"total += {self.number()}",
        ))  # fmt: skip


def written(seed: int) -> ModuleType:
    """A module with the classes and the program of a seed."""
    writer = Writer(Random(seed))
    writer.block(1)
    text, name = CLASSES + writer.text + TAIL, f"random_objects_{seed}"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    module = sys.modules[name] = ModuleType(name)
    exec(compile(text, name, "exec"), module.__dict__)
    return module


REFUSALS = ("several objects", "do not settle", "since the loop did not run")


def ways(seed: int) -> list[tuple[Any, Any]]:
    """Results and arguments of CPython and of compiled code; empty where that refuses the program."""
    module, found = written(seed), []
    compiled = weft.jit(module.program, device="interpreter")
    for c, count in ((0.3, 3), (1.7, 0), (2.2, 4)):
        outcomes = []
        for call in (module.program, compiled):
            point = module.Point(1.5, 0.75)
            try:
                outcomes.append((call(point, c, count), point))
            except weft.Error as error:
                assert any(text in str(error) for text in REFUSALS)
                return []
        found.append(tuple(map(repr, outcomes)))
    return found


@pytest.mark.sample(0)
def test_programs_give_the_answer_of_python_or_are_refused():
    answered = 0
    for seed in range(120):
        pairs = ways(seed)
        answered += bool(pairs)
        for expected, got in pairs:
            assert expected == got, linecache.cache[f"random_objects_{seed}"][2]
    assert answered > 60
