"""Indices with constant bounds, and loads that branches do not need to guard."""

from __future__ import annotations

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
from weft.transform.safety.bounds import bounds
from weft.transform.safety.versions import versions
from weft.transform.simplify.if_conversion import if_conversion

RNG = np.random.default_rng(3)
NUMBERS = RNG.integers(-(2**40), 2**40, 30)
BYTES = RNG.integers(0, 256, 30).astype(np.uint8)
SIGNED = RNG.integers(-128, 128, 30).astype(np.int8)


def by_byte(x, table, out):
    for i in range(len(out)):
        out[i] = table[x[i]]


def by_mask(x, table, out):
    for i in range(len(out)):
        out[i] = table[int(x[i]) & 15]


def by_remainder(x, table, out):
    for i in range(len(out)):
        out[i] = table[int(x[i]) % 16]


def by_shift(x, table, out):
    for i in range(len(out)):
        out[i] = table[x[i] >> 4]


def by_difference_of_bits(x, table, out):
    for i in range(len(out)):
        out[i] = table[x[i] ^ x[-1 - i]]


def by_masked_sum(x, table, out):
    for i in range(len(out)):
        out[i] = table[(x[i] + 3 * i) & 15]


def by_difference(x, table, out):
    for i in range(len(out)):
        out[i] = table[int(x[i]) - 3]


def update_by_byte(x, table, out):
    for i in range(len(out)):
        table[x[i]] += out[i]


def two_dimensions(x, table, out):
    both = table[:8].copy().reshape(4, 2)
    for i in range(len(out)):
        out[i] = both[x[i] & 3, i % 2]


CASES = [
    (by_byte, BYTES, 256), (by_mask, NUMBERS, 16), (by_remainder, NUMBERS, 16), (by_shift, BYTES, 16),
    (update_by_byte, BYTES, 256), (by_masked_sum, NUMBERS, 16),
]  # fmt: skip


def arguments(x: np.ndarray, size: int) -> list[Any]:
    return [x, np.arange(1.0, size + 1), np.arange(30.0)]


def accesses_tested(block: n.Block) -> int:
    """How many accesses are tested."""
    accesses = (s.value if isinstance(s, n.Let) else s for s in walk(block))
    return sum(getattr(access, "bounds", "safe") != "safe" for access in accesses)


ASKED_FOR_BEFORE = [(by_shift, BYTES, 16), (by_difference_of_bits, BYTES, 256)]


@pytest.mark.parametrize(("function", "x", "size"), ASKED_FOR_BEFORE)
def test_a_table_that_holds_all_is_asked_for_once(function: Callable[..., Any], x: np.ndarray, size: int) -> None:
    before = bounds(build(function, [describe(v) for v in arguments(x, size)]))
    program = versions(before)
    assert_same(before, program, *(arguments(x, s) for s in (size, size + 1, size - 1, size // 2, 1, 0)))
    (branch,) = [s for s in program.body.statements if isinstance(s, n.If)]
    assert accesses_tested(branch.then) == 0
    assert accesses_tested(branch.orelse) > 0


@pytest.mark.parametrize("function", [by_byte, by_difference])
def test_indices_that_may_be_negative_stay_tested(function: Callable[..., Any]) -> None:
    x = SIGNED if function is by_byte else BYTES
    before = bounds(build(function, [describe(v) for v in arguments(x, 256)]))
    assert versions(before) is before


@pytest.mark.parametrize(
    ("function", "x", "size"), [*CASES, *ASKED_FOR_BEFORE, (by_byte, SIGNED, 128), (by_difference, BYTES, 253)]
)
def test_answers_are_cpythons(function: Callable[..., Any], x: np.ndarray, size: int) -> None:
    for room in (size, size // 3, 2 * size):
        outcomes = []
        for run in (function, weft.jit(function)):
            own = arguments(x, room)
            try:
                run(*own)
                outcomes.append([*own])
            except IndexError:
                outcomes.append([*own, "IndexError"])
        assert len(outcomes[0]) == len(outcomes[1])
        for a, b in zip(*outcomes, strict=True):
            np.testing.assert_array_equal(a, b)


def test_answers_of_two_dimensions_are_cpythons() -> None:
    expected, found = arguments(BYTES, 8), arguments(BYTES, 8)
    two_dimensions(*expected)
    weft.jit(two_dimensions)(*found)
    np.testing.assert_array_equal(expected[2], found[2])


# -------------------------------------------------------------------------------------------- loads in branches


def maxima(x, out):
    for i in range(1, len(x) - 1):
        out[i] = 1 if x[i] > x[i - 1] and x[i] > x[i + 1] else 0


def maxima_with_ends(x, out):
    for i in range(len(x)):
        out[i] = 1 if i + 1 < len(x) and x[i] > x[i + 1] else 0


def maxima_in_place(x, out):
    for i in range(1, len(x) - 1):
        x[i] = 1 if x[i] > x[i - 1] and x[i] > x[i + 1] else 0


def far_away(x, out):
    for i in range(len(out)):
        out[i] = 1 if x[i] > 0.5 and x[len(out) - 1 - i] > 0.5 else 0


def but_one(x, out):
    for i in range(len(out)):
        total = 0.0
        for j in range(len(out)):
            if j != i:
                total += x[j]
        out[i] = total


def but_one_in_place(x, out):
    for i in range(len(out)):
        total = 0.0
        for j in range(len(out)):
            if j != i:
                total += x[j]
        x[i] = total


def only_one(x, out):
    for i in range(len(out)):
        for j in range(len(out)):
            out[i] = x[j] if i == j else out[i]


@pytest.mark.parametrize(
    ("function", "branches"),
    [
        (but_one, 0),
        (but_one_in_place, 1),
        (only_one, 1),
        (maxima, 0),
        (maxima_with_ends, 1),
        (maxima_in_place, 1),
        (far_away, 1),
    ],
)
def test_loads_beside_others_are_made_without_a_branch(function: Callable[..., Any], branches: int) -> None:
    cases = [[RNG.random(size), np.zeros(size)] for size in (0, 1, 2, 3, 20)]
    before = bounds(build(function, [describe(v) for v in cases[-1]]))
    after = if_conversion(before)
    assert_same(before, after, *cases)
    assert sum(isinstance(s, n.If) for s in walk(after.body)) == branches
    assert_same(before, optimise(before), *cases)


def weighted_but_one(a, x, out):
    for i in range(len(out)):
        total = out[i]
        for j in range(len(out)):
            if i != j:
                total -= a[i, j] * x[j]
        out[i] = total


def guarded_by_zero(a, x, out):
    for i in range(len(out)):
        if i != 0:
            out[i] = x[i] + x[i - 1]


def guarded_twice(a, x, out):
    for i in range(len(out)):
        total = 0.0
        for j in range(len(out)):
            if j != len(x) and j < len(x):
                total += x[j]
        out[i] = total


@pytest.mark.parametrize(("function", "branches"), [(weighted_but_one, 0), (guarded_by_zero, 1), (guarded_twice, 1)])
def test_what_is_assumed_unless_a_loop_is_empty_holds_in_the_loop(function: Callable[..., Any], branches: int) -> None:
    cases = [[RNG.random((n, n)), RNG.random(n), RNG.random(n)] for n in (0, 1, 2, 9)]
    cases += [[RNG.random((1, 0)), RNG.random(k), RNG.random(n)] for k, n in ((0, 1), (3, 1), (0, 0), (4, 9))]
    before = bounds(build(function, [describe(v) for v in cases[3]]))
    after = if_conversion(before)
    assert_same(before, after, *cases)
    assert sum(isinstance(s, n.If) for s in walk(after.body)) >= branches
    assert branches or not any(isinstance(s, n.If) for s in walk(after.body))
    compiled = weft.jit(function)
    for values in cases:
        outcomes = []
        for run in (function, compiled):
            own = [v.copy() for v in values]
            try:
                run(*own)
                outcomes.append(own[2])
            except IndexError:
                outcomes.append(np.append(own[2], -1.0))
        np.testing.assert_allclose(*outcomes, rtol=1e-12)
