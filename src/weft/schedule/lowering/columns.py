"""What one thread reads again when it runs the iterations of a loop in order: elements in line with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weft.analysis.access.reach import reach_of
from weft.ir import nodes as n
from weft.ir.types import Scalar, View
from weft.schedule.nests import flattened, grid_chain, is_repeatable


@dataclass(frozen=True)
class Column:
    """Loads of an array whose indices are those of the iteration, but for one that is moved along the loop.

    Attributes
    ----------
    axis
        The index that moves.
    loads
        A load for each distance from the loop's counter.
    """

    axis: int
    loads: Mapping[int, n.Let]

    @property
    def low(self) -> int:
        """The least distance."""
        return min(self.loads)

    @property
    def high(self) -> int:
        """The greatest distance."""
        return max(self.loads)

    @property
    def span(self) -> int:
        """How many neighbouring elements one iteration reaches."""
        return self.high - self.low + 1


def columns_along(kernel: n.Kernel, loop: n.For, last: n.For) -> tuple[Column, ...]:
    """What later iterations of a bound loop read again, at several distances; the longest first.

    Parameters
    ----------
    kernel
        The kernel as it was written.
    loop
        The loop.
    last
        The loop whose counter is the last index.
    """
    found: dict[tuple[object, ...], dict[int, n.Let]] = {}
    for let in flattened(grid_chain(kernel)).statements:
        if not isinstance(let, n.Let):
            continue
        place = _place(let, kernel, loop, last)
        if place is not None:
            axis, distance, row = place
            found.setdefault((axis, *row), {})[distance] = let
    several = [(key[0], loads) for key, loads in found.items() if len(loads) > 1]
    made = [Column(axis, loads) for axis, loads in several if isinstance(axis, int)]
    return tuple(sorted(made, key=lambda column: -len(column.loads)))


def _place(let: n.Let, kernel: n.Kernel, loop: n.For, last: n.For) -> tuple[int, int, Sequence[object]] | None:
    """The axis along which a load moves with the loop, how far it is away, and what its other indices are."""
    load = let.value
    if not isinstance(load, n.Load) or load.mask is not None or load.bounds != "safe" or not load.indices:
        return None
    assert isinstance(load.view.type, View)
    if load.view not in kernel.params or not isinstance(load.view.type.element, Scalar):
        return None
    *outer, index = load.indices
    reach = reach_of(kernel)
    axes = [k for k, a in enumerate(outer) if loop.label in reach.varies(a)]
    if reach.of(index) != (last.label, 0) or len(axes) != 1 or not is_repeatable(let, kernel):
        return None
    moved = reach.of(outer[axes[0]])
    if moved is None or moved[0] != loop.label:
        return None
    row = (reach.table.forms.of(a) for k, a in enumerate(outer) if k != axes[0])
    return axes[0], moved[1], (load.view.name, *row)
