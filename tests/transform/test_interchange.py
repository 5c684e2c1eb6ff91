"""Loops that go inside others, and sums that are contracted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import walk
from weft.transform.pipeline import optimise
from weft.transform.simplify.dce import dce
from weft.transform.vector.fma_reductions import fma_reductions
from weft.transform.vector.interchange import interchange

SHAPES = ((3, 5, 2), (17, 70, 9), (9, 33, 0), (0, 5, 3), (8, 64, 4), (40, 32, 5), (16, 31, 1))
RNG = np.random.default_rng(1)


def product(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = np.float32(0.0)
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def product_in_place(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def two_results(a, b, c, d):
    for i in range(c.shape[0]):
        scale = a[i, 0] + 1.0 if a.shape[1] > 0 else 0.5
        for j in range(c.shape[1]):
            total = 0.0
            largest = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
                largest = max(largest, b[k, j] * scale)
            c[i, j] = total
            d[i, j] = largest + j


def column_sums(a, sums):
    for j in range(a.shape[1]):
        total = 0.0
        for i in range(a.shape[0]):
            total += a[i, j]
        sums[j] = total


def down_the_columns(a, b):
    for j in range(a.shape[1]):
        before = 0.0
        count = 1
        for i in range(a.shape[0]):
            x = a[i, j]
            if x > 0.5:
                before = before + x
            else:
                count = count + 1
            b[i, j] = before / np.float64(count)


def swapping(a, b):
    for j in range(a.shape[1]):
        old = 0.0
        new = 1.0
        for i in range(a.shape[0]):
            old, new = new, old + a[i, j]
        b[j] = old - new


def convolution(a, w, o):
    for i in range(o.shape[0]):
        for j in range(o.shape[1]):
            total = 0.0
            for k in range(w.shape[0]):
                for m in range(w.shape[1]):
                    total += a[i + k, j + m] * w[k, m]
            o[i, j] = total * 2.0 + a[i, j]


def row_sums(a, sums):
    for i in range(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += a[i, j]
        sums[i] = total


def elementwise(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[i, j] * 2.0 + 1.0


def columns_that_need_the_one_before(a, b):
    for j in range(1, a.shape[1]):
        total = 0.0
        for i in range(a.shape[0]):
            total += a[i, j] * b[0, j - 1]
        b[0, j] = total


CHANGED = (product, product_in_place, two_results, column_sums, down_the_columns, swapping, convolution)


def arguments(name: str) -> Iterator[tuple[Any, ...]]:
    """Arrays of several shapes."""
    for rows, columns, inner in SHAPES:
        c = np.zeros((rows, columns))
        if name == "product":
            yield tuple(np.float32(x) for x in (RNG.random((rows, inner)), RNG.random((inner, columns)), c))
        elif name == "product_in_place":
            yield RNG.random((rows, inner)), RNG.random((inner, columns)), RNG.random((rows, columns))
        elif name == "two_results":
            yield RNG.random((rows, inner)), RNG.random((inner, columns)), c, c.copy()
        elif name == "convolution":
            yield RNG.random((rows + 2, columns + 1)), RNG.random((3, 2)), c
        elif name in ("column_sums", "swapping"):
            yield RNG.random((rows, columns)), np.zeros(columns)
        elif name == "row_sums":
            yield RNG.random((rows, columns)), np.zeros(rows)
        else:
            yield RNG.random((rows, columns)), c


def optimised(function: Any) -> n.Program:
    return optimise(build(function, [describe(x) for x in next(arguments(function.__name__))]))


@pytest.mark.parametrize("function", CHANGED, ids=lambda f: f.__name__)
def test_the_results_are_the_same_to_the_last_bit(function: Any) -> None:
    before = optimised(function)
    after = dce(interchange(before))
    assert after is not before
    assert_same(before, after, *arguments(function.__name__))


@pytest.mark.parametrize(
    "function", (row_sums, elementwise, columns_that_need_the_one_before), ids=lambda f: f.__name__
)
def test_loops_that_read_in_order_stay(function: Any) -> None:
    before = optimised(function)
    assert interchange(before) is before


def test_what_rows_share_is_copied_once_for_each_width_of_strips() -> None:
    after = interchange(optimised(product))
    made = [s for s in walk(after.body) if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)]
    assert [s.var.stem for s in made if isinstance(s.var.type, View) and s.var.type.ndim == 2] == ["b", "b"]


def test_a_product_in_a_sum_is_contracted() -> None:
    after = fma_reductions(optimised(product))
    assert sum(isinstance(s, n.Let) and isinstance(s.value, n.Fma) for s in walk(after.body)) == 1
    assert_same(optimised(product), after, *arguments("product"), exact=False)


@pytest.mark.parametrize("function", (elementwise, down_the_columns, swapping), ids=lambda f: f.__name__)
def test_nothing_else_is_contracted(function: Any) -> None:
    before = optimised(function)
    assert fma_reductions(before) is before
