"""The programs that a calibration of a device with memory of its own times, one file for each family."""

from __future__ import annotations

from weft.machine.device_suite import (
    arithmetic,
    blocks,
    branches,
    functions,
    keys,
    launches,
    memory,
    neighbours,
    orders,
    reductions,
)
from weft.machine.suite.kernel import SuiteKernel as SuiteKernel

FAMILIES: dict[str, tuple[SuiteKernel, ...]] = {
    "launches": launches.KERNELS,
    "memory": memory.KERNELS,
    "orders": orders.KERNELS,
    "arithmetic": arithmetic.KERNELS,
    "functions": functions.KERNELS,
    "reductions": reductions.KERNELS,
    "keys": keys.KERNELS,
    "branches": branches.KERNELS,
    "neighbours": neighbours.KERNELS,
    "blocks": blocks.KERNELS,
}
