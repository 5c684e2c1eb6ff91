"""Reuse: an expression that was computed before, where it is known here, is not computed again.

Also elements: a `Load` takes the value that was loaded from, or stored to, the same place before, when nothing in
between may have written there. Two equal expressions raise alike, so what may raise is shared too. Two places are the
same when view and indices are; aliases are those of `weft.analysis.access.aliases`. Moves nothing: see `licm`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import TypeAlias

from weft.analysis.access.aliases import Aliases
from weft.ir import nodes as n
from weft.ir.effects import is_repeatable, written_views
from weft.ir.types import Scalar
from weft.ir.visit import blocks_of, substitute, walk, with_blocks
from weft.transform.support import for_each_body

Key: TypeAlias = Hashable
Place: TypeAlias = "tuple[n.Var, tuple[n.Atom, ...]]"

_COMMUTATIVE = frozenset({"add", "mul", "and", "or", "xor"})


def cse(program: n.Program) -> n.Program:
    """Compute every expression once."""
    return for_each_body(program, lambda body, ranges: _Reuser(ranges.aliases).block(body, {}, {}))


class _Reuser:
    """One walk in source order. `known` holds expressions, `held` the elements whose values are in variables."""

    def __init__(self, aliases: Aliases) -> None:
        self.aliases = aliases
        self.values: dict[str, n.Atom] = {}

    def block(self, block: n.Block, known: dict[Key, n.Var], held: dict[Place, n.Atom]) -> n.Block:
        statements: list[n.Statement] = []
        changed = False
        for statement in block.statements:
            new = self._statement(statement, known, held)
            changed |= new is not statement
            if new is not None:
                statements.append(new)
        yields = substitute(block.yields, self.values)
        if not changed and yields is block.yields:
            return block
        return n.Block(tuple(statements), yields)

    def _statement(
        self, statement: n.Statement, known: dict[Key, n.Var], held: dict[Place, n.Atom]
    ) -> n.Statement | None:
        if isinstance(statement, n.Let):
            return self._let(substitute(statement, self.values), known, held)
        blocks = blocks_of(statement)
        if not blocks:
            new = substitute(statement, self.values)
            self._forget(held, (new,))
            if isinstance(new, n.Store) and new.mask is None and isinstance(new.value.type, Scalar):
                held[new.view, new.indices] = new.value
            return new
        return self._nested(statement, blocks, known, held)

    def _nested(
        self, statement: n.Statement, blocks: tuple[n.Block, ...], known: dict[Key, n.Var], held: dict[Place, n.Atom]
    ) -> n.Statement:
        written = [inner for block in blocks for inner in walk(block)]
        if not isinstance(statement, n.If):
            self._forget(held, written)
        outside = substitute(with_blocks(statement, (n.Block(),) * len(blocks)), self.values)
        new = tuple(self.block(block, dict(known), dict(held)) for block in blocks)
        self._forget(held, written)
        old = with_blocks(statement, (n.Block(),) * len(blocks))
        if outside == old and all(a is b for a, b in zip(new, blocks, strict=True)):
            return statement
        return with_blocks(outside, new)

    def _let(self, statement: n.Let, known: dict[Key, n.Var], held: dict[Place, n.Atom]) -> n.Statement | None:
        value = statement.value
        if isinstance(value, n.Load):
            return self._load(statement, value, held)
        if not is_repeatable(value):
            return statement
        key = _key(value, statement.var)
        found = known.get(key)
        if found is None:
            known[key] = statement.var
            return statement
        self.values[statement.var.name] = found
        return None

    def _load(self, statement: n.Let, value: n.Load, held: dict[Place, n.Atom]) -> n.Statement | None:
        if value.mask is not None or not isinstance(statement.var.type, Scalar):
            return statement
        place = value.view, value.indices
        found = held.get(place)
        if found is None or found.type != statement.var.type:
            held[place] = statement.var
            return statement
        self.values[statement.var.name] = found
        return None

    def _forget(self, held: dict[Place, n.Atom], statements: Iterable[n.Statement]) -> None:
        """Drop the elements that the statements may write."""
        for statement in statements:
            if not held:
                return
            if isinstance(statement, (n.Call, n.Launch, n.Copy)):
                held.clear()
            for view in written_views(statement):
                for place in [p for p in held if self.aliases.may_alias(p[0], view)]:
                    del held[place]


def _key(value: n.Expression, var: n.Var) -> Key:
    if isinstance(value, n.Binary) and value.op in _COMMUTATIVE and _order(value.right) < _order(value.left):
        value = replace(value, left=value.right, right=value.left)
    return value, var.type


def _order(atom: n.Atom) -> str:
    return atom.name if isinstance(atom, n.Var) else repr(atom.value)
