"""Puts the data of launches where it is needed: memory on the device, copies, waits.

The program is run in the mind, block by block, knowing of every array which boxes are certainly current on the device
and which may be newer there than on the host. A copy is made where somebody needs what is not current: none where
producer and consumer are on the same side. What a loop needs and does not spoil is copied before it; a loop's copies
stand in a branch that is taken only if it runs at all. Where two ways meet, the rarer one pays for the difference.

A kernel's results come home when the host needs them, or when the program ends, however it ends: the runtime remembers
what it owes the caller's arrays and pays before an exception is raised. A kernel that may raise spoils what it writes;
what only the device has of that is kept beside it until the kernel is known to be good, for the host to start again.

Not done here: copies do not start before they are needed, and shared arrays (see `owners`) are copied around every
launch.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from weft.analysis.access import Access, AccessTable
from weft.analysis.access import table as access_table
from weft.analysis.linear import Form
from weft.analysis.structure import Path, Region
from weft.ir import nodes as n
from weft.ir.location import UNKNOWN, Location
from weft.ir.memories import HOST
from weft.ir.types import PYBOOL, View
from weft.ir.visit import Names, blocks_of, rewrite, substitute, walk, with_blocks
from weft.plan import footprints
from weft.plan.footprints import Footprint
from weft.plan.owners import Owners
from weft.plan.regions import Box, Boxes, ExtentsOf, Space, renamed
from weft.plan.views import ViewMaker

SAVED = "/saved"
PLACE = "place"

MOST_STRIPS = 4
"""More boxes than this are not copied one by one before a loop."""

MOST_ROUNDS = 40
"""How often what holds at the head of a loop is put together anew before its arrays are brought home every time."""


@dataclass(frozen=True)
class Held:
    """What is known of an array at one place of the program.

    Attributes
    ----------
    there
        Boxes that are certainly current on the device.
    owed
        Boxes that may be newer on the device than on the host. Where they are, they are current there; what is not also
        among `there` cannot be copied without knowing which way the program took.
    reserved, placed
        Whether the array certainly has a place on the device, and whether it may have one.
    head
        The name that it had at the head of the loop that is being looked at, while the host has not written it since.
    origin
        The same, whoever wrote it.
    """

    there: Boxes = ()
    owed: Boxes = ()
    reserved: bool = False
    placed: bool = False
    head: str | None = None
    origin: str | None = None


@dataclass
class State:
    """What is known at one place: of every array by its holder, and what the device may still be at."""

    held: dict[str, Held] = field(default_factory=dict)
    sending: frozenset[str] = frozenset()
    """Arrays whose copies to the device may be under way: the host must not write them."""
    busy: bool = False
    """Whether the device may still be working."""

    def copy(self) -> State:
        """A state that changes apart from this one."""
        return State(dict(self.held), self.sending, self.busy)

    def rename(self, names: Mapping[str, str], extents_of: ExtentsOf) -> None:
        """Arrays go to other holders."""
        self.held = {
            names.get(name, name): replace(
                h, there=renamed(h.there, names, extents_of), owed=renamed(h.owed, names, extents_of)
            )
            for name, h in self.held.items()
        }
        self.sending = frozenset(names.get(name, name) for name in self.sending)


@dataclass(frozen=True)
class Need:
    """A loop's body needs boxes of an array on one side that it had at its head; `is_debt`: to copy them home."""

    head: str
    boxes: Boxes
    side: str
    is_debt: bool = False


class Undecided(Exception):
    """Something must be copied home that is newer on the device on some ways through the program only."""


@dataclass(frozen=True)
class Touch:
    """The first thing that a statement does with arrays of a group: where, on which side, and with which boxes."""

    path: Path
    group: str
    side: str
    boxes: dict[str, Boxes]


def transfers(
    program: n.Program, device: str, launches: Mapping[str, Footprint], there: frozenset[str], naive: bool = False
) -> n.Program:
    """Insert what moves the data of a program's launches.

    Parameters
    ----------
    program
        With launches, and nothing that moves data.
    device
        The memory of the launches.
    launches
        What every kernel touches, by its name.
    there
        Parameters whose arrays are on the device before the program starts.
    naive
        Whether every launch gets its arrays and gives them back.
    """
    if not any(isinstance(s, n.Launch) for s in walk(program.body)):
        return program
    try:
        return replace(program, body=_Mover(program, device, launches, there, naive).body())
    except Undecided:
        return replace(program, body=_Mover(program, device, launches, there, True).body())


def beside(device: str) -> str:
    """The memory in which a device keeps what a kernel may spoil."""
    return f"{device}{SAVED}"


def is_device(memory: str) -> bool:
    """Whether a memory is that of a device, and neither the host's nor what is kept beside another."""
    return memory != HOST and not memory.endswith(SAVED)


def without_kernels(program: n.Program) -> n.Program:
    """The program as the host sees it."""

    def change(statement: n.Statement) -> n.Statement:
        if not isinstance(statement, n.Launch):
            return statement
        return replace(statement, kernel=replace(statement.kernel, body=n.Block()))

    return replace(program, body=rewrite(program.body, change))


class _Mover:
    def __init__(
        self,
        program: n.Program,
        device: str,
        launches: Mapping[str, Footprint],
        there: frozenset[str],
        naive: bool,
    ) -> None:
        self.program = program
        self.device = device
        self.saved = beside(device)
        self.launches = launches
        self.table: AccessTable = access_table(without_kernels(program))
        self.structure = self.table.structure
        self.owners = Owners(program, self.table, naive)
        self.there = there
        self.names = Names.of(program)
        self.views = ViewMaker(self.names, lambda name: self.structure.definition(name).var)
        self.fixed = {p.var.name for p in program.params}
        self.kernels = {s.kernel.name: s.kernel for s in walk(program.body) if isinstance(s, n.Launch)}
        self.dry = 0
        self.needs: list[Need] = []
        holders = self.owners.vars
        self.accesses = sorted((a for a in self.table.accesses if a.array.name in holders), key=lambda a: a.site.path)
        self.paths = [access.site.path for access in self.accesses]
        self.touches = sorted(self._touches(), key=lambda t: t.path)

    # ------------------------------------------------------------------------------------------------ what is touched

    def _touches(self) -> Iterator[Touch]:
        for site in self.structure.root.sites():
            if isinstance(site.statement, n.Launch):
                found = self.launch_footprint(site.statement, site.region)
                for name in found.arrays:
                    yield Touch(site.path, self.owners.group(name), self.device, {name: found.reads.get(name, ())})
        for access in self.accesses:
            yield Touch(access.site.path, self.owners.group(access.array.name), HOST, {})

    def next_touch(self, path: Path, name: str) -> Touch | None:
        """What happens next to an array after a statement; loops are taken to go on."""
        own = [t for t in self.touches if t.group == self.owners.group(name)]
        while len(path) > 1:
            block, around = path[:-1], path[:-2]
            found = [t for t in own if t.path[: len(block)] == block and t.path[: len(path)] > path]
            if not found and isinstance(self._statement(around), (n.For, n.While)):
                found = [t for t in own if t.path[: len(around)] == around]
            if found:
                return found[0]
            path = around
        return next((t for t in own if t.path[:1] > path), None)

    def _statement(self, path: Path) -> n.Statement:
        region = self.structure.root
        for k in range(0, len(path) - 1, 2):
            region = region.inner[path[k]][path[k + 1]]
        return region.block.statements[path[-1]]

    def launch_footprint(self, launch: n.Launch, region: Region) -> Footprint:
        """What a launch touches."""
        return self.steady(self.launches[launch.kernel.name], region)

    def steady(self, found: Footprint, region: Region) -> Footprint:
        """The footprint without boxes whose sides follow the extents of shared arrays, which may change places."""
        reads, writes = (
            {name: renamed(boxes, {name: name}, self.extents_of) for name, boxes in touched.items()}
            for touched in (found.reads, found.writes)
        )
        for name in found.arrays:
            whole = self.where(name, region).whole
            if not all(map(self.is_steady, found.reads.get(name, ()))):
                reads[name] = (whole,)
            if not all(map(self.is_steady, found.writes.get(name, ()))):
                reads[name] = writes[name] = (whole,)
        return replace(found, reads=reads, writes=writes)

    def is_steady(self, box: Box) -> bool:
        """Whether the extents that a box depends on belong to arguments, or to arrays that are followed."""
        names = _holders_in(box, self.owners)
        return all(self.structure.definition(k).kind == "parameter" or self.owners.is_owned(k) for k in names)

    def extents_of(self, name: str) -> tuple[Form, ...]:
        """The extents of an array."""
        return self.table.forms.view(self.owners.vars[name]).extents

    def where(self, name: str, region: Region) -> Space:
        """The extents of an array, with proofs at a region."""
        return footprints.space(self.table, self.owners.vars[name], region)

    # ----------------------------------------------------------------------------------------------------- statements

    def body(self) -> n.Block:
        """The program's body with what moves its data."""
        state = State()
        for param in self.program.params:
            self.appear(param.var.name, state)
        statements = self.block(self.structure.root, state)
        statements += self.finish(state)
        return _with_few_waits(replace(self.program.body, statements=tuple(statements)))

    def appear(self, name: str, state: State, there: Boxes = ()) -> None:
        """An array comes into being."""
        if name in self.owners.vars and self.owners.is_owned(name) and not self.is_there(name):
            state.held[name] = Held(there)

    def is_there(self, name: str) -> bool:
        """Whether an array is on the device before the program starts."""
        return bool(self.there) and not self.there.isdisjoint(self.table.aliases.roots(self.owners.vars[name]))

    def block(self, region: Region, state: State) -> list[n.Statement]:
        """The statements of a block, with what moves their data; the state becomes that at its end."""
        statements: list[n.Statement] = []
        for position, statement in enumerate(region.block.statements):
            statements += self.statement(region, position, statement, state)
        return statements

    def statement(self, region: Region, position: int, statement: n.Statement, state: State) -> list[n.Statement]:
        """One statement, with what moves its data before and after."""
        if isinstance(statement, n.Launch):
            return self.launch(region, position, statement, state)
        if not any(isinstance(s, n.Launch) for inner in region.inner.get(position, ()) for s in walk(inner.block)):
            return self.host(region, position, statement, state)
        if isinstance(statement, n.If):
            return self.branch(region, position, statement, state)
        assert isinstance(statement, (n.For, n.While))
        return self.loop(region, position, statement, state)

    def host(self, region: Region, position: int, statement: n.Statement, state: State) -> list[n.Statement]:
        """A statement of the host, with all that is inside of it."""
        if isinstance(statement, n.If) and self.is_fault(statement):
            return self.branch(region, position, statement, state)
        location = getattr(statement, "location", UNKNOWN)
        found = self.host_footprint(region, position)
        touched = [state.held[name] for name in found.arrays if name in state.held]
        if isinstance(statement, n.If) and (self.handed(statement) or any(h.there or h.owed for h in touched)):
            return self.branch(region, position, statement, state)
        taken = set(self.carried(statement))
        whole = {name: (self.where(name, region).whole,) for name in taken}
        wanted = {name: (*found.reads.get(name, ()), *found.writes.get(name, ())) for name in found.arrays}
        wanted |= whole
        if any(state.held[name].owed for name in wanted if name in state.held):
            wanted |= self.soon_wanted(region, position, state)
        before = self.bring_home(wanted, region, state, location)
        if not state.sending.isdisjoint(found.writes):
            before += self.wait(state, location)
        for name, boxes in found.writes.items():
            held = state.held.get(name)
            if held is not None:
                state.held[name] = replace(held, there=self.spared(name, boxes, held, region), head=None)
        self.take_over(statement, region, state)
        return [*before, statement]

    def soon_wanted(self, region: Region, position: int, state: State) -> dict[str, Boxes]:
        """What the host is going to need in this block before a kernel does: one wait is enough for all of it."""
        found: dict[str, Boxes] = {}
        for name, held in state.held.items():
            touch = self.next_touch((*region.path, position), name) if held.owed else None
            if touch is None or touch.side != HOST or touch.path[: len(region.path)] != region.path:
                continue
            if not isinstance(region.block.statements[touch.path[len(region.path)]], n.If):
                found[name] = (self.where(name, region).whole,)
        return found

    def carried(self, statement: n.Statement) -> list[str]:
        """The owned arrays that a statement takes over, if it is a loop."""
        if not isinstance(statement, (n.For, n.While)):
            return []
        return [_name(statement.args[k].init) for k in self.owners.carried(statement)]

    def spared(self, name: str, written: Boxes, held: Held, region: Region) -> Boxes:
        """What is certainly current on the device still after others wrote boxes elsewhere."""
        where = self.where(name, region)
        return tuple(box for box in where.minus(held.there, written) if all(where.apart(box, w) for w in written))

    def take_over(self, statement: n.Statement, region: Region, state: State) -> None:
        """What becomes of arrays that a statement of the host makes or hands on."""
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc):
            name = statement.var.name
            is_new = statement.value.fill is None
            self.appear(name, state, (self.where(name, region).whole,) if is_new else ())
        if isinstance(statement, (n.For, n.While)):
            for place in self.owners.carried(statement):
                before = state.held.pop(_name(statement.args[place].init), Held())
                state.held[statement.results[place].name] = Held(placed=before.placed)

    def host_footprint(self, region: Region, position: int) -> Footprint:
        """What a statement of the host touches of owned arrays."""
        path = (*region.path, position)
        inside: list[Access] = []
        for k in range(bisect_left(self.paths, path), len(self.paths)):
            if self.paths[k][: len(path)] != path:
                break
            if self.is_outside(self.accesses[k], path):
                inside.append(self.accesses[k])
        return self.steady(footprints.of_accesses(self.table, inside, region), region)

    def is_outside(self, access: Access, path: Path) -> bool:
        """Whether the array of an access was there before the statement at a place."""
        definition = self.structure.definition(access.array)
        return definition.kind == "parameter" or (*definition.region.path, 0)[: len(path)] != path

    # ----------------------------------------------------------------------------------------------------- copies

    def move(
        self, name: str, boxes: Boxes, source: str, target: str, region: Region, location: Location, as_: str = ""
    ) -> list[n.Statement]:
        """Copies of boxes between memories; `as_` is what the array is called where they stand."""
        if self.dry:
            return []
        statements: list[n.Statement] = []
        array = self.owners.vars[as_ or name]
        for box in boxes:
            made, view = self.views.cut(array, box, self.where(array.name, region), location)
            statements += [*made, n.Copy(view, source, target, location)]
        return statements

    def reserve(self, name: str, state: State, location: Location) -> list[n.Statement]:
        """Make sure that an array has a place on the device."""
        held = state.held[name]
        if held.reserved:
            return []
        if held.origin is not None:
            self.needs.append(Need(held.origin, (), PLACE))
        state.held[name] = replace(held, reserved=True, placed=True)
        return [n.Reserve(self.owners.vars[name], self.device, location)]

    def send(self, name: str, boxes: Boxes, region: Region, state: State, location: Location) -> list[n.Statement]:
        """Make boxes current on the device."""
        statements = self.reserve(name, state, location)
        held, where = state.held[name], self.where(name, region)
        missing = where.minus(where.joined(boxes), held.there)
        if not missing:
            return statements
        if held.head is not None:
            self.needs.append(Need(held.head, missing, self.device))
        newer = [o for o in held.owed if not all(where.apart(o, m) for m in missing)]
        if newer:
            statements += self.bring_home({name: missing}, region, state, location)
        statements += self.move(name, missing, HOST, self.device, region, location)
        held = state.held[name]
        state.held[name] = replace(held, there=where.joined((*held.there, *missing)))
        state.sending |= {name}
        state.busy = True
        return statements

    def bring_home(
        self, wanted: Mapping[str, Boxes], region: Region, state: State, location: Location
    ) -> list[n.Statement]:
        """Make boxes current on the host."""
        statements: list[n.Statement] = []
        is_moved = False
        for name, boxes in wanted.items():
            held = state.held.get(name)
            if held is None or not held.owed:
                continue
            where = self.where(name, region)
            owed = tuple(o for o in held.owed if not all(where.apart(o, box) for box in boxes))
            if owed:
                if held.head is not None:
                    self.needs.append(Need(held.head, owed, HOST))
                self.be_sure(held, owed, where)
                statements += self.reserve(name, state, location)
                held = state.held[name]
                statements += self.move(name, owed, self.device, HOST, region, location)
                state.held[name] = replace(held, owed=tuple(o for o in held.owed if o not in owed))
                is_moved = True
        return [*statements, *self.wait(state, location)] if is_moved else []

    def be_sure(self, held: Held, owed: Boxes, where: Space) -> None:
        """See to it that the device has boxes for certain that it may owe: they are going to be copied from there."""
        unsure = where.minus(owed, held.there)
        if unsure and held.head is not None:
            self.needs.append(Need(held.head, unsure, self.device, True))
        elif unsure and held.origin is not None:
            self.needs.append(Need(held.origin, unsure, HOST, True))
        if unsure and not self.dry:
            raise Undecided

    def wait(self, state: State, location: Location) -> list[n.Statement]:
        """Wait for the device."""
        state.busy, state.sending = False, frozenset()
        return [n.Wait(self.device, location)]

    # ----------------------------------------------------------------------------------------------------- launches

    def launch(self, region: Region, position: int, launch: n.Launch, state: State) -> list[n.Statement]:
        """A launch, after what it needs."""
        found, location = self.launch_footprint(launch, region), launch.location
        statements: list[n.Statement] = []
        for name in found.arrays:
            if name in state.held:
                statements += self.send(name, found.reads.get(name, ()), region, state, location)
            elif not self.is_there(name):
                array = self.owners.vars[name]
                statements.append(n.Reserve(array, self.device, location))
                statements += self.move(name, found.reads.get(name, ()), HOST, self.device, region, location)
        if launch.results:
            for name, boxes in self.at_risk(found, region, state).items():
                self.be_sure(state.held[name], boxes, self.where(name, region))
                statements += self.move(name, boxes, self.device, self.saved, region, location)
        reads, writes = (self.cut_all(boxes, region, location, statements) for boxes in (found.reads, found.writes))
        statements.append(replace(launch, kernel=self.kernels[launch.kernel.name], reads=reads, writes=writes))
        state.busy = True
        if launch.results:
            state.busy, state.sending = False, frozenset()  # reading the flag waits
            return statements
        self.written(found, region, state)
        home = self.give_back(found, region, state, location)
        return [*statements, *home, *(self.wait(state, location) if home else ())]

    def cut_all(
        self, touched: Mapping[str, Boxes], region: Region, location: Location, statements: list[n.Statement]
    ) -> tuple[n.Var, ...]:
        """Views of all boxes."""
        views: list[n.Var] = []
        for name, boxes in touched.items() if not self.dry else ():
            for box in boxes:
                made, view = self.views.cut(self.owners.vars[name], box, self.where(name, region), location)
                statements += made
                views.append(view)
        return tuple(views)

    def written(self, found: Footprint, region: Region, state: State) -> None:
        """What is known after a kernel has written."""
        for name, boxes in found.writes.items():
            if name in state.held:
                where, held = self.where(name, region), state.held[name]
                there, owed = where.joined((*held.there, *boxes)), where.joined((*held.owed, *boxes))
                state.held[name] = replace(held, there=there, owed=owed)

    def give_back(self, found: Footprint, region: Region, state: State, location: Location) -> list[n.Statement]:
        """What happens to shared arrays after a launch: results go home, places are given back."""
        shared = [name for name in found.arrays if name not in state.held and not self.is_there(name)]
        statements: list[n.Statement] = []
        for name in shared:
            statements += self.move(name, found.writes.get(name, ()), self.device, HOST, region, location)
        return [*statements, *(n.Free(self.owners.vars[name], self.device, location) for name in shared)]

    def at_risk(self, found: Footprint, region: Region, state: State) -> dict[str, Boxes]:
        """What only the device has of the boxes that a kernel may spoil."""
        risky = {}
        for name, boxes in found.writes.items():
            if name in state.held:
                where = self.where(name, region)
                owed = state.held[name].owed
                risky[name] = tuple(o for o in owed if not all(where.apart(o, box) for box in boxes))
        return {name: boxes for name, boxes in risky.items() if boxes}

    def is_fault(self, branch: n.If) -> bool:
        """Whether a branch is taken when a kernel has failed."""
        condition = branch.condition
        definition = self.structure.definition(condition) if isinstance(condition, n.Var) else None
        return definition is not None and isinstance(definition.statement, n.Launch)

    # ----------------------------------------------------------------------------------------------------- branches

    def branch(self, region: Region, position: int, branch: n.If, state: State) -> list[n.Statement]:
        """A branch whose ways move data; after it, both agree on what is current."""
        then_region, else_region = region.inner[position]
        other = state.copy()
        path = (*region.path, position)
        then: list[n.Statement] = []
        orelse: list[n.Statement] = []
        after: list[n.Statement] = []
        rare = {True: state, False: other, None: None}[self.rarely(branch)]
        if self.is_fault(branch):
            then, orelse, after = self.after_fault(region, branch, state, other)
        ends: tuple[list[n.Statement], list[n.Statement]] = ([], [])
        ways = ((then_region, state, then), (else_region, other, orelse))
        for inner, own, made in ways:
            wanted = list(self.needs)
            made += self.block(inner, own)
            made += self.leave(inner, own, region, branch)
            given = {_name(inner.block.yields[k]): branch.results[k].name for k in self.handed(branch)}
            own.rename(given, self.extents_of)
            if own is rare:
                self.needs = wanted  # what is rarely needed is not moved beforehand
        self.meet(state, ends[0], other, ends[1], region, path, rare, branch.location)
        for (inner, _, made), end in zip(ways, ends, strict=True):
            names = {r.name: y for r, y in zip(branch.results, inner.block.yields, strict=True)}
            made += [substitute(s, names) for s in end]
        blocks = [replace(inner.block, statements=tuple(made)) for inner, _, made in ways]
        return [replace(branch, then=blocks[0], orelse=blocks[1]), *after]

    def handed(self, branch: n.If) -> list[int]:
        """The positions of a branch's results that are owned arrays."""
        views = (k for k, r in enumerate(branch.results) if isinstance(r.type, View))
        return [k for k in views if self.owners.is_owned(branch.results[k].name)]

    def rarely(self, branch: n.If) -> bool | None:
        """The value that a condition rarely has: that of the way which exists for what almost never happens.

        It is taken after a fault, or it is a nest as its bounds, or its independence, could not be proven: the same
        lines of the source as on the other way, with a flag or on the host.
        """
        if self.is_fault(branch):
            return True
        then, orelse = (
            {s.location: bool(s.results) for s in walk(block) if isinstance(s, n.Launch)}
            for block in (branch.then, branch.orelse)
        )
        lines = {s.location for s in walk(branch.orelse if then else branch.then) if isinstance(s, n.For)}
        if not orelse or not then:
            return bool(orelse) if lines & (then or orelse).keys() else None
        if then.keys() != orelse.keys() or all(then.values()) == all(orelse.values()):
            return None
        return all(then.values())

    def after_fault(
        self, region: Region, branch: n.If, failed: State, good: State
    ) -> tuple[list[n.Statement], list[n.Statement], list[n.Statement]]:
        """What the two ways after a kernel's flag start with, and what follows both.

        The failed one has on the host what the kernel found, also of what it was to write.
        """
        assert isinstance(branch.condition, n.Var)
        launch = self.structure.definition(branch.condition).statement
        assert isinstance(launch, n.Launch)
        found, location = self.launch_footprint(launch, region), branch.location
        restored: list[n.Statement] = []
        freed: list[n.Statement] = []
        for name, boxes in self.at_risk(found, region, failed).items():
            restored += self.move(name, boxes, self.saved, HOST, region, location)
            freed.append(n.Free(self.owners.vars[name], self.saved, location))
            held = failed.held[name]
            failed.held[name] = replace(held, owed=tuple(o for o in held.owed if o not in boxes))
        if restored:
            restored += self.wait(failed, location)
        for name, boxes in found.writes.items():
            if name in failed.held:
                held = failed.held[name]
                failed.held[name] = replace(held, there=self.spared(name, boxes, held, region), head=None)
        self.written(found, region, good)
        home = self.give_back(found, region, good, location)
        copies = [s for s in home if not isinstance(s, n.Free)]
        freed += [s for s in home if isinstance(s, n.Free)]
        return restored, [*copies, *(self.wait(good, location) if copies else ())], freed

    def leave(self, inner: Region, state: State, region: Region, branch: n.If) -> list[n.Statement]:
        """What happens to arrays of a way of a branch at its end, if it does not hand them on."""
        statements: list[n.Statement] = []
        kept = {_name(inner.block.yields[k]) for k in self.handed(branch)}
        for name in [name for name in state.held if self.structure.definition(name).region is inner]:
            if name not in kept:
                statements += self.drop(name, state, inner, branch.location)
        return statements

    def drop(self, name: str, state: State, region: Region, location: Location) -> list[n.Statement]:
        """The last of an array: what it owes an argument is paid, and its place is given back."""
        statements: list[n.Statement] = []
        if self.owners.may_be_parameter(name):
            statements += self.bring_home({name: (self.where(name, region).whole,)}, region, state, location)
        for other, held in state.held.items():
            lost = tuple(box for box in held.owed if name in _holders_in(box, self.owners))
            if lost and other != name:
                statements += self.bring_home({other: lost}, region, state, location)
            there = tuple(box for box in held.there if name not in _holders_in(box, self.owners))
            state.held[other] = replace(state.held[other], there=there)
        held = state.held.pop(name)
        return [*statements, n.Free(self.owners.vars[name], self.device, location)] if held.placed else statements

    def meet(
        self,
        state: State,
        then: list[n.Statement],
        other: State,
        orelse: list[n.Statement],
        region: Region,
        path: Path,
        rare: State | None,
        location: Location,
    ) -> None:
        """Make two states one, by copies at the ends of the two ways."""
        for mine, theirs, end in ((state, other, then), (other, state, orelse)):
            for name in [name for name in mine.held if name not in theirs.held]:
                end += self.drop(name, mine, region, location)
        for name in list(state.held):
            touch = self.next_touch(path, name)
            for mine, theirs, made in ((state, other, orelse), (other, state, then)):
                self.settle(name, mine, theirs, made, then if mine is state else orelse, region, touch, rare, location)
            a, b, where = state.held[name], other.held[name], self.where(name, region)
            both = [x for x in a.there if where.covers(b.there, (x,))]
            both += [x for x in b.there if where.covers(a.there, (x,))]
            state.held[name] = Held(
                where.joined(both),
                where.joined((*a.owed, *b.owed)),
                a.reserved and b.reserved,
                a.placed or b.placed,
                *_common_heads(a, b, rare is state, rare is other),
            )
        state.sending |= other.sending
        state.busy |= other.busy

    def settle(
        self,
        name: str,
        mine: State,
        theirs: State,
        their_end: list[n.Statement],
        my_end: list[n.Statement],
        region: Region,
        touch: Touch | None,
        rare: State | None,
        location: Location,
    ) -> None:
        """Give the other way what this one has on the device alone, or take it home."""
        where, held, other = self.where(name, region), mine.held[name], theirs.held[name]
        on_device = rare is theirs or (rare is None and touch is not None and touch.side == self.device)
        wanted = held.owed if touch is None else (*held.owed, *self.wanted_next(name, held, touch, where))
        if rare is None and touch is not None and touch.side == HOST and where.minus(held.owed, other.owed):
            my_end += self.bring_home({name: held.owed}, region, mine, location)  # the other way need not
            return
        owed = where.minus(where.minus(held.owed, other.owed), other.there)
        missing = where.minus(where.joined(wanted), other.there) if on_device else owed
        if not missing:
            return
        if on_device and all(where.apart(m, o) for m in missing for o in other.owed):
            their_end += self.send(name, missing, region, theirs, location)
        elif owed:
            my_end += self.bring_home({name: held.owed}, region, mine, location)

    def wanted_next(self, name: str, held: Held, touch: Touch, where: Space) -> Boxes:
        """What a launch that comes next needs of an array and finds on the device now."""
        return tuple(box for box in touch.boxes.get(name, ()) if where.covers(held.there, (box,)))

    # ----------------------------------------------------------------------------------------------------- loops

    def loop(self, region: Region, position: int, loop: n.For | n.While, state: State) -> list[n.Statement]:
        """A loop that launches: what all iterations need is moved before it."""
        places = self.owners.carried(loop)
        path = (*region.path, position)
        entered = {_name(loop.args[k].init): loop.args[k].var.name for k in places}
        before = {_name(loop.args[k].init): loop.results[k].name for k in places}
        skipped = state.copy()
        skipped.rename(before, self.extents_of)
        state.rename(entered, self.extents_of)
        head, spoilt = self.head_of(region, position, loop, state)
        prepared = self.prepare(state, head, {new: old for old, new in entered.items()}, region, loop.location)
        made = self.run(region, position, loop, state, spoilt)
        if isinstance(loop, n.While):
            return [*prepared, made]
        if self.certainly_runs(loop, region):
            return [*prepared, made]
        return self.if_it_runs(loop, [*prepared, made], state, skipped, region, path)

    def certainly_runs(self, loop: n.For, region: Region) -> bool:
        """Whether a loop is proven to run at least once."""
        trips = self.table.forms.of(loop.stop) - self.table.forms.of(loop.start)
        return self.table.ranges.nonnegative(trips - 1, region)

    def if_it_runs(
        self, loop: n.For, made: list[n.Statement], ran: State, skipped: State, region: Region, path: Path
    ) -> list[n.Statement]:
        """A loop with its copies, in a branch that is taken where it runs at all."""
        then, orelse = list(made), list[n.Statement]()
        self.meet(ran, then, skipped, orelse, region, path, None, loop.location)
        if not any(isinstance(s, (n.Copy, n.Reserve, n.Wait)) for s in (*then, *orelse)):
            return then
        renamings = {r.name: self.names.fresh(r.stem, r.type) for r in loop.results} if not self.dry else {}
        if self.dry:
            return then
        runs = self.names.fresh("runs", PYBOOL)
        then = [substitute(s, dict[str, n.Atom](renamings)) for s in then]
        inits = tuple(arg.init for arg in loop.args)
        skipped_values = {r.name: a for r, a in zip(loop.results, inits, strict=True)}
        orelse = [substitute(s, skipped_values) for s in orelse]
        return [
            n.Let(runs, n.Compare("lt", loop.start, loop.stop), loop.location),
            n.If(
                runs,
                n.Block(tuple(then), tuple(renamings.values())),
                n.Block(tuple(orelse), inits),
                loop.results,
                loop.location,
            ),
        ]

    def run(
        self, region: Region, position: int, loop: n.For | n.While, state: State, spoilt: frozenset[str]
    ) -> n.Statement:
        """The loop itself from a head that holds for all iterations; the state becomes that after it."""
        blocks: list[n.Block] = []
        regions = region.inner[position]
        places = self.owners.carried(loop)
        after_test = state
        for inner in regions:
            statements = self.block(inner, state)
            if inner is regions[-1]:
                statements += self.end_of_body(inner, loop, state, spoilt)
            else:
                after_test = state.copy()
            blocks.append(replace(inner.block, statements=tuple(statements)))
        if isinstance(loop, n.While):
            state.held, state.sending, state.busy = after_test.held, state.sending | after_test.sending, True
            state.rename({loop.args[k].var.name: loop.results[k].name for k in places}, self.extents_of)
            return replace(loop, condition=blocks[0], body=blocks[1])
        state.rename({_name(loop.body.yields[k]): loop.results[k].name for k in places}, self.extents_of)
        return replace(loop, body=blocks[0])

    def end_of_body(
        self, inner: Region, loop: n.For | n.While, state: State, spoilt: frozenset[str]
    ) -> list[n.Statement]:
        """What happens at the end of an iteration: arrays that are not handed on are dropped, others may go home."""
        kept = {_name(loop.body.yields[k]): loop.args[k].var.name for k in self.owners.carried(loop)}
        statements: list[n.Statement] = []
        for name in list(state.held):
            if self.structure.definition(name).region is inner and name not in kept:
                statements += self.drop(name, state, inner, loop.location)
            elif kept.get(name, name) in spoilt:
                whole = (self.where(name, inner).whole,)
                statements += self.bring_home({name: whole}, inner, state, loop.location)
        return statements

    def head_of(
        self, region: Region, position: int, loop: n.For | n.While, state: State
    ) -> tuple[dict[str, Held], frozenset[str]]:
        """What can hold at the start of every iteration, and the arrays that have to go home at the end of each.

        It starts from what holds before the loop and what the body asks for, and gives up what an iteration spoils.
        """
        inner = region.inner[position][-1]
        head = {name: replace(held, head=name, origin=name) for name, held in state.held.items()}
        refused: set[tuple[str, str, Box]] = set()
        spoilt: set[str] = set()
        for _ in range(MOST_ROUNDS):
            trial = State(dict(head), state.sending, state.busy)
            needs, self.needs = self.needs, []
            self.dry += 1
            self.run_once(region, position, loop, trial, frozenset(spoilt))
            self.dry -= 1
            needs, self.needs = self.needs, needs
            changed = False
            for name, held in list(head.items()):
                back = trial.held[name]
                new = self.inductive(name, head, back, inner, refused, needs)
                kept = new.owed if isinstance(loop, n.While) else back.owed
                self.cover(name, kept, new if isinstance(loop, n.While) else back, inner, needs, spoilt)
                new = replace(new, owed=()) if name in spoilt else new
                changed |= new != held
                head[name] = new
            state.sending |= trial.sending
            changed |= self.wish(head, needs, inner, refused, spoilt)
            if not changed:
                lost = {name for name in head if trial.held[name].head is None}
                return {k: replace(h, head=None if k in lost else k) for k, h in head.items()}, frozenset(spoilt)
        return {name: Held(placed=True) for name in head}, frozenset(head)

    def cover(self, name: str, owed: Boxes, held: Held, inner: Region, needs: list[Need], spoilt: set[str]) -> None:
        """See to it that what is owed when a loop ends can be copied home then."""
        unsure = self.where(name, inner).minus(owed, held.there)
        if unsure and held.head is not None:
            needs.append(Need(held.head, unsure, self.device, True))
        elif unsure:
            spoilt.add(name)

    def run_once(
        self, region: Region, position: int, loop: n.For | n.While, state: State, spoilt: frozenset[str]
    ) -> None:
        """One iteration; the state becomes that at the head of the next one."""
        regions = region.inner[position]
        for inner in regions:
            self.block(inner, state)
        self.end_of_body(regions[-1], loop, state, spoilt)
        handed = {_name(loop.body.yields[k]): loop.args[k].var.name for k in self.owners.carried(loop)}
        state.rename(handed, self.extents_of)

    def inductive(
        self,
        name: str,
        heads: dict[str, Held],
        back: Held,
        inner: Region,
        refused: set[tuple[str, str, Box]],
        needs: list[Need],
    ) -> Held:
        """What is known at the head, less what an iteration does not bring back.

        What is missing in an array that another one of the head has become is asked of that other one.
        """
        head, where = heads[name], self.where(name, inner)
        kept: list[Box] = []
        for box in head.there:
            missing = where.minus((box,), back.there)
            source = heads.get(back.head or "")
            if not missing:
                kept.append(box)
            elif back.head and source and (back.head, self.device, where.whole) not in refused:
                if where.covers(source.there, missing):
                    refused.add((name, self.device, box))
                else:
                    needs.append(Need(back.head, self.simple(back.head, missing, inner), self.device))
                    kept.append(box)
            else:
                refused.add((name, self.device, box))
        owed = where.joined((*head.owed, *back.owed))
        if owed != head.owed:
            refused.update((name, HOST, box) for box in owed)
        reserved = head.reserved and back.reserved
        return Held(where.joined(kept), owed, reserved, head.placed or back.placed, name, name)

    def simple(self, name: str, boxes: Boxes, inner: Region) -> Boxes:
        """The boxes, or all of the array where these are many, or where they depend on the extents of other arrays."""
        where = self.where(name, inner)
        own = {name for form in where.extents for name in form.names}
        if len(boxes) <= MOST_STRIPS and all(_holders_in(box, self.owners) <= own for box in boxes):
            return boxes
        return (where.whole,)

    def wish(
        self,
        head: dict[str, Held],
        needs: Sequence[Need],
        inner: Region,
        refused: set[tuple[str, str, Box]],
        spoilt: set[str],
    ) -> bool:
        """Add to the head what the body asks for; whether anything was added."""
        changed = False
        for need in needs:
            held, where = head.get(need.head), self.where(need.head, inner) if need.head in head else None
            if held is None or where is None:
                continue
            new = held
            if need.side == PLACE:
                new = replace(held, reserved=True, placed=True)
            at_head = head.keys() | self.fixed
            known = (box if _holders_in(box, self.owners) <= at_head else where.whole for box in need.boxes)
            wanted = tuple(known)
            boxes = tuple(box for box in wanted if (need.head, need.side, box) not in refused)
            if need.is_debt and (need.side == HOST or len(boxes) < len(wanted)) and need.head not in spoilt:
                spoilt.add(need.head)
                changed = True
            if need.side == self.device:
                new = replace(held, there=where.joined((*held.there, *boxes)))
            elif need.side == HOST:
                new = replace(held, owed=tuple(box for box in held.owed if box not in boxes))
            changed |= new != held
            head[need.head] = new
        return changed

    def prepare(
        self, state: State, head: dict[str, Held], before: Mapping[str, str], region: Region, location: Location
    ) -> list[n.Statement]:
        """The copies before a loop that make its head true; the state becomes that of the head."""
        statements: list[n.Statement] = []
        homes: list[n.Statement] = []
        for name, wanted in head.items():
            held = state.held[name]
            where = self.where(name, region)
            if wanted.reserved and not held.reserved:
                old = self.owners.vars[before.get(name, name)]
                statements.append(n.Reserve(old, self.device, location))
                self.ask(held, (), PLACE, before)
            missing = where.minus(wanted.there, held.there)
            home = tuple(box for box in held.owed if not where.covers(wanted.owed, (box,)))
            if not all(where.apart(m, o) for m in missing for o in held.owed):
                home = held.owed
            homes += self.move_before(name, home, self.device, HOST, before, region, location)
            statements += self.move_before(name, missing, HOST, self.device, before, region, location)
            self.ask(held, home, HOST, before)
            self.ask(held, missing, self.device, before)
            is_same = name not in before
            state.held[name] = replace(
                wanted,
                placed=wanted.placed or held.placed,
                head=held.head if is_same and wanted.head is not None else None,
                origin=held.origin if is_same else None,
            )
            if missing:
                state.sending |= {name}
                state.busy = True
        return [*homes, *(self.wait(state, location) if homes else ()), *statements]

    def ask(self, held: Held, boxes: Boxes, side: str, before: Mapping[str, str]) -> None:
        """Tell the loop around what one inside of it needs."""
        asked = held.origin if side == PLACE else held.head
        if asked is not None and (boxes or side == PLACE):
            self.needs.append(Need(asked, renamed(boxes, before, self.extents_of), side))

    def move_before(
        self,
        name: str,
        boxes: Boxes,
        source: str,
        target: str,
        before: Mapping[str, str],
        region: Region,
        location: Location,
    ) -> list[n.Statement]:
        """Copies before a loop, where its arrays still have their old names."""
        old = before.get(name, name)
        return self.move(old, renamed(boxes, before, self.extents_of), source, target, region, location)

    # ----------------------------------------------------------------------------------------------------- the end

    def finish(self, state: State) -> list[n.Statement]:
        """The end of the program: the caller's arrays are current, and all places are given back."""
        root, location = self.structure.root, self.program.location
        returned = {
            self.owners.handle(atom)
            for atom in root.block.yields
            if isinstance(atom, n.Var) and isinstance(atom.type, View)
        }
        due = {
            name: (self.where(name, root).whole,)
            for name in state.held
            if name in returned or self.owners.may_be_parameter(name)
        }
        home = self.bring_home(due, root, state, location)
        freed = [
            n.Free(self.owners.vars[name], self.device, location) for name, held in state.held.items() if held.placed
        ]
        # The host's arrays must have been read and written; for those on the device the runtime orders what follows.
        waits = [n.Wait(self.device, location)] if home or state.sending else []
        return [*(s for s in home if not isinstance(s, n.Wait)), *freed, *waits]


def _common_heads(a: Held, b: Held, a_is_rare: bool, b_is_rare: bool) -> tuple[str | None, str | None]:
    """The head and the origin of an array after two ways; a rare one makes good what it changes."""
    head = b.head if a_is_rare else a.head if b_is_rare or a.head == b.head else None
    return head, a.origin if a.origin == b.origin else None


def _with_few_waits(block: n.Block) -> n.Block:
    """The block without waits that another one follows before anything but copies home and arithmetic happens."""
    kept: list[n.Statement] = []
    is_awaited = False
    for statement in reversed(block.statements):
        if isinstance(statement, n.Wait) and is_awaited:
            continue
        is_passive = isinstance(statement, (n.Reserve, n.Free, n.Wait)) or _is_harmless(statement)
        is_awaited = is_passive and (is_awaited or isinstance(statement, n.Wait))
        if not isinstance(statement, n.Launch):
            statement = with_blocks(statement, tuple(map(_with_few_waits, blocks_of(statement))))
        kept.append(statement)
    return replace(block, statements=tuple(reversed(kept)))


def _is_harmless(statement: n.Statement) -> bool:
    """Whether a statement neither reads nor writes the host's elements."""
    if isinstance(statement, n.Copy):
        return statement.target == HOST
    return isinstance(statement, n.Let) and not isinstance(statement.value, (n.Load, n.Alloc))


def _holders_in(box: Box, owners: Owners) -> frozenset[str]:
    """The arrays whose extents the sides of a box depend on."""
    names = frozenset().union(*(form.names for side in box for form in (side.low, side.stop)))
    return names & owners.vars.keys()


def _name(atom: n.Atom) -> str:
    assert isinstance(atom, n.Var)
    return atom.name
