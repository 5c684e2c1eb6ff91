"""Kernels written by hand for tests: of OpenCL C, of CUDA C++ and of C, with what they compute in NumPy."""

from __future__ import annotations

import numpy as np

import weft
from weft.autotune.foreign.kernel import Kernel

SCALE = """
__kernel void scale(__global const T *x, __global T *y, T a, int n) {
    int i = get_global_id(0);
    if (i < n) y[i] = a * x[i];
}
"""
CONVOLUTION = """
__kernel void conv(__global const float *x, __constant float *mask, __global float *y, int n, int m,
                   __local float *part) {
    int i = get_global_id(0), l = get_local_id(0), first = get_group_id(0) * WG;
    for (int k = l; k < WG + m - 1; k += WG) part[k] = first + k < n + m - 1 ? x[first + k] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n) return;
    float s = 0.0f;
    for (int k = 0; k < m; k++) s += part[l + k] * mask[k];
    y[i] = s;
}
"""
MATRIX = """
__kernel void transpose(__global const double *a, __global double *b, int rows, int columns) {
    __local double tile[TILE][TILE + 1];
    int c = get_global_id(0), r = get_global_id(1);
    if (r < rows && c < columns) tile[get_local_id(1)][get_local_id(0)] = a[r * columns + c];
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = get_group_id(0) * TILE + get_local_id(1), j = get_group_id(1) * TILE + get_local_id(0);
    if (i < columns && j < rows) b[i * rows + j] = tile[get_local_id(0)][get_local_id(1)];
}
"""
PRODUCT = """
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void product(const __global float *restrict a, /* rows, then columns */
             __global float b[], // n by n
             __global float *c, int n) {
    __local float left[TILE][TILE], right[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float s = 0.0f;
    for (int t = 0; t < n; t += TILE) {
        left[y][x] = row < n && t + x < n ? a[row * n + t + x] : 0.0f;
        right[y][x] = column < n && t + y < n ? b[(t + y) * n + column] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++) s += left[y][k] * right[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n && column < n) c[row * n + column] = s;
}
"""
SMOOTH = """
__kernel void smooth(__global float *u, __global const float *v, float w) {
    int i = get_global_id(0);
    if (i > 0 && i < (int)get_global_size(0) - 1) u[i] = u[i] + w * (v[i - 1] - 2.0f * v[i] + v[i + 1]);
}
"""
TWO_OUTPUTS = """
__kernel void parts(__global const int *x, __global long *even, __global uchar *odd, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    if (x[i] % 2 == 0) even[i] = 3L * x[i];
    else odd[i] = (uchar)(x[i] & 255);
}
"""
C_TEXT = "void twice(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }"
CUDA_TEXT = """
__global__ void scale(const float *x, float *y, float a, int n) {
    extern __shared__ float part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    if (i < n) y[i] = a * part[threadIdx.x];
}
"""

C_TYPES = {
    "float32": "float", "float64": "double", "int8": "char", "uint8": "uchar", "int16": "short", "uint16": "ushort",
    "int32": "int", "uint32": "uint", "int64": "long", "uint64": "ulong",
}  # fmt: skip


def _scaled(x, y, a, n):
    y.reshape(-1)[:n] = (x.dtype.type(a) * x.reshape(-1)[:n]).astype(x.dtype)


def scale_of(dtype: str) -> Kernel:
    """``y = a * x`` for a type."""
    return weft.kernel(
        SCALE.replace("T *", f"{C_TYPES[dtype]} *").replace("T a", f"{C_TYPES[dtype]} a"),
        "scale",
        arguments=(weft.In("x"), weft.Out("y"), "a", "n"),
        grid=lambda n: (n,),
        block=("wg",),
        tunables={"wg": [16, 64, 256]},
        touches=lambda i: {"x": i, "y": i},
        reference=_scaled,
    )


scale = scale_of("float32")

conv = weft.kernel(
    CONVOLUTION,
    "conv",
    arguments=(weft.In("x"), weft.In("mask"), weft.Out("y"), "n", "m"),
    grid=lambda n: (n,),
    block=("wg",),
    defines={"WG": "wg"},
    tunables={"wg": [8, 64]},
    local_bytes=lambda mask, wg: (len(mask) + wg - 1) * 4,
    touches=lambda i, m: {"x": slice(i, i + m), "mask": slice(0, m), "y": i},
    reference=lambda x, mask: np.convolve(x, mask[::-1], "valid"),
)

transpose = weft.kernel(
    MATRIX,
    "transpose",
    arguments=(weft.In("a"), weft.Out("b"), "rows", "columns"),
    grid=lambda rows, columns: (columns, rows),
    block=("tile", "tile"),
    defines={"TILE": "tile"},
    tunables={"tile": [4, 8]},
    touches=lambda i, j: {"a": (j, i), "b": (i, j)},
    reference=lambda a: a.T,
)

product = weft.kernel(
    PRODUCT,
    "product",
    arguments=(weft.In("a"), weft.In("b"), weft.Out("c"), "n"),
    grid=lambda n: (n, n),
    block=("TILE", "TILE"),
    tunables={"TILE": [4, 8, 16]},
    touches=lambda i, j: {"a": j, "b": (slice(None), i), "c": (j, i)},
    reference=lambda a, b: a @ b,
)

smooth = weft.kernel(
    SMOOTH,
    "smooth",
    arguments=(weft.InOut("u"), weft.In("v"), "w"),
    grid=lambda u: u.shape,
    block=(1,),
    touches=lambda i: {"u": i, "v": slice(i - 1, i + 2)},
    reference=lambda u, v, w: _smoothed(u, v, w),
)

parts = weft.kernel(
    TWO_OUTPUTS,
    "parts",
    arguments=(weft.In("x"), weft.Out("even"), weft.Out("odd"), "n"),
    grid=lambda n: (n,),
    block=(32,),
    reference=lambda x, even, odd: (
        np.where(x % 2 == 0, 3 * x.astype(np.int64), even),
        np.where(x % 2 == 0, odd, (x & 255).astype(np.uint8)),
    ),
)

twice = weft.kernel(C_TEXT, "twice", arguments=(weft.In("x"), weft.Out("y"), "n"), language="c")

scale_on_cuda = weft.kernel(
    CUDA_TEXT,
    "scale",
    arguments=(weft.In("x"), weft.Out("y"), "a", "n"),
    grid=lambda n: (n,),
    block=("wg",),
    tunables={"wg": [128]},
    local_bytes=lambda wg: 4 * wg,
    reference=lambda x, a: a * x,
)


def _smoothed(u, v, w):
    u[1:-1] += w * (v[:-2] - 2 * v[1:-1] + v[2:])
