"""Machine files: the facts and figures of a machine as JSON, which predict for it anywhere.

    {"format": "weft machine", "version": 1, "weft": "0.9", "name": ..., "cpu": {...figures...}, "devices": {...},
     "loops": {"cuda": {"facts": {...}, "figures": {...}}}}

Each device has its description, its driver and the day of the measurement. A file of another version is refused: what
its figures mean may differ.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from weft.cost.figures import Figures
from weft.cost.speed import Speed
from weft.errors import ArgumentError
from weft.machine.copying import CopyFigures, CopyTime
from weft.machine.facts import Facts
from weft.version import __version__

FORMAT, VERSION = "weft machine", 1


@dataclass(frozen=True)
class DeviceFigures:
    """What a device is, and the figures of its kernels."""

    facts: Facts
    figures: Figures


@dataclass(frozen=True)
class MachineFile:
    """The figures of a machine: of its processor, and of its other devices by name.

    `devices` are those by which calls choose their device, `loops` those of kernels.
    """

    name: str
    cpu: Figures
    devices: Mapping[str, Speed] = field(default_factory=dict)
    loops: Mapping[str, DeviceFigures] = field(default_factory=dict)


def save(machine: MachineFile, path: str | Path) -> None:
    """Write a machine file."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        "weft": __version__,
        "name": machine.name,
        "cpu": machine.cpu.to_data(),
        "devices": {name: asdict(speed) for name, speed in machine.devices.items()},
        "loops": {name: to_data(each) for name, each in machine.loops.items()},
    }
    Path(path).write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def load(path: str | Path) -> MachineFile:
    """Read a machine file.

    Raises
    ------
    ArgumentError
        There is no such file, it is none, or it is of another version.
    """
    data = _read(Path(path))
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ArgumentError(f"{path} is no machine file", argument="machine", hint=_HINT)
    if data.get("version") != VERSION:
        raise ArgumentError(
            f"{path} is a machine file of version {data.get('version')}",
            argument="machine",
            cause=f"this Weft reads version {VERSION}; what the figures of another one mean may differ",
            hint=_HINT,
        )
    try:
        devices = {name: _speed(each) for name, each in data["devices"].items()}
        loops = {name: from_data(each) for name, each in data.get("loops", {}).items()}
        return MachineFile(data["name"], Figures.from_data(data["cpu"]), devices, loops)
    except (KeyError, TypeError, ValueError) as error:
        raise ArgumentError(
            f"{path} is damaged: {type(error).__name__}: {error}", argument="machine", hint=_HINT
        ) from error


def to_data(device: DeviceFigures) -> dict[str, Any]:
    """Figures of kernels as JSON takes them."""
    return {"facts": asdict(device.facts), "figures": device.figures.to_data()}


def from_data(data: Mapping[str, Any]) -> DeviceFigures:
    """What `to_data` gave."""
    return DeviceFigures(Facts(**data["facts"]), Figures.from_data(data["figures"]))


_HINT = "write one on the machine that it is for: weft calibrate --save machine.json"


def _read(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ArgumentError(f"{path} cannot be read: {error.strerror}", argument="machine", hint=_HINT) from error
    except ValueError as error:
        raise ArgumentError(f"{path} is no machine file", argument="machine", hint=_HINT) from error


def _speed(data: Mapping[str, Any]) -> Speed:
    given = dict(data)
    for name in ("memory", "arithmetic", "chained", "neighbours"):
        given[name] = tuple((float(size), float(seconds)) for size, seconds in given[name])
    copies = given["copies"]
    if copies is not None:
        given["copies"] = CopyFigures(**{**copies, "times": tuple(CopyTime(**time) for time in copies["times"])})
    return Speed(**given)
