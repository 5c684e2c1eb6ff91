"""Copies of loops and of iterations, for passes that take loops apart. No pass itself."""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYBOOL, Type
from weft.ir.visit import Names, known_trips, renamed, rewrite, substitute, walk


class Labels:
    """A supply of labels for loops that are copied."""

    def __init__(self, program: n.Program) -> None:
        blocks = (program.body, *(f.body for f in program.functions))
        self._taken = {s.label for block in blocks for s in walk(block) if isinstance(s, (n.For, n.While))}

    def fresh(self, label: str) -> str:
        """A new label for a copy of a loop."""
        stem, count = label.partition("@")[0], 2
        while f"{stem}@{count}" in self._taken:
            count += 1
        self._taken.add(f"{stem}@{count}")
        return f"{stem}@{count}"

    def relabelled(self, block: n.Block) -> n.Block:
        """The block with new labels on all of its loops."""
        return rewrite(block, lambda s: replace(s, label=self.fresh(s.label)) if isinstance(s, (n.For, n.While)) else s)


class Copies:
    """Makes copies of pieces of a program that can stand beside the originals, with the `names` of whoever has some."""

    def __init__(self, program: n.Program, names: Names | None = None) -> None:
        self.names = Names.of(program) if names is None else names
        self.labels = Labels(program)

    def block(self, block: n.Block) -> n.Block:
        """A copy whose variables and loops have names of their own."""
        return self.labels.relabelled(renamed(block, self.names))

    def iteration(self, loop: n.For, index: n.Atom, values: tuple[n.Atom, ...]) -> n.Block:
        """One iteration of a loop as a block that yields what the iteration does."""
        given = {loop.index.name: index, **{a.var.name: v for a, v in zip(loop.args, values, strict=True)}}
        return substitute(self.block(loop.body), given)

    def iterations(self, loop: n.For) -> n.Block:
        """All iterations of a loop, one after the other, of which constants say how many there are.

        The block yields what the results of the loop are.
        """
        start, trips = loop.start, known_trips(loop)
        assert isinstance(start, n.Const) and trips is not None
        carried = tuple(a.init for a in loop.args)
        statements: list[n.Statement] = []
        for k in range(trips):
            iteration = self.iteration(loop, n.Const(int(start.value.real) + k, start.type), carried)
            statements += iteration.statements
            carried = iteration.yields
        return n.Block(tuple(statements), carried)

    def loop(self, loop: n.For, start: n.Atom, stop: n.Atom, inits: tuple[n.Atom, ...]) -> n.For:
        """A copy of a loop over other iterations; its results have new names, and it has a new label."""
        (copy,) = self.block(n.Block((replace(loop, start=start, stop=stop),))).statements
        assert isinstance(copy, n.For)
        args = tuple(replace(a, init=init) for a, init in zip(copy.args, inits, strict=True))
        return replace(copy, args=args)

    def let(self, value: n.Expression, type: Type, location: Location, name: str = "t") -> n.Let:
        """An assignment to a new variable."""
        return n.Let(self.names.fresh(name, type), value, location)


def with_first(loop: n.For, copies: Copies) -> tuple[n.Statement, ...]:
    """The same as a loop that cannot be left early: its first iteration stands before it, if it has one."""
    location = loop.location
    runs = copies.let(n.Compare("lt", loop.start, loop.stop), PYBOOL, location, "runs")
    inits = tuple(a.init for a in loop.args)
    first = copies.iteration(loop, loop.start, inits)
    second = copies.let(n.Binary("add", loop.start, n.Const(1, loop.start.type), False), loop.index.type, location, "t")
    args = tuple(replace(a, init=value) for a, value in zip(loop.args, first.yields, strict=True))
    results = tuple(copies.names.fresh(r.stem, r.type) for r in loop.results)
    rest = replace(loop, start=second.var, args=args, results=results)
    then = n.Block((*first.statements, second, rest), results)
    return (runs, n.If(runs.var, then, n.Block((), inits), loop.results, location))


def with_last(loop: n.For, copies: Copies, inner: n.For | None = None) -> tuple[n.Statement, ...]:
    """The same as a loop that cannot be left early: its last iteration stands after it, if it has one.

    Parameters
    ----------
    loop
        The loop.
    copies
        Makes the copy of the iteration.
    inner
        What runs the iterations before the last, where that is not the loop itself; with its arguments.
    """
    location = loop.location
    runs = copies.let(n.Compare("lt", loop.start, loop.stop), PYBOOL, location, "runs")
    last = copies.let(n.Binary("sub", loop.stop, n.Const(1, loop.stop.type), False), loop.index.type, location, "last")
    results = tuple(copies.names.fresh(r.stem, r.type) for r in loop.results)
    most = replace(inner or loop, stop=last.var, results=results)
    final = copies.iteration(loop, last.var, results)
    then = n.Block((last, most, *final.statements), final.yields)
    orelse = n.Block((), tuple(a.init for a in loop.args))
    return (runs, n.If(runs.var, then, orelse, loop.results, location))
