"""Products of matrices by the vendor's library, where that was measured to be faster and nothing is lost.

The library is cuBLASLt, as CuPy, nvmath-python, PyTorch or an installed CUDA bring it. When a process computes a
product of new sizes, `choose` says how: what the store knows of its size class, or else what is measured now, on the
arrays of the call. Each element of the result keeps the bits that the kernel gives: of the library's ways only those
are taken that do not split sums, and of which a test with numbers made for it finds that they add in the order of the
source. Where the user allows other orders (``fastmath``, ``precision``), no such test is made.
"""

from __future__ import annotations

import logging
import os
import threading
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from weft.compile.store import default_store, key_of
from weft.runtime import _stub
from weft.runtime.devices import accelerators
from weft.runtime.dispatch.specialisation import package_identity

log = logging.getLogger(__name__)

_lock = threading.Lock()
"""Of what is being measured: other products wait, and find it in the store if they are like it."""

EXACT = 0
"""WEFT_EXACT of ``device.h``."""

LEAST = 1 << 21
"""Products of numbers in a product of matrices from which on it is worth a thought."""

MOST = 4
"""Ways of the library that are measured."""

ROUNDS = 3
"""How often the kernel and the best way of the library are timed, in turn; the shortest times count."""

RUNS, LONG = 8, 1e-3
"""Runs that are timed together, and seconds of one from which on it is timed alone."""

FASTER = 0.98
"""The part of the kernel's time that the library may take at most: measured again, either may be first by a hair."""

SIDE, DEPTH = 136, 1030
"""Rows and columns, and products of a sum, of the matrices of the test."""

ENVIRONMENT = ("NVIDIA_TF32_OVERRIDE", "CUBLAS_")
"""How variables begin that change what the library computes."""


@dataclass(frozen=True)
class Trial:
    """What was measured of a product of some size class.

    Attributes
    ----------
    algorithm
        The way of the library that is taken; None: the kernel.
    own, library
        Seconds of the kernel, and of the fastest way of the library that may be taken; None where there is none.
    extents
        The rows, the columns and the products of a sum that were measured.
    version
        Of the library.
    """

    algorithm: bytes | None
    own: float
    library: float | None
    extents: tuple[int, ...]
    version: str

    def __str__(self) -> str:
        size = " x ".join(map(str, self.extents))
        if self.library is None:
            return f"cuBLAS {self.version} has no way to compute {size} with the same bits"
        times = f"{1e6 * self.library:.1f} us where the kernel takes {1e6 * self.own:.1f} us, measured for {size}"
        return f"cuBLAS {self.version} takes {times}"


Product: TypeAlias = tuple[int, tuple[int, ...], tuple[tuple[int, ...], ...], tuple[int, ...], int, int]
"""Bytes of an element, extents, strides, addresses, freedom, kernel: see ``_products.c``."""


@cache
def library() -> tuple[str, str]:
    """The path and the version of the library; no path, and why, where there is none."""
    try:
        from cuda import pathfinder

        path = pathfinder.load_nvidia_dynamic_lib("cublasLt").abs_path or ""
    except (ImportError, RuntimeError, OSError) as error:
        log.info("cuBLAS is not there: %s", error)
        return "", "cuBLAS is not installed (pip install cupy-cuda13x, or nvmath-python)"
    version = _stub.load_vendor(path)
    if not version:
        return "", f"{path} lacks functions that are needed"
    return path, f"{version // 10000}.{version // 100 % 100}.{version % 100}"


def start() -> None:
    """Let products be chosen from now on."""
    _stub.choose_products(choose)


def key_of_product(kernel: str, device: str, product: Product, aligned: bool) -> str:
    """The key in the store of what is known of a product's size class: also of the same one at other addresses."""
    size, extents, strides, _, freedom, _ = product
    classes = _stub.size_class(tuple(map(int, extents)))
    way = tuple(pair[1] == size for pair in strides), aligned
    there = accelerators.identity(device), library(), _environment(), package_identity()
    return key_of("product", kernel, size, classes, way, freedom, there)


def _is_aligned(product: Product) -> bool:
    """Whether rows, or columns, begin at multiples of the widest access."""
    size, _, strides, places, *_ = product
    return not any(number % 16 for number in (*places, *(s for pair in strides for s in pair if s != size)))


def _environment() -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, value) for name, value in os.environ.items() if name.startswith(ENVIRONMENT)))


def choose(table: int, product: Product) -> bytes | None:
    """The library's way for a product that a process computes for the first time; None for the kernel's own."""
    rows, columns, depth = product[1]
    if min(rows, columns, depth) < 1 or rows * columns * depth < LEAST or not library()[0]:
        return None
    with _lock:
        key = key_of_product(
            accelerators.code_at(product[5]), accelerators.name_of(table), product, _is_aligned(product)
        )
        trial = default_store().get("product", key)
        if not isinstance(trial, Trial):
            trial = measured(table, product)
            default_store().put("product", key, trial)
    return trial.algorithm


def known(kernel: str, device: str, product: Product) -> Trial | None:
    """What was measured of the size class of a product, wherever its matrices begin."""
    keys = (key_of_product(kernel, device, product, aligned) for aligned in (True, False))
    trials = (default_store().get("product", key) for key in keys)
    return next((trial for trial in trials if isinstance(trial, Trial)), None)


def measured(table: int, product: Product) -> Trial:
    """Time the kernel and the ways of the library that may be taken, on the arrays of a call. Any may be the last
    to write the result: the one that is chosen runs once more."""
    ways = _stub.find_algorithms(table, product)[:MOST]
    times = {way: _seconds(table, product, way, 1) for way in ways}
    best = next((way for way in sorted(ways, key=times.__getitem__) if keeps_order(table, product, way)), None)
    own, library_seconds = float("inf"), float("inf")
    for _ in range(ROUNDS):
        own = min(own, _seconds(table, product, None))
        library_seconds = min(library_seconds, _seconds(table, product, best) if best else library_seconds)
    chosen = best if library_seconds < own * FASTER else None
    return Trial(chosen, own, library_seconds if best else None, product[1], library()[1])


def _seconds(table: int, product: Product, way: bytes | None, runs: int = 0) -> float:
    """The time of one of several runs; of fewer where one takes long."""
    first = _stub.time_product(table, product, way, 1)
    if first is None or runs == 1 or first > LONG:
        return float("inf") if first is None else first
    return _stub.time_product(table, product, way, RUNS) or first


# ---------------------------------------------------------------------------------------------- the order of sums


def keeps_order(table: int, product: Product, algorithm: bytes) -> bool:
    """Whether a way of the library adds the products of each sum one after the other, from the first to the last.

    The numbers of the test have so few digits that their products are exact, and their sums are rounded in every step;
    those of the last row have no more digits than numbers have that are nearly too small.
    """
    size, freedom = product[0], product[4]
    if freedom != EXACT:
        return True
    left, right = _test_factors(np.dtype(f"f{size}"))
    expected = _in_order(left, right)
    values = np.full_like(expected, np.nan), left, right
    matrices = [
        _Laid(table, value, strides[1] == size, _is_aligned(product))
        for value, strides in zip(values, product[2], strict=True)
    ]
    addresses = tuple(matrix.send() for matrix in matrices)
    strides = tuple(matrix.strides for matrix in matrices)
    small = (size, (SIDE, SIDE, DEPTH), strides, addresses, freedom, product[5])
    if _stub.time_product(table, small, algorithm, 1) is None:
        return False
    made = matrices[0].fetch()
    return made.tobytes() == expected.tobytes()


class _Laid:
    """A matrix on the device, laid out as one of a product is: by rows or columns, and aligned like it."""

    def __init__(self, table: int, value: np.ndarray[Any, Any], by_rows: bool, aligned: bool) -> None:
        self.table, self.by_rows = table, by_rows
        lines = value if by_rows else value.T
        self.length = lines.shape[1]
        pitch = -(-self.length // 8) * 8 if aligned else self.length | 1
        self.host = np.zeros((lines.shape[0], pitch), value.dtype)
        self.host[:, : self.length] = lines
        self.storage = _stub.Storage(self.host.nbytes, False)
        self.storage.pin()

    @property
    def strides(self) -> tuple[int, ...]:
        return self.host.strides if self.by_rows else self.host.strides[::-1]

    def send(self) -> int:
        """The address of the matrix on the device."""
        return self._copy(out=False)

    def fetch(self) -> np.ndarray[Any, Any]:
        """What the matrix has become."""
        self._copy(out=True)
        lines = self.host[:, : self.length]
        return lines if self.by_rows else lines.T

    def _copy(self, out: bool) -> int:
        there = self.storage.acquire(self.table, True)
        _stub.device_copy(self.table, there, self.host.__array_interface__["data"][0], self.host.nbytes, out)
        return there


def _test_factors(dtype: np.dtype[Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    generator = np.random.default_rng(3)
    largest = 1 << (11 if dtype.itemsize == 4 else 25)
    whole = [generator.integers(-largest, largest, shape) for shape in ((SIDE, DEPTH), (DEPTH, SIDE))]
    left, right = (np.ldexp(w.astype(dtype), generator.integers(-6, 7, w.shape)) for w in whole)
    left[-1] = np.ldexp(generator.integers(-3, 4, DEPTH).astype(dtype), -130 if dtype.itemsize == 4 else -1060)
    return left, right


def _in_order(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    sums = np.zeros((left.shape[0], right.shape[1]), left.dtype)
    for k in range(left.shape[1]):
        sums += left[:, k, None] * right[None, k, :]
    return sums
