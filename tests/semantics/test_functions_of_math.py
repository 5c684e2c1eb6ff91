"""Semantics, "Floating point": how near functions of `math` are to CPython's, in scalar code and in loops."""

from __future__ import annotations

import linecache
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weft

NEAR = [
    "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh", "acosh", "atanh",
    "expm1", "log2", "log10", "log1p", "erf", "erfc",
]  # fmt: skip
EXACT = ["sqrt", "fabs", "floor", "ceil", "trunc"]
RANGES = {
    "log": (1e-3, 50.0), "log2": (1e-3, 50.0), "log10": (1e-3, 50.0), "log1p": (-0.9, 50.0), "asin": (-1.0, 1.0),
    "acos": (-1.0, 1.0), "acosh": (1.0, 50.0), "atanh": (-0.9, 0.9), "gamma": (1e-3, 100.0), "lgamma": (1e-3, 100.0),
    "sqrt": (0.0, 50.0),
}  # fmt: skip


def compiled(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """A function of `math` for one number and for an array."""
    source = (
        f"def one(x):\n    return math.{name}(x)\n"
        f"def all(x, out):\n    for i in range(out.shape[0]):\n        out[i] = math.{name}(x[i])\n"
    )
    file = f"<function {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope: dict[str, Any] = {"math": math}
    exec(compile(source, file, "exec"), scope)
    return weft.jit(scope["one"], device="cpu"), weft.jit(scope["all"], device="cpu")


@pytest.mark.parametrize("name", [*NEAR, *EXACT, "gamma", "lgamma"])
def test_functions_are_as_near_as_the_manual_says(name):
    x = np.random.default_rng(1).uniform(*RANGES.get(name, (-20.0, 20.0)), 500)
    one, several = compiled(name)
    out = np.zeros(500)
    several(x, out)
    expected = np.array([getattr(math, name)(value) for value in x.tolist()], float)
    assert np.array_equal([one(value) for value in x.tolist()], out)
    if name in EXACT:
        assert np.array_equal(out, expected)
        return
    units = 16 if "gamma" in name else 4
    allowed = units * np.spacing(np.abs(expected))
    if name == "lgamma":
        allowed = np.maximum(allowed, 4e-15)
    assert (np.abs(out - expected) <= allowed).all()


def test_sizes_do_not_decide_bits():
    several = compiled("exp")[1]
    x = np.random.default_rng(2).uniform(-5, 5, 67)
    whole = np.zeros(67)
    several(x, whole)
    for size in (1, 2, 7, 16, 31, 67):
        part = np.zeros(size)
        several(x[:size].copy(), part)
        assert np.array_equal(part, whole[:size])
