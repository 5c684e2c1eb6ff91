"""Random control flow: loops, branches and jumps nested at will, in CPython and translated."""

from __future__ import annotations

import linecache
import random

import numpy as np
import pytest

from .compare import check

NAMES = ["p", "q", "r"]


REFUSALS = ("has no value here", "is not defined", "and None on others")
"""Programs that Weft may refuse: they read what cannot have a value."""


class Maker:
    """Writes the body of a function of ``a`` (an int64 vector) and ``n``; names may be unbound where they are read."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.loops = 0

    def text(self) -> str:
        self.lines.append("def f(a, n):")
        if self.random.random() < 0.9:
            self.line(1, "p = q = r = 0")
        self.block(1, 3, False)
        if self.random.random() < 0.9:
            self.line(1, f"return {self.number()}, {self.random.choice(NAMES)}")
        return "\n".join(self.lines) + "\n"

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def number(self) -> str:
        pick = self.random.random()
        if pick < 0.3:
            return str(self.random.randrange(-3, 6))
        if pick < 0.7:
            return self.random.choice(NAMES)
        if pick < 0.85:
            return f"({self.number()} + {self.number()}) % 17"
        return f"int(a[{self.random.choice(['0', '-1', f'({self.random.choice(NAMES)}) % 4'])}])"

    def test(self) -> str:
        plain = f"{self.number()} {self.random.choice(['<', '>', '==', '!=', '<='])} {self.number()}"
        if self.random.random() < 0.25:
            return f"{plain} {self.random.choice(['and', 'or'])} {self.test()}"
        return f"not {plain}" if self.random.random() < 0.1 else plain

    def block(self, depth: int, size: int, in_loop: bool) -> None:
        for _ in range(self.random.randint(1, size)):
            self.statement(depth, in_loop)

    def statement(self, depth: int, in_loop: bool) -> None:
        pick = self.random.random()
        if depth < 5 and pick < 0.25:
            self.branch(depth, in_loop)
        elif depth < 4 and pick < 0.45:
            self.loop(depth)
        elif pick < 0.6 and in_loop:
            self.line(
                depth, self.random.choice(["break", "continue", "break", "continue", f"return {self.number()}, n"])
            )
        elif pick < 0.7:
            self.line(depth, f"a[{self.random.randrange(-4, 4)}] += {self.number()}")
        elif pick < 0.73:
            self.line(depth, f"if {self.test()}: raise ValueError('here')")
        else:
            operator = self.random.choice(["=", "=", "+=", "-="])
            self.line(depth, f"{self.random.choice(NAMES)} {operator} {self.number()}")

    def branch(self, depth: int, in_loop: bool) -> None:
        self.line(depth, f"if {self.test()}:")
        self.block(depth + 1, 2, in_loop)
        if self.random.random() < 0.3:
            self.line(depth, f"elif {self.test()}:")
            self.block(depth + 1, 2, in_loop)
        if self.random.random() < 0.5:
            self.line(depth, "else:")
            self.block(depth + 1, 2, in_loop)

    def loop(self, depth: int) -> None:
        self.loops += 1
        kind = self.random.random()
        if kind < 0.5:
            bounds = self.random.choice(["n", "3", "1, n", "n, -1, -2", "0, 5, 2", "len(a)"])
            self.line(depth, f"for {self.random.choice([*NAMES, 'i'])} in range({bounds}):")
        elif kind < 0.7:
            items = self.random.choice(["(1, 2, 3)", "(n, 0)", "reversed(range(n))"])
            self.line(depth, f"for {self.random.choice(NAMES)} in {items}:")
        else:
            count = f"count{self.loops}"
            self.line(depth, f"{count} = 0")
            test = self.random.choice(
                [f"{count} < 4", f"{count} < 4 and ({self.test()})", f"({count} := {count} + 1) < 4"]
            )
            self.line(depth, f"while {test}:")
            self.line(depth + 1, f"{count} += 1")
        self.block(depth + 1, 3, True)
        if self.random.random() < 0.3:
            self.line(depth, "else:")
            self.block(depth + 1, 2, False)


def function_of(seed: int):
    text = Maker(seed).text()
    name = f"<random {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, object] = {}
    exec(compile(text, name, "exec"), space)
    return space["f"], text


@pytest.mark.parametrize("part", range(20))
def test_random_control_flow(part):
    run(range(part * 15, part * 15 + 15))


def run(seeds) -> None:
    for seed in seeds:
        function, text = function_of(seed)
        for n in (0, 1, 4):
            try:
                check(function, np.array([3, 0, -2, 5]), n, types=False, message=False)
            except AssertionError as error:
                if any(refusal in str(error) for refusal in REFUSALS):
                    continue
                raise AssertionError(f"seed {seed}, n = {n}: {error}\n{text}") from None
