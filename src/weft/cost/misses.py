"""Which lines of the cache an access fetches from which level, by reuse distance.

A loop carries reuse of an access where its iterations touch lines that earlier ones have touched. The lines are still
in a cache if what one iteration touches fits into it. So the misses of a loop are the distinct lines of the access
where one iteration fits, and otherwise the sum of those of its iterations. Accesses along a column of a matrix whose
rows are a power of two apart meet in few sets of a cache, so that less of it is theirs.

K. Beyls, E. D'Hollander, *Reuse distance as a metric for cache behavior*, PDCS 2001.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from weft.cost.demand import Level, Touch
from weft.cost.quantities import LINE


@dataclass(frozen=True)
class Cache:
    """A level of the caches: its bytes, and in how many places of it a line can be."""

    size: float
    ways: int = 8

    def room(self, step: float) -> float:
        """The bytes of it that lines can use which are `step` bytes apart."""
        way = self.size / self.ways
        if step != step or step <= LINE or way > (1 << 20):
            return self.size
        period = math.gcd(int(step), int(way))
        return self.size * min(max(LINE / period, LINE / way), 1.0)


@dataclass(frozen=True)
class Stream:
    """Accesses that run along beside one another: the first of them, with the loops around, outermost first.

    Attributes
    ----------
    share
        In how many of the iterations it happens.
    pattern
        ``run``: from line to line; ``jump``: lines that are evenly apart; ``random``: in no order that is known.
    """

    touch: Touch
    loops: tuple[Level, ...]
    share: float
    stores: bool
    pattern: str
    column: float


def streams(top: Level) -> list[Stream]:
    """The streams of a nest."""
    found: dict[tuple[object, ...], Stream] = {}
    for touch, share, loops in _touches(top, ()):
        key = (*touch.key(), tuple(loop.label for loop in loops))
        known = found.get(key)
        stores = touch.mode != "load"
        if known is None:
            pattern, column = _pattern(touch, loops)
            found[key] = Stream(touch, loops, share, stores, pattern, column)
        elif known.share < share or (stores and not known.stores):
            found[key] = Stream(
                touch, loops, max(share, known.share), stores or known.stores, known.pattern, known.column
            )
    return list(found.values())


def _touches(level: Level, around: tuple[Level, ...]) -> Iterator[tuple[Touch, float, tuple[Level, ...]]]:
    loops = (*around, level)
    for touch, share in level.touches:
        yield touch, share, loops
    for inner in level.inner:
        yield from _touches(inner, loops)


def _pattern(touch: Touch, loops: Sequence[Level]) -> tuple[str, float]:
    """The order in which an access comes to lines, and how far apart these are where they are evenly so."""
    for loop in reversed(loops):
        if loop.label not in touch.depends() or loop.trips <= 1:
            continue
        if any(index.read or index.form is None for index in touch.indices if loop.label in index.depends):
            return "random", math.nan
        step = abs(touch.step(loop.label))
        return ("jump" if step > LINE else "run"), step
    return "run", 0.0


def misses(found: Sequence[Stream], cache: Cache, everything: float) -> dict[int, float]:
    """The lines that each stream fetches beyond a cache, by its place; fewer where all that a call
    touches, `everything`, stays there from call to call.
    """
    result: dict[int, float] = {}
    for place, stream in enumerate(found):
        room = cache.room(stream.column)
        total = 1.0
        trips: dict[str, float] = {}
        for depth in range(len(stream.loops) - 1, -1, -1):
            loop = stream.loops[depth]
            roams = stream.pattern == "random" and loop.label in stream.touch.depends()
            inside = _bytes(found, stream.loops, depth + (not roams)) if trips or roams else 0.0
            own = LINE * stream.touch.lines(trips) if trips else LINE
            trips[loop.label] = max(loop.trips, 1.0)
            stays = min(_fits(inside, cache.size), _fits(own, room))
            once = stream.touch.lines(trips)
            again = max(loop.trips, 1.0) * total
            total = min(once * stays + again * (1 - stays), again)
        kept = min(_fits(everything, cache.size), _fits(LINE * stream.touch.lines(trips), room))
        result[place] = total * stream.share**0.5 * (1 - kept) * stream.loops[0].entries
    return result


def _fits(size: float, room: float) -> float:
    """How much of something stays in a cache: all up to two thirds of it, nothing from four thirds on."""
    return min(max((4 / 3 - size / room) * 1.5, 0.0), 1.0)


def _bytes(found: Sequence[Stream], loops: Sequence[Level], depth: int) -> float:
    """What one iteration of the loops around a depth touches."""
    labels = [loop.label for loop in loops[:depth]]
    seen: dict[str, float] = {}
    for stream in found:
        own = [loop.label for loop in stream.loops]
        if own[: len(labels)] != labels:
            continue
        trips = {loop.label: max(loop.trips, 1.0) for loop in stream.loops[depth:]}
        root = stream.touch.region.root
        size = LINE * stream.touch.lines(trips)
        whole = stream.touch.region.size
        seen[root] = min(seen.get(root, 0.0) + size, max(whole, LINE))
    return sum(seen.values())
