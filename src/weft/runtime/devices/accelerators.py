"""Programs on devices with memory of their own: placed, compiled in two parts, and loaded.

The host part is a C library like any other; the kernels are a binary of the device, kept beside it in the store.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.backends.host import forks
from weft.compile.store import key_of
from weft.errors import ArgumentError, DeviceError, OutOfMemoryError, UnsupportedError, format_bytes
from weft.ir.location import Location
from weft.runtime import _stub

if TYPE_CHECKING:
    from weft.backends.text.artifact import Artifact
    from weft.ir.nodes import Freedom, Program
    from weft.machine.facts import Facts
    from weft.machine.occupancy import Resources
    from weft.plan.place import Placed, Placement
    from weft.runtime.dispatch.variants import Compiled
    from weft.schedule.directives import Schedule

KINDS = ("cuda", "opencl")

NO_MEMORY = {"cuda": {2, 10000}, "opencl": {-4, -6, -61, 10000}}
"""The drivers' numbers for lack of memory, and that of ``mirror.h`` for the host's."""

FORKED, TOO_FAR = 10002, 10010
"""WEFT_FORKED and WEFT_TOO_FAR of ``driver.h``."""


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
    return _asked(device, "open_device")


def facts_of(device: str) -> Facts:
    """The facts of a device, which is not opened for that.

    Raises
    ------
    DeviceError
        As for `open_device`.
    """
    forks.check_process(device)
    return _facts(device)


@cache
def _facts(device: str) -> Facts:
    facts: Facts = _asked(device, "facts_of")
    return facts


def _asked(device: str, what: str) -> Any:
    """What a function of the backend says of a device."""
    kind, _, number = device.partition(":")
    try:
        devices = importlib.import_module(f"weft.backends.{kind}.devices")
        return getattr(devices, what)(number if "." in number else int(number or 0))
    except (ImportError, RuntimeError) as error:  # the bindings raise RuntimeError where there is no driver
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
    address = _new_table(device, open_device(device).handles[1])
    if not address:
        raise DeviceError(f"the driver library of {device!r} cannot be loaded")
    _tables[address] = device
    from weft.runtime.devices import copying

    copying.set_policy(device, address)
    opened = open_device(device)
    _stub.device_has(address, opened.free_memory() or opened.facts.memory)
    return address


@cache
def another_table(device: str) -> int:
    """The address of a second table of a device, with a queue and a pool of its own."""
    address = _new_table(device, open_device(device).another_queue())
    _tables[address] = device
    return address


def _new_table(device: str, queue: int) -> int:
    """A table over a queue for kernels and two for copies, to the device and out of it."""
    opened = open_device(device)
    make = {"cuda": _stub.cuda_device, "opencl": _stub.opencl_device}[device.partition(":")[0]]
    return make(opened.handles[0], queue, opened.another_queue(), opened.another_queue())


def identity(device: str) -> tuple[str, ...]:
    """What compiled kernels depend on besides their source."""
    facts = facts_of(device)
    return facts.kind, facts.description, facts.driver, facts.architecture


def model(device: str) -> tuple[object, ...]:
    """What decides how a device rounds: devices for which it is the same add sums in the same order."""
    if not is_accelerator(device):
        return (device,)
    facts = facts_of(device)
    return (*identity(device), facts.group, facts.fast_memory, _cores_of_whole(device, facts))


def _cores_of_whole(device: str, facts: Facts) -> int:
    """The cores of a device; of a part of one, those of the whole, by which kernels are chosen."""
    whole, _, part = device.partition(".")
    return facts_of(whole).cores if part else facts.cores


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


def place(
    program: Program,
    device: str,
    disable: frozenset[str] = frozenset(),
    schedule: Schedule = (),
    usual: str | None = None,
    avoid: Mapping[str, frozenset[Schedule]] | None = None,
    slabs: bool = False,
    libraries: Freedom | None = None,
    precision: str | None = None,
    facts: Facts | None = None,
) -> Placement:
    """The program with its parallel nests on a device; the others as for `weft.plan.place.place`.

    `avoid` holds schedules that its kernels are not to have, by their names; `slabs` says that they run slab by slab;
    `libraries` what the vendor's library may do where it computes one, None for nothing; `precision` is what factors of
    float32 may be rounded to. `facts` are those of a device that may not be here; by default of this machine's.

    Raises
    ------
    UnsupportedError
        The device has no instructions for that precision.
    """
    from weft.plan import place
    from weft.schedule.legality import SHARED_BYTES, Limits

    facts = facts or facts_of(device)
    shared = facts.fast_memory if facts.kind == "cuda" else min(facts.fast_memory, SHARED_BYTES)
    limits = Limits(facts.group, shared, _cores_of_whole(device, facts), has_fast_matrices(facts))
    if precision and not has_tensor_cores(facts):
        raise UnsupportedError(
            f"{device!r} has no instructions for products of {precision} numbers",
            cause=f"precision={precision!r} was asked for, and this is {facts.description} ({facts.architecture})",
            hint="leave precision out, or take a CUDA device from sm_80 on",
        )
    layout = place.Layout(limits, avoid or {}, libraries if facts.kind == "cuda" else None, precision or "")
    return place.place(program, device, disable, schedule, usual, layout=layout, slabs=slabs)


def has_tensor_cores(facts: Facts) -> bool:
    """Whether a device multiplies matrices of tf32 numbers: NVIDIA's from sm_80 on."""
    return facts.kind == "cuda" and int(facts.architecture.removeprefix("sm_").rstrip("af")) >= 80


def has_fast_matrices(facts: Facts) -> bool:
    """Whether matrix instructions of float64 are twice as fast as multiply-adds: on NVIDIA's of `sm_90`. Older devices
    have smaller ones, newer ones as many multiply-adds."""
    return facts.kind == "cuda" and facts.architecture.rstrip("af") == "sm_90"


ASIDE = 8
"""Bytes of a thread that may be kept in memory: a value or two that are rarely used cost less than another schedule."""


def spills(needs: Resources) -> bool:
    """Whether a kernel keeps values in memory for which it has no registers."""
    return max(needs.spill_stores, needs.spill_loads) > ASIDE


AROUND_CALLS = 64
"""The same where float64 is divided, or has functions: rare cases are calls, around which values are kept. To give
up a schedule for that costs more: rows of roots were then folded by one thread each."""


def spilling(placement: Placement, resources: Mapping[str, Resources]) -> Iterator[tuple[Placed, Resources]]:
    """The nests whose kernels do in some version, and what these need, of those of which that is known.

    Versions that are for large arrays alone do not count.
    """
    from weft.analysis.values.widths import is_wide_version

    for nest in placement.nests:
        made = [name for name in placement.version_names.get(nest.kernel, ()) if not is_wide_version(name)]
        found = (resources[name] for name in made if name in resources and spills(resources[name]))
        needs = next((needs for needs in found if not _is_around_calls(nest, needs)), None)
        if needs is not None:
            yield nest, needs


def _is_around_calls(nest: Placed, needs: Resources) -> bool:
    """Whether what is kept in memory is little enough to be for calls that a kernel has, which run rarely."""
    from weft.ir.nodes import Binary, Let, Math
    from weft.ir.types import FLOAT64
    from weft.ir.visit import walk

    if nest.offloaded is None or max(needs.spill_stores, needs.spill_loads) > AROUND_CALLS:
        return False
    lets = (s for s in walk(nest.offloaded.kernel.body) if isinstance(s, Let) and s.var.type == FLOAT64)
    values = (let.value for let in lets)
    return any(isinstance(v, Math) or (isinstance(v, Binary) and v.op == "truediv") for v in values)


def may_fault(placement: Placement) -> bool:
    """Whether a kernel of a program may find that the program would raise."""
    from weft.ir.visit import launches_in

    return any(launch.results for launch in launches_in(placement.program.body))


def sequential_loops(placement: Placement, device: str) -> Iterator[tuple[str, str, Location]]:
    """The warnings about loops that the host runs one iteration after the other, though a device was asked for."""
    for nest in placement.sequential():
        counter = nest.label.partition("@")[0].partition(".")[0]
        message = f"the loop over {counter!r} runs on the host and not on {device!r}, because {nest.reason}"
        yield "W001", message, nest.location


def generate(placement: Placement, device: str, fastmath: bool = False) -> tuple[Artifact, str]:
    """The source of both parts: host and kernels; under `fastmath` functions of float32 stay in float32."""
    from weft.backends.c import toolchain
    from weft.backends.host import driver

    dialect = importlib.import_module(f"weft.backends.{device.partition(':')[0]}.dialect")
    host = driver.generate(placement.program, toolchain.register_lanes())
    return host, dialect.generate_kernels(placement.program, fastmath)


def running(table: int) -> str:
    """What is queued on a device and not known to be done, in words: one of these calls made it fail."""
    calls = dict.fromkeys(_call_of(*launched) for launched in _stub.device_running(table))
    return f"what was queued and is not known to be done: {'; '.join(calls)}" if calls else ""


_KERNELS, _TO_DEVICE = 0, 1
"""WEFT_KERNELS and WEFT_IN of ``lanes.h``."""


def _call_of(lane: int, kernel: int, program: str | None, file: str | None, line: int, program_line: int) -> str:
    """A kernel's loop, or a copy, and the call that queued it."""
    place = f", called in {file}, line {line}" if file else ""
    if lane == _KERNELS:
        return f"the loop in line {kernel_at(kernel)[1]} of {program or 'a function'}{place}"
    copy = "a copy to the device" if lane == _TO_DEVICE else "a copy to the host"
    if not program:
        return f"{copy}, of an array that was touched in {file}, line {line}" if file else copy
    return f"{copy} for {f'line {program_line}' if program_line else 'an argument'} of {program}{place}"


_kernels: dict[int, tuple[str, int]] = {}
"""Names and lines of the kernels that are loaded, by their addresses."""

_codes: dict[int, str] = {}
"""Keys of their code."""


def code_at(address: int) -> str:
    """A key of the code of a kernel that is loaded."""
    return _codes[address]


def code_of(module: str, kernel: str) -> str:
    """The same for a kernel of a module in the store."""
    return key_of(module, kernel)


def note_kernel(address: int, name: str, line: int, module: str) -> None:
    """Remember a kernel that is loaded: the line of its loop, and the key of its module."""
    _kernels[address] = name, line
    _codes[address] = code_of(module, name)


def kernel_at(address: int) -> tuple[str, int]:
    """The name of a kernel and the line of its loop; nothing where it is not known."""
    return _kernels.get(address, ("", 0))


def is_oversized(leaves: Sequence[object], program: Program, device: str) -> bool:
    """Whether the NumPy arrays of a call, or those of a launch, are more than the memory of a device takes."""
    from weft.ir.reference.interpreter import needs

    given = sum(leaf.nbytes for leaf in leaves if isinstance(leaf, np.ndarray))
    return max(given, needs(program, leaves)) > room(device)


def room(device: str) -> int:
    """Bytes that calls of this thread can have on a device; of one that is not open, all of it under the limit."""
    if device in _tables.values():
        return _stub.device_room(table(device))
    limit = _stub.limit_memory(None)
    _stub.limit_memory(limit)
    memory = facts_of(device).memory
    return memory if limit is None else min(limit, memory)


SMALLER = (
    "give arrays in C order, write loops whose outermost counter is the first index of each array that is large, "
    "or call the function on parts of the arrays"
)
"""What helps where a program runs in slabs and its arrays do not fit still."""


def failure(
    compiled: Compiled, leaves: Sequence[object], made: Callable[[Mapping[str, object]], Mapping[int, int]]
) -> DeviceError:
    """Why the last call of this thread failed on its device.

    Parameters
    ----------
    compiled
        The program that ran.
    leaves
        The flat arguments of the call.
    made
        Says what arrays of its own it makes: bytes by lines; its leaves by their sources.
    """
    status, refused = _stub.device_failure()
    kind = compiled.device.partition(":")[0]
    if status == FORKED:
        return forks.refusal(compiled.device)
    if status == TOO_FAR:
        return DeviceError(f"{compiled.name}: the ends of a loop are too far apart for {compiled.device!r}")
    if status not in NO_MEMORY[kind]:
        said = f"{compiled.name}: the device {compiled.device!r} failed with the driver's error {status}"
        return DeviceError(said, cause=running(table(compiled.device)))
    given = {str(source): leaf for source, leaf in zip(compiled.sources, leaves, strict=False)}
    moved = {
        name: math.prod(leaf.shape) * leaf.itemsize
        for name, leaf in given.items()
        if isinstance(leaf, (np.ndarray, _stub.Coherent))
    }
    own = {line: size for line, size in made(given).items() if size}
    parts = [
        _sizes("of the arguments", {f"{name!r} has": size for name, size in moved.items()}),
        _sizes("of the arrays that it makes", {f"those of line {line} have": size for line, size in own.items()}),
    ]
    room = _stub.device_room(table(compiled.device))
    needed = max(sum(moved.values()) + sum(own.values()), refused)
    cuts = "; ".join(f"the loop in line {line} runs {how}" for line, how in compiled.slabs)
    return OutOfMemoryError(
        f"{compiled.name}: the arrays of this call do not fit into the memory of {compiled.device}",
        needed=needed or None,
        free=min(room, open_device(compiled.device).free_memory() or room),
        cause="; ".join(part for part in (*parts, cuts) if part),
        hint=SMALLER if cuts else "",
    )


def _sizes(of: str, sizes: Mapping[str, int]) -> str:
    """Which arrays have how many bytes; nothing where there are none."""
    return f"{of}, {', '.join(f'{has} {format_bytes(size)}' for has, size in sizes.items())}" if sizes else ""
