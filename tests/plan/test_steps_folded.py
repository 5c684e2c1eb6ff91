"""Steps that only fold into elements are a fold of each element."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE, Simulated
from weft.ir import nodes as n
from weft.plan.place import host_statements, place
from weft.transform.pipeline import optimise


def gradient(x, w, s):
    for i in range(w.shape[0]):
        for a in range(s.shape[0]):
            for b in range(s.shape[1]):
                for j in range(w.shape[1]):
                    s[a, b] += w[i, j] * x[i + a, j + b]


def gradient_by_sum(x, w, s):
    for i in range(w.shape[0]):
        for a in range(s.shape[0]):
            for b in range(s.shape[1]):
                total = 0.0
                for j in range(w.shape[1]):
                    total += w[i, j] * x[i + a, j + b]
                s[a, b] += total


def largest(x, w, s):
    for i in range(w.shape[0]):
        for a in range(s.shape[0]):
            for b in range(s.shape[1]):
                for j in range(w.shape[1]):
                    s[a, b] = max(s[a, b], w[i, j] * x[i + a, j + b])


def of_one_row(x, w, s):
    for i in range(w.shape[0]):
        for b in range(s.shape[1]):
            for j in range(w.shape[1]):
                s[0, b] += w[i, j] * x[i, j + b]


FOLDED = [gradient, gradient_by_sum, largest, of_one_row]


def of_what_was_summed(x, w, s):
    for i in range(w.shape[0]):
        for a in range(s.shape[0]):
            for b in range(s.shape[1]):
                for j in range(w.shape[1]):
                    s[a, b] += w[i, j] * x[i + a, j + b]
                s[a, b] *= 0.5


def stored_each_time(x, w, s):
    for i in range(w.shape[0]):
        for a in range(s.shape[0]):
            for b in range(s.shape[1]):
                for j in range(w.shape[1]):
                    s[a, b] += w[i, j]
                x[i, 0] = s[a, 0]


def even_steps(x, w, s):
    for i in range(w.shape[0]):
        for a in range(s.shape[0]):
            for b in range(s.shape[1]):
                if i % 2 == 0:
                    for j in range(w.shape[1]):
                        s[a, b] += w[i, j] * x[i + a, j + b]


OTHERS = [of_what_was_summed, stored_each_time, even_steps]


def arguments(rows, columns, a=3, b=2):
    rng = np.random.default_rng(rows * 100 + columns)
    shapes = [(rows + a, columns + b), (rows, columns), (a, b)]
    return tuple(rng.integers(-9, 9, shape) / 8 for shape in shapes)


def is_stepped(function):
    found = place(optimise(program_of(function, *arguments(9, 8))), DEVICE)
    return any(isinstance(s, n.For) for s in host_statements(found.program.body))


@pytest.mark.parametrize("size", [(0, 3), (3, 0), (1, 1), (2, 5), (9, 8), (13, 1), (2, 3, 0, 2), (2, 3, 2, 0)])
@pytest.mark.parametrize("function", [*FOLDED, *OTHERS], ids=lambda f: f.__name__)
def test_results_are_pythons(function, size):
    found, expected = arguments(*size), arguments(*size)
    if found[2].size == 0 and function in (of_one_row, stored_each_time):
        return
    Simulated(function)(*found)
    function(*expected)
    for one, other in zip(found, expected):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("function", FOLDED, ids=lambda f: f.__name__)
def test_the_host_steps_through_nothing(function):
    assert not is_stepped(function)


@pytest.mark.parametrize("function", OTHERS[:2], ids=lambda f: f.__name__)
def test_steps_that_do_more_stay_outside(function):
    assert is_stepped(function)


@pytest.mark.opencl
@pytest.mark.parametrize("function", FOLDED, ids=lambda f: f.__name__)
def test_on_opencl(function):
    found, expected = arguments(63, 70), arguments(63, 70)
    weft.jit(function, device="opencl")(*found)
    function(*expected)
    np.testing.assert_array_equal(found[2], expected[2])
