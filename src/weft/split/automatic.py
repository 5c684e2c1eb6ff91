"""Functions with ``device="auto"`` on several devices of one model: whether a call is predicted to gain by a split.

What it does: a call is predicted as it runs whole and as it runs in pieces, by the same figures of the devices. Errors
of the figures are in both, so they change how large the gain is, and not whether there is one: its low end is that of
figures that are too slow. What they do not share is the error of the gain: what a split takes beside its pieces, and
pieces that do not end together. A call is split where the low end of the gain is above that error. What it does not do:
devices of different models, which round differently; arrays that are on a device; short calls, which cannot gain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from weft.cost.prediction import on_device
from weft.errors import DeviceError, Error
from weft.machine.waiting import SEVERAL_DEVICES, WORTH_SPLITTING
from weft.runtime import _stub, forecasting, machines
from weft.runtime.devices import accelerators, speeds
from weft.runtime.devices.devices import CPU
from weft.runtime.dispatch import choosing
from weft.split.arguments import at_a_glance
from weft.split.cuts import Cut

if TYPE_CHECKING:
    from types import FunctionType

    from weft.cost.prediction import Choice, Prediction
    from weft.runtime.dispatch.specialisation import Options, Specialisation
    from weft.split.devices import SplitFunction

LAYER = 1.0
"""How wrong `SEVERAL_DEVICES` may be, as a part of it."""
UNEVEN = 0.05
"""How much later than the others a device may end, as a part of the time of pieces."""


@dataclass(frozen=True)
class Gain:
    """What a call is predicted to gain by a split.

    Attributes
    ----------
    devices
        The devices.
    whole, split
        Seconds of the call whole, on the best device, and in pieces.
    low, error
        The low end of the gain and its error, in seconds.
    why_not
        Why no time of pieces is predicted, in words; empty where one is.
    """

    devices: tuple[str, ...]
    whole: float
    split: float = math.inf
    low: float = -math.inf
    error: float = 0.0
    why_not: str = ""

    @property
    def pays(self) -> bool:
        """Whether the call is split."""
        return not self.why_not and self.low > self.error

    def __str__(self) -> str:
        names = ", ".join(self.devices)
        if self.why_not:
            return f"it is not split over {names}: {self.why_not}"
        what = "is split" if self.pays else "is not split"
        times = f"{_ms(self.whole)} whole, {_ms(self.split)} in pieces"
        place = "above" if self.pays else "not above"
        gain = f"the gain is at least {_ms(self.low)}, {place} its error of {_ms(self.error)}"
        return f"it {what} over {names}: predicted {times}; {gain}"


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:.3g} ms"


def equal_devices(names: Iterable[str] | None = None) -> tuple[str, ...]:
    """The most measured devices of one model; none where there are not two.

    Parameters
    ----------
    names
        The devices that were measured; found out where they are not given.
    """
    measured = [name for name in speeds.known() if name != CPU] if names is None else [*names]
    models: dict[tuple[object, ...], list[str]] = {}
    for name in measured if len(measured) > 1 else ():
        try:
            models.setdefault(accelerators.model(name), []).append(name)
        except DeviceError:
            continue
    most = max(models.values(), key=len, default=[])
    return tuple(most) if len(most) > 1 else ()


class Automatic:
    """A function that may be split where that is predicted to gain.

    Parameters
    ----------
    split
        The function on several devices.
    """

    def __init__(self, split: SplitFunction[..., Any]) -> None:
        self.split = split
        self._gains: dict[tuple[object, ...], Gain] = {}

    def gain_of(self, arguments: Mapping[str, object], decided: Callable[[], Choice | None]) -> Gain | None:
        """What a call gains, found out once for a class of sizes; None of arguments that are not split.

        Parameters
        ----------
        arguments
            By name.
        decided
            Gives where the call runs whole, with predictions.
        """
        glance = at_a_glance(arguments.values())
        if glance is None:
            return None
        key = (*glance, _stub.size_class(tuple(arguments.values())))
        found = self._gains.get(key)
        if found is None:
            choice = decided()
            if choice is None or not choice.predictions:
                return None
            found = self._gains[key] = self._gain(arguments, choice)
        return found

    def _gain(self, arguments: Mapping[str, object], choice: Choice) -> Gain:
        times = {p.device: p.seconds for p in choice.predictions if not p.impossible}
        least, devices = min(times.values()), self.split.devices
        if least < WORTH_SPLITTING:
            return Gain(
                devices, least, why_not=f"it takes {_ms(least)} whole, and a split pays from {_ms(WORTH_SPLITTING)} on"
            )
        try:
            cuts = self.split.cuts(**arguments)
        except Error as error:
            return Gain(devices, least, why_not=error.cause or error.message)
        whole, split, spread = 0.0, SEVERAL_DEVICES, 0.0
        for cut in cuts:
            if not isinstance(cut, Cut):
                return Gain(devices, least, why_not=f"the time of the kernel {cut.call.label} is not predicted")
            found = [_seconds(cut, device, bounds) for device, bounds in cut.pieces if bounds[0] < bounds[1]]
            pieces, alone = [each for each in found if each is not None], _seconds(cut, devices[0], cut.bounds)
            if alone is None or len(pieces) < len(found):
                return Gain(devices, least, why_not=f"there are no figures of {', '.join(devices)}")
            whole += alone[0]
            split += cut.rounds * (max if cut.phase.is_certain else sum)([seconds for seconds, _ in pieces] or [0.0])
            split += cut.times / cut.stays * SEVERAL_DEVICES / 2
            spread = max(spread, alone[1])
        whole = min(whole, times.get(CPU, math.inf))
        doubt = LAYER * SEVERAL_DEVICES * len(cuts) + UNEVEN * split
        return Gain(devices, whole, split, (whole - split) * math.exp(-spread), doubt)


def _seconds(cut: Cut, device: str, bounds: tuple[int, int]) -> tuple[float, float] | None:
    """The time of a piece in all steps, and how far off figures may be, as the logarithm of a factor."""
    found = _predicted(*cut.examine(device, bounds))
    if found is None:
        return None
    copied = cut.times / cut.stays * found.copies
    forecast = forecasting.on_device(found, machines.here())
    half = math.log(forecast.interval[1] / forecast.seconds) if forecast.seconds > 0 else 0.0
    return copied + cut.times * (found.seconds - found.copies), half


def _predicted(specialisation: Specialisation, leaves: tuple[object, ...]) -> Prediction | None:
    speed = machines.speed_of(specialisation.device)
    if speed is None:
        return None
    outline = specialisation.outline(specialisation.device)
    work = outline.work([choosing.exactly(leaf) for leaf in leaves])
    return on_device(work, choosing.placed(outline, leaves), speed, speeds.processor())


def automatic(function: FunctionType, options: Options) -> Automatic | None:
    """A function that may be split over the devices of this machine.

    None where there are not two of one model, or where its options are for one device.
    """
    names = equal_devices()
    if not names or options.memory or options.on_error != "raise" or options.schedule or options.measure:
        return None
    from weft.split.devices import split_function

    return Automatic(split_function(function, options, names))
