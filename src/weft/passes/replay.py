"""Replay: statements that find out, before a loop runs, whether two of its iterations touch one element.

Not a pass: what `weft.passes.checks` puts before a loop. The loop is repeated with nothing but what decides which
elements are touched; each is marked with its iteration in an array of marks. First all writes are marked, then reads
are compared with the marks, so that what is found is a race and no guess. Nothing that is repeated may raise: where the
loop would, the replay ends without an answer, and the loop runs as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from weft.analysis.access import Access, AccessTable
from weft.analysis.structure import Loop, Path, Region
from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.location import Location
from weft.ir.types import BOOL, INT64, PYBOOL, PYINT, UINT64, Scalar, Type, View
from weft.ir.visit import atoms_of, substitute
from weft.passes.peel import Copies

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
            self._keep(touch.access.region)
            for subscript in touch.subscripts:
                self._need(subscript.atom)
                self._need(subscript.length or subscript.atom)

    def _keep(self, region: Region) -> None:
        for inner in region.chain():
            if inner is self.loop.body or inner.path in self.kept:
                return
            self.kept.add(inner.path)
            owner = inner.owner
            if isinstance(owner, n.If):
                self._need(owner.condition)
            elif isinstance(owner, n.For) and owner.exit is None:
                self._need(owner.start)
                self._need(owner.stop)
            else:
                raise Unknown

    def _need(self, atom: n.Atom) -> None:
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
            self._keep(definition.region)
            self._need_expression(statement)
        elif isinstance(statement, n.If):
            self._need(statement.condition)
            for region in definition.region.inner[definition.position]:
                self._keep(region)
                self._need(region.block.yields[definition.place])
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
            self._need(atom)


@dataclass
class State:
    """What a replay knows so far: whether it goes on, the mark that was found, where, and by which access."""

    alive: n.Atom
    seen: n.Atom
    place: n.Atom
    number: n.Atom

    @classmethod
    def fresh(cls, copies: Copies) -> State:
        """Variables for a state."""
        names, fresh = ("alive", "seen", "place", "number"), copies.names.fresh
        return cls(*(fresh(name, PYBOOL if name == "alive" else PYINT) for name in names))

    def atoms(self) -> tuple[n.Atom, ...]:
        """The parts, in order."""
        return self.alive, self.seen, self.place, self.number


START = State(TRUE, n.Const(0), n.Const(0), n.Const(0))


@dataclass
class Marks:
    """The array of marks for one view, and the accesses that write it.

    The mark of access number `k` in an iteration is ``iteration * len(writers) + k + 1``, counted from the first
    iteration; 0 is no mark.
    """

    view: n.Var
    array: n.Var
    extents: tuple[n.Atom, ...]
    size: n.Atom
    writers: tuple[Touch, ...]

    def made(self, location: Location) -> n.Let:
        """The statement that makes the array."""
        return n.Let(self.array, n.Alloc((self.size,), INT64, n.Const(0, INT64)), location)


@dataclass
class Phase:
    """One run over a loop, which marks writes or looks for the marks at reads.

    `numbers` are the accesses to look at, with the numbers by which what is found names them.
    """

    slice: Slice
    marks: Marks
    numbers: dict[Touch, int]
    copies: Copies
    out: list[n.Statement] = field(default_factory=list)
    state: State = field(default_factory=lambda: START)
    renaming: dict[str, n.Atom] = field(default_factory=dict)

    def run(self, before: State, second: n.Atom) -> tuple[n.For, State, n.Var]:
        """The loop, what it finds, and the iteration in which it ended; it does nothing where `before` has ended."""
        node = self.slice.loop.node
        assert isinstance(node, n.For)
        if node.index.type != PYINT:
            raise Unknown
        self.location = node.location
        self.touches = {(t.access.region.path, t.access.site.position): t for t in self.numbers}
        stop = self._let(n.Select(before.alive, node.stop, node.start), node.index.type, "stop")
        opening, self.out = self.out, []
        index = self.copies.names.fresh(node.index.stem, node.index.type)
        self.renaming[node.index.name] = index
        self.state = inside = State.fresh(self.copies)
        latest = self.copies.names.fresh("latest", node.index.type)
        self.iteration = self._let(n.Binary("sub", index, node.start, False), PYINT, "iteration")
        self._statements(self.slice.loop.body)
        body = n.Block(tuple(self.out), (*self.state.atoms(), index))
        after, last = State.fresh(self.copies), self.copies.names.fresh("latest", node.index.type)
        self.out = opening
        variables = (*inside.atoms(), latest)
        args = tuple(
            n.LoopArg(var, init)
            for var, init in zip(variables, (*before.atoms(), second), strict=True)
            if isinstance(var, n.Var)
        )
        label = self.copies.labels.fresh(node.label)
        results = tuple(v for v in (*after.atoms(), last) if isinstance(v, n.Var))
        loop = n.For(label, index, node.start, stop, body, args, results, 0, location=node.location)
        return loop, after, last

    # ------------------------------------------------------------------------------------------ statements

    def _let(self, value: n.Expression, type: Type, name: str = "t") -> n.Var:
        let = self.copies.let(value, type, self.location, name)
        self.out.append(let)
        return let.var

    def _renamed(self, atom: n.Atom) -> n.Atom:
        return self.renaming.get(atom.name, atom) if isinstance(atom, n.Var) else atom

    def _statements(self, region: Region) -> None:
        for position, statement in enumerate(region.block.statements):
            inner = region.inner.get(position, ())
            if isinstance(statement, n.Let) and statement.var.name in self.slice.needed:
                self._repeat(statement)
            elif isinstance(statement, n.If) and self._is_kept(statement, inner):
                self._branch(statement, inner)
            elif isinstance(statement, n.For) and inner[0].path in self.slice.kept:
                self._loop(statement, inner[0])
            touch = self.touches.get((region.path, position))
            if touch is not None:
                self._touch(touch)

    def _is_kept(self, branch: n.If, inner: Sequence[Region]) -> bool:
        return any(region.path in self.slice.kept for region in inner)

    def _branch(self, branch: n.If, inner: Sequence[Region]) -> None:
        places = [k for k, result in enumerate(branch.results) if result.name in self.slice.needed]
        condition, state = self._renamed(branch.condition), self.state
        blocks = []
        for region in inner:
            outer, self.out, self.state = self.out, [], state
            self._statements(region)
            yields = (*self.state.atoms(), *(self._renamed(region.block.yields[k]) for k in places))
            blocks.append(n.Block(tuple(self.out), yields))
            self.out = outer
        results = []
        for place in places:
            old = branch.results[place]
            results.append(self.copies.names.fresh(old.stem, old.type))
            self.renaming[old.name] = results[-1]
        self._append_if(condition, blocks[0], blocks[1], results)

    def _append_if(self, condition: n.Atom, then: n.Block, orelse: n.Block, results: Sequence[n.Var] = ()) -> None:
        """A branch whose blocks yield states, then values."""
        self.state = State.fresh(self.copies)
        states = tuple(v for v in self.state.atoms() if isinstance(v, n.Var))
        self.out.append(n.If(condition, then, orelse, (*states, *results), self.location))

    def _loop(self, loop: n.For, region: Region) -> None:
        outer, before = self.out, self.state
        index = self.copies.names.fresh(loop.index.stem, loop.index.type)
        self.renaming[loop.index.name] = index
        start, stop = self._renamed(loop.start), self._renamed(loop.stop)
        inside = self.state = State.fresh(self.copies)
        self.out = []
        self._statements(region)
        body = n.Block(tuple(self.out), self.state.atoms())
        self.out, self.state = outer, State.fresh(self.copies)
        pairs = zip(inside.atoms(), before.atoms(), strict=True)
        args = tuple(n.LoopArg(var, init) for var, init in pairs if isinstance(var, n.Var))
        results = tuple(v for v in self.state.atoms() if isinstance(v, n.Var))
        label = self.copies.labels.fresh(loop.label)
        self.out.append(n.For(label, index, start, stop, body, args, results, 0, location=self.location))

    # ------------------------------------------------------------------------------------ what may not raise

    def _repeat(self, let: n.Let) -> None:
        """A statement of the loop; where it would raise, the replay ends and the value is 0."""
        value = substitute(let.value, self.renaming)
        if not may_raise(value, let.var.type):
            self.renaming[let.var.name] = self._let(value, let.var.type, let.var.stem)
            return
        outer = self.out
        test, safe = self._safe(value)
        self.out = []
        var = self._let(safe, let.var.type, let.var.stem)
        then = n.Block(tuple(self.out), (var,))
        self.out = outer
        if not isinstance(let.var.type, Scalar):
            raise Unknown
        zero = n.Const(let.var.type.dtype.type(0).item(), let.var.type)
        result = self.copies.names.fresh(let.var.stem, let.var.type)
        self.out.append(n.If(test, then, n.Block((), (zero,)), (result,), self.location))
        self.renaming[let.var.name] = result
        self.state = replace(self.state, alive=self._both(self.state.alive, test))

    def _safe(self, value: n.Expression) -> tuple[n.Atom, n.Expression]:
        """Whether an expression does not raise, and the expression where that is so."""
        if isinstance(value, n.Load):
            extents = [self._let(n.Dim(value.view, axis), PYINT) for axis in range(len(value.indices))]
            subscripts = [Subscript(atom, value.bounds) for atom in value.indices]
            inside, indices = self._inside(subscripts, extents)
            return inside, replace(value, indices=indices, bounds="safe")
        if isinstance(value, n.Binary) and value.left.type == PYINT:
            return self._fits(value), replace(value, checked=False)
        if isinstance(value, n.Cast) and value.operand.type == UINT64:
            limit = n.Const(2**63 - 1, UINT64)
            small = self._let(n.Compare("le", value.operand, limit), BOOL)
            return self._let(n.Cast(small, False), PYBOOL), replace(value, checked=False)
        raise Unknown

    def _fits(self, value: n.Binary) -> n.Atom:
        if value.op in ("floordiv", "mod"):
            return self._let(n.Compare("gt", value.right, n.Const(0)), PYBOOL)
        if value.op not in ("add", "sub", "mul"):
            raise Unknown
        limit = LARGEST_FACTOR if value.op == "mul" else LARGEST_TERM
        test: n.Atom = TRUE
        for side in (value.left, value.right):
            if isinstance(side, n.Const) and abs(int(side.value.real)) <= limit:
                continue
            test = self._both(test, self._let(n.Compare("le", side, n.Const(limit)), PYBOOL))
            test = self._both(test, self._let(n.Compare("ge", side, n.Const(-limit)), PYBOOL))
        return test

    def _both(self, left: n.Atom, right: n.Atom) -> n.Atom:
        if left == TRUE:
            return right
        return left if right == TRUE else self._let(n.Binary("and", left, right, False), PYBOOL)

    def _inside(self, subscripts: Sequence[Subscript], extents: Sequence[n.Atom]) -> tuple[n.Atom, tuple[n.Atom, ...]]:
        """Whether subscripts are inside, and the indices that they mean."""
        inside: n.Atom = TRUE
        indices = []
        for subscript, extent in zip(subscripts, extents, strict=True):
            index = self._integer(self._renamed(subscript.atom))
            length = extent
            if subscript.length is not None:
                length = self._let(n.Binary("min", extent, self._renamed(subscript.length), False), PYINT)
            if subscript.bounds == "python":
                negative = self._let(n.Compare("lt", index, n.Const(0)), PYBOOL)
                wrapped = self._let(n.Binary("add", index, length, False), PYINT)
                index = self._let(n.Select(negative, wrapped, index), PYINT)
            inside = self._both(inside, self._let(n.Compare("ge", index, n.Const(0)), PYBOOL))
            for limit in dict.fromkeys((extent, length)):
                inside = self._both(inside, self._let(n.Compare("lt", index, limit), PYBOOL))
            indices.append(index)
        return inside, tuple(indices)

    def _integer(self, atom: n.Atom) -> n.Atom:
        if atom.type == PYINT:
            return atom
        if not isinstance(atom.type, Scalar) or atom.type.kind not in "iu" or atom.type == UINT64:
            raise Unknown
        return self._let(n.Cast(atom, False), PYINT)

    # ------------------------------------------------------------------------------------------------ marks

    def _touch(self, touch: Touch) -> None:
        """Mark an element, or look for a mark: if the replay still goes on, and the access is inside."""
        before, outer = self.state, self.out
        self.out = []
        inside, indices = self._inside(touch.subscripts, self.marks.extents)
        test, self.out = self.out, []
        self._compare(touch, indices, before)
        met, self.out = n.Block(tuple(self.out), self.state.atoms()), test
        ended = n.Block((), replace(before, alive=FALSE).atoms())
        self._append_if(inside, met, ended)
        found, self.out = n.Block(tuple(self.out), self.state.atoms()), outer
        self._append_if(before.alive, found, n.Block((), before.atoms()))

    def _compare(self, touch: Touch, indices: Sequence[n.Atom], before: State) -> None:
        marks, writers = self.marks, len(self.marks.writers)
        place: n.Atom = n.Const(0)
        for index, extent in zip(indices, marks.extents, strict=True):
            row = place if place == n.Const(0) else self._let(n.Binary("mul", place, extent, False), PYINT)
            place = index if row == n.Const(0) else self._let(n.Binary("add", row, index, False), PYINT)
        seen = self._let(n.Cast(self._let(n.Load(marks.array, (place,), "safe"), INT64), False), PYINT, "seen")
        marked = self._let(n.Compare("ne", seen, n.Const(0)), PYBOOL)
        earlier: n.Atom = self._let(n.Binary("sub", seen, n.Const(1), False), PYINT)
        if writers > 1:
            earlier = self._let(n.Binary("floordiv", earlier, n.Const(writers), False), PYINT)
        other = self._let(n.Compare("ne", earlier, self.iteration), PYBOOL)
        race = self._both(marked, other)
        raced = State(FALSE, seen, place, n.Const(self.numbers[touch]))
        outer, self.out = self.out, []
        if touch in marks.writers:
            self._mark(touch, place, writers)
        passed, self.out = n.Block(tuple(self.out), before.atoms()), outer
        self._append_if(race, n.Block((), raced.atoms()), passed)

    def _mark(self, touch: Touch, place: n.Atom, writers: int) -> None:
        own: n.Atom = self.iteration
        if writers > 1:
            own = self._let(n.Binary("mul", own, n.Const(writers), False), PYINT)
        own = self._let(n.Binary("add", own, n.Const(self.marks.writers.index(touch) + 1), False), PYINT)
        mark = self._let(n.Cast(own, False), INT64)
        self.out.append(n.Store(self.marks.array, (place,), mark, "safe", location=self.location))


def marks_for(view: n.Var, writers: tuple[Touch, ...], copies: Copies, loop: n.For) -> tuple[list[n.Let], Marks]:
    """Statements that measure a view, and the marks of its elements."""
    type = view.type
    assert isinstance(type, View)
    lets = [copies.let(n.Dim(view, axis), PYINT, loop.location, "extent") for axis in range(type.ndim)]
    extents = tuple(let.var for let in lets)
    size: n.Atom = extents[0] if extents else n.Const(1)
    for extent in extents[1:]:
        lets.append(copies.let(n.Binary("mul", size, extent, False), PYINT, loop.location, "size"))
        size = lets[-1].var
    array = copies.names.fresh("marks", View(INT64, 1, contiguous=True))
    return lets, Marks(view, array, extents, size, writers)
