"""Arrays that take turns in a loop inside of a parallel nest become parts of one buffer.

``u, v = v, u`` after each step, or ``x = f(x)``, binds names to other arrays in each iteration, and a kernel has no
variables for arrays that change. So the arrays become the parts ``buffer[0]``, ``buffer[1]``, ... of one buffer. The
loop's counter says which of them comes first; if the loop may end early, a carried number does. Before the loop, the
contents of the arrays are copied to their parts.

This is done if all arrays have the same extents, and if the program cannot see that a part is a copy
(`copies_of_arrays`): after the loop, what was written to a part is copied back if the array can still be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from weft.analysis.access.access import AccessTable
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYINT, Element, Scalar, View
from weft.ir.visit import Names, blocks_of, bound_in, walk
from weft.plan.prepare.copies_of_arrays import replaced
from weft.plan.scratch import Why
from weft.schedule.writing import Writing
from weft.transform.peel import Labels
from weft.transform.simplify.algebra import Definitions
from weft.transform.simplify.carried_extents import carried_extents, extent_of, resolved
from weft.transform.simplify.cse import cse
from weft.transform.simplify.dce import dce
from weft.transform.simplify.direct import direct_to
from weft.transform.simplify.fold import fold
from weft.transform.simplify.licm import licm
from weft.transform.support import table_of, with_loops


def with_turns(program: n.Program, why_host: Why) -> n.Program:
    """Make arrays that loops inside of parallel nests carry parts of buffers.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host
        Gives the reason why a nest cannot be a kernel; None if it can.
    """
    nests = [s for s in nests_of(program.body) if why_host(s) is not None and any(map(_carries_arrays, _loops(s.body)))]
    return changed_in_turn(program, nests, _changed)


def changed_in_turn(
    program: n.Program, nests: Sequence[n.For], change: Callable[[n.Program, str], n.Program | None]
) -> n.Program:
    """The program after all changes to some nests; `change` makes one more to that with a label, or gives None."""
    if not nests:
        return program
    program = tidied(carried_extents(program))
    for nest in nests:
        while (changed := change(program, nest.label)) is not None:
            program = changed
    return program


def tidied(program: n.Program) -> n.Program:
    """The program in which known extents are computed only once."""
    return dce(licm(cse(fold(program))))


def nests_of(block: n.Block) -> Iterator[n.For]:
    """The outermost parallel loops."""
    for statement in block.statements:
        if isinstance(statement, n.For) and statement.mapping == "parallel":
            yield statement
        else:
            for inner in blocks_of(statement):
                yield from nests_of(inner)


def _loops(block: n.Block) -> Iterator[n.For]:
    """The sequential loops of an iteration of a nest, and not those inside of one another."""
    for statement in block.statements:
        if isinstance(statement, n.For) and statement.mapping == "sequential":
            yield statement
        elif not isinstance(statement, (n.For, n.While)):
            for inner in blocks_of(statement):
                yield from _loops(inner)


def _carries_arrays(loop: n.For) -> bool:
    return any(isinstance(arg.var.type, View) for arg in loop.args)


def _changed(program: n.Program, label: str) -> n.Program | None:
    """The program with the arrays of one more loop of a nest in buffers; None if no such loop is left."""
    nest = next(s for s in walk(program.body) if isinstance(s, n.For) and s.label == label)
    accesses = table_of(program)
    for loop in _loops(nest.body):
        if not _carries_arrays(loop):
            continue
        found = _Turns.of(accesses, program, nest, loop)
        if found is not None:
            before, inside = found.statements()
            body = with_loops(nest.body, lambda s, at=loop, new=inside: new if s is at else None)  # type: ignore[misc]
            new = (*before, replace(nest, body=body))
            changed = replace(program, body=with_loops(program.body, lambda s, new=new: new if s is nest else None))  # type: ignore[misc]
            own = (*inside, *walk(nest.body))
            arrays = {s.var.name for s in own if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)}
            return tidied(direct_to(changed, arrays | {param.var.name for param in program.params}))
    return None


@dataclass(frozen=True)
class Ring:
    """Arrays that take turns: in the next iteration, each of `args` is what the one after it is now.

    Attributes
    ----------
    args
        Places among the arguments of the loop.
    fresh
        The array that an iteration makes, and that the last of `args` is in the next iteration. None if that is the
        first of `args`.
    shape
        The extents of each of the arrays.
    """

    args: tuple[int, ...]
    fresh: n.Let | None
    shape: tuple[n.Atom | n.Dim, ...]

    @property
    def parts(self) -> int:
        """How many arrays there are."""
        return len(self.args) + (self.fresh is not None)


@dataclass(frozen=True, eq=False)
class _Turns:
    """A loop whose carried arrays are to be parts of buffers."""

    loop: n.For
    rings: tuple[Ring, ...]
    outer: Writing
    labels: Labels
    back: frozenset[int]
    """Places of the arrays to which their parts are copied back after the loop."""

    @classmethod
    def of(cls, accesses: AccessTable, program: n.Program, nest: n.For, loop: n.For) -> _Turns | None:
        definitions = {s.var.name: s.value for s in walk(program.body) if isinstance(s, n.Let)}
        rings = _rings(loop, definitions)
        inside = {var.name for var in bound_in(n.Block((nest,)))}
        if rings is None or not all(is_known(extent, inside) for ring in rings for extent in ring.shape):
            return None
        own = {v.name for v in (*(arg.var for arg in loop.args), *loop.results)}
        back: set[int] = set()
        for made, place in ((ring.fresh, place) for ring in rings for place in ring.args):
            array = loop.args[place].init
            assert isinstance(array, n.Var)
            beside = [arg.init for k, arg in enumerate(loop.args) if k != place]
            found = replaced(accesses, nest, loop, array, own, beside)
            if found is None or (found.is_written_back and made is not None):
                return None  # a new array may be in its part by the end
            back |= {place} if found.is_written_back else set()
        return cls(loop, rings, Writing(Names.of(program), loop.location), Labels(program), frozenset(back))

    def statements(self) -> tuple[tuple[n.Statement, ...], tuple[n.Statement, ...]]:
        """The statements before the nest, and those that replace the loop."""
        shapes = [tuple(self._atom(extent) for extent in ring.shape) for ring in self.rings]
        before = tuple(self.outer.statements)
        write = Writing(self.outer.names, self.loop.location)
        head, tail = Writing(write.names, self.loop.location), Writing(write.names, self.loop.location)
        placed: dict[int, tuple[n.Statement, ...]] = {}
        args, yields, results = self._others()
        for ring, shape in zip(self.rings, shapes, strict=True):
            element = _element(self.loop.args[ring.args[0]].var)
            buffer = write.let(
                n.Alloc((n.Const(ring.parts), *shape), element), View(element, len(shape) + 1, contiguous=True), "turns"
            )
            for k, place in enumerate(ring.args):
                self._copy(write, buffer, n.Const(k), self.loop.args[place].init, shape)
                if place in self.back:
                    self._copy(tail, buffer, n.Const(k), self.loop.args[place].init, shape, is_back=True)
            first, last = self._first_and_last(head, tail, ring.parts)
            numbers = [self._number(head, first, k, ring.parts) for k in range(ring.parts)]
            for k, place in enumerate(ring.args):
                head.add(n.Let(self.loop.args[place].var, _part(buffer, numbers[k], shape), self.loop.location))
                number = self._number(tail, last, k, ring.parts)
                tail.add(n.Let(self.loop.results[place], _part(buffer, number, shape), self.loop.location))
            if ring.fresh is not None:
                placed[id(ring.fresh)] = self._fresh(ring.fresh, buffer, numbers[-1], shape)
            if self.loop.exit is not None:
                args.append(n.LoopArg(first, n.Const(0)))
                yields.append(numbers[1] if ring.parts > 1 else n.Const(0))
                results.append(last)
        statements = tuple(new for s in self.loop.body.statements for new in placed.get(id(s), (s,)))
        body = n.Block((*head.statements, *statements), tuple(yields))
        made = replace(self.loop, body=body, args=tuple(args), results=tuple(results), exit=self._exit())
        return before, (*write.statements, made, *tail.statements)

    def _others(self) -> tuple[list[n.LoopArg], list[n.Atom], list[n.Var]]:
        """What the loop carries besides."""
        kept = [k for k, arg in enumerate(self.loop.args) if not isinstance(arg.var.type, View)]
        return (
            [self.loop.args[k] for k in kept],
            [self.loop.body.yields[k] for k in kept],
            [self.loop.results[k] for k in kept],
        )

    def _first_and_last(self, head: Writing, tail: Writing, parts: int) -> tuple[n.Var, n.Var]:
        """The number of the first part in an iteration, and after the loop."""
        loop = self.loop
        if loop.exit is not None:
            return head.fresh("turn"), head.fresh("turn")
        done, trips = head.op("sub", loop.index, loop.start), tail.trips(loop.start, loop.stop)
        first = head.let(n.Binary("mod", done, n.Const(parts), checked=False), PYINT, "turn")
        return first, tail.let(n.Binary("mod", trips, n.Const(parts), checked=False), PYINT, "turn")

    def _exit(self) -> int | None:
        if self.loop.exit is None:
            return None
        return sum(not isinstance(arg.var.type, View) for arg in self.loop.args[: self.loop.exit])

    def _atom(self, extent: n.Atom | n.Dim) -> n.Atom:
        return self.outer.let(extent, PYINT, "extent") if isinstance(extent, n.Dim) else extent

    @staticmethod
    def _number(write: Writing, first: n.Var, k: int, parts: int) -> n.Atom:
        """The number of the part that is `k` behind the first one."""
        if k == 0:
            return first
        if parts == 2:
            return write.op("sub", n.Const(1), first, "turn")
        behind = write.op("add", first, k, "turn")
        return write.select(write.compare("lt", behind, parts), behind, write.op("sub", behind, parts, "turn"), "turn")

    def _copy(
        self, write: Writing, buffer: n.Var, part: n.Atom, view: n.Atom, shape: tuple[n.Atom, ...],
        is_back: bool = False,
    ) -> None:  # fmt: skip
        """A loop that copies an array to its part, or back."""
        assert isinstance(view, n.Var)
        assert isinstance(view.type, View)
        indices = tuple(write.fresh("at") for _ in shape)
        value = write.names.fresh("t", view.type.element)
        places = (view, indices), (buffer, (part, *indices))
        (source, at), (target, to) = reversed(places) if is_back else places
        load = n.Let(value, n.Load(source, at, "safe"), self.loop.location)
        store = n.Store(target, to, value, "safe", location=self.loop.location)
        write.add(*for_each(self.labels, f"{self.loop.label}.turns", indices, shape, (load, store), self.loop.location))

    def _fresh(self, let: n.Let, buffer: n.Var, part: n.Atom, shape: tuple[n.Atom, ...]) -> tuple[n.Statement, ...]:
        """What replaces an array that an iteration makes."""
        assert isinstance(let.value, n.Alloc)
        made = n.Let(let.var, _part(buffer, part, shape), let.location)
        if let.value.fill is None:
            return (made,)
        indices = tuple(self.outer.fresh("at") for _ in shape)
        store = n.Store(buffer, (part, *indices), let.value.fill, "safe", location=let.location)
        return (made, *for_each(self.labels, f"{self.loop.label}.turns", indices, shape, (store,), self.loop.location))


def for_each(
    labels: Labels, label: str, indices: tuple[n.Var, ...], shape: tuple[n.Atom, ...],
    statements: tuple[n.Statement, ...], location: Location,
) -> tuple[n.Statement, ...]:  # fmt: skip
    """Parallel loops around statements, one for each extent."""
    for index, extent in reversed(list(zip(indices, shape, strict=True))):
        block = n.Block(statements)
        loop = n.For(labels.fresh(label), index, n.Const(0), extent, block, mapping="parallel", location=location)
        statements = (loop,)
    return statements


def _part(buffer: n.Var, number: n.Atom, shape: tuple[n.Atom, ...]) -> n.Subview:
    return n.Subview(buffer, (number, *(n.Slice(n.Const(0), extent, n.Const(1)) for extent in shape)), "safe")


def _element(view: n.Var) -> Element:
    assert isinstance(view.type, View)
    return view.type.element


def is_known(extent: n.Atom | n.Dim, inside: set[str]) -> bool:
    """Whether an extent is known before a nest; `inside` are the names of the nest's variables."""
    source = extent.view if isinstance(extent, n.Dim) else extent
    return not isinstance(source, n.Var) or source.name not in inside


def _rings(loop: n.For, definitions: Definitions) -> tuple[Ring, ...] | None:
    """The arrays of a loop, grouped by those that take turns; None if an iteration hands on something else."""
    places = [k for k, arg in enumerate(loop.args) if isinstance(arg.var.type, View)]
    by_name = {loop.args[k].var.name: k for k in places}
    made = {s.var.name: s for s in loop.body.statements if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)}
    behind: dict[int, int | str] = {}
    for k in places:
        handed = _whole(loop.body.yields[k], definitions)
        if handed is None or not (handed in by_name or handed in made):
            return None
        behind[k] = by_name.get(handed, handed)
    if len(set(behind.values())) < len(places):
        return None
    found = []
    for order in _orders(behind):
        last = behind[order[-1]]
        ring = _ring(loop, order, made[last] if isinstance(last, str) else None, definitions)
        if ring is None:
            return None
        found.append(ring)
    return tuple(found)


def _orders(behind: dict[int, int | str]) -> Iterator[tuple[int, ...]]:
    """The arguments in the order of their turns: first chains that end with a new array, then cycles."""
    left = dict(behind)
    before = {b: k for k, b in behind.items()}
    starts = [k for k in behind if k not in before] + list(behind)
    for start in starts:
        order = []
        at: int | str = start
        while isinstance(at, int) and at in left:
            order.append(at)
            at = left.pop(at)
        if order:
            yield tuple(order)


def _ring(loop: n.For, order: tuple[int, ...], fresh: n.Let | None, definitions: Definitions) -> Ring | None:
    """Arrays that take turns; None unless all have the same extents and type."""
    arrays = [loop.args[k].init for k in order] + ([fresh.var] if fresh is not None else [])
    shapes, elements = set(), set()
    for array in arrays:
        if not isinstance(array, n.Var) or isinstance(definitions.get(array.name), n.Undefined):
            return None
        assert isinstance(array.type, View)
        shapes.add(tuple(extent_of(axis, array, definitions) for axis in range(array.type.ndim)))
        elements.add(array.type.element)
    if len(shapes) > 1 or len(elements) > 1 or not all(isinstance(e, Scalar) for e in elements):
        return None
    return Ring(order, fresh, shapes.pop())


def _whole(view: n.Atom, definitions: Definitions) -> str | None:
    """The name of the array that a view shows whole and in the same order."""
    while isinstance(view, n.Var):
        value = definitions.get(view.name)
        if not isinstance(value, n.Subview):
            return view.name
        for place, axis in enumerate(value.axes):
            if not isinstance(axis, n.Slice) or axis.start != n.Const(0) or axis.step != n.Const(1):
                return None
            if resolved(axis.length, definitions) != extent_of(place, value.view, definitions):
                return None
        view = value.view
    return None
