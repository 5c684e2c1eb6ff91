"""Loops that launch: what all iterations need, and none spoils, is copied before them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from weft.analysis.access.structure import Path, Region
from weft.analysis.values.linear import Form
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.reference.memories import HOST
from weft.ir.types import PYBOOL
from weft.ir.visit import Names, substitute
from weft.plan.transfers.branches import Blocks, Branches
from weft.plan.transfers.effects import Touches, name_of
from weft.plan.transfers.knowledge import PLACE, Held, Need, State, Undecided
from weft.plan.transfers.loop_entry import Heads
from weft.plan.transfers.moves import Moves
from weft.plan.transfers.regions import Boxes, Side, renamed, taken_alone, taken_whole


class Loops:
    """The loops of a program that launch kernels.

    Parameters
    ----------
    program
        The program.
    touches, moves, branches
        What is touched, what moves it, and what makes two ways agree.
    names
        Where new variables get their names.
    block
        What treats the blocks inside.
    """

    def __init__(
        self,
        program: n.Program,
        touches: Touches,
        moves: Moves,
        branches: Branches,
        names: Names,
        block: Blocks,
    ) -> None:
        self.touches = touches
        self.moves = moves
        self.branches = branches
        self.names = names
        self.block = block
        self.heads = Heads(frozenset(p.var.name for p in program.params), touches, moves, self.run_once)

    def loop(self, region: Region, position: int, loop: n.For | n.While, state: State) -> list[n.Statement]:
        """A loop that launches: what all iterations need is moved before it."""
        places = self.touches.owners.carried(loop)
        path = (*region.path, position)
        awaited = self.moves.await_home(self.touches.used_at_home(path, loop), state, loop.location)
        awaited += self.moves.pay(region, state)
        entered = {name_of(loop.args[k].init): loop.args[k].var.name for k in places}
        before = {name_of(loop.args[k].init): loop.results[k].name for k in places}
        skipped = state.copy()
        skipped.rename(before, self.touches.extents_of)
        state.rename(entered, self.touches.extents_of)
        head, spoilt, sending = self.heads.head_of(region, position, loop, state)
        prepared = self.prepare(state, head, {new: old for old, new in entered.items()}, region, loop.location)
        state.sending |= sending  # of the iteration before, whatever was awaited before the loop
        made = self.run(region, position, loop, state, spoilt)
        if isinstance(loop, n.While) or self.certainly_runs(loop, region):
            return [*awaited, *prepared, made]
        return [*awaited, *self.if_it_runs(loop, [*prepared, made], state, skipped, region, path)]

    def certainly_runs(self, loop: n.For, region: Region) -> bool:
        """Whether a loop is proven to run at least once."""
        trips = self.touches.table.forms.of(loop.stop) - self.touches.table.forms.of(loop.start)
        return self.touches.table.ranges.nonnegative(trips - 1, region)

    def if_it_runs(
        self, loop: n.For, made: list[n.Statement], ran: State, skipped: State, region: Region, path: Path
    ) -> list[n.Statement]:
        """A loop with its copies, in a branch that is taken where it runs at all."""
        then, orelse = list(made), list[n.Statement]()
        self.branches.meet(ran, then, skipped, orelse, region, path, None, loop.location)
        if not any(isinstance(s, (n.Copy, n.Reserve, n.Wait)) for s in (*then, *orelse)):
            return then
        renamings = {r.name: self.names.fresh(r.stem, r.type) for r in loop.results} if not self.moves.dry else {}
        if self.moves.dry:
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
        places = self.touches.owners.carried(loop)
        after_test = state
        for inner in regions:
            statements = self.block(inner, state)
            if inner is regions[-1]:
                statements += self.end_of_body(inner, loop, state, spoilt)
            else:
                after_test = state.copy()
            blocks.append(replace(inner.block, statements=tuple(statements)))
        if isinstance(loop, n.While):
            state.held, state.sending = after_test.held, state.sending | after_test.sending
            state.homing = tuple(dict.fromkeys((*state.homing, *after_test.homing)))
            self.hand_on({loop.args[k].var.name: loop.results[k].name for k in places}, state, regions)
            self.leave(state, regions)
            return replace(loop, condition=blocks[0], body=blocks[1])
        self.hand_on({name_of(loop.body.yields[k]): loop.results[k].name for k in places}, state, regions)
        self.leave(state, regions)
        return replace(loop, body=blocks[0])

    def hand_on(self, names: Mapping[str, str], state: State, regions: Sequence[Region]) -> None:
        """Arrays leave an iteration under other names; numbers of its that are their extents are extents of these."""
        state.rename(names, self.touches.extents_of)
        for old, new in names.items():
            if new in state.held:
                pairs = zip(self.touches.extents_of(old), self.touches.extents_of(new), strict=True)
                sizes = {symbol: size for form, size in pairs for symbol in form.names if form == Form({(symbol,): 1})}
                held = state.held[new]
                there, owed = (self._in_terms_of(sizes, boxes, regions) for boxes in (held.there, held.owed))
                state.held[new] = replace(held, there=there, owed=owed)

    def _in_terms_of(self, sizes: Mapping[str, Form], boxes: Boxes, regions: Sequence[Region]) -> Boxes:
        return tuple(
            tuple(Side(s.low.substitute(sizes), s.stop.substitute(sizes)) for s in box)
            if any(self.touches.is_made_in(box, inner) for inner in regions)
            else box
            for box in boxes
        )

    def leave(self, state: State, regions: Sequence[Region]) -> None:
        """Forget boxes whose sides are known inside of a loop only."""
        for name, held in state.held.items():
            there, owed = (
                tuple(box for box in boxes if not any(self.touches.is_made_in(box, inner) for inner in regions))
                for boxes in (held.there, held.owed)
            )
            if len(owed) < len(held.owed):
                raise Undecided
            state.held[name] = replace(held, there=there)

    def run_once(
        self, region: Region, position: int, loop: n.For | n.While, state: State, spoilt: frozenset[str]
    ) -> None:
        """One iteration; the state becomes that at the head of the next one."""
        regions = region.inner[position]
        for inner in regions:
            self.block(inner, state)
        self.end_of_body(regions[-1], loop, state, spoilt)
        handed = {name_of(loop.body.yields[k]): loop.args[k].var.name for k in self.touches.owners.carried(loop)}
        self.hand_on(handed, state, regions)

    def end_of_body(
        self, inner: Region, loop: n.For | n.While, state: State, spoilt: frozenset[str]
    ) -> list[n.Statement]:
        """What happens at the end of an iteration: arrays that are not handed on are dropped, others may go home."""
        kept = {name_of(loop.body.yields[k]): loop.args[k].var.name for k in self.touches.owners.carried(loop)}
        statements: list[n.Statement] = []
        for name in list(state.held):
            if self.touches.structure.definition(name).region is inner and name not in kept:
                statements += self.moves.drop(name, state, inner, loop.location)
            elif kept.get(name, name) in spoilt:
                whole = (self.touches.where(name, inner).whole,)
                statements += self.moves.bring_home({name: whole}, inner, state, loop.location)
        return statements

    def prepare(
        self, state: State, head: dict[str, Held], before: Mapping[str, str], region: Region, location: Location
    ) -> list[n.Statement]:
        """The copies before a loop that make its head true; the state becomes that of the head."""
        statements: list[n.Statement] = []
        homes: list[n.Statement] = []
        sent: set[str] = set()
        for name, wanted in head.items():
            held = state.held[name]
            where = self.touches.where(name, region)
            if wanted.reserved and not held.reserved:
                old = self.touches.owners.vars[before.get(name, name)]
                statements.append(n.Reserve(old, self.touches.device, location))
                self.ask(held, (), PLACE, before)
            missing = where.minus(wanted.there, held.there)
            lost = where.minus(held.owed, wanted.owed)
            home, _ = taken_alone(where, held.owed, lost) or taken_whole(where, held.owed, lost)
            if not all(where.apart(m, o) for m in missing for o in held.owed):
                home = held.owed
            homes += self.move_before(name, home, self.touches.device, HOST, before, region, location)
            statements += self.move_before(name, missing, HOST, self.touches.device, before, region, location)
            self.ask(held, home, HOST, before)
            self.ask(held, missing, self.touches.device, before)
            is_same = name not in before
            state.held[name] = replace(
                wanted,
                placed=wanted.placed or held.placed,
                head=held.head if is_same and wanted.head is not None else None,
                origin=held.origin if is_same else None,
            )
            sent |= {name} if missing else set()
        waits = self.moves.wait(state, location) if homes else []
        state.sending |= sent
        return [*homes, *waits, *statements]

    def ask(self, held: Held, boxes: Boxes, side: str, before: Mapping[str, str]) -> None:
        """Tell the loop around what one inside of it needs."""
        asked = held.origin if side == PLACE else held.head
        if asked is not None and (boxes or side == PLACE):
            self.moves.needs.append(Need(asked, renamed(boxes, before, self.touches.extents_of), side))

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
        return self.moves.move(old, renamed(boxes, before, self.touches.extents_of), source, target, region, location)
