"""Whether a block reads from storages after it stored to them."""

from __future__ import annotations

from collections.abc import Callable

from weft.ir import nodes as n
from weft.ir.visit import blocks_of, walk


def reads_what_it_stored(
    block: n.Block,
    roots: Callable[[n.Var], frozenset[str]],
    are_apart: Callable[[n.For | n.While], bool] = lambda loop: False,
) -> bool:
    """Whether a block may read an element after it stored to the same storage.

    Parameters
    ----------
    block
        The block.
    roots
        The storages that a view may show, of those that count.
    are_apart
        Whether each iteration of an inner loop touches elements of its own alone.
    """
    return _Order(roots, are_apart).block(block, frozenset())[1]


class _Order:
    """Which storages were stored to, statement by statement."""

    def __init__(self, roots: Callable[[n.Var], frozenset[str]], are_apart: Callable[[n.For | n.While], bool]) -> None:
        self.roots, self.are_apart = roots, are_apart

    def block(self, block: n.Block, stored: frozenset[str]) -> tuple[frozenset[str], bool]:
        """What was stored to after a block, and whether something of that was read in it."""
        found = False
        for statement in block.statements:
            if isinstance(statement, n.Let):
                value = statement.value
                found |= isinstance(value, n.Load) and not stored.isdisjoint(self.roots(value.view))
            elif isinstance(statement, n.Store):
                stored |= self.roots(statement.view)
            else:
                stored, inside = self._inside(statement, stored)
                found |= inside
        return stored, found

    def _inside(self, statement: n.Statement, stored: frozenset[str]) -> tuple[frozenset[str], bool]:
        blocks = blocks_of(statement)
        if isinstance(statement, (n.For, n.While)) and not self.are_apart(statement):
            stores = (s for b in blocks for s in walk(b) if isinstance(s, n.Store))  # the next iteration may read them
            stored = stored.union(*(self.roots(s.view) for s in stores))
        ends = [self.block(block, stored) for block in blocks]
        return stored.union(*(end for end, _ in ends)), any(found for _, found in ends)
