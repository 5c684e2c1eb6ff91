"""Loops of the host that only launch kernels: what they launch is queued together, and their kernels start early."""

from __future__ import annotations

from collections.abc import Iterator

from weft.ir import nodes as n
from weft.ir.visit import blocks_of, walk


def only_launches(block: n.Block) -> bool:
    """Whether a block launches kernels that cannot fail, and nothing in it takes long or needs their results."""
    has_launch = False
    for statement in block.statements:
        if isinstance(statement, n.Launch) and not statement.results:
            has_launch = True
        elif isinstance(statement, (n.For, n.While)):
            if not only_launches(statement.body):
                return False
            has_launch = True
        elif isinstance(statement, n.If):
            branches = [b for b in (statement.then, statement.orelse) if any(map(_does_something, b.statements))]
            if not all(map(only_launches, branches)):
                return False
            has_launch = has_launch or bool(branches)
        elif _does_something(statement):
            return False
    return has_launch


def _does_something(statement: n.Statement) -> bool:
    """Whether a statement is more than a definition; an exception ends the loop."""
    return not isinstance(statement, (n.Let, n.Raise))


def repeated_kernels(program: n.Program) -> frozenset[str]:
    """Names of the kernels that such loops launch."""
    loops = _repeated_loops(program.body)
    return frozenset(s.kernel.name for loop in loops for s in walk(loop.body) if isinstance(s, n.Launch))


def _repeated_loops(block: n.Block) -> Iterator[n.For | n.While]:
    """The outermost ones."""
    for statement in block.statements:
        if isinstance(statement, (n.For, n.While)) and only_launches(statement.body):
            yield statement
        elif not isinstance(statement, n.Launch):
            for inner in blocks_of(statement):
                yield from _repeated_loops(inner)
