"""Packing without guessing: elements are stored before it is known whether they are kept. No pass itself.

``if keep: out[k] = x; k += 1`` takes a branch that a processor cannot foresee. In a tile it is known beforehand where
`k` ends. As long as `k` is below that, something of the tile is still to come to ``out[k]``: a value that is stored
there in vain is overwritten. So every iteration stores, and only the counter asks for the condition. Nothing else in
the iteration may raise: what was stored in vain would stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from weft.analysis.aliases import Aliases
from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import PYBOOL, PYINT, Scalar
from weft.ir.visit import walk
from weft.passes.peel import Copies


@dataclass(frozen=True)
class Packing:
    """One iteration that stores in any case.

    Attributes
    ----------
    body
        The iteration; it uses `ends`.
    ends
        By the names of the counters, the variables that stand for where they end.
    stores
        The stores as they were, each with its counter.
    """

    body: n.Block
    ends: Mapping[str, n.Var]
    stores: tuple[tuple[n.Store, n.Var], ...]


def packing(loop: n.For, counters: Sequence[n.Var], aliases: Aliases, copies: Copies) -> Packing | None:
    """The body of a loop that packs elements, so that it stores in any case; None where that is not possible."""
    body = loop.body
    branches = [s for s in body.statements if isinstance(s, n.If)]
    if len(branches) != 1 or any(isinstance(s, n.Store) for s in body.statements):
        return None
    (branch,) = branches
    if not all(isinstance(s, (n.Let, n.If)) for s in body.statements) or not all(map(_is_choice, branch.results)):
        return None
    if any(isinstance(s, n.Let) and may_raise(s.value, s.var.type) for s in walk(body)):
        return None
    stores = [_stores(branch, side, body, counters) for side in (branch.then, branch.orelse)]
    if stores[0] is None or stores[1] is None:
        return None
    found = (*stores[0], *stores[1])
    if not found or not _are_apart(found, loop, aliases):
        return None
    ends = {counter.name: copies.names.fresh("end", PYINT) for _, counter in found}
    return Packing(_straight(body, branch, found, ends, copies), ends, tuple(found))


def _is_choice(result: n.Var) -> bool:
    return isinstance(result.type, Scalar)


def _stores(
    branch: n.If, side: n.Block, body: n.Block, counters: Sequence[n.Var]
) -> list[tuple[n.Store, n.Var]] | None:
    """The stores of one side of a branch with their counters, which it counts up by one; None where it does more."""
    found: list[tuple[n.Store, n.Var]] = []
    for statement in side.statements:
        if isinstance(statement, n.Store) and statement.mask is None and len(statement.indices) == 1:
            counter = next((c for c in counters if c == statement.indices[0]), None)
            if counter is None or not _counts(branch, side, counter):
                return None
            found.append((statement, counter))
        elif not isinstance(statement, n.Let) or not _may_run(statement):
            return None
    return found


def _may_run(let: n.Let) -> bool:
    """Whether a value may be computed where the branch is not taken."""
    plain = isinstance(let.value, (n.Binary, n.Unary, n.Compare, n.Select, n.Cast))
    return plain and isinstance(let.var.type, Scalar) and not may_raise(let.value, let.var.type)


def _counts(branch: n.If, side: n.Block, counter: n.Var) -> bool:
    """Whether one side of a branch counts up by one, and the other does not."""
    other = branch.orelse if side is branch.then else branch.then
    steps = {s.var for s in side.statements if isinstance(s, n.Let) and _is_step(s.value, counter)}
    return any(a in steps and b == counter for a, b in zip(side.yields, other.yields, strict=True))


def _is_step(value: n.Expression, counter: n.Var) -> bool:
    return isinstance(value, n.Binary) and value.op == "add" and (value.left, value.right) == (counter, n.Const(1))


def _are_apart(found: Sequence[tuple[n.Store, n.Var]], loop: n.For, aliases: Aliases) -> bool:
    """Whether nothing reads what is stored, no other counter says where to store in the same array, and all iterations
    store through the same view: a tile's room is looked up beside the loop."""
    made = {s.var for s in walk(loop.body) if isinstance(s, n.Let)}
    if any(store.view in made for store, _ in found):
        return False
    read = [s.value.view for s in walk(loop.body) if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
    for store, counter in found:
        roots = aliases.roots(store.view)
        if any(roots & aliases.roots(view) for view in read):
            return False
        if any(other != counter and roots & aliases.roots(s.view) for s, other in found):
            return False
    return True


def _straight(
    body: n.Block, branch: n.If, found: Sequence[tuple[n.Store, n.Var]], ends: Mapping[str, n.Var], copies: Copies
) -> n.Block:
    """The body with the branch taken apart."""
    statements: list[n.Statement] = []
    for statement in body.statements:
        if statement is not branch:
            statements.append(statement)
            continue
        sides = (*branch.then.statements, *branch.orelse.statements)
        statements.extend(s for s in sides if isinstance(s, n.Let))
        for store, counter in found:
            open_ = copies.let(n.Compare("lt", counter, ends[counter.name]), PYBOOL, store.location, "open")
            kept = n.Block((replace(store, bounds="safe"),))
            statements += [open_, n.If(open_.var, kept, location=store.location)]
        yields = zip(branch.results, branch.then.yields, branch.orelse.yields, strict=True)
        statements.extend(n.Let(r, n.Select(branch.condition, a, b), branch.location) for r, a, b in yields)
    return n.Block(tuple(statements), body.yields)
