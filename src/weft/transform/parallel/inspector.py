"""Replay: statements that find out, before a loop runs, which elements it touches.

Not a pass: what `weft.transform.parallel.runtime_dependence` puts before a loop. The loop is repeated with nothing but
what decides which elements are touched (`Slice`, `Walk`); `weft.transform.parallel.conflict_marks` says what is done at
each of them. Nothing that is repeated may raise: where the loop would, the replay ends without an answer, and the loop
runs as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop, Path, Region
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import BOOL, FLOAT64, PYBOOL, PYINT, UINT64, Scalar, Type
from weft.ir.visit import atoms_of, substitute
from weft.transform.peel import Copies

TRUE, FALSE = n.Const(True, PYBOOL), n.Const(False, PYBOOL)
LARGEST_TERM, LARGEST_FACTOR = 2**62, 2**31
"""Operands up to these are added and multiplied without overflow."""


class Unknown(Exception):
    """Which elements a loop touches cannot be found out before it runs."""


@dataclass(frozen=True)
class Subscript:
    """An index on one axis of the array that is marked; `length` is the extent of the slice that it counts in."""

    atom: n.Atom
    bounds: n.Bounds
    length: n.Atom | None = None


@dataclass(frozen=True, eq=False)
class Touch:
    """An access that is replayed: to an element of `view`, which is known before the loop."""

    access: Access
    view: n.Var
    subscripts: tuple[Subscript, ...]


def touch_of(access: Access, table: AccessTable, loop: Loop) -> Touch:
    """An access in terms of a view that is known before a loop."""
    statement = access.site.statement
    node = statement.value if isinstance(statement, n.Let) else statement
    if not isinstance(node, (n.Load, n.Store, n.Update)) or getattr(node, "mask", None) is not None:
        raise Unknown
    view, subscripts = node.view, tuple(Subscript(atom, node.bounds) for atom in node.indices)
    while table.structure.is_inside(view.name, loop):
        value = table.structure.definition(view).value
        if isinstance(value, n.Transpose):
            places = {axis: k for k, axis in enumerate(value.permutation)}
            subscripts = tuple(subscripts[places[axis]] for axis in range(len(subscripts)))
        elif isinstance(value, n.Subview):
            subscripts = tuple(_through(value, subscripts))
        else:
            raise Unknown
        view = value.view
    return Touch(access, view, subscripts)


def _through(value: n.Subview, subscripts: Sequence[Subscript]) -> Iterator[Subscript]:
    """Subscripts of a view as those of the view that it is a part of."""
    inner = iter(subscripts)
    for axis in value.axes:
        if axis is None:
            next(inner)
        elif not isinstance(axis, n.Slice):
            yield Subscript(axis, value.bounds)
        elif (axis.start, axis.step) == (n.Const(0), n.Const(1)):
            subscript = next(inner)
            yield subscript if subscript.length is not None else replace(subscript, length=axis.length)
        else:
            raise Unknown


class Slice:
    """What of a loop's body decides which elements some accesses touch.

    `needed` are the variables that are computed inside of the loop, `kept` the paths of the regions to run.
    """

    def __init__(self, table: AccessTable, loop: Loop, touches: Sequence[Touch]) -> None:
        self.table = table
        self.loop = loop
        self.needed: set[str] = set()
        self.kept: set[Path] = set()
        self._written = table.aliases.written(loop.body)
        for touch in touches:
            self.keep(touch.access.region)
            for subscript in touch.subscripts:
                self.need(subscript.atom)
                self.need(subscript.length or subscript.atom)

    def varies_in(self, loop: Loop, but: Loop) -> bool:
        """Whether what is needed may differ between iterations of an inner loop, whatever another in it computes."""
        found = (self.table.structure.definition(name) for name in self.needed)
        return any(loop in d.loops and but not in d.loops for d in found)

    def keep(self, region: Region) -> None:
        """Run a region, and what decides whether it runs."""
        for inner in region.chain():
            if inner is self.loop.body or inner.path in self.kept:
                return
            self.kept.add(inner.path)
            owner = inner.owner
            if isinstance(owner, n.If):
                self.need(owner.condition)
            elif isinstance(owner, n.For) and owner.exit is None:
                self.need(owner.start)
                self.need(owner.stop)
            else:
                raise Unknown

    def need(self, atom: n.Atom) -> None:
        """Compute a value, where it is computed inside of the loop."""
        if not isinstance(atom, n.Var) or atom.name in self.needed:
            return
        if not self.table.structure.is_inside(atom.name, self.loop):
            return
        self.needed.add(atom.name)
        definition = self.table.structure.definition(atom)
        if definition.kind == "index":
            return
        statement = definition.statement
        if isinstance(statement, n.Let):
            self.keep(definition.region)
            self._need_expression(statement)
        elif isinstance(statement, n.If):
            self.need(statement.condition)
            for region in definition.region.inner[definition.position]:
                self.keep(region)
                self.need(region.block.yields[definition.place])
        else:
            raise Unknown

    def _need_expression(self, let: n.Let) -> None:
        value = let.value
        if isinstance(value, n.Load):
            if value.mask is not None or not self.table.aliases.roots(value.view).isdisjoint(self._written):
                raise Unknown
        elif isinstance(value, (n.Alloc, n.Undefined)):
            raise Unknown
        for atom in atoms_of(value):
            self.need(atom)


@dataclass
class State:
    """What a replay knows so far.

    Attributes
    ----------
    alive
        Whether the replay goes on: no race was found, and nothing that would raise.
    code
        The number of the pair of accesses that meet, from 1; 0 while none do.
    first, second
        The iterations in which they do.
    place
        Where they do, as a number of the element.
    base
        How many iterations of the loop were replayed in earlier runs of it.
    """

    alive: n.Atom
    code: n.Atom
    first: n.Atom
    second: n.Atom
    place: n.Atom
    base: n.Atom

    @classmethod
    def fresh(cls, copies: Copies) -> State:
        """Variables for a state."""
        names, fresh = ("code", "first", "second", "place", "base"), copies.names.fresh
        return cls(fresh("alive", PYBOOL), *(fresh(name, PYINT) for name in names))

    def atoms(self) -> tuple[n.Atom, ...]:
        """The parts, in order."""
        return self.alive, self.code, self.first, self.second, self.place, self.base

    def variables(self) -> tuple[n.Var, ...]:
        """The parts of a fresh state."""
        return tuple(v for v in self.atoms() if isinstance(v, n.Var))


START = State(TRUE, *(n.Const(0),) * 5)


class Walk:
    """Repeats what a slice needs of a loop, under other names; `out` collects the statements, `state` what is known."""

    def __init__(self, slice: Slice, copies: Copies, state: State = START) -> None:
        node = slice.loop.node
        if not isinstance(node, n.For) or node.index.type != PYINT:
            raise Unknown
        self.slice = slice
        self.copies = copies
        self.location = node.location
        self.state = state
        self.out: list[n.Statement] = []
        self.renaming: dict[str, n.Atom] = {}

    def let(self, value: n.Expression, type: Type, name: str = "t") -> n.Var:
        """A new variable."""
        let = self.copies.let(value, type, self.location, name)
        self.out.append(let)
        return let.var

    def renamed(self, atom: n.Atom) -> n.Atom:
        """What a value of the loop is called here."""
        return self.renaming.get(atom.name, atom) if isinstance(atom, n.Var) else atom

    def run(self) -> None:
        """Repeat the loop, where the state is still alive."""
        node = self.slice.loop.node
        assert isinstance(node, n.For)
        start, stop = self.renamed(node.start), self.renamed(node.stop)
        if self.state.alive != TRUE:
            stop = self.let(n.Select(self.state.alive, stop, start), PYINT, "stop")
        self.loop(self.slice.loop, start, stop)

    def loop(self, loop: Loop, start: n.Atom, stop: n.Atom) -> None:
        """Repeat a loop between other bounds."""
        node = loop.node
        assert isinstance(node, n.For)
        outer, before = self.out, self.state
        index = self.copies.names.fresh(node.index.stem, node.index.type)
        self.renaming[node.index.name] = index
        inside = self.state = State.fresh(self.copies)
        self.out = []
        self.entered(loop, start, index)
        self._statements(loop.body)
        body = n.Block(tuple(self.out), self.state.atoms())
        self.out, self.state = outer, State.fresh(self.copies)
        args = tuple(n.LoopArg(var, init) for var, init in zip(inside.variables(), before.atoms(), strict=True))
        label = self.copies.labels.fresh(node.label)
        results = self.state.variables()
        self.out.append(n.For(label, index, start, stop, body, args, results, 0, location=self.location))

    def entered(self, loop: Loop, start: n.Atom, index: n.Var) -> None:
        """Called at the beginning of an iteration of a loop."""

    def passed(self, region: Region, position: int) -> None:
        """Called after each statement."""

    def inner_loop(self, loop: Loop) -> None:
        """Called for a loop inside of the loop; repeats it."""
        node = loop.node
        assert isinstance(node, n.For)
        self.loop(loop, self.renamed(node.start), self.renamed(node.stop))

    def append_if(self, condition: n.Atom, then: n.Block, orelse: n.Block, results: Sequence[n.Var] = ()) -> None:
        """A branch whose blocks yield states, then values."""
        self.state = State.fresh(self.copies)
        self.out.append(n.If(condition, then, orelse, (*self.state.variables(), *results), self.location))

    def _statements(self, region: Region) -> None:
        for position, statement in enumerate(region.block.statements):
            inner = region.inner.get(position, ())
            if isinstance(statement, n.Let) and statement.var.name in self.slice.needed:
                self._repeat(statement)
            elif isinstance(statement, n.If) and any(region.path in self.slice.kept for region in inner):
                self._branch(statement, inner)
            elif isinstance(statement, n.For) and inner[0].path in self.slice.kept:
                self.inner_loop(self.slice.table.structure.loops[statement.label])
            self.passed(region, position)

    def _branch(self, branch: n.If, inner: Sequence[Region]) -> None:
        places = [k for k, result in enumerate(branch.results) if result.name in self.slice.needed]
        condition, state = self.renamed(branch.condition), self.state
        blocks = []
        for region in inner:
            outer, self.out, self.state = self.out, [], state
            self._statements(region)
            yields = (*self.state.atoms(), *(self.renamed(region.block.yields[k]) for k in places))
            blocks.append(n.Block(tuple(self.out), yields))
            self.out = outer
        results = []
        for place in places:
            old = branch.results[place]
            results.append(self.copies.names.fresh(old.stem, old.type))
            self.renaming[old.name] = results[-1]
        self.append_if(condition, blocks[0], blocks[1], results)

    # ------------------------------------------------------------------------------------ what may not raise

    def _repeat(self, let: n.Let) -> None:
        """A statement of the loop; where it would raise, the replay ends and the value is 0."""
        value = substitute(let.value, self.renaming)
        if not may_raise(value, let.var.type):
            self.renaming[let.var.name] = self.let(value, let.var.type, let.var.stem)
            return
        outer = self.out
        test, safe = self._safe(value)
        self.out = []
        var = self.let(safe, let.var.type, let.var.stem)
        then = n.Block(tuple(self.out), (var,))
        self.out = outer
        if not isinstance(let.var.type, Scalar):
            raise Unknown
        zero = n.Const(let.var.type.dtype.type(0).item(), let.var.type)
        result = self.copies.names.fresh(let.var.stem, let.var.type)
        self.out.append(n.If(test, then, n.Block((), (zero,)), (result,), self.location))
        self.renaming[let.var.name] = result
        self.state = replace(self.state, alive=self.both(self.state.alive, test))

    def _safe(self, value: n.Expression) -> tuple[n.Atom, n.Expression]:
        """Whether an expression does not raise, and the expression where that is so."""
        if isinstance(value, n.Load):
            extents = [self.let(n.Dim(value.view, axis), PYINT) for axis in range(len(value.indices))]
            subscripts = [Subscript(atom, value.bounds) for atom in value.indices]
            inside, indices = self.inside(subscripts, extents)
            return inside, replace(value, indices=indices, bounds="safe")
        if isinstance(value, n.Binary) and value.left.type == PYINT:
            return self._fits(value), replace(value, checked=False)
        if isinstance(value, n.Cast) and value.operand.type == UINT64:
            limit = n.Const(2**63 - 1, UINT64)
            small = self.let(n.Compare("le", value.operand, limit), BOOL)
            return self.let(n.Cast(small, False), PYBOOL), replace(value, checked=False)
        if isinstance(value, n.Cast) and isinstance(value.operand.type, Scalar) and value.operand.type.kind == "f":
            return self._is_small(value.operand), replace(value, checked=False)
        raise Unknown

    def _is_small(self, number: n.Atom) -> n.Atom:
        """Whether a float is an integer that fits, once truncated: not nan, and of a size that all types have."""
        wide = self.let(n.Cast(number, False), FLOAT64)
        test: n.Atom = TRUE
        for op, limit in (("le", LARGEST_TERM), ("ge", -LARGEST_TERM)):
            side = self.let(n.Compare(cast(n.CompareOp, op), wide, n.Const(float(limit), FLOAT64)), BOOL)
            test = self.both(test, self.let(n.Cast(side, False), PYBOOL))
        return test

    def _fits(self, value: n.Binary) -> n.Atom:
        if value.op in ("floordiv", "mod"):
            return self.let(n.Compare("gt", value.right, n.Const(0)), PYBOOL)
        if value.op not in ("add", "sub", "mul"):
            raise Unknown
        limit = LARGEST_FACTOR if value.op == "mul" else LARGEST_TERM
        test: n.Atom = TRUE
        for side in (value.left, value.right):
            if isinstance(side, n.Const) and abs(int(side.value.real)) <= limit:
                continue
            test = self.both(test, self.let(n.Compare("le", side, n.Const(limit)), PYBOOL))
            test = self.both(test, self.let(n.Compare("ge", side, n.Const(-limit)), PYBOOL))
        return test

    def both(self, left: n.Atom, right: n.Atom) -> n.Atom:
        """Whether two Booleans are both True."""
        if left == TRUE:
            return right
        return left if right == TRUE else self.let(n.Binary("and", left, right, False), PYBOOL)

    def inside(self, subscripts: Sequence[Subscript], extents: Sequence[n.Atom]) -> tuple[n.Atom, tuple[n.Atom, ...]]:
        """Whether subscripts are inside, and the indices that they mean."""
        inside: n.Atom = TRUE
        indices = []
        for subscript, extent in zip(subscripts, extents, strict=True):
            index = self._integer(self.renamed(subscript.atom))
            length = extent
            if subscript.length is not None:
                length = self.let(n.Binary("min", extent, self.renamed(subscript.length), False), PYINT)
            if subscript.bounds == "python":
                negative = self.let(n.Compare("lt", index, n.Const(0)), PYBOOL)
                wrapped = self.let(n.Binary("add", index, length, False), PYINT)
                index = self.let(n.Select(negative, wrapped, index), PYINT)
            inside = self.both(inside, self.let(n.Compare("ge", index, n.Const(0)), PYBOOL))
            for limit in dict.fromkeys((extent, length)):
                inside = self.both(inside, self.let(n.Compare("lt", index, limit), PYBOOL))
            indices.append(index)
        return inside, tuple(indices)

    def _integer(self, atom: n.Atom) -> n.Atom:
        if atom.type == PYINT:
            return atom
        if not isinstance(atom.type, Scalar) or atom.type.kind not in "iu" or atom.type == UINT64:
            raise Unknown
        return self.let(n.Cast(atom, False), PYINT)
