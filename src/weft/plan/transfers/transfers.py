"""Puts the data of launches where it is needed: memory on the device, copies, waits.

The program is run in the mind, block by block, knowing of every array which boxes are certainly current on the device
and which may be newer there than on the host. A copy is made where somebody needs what is not current: none where
producer and consumer are on the same side. What a loop needs and does not spoil is copied before it; a loop's copies
stand in a branch that is taken only if it runs at all. Where two ways meet, the rarer one pays for the difference.

A kernel's results come home when the host needs them, or when the program ends, however it ends: the runtime remembers
what it owes the caller's arrays and pays before an exception is raised. A kernel that may raise spoils what it writes;
what only the device has of that is kept beside it until the kernel is known to be good, for the host to start again.

Every plan is proven before it is taken (`check`); one that is not gives way to copies around every launch, as for
shared arrays (see `owners`). Then iterations of loops overlap (`pipelining`), where that is proven, too.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace

from weft.analysis.access.access import table as access_table
from weft.analysis.access.structure import Region
from weft.ir import nodes as n
from weft.ir.location import UNKNOWN
from weft.ir.reference.memories import HOST
from weft.ir.types import View
from weft.ir.visit import Names, launches_in, rewrite
from weft.plan.overlap.pipelining import pipelined
from weft.plan.transfers.branches import Branches
from weft.plan.transfers.check import is_proven
from weft.plan.transfers.effects import Touches, name_of
from weft.plan.transfers.footprints import Footprint
from weft.plan.transfers.hoist_copies import Early
from weft.plan.transfers.knowledge import Held, State, Undecided
from weft.plan.transfers.loops import Loops
from weft.plan.transfers.memory_spaces import without_kernels
from weft.plan.transfers.merge_waits import with_few_waits
from weft.plan.transfers.moves import Moves, Part
from weft.plan.transfers.regions import Boxes

log = logging.getLogger(__name__)


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
    if not any(launches_in(program.body)) and not guests_of(program):
        return program
    bare = without_kernels(program)  # of which nothing but the names has to be known here
    names = Names.of(program)
    if guests_of(bare):
        bare = without_guests(bare) if naive else _with_followed(bare, device, launches, there)
    placed = _proven(bare, names, device, launches, there, naive)
    if placed is None and guests_of(bare):
        log.info("what %s moves is not proven to be enough: arrays on %s come home whole", program.name, device)
        bare, names = without_guests(bare), Names.of(program)
        placed = _proven(bare, names, device, launches, there, naive)
    if placed is not None:
        placed = _with_kernels(placed, program)
        ahead = placed if naive else pipelined(placed, device, there)
        return ahead if ahead is placed or is_proven(ahead, there) else placed
    log.info("what %s moves is not proven to be enough: every launch gets its arrays and gives them back", program.name)
    bare = without_guests(bare)
    moved = _Mover(bare, Names.of(program), device, launches, there, True).body()
    return _with_kernels(replace(bare, body=moved), program)


def _with_kernels(placed: n.Program, program: n.Program) -> n.Program:
    """A placed program with the kernels of another one in place of those of the same names."""
    kernels = {s.kernel.name: s.kernel for s in launches_in(program.body)}

    def change(statement: n.Statement) -> n.Statement:
        if not isinstance(statement, n.Launch):
            return statement
        return replace(statement, kernel=kernels[statement.kernel.name])

    return replace(placed, body=rewrite(placed.body, change))


def _proven(
    program: n.Program, names: Names, device: str, launches: Mapping[str, Footprint], there: frozenset[str], naive: bool
) -> n.Program | None:
    """The program with what moves its data, if that is proven to be enough; the naive way is."""
    try:
        placed = replace(program, body=_Mover(program, names, device, launches, there, naive).body())
    except Undecided:
        return None
    return placed if naive or is_proven(placed, there) else None


def guests_of(program: n.Program) -> tuple[n.Param, ...]:
    """The arrays that are current on a device before the program starts, and are to be so at its end."""
    return tuple(param for param in program.params if param.home != HOST)


def launched(program: n.Program) -> frozenset[str]:
    """Names of the parameters whose arrays launches may touch."""
    aliases = access_table(without_kernels(program)).aliases
    launches = launches_in(program.body)
    views = (v for launch in launches for v in launch.operands if isinstance(v, n.Var) and isinstance(v.type, View))
    roots = frozenset(root for view in views for root in aliases.roots(view))
    return roots.intersection(param.var.name for param in program.params)


def without_guests(program: n.Program, names: frozenset[str] | None = None) -> n.Program:
    """The program that takes some of these arrays, by default all, from the host."""
    params = (replace(p, home=HOST) if names is None or p.var.name in names else p for p in program.params)
    return replace(program, params=tuple(params))


def _with_followed(
    program: n.Program, device: str, launches: Mapping[str, Footprint], there: frozenset[str]
) -> n.Program:
    """The program whose guests are those that it is known where they are, and of which parts are of use."""
    touches = Touches(program, device, launches, there, False)
    names = (p.var.name for p in guests_of(program))
    others = {name for name in names if not touches.owners.is_followed(name) or not touches.has_parts(name)}
    groups = {touches.owners.group(name) for name in others}
    return without_guests(program, frozenset(p for p in touches.owners.vars if touches.owners.group(p) in groups))


class _Mover:
    def __init__(
        self,
        program: n.Program,
        names: Names,
        device: str,
        launches: Mapping[str, Footprint],
        there: frozenset[str],
        naive: bool,
    ) -> None:
        self.program = program
        self.naive = naive
        self.touches = Touches(program, device, launches, there, naive)
        self.moves = Moves(self.touches, names)
        self.branches = Branches(self.touches, self.moves, self.block)
        self.loops = Loops(program, self.touches, self.moves, self.branches, names, self.block)

    def body(self) -> n.Block:
        """The program's body with what moves its data."""
        state = State()
        for param in self.program.params:
            self.appear(param.var.name, state)
            if param.home != HOST:
                whole = (self.touches.where(param.var.name, self.touches.structure.root).whole,)
                state.held[param.var.name] = Held(whole, whole, reserved=True)
        statements = self.block(self.touches.structure.root, state)
        statements += self.finish(state)
        return with_few_waits(replace(self.program.body, statements=tuple(statements)))

    def appear(self, name: str, state: State, there: Boxes = ()) -> None:
        """An array comes into being."""
        if name in self.touches.owners.vars and self.touches.owners.is_owned(name) and not self.touches.is_there(name):
            state.held[name] = Held(there)

    def block(self, region: Region, state: State) -> list[n.Statement]:
        """The statements of a block, with what moves their data; the state becomes that at its end."""
        early = Early(self.touches, region, self.naive)
        for position, statement in enumerate(region.block.statements):
            made = self.statement(region, position, statement, state)
            early.add([*made, *self.begin_home(region, position, statement, state)], position)
        return [*early.statements, *self.moves.pay(region, state)]

    def begin_home(self, region: Region, position: int, statement: n.Statement, state: State) -> list[n.Statement]:
        """Copies of what a statement's kernels wrote, and the host certainly needs before it changes again."""
        launches = list(launches_in(n.Block((statement,))))
        if not launches or (launches == [statement] and launches[0].results):
            return []  # what a kernel that may raise leaves is known behind the branch that its flag decides
        location, made = getattr(statement, "location", UNKNOWN), list[n.Statement]()
        for name, held in list(state.held.items()):
            where = self.touches.where(name, region)
            is_sure = held.owed and held.reserved and not where.minus(held.owed, held.there)
            if is_sure and self.touches.is_due(region, position, name, held.owed):
                is_all = self.touches.is_due(region, position, name, held.owed, True)
                wanted = () if is_all else self.touches.needed_at_home(region, position + 1, name, position + 1)
                if wanted is not None:
                    made += self.moves.start_home(name, wanted or held.owed, region, state, location)
        return made

    def statement(self, region: Region, position: int, statement: n.Statement, state: State) -> list[n.Statement]:
        """One statement, with what moves its data before and after."""
        if isinstance(statement, n.Launch):
            return self.launch(region, position, statement, state)
        if not any(any(launches_in(inner.block)) for inner in region.inner.get(position, ())):
            return self.host(region, position, statement, state)
        if isinstance(statement, n.If):
            return self.branches.branch(region, position, statement, state)
        assert isinstance(statement, (n.For, n.While))
        return self.loops.loop(region, position, statement, state)

    def host(self, region: Region, position: int, statement: n.Statement, state: State) -> list[n.Statement]:
        """A statement of the host, with all that is inside of it."""
        if isinstance(statement, n.If) and self.touches.is_fault(statement):
            return self.branches.branch(region, position, statement, state)
        location = getattr(statement, "location", UNKNOWN)
        found = self.touches.host_footprint(region, position)
        touched = [state.held[name] for name in found.arrays if name in state.held]
        if isinstance(statement, n.If) and (self.touches.handed(statement) or any(h.there or h.owed for h in touched)):
            return self.branches.branch(region, position, statement, state)
        taken = set(self.touches.carried(statement))
        handed_on = {name: (self.touches.where(name, region).whole,) for name in taken}
        wanted = {name: (*found.reads.get(name, ()), *found.writes.get(name, ())) for name in found.arrays}
        wanted |= handed_on
        parts = self.parts(region, position, wanted, found, state)
        wanted |= {name: () for name in parts if name not in wanted}
        before = self.moves.bring_home(wanted, region, state, location, parts)
        before += self.moves.await_home({*found.arrays, *taken}, state, location)
        if not state.sending.isdisjoint(found.writes):
            sent = [name for name in state.sending if name in state.held or name in found.writes]
            before += self.moves.wait(state, location, sent)
        before += self.moves.note_debts({**found.writes, **handed_on}, region, state, location)
        after = self.written_at_home(found, region, state)
        self.take_over(statement, region, state)
        return [*before, statement, *after]

    def written_at_home(self, found: Footprint, region: Region, state: State) -> list[n.Statement]:
        """What is known after the host has written; of guests, what cannot be told apart is sent at once."""
        statements: list[n.Statement] = []
        for name, boxes in found.writes.items():
            held = state.held.get(name)
            if held is None:
                continue
            where = self.touches.where(name, region)
            there = self.moves.spared(name, boxes, held, region)
            if all(where.apart(owed, box) for owed in held.owed for box in boxes):
                state.held[name] = replace(held, there=there, head=None)
            else:
                assert self.touches.owners.is_guest(name)
                statements += self.moves.pay(region, state, [name])
                state.held[name] = replace(held, head=None)
        return statements

    def parts(
        self, region: Region, position: int, wanted: Mapping[str, Boxes], found: Footprint, state: State
    ) -> dict[str, Part]:
        """How much of each array comes home where the host wants boxes of some.

        What the host needs of others before a kernel does comes with it: one wait is enough.
        """
        owed = {name for name, held in state.held.items() if held.owed}
        soon = self.soon_wanted(region, position, state) if not owed.isdisjoint(wanted) else {}
        parts: dict[str, Part] = {}
        for name in [name for name in state.held if name in owed and (name in wanted or name in soon)]:
            is_all = self.touches.is_due(region, position, name, state.held[name].owed, True)
            stays = name not in found.writes or self.touches.owners.is_guest(name)
            next_ = soon.get(name, ())
            parts[name] = Part(not is_all, state.held[name].owed if is_all and next_ else next_, stays)
        return parts

    def soon_wanted(self, region: Region, position: int, state: State) -> dict[str, Boxes]:
        """What the host is going to need in this block before a kernel does."""
        found: dict[str, Boxes] = {}
        for name, held in state.held.items():
            touch = self.touches.next_touch((*region.path, position), name) if held.owed else None
            if touch is None or touch.side != HOST or touch.path[: len(region.path)] != region.path:
                continue
            if not isinstance(region.block.statements[touch.path[len(region.path)]], n.If):
                boxes = self.touches.needed_at_home(region, position + 1, name, position)
                if boxes:
                    found[name] = boxes
        return found

    def take_over(self, statement: n.Statement, region: Region, state: State) -> None:
        """What becomes of arrays that a statement of the host makes or hands on."""
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc):
            name = statement.var.name
            is_new = statement.value.fill is None
            self.appear(name, state, (self.touches.where(name, region).whole,) if is_new else ())
        if isinstance(statement, (n.For, n.While)):
            carried = self.touches.owners.carried(statement)
            debts = [state.owing.pop(name_of(statement.args[place].init), None) for place in carried]
            for place in carried:
                name = statement.results[place].name
                before = state.held.pop(name_of(statement.args[place].init), Held())
                state.held[name] = Held(reserved=self.touches.owners.is_guest(name), placed=before.placed)
                if any(debts):  # any of them may be this one now
                    state.owing[name] = (self.touches.where(name, region).whole,), statement.location

    def launch(self, region: Region, position: int, launch: n.Launch, state: State) -> list[n.Statement]:
        """A launch, after what it needs."""
        found, location = self.touches.launch_footprint(launch, region), launch.location
        statements = self.moves.pay(region, state, found.arrays)
        for name in found.arrays:
            if name in state.held:
                statements += self.moves.send(name, found.reads.get(name, ()), region, state, location)
            elif not self.touches.is_there(name):
                array = self.touches.owners.vars[name]
                statements.append(n.Reserve(array, self.touches.device, location))
                statements += self.moves.move(
                    name, found.reads.get(name, ()), HOST, self.touches.device, region, location
                )
        if launch.results:
            for name, boxes in self.moves.at_risk(found, region, state).items():
                self.moves.be_sure(state.held[name], boxes, self.touches.where(name, region))
                statements += self.moves.move(name, boxes, self.touches.device, self.moves.saved, region, location)
        reads, writes = (
            self.moves.cut_all(boxes, region, location, statements) for boxes in (found.reads, found.writes)
        )
        statements.append(replace(launch, reads=reads, writes=writes))
        if launch.results:
            state.sending = frozenset()  # reading the flag waits
            return statements
        self.moves.written(found, region, state)
        home = self.moves.give_back(found, region, state, location)
        return [*statements, *home, *(self.moves.wait(state, location) if home else ())]

    def finish(self, state: State) -> list[n.Statement]:
        """The end of the program: the caller's arrays are current, and all places are given back."""
        root, location = self.touches.structure.root, self.program.location
        returned = {
            self.touches.owners.handle(atom)
            for atom in root.block.yields
            if isinstance(atom, n.Var) and isinstance(atom.type, View)
        }
        due = {
            name: (self.touches.where(name, root).whole,)
            for name in state.held
            if (name in returned or self.touches.owners.may_be_parameter(name))
            and not self.touches.owners.is_guest(name)
        }
        home = self.moves.bring_home(due, root, state, location)
        for name in [name for name in state.held if self.touches.owners.is_guest(name)]:
            home += self.moves.return_guest(name, root, state, location)
        freed = [
            n.Free(self.touches.owners.vars[name], self.touches.device, location)
            for name, held in state.held.items()
            if held.placed
        ]
        # The host's arrays must have been read and written; for those on the device the runtime orders what follows.
        is_moving = home or state.sending or state.homing
        waits = [n.Wait(self.touches.device, location=location)] if is_moving else []
        return [*(s for s in home if not isinstance(s, n.Wait)), *freed, *waits]
