"""How fast the devices of this machine are: figures that were measured and stored, or estimates.

Every process asks here once whether there is anything to choose. So nothing is imported before the answer is yes.
"""

from __future__ import annotations

import ctypes
import functools
import platform
from collections.abc import Mapping
from typing import TYPE_CHECKING

from weft.compile.store import default_store, key_of
from weft.errors import Error
from weft.runtime.devices.devices import CPU, find

if TYPE_CHECKING:
    from weft.cost.speed import Speed


def is_alone() -> bool:
    """Whether there is only the processor: no other device was measured, and there is no driver of a GPU."""
    return not known().keys() - {CPU} and not has_driver()


def _key() -> str:
    return key_of("speeds with products, chains in lanes, and neighbours on all devices", platform.node())


def store(speed: Speed) -> None:
    """Keep the figures of a device, for this process and those that follow."""
    stored = default_store().get("figures", _key())
    speeds = stored if isinstance(stored, dict) else {}
    default_store().put("figures", _key(), {**speeds, speed.device: speed})
    known.cache_clear()


@functools.cache
def known() -> Mapping[str, Speed]:
    """The measured speeds of this machine by device; none where those of the processor are of another one.

    Nothing is asked of drivers: whether a device is there and still the same is seen when it is to be used.
    """
    found = default_store().get("figures", _key())
    if not isinstance(found, dict) or CPU not in found:
        return {}
    from weft.cost.speed import driver_of

    processor, cpu = find(CPU), found[CPU]
    same = (cpu.description, cpu.driver) == (processor.description, driver_of(processor.cores))
    return found if same else {}


def processor() -> Speed:
    """The speed of the processor, measured or estimated."""
    from weft.cost.speed import estimated_processor

    found = find(CPU)
    return known().get(CPU) or estimated_processor(found.description, found.cores)


@functools.cache
def has_driver() -> bool:
    """Whether a CUDA driver is installed: nothing is started to find out."""
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


@functools.cache
def estimates() -> tuple[Speed, ...]:
    """Estimated speeds of all GPUs of NVIDIA. OpenCL devices are not among them: many are the processor."""
    if not has_driver():
        return ()
    try:
        from weft.backends.cuda.devices import discover
        from weft.cost.speed import estimated

        return tuple(estimated(f"cuda:{k}" if k else "cuda", facts) for k, facts in enumerate(discover()))
    except Error:
        return ()
