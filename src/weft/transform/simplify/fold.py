"""Fold: constants, copies, exact identities, decided branches, loops of no or one iteration, unchanging loop arguments.

Assumes nothing. Operations on constants are computed by `weft.ir.values`; one that would raise stays, and so does one
that gives a NaN, whose sign is the machine's. An identity is used only where it holds bit for bit: ``x * 1`` always,
``x + 0`` for integers, never ``x * 0`` for floats. Does not move or share anything: see `cse` and `licm`.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import substitute
from weft.transform.simplify.algebra import simplified
from weft.transform.support import on_blocks


def fold(program: n.Program) -> n.Program:
    """Compute what is known when compiling."""
    return on_blocks(program, lambda block: _Folder().block(block))


class _Folder:
    """One walk over a program in source order; `values` maps variables that are gone to what stands for them."""

    def __init__(self) -> None:
        self.values: dict[str, n.Atom] = {}
        self.definitions: dict[str, n.Expression] = {}

    def block(self, block: n.Block) -> n.Block:
        statements: list[n.Statement] = []
        for statement in block.statements:
            self._statement(statement, statements)
        yields = substitute(block.yields, self.values)
        if yields is block.yields and _same(statements, block.statements):
            return block
        return n.Block(tuple(statements), yields)

    def _statement(self, statement: n.Statement, out: list[n.Statement]) -> None:
        if isinstance(statement, n.Let):
            self._let(statement, out)
        elif isinstance(statement, n.If):
            self._if(statement, out)
        elif isinstance(statement, n.For):
            self._for(statement, out)
        elif isinstance(statement, n.While):
            self._while(statement, out)
        else:
            out.append(substitute(statement, self.values))

    def _let(self, statement: n.Let, out: list[n.Statement]) -> None:
        value = substitute(statement.value, self.values)
        folded = simplified(value, statement.var.type, self.definitions)
        if isinstance(folded, (n.Var, n.Const)):
            self.values[statement.var.name] = folded
            return
        self.definitions[statement.var.name] = folded
        out.append(statement if folded is statement.value else replace(statement, value=folded))

    # ------------------------------------------------------------------------------------------------ branches

    def _if(self, statement: n.If, out: list[n.Statement]) -> None:
        condition = substitute(statement.condition, self.values)
        if isinstance(condition, n.Const):
            self._splice(statement.then if condition.value else statement.orelse, statement.results, out)
            return
        then = _with_yields_decided(self.block(statement.then), condition, True)
        orelse = _with_yields_decided(self.block(statement.orelse), condition, False)
        kept = [k for k in range(len(statement.results)) if not self._same_result(statement, then, orelse, k)]
        if not then.statements and not orelse.statements:
            selects = [n.Select(condition, a, b) for a, b in zip(then.yields, orelse.yields, strict=True)]
            kept = [k for k in kept if not self._selected(statement, selects[k], k, out)]
            if not kept:
                return
        then, orelse = _keep_yields(then, kept), _keep_yields(orelse, kept)
        unchanged = condition is statement.condition and len(kept) == len(statement.results)
        if unchanged and then is statement.then and orelse is statement.orelse:
            out.append(statement)
            return
        results = tuple(statement.results[k] for k in kept)
        out.append(replace(statement, condition=condition, then=then, orelse=orelse, results=results))

    def _splice(self, block: n.Block, results: tuple[n.Var, ...], out: list[n.Statement]) -> None:
        inner = self.block(block)
        out.extend(inner.statements)
        for result, value in zip(results, inner.yields, strict=True):
            self.values[result.name] = value

    def _same_result(self, statement: n.If, then: n.Block, orelse: n.Block, k: int) -> bool:
        if then.yields[k] != orelse.yields[k]:
            return False
        self.values[statement.results[k].name] = then.yields[k]
        return True

    def _selected(self, statement: n.If, value: n.Select, k: int, out: list[n.Statement]) -> bool:
        """Replace a result of an If without statements; views stay."""
        result = statement.results[k]
        if not isinstance(result.type, Scalar):
            return False
        self._let(n.Let(result, value, statement.location), out)
        return True

    # --------------------------------------------------------------------------------------------------- loops

    def _for(self, statement: n.For, out: list[n.Statement]) -> None:
        start, stop = substitute(statement.start, self.values), substitute(statement.stop, self.values)
        trips = self._trips(start, stop)
        if trips is not None and trips <= 0:
            for result, arg in zip(statement.results, statement.args, strict=True):
                self.values[result.name] = substitute(arg.init, self.values)
        elif trips == 1 and statement.mapping == "sequential":
            self.values[statement.index.name] = start
            for arg in statement.args:
                self.values[arg.var.name] = substitute(arg.init, self.values)
            self._splice(statement.body, statement.results, out)
        else:
            self._kept_for(statement, start, stop, out)

    def _trips(self, start: n.Atom, stop: n.Atom) -> int | None:
        """The number of iterations where it is a constant."""
        if start == stop:
            return 0
        if isinstance(start, n.Const) and isinstance(stop, n.Const):
            return int(stop.value) - int(start.value)  # type: ignore[arg-type]
        definition = self.definitions.get(stop.name) if isinstance(stop, n.Var) else None
        if isinstance(definition, n.Binary) and definition.op == "add":
            added = {definition.left: definition.right, definition.right: definition.left}.get(start)
            return 1 if added == n.Const(1) else None
        return None

    def _kept_for(self, statement: n.For, start: n.Atom, stop: n.Atom, out: list[n.Statement]) -> None:
        kept = self._changing(statement, statement.body)
        exit = statement.exit
        if exit is not None and exit not in kept:
            init = substitute(statement.args[exit].init, self.values)
            if init == n.Const(True, init.type):
                exit = None
            else:
                kept = sorted({*kept, exit})
                self._forget(statement, exit)
        args = tuple(substitute(statement.args[k], self.values) for k in kept)
        body = _keep_yields(self.block(statement.body), kept)
        if body is statement.body and (start, stop, args, exit) == (
            statement.start, statement.stop, statement.args, statement.exit,
        ):  # fmt: skip
            out.append(statement)
            return
        results = tuple(statement.results[k] for k in kept)
        exit = None if exit is None else kept.index(exit)
        out.append(replace(statement, start=start, stop=stop, args=args, body=body, results=results, exit=exit))

    def _while(self, statement: n.While, out: list[n.Statement]) -> None:
        kept = self._changing(statement, statement.body)
        args = tuple(substitute(statement.args[k], self.values) for k in kept)
        condition = self.block(statement.condition)
        body = _keep_yields(self.block(statement.body), kept)
        if condition.yields == (n.Const(False, condition.yields[0].type),):
            for k, arg in zip(kept, args, strict=True):
                self.values[arg.var.name] = self.values[statement.results[k].name] = arg.init
            out.extend(self.block(condition).statements)  # it runs once, where nobody carries anything
        elif condition is statement.condition and body is statement.body and args == statement.args:
            out.append(statement)
        else:
            results = tuple(statement.results[k] for k in kept)
            out.append(replace(statement, args=args, condition=condition, body=body, results=results))

    def _changing(self, statement: n.For | n.While, body: n.Block) -> list[int]:
        """The positions of arguments that change; the others are replaced, in the loop and after it."""
        kept = []
        unchanged = _Unchanged(self.values)
        unchanged.block(body)
        for k, (arg, result, value) in enumerate(zip(statement.args, statement.results, body.yields, strict=True)):
            init = substitute(arg.init, self.values)
            if unchanged.resolve(value) in (arg.var, init):
                self.values[arg.var.name] = self.values[result.name] = init
            else:
                kept.append(k)
        return kept

    def _forget(self, statement: n.For, k: int) -> None:
        del self.values[statement.args[k].var.name], self.values[statement.results[k].name]


class _Unchanged:
    """Which results of a block's loops and branches are certainly one of its other variables or a constant."""

    def __init__(self, values: dict[str, n.Atom]) -> None:
        self.values = values
        self.copies: dict[str, n.Atom] = {}

    def resolve(self, atom: n.Atom) -> n.Atom:
        while isinstance(atom, n.Var):
            found = self.copies.get(atom.name) or self.values.get(atom.name)
            if found is None:
                break
            atom = found
        return atom

    def block(self, block: n.Block) -> None:
        for statement in block.statements:
            if isinstance(statement, (n.For, n.While)):
                self.block(statement.body)
                self._loop(statement)
            elif isinstance(statement, n.If):
                self.block(statement.then)
                self.block(statement.orelse)
                self._if(statement)

    def _loop(self, statement: n.For | n.While) -> None:
        for arg, result, value in zip(statement.args, statement.results, statement.body.yields, strict=True):
            if self.resolve(value) in (arg.var, self.resolve(arg.init)):
                self.copies[result.name] = self.copies[arg.var.name] = arg.init

    def _if(self, statement: n.If) -> None:
        for result, then, orelse in zip(statement.results, statement.then.yields, statement.orelse.yields, strict=True):
            value = self.resolve(then)
            if value == self.resolve(orelse):
                self.copies[result.name] = value


def _same(new: list[n.Statement], old: tuple[n.Statement, ...]) -> bool:
    return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))


def _with_yields_decided(block: n.Block, condition: n.Var, truth: bool) -> n.Block:
    """The side of a branch, which yields what its condition is there in place of the condition."""
    if condition not in block.yields:
        return block
    known = n.Const(truth, condition.type)
    return replace(block, yields=tuple(known if atom == condition else atom for atom in block.yields))


def _keep_yields(block: n.Block, kept: list[int]) -> n.Block:
    if len(kept) == len(block.yields):
        return block
    return replace(block, yields=tuple(block.yields[k] for k in kept))
