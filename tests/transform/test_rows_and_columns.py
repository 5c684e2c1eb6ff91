"""Flattened loops whose trips are no multiple of the divisor: for all sizes what CPython gives, by as many vectors."""

import copy

import numpy as np
import pytest

import weft
from weft.ir import nodes as n
from weft.ir.visit import walk


def by_parameter(u, v, size, m, start):
    for k in range(size):
        v[k] = u[k // m] * 2 + u[k % m] + k


def from_inside_of_a_row(u, v, size, m, start):
    for k in range(start, size):
        v[k] = u[k // m] - u[k % m]


def counted_from_one(u, v, size, m, start):
    for k in range(1, size + 1):
        v[k - 1] = u[(k - 1) // m] + u[(k - 1) % m]


def by_a_constant(u, v, size, m, start):
    for k in range(start, size):
        v[k] = u[k // 7] * 3 + u[k % 7]


def by_shift_and_mask(u, v, size, m, start):
    for k in range(start, size):
        v[k] = u[k >> 3] * 3 + u[7 & k]


def by_several_shifts(u, v, size, m, start):
    for k in range(start, size):
        v[k] = u[k >> 3] * 3 + u[k & 7] + (k & 15) + (k >> 1) - (k >> 5)


def three_counters(u, v, size, m, start):
    for k in range(size):
        v[k] = u[k // (3 * m)] + u[k // m % 3] * u[k % m]


def remainders_again(u, v, size, m, start):
    for k in range(size):
        rest = k % (m * 5)
        v[k] = u[k // (m * 5)] + u[rest // m] * 10 + u[rest % m]


def sums_of_rows(u, v, size, m, start):
    for k in range(size):
        v[k // 5] += u[k]


def bits_of_words(u, v, size, m, start):
    for k in range(size):
        v[k >> 4] |= (u[k] & 1) << (k & 15)


def halves(u, v, size, m, start):
    for k in range(size // 2):
        left = k // m * (2 * m) + k % m
        a, b = v[left], v[left + m]
        v[left], v[left + m] = a + b, a - b


def stages(u, v, size, m, start):
    for stage in range(4):
        half = 1 << stage
        for k in range(size // 2):
            left = k // half * (2 * half) + k % half
            a, b = v[left], v[left + half]
            v[left], v[left + half] = a + b, a - b


def total(u, v, size, m, start):
    s = 0
    for k in range(size):
        s += u[k] * u[k % 9]
    return s


def last_seen(u, v, size, m, start):
    last, most = -1, 0
    for k in range(start, size):
        if u[k // 3] > most:
            last, most = k, u[k // 3] + u[k % 3] % 2
        v[k] = most
    return last, most


def stops_at_zero(u, v, size, m, start):
    for k in range(size):
        v[k] = 1000 // (int(u[k // m]) - int(u[k % m]))


def claimed(u, v, size, m, start):
    for k in weft.prange(start, size):
        v[k] = u[k // 7] * 3 + u[k % 7]


FUNCTIONS = [
    by_parameter, from_inside_of_a_row, counted_from_one, by_a_constant, by_shift_and_mask, by_several_shifts,
    three_counters, remainders_again, sums_of_rows, bits_of_words, halves, stages, total, last_seen, stops_at_zero,
    claimed,
]  # fmt: skip
SIZES = [-3, 0, 1, 2, 7, 8, 31, 32, 33, 97]
DIVISORS = [-2, 0, 1, 2, 3, 8, 32, 50]


def outcome(function, arguments):
    given = copy.deepcopy(arguments)
    try:
        result = function(*given)
    except (ZeroDivisionError, IndexError, ValueError) as error:
        result = type(error).__name__, str(error)
    return result, given[1].tolist()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_answers_are_cpythons(function, size):
    compiled = weft.jit(function)
    for m in DIVISORS:
        for start in (0, 1, 5, 40):
            for room in (128, 33):
                arguments = [np.random.default_rng(5).integers(0, 100, room), np.arange(room) % 3, size, m, start]
                if function is claimed and room < 128:
                    continue
                assert outcome(compiled, arguments) == outcome(function, arguments), (m, start, room)


@pytest.mark.parametrize("start", [-9, -1])
def test_rows_below_zero(start):
    arguments = [np.arange(40), np.zeros(40, int), 20, 4, start]
    for function in (from_inside_of_a_row, by_a_constant, by_shift_and_mask, last_seen):
        assert outcome(weft.jit(function), arguments) == outcome(function, arguments)


@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8", "int32", "complex128"])
@pytest.mark.parametrize("threads", [1, 3])
def test_elements_of_any_type(dtype, threads, request):
    request.addfinalizer(lambda count=weft.get_num_threads(): weft.set_num_threads(count))
    weft.set_num_threads(threads)

    def scaled(u, v, m):
        for k in range(len(v)):
            v[k] = u[k // m] * u[k % 6]

    compiled = weft.jit(scaled)
    for size in (0, 1, 5, 6, 997):
        u = np.arange(1000).astype(dtype)
        expected, found = np.zeros(size, dtype), np.zeros(size, dtype)
        with np.errstate(all="ignore"):
            scaled(u, expected, 10)
        compiled(u, found, 10)
        np.testing.assert_array_equal(found, expected)


def test_one_array_for_both():
    def onwards(u, v, m):
        for k in range(len(v) - 1):
            v[k + 1] = u[k // m] + u[k % m]

    for m in (1, 2, 3, 10):
        expected, found = np.arange(50), np.arange(50)
        onwards(expected, expected, m)
        weft.jit(onwards)(found, found, m)
        np.testing.assert_array_equal(found, expected)


PLACED = [by_parameter, from_inside_of_a_row, by_a_constant, by_shift_and_mask, sums_of_rows, bits_of_words, halves]


@pytest.mark.parametrize("function", PLACED, ids=lambda f: f.__name__)
def test_no_division_is_left_inside(function):
    arguments = [np.arange(128), np.zeros(128, int), 97, 3, 1]
    compiled = weft.jit(function)
    compiled(*arguments)
    program = compiled.specialise(*arguments).program()
    loops = [s for s in walk(program.body) if isinstance(s, n.For) and s.mapping == "parallel"]
    innermost = [loop for loop in loops if not any(isinstance(s, n.For) for s in walk(loop.body))]
    assert innermost
    values = [s.value for loop in innermost for s in walk(loop.body) if isinstance(s, n.Let)]
    assert not [v for v in values if isinstance(v, n.Binary) and v.op in ("floordiv", "mod")]


def test_loops_over_time_stay():
    def back_and_forth(u, v, steps):
        for t in range(steps):
            if t % 2 == 0:
                for i in range(1, len(u) - 1):
                    v[i] = u[i - 1] + u[i + 1]
            else:
                for i in range(1, len(u) - 1):
                    u[i] = v[i - 1] + v[i + 1]

    program = weft.jit(back_and_forth).specialise(np.zeros(9), np.zeros(9), 5).program()
    assert any(isinstance(s, n.For) and s.label == "t" for s in program.body.statements)
    for steps in range(5):
        expected, found = [np.arange(9.0), np.zeros(9)], [np.arange(9.0), np.zeros(9)]
        back_and_forth(*expected, steps)
        weft.jit(back_and_forth)(*found, steps)
        np.testing.assert_array_equal(found, expected)
