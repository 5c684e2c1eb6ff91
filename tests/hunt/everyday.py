"""A second grammar: what people write every day. Each program is a few pieces of such code, with random parts.

Classes with fields and methods, helpers with default values, while loops, early returns, numbers of several integer
types in one condition, Booleans that are counted, windows of pictures, flags, counters that start as Python ints, small
state machines, numbers read from bytes, swaps in place, several results.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np

from .program import Arguments, Program, View, Way

DTYPES = {"a": ("f8", "f4", "i8", "i4", "f8"), "k": ("i8", "i4", "i2", "u1", "u2", "i8"), "g": ("f8", "i4", "u1", "f4")}
HEADER = "from dataclasses import dataclass\n\n"

CLASSES = {
    "Stats": (
        "@dataclass\nclass Stats:\n    count: int\n    total: float\n    high: float\n    scale: float = {x}\n\n"
        "    def add(self, v):\n        self.count += 1\n        self.total += v * self.scale\n"
        "        if v > self.high:\n            self.high = v\n\n"
        "    @property\n    def mean(self):\n        return self.total / self.count if self.count else {x}\n"
    ),
    "Box": (
        "@dataclass(frozen=True)\nclass Box:\n    low: int\n    high: int = {n}\n\n"
        "    def holds(self, v):\n        return self.low <= v < self.high\n\n"
        "    def width(self):\n        return self.high - self.low\n\n"
        "    def __add__(self, other):\n        return Box(self.low + other.low, max(self.high, other.high))\n"
    ),
    "Machine": (
        "@dataclass\nclass Machine:\n    state: int = 0\n    seen: int = 0\n\n"
        "    def step(self, c):\n        if self.state == 0 and c > {n}:\n            self.state = 1\n"
        "        elif self.state == 1:\n            self.seen += 1\n            self.state = 2 if c % 2 else 0\n"
        "        elif self.state == 2 and c < {n}:\n            self.state = 0\n            return True\n"
        "        return False\n"
    ),
}

HELPERS = {
    "clip": "def clip(v, low={n}, high={m}):\n    if v < low:\n        return low\n    if v > high:\n"
    "        return high\n    return v\n",
    "sign": "def sign(v):\n    return int(v > 0) - int(v < 0)\n",
    "mix": "def mix(v, w=0.5, *, k={n}):\n    return v * w + k\n",
    "first": "def first(t, at, default=-1):\n    for h in range(at, len(t)):\n        if t[h] {cmp} t[at]:\n"
    "            return h\n    return default\n",
    "digit": "def digit(c):\n    if 48 <= c <= 57:\n        return int(c) - 48\n    return -1\n",
    "larger": "def larger(p, q):\n    return p if p {cmp} q else q\n",
}


class Piece:
    """What the pieces of one program share: its numbers, its helpers, its lines."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.results: list[str] = []
        self.number = 0

    def name(self, stem: str) -> str:
        """A new variable."""
        self.number += 1
        return f"{stem}{self.number}"

    def write(self, text: str) -> None:
        """Lines of the function, at its own depth."""
        self.lines += ["    " + line for line in self.fill(text).splitlines()]

    def choices(self) -> dict[str, Callable[[], str]]:
        """What may stand for a word in braces."""
        return {
            "{n}": lambda: str(self.rng.choice((0, 1, 2, 3, 5, 10))),
            "{m}": lambda: str(self.rng.choice((4, 7, 20, 100))),
            "{x}": lambda: self.rng.choice(("0.5", "1.0", "-2.0", "0.25", "3.0")),
            "{cmp}": lambda: self.rng.choice(("<", ">", "<=", ">=", "!=", "==")),
            "{op}": lambda: self.rng.choice(("+", "-", "*")),
            "{int}": lambda: self.rng.choice(("0", "1", "n", "len(k)", "j", "-1", "n - 1")),
            "{elem}": lambda: self.rng.choice(("k[i]", "k[i]", "int(k[i])", "a[i]", "k[i % 2]", "k[-1 - i]")),
            "{whole}": lambda: self.rng.choice(("k[i]", "int(k[i])", "i", "n - i", "k[i] % 5", "i // 2", "k[-1 - i]")),
            "{value}": lambda: self.rng.choice(
                ("a[i]", "a[i] * {x}", "abs(a[i])", "x", "clip(a[i])", "mix(a[i], k={n})")
            ),
            "{cond}": lambda: self.rng.choice(
                ("a[i] {cmp} x", "k[i] {cmp} {n}", "i % 2", "not i % 3", "a[i] {cmp} a[i - 1]", "k[i] % 2 == 0",
                 "k[i] {cmp} {n} and a[i] {cmp} x", "flag or k[i] {cmp} {n}", "x < a[i] < {m}", "k[i]")
            ),
        }  # fmt: skip

    def fill(self, text: str) -> str:
        """Choose what stands in braces, each time anew."""
        choices = self.choices()
        while True:
            found = [(text.find(key), key) for key in choices if key in text]
            if not found:
                return text
            place, key = min(found)
            text = text[:place] + choices[key]() + text[place + len(key) :]


def accumulate(p: Piece) -> None:
    """Sums and counts that start as Python ints."""
    s, c = p.name("s"), p.name("c")
    start = p.rng.choice(("0", "0", "1", "n", "0.0", "False"))
    add = p.rng.choice((f"{s} += {{elem}}", f"{s} = {s} + {{value}}", f"{s} += {{cond}}", f"{s} = max({s}, {{elem}})"))
    p.write(f"{s}, {c} = {start}, 0\nfor i in range(len(k)):\n    {add}\n    {c} += {{cond}}")
    p.write(p.rng.choice((f"{s} = {s} {{op}} {{n}}", f"{s} = {s} * 2 if {c} else {s}", f"{c} += n", "pass")))
    p.results += [s, c]


def flags(p: Piece) -> None:
    """A flag that is set on the way, and what follows from it."""
    at = p.name("at")
    p.write(
        f"flag = False\n{at} = -1\nfor i in range(len(k)):\n    if {{cond}}:\n        flag = not flag\n"
        f"    elif flag and {at} < 0:\n        {at} = i"
    )
    p.write(p.rng.choice((f"if flag:\n    {at} += 1", f"{at} = {at} if flag else n", f"{at} = flag and {at}", "pass")))
    p.results += [at, "flag"]


def mixed(p: Piece) -> None:
    """Numbers of several integer types in one condition."""
    t = p.name("t")
    value = p.rng.choice(
        (
            "k[i] if {cond} else {int}",
            "{int} if {cond} else k[i]",
            f"{t} + k[i] if {{cond}} else {t}",
            "k[i] or {int}",
            "{int} or (k[i] and j)",
            "min(k[i], {int})",
            f"max({t}, k[i])",
            f"{t} - (k[i] {{cmp}} {{n}})",
            f"larger({t}, int(k[i]))",
        )
    )
    out = p.rng.choice((f"out[i] = {t}", f"out[i] += {t} {{op}} {{n}}", f"out[i] = {t} * {{x}}"))
    p.write(f"{t} = {{int}}\nfor i in range(len(k)):\n    {t} = {value}\n    {out}")
    p.results.append(t)


def while_loop(p: Piece) -> None:
    """Searches, and counts that end when they are done."""
    low, high = p.name("low"), p.name("high")
    p.write(
        p.rng.choice(
            (
                f"{low}, {high} = 0, len(k)\nwhile {low} < {high}:\n    mid = ({low} + {high}) // 2\n"
                f"    if k[mid] {{cmp}} n:\n        {low} = mid + 1\n    else:\n        {high} = mid",
                f"{low}, {high} = 0, len(k) - 1\nwhile {low} < {high}:\n    if k[{low}] + k[{high}] {{cmp}} {{n}}:\n"
                f"        {low} += 1\n    else:\n        {high} -= 1",
                f"{low}, {high} = n + {{m}}, n\nwhile {high}:\n    {low}, {high} = {high}, {low} % {high}",
                f"{low}, {high} = n + 1, 0\nwhile {low} != 1 and {high} < 50:\n    {high} += 1\n"
                f"    {low} = {low} // 2 if {low} % 2 == 0 else 3 * {low} + 1",
                f"{low} = 0\n{high} = 0.0\nwhile {low} < len(k):\n    i = {low}\n    if {{cond}}:\n        {low} += 2\n"
                f"        continue\n    {high} += {{value}}\n    if {high} > {{m}}:\n        break\n    {low} += 1",
            )
        )
    )
    p.results += [low, high]


def window(p: Piece) -> None:
    """Neighbours in a picture."""
    s = p.name("s")
    inner = p.rng.choice(
        (
            f"{s} += g[i + di, e + dj]",
            f"{s} += g[i + di, e + dj] {{cmp}} g[i, e]",
            f"if (di or dj) and g[i + di, e + dj]:\n                    {s} += 1",
            f"{s} = max({s}, g[i + di, e + dj])",
        )
    )
    result = p.rng.choice((f"h[i, e] = {s}", f"h[i, e] = {s} // 9", f"h[i, e] = {s} == 3 or (g[i, e] and {s} == 2)"))
    p.write(
        f"for i in range(1, g.shape[0] - 1):\n    for e in range(1, g.shape[1] - 1):\n        {s} = 0\n"
        f"        for di in range(-1, 2):\n            for dj in range(-1, 2):\n                {inner}\n"
        f"        {result}"
    )


def clamped(p: Piece) -> None:
    """Neighbours whose places are kept inside."""
    p.write(
        "for i in range(g.shape[0]):\n    for e in range(g.shape[1]):\n"
        "        up = i - 1 if i > 0 else {n} * 0\n        right = min(e + 1, g.shape[1] - 1)\n"
        "        h[i, e] = g[up, e] {op} g[i, right]"
    )


def swaps(p: Piece) -> None:
    """Elements that change their places."""
    p.write(
        p.rng.choice(
            (
                "for i in range(len(a) // 2):\n    a[i], a[-1 - i] = a[-1 - i], a[i]",
                "for i in range(1, len(a)):\n    e = i\n    while e > 0 and a[e - 1] > a[e]:\n"
                "        a[e - 1], a[e] = a[e], a[e - 1]\n        e -= 1",
                "e = 0\nfor i in range(len(a)):\n    if a[i] {cmp} x:\n        a[e], a[i] = a[i], a[e]\n        e += 1",
                "if len(a):\n    last = a[-1]\n    for i in range(len(a) - 1, 0, -1):\n        a[i] = a[i - 1]\n"
                "    a[0] = last",
                "swapped = True\nwhile swapped:\n    swapped = False\n    for i in range(len(a) - 1):\n"
                "        if a[i] > a[i + 1]:\n            a[i], a[i + 1] = a[i + 1], a[i]\n            swapped = True",
            )
        )
    )


def machine(p: Piece) -> None:
    """A state machine, written out or as a class."""
    s, c = p.name("state"), p.name("words")
    if p.rng.random() < 0.5:
        p.write(f"{s} = Machine()\n{c} = 0\nfor i in range(len(b)):\n    if {s}.step(b[i]):\n        {c} += 1")
        p.results += [f"{s}.state", f"{s}.seen", c]
    else:
        p.write(
            f"{s} = {c} = 0\nfor ch in b:\n    if {s} == 0 and ch > 48 + {{n}}:\n        {s} = 1\n        {c} += 1\n"
            f"    elif {s} and ch <= 48:\n        {s} = 0"
        )
        p.results += [s, c]


def parsing(p: Piece) -> None:
    """Numbers that are read from bytes."""
    v, o = p.name("v"), p.name("o")
    digit = p.rng.choice(("int(ch) - 48", "int(ch - 48)", "digit(ch)"))
    p.write(
        f"{v}, {o}, minus = 0, 0, False\nfor ch in b:\n    if ch == 45:\n        minus = True\n"
        f"    elif 48 <= ch <= 57:\n        {v} = {v} * 10 + {digit}\n    else:\n"
        f"        if {o} < len(out):\n            out[{o}] = -{v} if minus else {v}\n        {o} += 1\n"
        f"        {v}, minus = 0, False"
    )
    p.results += [v, o]


def objects(p: Piece) -> None:
    """Objects that are made, asked and changed."""
    s = p.name("q")
    if p.rng.random() < 0.5:
        p.write(f"{s} = Stats(0, 0.0, {{x}})\nfor i in range(len(a)):\n    if {{cond}}:\n        {s}.add({{value}})")
        p.results += [f"{s}.count", f"{s}.total", f"{s}.mean", f"{s}.high"]
    else:
        c = p.name("c")
        p.write(
            f"{s} = Box({{n}}) + Box({{n}}, n)\n{c} = 0\nfor i in range(len(k)):\n    if {s}.holds(k[i]):\n"
            f"        {c} += {s}.width()"
        )
        p.results += [c, f"{s}.low"]


def helpers(p: Piece) -> None:
    """Calls with and without the values that have defaults."""
    t = p.name("t")
    call = p.rng.choice(
        (
            "clip({value}, high={m})", "clip(i, {n})", "mix({value})", "mix({value}, k=n)", "sign({elem}) * 2",
            "larger({whole}, {int})", "first(k, i)", "first(k, i, default=n)", "clip(k[i]) + sign(a[i])",
        )
    )  # fmt: skip
    p.write(f"{t} = 0\nfor i in range(len(k)):\n    {t} += {call}\n    out[i] = {t}")
    p.results.append(t)


def early(p: Piece) -> None:
    """A result that is there before the end."""
    value = p.rng.choice(("i", "-1", "n", "i * 2"))
    p.write(f"for i in range(len(k)):\n    if {{cond}} and k[i] {{cmp}} {{m}}:\n        return {value}")


PIECES = (
    accumulate, flags, mixed, mixed, while_loop, window, clamped, swaps, machine, parsing, objects, helpers, helpers,
)  # fmt: skip


def generate(seed: int) -> Program:
    """The program of a seed."""
    rng = Random(f"everyday {seed}")
    piece = Piece(rng)
    chosen = rng.sample(PIECES, rng.choice((1, 1, 2, 3)))
    piece.write("flag = n > {n}\nj = {n}")
    for write in chosen:
        write(piece)
    if rng.random() < 0.15:
        early(piece)
        piece.results = ["j"]
    piece.write(f"return {', '.join(piece.results[:4]) or 'j'}")
    names = frozenset(write.__name__ for write in chosen)
    dtypes = {name: rng.choice(found) for name, found in DTYPES.items()}
    calls = [_arguments(rng, dtypes, size) for size in (rng.randint(4, 40), rng.randint(2, 9), 1, 0)]
    way = Way(rng.choice((0, 0, 4)), rng.random() < 0.25, rng.choice(("-O0", "-O1", "-O3")), (), rng.random() < 0.05)
    return Program(seed, _source(piece), calls, way, names, rounded=True)


def _source(piece: Piece) -> str:
    body = "\n".join(piece.lines)
    used = "".join(piece.fill(text) + "\n\n" for name, text in HELPERS.items() if f"{name}(" in body)
    made = "".join(piece.fill(text) + "\n\n" for name, text in CLASSES.items() if f"{name}(" in body)
    head = HEADER if made else ""
    return f"{head}{made}{used}def f(a, k, g, h, b, out, n, x):\n{body}\n"


def _arguments(rng: Random, dtypes: dict[str, str], size: int) -> Arguments:
    """Small whole numbers mostly, so that sums do not depend on their order."""
    draw = np.random.default_rng(rng.getrandbits(32))
    low = {"u": 0, "i": -9, "f": -9}
    a = draw.integers(low[dtypes["a"][0]], 9, size).astype(dtypes["a"])
    k = np.sort(draw.integers(low[dtypes["k"][0]], 12, size)).astype(dtypes["k"])
    if rng.random() < 0.5:
        draw.shuffle(k)
    g = draw.integers(0, 3, size * (size // 2 + 1)).astype(dtypes["g"])
    text = draw.choice(np.frombuffer(b"0123456789- ab", np.uint8), size)
    buffers = [a, k, g, np.zeros_like(g), text, np.zeros(size)]
    shapes = [(size,), (size,), (size, size // 2 + 1), (size, size // 2 + 1), (size,), (size,)]
    views = [
        View(at, 0, shape, (shape[1], 1) if len(shape) == 2 else (1,))
        for at, shape in enumerate(shapes)
    ]  # fmt: skip
    number = rng.choice((0, 1, 2, 3, 7, size, -2))
    return Arguments(buffers, [*views, number, float(rng.choice((0, 1, -3, 5)))])
