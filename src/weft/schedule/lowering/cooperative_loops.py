"""The iterations that the threads of a block were dealt, and what each keeps of them in registers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import gcd
from typing import Literal, TypeAlias, cast

from weft.ir import nodes as n
from weft.ir.scribe import TRUE, ZERO
from weft.ir.types import Element, Scalar, Type, View
from weft.ir.visit import defined_by
from weft.schedule.directives import Deal
from weft.schedule.frame import Frame, Threads
from weft.schedule.lowering.lanes import MOST_LANES, Accesses, Runner, side_by_side, write_run
from weft.schedule.lowering.points import aligned
from weft.schedule.lowering.register_rows import Kept, Row, Uses
from weft.schedule.nests import slice_of
from weft.schedule.writing import scalar

Way: TypeAlias = Literal["runs", "spread", "rounds"]
"""How iterations are dealt out: see `weft.schedule.lowering.cooperative_block`."""


@dataclass(frozen=True)
class Piece:
    """What an iteration of a dealt loop does: first the loads that fill registers, then all but what registers serve;
    and what runs of neighbours access side by side."""

    uses: Uses
    fills: n.Block
    filling: Accesses
    body: n.Block
    computing: Accesses


def piece_of(frame: Frame, deal: Deal, loop: n.For, uses: Uses) -> Piece:
    """A loop in two parts."""
    fills = tuple(s for s in loop.body.statements if id(s) in uses.fills)
    served = uses.loads.keys() | uses.hidden
    block = replace(loop.body, statements=tuple(s for s in loop.body.statements if id(s) not in served))
    loaded = (v.name for s in loop.body.statements if id(s) in uses.loads for v in defined_by(s))
    different = frozenset([*(arg.var.name for arg in loop.args), *loaded])
    overlaps = frozenset(frame.kernel.overlaps)
    filling = side_by_side(n.Block(fills), loop.index, deal.run, overlaps)
    computing = side_by_side(block, loop.index, deal.run, overlaps, different)
    return Piece(uses, n.Block(fills), filling, block, computing)


@dataclass(frozen=True)
class Turn:
    """Iterations that a thread runs side by side.

    Attributes
    ----------
    first
        The first one.
    lanes
        Their places in a run.
    slot
        The number of the run, among those that are in registers.
    """

    first: n.Atom
    lanes: tuple[int, ...]
    slot: n.Atom


@dataclass
class Dealt:
    """One way of dealing out.

    Attributes
    ----------
    kept
        The rows that threads keep; None in rounds.
    pieces
        The loops that keep them, by label.
    exchanged
        Labels of the loops whose sums are put together as where threads have runs.
    arrays
        What makes the arrays of the block. These stand first: OpenCL has shared memory nowhere else.
    """

    frame: Frame
    directive: Deal
    way: Way
    kept: Kept | None
    pieces: Mapping[str, Piece]
    exchanged: frozenset[str]
    arrays: list[n.Statement]
    held: dict[str, n.Var] = field(default_factory=dict)
    """Values that each thread has in registers, from a phase on."""

    def __post_init__(self) -> None:
        self.write = self.frame.write
        shape, rows = (self.directive.rounds + 1, self.directive.run), self.kept.rows if self.kept else {}
        self.rows = {row: self._registers(shape, element_of(view), view.stem) for row, view in rows.items()}

    # --------------------------------------------------------------------------------------------- arrays

    def _shared(self, shape: Sequence[int], element: Element, stem: str) -> n.Var:
        with self.write.apart() as made:
            array = self.write.alloc(shape, element, "shared", stem)
        self.arrays += made
        return array

    def _registers(self, shape: Sequence[int], type: Type, stem: str) -> n.Var:
        """What each thread has for itself from phase to phase."""
        with self.write.apart() as made:
            array = self.frame.registers(shape, scalar(type), stem)
        self.arrays += made
        return array

    # --------------------------------------------------------------------------------------------- phases

    @contextmanager
    def _phase(self, known: Mapping[str, n.Atom]) -> Iterator[tuple[Threads, dict[str, n.Atom]]]:
        """A phase, and what stands for variables in it."""
        with self.frame.phase() as threads:
            yield threads, self._inside(threads, known)

    def _inside(self, threads: Threads, known: Mapping[str, n.Atom]) -> dict[str, n.Atom]:
        own = self.frame.own(threads)
        return {**known, **{name: self.write.load(held, *own) for name, held in self.held.items()}}

    # ----------------------------------------------------------------------------------------- iterations

    def _turns(self, threads: Threads, loop: n.For, values: Mapping[str, n.Atom]) -> Iterator[Turn]:
        """The iterations of a loop that a thread was dealt."""
        start, stop = (value_of(atom, values) for atom in (loop.start, loop.stop))
        if loop.label not in self.pieces:
            yield from self._each_round(threads, start, stop, loop.label)
        elif self.way == "runs":
            yield from self._each_run(threads, start, stop, loop.label)
        else:
            assert self.kept is not None
            yield from self._each_kept(threads, value_of(self.kept.base, values), start, stop, loop.label)

    def _each_round(self, threads: Threads, start: n.Atom, stop: n.Atom, label: str) -> Iterator[Turn]:
        """Neighbours to neighbouring threads, round after round: whole runs of rounds, then what remains."""
        write, group = self.write, self.directive.group
        is_exchanged = label in self.exchanged
        run = self.directive.run if is_exchanged or not self.directive.rounds else 1
        trip = write.trips(start, stop)
        if run == 1:
            rounds = write.op("floordiv", write.op("add", trip, group - 1), group)
            yield from self._cut(threads, start, n.Const(0), trip, rounds, label)
            return
        whole = write.op("floordiv", trip, group * run)
        with write.loop(f"{label}.round", 0, whole, stem="round") as loop:
            first = write.op("add", start, threads[self.directive.loop])
            begin = write.op("add", first, write.op("mul", loop.index, group * run))
            for place in range(run):
                yield Turn(write.op("add", begin, place * group), (place,), loop.index)
        done = write.op("mul", whole, group * run)
        if not is_exchanged:
            yield from self._cut(threads, start, done, trip, n.Const(run), label)
            return
        begin, end = write.op("add", threads[self.directive.loop], done), stop if start == ZERO else trip
        for place in range(run):
            counter = write.op("add", begin, place * group)
            with write.when(write.compare("lt", counter, end)):
                yield Turn(write.op("add", start, counter), (place,), n.Const(0))

    def _cut(
        self, threads: Threads, start: n.Atom, done: n.Atom, trip: n.Atom, rounds: n.Atom, label: str
    ) -> Iterator[Turn]:
        """Some rounds with one iteration of each thread, where there is one: they are counted, since of a loop without
        any its start may be so large that what follows wraps."""
        write = self.write
        first = write.op("add", done, threads[self.directive.loop])
        with write.loop(f"{label}.round", 0, rounds, stem="round") as loop:
            place = write.op("add", first, write.op("mul", loop.index, self.directive.group))
            with write.when(write.compare("lt", place, trip)):
                yield Turn(write.op("add", start, place), (0,), loop.index)

    def _each_kept(self, threads: Threads, base: n.Atom, start: n.Atom, stop: n.Atom, label: str) -> Iterator[Turn]:
        """The same in so many rounds that each has registers of its own, the last round too that is not whole."""
        write, group, run = self.write, self.directive.group, self.directive.run
        first = write.op("add", base, threads[self.directive.loop])
        whole = write.op("floordiv", write.op("max", write.op("sub", stop, base), 0), group * run)
        with write.loop(f"{label}.round", 0, self.directive.rounds, "unroll", stem="round") as loop:
            begin = write.op("add", first, write.op("mul", loop.index, group * run))
            with write.when(write.compare("lt", loop.index, whole)):
                for place in range(run):
                    counter = write.op("add", begin, place * group)
                    with write.when(write.compare("ge", counter, start) if start != base else TRUE):
                        yield Turn(counter, (place,), loop.index)
        begin = write.op("add", first, write.op("mul", whole, group * run))
        for place in range(run):
            counter = write.op("add", begin, place * group)
            above = [write.compare("ge", counter, start)] if start != base else []
            with write.when(write.both([*above, write.compare("lt", counter, stop)])):
                yield Turn(counter, (place,), n.Const(self.directive.rounds))

    def _each_run(self, threads: Threads, start: n.Atom, stop: n.Atom, label: str) -> Iterator[Turn]:
        """Runs of neighbours, each whole."""
        write, group, run = self.write, self.directive.group, self.directive.run
        first = write.op("add", start, write.op("mul", threads[self.directive.loop], run))
        with write.loop(f"{label}.round", 0, self.directive.rounds, "unroll", stem="round") as loop:
            begin = write.op("add", first, write.op("mul", loop.index, group * run))
            with write.when(write.compare("lt", begin, stop)):
                yield Turn(begin, tuple(range(run)), loop.index)

    def _run(
        self, threads: Threads, turn: Turn, loop: n.For, block: n.Block, accesses: Accesses,
        values: Sequence[dict[str, n.Atom]],
    ) -> list[tuple[n.Atom, ...]]:  # fmt: skip
        """Write iterations; what each yields."""
        if len(turn.lanes) == 1:
            return [self.write.copy(block, {**values[0], loop.index.name: turn.first})]
        lanes = list(values)
        write_run(self.write, block, loop.index, turn.first, accesses, lanes)
        return [tuple(value_of(y, lane) for y in block.yields) for lane in lanes]

    def _iterate(
        self, threads: Threads, loop: n.For, values: Mapping[str, n.Atom],
        carried: Callable[[Turn], Sequence[Mapping[str, n.Atom]]],
        after: Callable[[Turn, Sequence[tuple[n.Atom, ...]]], None],
    ) -> None:  # fmt: skip
        """Write a dealt loop: `carried` gives what an iteration begins with, `after` takes what it yields."""
        piece = self.pieces.get(loop.label)
        accesses = self._in_any_order(loop) if piece is None else None
        if accesses is not None:
            self._iterate_runs(threads, loop, accesses, values, carried, after)
            return
        if piece is None:
            for turn in self._turns(threads, loop, values):
                (begin,) = carried(turn)
                after(turn, self._run(threads, turn, loop, loop.body, Accesses(), [{**values, **begin}]))
            return
        if piece.fills.statements:
            for turn in self._turns(threads, loop, values):
                lanes = [dict(values) for _ in turn.lanes]
                loaded = n.Block(
                    piece.fills.statements, tuple(v for s in piece.fills.statements for v in defined_by(s))
                )
                found = self._run(threads, turn, loop, loaded, piece.filling, lanes)
                for lane, items in zip(turn.lanes, found, strict=True):
                    for row, item in zip(piece.uses.fills.values(), items, strict=True):
                        self._keep(threads, turn, lane, row, item)
        for turn in self._turns(threads, loop, values):
            begun = [{**values, **self._served(threads, turn, lane, loop, piece)} for lane in turn.lanes]
            for known, begin in zip(begun, carried(turn), strict=True):
                known.update(begin)
            stored = [(s.value, row) for s, row in self._stored(loop, piece)]
            block = replace(piece.body, yields=(*piece.body.yields, *(value for value, _ in stored)))
            count = len(piece.body.yields)
            yields = self._run(threads, turn, loop, block, piece.computing, begun)
            for lane, items in zip(turn.lanes, yields, strict=True):
                for (_, row), item in zip(stored, items[count:], strict=True):
                    self._keep(threads, turn, lane, row, item)
            after(turn, [items[:count] for items in yields])

    def _in_any_order(self, loop: n.For) -> Accesses | None:
        """What a fold of any length reads side by side, if it does not matter which thread has which iterations."""
        if self.directive.rounds or not loop.args or any(is_rounded(arg) for arg in loop.args):
            return None
        if not all(isinstance(statement, n.Let) for statement in loop.body.statements):
            return None
        lanes, overlaps = gcd(self.directive.run, MOST_LANES), frozenset(self.frame.kernel.overlaps)
        carried = frozenset(arg.var.name for arg in loop.args)
        while lanes > 1:
            accesses = side_by_side(loop.body, loop.index, lanes, overlaps, carried)
            if accesses.views and lanes <= self.directive.group:
                return accesses if all(view in self.frame.kernel.params for view in accesses.views) else None
            lanes //= 2
        return None

    def _iterate_runs(
        self, threads: Threads, loop: n.For, accesses: Accesses, values: Mapping[str, n.Atom],
        carried: Callable[[Turn], Sequence[Mapping[str, n.Atom]]],
        after: Callable[[Turn, Sequence[tuple[n.Atom, ...]]], None],
    ) -> None:  # fmt: skip
        """Write such a loop in runs that begin where its array is aligned: what a thread reads in a round is under way
        together. Iterations before the first run, and behind the last round, go one by one."""
        write, group, run, lanes = self.write, self.directive.group, self.directive.run, accesses.lanes
        start, stop = (value_of(atom, values) for atom in (loop.start, loop.stop))
        thread, trip = threads[self.directive.loop], write.trips(start, stop)
        aligned_at = self.frame.first_aligned(accesses)
        conditions = aligned(write, accesses, {v.name: self.frame.behind(v, aligned_at) for v in accesses.views})
        head = write.op("mod", write.op("sub", aligned_at, start), lanes)

        def alone(place: n.Atom, most: n.Atom) -> None:
            with write.when(write.compare("lt", place, most)):
                turn = Turn(write.op("add", start, place), (0,), n.Const(0))
                (begin,) = carried(turn)
                after(turn, self._run(threads, turn, loop, loop.body, Accesses(), [{**values, **begin}]))

        with write.when(write.both(conditions)):
            alone(thread, write.op("min", head, trip))
            rounds = write.op("floordiv", write.op("max", write.op("sub", trip, head), 0), group * run)
            with write.loop(f"{loop.label}.round", 0, rounds, stem="round") as each:
                begin = write.sum(start, head, write.op("mul", thread, lanes))
                origin = write.op("add", begin, write.op("mul", each.index, group * run))
                self._side_by_side(loop, origin, accesses, values, carried, after)
            left = write.sum(head, write.op("mul", rounds, group * run), thread)
            with write.loop(f"{loop.label}.round", 0, run, stem="round") as each:
                alone(write.op("add", left, write.op("mul", each.index, group)), trip)
        with write.otherwise():
            for turn in self._each_round(threads, start, stop, loop.label):
                (known,) = carried(turn)
                after(turn, self._run(threads, turn, loop, loop.body, Accesses(), [{**values, **known}]))

    def _side_by_side(
        self, loop: n.For, origin: n.Atom, accesses: Accesses, values: Mapping[str, n.Atom],
        carried: Callable[[Turn], Sequence[Mapping[str, n.Atom]]],
        after: Callable[[Turn, Sequence[tuple[n.Atom, ...]]], None],
    ) -> None:  # fmt: skip
        """The runs of a thread in a round: all are loaded before anything is done with them."""
        write, lanes = self.write, accesses.lanes
        loads = slice_of(loop.body, _loaded(loop.body))
        early = frozenset(map(id, loads.statements))
        rest = n.Block(tuple(s for s in loop.body.statements if id(s) not in early))
        sides: list[tuple[Turn, list[dict[str, n.Atom]]]] = []
        for number in range(self.directive.run // lanes):
            first = write.op("add", origin, number * lanes * self.directive.group)
            turn = Turn(first, tuple(range(number * lanes, (number + 1) * lanes)), n.Const(0))
            counters = [write.sum(first, k, stem=loop.index.stem) for k in range(lanes)]
            known = [{**values, loop.index.name: counter} for counter in counters]
            Runner(write, first, accesses, known, None).run(loads)
            sides.append((turn, known))
        for turn, known in sides:
            for lane, begin in zip(known, carried(turn), strict=True):
                lane.update(begin)
            Runner(write, turn.first, accesses, known, None).run(rest)
            after(turn, [tuple(value_of(y, lane) for y in loop.body.yields) for lane in known])

    def _keep(self, threads: Threads, turn: Turn, lane: int, row: Row, item: n.Atom) -> None:
        """Put an element of an iteration into registers."""
        self.write.store(self.rows[row], (*self.frame.own(threads), turn.slot, lane), item)

    def _served(self, threads: Threads, turn: Turn, lane: int, loop: n.For, piece: Piece) -> dict[str, n.Atom]:
        """What registers serve of the loads of an iteration."""
        own, loads = self.frame.own(threads), piece.uses.loads
        return {
            cast(n.Let, s).var.name: self.write.load(self.rows[loads[id(s)]], *own, turn.slot, lane)
            for s in loop.body.statements
            if id(s) in loads
        }

    @staticmethod
    def _stored(loop: n.For, piece: Piece) -> list[tuple[n.Store, Row]]:
        """The last stores to each row that is kept."""
        found = {piece.uses.stores[id(s)]: cast(n.Store, s) for s in loop.body.statements if id(s) in piece.uses.stores}
        return [(store, row) for row, store in found.items()]


def is_rounded(arg: n.LoopArg) -> bool:
    """Whether the order matters in which the contributions to an argument are combined."""
    return arg.combine in ("add", "mul") and scalar(arg.var.type).kind in "fc"


def _loaded(block: n.Block) -> frozenset[str]:
    """What a block loads."""
    lets = (s for s in block.statements if isinstance(s, n.Let))
    return frozenset(let.var.name for let in lets if isinstance(let.value, n.Load))


def element_of(view: n.Var) -> Scalar:
    return scalar(cast(View, view.type).element)


def value_of(atom: n.Atom, known: Mapping[str, n.Atom]) -> n.Atom:
    return known.get(atom.name, atom) if isinstance(atom, n.Var) else atom
