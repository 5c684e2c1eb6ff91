"""Rests and quotients by constants: all signs, all types, in loops that are vectorised, diverge or run in order."""

from __future__ import annotations

import numpy as np
import pytest

from .tools import same

DIVISORS = (1, -1, 2, -2, -3, 8, -8, 100, -128)
DTYPES = ("int64", "int32", "int16", "int8", "uint8", "uint32", "int")
"""``int`` stands for Python's: elements of int64 arrays that are converted."""


def function(dtype, path):
    """Rests and quotients by all divisors of a type: of elements, of counters, under a condition, in inner loops."""
    info = np.iinfo("int64" if dtype == "int" else dtype)
    divisors = [d for d in (*DIVISORS, info.min, info.max) if info.min <= d <= info.max]
    element = "int(a[i])" if dtype == "int" else "a[i]"
    lines = ["def f(a, k, o, p):", "    for i in range(len(a)):", f"        v = {element}"]
    for place, d in enumerate(divisors):
        quotient = f"v // {d}" if d != -1 else "v"
        lines += [f"        o[i, {2 * place}] = v % {d}", f"        o[i, {2 * place + 1}] = {quotient}"]
    lines += [
        "    for i in range(-len(a), len(a)):",
        f"        p[i, 0] = i % {divisors[1]} + (i * 3 - 7) % -8 + i // -4",
    ]
    lines += ["    for i in range(len(a)):", "        h = 0", "        s = 0", "        while h < k[i]:"]
    lines += [f"            s += (h - 9) % -4 + (h - 5) % 8 + ({element} % {divisors[-3]} > 3)", "            h += 1"]
    lines += ["        p[i, 1] += s"]
    path.write_text("\n".join(lines) + "\n")
    space = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    return space["f"], 2 * len(divisors), info


ON_DEVICES = [
    pytest.param(device, dtype, marks=mark)
    for device, mark in (("opencl", pytest.mark.opencl), ("cuda", pytest.mark.gpu))
    for dtype in ("int", "int32")
]


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("device", "dtype"), [(device, dtype) for device in ("interpreter", "cpu") for dtype in DTYPES] + ON_DEVICES
)
def test_rests_and_quotients_by_constants_are_pythons(device, dtype, tmp_path):
    f, columns, info = function(dtype, tmp_path / "divided.py")
    low = 1 if dtype == "int" else 0  # -2**63 // -1 does not fit
    ends = [
        info.min + low,
        info.min + 1,
        info.max,
        info.max - 1,
        -129,
        -128,
        -64,
        -9,
        -8,
        -7,
        -5,
        -3,
        -1,
        0,
        1,
        5,
        7,
        8,
    ]
    values = [v for v in ends if info.min <= v <= info.max]
    a = np.array(values, "int64" if dtype == "int" else dtype)
    k = np.arange(len(a)) * 5 % 7
    same(f, a, k, np.zeros((len(a), columns), np.int64), np.zeros((2 * len(a), 2), np.int64), device=device)
