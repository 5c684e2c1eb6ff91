"""Steps of which every element goes its own way, as a loop inside of each element's iteration.

``for i: for j: y[i, j] = y[i - 1, j] + x[i, j]`` launches a kernel for each row. No column reads what another one
writes, so that the loops may change places: one kernel, in which each thread runs down its column.

The parallel loops stand outside then, all that there are around the innermost statements: a dependence between steps
must stay within one of their iterations.

Steps that may raise then do so in another order. The program does not see that: after a fault, the host runs the
original loop, from the data that the kernel started with. So the original loops are part of the result.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.access import AccessTable, table
from weft.analysis.dependence.legality import stays_within
from weft.analysis.dependence.wavefronts import can_go_inside, is_known_before
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.visit import walk
from weft.plan.scratch import Why
from weft.transform.support import with_loops

KINDS = (n.Let, n.Store, n.If, n.For)


def with_steps_inside(program: n.Program, why_host: Why) -> n.Program:
    """Let parallel loops stand outside of the steps around them, where no step reads what another element's wrote.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    if not any(_chain(s) for s in walk(program.body)):
        return program
    accesses = table(program)

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "sequential":
            return (loop,)
        chain = _chain(loop)
        if not chain or not is_legal(accesses, loop, chain):
            return None
        nest = turned(loop, chain)
        return None if why_host(nest) else (nest,)

    body = with_loops(program.body, change)
    return program if body is program.body else replace(program, body=body)


def with_raising_steps_inside(program: n.Program, why_host: Why) -> tuple[n.Program, dict[str, n.For]]:
    """The same for steps that may raise.

    Parameters
    ----------
    program
        After the passes that change nests: later passes must not split the nests of the result.
    why_host
        Gives the reason why a nest cannot be a kernel; None if it can.

    Returns
    -------
    tuple
        The program, and the original loop of each nest, by label, which the host runs after a fault.
    """
    if not any(_chain(s) for s in walk(program.body)):
        return program, {}
    accesses, before = table(program), dict[str, n.For]()

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "sequential":
            return (loop,)
        chain = _chain(loop)
        if not chain or not block_may_raise(loop.body) or not is_legal(accesses, loop, chain, raises=True):
            return None
        nest = turned(loop, chain)
        if why_host(nest):
            return None
        before[nest.label] = loop
        return (nest,)

    body = with_loops(program.body, change)
    return (program if body is program.body else replace(program, body=body)), before


def _chain(steps: n.Statement) -> list[n.For]:
    """The parallel loops that are all there is in a loop, outermost first; none where there are others inside."""
    chain = chain_of(steps)
    deeper = chain and any(isinstance(s, (n.For, n.While)) for s in walk(chain[-1].body))
    return [] if deeper else chain


def chain_of(steps: n.Statement) -> list[n.For]:
    """The parallel loops that are all there is in a loop that runs in order, outermost first."""
    if not isinstance(steps, n.For) or steps.mapping != "sequential" or steps.args or steps.exit is not None:
        return []
    chain: list[n.For] = []
    inside = _only(steps)
    while inside is not None and inside.mapping == "parallel" and not inside.args and inside.exit is None:
        chain.append(inside)
        inside = _only(inside)
    return chain


def _only(loop: n.For) -> n.For | None:
    """The only statement in a loop that does more than define a value, if that is a loop."""
    inside = [s for s in loop.body.statements if not isinstance(s, n.Let)]
    return inside[0] if len(inside) == 1 and isinstance(inside[0], n.For) else None


def is_legal(accesses: AccessTable, steps: n.For, chain: list[n.For], raises: bool = False) -> bool:
    """Whether the program computes the same if the steps go inside. With `raises`, exceptions may change order."""
    if (not raises and block_may_raise(steps.body)) or not all(isinstance(s, KINDS) for s in walk(steps.body)):
        return False
    outer = accesses.structure.loops[steps.label]
    between = [s for loop in (steps, *chain[:-1]) for s in loop.body.statements if isinstance(s, n.Let)]
    if block_may_raise(n.Block(tuple(between))):  # they run even if the loops inside are empty
        return False
    if not all(can_go_inside(accesses, outer, let) for let in between):
        return False
    if not all(is_known_before(accesses, outer, end) for loop in chain for end in (loop.start, loop.stop)):
        return False
    return all(stays_within(accesses, outer, accesses.structure.loops[loop.label]).legal for loop in chain)


def turned(steps: n.For, chain: list[n.For]) -> n.For:
    """The nest with the steps innermost; what stands between the loops goes with them."""
    between = [s for loop in (steps, *chain[:-1]) for s in loop.body.statements if isinstance(s, n.Let)]
    block = n.Block((replace(steps, body=n.Block((*between, *chain[-1].body.statements))),))
    for loop in reversed(chain):
        block = n.Block((replace(loop, body=block),))
    (nest,) = block.statements
    assert isinstance(nest, n.For)
    return nest
