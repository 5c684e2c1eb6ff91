"""Abreast: several tiles of a loop in lanes run together, so that one computes while another waits for its results.

For tiles that hold a ``while`` loop, in which each step needs the one before: alone, a vector of iterations leaves most
of the processor idle. The loops of all tiles run as long as one lane of one tile is in its loop; lanes that have left
keep their values, as they do in one tile. What is no vector must be the same in all tiles, and is computed once. Tiles
beyond the last have no lane that is on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, Scalar
from weft.ir.visit import atoms_of, blocks_of, rewrite, substitute, walk
from weft.transform.peel import Copies
from weft.transform.support import on_blocks

TILES = 4
MOST_STATEMENTS = 60


def interleave_tiles(program: n.Program) -> n.Program:
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
    return masked and bool(loops) and all(_flag(s) is not None for s in loops) and statement.start == n.Const(0)


def _flag(loop: n.While) -> int | None:
    """Which argument tells whether a lane was on in the iteration before; None where there is none."""
    lets = {s.var: s.value for s in loop.body.statements if isinstance(s, n.Let)}
    used = {a for s in walk(loop.body) for a in (*atoms_of(s), *(y for b in blocks_of(s) for y in b.yields))}
    for k, (arg, value) in enumerate(zip(loop.args, loop.body.yields, strict=True)):
        made = lets.get(value) if isinstance(value, n.Var) else None
        if isinstance(made, n.ReduceLanes) and made.op == "or" and arg.init == n.Const(True, PYBOOL):
            alone = value not in used and loop.body.yields.count(value) == 1
            return k if alone and _decides(arg.var, loop.condition) else None
    return None


def _decides(flag: n.Var, condition: n.Block) -> bool:
    """Whether a loop ends at the latest when a flag is false."""
    lets = {s.var: s.value for s in condition.statements if isinstance(s, n.Let)}
    waiting = list(condition.yields)
    while waiting:
        part = waiting.pop()
        if part == flag:
            return True
        value = lets.get(part) if isinstance(part, n.Var) else None
        if isinstance(value, n.Binary) and value.op == "and":
            waiting += [value.left, value.right]
    return False


class _Apart(Exception):
    """Something that is no vector differs between the tiles."""


def _together(statement: n.Statement, copies: Copies) -> n.Statement | tuple[n.Statement, ...]:
    assert isinstance(statement, n.For)
    loop, location = statement, statement.location
    padded = copies.let(n.Binary("add", loop.stop, n.Const(TILES - 1), False), PYINT, location)
    groups = copies.let(n.Binary("floordiv", padded.var, n.Const(TILES), False), PYINT, location)
    group = copies.names.fresh(loop.index.stem, PYINT)
    first = copies.let(n.Binary("mul", group, n.Const(TILES), False), PYINT, location)
    tiles = [copies.let(n.Binary("add", first.var, n.Const(k), False), PYINT, location) for k in range(TILES)]
    try:
        merged = _Tiles(copies).block([copies.iteration(loop, tile.var, ()) for tile in tiles])
    except _Apart:
        return statement
    body = n.Block((first, *tiles, *merged.statements))
    return padded, groups, replace(loop, index=group, stop=groups.var, body=body)


class _Tiles:
    """Puts blocks of one shape side by side."""

    def __init__(self, copies: Copies) -> None:
        self._copies = copies
        self._same: dict[str, n.Atom] = {}
        """What stands for a value of a later tile that is that of the first."""

    def block(self, blocks: Sequence[n.Block]) -> n.Block:
        """The blocks as one, which yields what all of them do, one after the other."""
        statements: list[n.Statement] = []
        for group in zip(*(b.statements for b in blocks), strict=True):
            loops = [s for s in group if isinstance(s, n.While)]
            lets = [s for s in group if isinstance(s, n.Let) and isinstance(s.var.type, Scalar)]
            if loops:
                statements.append(self._loop(loops))
            elif lets:
                statements += self._scalars(lets)
            else:
                statements += (substitute(s, self._same) for s in group)
        return n.Block(tuple(statements), tuple(substitute(y, self._same) for b in blocks for y in b.yields))

    def _scalars(self, lets: Sequence[n.Let]) -> Sequence[n.Let]:
        """Definitions of no vectors: the first alone, where all are the same."""
        lets = [substitute(let, self._same) for let in lets]
        if any(let.value != lets[0].value for let in lets):
            return lets
        self._same.update((let.var.name, lets[0].var) for let in lets[1:])
        return lets[:1]

    def _loop(self, loops: Sequence[n.While]) -> n.While:
        loops = [replace(s, args=substitute(s.args, self._same)) for s in loops]
        flag = _flag(loops[0])
        assert flag is not None
        alike = [k for k, a in enumerate(loops[0].args) if isinstance(a.var.type, Scalar)]
        for k in alike:
            if any(loop.args[k].init != loops[0].args[k].init for loop in loops):
                raise _Apart
            self._same.update((loop.args[k].var.name, loops[0].args[k].var) for loop in loops[1:])
            self._same.update((loop.results[k].name, loops[0].results[k]) for loop in loops[1:])
        masks = [self._mask(loop, flag) for loop in loops]
        count = len(loops[0].args)
        body = self.block([loop.body for loop in loops])
        own = [body.yields[j * count : (j + 1) * count] for j in range(len(loops))]
        kept = [(j, k) for j in range(len(loops)) for k in range(count) if j == 0 or k not in alike]
        if any(own[j][k] != own[0][k] for j in range(len(loops)) for k in alike if k != flag):
            raise _Apart
        tests = self._any(masks, loops[0])
        yields = tuple(tests[-1].var if k == flag else own[j][k] for j, k in kept)
        return replace(
            loops[0],
            condition=self._condition(loops),
            body=n.Block((*self._without(body, own, flag), *tests), yields),
            args=tuple(loops[j].args[k] for j, k in kept),
            results=tuple(loops[j].results[k] for j, k in kept),
        )

    def _mask(self, loop: n.While, flag: int) -> n.Atom:
        """The lanes that are on after an iteration."""
        lets = {s.var: s.value for s in loop.body.statements if isinstance(s, n.Let)}
        value = loop.body.yields[flag]
        assert isinstance(value, n.Var)
        (mask,) = atoms_of(lets[value])
        return mask

    def _any(self, masks: Sequence[n.Atom], loop: n.While) -> list[n.Let]:
        """Whether a lane is on in one of several masks."""
        tests: list[n.Let] = []
        some = masks[0]
        for mask in masks[1:]:
            tests.append(self._copies.let(n.Binary("or", some, mask, False), mask.type, loop.location, "mask"))
            some = tests[-1].var
        return [*tests, self._copies.let(n.ReduceLanes("or", some), PYBOOL, loop.location, "any")]

    def _without(self, body: n.Block, own: Sequence[tuple[n.Atom, ...]], flag: int) -> list[n.Statement]:
        """The statements of a loop without the tests of each tile for itself."""
        tests = {yields[flag] for yields in own}
        return [s for s in body.statements if not (isinstance(s, n.Let) and s.var in tests)]

    def _condition(self, loops: Sequence[n.While]) -> n.Block:
        """What all loops ask."""
        merged = self.block([loop.condition for loop in loops])
        if any(y != merged.yields[0] for y in merged.yields):
            raise _Apart
        return replace(merged, yields=merged.yields[:1])
