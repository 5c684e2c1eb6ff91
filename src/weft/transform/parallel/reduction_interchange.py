"""Accumulate: a sum of products kept in an array becomes one kept in a variable, with its loop innermost.

``for i: for k: for j: c[i, j] += a[i, k] * b[k, j]`` goes through memory for every product. In each of the six orders
of the loops, the products of one element follow one another in the order of `k`; with that loop inside they still do.

For three parallel loops directly inside one another and one `Update`, whose place moves along two of the loops and not
along the third. Nothing else may read the array, and what comes of it must be an `analysis.contraction`.

Where more stands beside the two inner loops (``for i: (for j: c[i, j] = 0), (for k: for j: c[i, j] += ...)``), the
outer loop is parted first: no iteration of a parallel loop sees another, so its parts may run one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weft.analysis.access.aliases import Aliases
from weft.analysis.access.tensor_contraction import contraction
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, is_repeatable
from weft.ir.types import PYBOOL
from weft.ir.visit import atoms_of, defined_by, walk
from weft.transform.peel import Copies
from weft.transform.support import for_each_body, with_loops


def reduction_interchange(program: n.Program) -> n.Program:
    """Keep sums of products in variables."""
    bodies = (program.body, *(f.body for f in program.functions))
    if not any(isinstance(s, n.Update) for body in bodies for s in walk(body)):
        return program
    copies = Copies(program)

    def changed(loop: n.For, aliases: Aliases) -> tuple[n.Statement, ...] | None:
        for before, nest, behind in _parted(loop):
            inside = _turned(nest, aliases, copies)
            if inside is not None:
                return (*_copy(before, copies), *inside, *_copy(behind, copies))
        return None

    return for_each_body(program, lambda body, ranges: with_loops(body, lambda loop: changed(loop, ranges.aliases)))


def _turned(loop: n.For, aliases: Aliases, copies: Copies) -> tuple[n.Statement, ...] | None:
    """A nest with the loop that adds up inside, if that is a contraction."""
    nest = _Nest.of(loop)
    if nest is None or not nest.suits(aliases):
        return None
    inside = nest.turned(copies)
    if contraction(inside, aliases) is None:
        return None
    runs = copies.let(n.Compare("lt", nest.fold.start, nest.fold.stop), PYBOOL, loop.location, "runs")
    return runs, n.If(runs.var, n.Block((inside,)), location=loop.location)


def _parted(loop: n.For) -> Iterator[tuple[n.For, n.For, n.For]]:
    """The ways to part a parallel loop around a loop in it: with what stands before, with that loop, with the rest."""
    if loop.mapping != "parallel" or loop.args or loop.exit is not None or block_may_raise(loop.body):
        return
    lets = tuple(s for s in loop.body.statements if isinstance(s, n.Let))
    others = [s for s in loop.body.statements if not isinstance(s, n.Let)]
    if len(others) > 1:
        crossing = any(defined_by(s) for s in others)  # a value that one part gives to another
        if crossing or not all(is_repeatable(let.value) for let in lets):
            return
    for k, inner in enumerate(others):
        if isinstance(inner, n.For):
            parts = (others[:k], [inner], others[k + 1 :])
            before, nest, behind = (replace(loop, body=n.Block((*lets, *part))) for part in parts)
            yield before, nest, behind


def _copy(loop: n.For, copies: Copies) -> tuple[n.Statement, ...]:
    """A loop under names of its own; nothing where only assignments stand in it."""
    if all(isinstance(s, n.Let) for s in loop.body.statements):
        return ()
    return copies.block(n.Block((loop,))).statements


@dataclass(frozen=True)
class _Nest:
    """Three loops with assignments between them, and an update.

    Attributes
    ----------
    fold
        The loop along which the place of the update does not move.
    others
        The two loops along which it does, in their order.
    lets
        All assignments, in order.
    update
        What the innermost loop ends in.
    """

    fold: n.For
    others: tuple[n.For, n.For]
    lets: tuple[n.Let, ...]
    update: n.Update

    @classmethod
    def of(cls, outer: n.For) -> _Nest | None:
        """The nest that begins with a loop, if it has this shape."""
        loops, lets = [outer], list[n.Let]()
        while True:
            *before, last = loops[-1].body.statements or (None,)
            lets += [s for s in before if isinstance(s, n.Let)]
            if not isinstance(last, n.For) or len(before) != sum(isinstance(s, n.Let) for s in before):
                break
            loops.append(last)
        if not isinstance(last, n.Update) or not all(isinstance(s, n.Let) for s in before) or len(loops) != 3:
            return None
        moving = [loop for loop in loops if loop.index in last.indices]
        fold = [loop for loop in loops if loop not in moving]
        return cls(fold[0], (moving[0], moving[1]), tuple(lets), last) if len(moving) == 2 else None

    def suits(self, aliases: Aliases) -> bool:
        """Whether each element has a pair of iterations of its own, and nothing else reads the array."""
        loads = [let.value for let in self.lets if isinstance(let.value, n.Load)]
        roots = aliases.roots(self.update.view)
        alone = all(roots.isdisjoint(aliases.roots(load.view)) for load in loads)
        fixed = not self._moves((self.update.view, *self.update.indices))
        parallel = all(loop.mapping == "parallel" and not loop.args for loop in (self.fold, *self.others))
        return alone and fixed and parallel and self.update.op == "add"

    def _moves(self, atoms: tuple[n.Atom, ...]) -> bool:
        """Whether something depends on the loop that goes inside."""
        moving = {self.fold.index}
        for let in self.lets:
            if any(atom in moving for atom in atoms_of(let.value)):
                moving.add(let.var)
        return any(atom in moving for atom in atoms)

    def turned(self, copies: Copies) -> n.For:
        """The two loops around the one that adds up."""
        outer, inner = self.others
        update, type = self.update, self.update.value.type
        before, carried, after, result = (copies.names.fresh(update.view.stem, type) for _ in range(4))
        load = n.Let(before, n.Load(update.view, update.indices, update.bounds), update.location)
        negative = next((let for let in self.lets if let.var == update.value and _is_negative(let.value)), None)
        value = n.Binary("add", carried, update.value, False)
        if negative is not None and isinstance(negative.value, n.Unary):
            value = n.Binary("sub", carried, negative.value.operand, False)
        added = n.Let(after, value, update.location)
        moving = [let for let in self.lets if self._moves((let.var,)) and let is not negative]
        fold = replace(
            self.fold,
            args=(n.LoopArg(carried, before, "add"),),
            results=(result,),
            body=n.Block((*moving, added), (after,)),
        )
        store = n.Store(update.view, update.indices, result, update.bounds, location=update.location)
        fixed = [let for let in self.lets if not self._moves((let.var,))]
        return replace(outer, body=n.Block((replace(inner, body=n.Block((*fixed, load, fold, store))),)))


def _is_negative(value: n.Expression) -> bool:
    return isinstance(value, n.Unary) and value.op == "neg"
