"""Sink stores: what both sides of a branch store to one element at their ends, one store behind the branch stores.

``if z: y[i] = x / z`` with ``else: y[i] = 0.0`` then only chooses between values, which is vector code.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.visit import Names, rewrite
from weft.transform.support import on_blocks


def sink_stores(program: n.Program) -> n.Program:
    """Move stores at the ends of branches behind them."""
    names = Names.of(program)
    return on_blocks(program, lambda block: rewrite(block, lambda s: _parts(s, names) if isinstance(s, n.If) else s))


def _parts(branch: n.If, names: Names) -> tuple[n.Statement, ...]:
    """The branch without the stores at its ends, then these in their order."""
    stores: list[n.Statement] = []
    while branch.then.statements and branch.orelse.statements:
        first, second = branch.then.statements[-1], branch.orelse.statements[-1]
        if not isinstance(first, n.Store) or not isinstance(second, n.Store) or not _same_place(first, second, branch):
            break
        value = names.fresh("stored", first.value.type)
        branch = replace(
            branch,
            then=_without_last(branch.then, first.value),
            orelse=_without_last(branch.orelse, second.value),
            results=(*branch.results, value),
        )
        stores.insert(0, replace(first, value=value))
    return (branch, *stores)


def _same_place(first: n.Store, second: n.Store, branch: n.If) -> bool:
    """Whether two stores differ in their values alone, and cannot raise. What names their place is known before the
    branch, since no name is given on both sides of one."""
    place = replace(first, value=second.value, location=second.location)
    return place == second and first.bounds == "safe" and first.value.type == second.value.type


def _without_last(block: n.Block, value: n.Atom) -> n.Block:
    return replace(block, statements=block.statements[:-1], yields=(*block.yields, value))
