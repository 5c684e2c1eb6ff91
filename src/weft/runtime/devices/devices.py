"""The devices of this machine, and the choice of one."""

from __future__ import annotations

import contextlib
import contextvars
import functools
import importlib
import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weft.dataclass import dataclass
from weft.errors import ArgumentError, DeviceError
from weft.runtime import _stub

AUTO = "auto"
"""Stands for the device that is predicted to be the fastest for a call."""

CPU = "cpu"

NAMES = ("cpu", "cuda", "opencl", "interpreter")

_FORM = re.compile(r"cpu|auto|interpreter|(cuda|opencl)(:(0|[1-9][0-9]*))?|opencl:(0|[1-9][0-9]*)\.[0-9]+")
_FORMS = {
    "cuda": "behind cuda there is a number or nothing, as in cuda:1",
    "opencl": "behind opencl there is a number or nothing, as in opencl:1, or the number of a half, as in opencl:0.1",
}


@dataclass(frozen=True)
class Device:
    """A place where loops can run.

    Attributes
    ----------
    name
        What `device=` takes: ``cpu``, ``cuda``, ``opencl`` or ``interpreter``; ``cuda:1`` for the second of a kind;
        ``opencl:0.0`` and ``opencl:0.1`` for the halves of an OpenCL device.
    description
        The hardware, as its driver names it.
    cores
        Cores of a processor, multiprocessors of a GPU, compute units of an OpenCL device.
    memory
        Bytes of memory of its own; 0 where it works in the host's.
    """

    name: str
    description: str
    cores: int
    memory: int = 0


def devices() -> list[Device]:
    """The devices that can be used now, the processor first.

    Returns
    -------
    list of Device
        A GPU is listed only with its extra installed (``weft[cuda]``, ``weft[opencl]``) and a driver present.
    """
    found = [_processor()]
    for kind in ("cuda", "opencl"):
        found.extend(_of_kind(kind))
    found.append(Device("interpreter", "Weft's own interpreter: slow, exact, for debugging", 1))
    return found


def _half(name: str) -> Device:
    """One half of an OpenCL device; DeviceError where it has none."""
    from weft.backends.opencl.devices import facts_of

    try:
        facts = facts_of(name.partition(":")[2])
    except (ImportError, ValueError, IndexError) as error:
        raise DeviceError(f"device {name!r} is not present on this machine", hint="see weft.devices()") from error
    return Device(name, facts.description, facts.cores, facts.memory)


@functools.cache
def _model() -> str:
    """The processor's name: on Linux Python itself knows no more than the architecture."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _processor() -> Device:
    """The processor, with the cores that this process may use."""
    return Device("cpu", _model(), len(os.sched_getaffinity(0)))


def _of_kind(kind: str) -> list[Device]:
    backend = importlib.import_module(f"weft.backends.{kind}.devices")
    return [
        Device(kind if k == 0 else f"{kind}:{k}", facts.description, facts.cores, facts.memory)
        for k, facts in enumerate(backend.discover())
    ]


_chosen: contextvars.ContextVar[str | None] = contextvars.ContextVar("weft_device", default=None)


@contextmanager
def device(name: str, memory_limit: int | None = None) -> Iterator[Device]:
    """Run every compiled call of a ``with`` block on one device, whatever its decorator says.

    Parameters
    ----------
    name
        A name as in `devices`, or ``auto`` for the fastest one at each call.
    memory_limit
        Bytes of the device's memory that calls of this thread may use in the block; None for all. A call whose NumPy
        arrays are larger runs slab by slab.

    Raises
    ------
    DeviceError
        There is no such device here.
    ArgumentError
        `memory_limit` is no positive number, or given for a device that works in the host's memory.
    """
    found = find(name)
    check_limit(name, memory_limit)
    before = _stub.limit_memory(None)
    _stub.limit_memory(before if memory_limit is None else memory_limit)
    token = _chosen.set(AUTO if name == AUTO else found.name)
    _stub.enter_context()
    try:
        yield found
    finally:
        _stub.limit_memory(before)
        _stub.leave_context()
        _chosen.reset(token)


def check_limit(name: str, limit: int | None) -> None:
    """ArgumentError unless a limit is a number of bytes of the memory of a device, or None."""
    if limit is None:
        return
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise ArgumentError(
            f"a limit of {limit!r} bytes", argument="memory_limit", hint="give a positive number of bytes"
        )
    if name != AUTO and memory_of(name) == "host":
        raise ArgumentError(
            f"the device {name!r} works in the host's memory",
            argument="memory_limit",
            hint='name "cuda" or "opencl"',
        )


def chosen(option: str | None) -> str:
    """The name of the device for a call, or ``auto``: that of the innermost `device` block, else the decorator's."""
    return _chosen.get() or option or AUTO


def memory_of(device: str) -> str:
    """The memory that a device works in: one of its own under its name, or the host's."""
    return device if device.partition(":")[0] in ("cuda", "opencl") else "host"


def canonical(name: str) -> str:
    """The name under which `devices` lists a device: ``cuda:0`` is ``cuda``."""
    return name.removesuffix(":0")


def find(name: str) -> Device:
    """The device of a name; DeviceError, which lists those there are, where it is missing."""
    kind, name = name.partition(":")[0], canonical(name)
    if kind not in (*NAMES, AUTO):
        raise DeviceError(f"there is no device {name!r}", hint="use one of " + ", ".join(d.name for d in devices()))
    if not _FORM.fullmatch(name):
        raise DeviceError(
            f"{name!r} is not the name of a device",
            cause=_FORMS.get(kind, f"there is one device {kind}, without a number"),
            hint="use one of " + ", ".join(d.name for d in devices()),
        )
    if kind in ("cpu", AUTO):
        return _processor()
    here = devices()
    for found in here:
        if found.name == name:
            return found
    if kind == "opencl" and "." in name:
        return _half(name)
    ours = [found.name for found in here if found.name.partition(":")[0] == kind]
    remedy = f"use one of {', '.join(ours)}" if ours else f'it needs pip install "weft[{kind}]" and a driver'
    raise DeviceError(f"device {name!r} is not present on this machine", hint=remedy)
