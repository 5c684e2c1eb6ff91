"""Sums of Python integers that cannot overflow, because their loops are too short."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import weft
from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.reference.interpreter import holds
from weft.ir.types import PYINT
from weft.ir.visit import walk
from weft.transform.pipeline import optimise

RNG = np.random.default_rng(1)
PIXELS = RNG.integers(0, 256, (7, 9)).astype(np.uint8)
SHORT = RNG.integers(-(2**15), 2**15, 50).astype(np.int16)
LONG = RNG.integers(-(2**31), 2**31, 50).astype(np.int32)


def pixels(a):
    total = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            total += int(a[i, j])
    return total


def triangle(a):
    total = 0
    for i in range(a.shape[0]):
        for j in range(i, a.shape[1]):
            total -= int(a[i, j])
    return total


def counts(a):
    bright = dark = 0
    for i in range(len(a)):
        if a[i] > 1000:
            bright += 1
        elif a[i] < -1000:
            dark += 2
    return bright, dark


def products(a):
    total = 5
    for i in range(len(a)):
        total += int(a[i]) * int(a[-1]) if a[i] != 0 else 3
    return total


def windows(a):
    best = 0
    for i in range(len(a)):
        total = 0
        for j in range(max(i - 3, 0), i):
            total += int(a[j])
        best = max(best, total)
    return best


def wide(a):
    total = 0
    for i in range(len(a)):
        total += int(a[i])
    return total


def doubled(a):
    total = 1
    for i in range(len(a)):
        total += total
    return total


def steps(n):
    total = 0
    for i in range(n):
        total += i % 2 * 2**40
    return total


def program_of(function: Callable[..., object], value: object) -> n.Program:
    return optimise(build(function, (describe(value, "a"),)))


def checks(program: n.Program) -> int:
    """Additions of Python integers that may overflow."""
    lets = (s for s in walk(program.body) if isinstance(s, n.Let) and s.var.type == PYINT)
    return sum(isinstance(s.value, n.Binary) and s.value.op in ("add", "sub") and s.value.checked for s in lets)


@pytest.mark.parametrize(
    ("function", "value"),
    [(pixels, PIXELS), (triangle, PIXELS), (counts, LONG), (products, SHORT), (windows, LONG), (steps, 20)],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_sums_of_small_numbers_are_not_checked(function, value):
    source = build(function, (describe(value, "a"),))
    after = optimise(source)
    assert checks(after) == 0
    assert holds(after, (value,))
    assert_same(source, after, (value,))
    assert weft.jit(function)(value) == function(value)


@pytest.mark.parametrize(
    ("function", "value"), [(wide, np.arange(5)), (doubled, np.zeros(70))], ids=["wide", "doubled"]
)
def test_other_sums_stay_checked(function, value):
    assert checks(program_of(function, value)) > 0


def test_a_total_that_may_overflow_runs_checked():
    program = program_of(steps, 5)
    assert holds(program, (2**22,))
    assert not holds(program, (2**24,))
    compiled = weft.jit(steps)
    assert compiled(2**10) == steps(2**10)
    with pytest.raises(OverflowError):
        compiled(2**24 + 2**4)


def test_the_largest_numbers_overflow_where_they_must():
    with pytest.raises(OverflowError):
        weft.jit(wide)(np.array([2**62, 2**62]))
    with pytest.raises(OverflowError):
        weft.jit(doubled)(np.zeros(70))


@pytest.mark.parametrize("n", [3, 100_000])
def test_a_part_of_a_sum_may_be_larger_than_all_of_it(n):
    values = np.zeros(2 * n, np.int64)
    values[:n] = -(2**62) // n
    values[n:] = 2**62 // n * 3
    total = weft.jit(wide)(values)
    assert total == sum(int(v) for v in values)


@pytest.mark.parametrize("n", [4, 100_000])
def test_a_sum_overflows_wherever_its_parts_do_not(n):
    values = np.full(n, 2**63 // n + 1, np.int64)
    with pytest.raises(OverflowError):
        weft.jit(wide)(values)


def mean_of_rows(a, out):
    for i in range(a.shape[0]):
        total = 0
        for j in range(a.shape[1]):
            total += int(a[i, j])
        out[i] = total // a.shape[1]


def mean_of_windows(a, out, radius):
    width = 2 * radius + 1
    for i in range(radius, len(a) - radius):
        total = 0
        for k in range(-radius, radius + 1):
            total += int(a[i + k])
        out[i] = total // width


def share_of_rows(a, out, parts):
    for i in range(a.shape[0]):
        total = 3
        for j in range(a.shape[1]):
            total -= int(a[i, j])
        out[i] = total // parts


def conversions(program: n.Program) -> int:
    """Conversions of Python integers that may not fit."""
    lets = (s for s in walk(program.body) if isinstance(s, n.Let) and isinstance(s.value, n.Cast))
    return sum(let.value.checked and let.value.operand.type == PYINT for let in lets)


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.uint16, np.int32])
def test_a_mean_fits_in_the_type_of_what_it_is_the_mean_of(kind):
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    rows, flat = RNG.integers(low, high, (5, 8), endpoint=True).astype(kind), np.array([low, high] * 9, kind)
    rows[0], rows[1] = low, high
    for function, values in ((mean_of_rows, (rows, np.zeros(5, kind))), (mean_of_windows, (flat, flat * 0, 2))):
        program = optimise(build(function, tuple(describe(v, f"v{k}") for k, v in enumerate(values))))
        assert conversions(program) == 0
        assert holds(program, values)
        expected, found = [v.copy() for v in values[:2]], [v.copy() for v in values[:2]]
        function(*expected, *values[2:])
        weft.jit(function)(*found, *values[2:])
        np.testing.assert_array_equal(found[1], expected[1])


@pytest.mark.parametrize("parts", [1, 2, 3, 7, 200])
@pytest.mark.parametrize("value", [0, 1, 50, -128, 127])
def test_a_quotient_that_does_not_fit_raises_as_in_python(parts, value):
    a = np.full((4, 6), value, np.int8)
    expected, found = np.zeros(4, np.int8), np.zeros(4, np.int8)
    raised = []
    for function, out in ((share_of_rows, expected), (weft.jit(share_of_rows), found)):
        try:
            function(a, out, parts)
        except OverflowError:
            raised.append(function)
    assert len(raised) in (0, 2)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("parts", [0, -1, -3])
def test_divisors_that_are_not_positive_are_right_too(parts):
    a = np.ones((4, 6), np.int8)
    expected, found = np.zeros(4, np.int8), np.zeros(4, np.int8)
    if parts == 0:
        with pytest.raises(ZeroDivisionError):
            weft.jit(share_of_rows)(a, found, parts)
        return
    share_of_rows(a, expected, parts)
    weft.jit(share_of_rows)(a, found, parts)
    np.testing.assert_array_equal(found, expected)


def empty_and_full(a, out, n):
    total = 0
    for i in range(len(a)):
        for _ in range(n):
            total -= 120
        for _ in range(len(a)):
            total += int(a[i])
    for i in range(len(out)):
        out[i] = 1
    out[0] = total


def test_a_loop_that_does_not_run_makes_no_room_for_another():
    a, out = np.full(2, 60, np.uint8), np.zeros(1, np.uint8)
    weft.jit(empty_and_full)(a, out, 0)
    assert out[0] == 240
    with pytest.raises(OverflowError):
        weft.jit(empty_and_full)(np.full(3, 60, np.uint8), out, -5)


def small_inside(n):
    total = 0
    for i in range(n):
        total += i % 2 * 2**40
        for j in range(n % 5):
            total += j % 2
    return total


def small_inside_first(n):
    total = 0
    for i in range(n):
        for j in range(n % 5):
            total += j % 2
        total += i % 2 * 2**40
    return total


def large_inside(n):
    total = 0
    for i in range(n):
        total += i % 2
        for j in range(1 + n % 2):
            total += j % 2 * 2**40 + 2**40
    return total


@pytest.mark.parametrize("function", [small_inside, small_inside_first, large_inside])
def test_all_that_a_total_grows_by_counts(function):
    program = program_of(function, 5)
    assert checks(program) == 0
    assert holds(program, (2**10,))
    assert not holds(program, (2**24,))
    assert weft.jit(function)(2**8) == function(2**8)
