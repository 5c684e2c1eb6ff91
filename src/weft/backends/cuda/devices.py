"""CUDA devices through the driver: what there is, contexts and streams, loaded kernels."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from weft.backends.host import forks
from weft.errors import DeviceError
from weft.machine.facts import Facts

ARGUMENT_BYTES = 4096


def discover() -> list[Facts]:
    """The facts of all devices, without touching any; none without the extra or a driver."""
    try:
        return [facts_of(ordinal) for ordinal in range(_call("cuDeviceGetCount"))]
    except (ImportError, RuntimeError, DeviceError):
        return []


@functools.cache
def _driver() -> Any:
    """The bindings of the driver, started."""
    from cuda.bindings import driver

    forks.note_start("cuda")
    (status,) = driver.cuInit(0)
    if status != driver.CUresult.CUDA_SUCCESS:
        raise DeviceError(f"the CUDA driver does not start: {status.name}")
    return driver


def _call(function: str, *arguments: object) -> Any:
    """Call a function of the driver; its result, or DeviceError."""
    driver = _driver()
    status, *results = getattr(driver, function)(*arguments)
    if status == driver.CUresult.CUDA_SUCCESS:
        return tuple(results) if len(results) > 1 else results[0] if results else None
    raise DeviceError(f"the CUDA driver refused {function}: {status.name}")


def _attribute(device: Any, name: str) -> int:
    attribute = getattr(_driver().CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}")
    return int(_call("cuDeviceGetAttribute", attribute, device))


def facts_of(ordinal: int) -> Facts:
    """The facts of a device by its number, which need no context.

    Raises
    ------
    DeviceError
        There is no such device.
    """
    device = _call("cuDeviceGet", ordinal)
    name = _call("cuDeviceGetName", 128, device).partition(b"\0")[0].decode()
    return Facts(
        kind="cuda",
        description=name,
        driver=f"CUDA {_call('cuDriverGetVersion')}",
        cores=_attribute(device, "MULTIPROCESSOR_COUNT"),
        memory=int(_call("cuDeviceTotalMem", device)),
        architecture=_architecture(device),
        group=_attribute(device, "MAX_THREADS_PER_BLOCK"),
        lanes=_attribute(device, "WARP_SIZE"),
        fast_memory=_attribute(device, "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN"),
        argument_bytes=ARGUMENT_BYTES,
        clock=1000 * _attribute(device, "CLOCK_RATE"),
        cache=_attribute(device, "L2_CACHE_SIZE"),
    )


def _architecture(device: Any) -> str:
    major, minor = (_attribute(device, f"COMPUTE_CAPABILITY_{part}") for part in ("MAJOR", "MINOR"))
    return f"sm_{major}{minor}"


@dataclass
class OpenDevice:
    """A device in use: its primary context, which other libraries share, and a stream of its own."""

    facts: Facts
    context: Any
    stream: Any
    modules: list[Any] = field(default_factory=list)

    @property
    def handles(self) -> tuple[int, int]:
        """The addresses of the context and the stream."""
        return int(self.context), int(self.stream)

    def another_queue(self) -> int:
        """The address of a second stream."""
        _call("cuCtxSetCurrent", self.context)
        return int(_call("cuStreamCreate", _driver().CUstream_flags.CU_STREAM_NON_BLOCKING))

    def load(self, binary: bytes, names: Sequence[str]) -> tuple[int, ...]:
        """Load compiled kernels; their handles in the order of the names."""
        _call("cuCtxSetCurrent", self.context)
        module = _call("cuModuleLoadData", binary)
        self.modules.append(module)
        return tuple(int(_call("cuModuleGetFunction", module, name.encode())) for name in names)

    def prefer_shared(self, kernel: int, percent: int) -> None:
        """Keep a part of the fast memory of a multiprocessor for shared arrays while a kernel runs there."""
        attribute = _driver().CUfunction_attribute.CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
        _call("cuFuncSetAttribute", _driver().CUfunction(kernel), attribute, percent)

    def free_memory(self) -> int | None:
        """Bytes that nobody uses now, in no pool and by no other program."""
        _call("cuCtxSetCurrent", self.context)
        return int(_call("cuMemGetInfo")[0])


@functools.cache
def open_device(ordinal: int) -> OpenDevice:
    """Open a device by its number, once in a process.

    Raises
    ------
    DeviceError
        The driver refuses.
    """
    driver = _driver()
    device = _call("cuDeviceGet", ordinal)
    context = _call("cuDevicePrimaryCtxRetain", device)
    _call("cuCtxSetCurrent", context)
    stream = _call("cuStreamCreate", driver.CUstream_flags.CU_STREAM_NON_BLOCKING)
    _keep_memory(device)
    _reach_each_other(ordinal)
    return OpenDevice(facts_of(ordinal), context, stream)


_opened: list[int] = []
"""Numbers of the devices that are open."""


def _reach_each_other(ordinal: int) -> None:
    """Let copies between a device and those that are open already go directly, where the hardware has a way."""
    for other in _opened:
        for owner, user in ((ordinal, other), (other, ordinal)):
            if _call("cuDeviceCanAccessPeer", _call("cuDeviceGet", user), _call("cuDeviceGet", owner)):
                _grant(owner, user)
    _opened.append(ordinal)


def _grant(owner: int, user: int) -> None:
    """Let a device use memory of another one's pool."""
    driver = _driver()
    access = driver.CUmemAccessDesc()
    access.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    access.location.id = user
    access.flags = driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
    pool = _call("cuDeviceGetDefaultMemPool", _call("cuDeviceGet", owner))
    _call("cuMemPoolSetAccess", pool, [access], 1)


def _keep_memory(device: Any) -> None:
    """Let the driver's memory pool keep what is given back: otherwise every wait returns it to the system."""
    driver = _driver()
    pool = _call("cuDeviceGetDefaultMemPool", device)
    attribute = driver.CUmemPool_attribute.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD
    _call("cuMemPoolSetAttribute", pool, attribute, driver.cuuint64_t(2**64 - 1))
