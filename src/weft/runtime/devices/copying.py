"""Measures copies between host and devices, keeps the figures in the store, and sets devices by them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date

import numpy as np

from weft.compile.store import default_store, key_of
from weft.errors import DeviceError
from weft.machine.copying import (
    BOTH,
    IN,
    OUT,
    PAGEABLE,
    PINNED,
    PINNING,
    ROW,
    SIZES,
    STAGED,
    STRIDED,
    CopyFigures,
    CopyPolicy,
    CopyTime,
    choose,
)
from weft.runtime import _stub
from weft.runtime.arrays.arrays import HOST, empty
from weft.runtime.devices import accelerators

ROUNDS = 5
"""How often a copy is timed; the shortest time counts."""

Copy = Callable[[], int]


_figures: dict[str, CopyFigures | None] = {}


def figures_of(device: str) -> CopyFigures | None:
    """The same as `load`, read once."""
    if device not in _figures:
        _figures[device] = load(device)
    return _figures[device]


def load(device: str) -> CopyFigures | None:
    """The figures of a device as they were measured under its present driver; None where there are none."""
    found = default_store().get("figures", _key(device))
    return found if isinstance(found, CopyFigures) else None


def _key(device: str) -> str:
    return key_of("copies", accelerators.identity(device))


def set_policy(device: str, table: int, policy: CopyPolicy | None = None) -> None:
    """Let the copies of a device go the ways of a policy, by default the best by its figures."""
    chosen = policy or _best(device)
    never = -1
    sizes = (never if size is None else size for size in (chosen.stage_in, chosen.stage_out, chosen.pin))
    _stub.device_policy(table, *sizes)


def _best(device: str) -> CopyPolicy:
    figures = load(device)
    if figures is None and device.partition(":")[0] != "cuda":
        return CopyPolicy(None, None, None)  # other drivers have no memory that they know
    return choose(figures)


def measure(device: str, sizes: Sequence[int] = SIZES) -> CopyFigures:
    """Measure the copies of a device, store the figures, and let it go by them from now on.

    Parameters
    ----------
    device
        A name as in `weft.devices`, of a device with memory of its own.
    sizes
        Bytes of the copies.

    Raises
    ------
    DeviceError
        The device has no memory of its own, or refuses.
    """
    if not accelerators.is_accelerator(device):
        raise DeviceError(f"{device!r} works in the host's memory: there are no copies to measure")
    table = accelerators.table(device)
    facts = accelerators.open_device(device).facts
    fitting = [size for size in sizes if size <= facts.memory // 8]
    times = tuple(found for size in fitting for found in timed(device, size))
    figures = CopyFigures(facts.description, facts.driver, date.today().isoformat(), times)
    default_store().put("figures", _key(device), figures)
    _figures[device] = figures
    set_policy(device, table)
    return figures


def timed(device: str, size: int) -> tuple[CopyTime, ...]:
    """The times of copies of one size in all directions and ways, which nobody stores."""
    table = accelerators.table(device)
    try:
        return tuple(_times(device, table, size))
    finally:
        set_policy(device, table)


def _times(device: str, table: int, size: int) -> Iterator[CopyTime]:
    """All times of one size."""
    array, plain = empty(size, np.uint8), np.ones(2 * size, np.uint8)
    array._storage.pin()
    there = array._storage.acquire(table, False)
    pinned, pageable = array._storage.acquire(HOST, True), plain.__array_interface__["data"][0]
    price = _price(table, size)
    for direction in (IN, OUT):
        for way, copy in _copies(table, there, pinned, pageable, size, direction == OUT):
            if way != STAGED or price is not None:
                yield CopyTime(direction, way, size, _shortest(device, copy))
    yield CopyTime(BOTH, PINNED, size, _shortest(device, _both(device, table, there, size)))
    if price is not None:
        yield CopyTime(IN, PINNING, size, price)


def _copies(table: int, there: int, pinned: int, pageable: int, size: int, out: bool) -> Iterator[tuple[str, Copy]]:
    """The ways of a copy in one direction; the policy of the device is set before each is used."""

    def contiguous(host: int) -> Copy:
        return lambda: _stub.device_copy(table, there, host, size, out)

    _stub.device_policy(table, -1, -1, -1)
    yield PINNED, contiguous(pinned)
    yield PAGEABLE, contiguous(pageable)
    yield STRIDED, lambda: _stub.device_copy_rows(table, there, pageable, 2 * ROW, ROW, size // ROW, out)
    _stub.device_policy(table, 0, 0, -1)
    yield STAGED, contiguous(pageable)


def _both(device: str, table: int, there: int, size: int) -> Copy:
    """A copy in each direction at the same time, on two queues."""
    other = accelerators.another_table(device)
    arrays = empty(size, np.uint8), empty(size, np.uint8)
    first, second = (array._storage.acquire(HOST, True) for array in arrays)
    arrays[0]._storage.pin()
    target = arrays[0]._storage.acquire(other, False)

    def copy(_arrays: object = arrays) -> int:
        status = _stub.device_copy(other, target, first, size, False, False)
        status = status or _stub.device_copy(table, there, second, size, True)
        return status or _stub.device_wait(other)

    return copy


def _price(table: int, size: int) -> float | None:
    """The seconds that pinning memory takes, and giving it back, at best; None where the driver has no such thing."""
    memory = np.ones(size, np.uint8)
    address = memory.__array_interface__["data"][0]
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        if _stub.device_pin(table, address, size):
            return None
        _stub.device_unpin(address)
        times.append(time.perf_counter() - began)
    return min(times)


def _shortest(device: str, copy: Copy) -> float:
    """The shortest of a few times, after one that warms up."""
    times = []
    for _ in range(1 + ROUNDS):
        began = time.perf_counter()
        status = copy()
        times.append(time.perf_counter() - began)
        if status:
            raise DeviceError(f"a copy failed on {device!r} with the driver's error {status}")
    return min(times[1:])
