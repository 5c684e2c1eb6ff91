"""The devices of a split, by the names that the user wrote: ``device=("cuda:0", "cpu")``, ``device="all"``."""

from __future__ import annotations

from weft.errors import ArgumentError, DeviceError
from weft.runtime.devices.devices import AUTO, canonical, devices, find

ALL = "all"


def device_names(written: object) -> tuple[str, ...]:
    """The devices of a split, checked.

    Parameters
    ----------
    written
        A tuple or list of names, or ``"all"``.

    Raises
    ------
    ArgumentError
        It is neither, has fewer than two names, one of them twice, or a device and a part of it.
    DeviceError
        A device is not here.
    """
    if written == ALL:
        return _all()
    if not isinstance(written, (tuple, list)) or not all(isinstance(name, str) for name in written):
        raise ArgumentError(
            f"{written!r} are no devices", argument="device", hint='write device=("cuda:0", "cpu"), or device="all"'
        )
    names = tuple(canonical(str(name)) for name in written)
    for position, name in enumerate(names):
        if name in (AUTO, "interpreter"):
            raise ArgumentError(f"{name!r} cannot be one of several devices", argument="device", hint="name a device")
        find(name)
        for other in names[:position]:
            _check_apart(other, name)
    if len(names) < 2:
        raise ArgumentError(
            f"{len(names)} devices are nothing to split over",
            argument="device",
            hint=f'write device="{names[0]}"' if names else "name two devices or more",
        )
    return names


def _check_apart(first: str, second: str) -> None:
    if first == second:
        raise ArgumentError(f"the device {second!r} is named twice", argument="device", hint="name each device once")
    a, b = (name if ":" in name else f"{name}:0" for name in (first, second))
    if a.startswith(f"{b}.") or b.startswith(f"{a}."):
        raise ArgumentError(
            f"{first!r} and {second!r} are the same hardware", argument="device", hint="name the halves, or the whole"
        )


def _all() -> tuple[str, ...]:
    """Every device, but OpenCL devices that are the processor."""
    from weft.runtime.devices.accelerators import facts_of, is_accelerator

    names = [found.name for found in devices() if found.name != "interpreter"]
    apart = tuple(name for name in names if not (is_accelerator(name) and facts_of(name).is_processor))
    if len(apart) < 2:
        raise DeviceError(
            f"there is one device only: {', '.join(apart)}",
            hint='leave device out; the halves of a processor are device=("opencl:0.0", "opencl:0.1")',
        )
    return apart
