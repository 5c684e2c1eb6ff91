"""Sums into elements that the nest before has stored start from the stored value: one kernel, as with a variable."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from tests.plan.counting import one_thread
from tests.plan.simulated import Simulated
from weft.tune import choice


def in_rows(a, b, c, d):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0.0
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def all_before(a, b, c, d):
    c[:] = 0.0
    for k in range(a.shape[1]):
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def from_a_bias(a, b, c, d):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 2.0 * d[0] - j
    for k in range(a.shape[1]):
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def other_way_round(a, b, c, d):
    for j in range(c.shape[1]):
        for i in range(c.shape[0]):
            c[i, j] = d[0] + i
    for i in range(c.shape[0]):
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] -= a[i, k] * b[k, j]


def columns(a, b, c, d):
    for j in range(d.shape[0]):
        d[j] = 1.0
    for i in range(c.shape[0]):
        for j in range(d.shape[0]):
            d[j] += a[i, j]


ONE_KERNEL = [in_rows, all_before, from_a_bias, other_way_round, columns]


def some_stored(a, b, c, d):
    for j in range(2, d.shape[0]):
        d[j] = 1.0
    for i in range(a.shape[0]):
        for j in range(d.shape[0]):
            d[j] += a[i, j]


def some_added(a, b, c, d):
    for j in range(d.shape[0]):
        d[j] = 1.0
    for i in range(a.shape[0]):
        for j in range(2, d.shape[0]):
            d[j] += a[i, j]


def read_between(a, b, c, d):
    for j in range(d.shape[0]):
        d[j] = 1.0
    c[0, 0] = d[0]
    for i in range(a.shape[0]):
        for j in range(d.shape[0]):
            d[j] += a[i, j]


def from_what_is_added(a, b, c, d):
    for j in range(d.shape[0]):
        d[j] = 2.0 * d[j] - 1.0
    for i in range(a.shape[0]):
        for j in range(d.shape[0]):
            d[j] += a[i, j]


def turned_round(a, b, c, d):
    for i in range(a.shape[0]):
        for j in range(a.shape[0]):
            b[i, j] = a[j, 0]
    for k in range(a.shape[1]):
        for i in range(a.shape[0]):
            for j in range(a.shape[0]):
                b[j, i] += a[i, k]


OTHERS = [some_stored, some_added, read_between, from_what_is_added, turned_round]


def arguments(rows, inner):
    rng = np.random.default_rng(rows + inner)

    def whole(*shape):
        return rng.integers(-8, 8, shape) / 8

    return whole(rows, inner), whole(max(rows, inner), max(rows, inner)), whole(rows, rows), whole(min(rows, inner))


@pytest.mark.parametrize("function", [*ONE_KERNEL, *OTHERS], ids=lambda f: f.__name__)
def test_results_are_pythons(function):
    simulated = Simulated(function)
    for rows, inner in ((6, 5), (3, 7), (1, 3)):
        expected, got = arguments(rows, inner), arguments(rows, inner)
        function(*expected)
        with mock.patch.object(choice, "candidates", one_thread):
            simulated(*got)
        for one, other in zip(expected, got, strict=True):
            np.testing.assert_array_equal(one, other)
    launches = [sum(step.kind == "launch" for step in trace.steps) for trace in simulated.traces]
    if function in ONE_KERNEL:
        assert launches[0] == 1
