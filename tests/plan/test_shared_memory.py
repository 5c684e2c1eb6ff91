"""Stores by key on devices, where arrays change names in loops, share memory, or show an element more than once."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.random_programs.stages import planned_and_interpreted
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise
from weft.transform.safety import aliasing

from .simulated import DEVICE


def stored(v, k, x):
    for i in range(len(k)):
        v[k[i]] = x[i]


def largest(v, k, x):
    for i in range(len(k)):
        v[k[i]] = max(v[k[i]], x[i])


def added(v, k, x):
    for i in range(len(k)):
        v[k[i]] += x[i]


def stored_after_changes(a, b, k, x, n):
    for _ in range(n):
        a, b = b, a
    for i in range(len(k)):
        a[k[i]] = x[i]
    total = 0.0
    for i in range(len(a)):
        total += a[i] + 2.0 * b[i]
    return total


def counted_up(a, b, k, x, n):
    for _ in range(n):
        for i in range(len(a)):
            a[i] += 1.0
        a, b = b[:], a
    for i in range(len(k)):
        b[k[i]] = x[i]
    total = 0.0
    for i in range(len(a)):
        total += a[i] + 2.0 * b[i]
    return total


def keys(size):
    return np.arange(2 * size, dtype=np.int64) * 7 % size


@pytest.mark.parametrize("function", [stored, largest, added])
def test_elements_that_are_one_are_not_noted_apart(function):
    program = program_of(function, np.zeros(6), keys(6), np.ones(12))
    placed = place(optimise(aliasing.overlapping(program, [("v", "v")]), blocks=True, rows=True), DEVICE)
    assert not any(nest.kernel for nest in placed.nests)


@pytest.mark.parametrize("overlaps", [(), ("a", "b")])
@pytest.mark.parametrize("function", [stored_after_changes, counted_up])
def test_launches_say_what_they_touch(function, overlaps):
    program = program_of(function, np.zeros(6), np.zeros(6), keys(6), np.ones(12), 3)
    if overlaps:
        program = aliasing.overlapping(program, [overlaps])
    check_plan(place(optimise(program, blocks=True, rows=True), DEVICE).program)


def one_after_another(a, b, c):
    for i in range(len(a)):
        a[i] = 2.0 * a[i] + 1.0
    for i in range(len(b)):
        b[i] *= 3.0
    for i in range(len(c)):
        c[i] -= 5.0


@pytest.mark.parametrize(
    "parts",
    [
        (slice(4, 8), slice(2, 6)),
        (slice(2, 6), slice(4, 8)),
        (slice(4, 6), slice(2, 8)),
        (slice(0, 8, 2), slice(7, None, -2)),
    ],
)
def test_the_interpreter_of_plans_takes_arrays_that_overlap_in_part(parts):
    """They stay on the host; the third array goes to the device."""
    found, expected, away = np.arange(10.0), np.arange(10.0), np.arange(5.0)
    arguments = [*(found[part] for part in parts), away]
    planned_and_interpreted(one_after_another, arguments)(arguments)
    one_after_another(*(expected[part] for part in parts), np.zeros(0))
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(away, np.arange(5.0) - 5.0)


@pytest.mark.opencl
@pytest.mark.parametrize("steps", [0, 1, 2, 3])
@pytest.mark.parametrize("function", [stored_after_changes, counted_up])
def test_arrays_that_change_names(function, steps):
    for apart in (True, False):
        found, expected = np.arange(14.0), np.arange(14.0)
        first, second = (slice(0, 7), slice(7, 14)) if apart else (slice(0, 7), slice(3, 10))
        result = weft.jit(function, device="opencl")(found[first], found[second], keys(7), np.arange(14.0), steps)
        assert result == function(expected[first], expected[second], keys(7), np.arange(14.0), steps)
        np.testing.assert_array_equal(found, expected)
