"""Reductions that also store elements as two nests: one that only folds, which threads share, and one that only stores.

``for i: for j: v[i, j] = f(u); r = max(r, g(u))`` would have a thread for each row, since threads that share a fold do
not store. What both nests need is computed twice. The one that folds comes first, so it reads what was there before.

Not done where an element is read behind a store to its array, or in a loop in order that stores to it, where what is
stored depends on what was folded, or where loops inside of a row would run twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.analysis.access.aliases import Aliases
from weft.ir import nodes as n
from weft.ir.visit import defined_by, free_variables, rewrite, walk
from weft.transform.peel import Copies


def stores_apart(nest: n.For, aliases: Aliases, copies: Copies) -> tuple[n.For, n.For] | None:
    """The nest that folds and the one that stores; None where that is not legal, or the nest does not do both.

    Parameters
    ----------
    nest
        A parallel nest with reductions, which cannot fail.
    aliases
        Which arrays of the program may be one.
    copies
        Makes the copy of the nest.
    """
    statements = list(walk(n.Block((nest,))))
    stores = [s for s in statements if isinstance(s, n.Store)]
    if not stores or not all(isinstance(s, (n.Let, n.Store, n.If, n.For)) for s in statements):
        return None
    if any(isinstance(s, n.For) and not s.args for s in statements):
        return None
    loops = [s for s in statements if isinstance(s, n.For)]
    in_order = [list(walk(n.Block((loop,)))) for loop in loops if loop.mapping != "parallel"]
    if any(_reads_what_it_stores(part, aliases) for part in (statements[statements.index(stores[0]) :], *in_order)):
        return None
    carried = {v.name for loop in loops for v in (*(arg.var for arg in loop.args), *loop.results)}

    def stored(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if isinstance(statement, n.For):
            bare = replace(statement, args=(), results=(), body=replace(statement.body, yields=()))
            return bare if any(isinstance(s, n.Store) for s in walk(bare.body)) else ()
        if isinstance(statement, n.Store) or not carried & {v.name for v in free_variables(n.Block((statement,)))}:
            return statement
        carried.update(v.name for v in defined_by(statement))
        return ()

    def folded(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        return () if isinstance(statement, n.Store) else statement

    apart = rewrite(n.Block((nest,)), stored)
    (fold,) = rewrite(n.Block((nest,)), folded).statements
    is_left = sum(isinstance(s, n.Store) for s in walk(apart)) == len(stores)
    if not is_left or carried & {v.name for v in free_variables(apart)}:
        return None
    (store,) = copies.block(apart).statements
    assert isinstance(fold, n.For) and isinstance(store, n.For)
    return fold, store


def _reads_what_it_stores(statements: Sequence[n.Statement], aliases: Aliases) -> bool:
    """Whether statements load from an array that they may store to."""
    stores = [s.view for s in statements if isinstance(s, n.Store)]
    loads = [s.value.view for s in statements if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
    return any(aliases.may_alias(load, store) for load in loads for store in stores)
