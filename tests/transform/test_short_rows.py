"""Small arrays of an iteration's own in lanes, and short rows that are copied into such arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.types import Vector, View
from weft.ir.visit import walk
from weft.transform.pipeline import for_cpu, optimise
from weft.transform.vector.short_rows import LONGEST

from .same import assert_same

RNG = np.random.default_rng(11)


def nearest(p, c, label):
    for i in range(p.shape[0]):
        best = 1e30
        for k in range(c.shape[0]):
            s = 0.0
            for j in range(p.shape[1]):
                d = p[i, j] - c[k, j]
                s += d * d
            if s < best:
                best = s
                label[i] = k


def form(p, a, label):
    for i in range(len(label)):
        t = 0.0
        for j in range(a.shape[0]):
            for k in range(a.shape[0]):
                t += p[i, j] * a[j, k] * p[i, k]
        label[i] = t > 0.5


def written_rows(p, c, label):
    for i in range(p.shape[0]):
        for k in range(c.shape[0]):
            s = 0.0
            for j in range(p.shape[1]):
                s += p[i, j] * c[k, j]
            p[i, 0] = p[i, 0] - s
            label[i] += k


def close(p, c, label):
    for i in range(p.shape[0]):
        for k in range(c.shape[0]):
            if abs(p[i, 0] - c[k, 0]) + abs(p[i, 1] - c[k, 1]) < 0.7:
                label[i] = 2 * k


def median(x, y, kept):
    for i in range(2, x.shape[0] - 2):
        w = np.empty(5, x.dtype)
        for k in range(5):
            w[k] = x[i - 2 + k]
        for p in range(4):
            for q in range(4 - p):
                if w[q] > w[q + 1]:
                    w[q], w[q + 1] = w[q + 1], w[q]
        y[i] = w[2]
        if w[0] < 0.0:
            kept[i] = i


def two_axes(x, y, kept):
    for i in range(len(x)):
        w = np.zeros((2, 3), np.int32)
        for t in range(kept.shape[0] % 5):
            for k in range(3):
                w[t % 2, k] = w[1 - t % 2, (k + 1) % 3] + t
        y[i] = x[i] + w[0, 0] + w[1, 2]


def roots(p, c, label):
    for i in range(p.shape[0]):
        t = 0.0
        for j in range(c.shape[1]):
            for k in range(c.shape[1]):
                t += float(p[i, j] * p[i, k])
        if label[i] > 6:
            label[i] = int(math.sqrt(t - 0.3))


def inverse(p, c, label):
    for i in range(p.shape[0]):
        w = np.zeros(3)
        for k in range(c.shape[0]):
            s = 0.0
            for j in range(p.shape[1]):
                s += float(p[i, j] - c[k, j]) ** 2
            w[0] = w[1] + s
            w[1] = w[2] + 1.0 / s
        label[i] = w[1] > w[0]


def with_specials(*shape: int) -> np.ndarray:
    a = RNG.normal(size=shape)
    a[RNG.random(shape) < 0.1] = np.nan
    a[RNG.random(shape) < 0.1] = -0.0
    a[RNG.random(shape) < 0.05] = np.inf
    return a


def points(rows: int, columns: int, others: int, dtype: type) -> list[np.ndarray]:
    square = columns if others == columns else others
    made = with_specials(rows, columns), with_specials(square, columns)
    return [*(a.astype(dtype) for a in made), RNG.integers(0, 9, rows)]


def same_as_python(function, arguments) -> None:
    """The compiled function leaves the arrays as CPython does, or raises what it raises."""
    expected, found = [a.copy() for a in arguments], [a.copy() for a in arguments]
    errors = []
    for run, own in ((function, expected), (weft.jit(function), found)):
        try:
            with np.errstate(all="ignore"):
                run(*own)
            errors.append(None)
        except (IndexError, ZeroDivisionError, ValueError, OverflowError) as error:
            errors.append(type(error))
    assert errors[0] == errors[1]
    for a, b in zip(expected, found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5 if a.dtype == np.float32 else 1e-12, atol=1e-6)


@pytest.mark.parametrize(
    ("function", "dtype"),
    [
        (nearest, np.float32),
        (form, np.float64),
        (written_rows, np.float64),
        (close, np.float32),
        (roots, np.float64),
        (inverse, np.float32),
    ],
)
def test_rows_of_all_lengths(function, dtype):
    for rows in (0, 1, 8, 19):
        for columns in (0, 1, 3, LONGEST, LONGEST + 1):
            for others in (0, columns):
                same_as_python(function, points(rows, columns, others, dtype))
    p, c, label = points(9, 3, 3, dtype)
    p[5] = c[1] = 0.0
    same_as_python(function, [p, c, label])  # what raises does so in the middle of a tile
    same_as_python(function, [p, c, label[:5]])
    same_as_python(function, [p[::-1], c[:, ::-1], label])
    if function is not written_rows:
        same_as_python(function, [p, p[:3], label])  # one array is a part of the other
        same_as_python(function, [np.asfortranarray(p), c, label])


@pytest.mark.parametrize("function", [median, two_axes])
def test_small_arrays_of_all_counts(function):
    for count in (0, 4, 5, 12, 13, 40):
        x = with_specials(count) if function is median else RNG.integers(-9, 9, count).astype(np.int32)
        same_as_python(function, [x, np.zeros_like(x), RNG.integers(0, 9, count)])


def shaped(function, *arguments) -> tuple[n.Program, n.Program]:
    program = optimise(build(function, [describe(x) for x in arguments]))
    return program, for_cpu(program)


def own_arrays(program: n.Program) -> int:
    """How many arrays have an element for each lane."""
    return sum(
        isinstance(s, n.Let) and isinstance(s.value, n.Load) and isinstance(s.var.type, Vector)
        and s.value.view in {a.var for a in walk(program.body) if isinstance(a, n.Let) and isinstance(a.value, n.Alloc)}
        for s in walk(program.body)
    )  # fmt: skip


@pytest.mark.parametrize("function", [nearest, form, roots, median])
def test_lanes_have_their_arrays_side_by_side(function):
    x, y = RNG.random(30), np.zeros(30)
    arguments = [x, y, np.zeros(30, np.int64)] if function is median else points(20, 3, 3, np.float64)
    program, changed = shaped(function, *arguments)
    assert own_arrays(changed) > 0
    assert_same(program, changed, arguments, exact=False)


def test_rows_that_are_written_are_not_copied():
    program, changed = shaped(written_rows, *points(20, 3, 3, np.float64))
    assert own_arrays(changed) == 0
    assert not any(isinstance(s, n.Let) and isinstance(s.value, n.Alloc) for s in walk(changed.body))


def test_large_and_shared_arrays_stay_as_they_were():
    def large(x, y):
        for i in range(len(x)):
            w = np.zeros(200)
            for t in range(3):
                for k in range(1, 200):
                    w[k] = w[k - 1] + x[i]
            y[i] = w[199]

    def viewed(x, y):
        for i in range(len(x)):
            w = np.zeros(8)
            v = w[1:5]
            for t in range(3):
                for k in range(3):
                    v[k] = v[k + 1] + x[i]
            y[i] = w[1]

    for function in (large, viewed):
        arguments = [RNG.random(9), np.zeros(9)]
        _, changed = shaped(function, *arguments)
        assert own_arrays(changed) == 0
        same_as_python(function, arguments)


def test_types_of_own_arrays_have_one_axis_more():
    _, changed = shaped(median, RNG.random(30), np.zeros(30), np.zeros(30, np.int64))
    made = [s.var.type for s in walk(changed.body) if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)]
    assert [t.ndim for t in made if isinstance(t, View)] == [2]


def of_24(p, c, label):
    for i in range(p.shape[0]):
        for k in range(c.shape[0]):
            s = 0.0
            for j in range(24):
                s += p[i, j] * c[k, j]
            label[i] += s > 0.0


def test_rows_that_are_known_to_be_long_are_not_copied():
    p, c = RNG.standard_normal((37, 24)), RNG.standard_normal((5, 24))
    found, expected = np.zeros(37, np.int64), np.zeros(37, np.int64)
    weft.jit(of_24)(p, c, found)
    of_24(p, c, expected)
    assert np.array_equal(found, expected)
