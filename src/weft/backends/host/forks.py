"""Drivers do not survive a fork: their threads do not exist in the child, which would wait for them forever."""

from __future__ import annotations

import os

from weft.errors import DeviceError

_started_in: dict[str, int] = {}
"""The process that started a kind's driver."""


def note_start(kind: str) -> None:
    """Remember that this process starts the driver of ``cuda`` or ``opencl``, unless it runs already."""
    _started_in.setdefault(kind, os.getpid())


def check_process(device: str) -> None:
    """DeviceError in a process that was forked after a device's driver had been started."""
    process = os.getpid()
    if _started_in.get(device.partition(":")[0], process) != process:
        raise refusal(device)


def refusal(device: str) -> DeviceError:
    """What such a process is told."""
    return DeviceError(
        f"the device {device!r} was in use before this process was forked, and cannot be used in it",
        cause="the threads of a driver do not exist in a forked process",
        hint='start processes by multiprocessing.get_context("spawn")',
    )
