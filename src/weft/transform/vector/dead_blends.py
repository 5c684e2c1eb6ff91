"""Thaw: lanes that have left a loop need not keep a value that nobody reads after it.

In a loop that runs as long as one lane is on, every carried value is a selection: the new one where the lane is on,
else the old. A lane that is off stays off, and what it computes then reaches no memory; only what is read after the
loop must be kept.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import Vector
from weft.ir.visit import atoms_of, blocks_of, rewrite, substitute, walk
from weft.transform.support import on_blocks


def dead_blends(program: n.Program) -> n.Program:
    """Drop the selections that keep values for nobody."""
    return on_blocks(program, _thawed)


def _thawed(body: n.Block) -> n.Block:
    if not any(isinstance(s, n.While) and any(isinstance(a.var.type, Vector) for a in s.args) for s in walk(body)):
        return body
    used = {a.name for a in body.yields if isinstance(a, n.Var)}
    for statement in walk(body):
        used.update(a.name for a in atoms_of(statement) if isinstance(a, n.Var))
        used.update(a.name for b in blocks_of(statement) for a in b.yields if isinstance(a, n.Var))
    return rewrite(body, lambda s: _loop(s, used) if isinstance(s, n.While) else s)


def _loop(loop: n.While, used: set[str]) -> n.While:
    lets = {s.var.name: s.value for s in loop.body.statements if isinstance(s, n.Let)}
    pairs = zip(loop.args, loop.body.yields, strict=True)
    masks = {mask for arg, value in pairs if _narrows(value, arg.var, lets) for mask in (arg.var, value)}
    new: dict[str, n.Atom] = {}
    for arg, result, value in zip(loop.args, loop.results, loop.body.yields, strict=True):
        made = lets.get(value.name) if isinstance(value, n.Var) else None
        if not isinstance(made, n.Select) or made.condition not in masks or made.orelse != arg.var:
            continue
        if result.name not in used and isinstance(value, n.Var):
            new[value.name] = made.then
    if not new:
        return loop
    kept = tuple(s for s in loop.body.statements if not (isinstance(s, n.Let) and s.var.name in new))
    return replace(loop, body=substitute(replace(loop.body, statements=kept), new))


def _narrows(value: n.Atom, carried: n.Var, lets: dict[str, n.Expression]) -> bool:
    """Whether a mask is carried on as itself and something else: lanes only go off."""
    made = lets.get(value.name) if isinstance(value, n.Var) else None
    return isinstance(made, n.Binary) and made.op == "and" and carried in (made.left, made.right)
