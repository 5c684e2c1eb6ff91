"""The programs that a calibration times, one file for each family."""

from __future__ import annotations

from weft.machine.suite import arithmetic, caches, divisions, functions, lanes, launches, orders, waits
from weft.machine.suite.kernel import SuiteKernel as SuiteKernel

FAMILIES: dict[str, tuple[SuiteKernel, ...]] = {
    "launches": launches.KERNELS,
    "arithmetic": arithmetic.KERNELS,
    "divisions": divisions.KERNELS,
    "functions": functions.KERNELS,
    "lanes": lanes.KERNELS,
    "waits": waits.KERNELS,
    "caches": caches.KERNELS,
    "orders": orders.KERNELS,
}
