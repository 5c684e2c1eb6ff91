"""Calls that run on several devices at once: ``weft.jit(device=("opencl:0.0", "cpu"))``."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from types import FunctionType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast

from weft.errors import ArgumentError, DeviceError, Error, UnsupportedError
from weft.frontend.source.signature import describe
from weft.runtime import _stub
from weft.runtime.devices.devices import AUTO, CPU, chosen, devices, find
from weft.runtime.dispatch.callee import Callee, shortened
from weft.runtime.dispatch.specialisation import Options
from weft.split.arguments import bound, check_arrays
from weft.split.shares import pieces

if TYPE_CHECKING:
    from weft.frontend.source.signature import ArgumentType
    from weft.ir.nodes import Program
    from weft.split.cutting import Phase

P = ParamSpec("P")
R = TypeVar("R", covariant=True)

ALL = "all"


@dataclass(frozen=True)
class Piece:
    """A part of a loop that a device ran.

    Attributes
    ----------
    loop
        The loop.
    device
        Where it ran.
    start, stop
        Its first iteration and the one behind its last.
    seconds
        How long it took, copies included.
    """

    loop: str
    device: str
    start: int
    stop: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.loop}: {self.start} to {self.stop} on {self.device}, {1e3 * self.seconds:.3f} ms"


class SplitFunction(Generic[P, R]):
    """A compiled function whose loops run on several devices at once; ``weft.jit(device=(...))`` makes it.

    Attributes
    ----------
    devices
        The names of the devices.
    split
        The pieces of the last call.
    """

    def __init__(self, function: Callable[P, R], options: Options, names: Sequence[str]) -> None:
        functools.update_wrapper(self, function)
        self.devices = tuple(names)
        self.split: list[Piece] = []
        self._function = cast(FunctionType, function)
        self._options = options
        self._phases: dict[tuple[ArgumentType, ...], list[Phase]] = {}
        self._callees: dict[tuple[int, str], Callee] = {}
        self._speeds: dict[tuple[object, ...], list[float]] = {}
        self._pool = ThreadPoolExecutor(len(names), "weft-split")

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        arguments = bound(self._function, args, kwargs)
        try:
            if chosen(None) != AUTO:  # a `weft.device` block
                return cast(R, self._whole.call(arguments)[0])
            return self._run(arguments)
        except Error as error:
            raise shortened(error) from error.__cause__

    def __repr__(self) -> str:
        return f"<weft function {self._function.__qualname__} on {', '.join(self.devices)}>"

    @functools.cached_property
    def _whole(self) -> Callee:
        return Callee(self._function, self._options, functools.partial(built, self._function))

    def _run(self, arguments: dict[str, object]) -> R:
        types = tuple(describe(value, name, "host") for name, value in arguments.items())
        phases = self._phases_for(types)
        check_arrays(arguments, {name for phase in phases for name in phase.writes})
        done: list[Piece] = []
        for position in range(len(phases)):
            done += self._run_phase(position, phases[position].label, arguments, types)
        self.split = done
        return cast(R, self._result(types, arguments))

    def _phases_for(self, types: tuple[ArgumentType, ...]) -> list[Phase]:
        if types not in self._phases:
            from weft.split.cutting import phases

            found = phases(built(self._function, types, "host"))
            self._check_rounding(found)
            self._phases[types] = found
        return self._phases[types]

    def _check_rounding(self, phases: Sequence[Phase]) -> None:
        """Refuse what rounds differently on the devices: which one computes an element is decided by measured times."""
        if len({name.partition(":")[0] for name in self.devices}) == 1 or self._options.fastmath:
            return
        for location, what in filter(None, (phase.rounded for phase in phases)):
            raise UnsupportedError(
                f"{self._function.__qualname__} cannot be split over {' and '.join(self.devices)}",
                location,
                cause=f"{what} is rounded differently on devices of different kinds, so results would not repeat",
                hint="name devices of one kind, or say fastmath=True",
            )

    def _result(self, types: tuple[ArgumentType, ...], arguments: Mapping[str, object]) -> object:
        """The arguments that the function returns, as the objects that they are."""
        return self._phases[types][-1].result(arguments)

    def _run_phase(
        self, position: int, label: str, arguments: dict[str, object], types: tuple[ArgumentType, ...]
    ) -> list[Piece]:
        """One loop, on all devices."""
        bounds, _ = self._callee(position, "bounds").call(arguments)
        start, stop = cast("tuple[int, int]", bounds)
        key = (types, position, (stop - start).bit_length())
        speeds = self._speeds.get(key, [1.0] * len(self.devices))
        cuts = pieces(start, stop, speeds)
        futures = []
        for device, cut in zip(self.devices, cuts, strict=True):
            if cut[0] < cut[1] or cut == cuts[0]:  # what raises without an iteration raises once
                futures.append(self._pool.submit(self._run_piece, position, label, device, arguments, cut))
                if not self._phases[types][position].is_certain:  # one after the other
                    futures[-1].result()
        found = _results(futures)
        self._learn(key, speeds, found)
        return found

    def _run_piece(
        self, position: int, label: str, device: str, arguments: Mapping[str, object], cut: tuple[int, int]
    ) -> Piece:
        from weft.split.cutting import HIGH, LOW

        before = _stub.set_limit(self._options.timeout)
        begun = time.perf_counter()
        try:
            self._callee(position, device).call({**arguments, LOW: cut[0], HIGH: cut[1]})
        finally:
            _stub.set_limit(before)
        return Piece(label, device, *cut, time.perf_counter() - begun)

    def _learn(self, key: tuple[object, ...], speeds: Sequence[float], done: Sequence[Piece]) -> None:
        """Measure the devices: by the second call of a size class, since the first one compiles."""
        if key not in self._speeds:
            self._speeds[key] = list(speeds)
            return
        by_device = {piece.device: (piece.stop - piece.start) / max(piece.seconds, 1e-9) for piece in done}
        if all(by_device.get(device) for device in self.devices):
            self._speeds[key] = [by_device[device] for device in self.devices]

    def _callee(self, position: int, device: str) -> Callee:
        """What runs a piece of a loop on a device, or gives the bounds of the loop."""
        key = (position, device)
        if key not in self._callees:
            options = replace(self._options, device=CPU if device == "bounds" else device)
            form = ("split", position, device == "bounds")
            make = bounds_of if device == "bounds" else piece_of
            self._callees[key] = Callee(
                self._function, options, functools.partial(make, self._function, position), form
            )
        return self._callees[key]


def _results(futures: Sequence[Future[Piece]]) -> list[Piece]:
    """The pieces once all are done; the exception of the first one that raised, in the order of iterations."""
    try:
        wait(futures)
    except KeyboardInterrupt:
        wait(futures)
        raise
    return [future.result() for future in futures]


def built(function: FunctionType, types: tuple[ArgumentType, ...], memory: str) -> Program:
    from weft.frontend import build

    return build(function, types, memory)


def piece_of(function: FunctionType, position: int, types: tuple[ArgumentType, ...], memory: str) -> Program:
    from weft.split.cutting import phases

    return phases(built(function, types[:-2], memory))[position].piece


def bounds_of(function: FunctionType, position: int, types: tuple[ArgumentType, ...], memory: str) -> Program:
    from weft.split.cutting import phases

    return phases(built(function, types, memory))[position].bounds


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
    names = tuple(str(name).removesuffix(":0") for name in written)
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


def split_function(function: FunctionType, options: Options, names: Sequence[str]) -> SplitFunction[..., Any]:
    """A function on several devices, of which `device_names` checked the names."""
    return SplitFunction(function, options, names)
