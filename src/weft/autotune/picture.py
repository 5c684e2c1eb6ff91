"""A picture of a search, as SVG: the time of every candidate in the order they were tried, and the best so far."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator
from pathlib import Path

from weft.autotune.measuring.outcomes import Tuning

WIDTH, HEIGHT, LEFT, BOTTOM = 860, 360, 80, 40


def draw(tuning: Tuning, path: str | Path) -> Path:
    """Write the picture of a search."""
    target = Path(path)
    target.write_text("".join(_parts(tuning)), encoding="utf-8")
    return target


def _parts(tuning: Tuning) -> Iterator[str]:
    title = html.escape(f"{tuning.name} on {tuning.device}: {len(tuning.candidates)} of {tuning.points:,} points")
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif">'
    yield f'<title>{title}</title><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    yield f'<text x="{LEFT}" y="16" font-size="13">{title}</text>'
    times = [c.seconds for c in tuning.measured]
    if times:
        yield from _points(tuning, min(times), max(times))
    yield "</svg>\n"


def _points(tuning: Tuning, low: float, high: float) -> Iterator[str]:
    """The candidates as dots on a logarithmic axis where all are above zero, and the best so far as a line."""
    scale = math.log if low > 0 else float
    bottom, top = scale(low), scale(high)
    step = (WIDTH - LEFT - 20) / max(len(tuning.candidates), 1)

    def place(k: int, seconds: float) -> tuple[float, float]:
        part = (scale(seconds) - bottom) / ((top - bottom) or 1.0)
        return LEFT + (k + 0.5) * step, HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - 40)

    for seconds in (low, high):
        y = place(0, seconds)[1] + 4
        yield f'<text x="{LEFT - 6}" y="{y:.1f}" font-size="11" text-anchor="end">{seconds:.3g}</text>'
    line = [place(k, seconds) for k, seconds in enumerate(tuning.progress) if math.isfinite(seconds)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
    yield f'<polyline points="{points}" fill="none" stroke="#c7622b"/>'
    for k, candidate in enumerate(tuning.candidates):
        tip = html.escape(", ".join(f"{name}={value}" for name, value in candidate.point.items()) or "as it is")
        if math.isfinite(candidate.seconds):
            x, y = place(k, candidate.seconds)
            words = f"{tip}: {candidate.seconds:.4g}"
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#2a7f8e"><title>{words}</title></circle>'
        else:
            x = LEFT + (k + 0.5) * step
            words = f"{tip}: {html.escape(candidate.status)}: {html.escape(candidate.reason)}"
            where = f'x="{x:.1f}" y="{HEIGHT - 12}" font-size="10" fill="#a00" text-anchor="middle"'
            yield f"<text {where}>x<title>{words}</title></text>"
