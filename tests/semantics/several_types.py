"""Programs in which a value is Python's number or NumPy's, by its value: the whole class, and how they are judged.

A case is a way in which the two meet, the two numbers, and what is done with the value afterwards. Each is run with
values at the edges. It must give the value that CPython gives, or be refused with an error of Weft, or raise
OverflowError or ZeroDivisionError as the manual says.
"""

from __future__ import annotations

import itertools
import linecache
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import weft

MEETINGS = {
    "if": "x = {p}\n    if c > 0:\n        x = a[0]",
    "else": "if c > 0:\n        x = a[0]\n    else:\n        x = {p}",
    "expression": "x = a[0] if c > 0 else {p}",
    "minimum": "x = min(a[0], {p})",
    "maximum": "x = max({p}, a[1])",
    "or": "x = a[0] or {p}",
    "and": "x = a[0] and {p}",
    "sum": "x = {p}\n    for i in range(k):\n        x += a[i]",
    "last": "x = {p}\n    for i in range(k):\n        x = a[i]",
    "guarded": "x = {p}\n    for i in range(k):\n        if a[i] != 1:\n            x = a[i]",
    "largest": "x = {p}\n    for i in range(k):\n        x = max(x, a[i])",
    "while": "x = {p}\n    i = 0\n    while i < k:\n        x = a[i]\n        i += 1",
    "break": "x = {p}\n    for i in range(k):\n        if a[i] != 0:\n            x = a[i]\n            break",
    "for else": (
        "for i in range(k):\n        if a[i] != 0:\n            x = a[i]\n            break\n    else:\n        x = {p}"
    ),
    "helper": "def pick(c):\n        if c > 0:\n            return a[0]\n        return {p}\n    x = pick(c)",
    "swap": "x, z = {p}, a[0]\n    if c > 0:\n        x, z = z, x",
    "nested": "x = {p}\n    for i in range(k):\n        for j in range(i):\n            x += a[j]",
    "next": "x = {p}\n    for i in range(k):\n        y = x * m\n        x = a[i] + y",
}
PYTHONS = ["0", "1", "-2", "300", "0.0", "0.5", "0.1", "1e30", "True", "False", "1j", "n", "r"]
DTYPES = [
    "bool", "int8", "uint8", "int16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
    "complex64", "complex128",
]  # fmt: skip
OPERATORS = ["+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>", "<", "==", ">="]
OPERANDS = ["1", "-1", "0", "300", "0.5", "True", "m", "r", "b[0]"]
SINGLE = [
    "x", "-x", "~x", "+x", "abs(x)", "not x", "int(x)", "float(x)", "bool(x)", "complex(x)", "np.uint8(x)",
    "np.int16(x)", "np.int64(x)", "np.float32(x)", "np.float64(x)", "np.sqrt(x)", "np.abs(x)", "np.floor(x)",
    "np.logaddexp(x, b[0])",
    "np.hypot(x, m)", "min(x, m)", "max(x, b[0])", "x ** 2", "x ** m", "2 ** x", "divmod(x, m)[0]", "round(x)",
    "round(x, 1)", "x * x", "x - x", "-x - 1", "(x + m) * 4", "(x - m) * 4.0", "(x + b[0]) * m", "-x * b[0]",
    "x + 1 + 300", "~x & m", "np.where(x > 0, x, m)", "np.sign(x)", "m if x else b[0]", "x and m", "x or m",
    "a[int(x) % 2]", "1 if x < m else 2", "(x, m)[0]", "-x / b[0]", "math.sqrt(abs(x))", "math.floor(x)", "x in (0, 1)",
    "x == x",
]  # fmt: skip
CHAINS = [
    "(x + m) % 7 // (n - n)", "-x // (n - n)", "(x * 2 - 1) % (n - n)", "(x + b[0]) / (n - n)", "-(-x) / 0",
    "min(x, 2) // (n - n)", "(x if m > 0 else -x) % (n - n)", "divmod(x - 1, n - n)[1]", "(n - n) // (x * 0)",
    "(x + 1) * 2 << (n - n - 1)", "0 >> x - 1", "1 << x * (n - n) - 1", "~x >> n - n - 2", "abs(-x) ** -1",
    "(x - x) ** (n - n - 1)", "(x % 5) ** -2.0", "1 // (x - x)", "2.0 % (x * 0.0)",
]  # fmt: skip
"""Operations one after the other, the last of which Python raises for and NumPy does not, or the other way round."""
INTEGERS = [0, 1, 5, -1, 3, 200, 300, 2**31 - 1, 2**31, 2**53 + 1, 2**62, 2**63 - 1, -(2**63)]
REALS = [0.0, 0.1, -0.0, 1e300, 2.0**53, float("inf"), 0.5, -3.7]
STORES = ["bool", "uint8", "int8", "int32", "uint64", "float16", "float32", "float64", "complex64"]


@dataclass(frozen=True)
class Case:
    """A program: how the two numbers meet, Python's number, NumPy's type, what follows, and the type of its `b`."""

    meeting: str
    python: str
    dtype: str
    follows: str
    other: str

    @property
    def source(self) -> str:
        """The program's text."""
        meeting = MEETINGS[self.meeting].format(p=self.python)
        return f"def f(a, b, c, k, n, m, r, out):\n    {meeting}\n    {self.follows}\n"

    @property
    def is_defined(self) -> bool:
        """Whether all floats may be used: converting NaN to an integer is undefined in C."""
        return "int" not in self.follows and "out" not in self.follows

    def function(self) -> Callable[..., Any]:
        """The program."""
        name = f"<several types {len(linecache.cache)}>"
        linecache.cache[name] = (len(self.source), None, self.source.splitlines(True), name)
        scope: dict[str, Any] = {"np": np, "math": math}
        exec(compile(self.source, name, "exec"), scope)
        return scope["f"]  # type: ignore[no-any-return]


def follow_ups() -> list[tuple[str, str]]:
    """What may be done with the value, with the type of `b`, or of the array stored to."""
    found = [(f"return {text}", other) for text in SINGLE for other in (DTYPES if "b[0]" in text else ["int64"])]
    for operator, operand in itertools.product(OPERATORS, OPERANDS):
        others = DTYPES if operand == "b[0]" else ["int64"]
        found += [(f"return x {operator} {operand}", other) for other in others]
        found += [(f"return {operand} {operator} x", other) for other in others]
    found += [("out[0] = x", other) for other in STORES] + [("out[0] += x", other) for other in STORES]
    return found


def sample(count: int, seed: int) -> list[Case]:
    """Some programs of the class, the same each time."""
    draw, follows = random.Random(seed), follow_ups()
    return [
        Case(draw.choice(list(MEETINGS)), draw.choice(PYTHONS), draw.choice(DTYPES), *draw.choice(follows))
        for _ in range(count)
    ]


def chains(count: int, seed: int) -> list[Case]:
    """Some programs in which only the type of a value decides whether something is raised."""
    draw = random.Random(seed)
    return [
        Case(
            draw.choice(list(MEETINGS)),
            draw.choice(PYTHONS),
            draw.choice(DTYPES),
            f"return {draw.choice(CHAINS)}",
            "int64",
        )
        for _ in range(count)
    ]


def edges(dtype: str, finite: bool = False) -> list[Any]:
    """Values at the edges of a type."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return [False, True]
    if kind in "iu":
        ends = np.iinfo(dtype)
        return [0, 1, 5, ends.max, ends.min, ends.max - 2]
    small = [0.0, -0.0, 1.0, 0.1, -2.5]
    return small if finite else [*small, float(np.finfo(dtype).max), float("nan"), float("inf")]


def arguments(case: Case, draw: random.Random) -> tuple[Any, ...]:
    """One call's arguments."""
    with np.errstate(all="ignore"):
        a = np.array([draw.choice(edges(case.dtype, not case.is_defined)) for _ in range(2)]).astype(case.dtype)
        b = np.array([draw.choice(edges(case.other))]).astype(case.other)
    out = np.zeros(1, case.other)
    flag, trips = draw.randrange(2), draw.choice([0, 0, 1, 2])
    first, second, real = draw.choice(INTEGERS), draw.choice(INTEGERS), draw.choice(REALS)
    return a, b, flag, trips, first, second, real, out


def copied(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same arguments with arrays of their own."""
    return tuple(value.copy() if isinstance(value, np.ndarray) else value for value in given)


def outcome(function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    """What a call returns or leaves in `out`, or the exception that it raises."""
    given = copied(given)
    with np.errstate(all="ignore"):
        try:
            found = function(*given)
        except Exception as error:
            return error
    return given[-1][0] if found is None else found


def judge(want: Any, got: Any) -> str:
    """``same``, ``refused`` or, where Weft is wrong, ``wrong``."""
    if isinstance(got, weft.InternalError):
        return "wrong"
    if isinstance(got, (weft.Error, OverflowError)):
        return "same" if type(got) is type(want) else "refused"
    if isinstance(want, Exception) or isinstance(got, Exception):
        return "same" if type(want) is type(got) else "wrong"
    return "same" if equal(want, got) else "wrong"


def equal(want: Any, got: Any) -> bool:
    """Whether two numbers have one type and value, and zeros one sign; a complex variable keeps no signs of zeros."""
    want = want[()] if isinstance(want, np.ndarray) else want  # `np.where` of numbers gives an array without axes
    if type(want) is not type(got):
        return False
    if isinstance(got, (complex, np.complexfloating)):
        return bool(want == got) or (want != want and got != got)
    parts = zip(_parts(want), _parts(got), strict=True)
    return all(x == y and _sign(x) == _sign(y) or (x != x and y != y) for x, y in parts)


def _parts(value: Any) -> tuple[Any, Any]:
    plain = value.item() if isinstance(value, np.generic) else value
    return (plain.real, plain.imag) if isinstance(plain, complex) else (plain, 0)


def _sign(value: Any) -> float:
    return math.copysign(1.0, value) if value == 0 else 0.0
