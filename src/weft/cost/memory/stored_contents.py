"""What a kernel stores to arrays of integers that later kernels read, as where the rows of a sparse matrix begin in
tiles: all of its iterations, with the forms of its access table, in NumPy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from weft.analysis.access.access import Access
from weft.analysis.values.linear import Element
from weft.cost.memory.addresses import Assumed, BlockAccesses, Domain, Numbers, Truths, elements_of
from weft.ir import nodes as n

MOST = 1 << 23
"""Iterations of a loop that are enumerated at most."""

Integers = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Held:
    """What an array of integers holds.

    Attributes
    ----------
    elements
        Its elements.
    is_set
        Which of them are known; None: all.
    """

    elements: Integers
    is_set: npt.NDArray[np.bool_] | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all elements are known."""
        return self.is_set is None or bool(self.is_set.all())

    def copy(self) -> Held:
        """The same, to be changed."""
        return Held(self.elements.copy(), None if self.is_set is None else self.is_set.copy())

    def store(self, places: tuple[Numbers, ...], values: Numbers) -> None:
        """Store elements."""
        self.elements[places] = values
        if self.is_set is not None:
            self.is_set[places] = True


def stored(kernel: n.Kernel, sizes: Mapping[str, int], held: Mapping[str, Held]) -> dict[str, Held | None]:
    """What the arrays of integers that a kernel writes hold when it has run.

    Parameters
    ----------
    kernel
        As it was written.
    sizes
        As for `weft.cost.memory.classes.access_classes`.
    held
        What its arrays hold before, as far as that is known; of those that it writes, too.

    Returns
    -------
    dict
        By the names of parameters; None where that is not known.
    """
    iterations = _Iterations(kernel, sizes, {name: each.elements for name, each in held.items() if each.is_whole})
    found: dict[str, Held | None] = {}
    for access in iterations.table.accesses:
        for root in iterations.table.roots(access) if access.writes else ():
            if root not in found:
                found[root] = held[root].copy() if root in held else None
            changed = found[root]
            if changed is not None and not iterations.store(access, changed):
                found[root] = None
    return found


class _Unknown(Exception):
    """Which iterations make an access is not known, or they are more than are enumerated."""


class _Iterations(BlockAccesses):
    """The accesses of all iterations of a kernel that is not laid out."""

    def store(self, access: Access, held: Held) -> bool:
        """Do what an access does; False where that is not known."""
        if access.indices is None or access.value is None:
            return False
        try:
            domain = self._reaching(access)
            if not len(domain.order):
                return True
            places = [self.place(index, domain) for index in access.indices]
            value = self._evaluate(self.table.forms.of(access.value), domain)
            known = tuple(np.broadcast_to(place, domain.shape) for place in places if place is not None)
            if access.kind != "store" or len(known) < len(places) or Assumed.GUESSED in self._assumed:
                return False
            held.store(known, value)
        except (KeyError, IndexError, _Unknown):
            return False
        return True

    def _reaching(self, access: Access) -> _All:
        """The iterations that make an access."""
        domain = _All(self.sizes)
        for region in reversed(tuple(access.region.chain())):
            if isinstance(region.owner, n.For):
                self._enter(region.owner, domain)
                if not domain.exact:
                    raise _Unknown
            elif isinstance(region.owner, n.If):
                truth = self._truth(region.owner.condition, domain)
                if truth is None:
                    raise _Unknown
                domain.keep(np.broadcast_to(truth if region.number == 0 else ~truth, domain.shape)[:, 0])
            elif region.owner is not None:
                raise _Unknown
        return domain

    def _element(self, name: Element, domain: Domain) -> Numbers:
        """An element that is known; nothing is guessed."""
        if name.array not in self.contents:
            raise KeyError(name)
        return elements_of(self.contents[name.array], [self._evaluate(part, domain) for part in name.parts])


class _All(Domain):
    """All iterations of nested loops, one row for each."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        super().__init__(sizes, 1, 2)

    def extend(self, loop: n.For, start: Numbers, stop: Numbers) -> None:
        """Enter a loop: each row becomes as many as the loop has iterations."""
        first, last = (np.broadcast_to(v, self.shape)[:, 0] for v in (start, stop))
        trips = np.maximum(last - first, 0)
        count = int(trips.sum())
        if count > MOST:
            raise _Unknown
        rows, begins = np.repeat(np.arange(len(trips)), trips), np.cumsum(trips) - trips
        self._select(rows)
        self.values[loop.index.name] = (first[rows] + np.arange(count) - begins[rows])[:, None]

    def keep(self, truth: Truths) -> None:
        """Go on with the iterations of which something is true."""
        self._select(np.flatnonzero(truth))

    def _select(self, rows: Numbers) -> None:
        self.known = {}
        for name, value in self.values.items():
            if np.ndim(value) == 2:
                self.values[name] = np.asarray(value)[rows]
        self.active, self.shape = np.ones((len(rows), 1), np.bool_), (len(rows), 1)
        self.order = np.zeros(len(rows), np.int64)
