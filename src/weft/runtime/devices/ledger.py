"""The ledger: what devices and compilers did, while somebody wants to know.

Devices are watched in C, at the table through which all of their work goes. Nothing is recorded while nobody asks.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from weft.dataclass import dataclass
from weft.runtime import _stub
from weft.runtime.devices import accelerators

KINDS = ("copy_in", "copy_out", "allocate", "free", "launch", "wait")
"""The kinds of events of devices, in the order of ``ledger.h``."""

REASONS = {
    "copy_in": "it is read on the device",
    "copy_out": "it is read on the host, or the call returns",
    "allocate": "the pool has no memory of this size",
    "free": "the pool gives back what nobody uses",
    "wait": "the host needs what was queued",
}
"""Why things happen where nothing more is known."""


@dataclass(frozen=True)
class Event:
    """Something that happened.

    Attributes
    ----------
    kind
        ``copy_in``, ``copy_out``, ``allocate``, ``free``, ``launch``, ``wait`` or ``compile``.
    start, seconds
        When it began, from the beginning of the profile, and how long it took: on the device where it ran there.
    device
        The name of the device; ``cpu`` for programs that are compiled for it.
    bytes
        How much was copied or allocated.
    array, kernel
        The name of the argument that was copied, and of the kernel that was launched, where they are known.
    line, file, program
        The line that caused it, and the compiled function in which it happened: a line of that function for its loops
        and copies, the line of the call or of whatever touched an array for others.
    reason
        Why, in words.
    place
        The address on the host of what was copied.
    """

    kind: str
    start: float
    seconds: float
    device: str
    bytes: int = 0
    array: str = ""
    kernel: str = ""
    line: int = 0
    file: str = ""
    program: str = ""
    reason: str = ""
    place: int = 0


_open: list[list[Event]] = []
"""What the profiles that are open have seen."""

_compiled: list[Event] = []
_lock = Lock()


_stub.skip_files((str(Path(__file__).parents[2]), str(Path(np.__file__).parent), contextlib.__file__))


def start() -> list[Event]:
    """Begin to record; the list that is returned has all events when `stop` was called."""
    seen: list[Event] = []
    with _lock:
        _drain()
        _stub.ledger_switch(True)
        _open.append(seen)
    return seen


def stop(seen: list[Event]) -> None:
    """End what `start` began."""
    with _lock:
        _drain()
        _open[:] = [other for other in _open if other is not seen]
        if not _open:
            _stub.ledger_switch(False)


@contextlib.contextmanager
def compiling(
    program: str, device: str, reason: str = "its source, or the types of its arguments, were not in the store"
) -> Iterator[None]:
    """Note that a program, or some of its kernels, are compiled in the ``with`` block."""
    began = time.monotonic()
    try:
        yield
    finally:
        if _open:
            event = Event("compile", began, time.monotonic() - began, device, program=program, reason=reason)
            with _lock:
                _compiled.append(event)


def _drain() -> None:
    events = sorted([*map(_event, _stub.ledger_take()), *_compiled], key=lambda event: event.start)
    _compiled.clear()
    for seen in _open:
        seen.extend(events)


def _event(raw: tuple[Any, ...]) -> Event:
    number, table, _, host, size, began, seconds, program, array, reason, *where = raw
    kind, (file, line, program_file, program_line) = KINDS[number], where
    kernel = ""
    if kind == "launch":
        kernel, program_line = accelerators.kernel_at(host)
        reason = f"the loop in line {program_line}"
    if program_line:
        file, line = program_file, program_line
    return Event(
        kind, began, seconds, accelerators.name_of(table), size, array or "", kernel, line, file or "", program or "",
        reason or REASONS.get(kind, ""), host,
    )  # fmt: skip
