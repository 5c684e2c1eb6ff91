"""Random programs whose variables start as Python numbers and meet narrow floats in branches, loops and helpers."""

from __future__ import annotations

import linecache
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np

VARIABLES = ["s", "t", "u"]
STARTS = ["0.0", "0.1", "0", "1e30", "-1e30", "1.0", "r", "1e-6"]
ELEMENTS = [0.0, 0.1, -1.5, 2.0, 3.25, 0.3]
INDENT = "    "


class Writer:
    """Writes the program of one seed."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def program(self) -> str:
        """The text: it returns its variables, and writes to a narrow and a wide array."""
        pick = self.draw.choice
        lines = [f"{name} = {pick(STARTS)}" for name in VARIABLES] + ["e = a[0]", "i = 0", "j = 0"]
        body = [*self.block(0, False), *self.block(0, False)]
        if self.draw.random() < 0.3:
            lines += ["def h(x, y, a, e, i, j):", *_indented(["s, t, u = x, y, 0.0", *self.block(1, False)])]
            lines += _indented([f"return {self.expression()}"])
            body.append("s = h(t, u, a, e, i, j)")
        return "\n".join(["def f(a, r, n, k, out, wide):", *_indented([*lines, *body, "return s, t, u"]), ""])

    def expression(self, depth: int = 0) -> str:
        """An arithmetic expression."""
        pick, chance = self.draw.choice, self.draw.random()
        if chance < 0.3 or depth > 2:
            return pick([*VARIABLES, "a[i]", "a[j]", "e", "s", "t"])
        if chance < 0.4:
            return pick(["0.5", "0.1", "2", "1e-6", "r", "0.0", "1", "np.float64(0.1)", "np.int64(1)", "n"])
        first, second = self.expression(depth + 1), self.expression(depth + 1)
        if chance < 0.75:
            return f"({first} {pick('+-*+-*/')} {second})"
        if chance < 0.85:
            return f"{pick(['max', 'min'])}({first}, {second})"
        if chance < 0.97:
            return pick(["abs({})", "-{}", "np.sqrt(abs({}) + 0.1)"]).format(first)
        return f"({first} if {self.condition()} else {second})"

    def condition(self) -> str:
        """A comparison."""
        return f"{self.expression(2)} {self.draw.choice(['<', '>', '<=', '==', '!='])} {self.expression(2)}"

    def block(self, depth: int, inside: bool) -> list[str]:
        """Some statements; `inside` a loop there are jumps."""
        found = []
        for _ in range(self.draw.randint(1, 3)):
            found += self.statement(depth, inside)
        return found

    def statement(self, depth: int, inside: bool) -> list[str]:
        """One statement."""
        pick, chance = self.draw.choice, self.draw.random()
        if chance < 0.5 or (chance >= 0.62 and depth > 1):
            return [f"{pick(VARIABLES)} {pick(['=', '+='])} {self.expression()}"]
        if chance < 0.55:
            return [f"{pick(VARIABLES)}, {pick(VARIABLES)} = {self.expression()}, {self.expression()}"]
        if chance < 0.62:
            return [f"{pick(['out[i]', 'out[j]', 'out[0]', 'wide[0]'])} = {self.expression()}"]
        if chance < 0.8:
            other = ["else:", *_indented(self.block(depth + 1, inside))] if self.draw.random() < 0.4 else []
            return [f"if {self.condition()}:", *_indented(self.block(depth + 1, inside)), *other]
        if chance < 0.95 or not inside:
            return self.loop(depth)
        return [f"if {self.condition()}:", f"{INDENT}{pick(['break', 'continue'])}"]

    def loop(self, depth: int) -> list[str]:
        """A loop, which may run no iteration."""
        pick, count = self.draw.choice, f"q{depth}"
        heads = {
            "range": [f"for {pick('ij')} in range({pick(['n', 'k', '2'])}):"],
            "array": ["for e in a:"],
            "while": [f"{count} = 0", f"while {count} < {pick(['n', 'k'])}:", f"{INDENT}{count} += 1"],
        }
        return [*heads[pick(list(heads))], *_indented(self.block(depth + 1, True))]


def _indented(lines: list[str]) -> list[str]:
    return [INDENT + line for line in lines]


def function_of(text: str) -> Callable[..., Any]:
    """The function that a text defines."""
    name = f"<mixed {len(linecache.cache)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope: dict[str, Any] = {"np": np, "math": math}
    exec(compile(text, name, "exec"), scope)
    return scope["f"]  # type: ignore[no-any-return]


def arguments(seed: int, dtype: str) -> list[Any]:
    """One call's arguments; half of the loops run no iteration."""
    draw = random.Random(seed)
    counts = draw.choice([0, 1, 2, 3]), draw.choice([0, 0, 1, 2])
    a = np.array([draw.choice(ELEMENTS) for _ in range(3)], dtype)
    return [a, draw.choice([0.1, 0.5, -3.7]), *counts, np.zeros(4, dtype), np.zeros(4)]
