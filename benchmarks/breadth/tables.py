"""Tables of figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

HEAD = ("program", "half", "ms", "other spellings, ms", "Numba, ms", "array library, ms", "times Numba",
        "share of the bound", "slowest spelling", "notes")  # fmt: skip
SUMMARY = ("half", "programs", "times Numba", "worst", "share of the bound", "at 0.5 or more", "slowest spelling",
           "worst ", "refused", "wrong")  # fmt: skip

Figures = Sequence[dict[str, Any]]


def times_peer(figure: dict[str, Any], peer: str = "numba") -> float:
    """Give how often the plain spelling runs while the peer runs once; NaN where one of them does not run."""
    seconds = figure["seconds"]
    return float(seconds.get(peer, math.nan) / seconds.get("weft 0", math.nan))


def share(figure: dict[str, Any]) -> float:
    """Give the least time by that of the plain spelling."""
    return float(figure["bound"] / figure["seconds"].get("weft 0", math.nan))


def spellings(figure: dict[str, Any]) -> float:
    """Give the time of the fastest spelling by that of the slowest."""
    mine = [seconds for name, seconds in figure["seconds"].items() if name.startswith("weft")]
    return min(mine) / max(mine) if len(mine) > 1 else math.nan


def geometric_mean(values: Iterable[float]) -> float:
    """Give the geometric mean of those that are numbers."""
    known = [math.log(value) for value in values if value > 0.0]
    return math.exp(math.fsum(known) / len(known)) if known else math.nan


def family_rows(figures: Figures) -> Iterator[tuple[str, ...]]:
    """Give a row for each program."""
    for one in figures:
        seconds = one["seconds"]
        mine = sorted(name for name in seconds if name.startswith("weft") and name != "weft 0")
        library = min((seconds[name] for name in ("numpy", "cupy", "torch") if name in seconds), default=math.nan)
        yield (
            one["program"], one["half"], _milliseconds(seconds.get("weft 0")),
            " ".join(_milliseconds(seconds[name]) for name in mine), _milliseconds(seconds.get("numba")),
            _milliseconds(library), _number(times_peer(one)), _number(share(one)), _number(spellings(one)), _notes(one),
        )  # fmt: skip


def summary_rows(figures: Figures) -> Iterator[tuple[str, ...]]:
    """Give a row for each half."""
    for half in ("seen", "unseen"):
        mine = [one for one in figures if one["half"] == half]
        if not mine:
            continue
        peer, bound = [times_peer(one) for one in mine], [share(one) for one in mine]
        ratio = [spellings(one) for one in mine]
        yield (
            half, str(len(mine)), _number(geometric_mean(peer)), _number(_least(peer)), _number(geometric_mean(bound)),
            f"{sum(value >= 0.5 for value in bound)}", _number(geometric_mean(ratio)), _number(_least(ratio)),
            str(_count(mine, "refused")), str(_count(mine, "wrong")),
        )  # fmt: skip


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Print a table."""
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def sections(figures: Figures) -> Iterator[str]:
    """Give the summary, and a table for each family."""
    yield markdown(SUMMARY, summary_rows(figures))
    for family in dict.fromkeys(one["family"] for one in figures):
        mine = [one for one in figures if one["family"] == family]
        yield f"\n## {family}\n\n" + markdown(HEAD, family_rows(mine))


def _least(values: Iterable[float]) -> float:
    return min((value for value in values if not math.isnan(value)), default=math.nan)


def _count(figures: Figures, what: str) -> int:
    return sum(name.startswith("weft") for one in figures for name in one[what])


def _notes(figure: dict[str, Any]) -> str:
    """Say in a few words who refused and who was wrong."""
    words = [f"{name} is WRONG" for name in figure["wrong"]]
    words += [f"{name} refuses" for name in figure["refused"]]
    return ", ".join(words)


def _milliseconds(seconds: float | None) -> str:
    return "" if seconds is None or math.isnan(seconds) else f"{1e3 * seconds:.3g}"


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.2g}"
