"""Extremes of floats by key, and stores by key in order: what Python gives, bit by bit, on devices."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import trace
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise

from .simulated import DEVICE


def largest(keys, x, out):
    for i in range(len(keys)):
        out[keys[i]] = max(out[keys[i]], x[i])


def smallest(keys, x, out):
    for i in range(1, len(keys)):
        k = keys[i]
        out[k] = min(out[k], x[i])


def largest_by_if(keys, x, out):
    for i in range(len(keys)):
        if x[i] > out[keys[i]]:
            out[keys[i]] = x[i]


def smallest_by_if(keys, x, out):
    for i in range(len(keys)):
        k = keys[i]
        if out[k] > x[i]:
            out[k] = x[i]


def both(keys, x, out):
    for i in range(1, len(keys)):
        k = keys[i]
        out[0, k] = max(out[0, k], x[i])
        k = keys[i - 1]
        out[0, k] = max(out[0, k], -x[i])


def last(keys, x, out):
    for i in range(len(keys)):
        out[keys[i]] = x[i]


def last_of_two(keys, x, out):
    for i in range(len(keys)):
        out[keys[i]] = x[i]
        if x[i] > 0.5:
            out[keys[i] - 1] = -x[i]


def last_rows(keys, x, out):
    for i in range(len(keys)):
        s = 0.0
        for j in range(i):
            s += x[j]
        for j in range(out.shape[1]):
            out[keys[i], j] = x[i] + s * j


SPECIAL = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -1.0, 5e-324, -5e-324, 1e-45, -1e-45, 3.5, -3.5])
FUNCTIONS = (largest, smallest, largest_by_if, smallest_by_if, both, last, last_of_two, last_rows)


def arguments(function, size, count, dtype, seed=0, special=True):
    g = np.random.default_rng(seed)
    x = g.choice(SPECIAL, size) if special else g.standard_normal(size)
    shape = {both: (1, count), last_rows: (count, 3)}.get(function, (count,))
    out = g.choice(SPECIAL[:6] if special else [0.0], shape)
    with np.errstate(all="ignore"):
        return [g.integers(1 - count if seed % 2 else 0, count, size), x.astype(dtype), out.astype(dtype)]


def check_same_bits(expected, got):
    kinds = {2: np.uint16, 4: np.uint32, 8: np.uint64}
    a, b = expected[-1], got[-1]
    same = a.view(kinds[a.itemsize]) == b.view(kinds[b.itemsize])
    assert np.all(same | (np.isnan(a) & np.isnan(b)))


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_on_a_model_of_a_device(function, dtype):
    made = place(optimise(program_of(function, *arguments(function, 9, 4, dtype))), DEVICE)
    verify(made.program)
    check_plan(made.program)
    assert any(nest.label.endswith((".best", ".last")) for nest in made.nests if nest.kernel)
    for seed, size in enumerate((0, 1, 2, 7, 31, 40, 41, 50)):
        expected, got = (arguments(function, size, 4, dtype, seed) for _ in range(2))
        with np.errstate(all="ignore"):
            function(*expected)
            assert trace(made.program, got).error is None
        check_same_bits(expected, got)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_raises_leaves_what_python_leaves(function):
    made = place(optimise(program_of(function, *arguments(function, 9, 4, np.float64))), DEVICE)
    for seed in range(4):
        expected, got = (arguments(function, 20, 4, np.float64, seed, special=False) for _ in range(2))
        expected[0][13] = got[0][13] = 4
        with pytest.raises(IndexError):
            function(*expected)
        assert trace(made.program, got).error is not None
        check_same_bits(expected, got)


def read_again(keys, x, out):
    for i in range(len(keys)):
        out[keys[i]] = x[i] + out[0]


def carried(keys, x, out):
    s = 0.0
    for i in range(len(keys)):
        s = 0.5 * s + x[i] * s * s
        out[keys[i]] = s


@pytest.mark.parametrize("function", [read_again, carried])
def test_what_iterations_hand_on_stays_in_order(function):
    made = place(optimise(program_of(function, *arguments(last, 9, 4, np.float64))), DEVICE)
    assert not any(nest.kernel and nest.label.endswith(".last") for nest in made.nests)


def not_smaller(keys, x, out):
    for i in range(len(keys)):
        if x[i] >= out[keys[i]]:
            out[keys[i]] = x[i]


def with_a_count(keys, x, out):
    for i in range(1, len(keys)):
        if x[i] > out[keys[i]]:
            out[keys[i]] = x[i]
            out[keys[i - 1]] += x[0]


def by_turns(keys, x, out):
    for i in range(1, len(keys)):
        if x[i] > out[keys[i]]:
            out[keys[i]] = x[i]
        if x[i] < out[keys[i - 1]]:
            out[keys[i - 1]] = x[i]


def test_a_kernel_keeps_its_loops_in_order():
    def each(keys, x, out):
        for c in range(out.shape[0]):
            for i in range(len(keys)):
                if x[i] > out[c, keys[i]]:
                    out[c, keys[i]] = x[i]

    keys, x, _ = arguments(largest, 9, 4, np.float64)
    made = place(optimise(program_of(each, keys, x, np.zeros((3, 4)))), DEVICE)
    assert [nest.label for nest in made.nests if nest.kernel] == ["c"]


@pytest.mark.parametrize("function", [not_smaller, with_a_count, by_turns])
@pytest.mark.parametrize("dtype", [np.float64, np.int32])
def test_extremes_under_tests_that_are_something_else(function, dtype):
    made = place(optimise(program_of(function, *arguments(function, 9, 4, dtype, special=False))), DEVICE)
    at_once = any(nest.kernel for nest in made.nests)
    assert at_once == (function is not_smaller and dtype == np.int32)
    for seed in range(6):
        expected, got = (arguments(function, 30, 4, dtype, seed, special=dtype != np.int32) for _ in range(2))
        expected[1], got[1] = (
            a if dtype == np.float64 else (10 * np.arange(30) % 7).astype(dtype) for a in (expected[1], got[1])
        )
        function(*expected)
        assert trace(made.program, got).error is None
        np.testing.assert_array_equal(expected[-1], got[-1])


@pytest.mark.opencl
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_on_a_device(function, dtype):
    jitted = weft.jit(function, device="opencl")
    for seed, (size, count) in enumerate([(5000, 7), (5000, 700), (3, 900), (0, 4)]):
        expected, got = (
            arguments(function, size if function is not last_rows else size // 50, count, dtype, seed) for _ in range(2)
        )
        with np.errstate(all="ignore"):
            function(*expected)
            jitted(*got)
        check_same_bits(expected, got)
