"""Lets steps of a time loop run in blocks although each also computes a sum, as the residual of a solver.

``for t: <nests>; r = <a sum over rows>; <what follows from r>`` becomes ``for each block of steps: for t: <nests>;
for t: r = ...``, where what the rows give in each step is kept in an array of the block. So the first inner loop is one
that runs in blocks, slab by slab (see `time_blocks`), and sums are folded in the same order as before, from the same
values: each row is summed once, by the slab that it belongs to.

Not done where the nests depend on the sum, as in a loop that ends on it, where what follows from it may raise or
touches arrays of the nests, and for sums over one loop, whose pieces are no rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from weft.analysis.access.access import AccessTable, table
from weft.ir import nodes as n
from weft.ir.effects import ARITHMETIC, block_may_raise, may_raise
from weft.ir.types import PYINT, Element, View
from weft.ir.visit import Names, atoms_of, defined_by, free_variables, rewrite, substitute, walk
from weft.plan.partition.chains import has_extents
from weft.plan.partition.time_blocks import is_outside, steps_of
from weft.plan.prepare.folds.split_reductions import rows_alone
from weft.plan.transfers.views import ViewMaker
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.support import with_loops

STEPS = 64
"""Steps of a block at most."""

LEAST = 4
"""Of fewer steps, for which there is room, there are no blocks."""

PART = 8
"""One part in so many of the room on the device is for what rows give."""

LATE = ".late"
"""What the labels of loops over such blocks end with."""


@dataclass(frozen=True)
class Late:
    """A program, and the names of the arrays that it makes for what rows give in each step."""

    program: n.Program
    arrays: frozenset[str]


def with_late_sums(program: n.Program, device: str) -> Late:
    """Fold the sums of a block of steps behind its nests, where the nests can run in blocks then.

    Parameters
    ----------
    program
        After `nested_sums.with_row_sums`.
    device
        The device whose room decides how many steps a block has.
    """
    kept: frozenset[str] = frozenset()
    for label in [s.label for s in walk(program.body) if isinstance(s, n.For)]:
        found = _changed(program, label, device)
        if found is not None:
            program, kept = found.program, kept | found.arrays
    return Late(program, kept)


def _changed(program: n.Program, label: str, device: str) -> Late | None:
    """The program with the steps of one loop in blocks; None where nothing is gained."""
    loop = next((s for s in walk(program.body) if isinstance(s, n.For) and s.label == label), None)
    if loop is None or loop.mapping == "parallel" or loop.exit is not None:
        return None
    parts = _Parts.of(loop)
    if parts is None:
        return None
    copies, known = Copies(program), table(program)
    if not parts.are_apart(known):
        return None
    writer = _Writer(parts, known, copies, device)
    made = writer.statements()
    if made is None:
        return None
    body = with_loops(program.body, lambda other: tuple(made) if other is loop else None)
    changed, arrays = replace(program, body=body), frozenset(writer.names)
    inner = next(s for s in walk(body) if isinstance(s, n.For) and s.label == writer.inner)
    if steps_of(changed, table(changed), inner, Names.of(changed), arrays) is None:
        return None
    return Late(changed, arrays)


@dataclass(frozen=True)
class _Parts:
    """The statements of a loop: the nests, which come `early`; what follows from sums, and is `late`; arithmetic on
    numbers, which is `shared`. `sums` are the arrays that nests fill in a step, `longs` says when rows are cut."""

    loop: n.For
    early: tuple[n.For, ...]
    late: tuple[n.Statement, ...]
    shared: tuple[n.Let, ...]
    sums: tuple[n.Let, ...]
    longs: tuple[n.Atom, ...]

    @classmethod
    def of(cls, loop: n.For) -> _Parts | None:
        """The parts of a loop; None where it has none, or they depend on one another otherwise."""
        made, longs, plain = _made(loop), list[n.Atom](), list[n.Statement]()
        for statement in loop.body.statements:
            choice = rows_alone(statement)
            if choice is not None and not _loads(statement) & made:
                longs.append(choice[0])
                statement = choice[1]
            plain.append(statement)
        late = _late(plain, made)
        before = [s for s in plain if s not in late]
        early = tuple(s for s in before if isinstance(s, n.For))
        lets = [s for s in before if isinstance(s, n.Let)]
        stored = {s.view.name for s in walk(n.Block(early)) if isinstance(s, n.Store)}
        sums = tuple(let for let in lets if let.var.name in stored & made)
        shared = tuple(let for let in lets if _is_number(let))
        own = [let for let in lets if let.var.name in made and let not in sums]
        if not late or not sums or len(early) + len(lets) < len(before) or len(sums + shared) + len(own) < len(lets):
            return None
        return cls(loop, early, tuple(s for s in plain if s in late or s in own), shared, sums, tuple(longs))

    def are_apart(self, known: AccessTable) -> bool:
        """Whether nests need nothing of what follows from sums, which cannot fail and touches none of their arrays."""
        made = {v.name for s in self.late for v in defined_by(s)}
        scalars = {arg.var.name for arg in self.loop.args if not isinstance(arg.var.type, View)}
        before, after = n.Block((*self.shared, *self.early)), n.Block(self.late)
        if {v.name for v in free_variables(before)} & (made | scalars) or _may_raise(known, after):
            return False
        own = {s.var.name for s in self.sums}
        if not all(_is_access(s, own) for block in (before, after) for s in walk(block)):
            return False
        arrays, others = (
            [v for v in free_variables(b) if isinstance(v.type, View) and v.name not in own] for b in (before, after)
        )
        return not any(known.aliases.may_alias(a, b) for a in arrays for b in others)


def _may_raise(known: AccessTable, block: n.Block) -> bool:
    """Whether a block may raise, other than by arrays for which there is no memory."""

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        return () if isinstance(statement, n.Let) and has_extents(known, statement) else statement

    return block_may_raise(rewrite(block, change))


def _made(loop: n.For) -> set[str]:
    """The arrays that an iteration makes."""
    return {s.var.name for s in loop.body.statements if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)}


def _loads(statement: n.Statement) -> set[str]:
    """The arrays of which a statement loads elements."""
    lets = (s for s in walk(n.Block((statement,))) if isinstance(s, n.Let))
    return {let.value.view.name for let in lets if isinstance(let.value, n.Load)}


def _late(statements: Sequence[n.Statement], made: set[str]) -> list[n.Statement]:
    """The statements that use what rows give."""
    found: list[n.Statement] = []
    names: set[str] = set()
    for statement in statements:
        if _loads(statement) & made or names & {v.name for v in free_variables(n.Block((statement,)))}:
            found.append(statement)
            names |= {v.name for v in defined_by(statement)}
    return found


def _is_number(statement: n.Statement) -> bool:
    """Whether a statement computes a number from others, and cannot fail."""
    if not isinstance(statement, n.Let) or not isinstance(statement.value, (*ARITHMETIC, n.Dim)):
        return False
    return not may_raise(statement.value, statement.var.type)


def _is_access(statement: n.Statement, arrays: Iterable[str]) -> bool:
    """Whether a statement uses nothing but elements of some arrays."""
    used = [a for a in atoms_of(statement) if isinstance(a, n.Var) and a.name in arrays]
    if not used:
        return True
    access = statement.value if isinstance(statement, n.Let) else statement
    return isinstance(access, (n.Load, n.Store)) and used == [access.view]


class _Writer:
    """Writes the loop over the blocks of steps; `names` are the arrays that it makes, `inner` is the label of the loop
    over the steps of a block."""

    def __init__(self, parts: _Parts, known: AccessTable, copies: Copies, device: str) -> None:
        self.parts, self.known, self.copies, self.device = parts, known, copies, device
        self.loop, self.location = parts.loop, parts.loop.location
        self.write = Writing(copies.names, self.location)
        self.views = ViewMaker(copies.names, lambda name: known.structure.definition(name).var)
        self.lets = {s.var.name: s for s in parts.shared}
        self.outer: dict[str, n.Atom] = {}
        self.names: list[str] = []
        self.inner = ""

    def statements(self) -> list[n.Statement] | None:
        """All of it; None where an extent is not known before the loop."""
        write, lets = self.write, [let for let in self.parts.sums if isinstance(let.value, n.Alloc)]
        atoms = [a for let in lets if isinstance(let.value, n.Alloc) for a in let.value.shape]
        if not all(self._is_known(atom) for atom in (*atoms, *self.parts.longs, *self._extents())):
            return None
        steps = self._most(lets)
        one_by_one = write.compare("lt", steps, LEAST)
        for long in self.parts.longs:
            one_by_one = write.either(one_by_one, self._before(long))
        with write.apart() as blocks:
            results = self._blocks(lets, steps)
        own = tuple(self.copies.names.fresh(r.stem, r.type) for r in self.loop.results)
        sides = n.Block((replace(self.loop, results=own),), own), n.Block(tuple(blocks), results)
        return [*write.statements, n.If(one_by_one, *sides, self.loop.results, self.location)]

    def _extents(self) -> list[n.Var]:
        """The extents of arrays that change places which are asked for in a step."""
        return [let.var for let in self.parts.shared if isinstance(let.value, n.Dim)]

    def _is_known(self, atom: n.Atom) -> bool:
        """Whether a number is the same in all steps."""
        if not isinstance(atom, n.Var) or atom.name not in self.lets:
            return not isinstance(atom, n.Var) or not self._is_inside(atom)
        let = self.lets[atom.name]
        if isinstance(let.value, n.Dim):
            return is_outside(self.known, self.known.forms.of(let.var), self.loop)
        return all(map(self._is_known, atoms_of(let)))

    def _is_inside(self, var: n.Var) -> bool:
        return self.known.structure.is_inside(var.name, self.known.structure.loops[self.loop.label])

    def _before(self, atom: n.Atom) -> n.Atom:
        """The same number before the loop."""
        if not isinstance(atom, n.Var) or atom.name not in self.lets:
            return atom
        if atom.name not in self.outer:
            let, write = self.lets[atom.name], self.write
            if isinstance(let.value, n.Dim):
                form = self.known.forms.of(let.var)
                self.outer[atom.name] = self.views.atom(form, write.statements, self.location)
            else:
                values = {a.name: self._before(a) for a in atoms_of(let) if isinstance(a, n.Var)}
                self.outer[atom.name] = write.let(substitute(let.value, values), let.var.type, let.var.stem)
        return self.outer[atom.name]

    def _blocks(self, lets: Sequence[n.Let], steps: n.Atom) -> tuple[n.Var, ...]:
        """Write the loop over blocks of at most so many steps; its results."""
        write, loop = self.write, self.loop
        extents = {var.name: self._before(var) for var in self._extents()}
        trips = write.trips(loop.start, loop.stop, "trips")
        most = write.op("max", write.op("min", trips, steps), 1, "most")
        count = write.op("floordiv", write.op("sub", write.op("add", trips, most), 1), most, "blocks")
        sums = {}
        for let in lets:
            shape, element = self._shape(let)
            type_ = View(element, len(shape) + 1, contiguous=True)
            sums[let.var.name] = write.let(n.Alloc((most, *shape), element), type_, "late_sums")
        self.names += [view.name for view in sums.values()]
        with write.loop(f"{loop.label}{LATE}", 0, count, carried=[arg.init for arg in loop.args]) as blocks:
            done = write.op("mul", blocks.index, most, "done")
            first = write.op("add", loop.start, done, "first")
            stop = write.op("add", first, write.op("min", most, write.op("sub", trips, done)), "stop")
            inits = dict(zip((arg.var for arg in loop.args), blocks.values, strict=True))
            arrays = {var: init for var, init in inits.items() if isinstance(var.type, View)}
            numbers = {var: init for var, init in inits.items() if var not in arrays}
            early = self._steps(self.parts.early, arrays, (first, stop), sums)
            late = self._steps(self.parts.late, numbers, (first, stop), sums)
            early, late = self._apart(early, {}), self._apart(late, extents)
            self.inner = early.label
            write.add(early, late)
            after = dict(zip((*arrays, *numbers), (*early.results, *late.results), strict=True))
            blocks.next = tuple(after[arg.var] for arg in loop.args)
        return blocks.results

    def _shape(self, let: n.Let) -> tuple[list[n.Atom], Element]:
        """The extents of an array that a step makes, and what its elements are."""
        assert isinstance(let.value, n.Alloc)
        return [self._before(extent) for extent in let.value.shape], let.value.element

    def _most(self, lets: Sequence[n.Let]) -> n.Atom:
        """Of how many steps what rows give is little."""
        write, each = self.write, cast(n.Atom, n.Const(0))
        for let in lets:
            shape, element = self._shape(let)
            size: n.Atom = n.Const(element.size)
            for extent in shape:
                size = write.op("mul", size, extent, "size")
            each = write.op("add", each, size, "each")
        room = write.op("floordiv", write.let(n.Room(self.device), PYINT, "room"), PART)
        return write.op("min", write.op("floordiv", room, write.op("max", each, 1)), STEPS, "steps")

    def _steps(
        self,
        statements: Sequence[n.Statement],
        inits: Mapping[n.Var, n.Var],
        bounds: tuple[n.Atom, n.Atom],
        sums: Mapping[str, n.Var],
    ) -> n.For:
        """A loop over the steps of a block that runs some statements of each, and carries some of its values."""
        loop, write = self.loop, Writing(self.copies.names, self.location)
        step = write.op("sub", loop.index, bounds[0], "step")

        def change(statement: n.Statement) -> n.Statement:
            access = statement.value if isinstance(statement, n.Let) else statement
            if not isinstance(access, (n.Load, n.Store)) or access.view.name not in sums:
                return statement
            view, indices = sums[access.view.name], (step, *access.indices)
            if isinstance(access, n.Store):
                return replace(access, view=view, indices=indices)
            assert isinstance(statement, n.Let)
            return replace(statement, value=replace(access, view=view, indices=indices))

        body = rewrite(n.Block((*write.statements, *self._needed(statements), *statements)), change)
        args = tuple(replace(arg, init=inits[arg.var]) for arg in loop.args if arg.var in inits)
        yields = (y for arg, y in zip(loop.args, loop.body.yields, strict=True) if arg.var in inits)
        results = tuple(self.copies.names.fresh(arg.var.stem, arg.var.type) for arg in args)
        return n.For(
            loop.label, loop.index, *bounds, replace(body, yields=tuple(yields)), args, results, location=self.location
        )

    def _apart(self, steps: n.For, extents: Mapping[str, n.Atom]) -> n.For:
        """The same loop with names of its own, and numbers in place of extents that it asks for."""
        asks = [s for s in steps.body.statements if isinstance(s, n.Let) and s.var.name in extents]
        body = replace(steps.body, statements=tuple(s for s in steps.body.statements if s not in asks))
        block = substitute(n.Block((replace(steps, body=body),)), extents)
        (made,) = self.copies.block(block).statements
        assert isinstance(made, n.For)
        return made

    def _needed(self, statements: Sequence[n.Statement]) -> list[n.Let]:
        """The arithmetic that some statements need."""
        found: list[n.Let] = []
        names = {v.name for v in free_variables(n.Block(tuple(statements), self.loop.body.yields))}
        for let in reversed(self.parts.shared):
            if let.var.name in names:
                found.insert(0, let)
                names |= {a.name for a in atoms_of(let) if isinstance(a, n.Var)}
        return found
