"""``str.format``, ``hash``, ``*map(...)``, and calls with too many numbers, beside CPython."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.errors import TypeInferenceError, UnsupportedError


def formats(n, x, name):
    first = "{} items, total {:.2f}".format(n, x)
    return first, "{0}-{1}-{0} {{}} {k:>5d}|{name!r:>8}".format(n, n + 1, k=n * 2, name=name), "{}".format((n, x))


def hashes(a):
    return [hash(int(v)) for v in a], hash(a[0]), hash(-1), hash(True), hash(2**61 - 1)


def unpacked(a):
    def f(u, v, w=1.0):
        return u * v - w

    return f(*map(float, (a, 2))), f(*map(abs, (a, -3, 5)))


def refuses(n):
    if n > 2:
        raise ValueError("bad {}: {:03d}".format("n", n))
    return n


def test_small_functions():
    numbers = np.array([0, -1, 5, 2**61 - 1, 2**61, -(2**61) + 1, -(2**61), 2**63 - 1, -(2**63)])
    for function, *cases in (
        (formats, (3, 2.5, "bob"), (-1, 1e20, "")), (hashes, (numbers,)), (unpacked, (2,)),
    ):  # fmt: skip
        compiled = weft.jit(function)
        for case in cases:
            assert repr(compiled(*case)) == repr(function(*case))
    with pytest.raises(ValueError, match=r"^bad n: 003"):
        weft.jit(refuses)(3)
    with pytest.raises(TypeInferenceError, match="Replacement index 1 out of range"):
        weft.jit(lambda n: "{} {}".format(n))(1)  # noqa: F524


def test_more_numbers_than_a_call_takes():
    names = [f"a{k}" for k in range(70)]
    with pytest.raises(UnsupportedError, match="takes 71 numbers and arrays.*at most 64"):
        weft.jit(lambda many, x: many[0] + x)(tuple(range(70)), len(names))
