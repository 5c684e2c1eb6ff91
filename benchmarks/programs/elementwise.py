"""Loops without any dependence between iterations."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Arguments, Program, prange


def empty(n):
    for _ in range(n):
        pass


def empty_numba(n):
    for _ in prange(n):
        pass


EMPTY = Program(
    name="empty",
    title="empty loop",
    arguments=lambda size, rng: (size,),
    results=(),
    loops=empty,
    numba=empty_numba,
    numpy=None,
    extents=lambda n: (),
)


def vector_add(a, b, r):
    for i in range(r.shape[0]):
        r[i] = a[i] + b[i]


def vector_add_numba(a, b, r):
    for i in prange(r.shape[0]):
        r[i] = a[i] + b[i]


def vector_add_numpy(a, b, r):
    np.add(a, b, out=r)


def two_vectors(size: int, rng: np.random.Generator) -> Arguments:
    return rng.random(size, np.float32), rng.random(size, np.float32), np.zeros(size, np.float32)


VECTOR_ADD = Program(
    name="vector_add",
    title="vector addition, float32",
    arguments=two_vectors,
    results=(2,),
    loops=vector_add,
    numba=vector_add_numba,
    numpy=vector_add_numpy,
    extents=lambda a, b, r: (r.size,),
)


def saxpy(alpha, x, y):
    for i in range(y.shape[0]):
        y[i] = alpha * x[i] + y[i]


def saxpy_numba(alpha, x, y):
    for i in prange(y.shape[0]):
        y[i] = alpha * x[i] + y[i]


def saxpy_numpy(alpha, x, y):
    y += alpha * x


SAXPY = Program(
    name="saxpy",
    title="saxpy, float32",
    # A small factor: the same y is added to in every call of a measurement.
    arguments=lambda size, rng: (np.float32(1e-6), rng.random(size, np.float32), rng.random(size, np.float32)),
    results=(2,),
    loops=saxpy,
    numba=saxpy_numba,
    numpy=saxpy_numpy,
    extents=lambda alpha, x, y: (y.size,),
)


def normal_distribution(d):
    k = 1.0 / (1.0 + 0.2316419 * abs(d))
    poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = 0.3989422804014327 * np.exp(-0.5 * d * d) * poly
    return 1.0 - tail if d > 0.0 else tail


def black_scholes(price, strike, years, riskfree, volatility, call, put):
    for i in range(price.shape[0]):
        spread = volatility * np.sqrt(years[i])
        growth = riskfree + 0.5 * volatility * volatility
        d1 = (np.log(price[i] / strike[i]) + growth * years[i]) / spread
        d2 = d1 - spread
        discounted = strike[i] * np.exp(-riskfree * years[i])
        n1 = normal_distribution(d1)
        n2 = normal_distribution(d2)
        call[i] = price[i] * n1 - discounted * n2
        put[i] = discounted * (1.0 - n2) - price[i] * (1.0 - n1)


try:
    from numba import njit

    normal_distribution_numba = njit(normal_distribution)
except ImportError:
    normal_distribution_numba = normal_distribution


def black_scholes_numba(price, strike, years, riskfree, volatility, call, put):
    for i in prange(price.shape[0]):
        spread = volatility * np.sqrt(years[i])
        growth = riskfree + 0.5 * volatility * volatility
        d1 = (np.log(price[i] / strike[i]) + growth * years[i]) / spread
        d2 = d1 - spread
        discounted = strike[i] * np.exp(-riskfree * years[i])
        n1 = normal_distribution_numba(d1)
        n2 = normal_distribution_numba(d2)
        call[i] = price[i] * n1 - discounted * n2
        put[i] = discounted * (1.0 - n2) - price[i] * (1.0 - n1)


def normal_distribution_numpy(d):
    k = 1.0 / (1.0 + 0.2316419 * np.abs(d))
    poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = 0.3989422804014327 * np.exp(-0.5 * d * d) * poly
    return np.where(d > 0.0, 1.0 - tail, tail)


def black_scholes_numpy(price, strike, years, riskfree, volatility, call, put):
    spread = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (riskfree + 0.5 * volatility * volatility) * years) / spread
    d2 = d1 - spread
    discounted = strike * np.exp(-riskfree * years)
    n1, n2 = normal_distribution_numpy(d1), normal_distribution_numpy(d2)
    call[:] = price * n1 - discounted * n2
    put[:] = discounted * (1.0 - n2) - price * (1.0 - n1)


def options(size: int, rng: np.random.Generator) -> Arguments:
    price, strike, years = rng.uniform(5, 30, size), rng.uniform(1, 100, size), rng.uniform(0.25, 10, size)
    return price, strike, years, 0.02, 0.30, np.zeros(size), np.zeros(size)


BLACK_SCHOLES = Program(
    name="black_scholes",
    title="Black-Scholes, float64",
    arguments=options,
    results=(5, 6),
    loops=black_scholes,
    numba=black_scholes_numba,
    numpy=black_scholes_numpy,
    extents=lambda price, *rest: (price.size,),
    tolerance=1e-13,
)


def gather(x, index, r):
    for i in range(r.shape[0]):
        r[i] = 2.0 * x[index[i]] + 1.0


def gather_numba(x, index, r):
    for i in prange(r.shape[0]):
        r[i] = 2.0 * x[index[i]] + 1.0


def gather_numpy(x, index, r):
    np.multiply(x[index], 2.0, out=r)
    r += 1.0


GATHER = Program(
    name="gather",
    title="indirect read, float64",
    # A table that fits in the first cache: this is where the check of an index costs most.
    arguments=lambda size, rng: (rng.random(2048), rng.integers(0, 2048, size), np.zeros(size)),
    results=(2,),
    loops=gather,
    numba=gather_numba,
    numpy=gather_numpy,
    extents=lambda x, index, r: (r.size,),
)
