"""Two loops that become one where their elements follow one another in memory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import weft
from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise
from weft.transform.vector.collapse import collapse

RNG = np.random.default_rng(1)


def shifted(a, b):
    for y in range(1, b.shape[0]):
        for x in range(2, b.shape[1] - 1):
            for c in range(b.shape[2]):
                b[y, x, c] = a[y - 1, x - 2, c] - a[y, x + 1, c]


def guarded(a, b):
    for y in range(b.shape[0]):
        for x in range(b.shape[1]):
            for c in range(b.shape[2]):
                b[y, x, c] = 1.0
                if a[y, x, c] > 0.5:
                    b[y, x, c] = a[y, x, c]


def windows(a, b):
    for y in range(b.shape[0]):
        for x in range(1, b.shape[1] - 1):
            for c in range(b.shape[2]):
                total = 0.0
                for dx in range(-1, 2):
                    column = x + dx
                    if a[y, column, c] > 0.25:
                        total += a[y, column, c]
                for _ in range(2):
                    total = -total + a[y, x, c]
                b[y, x, c] = total


def only_guarded(a, b):
    for y in range(b.shape[0]):
        for x in range(b.shape[1]):
            for c in range(b.shape[2]):
                if y > 1:
                    b[y, x, c] = a[y, x, c]


def plane(a, b):
    for y in range(b.shape[0]):
        for x in range(b.shape[1]):
            b[y, x, 0] = a[y, x, 1]


def counted(a, b):
    for y in range(b.shape[0]):
        for x in range(b.shape[1]):
            for c in range(b.shape[2]):
                b[y, x, c] = a[y, x, c] * x


def reads_by_colour(a, b):
    for y in range(b.shape[0]):
        for x in range(b.shape[1]):
            for c in range(b.shape[2]):
                b[y, x, c] = a[0, 0, c]


def neighbours(a, b):
    for y in range(b.shape[0]):
        for x in range(b.shape[1]):
            for c in range(1, b.shape[2]):
                b[y, x, c] = a[y, x, c - 1]


def program_of(function: Callable[..., object], *values: object) -> n.Program:
    signature = tuple(describe(value, name) for value, name in zip(values, "ab", strict=True))
    return optimise(build(function, signature))


def merges(program: n.Program) -> int:
    return sum(isinstance(s, n.Let) and isinstance(s.value, n.Merge) for s in walk(program.body))


def cuts(shape: tuple[int, int, int]) -> list[np.ndarray]:
    """Arrays of one shape that lie in memory in several ways."""
    whole = RNG.random(shape)
    wide = RNG.random((*shape[:2], shape[2] + 2))
    tall = RNG.random((shape[0], shape[1] + 3, shape[2]))
    back = RNG.random(shape)[:, ::-1]
    turned = RNG.random((shape[2], shape[1], shape[0])).T
    return [whole, wide[:, :, 1:-1], tall[:, 1:-2], back, turned]


SHAPES = [(3, 5, 2), (4, 4, 1), (2, 7, 3), (1, 3, 4), (0, 3, 2), (3, 4, 0), (2, 0, 3)]


@pytest.mark.parametrize("function", [shifted, guarded, windows, plane], ids=lambda f: f.__name__)
def test_a_run_through_memory_is_one_loop(function):
    before = program_of(function, np.ones((2, 2, 2)), np.ones((2, 2, 2)))
    after = collapse(before)
    assert merges(after) == 2
    shapes = SHAPES[:3] if function is plane else SHAPES
    inputs = [
        (a, b)
        for shape in shapes
        if shape[2] > 1 or function is not plane
        for a in cuts(shape)[:3]
        for b in cuts(shape)[:3]
    ]
    assert_same(before, after, *inputs)


@pytest.mark.parametrize("function", [only_guarded, counted, reads_by_colour, neighbours])
def test_other_nests_stay(function):
    before = program_of(function, np.ones((2, 2, 2)), np.ones((2, 2, 2)))
    assert collapse(before) is before


@pytest.mark.sample(2)
@pytest.mark.parametrize("function", [shifted, guarded, windows, only_guarded, counted, neighbours])
def test_compiled_code_gives_the_answer_of_cpython(function):
    compiled = weft.jit(function)
    for shape in SHAPES:
        for a in cuts(shape):
            for b in cuts(shape):
                expected, found = b.copy(), b
                function(a, expected)
                compiled(a, found)
                np.testing.assert_array_equal(expected, found)


def test_views_whose_axes_differ_in_extent():
    def sums(a, b):
        for x in range(a.shape[0]):
            for c in range(a.shape[1]):
                b[x, c] = a[x, c] + 1.0

    a, b = RNG.random((4, 3)), np.zeros((4, 5))
    weft.jit(sums)(a, b)
    np.testing.assert_array_equal(b[:, :3], a + 1.0)
    np.testing.assert_array_equal(b[:, 3:], 0.0)
