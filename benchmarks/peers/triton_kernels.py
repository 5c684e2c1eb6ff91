"""Triton: the kernels of its tutorials as they stand there, with float32: vector addition, softmax, matrix product."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from benchmarks.peers import Peer

triton: Any = importlib.import_module("triton")
tl: Any = importlib.import_module("triton.language")
torch: Any = importlib.import_module("torch")


@triton.jit
def add_kernel(a, b, c, count, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """Tutorial 1."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    tl.store(c + offsets, tl.load(a + offsets, mask=mask) + tl.load(b + offsets, mask=mask), mask=mask)


@triton.jit
def triad_kernel(a, b, c, count, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """The same with a factor."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    tl.store(a + offsets, tl.load(b + offsets, mask=mask) + 3.0 * tl.load(c + offsets, mask=mask), mask=mask)


@triton.jit
def softmax_kernel(out, x, rows, columns, BLOCK: tl.constexpr, STAGES: tl.constexpr):  # type: ignore[no-untyped-def]
    """Tutorial 2: persistent programs, each row in registers."""
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        values = tl.load(x + row * columns + offsets, mask=mask, other=-float("inf"))
        powers = tl.exp(values - tl.max(values, axis=0))
        tl.store(out + row * columns + offsets, powers / tl.sum(powers, axis=0), mask=mask)


@triton.jit
def product_kernel(  # type: ignore[no-untyped-def]
    a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr
):
    """Tutorial 3: blocks in groups for the second-level cache."""
    pid = tl.program_id(0)
    per_group = GROUP * tl.cdiv(N, BN)
    first = (pid // per_group) * GROUP
    size = min(tl.cdiv(M, BM) - first, GROUP)
    pid_m, pid_n = first + (pid % per_group) % size, (pid % per_group) // size
    rows, columns = (pid_m * BM + tl.arange(0, BM)) % M, (pid_n * BN + tl.arange(0, BN)) % N
    depth = tl.arange(0, BK)
    left, right = a + rows[:, None] * K + depth[None, :], b + depth[:, None] * N + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(tl.cdiv(K, BK)):
        one = tl.load(left, mask=depth[None, :] < K - k * BK, other=0.0)
        other = tl.load(right, mask=depth[:, None] < K - k * BK, other=0.0)
        total = tl.dot(one, other, total, input_precision="ieee")
        left += BK
        right += BK * N
    i, j = pid_m * BM + tl.arange(0, BM), pid_n * BN + tl.arange(0, BN)
    tl.store(c + i[:, None] * N + j[None, :], total, mask=(i[:, None] < M) & (j[None, :] < N))


def _tensors(*arrays: Any) -> list[Any]:
    return [torch.as_tensor(array, device="cuda") for array in arrays]


def elementwise(kernel: Any, answer: int) -> Callable[..., Callable[[], Any]]:
    """Blocks of 1024 elements."""

    def make(*arrays: Any) -> Callable[[], Any]:
        tensors, count = _tensors(*arrays), arrays[0].size

        def call() -> Any:
            kernel[(triton.cdiv(count, 1024),)](*tensors, count, BLOCK=1024)
            return arrays[answer]

        return call

    return make


def softmax(x: Any, out: Any) -> Callable[[], Any]:
    """As many programs as fit, with the tutorial's eight warps."""
    source, target = _tensors(x, out)
    rows, columns = x.shape
    width, processors = triton.next_power_of_2(columns), torch.cuda.get_device_properties(0).multi_processor_count
    programs = min(rows, 8 * processors)

    def call() -> Any:
        softmax_kernel[(programs,)](target, source, rows, columns, BLOCK=width, STAGES=4, num_warps=8)
        return out

    return call


SHAPES = ((64, 64, 32, 4, 3), (128, 64, 16, 4, 4), (128, 128, 16, 8, 3), (64, 128, 32, 4, 3))
"""Tiles, warps and stages that are tried."""


def product(a: Any, b: Any, c: Any) -> Callable[[], Any] | None:
    """The best of some tiles, as the tutorial's autotuning finds it."""
    if a.dtype.itemsize != 4:
        return None
    configurations = [
        triton.Config({"BM": m, "BN": n, "BK": k, "GROUP": 8}, num_warps=warps, num_stages=stages)
        for m, n, k, warps, stages in SHAPES
    ]
    kernel = triton.autotune(configs=configurations, key=["M", "N", "K"])(product_kernel)
    tensors, (rows, depth), columns = _tensors(a, b, c), a.shape, b.shape[1]

    def call() -> Any:
        kernel[lambda meta: (triton.cdiv(rows, meta["BM"]) * triton.cdiv(columns, meta["BN"]),)](
            *tensors, rows, columns, depth
        )
        return c

    return call


PEERS = (
    Peer(
        "Triton",
        triton.__version__,
        {
            "added": elementwise(add_kernel, 2),
            "triad": elementwise(triad_kernel, 0),
            "softmax": softmax,
            "product": product,
        },
    ),
)
