"""Early: what finds a race in a `weft.prange` loop comes before what the function writes earlier in the same block.

`weft.transform.parallel.runtime_dependence` puts a test before the outermost loop around the claimed one. Statements
that stand before that loop may write as well, so the test moves up, with all that it needs, to the place from which on
everything it reads stays as it is. It does not pass a statement that may raise or not end, since exceptions come in the
order of the source, nor one that writes what the test reads; and it leaves no branch and no loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.analysis.access.aliases import Aliases
from weft.ir import nodes as n
from weft.ir.effects import statement_may_raise, written_views
from weft.ir.visit import atoms_of, blocks_of, defined_by, walk, with_blocks
from weft.transform.parallel.races import RACE
from weft.transform.support import on_blocks, ranges_of


def early_races(program: n.Program) -> n.Program:
    """Move tests for races up."""
    if not any(isinstance(s, n.Raise) and s.exception == RACE for s in walk(program.body)):
        return program
    return on_blocks(program, _Mover(ranges_of(program).aliases).block)


class _Mover:
    def __init__(self, aliases: Aliases) -> None:
        self.aliases = aliases

    def block(self, block: n.Block) -> n.Block:
        """A block with its tests moved up, and those of the blocks inside."""
        statements: list[n.Statement] = []
        for statement in block.statements:
            inner = blocks_of(statement)
            changed = tuple(self.block(b) for b in inner)
            same = all(a is b for a, b in zip(changed, inner, strict=True))
            statements.append(statement if same else with_blocks(statement, changed))
            if _is_test(statement):
                statements = self._moved(statements)
        if all(a is b for a, b in zip(statements, block.statements, strict=True)):
            return block
        return n.Block(tuple(statements), block.yields)

    def _moved(self, statements: list[n.Statement]) -> list[n.Statement]:
        """Statements of which the last is a test: it and what it needs behind the last one that must come before."""
        needed = self._slice(statements)
        start = next((k + 1 for k in reversed(range(len(statements))) if self._stops(k, statements, needed)), 0)
        passed = [s for k, s in enumerate(statements) if k >= start and k not in needed]
        if not any(self._written(s) for s in passed):
            return statements
        test = [s for k, s in enumerate(statements) if k >= start and k in needed]
        return [*statements[:start], *test, *passed]

    def _slice(self, statements: list[n.Statement]) -> set[int]:
        """The positions of the last statement and of all that define what it needs."""
        used: set[str] = set()
        found: set[int] = set()
        for k in reversed(range(len(statements))):
            statement = statements[k]
            if k == len(statements) - 1 or any(var.name in used for var in defined_by(statement)):
                found.add(k)
                used |= {a.name for s in walk(n.Block((statement,))) for a in atoms_of(s) if isinstance(a, n.Var)}
        return found

    def _stops(self, k: int, statements: list[n.Statement], needed: set[int]) -> bool:
        """Whether what the test needs and stands behind a statement cannot come before it."""
        statement = statements[k]
        if k == len(statements) - 1:
            return False
        if self._may_raise(statement):
            return True
        if k in needed:
            return False
        later = [s for j, s in enumerate(statements) if j > k and j in needed]
        return not self._written(statement).isdisjoint(root for s in later for root in self._read(s))

    def _may_raise(self, statement: n.Statement) -> bool:
        if isinstance(statement, (n.For, n.If)):
            return any(self._may_raise(inner) for block in blocks_of(statement) for inner in block.statements)
        return statement_may_raise(statement) and not self._is_plain_array(statement)

    def _is_plain_array(self, statement: n.Statement) -> bool:
        """Whether a statement makes an array whose extents are those of others, so that none is negative."""
        if not (isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc)):
            return False
        extents = (atom for atom in statement.value.shape if isinstance(atom, n.Var))
        return all(isinstance(self.aliases.structure.definition(extent).value, n.Dim) for extent in extents)

    def _written(self, statement: n.Statement) -> frozenset[str]:
        return frozenset(root for view in _views(statement) for root in self.aliases.roots(view))

    def _read(self, statement: n.Statement) -> Iterator[str]:
        for inner in walk(n.Block((statement,))):
            if isinstance(inner, n.Let) and isinstance(inner.value, n.Load):
                yield from self.aliases.roots(inner.value.view)


def _views(statement: n.Statement) -> Iterator[n.Var]:
    """The views that a statement writes through, those in its blocks included."""
    return (view for inner in walk(n.Block((statement,))) for view in written_views(inner))


def _is_test(statement: n.Statement) -> bool:
    """Whether a statement does nothing but raise a RaceError in some cases."""
    if not isinstance(statement, n.If) or statement.results:
        return False
    inner = list(walk(n.Block((statement,))))
    raises = [s.exception for s in inner if isinstance(s, n.Raise)]
    return set(raises) == {RACE} and all(isinstance(s, (n.Let, n.If, n.Raise)) for s in inner)
