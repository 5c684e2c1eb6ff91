"""Kernels for numba-cuda, one thread an element, as its manual writes them; for some of the programs."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from functools import cache
from typing import Any

from benchmarks.program import Program

THREADS = 256
BLOCK = (16, 16)


def problem() -> str:
    """Say why numba-cuda cannot be used; empty where it can."""
    try:
        cuda = importlib.import_module("numba.cuda")
    except ImportError as missing:
        return f"numba-cuda is not there: {missing}"
    return "" if cuda.is_available() else "numba-cuda finds no GPU"


def version(program: Program) -> Callable[..., object] | None:
    """Give a function that launches the kernel of a program over its last array; None where there is no kernel."""
    if program.name not in kernels():
        return None
    kernel = kernels()[program.name]
    return lambda *arguments: kernel[_shape(arguments[program.results[0]], program.name)](*arguments)


def _shape(result: Any, name: str) -> tuple[Any, Any]:
    """Give the grid and the block that cover an array; bodies are rows."""
    if result.ndim == 1 or name == "nbody":
        return (result.shape[0] + THREADS - 1) // THREADS, THREADS
    return tuple((extent + edge - 1) // edge for extent, edge in zip(result.shape[::-1], BLOCK)), BLOCK


@cache
def kernels() -> dict[str, Any]:
    """Compile nothing yet: give the kernels under their decorator."""
    cuda: Any = importlib.import_module("numba.cuda")

    @cuda.jit
    def vector_add(a, b, r):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < r.shape[0]:
            r[i] = a[i] + b[i]

    @cuda.jit
    def saxpy(alpha, x, y):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < y.shape[0]:
            y[i] = alpha * x[i] + y[i]

    @cuda.jit(device=True)
    def normal_distribution(d):  # type: ignore[no-untyped-def]
        k = 1.0 / (1.0 + 0.2316419 * abs(d))
        poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
        tail = 0.3989422804014327 * math.exp(-0.5 * d * d) * poly
        return 1.0 - tail if d > 0.0 else tail

    @cuda.jit
    def black_scholes(price, strike, years, riskfree, volatility, call, put):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < price.shape[0]:
            spread = volatility * math.sqrt(years[i])
            growth = riskfree + 0.5 * volatility * volatility
            d1 = (math.log(price[i] / strike[i]) + growth * years[i]) / spread
            discounted = strike[i] * math.exp(-riskfree * years[i])
            n1 = normal_distribution(d1)
            n2 = normal_distribution(d1 - spread)
            call[i] = price[i] * n1 - discounted * n2
            put[i] = discounted * (1.0 - n2) - price[i] * (1.0 - n1)

    @cuda.jit
    def matmul(a, b, c):  # type: ignore[no-untyped-def]
        j, i = cuda.grid(2)
        if i < c.shape[0] and j < c.shape[1]:
            total = a[0, 0] - a[0, 0]
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total

    @cuda.jit
    def stencil(u, v):  # type: ignore[no-untyped-def]
        j, i = cuda.grid(2)
        if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1:
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])

    @cuda.jit
    def mandelbrot(counts, left, top, step, limit):  # type: ignore[no-untyped-def]
        x, y = cuda.grid(2)
        if y < counts.shape[0] and x < counts.shape[1]:
            cr = left + step * x
            ci = top + step * y
            zr = 0.0
            zi = 0.0
            count = 0
            while count < limit and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                count += 1
            counts[y, x] = count

    @cuda.jit
    def nbody(position, mass, softening, acceleration):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < position.shape[0]:
            ax = 0.0
            ay = 0.0
            az = 0.0
            for j in range(position.shape[0]):
                dx = position[j, 0] - position[i, 0]
                dy = position[j, 1] - position[i, 1]
                dz = position[j, 2] - position[i, 2]
                square = dx * dx + dy * dy + dz * dz + softening
                pull = mass[j] / (square * math.sqrt(square))
                ax += dx * pull
                ay += dy * pull
                az += dz * pull
            acceleration[i, 0] = ax
            acceleration[i, 1] = ay
            acceleration[i, 2] = az

    found = (vector_add, saxpy, black_scholes, matmul, stencil, mandelbrot, nbody)
    return {kernel.py_func.__name__: kernel for kernel in found}
