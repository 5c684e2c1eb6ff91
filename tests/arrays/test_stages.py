"""Transforms in stages over blocks, as one writes them in NumPy: views of one array that are written in place."""

from __future__ import annotations

import numpy as np
import pytest

import weft

random = np.random.default_rng(512)


def fft(x):
    n, k = len(x), len(x).bit_length() - 1
    for i in range(k):
        m = n >> (i + 1)
        s = x.reshape(1 << i, 2, m)
        w = np.exp(-1j * np.pi * np.arange(m) / m)
        s[:, 0], s[:, 1] = s[:, 0] + s[:, 1], (s[:, 0] - s[:, 1]) * w
    for i in range(k - 1):
        m = n >> (i + 1)
        x = x.reshape(1 << i, m, 2).transpose(0, 2, 1).reshape(n)
    return x


def fft_of_rows(x):
    b, n = x.shape
    k = n.bit_length() - 1
    for i in range(k):
        m = n >> (i + 1)
        s = x.reshape(b, 1 << i, 2, m)
        w = np.exp(-1j * np.pi * np.arange(m) / m)
        s[:, :, 0], s[:, :, 1] = s[:, :, 0] + s[:, :, 1], (s[:, :, 0] - s[:, :, 1]) * w
    for i in range(k - 1):
        m = n >> (i + 1)
        x = x.reshape(b, 1 << i, m, 2).transpose(0, 1, 3, 2).reshape(b, n)
    return x


def fft_in_time(x):
    n, k = len(x), len(x).bit_length() - 1
    for i in range(k - 1):
        x = x.reshape(1 << i, n >> (i + 1), 2).transpose(0, 2, 1).reshape(n)
    x = x.copy()
    for i in reversed(range(k)):
        m = n >> (i + 1)
        s = x.reshape(-1, 2, m)
        t = s[:, 1] * np.exp(-1j * np.pi * np.arange(m) / m)
        s[:, 0], s[:, 1] = s[:, 0] + t, s[:, 0] - t
    return x


def fft_in_loops(x):
    n, k = len(x), len(x).bit_length() - 1
    for i in range(k):
        m = n >> (i + 1)
        s = x.reshape(1 << i, 2, m)
        for e in range(1 << i):
            for j in range(m):
                a, b = s[e, 0, j], s[e, 1, j]
                s[e, 0, j] = a + b
                s[e, 1, j] = (a - b) * np.exp(-1j * np.pi * j / m)
    for i in range(k - 1):
        x = x.reshape(1 << i, n >> (i + 1), 2).transpose(0, 2, 1).reshape(n)
    return x


def hadamard(x):
    for i in range(len(x).bit_length() - 1):
        s = x.reshape(1 << i, 2, -1)
        s[:, 0], s[:, 1] = s[:, 0] + s[:, 1], s[:, 0] - s[:, 1]
    return x


def haar(x):
    for i in range(len(x).bit_length() - 1):
        m = len(x) >> i
        a = x[:m].reshape(m // 2, 2)
        x[: m // 2], x[m // 2 : m] = (a[:, 0] + a[:, 1]) / 2, (a[:, 0] - a[:, 1]) / 2
    return x


def numbers(*shape):
    return random.standard_normal(shape) + 1j * random.standard_normal(shape)


@pytest.mark.parametrize("function", [fft, fft_in_time, fft_in_loops])
@pytest.mark.parametrize("n", [1, 2, 4, 64, 512])
def test_fft(function, n):
    x = numbers(n)
    np.testing.assert_allclose(weft.jit(function)(x.copy()), np.fft.fft(x), rtol=1e-12, atol=1e-12)


def test_fft_of_rows():
    x = numbers(5, 16)
    np.testing.assert_allclose(weft.jit(fft_of_rows)(x.copy()), np.fft.fft(x), rtol=1e-12, atol=1e-12)


def test_fft_of_single_precision():
    x = numbers(64).astype(np.complex64)
    found = weft.jit(fft)(x.copy())
    assert found.dtype == np.complex64
    np.testing.assert_allclose(found, np.fft.fft(x), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("function", [hadamard, haar])
@pytest.mark.parametrize("n", [1, 2, 8, 256])
def test_real_transforms(function, n, on_four_threads):
    before = random.standard_normal(n)
    after = before.copy()
    np.testing.assert_array_equal(weft.jit(function)(after), function(before))
    np.testing.assert_array_equal(after, before)


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", [hadamard, fft])
def test_through_opencl(function):
    x = numbers(32) if function is fft else random.standard_normal(32)
    found = weft.jit(function, device="opencl")(x.copy())
    np.testing.assert_allclose(found, function(x.copy()), rtol=1e-12, atol=1e-12)


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
def test_a_stage_is_two_launches():
    """The factors, and the sums and differences; the order of bits is one."""
    source = weft.jit(fft, device="opencl").inspect(numbers(32)).source
    assert source.count("__kernel") == 3


def test_stages_are_parallel():
    assert "sequential" not in {loop.verdict for loop in weft.explain(weft.jit(hadamard), np.zeros(64)).loops[1:]}


LARGE = 2**63
WHOLE = (0, 1, -1, 2, -2, 3, -4, 5, -5, 7, 8, 2**62, -(2**62), LARGE - 1, -LARGE, 1 - LARGE, 2**32, 2**32 - 1, True)


@pytest.mark.parametrize("number", WHOLE)
def test_bits_of_integers(number):
    @weft.jit
    def bits(x):
        return x.bit_length(), x.bit_count(), (5).bit_length()

    assert bits(number) == (number.bit_length(), number.bit_count(), 3)
