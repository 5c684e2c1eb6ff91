"""Estimates of the work of loops, by which threads are woken."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

import weft


def triangle(a, out):
    for i in range(len(out)):
        total = 0.0
        for j in range(i + 1):
            total += a[i, j]
        out[i] = total


def other_triangle(a, out):
    n = len(out)
    for i in range(n):
        total = 0.0
        for j in range(i, n):
            total += a[i, j]
        out[i] = total


def square(a, out):
    n = len(out)
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += a[i, j]
        out[i] = total


def pyramid(a, out):
    for i in range(len(out)):
        total = 0.0
        for j in range(i):
            for k in range(j):
                total += a[j, k]
        out[i] = total


def gathers(x, places, out):
    for i in range(len(out)):
        out[i] = x[places[i]]


def copies(x, places, out):
    for i in range(len(out)):
        out[i] = x[i]


def work(function: Callable[..., None], size: int, *arguments: object) -> float:
    """The estimate in the generated code, in nanoseconds, where all sizes are the same."""
    source = weft.jit(function, device="cpu").inspect(*arguments).source
    launch = r"_piece, &\w+, [^,]+, [^,]+, 0, (.*)\);"
    found = re.search(r"double work = (.*);", source) or re.search(launch, source)
    assert found is not None
    text = re.sub(r"\b[a-z]\w*_n\d\b|\bn\b", str(size), found[1].replace("(double)", ""))
    return float(eval(text, {"weft_span": lambda start, stop: max(stop - start, 0.0)}))


@pytest.mark.parametrize("function", [triangle, other_triangle])
def test_a_triangle_is_half_a_square(function):
    arguments = np.zeros((9, 9)), np.zeros(9)
    assert work(function, 4000, *arguments) == pytest.approx(work(square, 4000, *arguments) / 2, rel=0.05)


def test_a_pyramid_takes_as_long_as_its_mean_rows():
    assert work(pyramid, 4000, np.zeros((9, 9)), np.zeros(9)) == pytest.approx(0.12 * 4000 * 2000 * 1000, rel=0.2)


def test_an_indirect_read_takes_longer_than_a_direct_one():
    arguments = np.zeros(9), np.zeros(9, np.int64), np.zeros(9)
    assert work(gathers, 10**6, *arguments) > 2 * work(copies, 10**6, *arguments)
