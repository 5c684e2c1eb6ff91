"""Branches whose ways move data, and what is current where two ways meet: the rarer one pays for the difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from weft.analysis.access.structure import Path, Region
from weft.analysis.values.linear import ZERO
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.reference.memories import HOST
from weft.ir.visit import launches_in, substitute, walk
from weft.plan.transfers.effects import Touch, Touches, name_of
from weft.plan.transfers.knowledge import Held, State
from weft.plan.transfers.moves import Moves
from weft.plan.transfers.regions import Boxes, Side, Space

Blocks = Callable[[Region, State], list[n.Statement]]
"""What puts the data of a block where it is needed; the state becomes that at its end."""


class Branches:
    """The branches of a program.

    Parameters
    ----------
    touches, moves
        What is touched, and what moves it.
    block
        What treats the blocks inside.
    """

    def __init__(self, touches: Touches, moves: Moves, block: Blocks) -> None:
        self.touches = touches
        self.moves = moves
        self.block = block

    def branch(self, region: Region, position: int, branch: n.If, state: State) -> list[n.Statement]:
        """A branch whose ways move data; after it, both agree on what is current."""
        then_region, else_region = region.inner[position]
        paid = self.moves.pay(region, state)
        other = state.copy()
        path = (*region.path, position)
        then: list[n.Statement] = []
        orelse: list[n.Statement] = []
        after: list[n.Statement] = []
        rare = {True: state, False: other, None: None}[self.rarely(branch)]
        if self.touches.is_fault(branch):
            then, orelse, after = self.after_fault(region, branch, state, other)
        ends: tuple[list[n.Statement], list[n.Statement]] = ([], [])
        ways = ((then_region, state, then), (else_region, other, orelse))
        for inner, own, made in ways:
            wanted = list(self.moves.needs)
            made += self.block(inner, own)
            made += self.leave(inner, own, region, branch)
            given = {name_of(inner.block.yields[k]): branch.results[k].name for k in self.touches.handed(branch)}
            made += self.leave_names(inner, own, given, branch.location)
            own.rename(given, self.touches.extents_of)
            if own is rare:
                self.moves.needs = wanted  # what is rarely needed is not moved beforehand
        self.meet(state, ends[0], other, ends[1], region, path, rare, branch.location)
        for (inner, _, made), end in zip(ways, ends, strict=True):
            names = {r.name: y for r, y in zip(branch.results, inner.block.yields, strict=True)}
            made += [substitute(s, names) for s in end]
        blocks = [replace(inner.block, statements=tuple(made)) for inner, _, made in ways]
        return [*paid, replace(branch, then=blocks[0], orelse=blocks[1]), *after]

    def rarely(self, branch: n.If) -> bool | None:
        """The value that a condition rarely has: that of the way which exists for what almost never happens.

        It is taken after a fault, or it is a nest as its bounds, or its independence, could not be proven: the same
        lines of the source as on the other way, with a flag or on the host.
        """
        if self.touches.is_fault(branch):
            return True
        then, orelse = (
            {s.location: bool(s.results) for s in launches_in(block)} for block in (branch.then, branch.orelse)
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
        launch = self.touches.structure.definition(branch.condition).statement
        assert isinstance(launch, n.Launch)
        found, location = self.touches.launch_footprint(launch, region), branch.location
        restored: list[n.Statement] = []
        freed: list[n.Statement] = []
        for name, boxes in self.moves.at_risk(found, region, failed).items():
            restored += self.moves.move(name, boxes, self.moves.saved, HOST, region, location)
            freed.append(n.Free(self.touches.owners.vars[name], self.moves.saved, location))
            held = failed.held[name]
            failed.held[name] = replace(held, owed=tuple(o for o in held.owed if o not in boxes))
        if restored:
            restored += self.moves.wait(failed, location)
        for name, boxes in found.writes.items():
            if name in failed.held:
                held = failed.held[name]
                failed.held[name] = replace(held, there=self.moves.spared(name, boxes, held, region), head=None)
        self.moves.written(found, region, good)
        home = self.moves.give_back(found, region, good, location)
        copies = [s for s in home if not isinstance(s, n.Free)]
        freed += [s for s in home if isinstance(s, n.Free)]
        return restored, [*copies, *(self.moves.wait(good, location) if copies else ())], freed

    def leave(self, inner: Region, state: State, region: Region, branch: n.If) -> list[n.Statement]:
        """What happens to arrays of a way of a branch at its end, if it does not hand them on."""
        statements: list[n.Statement] = []
        kept = {name_of(inner.block.yields[k]) for k in self.touches.handed(branch)}
        for name in [name for name in state.held if self.touches.structure.definition(name).region is inner]:
            if name not in kept:
                statements += self.moves.drop(name, state, inner, branch.location)
        return statements

    def leave_names(
        self, inner: Region, state: State, given: Mapping[str, str], location: Location
    ) -> list[n.Statement]:
        """Boxes whose sides are numbers of this way alone: the whole array where all of it is there, else they go home.

        `given` are the names that arrays have afterwards.
        """
        statements: list[n.Statement] = []
        for name, held in list(state.held.items()):
            made = [box for box in held.owed if self.touches.is_made_in(box, inner)]
            there = tuple(box for box in held.there if not self.touches.is_made_in(box, inner))
            if not made and len(there) == len(held.there):
                continue
            where = self.touches.where(name, inner)
            if where.covers(held.there, (where.whole,)):
                whole = tuple(Side(ZERO, size) for size in self.touches.extents_of(given.get(name, name)))
                owed = tuple(box for box in held.owed if box not in made)
                state.held[name] = replace(held, there=(*there, whole), owed=(*owed, whole) if made else owed)
                continue
            if made:
                statements += self.moves.bring_home({name: tuple(made)}, inner, state, location)
                held = state.held[name]
                there = tuple(box for box in held.there if not self.touches.is_made_in(box, inner))
            state.held[name] = replace(held, there=there)
        return statements

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
            end += self.moves.await_home(set(mine.homing).difference(theirs.homing), mine, location)
            for name in [name for name in mine.held if name not in theirs.held]:
                end += self.moves.drop(name, mine, region, location)
        for name in list(state.held):
            if _is_settled(state.held[name], other.held[name]):
                continue
            touch = self.touches.next_touch(path, name)
            touch = None if touch is None else self.touches.at(touch, region, path[-1])
            for mine, theirs, made in ((state, other, orelse), (other, state, then)):
                self.settle(name, mine, theirs, made, then if mine is state else orelse, region, touch, rare, location)
            a, b, where = state.held[name], other.held[name], self.touches.where(name, region)
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
        state.homing = tuple(dict.fromkeys((*state.homing, *other.homing)))

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
        where, held, other = self.touches.where(name, region), mine.held[name], theirs.held[name]
        on_device = rare is theirs or (rare is None and touch is not None and touch.side == self.touches.device)
        wanted = held.owed if touch is None else (*held.owed, *self.wanted_next(name, held, touch, where))
        if rare is None and touch is not None and touch.side == HOST and where.minus(held.owed, other.owed):
            my_end += self.moves.bring_home({name: held.owed}, region, mine, location)  # the other way need not
            return
        owed = where.minus(where.minus(held.owed, other.owed), other.there)
        missing = where.minus(where.joined(wanted), other.there) if on_device else owed
        if not missing:
            return
        if on_device and all(where.apart(m, o) for m in missing for o in other.owed):
            their_end += self.moves.send(name, missing, region, theirs, location)
        elif owed:
            my_end += self.moves.bring_home({name: held.owed}, region, mine, location)

    def wanted_next(self, name: str, held: Held, touch: Touch, where: Space) -> Boxes:
        """What a launch that comes next needs of an array and finds on the device now."""
        return tuple(box for box in touch.boxes.get(name, ()) if where.covers(held.there, (box,)))


def _is_settled(a: Held, b: Held) -> bool:
    """Whether two ways have left an array as it was, and the device owes nothing of it."""
    return a is b and not a.owed and len(a.there) <= 1


def _common_heads(a: Held, b: Held, a_is_rare: bool, b_is_rare: bool) -> tuple[str | None, str | None]:
    """The head and the origin of an array after two ways; a rare one makes good what it changes."""
    head = b.head if a_is_rare else a.head if b_is_rare or a.head == b.head else None
    return head, a.origin if a.origin == b.origin else None
