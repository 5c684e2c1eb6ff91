"""Makes copies, places and waits, and keeps account of what is current where after them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from weft.analysis.access.structure import Region
from weft.ir import nodes as n
from weft.ir.location import UNKNOWN, Location
from weft.ir.reference.memories import HOST
from weft.ir.visit import Names
from weft.plan.transfers.effects import Touches, holders_in
from weft.plan.transfers.footprints import Footprint
from weft.plan.transfers.knowledge import PLACE, Held, Need, State, Undecided
from weft.plan.transfers.memory_spaces import beside
from weft.plan.transfers.regions import Boxes, Space, taken_alone, taken_whole
from weft.plan.transfers.views import ViewMaker


@dataclass(frozen=True)
class Part:
    """How much of what an array owes comes home with what is wanted of it.

    Attributes
    ----------
    alone
        Only what is wanted, where it can be told apart from the rest.
    soon
        What is going to be wanted next, and comes with it then.
    stays
        What comes home may be owed still, where it cannot be told apart: what the host changes of it is sent at once.
    """

    alone: bool = False
    soon: Boxes = ()
    stays: bool = False

    def of(self, where: Space, held: Held, wanted: Boxes) -> tuple[Boxes, Boxes]:
        """What comes home, and what is owed then."""
        if not self.alone:
            return taken_whole(where, held.owed, (*wanted, *self.soon))
        parts = taken_alone(where, held.owed, (*wanted, *self.soon)) or taken_alone(where, held.owed, wanted)
        if parts is None and self.stays:
            met = self._met(where, held, wanted)
            parts = (met, held.owed) if where.covers(held.there, met) else None
        return parts or taken_whole(where, held.owed, wanted)

    def is_unclear(self, where: Space, held: Held, wanted: Boxes) -> bool:
        """Whether nothing but what the host has written and not yet sent keeps a part from coming home."""
        is_clear = not self.stays or taken_alone(where, held.owed, wanted) is not None
        return not is_clear and not where.covers(held.there, self._met(where, held, wanted))

    @staticmethod
    def _met(where: Space, held: Held, wanted: Boxes) -> Boxes:
        """What may be owed of wanted boxes."""
        return where.joined(w for w in wanted if not all(where.apart(box, w) for box in held.owed))


class Moves:
    """What moves data, for a program whose touches are known.

    Attributes
    ----------
    dry
        More than zero while a loop is looked at to find out what it needs: then nothing is made.
    needs
        What the body of the loop that is looked at asked for.
    """

    def __init__(self, touches: Touches, names: Names) -> None:
        self.touches = touches
        self.saved = beside(touches.device)
        self.views = ViewMaker(names, self._known)
        self.dry = 0
        self.needs: list[Need] = []

    def _known(self, name: str) -> n.Var:
        """The variable of a name; Undecided for what only memory holds, such as an element of an array."""
        definition = self.touches.structure.definitions.get(name)
        if definition is None:
            raise Undecided
        return definition.var

    def move(
        self, name: str, boxes: Boxes, source: str, target: str, region: Region, location: Location, as_: str = ""
    ) -> list[n.Statement]:
        """Copies of boxes between memories; `as_` is what the array is called where they stand."""
        if self.dry:
            return []
        statements: list[n.Statement] = []
        array = self.touches.owners.vars[as_ or name]
        for box in boxes:
            made, view = self.views.cut(array, box, self.touches.where(array.name, region), location)
            statements += [*made, n.Copy(view, source, target, location)]
        return statements

    def cut_all(
        self, touched: Mapping[str, Boxes], region: Region, location: Location, statements: list[n.Statement]
    ) -> tuple[n.Var, ...]:
        """Views of all boxes."""
        views: list[n.Var] = []
        for name, boxes in touched.items() if not self.dry else ():
            for box in boxes:
                made, view = self.views.cut(
                    self.touches.owners.vars[name], box, self.touches.where(name, region), location
                )
                statements += made
                views.append(view)
        return tuple(views)

    def reserve(self, name: str, state: State, location: Location) -> list[n.Statement]:
        """Make sure that an array has a place on the device."""
        held = state.held[name]
        if held.reserved:
            return []
        if held.origin is not None:
            self.needs.append(Need(held.origin, (), PLACE))
        state.held[name] = replace(held, reserved=True, placed=True)
        return [n.Reserve(self.touches.owners.vars[name], self.touches.device, location)]

    def send(self, name: str, boxes: Boxes, region: Region, state: State, location: Location) -> list[n.Statement]:
        """Make boxes current on the device."""
        statements = self.reserve(name, state, location)
        held, where = state.held[name], self.touches.where(name, region)
        missing = where.minus(where.joined(boxes), held.there)
        if not missing:
            return statements
        if held.head is not None:
            self.needs.append(Need(held.head, missing, self.touches.device))
        newer = [o for o in held.owed if not all(where.apart(o, m) for m in missing)]
        if newer:
            statements += self.bring_home({name: missing}, region, state, location)
        statements += self.move(name, missing, HOST, self.touches.device, region, location)
        held = state.held[name]
        state.held[name] = replace(held, there=where.joined((*held.there, *missing)))
        state.sending |= {name}
        return statements

    def bring_home(
        self,
        wanted: Mapping[str, Boxes],
        region: Region,
        state: State,
        location: Location,
        parts: Mapping[str, Part] | None = None,
    ) -> list[n.Statement]:
        """Make boxes current on the host, with all that is owed and meets them; of arrays in `parts`, less."""
        statements: list[n.Statement] = []
        is_moved = False
        for name, boxes in wanted.items():
            held = state.held.get(name)
            if held is None or not held.owed:
                continue
            where = self.touches.where(name, region)
            part = (parts or {}).get(name, Part())
            if name in state.owing and part.is_unclear(where, held, boxes):
                statements += self.pay(region, state, [name])
                held = state.held[name]
            home, owed = part.of(where, held, boxes)
            if home:
                if held.head is not None:
                    self.needs.append(Need(held.head, home, HOST))
                self.be_sure(held, home, where)
                statements += self.reserve(name, state, location)
                statements += self.move(name, home, self.touches.device, HOST, region, location)
                state.held[name] = replace(state.held[name], owed=owed)
                is_moved = True
        return [*statements, *self.wait(state, location)] if is_moved else []  # behind what began before

    def note_debts(
        self, written: Mapping[str, Boxes], region: Region, state: State, location: Location
    ) -> list[n.Statement]:
        """Remember what the host is about to write of guests, for a program that ends early."""
        statements: list[n.Statement] = []
        for name, boxes in written.items():
            if name not in state.held or not self.touches.owners.is_guest(name):
                continue
            before, _ = state.owing.get(name, ((), location))
            state.owing[name] = self.touches.where(name, region).joined((*before, *boxes)), location
            views = self.cut_all({name: boxes}, region, location, statements)
            statements += [n.Reserve(view, self.touches.device, location, owed=True) for view in views]
        return statements

    def pay(self, region: Region, state: State, names: Iterable[str] | None = None) -> list[n.Statement]:
        """Send what the host has written of guests."""
        statements: list[n.Statement] = []
        for name in list(state.owing) if names is None else names:
            boxes, location = state.owing.pop(name, ((), UNKNOWN))
            if boxes:
                held, where = state.held[name], self.touches.where(name, region)
                statements += self.move(name, boxes, HOST, self.touches.device, region, location)
                there = where.joined((*held.there, *boxes))
                is_all = where.covers(there, (where.whole,))
                state.held[name] = replace(held, there=(where.whole,) if is_all else there)
                state.sending |= {name}
        return statements

    def return_guest(self, name: str, region: Region, state: State, location: Location) -> list[n.Statement]:
        """Make all of a guest current on the device, where it belongs."""
        paid = self.pay(region, state, [name])
        whole = (self.touches.where(name, region).whole,)
        return [*paid, *self.send(name, whole, region, state, location)]

    def start_home(
        self, name: str, boxes: Boxes, region: Region, state: State, location: Location
    ) -> list[n.Statement]:
        """Begin to bring boxes home that an array owes, and the device certainly has; they are awaited later."""
        held = state.held[name]
        parts = taken_alone(self.touches.where(name, region), held.owed, boxes)
        if parts is None:
            return []
        home, owed = parts
        if held.head is not None:
            self.needs.append(Need(held.head, home, HOST))
        state.held[name] = replace(held, owed=owed)
        state.homing = (*(other for other in state.homing if other != name), name)
        return self.move(name, home, self.touches.device, HOST, region, location)

    def await_home(self, names: Iterable[str], state: State, location: Location) -> list[n.Statement]:
        """Wait for copies to the host that were begun before, where some arrays have any."""
        found = set(state.homing).intersection(names)
        return self.wait(state, location, found) if found else []

    def be_sure(self, held: Held, owed: Boxes, where: Space) -> None:
        """See to it that the device has boxes for certain that it may owe: they are going to be copied from there."""
        unsure = where.minus(owed, held.there)
        if unsure and held.head is not None:
            self.needs.append(Need(held.head, unsure, self.touches.device, True))
        elif unsure and held.origin is not None:
            self.needs.append(Need(held.origin, unsure, HOST, True))
        if unsure and not self.dry:
            raise Undecided

    def wait(self, state: State, location: Location, names: Iterable[str] | None = None) -> list[n.Statement]:
        """Wait for all copies; or for those home of some arrays and of earlier ones."""
        wanted = None if names is None else set(names)
        last = 0 if wanted is None else max((k + 1 for k, name in enumerate(state.homing) if name in wanted), default=0)
        if wanted is None or last == len(state.homing):
            state.sending, state.homing = frozenset(), ()
            return [n.Wait(self.touches.device, location=location)]
        awaited = sorted({*wanted, *state.homing[:last]})
        state.sending, state.homing = state.sending.difference(awaited), state.homing[last:]
        return [n.Wait(self.touches.device, tuple(self.touches.owners.vars[name] for name in awaited), location)]

    def written(self, found: Footprint, region: Region, state: State) -> None:
        """What is known after a kernel has written."""
        for name, boxes in found.writes.items():
            if name in state.held:
                where, held = self.touches.where(name, region), state.held[name]
                there, owed = where.joined((*held.there, *boxes)), where.joined((*held.owed, *boxes))
                state.held[name] = replace(held, there=there, owed=owed)

    def spared(self, name: str, written: Boxes, held: Held, region: Region) -> Boxes:
        """What is certainly current on the device still after others wrote boxes elsewhere."""
        where = self.touches.where(name, region)
        return tuple(box for box in where.minus(held.there, written) if all(where.apart(box, w) for w in written))

    def at_risk(self, found: Footprint, region: Region, state: State) -> dict[str, Boxes]:
        """What only the device has of the boxes that a kernel may spoil."""
        risky = {}
        for name, boxes in found.writes.items():
            if name in state.held:
                where = self.touches.where(name, region)
                owed = state.held[name].owed
                risky[name] = tuple(o for o in owed if not all(where.apart(o, box) for box in boxes))
        return {name: boxes for name, boxes in risky.items() if boxes}

    def give_back(self, found: Footprint, region: Region, state: State, location: Location) -> list[n.Statement]:
        """What happens to shared arrays after a launch: results go home, places are given back."""
        shared = [name for name in found.arrays if name not in state.held and not self.touches.is_there(name)]
        statements: list[n.Statement] = []
        for name in shared:
            statements += self.move(name, found.writes.get(name, ()), self.touches.device, HOST, region, location)
        return [
            *statements,
            *(n.Free(self.touches.owners.vars[name], self.touches.device, location) for name in shared),
        ]

    def drop(self, name: str, state: State, region: Region, location: Location) -> list[n.Statement]:
        """The last of an array: what it owes an argument is paid, and its place is given back."""
        statements: list[n.Statement] = []
        statements += self.await_home([name], state, location)
        if self.touches.owners.is_guest(name):
            statements += self.return_guest(name, region, state, location)
        elif self.touches.owners.may_be_parameter(name):
            statements += self.bring_home({name: (self.touches.where(name, region).whole,)}, region, state, location)
        for other, held in state.held.items():
            lost = tuple(box for box in held.owed if name in holders_in(box, self.touches.owners))
            if lost and other != name:
                statements += self.bring_home({other: lost}, region, state, location)
            there = tuple(box for box in held.there if name not in holders_in(box, self.touches.owners))
            state.held[other] = replace(state.held[other], there=there)
        held = state.held.pop(name)
        return (
            [*statements, n.Free(self.touches.owners.vars[name], self.touches.device, location)]
            if held.placed
            else statements
        )
