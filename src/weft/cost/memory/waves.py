"""What memory serves again because a kernel has more blocks than run at a time, and they share more than a cache holds.

Blocks begin in the order of the grid, the first axis first, or in that of `Order`; those that run at a time are a
*wave*. An element that several waves read comes from memory for each of them, where what a wave reads does not fit into
the second-level cache.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

import numpy as np

from weft.analysis.access.access import AccessTable
from weft.cost.memory.classes import AccessClass
from weft.ir import nodes as n
from weft.schedule.directives import AXES, Bind, Order, Schedule
from weft.schedule.lower import lower
from weft.schedule.nests import grid_chain, names_of

MOST_BLOCKS = 1 << 22
"""Blocks of a kernel of which it is counted what each wave shares."""


def in_waves(
    classes: Sequence[AccessClass], kernel: n.Kernel, schedule: Schedule, sizes: Mapping[str, int], at_once: int,
    cache: int,
) -> tuple[AccessClass, ...]:  # fmt: skip
    """The classes of a kernel's accesses, with what waves read again from memory.

    Parameters
    ----------
    classes
        As `weft.cost.memory.classes.access_classes` gives them for the same kernel, schedule and sizes.
    at_once
        Blocks that run at a time.
    cache
        Bytes of the second-level cache; 0: not known.
    """
    grid = _grid(kernel, schedule, sizes)
    if not cache or grid is None or not at_once < prod(grid) <= MOST_BLOCKS:
        return tuple(classes)
    places = _places(grid, next((d.blocks for d in schedule if isinstance(d, Order)), 0))
    again = {array: _times_read(grid, places, axes, at_once) for array, axes in _axes_of(kernel, schedule).items()}
    waves = prod(grid) / at_once
    wave = sum(c.dram * again.get(c.array, 1.0) / waves for c in classes)
    if wave <= cache:
        return tuple(classes)
    return tuple(replace(c, dram=c.dram * again.get(c.array, 1.0)) if c.mode == "load" else c for c in classes)


def _grid(kernel: n.Kernel, schedule: Schedule, sizes: Mapping[str, int]) -> tuple[int, ...] | None:
    """The blocks along x, y and z, where each axis has a loop of its own."""
    binds = [d for d in schedule if isinstance(d, Bind)]
    dimensions = lower(kernel, schedule, names_of(kernel)).dimensions
    if len(binds) != len(dimensions) or {d.axis for d in binds} != set(AXES[: len(binds)]):
        return None
    counts = (max(_value(d.stop, sizes) - _value(d.start, sizes), 0) / d.step for d in dimensions)
    return tuple(int(np.ceil(count)) for count in counts)[::-1]


def _value(atom: n.Atom, sizes: Mapping[str, int]) -> int:
    return int(atom.value.real) if isinstance(atom, n.Const) else sizes[atom.name]


def _axes_of(kernel: n.Kernel, schedule: Schedule) -> dict[str, frozenset[int]]:
    """Along which axes blocks read other elements, by the name of the array; arrays of which that is not known are not
    there."""
    axis_of = {d.loop: AXES.index(d.axis) for d in schedule if isinstance(d, Bind)}
    counters = {loop.index.name: axis_of[loop.label] for loop in grid_chain(kernel) if loop.label in axis_of}
    found: dict[str, frozenset[int]] = {}
    unknown = set[str]()
    for array, names in _names_read(kernel):
        if names is None:
            unknown.add(array)
        else:
            found[array] = found.get(array, frozenset()) | {counters[name] for name in names & counters.keys()}
    return {array: axes for array, axes in found.items() if array not in unknown}


def _names_read(kernel: n.Kernel) -> Iterator[tuple[str, frozenset[str] | None]]:
    """What the indices of each access are made of: parameters and counters of loops; None: of something else."""
    table = AccessTable(kernel.params, kernel.body, kernel.overlaps)
    known = {param.name for param in kernel.params}
    for access in table.accesses:
        within = known | {loop.node.index.name for loop in access.loops if isinstance(loop.node, n.For)}
        forms = [form for index in access.indices or () for form in (index.form, index.sign) if form is not None]
        names = frozenset(name for form in forms for name in form.names)
        yield access.array.stem, names if access.indices is not None and names <= within else None


def _places(grid: Sequence[int], together: int) -> list[np.ndarray]:
    """Where along each axis the blocks are, in the order in which they begin; under `Order` so many rows `together`."""
    rest = np.arange(prod(grid), dtype=np.int64)
    found = []
    for count in grid:
        found.append(rest % count)
        rest = rest // count
    if together:
        (width, height), number = grid[:2], found[1] * grid[0] + found[0]
        first = number // (width * together) * together
        within, rows = number - first * width, np.minimum(height - first, together)
        found[:2] = within // rows, first + within % rows
    return found


def _times_read(grid: Sequence[int], places: Sequence[np.ndarray], axes: frozenset[int], at_once: int) -> float:
    """How often an element comes from memory that blocks at one place along some axes share."""
    waves = np.arange(prod(grid), dtype=np.int64) // at_once
    place = np.zeros_like(waves)
    for axis in sorted(axes):
        place = place * grid[axis] + places[axis]
    count = prod(grid[axis] for axis in axes)
    return len(np.unique(waves * count + place)) / count
