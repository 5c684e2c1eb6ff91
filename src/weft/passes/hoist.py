"""Hoist: what is the same in every iteration is computed before the loop.

Moves what cannot raise before the loop either, also out of branches; what may raise, and accesses, only when the loop
is known to run and nothing before it in the first iteration can raise or write. Elements are loaded before a loop when
nothing in the loop may write them. Allocations stay: each iteration makes its own array.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from weft.analysis.aliases import Aliases
from weft.analysis.ranges import Ranges
from weft.analysis.structure import Region
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, is_repeatable, is_speculative, may_raise, written_views
from weft.ir.visit import atoms_of, blocks_of, bound_inside, defined_by, walk, with_blocks
from weft.passes.support import for_each_body
from weft.passes.unchecked import Proofs


def hoist(program: n.Program) -> n.Program:
    """Move invariant computations out of loops, as far as they go."""
    return for_each_body(program, lambda body, ranges: _Hoister(ranges).block(body))


@dataclass
class _Loop:
    """A loop whose body is being looked through.

    `inside` are the names that change with it, `first` whether what comes next is sure to run and nothing happened
    before it, `around` the region that the loop is in, `moved` what goes before the loop.
    """

    inside: set[str]
    written: list[n.Var]
    opaque: bool
    first: bool
    around: Region
    moved: list[n.Statement] = field(default_factory=list)


class _Hoister:
    def __init__(self, ranges: Ranges) -> None:
        self.structure = ranges.structure
        self.aliases: Aliases = ranges.aliases
        self.proofs = Proofs(ranges)

    def block(self, block: n.Block) -> n.Block:
        """A block whose loops, innermost first, have given up what they can."""
        statements: list[n.Statement] = []
        for statement in block.statements:
            inner = blocks_of(statement)
            if inner:
                new = tuple(self.block(b) for b in inner)
                if any(a is not b for a, b in zip(new, inner, strict=True)):
                    statement = with_blocks(statement, new)
            if isinstance(statement, (n.For, n.While)):
                moved, statement = self._loop(statement)
                statements.extend(moved)
            statements.append(statement)
        if len(statements) == len(block.statements) and all(
            a is b for a, b in zip(statements, block.statements, strict=True)
        ):
            return block
        return replace(block, statements=tuple(statements))

    def _loop(self, loop: n.For | n.While) -> tuple[list[n.Statement], n.Statement]:
        state = self._enter(loop)
        blocks = tuple(self._remaining(block, state) for block in blocks_of(loop))
        return (state.moved, with_blocks(loop, blocks)) if state.moved else ([], loop)

    def _enter(self, loop: n.For | n.While) -> _Loop:
        inside = {v.name for v in bound_inside(loop)}
        written: list[n.Var] = []
        opaque = False
        for block in blocks_of(loop):
            for statement in walk(block):
                inside.update(v.name for v in (*defined_by(statement), *bound_inside(statement)))
                written.extend(written_views(statement))
                opaque |= isinstance(statement, (n.Call, n.Launch, n.Copy))
        around = self.structure.loops[loop.label].region
        return _Loop(inside, written, opaque, isinstance(loop, n.For) and _runs(loop), around)

    def _remaining(self, block: n.Block, state: _Loop) -> n.Block:
        kept: list[n.Statement] = []
        for statement in block.statements:
            if isinstance(statement, n.Let) and self._moves(statement, state):
                state.inside.discard(statement.var.name)
                state.moved.append(self._proven(statement, state))
                continue
            if isinstance(statement, n.If):
                statement = self._in_branches(statement, state)
            state.first = state.first and _is_quiet(statement)
            kept.append(statement)
        return (
            block if len(kept) == len(block.statements) and not state.moved else replace(block, statements=tuple(kept))
        )

    def _in_branches(self, statement: n.If, state: _Loop) -> n.If:
        first, before = state.first, len(state.moved)
        state.first = False
        blocks = tuple(self._remaining(block, state) for block in (statement.then, statement.orelse))
        state.first = first
        return statement if len(state.moved) == before else replace(statement, then=blocks[0], orelse=blocks[1])

    def _moves(self, statement: n.Let, state: _Loop) -> bool:
        value = statement.value
        if any(isinstance(a, n.Var) and a.name in state.inside for a in atoms_of(value)):
            return False
        if isinstance(value, n.Load):
            return state.first and self._is_unwritten(value.view, state)
        if isinstance(value, n.Undefined) or not is_repeatable(value):
            return False
        if state.first or is_speculative(value, statement.var.type):
            return True
        return self.proofs.cannot_raise(value, statement.var.type, state.around)

    def _proven(self, statement: n.Let, state: _Loop) -> n.Let:
        """The statement at its new place, without its check where that is proven needless there."""
        value = statement.value
        if not isinstance(value, (n.Binary, n.Unary, n.Cast)) or not may_raise(value, statement.var.type):
            return statement
        if not self.proofs.cannot_raise(value, statement.var.type, state.around):
            return statement
        return replace(statement, value=replace(value, checked=False))

    def _is_unwritten(self, view: n.Var, state: _Loop) -> bool:
        return not state.opaque and not any(self.aliases.may_alias(view, other) for other in state.written)


def _runs(loop: n.For) -> bool:
    """Whether a loop certainly has a first iteration."""
    start, stop = loop.start, loop.stop
    return isinstance(start, n.Const) and isinstance(stop, n.Const) and start.value < stop.value  # type: ignore[operator]


def _is_quiet(statement: n.Statement) -> bool:
    """Whether a statement neither raises nor writes nor may fail to end."""
    if isinstance(statement, n.Let):
        return not may_raise(statement.value, statement.var.type)
    if not isinstance(statement, (n.For, n.If)):
        return False
    blocks = blocks_of(statement)
    return not any(block_may_raise(b) for b in blocks) and not any(
        True for b in blocks for s in walk(b) for _ in written_views(s)
    )
