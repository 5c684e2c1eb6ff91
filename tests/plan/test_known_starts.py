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


def under_conditions(a, bias, flag, c, d, e, f, g):
    m = c.shape[0]
    for j in range(m):
        c[j] = 0.0
    if flag > 5:
        for j in range(m):
            total = c[j]
            for k in range(m):
                total += bias[k] * j
            c[j] = total
    d[:] = 1.0
    if 0 < flag:
        for k in range(a.shape[0]):
            for j in range(d.shape[0]):
                d[j] += a[k, j]
    for j in range(e.shape[0]):  # without terms no element is doubled
        e[j] = bias[j]
    if 0 < a.shape[0]:
        for j in range(e.shape[0]):
            total = e[j]
            for k in range(a.shape[0]):
                total += a[k, j]
            e[j] = total * 2
    for j in range(f.shape[0]):  # without terms there is no such factor
        f[j] = bias[j]
    if 0 < a.shape[0]:
        for j in range(f.shape[0]):
            total = f[j]
            factor = a[0, j]
            for k in range(a.shape[0]):
                total += a[k, j] * factor
            f[j] = total
    for j in range(g.shape[0]):
        g[j] = bias[j]
    if 0 < a.shape[0] and flag > 5:
        for j in range(g.shape[0]):
            total = g[j]
            for k in range(a.shape[0]):
                total += a[k, j]
            g[j] = total
    return 0.0


def read_after_the_filling(a, bias, flag, c, d, e, f, g):
    if c.shape[0] < 4 or d.shape[0] < 4 or e.shape[0] < 4:
        return -1.0
    for j in range(c.shape[0]):
        c[j] = bias[j]
    first = c[3]
    for j in range(c.shape[0]):
        total = c[j]
        for k in range(a.shape[0]):
            total += a[k, j]
        c[j] = total
    d[:] = 1.0
    part = d[1:]
    factor = part[2] + 1.0
    for j in range(d.shape[0]):
        total = d[j]
        for k in range(a.shape[0]):
            total += a[k, j] * factor
        d[j] = total
    seen = 0.0
    for times in range(2):
        for j in range(e.shape[0]):
            e[j] = bias[j] + times
        seen += e[1]
        for j in range(e.shape[0]):
            total = e[j]
            for k in range(a.shape[0]):
                total += a[k, j]
            e[j] = total
    return first + seen


def may_end_between(a, bias, flag, c, d, e, f, g):
    for j in range(c.shape[0]):
        c[j] = bias[j]
    remainder = 7 // (flag - 9)
    for j in range(c.shape[0]):
        total = c[j]
        for k in range(a.shape[0]):
            total += a[k, j]
        c[j] = total
    for j in range(d.shape[0]):
        d[j] = bias[j]
    bias[0] = 5.0
    for j in range(d.shape[0]):
        total = d[j]
        for k in range(a.shape[0]):
            total += a[k, j] * bias[j]
        d[j] = total
    for j in range(e.shape[0]):
        e[j] = bias[j]
    for j in range(f.shape[0]):
        f[j] = e[j] * 2
    for j in range(e.shape[0]):
        total = e[j]
        for k in range(a.shape[0]):
            total += a[k, j]
        e[j] = total
    return float(remainder)


@pytest.mark.parametrize("function", [under_conditions, read_after_the_filling, may_end_between])
def test_what_the_first_nest_stored_is_seen(function):
    simulated = Simulated(function)
    for terms, flag in ((3, 1), (3, 9), (0, 0), (0, 9)):
        rng = np.random.default_rng(terms + flag)
        arrays = [rng.integers(-8, 8, shape) / 8 for shape in ((terms, 6), *[6] * 6)]
        expected, got = [array.copy() for array in arrays], [array.copy() for array in arrays]
        results = []
        for run, (a, bias, *others) in ((function, expected), (simulated, got)):
            with mock.patch.object(choice, "candidates", one_thread):
                try:
                    results.append(run(a, bias, flag, *others))
                except ZeroDivisionError:
                    results.append("division by zero")
        assert results[0] == results[1]
        for one, other in zip(expected, got, strict=True):
            np.testing.assert_array_equal(one, other)
    assert any(step.kind == "launch" for trace in simulated.traces for step in trace.steps)
