"""Loops that are split where an index changes its sign."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weft
from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise
from weft.transform.safety.split_by_sign import split_by_sign


def previous(a, out, k):
    for i in range(len(a)):
        out[i] = a[i - 1] + a[i]


def following(a, out, k):
    for i in range(len(a)):
        out[i] = a[i + 1 - len(a)] * 2.0


def backwards(a, out, k):
    for i in range(len(a)):
        out[i] = a[len(a) - 2 - i]


def run_time_distance(a, out, k):
    for i in range(len(a)):
        out[i] = a[i - k] - a[i]


def two_distances(a, out, k):
    for i in range(len(a)):
        out[i] = a[i - 1] + a[i - 2] + a[i - k]


def in_place(a, out, k):
    for i in range(len(a)):
        a[i] = a[i - 1] * 0.5 + out[i]


def constant_range(a, out, k):
    for i in range(-3, 3):
        out[i] = a[i] + i


def with_a_sum(a, out, k):
    s, last = 0, -1
    for i in range(len(a)):
        if a[i - k] > 0.5:
            s += i
        last = i
    return s, last


def written(a, out, k):
    for i in range(len(a)):
        out[i - k] = a[i]


PROGRAMS = [
    previous, following, backwards, run_time_distance, two_distances, in_place, constant_range, with_a_sum, written,
]  # fmt: skip


def program_of(function: Callable[..., Any], *args: Any) -> n.Program:
    return build(function, [describe(arg) for arg in args])


def arguments(size: int, k: int) -> tuple[np.ndarray, np.ndarray, int]:
    rng = np.random.default_rng(size)
    return rng.random(size), rng.random(size), k


@pytest.mark.parametrize("function", PROGRAMS)
def test_both_parts_together_do_the_same(function):
    before = program_of(function, *arguments(3, 1))
    inputs = [arguments(size, k) for size in (0, 1, 2, 3, 4, 7) for k in (-2, 0, 1, 2, 3, 7, 9)]
    assert_same(before, split_by_sign(before), *inputs)
    assert_same(before, optimise(before), *inputs, exact=False)


@pytest.mark.parametrize("function", PROGRAMS)
def test_every_part_is_unchecked(function):
    program = optimise(program_of(function, *arguments(3, 1)))
    accesses = [s.value if isinstance(s, n.Let) else s for s in walk(program.body)]
    assert {a.bounds for a in accesses if isinstance(a, (n.Load, n.Store))} == {"safe"}


@pytest.mark.parametrize("function", PROGRAMS)
def test_as_in_cpython(function):
    compiled = weft.jit(function)
    for size in (1, 2, 7, 400):
        for k in (-1, 0, 1, 5, size):
            expected, found = arguments(size, k), arguments(size, k)
            errors = []
            for call, args in ((function, expected), (compiled, found)):
                try:
                    errors.append(call(*args))
                except IndexError as error:
                    errors.append(str(error))
            assert errors[0] == errors[1]
            if not isinstance(errors[0], str):
                np.testing.assert_allclose(found[0], expected[0])
                np.testing.assert_allclose(found[1], expected[1])


def loops_of(program: n.Program) -> list[n.For]:
    return [s for s in walk(program.body) if isinstance(s, n.For)]


def guarded(a, out, k):
    for i in range(len(a)):
        if i >= k:
            out[i] = a[i - k]


def later(a, out, k):
    for i in range(k, len(a)):
        out[i] = a[i - k]


def shifted(a, out, k):
    for i in range(len(a) - k):
        out[i] = a[i + k]


@pytest.mark.parametrize("function", [guarded, later, shifted])
def test_loops_whose_indices_keep_their_sign_stay_whole(function):
    program = program_of(function, *arguments(3, 1))
    assert split_by_sign(program) is program


def test_a_loop_that_may_be_left_stays_whole():
    def f(a, out, k):
        for i in range(len(a)):
            if a[i - 1] > 0.5:
                return i
        return -1

    program = program_of(f, *arguments(3, 1))
    assert split_by_sign(program) is program


def test_a_claim_that_a_check_decides_stays_whole():
    def f(a, out, p):
        for i in weft.prange(len(a)):
            out[p[i]] = a[i - 1]

    assert len(loops_of(split_by_sign(program_of(f, np.ones(3), np.ones(3), np.arange(3))))) == 1


def grid(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i - 1, j] + a[i, j - 1] + a[i - 1, j - 2]


def test_nests_are_split_on_every_level():
    before = program_of(grid, np.ones((2, 2)), np.ones((2, 2)))
    inputs = []
    for n_, m in ((0, 0), (1, 2), (2, 2), (3, 4), (5, 3), (0, 3), (3, 0)):
        rng = np.random.default_rng(n_ + m)
        inputs.append((rng.random((n_, m)), rng.random((n_, m))))
    after = split_by_sign(before)
    assert len(loops_of(after)) > 2
    assert_same(before, after, *inputs)
    assert_same(before, optimise(before), *inputs)


@pytest.mark.parametrize("seed", range(30))
def test_random_indices(seed):
    """Affine indices of random coefficients, starts and distances, against the program as it was."""
    rng = random.Random(seed)
    terms = []
    for _ in range(rng.randint(1, 3)):
        sign = rng.choice(["i", "-i"])
        rest = rng.choice(["", " - 1", " + 1", " - k", " + k", " - len(a)", " + 1 - len(a)", " - 2 - k", " + 2"])
        terms.append(f"a[{sign}{rest}]")
    start = rng.choice(["0", "1", "-2", "k", "-k"])
    stop = rng.choice(["len(a)", "len(a) - 1", "3", "k + 2"])
    target = rng.choice(["out[i]", "out[i - 1]", "out[-i]", "a[i]"])
    text = f"def f(a, out, k):\n    for i in range({start}, {stop}):\n        {target} = {' + '.join(terms)} + i\n"
    before = built(text)
    inputs = [arguments(size, k) for size in (0, 1, 2, 4, 6) for k in (-3, 0, 1, 2, 5)]
    assert_same(before, split_by_sign(before), *inputs)
    assert_same(before, optimise(before), *inputs)


def built(text: str) -> n.Program:
    import linecache

    name = f"<signs {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = {}
    exec(compile(text, name, "exec"), scope)
    return program_of(scope["f"], *arguments(3, 1))
