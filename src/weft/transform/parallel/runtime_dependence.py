"""Checks: loops that are parallel if something holds that only the values at the call decide stand twice.

Before the loop stands the test. Conditions on sizes and offsets, and that the values of an index array never decrease,
are tested as they are. Whether all places that are written are different is found out by a replay
(`weft.transform.parallel.inspector`), which costs as much as a cheap loop does: it is made only where the loop does
much more, and for every loop of ``weft.prange``, where the user asked for it. If a replay finds a race in such a loop,
a RaceError says which iterations meet where, before the loop writes anything: the check stands before the outermost
loop around it from which on what it needs is known. In all other cases the loop runs as it was written. Conditions on
numbers alone, of loops that nobody claims to be parallel, are left to `weft.transform.parallel.conditions`.
"""

from __future__ import annotations

from dataclasses import field, replace

from weft.analysis.access.access import Access
from weft.analysis.access.structure import Loop, Path
from weft.analysis.dependence.conditions import Distinct, Sorted
from weft.analysis.dependence.verdicts import LoopFact, Verdicts
from weft.analysis.recurrences.updates import same_fold, updates
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT
from weft.ir.visit import atoms_of, blocks_of, known_trips, substitute, walk, with_blocks
from weft.transform.emit import Emitter
from weft.transform.parallel.conflict_marks import Around, Marks, Phase, marks_for, varying
from weft.transform.parallel.inspector import FALSE, START, TRUE, Slice, State, Touch, Unknown, Walk, touch_of
from weft.transform.parallel.parallelise import can_combine, is_parallel
from weft.transform.parallel.races import raised
from weft.transform.peel import Copies
from weft.transform.safety.runtime_tests import Tests
from weft.transform.support import judged

MOST_STATEMENTS = 120
"""Larger loops are not put into the program twice, unless the user claims that they are parallel."""
GAIN = 4
"""How many times the work of a replay a loop has to do for a replay to be worthwhile."""
MOST_MARKS = 16
"""How many elements there may be for each iteration where marks are made unasked."""
MOST_PAIRS = 12
TOO_DEAR = "the check would cost more than it gains"


def runtime_dependence(program: n.Program) -> n.Program:
    """Test before loops whether they are parallel."""
    if not any(isinstance(s, n.For) for s in walk(program.body)):
        return program
    verdicts = judged(program)
    loops = verdicts.table.structure.loops.values()
    if not any(_is_open(verdicts.loops[loop.label], loop.node) for loop in loops):
        return program
    maker = _Maker(program, verdicts)
    for loop in loops:
        maker.check(loop)
    return replace(program, body=maker.rebuilt(program.body)) if maker.before else program


def is_too_dear(fact: LoopFact) -> bool:
    """Whether a loop that stays as it was does so because only a replay could tell whether it is parallel."""
    return fact.verdict == "checked" and any(isinstance(c, Distinct) for c in fact.conditions)


def _is_open(fact: LoopFact, node: n.For | n.While) -> bool:
    """Whether values at the call decide, or a claim that nothing is known of."""
    claimed = isinstance(node, n.For) and node.claim == "prange" and not fact.refuted
    return fact.verdict == "checked" or (claimed and bool(fact.doubtful))


@dataclass
class _Replay:
    """A replay: statements that measure arrays, those that ask, what is known then, and what each code means."""

    measures: list[n.Let] = field(default_factory=list)
    asked: list[n.Statement] = field(default_factory=list)
    state: State = field(default_factory=lambda: START)
    pairs: list[tuple[Marks, Touch, Touch]] = field(default_factory=list)
    marks: list[Marks] = field(default_factory=list)
    cost: float = 0.0

    @property
    def folds(self) -> bool:
        """Whether iterations may meet in what they fold: then the loop runs in order, without a race."""
        return any(marks.folds for marks in self.marks)


@dataclass(frozen=True)
class _Group:
    """The accesses to one array that may meet: all, and in which phases they are looked at."""

    marks: Marks
    phases: tuple[tuple[Touch, ...], ...]


class _Maker:
    """Collects the tests that stand before loops, and for each tested loop the answer."""

    def __init__(self, program: n.Program, verdicts: Verdicts) -> None:
        self.verdicts = verdicts
        self.table = verdicts.table
        self.associative = frozenset(f.name for f in program.functions if f.associative)
        self.copies = Copies(program)
        self.folds = {a: pair for pair in updates(self.table, self.associative) for a in pair.accesses}
        self.before: dict[Path, list[n.Statement]] = {}
        self.fine: dict[Path, tuple[n.Atom, LoopFact]] = {}

    def check(self, loop: Loop) -> None:
        """Add the tests of a loop, if there are any that are worthwhile."""
        fact, node = self.verdicts.loops[loop.label], loop.node
        if not isinstance(node, n.For) or not self._is_candidate(fact, node, loop):
            return
        claimed = node.claim == "prange"
        for place in (*(_known_places(loop) if claimed else ()), loop):
            found = self._tested(fact, loop, place)
            if found is not None:
                self.before.setdefault(place.path, []).extend(found[0])
                if found[1] != FALSE:
                    self.fine[loop.path] = found[1], fact
                return

    def rebuilt(self, block: n.Block, path: Path = ()) -> n.Block:
        """A block with the tests, and with both versions of each tested loop."""
        statements: list[n.Statement] = []
        for position, statement in enumerate(block.statements):
            here = (*path, position)
            inner = tuple(self.rebuilt(b, (*here, k)) for k, b in enumerate(blocks_of(statement)))
            if any(a is not b for a, b in zip(inner, blocks_of(statement), strict=True)):
                statement = with_blocks(statement, inner)
            statements += self.before.get(here, ())
            if here in self.fine and isinstance(statement, n.For):
                statement = self._versions(*self.fine[here], statement)
            statements.append(statement)
        same = len(statements) == len(block.statements)
        if same and all(a is b for a, b in zip(statements, block.statements, strict=True)):
            return block
        return replace(block, statements=tuple(statements))

    def _is_candidate(self, fact: LoopFact, node: n.For, loop: Loop) -> bool:
        """Whether a loop can run in parallel if its conditions hold, and whether that is wanted."""
        if not _is_open(fact, node) or node.exit is not None or fact.private:
            return False
        if not all(update.is_one_step for update in fact.updates):
            return False
        if not all(can_combine(value, self.associative) for value in fact.carried):
            return False
        if node.claim == "prange":
            return True
        if any(outer.path in self.fine for outer in loop.around):
            return False
        if not any(isinstance(c, (Distinct, Sorted)) for c in fact.conditions):
            return False
        around = (self.verdicts.loops[outer.label] for outer in loop.around)
        alone = not any(is_parallel(outer, self.associative) for outer in around)
        return alone and sum(1 for _ in walk(node.body)) <= MOST_STATEMENTS

    def _versions(self, fine: n.Atom, fact: LoopFact, node: n.For) -> n.If:
        """The loop in parallel, which keeps its label and names, or else as it was."""
        folds = {c.place: c.operator for c in fact.carried}
        args = tuple(replace(arg, combine=folds[place]) for place, arg in enumerate(node.args))
        results = tuple(self.copies.names.fresh(r.stem, r.type) for r in node.results)
        fast = replace(node, mapping="parallel", args=args, results=results)
        slow = self.copies.loop(node, node.start, node.stop, tuple(a.init for a in node.args))
        then, orelse = (n.Block((loop,), loop.results) for loop in (fast, replace(slow, claim="range")))
        return n.If(fine, then, orelse, node.results, node.location)

    def _tested(self, fact: LoopFact, loop: Loop, place: Loop) -> tuple[list[n.Statement], n.Atom] | None:
        """Statements before `place` that decide about a loop inside of it, or about itself, and the answer."""
        assert isinstance(loop.node, n.For)
        tests = self._tests(loop, place)
        fine = tests.all(fact.conditions) if fact.verdict == "checked" else FALSE
        before = [] if fine == FALSE else tests.emitter.statements
        claimed = loop.node.claim == "prange"
        replay = self._replay(fact, loop, place) if claimed or fine == FALSE else None
        if replay is None and place is not loop:
            return None
        if replay is not None and not claimed and work(loop.node.body) < GAIN * replay.cost:
            return None
        if replay is not None:
            replayed, decided = self._decided(fine, replay, loop.node)
            before = [*before, *replayed]
            if fine == FALSE and replay.folds:
                return before, FALSE
            fine = decided
        return None if fine in (TRUE, FALSE) else (before, fine)

    def _tests(self, loop: Loop, place: Loop) -> Tests:
        """Where tests are emitted before a loop."""
        node = loop.node
        emitter = Emitter(self.table.structure, place.region, place.position, self.copies.names, node.location)
        return Tests(emitter, self.table.ranges, self.copies, place)

    # ---------------------------------------------------------------------------------------------- replays

    def _replay(self, fact: LoopFact, loop: Loop, place: Loop) -> _Replay | None:
        try:
            return self._replayed(fact, loop, place)
        except Unknown:
            return None

    def _replayed(self, fact: LoopFact, loop: Loop, place: Loop) -> _Replay:
        found = _Replay()
        claimed = isinstance(loop.node, n.For) and loop.node.claim == "prange"
        groups = [self._group(touches, loop, found) for touches in self._touches(fact, place, claimed)]
        if len(found.pairs) > MOST_PAIRS:
            raise Unknown
        if place is loop:
            found.asked, found.state = self._phases(loop, groups, found, START, {})
            return found
        everything = [touch for group in groups for phase in group.phases for touch in phase]
        slice = Slice(self.table, place, everything)
        quick = self._quick(fact, loop, place, slice)

        def ask(walk: Walk) -> None:
            self._ask(walk, loop, groups, found, quick)

        around = Around(slice, self.copies, loop, ask)
        around.run()
        found.asked, found.state = around.out, around.state
        return found

    def _ask(self, walk: Walk, loop: Loop, groups: list[_Group], found: _Replay, quick: n.Block | None) -> None:
        """Replay one run of a loop inside of others, where quick tests do not tell that it is parallel."""
        before = walk.state
        asked, after = self._phases(loop, groups, found, before, walk.renaming)
        if quick is None:
            walk.out += asked
            walk.state = after
            return
        tests = substitute(quick, walk.renaming)
        walk.out += tests.statements
        walk.append_if(tests.yields[0], n.Block((), before.atoms()), n.Block(tuple(asked), after.atoms()))

    def _quick(self, fact: LoopFact, loop: Loop, place: Loop, slice: Slice) -> n.Block | None:
        """Tests right before the loop, in its own words; the slice computes what they need."""
        if fact.verdict != "checked":
            return None
        tests = self._tests(loop, loop)
        fine = tests.all(fact.conditions)
        block = n.Block(tuple(tests.emitter.statements), (fine,))
        loads = [s.value for s in walk(block) if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
        written = self.table.aliases.written(place.body)
        if fine in (TRUE, FALSE) or any(not self.table.aliases.roots(x.view).isdisjoint(written) for x in loads):
            return None
        for atom in (a for s in walk(block) for a in atoms_of(s)):
            slice.need(atom)
        return block

    def _group(self, touches: list[Touch], loop: Loop, found: _Replay) -> _Group:
        assert isinstance(loop.node, n.For)
        axes = varying(touches, lambda name: self.table.structure.is_inside(name, loop))
        folds = any(touch.access in self.folds for touch in touches)
        measures, marks, kept = marks_for(touches, axes, self.copies, loop.node, folds)
        readers = tuple(t for t in kept if not t.access.writes and (folds or not _is_covered(t, marks.writers)))
        found.measures += measures
        found.marks.append(marks)
        found.pairs += [(marks, writer, touch) for touch in (*marks.writers, *readers) for writer in marks.writers]
        return _Group(marks, tuple(filter(None, (marks.writers, readers))))

    def _phases(
        self, loop: Loop, groups: list[_Group], found: _Replay, state: State, renaming: dict[str, n.Atom]
    ) -> tuple[list[n.Statement], State]:
        """One run over the loop for each phase of each group."""
        out: list[n.Statement] = []
        base, code = state.base, 1
        for group in groups:
            for part in group.phases:
                codes = {touch: code + k * len(group.marks.writers) for k, touch in enumerate(part)}
                code += len(part) * len(group.marks.writers)
                phase = Phase(Slice(self.table, loop, part), self.copies, group.marks, codes, replace(state, base=base))
                phase.renaming.update(renaming)
                phase.run()
                out, state = [*out, *phase.out], phase.state
                found.cost += sum(work(s.body) for s in phase.out if isinstance(s, n.For))
        return out, replace(state, base=base)

    def _touches(self, fact: LoopFact, place: Loop, claimed: bool) -> list[list[Touch]]:
        """The accesses that may meet, by the array that they touch."""
        found: dict[str, dict[Access, Touch]] = {}
        for dependence in fact.doubtful:
            if dependence.meeting is None:
                raise Unknown  # which elements are touched is not known, or of which array
            for met in (dependence.source, dependence.sink):
                access = self.folds[met].store if met in self.folds else met
                group = found.setdefault(access.array.name, {})
                if access not in group:
                    group[access] = touch_of(access, self.table, place)
        groups = [list(group.values()) for group in found.values()]
        if any(touch.view != group[0].view for group in groups for touch in group):
            raise Unknown
        if not all(self._is_decided_by_marks(group, claimed) for group in groups):
            raise Unknown
        return groups

    def _is_decided_by_marks(self, touches: list[Touch], claimed: bool) -> bool:
        """Whether no writer folds; for a claim, which is only to be refuted, also whether all fold by one operator."""
        pairs = [self.folds.get(touch.access) for touch in touches if touch.access.writes]
        folds = [pair for pair in pairs if pair is not None]
        return not folds or (claimed and len(folds) == len(pairs) and all(same_fold(folds[0], p) for p in folds))

    def _decided(self, fine: n.Atom, replay: _Replay, node: n.For) -> tuple[list[n.Statement], n.Atom]:
        """The statements that decide, and whether the loop may run in parallel."""
        made = (marks.made(node.location) for marks in replay.marks)
        after = replace(replay.state, alive=FALSE) if replay.folds else replay.state
        asked = n.Block((*made, *replay.asked), after.atoms())
        if node.claim == "prange":
            test, then, orelse = fine, n.Block((), START.atoms()), asked
        else:
            test, then, orelse = self._is_modest(replay, node), asked, n.Block((), replace(START, alive=FALSE).atoms())
        state = State.fresh(self.copies)
        statements: list[n.Statement] = [*replay.measures]
        statements.append(n.If(test, then, orelse, state.variables(), node.location))
        if node.claim == "prange":
            statements += raised(replay.pairs, state, node, self.copies)
        return statements, state.alive

    def _is_modest(self, replay: _Replay, node: n.For) -> n.Atom:
        """Whether there are not many more elements than iterations."""
        trips = self.copies.let(n.Binary("sub", node.stop, node.start, False), PYINT, node.location, "trips")
        most = self.copies.let(n.Binary("mul", trips.var, n.Const(MOST_MARKS), False), PYINT, node.location, "most")
        replay.measures += [trips, most]
        result: n.Atom = TRUE
        for marks in replay.marks:
            test = self.copies.let(n.Compare("le", marks.size, most.var), PYBOOL, node.location)
            replay.measures.append(test)
            if result == TRUE:
                result = test.var
            else:
                both = self.copies.let(n.Binary("and", result, test.var, False), PYBOOL, node.location)
                replay.measures.append(both)
                result = both.var
        return result


def _known_places(loop: Loop) -> list[Loop]:
    """The loops around a loop, outermost first, all of whose iterations certainly run."""
    found: list[Loop] = []
    for outer in reversed(loop.around):
        if not isinstance(outer.node, n.For) or outer.node.exit is not None:
            break
        found.insert(0, outer)
    return found


def _is_covered(reader: Touch, writers: tuple[Touch, ...]) -> bool:
    """Whether an iteration that reads an element certainly writes it as well."""
    atoms = [s.atom for s in reader.subscripts]
    return any(
        atoms == [s.atom for s in writer.subscripts] and writer.access.region.contains(reader.access.region)
        for writer in writers
    )


TRIPS = 16
"""How often inner loops are taken to run where that is not known."""


def work(block: n.Block) -> float:
    """Roughly how many simple operations a block takes."""
    total = 0.0
    for statement in block.statements:
        inner = [work(b) for b in blocks_of(statement)]
        if isinstance(statement, n.For):
            total += _trips(statement) * (inner[0] + 1)
        elif isinstance(statement, n.While):
            total += TRIPS * (sum(inner) + 1)
        elif isinstance(statement, n.If):
            total += max(inner) + 1
        else:
            total += _operation(statement)
    return total


def _trips(loop: n.For) -> float:
    trips = known_trips(loop)
    return TRIPS if trips is None else float(trips)


def _operation(statement: n.Statement) -> float:
    value = statement.value if isinstance(statement, n.Let) else statement
    if isinstance(value, (n.Math, n.Call, n.External, n.Alloc)):
        return 20.0
    if isinstance(value, n.Binary) and value.op in ("pow", "truediv", "floordiv", "mod"):
        return 20.0 if value.op == "pow" else 5.0
    return 2.0 if isinstance(value, (n.Load, n.Store, n.Update)) else 1.0
