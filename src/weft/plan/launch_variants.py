"""Several launches of one nest, each for other sizes of its arrays: a test before them says which one runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.visit import Names, blocks_of, bound_in, launches_in, substitute, variables, with_blocks
from weft.schedule.directives import Bind, Schedule
from weft.schedule.legality import Limits
from weft.schedule.lower import Layouts
from weft.schedule.lowering.lanes import Accesses
from weft.schedule.lowering.points import aligned, rows_of_vectors
from weft.schedule.nests import grid_chain
from weft.schedule.writing import Writing
from weft.transform.whole_loop import WholeLoop
from weft.tune.choice import first_fitting, schedules_for_few, schedules_for_uneven, vectors_of, written_by_hand
from weft.tune.default import for_long, for_short, for_small_tiles
from weft.tune.lengths import Length, length_of, other_lengths, relaxed
from weft.tune.products import enough_blocks

LEAST_FILLED = 16
"""The part of a tile of which threads that have points are worth those that have none."""


@dataclass(frozen=True)
class Draft:
    """A kernel as it was written, which has no schedule yet, and what the program gives for its parameters."""

    kernel: n.Kernel
    operands: tuple[n.Var, ...]
    layouts: Layouts


@dataclass(frozen=True)
class Sizes:
    """The launch of a kernel under its usual schedule, and what others beside it need.

    Attributes
    ----------
    kernel, usual, launch
        The kernel as it was written, the schedule that it has otherwise, and its launch under that.
    draft
        Makes one more kernel of the same nest.
    other
        Makes the launch of such a kernel under a schedule, and the statements that compute its grid.
    avoided
        Schedules that the next launch is not to have.
    given
        What the user wrote about schedules.
    device, limits
        The device, and what a block may have there.
    whole
        Says what is known of the whole loop where the program runs a piece of it.
    """

    kernel: n.Kernel
    usual: Schedule
    launch: n.Launch
    draft: Callable[[], Draft]
    other: Callable[[Draft, Schedule], tuple[n.Launch, list[n.Statement]]]
    avoided: Callable[[], frozenset[Schedule]]
    given: Schedule
    device: str
    limits: Limits
    names: Names
    whole: WholeLoop

    def statements(self, is_part: bool = False) -> list[n.Statement]:
        """The launch, with those for other sizes of the arrays; where it `is_part` of a nest, by what all parts have in
        common: how long rows are, which decides in which order sums are folded."""
        is_free = not written_by_hand(self.kernel, self.given)
        length = length_of(self.kernel, self.usual) if is_free else None
        if length is not None:
            return self._by_length(length)
        short = for_short(self.kernel, self.usual) if is_free else None
        usually: list[n.Statement] = [self.launch] if is_part else self._or_uneven()
        long = for_long(self.kernel, self.usual) if is_free else None
        if long is not None and long[1] not in self.avoided():
            return self._up_to(long[0], usually, self._under(long[1]))
        if short is not None:
            return self._up_to(short, self._under(short.schedule), usually)
        small = for_small_tiles(self.kernel, self.usual) if is_free else None
        return self._or_small(*small, usually) if small is not None else usually

    def _under(self, schedule: Schedule, draft: Draft | None = None) -> list[n.Statement]:
        """The launch under another schedule."""
        launch, grid = self.other(draft or self.draft(), schedule)
        return [*grid, launch]

    def _under_first(self, schedules: Iterable[Schedule]) -> list[n.Statement]:
        """The launch under the first of some schedules that the device takes; nothing where there is none."""
        given = list(schedules) if self.limits.cores and not written_by_hand(self.kernel, self.given) else []
        if not given:
            return []
        draft = self.draft()
        schedule = first_fitting(given, draft.layouts, self.limits, self.avoided())
        return self._under(schedule, draft) if schedule else []

    def _by_length(self, usual: Length) -> list[n.Statement]:
        """A launch for each of some lengths of rows."""
        launches: dict[Length, list[n.Statement]] = {usual: [self.launch]}
        for other in other_lengths(self.kernel, self.usual):
            fitting = relaxed(other) if other.schedule in self.avoided() else other
            launches[fitting] = self._under(fitting.schedule)
        *shorter, longest = sorted(launches, key=lambda length: length.most)
        chosen = launches[longest]
        for length in reversed(shorter):
            chosen = self._up_to(length, launches[length], chosen)
        return chosen

    def _up_to(self, length: Length, then: list[n.Statement], orelse: list[n.Statement]) -> list[n.Statement]:
        """A choice by the length of rows."""
        given = {param.name: operand for operand, param in zip(self.launch.operands, self.kernel.params, strict=False)}
        write = Writing(self.names, self.launch.location)
        trip = write.op("sub", substitute(length.stop, given), substitute(length.start, given))
        return self._where(write, write.compare("le", trip, length.most), then, orelse)

    def _or_small(self, tile: tuple[Bind, Bind], schedule: Schedule, usually: list[n.Statement]) -> list[n.Statement]:
        """A choice by how much of a block's tile the points of one of many products fill."""
        write, points = Writing(self.names, self.launch.location), cast(n.Atom, n.Const(1))
        loops = {loop.label: loop for loop in grid_chain(self.kernel)}
        given = {param.name: operand for operand, param in zip(self.launch.operands, self.kernel.params, strict=False)}
        for bind in tile:
            start, stop = substitute((loops[bind.loop].start, loops[bind.loop].stop), given)
            points = write.op("mul", points, write.op("min", write.trips(start, stop), bind.step))
        is_small = write.compare("le", points, tile[0].step * tile[1].step // LEAST_FILLED)
        return self._where(write, is_small, self._under(schedule), usually)

    def _or_uneven(self) -> list[n.Statement]:
        """The launch, and one for arrays whose rows are no multiple of a vector or begin elsewhere, if a schedule is
        made for these."""
        then = self._under_first(schedules_for_uneven(self.kernel, self.usual, self.device))
        if not then:
            return self._or_smaller()
        vectors = vectors_of(self.kernel, self.usual)
        write = Writing(self.names, self.launch.location)
        aligned_ones, whole = (tuple(map(self._operand, params)) for params in (vectors.aligned, vectors.whole))
        tests = [
            *rows_of_vectors(write, whole, vectors.lanes),
            *aligned(write, Accesses(vectors.lanes, views=aligned_ones)),
        ]
        return self._where(write, write.both(tests), [self.launch], then)

    def _operand(self, param: n.Var) -> n.Var:
        """The array that a launch gives for a parameter."""
        operand = self.launch.operands[self.kernel.params.index(param)]
        assert isinstance(operand, n.Var)
        return operand

    def _or_smaller(self) -> list[n.Statement]:
        """The launch; where it has too few blocks for the device, one with smaller blocks, if a schedule has these."""
        then = self._under_first(schedules_for_few(self.kernel, self.usual, self.device))
        usually = self._or_smaller_piece()
        if not then:
            return usually
        write, few = self._are_few()
        return self._where(write, few, then, usually)

    def _or_smaller_piece(self) -> list[n.Statement]:
        """The launch; where a piece of a loop has too few blocks for the device, one with smaller blocks. It adds sums
        in the same order, so the size of the piece may choose."""
        few = schedules_for_few(self.kernel, self.usual, self.device, of_piece=True) if self.whole.is_cut else ()
        then = self._under_first(few)
        if not then:
            return [self.launch]
        write, are_few = self._are_few()
        return [*write.statements, self._choice(are_few, then, [self.launch])]

    def _are_few(self) -> tuple[Writing, n.Atom]:
        """Whether the launch has too few blocks for the device, and what computes that."""
        write, blocks = Writing(self.names, self.launch.location), cast(n.Atom, n.Const(1))
        for count in self.launch.grid:
            blocks = write.op("mul", blocks, count, "blocks")
        enough = enough_blocks(self.usual, self.limits.cores, self.launch.kernel.resident)
        return write, write.compare("lt", blocks, enough)

    def _where(
        self, write: Writing, condition: n.Atom, then: list[n.Statement], orelse: list[n.Statement]
    ) -> list[n.Statement]:
        """What computes a condition, and the choice that it makes; for a piece of a loop, that of the whole loop."""
        condition = self.whole.of(condition, write)
        return [*write.statements, self._choice(condition, then, orelse)]

    def _choice(self, condition: n.Atom, then: list[n.Statement], orelse: list[n.Statement]) -> n.If:
        return n.If(condition, n.Block(tuple(then)), n.Block(tuple(orelse)), location=self.launch.location)


def with_variants(program: n.Program, variants: Mapping[str, Sequence[n.Statement]]) -> n.Program:
    """A placed program with several variants of its launches, of which a test chooses one.

    Parameters
    ----------
    program
        With one launch of each nest, and with copies: the variants need the same ones.
    variants
        By the name of a launch's kernel, the statements that replace the launch, as `Sizes` makes them.
    """
    if not variants:
        return program
    there = {launch.kernel.name for launch in launches_in(program.body)}
    added = [s for made in variants.values() for s in launches_in(n.Block(tuple(made))) if s.kernel.name not in there]
    taken = {v.name for v in bound_in(n.Block(tuple(added)))}
    names = Names(taken.union(v.name for v in variables(program)))
    again = [v for v in bound_in(program.body) if v.name in taken]
    body = substitute(program.body, {v.name: names.fresh(v.stem, v.type) for v in again})

    def changed(block: n.Block) -> n.Block:
        statements: list[n.Statement] = []
        for statement in block.statements:
            if not isinstance(statement, n.Launch):
                statements.append(with_blocks(statement, tuple(map(changed, blocks_of(statement)))))
            elif (made := variants.get(statement.kernel.name)) is None:
                statements.append(statement)
            else:
                (usual,) = (s for s in launches_in(n.Block(tuple(made))) if s.kernel.name == statement.kernel.name)
                pairs = zip((*usual.operands, *usual.grid), (*statement.operands, *statement.grid), strict=True)
                values = {old.name: new for old, new in pairs if isinstance(old, n.Var)}
                statements += _like(made, statement, values, names)
        return replace(block, statements=tuple(statements))

    return replace(program, body=changed(body))


def _like(
    statements: Sequence[n.Statement], launch: n.Launch, values: Mapping[str, n.Atom], names: Names
) -> list[n.Statement]:
    """Statements that end with a launch or a choice of launches, in place of a given launch: with its operands, what it
    touches, and the flags that tell whether it failed."""
    *before, last = statements
    made = {v.name: names.fresh(v.stem, v.type) for v in bound_in(n.Block(tuple(before)))}
    values = {**values, **made}
    before = list(substitute(tuple(before), values))
    if isinstance(last, n.Launch):
        operands, grid = substitute((last.operands, last.grid), values)
        return [*before, replace(launch, kernel=last.kernel, operands=operands, grid=grid)]
    assert isinstance(last, n.If)
    sides = []
    for side in (last.then, last.orelse):
        flags = tuple(names.fresh(flag.stem, flag.type) for flag in launch.results)
        sides.append(n.Block(tuple(_like(side.statements, replace(launch, results=flags), values, names)), flags))
    return [
        *before,
        replace(
            last, condition=substitute(last.condition, values), then=sides[0], orelse=sides[1], results=launch.results
        ),
    ]
