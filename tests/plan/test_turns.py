"""Loops inside of parallel nests that carry arrays: on devices, the arrays are parts of one buffer."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE
from weft.plan.place import place
from weft.transform.pipeline import optimise

try:
    import pyopencl

    HERE = bool(pyopencl.get_platforms())
except Exception:
    HERE = False


def swapped(a, out, steps):
    for b in range(a.shape[0]):
        u = a[b].copy()
        v = np.empty_like(u)
        for t in range(steps):
            for i in range(1, u.shape[0] - 1):
                v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1]
            v[0] = u[0]
            v[-1] = u[-1]
            u, v = v, u
        out[b] = u


def given_anew(a, out, steps):
    for b in range(a.shape[0]):
        x = a[b]
        for t in range(steps):
            x = x * 0.5 + x[::-1]
        out[b] = x


def shifted(x, steps):
    for t in range(steps):
        x = (x + np.roll(x, 1)) * 0.5
    return x


def by_a_function(a, out, steps):
    for b in range(a.shape[0]):
        out[b] = shifted(a[b], steps)


def of_three(a, out, steps):
    for b in range(a.shape[0]):
        before, now, after = a[b].copy(), a[b] * 0.9, np.zeros(a.shape[1])
        for t in range(3, steps + 3):
            for i in range(1, a.shape[1] - 1):
                after[i] = 2.0 * now[i] - before[i] + 0.1 * (now[i - 1] - 2.0 * now[i] + now[i + 1])
            before, now, after = now, after, before
        for i in range(a.shape[1]):
            out[b, i] = now[i] + 10.0 * before[i] + 100.0 * after[i]


def the_last_two(a, out, steps):
    for b in range(a.shape[0]):
        before, now = a[b], a[b] * 0.5
        for t in range(steps):
            new = np.zeros(a.shape[1])
            for i in range(a.shape[1] - 1):
                new[i] = now[i] - 0.25 * before[i + 1]
            before, now = now, new
        out[b] = before + 2.0 * now


def in_two_loops(a, out, steps):
    for b in range(a.shape[0]):
        x = a[b]
        for t in range(steps):
            x = x + 1.0 / (1.0 + x[::-1])
        for t in range(2):
            x = x[::-1] * 0.5
        out[b] = x


def with_planes(a, out, steps):
    for b in range(a.shape[0]):
        u = np.outer(a[b], a[b])
        for t in range(steps):
            w = np.empty((a.shape[1], a.shape[1]))
            for i in range(a.shape[1]):
                for j in range(a.shape[1]):
                    w[i, j] = 0.5 * u[j, i] + 0.25 * u[i, j]
            u = w
        out[b] = u[0] + u[:, 1]


def until_small(a, out, steps):
    for b in range(a.shape[0]):
        u, v = a[b].copy(), np.zeros(a.shape[1])
        for t in range(steps):
            for i in range(a.shape[1]):
                v[i] = 0.5 * u[i]
            u, v = v, u
            if u[0] < 0.3:
                break
        out[b] = u


KERNELS = (swapped, given_anew, by_a_function, of_three, the_last_two, in_two_loops, with_planes)
"""Programs whose nest is one kernel."""


def in_place(a, out, steps):
    for b in range(a.shape[0]):
        row, new = a[b], np.zeros(a.shape[1])
        for t in range(steps):
            new[1:] = row[:-1]
            new[0] = row[-1]
            row, new = new, row
        out[b] = row


def read_afterwards(a, out, steps):
    for b in range(a.shape[0]):
        first, second = a[b].copy(), np.zeros(a.shape[1])
        u, v = first, second
        for t in range(steps):
            for i in range(a.shape[1]):
                v[i] = u[i] + 1.0
            u, v = v, u
        out[b] = first + 10.0 * second


def written_afterwards(a, out, steps):
    for b in range(a.shape[0]):
        x = a[b]
        for t in range(steps):
            x = x + 1.0
        x[0] = -5.0
        out[b] = x


def of_one_array(a, out, steps):
    for b in range(a.shape[0]):
        u = a[b].copy()
        v = u
        for t in range(steps):
            for i in range(a.shape[1]):
                v[i] = u[i] * 0.5
            u, v = v, u
        out[b] = u + v


def changed_below(a, out, steps):
    for b in range(a.shape[0]):
        x = a[b]
        for t in range(steps):
            a[b, 0] = t + 0.5
            x = x + 1.0
        out[b] = x


def chosen(a, out, steps):
    for b in range(a.shape[0]):
        x = a[b]
        if x[0] > 0.5:
            x = x * 2.0
        total = 0.0
        for i in range(len(x)):
            total += x[i]
        out[b, 0] = total


def shorter(a, out, steps):
    for b in range(a.shape[0]):
        x = a[b]
        for t in range(min(steps, 2)):
            x = x[1:] + x[:-1]
        out[b, 0] = x[0]


def parts_of_parts(a, out, steps):
    for b in range(a.shape[0]):
        x = a[b]
        for t in range(steps):
            n = a.shape[1] >> 1
            w = np.empty(n)
            for i in range(n):
                w[i] = x[2 * i] - x[2 * i + 1]
            y = np.empty(a.shape[1])
            for i in range(n):
                y[i] = w[n - 1 - i]
                y[i + n] = x[2 * i] + w[i]
            x = y
        out[b] = x


def from_the_end(a, out, steps):
    size = a.shape[1]
    for i in range(a.shape[0]):
        for k in range(3):
            row = np.empty(size >> k)
            for j in range(size >> k):
                row[j] = a[i, j] + k
            for j in range(1, size >> k):
                row[j] = row[j - 1] * 0.5 + row[j]
            out[i, k] = row[-1] + len(row)


def with_other_names(a, out, steps):
    for b in range(a.shape[0]):
        first, second = a[b].copy(), np.zeros(a.shape[1])
        before = first if a[b, 0] > 0.5 else second
        u, v = first, second
        for t in range(steps):
            for i in range(a.shape[1]):
                v[i] = u[i] + 1.0
            u, v = v, u
        after = second if a[b, 1] > 0.5 else first
        for i in range(a.shape[1]):
            out[b, i] = before[i] + 10.0 * after[i]


def with_other_names_inside(a, out, steps):
    for b in range(a.shape[0]):
        first, second = a[b].copy(), a[b] * 2.0
        u, v = first, second
        for t in range(steps):
            w = first if a[b, 1] > 0.5 else second
            w[0] = 5.0 + t
            for i in range(a.shape[1]):
                v[i] = u[i] + 1.0
            u, v = v, u
        out[b] = u


def in_two_pairs(a, out, steps):
    for b in range(a.shape[0]):
        first, second = a[b].copy(), np.zeros(a.shape[1])
        u, v = first, second
        for t in range(steps):
            for i in range(a.shape[1]):
                v[i] = u[i] + 1.0
            u, v = v, u
        p, q = first, second
        for t in range(3):
            for i in range(a.shape[1]):
                q[i] = p[i] * 2.0
            p, q = q, p
        out[b] = p + 10.0 * q


ALL = (
    *KERNELS, until_small, in_place, read_afterwards, written_afterwards, of_one_array, changed_below, chosen, shorter,
    parts_of_parts, from_the_end, with_other_names, with_other_names_inside, in_two_pairs,
)  # fmt: skip


@pytest.mark.parametrize("function", KERNELS)
def test_the_nest_is_a_kernel(function):
    program = optimise(program_of(function, np.zeros((5, 6)), np.zeros((5, 6)), 3))
    nests = place(program, DEVICE).nests
    assert any(p.kernel and "scratch memory" in p.scratch for p in nests), [(p.label, p.reason) for p in nests]
    assert not any(p.device == "host" and p.label == "t" for p in nests)


@pytest.mark.sample(3)
@pytest.mark.opencl
@pytest.mark.skipif(not HERE, reason="there is no OpenCL")
@pytest.mark.parametrize("function", ALL)
def test_the_answer_is_that_of_python(function):
    compiled = [weft.jit(function, device=device) for device in ("opencl", "cpu")]
    for shape, steps in (((13, 18), 5), ((3, 4), 0), ((1, 6), 1), ((4, 10), 2)):
        a = np.random.default_rng(steps).random(shape)
        expected_a, expected = a.copy(), np.zeros(shape)
        function(expected_a, expected, steps)
        for call in compiled:
            own, out = a.copy(), np.zeros(shape)
            call(own, out, steps)
            np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-300)
            np.testing.assert_array_equal(own, expected_a)


def test_rows_that_change_places_with_arrays_of_an_iteration_are_parallel():
    report = weft.explain(weft.jit(in_place), np.zeros((5, 6)), np.zeros((5, 6)), 3)
    assert report.loops[0].verdict == "parallel"


def test_rows_that_follow_one_another_are_not():
    def down(a, steps):
        for b in range(1, a.shape[0]):
            row, new = a[b - 1], np.zeros(a.shape[1])
            for t in range(steps):
                new[1:] = row[:-1]
                row, new = new, row
            a[b] = row

    report = weft.explain(weft.jit(down), np.zeros((5, 6)), 3)
    assert report.loops[0].verdict == "sequential"
    a = np.random.default_rng(0).random((7, 9))
    expected = a.copy()
    down(expected, 3)
    weft.jit(down)(a, 3)
    np.testing.assert_array_equal(a, expected)
