"""What `weft.explain` says of a function for several devices: the loops that are cut, their pieces, predicted times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from weft.errors import Error, UnsupportedError, format_bytes
from weft.report.predict import on_accelerator, on_processor
from weft.report.profile import duration
from weft.runtime import machines
from weft.runtime.devices.devices import CPU
from weft.runtime.dispatch import choosing
from weft.runtime.dispatch.specialisation import Specialisation
from weft.split.devices import Cut, SplitFunction

SPLIT_COLUMNS = ("loop", "line", "device", "iterations", "share", "predicted", "copies")
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


@dataclass(frozen=True)
class SplitLoop:
    """A loop that is cut.

    Attributes
    ----------
    loop, line
        Its variable, and its line in the file.
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
    """

    loop: str
    line: int
    reason: str
    pieces: tuple[SplitPiece, ...]
    alone: dict[str, float | None]
    seconds: float | None
    ideal: float | None


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
    """

    devices: tuple[str, ...]
    loops: tuple[SplitLoop, ...] = ()
    refused: str = ""

    def __str__(self) -> str:
        lines = [f"split over {', '.join(self.devices)}"]
        if self.refused:
            lines.append(f"not cut: {self.refused}")
        for loop in self.loops:
            lines.append(f"loop over {loop.loop} in line {loop.line}: {loop.reason}")
            lines += [
                f"  {p.device}: {p.start} to {p.stop}, {100 * p.share:.0f} %, {_time(p.seconds)}{_copies(p)}"
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
                yield loop.loop, str(loop.line), p.device, f"{p.start} to {p.stop}", share, _time(p.seconds), copies


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
    return SplitReport(function.devices, tuple(_loop(cut) for cut in cuts))


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
    shares = "shares by the times of the last call of this size" if cut.is_measured else "equal shares at first"
    how = TOGETHER if cut.phase.is_certain else IN_TURN
    return SplitLoop(
        cut.phase.label.partition("@")[0].partition(".")[0],
        cut.phase.location.line,
        f"it is an outermost loop, and no iteration depends on another; {shares}; {how}",
        pieces,
        alone,
        float(combine(known)) if known and len(known) == len(times) else None,
        1 / sum(rates) if rates and len(rates) == len(alone) else None,
    )


def _piece(cut: Cut, device: str, start: int, stop: int) -> SplitPiece:
    specialisation, leaves = cut.examine(device, (start, stop))
    sent, returned = dict[str, int](), dict[str, int]()
    work = specialisation.outline(device).work([choosing.exactly(leaf) for leaf in leaves])
    for copy in (work.copies or ()) if device != CPU else ():
        found = sent if copy.inwards else returned
        found[copy.name] = found.get(copy.name, 0) + round(copy.times * copy.bytes)
    share = (stop - start) / (cut.bounds[1] - cut.bounds[0])
    return SplitPiece(device, start, stop, share, _seconds(specialisation, leaves), sent, returned)


def _seconds(specialisation: Specialisation, leaves: tuple[object, ...]) -> float | None:
    """The predicted time of a piece; None where nothing is known of the device."""
    if specialisation.device == CPU:
        return on_processor(specialisation, leaves).seconds
    speed = machines.other_devices().get(specialisation.device)
    return None if speed is None else on_accelerator(specialisation, leaves, speed).seconds


def _time(seconds: float | None) -> str:
    return "unknown" if seconds is None else duration(seconds)


def _copies(piece: SplitPiece) -> str:
    """What is copied, in words."""
    words = [
        f"{name} {format_bytes(size)} {way}"
        for sizes, way in ((piece.sent, "there"), (piece.returned, "back"))
        for name, size in sizes.items()
    ]
    return f"; {', '.join(words)}" if words else ""
