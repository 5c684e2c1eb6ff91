"""Lists that are arguments, beside CPython: results, exceptions, and what the caller's lists hold afterwards."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest

import weft

DEVICES = ["cpu", "interpreter", pytest.param("opencl", marks=pytest.mark.opencl)]
RAISED = (ArithmeticError, LookupError, ValueError)


def same(function, *args, device="cpu"):
    """Compiled code returns or raises what Python does, and leaves the same in the arguments, types included."""
    wanted, got = copy.deepcopy(args), copy.deepcopy(args)
    expected = outcome(function, wanted)
    assert outcome(weft.jit(function, device=device), got) == expected
    assert repr(got) == repr(wanted)
    return expected


def outcome(function, args):
    try:
        return repr(function(*args))
    except RAISED as error:
        return f"{type(error).__name__}: {error}"


def scaled(t, k):
    for i in range(len(t)):
        t[i] = t[i] * k
    return sum(t), t


NUMBERS = [
    [],
    [1],
    [1, 2, 3],
    [1.5, -0.0, math.inf],
    [math.nan, 0.1],
    [2 + 1j, -1j],
    [np.float32(1.5), np.float32(2)],
    [np.int8(3), np.int8(-4)],
    [float(k) for k in range(97)],
]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("numbers", NUMBERS, ids=str)
def test_numbers(numbers, device):
    same(scaled, numbers, 3, device=device)


def test_bools():
    def f(t):
        for i in range(len(t)):
            t[i] = not t[i]
        return any(t), all(t)

    same(f, [True, False, True])


def test_elements_that_stay_are_the_same_objects():
    numbers = [math.nan, 2.5 * len(DEVICES)]
    first, second = numbers
    weft.jit(scaled)(numbers, 1.0)
    assert numbers[0] is first
    assert numbers[1] is second


def divided(t, n):
    for i in range(n):
        t[i] = t[i] / (3 - t[i])
    return t[0]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 9])
def test_exceptions_in_the_middle(n, device):
    same(divided, [1.0, 2.0, 3.0, 4.0], n, device=device)
    same(divided, [1.0, 2.0], n, device=device)
    same(divided, [], n, device=device)


def test_exceptions_that_are_caught():
    def f(t, n):
        try:
            for i in range(n):
                t[i] += 1
        except IndexError:
            return -1
        return t[-1]

    same(f, [1, 2, 3], 3)
    same(f, [1, 2, 3], 5)


def test_exceptions_on_threads():
    def f(t, n):
        for i in range(n):
            t[i] = 1.0 / (t[i] - 40000.0)

    numbers = [float(k) for k in range(50000)]
    assert "ZeroDivisionError" in same(f, numbers, 50000)


def test_one_list_under_two_names():
    def f(t, u):
        for i in range(1, len(t)):
            t[i] += u[i - 1]
        return u[-1]

    wanted, got = [1, 2, 3, 4], [1, 2, 3, 4]
    assert weft.jit(f)(got, got) == f(wanted, wanted)
    assert got == wanted
    same(f, [1, 2, 3], [4, 5, 6])


def test_tuples_of_numbers():
    def f(points, n):
        total = 0.0
        for x, y in points:
            total += x * y
        for i in range(n):
            points[i] = (points[i][0] + 1, points[i][1] / 2)
        points[0], points[-1] = points[-1], points[0]
        return total, len(points), points[0]

    same(f, [(1, 2.0), (3, 4.0), (5, -0.0)], 2)
    same(f, [(1, 2.0)], 2)


def test_what_python_does_with_lists():
    def f(t):
        u = sorted(t)
        v = t[1:]
        v.append(7)
        t.sort()
        t.reverse()
        w = t + [1]
        return u, v, w, list(t), 3 in t, t.index(2), t.count(2), t == [3, 2, 1], t[-1], t[::-1], [k * k for k in t]

    same(f, [3, 1, 2])
    same(lambda t: (max(t), min(t), sum(t) / len(t), t * 2), [3.0, -1.0])
    same(lambda t: max(t), [])
    same(lambda t: (isinstance(t, list), isinstance(t, tuple), type(t) is list, bool(t)), [1])
    same(lambda t: [a + b for a, b in zip(t, t[1:])], [1, 2, 4])
    same(lambda t: (np.mean(t), np.dot(t, t), np.array(t)), [1.0, 2.0])
    same(lambda t, a: a + t, [1.0, 2.0], np.ones(2))


def test_swaps_and_sorts_of_pairs():
    def f(t):
        t.sort()
        t[0], t[-1] = t[-1], t[0]

    same(f, [(2, 1), (1, 5), (1, 3)])
    same(f, [3, 1, 2])
    same(f, [])


def test_empty_lists_take_what_is_assigned():
    def f(t, x):
        for i in range(len(t)):
            t[i] = x
        return len(t)

    same(f, [], 1.5)
    same(f, [2.0], 1.5)

    def g(t):
        t[0] = 1.5

    same(g, [])


def test_lists_in_tuples_and_among_many_arguments():
    def f(pair, *lists):
        total = pair[0][1] + pair[1]
        for t in lists:
            t[0] += total
            total += len(t)
        return total

    numbers = [1, 2, 3]
    again = [1, 2, 3]
    assert weft.jit(f)((numbers, 2), numbers, [1.5]) == f((again, 2), again, [1.5])
    assert numbers == again


def test_several_types_compile_once_each():
    function = weft.jit(scaled)
    for numbers in ([1.0], [1.0, 2.0], [1.0] * 100):
        function(numbers, 2)
    assert len(function.specialisations) == 1


@pytest.mark.parametrize("device", DEVICES)
def test_lists_of_arrays(device):
    def f(arrays):
        total = 0.0
        for a in arrays:
            total += a.sum()
            a[0] = 9
        for k, a in enumerate(arrays):
            a[-1] = k
        first, second = arrays
        return total, len(arrays), arrays[1][0] + first[1] - second[0], np.concatenate(arrays)

    same(f, [np.arange(3.0), np.arange(4.0)], device=device)


@pytest.mark.parametrize(
    "f",
    [
        lambda arrays: arrays,
        lambda arrays: (arrays, 1),
        lambda arrays: arrays[1:],
        lambda arrays: arrays + arrays,
        lambda arrays: arrays * 2,
        lambda arrays: arrays == arrays,
        lambda arrays: arrays.append(arrays[0]),
        lambda arrays: print(arrays),
    ],
)
def test_what_lists_of_arrays_are_not_for(f):
    with pytest.raises(weft.Error):
        weft.jit(f)([np.arange(3.0), np.arange(4.0)])


def test_a_list_of_arrays_is_a_list():
    same(lambda t: (isinstance(t, list), isinstance(t, tuple), type(t) is list), [np.ones(2)])


@pytest.mark.parametrize("change", ["append", "extend", "insert", "pop", "clear", "remove"])
def test_the_length_stays(change):
    calls = {
        "append": lambda t: t.append(1),
        "extend": lambda t: t.extend([1]),
        "insert": lambda t: t.insert(0, 1),
        "pop": lambda t: t.pop(),
        "clear": lambda t: t.clear(),
        "remove": lambda t: t.remove(1),
    }
    numbers = [1, 2]
    with pytest.raises(weft.UnsupportedError, match="a list from outside the function gets or loses elements"):
        weft.jit(calls[change])(numbers)
    assert numbers == [1, 2]


def test_copies_may_grow():
    def f(t, n):
        u = list(t)
        for i in range(n):
            u.append(u[-1] + t[0])
        return u

    same(f, [1.0, 2.0], 5)


@pytest.mark.parametrize(
    "numbers",
    [
        [1, 2.5],
        [True, 1],
        [None],
        ["a", 1],
        [[1], 2],
        [[1], [2.5]],
        [2**70],
        [(1, 2.0), (1, 2)],
        [()],
        [(1, "a"), (1, 2)],
        [np.ones(1)] * 17,
    ],
)
def test_refused(numbers):
    with pytest.raises(weft.ArgumentError):
        weft.jit(lambda t: len(t))(numbers)


SHARED = [1, 2]


def assigns():
    SHARED[0] = 9


def test_steps_in_python_that_reach_the_list_are_refused():
    def f(t):
        t[0] += 1
        weft.python(assigns)
        return t[0]

    with pytest.raises(weft.UnsupportedError, match="reaches a list that is an argument"):
        weft.jit(f)(SHARED)
    assert weft.jit(f)([5]) == 6


def test_measuring_and_explaining_change_nothing():
    numbers = [1.0, 2.0]
    weft.explain(weft.jit(scaled), numbers, 2)
    weft.predict(weft.jit(scaled), numbers, 2)
    assert numbers == [1.0, 2.0]
