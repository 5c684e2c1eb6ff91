"""Puts the data of launches where it is needed: memory on the device, copies, waits.

The program is run in the mind, block by block, knowing of every array which boxes are certainly current on the device
and which may be newer there than on the host. A copy is made where somebody needs what is not current: none where
producer and consumer are on the same side. What a loop needs and does not spoil is copied before it; a loop's copies
stand in a branch that is taken only if it runs at all. Where two ways meet, the rarer one pays for the difference.

A kernel's results come home when the host needs them, or when the program ends, however it ends: the runtime remembers
what it owes the caller's arrays and pays before an exception is raised. A kernel that may raise spoils what it writes;
what only the device has of that is kept beside it until the kernel is known to be good, for the host to start again.

Every plan is proven before it is taken (`check`); one that is not gives way to copies around every launch, as for
shared arrays (see `owners`).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace

from weft.analysis.structure import Region
from weft.ir import nodes as n
from weft.ir.location import UNKNOWN
from weft.ir.memories import HOST
from weft.ir.types import View
from weft.ir.visit import Names, walk
from weft.plan.branches import Branches
from weft.plan.check import is_proven
from weft.plan.early import Early
from weft.plan.footprints import Footprint
from weft.plan.knowledge import Held, State, Undecided
from weft.plan.loops import Loops
from weft.plan.moves import Moves
from weft.plan.regions import Boxes
from weft.plan.touches import Touches, name_of
from weft.plan.waits import with_few_waits

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
    if not any(isinstance(s, n.Launch) for s in walk(program.body)):
        return program
    try:
        placed = replace(program, body=_Mover(program, device, launches, there, naive).body())
    except Undecided:
        placed = None
    if placed is not None and (naive or is_proven(placed, there)):
        return placed
    log.info("what %s moves is not proven to be enough: every launch gets its arrays and gives them back", program.name)
    return replace(program, body=_Mover(program, device, launches, there, True).body())


class _Mover:
    def __init__(
        self, program: n.Program, device: str, launches: Mapping[str, Footprint], there: frozenset[str], naive: bool
    ) -> None:
        self.program = program
        self.naive = naive
        names = Names.of(program)
        self.touches = Touches(program, device, launches, there, naive)
        self.moves = Moves(self.touches, names)
        self.branches = Branches(self.touches, self.moves, self.block)
        self.loops = Loops(program, self.touches, self.moves, self.branches, names, self.block)
        self.kernels = {s.kernel.name: s.kernel for s in walk(program.body) if isinstance(s, n.Launch)}

    def body(self) -> n.Block:
        """The program's body with what moves its data."""
        state = State()
        for param in self.program.params:
            self.appear(param.var.name, state)
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
        return early.statements

    def begin_home(self, region: Region, position: int, statement: n.Statement, state: State) -> list[n.Statement]:
        """Copies of what a statement's kernels wrote, and the host certainly needs before it changes again."""
        launches = [s for s in walk(n.Block((statement,))) if isinstance(s, n.Launch)]
        if not launches or (launches == [statement] and launches[0].results):
            return []  # what a kernel that may raise leaves is known behind the branch that its flag decides
        location, made = getattr(statement, "location", UNKNOWN), list[n.Statement]()
        for name, held in list(state.held.items()):
            where = self.touches.where(name, region)
            is_sure = held.owed and held.reserved and not where.minus(held.owed, held.there)
            if is_sure and self.touches.is_due(region, position, name, held.owed):
                made += self.moves.start_home(name, region, state, location)
        return made

    def statement(self, region: Region, position: int, statement: n.Statement, state: State) -> list[n.Statement]:
        """One statement, with what moves its data before and after."""
        if isinstance(statement, n.Launch):
            return self.launch(region, position, statement, state)
        if not any(isinstance(s, n.Launch) for inner in region.inner.get(position, ()) for s in walk(inner.block)):
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
        whole = {name: (self.touches.where(name, region).whole,) for name in taken}
        wanted = {name: (*found.reads.get(name, ()), *found.writes.get(name, ())) for name in found.arrays}
        wanted |= whole
        if any(state.held[name].owed for name in wanted if name in state.held):
            wanted |= self.soon_wanted(region, position, state)
        before = self.moves.bring_home(wanted, region, state, location)
        before += self.moves.await_home({*found.arrays, *taken}, state, location)
        if not state.sending.isdisjoint(found.writes):
            sent = [name for name in state.sending if name in state.held or name in found.writes]
            before += self.moves.wait(state, location, sent)
        for name, boxes in found.writes.items():
            held = state.held.get(name)
            if held is not None:
                state.held[name] = replace(held, there=self.moves.spared(name, boxes, held, region), head=None)
        self.take_over(statement, region, state)
        return [*before, statement]

    def soon_wanted(self, region: Region, position: int, state: State) -> dict[str, Boxes]:
        """What the host is going to need in this block before a kernel does: one wait is enough for all of it."""
        found: dict[str, Boxes] = {}
        for name, held in state.held.items():
            touch = self.touches.next_touch((*region.path, position), name) if held.owed else None
            if touch is None or touch.side != HOST or touch.path[: len(region.path)] != region.path:
                continue
            if not isinstance(region.block.statements[touch.path[len(region.path)]], n.If):
                found[name] = (self.touches.where(name, region).whole,)
        return found

    def take_over(self, statement: n.Statement, region: Region, state: State) -> None:
        """What becomes of arrays that a statement of the host makes or hands on."""
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc):
            name = statement.var.name
            is_new = statement.value.fill is None
            self.appear(name, state, (self.touches.where(name, region).whole,) if is_new else ())
        if isinstance(statement, (n.For, n.While)):
            for place in self.touches.owners.carried(statement):
                before = state.held.pop(name_of(statement.args[place].init), Held())
                state.held[statement.results[place].name] = Held(placed=before.placed)

    def launch(self, region: Region, position: int, launch: n.Launch, state: State) -> list[n.Statement]:
        """A launch, after what it needs."""
        found, location = self.touches.launch_footprint(launch, region), launch.location
        statements: list[n.Statement] = []
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
        statements.append(replace(launch, kernel=self.kernels[launch.kernel.name], reads=reads, writes=writes))
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
            if name in returned or self.touches.owners.may_be_parameter(name)
        }
        home = self.moves.bring_home(due, root, state, location)
        freed = [
            n.Free(self.touches.owners.vars[name], self.touches.device, location)
            for name, held in state.held.items()
            if held.placed
        ]
        # The host's arrays must have been read and written; for those on the device the runtime orders what follows.
        is_moving = home or state.sending or state.homing
        waits = [n.Wait(self.touches.device, location=location)] if is_moving else []
        return [*(s for s in home if not isinstance(s, n.Wait)), *freed, *waits]
