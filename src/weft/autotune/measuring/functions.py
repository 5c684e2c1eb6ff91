"""Compiled functions as targets: their candidates are devices, passes that are left out, and schedules of kernels.

All candidates are legal, and their answers are compared all the same. On a processor a candidate leaves out one of the
passes in `SHAPES`, which lay loops out and change no result but the rounding of float sums; on a device it runs a
kernel under one of the schedules that ``schedule="measure"`` tries.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from weft.autotune.measuring.targets import Run, hardware, run_here, size_of
from weft.autotune.searching.strategies import Prior
from weft.autotune.spaces.space import Point, Space
from weft.compile.store import key_of
from weft.errors import ArgumentError, Error
from weft.jit import Function
from weft.runtime.devices import accelerators
from weft.runtime.devices.devices import AUTO, CPU, devices, find
from weft.runtime.dispatch import trials
from weft.runtime.dispatch.specialisation import package_identity
from weft.schedule.directives import Schedule

SHAPES = (
    "interchange", "tensor_contractions", "tiles", "interleave_tiles", "interleave", "lanes", "collapse", "narrow",
    "reduction_interchange", "scalar_promotion", "distribute", "unroll", "delinearise",
    "accumulators",
)  # fmt: skip
"""Passes that may cost time instead of saving it."""
NOTHING = "nothing"
DEFAULT = "default"


class FunctionTarget:
    """A compiled function and its arguments."""

    def __init__(self, function: Function[..., Any], given: Sequence[Any], device: str | None) -> None:
        self._function, self._given = function, list(given)
        self._options = function._callee.options
        self._devices = self._used(device)
        self._schedules: dict[str, dict[str, Schedule]] = {}
        self.name = function.__qualname__
        self.device = ", ".join(self._devices)
        self.driver = "; ".join(map(hardware, self._devices))
        self.identity = key_of(function.specialise(*given).request.digest, self._options.key(), package_identity())
        self.size = size_of(dict(enumerate(given)))
        points = self._space()
        self.space: Space | None = points
        self.prior = Prior(self._defaults(points))

    def _defaults(self, points: Space) -> list[int]:
        """The position of the function as it is on each device."""
        found = []
        for device in self._devices:
            point = {name: values[0] for name, values in points.parameters.items()} | {"device": device}
            position = points.position(points.counting(point))
            assert position is not None
            found.append(position)
        return found

    def _used(self, device: str | None) -> list[str]:
        """The devices whose candidates are tried."""
        asked = device or self._options.device
        if asked != AUTO:
            return [find(asked).name]
        return [found.name for found in devices() if found.name != "interpreter"]

    def _space(self) -> Space:
        parameters: dict[str, list[str]] = {"device": list(self._devices)}
        when = {}
        if CPU in self._devices:
            parameters["without"] = [NOTHING, *(name for name in SHAPES if name not in self._options.disable)]
            when["without"] = f"device == {CPU!r}"
        for device in self._devices:
            if accelerators.is_accelerator(device):
                for name, schedules in self._tried(device).items():
                    parameter = f"{name}_on_{device.replace(':', '_')}"
                    self._schedules[parameter] = schedules
                    parameters[parameter] = list(schedules)
                    when[parameter] = f"device == {device!r}"
        return Space(parameters, when=when)

    def _tried(self, device: str) -> dict[str, dict[str, Schedule]]:
        """The schedules of each kernel on a device, by their text; none where the device does not take the function."""
        try:
            specialisation = self._under({"device": device}).specialise(*self._given)
            kernels = list(trials.kernels_to_try(specialisation))
        except Error:
            return {}
        found = {}
        for name, schedules in kernels:
            some = list(itertools.islice(schedules, trials.MOST))
            if len(some) > 1:
                found[name] = {" ".join(map(str, schedule)) or DEFAULT: schedule for schedule in some}
        return found

    def tuned(self, point: Point) -> Function[..., Any]:
        """The function at a point."""
        return self._under(point)

    def _under(self, point: Mapping[str, Any]) -> Function[..., Any]:
        without = point.get("without", NOTHING)
        disable = self._options.disable if without == NOTHING else self._options.disable | {without}
        own = [self._schedules[name][text] for name, text in point.items() if name in self._schedules]
        schedule = tuple(directive for part in own for directive in part) or self._options.schedule
        options = replace(self._options, device=point["device"], disable=disable, schedule=schedule, measure=False)
        return Function(self._function.__wrapped__, options)

    def answer(self) -> dict[str, Any]:
        """That of the function as it is, on the processor."""
        plain = self._under({"device": CPU if CPU in self._devices else self._devices[0]})
        return run_here(plain, self._given, "time", 0.0)[1]

    def run(self, point: Point, best: float | None) -> Run:
        """Compile and run it here: compiled code is checked, and calls keep the function's own time limit."""
        return run_here(self._under(point), self._given, "time", best)

    def close(self) -> None:
        """Nothing was started."""


def check_repeatable(target: FunctionTarget) -> None:
    """ArgumentError where a run leaves a trace besides its arguments, so that it cannot be repeated."""
    specialisation = target._function.specialise(*target._given)
    arguments = target._function._bind(tuple(target._given), {})
    if not trials._is_repeatable(specialisation, arguments):
        raise ArgumentError(
            f"{target.name} changes more than its arguments, so it cannot be run again and again",
            argument="target",
            hint="pass what it changes as an argument",
        )
