"""Warp: one thread an element, its sum, its scan and its sparse product. The kernels are of float32."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from benchmarks.peers import Make, Peer

wp: Any = importlib.import_module("warp")
wp.config.quiet = True
wp.config.enable_backward = False
STEPS = 57
line, plane, cube = wp.array(dtype=wp.float32), wp.array2d(dtype=wp.float32), wp.array3d(dtype=wp.float32)
numbers = wp.array(dtype=wp.int32)


def shared(array: Any) -> Any:
    """The same memory as an array of Warp."""
    return wp.array(data=array, copy=False, device="cuda")


def launching(kernel: Any, shape: Callable[..., Any], answer: int = -1, kind: str = "f") -> Make:
    """One thread for each element of a shape."""

    def make(*arrays: Any) -> Callable[[], Any] | None:
        if arrays[0].dtype.kind != kind or arrays[0].dtype.itemsize != 4:
            return None
        command = wp.launch(kernel, dim=shape(*arrays), inputs=[shared(a) for a in arrays], record_cmd=True)

        def call() -> Any:
            command.launch()
            return arrays[answer]

        return call

    return make


def last(*arrays: Any) -> Any:
    """The shape of the last array."""
    return arrays[-1].shape


@wp.kernel
def added(a: line, b: line, c: line):  # type: ignore[no-untyped-def]
    i = wp.tid()
    c[i] = a[i] + b[i]


@wp.kernel
def triad(a: line, b: line, c: line):  # type: ignore[no-untyped-def]
    i = wp.tid()
    a[i] = b[i] + 3.0 * c[i]


@wp.kernel
def jacobi(u: plane, v: plane):  # type: ignore[no-untyped-def]
    i, j = wp.tid()
    if i > 0 and j > 0 and i < u.shape[0] - 1 and j < u.shape[1] - 1:
        v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


@wp.kernel
def seven_points(u: cube, v: cube):  # type: ignore[no-untyped-def]
    i, j, k = wp.tid()
    if i > 0 and j > 0 and k > 0 and i < u.shape[0] - 1 and j < u.shape[1] - 1 and k < u.shape[2] - 1:
        v[i, j, k] = 0.4 * u[i, j, k] + 0.1 * (
            u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k] + u[i, j, k - 1] + u[i, j, k + 1]
        )


@wp.func
def ring(u: cube, i: int, j: int, k: int, d: int):  # type: ignore[no-untyped-def]
    return u[i - d, j, k] + u[i + d, j, k] + u[i, j - d, k] + u[i, j + d, k] + u[i, j, k - d] + u[i, j, k + d]


@wp.kernel
def star(u: cube, v: cube):  # type: ignore[no-untyped-def]
    i, j, k = wp.tid()
    if i > 3 and j > 3 and k > 3 and i < u.shape[0] - 4 and j < u.shape[1] - 4 and k < u.shape[2] - 4:
        near = 0.08 * ring(u, i, j, k, 1) + 0.02 * ring(u, i, j, k, 2)
        far = 0.01 * ring(u, i, j, k, 3) + 0.005 * ring(u, i, j, k, 4)
        v[i, j, k] = 0.3 * u[i, j, k] + near + far


@wp.kernel
def transposed(x: plane, out: plane):  # type: ignore[no-untyped-def]
    i, j = wp.tid()
    out[i, j] = x[j, i]


@wp.kernel
def planes_last(x: cube, out: cube):  # type: ignore[no-untyped-def]
    k, i, j = wp.tid()
    out[k, i, j] = x[i, j, k]


@wp.kernel
def row_sums(x: plane, out: line):  # type: ignore[no-untyped-def]
    i = wp.tid()
    total = wp.float32(0.0)
    for j in range(x.shape[1]):
        total += x[i, j]
    out[i] = total


@wp.kernel
def column_sums(x: plane, out: line):  # type: ignore[no-untyped-def]
    j = wp.tid()
    total = wp.float32(0.0)
    for i in range(x.shape[0]):
        total += x[i, j]
    out[j] = total


@wp.kernel
def softmax(x: plane, out: plane):  # type: ignore[no-untyped-def]
    i = wp.tid()
    largest = x[i, 0]
    for j in range(x.shape[1]):
        largest = wp.max(largest, x[i, j])
    total = wp.float32(0.0)
    for j in range(x.shape[1]):
        power = wp.exp(x[i, j] - largest)
        out[i, j] = power
        total += power
    for j in range(x.shape[1]):
        out[i, j] = out[i, j] / total


@wp.kernel
def histogram(x: numbers, counts: numbers):  # type: ignore[no-untyped-def]
    i = wp.tid()
    wp.atomic_add(counts, x[i], 1)


@wp.kernel
def product(a: plane, b: plane, c: plane):  # type: ignore[no-untyped-def]
    i, j = wp.tid()
    total = wp.float32(0.0)
    for k in range(a.shape[1]):
        total += a[i, k] * b[k, j]
    c[i, j] = total


@wp.kernel
def convolution(u: plane, w: plane, v: plane):  # type: ignore[no-untyped-def]
    i, j = wp.tid()
    if i >= 8 and j >= 8 and i < u.shape[0] - 8 and j < u.shape[1] - 8:
        total = wp.float32(0.0)
        for p in range(17):
            for q in range(17):
                total += w[p, q] * u[i + p - 8, j + q - 8]
        v[i, j] = total


@wp.kernel
def bodies(p: plane, a: plane):  # type: ignore[no-untyped-def]
    i = wp.tid()
    x, y, z = p[i, 0], p[i, 1], p[i, 2]
    ax, ay, az = wp.float32(0.0), wp.float32(0.0), wp.float32(0.0)
    for j in range(p.shape[0]):
        dx, dy, dz = p[j, 0] - x, p[j, 1] - y, p[j, 2] - z
        r = dx * dx + dy * dy + dz * dz + 1.0e-9
        w = p[j, 3] / (r * wp.sqrt(r))
        ax += dx * w
        ay += dy * w
        az += dz * w
    a[i, 0] = ax
    a[i, 1] = ay
    a[i, 2] = az


@wp.kernel
def sparse_product(starts: numbers, columns: numbers, values: line, x: line, y: line):  # type: ignore[no-untyped-def]
    i = wp.tid()
    total = wp.float32(0.0)
    for k in range(starts[i], starts[i + 1]):
        total += values[k] * x[columns[k]]
    y[i] = total


def jacobi_steps(u: Any, v: Any) -> Callable[[], Any] | None:
    """57 launches of a step."""
    if u.dtype.itemsize != 4:
        return None
    pairs = [[shared(a) for a in pair] for pair in ((u, v), (v, u))]
    commands = [wp.launch(jacobi, dim=u.shape, inputs=pair, record_cmd=True) for pair in pairs]

    def call() -> Any:
        for number in range(STEPS):
            commands[number % 2].launch()
        return v

    return call


def summed(x: Any) -> Callable[[], float]:
    """Its own sum."""
    array = shared(x)
    return lambda: float(wp.utils.array_sum(array))


def scan(x: Any, out: Any) -> Callable[[], Any]:
    """Its own scan."""
    source, target = shared(x), shared(out)

    def call() -> Any:
        wp.utils.array_scan(source, target, inclusive=True)
        return out

    return call


PEERS = (
    Peer(
        "Warp",
        wp.config.version,
        {
            "added": launching(added, last),
            "triad": launching(triad, last, 0),
            "jacobi": launching(jacobi, last),
            "jacobi_steps": jacobi_steps,
            "seven_points": launching(seven_points, last),
            "star": launching(star, last),
            "transposed": launching(transposed, last),
            "planes_last": launching(planes_last, last),
            "summed": summed,
            "row_sums": launching(row_sums, last),
            "column_sums": launching(column_sums, last),
            "softmax": launching(softmax, lambda x, out: x.shape[:1]),
            "scan": scan,
            "histogram": launching(histogram, lambda x, counts: x.shape, kind="i"),
            "product": launching(product, last),
            "bodies": launching(bodies, lambda p, a: p.shape[:1]),
            "sparse_product": launching(sparse_product, last, -1, "i"),
            "convolution": launching(convolution, last),
        },
    ),
)
