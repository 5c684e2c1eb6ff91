"""Pictures of a report, as SVG: what runs one after the other, and how near nests are to what their device can do."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence

from weft.errors import format_bytes
from weft.plan.transfers.actions import Action, Plan
from weft.report.nests import NestCost, Roofs
from weft.report.profile import duration

WIDTH, ROW, MARGIN = 860, 34, 110
LANES = {"copy_in": "to the device", "launch": "device", "copy_out": "to the host"}
COLOURS = {"copy_in": "#2a7f8e", "launch": "#7a5195", "copy_out": "#c7622b", "nest": "#3b6ea5"}
HEIGHT, LEFT, BOTTOM = 360, 80, 50


def svg(width: int, height: int, body: Iterator[str], title: str) -> str:
    """A picture with a title for those who do not see it."""
    inner = "".join(body)
    head = f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(title)}">'
    return f"{head}<title>{html.escape(title)}</title>{inner}</svg>"


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """Words at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{html.escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, colour: str, tip: str, line: int) -> str:
    """A rectangle that shows words under the mouse, and leads to a line of the source."""
    shape = f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" rx="3" fill="{colour}"/>'
    inner = f"<title>{html.escape(tip)}</title>{shape}"
    return f'<a href="#line-{line}">{inner}</a>' if line else f"<g>{inner}</g>"


# --------------------------------------------------------------------------------------------------- the timeline


def timeline(plan: Plan, nests: Sequence[NestCost]) -> str:
    """Copies and kernels of a plan in their order, or the nests of the processor with their predicted times."""
    actions = [action for action in plan if action.kind in LANES]
    return _of_plan(actions) if actions else _of_nests(nests)


def _of_plan(actions: Sequence[Action]) -> str:
    step = (WIDTH - MARGIN - 10) / max(len(actions), 1)
    kinds = list(LANES)

    def body() -> Iterator[str]:
        for row, kind in enumerate(kinds):
            yield text(MARGIN - 8, 24 + row * ROW, LANES[kind], "label", "end")
        for k, action in enumerate(actions):
            y, x = 6 + kinds.index(action.kind) * ROW, MARGIN + k * step
            yield box(x, y, max(step - 3, 2), ROW - 8, COLOURS[action.kind], _tip(action), action.line)
            if step > 8 * len(action.array):
                yield text(x + 4, y + 17, action.array, "inside")

    return svg(WIDTH, len(kinds) * ROW + 8, body(), "copies and kernels in their order")


def _tip(action: Action) -> str:
    size = f", {action.bytes} bytes" if action.bytes else ""
    return f"{action.does} {action.array}{action.region}{size}; {action.often}; starts {action.starts}"


def _of_nests(nests: Sequence[NestCost]) -> str:
    whole = sum(nest.seconds for nest in nests) or 1.0

    def body() -> Iterator[str]:
        yield text(MARGIN - 8, 24, "cpu", "label", "end")
        x = float(MARGIN)
        for nest in nests:
            width = (WIDTH - MARGIN - 10) * nest.seconds / whole
            size = format_bytes(round(nest.bytes))
            tip = f"line {nest.line}: {duration(nest.seconds)}, {size}, {nest.times:.4g} times"
            yield box(x, 6, max(width - 2, 1), ROW - 8, COLOURS["nest"], tip, nest.line)
            if width > 60:
                yield text(x + 4, 23, f"line {nest.line}", "inside")
            x += width

    return svg(WIDTH, ROW + 8, body(), "nests of loops, as wide as their predicted times")


# --------------------------------------------------------------------------------------------------- the roofline


def roofline(nests: Sequence[NestCost], roofs: Roofs) -> str:
    """Operations per second over operations per byte, both logarithmic, below what the device does at most."""
    shown = [nest for nest in nests if nest.operations > 0 and nest.bytes > 0 and nest.seconds > 0]
    knee = roofs.operations / roofs.bytes
    xs = [knee / 16, knee * 4, *(nest.operations / nest.bytes for nest in shown)]
    ys = [roofs.operations * 2, roofs.operations / 1000, *(nest.operations / nest.seconds for nest in shown)]
    axes = _Axes(min(xs) / 1.5, max(xs) * 1.5, min(ys) / 1.5, max(ys))

    def body() -> Iterator[str]:
        yield from axes.drawn("operations per byte", "operations per second")
        yield from _roof(axes, roofs, knee)
        for nest in shown:
            yield from _point(axes, nest)

    return svg(WIDTH, HEIGHT, body(), "roofline: how near each nest is to the limits of its device")


class _Axes:
    """Two logarithmic scales."""

    def __init__(self, low: float, high: float, lowest: float, highest: float) -> None:
        self.low, self.high, self.lowest, self.highest = low, high, lowest, highest

    def x(self, value: float) -> float:
        return LEFT + (WIDTH - LEFT - 20) * math.log(value / self.low) / math.log(self.high / self.low)

    def y(self, value: float) -> float:
        part = math.log(value / self.lowest) / math.log(self.highest / self.lowest)
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 16) * part

    def drawn(self, below: str, beside: str) -> Iterator[str]:
        for power in _powers(self.low, self.high):
            x = self.x(10.0**power)
            yield f'<line class="grid" x1="{x:.1f}" y1="16" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}"/>'
            yield text(x, HEIGHT - BOTTOM + 18, _number(10.0**power), "tick", "middle")
        for power in _powers(self.lowest, self.highest):
            y = self.y(10.0**power)
            yield f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - 20}" y2="{y:.1f}"/>'
            yield text(LEFT - 8, y + 4, _number(10.0**power), "tick", "end")
        yield text((LEFT + WIDTH) / 2, HEIGHT - 8, below, "label", "middle")
        yield f'<g transform="translate(14,{HEIGHT / 2}) rotate(-90)">{text(0, 0, beside, "label", "middle")}</g>'


def _powers(low: float, high: float) -> range:
    return range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)


def _number(value: float) -> str:
    """A power of ten in few characters."""
    for limit, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.3g} {unit}"
    return f"{value:.3g}"


def _roof(axes: _Axes, roofs: Roofs, knee: float) -> Iterator[str]:
    start = max(axes.low, axes.lowest / roofs.bytes)
    points = [(start, start * roofs.bytes), (knee, roofs.operations), (axes.high, roofs.operations)]
    path = " ".join(f"{axes.x(x):.1f},{axes.y(y):.1f}" for x, y in points)
    yield f'<polyline class="roof" points="{path}"/>'
    yield text(
        axes.x(axes.high) - 4, axes.y(roofs.operations) - 8, f"{_number(roofs.operations)} operations/s", "roof", "end"
    )
    yield text(axes.x(start) + 34, axes.y(start * roofs.bytes) + 14, f"{_number(roofs.bytes)}B/s from memory", "roof")


def _point(axes: _Axes, nest: NestCost) -> Iterator[str]:
    x, y = axes.x(nest.operations / nest.bytes), axes.y(nest.operations / nest.seconds)
    tip = f"line {nest.line}: {_number(nest.operations / nest.seconds)} operations/s, {duration(nest.seconds)}"
    point = f'<title>{html.escape(tip)}</title><circle class="nest" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
    yield f'<a href="#line-{nest.line}">{point}</a>' if nest.line else f"<g>{point}</g>"
    yield text(x + 9, y + 18, f"line {nest.line}" if nest.line else nest.device, "label")
