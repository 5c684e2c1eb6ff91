"""What one thread reads again when it runs the iterations of a loop in order: elements in line with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weft.ir import nodes as n
from weft.ir.types import Scalar, View
from weft.ir.visit import atoms_of
from weft.schedule.nests import flattened, grid_chain, is_moved, is_repeatable, step_of


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
    known, moved = {loop.index.name: 0}, {loop.index.name}
    found: dict[tuple[object, ...], dict[int, n.Let]] = {}
    for let in flattened(grid_chain(kernel)).statements:
        if not isinstance(let, n.Let):
            continue
        moved |= {let.var.name for a in atoms_of(let) if isinstance(a, n.Var) and a.name in moved}
        if isinstance(let.value, n.Binary) and is_moved(let.value, known):
            assert isinstance(let.value.left, n.Var)
            known[let.var.name] = known[let.value.left.name] + step_of(let.value)
        place = _place(let, kernel, known, moved, last)
        if place is not None:
            axis, distance, row = place
            found.setdefault((axis, *row), {})[distance] = let
    several = [(key[0], loads) for key, loads in found.items() if len(loads) > 1]
    made = [Column(axis, loads) for axis, loads in several if isinstance(axis, int)]
    return tuple(sorted(made, key=lambda column: -len(column.loads)))


def _place(
    let: n.Let, kernel: n.Kernel, known: Mapping[str, int], moved: set[str], last: n.For
) -> tuple[int, int, Sequence[object]] | None:
    """The axis along which a load moves with the loop, how far it is away, and what its other indices are."""
    load = let.value
    if not isinstance(load, n.Load) or load.mask is not None or load.bounds != "safe" or not load.indices:
        return None
    assert isinstance(load.view.type, View)
    if load.view not in kernel.params or not isinstance(load.view.type.element, Scalar):
        return None
    *outer, index = load.indices
    axes = [k for k, a in enumerate(outer) if isinstance(a, n.Var) and a.name in moved]
    if index != last.index or len(axes) != 1 or not is_repeatable(let, kernel):
        return None
    mover = outer[axes[0]]
    if not isinstance(mover, n.Var) or mover.name not in known:
        return None
    return axes[0], known[mover.name], (load.view.name, *(a for k, a in enumerate(outer) if k != axes[0]))
