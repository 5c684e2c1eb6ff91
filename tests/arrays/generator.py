"""Random programs of array expressions, views, masks, reductions and updates in place, in mixed types."""

from __future__ import annotations

import random

VECTORS = ("a", "b", "c", "i", "f")
"""float64, float64, float64, int64, float32: vectors of one length; `m` is a matrix of float64 with as many columns."""


class Generator:
    """Makes the source of one program from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.vectors = list(VECTORS)
        self.matrices = ["m"]
        self.count = 0

    def source(self) -> str:
        """A function of the arrays of `VECTORS` and `m`, and a number `x`."""
        lines = [f"    {line}" for _ in range(self.random.randint(2, 6)) for line in self.statement()]
        result = ", ".join([self.random.choice(self.vectors), self.random.choice(self.matrices), "x"])
        return "\n".join([f"def f({', '.join(VECTORS)}, m, x):", *lines, f"    return {result}", ""])

    def statement(self) -> list[str]:
        kinds = (
            self.new_vector, self.new_vector, self.new_matrix, self.update, self.slice_update, self.overlap,
            self.mask_update, self.scalar, self.loop, self.branch, self.row_update,
        )  # fmt: skip
        return self.random.choice(kinds)()

    def fresh(self, names: list[str]) -> str:
        self.count += 1
        name = f"{'v' if names is self.vectors else 'w'}{self.count}"
        names.append(name)
        return name

    def new_vector(self) -> list[str]:
        value = self.vector(3)
        return [f"{self.fresh(self.vectors)} = {value}"]

    def new_matrix(self) -> list[str]:
        value = self.matrix(2)
        return [f"{self.fresh(self.matrices)} = {value}"]

    def update(self) -> list[str]:
        return [f"{self.float_vector()} {self.random.choice('+-*')}= {self.vector(2)}"]

    def float_vector(self) -> str:
        return self.random.choice("abc")

    def slice_update(self) -> list[str]:
        low, high = self.random.randint(0, 2), self.random.randint(0, 2)
        part = f"[{low}:{-high if high else ''}]"
        op = self.random.choice(("", "+", "*"))
        return [f"{self.float_vector()}{part} {op}= ({self.vector(2)}){part}"]

    def overlap(self) -> list[str]:
        name, gap = self.float_vector(), self.random.randint(1, 2)
        other = self.random.choice(("", f" + {self.random.choice('abc')}[:-{gap}]", " * 2"))
        return self.random.choice((
            [f"{name}[{gap}:] = {name}[:-{gap}]{other}"],
            [f"{name}[:-{gap}] += {name}[{gap}:]{other}"],
            [f"{name}[::-1] = {name}"],
            [f"{name}[::2] = {name}[0] + {name}[::2]"],
        ))  # fmt: skip

    def row_update(self) -> list[str]:
        return self.random.choice((
            [f"m[0] = {self.vector(2)}"], [f"m[:, 0] = {self.scalar_value()}"], ["m -= m.mean(axis=0)"],
            ["m[1:] = m[:-1]"], ["m[:, ::2] *= 2"],
        ))  # fmt: skip

    def mask_update(self) -> list[str]:
        name = self.float_vector()
        return self.random.choice((
            [f"{name}[{self.mask()}] = {self.scalar_value()}"],
            [f"{name}[{name} > 0.3] *= 0.5"],
            [f"{name}[{name} < 0] = -{name}[{name} < 0]"],
            [f"{self.fresh(self.vectors)} = np.where({self.mask()}, {self.vector(1)}, {self.vector(1)})"],
        ))  # fmt: skip

    def scalar(self) -> list[str]:
        return [f"x = x + float({self.scalar_value()})"]

    def loop(self) -> list[str]:
        name = self.float_vector()
        return ["for k in range(3):", f"    {name} = {name} * 0.5 + {self.vector(1)}"]

    def branch(self) -> list[str]:
        name = self.float_vector()
        value = f"{self.random.choice('abc')} + 1.0"
        return ["if x > 0.5:", f"    {name} = {value}", "else:", f"    {name}[1:] = {name}[:-1]"]

    def vector(self, depth: int) -> str:
        if depth == 0:
            return self.random.choice(
                (*self.vectors, *self.vectors, "2", "1.5", "x", f"{self.random.choice(self.matrices)}[0]")
            )
        a, b = self.vector(depth - 1), self.random.choice(self.vectors)
        return self.random.choice((
            f"({a} {self.random.choice('+-*')} {b})", f"({b} / (np.abs({a}) + 1))", f"np.maximum({a}, {b})",
            f"np.where({self.mask()}, {a}, {b})", f"-({a} + {b})", f"({a} + {b})[::-1]", f"np.abs({b} - {a})",
            f"({b} ** 2 + {a})", f"np.roll({b}, 1) + {a}", f"({b} + {self.scalar_value()})", f"np.sqrt(np.abs({b}))",
            f"np.minimum({a}, {self.scalar_value()}) * {b}", f"np.clip({b}, -0.5, 0.5)",
            f"{self.random.choice(self.matrices)}.max(axis=0) + {b}",
        ))  # fmt: skip

    def matrix(self, depth: int) -> str:
        m = self.random.choice(self.matrices)
        if depth == 0:
            return m
        a = self.matrix(depth - 1)
        return self.random.choice((
            f"({a} + {self.random.choice(self.vectors)})", f"({a} * {m})", f"({a} - {m}[:, :1])", f"({a})[::-1]",
            f"np.where({a} > 0, {m}, x)", f"({m} + {a}[:, ::-1])", f"({m} * 2 - {a}.max(axis=1, keepdims=True))",
            f"np.abs({a})", f"({m}.T.copy().T + {a})",
        ))  # fmt: skip

    def mask(self) -> str:
        a, b = self.random.choice(self.vectors), self.random.choice(self.vectors)
        return self.random.choice((f"{a} > {b}", f"({a} > 0) & ({b} < 1)", f"~({a} == {b})", f"{a} >= x"))

    def scalar_value(self) -> str:
        a = self.random.choice(self.vectors)
        return self.random.choice((f"{a}.max()", f"{a}[0]", f"np.min({a})", f"{a}[-1] * 2", "x", "0.25", f"{a}.any()"))
