"""Where host and device take turns in every step of a loop, and steps are small, the host runs all of the loop."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.counting import count
from tests.plan.simulated import DEVICE, Simulated
from weft.ir import nodes as n
from weft.ir.visit import launches_in, walk
from weft.plan import tiny_steps
from weft.plan.place import place
from weft.plan.steps.wavefronts import REASON as SHORT_DIAGONALS
from weft.transform.pipeline import optimise


def shortest(a, b):
    for k in range(a.shape[0]):
        for i in range(a.shape[0]):
            first = a[i, k]
            for j in range(a.shape[1]):
                if first + a[k, j] < a[i, j]:
                    a[i, j] = first + a[k, j]


def by_columns(a, b):
    for k in range(a.shape[0]):
        for i in range(a.shape[0]):
            scaled = 0.5 * a[k, i] + 1.0
            for j in range(a.shape[0]):
                a[j, i] = max(scaled * a[j, k], a[j, i])


def intervals(a, b):
    for j in range(1, a.shape[0]):
        for i in range(j - 1, -1, -1):
            best = a[i, i] + a[i + 1, j]
            for k in range(i + 1, j):
                best = min(best, a[i, k] + a[k + 1, j] + b[k])
            a[i, j] = best


def pivots_by_hand(a, b):
    last = 0.0
    for k in range(a.shape[0]):
        pivot = a[k, 0]
        a[k, 0] = pivot + 1.0
        for j in range(a.shape[1]):
            a[(k + 1) % a.shape[0], j] += 0.25 * a[k, j] * pivot
        last = pivot
    return last


def triangles(a, b):
    for i in range(a.shape[0]):
        top = b[i]
        for j in range(i):
            top = max(top, a[i, j] + b[j])
        b[i] = top
    return b[0]


TURNS = [shortest, by_columns, intervals, pivots_by_hand, triangles]


def of_whole_arrays(a, b):
    for k in range(a.shape[0]):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] += b[k]


def seen_by_the_host(a, b):
    for k in range(a.shape[0]):
        for i in range(a.shape[0]):
            a[i, 0] += 1.0
        b[k] = a[0, 0]


def raises(a, b):
    for k in range(a.shape[0]):
        first = a[k - 1, 0]
        for j in range(a.shape[1]):
            if first > 5.0 and j == 4:
                raise ValueError("too much")
            a[k, j] = first + b[j]


def arguments(size):
    rng = np.random.default_rng(size)
    return rng.integers(0, 9, (size, size)) / 8, rng.integers(0, 9, max(size, 1)) / 8


def placed(function, size=13):
    return place(optimise(program_of(function, *arguments(size))), DEVICE)


@pytest.mark.parametrize("small", [0, 40, tiny_steps.SMALL])
@pytest.mark.parametrize("size", [0, 1, 2, 7, 13])
@pytest.mark.parametrize("function", [*TURNS, of_whole_arrays, seen_by_the_host], ids=lambda f: f.__name__)
def test_results_are_pythons(function, size, small, monkeypatch):
    monkeypatch.setattr(tiny_steps, "SMALL", small)
    found, expected = arguments(size), arguments(size)
    assert Simulated(function)(*found) == function(*expected)
    for one, other in zip(found, expected):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("small", [0, tiny_steps.SMALL])
def test_arrays_are_as_python_leaves_them_where_a_step_raises(small, monkeypatch):
    monkeypatch.setattr(tiny_steps, "SMALL", small)
    found, expected = arguments(13), arguments(13)
    for _, b in (found, expected):
        b[0] = 1.0
    for function, (a, b) in ((Simulated(raises), found), (raises, expected)):
        with pytest.raises(ValueError, match="too much"):
            function(a, b)
    np.testing.assert_array_equal(found[0], expected[0])


@pytest.mark.parametrize("function", TURNS, ids=lambda f: f.__name__)
def test_a_small_loop_has_a_way_without_launches(function):
    found = placed(function)
    choices = [s for s in walk(found.program.body) if isinstance(s, n.If) and any(launches_in(s.orelse))]
    assert choices
    assert not any(launches_in(choices[0].then))
    assert {tiny_steps.REASON, SHORT_DIAGONALS} & {nest.reason for nest in found.nests}


@pytest.mark.parametrize("function", [of_whole_arrays, seen_by_the_host], ids=lambda f: f.__name__)
def test_steps_that_nobody_waits_for_stay_on_the_device(function):
    assert tiny_steps.REASON not in {nest.reason for nest in placed(function).nests}


@pytest.mark.parametrize(("size", "launches"), [(7, 0), (12, 48)])
def test_sizes_decide(size, launches, monkeypatch):
    monkeypatch.setattr(tiny_steps, "SMALL", 70)
    assert count(shortest, *arguments(size)).launches == launches


@pytest.mark.opencl
@pytest.mark.parametrize("function", TURNS, ids=lambda f: f.__name__)
def test_on_opencl(function):
    found, expected = arguments(13), arguments(13)
    assert weft.jit(function, device="opencl")(*found) == function(*expected)
    for one, other in zip(found, expected):
        np.testing.assert_array_equal(one, other)


@pytest.mark.gpu
@pytest.mark.parametrize("size", [1, 13, 300])
@pytest.mark.parametrize("function", TURNS, ids=lambda f: f.__name__)
def test_on_a_gpu(function, size):
    found, expected = arguments(size), arguments(size)
    assert weft.jit(function, device="cuda")(*found) == weft.jit(function)(*expected)
    for one, other in zip(found, expected):
        np.testing.assert_array_equal(one, other)
