"""Steps of a loop on rows that somebody owns: which iterations run for these rows, and which rows they need before.

Whoever owns rows of the arrays, a task of a cluster or a device, gets the rows that its own need after so many steps:
the halo of each loop, added up backwards over the steps. It computes rows in the halo that belong to another, too, and
gives back its own. So all meet once for each block of steps, and every element is computed from the same operands in
the same order as without pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from weft.ir import nodes as n
from weft.ir.visit import atoms_of, defined_by, walk
from weft.split.cutting import Phase
from weft.split.regions import Rows
from weft.split.steps import Path, Steps

Cut: TypeAlias = "tuple[int, int]"

MOST_STEPS = 16
"""Steps of a block at most."""
REDUNDANT = 0.06
"""What part of its rows a task may compute for others, on each side."""


@dataclass(frozen=True)
class Stage:
    """One loop of a step: where it stands, what it needs of each array, and its bounds."""

    path: Path
    phase: Phase
    rows: Mapping[str, Rows]
    bounds: Cut

    @property
    def writes(self) -> list[str]:
        """The arrays that it writes."""
        return [name for name, rows in self.rows.items() if rows.write is not None]


class Execution(NamedTuple):
    """One loop in one step, for whoever owns some rows."""

    path: Path
    counters: Mapping[str, int]
    cut: Cut
    places: Mapping[str, str]


def axis_of(stages: Sequence[Stage], moved: set[str], shapes: Mapping[str, tuple[int, ...]]) -> int | None:
    """The axis along which all arrays are cut that are written or change places; None where there is none."""
    changed = set(moved).union(*(stage.writes for stage in stages))
    axes = {stage.rows[name].axis for stage in stages for name in changed if stage.rows[name].is_used}
    if len(axes) != 1 or None in axes or not changed:
        return None
    (axis,) = axes
    assert axis is not None
    extents = {shapes[name][axis] for name in changed}
    return axis if len(extents) == 1 else None


def owned(bounds: Cut, extent: int, count: int) -> list[Cut]:
    """The rows of each task: nearly equal parts of the iterations; the first and the last have what lies outside."""
    start, stop = bounds
    trips = max(stop - start, 0)
    ends = [min(max(start + trips * k // count, 0), extent) for k in range(1, count)]
    inner = sorted({end for end in ends if 0 < end < extent})
    return list(zip([0, *inner], [*inner, extent], strict=True))


def executions(
    stages: Sequence[Stage],
    moves: Mapping[str, str],
    places: Mapping[str, str],
    counter: str,
    steps: Sequence[int],
) -> Iterator[tuple[Stage, dict[str, int], dict[str, str]]]:
    """All loops of some steps in order, with the counter and the places of arrays."""
    here = dict(places)
    for step in steps:
        for stage in stages:
            yield stage, {counter: step}, dict(here)
        here = {name: here[moves.get(name, name)] for name in here}


def needs(
    order: Sequence[tuple[Stage, dict[str, int], dict[str, str]]], own: Cut, changed: set[str], extent: int
) -> tuple[dict[str, Cut], list[Execution]]:
    """The rows that own ones need before some executions, and which iterations these are.

    Backwards: what is wanted of a written array says which iterations run, these say what is wanted of what they read.
    """
    wanted: dict[str, Cut] = dict.fromkeys(changed, own)
    found: list[Execution] = []
    for stage, counters, places in reversed(order):
        cut = _iterations(stage, places, wanted)
        if cut[0] >= cut[1]:
            continue
        found.append(Execution(stage.path, counters, cut, places))
        for name, rows in stage.rows.items():
            place = places[name]
            if place in wanted and rows.is_used:
                part = rows.needed(*cut, extent)
                low, high = wanted[place]
                wanted[place] = (min(low, part.start), max(high, part.stop))
    return wanted, found[::-1]


def _iterations(stage: Stage, places: Mapping[str, str], wanted: Mapping[str, Cut]) -> Cut:
    """The iterations that write what is wanted."""
    low, high = stage.bounds[1], stage.bounds[0]
    for name in stage.writes:
        distance = stage.rows[name].write
        assert distance is not None
        first, end = wanted[places[name]]
        low, high = min(low, first - distance), max(high, end - distance)
    return max(low, stage.bounds[0]), min(high, stage.bounds[1])


def steps_together(
    stages: Sequence[Stage],
    moves: Mapping[str, str],
    places: Mapping[str, str],
    changed: set[str],
    own: Sequence[Cut],
    extent: int,
) -> int:
    """How many steps run between two meetings: as many as compute few rows twice."""
    middle = own[len(own) // 2]
    order = list(executions(stages, moves, places, "", [0, 1]))
    wanted, _ = needs(order, middle, changed, extent)
    growth = max(max(middle[0] - low, high - middle[1]) for low, high in wanted.values()) / 2
    if growth <= 0:
        return MOST_STEPS
    rows = min(high - low for low, high in own)
    return max(1, min(MOST_STEPS, int(REDUNDANT * rows / growth)))


def reads_counter(item: Steps) -> bool:
    """Whether the bounds of a loop inside depend on the counter of the steps."""
    for inner in item.items:
        body = inner.bounds.body
        index = next(p.var for p in inner.bounds.params if p.source.name == item.counter)
        if any(index in atoms_of(statement) for statement in walk(body)) or index in body.yields:
            needed = _needed_for(body)
            if index.name in needed:
                return True
    return False


def _needed_for(block: n.Block) -> set[str]:
    """The names that the yields of a block are computed from."""
    needed = {value.name for value in block.yields if isinstance(value, n.Var)}
    for statement in reversed(block.statements):
        defined = {var.name for var in defined_by(statement)}
        if not isinstance(statement, n.Let) or defined & needed:
            needed |= {atom.name for atom in atoms_of(statement) if isinstance(atom, n.Var)}
    return needed
