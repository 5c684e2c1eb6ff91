"""Proves that a plan is right: every read, by the host or a kernel, sees the newest version of what it reads.

The program is replayed without running it, knowing of every memory which boxes of an array may be old: a newer version
was written elsewhere. Where ways meet, a box may be old if one of them makes it so; what may be old at the head of a
loop is what may be in some iteration. Nothing here knows how the plan was made: it looks at the statements alone.

Which arrays kernels touch is proven beside it (`claims`). Assumed, and checked by the interpreter when a program runs:
launches touch the parts that they say, and no memory runs out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field

from weft.analysis.access.access import AccessTable
from weft.analysis.access.access import table as access_table
from weft.analysis.access.structure import Path, Region
from weft.analysis.values.linear import ZERO, Element, Form
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.location import UNKNOWN, Location
from weft.ir.reference.memories import HOST
from weft.ir.types import View
from weft.ir.visit import launches_in, walk
from weft.plan.transfers import footprints
from weft.plan.transfers.cases import MOST_CASES, Cases
from weft.plan.transfers.claims import false_claims
from weft.plan.transfers.memory_spaces import without_kernels
from weft.plan.transfers.owners import Owners
from weft.plan.transfers.regions import Box, Boxes, Side, Space, renamed, settled, text
from weft.plan.transfers.views import box_of

MOST_ROUNDS = 30


def check_plan(program: n.Program, there: frozenset[str] = frozenset()) -> None:
    """Check the copies and waits of a placed program.

    Parameters
    ----------
    program
        What `weft.plan.place.place` made.
    there
        Parameters whose arrays are on the device before the program starts: nothing of them is checked.

    Raises
    ------
    InternalError
        Its message lists every read that may see an old version, and what launches say that is not so, with lines.
    """
    claims = false_claims(program, Owners(program, access_table(without_kernels(program))))
    problems = [*_problems(program, there), *claims]
    if problems:
        lines = "\n".join(f"  {problem}" for problem in dict.fromkeys(problems))
        raise InternalError(f"the plan of {program.name} is wrong:\n{lines}")


def is_proven(program: n.Program, there: frozenset[str] = frozenset()) -> bool:
    """Whether `check_plan` finds nothing."""
    return not _problems(program, there)


def _problems(program: n.Program, there: frozenset[str]) -> list[str]:
    """What is wrong with a plan: nothing where both cases of each comparison that matters are right."""
    table = access_table(without_kernels(program))
    owners = Owners(program, table)
    fixed = frozenset(param.var.name for param in program.params)
    always = Cases(table.ranges.nonnegative, fixed)
    checker = _Checker(program, there, table, owners, always)
    checker.run()
    groups = dict.fromkeys(group for group, _ in checker.problems)
    wrong = {group for group in groups if not _is_right(checker, group, always.again())}
    return [problem for group, problem in checker.problems if group in wrong]


def _is_right(checker: _Checker, group: str, always: Cases) -> bool:
    """Whether nothing is wrong with one group of arrays, whichever way comparisons of sizes go.

    Groups are looked at one by one since nothing known of one matters to another: together, their cases would multiply.
    """
    cases = [always]
    for _ in range(MOST_CASES):
        if not cases:
            return True
        case = cases.pop()
        if checker.finds_wrong(group, case):
            further = list(case.split(checker.structure.root))
            if not further:
                return False
            cases += further
    return False


@dataclass
class _State:
    """Which boxes may be old, by array and memory; which arrays are being copied, and which of these to the host."""

    old: dict[tuple[str, str], Boxes] = field(default_factory=dict)
    new: dict[tuple[str, str], Boxes] = field(default_factory=dict)
    """Boxes that were written or copied there whole: what is left of others cannot always be told."""
    arriving: frozenset[str] = frozenset()
    leaving: frozenset[str] = frozenset()

    def copy(self) -> _State:
        return _State(dict(self.old), dict(self.new), self.arriving, self.leaving)


class _Checker:
    def __init__(
        self, program: n.Program, there: frozenset[str], table: AccessTable, owners: Owners, cases: Cases
    ) -> None:
        self.program = program
        self.there = there
        self.table = table
        self.structure = table.structure
        self.owners = owners
        self.cases = cases
        self.only: str | None = None
        """The group of arrays that is looked at; None for all."""
        self.guests = {param.var.name: param.home for param in program.params if param.home != HOST}
        self.problems: list[tuple[str, str]] = []
        """What is wrong, with the group of arrays that it is about."""
        self.dry = 0
        self._spaces: dict[tuple[str, Region], Space] = {}
        self._footprints: dict[Path, dict[str, tuple[Boxes, Boxes]]] = {}
        devices = {s.device for s in launches_in(program.body)}
        copies = (s for s in walk(program.body) if isinstance(s, n.Copy))
        filled = [v for s in walk(program.body) if isinstance(s, n.Copy) and s.onto for v in (s.view, s.onto)]
        self.windows = self.groups(filled) | self.unfilled()
        """Groups of arrays whose elements are filled by copies of others, or by nobody: what nobody filled is old."""
        self.memories = sorted(
            {HOST, *devices, *self.guests.values(), *(m for s in copies for m in (s.source, s.target))}
        )

    def finds_wrong(self, group: str, cases: Cases) -> bool:
        """Whether something is wrong with one group of arrays in a case."""
        other = copy(self)
        other.cases, other.only, other.problems, other._spaces = cases, group, [], {}
        other.run()
        return bool(other.problems)

    def groups(self, views: Iterable[n.Var]) -> set[str]:
        """The groups of the arrays of some views."""
        return {self.owners.group(self.owners.handle(view)) for view in views}

    def unfilled(self) -> set[str]:
        """Groups of arrays that kernels read, and into which nothing is written or copied anywhere."""
        statements = list(walk(self.program.body))
        launches = [s for s in statements if isinstance(s, n.Launch)]
        filled = [view for launch in launches for view in launch.writes]
        filled += [s.onto or s.view for s in statements if isinstance(s, n.Copy)]
        accesses = footprints.with_whole_arrays(self.table, self.table.accesses)
        filled += [a.array for a in accesses if a.kind != "load" and a.array.name in self.owners.vars]
        return self.groups(view for launch in launches for view in launch.reads) - self.groups(filled)

    def where(self, name: str, region: Region) -> Space:
        key = (name, region)
        if key not in self._spaces:
            self._spaces[key] = Space(self.extents_of(name), lambda form: self.cases.proves(form, region))
        return self._spaces[key]

    def extents_of(self, name: str) -> tuple[Form, ...]:
        return self.table.forms.view(self.owners.vars[name]).extents

    def home_of(self, name: str) -> str:
        """The memory in which an array has to be current at the end, if anywhere."""
        homes = {home for guest, home in self.guests.items() if self.owners.group(guest) == self.owners.group(name)}
        return homes.pop() if homes else HOST

    def is_ignored(self, name: str) -> bool:
        return not self.there.isdisjoint(self.table.aliases.roots(self.owners.vars[name]))

    def old(self, name: str, memory: str, region: Region, state: _State) -> Boxes:
        """What may be old of an array; all of it, in other memories than the host's, where nothing was said yet."""
        default = () if memory == HOST else (self.where(name, region).whole,)
        return state.old.get((name, memory), default)

    def is_followed(self, name: str) -> bool:
        """Whether an array is looked at."""
        return self.only is None or self.owners.group(name) == self.only

    def report(self, name: str, message: str, location: Location) -> None:
        if not self.dry:
            self.problems.append((self.owners.group(name), f"{location}: {message}"))

    # ------------------------------------------------------------------------------------------------- what happens

    def run(self) -> None:
        """Check the whole program."""
        state, root, location = _State(), self.structure.root, self.program.location
        for name, home in self.guests.items():
            if not self.is_followed(name):
                continue
            whole = (self.where(name, root).whole,)
            state.old[name, HOST], state.old[name, home], state.new[name, home] = whole, (), whole
        self.block(root, state)
        yields = [y for y in root.block.yields if isinstance(y, n.Var) and isinstance(y.type, View)]
        returned = {self.owners.handle(y) for y in yields}
        for name, memory in list(state.old):
            if memory == self.home_of(name) and (name in returned or self.owners.may_be_parameter(name)):
                self.needs(name, (self.where(name, root).whole,), memory, root, state, "is returned", location)
        for name in sorted(state.leaving):
            if not self.is_ignored(name):
                self.report(name, "the program ends while arrays are being copied", location)

    def needs(
        self,
        name: str,
        boxes: Boxes,
        memory: str,
        region: Region,
        state: _State,
        what: str,
        location: Location,
        is_copied: bool = False,
    ) -> None:
        """Boxes must be current in a memory, and have arrived there unless a copy needs them: those keep order."""
        if self.is_ignored(name):
            return
        where, shown = self.where(name, region), name.partition(".")[0]
        for other in self.same(name, memory, state):
            old = self.old(other, memory, region, state)
            if other != name and old:
                self.report(name, f"{shown} {what}, and another view of it may be newer elsewhere", location)
            elif not all(self.is_current(b, old, state.new.get((other, memory), ()), where) for b in boxes):
                parts = ", ".join(shown + text(box, where.extents) for box in old)
                self.report(name, f"{shown} {what}, and {parts} may be old in the memory {memory!r}", location)
        if memory == HOST and name in state.arriving and not is_copied:
            self.report(name, f"{shown} {what} before its copy has arrived", location)

    @staticmethod
    def is_current(box: Box, old: Boxes, new: Boxes, where: Space) -> bool:
        return all(where.apart(a, box) for a in old) or where.covers(new, (box,))

    def same(self, name: str, memory: str, state: _State) -> list[str]:
        """The names under which the host may know the storage of an array; one where it is owned."""
        if self.owners.is_owned(name) or memory != HOST:
            return [name]
        group = self.owners.group(name)
        return [name, *(k for k, m in state.old if m == HOST and k != name and self.owners.group(k) == group)]

    def becomes(self, name: str, boxes: Boxes, memory: str, region: Region, state: _State) -> None:
        """A new version of boxes is in one memory, and nowhere else."""
        where = self.where(name, region)
        for other in self.memories:
            before = self.old(name, other, region, state)
            known = state.new.get((name, other), ())
            if other == memory:
                state.old[name, other], state.new[name, other] = where.minus(before, boxes), (*known, *boxes)
            else:
                state.old[name, other] = where.joined((*before, *boxes))
                state.new[name, other] = tuple(k for k in known if all(where.apart(k, b) for b in boxes))
        for other in self.owners.vars if not self.owners.is_owned(name) else ():
            if other != name and self.owners.group(other) == self.owners.group(name):
                for device in self.memories:
                    if device != HOST:  # another view of it has to be sent again
                        state.old.pop((other, device), None)
                        state.new.pop((other, device), None)

    def block(self, region: Region, state: _State) -> None:
        for position, statement in enumerate(region.block.statements):
            self.statement(region, position, statement, state)

    def statement(self, region: Region, position: int, statement: n.Statement, state: _State) -> None:
        inner = region.inner.get(position, ())
        if isinstance(statement, n.Copy):
            self.copy(region, statement, state)
        elif isinstance(statement, n.Free):
            for boxes in (state.old, state.new):
                boxes.pop((self.owners.handle(statement.view), statement.memory), None)
        elif isinstance(statement, n.Wait):
            awaited = {self.owners.handle(view) for view in statement.of} or state.arriving | state.leaving
            state.arriving, state.leaving = state.arriving - awaited, state.leaving - awaited
        elif isinstance(statement, n.Launch):
            self.launch(region, statement, state)
        elif isinstance(statement, n.If):
            self.branch(inner, statement, region, state)
        elif isinstance(statement, (n.For, n.While)) and (self.moves(inner) or _carries(statement)):
            self.loop(inner, statement, region, state)
        elif not isinstance(statement, n.Reserve):
            self.host(region, position, statement, state)

    @staticmethod
    def moves(inner: Iterable[Region]) -> bool:
        """Whether blocks hold launches or copies."""
        return any(isinstance(s, (n.Launch, n.Copy, n.Wait)) for region in inner for s in walk(region.block))

    def copy(self, region: Region, copy: n.Copy, state: _State) -> None:
        array, box = box_of(self.table, copy.view)
        name, where = array.name, self.where(array.name, region)
        if not self.is_followed(name):
            if copy.onto is not None:
                self.onto(region, copy, copy.onto, state)
            return
        box = self.as_known(name, box, where, state)
        state.leaving |= {name}
        self.needs(name, (box,), copy.source, region, state, f"is copied to {copy.target!r}", copy.location, True)
        if copy.onto is not None:
            self.onto(region, copy, copy.onto, state)
            return
        state.old[name, copy.target] = where.minus(self.old(name, copy.target, region, state), (box,))
        state.new[name, copy.target] = (*state.new.get((name, copy.target), ()), box)
        if copy.target == HOST:
            state.arriving |= {name}

    def onto(self, region: Region, copy: n.Copy, target: n.Var, state: _State) -> None:
        """A copy fills another array than the one that it reads."""
        array, box = box_of(self.table, target)
        if self.is_followed(array.name):
            self.becomes(array.name, (box,), copy.target, region, state)
            state.leaving |= {array.name}
            state.arriving |= {array.name} if copy.target == HOST else set()

    def as_known(self, name: str, box: Box, where: Space, state: _State) -> Box:
        """The box with sides as they are known of the array: inside a branch the same side may have a shorter form.

        After the branch, where its condition is not known any more, nobody could tell that the two are equal.
        """
        boxes = (b for known in (state.old, state.new) for (k, _), bs in known.items() if k == name for b in bs)
        sides = [form for b in boxes for side in b for form in (side.low, side.stop)]
        plain = {ZERO, *where.extents, *sides}
        forms = {settled(form, where.proves): form for form in sides}

        def known(form: Form) -> Form:
            return form if form in plain else forms.get(settled(form, where.proves), form)

        return tuple(Side(known(side.low), known(side.stop)) for side in box)

    def launch(self, region: Region, launch: n.Launch, state: _State) -> None:
        for array, box in self.boxes(launch.reads):
            self.needs(array.name, (box,), launch.device, region, state, "is read by a kernel", launch.location)
        if not launch.results:
            self.written(region, launch, state)
            return
        state.leaving &= state.arriving  # the flag was waited for, and so were copies to the device

    def written(self, region: Region, launch: n.Launch, state: _State) -> None:
        for array, box in self.boxes(launch.writes):
            self.becomes(array.name, (box,), launch.device, region, state)

    def boxes(self, views: Iterable[n.Var]) -> Iterator[tuple[n.Var, Box]]:
        """The arrays of some views that are looked at, and the box that each view is."""
        found = (box_of(self.table, view) for view in views)
        return ((array, box) for array, box in found if self.is_followed(array.name))

    def host(self, region: Region, position: int, statement: n.Statement, state: _State) -> None:
        location = getattr(statement, "location", UNKNOWN)
        for name, boxes in self.footprint(region, position).items():
            if not self.is_followed(name):
                continue
            self.needs(name, boxes[0], HOST, region, state, "is used by the host", location)
            if boxes[1]:
                if name in state.leaving:
                    self.report(name, f"{name.partition('.')[0]} is written while it is being copied", location)
                self.becomes(name, boxes[1], HOST, region, state)
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc):
            name = statement.var.name
            if not self.is_followed(name):
                return
            for memory in self.memories:
                state.old.pop((name, memory), None)
                state.new.pop((name, memory), None)
                if memory == HOST or (statement.value.fill is None and self.owners.group(name) not in self.windows):
                    state.old[name, memory] = ()

    def footprint(self, region: Region, position: int) -> dict[str, tuple[Boxes, Boxes]]:
        """What a statement of the host needs and what it writes, by array."""
        path: Path = (*region.path, position)
        if path not in self._footprints:
            self._footprints[path] = self._found(region, path)
        return self._footprints[path]

    def _found(self, region: Region, path: Path) -> dict[str, tuple[Boxes, Boxes]]:
        accesses = footprints.with_whole_arrays(self.table, self.table.within(region))
        known = (a for a in accesses if a.array.name in self.owners.vars)
        inside = [a for a in known if a.site.path[: len(path)] == path]
        before = [a for a in inside if self.owners.is_outside(a.array, path)]
        found = footprints.of_accesses(self.table, before, region, is_known=lambda form: self.is_before(form, path))
        for access in inside:
            whole = {name: self.where(name, region).whole for name in self.owners.shown_inside(access.array, path)}
            footprints.add_whole(found, whole, access)
        return {
            name: ((*found.reads.get(name, ()), *found.writes.get(name, ())), found.writes.get(name, ()))
            for name in found.arrays
        }

    def is_before(self, form: Form, path: Path) -> bool:
        """Whether a form has its value before a statement, and keeps it."""
        if any(isinstance(name, Element) for name in form.symbols):
            return False
        places = (self.structure.definitions.get(name) for name in form.names)
        return all(place is not None and place.region.path[: len(path)] != path for place in places)

    # ------------------------------------------------------------------------------------------- where ways meet

    def branch(self, inner: tuple[Region, ...], branch: n.If, region: Region, state: _State) -> None:
        other = state.copy()
        made = self.structure.launch_of(branch.condition)
        if made is not None:  # a kernel that failed has spoilt what it writes, and written nothing
            for array, box in self.boxes(made.writes):
                where, before = self.where(array.name, region), self.old(array.name, made.device, region, state)
                state.old[array.name, made.device] = where.joined((*before, box))
                known = state.new.get((array.name, made.device), ())
                state.new[array.name, made.device] = tuple(k for k in known if where.apart(k, box))
            self.written(region, made, other)
        self.block(inner[0], state)
        self.block(inner[1], other)
        for result, a, b in zip(branch.results, branch.then.yields, branch.orelse.yields, strict=True):
            if isinstance(result.type, View):
                self.rename(state, {_name(a): result.name})
                self.rename(other, {_name(b): result.name})
        self.meet(state, other, region)

    def meet(self, state: _State, other: _State, region: Region) -> None:
        """What may be old on one of two ways."""
        for name, memory in {**state.old, **other.old}:
            both = [self.old(name, memory, region, one) for one in (state, other)]
            boxes = both[0] if both[0] is both[1] else (*both[0], *both[1])
            state.old[name, memory] = self.where(name, region).joined(boxes) if len(boxes) > 1 else boxes
            known, mine = other.new.get((name, memory), ()), state.new.get((name, memory), ())
            state.new[name, memory] = mine if mine is known else tuple(box for box in mine if box in known)
        state.arriving |= other.arriving
        state.leaving |= other.leaving

    def loop(self, inner: tuple[Region, ...], loop: n.For | n.While, region: Region, state: _State) -> None:
        views = [k for k, arg in enumerate(loop.args) if isinstance(arg.var.type, View)]
        self.rename(state, {_name(loop.args[k].init): loop.args[k].var.name for k in views})
        back = {_name(loop.body.yields[k]): loop.args[k].var.name for k in views}
        head = state.copy()
        self.dry += 1
        for _ in range(MOST_ROUNDS):
            trial = head.copy()
            for part in inner:
                self.block(part, trial)
            self.rename(trial, back)
            self.forget(trial, loop)
            before = (dict(head.old), dict(head.new), head.arriving, head.leaving)
            self.meet(head, trial, inner[-1])
            if before == (head.old, head.new, head.arriving, head.leaving):
                break
        else:
            groups = sorted({self.owners.group(name) for name, _ in {**head.old, **head.new}})
            problem = f"{loop.location}: what holds in all iterations was not found"
            self.problems += [(group, problem) for group in groups]
        self.dry -= 1
        after = head.copy()
        for k, part in enumerate(inner):
            self.block(part, head)
            if k == 0 and isinstance(loop, n.While):
                after = head.copy()
        self.rename(after, {loop.args[k].var.name: loop.results[k].name for k in views})
        if isinstance(loop, n.For):
            self.rename(head, {_name(loop.body.yields[k]): loop.results[k].name for k in views})
            certain = self.certainly_runs(loop, region)
            self.meet(after, head, region) if not certain else None
            after = head if certain else after
        state.old, state.new, state.arriving, state.leaving = after.old, after.new, after.arriving, after.leaving

    def forget(self, state: _State, loop: n.For | n.While) -> None:
        """What is said by values of one iteration: the same names are other values in the next one."""
        made = self.structure.loops[loop.label]

        def varies(form: Form) -> bool:
            return any(self.structure.is_inside(name, made) for name in form.names)

        for (name, memory), boxes in state.old.items():
            sizes = self.extents_of(name)
            state.old[name, memory] = tuple(
                tuple(
                    Side(ZERO, size) if varies(s.low) or varies(s.stop) else s
                    for s, size in zip(box, sizes, strict=True)
                )
                for box in boxes
            )
        for key, boxes in state.new.items():
            state.new[key] = tuple(b for b in boxes if not any(varies(s.low) or varies(s.stop) for s in b))

    def certainly_runs(self, loop: n.For, region: Region) -> bool:
        """Whether a loop runs at least once: its bounds say so, or a test around it does."""
        trips = self.table.forms.of(loop.stop) - self.table.forms.of(loop.start)
        return self.cases.proves(trips - 1, region)

    def rename(self, state: _State, names: Mapping[str, str]) -> None:
        """Arrays go to other holders; what depended on the extents of those that are gone is not known any more."""
        gone = set(names.values()) - set(names)
        old: dict[tuple[str, str], Boxes] = {}
        for (name, memory), boxes in state.old.items():
            new = names.get(name, name)
            if name in gone:
                if (
                    boxes
                    and memory == self.home_of(name)
                    and self.owners.may_be_parameter(name)
                    and self.owners.is_owned(name)
                ):
                    self.report(name, f"{name.partition('.')[0]} is given up while it is newer elsewhere", UNKNOWN)
            elif any(gone & _names_in(box) for box in boxes):
                old[new, memory] = (tuple(Side(ZERO, size) for size in self.extents_of(new)),)
            else:
                old[new, memory] = renamed(boxes, names, self.extents_of)
        state.old = old
        state.new = {
            (names.get(name, name), memory): renamed(boxes, names, self.extents_of)
            for (name, memory), boxes in state.new.items()
            if name not in gone and not any(gone & _names_in(box) for box in boxes)
        }
        state.arriving = frozenset(names.get(name, name) for name in state.arriving)
        state.leaving = frozenset(names.get(name, name) for name in state.leaving)


def _carries(loop: n.For | n.While) -> bool:
    """Whether a loop hands on arrays, which have other holders behind it."""
    return any(isinstance(arg.var.type, View) for arg in loop.args)


def _names_in(box: Box) -> frozenset[str]:
    return frozenset().union(*(form.names for side in box for form in (side.low, side.stop)))


def _name(atom: n.Atom) -> str:
    assert isinstance(atom, n.Var)
    return atom.name
