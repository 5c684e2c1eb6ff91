"""Dead code: what nobody uses goes, loop arguments and results of loops and branches included.

Assumes nothing. What may raise, write, or never end is kept, whether its value is used or not. Loops that count go when
nothing in them is kept; a `While` stays. Stores that are overwritten later stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.effects import has_effect
from weft.ir.visit import atoms_of
from weft.passes.support import on_blocks


def dead(program: n.Program) -> n.Program:
    """Remove what has no effect."""
    return on_blocks(program, cleaned)


def cleaned(block: n.Block) -> n.Block:
    """The block without what neither its effects nor its yields need."""
    marks = _Marks()
    marks.enter(block, ())
    marks.use(block.yields)
    marks.spread()
    return _sweep(block, marks, range(len(block.yields)))


class _Marks:
    """Marks what is needed, from the effects backwards.

    A variable that is needed needs its sources; a statement that is needed needs its operands and the statements around
    it.
    """

    def __init__(self) -> None:
        self.needed: set[str] = set()
        self.kept: set[int] = set()
        self.waiting: list[n.Var] = []
        self.sources: dict[str, tuple[n.Atom, ...]] = {}
        self.owners: dict[str, tuple[n.Statement, ...]] = {}
        self.roots: list[tuple[n.Statement, ...]] = []

    def use(self, atoms: Iterable[n.Atom]) -> None:
        for atom in atoms:
            if isinstance(atom, n.Var) and atom.name not in self.needed:
                self.needed.add(atom.name)
                self.waiting.append(atom)

    def spread(self) -> None:
        for chain in self.roots:
            self._keep(chain)
        while self.waiting:
            var = self.waiting.pop()
            self.use(self.sources.get(var.name, ()))
            self._keep(self.owners.get(var.name, ()))

    def _keep(self, chain: tuple[n.Statement, ...]) -> None:
        """Keep a statement, the last of a chain, and those around it; one without names may stand in several places."""
        for statement in chain:
            if id(statement) not in self.kept:
                self.kept.add(id(statement))
                self.use(_controls(statement))

    def enter(self, block: n.Block, around: tuple[n.Statement, ...]) -> None:
        for statement in block.statements:
            chain = (*around, statement)
            if has_effect(statement):
                self.roots.append(chain)
            if isinstance(statement, n.Let):
                self._define(statement.var, (), chain)
            elif isinstance(statement, (n.For, n.While)):
                self._enter_loop(statement, chain)
            elif isinstance(statement, n.If):
                self.enter(statement.then, chain)
                self.enter(statement.orelse, chain)
                for k, result in enumerate(statement.results):
                    self._define(result, (statement.then.yields[k], statement.orelse.yields[k]), chain)

    def _enter_loop(self, loop: n.For | n.While, chain: tuple[n.Statement, ...]) -> None:
        if isinstance(loop, n.While):
            self.enter(loop.condition, chain)
        self.enter(loop.body, chain)
        for arg, result, value in zip(loop.args, loop.results, loop.body.yields, strict=True):
            self._define(arg.var, (arg.init, value), chain)
            self._define(result, (arg.var,), chain)

    def _define(self, var: n.Var, sources: tuple[n.Atom, ...], chain: tuple[n.Statement, ...]) -> None:
        self.sources[var.name] = sources
        self.owners[var.name] = chain


def _controls(statement: n.Statement) -> Iterator[n.Atom]:
    """What a statement needs to run at all, whichever of its results are used."""
    if isinstance(statement, n.For):
        yield from (statement.start, statement.stop)
        yield from atoms_of(statement.product) if statement.product is not None else ()
        if statement.exit is not None:
            yield statement.args[statement.exit].var
    elif isinstance(statement, n.While):
        yield from statement.condition.yields
    elif isinstance(statement, n.If):
        yield statement.condition
    else:
        yield from atoms_of(statement)


def _sweep(block: n.Block, marks: _Marks, kept: Iterable[int]) -> n.Block:
    statements: list[n.Statement] = []
    same = True
    for statement in block.statements:
        if id(statement) not in marks.kept:
            same = False
            continue
        new = _swept(statement, marks)
        same &= new is statement
        statements.append(new)
    yields = tuple(block.yields[k] for k in kept)
    if same and len(yields) == len(block.yields):
        return block
    return n.Block(tuple(statements), yields)


def _swept(statement: n.Statement, marks: _Marks) -> n.Statement:
    if isinstance(statement, n.If):
        return _swept_if(statement, marks)
    if isinstance(statement, n.For):
        return _swept_for(statement, marks)
    if isinstance(statement, n.While):
        kept = [k for k, arg in enumerate(statement.args) if _is_carried(statement, k, marks)]
        condition, body = _sweep(statement.condition, marks, range(1)), _sweep(statement.body, marks, kept)
        if condition is statement.condition and body is statement.body:
            return statement
        args, results = _chosen(statement, kept)
        return replace(statement, condition=condition, body=body, args=args, results=results)
    return statement


def _swept_if(statement: n.If, marks: _Marks) -> n.If:
    kept = [k for k, result in enumerate(statement.results) if result.name in marks.needed]
    then, orelse = _sweep(statement.then, marks, kept), _sweep(statement.orelse, marks, kept)
    if then is statement.then and orelse is statement.orelse:
        return statement
    return replace(statement, then=then, orelse=orelse, results=tuple(statement.results[k] for k in kept))


def _swept_for(statement: n.For, marks: _Marks) -> n.For:
    kept = [k for k, arg in enumerate(statement.args) if _is_carried(statement, k, marks)]
    body = _sweep(statement.body, marks, kept)
    if body is statement.body:
        return statement
    args, results = _chosen(statement, kept)
    exit = None if statement.exit is None else kept.index(statement.exit)
    return replace(statement, body=body, args=args, results=results, exit=exit)


def _is_carried(loop: n.For | n.While, k: int, marks: _Marks) -> bool:
    return loop.args[k].var.name in marks.needed or loop.results[k].name in marks.needed


def _chosen(loop: n.For | n.While, kept: list[int]) -> tuple[tuple[n.LoopArg, ...], tuple[n.Var, ...]]:
    return tuple(loop.args[k] for k in kept), tuple(loop.results[k] for k in kept)
