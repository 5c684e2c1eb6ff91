"""Nests as their kernels run them, where something inside may raise.

A kernel that reports a fault leaves nothing behind: the host runs the nest again from where it began. So elements may
be in variables while a loop in a kernel runs, although one of its iterations may raise, and the loop is a fold that
threads share: ``for k in ...: y[i] += values[k] * x[columns[k]]``. Nor does a kernel say in which iteration it raised:
a loop over ``end - first`` entries, of which ``first + k`` is the place, may count places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from weft.analysis.values.inside import Inside
from weft.analysis.values.ranges import Ranges
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import PYINT, UINT64, Scalar, Type, limits
from weft.ir.values import MAX_INT
from weft.ir.visit import Names, atoms_of, renamed, rewrite, substitute, walk
from weft.schedule.writing import Writing
from weft.transform.parallel.parallelise import parallelise
from weft.transform.parallel.scalar_promotion import without_exceptions
from weft.transform.peel import Copies
from weft.transform.simplify.dce import dce
from weft.transform.simplify.fold import fold
from weft.transform.support import for_each_body, with_loops

ONCE = "once"


def in_kernel(program: n.Program, nest: n.For, names: Names) -> n.For:
    """The nest as a kernel may run it.

    Parameters
    ----------
    program
        In which the nest stands.
    nest
        A parallel nest that can be a kernel.
    names
        For new variables.
    """
    if not any(isinstance(s, n.For) for s in walk(nest.body)):
        return nest
    copies = Copies(replace(program, body=n.Block((*program.body.statements, nest))), names)
    nest = _counting_places(nest, copies)
    inside = [s for s in walk(nest.body) if isinstance(s, n.For)]
    may_fold = (s for s in inside if any(isinstance(t, (n.Store, n.Update)) for t in walk(s.body)))
    if not block_may_raise(nest.body) or not any(block_may_raise(s.body) for s in may_fold):
        return nest

    wrapped = _in_one_trip(nest, copies)
    made = _with(program, nest.label, lambda loop: (wrapped,))

    def change(body: n.Block, ranges: Ranges) -> n.Block:
        def carried(loop: n.For) -> tuple[n.Statement, ...] | None:
            return (without_exceptions(loop, Inside.of(made, body, ranges), names),) if loop is wrapped else None

        return with_loops(body, carried)

    made = for_each_body(made, change)
    made = _with(fold(made), nest.label, lambda loop: (_unwrapped(loop, copies),))
    made = parallelise(dce(fold(made)))
    found = (s for s in walk(made.body) if isinstance(s, n.For) and s.label == nest.label)
    return next(found, nest)  # what never runs is gone


def _with(program: n.Program, label: str, change: Callable[[n.For], tuple[n.Statement, ...]]) -> n.Program:
    body = with_loops(program.body, lambda loop: change(loop) if loop.label == label else None)
    return replace(program, body=body)


def _in_one_trip(nest: n.For, copies: Copies) -> n.For:
    """A nest in which a loop of one iteration is around what each innermost parallel iteration does: what it stores
    first and then changes is carried like what the loops inside change."""
    *lets, last = nest.body.statements
    plain = isinstance(last, n.For) and last.mapping == "parallel" and not last.args and last.exit is None
    if isinstance(last, n.For) and plain and all(isinstance(s, n.Let) for s in lets):
        return replace(nest, body=replace(nest.body, statements=(*lets, _in_one_trip(last, copies))))
    counter = copies.names.fresh("once", PYINT)
    inside, label = n.Block(nest.body.statements), copies.labels.fresh(ONCE)
    once = n.For(label, counter, n.Const(0), n.Const(1), inside, location=nest.location)
    return replace(nest, body=replace(nest.body, statements=(once,)))


def _unwrapped(nest: n.For, copies: Copies) -> n.For:
    """The nest without loops of one iteration that `_in_one_trip` made."""

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if not isinstance(statement, n.For) or statement.label.partition("@")[0] != ONCE:
            return statement
        block = copies.iterations(statement)
        values.update({r.name: y for r, y in zip(statement.results, block.yields, strict=True)})
        return block.statements

    values: dict[str, n.Atom] = {}
    return substitute(replace(nest, body=rewrite(nest.body, change)), values)


def _counting_places(nest: n.For, copies: Copies) -> n.For:
    """The nest with loops that count places where they counted how far these are from the first one; as they were
    where a place or a distance does not fit into its type."""
    names, lets = copies.names, {s.var.name: s.value for s in walk(nest.body) if isinstance(s, n.Let)}

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        found = _Places.of(statement, lets) if isinstance(statement, n.For) else None
        if found is None:
            return statement
        write = Writing(names, found.loop.location)
        fits = found.fits(write)
        there = renamed(found.moved(names), names)
        here = copies.block(n.Block((found.loop,), found.loop.results))
        return (*write.statements, n.If(fits, there, here, found.loop.results, found.loop.location))

    body = rewrite(nest.body, change)
    return nest if body is nest.body else replace(nest, body=body)


@dataclass(frozen=True)
class _Places:
    """A loop over how far places are from the first one.

    Attributes
    ----------
    loop
        From 0 to a distance.
    first, end
        The first place, and the one behind the last.
    sums
        What computes the places, by name.
    counts, places
        Names of the conversions of the counter, and of Python's integers that are places.
    most_count, most_place
        The largest number that the types of these conversions and of the sums hold: NumPy's wrap around above, and
        Python's raise.
    """

    loop: n.For
    first: n.Atom
    end: n.Atom
    sums: Mapping[str, n.Let]
    counts: frozenset[str]
    places: frozenset[str]
    most_count: int
    most_place: int

    @classmethod
    def of(cls, loop: n.For, lets: Mapping[str, n.Expression]) -> _Places | None:
        if loop.start != n.Const(0):
            return None

        def source(atom: n.Atom) -> n.Atom:
            value = lets.get(atom.name) if isinstance(atom, n.Var) else None
            return (
                source(value.operand) if isinstance(value, n.Cast) and _keeps(value.operand.type, atom.type) else atom
            )

        def counted(atom: n.Atom) -> n.Atom:
            value = lets.get(atom.name) if isinstance(atom, n.Var) else None
            fits = isinstance(value, n.Cast) and _fits(value.operand.type) and _fits(atom.type)
            return counted(value.operand) if isinstance(value, n.Cast) and fits else atom

        trips = source(loop.stop)
        distance = lets.get(trips.name) if isinstance(trips, n.Var) else None
        if not isinstance(distance, n.Binary) or distance.op != "sub" or not _fits(distance.left.type):
            return None
        first, end = source(distance.right), source(distance.left)
        inside = [s for s in walk(loop.body) if isinstance(s, n.Let)]
        counts = {s.var.name: s for s in inside if counted(s.var) == loop.index}
        sums = {
            s.var.name: s
            for s in inside
            if _is_sum(s.value, lambda a: source(a) == first, lambda a: counted(a) == loop.index)
        }
        known = {*sums, *counts}
        others = [s for s in walk(loop.body) if not isinstance(s, n.Let) or s.var.name not in known]
        if not sums or any(getattr(a, "name", "") in {loop.index.name, *counts} for s in others for a in atoms_of(s)):
            return None
        places = {s.var.name: s for s in inside if s.var.type == PYINT and getattr(source(s.var), "name", "") in sums}
        most_count, most_place = (
            min((limits(s.var.type)[1] for s in some.values()), default=MAX_INT) for some in (counts, sums)
        )
        return cls(loop, first, end, sums, frozenset(counts), frozenset(places), most_count, most_place)

    def fits(self, write: Writing) -> n.Atom:
        """Whether the end is not before the first place, the loop has as many iterations as there are places, and all
        numbers of both fit into their types."""
        first, end = (_as_index(write, atom) for atom in (self.first, self.end))
        exact = write.compare("eq", write.op("sub", end, first), self.loop.stop)
        tests = [write.compare("le", first, end), write.compare("ge", self.loop.stop, n.Const(0)), exact]
        if self.most_count < MAX_INT:
            tests.append(write.compare("le", self.loop.stop, n.Const(self.most_count + 1)))
        if self.most_place < limits(self.end.type)[1]:
            tests.append(write.compare("le", end, n.Const(self.most_place + 1)))
        return write.both(tests)

    def moved(self, names: Names) -> n.Block:
        """The loop over the places."""
        write = Writing(names, self.loop.location)
        first, end = (_as_index(write, atom) for atom in (self.first, self.end))
        place = names.fresh("place", PYINT)

        def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
            name = statement.var.name if isinstance(statement, n.Let) else ""
            if name in self.counts or name in self.places:
                return ()
            if name in self.sums:
                return replace(self.sums[name], value=n.Cast(place, False))
            return statement

        loop = replace(self.loop, index=place, start=first, stop=end, body=rewrite(self.loop.body, change))
        loop = substitute(loop, dict.fromkeys(self.places, place))
        return n.Block((*write.statements, loop), loop.results)


def _is_sum(value: n.Expression, is_first: Callable[[n.Atom], bool], is_count: Callable[[n.Atom], bool]) -> bool:
    if not isinstance(value, n.Binary) or value.op != "add":
        return False
    sides = ((value.left, value.right), (value.right, value.left))
    return any(is_first(one) and is_count(other) for one, other in sides)


def _as_index(write: Writing, value: n.Atom) -> n.Atom:
    return value if value.type == PYINT else write.let(n.Cast(value, False), PYINT)


def _keeps(source: Type, target: Type) -> bool:
    """Whether a type holds all numbers of another one, and all of both fit into signed integers of 64 bits."""
    if not _fits(source) or not _fits(target):
        return False
    (low, high), (least, most) = limits(source), limits(target)
    return least <= low and high <= most


def _fits(type_: Type) -> bool:
    """Whether all numbers of a type are Python integers of 64 bits."""
    return type_ == PYINT or (isinstance(type_, Scalar) and type_.kind in "iu" and type_ != UINT64)
