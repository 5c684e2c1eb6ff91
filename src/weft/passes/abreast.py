"""Abreast: several tiles of a loop in lanes run together, so that one computes while another waits for its results.

For tiles that hold a ``while`` loop, in which each step needs the one before: alone, a vector of iterations leaves most
of the processor idle. The loops of all tiles run as long as one lane of one tile is in its loop; lanes that have left
keep their values, as they do in one tile. Tiles beyond the last have no lane that is on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, Vector
from weft.ir.visit import atoms_of, rewrite, walk
from weft.passes.peel import Copies
from weft.passes.support import on_blocks

TILES = 4
MOST_STATEMENTS = 60


def abreast(program: n.Program) -> n.Program:
    """Run tiles together."""
    if not any(_is_suited(s) for s in walk(program.body)):
        return program
    copies = Copies(program)
    return on_blocks(program, lambda block: rewrite(block, lambda s: _together(s, copies) if _is_suited(s) else s))


def _is_suited(statement: n.Statement) -> bool:
    """Whether a statement is a loop over masked tiles that hold straight code and loops on masks."""
    if not isinstance(statement, n.For) or statement.mapping != "parallel" or statement.args:
        return False
    inner = list(walk(statement.body))
    if len(inner) > MOST_STATEMENTS or not all(isinstance(s, (n.Let, n.Store, n.While)) for s in inner):
        return False
    accesses = [s.value if isinstance(s, n.Let) else s for s in inner]
    masked = all(a.mask is not None for a in accesses if isinstance(a, (n.Load, n.Store)))
    loops = [s for s in inner if isinstance(s, n.While)]
    return masked and bool(loops) and all(map(_is_on_mask, loops)) and statement.start == n.Const(0)


def _is_on_mask(loop: n.While) -> bool:
    """Whether a loop runs as long as a lane is on in a mask that it carries, and does nothing else to decide that."""
    (let, *others), (test,) = loop.condition.statements or (None,), loop.condition.yields
    if others or not isinstance(let, n.Let) or let.var != test or not isinstance(let.value, n.ReduceLanes):
        return False
    carried = {a.var for a in loop.args}
    return let.value.op == "or" and all(a in carried and isinstance(a.type, Vector) for a in atoms_of(let.value))


def _together(statement: n.Statement, copies: Copies) -> tuple[n.Statement, ...]:
    assert isinstance(statement, n.For)
    loop, location = statement, statement.location
    padded = copies.let(n.Binary("add", loop.stop, n.Const(TILES - 1), False), PYINT, location)
    groups = copies.let(n.Binary("floordiv", padded.var, n.Const(TILES), False), PYINT, location)
    group = copies.names.fresh(loop.index.stem, PYINT)
    first = copies.let(n.Binary("mul", group, n.Const(TILES), False), PYINT, location)
    tiles = [copies.let(n.Binary("add", first.var, n.Const(k), False), PYINT, location) for k in range(TILES)]
    bodies = [copies.iteration(loop, tile.var, ()) for tile in tiles]
    body = n.Block((first, *tiles, *_merged(bodies, copies).statements))
    return padded, groups, replace(loop, index=group, stop=groups.var, body=body)


def _merged(blocks: Sequence[n.Block], copies: Copies) -> n.Block:
    """Blocks of one shape side by side."""
    statements: list[n.Statement] = []
    for group in zip(*(b.statements for b in blocks), strict=True):
        loops = [s for s in group if isinstance(s, n.While)]
        statements += [_merged_loops(loops, copies)] if loops else group
    return n.Block(tuple(statements), tuple(y for b in blocks for y in b.yields))


def _merged_loops(loops: Sequence[n.While], copies: Copies) -> n.While:
    masks = [atom for loop in loops for let in loop.condition.statements for atom in atoms_of(let)]
    tests: list[n.Let] = []
    some: n.Atom = masks[0]
    for mask in masks[1:]:
        tests.append(copies.let(n.Binary("or", some, mask, False), mask.type, loops[0].location, "mask"))
        some = tests[-1].var
    tests.append(copies.let(n.ReduceLanes("or", some), PYBOOL, loops[0].location, "any"))
    return replace(
        loops[0],
        condition=n.Block(tuple(tests), (tests[-1].var,)),
        args=tuple(a for loop in loops for a in loop.args),
        results=tuple(r for loop in loops for r in loop.results),
        body=_merged([loop.body for loop in loops], copies),
    )
