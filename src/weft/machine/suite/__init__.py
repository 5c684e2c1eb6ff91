"""The programs that a calibration times, one file for each family."""

from __future__ import annotations

from weft.machine.suite import arithmetic, caches, divisions, functions, launches, orders
from weft.machine.suite.kernel import SuiteKernel as SuiteKernel

FAMILIES: dict[str, tuple[SuiteKernel, ...]] = {
    "launches": launches.KERNELS,
    "arithmetic": arithmetic.KERNELS,
    "divisions": divisions.KERNELS,
    "functions": functions.KERNELS,
    "caches": caches.KERNELS,
    "orders": orders.KERNELS,
}
