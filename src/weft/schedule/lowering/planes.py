"""Loads of an array at constant distances from the counters of all loops around them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from weft.analysis.access.reach import reach_of
from weft.ir import nodes as n
from weft.ir.types import Scalar, View
from weft.schedule.nests import Latest, flattened, grid_chain, is_repeatable

SIZES = (4, 8)
"""Bytes of elements that go to shared memory past the registers."""


@dataclass(frozen=True)
class Planes:
    """What a nest reads of an array around an iteration.

    Attributes
    ----------
    view
        The array.
    axes
        The loops by whose counters it is indexed, by label, one for each axis.
    loads
        How far a load is from the iteration along each axis, by the variable.
    """

    view: n.Var
    axes: tuple[str, ...]
    loads: Mapping[str, tuple[int, ...]]

    def axis(self, label: str) -> int:
        """The axis that belongs to a loop."""
        return self.axes.index(label)

    def reach(self, label: str) -> tuple[int, int]:
        """The least and the greatest distance along a loop."""
        found = [distances[self.axis(label)] for distances in self.loads.values()]
        return min(found), max(found)

    @property
    def element(self) -> Scalar:
        """The type of the elements."""
        assert isinstance(self.view.type, View) and isinstance(self.view.type.element, Scalar)
        return self.view.type.element


_KNOWN: Latest[str, Planes | None] = Latest()


def planes_of(kernel: n.Kernel, along: str) -> Planes | None:
    """The array that a nest reads at most places around an iteration, several of them along a loop; None without one.

    Parameters
    ----------
    kernel
        The kernel as it was written.
    along
        The label of the loop.
    """
    return _KNOWN.of(kernel, along, lambda: _planes_of(kernel, along))


def _planes_of(kernel: n.Kernel, along: str) -> Planes | None:
    chain = grid_chain(kernel)
    found: dict[tuple[str, tuple[str, ...]], dict[str, tuple[int, ...]]] = {}
    views: dict[str, n.Var] = {}
    for let, view, axes, distances in _placed(kernel, chain):
        views[view.name] = view
        found.setdefault((view.name, axes), {})[let.var.name] = distances
    made = [Planes(views[name], axes, loads) for (name, axes), loads in found.items()]
    possible = [p for p in made if p.reach(along)[0] < p.reach(along)[1] and p.element.size in SIZES]
    return max(possible, key=lambda planes: len(planes.loads), default=None)


def _placed(
    kernel: n.Kernel, chain: Sequence[n.For]
) -> Iterator[tuple[n.Let, n.Var, tuple[str, ...], tuple[int, ...]]]:
    """Loads of arrays that the kernel only reads, whose indices are the counters of all loops, moved by constants."""
    reach = reach_of(kernel)
    for let in flattened(chain).statements:
        value = let.value if isinstance(let, n.Let) else None
        if isinstance(let, n.Let) and isinstance(value, n.Load) and value.mask is None and value.bounds == "safe":
            places = [reach.of(a) for a in value.indices]
            axes, distances = tuple(p[0] for p in places if p), tuple(p[1] for p in places if p)
            is_whole = len(axes) == len(places) == len(chain) and set(axes) == {loop.label for loop in chain}
            view = value.view
            if is_whole and view in kernel.params and is_repeatable(let, kernel) and _is_number(view):
                yield let, view, axes, distances


def _is_number(view: n.Var) -> bool:
    element = view.type.element if isinstance(view.type, View) else None
    return isinstance(element, Scalar) and element.kind in "iuf"
