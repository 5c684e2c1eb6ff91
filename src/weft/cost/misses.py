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
from weft.cost.quantities import LINE, PAGE


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
            return "random", _apart(touch)
        step = abs(touch.step(loop.label))
        if any(_leaps(touch, place, loop.label) for place in range(len(touch.indices))):
            return "random", step
        return ("jump" if step > LINE else "run"), step
    return "run", 0.0


def _apart(touch: Touch) -> float:
    """Bytes of which all distances between touched elements are multiples."""
    moving = [
        int(abs(stride)) * index.grain
        for stride, index in zip(touch.region.strides, touch.indices, strict=False)
        if index.depends and stride == stride
    ]
    return float(math.gcd(*moving)) if moving else math.nan


def _leaps(touch: Touch, place: int, label: str) -> bool:
    """Whether an index jumps over pages, and back again: no prefetcher follows that."""
    index = touch.indices[place]
    if not index.wraps or index.form is None or index.span == math.inf:
        return False
    step = abs(index.form.get(label, 0.0)) % index.span
    return min(step, index.span - step) * abs(touch.region.strides[place]) > PAGE


class Footprints:
    """The streams of a nest, with what they touch while some of their loops run; each size is counted once.

    Parameters
    ----------
    streams
        Those of one nest, see `streams`.
    """

    def __init__(self, streams: Sequence[Stream]) -> None:
        self.streams = streams
        self._lines: dict[tuple[int, int], float] = {}
        self._bytes: dict[tuple[tuple[str, ...], str], float] = {}
        self._labels = [tuple(loop.label for loop in stream.loops) for stream in streams]

    def lines(self, place: int, depth: int) -> float:
        """The distinct lines of a stream while its loops from a depth on run."""
        known = self._lines.get((place, depth))
        if known is None:
            stream = self.streams[place]
            trips = {loop.label: max(loop.trips, 1.0) for loop in stream.loops[depth:]}
            known = self._lines[place, depth] = stream.touch.lines(trips)
        return known

    def bytes(self, place: int, depth: int, besides: str = "") -> float:
        """What one iteration of the loops of a stream down to a depth touches, besides an array."""
        labels = self._labels[place][:depth]
        known = self._bytes.get((labels, besides))
        if known is None:
            known = self._bytes[labels, besides] = self._counted(labels, besides)
        return known

    def _counted(self, labels: tuple[str, ...], besides: str) -> float:
        depth = len(labels)
        seen: dict[str, float] = {}
        for place, stream in enumerate(self.streams):
            region = stream.touch.region
            if self._labels[place][:depth] != labels or region.root == besides:
                continue
            size = LINE * self.lines(place, depth)
            seen[region.root] = min(seen.get(region.root, 0.0) + size, max(region.size, LINE))
        return sum(seen.values())


def misses(found: Footprints, cache: Cache, everything: float) -> dict[int, float]:
    """The lines that each stream fetches beyond a cache, by its place; fewer where all that a call
    touches, `everything`, stays there from call to call.
    """
    return {place: _missed(found, place, cache, everything) for place in range(len(found.streams))}


def _missed(found: Footprints, place: int, cache: Cache, everything: float) -> float:
    stream = found.streams[place]
    if any(loop.trips <= 0 for loop in stream.loops):
        return 0.0
    room = cache.room(stream.column)
    depends = stream.touch.depends()
    last = len(stream.loops) - 1
    total, stays = 1.0, 1.0
    for depth in range(last, -1, -1):
        loop = stream.loops[depth]
        once = found.lines(place, depth)
        again = max(loop.trips, 1.0) * total
        if stream.pattern == "random" and loop.label in depends:
            others = found.bytes(place, depth, stream.touch.region.root) / LINE
            passing = others / max(loop.trips, 1.0)
            stays = resident(min(room, cache.size) / LINE, once, total, passing, loop.trips)
        else:
            own = LINE * found.lines(place, depth + 1) if depth < last else LINE
            inside = found.bytes(place, depth + 1) if depth < last else 0.0
            stays = min(_fits(inside, cache.size), _fits(own, room))
        total = min(once * stays + again * (1 - stays), again)
    kept = min(_fits(everything, cache.size), _fits(LINE * found.lines(place, 0), room))
    if stream.pattern == "random" and stream.loops[0].label in depends:
        kept = max(kept, 1 - again * (1 - stays) / total)
    return float(total * stream.share**0.5 * (1 - kept) * stream.loops[0].entries)


def resident(room: float, lines: float, each: float, others: float, trips: float) -> float:
    """The share of accesses in no order that find their line in a cache.

    Parameters
    ----------
    room
        Lines of the cache.
    lines
        That are accessed, all as often.
    each, others
        Accesses of these, and lines of others that pass by, in one iteration.
    trips
        Iterations.

    Notes
    -----
    H. Che, Y. Tung, Z. Wang, *Hierarchical web caching systems: modeling, design and experimental results*, 2002: a
    line stays for as many iterations as it takes until the cache is full.

    Examples
    --------
    >>> resident(1000.0, 500.0, 1.0, 0.0, 1e4)
    1.0
    >>> 0.4 < resident(1000.0, 2000.0, 1.0, 0.0, 1e5) < 0.6
    True
    """
    if lines + others * trips <= room:
        return 1.0
    low, high = 0.0, max(trips, 1.0) * 64
    for _ in range(40):
        middle = (low + high) / 2
        full = lines * -math.expm1(-each * middle / lines) + min(others * middle, others * trips)
        low, high = (middle, high) if full < room else (low, middle)
    return float(-math.expm1(-each * low / lines))


def _fits(size: float, room: float) -> float:
    """How much of something stays in a cache: all up to two thirds of it, nothing from four thirds on."""
    return min(max((4 / 3 - size / room) * 1.5, 0.0), 1.0)
