"""Speculative lanes: a tile of iterations runs in vectors as if nothing could raise, and notes where something might.

Nothing is stored until the tile is known to be good. If a lane failed, the tile is run again by the exact code, one
iteration after the other: that raises what CPython raises, where it does, and leaves the arrays as CPython does. So no
iteration may read what it stored before.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.scribe import FALSE, Scribe
from weft.ir.types import BOOL, FLOAT64, INT64, PYBOOL, PYFLOAT, PYINT, Scalar, Vector, View
from weft.ir.visit import renamed, rewrite, walk
from weft.transform.peel import Copies
from weft.transform.scan.speculative_copy import Unsuited
from weft.transform.simplify.dce import cleaned
from weft.transform.speculation.attempts import Attempt
from weft.transform.speculation.loose import doubtful
from weft.transform.vector.divergence import Divergence
from weft.transform.vector.vectorise import Vectoriser

STORED_AS: dict[Scalar, Scalar] = {PYINT: INT64, PYFLOAT: FLOAT64, PYBOOL: BOOL}


class Tile:
    """The code of a tile of a loop, whose iterations may raise.

    Parameters
    ----------
    loop
        The loop.
    carrying
        The same loop, with elements that it updates in place carried in variables.
    copies
        Fresh names and labels.
    """

    def __init__(self, loop: n.For, carrying: n.For, copies: Copies) -> None:
        self.loop = loop
        self.carrying = carrying
        self.copies = copies
        scribe = Scribe(copies.names, loop.location)
        divergence = Divergence(carrying)
        self.private = divergence.private
        if not _places_are_certain(carrying, self.private):
            raise Unsuited
        self.failed = Attempt(divergence, doubtful(carrying)).block(carrying.body, scribe, FALSE)
        self.attempt = scribe.block(carrying.body.yields)
        self.commit = self._commit()

    @property
    def straight(self) -> n.For:
        """A loop over the same iterations that does what is done in lanes: for questions about it."""
        statements = (*self.attempt.statements, *self.commit.statements)
        return replace(self.loop, body=replace(self.attempt, statements=statements))

    def _commit(self) -> n.Block:
        """The stores, after the rest was done: loops around stores run once more, for what is needed for these."""
        statements: list[n.Statement] = []
        for statement in self.carrying.body.statements:
            stores = {s.view.name in self.private for s in walk(n.Block((statement,))) if isinstance(s, n.Store)}
            if stores == {False, True}:
                raise Unsuited  # what the attempt made of the small arrays would be made again of that
            if False not in stores:
                continue
            scribe = Scribe(self.copies.names, statement.location)
            Attempt(None).block(renamed(n.Block((statement,)), self.copies.names), scribe, FALSE)
            statements += cleaned(self.copies.labels.relabelled(scribe.block())).statements
        return n.Block(tuple(statements))

    def finish(self, vectoriser: Vectoriser, first: n.Atom, mask: n.Atom, neutral: tuple[n.Const, ...]) -> list[n.Atom]:
        """Write the tile where its lanes are known; gives what the lanes yield, neutral where they are off."""
        out = vectoriser
        out.out.extend(out.statements(self.attempt, mask))
        failed = out.any(out.both(mask, out.vector(self.failed)))
        outer = out.open()
        out.out.extend(out.statements(self.commit, mask))
        good = [out.select(mask, out.vector(y), zero) for y, zero in zip(self.attempt.yields, neutral, strict=True)]
        orelse = n.Block(out.close(outer), tuple(good))
        outer = out.open()
        again = self._again(out, first, neutral)
        then = n.Block(out.close(outer), tuple(again))
        results = tuple(self.copies.names.fresh("v", y.type) for y in good)
        out.out.append(n.If(failed, then, orelse, results, self.loop.location))
        return list(results)

    def _again(self, out: Vectoriser, first: n.Atom, neutral: tuple[n.Const, ...]) -> list[n.Atom]:
        """Write the iterations of a tile as they were; gives what they yield, as vectors."""
        loop, names, count = self.loop, self.copies.names, out.lanes
        past = out.let(n.Binary("add", first, n.Const(count), False), PYINT)
        end = out.let(n.Binary("min", past, loop.stop, False), PYINT)
        parts = [self._part(out, zero) for zero in neutral]
        index = names.fresh(loop.index.stem, PYINT)
        values = tuple(n.Const(zero.value, a.var.type) for zero, a in zip(neutral, loop.args, strict=True))
        body = rewrite(self.copies.iteration(loop, index, values), _in_order)
        scribe = Scribe(names, loop.location)
        scribe.add(*body.statements)
        lane = scribe.op("sub", index, first) if parts else index
        for part, value in zip(parts, body.yields, strict=True):
            assert isinstance(part.type, View) and isinstance(part.type.element, Scalar)
            kept = value if value.type == part.type.element else scribe.let(n.Cast(value, False), part.type.element)
            scribe.add(n.Store(part, (lane,), kept, "safe", location=loop.location))
        label = self.copies.labels.fresh(loop.label)
        out.out.append(n.For(label, index, first, end, scribe.block(), location=loop.location))
        return [self._lanes(out, part, zero) for part, zero in zip(parts, neutral, strict=True)]

    def _part(self, out: Vectoriser, zero: n.Const) -> n.Var:
        """An array with a neutral element for each lane."""
        assert isinstance(zero.type, Vector)
        element = STORED_AS.get(zero.type.element, zero.type.element)
        fill = n.Const(zero.value, element)
        return out.let(n.Alloc((n.Const(out.lanes),), element, fill), View(element, 1, contiguous=True), "parts")

    def _lanes(self, out: Vectoriser, part: n.Var, zero: n.Const) -> n.Atom:
        assert isinstance(part.type, View) and isinstance(part.type.element, Scalar)
        places = out.let(n.Lanes(n.Const(0)), Vector(PYINT, out.lanes))
        value = out.let(n.Load(part, (places,), "safe"), Vector(part.type.element, out.lanes))
        return value if value.type == zero.type else out.let(n.Cast(value, False), zero.type)


def _places_are_certain(loop: n.For, private: frozenset[str]) -> bool:
    """Whether constants and counters alone say where iterations store to and load from small arrays of their own: what
    an operation that failed would say may lie outside."""
    counters = {s.index.name for s in walk(loop.body) if isinstance(s, n.For)}
    accesses = [s.value if isinstance(s, n.Let) else s for s in walk(loop.body)]
    indices = (i for a in accesses if isinstance(a, (n.Load, n.Store)) and a.view.name in private for i in a.indices)
    return all(isinstance(i, n.Const) or i.name in counters for i in indices)


def _in_order(statement: n.Statement) -> n.Statement:
    """Loops as lanes run them: sums in the order of the iterations."""
    if not isinstance(statement, n.For) or not statement.args:
        return statement
    return replace(statement, mapping="sequential", args=tuple(replace(a, combine=None) for a in statement.args))


class Leaving(Vectoriser):
    """Vectorises an attempt: loops that all lanes go through equally often end when a lane has failed."""

    def _for(self, loop: n.For, mask: n.Atom | None) -> None:
        super()._for(loop, mask)
        new = self.out[-1]
        if not isinstance(new, n.For) or new.exit is not None or not new.args or new.args[-1].var.stem != "failed":
            return
        failed = new.body.yields[-1]
        outer = self.open()
        if isinstance(failed.type, Vector):
            failed = self.any(failed if mask is None else self.both(mask, failed))
        going = self.let(n.Unary("not", failed, False), PYBOOL)
        more = self.close(outer)
        arg = n.LoopArg(self.names.fresh("going", PYBOOL), n.Const(True, PYBOOL))
        self.out[-1] = replace(
            new,
            args=(*new.args, arg),
            results=(*new.results, self.names.fresh("unused", PYBOOL)),
            body=n.Block((*new.body.statements, *more), (*new.body.yields, going)),
            exit=len(new.args),
        )
