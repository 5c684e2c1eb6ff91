"""Dead code: what nobody uses goes, loop arguments and results of loops and branches included.

Assumes nothing. What may raise, write, or never end is kept, whether its value is used or not. Loops that count go when
nothing in them is kept; a `While` stays. Stores that are overwritten later stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.effects import has_effect
from weft.ir.visit import atoms_of
from weft.transform.support import on_blocks


def dce(program: n.Program) -> n.Program:
    """Remove what has no effect."""
    return on_blocks(program, cleaned)


def cleaned(block: n.Block, effects: bool = True) -> n.Block:
    """A block with only what its effects and its yields need; without `effects`, what its yields need."""
    return _Sweeper(effects).block(block, range(len(block.yields)))


class _Sweeper:
    """Goes through blocks from their ends, so that all uses of a variable are known where it is defined. Only what the
    next iteration of a loop uses is not: its body is gone through again where it turns out to need more."""

    def __init__(self, effects: bool) -> None:
        self.effects = effects
        self.needed: set[str] = set()
        """Names of variables."""

    def use(self, atoms: Iterable[n.Atom]) -> None:
        for atom in atoms:
            if type(atom) is n.Var:
                self.needed.add(atom.name)

    def block(self, block: n.Block, kept: Sequence[int]) -> n.Block:
        """What is left of a block of whose yields some are kept."""
        yields = tuple([block.yields[k] for k in kept])
        self.use(yields)
        left: list[n.Statement] = []
        same = len(yields) == len(block.yields)
        for statement in reversed(block.statements):
            new = self.let(statement) if isinstance(statement, n.Let) else self.other(statement)
            same &= new is statement
            if new is not None:
                left.append(new)
        return block if same else n.Block(tuple(reversed(left)), yields)

    def let(self, let: n.Let) -> n.Let | None:
        if let.var.name not in self.needed and not (self.effects and has_effect(let)):
            return None
        self.use(atoms_of(let.value))
        return let

    def other(self, statement: n.Statement) -> n.Statement | None:
        if isinstance(statement, n.If):
            return self.branch(statement)
        if isinstance(statement, n.For):
            return self.loop(statement)
        if isinstance(statement, n.While):
            return self.rounds(statement)
        if not self.effects:
            return None
        self.use(atoms_of(statement))
        return statement

    def branch(self, branch: n.If) -> n.If | None:
        kept = [k for k, result in enumerate(branch.results) if result.name in self.needed]
        then, orelse = self.block(branch.then, kept), self.block(branch.orelse, kept)
        if not (kept or then.statements or orelse.statements):
            return None
        self.use((branch.condition,))
        if then is branch.then and orelse is branch.orelse:
            return branch
        return replace(branch, then=then, orelse=orelse, results=tuple(branch.results[k] for k in kept))

    def loop(self, loop: n.For) -> n.For | None:
        kept = self.carried(loop)
        body = self.block(loop.body, kept)
        if not (kept or body.statements):
            return None
        self.use(_controls(loop))
        while len(kept) < len(self.carried(loop)):
            kept = self.carried(loop)
            body = self.block(loop.body, kept)
        if body is loop.body:
            return loop
        args, results = _chosen(loop, kept)
        exit = None if loop.exit is None else kept.index(loop.exit)
        return replace(loop, body=body, args=args, results=results, exit=exit)

    def rounds(self, loop: n.While) -> n.While | None:
        kept = self.carried(loop)
        if not (kept or self.effects):
            return None
        body, condition = self.block(loop.body, kept), self.block(loop.condition, range(1))
        while len(kept) < len(self.carried(loop)):
            kept = self.carried(loop)
            body, condition = self.block(loop.body, kept), self.block(loop.condition, range(1))
        if condition is loop.condition and body is loop.body:
            return loop
        args, results = _chosen(loop, kept)
        return replace(loop, condition=condition, body=body, args=args, results=results)

    def carried(self, loop: n.For | n.While) -> Sequence[int]:
        """What a loop carries that is needed behind it, or, as far as is known, in it."""
        pairs = enumerate(zip(loop.args, loop.results, strict=True))
        kept = [k for k, (arg, result) in pairs if arg.var.name in self.needed or result.name in self.needed]
        self.use([loop.args[k].init for k in kept])
        return kept


def _controls(loop: n.For) -> Iterator[n.Atom]:
    """What a loop that counts needs to run at all, whichever of its results are used."""
    yield from (loop.start, loop.stop)
    for told in (loop.product, loop.fetch):
        yield from atoms_of(told) if told is not None else ()
    if loop.exit is not None:
        yield loop.args[loop.exit].var


def _chosen(loop: n.For | n.While, kept: Sequence[int]) -> tuple[tuple[n.LoopArg, ...], tuple[n.Var, ...]]:
    return tuple(loop.args[k] for k in kept), tuple(loop.results[k] for k in kept)
