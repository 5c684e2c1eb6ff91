"""Owned updates: what only one iteration of a parallel loop updates is loaded, combined and stored.

An `Update` may run in several iterations at once, for which threads need copies of the array. Where an inner loop folds
into elements that no other iteration of the parallel loop around it touches, and that the loop reads or stores besides,
as in ``h[s, key[p]] += 1`` before ``h[s, j] /= total``, copies are not possible, and none are needed: the inner loop
runs in order, and the outer one on threads.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from weft.analysis.access.aliases import Aliases
from weft.ir import nodes as n
from weft.ir.types import Scalar, View
from weft.ir.visit import Names, blocks_of, rewrite, walk
from weft.transform.support import judged, table_of, with_loops

DEVICES = (n.Launch, n.Copy, n.Reserve, n.Free, n.Wait)


def owned_updates(program: n.Program) -> n.Program:
    """Make loads and stores of such updates.

    Programs of devices are left alone: there are no verdicts about them.
    """
    statements = list(walk(program.body))
    if not any(isinstance(s, n.Update) for s in statements) or any(isinstance(s, DEVICES) for s in statements):
        return program
    aliases = table_of(program).aliases
    names = Names.of(program)

    @cache
    def apart() -> frozenset[str]:
        facts = judged(program).loops.items()
        return frozenset(label for label, f in facts if f.verdict == "parallel" and not f.private)

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "parallel":
            return None
        is_owned = _updates_what_it_touches(loop, aliases) and loop.label in apart()
        return (_in_order(loop, apart(), names) if is_owned else loop,)

    body = with_loops(program.body, change)
    return program if body is program.body else replace(program, body=body)


def _updates_what_it_touches(loop: n.For, aliases: Aliases) -> bool:
    """Whether a loop updates an array that it reads or stores to besides."""
    updated: set[str] = set()
    besides: set[str] = set()
    for statement in walk(loop.body):
        if isinstance(statement, n.Update):
            updated |= aliases.roots(statement.view)
        elif isinstance(statement, n.Store):
            besides |= aliases.roots(statement.view)
        elif isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
            besides |= aliases.roots(statement.value.view)
        elif isinstance(statement, (n.Call, n.External)):
            views = (a for a in statement.operands if isinstance(a, n.Var) and isinstance(a.type, View))
            besides = besides.union(*(aliases.roots(view) for view in views))
    return not updated.isdisjoint(besides)


def _in_order(loop: n.For, apart: frozenset[str], names: Names) -> n.For:
    """A loop whose iterations own what they update."""

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if isinstance(statement, n.Update):
            return _plain(statement, names)
        if isinstance(statement, n.For) and statement.label not in apart and statement.mapping == "parallel":
            updates = any(isinstance(s, n.Update) for body in before[statement.label] for s in walk(body))
            return replace(statement, mapping="sequential") if updates else statement
        return statement

    before = {s.label: blocks_of(s) for s in walk(loop.body) if isinstance(s, n.For)}
    return replace(loop, body=rewrite(loop.body, change))


def _plain(update: n.Update, names: Names) -> tuple[n.Statement, ...]:
    if update.op == "assign":
        place = update.view, update.indices
        return (n.Store(*place, update.value, update.bounds, location=update.location),)
    view = update.view.type
    assert isinstance(view, View) and isinstance(view.element, Scalar)
    old, new = (names.fresh(update.view.stem, view.element) for _ in range(2))
    load = n.Let(old, n.Load(update.view, update.indices, update.bounds), update.location)
    value = n.Let(new, n.Binary(update.op, old, update.value, False), update.location)
    return load, value, n.Store(update.view, update.indices, new, update.bounds, location=update.location)
