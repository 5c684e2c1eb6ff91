"""Forward: a new array that is only filled by one nest and copied by the next one goes; the second nest computes.

Array expressions store to a new array and copy it to their target, so that no element is read after it was written.
That is needless where no array that the first nest reads shares memory with the target, or where it is the target
itself at the same position.

Assumes nothing. Leaves arrays alone that anybody else reads, and nests that do more than compute one element without
a fault.
"""

from __future__ import annotations

from collections import Counter

from weft.analysis.access.aliases import Aliases
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.visit import Names, atoms_of, blocks_of, rewrite, substitute, walk, with_blocks
from weft.transform.perfect_nest import Nest, perfect_nest
from weft.transform.support import for_each_body, is_sure_to_be_made


def forward(program: n.Program) -> n.Program:
    """Leave out arrays between two nests of which the second copies."""
    if not any(isinstance(s, n.Let) and isinstance(s.value, n.Alloc) for s in walk(program.body)):
        return program
    names = Names.of(program)
    return for_each_body(program, lambda block, ranges: _Forwarder(block, ranges, names).body(block))


class _Forwarder:
    def __init__(self, body: n.Block, ranges: Ranges, names: Names) -> None:
        self.ranges = ranges
        self.aliases: Aliases = ranges.aliases
        self.gone: set[str] = set()
        self.names = names
        self.uses = Counter(_uses(body))

    def body(self, block: n.Block) -> n.Block:
        """The body of a program or function without needless arrays."""
        changed = self.block(block)
        return rewrite(changed, self._without) if self.gone else changed

    def _without(self, statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        is_gone = isinstance(statement, n.Let) and statement.var.name in self.gone
        return () if is_gone else statement

    def _note_gone(self, view: n.Var) -> None:
        """An array that nobody uses goes where making it cannot raise: no extent is negative."""
        if is_sure_to_be_made(self.ranges, view.name):
            self.gone.add(view.name)

    def block(self, block: n.Block) -> n.Block:
        """The block with its nests joined."""
        statements = [self._inside(statement) for statement in block.statements]
        position = 0
        while position < len(statements):
            found = self._joined(statements, position)
            if found is None:
                position += 1
                continue
            second, nest = found
            statements[second] = nest
            del statements[position]
        if len(statements) == len(block.statements) and all(
            a is b for a, b in zip(statements, block.statements, strict=True)
        ):
            return block
        return n.Block(tuple(statements), block.yields)

    def _inside(self, statement: n.Statement) -> n.Statement:
        inner = blocks_of(statement)
        changed = tuple(self.block(block) for block in inner)
        same = all(a is b for a, b in zip(changed, inner, strict=True))
        return statement if same else with_blocks(statement, changed)

    def _joined(self, statements: list[n.Statement], position: int) -> tuple[int, n.Statement] | None:
        """Where the nest is that copies what the nest at a position fills, and what it becomes."""
        first = perfect_nest(statements[position])
        if first is None or first.store.indices != first.indices or not self._is_own(first.store.view):
            return None
        for later in range(position + 1, len(statements)):
            statement = statements[later]
            if isinstance(statement, n.For):
                nest = perfect_nest(statement)
                copied = None if nest is None else self._copies(first, nest)
                return None if copied is None else (later, copied)
            if not isinstance(statement, n.Let) or isinstance(statement.value, n.Load):
                return None
        return None

    def _is_own(self, view: n.Var) -> bool:
        """Whether an array is made here, filled by one store and read by one load."""
        made = self.aliases.structure.definition(view).value
        return isinstance(made, n.Alloc) and self.uses[view.name] == 2

    def _copies(self, first: Nest, second: Nest) -> n.Statement | None:
        """The second nest, computing what the first one does, if that is right."""
        array = first.store.view
        loads = [s for s in second.statements if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
        if len(loads) != 1 or not isinstance(loads[0].value, n.Load) or loads[0].value.view != array:
            return None
        if loads[0].value.indices != second.indices or len(second.loops) != len(first.loops):
            return None
        target = second.store
        if target.view == array or not all(self._is_apart(s, first, target, second) for s in first.statements):
            return None
        self._note_gone(array)
        return self._merged(first, second, loads[0])

    def _is_apart(self, statement: n.Statement, first: Nest, target: n.Store, second: Nest) -> bool:
        """Whether what a statement reads was not written in an iteration before."""
        if not isinstance(statement, n.Let) or not isinstance(statement.value, n.Load):
            return True
        load = statement.value
        if not self.aliases.may_alias(load.view, target.view):
            return True
        overlapping = not self.aliases.roots(load.view).isdisjoint(self.aliases.overlapping)
        same = load.view == target.view and load.indices == first.indices and target.indices == second.indices
        return same and not overlapping

    def _merged(self, first: Nest, second: Nest, load: n.Let) -> n.Statement:
        values: dict[str, n.Atom] = {a.index.name: b.index for a, b in zip(first.loops, second.loops, strict=True)}
        moved: list[n.Statement] = []
        for statement in first.statements:
            assert isinstance(statement, n.Let)
            fresh = self.names.fresh(statement.var.stem, statement.var.type)
            moved.append(n.Let(fresh, substitute(statement.value, values), statement.location))
            values[statement.var.name] = fresh
        value = substitute((first.store.value,), values)[0]
        rest = [s for s in second.statements if s is not load]
        inner = [*moved, *rest, second.store]
        body = substitute(n.Block(tuple(inner)), {load.var.name: value})
        for loop in reversed(second.loops):
            body = n.Block((with_blocks(loop, (body,)),))
        return body.statements[0]


def _uses(body: n.Block) -> list[str]:
    """The names of variables wherever they are used."""
    found = [a.name for a in body.yields if isinstance(a, n.Var)]
    for statement in walk(body):
        found += [a.name for a in atoms_of(statement) if isinstance(a, n.Var)]
        for inner in blocks_of(statement):
            found += [a.name for a in inner.yields if isinstance(a, n.Var)]
    return found
