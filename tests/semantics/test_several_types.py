"""Semantics, "One value, several types": a value that is Python's number or NumPy's gives CPython's results."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weft
from tests.frontend.compare import rebuild
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir.reference.interpreter import run

from .several_types import Case, arguments, chains, copied, judge, outcome, sample
from .tools import every_device

CALLS = 5
MOST_REFUSED = 0.2


def interpreted(case: Case, given: tuple[Any, ...]) -> Callable[..., Any] | None:
    """The program translated and interpreted; None where it is refused."""
    try:
        program = build(case.function(), [describe(value) for value in copied(given)])
    except weft.InternalError:
        raise
    except weft.Error:
        return None
    return lambda *values: rebuild(program.returns, list(run(program, list(values))), program)


def verdicts(case: Case, function: Callable[..., Any]) -> list[str]:
    """How calls with values at the edges end."""
    draw, found = random.Random(1), []
    for _ in range(CALLS):
        given = arguments(case, draw)
        want, got = outcome(case.function(), given), outcome(function, given)
        found.append(judge(want, got))
        assert found[-1] != "wrong", f"{case.source}{case}\n{given}\nwanted {want!r}, got {got!r}"
    return found


@pytest.mark.parametrize("seed", range(5))
def test_every_meeting_and_every_operation(seed):
    found: Counter[str] = Counter()
    for case in sample(110, seed):
        function = interpreted(case, arguments(case, random.Random(1)))
        if function is not None:
            found.update(verdicts(case, function))
    assert found["same"] > 100
    assert found["refused"] < MOST_REFUSED * found.total()


@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_raised_for_a_type_that_the_value_has_not(seed):
    found: Counter[str] = Counter()
    for case in chains(80, seed):
        function = interpreted(case, arguments(case, random.Random(1)))
        if function is not None:
            found.update(verdicts(case, function))
    assert found["same"] > 100


@every_device
def test_generated_code_agrees(device):
    done = 0
    for case in sample(60 if device == "cpu" else 30, 99):
        if interpreted(case, arguments(case, random.Random(1))) is not None and "16" not in case.dtype + case.other:
            verdicts(case, weft.jit(case.function(), device=device))
            done += 1
    assert done > 3


def same(function: Callable[..., Any], *given: Any) -> None:
    assert judge(outcome(function, given), outcome(weft.jit(function, device="cpu"), given)) == "same"


# ------------------------------------------------------------------------------------- what must not be refused


def negated_sum(a):
    s = 0
    for i in range(a.shape[0]):
        s += a[i]
    return -s


@pytest.mark.parametrize("size", [0, 2])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8"])
def test_a_sum_of_nothing_is_a_positive_zero(size, dtype):
    same(negated_sum, np.zeros(size, dtype))


def wrapping_hash(a, seed):
    h = seed
    for i in range(a.shape[0]):
        h = (h * 16777619) ^ a[i]
    return h


@pytest.mark.parametrize("seed", [0, 5, 2**40])
def test_numpy_integers_wrap_from_the_second_iteration_on(seed):
    same(wrapping_hash, np.arange(40) + 2**60, seed)
    with pytest.raises((OverflowError, weft.Error)):
        weft.jit(wrapping_hash)(np.arange(4), 2**62)


def scaled_total(a, m):
    s = 0
    for i in range(a.shape[0]):
        s += a[i]
    return (s + m) * 4


def test_a_total_wraps_where_the_loop_ran_and_overflows_where_it_did_not():
    same(scaled_total, np.array([2**62, 5]), 2**61)
    same(scaled_total, np.zeros(0, np.int64), 2**40)
    with pytest.raises(OverflowError):
        weft.jit(scaled_total)(np.zeros(0, np.int64), 2**62)


def clamped(a, out):
    for i in range(a.shape[0]):
        out[i] = max(0, min(a[i], 255))


def test_clamping_has_no_checks():
    same(clamped, np.array([-5, 300, 7]), np.zeros(3, np.uint8))
    program = build(clamped, [describe(np.zeros(3, np.int64)), describe(np.zeros(3, np.uint8))])
    assert "Raise" not in repr(program.body)


def bright(a, out):
    for i in range(a.shape[0]):
        out[i] = max(0.0, a[i]) * np.float32(0.5) + a[i]


def test_a_rectified_element_has_no_checks():
    same(bright, np.array([-5, 3, 7], np.float32), np.zeros(3, np.float32))
    program = build(bright, [describe(np.zeros(3, np.float32))] * 2)
    assert "Raise" not in repr(program.body)


# ------------------------------------------------------------------------------------- what must be refused


def inverted(a):
    s = 0
    for i in range(a.shape[0]):
        s += a[i]
    return ~s


def inverted_after_the_remedy(a):
    s = 0
    for i in range(a.shape[0]):
        s += a[i]
    return ~np.uint8(s)


def test_the_remedy_is_right():
    with pytest.raises(weft.TypeInferenceError, match=r"np\.uint8\(s\)"):
        weft.jit(inverted)(np.zeros(0, np.uint8))
    same(inverted_after_the_remedy, np.zeros(0, np.uint8))
    same(inverted_after_the_remedy, np.ones(3, np.uint8))


def largest(a, n):
    return max(a[0], n) * 4


def largest_of_numpy(a, n):
    return np.int64(max(a[0], n)) * 4


def test_what_may_be_pythons_does_not_wrap():
    with pytest.raises(OverflowError):
        weft.jit(largest)(np.array([1]), 2**62)
    same(largest, np.array([1]), 7)
    same(largest_of_numpy, np.array([1]), 2**62)


def last_of_the_large(a, m):
    last = 0
    for i in range(a.shape[0]):
        if a[i] > 100:
            last = a[i]
    return last - m


def test_a_value_under_a_guard():
    small = np.array([5, 7], np.uint8)
    with pytest.raises(weft.TypeInferenceError, match=r"'last' may be int or np\.uint8"):
        weft.jit(last_of_the_large)(small, 3)
    same(last_of_the_large, np.array([101, 7], np.uint8), 3)


@pytest.mark.parametrize("text", ["x.dtype == np.uint8", "np.full(3, x)[0]", "np.array((x,))[0]"])
def test_what_shows_the_type_is_refused(text):
    case = Case("sum", "0", "uint8", f"return {text}", "int64")
    with pytest.raises(weft.TypeInferenceError, match="different results"):
        weft.jit(case.function())(*arguments(case, random.Random(1)))


def test_isinstance_tells_the_types_of_a_number_apart():
    case = Case("sum", "0", "uint8", "return isinstance(x, int)", "int64")
    function, given = case.function(), arguments(case, random.Random(1))
    compiled = weft.jit(function)
    for array in (given[0], given[0][:0]):
        assert compiled(array, *given[1:]) is function(array, *given[1:])


def smallest_and_truth(x, y):
    return min(x, y), max(x, y)


def test_minimum_of_an_integer_and_a_truth_has_its_value():
    for given in ((1, False), (0, True), (5, True), (True, True)):
        assert weft.jit(smallest_and_truth)(*given) == smallest_and_truth(*given)


def test_powers_of_what_may_be_negative():
    def power(a, m):
        b = 5
        if a[0] > 100:
            b = a[1]
        t = 1
        for _ in range(m):
            t = t * b
        return float(t)

    with pytest.raises(OverflowError):
        weft.jit(power)(np.array([-5, 3]), 40)
    assert weft.jit(power)(np.array([-5, 3]), 10) == math.pow(5, 10)


def one_of_three(a, c, m):
    x = 0
    if c == 2:
        x = a[0]
    if c == 1:
        x = 200
    return x + m


def test_two_python_numbers_are_both_looked_at():
    a = np.array([7], np.uint8)
    for c, m in ((0, 5), (1, 5), (2, 5), (0, 255)):
        same(one_of_three, a, c, m)
    with pytest.raises(weft.Error):
        weft.jit(one_of_three)(a, 1, 100)


def stored(a, n, out):
    out[0] = max(a[0], n)


def test_what_may_be_pythons_is_stored_as_pythons():
    with pytest.raises(OverflowError):
        weft.jit(stored)(np.array([1]), 300, np.zeros(1, np.uint8))
    same(stored, np.array([1]), 200, np.zeros(1, np.uint8))


def python_from_the_second_iteration_on(a, k, m):
    x = a[0]
    t = 0
    for _ in range(k):
        t = x - m
        x = 0
    return int(t)


def test_what_an_iteration_leaves_is_looked_at():
    a = np.array([7], np.uint8)
    same(python_from_the_second_iteration_on, a, 1, 5)
    with pytest.raises(weft.Error):
        weft.jit(python_from_the_second_iteration_on)(a, 2, 3)


# ------------------------------------------------------------------------------------- two loops, zeros and wide types


def negated_after_two_loops(a, b, k):
    s = 0
    for i in range(a.shape[0]):
        s += a[i]
    while k > 0:
        k -= 1
        s = b[k]
    return -s


def negated_sum_of_two(a, b, k):
    s = 0
    for i in range(a.shape[0]):
        s += a[i]
    t = 0
    while k > 0:
        k -= 1
        t = b[k]
    return -(s + t)


@pytest.mark.parametrize("function", [negated_after_two_loops, negated_sum_of_two])
@pytest.mark.parametrize("dtype", ["int64", "float32", "float64"])
def test_one_of_two_loops_runs(function, dtype):
    for size, k in ((0, 2), (2, 0), (2, 2)):
        same(function, np.ones(size, dtype), np.ones(2, dtype), k)


def negated_last(a, b, k):
    x = 0.0
    for i in range(k):
        x = a[i]
    return -x * b[0]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_zero_that_an_integer_type_holds_keeps_its_sign(dtype):
    a, b = np.array([3, -4], np.int8), np.array([2.5], dtype)
    same(negated_last, a, b, 2)
    assert judge(outcome(negated_last, (a, b, 0)), outcome(weft.jit(negated_last, device="cpu"), (a, b, 0))) != "wrong"


def equal_to_another(a, b, k):
    x = 0.1
    for i in range(k):
        x = a[i]
    return x == b[0], x < b[0]


def test_a_rounded_float_is_not_compared_in_a_wider_type():
    a, b = np.array([0.1], np.float16), np.array([0.1], np.float32)
    same(equal_to_another, a, b, 1)
    with pytest.raises(weft.TypeInferenceError):
        weft.jit(equal_to_another)(a, b, 0)


def ordered(a, k):
    x = 1j
    for i in range(k):
        x = a[i]
    return x >= -1


def test_pythons_complex_numbers_have_no_order():
    a = np.array([2 + 1j], np.complex64)
    same(ordered, a, 1)
    with pytest.raises(weft.TypeInferenceError):
        weft.jit(ordered)(a, 0)


def floors(a):
    return math.floor(a[0]), math.ceil(a[0])


@pytest.mark.parametrize("value", [5, -7, 2**53 + 1, 2**60 + 1])
def test_floors_of_wide_integers_go_through_floats(value):
    same(floors, np.array([value]))
    same(floors, np.array([abs(value)], np.uint64))


def test_a_floor_beyond_64_bits_is_an_error():
    with pytest.raises(OverflowError):
        weft.jit(floors)(np.array([2**63 - 1]))


def extremes_of_constants(a):
    return a[0] + min(1e-6, np.sqrt(0.5)), a[0] + max(2, np.float64(0.1)), a[0] + max(np.float32(0.1), 0.1)


def test_an_extreme_of_constants_has_the_type_of_the_one_that_it_is():
    same(extremes_of_constants, np.array([0.3], np.float32))


def zero_by_zero(a):
    s = 0
    t = 0
    return s / t if a[0] > 0 else a[1]


def test_a_quotient_of_zeros_raises_where_it_is_computed():
    same(zero_by_zero, np.array([0.0, 2.5]))
    with pytest.raises(ZeroDivisionError):
        weft.jit(zero_by_zero)(np.array([1.0, 2.5]))


def python_again_in_each_iteration(a, n, k):
    u = a[0]
    for i in range(n):
        u = 0.1
        for j in range(k):
            u = a[j]
    return u * 3.0


def test_loops_that_leave_pythons_numbers():
    a = np.array([0.3, 0.7], np.float32)
    for n, k in ((0, 0), (0, 2), (2, 2)):
        same(python_again_in_each_iteration, a, n, k)
    with pytest.raises(weft.TypeInferenceError):
        weft.jit(python_again_in_each_iteration)(a, 2, 0)
