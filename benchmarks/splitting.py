"""Loops in pieces: what the layer costs, and time steps on a cluster beside the same chunks by hand.

`python -m benchmarks.splitting` prints the rows of `records/splitting.md`. Runs that are compared take turns, and the
shortest of each counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import weft
from weft.errors import DeviceError

HALVES = ("opencl:0.0", "opencl:0.1")
STEPS = 32


def jacobi(u: Any, v: Any, steps: int) -> Any:
    """Steps of a mean over four neighbours."""
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u
    return u


def step(u: Any, v: Any) -> None:
    """One step."""
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def by_hand(start: Any, steps: int, chunks: int) -> Any:
    """The same with `map_overlap`: one exchange for each step, the step compiled by Weft."""
    import dask.array as da

    x = da.from_array(start, chunks=(-(-start.shape[0] // chunks), -1))
    compiled = weft.jit(step, device="cpu")

    def chunk(block: Any) -> Any:
        block = np.ascontiguousarray(block)
        result = block.copy()
        compiled(block, result)
        return result

    for _ in range(steps):
        x = x.map_overlap(chunk, depth={0: 1, 1: 0}, boundary="none", dtype=x.dtype, meta=np.empty((0, 0)))
    return x.compute()


def in_turn(runs: int, *calls: Callable[[], object]) -> list[float]:
    """The shortest time of each call, in seconds."""
    found = [float("inf")] * len(calls)
    for _ in range(runs):
        for k, call in enumerate(calls):
            begun = time.perf_counter()
            call()
            found[k] = min(found[k], time.perf_counter() - begun)
    return found


def clusters(size: int = 2000) -> None:
    """Steps on one and two worker processes."""
    from distributed import Client, LocalCluster

    start = np.random.default_rng(0).random((size, size))
    wanted = start.copy(), start.copy()
    result = weft.jit(jacobi, device="cpu")(*wanted, STEPS)
    for workers in (1, 2):
        with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as local, Client(local):
            distributed = weft.cluster(jacobi, pieces=2)
            equal = np.array_equal(_run(distributed, start), result)
            equal = equal and np.array_equal(by_hand(start, STEPS, 2), result)
            ours, hand = in_turn(3, lambda call=distributed: _run(call, start), lambda: by_hand(start, STEPS, 2))
            what = f"Jacobi {size} x {size}, {STEPS} steps"
            print(f"| {what} | {workers} | {ours:.2f} s | {hand:.2f} s | {hand / ours:.2f} | {equal} |")


def _run(call: Callable[..., Any], start: Any) -> Any:
    """The result of the steps, on copies."""
    return call(start.copy(), start.copy(), STEPS)


def layer() -> None:
    """A call over two devices beside one on the whole device, on arrays so small that only the layer counts."""
    u, v = np.zeros((8, 8)), np.zeros((8, 8))
    split, whole = weft.jit(step, device=HALVES), weft.jit(step, device="opencl")
    for _ in range(5):
        split(u, v)
        whole(u, v)
    times = in_turn(300, lambda: split(u, v), lambda: whole(u, v))
    print(f"| a call on 8 x 8 | {1e6 * times[0]:.0f} us | {1e6 * times[1]:.0f} us |")


def halves(size: int = 3000) -> None:
    """Two halves of an OpenCL device beside the whole one."""
    u, v = np.random.default_rng(0).random((size, size)), np.zeros((size, size))
    split, whole = weft.jit(step, device=HALVES), weft.jit(step, device="opencl")
    for _ in range(4):
        split(u, v)
        whole(u, v)
    times = in_turn(9, lambda: split(u, v), lambda: whole(u, v))
    split_ms, whole_ms = (1e3 * seconds for seconds in times)
    print(f"| Jacobi step {size} x {size} | {split_ms:.1f} ms | {whole_ms:.1f} ms | {whole_ms / split_ms:.2f} |")


def main() -> None:
    """Print all rows."""
    try:
        layer()
        halves()
    except DeviceError as error:
        print(error)
    clusters()


if __name__ == "__main__":
    from benchmarks import splitting  # workers import functions by this name

    splitting.main()
