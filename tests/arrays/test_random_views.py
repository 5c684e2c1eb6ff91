"""Random programs that write through reshaped views, parts and transposes of them, beside NumPy."""

from __future__ import annotations

import linecache
import random

import numpy as np
import pytest

import weft

FORMS = ("p, q, r", "p * q, r", "p, q * r", "r, p * q", "q, p, r", "p, -1", "-1, r")
SIZES = ((2, 3, 4), (1, 2, 1), (4, 1, 3))
SEEDS = [*range(12), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(12, 300))]


class Writer:
    """The program of a seed: arrays `x` and `y` of ``p * q * r`` elements, and views of them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = ["def program(x, y, p, q, r):", "    n = len(x)"]
        self.names = [("x", 1), ("y", 1)]
        for k in range(self.random.randint(1, 3)):
            self.view(k)
        for _ in range(self.random.randint(1, 4)):
            self.random.choice([self.loop, self.nest, self.columns, self.whole])()
        name, _ = self.random.choice(self.names)
        self.lines.append(f"    return {name}{self.random.choice([' * 1', ''])}")

    def view(self, k: int) -> None:
        base, form = self.random.choice(["x", "y", "x[::2]", "x[p:]", "y[::-1]"]), self.random.choice(FORMS)
        self.lines.append(f"    s{k} = {base}.reshape({form})")
        self.names.append((f"s{k}", form.count(",") + 1))
        name, rank = self.names[-1]
        if self.random.random() < 0.3:
            axes = ", ".join(map(str, self.random.sample(range(rank), rank)))
            self.lines.append(f"    t{k} = {name}.transpose({axes})")
            self.names.append((f"t{k}", rank))
        if self.random.random() < 0.3:
            self.lines.append(f"    u{k} = {name}[:, {self.random.choice(['0', '-1'])}]")
            self.names.append((f"u{k}", rank - 1))

    def element(self, counter: str) -> str:
        name, rank = self.random.choice(self.names)
        places = [
            self.random.choice([f"{counter} % {name}.shape[{k}]", f"-1 - {counter} % {name}.shape[{k}]", "0", "-1"])
            for k in range(rank)
        ]
        return f"{name}[{', '.join(places)}]"

    def loop(self) -> None:
        self.lines.append(f"    for i in range({self.random.choice('npqr')}):")
        self.lines.append(f"        {self.element('i')} = {self.element('i')} {self.random.choice('+-*')} i")

    def wide(self) -> str:
        return self.random.choice([name for name, rank in self.names if rank > 1])

    def nest(self) -> None:
        name = self.wide()
        self.lines += [f"    for i in range({name}.shape[0]):", f"        for j in range({name}.shape[1]):"]
        self.lines.append(f"            {name}[i, j] = {name}[i, j] * 2 + {self.element('j')} + i")
        if dict(self.names)[name] == 3:
            self.lines[-1] = f"            {name}[i, j, -1] = {name}[i, j, 0] * 2 + {self.element('j')} + i"

    def columns(self) -> None:
        name = self.wide()
        first, last = f"{name}[:, 0]", f"{name}[:, -1]"
        self.lines.append(f"    {first}, {last} = {first} + {last}, {first} - {last} * 2")

    def whole(self) -> None:
        name, _ = self.random.choice(self.names)
        self.lines.append(f"    {name}[:] = {name} + {self.random.choice(['1.5', 'p'])}")


def program_of(seed: int):
    text = "\n".join([*Writer(seed).lines, ""])
    linecache.cache[f"<views {seed}>"] = (len(text), None, text.splitlines(keepends=True), f"<views {seed}>")
    names: dict = {}
    exec(compile(text, f"<views {seed}>", "exec"), names)
    return names["program"]


def outcome(function, sizes):
    """What a call gives, and the arrays behind it."""
    count = sizes[0] * sizes[1] * sizes[2]
    x, y = np.arange(count) * 1.5 - 3, np.arange(count)[::-1] * 0.5
    try:
        return function(x, y, *sizes), x, y
    except (ValueError, IndexError) as error:
        return type(error).__name__, x, y


@pytest.mark.parametrize("seed", SEEDS)
def test_views_are_written_through(seed, on_four_threads):
    function = program_of(seed)
    compiled = weft.jit(function)
    for sizes in SIZES:
        for got, wanted in zip(outcome(compiled, sizes), outcome(function, sizes)):
            np.testing.assert_array_equal(got, wanted)


@pytest.mark.opencl
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(400, 420))
def test_views_through_opencl(seed):
    function = program_of(seed)
    for got, wanted in zip(outcome(weft.jit(function, device="opencl"), SIZES[0]), outcome(function, SIZES[0])):
        np.testing.assert_array_equal(got, wanted)
