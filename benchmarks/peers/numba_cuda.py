"""numba-cuda: one thread an element, as its manual begins, and the tiles in shared memory with which it goes on."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from benchmarks.gpu_data_peers import library
from benchmarks.peers import Make, Peer

with suppress(ImportError):  # what its .pth file does, which nobody reads in a folder on PYTHONPATH
    importlib.import_module("_numba_cuda_redirector")
cuda: Any = library("numba.cuda") or importlib.import_module("numba.cuda")
float32 = importlib.import_module("numba").float32

THREADS = {1: (256,), 2: (32, 8), 3: (32, 4, 2)}
TILE = 32
PADDED = TILE + 1
ROWS = 8
PARTS = 1024


def grid(shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The blocks that cover an array, the last axis along x, and their threads."""
    block = THREADS[len(shape)]
    return tuple(-(-extent // edge) for extent, edge in zip(shape[::-1], block, strict=True)), block


def _last(*arrays: Any) -> tuple[int, ...]:
    shape: tuple[int, ...] = arrays[-1].shape
    return shape


def per_element(kernel: Any, over: Callable[..., tuple[int, ...]] = _last, *factors: float, answer: int = -1) -> Make:
    """One thread for each element of a shape; the answer is the array at a position."""

    def make(*arrays: Any) -> Callable[[], Any]:
        views = [cuda.as_cuda_array(array) for array in arrays]
        more = [arrays[0].dtype.type(factor) for factor in factors]
        blocks, threads = grid(over(*arrays))

        def call() -> Any:
            kernel[blocks, threads](*views, *more)
            return arrays[answer]

        return call

    return make


def jitted(**options: Any) -> Callable[[Callable[..., None]], Any]:
    """The decorator for kernels."""
    decorate: Callable[[Callable[..., None]], Any] = cuda.jit(**options)
    return decorate


# ------------------------------------------------------------------------------------------- one thread an element


@jitted()
def added(a, b, c):  # type: ignore[no-untyped-def]
    """``c = a + b``."""
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


@jitted()
def triad(a, b, c, factor):  # type: ignore[no-untyped-def]
    """``a = b + factor * c``."""
    i = cuda.grid(1)
    if i < a.size:
        a[i] = b[i] + factor * c[i]


@jitted()
def jacobi(u, v, quarter):  # type: ignore[no-untyped-def]
    """One step of the five-point stencil."""
    j, i = cuda.grid(2)
    if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1:
        v[i, j] = quarter * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


@jitted()
def seven_points(u, v, middle, around):  # type: ignore[no-untyped-def]
    """One step of the seven-point stencil."""
    k, j, i = cuda.grid(3)
    if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1 and 0 < k < u.shape[2] - 1:
        v[i, j, k] = middle * u[i, j, k] + around * (
            u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k] + u[i, j, k - 1] + u[i, j, k + 1]
        )


@jitted(device=True)
def ring(u, i, j, k, d):  # type: ignore[no-untyped-def]
    """The six points at a distance."""
    return u[i - d, j, k] + u[i + d, j, k] + u[i, j - d, k] + u[i, j + d, k] + u[i, j, k - d] + u[i, j, k + d]


@jitted()
def star(u, v, middle, one, two, three, four):  # type: ignore[no-untyped-def]
    """One step of the stencil of 25 points."""
    k, j, i = cuda.grid(3)
    if 4 <= i < u.shape[0] - 4 and 4 <= j < u.shape[1] - 4 and 4 <= k < u.shape[2] - 4:
        near = one * ring(u, i, j, k, 1) + two * ring(u, i, j, k, 2)
        far = three * ring(u, i, j, k, 3) + four * ring(u, i, j, k, 4)
        v[i, j, k] = middle * u[i, j, k] + near + far


@jitted()
def product(a, b, c):  # type: ignore[no-untyped-def]
    """A thread for each element of a matrix product."""
    j, i = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = a[0, 0] - a[0, 0]
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total


@jitted()
def convolution(u, w, v):  # type: ignore[no-untyped-def]
    """A thread for each point of the picture."""
    j, i = cuda.grid(2)
    if 8 <= i < u.shape[0] - 8 and 8 <= j < u.shape[1] - 8:
        total = u[i, j] - u[i, j]
        for p in range(17):
            for q in range(17):
                total += w[p, q] * u[i + p - 8, j + q - 8]
        v[i, j] = total


@jitted()
def row_sums(x, out):  # type: ignore[no-untyped-def]
    """A thread for each row."""
    i = cuda.grid(1)
    if i < out.size:
        total = x[i, 0] - x[i, 0]
        for j in range(x.shape[1]):
            total += x[i, j]
        out[i] = total


@jitted()
def column_sums(x, out):  # type: ignore[no-untyped-def]
    """A thread for each column."""
    j = cuda.grid(1)
    if j < out.size:
        total = x[0, j] - x[0, j]
        for i in range(x.shape[0]):
            total += x[i, j]
        out[j] = total


@jitted()
def transposed(x, out):  # type: ignore[no-untyped-def]
    """A thread for each element of the result."""
    i, j = cuda.grid(2)
    if j < out.shape[0] and i < out.shape[1]:
        out[j, i] = x[i, j]


@jitted()
def planes_last(x, out):  # type: ignore[no-untyped-def]
    """A thread for each element of the result."""
    j, i, k = cuda.grid(3)
    if k < out.shape[0] and i < out.shape[1] and j < out.shape[2]:
        out[k, i, j] = x[i, j, k]


@jitted()
def softmax(x, out):  # type: ignore[no-untyped-def]
    """A thread for each row."""
    i = cuda.grid(1)
    if i < x.shape[0]:
        largest = x[i, 0]
        for j in range(x.shape[1]):
            largest = max(largest, x[i, j])
        total = x[i, 0] - x[i, 0]
        for j in range(x.shape[1]):
            out[i, j] = math.exp(x[i, j] - largest)
            total += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] /= total


@jitted()
def histogram(x, counts):  # type: ignore[no-untyped-def]
    """Atomic additions to the counts."""
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(counts, x[i], 1)


@jitted()
def sparse_product(starts, columns, values, x, y):  # type: ignore[no-untyped-def]
    """A thread for each row."""
    i = cuda.grid(1)
    if i < y.size:
        total = x[0] - x[0]
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[columns[k]]
        y[i] = total


def bodies(p, a, softening):  # type: ignore[no-untyped-def]
    """A thread for each body."""
    i = cuda.grid(1)
    if i < p.shape[0]:
        zero = p[0, 0] - p[0, 0]
        ax, ay, az = zero, zero, zero
        for j in range(p.shape[0]):
            dx = p[j, 0] - p[i, 0]
            dy = p[j, 1] - p[i, 1]
            dz = p[j, 2] - p[i, 2]
            r = dx * dx + dy * dy + dz * dz + softening
            w = p[j, 3] / (r * math.sqrt(r))
            ax += dx * w
            ay += dy * w
            az += dz * w
        a[i, 0] = ax
        a[i, 1] = ay
        a[i, 2] = az


def options(price, strike, years, call, put):  # type: ignore[no-untyped-def]
    """A thread for each option."""
    i = cuda.grid(1)
    if i < price.size:
        root = math.sqrt(years[i])
        d1 = (math.log(price[i] / strike[i]) + float32(0.065) * years[i]) / (float32(0.3) * root)
        d2 = d1 - float32(0.3) * root
        n1 = float32(0.5) * math.erfc(-d1 * float32(0.70710678))
        n2 = float32(0.5) * math.erfc(-d2 * float32(0.70710678))
        e = strike[i] * math.exp(float32(-0.02) * years[i])
        call[i] = price[i] * n1 - e * n2
        put[i] = e * (float32(1) - n2) - price[i] * (float32(1) - n1)


# ----------------------------------------------------------------------------------------------------- with tiles


@jitted()
def product_tiled(a, b, c):  # type: ignore[no-untyped-def]
    """Tiles of both factors in shared memory, one thread an element: the manual's fast product."""
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    total = float32(0)
    for step in range((a.shape[1] + TILE - 1) // TILE):
        left[y, x] = 0
        right[y, x] = 0
        if i < a.shape[0] and step * TILE + x < a.shape[1]:
            left[y, x] = a[i, step * TILE + x]
        if j < b.shape[1] and step * TILE + y < b.shape[0]:
            right[y, x] = b[step * TILE + y, j]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[y, k] * right[k, x]
        cuda.syncthreads()
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = total


@jitted()
def transposed_tiled(x, out):  # type: ignore[no-untyped-def]
    """The classic tile of 32 by 33 in shared memory."""
    tile = cuda.shared.array((TILE, PADDED), float32)
    i0, j0 = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    column, row = cuda.threadIdx.x, cuda.threadIdx.y
    for k in range(0, TILE, ROWS):
        if i0 + row + k < x.shape[0] and j0 + column < x.shape[1]:
            tile[row + k, column] = x[i0 + row + k, j0 + column]
    cuda.syncthreads()
    for k in range(0, TILE, ROWS):
        if j0 + row + k < out.shape[0] and i0 + column < out.shape[1]:
            out[j0 + row + k, i0 + column] = tile[column, row + k]


@jitted()
def sums_of_parts(x, out):  # type: ignore[no-untyped-def]
    """A sum for each block: a stride over the grid, then a tree in shared memory."""
    shared = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    total = float32(0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        total += x[i]
    shared[t] = total
    cuda.syncthreads()
    half = 128
    while half:
        if t < half:
            shared[t] += shared[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        out[cuda.blockIdx.x] = shared[0]


@jitted()
def row_sums_tiled(x, out):  # type: ignore[no-untyped-def]
    """A block for each row, and a tree in shared memory."""
    shared = cuda.shared.array(256, float32)
    t, i = cuda.threadIdx.x, cuda.blockIdx.x
    total = float32(0)
    for j in range(t, x.shape[1], 256):
        total += x[i, j]
    shared[t] = total
    cuda.syncthreads()
    half = 128
    while half:
        if t < half:
            shared[t] += shared[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        out[i] = shared[0]


@jitted()
def column_sums_tiled(x, out):  # type: ignore[no-untyped-def]
    """A block for 32 columns, 8 threads for each."""
    shared = cuda.shared.array((ROWS, TILE), float32)
    column, row = cuda.threadIdx.x, cuda.threadIdx.y
    j = cuda.blockIdx.x * TILE + column
    total = float32(0)
    if j < x.shape[1]:
        for i in range(row, x.shape[0], ROWS):
            total += x[i, j]
    shared[row, column] = total
    cuda.syncthreads()
    if row == 0 and j < x.shape[1]:
        for k in range(1, ROWS):
            total += shared[k, column]
        out[j] = total


@jitted()
def histogram_tiled(x, counts):  # type: ignore[no-untyped-def]
    """Counts of each block in shared memory."""
    mine = cuda.shared.array(256, np.int32)
    t = cuda.threadIdx.x
    mine[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(mine, x[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(counts, t, mine[t])


def launched(kernel: Any, shape: Callable[..., tuple[Any, Any]]) -> Make:
    """A kernel with a grid and a block of its own; it writes the last array."""

    def make(*arrays: Any) -> Callable[[], Any]:
        views = [cuda.as_cuda_array(array) for array in arrays]
        blocks, threads = shape(*arrays)

        def call() -> Any:
            kernel[blocks, threads](*views)
            return arrays[-1]

        return call

    return make


def steps(u: Any, v: Any) -> Callable[[], Any]:
    """57 launches of a step."""
    views, quarter = [cuda.as_cuda_array(array) for array in (u, v)], u.dtype.type(0.25)
    blocks, threads = grid(u.shape)

    def call() -> Any:
        for number in range(57):
            jacobi[blocks, threads](views[number % 2], views[1 - number % 2], quarter)
        return v

    return call


def automatic_sum(x: Any) -> Callable[[], float]:
    """The library's own reduction."""
    reduce, view = cuda.reduce(lambda a, b: a + b), cuda.as_cuda_array(x)
    return lambda: float(reduce(view))


def tiled_sum(x: Any) -> Callable[[], float]:
    """Sums of blocks, summed by one more block."""
    view = cuda.as_cuda_array(x)
    parts, total = cuda.device_array(PARTS, np.float32), cuda.device_array(1, np.float32)

    def call() -> float:
        sums_of_parts[PARTS, 256](view, parts)
        sums_of_parts[1, 256](parts, total)
        return float(total.copy_to_host()[0])

    return call


def flat(kernel: Any, *factors: float, answer: int = -1) -> Make:
    """One thread for each row of the first array; the answer is at a position."""
    return per_element(kernel, lambda *arrays: arrays[0].shape[:1], *factors, answer=answer)


def only_float32(make: Make) -> Make:
    """Refuse other types: the tiles are of float32."""
    return lambda *arrays: make(*arrays) if all(a.dtype.char in "fiB" for a in arrays) else None


def _tiles(x: Any, out: Any) -> tuple[Any, Any]:
    return (-(-x.shape[1] // TILE), -(-x.shape[0] // TILE)), (TILE, ROWS)


_VERSION = f"{importlib.import_module('numba_cuda').__version__} (numba {importlib.import_module('numba').__version__})"
PEERS = (
    Peer(
        "numba-cuda",
        _VERSION,
        {
            "added": per_element(added),
            "triad": per_element(triad, _last, 3.0, answer=0),
            "black_scholes": flat(jitted()(options), answer=3),
            "black_scholes_fast": flat(jitted(fastmath=True)(options), answer=3),
            "jacobi": per_element(jacobi, _last, 0.25),
            "jacobi_steps": steps,
            "seven_points": per_element(seven_points, _last, 0.4, 0.1),
            "star": per_element(star, _last, 0.3, 0.08, 0.02, 0.01, 0.005),
            "transposed": per_element(transposed, lambda x, out: x.shape[::-1]),
            "planes_last": per_element(planes_last, lambda x, out: (x.shape[2], x.shape[0], x.shape[1])),
            "summed": automatic_sum,
            "row_sums": per_element(row_sums),
            "column_sums": per_element(column_sums),
            "softmax": flat(softmax),
            "histogram": flat(histogram),
            "product": per_element(product),
            "bodies": flat(jitted()(bodies), 1e-9),
            "bodies_fast": flat(jitted(fastmath=True)(bodies), 1e-9),
            "sparse_product": per_element(sparse_product),
            "convolution": per_element(convolution),
        },
    ),
    Peer(
        "numba-cuda tiled",
        _VERSION,
        {
            "transposed": only_float32(launched(transposed_tiled, _tiles)),
            "summed": only_float32(tiled_sum),
            "row_sums": only_float32(launched(row_sums_tiled, lambda x, out: (x.shape[0], 256))),
            "column_sums": only_float32(
                launched(column_sums_tiled, lambda x, out: (-(-x.shape[1] // TILE), (TILE, ROWS)))
            ),
            "histogram": launched(histogram_tiled, lambda x, counts: (PARTS, 256)),
            "product": only_float32(
                launched(
                    product_tiled, lambda a, b, c: ((-(-c.shape[1] // TILE), -(-c.shape[0] // TILE)), (TILE, TILE))
                )
            ),
        },
    ),
)
