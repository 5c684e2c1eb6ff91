"""Dead code: what nobody uses goes, loop arguments and results of loops and branches included.

Assumes nothing. What may raise, write, or never end is kept, whether its value is used or not. Loops that count go when
nothing in them is kept; a `While` stays. Stores that are overwritten later stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

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


_Place: TypeAlias = "tuple[tuple[n.Statement, ...], n.Statement]"
"""The statements around another one, outermost first, and that one."""


class _Marks:
    """Marks what is needed, from the effects backwards.

    A variable that is needed needs its sources; a statement that is needed needs its operands and the statements around
    it.
    """

    def __init__(self) -> None:
        self.needed: set[str] = set()
        self.kept: set[int] = set()
        self.waiting: list[str] = []
        self.sources: dict[str, tuple[n.Atom, ...]] = {}
        self.owners: dict[str, _Place] = {}
        self.roots: list[_Place] = []
        self.around: set[int] = set()
        """Identities of the tuples of statements around others that are kept: one for each block."""

    def use(self, atoms: Iterable[n.Atom]) -> None:
        needed = self.needed
        for atom in atoms:
            if isinstance(atom, n.Var) and atom.name not in needed:
                needed.add(atom.name)
                self.waiting.append(atom.name)

    def spread(self) -> None:
        for around, statement in self.roots:
            self._keep(around, statement)
        while self.waiting:
            name = self.waiting.pop()
            place = self.owners.get(name)
            if place is not None:
                self.use(self.sources.get(name, ()))
                self._keep(*place)

    def _keep(self, around: tuple[n.Statement, ...], statement: n.Statement) -> None:
        """Keep a statement, and those around it; one without names may stand in several places."""
        if id(around) not in self.around:
            self.around.add(id(around))
            for outer in around:
                self._keep_one(outer)
        self._keep_one(statement)

    def _keep_one(self, statement: n.Statement) -> None:
        if id(statement) not in self.kept:
            self.kept.add(id(statement))
            self.use(atoms_of(statement.value) if isinstance(statement, n.Let) else _controls(statement))

    def enter(self, block: n.Block, around: tuple[n.Statement, ...]) -> None:
        for statement in block.statements:
            place = around, statement
            if has_effect(statement):
                self.roots.append(place)
            if isinstance(statement, n.Let):
                self.owners[statement.var.name] = place
            elif isinstance(statement, (n.For, n.While)):
                self._enter_loop(statement, place)
            elif isinstance(statement, n.If):
                inner = (*around, statement)
                self.enter(statement.then, inner)
                self.enter(statement.orelse, inner)
                for k, result in enumerate(statement.results):
                    self._define(result, (statement.then.yields[k], statement.orelse.yields[k]), place)

    def _enter_loop(self, loop: n.For | n.While, place: _Place) -> None:
        inner = (*place[0], loop)
        if isinstance(loop, n.While):
            self.enter(loop.condition, inner)
        self.enter(loop.body, inner)
        for arg, result, value in zip(loop.args, loop.results, loop.body.yields, strict=True):
            self._define(arg.var, (arg.init, value), place)
            self._define(result, (arg.var,), place)

    def _define(self, var: n.Var, sources: tuple[n.Atom, ...], place: _Place) -> None:
        self.sources[var.name] = sources
        self.owners[var.name] = place


def _controls(statement: n.Statement) -> Iterator[n.Atom]:
    """What a statement needs to run at all, whichever of its results are used."""
    if isinstance(statement, n.For):
        yield from (statement.start, statement.stop)
        for told in (statement.product, statement.fetch):
            yield from atoms_of(told) if told is not None else ()
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
        new = statement if isinstance(statement, n.Let) else _swept(statement, marks)
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
