"""The figures that predictions go by: those of this machine, from the store, or of another one, from a file."""

from __future__ import annotations

import platform
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from weft.compile.store import default_store, key_of
from weft.runtime.devices import speeds
from weft.runtime.devices.devices import CPU, canonical, find

if TYPE_CHECKING:
    from weft.cost.figures import Figures
    from weft.cost.machine_file import DeviceFigures, MachineFile
    from weft.cost.speed import Speed
    from weft.machine.facts import Facts

LIKELY_CACHES = ((32 << 10, 8), (1 << 20, 8), (32 << 20, 16))
"""Where the system does not say."""


def _key() -> str:
    return key_of("figures of loops, version 2", platform.node())


def driver() -> str:
    """What figures of the processor depend on besides its name: its cores and the compiler."""
    from weft.backends.c import toolchain
    from weft.cost.speed import driver_of

    return f"{driver_of(find(CPU).cores)}, compiler {toolchain.identity()[:12]}"


def keep(figures: Figures) -> None:
    """Store the figures of the processor, for this process and those that follow."""
    default_store().put("figures", _key(), figures)
    here.cache_clear()


@cache
def here() -> MachineFile:
    """The present machine: measured figures where there are some that still hold, else estimates."""
    from weft.cost.figures import Figures, estimates
    from weft.cost.machine_file import MachineFile

    found = default_store().get("figures", _key())
    processor = find(CPU)
    if not isinstance(found, Figures) or (found.description, found.driver) != (processor.description, driver()):
        guess = estimates()
        found = Figures(
            processor.description, driver(), "", guess.values, caches(), processor.cores, {}, guess.residuals
        )
    others = {name: speed for name, speed in speeds.known().items() if name != CPU}
    return MachineFile(platform.node(), found, others, _loops())


def _device_key() -> str:
    return key_of("figures of kernels, version 1", platform.node())


def keep_device(device: str, figures: DeviceFigures) -> None:
    """Store the figures of the kernels of a device, for this process and those that follow."""
    default_store().put("figures", _device_key(), {**_stored(), device: figures})
    here.cache_clear()


def _stored() -> dict[str, DeviceFigures]:
    found = default_store().get("figures", _device_key())
    return found if isinstance(found, dict) else {}


def _loops() -> dict[str, DeviceFigures]:
    """The figures of kernels that were measured; whether a device is still the same is seen when it is asked for."""
    return _stored()


def loops_of(device: str, facts: Facts) -> DeviceFigures:
    """The figures of a device's kernels: measured where they still hold, else estimates."""
    from weft.cost.figures import device_estimates
    from weft.cost.machine_file import DeviceFigures

    found = here().loops.get(device)
    if found is not None and (found.facts.description, found.facts.driver) == (facts.description, facts.driver):
        return found
    guess = replace(device_estimates(facts.description), description=facts.description, driver=facts.driver, date="")
    return DeviceFigures(facts, guess)


def kernels_of(device: str) -> DeviceFigures | None:
    """The figures of a device's kernels: its own, or those of its architecture. None if neither exist."""
    from weft.cost.figures import ESTIMATED
    from weft.runtime.devices.accelerators import facts_of

    facts = facts_of(device)
    found = loops_of(device, facts)
    return found if found.figures.measured or facts.architecture == ESTIMATED else None


def other_devices() -> dict[str, Speed]:
    """The devices of this machine besides the processor: measured ones, then those that are estimated."""
    found = dict(here().devices)
    for speed in speeds.estimates():
        found.setdefault(speed.device, speed)
    return found


def speed_of(device: str) -> Speed | None:
    """The figures of a device; for a part of one, those of the whole and its share of the units, as an estimate.

    None where there are no figures.
    """
    from weft.runtime.devices.accelerators import facts_of

    found, whole = other_devices().get(device), canonical(device.partition(".")[0])
    speed = other_devices().get(whole)
    if found is not None or speed is None or "." not in device:
        return found
    return speed.part(device, facts_of(device).cores / max(facts_of(whole).cores, 1))


def caches() -> tuple[tuple[int, int], ...]:
    """Bytes and ways of the data caches of a core, the smallest first: three of them."""
    found: dict[int, tuple[int, int]] = {}
    for place in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            kind = (place / "type").read_text().strip()
            level = int((place / "level").read_text())
            text = (place / "size").read_text().strip()
            ways = int((place / "ways_of_associativity").read_text())
        except (OSError, ValueError):
            continue
        unit = {"K": 1 << 10, "M": 1 << 20}.get(text[-1:], 1)
        if kind != "Instruction" and text.rstrip("KM").isdigit():
            found[level] = (int(text.rstrip("KM")) * unit, ways or 8)
    return tuple(found.get(level, LIKELY_CACHES[level - 1]) for level in (1, 2, 3))
