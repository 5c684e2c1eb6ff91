"""Roots of float32 that are certainly taken of numbers from 2^-101 on need no tests on an NVIDIA GPU."""

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.backends.cuda.dialect import generate_kernels
from weft.plan.place import place
from weft.transform.pipeline import optimise

SMALL = np.float32(1e-9)


def distances(x, y):
    for i in range(len(x)):
        y[i] = np.sqrt(x[i] * x[i] + y[i] * y[i] + np.float32(1e-9))


def of_sizes(x, y):
    for i in range(len(x)):
        y[i] = np.sqrt(np.float32(2) + abs(x[i]))


def of_any(x, y):
    for i in range(len(x)):
        y[i] = np.sqrt(x[i] + np.float32(1e-9))


def of_products(x, y):
    for i in range(len(x)):
        y[i] = np.sqrt(x[i] * y[i] + np.float32(1e-9))


def of_differences(x, y):
    for i in range(len(x)):
        y[i] = np.sqrt(x[i] * x[i] - y[i] * y[i] + np.float32(1e-9))


def of_quotients(x, y):
    for i in range(len(x)):
        y[i] = np.sqrt(np.float32(1) + abs(x[i]) / np.sqrt(y[i]))  # the root of -0.0 is -0.0


def near_zero(x, y):
    for i in range(len(x)):
        y[i] = np.sqrt(x[i] * x[i] + np.float32(1e-36))


def text_of(function, dtype=np.float32, fastmath=False):
    arguments = [np.ones(5, dtype) for _ in range(2)]
    program = optimise(program_of(function, *arguments), fastmath=fastmath)
    return generate_kernels(place(program, "cuda").program, fastmath)


@pytest.mark.parametrize("function", [distances, of_sizes])
def test_sums_of_a_constant_and_what_has_no_sign_are_large(function):
    assert "root_of_large(" in text_of(function)


@pytest.mark.parametrize("function", [of_any, of_products, of_differences, of_quotients, near_zero])
def test_what_may_be_small_or_negative_is_not(function):
    assert "root_of_large(" not in text_of(function)


def test_other_types_and_fast_functions_have_roots_of_their_own():
    assert "root_of_large(" not in text_of(distances, np.float64)
    assert "root_of_large(" not in text_of(distances, fastmath=True)


@pytest.mark.gpu
def test_roots_without_tests_have_the_same_bits():
    bits = np.arange(0, 2**32, 257, dtype=np.uint64).astype(np.uint32)
    x = np.concatenate([bits.view(np.float32), np.array([np.inf, -np.inf, np.nan, 0, 1e-45], np.float32)])
    got, expected = np.zeros_like(x), np.zeros_like(x)
    weft.jit(distances, device="cuda")(x, got)
    with np.errstate(all="ignore"):
        expected = np.sqrt(x * x + SMALL)
    np.testing.assert_array_equal(got, expected)
