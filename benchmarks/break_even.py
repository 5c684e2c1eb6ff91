"""The command `python -m benchmarks.break_even`: the automatic choice of a device against each device, over sizes.

Four programs of different balance are called with plain arrays, which cross the bus at every call, and with arrays of
Weft, which are on the device after the first one. Each device is timed, and the choice of Weft by the figures of this
machine, which are measured first where there are none. What counts is the time of the choice over that of the best
device; the figure shows it with the sizes from which on a device is faster.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import weft
from benchmarks import machine, tables
from weft.machine import timing
from weft.machine.timing import Alternative, Policy
from weft.runtime import accelerators, copying, speedometer, speeds

RESULTS = Path(__file__).parent / "results" / "break_even.json"
FIGURE = Path(__file__).parent.parent / "docs" / "break_even.svg"
POWERS = tuple(range(8, 29, 2))
AUTO = "auto"
SLOW = 0.2
"""Seconds from which on a call is timed only once more."""

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


PROGRAMS: dict[str, tuple[Callable[..., None], Callable[[int], tuple[Any, ...]], int]] = {
    "add": (add, partial(_vectors, 3), 28),
    "steps": (steps, lambda size: (*_squares(2, size), 100), 28),
    "polynomial": (polynomial, partial(_vectors, 2), 28),
    "product": (product, partial(_squares, 3), 24),
}
"""The loops, the arguments for a size, and the largest power of two that is worth the time."""


# --------------------------------------------------------------------------------------------------- measuring


@dataclass(frozen=True)
class Figure:
    """Seconds of a call on one device, or on the one that was chosen, and what was predicted for it."""

    program: str
    arrays: str
    size: int
    device: str
    seconds: float
    chosen: str
    predicted: float


def devices(only: Sequence[str]) -> list[str]:
    """The devices to compare, the processor first; measured if they have not been."""
    found = [d.name for d in weft.devices() if d.name != "interpreter" and (not only or d.name in (*only, "cpu"))]
    for name in found:
        if name not in speeds.known():
            if accelerators.is_accelerator(name) and copying.load(name) is None:
                copying.measure(name)
            speedometer.measure(name)
    return found


def figures(name: str, size: int, kind: str, compared: Sequence[str], limit: float) -> Iterator[Figure]:
    """Time one program at one size on all devices and as Weft chooses; slow ones once only."""
    function, make, _ = PROGRAMS[name]
    alternatives, arguments = {}, {}
    for device in (*compared, AUTO):
        given = tuple(weft.array(a) if kind == "weft" and isinstance(a, np.ndarray) else a for a in make(size))
        arguments[device] = given
        alternatives[device] = Alternative(partial(_call, weft.jit(function, device=device), given))
    slowest = max(_warmed(alternative) for alternative in alternatives.values())
    choice = weft.explain(weft.jit(function), *arguments[AUTO]).choice
    assert choice is not None
    predicted = {p.device: p.seconds for p in choice.predictions}
    short = Policy(window=7, cap=limit, fewest=3, batch=2e-4)
    times = timing.measure_interleaved(alternatives, short if slowest < SLOW else Policy(fewest=1, warm_up=0, cap=0.0))
    for device, found in times.items():
        seconds = predicted.get(choice.device if device == AUTO else device, float("nan"))
        yield Figure(name, kind, size, device, min(found.times), choice.device, seconds)


def _warmed(alternative: Alternative) -> float:
    """Seconds of the last of three calls, by which arrays have moved, and are pinned since they came again."""
    for _ in range(3):
        seconds = alternative.stopwatch(alternative.call, 1)
    return seconds


def _call(function: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    function(*arguments)
    weft.synchronize()


def worst(found: Sequence[Figure]) -> float:
    """How many times the best device's time the choice takes at its worst size."""
    return max(_ratio(group) for group in _groups(found).values())


def _groups(found: Sequence[Figure]) -> dict[tuple[str, str, int], dict[str, Figure]]:
    groups: dict[tuple[str, str, int], dict[str, Figure]] = {}
    for figure in found:
        groups.setdefault((figure.program, figure.arrays, figure.size), {})[figure.device] = figure
    return groups


def _ratio(group: dict[str, Figure]) -> float:
    """The choice's time over the best one; the device that was chosen is the same measurement twice."""
    best = min(figure.seconds for device, figure in group.items() if device != AUTO)
    chosen = group[AUTO].chosen
    return min(group[AUTO].seconds, group[chosen].seconds) / best


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
    ratio = worst([Figure(**one) for one in data["figures"]])
    print(f"the choice takes at most {ratio:.2f} times as long as the best device (goal {GOAL}); {options.plot}")
    return int(ratio > GOAL)


def _run(options: argparse.Namespace) -> None:
    compared = devices([name for name in options.devices.split(",") if name])
    ends = time.monotonic() + options.budget
    data: dict[str, Any] = {"machine": machine.facts(machine.command_line("benchmarks.break_even")), "figures": []}
    data["speeds"] = {name: asdict(speed) for name, speed in speeds.known().items()}
    options.json.parent.mkdir(parents=True, exist_ok=True)
    for power in map(int, options.powers.split(",")):
        for name, (_, _, largest) in PROGRAMS.items():
            for kind in ("numpy", "weft") if power <= largest else ():
                if time.monotonic() < ends:
                    data["figures"] += _shown(figures(name, 1 << power, kind, compared, options.budget / 2000))
        options.json.write_text(json.dumps(data, separators=(",", ":")) + "\n")


def _shown(found: Iterator[Figure]) -> list[dict[str, Any]]:
    """Figures as dictionaries, and a line for each group at once: a long run may be cut off."""
    group = list(found)
    times = "  ".join(f"{f.device} {f.seconds:.3g} ({f.predicted:.3g})" for f in group)
    first = group[0]
    ratio = _ratio({figure.device: figure for figure in group})
    what = f"{first.program} {first.arrays} {tables.power(first.size)}: {first.chosen} {ratio:.2f}"
    print(f"{what}; {times}", file=sys.stderr, flush=True)
    return [asdict(figure) for figure in group]


if __name__ == "__main__":
    sys.exit(main())
