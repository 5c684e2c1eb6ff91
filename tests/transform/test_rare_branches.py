"""A ``try`` that catches nothing costs nothing; where something is caught, all is as in CPython."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.transform.programs import loops
from weft.ir import nodes as n
from weft.ir.forms.json_form import from_json, to_json
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def around_the_loop(o, a, b):
    try:
        for i in range(a.shape[0]):
            o[i] = a[i] * 2.0 + b[i]
    except IndexError:
        return -1
    return 0


def inside_the_loop(o, a, b):
    bad = 0
    for i in range(len(a)):
        try:
            o[i] = a[i] * 2.0 + b[i]
        except IndexError:
            bad += 1
    return bad


def left_from_the_handler(o, a, b):
    for i in range(len(a)):
        try:
            o[i] = a[i] * 2.0 + b[i]
        except IndexError:
            return i
    return -1


def one_sum(o, a, b):
    s = 0.0
    try:
        for i in range(len(a)):
            s += a[i] * b[i]
    except IndexError:
        return -1.0
    else:
        s += 1.0
    return s


def with_else_and_finally(o, a, b):
    k = 0
    for i in range(len(a)):
        try:
            o[i] = b[i]
        except IndexError:
            k += 100
        else:
            k += 1
        finally:
            k += 10000
    return k


def counted_backwards(o, a, b):
    bad = 0
    for i in range(len(a)):
        try:
            o[-i - 1] = a[-i - 1] + b[len(a) - 1 - i]
        except IndexError:
            bad += i
    return bad


def in_a_helper(o, a, b):
    def part(i):
        return a[i] - b[i]

    try:
        for i in range(len(a)):
            o[i] = part(i)
    except IndexError:
        return 1
    return 0


PROGRAMS = [
    around_the_loop, inside_the_loop, left_from_the_handler, one_sum, with_else_and_finally, counted_backwards,
    in_a_helper,
]  # fmt: skip


def up_to_a_number(o, a, m, lo):
    bad = 0
    for i in range(lo, m):
        try:
            o[i] = a[i] + a[i - 1]
        except IndexError:
            bad += 1
    return bad


def a_divisor(o, a, m, lo):
    bad = 0
    for i in range(len(a)):
        try:
            o[i] = float(a[i]) / m
        except ZeroDivisionError:
            bad += 1
            o[i] = lo
    return bad


def rows_of_three(o, a, m, lo):
    bad = 0
    for i in range(m):
        for j in range(lo, 2):
            try:
                o[3 * i + j] += a[i]
            except IndexError:
                bad += 1
    return bad


OF_NUMBERS = [up_to_a_number, a_divisor, rows_of_three]


def optimised(function, *arguments):
    return optimise(program_of(function, *arguments), verify=True)


def assert_same_as_python(function, *arguments):
    expected, found = copy.deepcopy(arguments), copy.deepcopy(arguments)
    result = function(*expected)
    np.testing.assert_equal(weft.jit(function)(*found), result)
    np.testing.assert_equal(found, expected)


@pytest.mark.parametrize("function", PROGRAMS)
def test_the_loop_is_parallel_and_has_no_branch(function):
    program = optimised(function, np.ones(8), np.ones(8), np.ones(8))
    assert [loop.mapping for loop in loops(program).values()] == ["parallel"]
    assert not any(isinstance(statement, n.If) for statement in walk(program.body))


@pytest.mark.parametrize("function", OF_NUMBERS)
def test_conditions_of_numbers_are_assumed(function):
    program = optimised(function, np.ones(8), np.ones(8), 4, 1)
    assert not any(isinstance(statement, n.If) and statement.rare for statement in walk(program.body))


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize("sizes", [(0, 0, 0), (1, 1, 1), (7, 7, 7), (3, 7, 7), (7, 7, 3), (7, 3, 7), (0, 5, 1)])
def test_results_are_pythons(function, sizes):
    rng = np.random.default_rng(5)
    assert_same_as_python(function, *(rng.integers(-9, 9, size).astype(float) for size in sizes))


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize("short", [0, 1, 2])
def test_long_arrays_of_which_one_ends_early(function, short):
    sizes = [40000, 40000, 40000]
    sizes[short] = 39001
    arrays = (np.arange(size, dtype=float) for size in sizes)
    before = weft.get_num_threads()
    weft.set_num_threads(3)
    try:
        assert_same_as_python(function, *arrays)
    finally:
        weft.set_num_threads(before)


@pytest.mark.parametrize("function", PROGRAMS)
def test_one_array_for_all(function):
    a = np.arange(9.0)
    expected = a.copy()
    result = function(expected, expected, expected)
    found = a.copy()
    np.testing.assert_equal(weft.jit(function)(found, found, found), result)
    np.testing.assert_equal(found, expected)


@pytest.mark.parametrize("function", OF_NUMBERS)
@pytest.mark.parametrize("numbers", [(8, 0), (8, 1), (9, 1), (0, 0), (-3, 2), (4, -9), (20, -20), (8, 8)])
def test_numbers_for_which_something_is_caught(function, numbers):
    assert_same_as_python(function, np.zeros(8), np.arange(8.0), *numbers)


def test_after_a_call_that_caught_something_others_are_as_before():
    compiled = weft.jit(around_the_loop)
    for size in (5, 3, 5, 0, 5):
        o, expected = np.zeros(5), np.zeros(5)
        a, b = np.ones(5), np.ones(size)
        assert compiled(o, a, b) == around_the_loop(expected, a, b)
        np.testing.assert_equal(o, expected)


def gathered(a, index, o):
    bad = 0
    for i in range(len(index)):
        try:
            o[i] = a[index[i]]
        except IndexError:
            bad += 1
            o[i] = -1.0
    return bad


@pytest.mark.parametrize("size", [0, 1, 3, 6])
def test_indices_from_an_array_are_tested_once(size):
    index = np.array([0, 5, -1, 2, -6, 7, -7, 3, 1], np.int64)
    assert_same_as_python(gathered, np.arange(10.0, 10.0 + size), index, np.zeros(9))
    program = optimised(gathered, np.ones(6), index, np.ones(9))
    accesses = [s.value for s in walk(program.body) if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
    assert {access.bounds for access in accesses} == {"safe"}
    assert [loop.mapping for loop in loops(program).values()] == ["parallel"]


def inside_by_its_own_test(a, index):
    s = 0.0
    for i in range(len(index)):
        k = index[i]
        if k >= -len(a) and k < len(a):
            s += a[k]
    return s


def test_an_index_that_the_program_tested_itself():
    index = np.array([0, 5, -1, 2, -6, 7, -7, 3, 1], np.int64)
    for size in (0, 1, 3, 6):
        assert_same_as_python(inside_by_its_own_test, np.arange(10.0, 10.0 + size), index)


def raised_by_the_user(a, m):
    for i in range(len(a)):
        try:
            if i >= m:
                raise IndexError
        except IndexError:
            a[i] = 1.0


def test_what_the_user_raises_is_not_rare():
    program = program_of(raised_by_the_user, np.ones(4), 2)
    assert not any(isinstance(statement, n.If) and statement.rare for statement in walk(program.body))
    assert_same_as_python(raised_by_the_user, np.ones(9), 5)


def test_the_mark_is_written_and_read():
    program = program_of(gathered, np.ones(3), np.ones(3, np.int64), np.ones(3))
    assert " rare {" in to_text(program)
    assert to_text(parse(to_text(program))) == to_text(program)
    assert from_json(to_json(program)) == program
