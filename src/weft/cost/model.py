"""Times from demand: amounts of each figure of a machine, and how their times overlap.

The time of a loop lies between that of what takes longest in it (issue, dividers, what iterations wait for) and the sum
of these: a power mean, whose exponent is fitted for each machine. That of a nest is made of its loops and of what the
caches bring, in the same way. It is never below the roofline: no part alone takes longer than the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from weft.cost.demand import Demand, Level, Nest, Touch
from weft.cost.misses import Cache, Footprints, misses, streams
from weft.cost.quantities import LINE, Tally, tally
from weft.cost.vectors import SHORT, runs

THREAD_WORK = 1e4
"""Nanoseconds of work below which the runtime wakes no further thread."""

IN_FLIGHT = 448.0
"""Instructions that a processor has under way at once."""

LANES = 8.0
"""Elements of a vector, about."""

INSTRUCTIONS = {
    "remainder32": 10.0, "remainder64": 10.0, "exp32": 20.0, "exp64": 30.0, "log32": 20.0, "log64": 30.0, "sin32": 30.0,
    "sin64": 40.0, "pow32": 50.0, "pow64": 60.0, ".bits": 0.0, "miss": 0.0,
}  # fmt: skip
"""Instructions of operations that are not one, by the end of the kind's name."""

RESOURCES = {"integer divider": "integer divisions", "divider": "divisions", "chain": "latency"}
"""What nests wait for, in words; else it is computing."""

DIVIDERS = {
    "remainder32": "integer divider", "remainder32.bits": "integer divider", "remainder64": "integer divider",
    "remainder64.bits": "integer divider", "division32": "divider", "division64": "divider", "sqrt32": "divider",
    "sqrt64": "divider",
}  # fmt: skip
"""Kinds of operations that a unit of its own does, beside the others."""


@dataclass
class Part:
    """Amounts of figures that overlap with those of other parts: by resource, by figure."""

    resources: dict[str, Tally] = field(default_factory=dict)

    def add(self, resource: str, figure: str, amount: float) -> None:
        """Count an amount."""
        if amount > 0:
            self.resources.setdefault(resource, tally())[figure] += amount

    def nanoseconds(self, figures: Mapping[str, float], exponent: float) -> float:
        """Nanoseconds of the part."""
        times = [sum(figures[name] * amount for name, amount in each.items()) for each in self.resources.values()]
        return power_mean(times, exponent)


def power_mean(times: Sequence[float], exponent: float) -> float:
    """Between the largest of some times and their sum.

    Examples
    --------
    >>> power_mean([3.0, 4.0], 2.0), power_mean([3.0, 4.0], 1.0)
    (5.0, 7.0)
    """
    most = max(times, default=0.0)
    if most <= 0:
        return 0.0
    return float(most * sum((time / most) ** exponent for time in times) ** (1 / exponent))


@dataclass
class Amounts:
    """What a nest takes: parts that follow one another, amounts of what memory brings, and of what is added to all."""

    line: int
    times: float
    parts: list[Part] = field(default_factory=list)
    memory: Tally = field(default_factory=tally)
    fixed: Tally = field(default_factory=tally)
    shared: bool = False
    work: float = 0.0
    ordered: bool = False
    bytes: float = 0.0


def amounts(demand: Demand, caches: Sequence[Cache]) -> list[Amounts]:
    """The amounts of all nests of a demand, which remembers them."""
    key = tuple(caches)
    if key not in demand.found:
        known = footprints(demand)
        everything = touched(known)
        nests = zip(demand.nests, known, strict=True)
        demand.found[key] = [_of_nest(nest, each, caches, everything) for nest, each in nests]
    return demand.found[key]  # type: ignore[no-any-return]


def footprints(demand: Demand) -> list[Footprints]:
    """The streams of each nest of a demand."""
    return [Footprints(streams(nest.top)) for nest in demand.nests]


def touched(nests: Sequence[Footprints]) -> float:
    """Bytes of all that a call touches."""
    sizes: dict[str, float] = {}
    for known in nests:
        for place, stream in enumerate(known.streams):
            if any(loop.trips <= 0 for loop in stream.loops):
                continue
            root, size = stream.touch.region.root, LINE * known.lines(place, 0)
            sizes[root] = max(sizes.get(root, 0.0), size)
    return sum(sizes.values())


def _of_nest(nest: Nest, known: Footprints, caches: Sequence[Cache], everything: float) -> Amounts:
    found = Amounts(nest.line, nest.times, shared=nest.shared, work=nest.work, ordered=nest.ordered)
    if nest.shared:
        found.fixed["nest"] += 1
        if nest.fold:
            found.fixed["fold"] += 1
    for level in nest.top.levels():
        if level.times > 0 and level.label and not level.short:
            found.fixed[_entry(level)] += level.entries * runs(level)
        if level.times > 0 and not level.short:
            part = Part()
            _add_level(part, level)
            found.parts.append(part)
    if nest.top.label:
        _memory(known, caches, everything, found)
    return found


def _entry(level: Level) -> str:
    """The figure for what it takes to begin a loop, and to end it."""
    how = "vector" if level.vector else "scalar"
    return f"enter.{how}{'.fold' if level.folds else ''}{'.short' if level.short else ''}"


def _memory(known: Footprints, caches: Sequence[Cache], everything: float, found: Amounts) -> None:
    """Lines by level and pattern, and how often loops wait for lines that nothing fetches ahead.

    A processor looks for further misses as far as the instructions in flight reach. So lines that come in no order
    cost a latency for each line, or each window of instructions if that has several lines (Little's law).
    """
    names = ("l2", "l3", "dram")
    for name, cache in zip(names, caches, strict=True):
        waits: dict[str, tuple[Level, float]] = {}
        for place, lines in misses(known, cache, everything).items():
            stream = known.streams[place]
            found.memory[f"{name}.{stream.pattern}"] += lines
            if stream.stores:
                found.memory[f"{name}.{stream.pattern}.store"] += lines
            if stream.pattern == "random":
                innermost = stream.loops[-1]
                waits[innermost.label] = (innermost, waits.get(innermost.label, (innermost, 0.0))[1] + lines)
            if name == "dram":
                found.bytes += 64 * lines * (1 + stream.stores)
        for level, lines in waits.values():
            found.memory[f"{name}.wait"] += min(lines, level.times * instructions(level) / IN_FLIGHT)


def instructions(level: Level) -> float:
    """Instructions of an iteration of a loop, about."""
    vector = level.vector and level.trips >= SHORT
    found = 2.0
    for kind, number in level.operations.items():
        weight = next((each for name, each in INSTRUCTIONS.items() if kind.endswith(name)), 1.0)
        wide = vector or (kind.startswith("lanes.") and weight == 1.0)
        found += weight * number / (LANES if wide else 1.0)
    for touch, share in level.touches:
        gathers = touch.is_gather(level.label)
        found += share * (touch.lanes if gathers else 1.0) / (1.0 if gathers or not vector else LANES)
    return found + sum(instructions(inner) * inner.trips for inner in level.inner if inner.short)


def _add_level(part: Part, level: Level, held: set[object] | None = None, stored: frozenset[str] = frozenset()) -> None:
    """Count what a loop takes, with the short loops in it, which compilers unroll.

    Those that stand side by side begin together. What one of them has loaded is held in registers for those that follow
    it, unless something stores to the array.
    """
    inside = frozenset(t.region.root for each in level.levels() for t, _ in each.touches if t.mode != "load")
    loaded: set[object] = set()
    entries: dict[str, float] = {}
    for inner in level.inner:
        if inner.short:
            entries[_entry(inner)] = max(entries.get(_entry(inner), 0.0), inner.entries)
            _add_level(part, inner, loaded, inside)
    for figure, number in entries.items():
        part.add("enter", figure, number)
    for kind, number in level.operations.items():
        if kind.startswith("lanes."):
            part.add(DIVIDERS.get(kind[6:], "issue"), f"l.{kind[6:]}", number * level.times)
    for kind, number in level.chain.items():
        part.add("chain", f"c.{kind}", number * level.times)
    vector = level.vector and level.trips >= SHORT
    times = level.times
    for kind, number in level.operations.items():
        if not kind.startswith("lanes."):
            part.add(DIVIDERS.get(kind, "issue"), f"{'v' if vector else 's'}.{kind}", number * times)
    for touch, share in level.touches:
        if held is not None and touch.mode == "load" and touch.region.root not in stored:
            place = (touch.place(level.label), share * times)
            if place in held:
                continue
            held.add(place)
        _add_touch(part, level, touch, share * times * touch.lanes, vector)
    if level.label and not level.short:
        part.add("issue", "v.loop" if vector else "s.loop", times)
    if vector and level.noted:
        part.add("issue", "v.noted", times)
    if vector and level.folds:
        part.add("chain", "v.fold", times)


def _add_touch(part: Part, level: Level, touch: Touch, amount: float, vector: bool) -> None:
    if level.label and level.label not in touch.depends() and touch.mode == "load":
        return
    if not vector and touch.lanes == 1:
        part.add("issue", f"s.{touch.mode}", amount)
        return
    moves = level.label in touch.depends()
    step = abs(touch.step(level.label)) if moves else 0.0
    if not moves and touch.lanes == 1:
        return
    prefix = "v" if touch.lanes == 1 else "l"
    if touch.is_gather(level.label) or (moves and step != touch.region.itemsize and touch.lanes == 1):
        part.add("issue", f"{prefix}.{'gather' if touch.mode == 'load' else 'scatter'}", amount)
    else:
        part.add("issue", f"{prefix}.{touch.mode}", amount * touch.region.itemsize / 4)


def nanoseconds(found: Sequence[Amounts], figures: Mapping[str, float], arguments: int, threads: int = 1) -> float:
    """Nanoseconds of a call."""
    total = figures["call"] + arguments * figures["argument"]
    return total + sum(nest.times * nest_times(nest, figures, threads).total for nest in found)


@dataclass(frozen=True)
class NestTimes:
    """Nanoseconds of one run of a nest: what begins it, what it computes, what memory brings, and all of it."""

    start: float
    computing: float
    memory: float
    total: float


def nest_times(nest: Amounts, figures: Mapping[str, float], threads: int = 1) -> NestTimes:
    """Nanoseconds of one run of a nest on so many threads."""
    computing = sum(part.nanoseconds(figures, figures["overlap"]) for part in nest.parts)
    start = sum(figures[name] * amount for name, amount in nest.fixed.items())
    useful = threads_for(nest, threads)
    memory = sum(figures[name] * amount / _gain_of(name, figures, useful) for name, amount in nest.memory.items())
    if useful > 1:
        computing /= gain(figures["threads.compute"], useful)
        start = start / useful + figures["threads.wake"]
    return NestTimes(start, computing, memory, start + power_mean([computing, memory], figures["hidden"]))


def gain(each: float, threads: int) -> float:
    """How many times as fast so many threads are as one, if each further one adds the fraction `each` of the first.

    Examples
    --------
    >>> gain(0.5, 1), gain(0.5, 3)
    (1.0, 2.0)
    """
    return 1.0 + (threads - 1) * min(each, 1.0)


def _gain_of(name: str, figures: Mapping[str, float], threads: int) -> float:
    """The same for times of memory. The second-level cache is private to each core, and threads wait for lines at the
    same time; the third-level cache and memory have a bandwidth that all cores share."""
    level, _, pattern = name.partition(".")
    shared = level in ("l3", "dram") and pattern != "wait"
    return gain(figures[f"threads.{level}"], threads) if shared and threads > 1 else float(threads)


def threads_for(nest: Amounts, threads: int) -> int:
    """How many threads share a nest, as the runtime decides: each is to have work for a while."""
    if not nest.shared:
        return 1
    return max(min(int(nest.work / THREAD_WORK), threads), 1)


def bound_of(nest: Amounts, figures: Mapping[str, float], threads: int = 1) -> str:
    """What a nest takes most of its time for, in words."""
    times = nest_times(nest, figures, threads)
    if times.start >= max(times.computing, times.memory):
        return "launch"
    if times.memory > times.computing:
        amounts = {name: figures[name] * amount for name, amount in nest.memory.items()}
        level, _, how = max(amounts, key=lambda name: amounts[name]).partition(".")
        return f"{level.upper()} {'bandwidth' if how.startswith('run') else 'latency'}"
    totals = tally()
    for part in nest.parts:
        for resource, each in part.resources.items():
            totals[resource] += sum(figures[name] * amount for name, amount in each.items())
    return RESOURCES.get(max(totals, key=lambda name: totals[name]), "computing")
