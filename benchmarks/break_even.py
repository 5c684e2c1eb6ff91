"""The command `python -m benchmarks.break_even`: the automatic choice of a device against each device, over sizes.

Four programs of different balance are called with plain arrays, which cross the bus at every call, and with arrays of
Weft, which are on the device after the first one. Each device is timed, and the choice of Weft by the figures of this
machine, which are measured first where there are none. All take turns; what counts is the time of the choice over that
of the best device, turn by turn: the median, and whether nearly all turns are above the goal. A way that takes five
times as long as another one is timed few times, or once where it takes long, and where a call takes long the processor
is timed for one of both kinds of arrays: it runs the same code. The figure shows the sizes from which on a device is
faster.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import weft
from benchmarks import machine, tables
from weft.cost.speed import CPU
from weft.jit import Function
from weft.machine import timing
from weft.runtime.devices import accelerators, calibration, copying, speeds

RESULTS = Path(__file__).parent / "results" / "break_even.json"
FIGURE = Path(__file__).parent.parent / "docs" / "break_even.svg"
POWERS = tuple(range(8, 29, 2))
SMALL = 64
KINDS = ("numpy", "weft")
AUTO = "auto"
TURNS, FEW = 9, 3
"""How often ways take turns, and how often those do that take `FAR` times as long as the fastest."""

FAR = 5.0
BATCH = 1e-3
"""Seconds of a batch of calls."""

SLOW, ONCE = 0.05, 1.0
"""Seconds from which on a call needs no warm-up and has `FEW` turns, or none if it is `FAR` from the fastest; and from
which on it is made once."""

GOAL = 1.1
"""The choice is to cost at most this many times what the best device does."""


# --------------------------------------------------------------------------------------------------- programs


def add(a: Any, b: Any, c: Any) -> None:
    """Little work on much data."""
    for i in range(a.shape[0]):
        c[i] = a[i] + b[i]


def steps(u: Any, v: Any, count: int) -> None:
    """A five-point stencil, many times."""
    for _ in range(count):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u


def polynomial(a: Any, b: Any) -> None:
    """Much work on each element."""
    for i in range(a.shape[0]):
        x = a[i]
        y = x
        for _ in range(200):
            y = y * x + 0.5
        b[i] = y


def product(a: Any, b: Any, c: Any) -> None:
    """Work that grows faster than the data."""
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = np.float32(0.0)
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def _vectors(count: int, size: int) -> tuple[np.ndarray, ...]:
    return tuple(np.full(size, 0.5, np.float32) for _ in range(count))


def _squares(count: int, size: int) -> tuple[np.ndarray, ...]:
    side = max(int(size**0.5), 1)
    return tuple(np.full((side, side), 0.5, np.float32) for _ in range(count))


PROGRAMS: dict[str, tuple[Callable[..., None], Callable[[int], tuple[Any, ...]]]] = {
    "add": (add, partial(_vectors, 3)),
    "steps": (steps, lambda size: (*_squares(2, size), 100)),
    "polynomial": (polynomial, partial(_vectors, 2)),
    "product": (product, partial(_squares, 3)),
}
"""The loops, and the arguments for a size."""


# --------------------------------------------------------------------------------------------------- measuring


@dataclass(frozen=True)
class Figure:
    """Seconds of a call on one device, or on the one that was chosen, by turn, and what was predicted for it."""

    program: str
    arrays: str
    size: int
    device: str
    times: tuple[float, ...]
    chosen: str
    predicted: float

    @property
    def seconds(self) -> float:
        """The median of the turns."""
        return timing.median(self.times)


def devices(only: Sequence[str]) -> list[str]:
    """The devices to compare, the processor first; measured if they have not been."""
    found = [d.name for d in weft.devices() if d.name != "interpreter" and (not only or d.name in (*only, "cpu"))]
    for name in found:
        if name not in speeds.known():
            if accelerators.is_accelerator(name) and copying.load(name) is None:
                copying.measure(name)
            calibration.measure(name)
    return found


def figures(
    name: str, size: int, made: tuple[Any, ...], kind: str, compared: Sequence[str], known: Mapping[str, Figure]
) -> Iterator[Figure]:
    """Time one program at one size on all devices and as Weft chooses.

    Parameters
    ----------
    made
        The arguments.
    known
        What was measured of this program and size with other arrays, by device: slow calls of the processor are not
        made again.
    """
    slow = {CPU: known[CPU].times} if CPU in known and known[CPU].seconds >= SLOW else {}
    sets = _sets(made, kind, [device for device in compared if device not in slow] or [CPU])
    given = next(iter(sets.values()))
    choice = compiled(name, AUTO).examine(*given)[1].choice
    assert choice is not None
    if choice.device not in slow:
        sets[AUTO] = sets[choice.device]  # which are where it runs from the second call on
    slow |= {AUTO: slow[CPU]} if choice.device in slow else {}
    times = turns({device: partial(_call, compiled(name, device), given) for device, given in sets.items()}) | slow
    predicted = {p.device: p.seconds for p in choice.predictions}
    for device in (*compared, AUTO):
        seconds = predicted.get(choice.device if device == AUTO else device, float("nan"))
        yield Figure(name, kind, size, device, times[device], choice.device, seconds)


@cache
def compiled(name: str, device: str) -> Function[..., None]:
    """A program for a device, compiled for both kinds of arrays, which takes longer than most calls."""
    function, make = PROGRAMS[name]
    found = weft.jit(function, device=device)
    for kind in KINDS:
        found(*_sets(make(SMALL), kind, [device])[device])
    return found


def _sets(made: tuple[Any, ...], kind: str, devices: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    """The arguments for each device: plain arrays serve all, those of Weft stay where they are used."""
    if kind == "numpy":
        return dict.fromkeys(devices, made)
    return {device: tuple(weft.array(a) if isinstance(a, np.ndarray) else a for a in made) for device in devices}


def turns(calls: Mapping[str, Callable[[], None]]) -> dict[str, tuple[float, ...]]:
    """Seconds of a call, by turn; ways that are far from the fastest, and slow ones, have few turns.

    The first calls are not counted, by which arrays have moved, and are pinned since they came again.
    """
    firsts = {device: _once(call) for device, call in calls.items()}
    usual = {device: _warmed(calls[device], first, device == CPU) for device, first in firsts.items()}
    fastest = min(usual.values())
    times: dict[str, list[float]] = {device: [] for device in calls}
    for turn in range(TURNS):
        for device in list(calls) if turn % 2 else reversed(list(calls)):
            call = calls[device]
            if turn < _rounds(usual[device], fastest):
                if usual[device] <= SLOW:
                    call()  # threads sleep, and caches have what the others have left
                count = max(round(BATCH / usual[device]), 1)
                times[device].append(timing.wall_clock(call, count) / count)
    return {device: tuple(found) or (usual[device],) for device, found in times.items()}


def _rounds(seconds: float, fastest: float) -> int:
    """How often a way takes its turn."""
    is_slow, is_far = seconds > SLOW, seconds > FAR * fastest
    if seconds >= ONCE or (is_slow and is_far):
        return 0
    return FEW if is_slow or is_far else TURNS


def _once(call: Callable[[], None]) -> float:
    return timing.wall_clock(call, 1)


def _warmed(call: Callable[[], None], first: float, is_cpu: bool) -> float:
    """Seconds of the last of a few calls, by which arrays have moved and are pinned; of fewer on the processor."""
    if is_cpu and first > ONCE:
        return first
    return [_once(call) for _ in range(1 if is_cpu and first > SLOW else 3)][-1]


def _call(function: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    function(*arguments)
    weft.synchronize()


@dataclass(frozen=True)
class Ratio:
    """The choice's time over the best one: the median of the turns, and the ends without the two extremes of nine."""

    median: float
    low: float
    high: float


def ratio_of(group: dict[str, Figure]) -> Ratio:
    """How many times the best device's time the choice takes at a point."""
    best = min((figure for device, figure in group.items() if device != AUTO), key=lambda figure: figure.seconds)
    ratios = sorted(ours / theirs for ours, theirs in zip(group[AUTO].times, best.times, strict=False))
    edge = 1 if len(ratios) >= TURNS else 0
    return Ratio(timing.median(ratios), ratios[edge], ratios[-1 - edge])


def worst(found: Sequence[Figure]) -> tuple[float, list[str]]:
    """The largest lower end of all points, and the points whose turns are all above the goal."""
    ratios = {key: ratio_of(group) for key, group in _groups(found).items()}
    wrong = [
        f"{program} {arrays} {tables.power(size)}" for (program, arrays, size), r in ratios.items() if r.low > GOAL
    ]
    return max(ratio.low for ratio in ratios.values()), wrong


def _groups(found: Sequence[Figure]) -> dict[tuple[str, str, int], dict[str, Figure]]:
    groups: dict[tuple[str, str, int], dict[str, Figure]] = {}
    for figure in found:
        groups.setdefault((figure.program, figure.arrays, figure.size), {})[figure.device] = figure
    return groups


# --------------------------------------------------------------------------------------------------- showing


def plot(data: dict[str, Any], target: Path) -> None:
    """Draw the times over the sizes, one panel for each program and kind of arrays."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    found = [Figure(**one) for one in data["figures"]]
    programs, kinds = list(dict.fromkeys(f.program for f in found)), list(dict.fromkeys(f.arrays for f in found))
    canvas = Canvas(figsize=(3 * len(programs), 2.6 * len(kinds)), layout="constrained")
    panels = canvas.subplots(len(kinds), len(programs), sharex=True, squeeze=False)
    for row, kind in zip(panels, kinds, strict=True):
        for panel, program in zip(row, programs, strict=True):
            _panel(panel, [f for f in found if (f.program, f.arrays) == (program, kind)])
            panel.set_title(f"{program}, {'weft.array' if kind == 'weft' else 'NumPy'}", fontsize=9)
    panels[0][0].legend(fontsize=7)
    canvas.suptitle("; ".join(f"{name}: {speed['description']}" for name, speed in data["speeds"].items()), fontsize=8)
    canvas.supxlabel("size", fontsize=9)
    canvas.supylabel("seconds a call", fontsize=9)
    with rc_context({"svg.fonttype": "none"}):
        canvas.savefig(target)


CHOSEN: dict[str, Any] = {"color": "black", "linestyle": ":", "marker": "."}
PLAIN: dict[str, Any] = {"linewidth": 2.0, "alpha": 0.7}


def _panel(panel: Any, found: Sequence[Figure]) -> None:
    for device in dict.fromkeys(f.device for f in found):
        points = [(f.size, f.seconds) for f in found if f.device == device]
        style = CHOSEN if device == AUTO else PLAIN
        panel.loglog(*zip(*points, strict=True), label=device, **style)
    panel.tick_params(labelsize=7)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and draw; the exit status is 1 where the choice misses its goal."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.break_even", description=__doc__)
    parser.add_argument("--devices", default="", help="devices beside the processor, by commas; by default all")
    parser.add_argument("--powers", default=",".join(map(str, POWERS)), help="sizes as powers of two (%(default)s)")
    parser.add_argument("--budget", type=float, default=600.0, help="seconds for all of it (%(default)s)")
    parser.add_argument("--json", type=Path, default=RESULTS, help="file for the raw figures (%(default)s)")
    parser.add_argument("--plot", type=Path, default=FIGURE, help="file for the figure (%(default)s)")
    parser.add_argument("--only-plot", action="store_true", help="draw the figures of an earlier run")
    options = parser.parse_args(arguments)
    if not options.only_plot:
        _run(options)
    data = json.loads(options.json.read_text())
    plot(data, options.plot)
    found = [Figure(**one) for one in data["figures"]]
    ratio, wrong = worst(found)
    points = f"{len(_groups(found)) - len(wrong)} of {len(_groups(found))} points"
    print(f"{points} within {GOAL} times the best device, the worst at {ratio:.2f}; {options.plot}", *wrong, sep="\n")
    return int(bool(wrong))


def _run(options: argparse.Namespace) -> None:
    compared = devices([name for name in options.devices.split(",") if name])
    ends = time.monotonic() + options.budget
    data: dict[str, Any] = {"machine": machine.facts(machine.command_line("benchmarks.break_even")), "figures": []}
    data["speeds"] = {name: asdict(speed) for name, speed in speeds.known().items()}
    options.json.parent.mkdir(parents=True, exist_ok=True)
    for power in map(int, options.powers.split(",")):
        for name, (_, make) in PROGRAMS.items():
            known: dict[str, Figure] = {}
            made = make(1 << power)
            for kind in KINDS:
                if time.monotonic() < ends:
                    group = {f.device: f for f in figures(name, 1 << power, made, kind, compared, known)}
                    known = known or group
                    print(_line(group), file=sys.stderr, flush=True)
                    data["figures"] += [asdict(figure) for figure in group.values()]
        options.json.write_text(json.dumps(data, separators=(",", ":")) + "\n")


def _line(group: dict[str, Figure]) -> str:
    """A line for each group at once: a long run may be cut off."""
    times = "  ".join(f"{f.device} {f.seconds:.3g} ({f.predicted:.3g})" for f in group.values())
    first, ratio = group[AUTO], ratio_of(group)
    what = f"{first.program} {first.arrays} {tables.power(first.size)}: {first.chosen}"
    return f"{what} {ratio.median:.2f} ({ratio.low:.2f} to {ratio.high:.2f}); {times}"


if __name__ == "__main__":
    sys.exit(main())
