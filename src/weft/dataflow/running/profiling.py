"""How long the actors of a graph take: its program with a clock between its loops."""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from weft.dataflow.running.engine import Programs

if TYPE_CHECKING:
    from weft.dataflow.graph import Graph


@dataclass(frozen=True)
class Part:
    """Actors that fire in one loop or one cycle.

    Attributes
    ----------
    firings
        Of each actor.
    seconds
        That all of them took.
    """

    firings: dict[str, int]
    seconds: float


@dataclass(frozen=True)
class ActorTimes:
    """What `Graph.profile` gives: the time of each loop of a graph's program, in the order of the program."""

    parts: tuple[Part, ...]
    periods: int

    @property
    def seconds(self) -> float:
        """Of all actors."""
        return sum(part.seconds for part in self.parts)

    def of(self, actor: str) -> Part:
        """The part that an actor is in."""
        return next(part for part in self.parts if actor in part.firings)

    def __str__(self) -> str:
        rows = [("actors", "firings", "ms", "ns a firing", "share")]
        for part in self.parts:
            count = max(part.firings.values())
            each = 1e9 * part.seconds / count if count else 0.0
            share = part.seconds / self.seconds if self.seconds else 0.0
            names = ", ".join(part.firings)
            rows.append((names, str(count), f"{1e3 * part.seconds:.3f}", f"{each:.1f}", f"{share:.0%}"))
        widths = [max(len(row[k]) for row in rows) for k in range(5)]
        lines = ((row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])) for row in rows)
        return "\n".join(["  ".join(line) for line in lines] + [f"{self.periods} periods"])


class Clock:
    """What a program calls before its first loop, with 0, and behind its loop number `k`, with ``k + 1``."""

    def __init__(self) -> None:
        self.__name__ = "clock"
        self.seconds: dict[int, float] = {}
        self.last = 0.0

    def __call__(self, place: int) -> None:
        now = time.perf_counter()
        if place:
            self.seconds[place - 1] = self.seconds.get(place - 1, 0.0) + now - self.last
        self.last = time.perf_counter()


def profile(graph: Graph, sources: tuple[Any, ...], named: dict[str, Any]) -> ActorTimes:
    """Run a graph over streams by a program that tells the time between its loops."""
    clock = Clock()
    timed = copy.copy(graph)
    timed.__dict__["programs"] = Programs(timed, clock)
    from weft.dataflow.running import feeding

    options = {key: named.pop(key) for key in ("tail", "latency", "memory") if key in named}
    given = timed.bind(sources, named)
    run = timed.start(capacity=0, **options)
    try:
        for _ in feeding.blocks(run, given):
            pass
    finally:
        run.abandon()
    periods = run.engine.steady_periods
    counts = graph.schedule.repetitions
    parts = []
    for k, group in enumerate(timed.programs.steady.groups):
        firings = {n.name: periods * counts[n.number] for n in group.members if n.kind not in ("input", "output")}
        if firings:
            parts.append(Part(firings, clock.seconds.get(k, 0.0)))
    return ActorTimes(tuple(parts), periods)
