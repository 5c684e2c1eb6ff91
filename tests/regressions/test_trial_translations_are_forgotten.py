"""A loop is translated until its types settle; what an earlier time noted of rounded values is forgotten."""

from __future__ import annotations

import itertools
import linecache

import numpy as np
import pytest

import weft
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir.check.verifier import verify

INNER = ["total += a[i, j]", "total += a[i, j] * x[j]", "total = total + x[j]", "total = max(total, a[i, j])"]
ROUNDED = ["total * total", "total + 0.5", "total * w", "w - total", "abs(total) * total", "total * total + w"]
AROUND = [
    "for t in range(k):\n        {}",
    "t = 0\n    while t < k:\n        t += 1\n        {}",
    "for t in range(k):\n        if t < 5:\n            {}",
    "for t in range(k):\n        for u in range(k):\n            {}",
]


def program(inner, rounded, around):
    lines = ["norm = 0.0", "for i in range(n):", "    total = 0.0", "    for j in range(n):", f"        {inner}",
             f"    norm += {rounded}", "for i in range(n):", "    y[i] = x[i] + norm"]  # fmt: skip
    space = " " * (len(around.rpartition("\n")[2]) - 2)
    body = around.format(f"\n{space}".join(lines))
    source = f"def f(a, x, y, k, n, w):\n    {body}\n"
    name = f"<trial {len(linecache.cache)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    scope = {"np": np}
    exec(compile(source, name, "exec"), scope)
    return scope["f"]


def given(dtype, size, n):
    matrix = (np.arange(size * size).reshape(size, size) % 5 / 8).astype(dtype)
    return matrix, np.ones(size, dtype), np.zeros(size, dtype), 2, n, 0.25


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize(("inner", "rounded", "around"), [*itertools.product(INNER, ROUNDED, AROUND)])
def test_programs_are_well_formed(inner, rounded, around, dtype):
    try:
        built = build(program(inner, rounded, around), [describe(value) for value in given(dtype, 3, 3)])
    except weft.InternalError:
        raise
    except weft.Error:
        return
    verify(built)


@pytest.mark.parametrize("n", [0, 3])
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("rounded", ["total * total", "total * w"])
def test_results_are_cpythons(around, rounded, n):
    function = program(INNER[1], rounded, around)
    expected, got = given("float32", 3, n), given("float32", 3, n)
    function(*expected)
    weft.jit(function, device="cpu")(*got)
    assert all(np.array_equal(a, b) for a, b in zip(expected[:3], got[:3], strict=True))


def raises_in_its_first_iteration(a, k):
    s = 0.1
    for e in a:
        s += e
    while k > 0:
        s = s * 0.3
        if s < 1:
            raise ValueError("small")
        raise OverflowError("large")
    return s * 0.1


@pytest.mark.parametrize(("size", "k", "error"), [(3, 1, ValueError), (33, 1, OverflowError), (3, 0, None)])
def test_a_loop_that_always_raises(size, k, error):
    a = np.ones(size, np.float32)
    if error is None:
        assert weft.jit(raises_in_its_first_iteration)(a, k) == raises_in_its_first_iteration(a, k)
    else:
        with pytest.raises(error):
            weft.jit(raises_in_its_first_iteration)(a, k)
