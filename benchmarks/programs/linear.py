"""Sums and products of matrices."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Arguments, Program, prange, side


def matmul(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = np.float32(0.0)
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def matmul_numba(a, b, c):
    for i in prange(c.shape[0]):
        for j in range(c.shape[1]):
            total = np.float32(0.0)
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def matmul_numpy(a, b, c):
    np.matmul(a, b, out=c)


def two_matrices(size: int, rng: np.random.Generator) -> Arguments:
    n = side(size)
    return rng.random((n, n), np.float32), rng.random((n, n), np.float32), np.zeros((n, n), np.float32)


MATMUL = Program(
    name="matmul",
    title="matrix product, float32",
    arguments=two_matrices,
    results=(2,),
    loops=matmul,
    numba=matmul_numba,
    numpy=matmul_numpy,
    extents=lambda a, b, c: (c.shape[0], c.shape[1], a.shape[1]),
    tolerance=3e-5,
    tuned="matmul_tiled",
    growth=1.5,
)


def matmul_double(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def matmul_double_numba(a, b, c):
    for i in prange(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def two_odd_matrices(size: int, rng: np.random.Generator) -> Arguments:
    n = side(size) - 1
    return rng.random((n, n)), rng.random((n, n)), np.zeros((n, n))


MATMUL_DOUBLE = Program(
    name="matmul_double",
    title="matrix product, float64, one row and column less",
    arguments=two_odd_matrices,
    results=(2,),
    loops=matmul_double,
    numba=matmul_double_numba,
    numpy=matmul_numpy,
    extents=lambda a, b, c: (c.shape[0], c.shape[1], a.shape[1]),
    tolerance=1e-13,
    tuned="matmul_double_tiled",
    growth=1.5,
)


def row_sums(a, sums):
    for i in range(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += a[i, j]
        sums[i] = total


def row_sums_numba(a, sums):
    for i in prange(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += a[i, j]
        sums[i] = total


def row_sums_numpy(a, sums):
    np.sum(a, axis=1, out=sums)


def square_and_vector(size: int, rng: np.random.Generator) -> Arguments:
    n = side(size)
    return rng.random((n, n)), np.zeros(n)


ROW_SUMS = Program(
    name="row_sums",
    title="sums of rows, float64",
    arguments=square_and_vector,
    results=(1,),
    loops=row_sums,
    numba=row_sums_numba,
    numpy=row_sums_numpy,
    extents=lambda a, sums: a.shape,
    tolerance=1e-12,
)


def column_sums(a, sums):
    for j in range(a.shape[1]):
        total = 0.0
        for i in range(a.shape[0]):
            total += a[i, j]
        sums[j] = total


def column_sums_numba(a, sums):
    for j in prange(a.shape[1]):
        total = 0.0
        for i in range(a.shape[0]):
            total += a[i, j]
        sums[j] = total


def column_sums_numpy(a, sums):
    np.sum(a, axis=0, out=sums)


COLUMN_SUMS = Program(
    name="column_sums",
    title="sums of columns, float64",
    arguments=square_and_vector,
    results=(1,),
    loops=column_sums,
    numba=column_sums_numba,
    numpy=column_sums_numpy,
    extents=lambda a, sums: a.shape,
    tolerance=1e-12,
)


def sparse_product(first, column, value, x, y):
    for i in range(y.shape[0]):
        total = 0.0
        for k in range(first[i], first[i + 1]):
            total += value[k] * x[column[k]]
        y[i] = total


def sparse_product_numba(first, column, value, x, y):
    for i in prange(y.shape[0]):
        total = 0.0
        for k in range(first[i], first[i + 1]):
            total += value[k] * x[column[k]]
        y[i] = total


def sparse_product_numpy(first, column, value, x, y):
    # Every row has an element, so reduceat does what one hopes.
    np.add.reduceat(value * x[column], first[:-1], out=y)


def sparse_matrix(size: int, rng: np.random.Generator) -> Arguments:
    rows = max(size // 16, 1)
    first = np.zeros(rows + 1, np.int64)
    np.cumsum(rng.integers(1, 32, rows), out=first[1:])
    count = int(first[-1])
    column = rng.integers(0, rows, count, dtype=np.int32)
    return first, column, rng.random(count), rng.random(rows), np.zeros(rows)


SPARSE_PRODUCT = Program(
    name="sparse_product",
    title="sparse matrix times vector, float64",
    arguments=sparse_matrix,
    results=(4,),
    loops=sparse_product,
    numba=sparse_product_numba,
    numpy=sparse_product_numpy,
    extents=lambda first, column, value, x, y: (y.size,),
    tolerance=1e-12,
)


def triangular(a, x, y):
    for i in range(y.shape[0]):
        total = 0.0
        for j in range(i + 1):
            total += a[i, j] * x[j]
        y[i] = total


def triangular_numba(a, x, y):
    for i in prange(y.shape[0]):
        total = 0.0
        for j in range(i + 1):
            total += a[i, j] * x[j]
        y[i] = total


def triangular_numpy(a, x, y):
    np.matmul(np.tril(a), x, out=y)


def lower_triangle(size: int, rng: np.random.Generator) -> Arguments:
    n = side(size)
    return rng.random((n, n)), rng.random(n), np.zeros(n)


TRIANGULAR = Program(
    name="triangular",
    title="triangular matrix times vector, float64",
    arguments=lower_triangle,
    results=(2,),
    loops=triangular,
    numba=triangular_numba,
    numpy=triangular_numpy,
    extents=lambda a, x, y: (y.size,),
    tolerance=1e-12,
)
