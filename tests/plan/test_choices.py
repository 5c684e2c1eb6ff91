"""Arrays that branches and loops of a row choose: on devices they are copies, and nobody sees it."""

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


def doubled(a, c, out, steps):
    for b in range(a.shape[0]):
        x = a[b]
        if x[0] > 0.5:
            x = x * 2.0
        for i in range(a.shape[1]):
            out[b, i] = x[i] + 1.0


def by_kind(a, c, out, steps):
    for b in range(a.shape[0]):
        if a[b, 0] < 0.3:
            x = a[b] + c[b, 0]
            y = c[b, 1]
        elif a[b, 0] < 0.6:
            x = a[b][::-1]
            y = 2.0
        else:
            x = np.zeros(a.shape[1])
            x[1] = 4.0
            y = a[b, 1]
        out[b] = x * y


def made_and_written(a, c, out, steps):
    for b in range(a.shape[0]):
        x = a[b] * 2.0
        if a[b, 1] > 0.5:
            x = a[b] + 1.0
        x[0] = 5.0
        for i in range(a.shape[1]):
            out[b, i] = x[i]


def exchanged(a, c, out, steps):
    for b in range(a.shape[0]):
        x, y = a[b] * 2.0, a[b] + 3.0
        if a[b, 1] > 0.5:
            x, y = y, x
        x[0] = 7.0
        out[b] = x + 10.0 * y


def rows_of_arguments(a, c, out, steps):
    for b in range(a.shape[0]):
        u, v = a[b], c[b]
        for t in range(steps):
            for i in range(1, a.shape[1]):
                v[i] = 0.5 * (u[i] + u[i - 1])
            u, v = v, u
            if u[1] > 0.9:
                break
        out[b, 0] = u[0]


def a_row_and_an_array(a, c, out, steps):
    for b in range(a.shape[0]):
        row, new = a[b], np.zeros(a.shape[1])
        for t in range(steps):
            for i in range(1, a.shape[1] - 1):
                new[i] = 0.5 * (row[i - 1] + row[i + 1])
            new[0] = row[0]
            row, new = new, row
        a[b] = row


def read_by_name(a, c, out, steps):
    for b in range(a.shape[0]):
        row, new = a[b], np.ones_like(a[b])
        for t in range(steps):
            for i in range(a.shape[1]):
                new[i] = row[i] + c[b, 0]
            row, new = new, row
        for i in range(a.shape[1]):
            out[b, i] = a[b, i]


ONE_KERNEL = (doubled, by_kind, made_and_written, exchanged, a_row_and_an_array, read_by_name)
"""Programs whose nest is one kernel."""


def written_to_the_row(a, c, out, steps):
    for b in range(a.shape[0]):
        x = a[b]
        if x[0] > 0.5:
            x = x * 2.0
        x[1] = 5.0
        out[b] = x


def row_written_afterwards(a, c, out, steps):
    for b in range(a.shape[0]):
        x = a[b]
        if x[0] > 0.5:
            x = x * 2.0
        a[b, 2] = 7.0
        out[b] = x


def of_another_name(a, c, out, steps):
    for b in range(a.shape[0]):
        x, y = a[b] * 1.0, c[b] * 1.0
        if a[b, 0] > 0.5:
            y = x
        x[0] = 9.0
        out[b] = y


def shorter(a, c, out, steps):
    for b in range(a.shape[0]):
        x = a[b]
        if a[b, 0] > 0.5:
            x = x[1:]
        out[b, 0] = x[0] + len(x)


def in_steps(a, c, out, steps):
    for b in range(a.shape[0]):
        x = a[b]
        for t in range(steps):
            if x[t] > 0.5:
                x = x * 0.75
        out[b] = x


def changed_by_a_new_array(a, c, out, steps):
    for b in range(a.shape[0]):
        x = a[b]
        for t in range(steps):
            x[0] = t + 5.0
            x = x + 1.0
        out[b] = x


def row_changed_between(a, c, out, steps):
    for b in range(a.shape[0]):
        row, new = a[b], np.zeros(a.shape[1])
        for t in range(steps):
            a[b, 0] = t + 0.5
            new[1:] = row[:-1]
            row, new = new, row
        out[b] = row


def written_after_the_loop(a, c, out, steps):
    for b in range(a.shape[0]):
        row, new = a[b], np.zeros(a.shape[1])
        for t in range(steps):
            new[1:] = row[:-1]
            row, new = new, row
        row[1] = 8.0
        a[b, 2] = 9.0
        out[b] = row


def shifted_onto_itself(a, c, out, steps):
    for b in range(a.shape[0]):
        row, new = a[b], np.zeros(a.shape[1])
        for t in range(steps):
            for i in range(a.shape[1]):
                new[i] = row[i] + 1.0
            row, new = new, row
        for i in range(1, a.shape[1]):
            a[b, i] = row[i - 1]


OTHERS = (
    rows_of_arguments, written_to_the_row, row_written_afterwards, of_another_name, shorter, in_steps,
    changed_by_a_new_array, row_changed_between, written_after_the_loop, shifted_onto_itself,
)  # fmt: skip


@pytest.mark.parametrize("function", ONE_KERNEL)
def test_the_nest_is_one_kernel(function):
    program = optimise(program_of(function, np.zeros((5, 6)), np.zeros((5, 6)), np.zeros((5, 6)), 3))
    nests = place(program, DEVICE).nests
    assert any(p.kernel and "scratch memory" in p.scratch for p in nests), [(p.label, p.reason) for p in nests]
    assert not any(p.device == "host" and p.label == "t" for p in nests)


@pytest.mark.sample(3)
@pytest.mark.opencl
@pytest.mark.skipif(not HERE, reason="there is no OpenCL")
@pytest.mark.parametrize("function", (*ONE_KERNEL, *OTHERS))
def test_the_answer_is_that_of_python(function):
    compiled = [weft.jit(function, device=device) for device in ("opencl", "cpu")]
    for shape, steps in (((13, 18), 5), ((3, 4), 0), ((2, 6), 1), ((4, 10), 2)):
        generator = np.random.default_rng(steps)
        given = [generator.random(shape), generator.random(shape), np.zeros(shape)]
        expected = [array.copy() for array in given]
        function(*expected, steps)
        for call in compiled:
            found = [array.copy() for array in given]
            call(*found, steps)
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-300)
