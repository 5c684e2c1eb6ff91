"""What `weft.explain` says of a function for several devices: the loops that are cut, their pieces, predicted times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from weft.errors import ArgumentError, DeviceError, Error, UnsupportedError, format_bytes
from weft.jit import Function
from weft.machine.waiting import SEVERAL_DEVICES
from weft.report.forecast import Forecast
from weft.report.predict import on_accelerator, on_processor
from weft.report.profile import duration
from weft.runtime import machines
from weft.runtime.devices.devices import CPU, canonical
from weft.runtime.dispatch import choosing
from weft.runtime.dispatch.specialisation import Specialisation
from weft.runtime.forecasting import DeviceForecast, ForecastPart, on_device
from weft.split.cuts import Cut, KernelCut
from weft.split.devices import SplitFunction

SPLIT_COLUMNS = ("loop", "line", "device", "iterations", "share", "predicted", "copies")
PARTIAL = "partial results"
"""What copies are of that have no array of the user's."""
TOGETHER = "pieces run at the same time"
IN_TURN = "pieces run one after the other: where an iteration writes is not certain"


@dataclass(frozen=True)
class SplitPiece:
    """A part of a loop that one device gets.

    Attributes
    ----------
    device
        Where it runs.
    start, stop
        Its first iteration and the one behind its last.
    share
        Its part of all iterations, from 0 to 1.
    seconds
        Its predicted time, copies included; None where no figures of the device are known.
    estimated
        Whether that is by estimated figures, such as those of a whole device for one of its halves.
    sent, returned
        Bytes that are copied to the device and back, by the name of the array; nothing on the processor.
    """

    device: str
    start: int
    stop: int
    share: float
    seconds: float | None
    sent: dict[str, int] = field(default_factory=dict)
    returned: dict[str, int] = field(default_factory=dict)
    estimated: bool = False


@dataclass(frozen=True)
class SplitLoop:
    """A loop that is cut.

    Attributes
    ----------
    loop, line
        Its variable, and its line in the file; of a call of `weft.kernel` the name of the kernel.
    reason
        Why it is cut, and how.
    pieces
        One for each device; empty pieces are left out.
    alone
        The predicted time of the whole loop on each device; None where no figures are known.
    seconds
        The predicted time of the loop in pieces; None where that of a piece is not known.
    ideal
        The time if all devices finished together at the speed that each has alone; None where one is not known.
    is_kernel
        Whether it is a kernel that was written by hand, and pieces are points of its grid.
    """

    loop: str
    line: int
    reason: str
    pieces: tuple[SplitPiece, ...]
    alone: dict[str, float | None]
    seconds: float | None
    ideal: float | None
    is_kernel: bool = False


@dataclass(frozen=True)
class SplitReport:
    """How a call is split over devices.

    Attributes
    ----------
    devices
        Their names.
    loops
        The loops that are cut, in order; those of time steps as they are in the first step.
    refused
        Why the function cannot be cut, in words; empty where it can.
    habit
        What calls of this size do, and by which times: run whole, or in pieces; empty where nothing was decided yet.
    """

    devices: tuple[str, ...]
    loops: tuple[SplitLoop, ...] = ()
    refused: str = ""
    habit: str = ""

    def __str__(self) -> str:
        lines = [f"split over {', '.join(self.devices)}"]
        if self.refused:
            lines.append(f"not cut: {self.refused}")
        if self.habit:
            lines.append(self.habit)
        for loop in self.loops:
            what = f"kernel {loop.loop}" if loop.is_kernel else f"loop over {loop.loop}"
            lines.append(f"{what} in line {loop.line}: {loop.reason}")
            lines += [
                f"  {p.device}: {p.start} to {p.stop}, {100 * p.share:.0f} %, {_piece_time(p)}{_copies(p)}"
                for p in loop.pieces
            ]
            alone = ", ".join(f"{device} {_time(seconds)}" for device, seconds in loop.alone.items())
            lines.append(f"  in pieces {_time(loop.seconds)}, ideal {_time(loop.ideal)}; alone: {alone}")
        return "\n".join(lines)

    __repr__ = __str__

    def notes(self) -> Iterator[str]:
        """What there is to say besides the pieces."""
        names = ", ".join(self.devices)
        if self.refused:
            yield f"not split over {names}: {self.refused}"
            return
        yield f"split over {names}; what else is said here is of a call that runs whole on {self.devices[0]}"
        if self.habit:
            yield self.habit
        for loop in self.loops:
            alone = ", ".join(f"{device} {_time(seconds)}" for device, seconds in loop.alone.items())
            yield (
                f"line {loop.line} is cut: {loop.reason}; predicted {_time(loop.seconds)}, ideal {_time(loop.ideal)}, "
                f"alone: {alone}"
            )

    def rows(self) -> Iterator[tuple[str, ...]]:
        """The pieces as rows of a table, with the columns `SPLIT_COLUMNS`."""
        for loop in self.loops:
            for p in loop.pieces:
                copies = _copies(p).removeprefix("; ")
                share = f"{100 * p.share:.0f} %"
                yield loop.loop, str(loop.line), p.device, f"{p.start} to {p.stop}", share, _piece_time(p), copies


def split_report(
    function: SplitFunction[..., object], args: Sequence[object], kwargs: Mapping[str, object]
) -> SplitReport:
    """How the next call of a function is split; nothing is run but the bounds of its loops.

    Parameters
    ----------
    function
        A function for several devices.
    args, kwargs
        The arguments of the call.
    """
    try:
        cuts = function.cuts(*args, **kwargs)
    except UnsupportedError as error:
        return SplitReport(function.devices, refused=_in_words(error))
    except ArgumentError as error:
        if error.location is None:  # only kernels of users have a place: what is wrong with others is the call's
            raise
        return SplitReport(function.devices, refused=_in_words(error))
    loops = tuple(_loop(cut) if isinstance(cut, Cut) else _kernel(cut) for cut in cuts)
    return SplitReport(function.devices, loops, habit=_habit(function, args, kwargs))


def _habit(function: SplitFunction[..., object], args: Sequence[object], kwargs: Mapping[str, object]) -> str:
    """What calls of this size do, in words."""
    device, habit = function.habit(*args, **kwargs)
    if not habit.is_decided:
        return ""
    times = f"the last took {duration(min(habit.whole))} whole on {device}, {duration(min(habit.pieces))} in pieces"
    return f"calls of this size run {f'whole on {device}' if habit.is_whole else 'in pieces'}: {times}"


def automatic_report(
    function: Function[..., object], args: Sequence[object], kwargs: Mapping[str, object]
) -> SplitReport | None:
    """Whether a call with ``device="auto"`` is split, and why not; None where there are no two devices of one model."""
    found = function.forecast_of_split(*args, **kwargs)
    if found is None:
        return None
    split, gain = found
    if not gain.pays:
        return SplitReport(gain.devices, refused=str(gain))
    report = split_report(split, args, kwargs)
    return replace(report, habit="; ".join(filter(None, (str(gain), report.habit))))


def split_forecast(
    function: SplitFunction[..., object], args: Sequence[object], kwargs: Mapping[str, object]
) -> Forecast:
    """What the next call of a function takes on its devices together; nothing is run but the bounds of its loops.

    Raises
    ------
    UnsupportedError
        The function cannot be cut.
    DeviceError
        There are no figures of a device.
    """
    rows, low, high, devices = (
        list[tuple[str, int, float, str, float, bool]](),
        SEVERAL_DEVICES,
        SEVERAL_DEVICES,
        set[str](),
    )
    for cut in function.cuts(*args, **kwargs):
        if not isinstance(cut, Cut):
            raise _no_time_of(cut)
        pieces = [(device, _known(cut, device, bounds)) for device, bounds in cut.pieces if bounds[0] < bounds[1]]
        combine = _longest if cut.phase.is_certain else sum
        slowest = max(pieces, key=lambda one: one[1].seconds, default=None)
        low += combine(_times(cut, each) * each.interval[0] for _, each in pieces)
        high += combine(_times(cut, each) * each.interval[1] for _, each in pieces)
        for device, each in pieces:
            hidden = cut.phase.is_certain and slowest is not None and device != slowest[0]
            seconds = _times(cut, each) * each.seconds
            rows.append(("loop", cut.phase.location.line, cut.times, device, seconds, hidden))
            devices.add(each.basis)
    total = SEVERAL_DEVICES + sum(seconds for *_, seconds, hidden in rows if not hidden)
    rows.insert(0, ("call", 0, 1, "what cuts and waits", SEVERAL_DEVICES, False))
    parts = tuple(ForecastPart(*row[:5], row[4] / total, row[5]) for row in rows)
    name, basis = " + ".join(function.devices), "; ".join(sorted(devices)) or "nothing runs"
    bound = max((part for part in parts), key=lambda part: part.seconds * (not part.hidden))
    both = DeviceForecast(name, total, (low, high), parts, bound.amount, basis)
    return Forecast(function.plain.__qualname__, name, (both,), _memory(args, kwargs), 0.0)


def _no_time_of(cut: KernelCut) -> UnsupportedError:
    return UnsupportedError(
        f"the time of the kernel {cut.call.label} cannot be predicted",
        cut.call.location,
        cause="it was written by hand, and nobody looks into it",
        hint="measure the call, or see weft.explain(...).split for its pieces and copies",
    )


def _times(cut: Cut, each: DeviceForecast) -> float:
    """How many times what a piece takes once: while arrays stay on the devices they are copied in one step alone."""
    copies = sum(part.seconds for part in each.parts if part.what == "copies")
    rest = max(each.seconds - copies, 0.0)
    if cut.stays < 2 or not each.seconds:
        return cut.times * cut.rounds
    return cut.times / cut.stays * (copies + cut.stays * rest) / each.seconds


def _longest(times: Iterable[float]) -> float:
    return max(times, default=0.0)


def _known(cut: Cut, device: str, bounds: tuple[int, int]) -> DeviceForecast:
    found = _forecast(*cut.examine(device, bounds))
    if found is not None:
        return found
    whole = device.partition(".")[0]
    raise DeviceError(
        f"there are no figures of {device!r}",
        cause=f"figures are known of {', '.join((CPU, *machines.other_devices()))}",
        hint=f"measure it: weft calibrate --device {canonical(whole)}",
    )


def _memory(args: Sequence[object], kwargs: Mapping[str, object]) -> int:
    return sum(int(getattr(value, "nbytes", 0)) for value in (*args, *kwargs.values()))


def _in_words(error: Error) -> str:
    place = f"line {error.location.line}: " if error.location is not None else ""
    return place + (error.cause or error.message)


def _loop(cut: Cut) -> SplitLoop:
    pieces = tuple(_piece(cut, device, *bounds) for device, bounds in cut.pieces if bounds[0] < bounds[1])
    alone = {device: _seconds(*cut.examine(device, cut.bounds)) for device, _ in cut.pieces}
    times = [piece.seconds for piece in pieces]
    known = [time for time in times if time is not None]
    combine = max if cut.phase.is_certain else sum
    rates = [1 / seconds for seconds in alone.values() if seconds]
    of = " of the entries of its rows" if cut.phase.rows else ""
    shares = (
        f"shares{of} by the times of the last call of this size" if cut.is_measured else f"equal shares{of} at first"
    )
    how = TOGETHER if cut.phase.is_certain else IN_TURN
    if cut.stays > 1:
        how += f"; in {cut.stays:,} steps the arrays stay on the devices, which exchange the rows between them"
    if cut.small:
        how += f"; the arrays do not fit into the memory of {cut.small}, so rows are copied there and back in each step"
    return SplitLoop(
        cut.phase.label.partition("@")[0].partition(".")[0],
        cut.phase.location.line,
        f"it is an outermost loop, and {_why(cut)}; {shares}; {how}",
        pieces,
        alone,
        cut.rounds * float(combine(known)) if known and len(known) == len(times) else None,
        1 / sum(rates) if rates and len(rates) == len(alone) else None,
    )


def _kernel(cut: KernelCut) -> SplitLoop:
    """A call of a kernel that was written by hand; its time is not predicted."""
    name, line, division = cut.call.label, cut.call.location.line, cut.division
    if division is None:
        return SplitLoop(
            name, line, "it runs whole: its grid has no points, or one device can run it", (), {}, None, None, True
        )
    axis = "xyz"[division.axis]
    reason = f"it is cut along {axis} of its grid in whole groups: fewest bytes are copied so, {division.why}"
    if division.overlap:
        reason += f"; {division.overlap:,} points are computed twice, since groups have several sizes"
    if division.combined:
        reason += f"; what pieces add to {', '.join(sorted(division.combined))} is added up"
    return SplitLoop(
        name,
        line,
        f"{reason}; {TOGETHER}",
        tuple(
            SplitPiece(p.device, p.own[0], p.own[1], (p.own[1] - p.own[0]) / division.count, None, sent, returned)
            for p, sent, returned in division.copies(dict(zip(cut.names, cut.operands, strict=True)))
        ),
        {piece.device: None for piece in division.pieces},
        None,
        None,
        True,
    )


def _why(cut: Cut) -> str:
    """Why a loop can be cut."""
    folds = cut.phase.folds
    folded = [value.name for value in folds.values if value.kind != "dead"] + list(folds.updates)
    if not folded:
        return "no iteration depends on another"
    if cut.phase.scan is not None:
        return f"each piece folds {', '.join(folded)} first, so it is known what the next piece begins with"
    return f"iterations meet only in what they fold ({', '.join(folded)}), which is put together in their order"


def _piece(cut: Cut, device: str, start: int, stop: int) -> SplitPiece:
    specialisation, leaves = cut.examine(device, (start, stop))
    sent, returned = dict[str, int](), dict[str, int]()
    work = specialisation.outline(device).work([choosing.exactly(leaf) for leaf in leaves])
    for copy in (work.copies or ()) if device != CPU else ():
        found = sent if copy.inwards else returned
        name = copy.name or PARTIAL
        found[name] = found.get(name, 0) + round(copy.times * copy.bytes)
    share = (stop - start) / (cut.bounds[1] - cut.bounds[0])
    predicted = _forecast(specialisation, leaves)
    seconds, estimated = (None, False) if predicted is None else (predicted.seconds, predicted.estimated)
    return SplitPiece(device, start, stop, share, seconds, sent, returned, estimated)


def _forecast(specialisation: Specialisation, leaves: tuple[object, ...]) -> DeviceForecast | None:
    """What a piece takes; None where nothing is known of the device."""
    if specialisation.device == CPU:
        return on_processor(specialisation, leaves)
    speed = machines.speed_of(specialisation.device)
    return None if speed is None else on_device(on_accelerator(specialisation, leaves, speed), machines.here())


def _seconds(specialisation: Specialisation, leaves: tuple[object, ...]) -> float | None:
    found = _forecast(specialisation, leaves)
    return None if found is None else found.seconds


def _time(seconds: float | None) -> str:
    return "unknown" if seconds is None else duration(seconds)


def _piece_time(piece: SplitPiece) -> str:
    return f"{_time(piece.seconds)}, estimated" if piece.estimated else _time(piece.seconds)


def _copies(piece: SplitPiece) -> str:
    """What is copied, in words."""
    words = [
        f"{name} {format_bytes(size)} {way}"
        for sizes, way in ((piece.sent, "there"), (piece.returned, "back"))
        for name, size in sizes.items()
    ]
    return f"; {', '.join(words)}" if words else ""
