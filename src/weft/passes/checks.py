"""Checks: loops that are parallel if something holds that only the values at the call decide stand twice.

Before the loop stands the test. Conditions on sizes and offsets, and that the values of an index array never decrease,
are tested as they are. Whether all places that are written are different is found out by a replay
(`weft.passes.replay`), which costs as much as a cheap loop does: it is made only where the loop does much more, and for
every loop of ``weft.prange``, where the user asked for it. If a replay finds a race in such a loop, a RaceError says
which iterations meet where, before the loop writes anything. In all other cases the loop runs as it was written.
Conditions on numbers alone, of loops that nobody claims to be parallel, are left to `weft.passes.conditions`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from weft.analysis import wording
from weft.analysis.access import Access
from weft.analysis.conditions import Distinct, Sorted
from weft.analysis.structure import Loop, Path
from weft.analysis.updates import updates
from weft.analysis.verdicts import LoopFact, Verdicts
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT
from weft.ir.visit import blocks_of, walk
from weft.passes.emit import Emitter
from weft.passes.parallelise import can_combine, is_parallel
from weft.passes.peel import Copies
from weft.passes.replay import START, Marks, Phase, Slice, State, Touch, Unknown, marks_for, touch_of
from weft.passes.runtime_tests import FALSE, TRUE, Tests
from weft.passes.support import judged, replace_at

MOST_STATEMENTS = 120
"""Larger loops are not put into the program twice, unless the user claims that they are parallel."""
GAIN = 4
"""How many times the work of a replay a loop has to do for a replay to be worthwhile."""
MOST_MARKS = 16
"""How many elements there may be for each iteration where marks are made unasked."""
MOST_PAIRS = 12
RACE = "weft.errors:RaceError"
TOO_DEAR = "the check would cost more than it gains"


def checks(program: n.Program) -> n.Program:
    """Test before loops whether they are parallel."""
    if not any(isinstance(s, n.For) for s in walk(program.body)):
        return program
    verdicts = judged(program)
    loops = verdicts.table.structure.loops.values()
    if not any(_is_open(verdicts.loops[loop.label], loop.node) for loop in loops):
        return program
    maker = _Maker(program, verdicts)
    changes: dict[Path, tuple[n.Statement, ...]] = {}
    done: set[str] = set()
    for loop in loops:
        if any(outer.label in done for outer in loop.around):
            continue
        new = maker.checked(loop)
        if new is not None:
            changes[loop.path] = new
            done.add(loop.label)
    return replace(program, body=replace_at(program.body, changes)) if changes else program


def is_too_dear(fact: LoopFact) -> bool:
    """Whether a loop that stays as it was does so because only a replay could tell whether it is parallel."""
    return fact.verdict == "checked" and any(isinstance(c, Distinct) for c in fact.conditions)


def _is_open(fact: LoopFact, node: n.For | n.While) -> bool:
    """Whether values at the call decide, or a claim that nothing is known of."""
    claimed = isinstance(node, n.For) and node.claim == "prange" and not fact.refuted
    return fact.verdict == "checked" or (claimed and bool(fact.doubtful))


@dataclass
class _Replay:
    """A replay: statements that measure arrays, the marks, the loops, what they find, and the accesses by number."""

    state: State = field(default_factory=lambda: START)
    second: n.Atom = n.Const(0)
    measures: list[n.Let] = field(default_factory=list)
    marks: list[Marks] = field(default_factory=list)
    loops: list[n.Statement] = field(default_factory=list)
    touched: list[tuple[Marks, Touch]] = field(default_factory=list)
    cost: float = 0.0


class _Maker:
    def __init__(self, program: n.Program, verdicts: Verdicts) -> None:
        self.verdicts = verdicts
        self.table = verdicts.table
        self.associative = frozenset(f.name for f in program.functions if f.associative)
        self.copies = Copies(program)
        self.folds = {a for pair in updates(self.table, self.associative) for a in pair.accesses}

    def checked(self, loop: Loop) -> tuple[n.Statement, ...] | None:
        """The tests and both versions of a loop; None where there is no test, or none that is worthwhile."""
        fact, node = self.verdicts.loops[loop.label], loop.node
        if not isinstance(node, n.For) or not self._is_candidate(fact, node, loop):
            return None
        claimed = node.claim == "prange"
        emitter = Emitter(self.table.structure, loop.region, loop.position, self.copies.names, node.location)
        tests = Tests(emitter, self.table.ranges, self.copies, loop)
        fine = tests.all(fact.conditions) if fact.verdict == "checked" else FALSE
        before = [] if fine == FALSE else emitter.statements
        replay = self._replay(fact, loop) if claimed or fine == FALSE else None
        if replay is not None and not claimed and work(node.body) < GAIN * replay.cost:
            return None
        if replay is not None:
            replayed, fine = self._decided(fine, replay, node)
            before = [*before, *replayed]
        return None if fine in (TRUE, FALSE) else (*before, self._versions(fine, fact, node))

    def _is_candidate(self, fact: LoopFact, node: n.For, loop: Loop) -> bool:
        """Whether a loop can run in parallel if its conditions hold, and whether that is wanted."""
        if not _is_open(fact, node) or node.exit is not None or fact.private:
            return False
        if any(update.loads for update in fact.updates):
            return False
        if node.claim == "range" and not any(isinstance(c, (Distinct, Sorted)) for c in fact.conditions):
            return False
        if not all(can_combine(value, self.associative) for value in fact.carried):
            return False
        around = (self.verdicts.loops[outer.label] for outer in loop.around)
        alone = not any(is_parallel(outer, self.associative) for outer in around)
        return node.claim == "prange" or (alone and sum(1 for _ in walk(node.body)) <= MOST_STATEMENTS)

    def _versions(self, fine: n.Atom, fact: LoopFact, node: n.For) -> n.If:
        """The loop in parallel, which keeps its label and names, or else as it was."""
        folds = {c.place: c.operator for c in fact.carried}
        args = tuple(replace(arg, combine=folds[place]) for place, arg in enumerate(node.args))
        results = tuple(self.copies.names.fresh(r.stem, r.type) for r in node.results)
        fast = replace(node, mapping="parallel", args=args, results=results)
        slow = self.copies.loop(node, node.start, node.stop, tuple(a.init for a in node.args))
        then, orelse = (n.Block((loop,), loop.results) for loop in (fast, replace(slow, claim="range")))
        return n.If(fine, then, orelse, node.results, node.location)

    # ---------------------------------------------------------------------------------------------- replays

    def _replay(self, fact: LoopFact, loop: Loop) -> _Replay | None:
        try:
            return self._replayed(fact, loop)
        except Unknown:
            return None

    def _replayed(self, fact: LoopFact, loop: Loop) -> _Replay:
        assert isinstance(loop.node, n.For)
        found = _Replay()
        for touches in self._groups(fact, loop):
            writers = tuple(t for t in touches if t.access.writes)
            readers = tuple(t for t in touches if not t.access.writes and not _is_covered(t, writers))
            measures, marks = marks_for(touches[0].view, writers, self.copies, loop.node)
            found.measures += measures
            found.marks.append(marks)
            for part in filter(None, (writers, readers)):
                numbers = {touch: len(found.touched) + k for k, touch in enumerate(part)}
                found.touched += [(marks, touch) for touch in part]
                phase = Phase(Slice(self.table, loop, part), marks, numbers, self.copies)
                repeated, found.state, found.second = phase.run(found.state, found.second)
                found.loops += [*phase.out, repeated]
                found.cost += work(repeated.body)
        if sum(len(marks.writers) for marks, _ in found.touched) > MOST_PAIRS:
            raise Unknown
        return found

    def _groups(self, fact: LoopFact, loop: Loop) -> list[list[Touch]]:
        """The accesses that may meet, by the array that they touch."""
        found: dict[str, dict[Access, Touch]] = {}
        for dependence in fact.doubtful:
            if dependence.meeting is None:
                raise Unknown  # which elements are touched is not known, or of which array
            for access in (dependence.source, dependence.sink):
                if access in self.folds:
                    raise Unknown
                group = found.setdefault(access.array.name, {})
                if access not in group:
                    group[access] = touch_of(access, self.table, loop)
        groups = [list(group.values()) for group in found.values()]
        if any(touch.view != group[0].view for group in groups for touch in group):
            raise Unknown
        return groups

    def _decided(self, fine: n.Atom, replay: _Replay, node: n.For) -> tuple[list[n.Statement], n.Atom]:
        """The statements that decide, and whether the loop may run in parallel."""
        made = (marks.made(node.location) for marks in replay.marks)
        asked = n.Block((*made, *replay.loops), (*replay.state.atoms(), replay.second))
        if node.claim == "prange":
            test, then, orelse = fine, _answer(TRUE), asked
        else:
            test, then, orelse = self._is_modest(replay, node), asked, _answer(FALSE)
        state, second = State.fresh(self.copies), self.copies.names.fresh("latest", PYINT)
        results = tuple(v for v in (*state.atoms(), second) if isinstance(v, n.Var))
        statements: list[n.Statement] = [*replay.measures, n.If(test, then, orelse, results, node.location)]
        if node.claim == "prange":
            statements += self._raised(replay, state, second, node)
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

    # ----------------------------------------------------------------------------------------------- errors

    def _raised(self, replay: _Replay, state: State, second: n.Atom, node: n.For) -> list[n.Statement]:
        """The RaceError, where a race was found."""
        location = node.location
        raced = self.copies.let(n.Compare("ne", state.seen, n.Const(0)), PYBOOL, location, "raced")
        body: list[n.Statement] = []
        for number, (marks, _) in enumerate(replay.touched):
            for place in range(len(marks.writers)):
                body += self._of_pair(replay, number, place, state, second, node)
        return [raced, n.If(raced.var, n.Block(tuple(body)), location=location)]

    def _of_pair(
        self, replay: _Replay, number: int, place: int, state: State, second: n.Atom, node: n.For
    ) -> list[n.Statement]:
        """Raises the error if it is about one access and one of those that write."""
        (marks, touch), lets = replay.touched[number], list[n.Statement]()

        def let(op: n.BinaryOp, left: n.Atom, right: n.Atom | int) -> n.Atom:
            atom = n.Const(right) if isinstance(right, int) else right
            made = self.copies.let(n.Binary(op, left, atom, False), PYINT, node.location)
            lets.append(made)
            return made.var

        mark, writers = let("sub", state.seen, 1), len(marks.writers)
        first = let("add", let("floordiv", mark, writers), node.start)
        tests = ((state.number, number), (let("mod", mark, writers), place))
        equal = [self.copies.let(n.Compare("eq", a, n.Const(b)), PYBOOL, node.location) for a, b in tests]
        both = self.copies.let(n.Binary("and", equal[0].var, equal[1].var, False), PYBOOL, node.location)
        rest, indices = state.place, list[n.Atom]()
        for extent in reversed(marks.extents):
            indices.insert(0, let("mod", rest, extent))
            rest = let("floordiv", rest, extent)
        operands = (first, second, *indices)
        raised = n.Raise(RACE, _message(marks, place, touch, node), operands, marks.writers[place].access.location)
        raised = replace(raised, other=touch.access.location)
        return [*lets, *equal, both, n.If(both.var, n.Block((raised,)), location=node.location)]


def _answer(fine: n.Atom) -> n.Block:
    """What is known where nothing is replayed."""
    return n.Block((), (*replace(START, alive=fine).atoms(), n.Const(0)))


def _message(marks: Marks, place: int, touch: Touch, node: n.For) -> str:
    """The message over the two iterations and the indices of the element."""
    variable = node.label.partition("@")[0]
    counted = f"iteration number {{}} of the loop over {variable}"  # the user's variable is a function of the counter
    iteration = f"iteration {variable} = {{}}" if node.index.stem == variable else counted
    first, second = marks.writers[place].access, touch.access
    what = [f"{iteration} {'writes' if access.writes else 'reads'} {_escaped(access)}" for access in (first, second)]
    element = f"{marks.view.stem}[{', '.join('{}' for _ in marks.extents)}]"
    return f"the iterations of this prange loop are not independent: {' and '.join(what)}: the same element {element}"


def _escaped(access: Access) -> str:
    text = wording.access_text(access) + wording.line_of(access.location)
    return text.replace("{", "{{").replace("}", "}}")


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
    if isinstance(loop.start, n.Const) and isinstance(loop.stop, n.Const):
        return max(0.0, loop.stop.value.real - loop.start.value.real)
    return TRIPS


def _operation(statement: n.Statement) -> float:
    value = statement.value if isinstance(statement, n.Let) else statement
    if isinstance(value, (n.Math, n.Call, n.External, n.Alloc)):
        return 20.0
    if isinstance(value, n.Binary) and value.op in ("pow", "truediv", "floordiv", "mod"):
        return 20.0 if value.op == "pow" else 5.0
    return 2.0 if isinstance(value, (n.Load, n.Store, n.Update)) else 1.0
