"""Blend: a branch that only stores to elements that its iteration has just loaded stores always, old value or new.

``if a[i] > a[i + 1]: a[i], a[i + 1] = a[i + 1], a[i]`` becomes two selections and two stores, which is vector code. In
parallel loops only: what an iteration loads no other one writes, so putting the old value back disturbs nobody. One
side of the branch may store; what it computes must be harmless where the branch is not taken.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.effects import ARITHMETIC, is_speculative
from weft.ir.types import Scalar, View
from weft.ir.visit import Names, blocks_of, rewrite, walk
from weft.transform.support import on_blocks

MOST_OPERATIONS = 12

Place: TypeAlias = "tuple[n.Var, tuple[n.Atom, ...]]"


def blend_stores(program: n.Program) -> n.Program:
    """Replace branches that store by selections."""
    names = Names.of(program)
    return on_blocks(program, lambda block: rewrite(block, lambda s: _blended(s, names)))


def _blended(statement: n.Statement, names: Names) -> n.Statement:
    if not isinstance(statement, n.For) or statement.mapping != "parallel" or statement.exit is not None:
        return statement
    if not any(isinstance(s, n.If) for s in statement.body.statements) or _has_loop(statement.body):
        return statement
    loaded: dict[Place, n.Var] = {}
    out: list[n.Statement] = []
    changed = False
    for inner in statement.body.statements:
        new = _selections(inner, loaded, names) if isinstance(inner, n.If) else None
        changed |= new is not None
        for made in new or (inner,):
            _note(made, loaded)
            out.append(made)
    return replace(statement, body=replace(statement.body, statements=tuple(out))) if changed else statement


def _has_loop(block: n.Block) -> bool:
    return any(isinstance(s, (n.For, n.While)) for s in walk(block))


def _note(statement: n.Statement, loaded: dict[Place, n.Var]) -> None:
    """Keep track of the elements whose values are known."""
    if isinstance(statement, n.Let):
        value = statement.value
        if isinstance(value, n.Load) and value.bounds == "safe" and value.mask is None:
            loaded[value.view, value.indices] = statement.var
        return
    stores = any(isinstance(s, (n.Store, n.Update, n.Call, n.External)) for s in walk(n.Block((statement,))))
    if stores:
        loaded.clear()


def _selections(branch: n.If, loaded: dict[Place, n.Var], names: Names) -> tuple[n.Statement, ...] | None:
    """What stands for a branch; None where it stays."""
    sides = blocks_of(branch)
    storing = [side for side in sides if any(isinstance(s, n.Store) for s in side.statements)]
    inside = [s for side in sides for s in side.statements]
    if len(storing) != 1 or branch.results or len(inside) > MOST_OPERATIONS:
        return None
    if not all(_is_harmless(s, loaded) for s in inside):
        return None
    then = storing[0] is branch.then
    out: list[n.Statement] = []
    for statement in storing[0].statements:
        if not isinstance(statement, n.Store):
            out.append(statement)
            continue
        old: n.Atom = loaded[statement.view, statement.indices]
        first, second = (statement.value, old) if then else (old, statement.value)
        chosen = names.fresh(statement.view.stem, old.type)
        out.append(n.Let(chosen, n.Select(branch.condition, first, second), branch.location))
        out.append(replace(statement, value=chosen))
    return tuple(out)


def _is_harmless(statement: n.Statement, loaded: dict[Place, n.Var]) -> bool:
    if isinstance(statement, n.Let):
        plain = isinstance(statement.var.type, Scalar) and isinstance(statement.value, ARITHMETIC)
        return plain and is_speculative(statement.value, statement.var.type)
    if not isinstance(statement, n.Store) or statement.bounds != "safe" or statement.mask is not None:
        return False
    old = loaded.get((statement.view, statement.indices))
    return old is not None and isinstance(statement.view.type, View) and old.type == statement.value.type
