"""Steps inside of the iterations of a parallel loop, as a loop inside of each of their elements.

``for i in parallel: for k: for j in parallel: c[i, j] += a[i, k] * b[k, j]`` has a thread for each `i`. No step reads
what another element's wrote, so the steps may go inside, as `weft.plan.steps.steps_inside` says: a thread for each `i`
and `j`, in which the steps are a fold.

Where more stands beside the steps (``for i: (for j: c[i, j] = 0), (for k: for j: c[i, j] += ...)``), the parallel loop
is parted first: no iteration of a parallel loop sees another, so its parts may run one after the other.

Not done where each element would compute again what is dear, and where there are few elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from weft.analysis.access.access import AccessTable, table
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.visit import blocks_of, defined_by, walk
from weft.plan.prepare.folds.column_sums import are_few
from weft.plan.scratch import Why
from weft.plan.steps.steps_folded import as_fold
from weft.plan.steps.steps_inside import chain_of, is_legal, turned
from weft.transform.parallel.distribute import may_repeat
from weft.transform.parallel.scalar_promotion import scalar_promotion
from weft.transform.peel import Copies
from weft.transform.simplify.dce import dce
from weft.transform.simplify.fold import fold
from weft.transform.support import with_loops

DEAR = frozenset({"floordiv", "mod", "pow"})
"""Operators that are not computed again for each element."""


def with_inner_steps(program: n.Program, why_host: Why) -> n.Program:
    """Let parallel loops inside of the iterations of others stand outside of the steps around them.

    Parameters
    ----------
    program
        After the passes that mark parallel loops and put updates in order.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    for label in [nest.label for nest in _outermost(program.body) if any(map(_chain, walk(nest.body)))]:
        nest = next((s for s in _outermost(program.body) if s.label == label), None)
        program = (nest and _changed(program, nest, why_host)) or program
    return program


def _outermost(block: n.Block) -> Iterator[n.For]:
    """The parallel loops of a block that are in no other one."""
    for statement in block.statements:
        if isinstance(statement, n.For) and statement.mapping == "parallel":
            yield statement
        else:
            for inner in blocks_of(statement):
                yield from _outermost(inner)


def _chain(steps: n.Statement) -> list[n.For]:
    """The parallel loops around the elements of steps, where they are worth to stand outside."""
    chain = chain_of(steps)
    if not chain or any(isinstance(s, (n.For, n.While)) for s in walk(chain[-1].body)):
        return []
    assert isinstance(steps, n.For)
    between = (s for loop in (steps, *chain[:-1]) for s in loop.body.statements)
    return [] if are_few(chain) or any(map(_is_dear, between)) else chain


def _is_dear(statement: n.Statement) -> bool:
    if not isinstance(statement, n.Let):
        return False
    value = statement.value
    return isinstance(value, (n.Math, n.Call)) or (isinstance(value, n.Binary) and value.op in DEAR)


@dataclass(frozen=True)
class _Parts:
    """What a nest becomes: nests one after the other, and the labels of steps that are inside now, with their nests."""

    nests: tuple[n.For, ...]
    steps: tuple[str, ...] = ()


def _changed(program: n.Program, nest: n.For, why_host: Why) -> n.Program | None:
    """The program with the steps of a nest inside, if it is a kernel and that may be."""
    if why_host(nest) is not None:
        return None
    accesses = table(program)
    if nest.label not in accesses.structure.loops:
        return None
    parts = _parts(accesses, nest)
    if not parts.steps:
        return None
    copies = Copies(program)
    first, *rest = parts.nests
    apart = (first, *(s for other in rest for s in copies.block(n.Block((other,))).statements))
    if any(why_host(part) is not None for part in apart if isinstance(part, n.For)):
        return None
    body = with_loops(program.body, lambda loop: apart if loop is nest else None)
    made = replace(program, body=body)
    for part in apart:
        assert isinstance(part, n.For)
        inside = (s.label for s in walk(part.body) if isinstance(s, n.For) and s.mapping == "sequential")
        for steps in inside:
            made = as_fold(made, part.label, steps, why_host) or made
    return dce(fold(scalar_promotion(made)))


def _parts(accesses: AccessTable, nest: n.For) -> _Parts:
    """A nest with steps inside of their elements, parted where other statements stand beside them."""
    unchanged = _Parts((nest,))
    if nest.mapping != "parallel" or nest.args or nest.exit is not None:
        return unchanged
    lets = tuple(s for s in nest.body.statements if isinstance(s, n.Let))
    others = [s for s in nest.body.statements if not isinstance(s, n.Let)]
    if len(others) > 1 and not _may_be_parted(accesses, nest, lets, others):
        return unchanged
    made = [_inside(accesses, s) if isinstance(s, n.For) else _Inside((s,)) for s in others]
    steps = tuple(label for one in made for label in one.steps)
    if not steps:
        return unchanged
    groups: list[tuple[n.Statement, ...]] = []
    joined = False  # whether the last group is of statements that stay together
    for one in made:
        if one.steps or not joined:
            groups += [(s,) for s in one.statements] if one.steps else [one.statements]
        else:
            groups[-1] = (*groups[-1], *one.statements)
        joined = not one.steps
    return _Parts(tuple(replace(nest, body=n.Block((*lets, *group))) for group in groups), steps)


@dataclass(frozen=True)
class _Inside:
    statements: tuple[n.Statement, ...]
    steps: tuple[str, ...] = ()


def _inside(accesses: AccessTable, loop: n.For) -> _Inside:
    """What a loop inside of a parallel one becomes."""
    chain = _chain(loop)
    if chain:
        return _Inside((turned(loop, chain),), (loop.label,)) if is_legal(accesses, loop, chain) else _Inside((loop,))
    parts = _parts(accesses, loop)
    return _Inside(parts.nests, parts.steps)


def _may_be_parted(accesses: AccessTable, nest: n.For, lets: Sequence[n.Let], others: Sequence[n.Statement]) -> bool:
    """Whether the statements of a parallel loop may stand in loops of their own."""
    if nest.body.yields or block_may_raise(nest.body) or any(defined_by(s) for s in others):
        return False
    written = accesses.aliases.written(accesses.structure.loops[nest.label].body)
    return all(may_repeat(accesses, let, written) for let in lets)
