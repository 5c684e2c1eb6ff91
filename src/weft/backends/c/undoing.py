"""Stores of a loop that can be undone: where an earlier iteration fails, a later one must not have stored anything.

Where each iteration stores a few elements, and only once nothing in it can fail any more, the old elements of a piece
are saved beside the new ones. That costs no more than memory in the cache: the line of an element that is written is
fetched anyway, and what the loop reads is read once.
"""

from __future__ import annotations

from dataclasses import replace

from weft.backends.c.strips import index_slice
from weft.backends.text.printer_facts import Facts
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import Scalar, View
from weft.ir.visit import arrays_made_in, defined_by, walk

SAVED_BYTES = 1 << 15
"""What a piece saves: ``WEFT_SAVED``. It lies on the stack, and in the second cache."""
PADDING = 64
"""Bytes between the arrays of what is saved, at most."""

MOST_BYTES = 64
"""What an iteration may store."""


@dataclass(frozen=True)
class Undoing:
    """How a loop is undone.

    Attributes
    ----------
    loop
        A loop over the same iterations that stores `olds` where the loop stores something.
    stores
        The stores of the loop, in order.
    olds
        Stand for the old elements.
    """

    loop: n.For
    stores: tuple[n.Store, ...]
    olds: tuple[n.Var, ...]

    @property
    def longest(self) -> int:
        """The most iterations of a piece."""
        return (SAVED_BYTES - PADDING) // sum(element_of(s).size for s in self.stores)


def undoing(loop: n.For, facts: Facts) -> Undoing | None:
    """How a loop is undone; None where that cannot be said in a few words."""
    own = arrays_made_in(loop.body)
    stores = tuple(s for s in walk(loop.body) if isinstance(s, n.Store) and not facts.roots(s.view) <= own)
    if loop.args or not stores or not _can_be_undone(loop, stores):
        return None
    olds = tuple(n.Var(f"{s.view.name}.old{k}", s.value.type) for k, s in enumerate(stores))
    # The last store first: two of them may go to one element.
    back = tuple(replace(s, value=old) for s, old in zip(stores[::-1], olds[::-1], strict=True))
    body = replace(loop.body, statements=(*index_slice(loop.body, stores), *back))
    return Undoing(replace(loop, body=body), stores, olds)


def _can_be_undone(loop: n.For, stores: tuple[n.Store, ...]) -> bool:
    """Whether all stores run at the end of every iteration, to places that follow from its index."""
    if any(isinstance(s, n.Update) for s in walk(loop.body)) or len({place_of(s) for s in stores}) < len(stores):
        return False
    inside = {v.name for s in walk(loop.body) for v in defined_by(s)}
    at_top = [k for k, s in enumerate(loop.body.statements) if any(s is store for store in stores)]
    if len(at_top) < len(stores) or any(s.view.name in inside or not _is_plain(s) for s in stores):
        return False
    if sum(element_of(s).size for s in stores) > MOST_BYTES:
        return False
    if any(isinstance(s.value, n.Load) for s in index_slice(loop.body, stores)):
        return False
    return not block_may_raise(n.Block(loop.body.statements[at_top[0] :]))


def place_of(store: n.Store) -> tuple[str, tuple[n.Atom, ...]]:
    """Where a store goes, for a table."""
    return store.view.name, store.indices


def element_of(store: n.Store) -> Scalar:
    """The type of the elements that a store assigns to."""
    assert isinstance(store.view.type, View) and isinstance(store.view.type.element, Scalar)
    return store.view.type.element


def _is_plain(store: n.Store) -> bool:
    type = store.view.type
    numbers = all(isinstance(a.type, Scalar) for a in (store.value, *store.indices))
    return isinstance(type, View) and isinstance(type.element, Scalar) and numbers and store.mask is None
