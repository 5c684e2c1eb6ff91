"""Hoist: what is the same in every iteration is computed before the loop.

Moves what cannot raise before the loop either, also out of branches; what may raise, and accesses, only when the loop
is known to run and nothing before it in the first iteration can raise or write. Elements are loaded before a loop when
nothing in the loop may write them. Allocations stay: each iteration makes its own array.

Where it is not known whether the loop runs, powers and quotients of Python's floats, which raise, go before it under a
test that it does: ``x[i] / dx ** 2`` computes one power, and raises what its first iteration would.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from weft.analysis.access.aliases import Aliases
from weft.analysis.access.structure import Region
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, is_repeatable, is_speculative, may_raise, written_views
from weft.ir.types import PYBOOL, PYFLOAT
from weft.ir.visit import Names, atoms_of, blocks_of, bound_inside, defined_by, walk, with_blocks
from weft.transform.simplify.unchecked import Proofs
from weft.transform.support import for_each_body


def licm(program: n.Program) -> n.Program:
    """Move invariant computations out of loops, as far as they go."""
    names = Names.of(program)
    return for_each_body(program, lambda body, ranges: _Hoister(ranges, names).block(body))


@dataclass
class _Loop:
    """A loop whose body is being looked through.

    `inside` are the names that change with it, `first` whether what comes next is sure to run where the loop does and
    nothing happened before it, `runs` whether the loop does, `around` the region that the loop is in, `moved` what goes
    before the loop, `test` the variable that says whether the loop runs.
    """

    loop: n.For | n.While
    inside: set[str]
    written: list[n.Var]
    opaque: bool
    first: bool
    runs: bool
    around: Region
    moved: list[n.Statement] = field(default_factory=list)
    test: n.Var | None = None


class _Hoister:
    def __init__(self, ranges: Ranges, names: Names) -> None:
        self.names = names
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
        counted = isinstance(loop, n.For)
        return _Loop(loop, inside, written, opaque, counted, isinstance(loop, n.For) and _runs(loop), around)

    def _remaining(self, block: n.Block, state: _Loop) -> n.Block:
        kept: list[n.Statement] = []
        for statement in block.statements:
            if isinstance(statement, n.Let) and self._moves(statement, state):
                state.inside.discard(statement.var.name)
                state.moved.append(self._proven(statement, state))
                continue
            if self._moves_if_it_runs(statement, state):
                state.inside.difference_update(v.name for v in defined_by(statement))
                state.moved.append(self._tested(statement, state))
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
        surely = state.first and state.runs
        if isinstance(value, n.Load):
            return surely and self._is_unwritten(value.view, state)
        if isinstance(value, n.Undefined) or not is_repeatable(value):
            return False
        if surely or is_speculative(value, statement.var.type):
            return True
        return self.proofs.cannot_raise(value, statement.var.type, state.around)

    def _moves_if_it_runs(self, statement: n.Statement, state: _Loop) -> bool:
        """Whether a power or quotient, or one that is under the test of a loop inside, is the first that may raise."""
        if not state.first:
            return False
        if isinstance(statement, n.If):
            return _is_tested(statement) and not any(v.name in state.inside for v in _read(statement))
        return (
            isinstance(statement, n.Let)
            and _is_costly(statement)
            and not any(v.name in state.inside for v in _read(statement))
        )

    def _tested(self, statement: n.Statement, state: _Loop) -> n.Statement:
        """The statement under the test that the loop runs."""
        if state.runs:
            return statement
        test = self._test(state)
        if isinstance(statement, n.If):
            both = self.names.fresh("runs", PYBOOL)
            state.moved.append(n.Let(both, n.Binary("and", test, statement.condition, False), statement.location))
            return replace(statement, condition=both)
        assert isinstance(statement, n.Let)
        value = self.names.fresh(statement.var.stem, statement.var.type)
        then = n.Block((replace(statement, var=value),), (value,))
        otherwise = n.Block((), (n.Const(0.0, statement.var.type),))
        return n.If(test, then, otherwise, (statement.var,), statement.location)

    def _test(self, state: _Loop) -> n.Var:
        """The variable that says whether a loop runs."""
        if state.test is None:
            assert isinstance(state.loop, n.For)
            state.test = self.names.fresh("runs", PYBOOL)
            compared = n.Compare("lt", state.loop.start, state.loop.stop)
            state.moved.append(n.Let(state.test, compared, state.loop.location))
        return state.test

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


def _is_costly(statement: n.Let) -> bool:
    """Whether a value is a power or quotient of Python's floats, which are tested in each iteration."""
    value = statement.value
    return isinstance(value, n.Binary) and value.op in ("pow", "truediv") and statement.var.type == PYFLOAT


def _is_tested(statement: n.If) -> bool:
    """Whether a statement is what `_Hoister._tested` makes."""
    inner = statement.then.statements
    return (
        len(inner) == 1 and isinstance(inner[0], n.Let) and _is_costly(inner[0])
        and not statement.orelse.statements and len(statement.results) == 1
    )  # fmt: skip


def _read(statement: n.Let | n.If) -> list[n.Var]:
    """The variables that a power or quotient needs, with the one that says whether it is computed."""
    if isinstance(statement, n.Let):
        return [a for a in atoms_of(statement.value) if isinstance(a, n.Var)]
    (inner,) = statement.then.statements
    assert isinstance(inner, n.Let)
    atoms = (statement.condition, *atoms_of(inner.value), *statement.orelse.yields)
    return [a for a in atoms if isinstance(a, n.Var)]


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
