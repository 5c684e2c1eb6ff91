"""Calls that run on several devices at once: ``weft.jit(device=("opencl:0.0", "cpu"))``."""

from __future__ import annotations

import functools
import inspect
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeAlias, TypeVar, cast

from weft.compile.store import default_store, key_of
from weft.errors import ArgumentError, DeviceError, Error, UnsupportedError
from weft.frontend.source.signature import describe
from weft.runtime import _stub
from weft.runtime.devices.devices import AUTO, CPU, canonical, chosen, devices, find
from weft.runtime.dispatch.callee import Callee, shortened
from weft.runtime.dispatch.specialisation import Options, package_identity
from weft.split.arguments import bound, check_arrays
from weft.split.shares import pieces
from weft.split.steps import Item, Path, Plan, Steps, check_shapes, item_at, plan

if TYPE_CHECKING:
    from weft.frontend.source.signature import ArgumentType
    from weft.ir.nodes import Program
    from weft.runtime.dispatch.specialisation import Specialisation
    from weft.split.cutting import Phase

P = ParamSpec("P")
R = TypeVar("R", covariant=True)

Place: TypeAlias = "tuple[Path, Mapping[str, int]]"

ALL = "all"
SLOWEST = 1000.0
"""How many times slower than the fastest a device is taken to be at most, so that it is measured again."""


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


@dataclass(frozen=True)
class Cut:
    """A loop that is going to be cut.

    Attributes
    ----------
    phase
        The loop.
    bounds
        Its first iteration and the one behind its last.
    pieces
        The bounds of the piece of each device.
    is_measured
        Whether shares are by what calls before have measured; otherwise they are equal.
    examine
        Gives, for a device and the bounds of a piece, what would run it and its flat arguments.
    """

    phase: Phase
    bounds: tuple[int, int]
    pieces: tuple[tuple[str, tuple[int, int]], ...]
    is_measured: bool
    examine: Callable[[str, tuple[int, int]], tuple[Specialisation, tuple[object, ...]]]


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
        self._signature = inspect.signature(function)
        self._options = options
        self._plans: dict[tuple[ArgumentType, ...], Plan] = {}
        self._callees: dict[tuple[Path, str], Callee] = {}
        self._speeds: dict[tuple[object, ...], list[float]] = {}
        self._pool = ThreadPoolExecutor(max(len(names) - 1, 1), "weft-split")

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        arguments = bound(self._function, args, kwargs, self._signature)
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
        found, run = self._begun(arguments)
        done = self._run_items(found.items, (), run)
        self.split = done
        return cast(R, found.returned({name: arguments[place] for name, place in run.places.items()}))

    def _begun(self, arguments: dict[str, object]) -> tuple[Plan, _Call]:
        """The plan of a call, and the call at its beginning."""
        types = tuple(describe(value, name, "host") for name, value in arguments.items())
        found = self._plan_for(types, arguments)
        moved = {name for moves in found.moves() for name in moves}
        check_arrays(arguments, moved.union(*(phase.writes for phase in found.phases())))
        check_shapes(arguments, found.moves())
        return found, _Call(arguments, types, {name: name for name in arguments})

    @property
    def plain(self) -> FunctionType:
        """The Python function."""
        return self._function

    def options_for(self, device: str) -> Options:
        """The options of the decorator for one device."""
        return replace(self._options, device=device)

    def cuts(self, *args: P.args, **kwargs: P.kwargs) -> list[Cut]:
        """The loops that the next call cuts, in order, with their pieces; of steps those of the first one.

        Only the bounds of loops are run.
        """
        arguments = bound(self._function, args, kwargs, self._signature)
        try:
            found, call = self._begun(arguments)
            return list(self._cuts(found.items, (), call))
        except Error as error:
            raise shortened(error) from error.__cause__

    def _cuts(self, items: Sequence[Item], path: Path, call: _Call) -> Iterator[Cut]:
        for position, item in enumerate(items):
            here = (*path, position)
            if isinstance(item, Steps):
                first, _ = cast("tuple[int, int]", self._callee(here, "bounds").call(call.given())[0])
                yield from self._cuts(item.items, here, call.at(item.counter, first))
                continue
            bounds, speeds = self._bounds(here, call)
            work = tuple(zip(self.devices, pieces(*bounds, speeds), strict=True))
            is_measured = max(speeds) != 1.0
            yield Cut(item, bounds, work, is_measured, functools.partial(self._examine, here, call.given()))

    def _examine(
        self, path: Path, arguments: Mapping[str, object], device: str, cut: tuple[int, int]
    ) -> tuple[Specialisation, tuple[object, ...]]:
        from weft.split.cutting import HIGH, LOW

        found, _, leaves = self._callee(path, device).examine({**arguments, LOW: cut[0], HIGH: cut[1]})
        return found, leaves

    def _bounds(self, path: Path, call: _Call) -> tuple[tuple[int, int], list[float]]:
        """The bounds of a loop, and how fast the devices are at it."""
        bounds, _ = self._callee(path, "bounds").call(call.given())
        start, stop = cast("tuple[int, int]", bounds)
        speeds = self._speeds.get((call.types, path, (stop - start).bit_length()), [1.0] * len(self.devices))
        return (start, stop), speeds

    def _run_items(self, items: Sequence[Item], path: Path, call: _Call) -> list[Piece]:
        """All loops, one after the other; of steps the pieces of the last one."""
        done: list[Piece] = []
        for position, item in enumerate(items):
            here = (*path, position)
            if not isinstance(item, Steps):
                done += self._run_phase(here, item, call)
                continue
            bounds, _ = self._callee(here, "bounds").call(call.given())
            last: list[Piece] = []
            for step in range(*cast("tuple[int, int]", bounds)):
                inner = call.at(item.counter, step)
                last = self._run_items(item.items, here, inner)
                call.places = item.moved(inner.places)
            done += last
        return done

    def _plan_for(self, types: tuple[ArgumentType, ...], arguments: Mapping[str, object]) -> Plan:
        if types not in self._plans:
            found = plan(built(self._function, types, "host"))
            self._check_rounding(list(found.phases()))
            self._check_sums(found, arguments)
            self._plans[types] = found
        return self._plans[types]

    def _check_sums(self, found: Plan, arguments: Mapping[str, object]) -> None:
        """Refuse sums that other kernels add in pieces than in a call that is not cut."""
        if self._options.fastmath or not any(phase.has_sums for phase in found.phases()):
            return
        from weft.runtime.devices.accelerators import model
        from weft.split.agreement import disagreement

        device = self.devices[0]
        make = functools.partial(built, self._function)
        whole = Callee(self._function, self.options_for(device), make).find(arguments)
        made_for = package_identity(), model(device)
        store, name = default_store(), key_of(whole.request.digest, whole.request.options.key(), *made_for)
        if store.get("split", name) is True:
            return
        pieces = [self._callee(path, device).find({**arguments, **zeros}) for path, zeros in _places(found.items)]
        place = disagreement(whole.placement(), [piece.placement() for piece in pieces])
        if place is not None:
            raise UnsupportedError(
                f"{self._function.__qualname__} cannot be cut into pieces",
                place,
                cause="other kernels would add the floats of this loop than in a call that is not cut",
                hint="say fastmath=True, or run it on one device",
            )
        store.put("split", name, True)

    def _check_rounding(self, phases: Sequence[Phase]) -> None:
        """Refuse what rounds differently on the devices: which one computes an element is decided by measured times."""
        from weft.runtime.devices.accelerators import model

        if len({model(name) for name in self.devices}) == 1 or self._options.fastmath:
            return
        for location, what in filter(None, (phase.rounded for phase in phases)):
            raise UnsupportedError(
                f"{self._function.__qualname__} cannot be split over {' and '.join(self.devices)}",
                location,
                cause=f"{what} is rounded differently on devices of different kinds, so results would not repeat",
                hint="name devices of one kind and model, or say fastmath=True",
            )

    def _run_phase(self, path: Path, phase: Phase, call: _Call) -> list[Piece]:
        """One loop, on all devices."""
        arguments = call.given()
        (start, stop), speeds = self._bounds(path, call)
        key = (call.types, path, (stop - start).bit_length())
        cuts = pieces(start, stop, speeds)
        run = functools.partial(self._run_piece, path, phase.label, arguments)
        # what raises without an iteration raises once
        work = [(d, cut) for d, cut in zip(self.devices, cuts, strict=True) if cut[0] < cut[1] or cut == cuts[0]]
        found = self._at_once(run, work) if phase.is_certain else [run(*one) for one in work]
        self._learn(key, speeds, found)
        return found

    def _at_once(
        self, run: Callable[[str, tuple[int, int]], Piece], work: Sequence[tuple[str, tuple[int, int]]]
    ) -> list[Piece]:
        """Run pieces at the same time, the first one on the thread of the call."""
        first: Future[Piece] = Future()
        others = [self._pool.submit(run, *one) for one in work[1:]]
        try:
            first.set_result(run(*work[0]))
        except BaseException as error:  # raised when the others are done
            first.set_exception(error)
        return _results([first, *others])

    def _run_piece(
        self, path: Path, label: str, arguments: Mapping[str, object], device: str, cut: tuple[int, int]
    ) -> Piece:
        from weft.split.cutting import HIGH, LOW

        before = _stub.set_limit(self._options.timeout)
        begun = time.perf_counter()
        try:
            self._callee(path, device).call({**arguments, LOW: cut[0], HIGH: cut[1]})
        finally:
            _stub.set_limit(before)
        return Piece(label, device, *cut, time.perf_counter() - begun)

    def _learn(self, key: tuple[object, ...], speeds: Sequence[float], done: Sequence[Piece]) -> None:
        """Measure the devices: by the second call of a size class, since the first one compiles."""
        if key not in self._speeds:
            self._speeds[key] = list(speeds)
            return
        found = list(speeds)
        for k, device in enumerate(self.devices):
            piece = next((piece for piece in done if piece.device == device and piece.start < piece.stop), None)
            if piece is None:  # too few iterations to be measured: it gets some again, by and by
                found[k] *= 1.25
                continue
            measured = (piece.stop - piece.start) / max(piece.seconds, 1e-9)
            found[k] = measured if max(speeds) == 1.0 else math.sqrt(measured * speeds[k])
        self._speeds[key] = [max(speed, max(found) / SLOWEST) for speed in found]

    def _callee(self, path: Path, device: str) -> Callee:
        """What runs a piece of a loop on a device, or gives the bounds of the loop."""
        key = (path, device)
        if key not in self._callees:
            options = replace(self._options, device=CPU if device == "bounds" else device)
            form = ("split", path, device == "bounds")
            make = bounds_of if device == "bounds" else piece_of
            self._callees[key] = Callee(self._function, options, functools.partial(make, self._function, path), form)
        return self._callees[key]


@dataclass
class _Call:
    """A call under way: which argument stands in the place of which, and the counters of the steps."""

    arguments: dict[str, object]
    types: tuple[ArgumentType, ...]
    places: dict[str, str]
    counters: dict[str, int] = field(default_factory=dict)

    def given(self) -> dict[str, object]:
        """The arguments as they stand now, and the counters."""
        return {**{name: self.arguments[place] for name, place in self.places.items()}, **self.counters}

    def at(self, counter: str, step: int) -> _Call:
        """The same call in a step."""
        return _Call(self.arguments, self.types, self.places, {**self.counters, counter: step})


def _places(items: Sequence[Item], path: Path = (), counters: Mapping[str, int] | None = None) -> Iterator[Place]:
    """Where the loops of a plan stand, and arguments that their pieces have besides those of the function."""
    from weft.split.cutting import HIGH, LOW

    for position, item in enumerate(items):
        here, known = (*path, position), counters or {}
        if isinstance(item, Steps):
            yield from _places(item.items, here, {**known, item.counter: 0})
        else:
            yield here, {**known, LOW: 0, HIGH: 0}


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


def piece_of(function: FunctionType, path: Path, types: tuple[ArgumentType, ...], memory: str) -> Program:
    """The program of a piece: its arguments are those of the function, the counters of steps, and two bounds."""
    from weft.split.cutting import Phase

    found = item_at(built(function, types[: -1 - len(path)], memory), path)
    assert isinstance(found, Phase)
    return found.piece


def bounds_of(function: FunctionType, path: Path, types: tuple[ArgumentType, ...], memory: str) -> Program:
    """The program of the bounds of a loop."""
    own = types[: len(types) - len(path) + 1]
    return item_at(built(function, own, memory), path).bounds


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


def split_function(function: FunctionType, options: Options, names: Sequence[str]) -> SplitFunction[..., Any]:
    """A function on several devices, of which `device_names` checked the names."""
    return SplitFunction(function, options, names)
