"""Waiting for devices, and working on streams of other libraries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from weft.errors import ArgumentError
from weft.runtime import _stub
from weft.runtime.arrays.arrays import LEGACY_STREAM, failure
from weft.runtime.devices import accelerators
from weft.runtime.devices.devices import find

OWN = 0
"""Stands for the stream that is Weft's own."""

_adopted: ContextVar[int] = ContextVar("weft_stream", default=OWN)


def synchronize() -> None:
    """Wait until all devices have done what was queued on them.

    Raises
    ------
    DeviceError
        A device failed since it was last waited for.
    """
    for table in accelerators.tables():
        _check(_stub.device_wait(table), table)


@contextmanager
def stream(given: Any) -> Iterator[None]:
    """Let this thread's calls on ``cuda`` in a ``with`` block work on a stream of another library, in its order.

    What Weft has queued before comes before the work of the block, and what it queues later comes after it.

    Parameters
    ----------
    given
        A stream of CuPy, of PyTorch, or of any library with ``__cuda_stream__``; or its address as a number.

    Raises
    ------
    ArgumentError
        `given` is no stream.
    DeviceError
        There is no such device, or it refuses.
    """
    address, table = address_of(given), accelerators.table(find("cuda").name)
    outer = _adopted.get()
    _check(_stub.device_adopt(table, address), table)
    token = _adopted.set(address)
    try:
        yield
    finally:
        _adopted.reset(token)
        _check(_stub.device_adopt(table, OWN), table)
        if outer != OWN:
            _check(_stub.device_adopt(table, outer), table)


def address_of(given: Any) -> int:
    """The address of a stream of another library.

    Raises
    ------
    ArgumentError
        It is no stream.
    """
    if hasattr(given, "__cuda_stream__"):
        protocol = given.__cuda_stream__
        given = (protocol() if callable(protocol) else protocol)[1]
    for name in ("cuda_stream", "ptr"):  # PyTorch's name and CuPy's
        given = getattr(given, name, given)
    if isinstance(given, bool) or not isinstance(given, int):
        raise ArgumentError(f"an object of the class {type(given).__name__} is no stream", argument="given")
    return given or LEGACY_STREAM


def _check(status: int, table: int) -> None:
    if status:
        raise failure(status, table, 0)
