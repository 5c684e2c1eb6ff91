"""Unroll: a short loop of a known number of iterations inside of a parallel loop is written out.

``for a in range(3): for b in range(3): s += w[a, b] * u[i + a, j + b]`` becomes nine terms. Then the parallel loop
around it is straight code, whose iterations go into lanes. Iterations keep their order, so nothing changes but the
speed. Only loops that carry values: others are collapsed with the loop around them, or become lanes themselves.

Loops over the bits of integers may be longer: what shifts by a constant costs little, and is fast in lanes only so.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import blocks_of, known_trips, substitute, walk, with_blocks
from weft.transform.peel import Copies
from weft.transform.simplify.dce import dce
from weft.transform.simplify.fold import fold
from weft.transform.support import on_blocks
from weft.transform.vector.masked_updates import masked_updates_of

MOST_TRIPS, MOST_BITS = 8, 64
MOST_STATEMENTS, MOST_OF_BITS = 96, 640
"""Statements that a loop may become, the loops inside included."""


def unroll(program: n.Program) -> n.Program:
    """Write out short loops that carry values inside of parallel ones."""
    if not any(isinstance(s, n.For) and s.mapping == "parallel" for b in _bodies(program) for s in walk(b)):
        return program
    return _unrolled(program, _Unroller(Copies(program)))


def unroll_wholly(program: n.Program) -> n.Program:
    """Write out short loops inside of parallel ones where no other loop is left: an iteration is then straight code."""
    if not any(isinstance(s, n.For) and s.args for b in _bodies(program) for s in walk(b)):
        return program
    return _unrolled(program, _Unroller(Copies(program), wholly=True))


def _unrolled(program: n.Program, work: _Unroller) -> n.Program:
    changed = on_blocks(program, lambda block: work.block(block, False))
    return changed if changed is program else dce(fold(changed))


def _bodies(program: n.Program) -> tuple[n.Block, ...]:
    return program.body, *(f.body for f in program.functions)


class _Unroller:
    def __init__(self, copies: Copies, wholly: bool = False) -> None:
        self.copies, self.wholly = copies, wholly

    def block(self, block: n.Block, is_parallel: bool) -> n.Block:
        """The block with its loops written out, from the innermost outwards."""
        statements: list[n.Statement] = []
        values: dict[str, n.Atom] = {}
        for given in block.statements:
            statement = substitute(given, values)
            inner = blocks_of(statement)
            around = is_parallel or (
                isinstance(statement, n.For) and statement.mapping == "parallel" and not statement.args
            )
            new = tuple(self.block(b, around) for b in inner)
            if self.wholly and around and not is_parallel and any(map(_has_loops, new)):
                new = inner
            if any(a is not b for a, b in zip(new, inner, strict=True)):
                statement = with_blocks(statement, new)
            if is_parallel and isinstance(statement, n.For) and _is_short(statement):
                written = self.copies.iterations(masked_updates_of(statement, self.copies.names))
                statements += written.statements
                values.update((r.name, value) for r, value in zip(statement.results, written.yields, strict=True))
            else:
                statements.append(statement)
        same = len(statements) == len(block.statements)
        if same and all(a is b for a, b in zip(statements, block.statements, strict=True)):
            return block
        return replace(block, statements=tuple(statements), yields=substitute(block.yields, values))


def _has_loops(block: n.Block) -> bool:
    """Whether there are loops in a block that are not parallel."""
    loops = (s for s in walk(block) if isinstance(s, (n.For, n.While)))
    return any(isinstance(s, n.While) or s.mapping != "parallel" or bool(s.args) for s in loops)


def _is_short(loop: n.For) -> bool:
    """Whether a loop without loops inside carries values, and is small when it is written out."""
    trips = known_trips(loop)
    if trips is None or not 0 < trips <= MOST_BITS or loop.exit is not None or not loop.args:
        return False
    statements = list(walk(loop.body))
    if not isinstance(loop.start, n.Const) or any(isinstance(s, (n.For, n.While)) for s in statements):
        return False
    is_of_bits = all(isinstance(s, n.Let) and _is_of_bits(s) for s in statements)
    most, limit = (MOST_BITS, MOST_OF_BITS) if is_of_bits else (MOST_TRIPS, MOST_STATEMENTS)
    return trips <= most and trips * len(statements) <= limit


def _is_of_bits(let: n.Let) -> bool:
    """Whether an assignment is arithmetic of integers, or loads one."""
    return isinstance(let.var.type, Scalar) and let.var.type.kind in "biu" and not isinstance(let.value, n.Math)
