"""Random programs whose arrays are more than the device's memory takes, beside NumPy: every bit must be the same.

A program is a few nests over arrays of one height: stencils, shifts, folds, time loops with arrays that change places,
arrays that it makes, rows that all slabs share, and reads of columns. It runs in CPython, with room for everything, and
under a few limits.

Run ``python -m tests.hunt.slabs --seconds 600 --seed 0`` for long.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import weft


class Difference(AssertionError):
    """What a program found; the text has the seed, the limit and the program."""


class Program:
    """The text of a program and what it is called with."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.columns = self.random.choice((0, 0, 3, 16, 17))
        self.rows = self.random.choice((300, 701, 1024)) if self.columns else self.random.choice((4000, 5003))
        self.names = [f"a{k}" for k in range(self.random.randint(2, 4))]
        self.dtypes = [self.random.choice(("f8", "f8", "f4", "i8", "i4")) for _ in self.names]
        self.lines: list[str] = []
        self.made = 0
        self.pairs = 0
        self.folds: list[str] = []
        for _ in range(self.random.randint(1, 4)):
            self.random.choice((self.nest, self.nest, self.nest, self.time, self.fold, self.local, self.failing))()
        self.random.shuffle(self.folds)
        self.text = "import numpy as np\n\n\ndef f({}, n):\n{}\n    return {}\n".format(
            ", ".join(self.names), "\n".join("    " + line for line in self.lines), ", ".join(self.folds) or "0"
        )

    def _name(self) -> str:
        return self.random.choice(self.names)

    def _offset(self) -> int:
        return self.random.choice((0, 0, 0, 1, -1, 2, -3))

    def _index(self, name: str, row: str, offset: int) -> str:
        first = row if not offset else f"{row} {'+' if offset > 0 else '-'} {abs(offset)}"
        return f"{name}[{first}, j]" if self.columns else f"{name}[{first}]"

    def _read(self, names: list[str]) -> str:
        r = self.random.random()
        name = self.random.choice(names)
        if r < 0.08:
            return self._index(name, "0", 0) if not self.columns else f"{name}[0, j]"
        if r < 0.12:
            return self._index(name, f"({self.rows} - 1 - i)", 0)
        if r < 0.16:
            return "i"
        if r < 0.2 and self.columns:
            return f"{name}[i, {self.random.randrange(self.columns)}]"
        return self._index(name, "i", self._offset())

    def _value(self, names: list[str]) -> str:
        parts = [self._read(names) for _ in range(self.random.randint(1, 3))]
        return self.random.choice((" + ", " - ")).join(parts)

    def _heads(self, low: int = 3, high: int = 3) -> tuple[list[str], str]:
        step = self.random.choice(("", "", "", ", 2"))
        heads = [f"for i in range({low}, {self.rows - high}{step}):"]
        if self.columns:
            heads.append(f"    for j in range({self.columns}):")
        return heads, "    " * len(heads)

    def nest(self, indent: str = "", names: list[str] | None = None, target: str | None = None) -> None:
        """A nest that writes one or two arrays."""
        names = names or self.names
        heads, inside = self._heads()
        self.lines += [indent + head for head in heads]
        for _ in range(self.random.randint(1, 2)):
            to = target or self.random.choice(names)
            guard = self.random.random() < 0.2
            if guard:
                self.lines.append(f"{indent}{inside}if {self._read(names)} > {self._read(names)}:")
            op = self.random.choice(("=", "=", "+="))
            where = self._index(to, "i", self._offset() if self.random.random() < 0.15 else 0)
            self.lines.append(f"{indent}{inside}{'    ' if guard else ''}{where} {op} {self._value(names)}")

    def time(self) -> None:
        """A time loop, perhaps with two arrays of one type that change places."""
        same = [(a, b) for k, a in enumerate(self.names) for m, b in enumerate(self.names)
                if k < m and self.dtypes[k] == self.dtypes[m]]  # fmt: skip
        self.lines.append(f"for t in range({self.random.choice(('n', '3', '7'))}):")
        if same and self.random.random() < 0.8:
            a, b = self.random.choice(same)
            self.nest("    ", [a], b) if self.random.random() < 0.7 else self.nest("    ", [a, b], b)
            self.lines.append(f"    {a}, {b} = {b}, {a}")
        else:
            for _ in range(self.random.randint(1, 2)):
                self.nest("    ")

    def fold(self) -> None:
        """A sum, a count or an extreme."""
        name = f"s{len(self.folds)}"
        heads, inside = self._heads()
        kind = self.random.choice(("+", "count", "max"))
        read = self._index(self._name(), "i", self._offset())
        start = {"+": "0", "count": "0", "max": self._index(self.names[0], "0", 0).replace("j", "0")}[kind]
        if kind == "max":
            read = self._index(self.names[0], "i", 0)
        self.lines.append(f"{name} = {start}")
        self.lines += heads
        self.lines.append({
            "+": f"{inside}{name} += int({read}) % 7", "count": f"{inside}if {read} > 1:\n    {inside}    {name} += 1",
            "max": f"{inside}{name} = max({name}, {read})",
        }[kind])  # fmt: skip
        self.folds.append(name)

    def local(self) -> None:
        """An array that the program makes, is written by one nest and read by another."""
        name, like = f"t{self.made}", self._name()
        self.made += 1
        self.lines.append(f"{name} = np.{self.random.choice(('zeros', 'zeros', 'empty'))}({like}.shape, {like}.dtype)")
        self.lines.append(f"for i in range({self.rows}):")
        if self.columns:
            self.lines.append(f"    for j in range({self.columns}):")
        inside = "        " if self.columns else "    "
        self.lines.append(f"{inside}{self._index(name, 'i', 0)} = {self._index(like, 'i', 0)}")
        self.nest("", [*self.names, name, name], self._name())

    def failing(self) -> None:
        """A nest that may raise in the middle."""
        heads, inside = self._heads()
        self.lines += heads
        at = self.random.choice((5, self.rows // 2, self.rows - 5, self.rows + 5))
        self.lines.append(f"{inside}if i == {at}:")
        self.lines.append(f"{inside}    raise ValueError('here')")
        self.lines.append(f"{inside}{self._index(self._name(), 'i', 0)} = {self._read(self.names)}")

    def arguments(self) -> list[Any]:
        """New arguments, the same every time."""
        made = np.random.default_rng(7)
        shape = (self.rows, self.columns) if self.columns else (self.rows,)
        return [made.integers(0, 9, shape).astype(dtype) for dtype in self.dtypes]

    @property
    def bytes(self) -> int:
        """Of all arguments."""
        return sum(array.nbytes for array in self.arguments())


def load(text: str, folder: Path, name: str) -> Callable[..., Any]:
    """The function of a text, with a source that can be read."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    found: Callable[..., Any] = module.f
    return found


def outcome(function: Callable[..., Any], arrays: list[Any], aliased: bool, coherent: bool) -> tuple[Any, ...]:
    """What a call leaves: the result or the exception's type, and the bytes of all arrays."""
    given = [*arrays[:-1], arrays[0][...]] if aliased else list(arrays)
    if coherent:
        given = [weft.array(array) for array in given]
    try:
        with np.errstate(all="ignore"):
            result: Any = function(*given, 4)
    except ValueError as error:
        if isinstance(error, weft.Error):
            raise
        result = "ValueError"
    values = [float(v) for v in (result if isinstance(result, tuple) else (result,))] if result != "ValueError" else []
    return result == "ValueError", values, [np.array(array).tobytes() for array in given]


def run(seed: int, folder: Path, device: str = "opencl") -> str:
    """One program under a few limits; what became of it in a word."""
    program = Program(seed)
    function = load(program.text, folder, f"slabs_{seed}")
    choice = random.Random(seed + 1)
    aliased = choice.random() < 0.1 and program.dtypes[0] == program.dtypes[-1] and len(program.names) > 2
    coherent = not aliased and choice.random() < 0.15
    expected = outcome(function, program.arguments(), aliased, False)
    compiled = weft.jit(function, device=device)
    did = "right"
    for part in choice.sample((0.08, 0.2, 0.35, 0.5, 0.7, 0.9, 1.3, 3.0), 3):
        limit = int(program.bytes * part)
        try:
            with weft.device(device, memory_limit=limit):
                found = outcome(compiled, program.arguments(), aliased, coherent)
        except (weft.OutOfMemoryError, weft.UnsupportedError, weft.errors.TypeInferenceError, OverflowError) as error:
            did = type(error).__name__
            continue
        except Exception as error:
            raise Difference(f"seed {seed}, limit {limit}: {type(error).__name__}: {error}\n{program.text}") from error
        if found != expected:
            which = [k for k, (a, b) in enumerate(zip(found[2], expected[2], strict=True)) if a != b]
            raise Difference(
                f"seed {seed}, limit {limit} of {program.bytes}, aliased {aliased}, coherent {coherent}: arrays "
                f"{which} differ; {found[:2]} for {expected[:2]}; rows {program.rows}, "
                f"types {program.dtypes}\n{program.text}"
            )
    return did


def main() -> None:
    """Run programs until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="opencl")
    chosen = parser.parse_args()
    end, seed, counts = time.monotonic() + chosen.seconds, chosen.seed, dict[str, int]()
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            try:
                did = run(seed, Path(folder), chosen.device)
            except Difference as difference:
                did = "different"
                print(difference, flush=True)
            counts[did] = counts.get(did, 0) + 1
            seed += 1
            if seed % 20 == 0:
                print(seed, counts, flush=True)
    print(counts)


if __name__ == "__main__":
    main()
