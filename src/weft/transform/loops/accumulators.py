"""Accumulators: short loops over the elements that a longer loop folds into are written out.

``for j in range(n): ... for c in range(3): a[i, c] += f * d[c]`` adds to three elements that do not change with `j`.
Written out, they are three places, which `weft.transform.parallel.scalar_promotion` keeps in variables: the loop over
`j` is then the one that a user writes with three scalars. The other short loops in it are written out, too, so that it
is straight code.

Only where everything that the longer loop does to the array is at such places, and short loops that cannot raise:
exceptions name the iteration. The order of the operations does not change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import View
from weft.ir.visit import atoms_of, blocks_of, bound_inside, defined_by, known_trips, substitute, walk, with_blocks
from weft.transform.peel import Copies
from weft.transform.simplify.cse import cse
from weft.transform.simplify.fold import fold
from weft.transform.simplify.unchecked import unchecked
from weft.transform.support import on_blocks

MOST_TRIPS = 8
LANES = 8
"""Elements of a row that are worth a vector."""
MOST_STATEMENTS = 160
"""Statements that the longer loop may have after it."""
MOST_PLACES = 16
"""Elements that are worth a register each."""

Place: TypeAlias = tuple[str, tuple[n.Atom, ...]]


def accumulators(program: n.Program) -> n.Program:
    """Write out short loops around accumulators in arrays."""
    copies = Copies(program)
    changed = on_blocks(program, lambda block: _Writer(copies).block(block))
    return changed if changed is program else unchecked(cse(fold(changed)))


class _Writer:
    def __init__(self, copies: Copies) -> None:
        self.copies = copies

    def block(self, block: n.Block) -> n.Block:
        """The block with the short loops written out that stand in loops with accumulators."""
        statements: list[n.Statement] = []
        for statement in block.statements:
            if isinstance(statement, n.For) and _is_longer(statement) and _has_accumulators(statement):
                statement = replace(statement, body=self._straight(statement.body))
            else:
                inner = blocks_of(statement)
                new = tuple(self.block(b) for b in inner)
                if any(a is not b for a, b in zip(new, inner, strict=True)):
                    statement = with_blocks(statement, new)
            statements.append(statement)
        if all(a is b for a, b in zip(statements, block.statements, strict=True)):
            return block
        return replace(block, statements=tuple(statements))

    def _straight(self, block: n.Block) -> n.Block:
        """The block with all its short loops written out."""
        statements: list[n.Statement] = []
        values: dict[str, n.Atom] = {}
        for given in block.statements:
            statement = substitute(given, values)
            inner = blocks_of(statement)
            statement = with_blocks(statement, tuple(map(self._straight, inner))) if inner else statement
            if isinstance(statement, n.For) and _is_short(statement):
                written = self.copies.iterations(statement)
                statements += written.statements
                values.update((r.name, value) for r, value in zip(statement.results, written.yields, strict=True))
            else:
                statements.append(statement)
        return replace(block, statements=tuple(statements), yields=substitute(block.yields, values))


def _is_longer(loop: n.For) -> bool:
    trips = known_trips(loop)
    return trips is None or trips > MOST_TRIPS


def _is_short(loop: n.For) -> bool:
    """Whether a loop has few iterations, as many as constants say, and nobody can tell whether it is one."""
    if _is_longer(loop) or not isinstance(loop.start, n.Const) or loop.exit is not None or loop.claim != "range":
        return False
    return not block_may_raise(loop.body)


def _has_accumulators(loop: n.For) -> bool:
    """Whether short loops in a loop fold into few elements, which are the same in all its iterations."""
    if not any(isinstance(s, n.For) and _is_short(s) for s in walk(loop.body)) or _size(loop.body) > MOST_STATEMENTS:
        return False
    if _is_product(loop):
        return False
    body = _Body(loop)
    return any(0 < body.places_of(array) <= MOST_PLACES for array in body.folded())


def _size(block: n.Block) -> int:
    """How many statements a block has when its short loops are written out."""
    total = 0
    for statement in block.statements:
        inner = sum(map(_size, blocks_of(statement)))
        short = isinstance(statement, n.For) and _is_short(statement)
        total += inner * (known_trips(statement) or 0) if short and isinstance(statement, n.For) else 1 + inner
    return total


def _is_product(loop: n.For) -> bool:
    """Whether a loop does no more than to add to a row of an array that is as long as a vector.

    The rows are those of a product; such loops change places, and the elements of a row are the lanes.
    """
    *before, last = loop.body.statements or (None,)
    if not isinstance(last, n.For) or (known_trips(last) or 0) < LANES or not all(isinstance(s, n.Let) for s in before):
        return False
    *terms, store = last.body.statements or (None,)
    if not isinstance(store, n.Store) or not all(isinstance(s, n.Let) for s in terms):
        return False
    *rows, column = store.indices
    return column == last.index and any(isinstance(row, n.Var) for row in rows)


class _Body:
    """What a loop does to arrays, and the short loops around that."""

    def __init__(self, loop: n.For) -> None:
        self.moving = {loop.index.name, *(a.var.name for a in loop.args)}
        self.steps: dict[str, frozenset[str]] = {}
        self.trips: dict[str, int] = {}
        self.touched: dict[str, list[n.Load | n.Store]] = {}
        for statement in walk(loop.body):
            self._note(statement)

    def _note(self, statement: n.Statement) -> None:
        if isinstance(statement, n.For) and _is_short(statement):
            self.trips[statement.index.name] = known_trips(statement) or 0
            self.steps[statement.index.name] = frozenset((statement.index.name,))
            self.moving.update(a.var.name for a in statement.args)
        else:
            self.moving.update(v.name for v in bound_inside(statement))
        value = statement.value if isinstance(statement, n.Let) else statement
        if isinstance(value, (n.Load, n.Store)):
            self.touched.setdefault(value.view.name, []).append(value)
        steps = (
            self._steps_of(atoms_of(value)) if isinstance(value, n.Binary) and isinstance(statement, n.Let) else None
        )
        for var in defined_by(statement):
            if steps:
                self.steps[var.name] = steps
            else:
                self.moving.add(var.name)

    def _steps_of(self, atoms: list[n.Atom]) -> frozenset[str] | None:
        """The counters of short loops that some values follow from; None where they follow from other values."""
        names = [a.name for a in atoms if isinstance(a, n.Var)]
        if not self.moving.isdisjoint(names):
            return None
        return frozenset().union(*(self.steps.get(name, frozenset()) for name in names))

    def folded(self) -> Iterator[str]:
        """The arrays of which an element is loaded and stored again that a short loop counts through."""
        for array, accesses in self.touched.items():
            stored = {a.indices for a in accesses if isinstance(a, n.Store) and _is_of_numbers(a)}
            loaded = {a.indices for a in accesses if isinstance(a, n.Load)}
            if any(self._steps_of(list(indices)) for indices in stored & loaded):
                yield array

    def places_of(self, array: str) -> int:
        """How many elements of an array are touched; 0: not the same ones in all iterations."""
        total = 0
        for indices in {a.indices for a in self.touched[array]}:
            steps = self._steps_of(list(indices))
            if array in self.moving or steps is None:
                return 0
            count = 1
            for step in steps:
                count *= self.trips[step]
            total += count
        return total


def _is_of_numbers(store: n.Store) -> bool:
    return isinstance(store.view.type, View) and store.mask is None and store.bounds == "safe"
