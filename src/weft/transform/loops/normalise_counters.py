"""Normalise counters: loops count so that the elements they are about have the counter itself as their index.

``for i in range(n - 2): v[i + 1] = u[i] + u[1 + i + 1]`` becomes ``for i in range(1, n - 1): v[i] = u[i - 1] + u[i +
1]``. So one loop has one form, however it was written, and whatever looks at a nest afterwards finds the same distances
and vectors that begin at the same elements. A loop that writes counts by what it writes, another by the first of what
it reads. An index at a constant distance from a counter becomes that counter plus, or minus, a constant.

Values stay the same, and what is added fits: loops whose bounds might not do so after they are moved stay. So do loops
that may raise: their exceptions say in which iteration, by the user's counter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop, Region
from weft.analysis.values.linear import Form, Quotient, moved_symbol
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, may_raise
from weft.ir.types import PYINT
from weft.ir.visit import Names, substitute, walk, with_blocks
from weft.transform.emit import Emitter
from weft.transform.support import table_of

LEAST, MOST = -(2**63), 2**63 - 1
"""The values of a counter."""

FARTHEST = 2**31
"""How far a loop is moved at most."""


def normalise_counters(program: n.Program) -> n.Program:
    """Move loops whose elements are at other places than their counters, and write indices one way."""
    if not any(isinstance(s, n.For) for s in walk(program.body)):
        return program
    work = _Normaliser(program, table_of(program))
    body = work.block(work.table.structure.root)
    return program if body is program.body else replace(program, body=substitute(body, work.values))


@dataclass(frozen=True)
class _Move:
    """A loop that begins and ends `by` later, with another counter."""

    by: int
    old: str
    index: n.Var
    start: n.Atom
    stop: n.Atom


class _Normaliser:
    def __init__(self, program: n.Program, table: AccessTable) -> None:
        self.table = table
        self.names = Names.of(program)
        self.values: dict[str, n.Atom] = {}
        structure = table.structure
        nodes = [loop.node for loop in structure.loops.values()]
        self.counters = {node.index.name: node.index for node in nodes if isinstance(node, n.For)}
        self.moves: dict[str, _Move] = {}
        self.before: dict[tuple[int, ...], list[n.Statement]] = {}
        for loop in structure.loops.values():
            move = self._move(loop)
            if move is not None:
                self.moves[move.old] = move

    def block(self, region: Region) -> n.Block:
        """A block with its loops moved."""
        statements: list[n.Statement] = []
        for position, statement in enumerate(region.block.statements):
            statements += self._statement(statement, (*region.path, position), region.inner.get(position, ()))
        same = len(statements) == len(region.block.statements)
        if same and all(a is b for a, b in zip(statements, region.block.statements, strict=True)):
            return region.block
        return replace(region.block, statements=tuple(statements))

    def _statement(
        self, statement: n.Statement, path: tuple[int, ...], inner: Iterable[Region]
    ) -> tuple[n.Statement, ...]:
        regions = tuple(inner)
        if not regions:
            made = self._index(statement) if isinstance(statement, n.Let) else statement
            is_counter = isinstance(made, n.Let) and made.var.name in self.values
            return () if is_counter else (made,)
        before = self.before.get(path, [])
        blocks = tuple(self.block(region) for region in regions)
        if any(new is not region.block for new, region in zip(blocks, regions, strict=True)):
            statement = with_blocks(statement, blocks)
        move = self.moves.get(statement.index.name) if isinstance(statement, n.For) else None
        return (*before, statement if move is None else self._moved(statement, move))

    def _moved(self, node: n.Statement, move: _Move) -> n.For:
        """A loop with its new counter, from which the old one is computed for whatever still needs it."""
        assert isinstance(node, n.For)
        old = n.Let(node.index, _plus(move.index, -move.by), node.location)
        body = replace(node.body, statements=(old, *node.body.statements))
        return replace(node, index=move.index, start=move.start, stop=move.stop, body=body)

    # ----------------------------------------------------------------------------------------------------- indices

    def _index(self, let: n.Let) -> n.Let:
        """A value at a constant distance from a counter as just that."""
        if let.var.type != PYINT or not isinstance(let.value, n.Binary) or may_raise(let.value, PYINT):
            return let
        found = self._counted(self.table.forms.of(let.var))
        if found is None:
            return let
        counter, distance = found
        move = self.moves.get(counter.name)
        if move is None:
            return let if _is_plain(let.value, counter) else replace(let, value=_plus(counter, distance))
        if distance == move.by:
            self.values[let.var.name] = move.index
        return replace(let, value=_plus(move.index, distance - move.by))

    def _counted(self, form: Form) -> tuple[n.Var, int] | None:
        """The counter that a value is at a constant distance from, and the distance."""
        found = moved_symbol(form)
        counter = None if found is None else self.counters.get(found[0])
        return None if found is None or counter is None else (counter, found[1])

    # ------------------------------------------------------------------------------------------------------- moves

    def _move(self, loop: Loop) -> _Move | None:
        node = loop.node
        if (
            not isinstance(node, n.For)
            or node.claim != "range"
            or node.index.type != PYINT
            or node.mapping != "sequential"
            or block_may_raise(node.body)
        ):
            return None
        by = self._distance(loop, node)
        if not by or abs(by) > FARTHEST:
            return None
        region, forms = loop.region, self.table.forms
        ends = forms.of(node.start) + by, forms.of(node.stop) + by
        if not all(self._fits(end, region) for end in ends):
            return None
        start, stop = self._emitted(loop, ends)
        if start is None or stop is None:
            return None
        return _Move(by, node.index.name, self.names.fresh(node.index.stem, PYINT), start, stop)

    def _emitted(self, loop: Loop, ends: tuple[Form, Form]) -> tuple[n.Atom | None, n.Atom | None]:
        """The ends of a loop, computed before the outermost loop before which that is possible."""
        divides = any(isinstance(s, Quotient) for end in ends for s in end.symbols)
        for outer in (loop,) if divides else (*loop.around, loop):
            location = outer.node.location
            emitter = Emitter(self.table.structure, outer.region, outer.position, self.names, location)
            start, stop = (emitter.form(end) for end in ends)
            if start is not None and stop is not None:
                self.before.setdefault(outer.path, []).extend(emitter.statements)
                return start, stop
        return None, None

    def _fits(self, form: Form, region: Region) -> bool:
        ranges = self.table.ranges
        return ranges.nonnegative(form - LEAST, region) and ranges.nonnegative(MOST - form, region)

    def _distance(self, loop: Loop, node: n.For) -> int:
        """How far the elements are that a loop is about from its counter."""
        inside = self.table.within(loop.body)
        written = set(self._distances((a for a in inside if a.writes), node))
        if written:
            return min(written, key=lambda distance: (abs(distance), distance))
        read = set(self._distances((a for a in inside if not a.writes), node))
        return 0 if not read or 0 in read else min(read)

    def _distances(self, accesses: Iterable[Access], node: n.For) -> Iterator[int]:
        for access in accesses:
            for index in access.indices or ():
                found = self._counted(index.form) if index.sign is None else None
                if found is not None and found[0] == node.index:
                    yield found[1]


def _plus(counter: n.Var, distance: int) -> n.Expression:
    return n.Binary("sub" if distance < 0 else "add", counter, n.Const(abs(distance)), checked=False)


def _is_plain(value: n.Binary, counter: n.Var) -> bool:
    """Whether a value is a counter plus or minus a constant as it is written."""
    return value.op in ("add", "sub") and value.left == counter and isinstance(value.right, n.Const)
