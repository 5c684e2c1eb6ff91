"""A report as one HTML file: the source with what was decided of each line, the reasons, and pictures."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from weft.errors import format_bytes
from weft.report.drawing import roofline, timeline
from weft.report.profile import duration

if TYPE_CHECKING:
    from weft.report.explanation import Explanation
    from weft.report.nests import NestCost

STYLE = """
:root { --ink: #1c2733; --pale: #62707f; --line: #dfe5ea; --back: #ffffff; --code: #f6f8fa; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dbe3ea; --pale: #93a1af; --line: #33404d; --back: #14191f; --code: #1b222a; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); max-width: 1080px;
       margin: 24px auto; padding: 0 20px; }
h1 { font-size: 22px; margin: 0 0 4px; } h2 { font-size: 17px; margin: 32px 0 8px; }
p { margin: 4px 0; } .pale { color: var(--pale); }
table { border-collapse: collapse; width: 100%; }
td, th { padding: 2px 8px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--pale); font-weight: 500; font-size: 13px; }
.number { text-align: right; color: var(--pale); font-variant-numeric: tabular-nums; white-space: nowrap; }
pre, code { font: 13px/1.5 ui-monospace, monospace; margin: 0; white-space: pre; }
.source { overflow-x: auto; background: var(--code); border-radius: 6px; }
.source td { border-bottom: none; } tr:target td { background: #f5e3a1; color: #1c2733; }
.badge { border-radius: 9px; padding: 1px 8px; font-size: 12px; color: #fff; text-decoration: none;
         white-space: nowrap; }
.parallel, .reduction, .scan, .search, .compaction { background: #2f7d4f; } .checked { background: #9a6b00; }
.sequential { background: #a8423a; }
.bar { display: inline-block; height: 8px; border-radius: 2px; background: #3b6ea5; vertical-align: middle; }
.reason { min-width: 320px; }
svg { width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .tick { fill: var(--pale); } svg .inside { fill: #fff; } svg .grid { stroke: var(--line); }
svg .roof { stroke: #a8423a; fill: none; stroke-width: 2; } svg text.roof { fill: #a8423a; stroke: none; }
svg .nest { fill: #3b6ea5; stroke: #fff; } summary { cursor: pointer; color: var(--pale); } a { color: #3b6ea5; }
"""


def page(explanation: Explanation) -> str:
    """The text of the file."""
    title = html.escape(f"{explanation.function} on {explanation.device}")
    body = "".join(part for section in _sections(explanation) for part in section)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    return f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style></head><body>{body}</body></html>\n'


def _sections(found: Explanation) -> Iterator[Iterator[str]]:
    yield _top(found)
    yield _source(found)
    yield _decisions(found)
    yield _pictures(found)
    yield _rest(found)


def _top(found: Explanation) -> Iterator[str]:
    seconds = sum(nest.seconds for nest in found.nests)
    yield f"<h1>{html.escape(found.function)}</h1>"
    yield f'<p class="pale">{html.escape(Path(found.file).name)}, on {html.escape(found.device)}</p>'
    if found.nests:
        about = "" if found.roofs is not None and found.roofs.measured else " (by estimates: run weft calibrate)"
        yield f"<p>Its loops are predicted to take <b>{duration(seconds)}</b>{about}.</p>"
    yield from (f"<p>{_linked(note)}</p>" for note in found.notes)


# ---------------------------------------------------------------------------------------------------- the source


def _source(found: Explanation) -> Iterator[str]:
    yield '<h2>Source</h2><div class="source"><table>'
    names = ("line", "decided", "predicted time", "bytes", "device", "")
    yield "<tr>" + "".join(f"<th>{name}</th>" for name in names) + "</tr>"
    for number, text in found.source:
        yield _row(found, number, text)
    yield "</table></div>"


def _row(found: Explanation, number: int, text: str) -> str:
    loops = [(k, loop) for k, loop in enumerate(found.loops) if loop.line == number]
    badges = " ".join(f'<a class="badge {x.verdict}" href="#loop-{k}">{x.verdict}</a>' for k, x in loops)
    nests = [nest for nest in found.nests if nest.line == number]
    devices = sorted({place.device for place in found.placement if place.line == number})
    cells = (
        f'<td class="number">{number}</td><td>{badges}</td><td class="number">{_time(found, nests)}</td>'
        f'<td class="number">{_size(nests)}</td><td>{html.escape(", ".join(devices))}</td>'
        f"<td><code>{html.escape(text)}</code></td>"
    )
    return f'<tr id="line-{number}">{cells}</tr>'


def _time(found: Explanation, nests: Sequence[NestCost]) -> str:
    here = sum(nest.seconds for nest in nests)
    whole = sum(nest.seconds for nest in found.nests)
    if not nests or not whole:
        return ""
    return f'{duration(here)} <span class="bar" style="width:{60 * here / whole:.0f}px"></span>'


def _size(nests: Sequence[NestCost]) -> str:
    size = sum(nest.bytes for nest in nests)
    return format_bytes(round(size)) if size else ""


# ------------------------------------------------------------------------------------------------- the decisions


def _decisions(found: Explanation) -> Iterator[str]:
    yield "<h2>Why</h2><table><tr><th>loop</th><th>line</th><th>decided</th><th>reason</th><th>runs</th></tr>"
    for k, loop in enumerate(found.loops):
        runs = _versions([f"{p.device}: {p.reason}" for p in found.placement if p.line == loop.line])
        yield (
            f'<tr id="loop-{k}"><td><code>{"  " * loop.depth}{html.escape(loop.variable)}</code></td>'
            f'<td><a href="#line-{loop.line}">{loop.line}</a></td><td><span class="badge {loop.verdict}">'
            f'{loop.verdict}</span></td><td class="reason">{_linked(loop.reason)}</td><td>{runs}</td></tr>'
        )
    yield "</table>"


def _versions(ways: Sequence[str]) -> str:
    """How a loop runs; other versions of it are folded."""
    if len(ways) < 2:
        return "".join(map(_linked, ways))
    others = "".join(f"<p>{_linked(way)}</p>" for way in ways[1:])
    return f"{_linked(ways[0])}<details><summary>{len(ways) - 1} other versions</summary>{others}</details>"


def _linked(text: str) -> str:
    """A text in which lines of the source are links to them."""
    return re.sub(r"\bline (\d+)", r'<a href="#line-\1">line \1</a>', html.escape(text))


# -------------------------------------------------------------------------------------------------- the pictures


def _pictures(found: Explanation) -> Iterator[str]:
    if found.plan or found.nests:
        yield "<h2>What runs when</h2>" + timeline(found.plan, found.nests)
        order = "Copies and kernels in their order; their widths say nothing of time."
        words = order if found.plan else "Nests of loops, as wide as their predicted times."
        yield f'<p class="pale">{words} A box leads to its line.</p>'
    if found.roofs is not None and any(nest.operations > 0 for nest in found.nests):
        yield "<h2>Roofline</h2>" + roofline(found.nests, found.roofs)
        yield (
            '<p class="pale">Each point is a nest of loops. Below the slope, memory is the limit; below the flat part, '
            "arithmetic. Points above the slope find their data in caches.</p>"
        )


def _rest(found: Explanation) -> Iterator[str]:
    for title, columns, rows in found.sections():
        head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
        body = "".join("<tr>" + "".join(f"<td>{_linked(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        yield f"<details><summary>{html.escape(title)}</summary><table><tr>{head}</tr>{body}</table></details>"
