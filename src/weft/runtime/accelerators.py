"""Programs on devices with memory of their own: placed, compiled in two parts, and loaded.

The host part is a C library like any other; the kernels are a binary of the device, kept beside it in the store.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.backends import forks
from weft.errors import ArgumentError, DeviceError, OutOfMemoryError, format_bytes
from weft.ir.location import Location
from weft.runtime import _stub
from weft.runtime.store import Store, key_of

if TYPE_CHECKING:
    from weft.backends.artifact import Artifact
    from weft.ir.nodes import Program
    from weft.plan.place import Placement
    from weft.runtime.variants import Compiled
    from weft.schedule.directives import Schedule

KINDS = ("cuda", "opencl")

NO_MEMORY = {"cuda": {2, 10000}, "opencl": {-4, -6, -61, 10000}}
"""The drivers' numbers for lack of memory, and that of ``mirror.h`` for the host's."""

FORKED = 10002
"""WEFT_FORKED of ``driver.h``."""


def is_accelerator(device: str) -> bool:
    """Whether a device has memory of its own."""
    return device.partition(":")[0] in KINDS


def open_device(device: str) -> Any:
    """The backend's open device of a name such as ``cuda:1``.

    Raises
    ------
    DeviceError
        It is not there, its extra is not installed, or this process was forked from one that uses such devices.
    """
    forks.check_process(device)
    return _open(device)


@cache
def _open(device: str) -> Any:
    kind, _, number = device.partition(":")
    try:
        devices = importlib.import_module(f"weft.backends.{kind}.devices")
        return devices.open_device(int(number or 0))
    except ImportError as error:
        raise DeviceError(f"device {device!r} cannot be used: {error}", hint=f'pip install "weft[{kind}]"') from error


_tables: dict[int, str] = {}
"""The devices that are open, by the addresses of their function tables."""


def name_of(table: int) -> str:
    """The device of a function table; 0 stands for the host."""
    return _tables[table] if table else "host"


def tables() -> tuple[int, ...]:
    """The function tables of all devices that are open."""
    return tuple(_tables)


@cache
def table(device: str) -> int:
    """The address of the function table through which generated code reaches a device."""
    address = _makers()[device.partition(":")[0]](*open_device(device).handles)
    if not address:
        raise DeviceError(f"the driver library of {device!r} cannot be loaded")
    _tables[address] = device
    from weft.runtime import copying

    copying.set_policy(device, address)
    return address


@cache
def another_table(device: str) -> int:
    """The address of a second table of a device, with a queue and a pool of its own."""
    opened = open_device(device)
    address = _makers()[device.partition(":")[0]](opened.handles[0], opened.another_queue())
    _tables[address] = device
    return address


def _makers() -> dict[str, Callable[[int, int], int]]:
    return {"cuda": _stub.cuda_device, "opencl": _stub.opencl_device}


def identity(device: str) -> tuple[str, ...]:
    """What compiled kernels depend on besides their source."""
    facts = open_device(device).facts
    return facts.kind, facts.description, facts.driver, facts.architecture


def check_memories(program: Program, device: str) -> None:
    """ArgumentError where an array is in the memory of another device than the one that is asked for."""
    for param in program.params:
        memory = getattr(param.var.type, "memory", "host")
        if memory not in ("host", device):
            raise ArgumentError(
                f"the array is in the memory of {memory!r}, and the function runs on {device!r}",
                argument=str(param.source),
                hint=f'say weft.jit(device="{memory}"), or pass the array as a NumPy array',
            )


def place(program: Program, device: str, disable: frozenset[str] = frozenset(), schedule: Schedule = ()) -> Placement:
    """The program with its parallel nests on a device; the others as for `weft.plan.place.place`."""
    from weft.plan import place

    return place.place(program, device, disable, schedule)


def may_fault(placement: Placement) -> bool:
    """Whether a kernel of a program may find that the program would raise."""
    from weft.ir.nodes import Launch
    from weft.ir.visit import walk

    return any(isinstance(s, Launch) and s.results for s in walk(placement.program.body))


def sequential_loops(placement: Placement, device: str) -> Iterator[tuple[str, str, Location]]:
    """The warnings about loops that the host runs one iteration after the other, though a device was asked for."""
    for nest in placement.sequential():
        counter = nest.label.partition("@")[0].partition(".")[0]
        message = f"the loop over {counter!r} runs on the host and not on {device!r}, because {nest.reason}"
        yield "W001", message, nest.location


def generate(placement: Placement, device: str) -> tuple[Artifact, str]:
    """The source of both parts: host and kernels."""
    from weft.backends import driver

    dialect = importlib.import_module(f"weft.backends.{device.partition(':')[0]}.dialect")
    return driver.generate(placement.program), dialect.generate_kernels(placement.program)


def compile_kernels(source: str, device: str, store: Store, fastmath: bool = False) -> str:
    """Compile kernels, put them into the store and return their key."""
    opened = open_device(device)
    kind = device.partition(":")[0]
    compiler = importlib.import_module(f"weft.backends.{kind}.compiler")
    key = key_of("kernels", source, identity(device), fastmath)
    if store.get("kernels", key) is None:
        target = opened.facts.architecture if kind == "cuda" else opened
        store.put("kernels", key, compiler.compile_source(source, target, fastmath))
    return key


_kernels: dict[int, tuple[str, int]] = {}
"""Names and lines of the kernels that are loaded, by their addresses."""


def kernel_at(address: int) -> tuple[str, int]:
    """The name of a kernel and the line of its loop; nothing where it is not known."""
    return _kernels.get(address, ("", 0))


def load_kernels(compiled: Compiled, store: Store) -> tuple[int, ...]:
    """Addresses of the kernels of a program, which `compile_kernels` stored.

    Raises
    ------
    DeviceError
        They are no longer in the store, or the driver refuses them.
    """
    if not compiled.kernels:
        return ()
    binary = store.get("kernels", compiled.binary)
    if not isinstance(binary, bytes):
        raise DeviceError(f"the kernels for {compiled.device!r} have vanished from the store on disk")
    loaded: tuple[int, ...] = open_device(compiled.device).load(binary, compiled.kernels)
    _kernels.update(zip(loaded, zip(compiled.kernels, compiled.kernel_lines, strict=True), strict=True))
    return loaded


def failure(compiled: Compiled, leaves: Sequence[object]) -> DeviceError:
    """Why the last call of this thread failed on its device.

    Parameters
    ----------
    compiled
        The program that ran.
    leaves
        The flat arguments of the call.
    """
    status, refused = _stub.device_failure()
    kind = compiled.device.partition(":")[0]
    if status == FORKED:
        return forks.refusal(compiled.device)
    if status not in NO_MEMORY[kind]:
        return DeviceError(f"{compiled.name}: the device {compiled.device!r} failed with the driver's error {status}")
    moved = {
        str(source): math.prod(leaf.shape) * leaf.itemsize
        for source, leaf in zip(compiled.sources, leaves, strict=False)
        if isinstance(leaf, (np.ndarray, _stub.Coherent))
    }
    sizes = ", ".join(f"{name!r} has {format_bytes(size)}" for name, size in moved.items())
    return OutOfMemoryError(
        f"{compiled.name}: the arrays of this call do not fit into the memory of {compiled.device}",
        needed=max(sum(moved.values()), refused) or None,
        free=open_device(compiled.device).free_memory(),
        cause=f"of the arguments, {sizes}" if sizes else "",
    )
