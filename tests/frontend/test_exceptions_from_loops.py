"""An exception that leaves loops takes the numbers of its text along."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def elements_are_set(a, b, n):
    k = 0
    try:
        for i in range(n):
            a[i] = b[i] + 1
            k += 1
    finally:
        a[0] = -1.0
    return k


def in_two_loops(a, b, n):
    try:
        for i in range(n):
            for j in range(i):
                a[i] += b[j + i]
    except IndexError as e:
        print(e)
        return 1
    return 0


def counted_by_hand(a, b, n):
    try:
        i = 0
        while i < n:
            if i == 7:
                raise ValueError(f"bad {i} of {n}")
            a[i] = b[i]
            i += 1
    except IndexError:
        a[0] = 5.0
        raise
    return i


def in_a_loop_of_its_own(a, b, n):
    s = 0.0
    for k in range(3):
        try:
            for i in range(n):
                s += a[i + k]
                if s > 9:
                    raise ValueError(s)
            for i in range(n):
                s += b[i + k]
        except IndexError as e:
            print(k, e)
        finally:
            b[0] += 1
    return s


def negative(a, i):
    for j in range(3):
        if a[i + j] < 0:
            raise ValueError(f"neg {i} {j}")
    return a[i]


def raised_by_a_helper(a, b, n):
    s = 0.0
    try:
        for i in range(n):
            s += negative(a, i)
    except (ValueError, IndexError) as e:
        print("got", e)
        s = -1.0
    finally:
        b[0] = s
    return s


def finally_in_a_loop(a, b, n):
    try:
        for i in range(n):
            try:
                for j in range(2):
                    a[i + j] += 1
            finally:
                b[0] += 1
        else:
            b[0] += 100
    except IndexError as e:
        print(e)
        return 3
    return 4


PROGRAMS = [
    elements_are_set,
    in_two_loops,
    counted_by_hand,
    in_a_loop_of_its_own,
    raised_by_a_helper,
    finally_in_a_loop,
]
SIZES = [(9, 9, 4), (3, 9, 4), (9, 3, 4), (9, 9, 12), (1, 1, 1), (12, 12, 8), (0, 0, 0)]


def outcome(function, arguments, capsys):
    given = copy.deepcopy(arguments)
    try:
        result = function(*given)
    except Exception as error:
        result = type(error), str(error).splitlines()[0]
    return result, given, capsys.readouterr().out


@pytest.mark.parametrize("device", ["cpu", "interpreter"])
@pytest.mark.parametrize("function", PROGRAMS)
def test_text_and_state_are_pythons(function, device, capsys):
    compiled = weft.jit(function, device=device)
    for first, second, count in SIZES:
        for sign in (1.0, -1.0):
            arguments = np.arange(first) * sign, np.ones(second), count
            expected = outcome(function, arguments, capsys)
            np.testing.assert_equal(outcome(compiled, arguments, capsys), expected)


def test_a_loop_that_does_not_fail_is_parallel():
    program = optimise(program_of(elements_are_set, np.ones(9), np.ones(9), 4), verify=True)
    assert [s.mapping for s in walk(program.body) if isinstance(s, n.For)] == ["parallel"]
