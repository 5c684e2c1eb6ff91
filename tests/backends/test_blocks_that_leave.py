"""Rows whose loops threads share, and of which one may raise: all threads of the block leave at the same place."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.backends.cuda.dialect import generate_kernels
from weft.plan.place import place
from weft.schedule.directives import Deal
from weft.transform.pipeline import optimise

try:
    import pyopencl

    HERE = bool(pyopencl.get_platforms())
except Exception:
    HERE = False


def through_an_index(a, k, out):
    for i in range(a.shape[0]):
        t = np.zeros(a.shape[1])
        for j in range(a.shape[1]):
            t[j] = a[i, k[i, j]]
        for j in range(1, a.shape[1]):
            out[i, j] = t[j] + t[j - 1]


def in_a_sum(a, k, out):
    for i in range(a.shape[0]):
        x = 1.0
        for _ in range(3):
            s = 0.0
            for j in range(a.shape[1]):
                s += a[i, k[i, j]] * x
            x = s / a.shape[1]
            for j in range(a.shape[1]):
                out[i, j] += x * a[i, j]


def until_it_is_near(a, k, out):
    for i in range(a.shape[0]):
        error = 1.0
        steps = 0
        while error > 0.05 and steps < 20:
            error = 0.0
            for j in range(a.shape[1]):
                error += abs(a[i, k[i, j]] - out[i, j])
            error /= a.shape[1]
            for j in range(a.shape[1]):
                out[i, j] = 0.5 * (out[i, j] + a[i, k[i, j]])
            steps += 1
        out[i, 0] = steps


def in_a_branch(a, k, out):
    for i in range(a.shape[0]):
        if a[i, 0] > 0.5:
            m = 0.0
            for j in range(a.shape[1]):
                m += a[i, k[i, j]]
            for j in range(a.shape[1]):
                out[i, j] = a[i, j] - m
        else:
            for j in range(a.shape[1]):
                out[i, j] = 2.0 * a[i, k[i, j]]
            for j in range(a.shape[1] - 1):
                out[i, j] = out[i, j] + out[i, j + 1] * 0.0


def by_the_program(a, k, out):
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, k[i, j]]
        if s < 0.0:
            raise ValueError("a row")
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] / s
        for j in range(a.shape[1]):
            if out[i, j] < 0.0:
                raise ValueError("an element")
            a[i, j] = out[i, j] * 2


def halves(a, k, out):
    for i in range(a.shape[0]):
        half, width = a.shape[1] // 2, 1
        for _ in range(3):
            for p in range(half):
                for q in range(width):
                    out[i, q + width * 2 * p] = a[i, q + width * p] + a[i, k[i, q + width * p]]
            for j in range(a.shape[1]):
                a[i, j] = out[i, j] * 0.5
            half //= 2
            width *= 2


ALL = (through_an_index, in_a_sum, until_it_is_near, in_a_branch, by_the_program, halves)


def _given(rows, columns, kind):
    generator = np.random.default_rng(1)
    a, k = generator.random((rows, columns)), generator.integers(1, columns, (rows, columns))
    if kind == "outside":
        k[rows // 2, columns // 3] = columns + 3
    if kind == "negative":
        a[rows // 2, 2], a[rows - 1, 1] = -0.01, -1e6
    return a, k, np.zeros((rows, columns))


@pytest.mark.parametrize("function", ALL)
def test_threads_share_the_loops_of_a_row(function):
    placed = place(optimise(program_of(function, *_given(3, 8, ""))), "cuda")
    kernels = [p for p in placed.nests if p.kernel]
    assert kernels
    assert all(any(isinstance(d, Deal) for d in p.schedule) for p in kernels)
    text = generate_kernels(placed.program)
    assert "__syncthreads_or(weft_failed)" in text


@pytest.mark.sample(2)
@pytest.mark.opencl
@pytest.mark.skipif(not HERE, reason="there is no OpenCL")
@pytest.mark.parametrize("function", ALL)
def test_what_was_done_is_that_of_python(function):
    call = weft.jit(function, device="opencl")
    for shape, kind in (((7, 200), ""), ((7, 200), "outside"), ((5, 40), "negative"), ((2, 8), "outside")):
        expected, found = _given(*shape, kind), _given(*shape, kind)
        errors = []
        for run, arguments in ((function, expected), (call, found)):
            try:
                run(*arguments)
                errors.append(None)
            except (IndexError, ValueError) as error:
                errors.append(type(error))
        assert errors[0] == errors[1]
        assert kind != "outside" or errors[0] is IndexError
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12)


def in_rounds(a, k, out):
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, k[i, j]]
        for step in range(3):
            for j in range(a.shape[1]):
                a[i, j] += step * out[i, k[i, j]]
        out[i, 0] = s


@pytest.mark.sample(1)
@pytest.mark.opencl
@pytest.mark.skipif(not HERE, reason="there is no OpenCL")
def test_a_block_ends_where_all_of_its_threads_raise_in_one_of_several_rounds():
    call = weft.jit(in_rounds, device="opencl", timeout=60.0)
    given = _given(4, 40, "")
    expected, found = [x.copy() for x in given], [x.copy() for x in given]
    for run, arguments in ((in_rounds, expected), (call, found)):
        with pytest.raises(IndexError):
            run(*arguments[:2], arguments[2][:3])
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
