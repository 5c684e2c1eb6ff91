"""The radix-2 Fourier transform by Stockham: no bit reversal, two buffers that are swapped after each stage."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Arguments, Program, prange


def fft(signal, twiddle, result, work):
    n = signal.shape[0]
    stages = 0
    m = n
    while m > 1:
        m //= 2
        stages += 1
    x, y = result, work
    if stages % 2 == 1:
        x, y = work, result
    for i in range(n):
        x[i] = signal[i]
    half = n // 2
    stride = 1
    for _ in range(stages):
        for p in range(half):
            w = twiddle[p * stride]
            for q in range(stride):
                a = x[q + stride * p]
                b = x[q + stride * (p + half)]
                y[q + stride * (2 * p)] = a + b
                y[q + stride * (2 * p + 1)] = (a - b) * w
        x, y = y, x
        half //= 2
        stride *= 2


def fft_numba(signal, twiddle, result, work):
    n = signal.shape[0]
    stages = 0
    m = n
    while m > 1:
        m //= 2
        stages += 1
    x, y = result, work
    if stages % 2 == 1:
        x, y = work, result
    for i in prange(n):
        x[i] = signal[i]
    half = n // 2
    stride = 1
    for _ in range(stages):
        # One flat parallel loop: in the last stages the loop over p has few iterations, in the first that over q.
        for k in prange(n // 2):
            p = k // stride
            q = k - p * stride
            a = x[q + stride * p]
            b = x[q + stride * (p + half)]
            y[q + stride * (2 * p)] = a + b
            y[q + stride * (2 * p + 1)] = (a - b) * twiddle[p * stride]
        x, y = y, x
        half //= 2
        stride *= 2


def fft_numpy(signal, twiddle, result, work):
    np.fft.fft(signal, out=result)


def signal_and_factors(size: int, rng: np.random.Generator) -> Arguments:
    signal = rng.standard_normal(size) + 1j * rng.standard_normal(size)
    twiddle = np.exp(-2j * np.pi * np.arange(size // 2) / size)
    return signal, twiddle, np.zeros(size, np.complex128), np.zeros(size, np.complex128)


FFT = Program(
    name="fft",
    title="radix-2 FFT, complex128",
    arguments=signal_and_factors,
    results=(2,),
    loops=fft,
    numba=fft_numba,
    numpy=fft_numpy,
    extents=lambda signal, *rest: (signal.size,),
    tolerance=1e-12,
)
