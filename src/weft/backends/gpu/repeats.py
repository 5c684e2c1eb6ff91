"""Kernels that follow one another: what a loop of the host only launches is queued together, and they start early."""

from __future__ import annotations

from collections.abc import Iterator

from weft.ir import nodes as n
from weft.ir.visit import blocks_of, foreign_call, launches_in


def only_launches(block: n.Block) -> bool:
    """Whether a block launches kernels that cannot fail, and nothing in it takes long or needs their results.

    Kernels that users wrote do not count: Python says how each starts."""
    has_launch = False
    for statement in block.statements:
        if isinstance(statement, n.Launch) and not statement.results and foreign_call(statement.kernel) is None:
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


def early_kernels(program: n.Program) -> frozenset[str]:
    """Names of the kernels that may be started before what they come after is done: those of such loops, and of blocks
    that launch several."""
    loops = _repeated_loops(program.body)
    repeated = (s.kernel.name for loop in loops for s in launches_in(loop.body))
    return frozenset((*repeated, *_in_a_row(program.body)))


def _in_a_row(block: n.Block) -> Iterator[str]:
    """Names of the kernels of blocks that launch several, the later ones maybe on a side of a branch."""
    launches: list[n.Launch] = []
    for statement in block.statements:
        if isinstance(statement, n.Launch):
            launches.append(statement)
            continue
        for inner in blocks_of(statement):
            yield from _in_a_row(inner)
            if launches and isinstance(statement, n.If):
                launches += [s for s in inner.statements if isinstance(s, n.Launch)]
    if len(launches) > 1:
        yield from (launch.kernel.name for launch in launches)


def _repeated_loops(block: n.Block) -> Iterator[n.For | n.While]:
    """The outermost ones."""
    for statement in block.statements:
        if isinstance(statement, (n.For, n.While)) and only_launches(statement.body):
            yield statement
        elif not isinstance(statement, n.Launch):
            for inner in blocks_of(statement):
                yield from _repeated_loops(inner)
