"""OpenCL devices through PyOpenCL: what there is, contexts and queues, loaded kernels."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weft.backends.host import forks
from weft.errors import DeviceError
from weft.machine.facts import Facts


def discover() -> list[Facts]:
    """The facts of all devices of all platforms; none without the extra or a platform."""
    try:
        import pyopencl
    except ImportError:
        return []
    try:
        return [_facts(device) for device in _devices()]
    except pyopencl.Error:
        return []


def _devices() -> list[Any]:
    import pyopencl

    forks.note_start("opencl")
    try:
        platforms = pyopencl.get_platforms()
    except pyopencl.LogicError:
        return []  # the loader library says so when there is no platform
    return [device for platform in platforms for device in platform.get_devices()]


HALVES = 2
"""Sub-devices of a device."""


def device_of(ordinal: int | str) -> Any:
    """A device by its number, or a half of its compute units by a text such as ``0.1``.

    Raises
    ------
    DeviceError
        There is no such half: the device cannot be divided, or has fewer units.
    IndexError
        There is no such device.
    """
    if isinstance(ordinal, int):
        return _devices()[ordinal]
    number, _, half = ordinal.partition(".")
    halves = _halves(int(number))
    if not half.isdigit() or int(half) >= len(halves):
        raise DeviceError(
            f"there is no device 'opencl:{ordinal}'", hint=f"the halves of a device are opencl:{number}.0 and .1"
        )
    return halves[int(half)]


@functools.cache
def _halves(number: int) -> list[Any]:
    """The two sub-devices of a device, on different compute units."""
    import pyopencl

    device = _devices()[number]
    units = int(device.max_compute_units) // HALVES
    if not units:
        raise DeviceError(f"the OpenCL device {number} has one compute unit, so it has no halves")
    try:
        return list(device.create_sub_devices([pyopencl.device_partition_property.EQUALLY, units]))[:HALVES]
    except pyopencl.Error as error:
        raise DeviceError(f"the OpenCL device {number} cannot be divided: {error}") from error


def facts_of(ordinal: int | str) -> Facts:
    """The facts of a device by its number.

    Raises
    ------
    DeviceError
        There is no such device.
    """
    import pyopencl

    try:
        return _facts(device_of(ordinal))
    except (IndexError, pyopencl.Error) as error:
        raise DeviceError(f"the OpenCL device {ordinal} cannot be opened: {error}") from error


def _facts(device: Any) -> Facts:
    import pyopencl

    return Facts(
        kind="opencl",
        description=device.name.strip(),
        driver=f"{device.platform.name} {device.driver_version}",
        cores=int(device.max_compute_units),
        memory=int(device.global_mem_size),
        architecture=device.opencl_c_version.strip(),
        group=int(device.max_work_group_size),
        lanes=1,
        fast_memory=int(device.local_mem_size),
        argument_bytes=int(device.max_parameter_size),
        clock=10**6 * int(device.max_clock_frequency),
        has_float64="cl_khr_fp64" in device.extensions,
        is_processor=bool(device.type & pyopencl.device_type.CPU),
    )


PROFILING = 2
"""CL_QUEUE_PROFILING_ENABLE: the ledger asks when things happened."""


@contextlib.contextmanager
def without_remarks() -> Iterator[None]:
    """Keep to itself what a compiler says of text that users never see; errors are raised all the same."""
    import pyopencl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pyopencl.CompilerWarning)
        yield


@dataclass
class OpenDevice:
    """A device in use: a context, an in-order queue, and the kernels that were loaded."""

    facts: Facts
    device: Any
    context: Any
    queue: Any
    kernels: list[Any] = field(default_factory=list)
    queues: list[Any] = field(default_factory=list)

    @property
    def handles(self) -> tuple[int, int]:
        """The addresses of the context and the queue."""
        return self.context.int_ptr, self.queue.int_ptr

    def another_queue(self) -> int:
        """The address of a second queue."""
        import pyopencl

        self.queues.append(pyopencl.CommandQueue(self.context, self.device, PROFILING))
        return int(self.queues[-1].int_ptr)

    def load(self, binary: bytes, names: Sequence[str]) -> tuple[int, ...]:
        """Load compiled kernels; their handles in the order of the names."""
        import pyopencl

        try:
            with without_remarks():
                program = pyopencl.Program(self.context, [self.device], [binary]).build()
            loaded = [pyopencl.Kernel(program, name) for name in names]
        except pyopencl.Error as error:
            raise DeviceError(f"OpenCL refuses compiled kernels: {error}") from error
        self.kernels += loaded
        return tuple(kernel.int_ptr for kernel in loaded)

    def prefer_shared(self, kernel: int, percent: int) -> None:
        """OpenCL leaves that to the driver."""

    def free_memory(self) -> int | None:
        """Unknown: OpenCL does not say how much memory is in use."""
        return None


@functools.cache
def open_device(ordinal: int | str) -> OpenDevice:
    """Open a device by its number, once in a process.

    Raises
    ------
    DeviceError
        There is no such device, or OpenCL refuses.
    """
    import pyopencl

    try:
        device = device_of(ordinal)
        context = pyopencl.Context([device])
        queue = pyopencl.CommandQueue(context, device, PROFILING)
    except (IndexError, pyopencl.Error) as error:
        raise DeviceError(f"the OpenCL device {ordinal} cannot be opened: {error}") from error
    _share_loader()
    return OpenDevice(_facts(device), device, context, queue)


def _share_loader() -> None:
    """Let code in C find the loader library that PyOpenCL brought along: its symbols are private to it otherwise."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
            path = line.partition("/")[2]
            if "libOpenCL" in path:
                ctypes.CDLL(f"/{path}", mode=ctypes.RTLD_GLOBAL)
                return
