"""Waits that another one makes superfluous."""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.ir.visit import blocks_of, with_blocks


def with_few_waits(block: n.Block) -> n.Block:
    """The block without waits that another one follows before anything but copies home and arithmetic happens."""
    kept: list[n.Statement] = []
    is_awaited = False
    for statement in reversed(block.statements):
        if isinstance(statement, n.Wait) and is_awaited:
            place = next(k for k in reversed(range(len(kept))) if isinstance(kept[k], n.Wait))
            kept[place] = _both(statement, kept[place])
            continue
        is_passive = isinstance(statement, (n.Reserve, n.Free, n.Wait)) or _is_harmless(statement)
        is_awaited = is_passive and (is_awaited or isinstance(statement, n.Wait))
        if not isinstance(statement, n.Launch):
            statement = with_blocks(statement, tuple(map(with_few_waits, blocks_of(statement))))
        kept.append(statement)
    return replace(block, statements=tuple(reversed(kept)))


def _both(one: n.Wait, other: n.Statement) -> n.Wait:
    """A wait for what two waits are for."""
    assert isinstance(other, n.Wait)
    of = tuple(dict.fromkeys((*one.of, *other.of))) if one.of and other.of else ()
    return replace(other, of=of)


def _is_harmless(statement: n.Statement) -> bool:
    """Whether a statement neither reads nor writes the host's elements."""
    if isinstance(statement, n.Copy):
        return statement.target == HOST
    return isinstance(statement, n.Let) and not isinstance(statement.value, (n.Load, n.Alloc))
