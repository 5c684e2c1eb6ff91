"""Facts of devices, as their drivers give them: one versioned value that can be used where the devices are not.

save(Machine.of(devices), path)        # on the machine that has them
machine = load(path)                   # anywhere
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from weft.errors import DeviceError

VERSION = 1
"""The version of the form on disk; facts of another version are refused."""


@dataclass(frozen=True)
class Facts:
    """What is known of one device without running anything on it.

    Parameters
    ----------
    kind
        ``cuda`` or ``opencl``.
    description
        The hardware, as its driver names it.
    driver
        Name and version of the driver: code that was compiled under another one is compiled again.
    cores
        Multiprocessors of a GPU, compute units of an OpenCL device.
    memory
        Bytes of its memory.
    architecture
        What to compile for: ``sm_90``, or the version of OpenCL C.
    group
        Work items of a block at most.
    lanes
        Work items that run in step: the size of a warp; 1 where it is not known.
    fast_memory
        Bytes of fast memory of a block.
    argument_bytes
        Bytes of arguments of a kernel at most.
    clock
        The highest clock rate in Hz; 0 where it is not known.
    has_float64
        Whether it computes with float64.
    is_processor
        Whether it is the processor of the host, under another driver.
    cache
        Bytes of the cache that all cores share; 0 where it is not known.
    """

    kind: str
    description: str
    driver: str
    cores: int
    memory: int
    architecture: str
    group: int
    lanes: int
    fast_memory: int
    argument_bytes: int
    clock: int = 0
    has_float64: bool = True
    is_processor: bool = False
    cache: int = 0


@dataclass(frozen=True)
class Machine:
    """The devices of one machine, in the order in which they are numbered."""

    name: str
    devices: tuple[Facts, ...]
    version: int = VERSION

    @classmethod
    def of(cls, devices: Iterable[Facts]) -> Machine:
        """The facts of this machine's devices under its name."""
        return cls(platform.node(), tuple(devices))

    def device(self, name: str) -> Facts:
        """The facts of a device by its name, such as ``cuda`` or ``opencl:1``.

        Raises
        ------
        DeviceError
            The machine has no such device.
        """
        kind, _, number = name.partition(":")
        found = [facts for facts in self.devices if facts.kind == kind]
        position = int(number or 0)
        if position >= len(found):
            raise DeviceError(f"the machine {self.name!r} has no device {name!r}")
        return found[position]


def to_json(machine: Machine) -> str:
    """The facts as text."""
    return json.dumps(asdict(machine), indent=2) + "\n"


def from_json(text: str) -> Machine:
    """The facts that `to_json` wrote.

    Raises
    ------
    DeviceError
        The text is no such thing, or of another version.
    """
    try:
        data: dict[str, Any] = json.loads(text)
        if data["version"] != VERSION:
            raise DeviceError(f"the facts have the version {data['version']}; this version of Weft reads {VERSION}")
        return Machine(data["name"], tuple(Facts(**facts) for facts in data["devices"]))
    except (ValueError, KeyError, TypeError) as error:
        raise DeviceError(f"these are no facts of devices: {error}") from error


def save(machine: Machine, path: Path) -> None:
    """Write the facts to a file."""
    path.write_text(to_json(machine), encoding="utf-8")


def load(path: Path) -> Machine:
    """Read the facts from a file; errors as for `from_json`."""
    return from_json(path.read_text(encoding="utf-8"))
