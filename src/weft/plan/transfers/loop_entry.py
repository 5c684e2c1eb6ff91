"""What can hold at the start of every iteration of a loop: the fewest copies are those that are made before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from weft.analysis.access.structure import Region
from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.plan.transfers.effects import Touches, holders_in
from weft.plan.transfers.knowledge import PLACE, Held, Need, State
from weft.plan.transfers.moves import Moves
from weft.plan.transfers.regions import Box, Boxes, Space, taken_alone

MOST_STRIPS = 4
"""More boxes than this are not copied one by one before a loop."""

MOST_ROUNDS = 40
"""How often what holds at the head of a loop is put together anew before its arrays are brought home every time."""

Iteration = Callable[[Region, int, n.For | n.While, State, frozenset[str]], None]
"""Runs an iteration of a loop in the mind; the state becomes that at the head of the next one."""


class Heads:
    """The heads of a program's loops.

    Parameters
    ----------
    fixed
        The names of the program's parameters.
    touches, moves
        What is touched, and what moves it.
    iterate
        What looks at an iteration.
    """

    def __init__(self, fixed: frozenset[str], touches: Touches, moves: Moves, iterate: Iteration) -> None:
        self.fixed = fixed
        self.touches = touches
        self.moves = moves
        self.iterate = iterate

    def head_of(
        self, region: Region, position: int, loop: n.For | n.While, state: State
    ) -> tuple[dict[str, Held], frozenset[str], frozenset[str]]:
        """What can hold at the start of every iteration, the arrays that have to go home at the end of each, and those
        whose copies to the device may be under way from one iteration to the next.

        It starts from what holds before the loop and what the body asks for, and gives up what an iteration spoils.
        """
        inner = region.inner[position][-1]
        head = {name: replace(held, head=name, origin=name) for name, held in state.held.items()}
        refused: set[tuple[str, str, Box]] = set()
        spoilt: set[str] = set()
        sending = frozenset[str]()
        for _ in range(MOST_ROUNDS):
            trial = State(dict(head), sending)
            needs, self.moves.needs = self.moves.needs, []
            self.moves.dry += 1
            self.iterate(region, position, loop, trial, frozenset(spoilt))
            self.moves.dry -= 1
            needs, self.moves.needs = self.moves.needs, needs
            changed = False
            for name, held in list(head.items()):
                back = trial.held[name]
                new = self.inductive(name, head, back, inner, refused, needs)
                kept = new.owed if isinstance(loop, n.While) else back.owed
                self.cover(name, kept, new if isinstance(loop, n.While) else back, inner, needs, spoilt)
                new = replace(new, owed=()) if name in spoilt else new
                changed |= new != held
                head[name] = new
            sending |= trial.sending
            changed |= self.wish(head, needs, inner, refused, spoilt)
            if not changed:
                lost = {name for name in head if trial.held[name].head is None}
                known = {k: replace(h, head=None if k in lost else k) for k, h in head.items()}
                return known, frozenset(spoilt), sending
        return {name: Held(placed=True) for name in head}, frozenset(head), frozenset(head)

    def cover(self, name: str, owed: Boxes, held: Held, inner: Region, needs: list[Need], spoilt: set[str]) -> None:
        """See to it that what is owed when a loop ends can be copied home then."""
        unsure = self.touches.where(name, inner).minus(owed, held.there)
        if unsure and held.head is not None:
            needs.append(Need(held.head, unsure, self.touches.device, True))
        elif unsure:
            spoilt.add(name)

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
        head, where = heads[name], self.touches.where(name, inner)
        kept: list[Box] = []
        for box in head.there:
            missing = where.minus((box,), back.there)
            source = heads.get(back.head or "")
            if not missing:
                kept.append(box)
            elif back.head and source and not where.covers(source.there, missing):
                asked = self.simple(back.head, missing, inner)
                wanted = (where.whole, *self.known_at_head(back.head, asked, heads, inner))
                if any((back.head, self.touches.device, part) in refused for part in wanted):
                    refused.add((name, self.touches.device, box))
                else:
                    needs.append(Need(back.head, asked, self.touches.device))
                    kept.append(box)
            else:
                refused.add((name, self.touches.device, box))
        owed = where.joined((*head.owed, *back.owed))
        if owed != head.owed:
            refused.update((name, HOST, box) for box in owed)
        reserved = head.reserved and back.reserved
        return Held(where.joined(kept), owed, reserved, head.placed or back.placed, name, name)

    def simple(self, name: str, boxes: Boxes, inner: Region) -> Boxes:
        """The boxes, or all of the array where these are many, or where they depend on the extents of other arrays."""
        where = self.touches.where(name, inner)
        own = {name for form in where.extents for name in form.names}
        if len(boxes) <= MOST_STRIPS and all(holders_in(box, self.touches.owners) <= own for box in boxes):
            return boxes
        return (where.whole,)

    def known_at_head(self, name: str, boxes: Boxes, heads: dict[str, Held], inner: Region) -> Boxes:
        """Boxes of an array, or all of it in place of those whose sides are not known at the head."""
        names = heads.keys() | self.fixed
        whole = self.touches.where(name, inner).whole
        return tuple(
            box if holders_in(box, self.touches.owners) <= names and not self.touches.is_made_in(box, inner) else whole
            for box in boxes
        )

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
            held, where = head.get(need.head), self.touches.where(need.head, inner) if need.head in head else None
            if held is None or where is None:
                continue
            new = held
            if need.side == PLACE:
                new = replace(held, reserved=True, placed=True)
            wanted = self.known_at_head(need.head, need.boxes, head, inner)
            boxes = tuple(box for box in wanted if not _is_refused(need, box, refused, where))
            if need.is_debt and (need.side == HOST or len(boxes) < len(wanted)) and need.head not in spoilt:
                spoilt.add(need.head)
                changed = True
            if need.side == self.touches.device:
                new = replace(held, there=where.joined((*held.there, *boxes)))
            elif need.side == HOST:
                parts = taken_alone(where, held.owed, boxes)
                left = tuple(box for box in held.owed if box not in boxes)
                new = replace(held, owed=left if parts is None else parts[1])
            changed |= new != held
            head[need.head] = new
        return changed


def _is_refused(need: Need, box: Box, refused: set[tuple[str, str, Box]], where: Space) -> bool:
    """Whether an iteration spoils a box on the side where it is needed; of what it owes, any part of the box."""
    if need.side != HOST:
        return (need.head, need.side, box) in refused
    return any((name, side) == (need.head, HOST) and not where.apart(box, owed) for name, side, owed in refused)
