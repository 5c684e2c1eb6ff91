"""Checks: loops that are parallel if something holds that only the values at the call decide stand twice.

Before the loop stands the test. Conditions on sizes and offsets, and that the values of an index array never decrease,
are tested as they are. Whether all places that are written are different is found out by a replay
(`weft.passes.replay`), which costs as much as a cheap loop does: it is made only where the loop does much more, and for
every loop of ``weft.prange``, where the user asked for it. If a replay finds a race in such a loop, a RaceError says
which iterations meet where, before the loop writes anything. In all other cases the loop runs as it was written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from weft.analysis import wording
from weft.analysis.access import Access
from weft.analysis.conditions import AnyOf, Condition, Distinct, NonNegative, NonZero, Sorted
from weft.analysis.linear import Form, extent
from weft.analysis.structure import Loop, Path
from weft.analysis.updates import updates
from weft.analysis.verdicts import LoopFact, Verdicts
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT
from weft.ir.visit import walk
from weft.passes.emit import Emitter
from weft.passes.hull import limit_of, unlimited
from weft.passes.parallelise import can_combine, is_parallel
from weft.passes.peel import Copies
from weft.passes.replay import FALSE, START, TRUE, Marks, Phase, Slice, State, Touch, Unknown, marks_for, touch_of
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
    if not any(isinstance(s, n.For) for s in program.body.statements) and not _has_loops(program):
        return program
    verdicts = judged(program)
    if not any(fact.verdict == "checked" for fact in verdicts.loops.values()):
        return program
    maker = _Maker(program, verdicts)
    changes: dict[Path, tuple[n.Statement, ...]] = {}
    done: set[str] = set()
    for loop in verdicts.table.structure.loops.values():
        fact = verdicts.loops[loop.label]
        if any(outer.label in done for outer in loop.around) or not maker.is_candidate(fact, loop):
            continue
        new = maker.checked(fact, loop)
        if new is not None:
            changes[loop.path] = new
            done.add(loop.label)
    return replace(program, body=replace_at(program.body, changes)) if changes else program


def _has_loops(program: n.Program) -> bool:
    return any(isinstance(s, n.For) for s in walk(program.body))


@dataclass
class _Answer:
    """Whether a loop may run in parallel, and what a replay found."""

    fine: n.Atom
    state: State
    second: n.Atom


@dataclass
class _Replay:
    """The statements of a replay: what makes the marks, the loops, what they find, and the pairs that may meet."""

    making: list[n.Let]
    loops: list[n.Statement]
    answer: _Answer
    size: n.Var
    pairs: list[tuple[int, int, Marks, Touch, Touch]]
    cost: float


class _Maker:
    def __init__(self, program: n.Program, verdicts: Verdicts) -> None:
        self.verdicts = verdicts
        self.table = verdicts.table
        self.associative = frozenset(f.name for f in program.functions if f.associative)
        self.copies = Copies(program)
        self.folds = {a for pair in updates(self.table, self.associative) for a in pair.accesses}

    def is_candidate(self, fact: LoopFact, loop: Loop) -> bool:
        """Whether a loop could run in parallel if its conditions hold, and is wanted to."""
        node = loop.node
        if fact.verdict != "checked" or not isinstance(node, n.For) or node.exit is not None or fact.private:
            return False
        if any(update.loads for update in fact.updates):
            return False
        if not all(can_combine(value, self.associative) for value in fact.carried):
            return False
        around = (self.verdicts.loops[outer.label] for outer in loop.around)
        wanted = not any(is_parallel(outer, self.associative) for outer in around)
        return fact.claimed or (wanted and sum(1 for _ in walk(node.body)) <= MOST_STATEMENTS)

    def checked(self, fact: LoopFact, loop: Loop) -> tuple[n.Statement, ...] | None:
        """The tests and both versions of a loop; None where there is no test, or none that is worthwhile."""
        assert isinstance(loop.node, n.For)
        emitter = Emitter(self.table.structure, loop.region, loop.position, self.copies.names, loop.node.location)
        fine = self._all(fact.conditions, emitter)
        replay = self._replay(fact, loop, loop.node) if fact.claimed or fine == FALSE else None
        if replay is None:
            if fine in (TRUE, FALSE):
                return None
            return (*emitter.statements, self._versions(fine, fact, loop.node))
        if not fact.claimed and (_work(loop.node.body) < GAIN * replay.cost or fine != FALSE):
            return None
        statements, answer = self._after_cheap(fine, replay, fact, loop.node)
        raised = self._raises(answer, replay, loop.node) if fact.claimed else ()
        before = () if fine == FALSE else tuple(emitter.statements)
        return (*before, *statements, *raised, self._versions(answer.fine, fact, loop.node))

    def _versions(self, fine: n.Atom, fact: LoopFact, node: n.For) -> n.If:
        """The loop in parallel, which keeps its label and names, or else as it was."""
        folds = {c.place: c.operator for c in fact.carried}
        args = tuple(replace(arg, combine=folds[place]) for place, arg in enumerate(node.args))
        results = tuple(self.copies.names.fresh(r.stem, r.type) for r in node.results)
        fast = replace(node, mapping="parallel", args=args, results=results)
        slow = self.copies.loop(node, node.start, node.stop, tuple(a.init for a in node.args))
        slow = replace(slow, claim="range")
        blocks = (n.Block((loop,), loop.results) for loop in (fast, slow))
        return n.If(fine, *blocks, node.results, node.location)

    # -------------------------------------------------------------------------------------- cheap conditions

    def _all(self, conditions: Sequence[Condition], emitter: Emitter) -> n.Atom:
        """Whether all conditions hold; False where one cannot be tested cheaply."""
        result: n.Atom = TRUE
        for condition in conditions:
            test = self._condition(condition, emitter)
            if test == FALSE:
                return FALSE
            result = emitter.both(result, test)
        return result

    def _condition(self, condition: Condition, emitter: Emitter) -> n.Atom:
        if isinstance(condition, NonNegative):
            return emitter.case((condition.form,), self.table.ranges)
        if isinstance(condition, NonZero):
            return self._nonzero(condition.form, emitter)
        if isinstance(condition, Sorted):
            return self._sorted(condition, emitter)
        if isinstance(condition, AnyOf):
            either: n.Atom = FALSE
            for option in condition.options:
                either = emitter.either(either, self._condition(option, emitter))
            return either
        assert isinstance(condition, Distinct)
        return FALSE

    def _value(self, form: Form, emitter: Emitter) -> tuple[n.Atom, n.Atom] | None:
        """The value of a form, and whether it is right: computed without overflow."""
        value = emitter.form(form)
        if value is None:
            return None
        return value, emitter.limited(unlimited(form, self.table.ranges), limit_of(form))

    def _nonzero(self, form: Form, emitter: Emitter) -> n.Atom:
        found = self._value(form, emitter)
        if found is None:
            return FALSE
        return emitter.both(emitter.let(n.Compare("ne", found[0], n.Const(0)), PYBOOL), found[1])

    def _sorted(self, condition: Sorted, emitter: Emitter) -> n.Atom:
        """Whether the elements never decrease, and all that are looked at exist."""
        array, low, high = condition.array, condition.low or Form({}), condition.high
        last = extent(array.name, condition.axis) - 1
        high = last if high is None else high
        limits = [(low, n.Const(0), "ge"), (last - high, n.Const(0), "ge")]
        for axis, form in enumerate(condition.indices):
            if form is not None:
                limits += [(form, n.Const(0), "ge"), (extent(array.name, axis) - 1 - form, n.Const(0), "ge")]
        inside: n.Atom = TRUE
        for form, *_ in limits:
            inside = emitter.both(inside, emitter.case((form,), self.table.ranges))
        ends = self._value(low, emitter), self._value(high, emitter)
        others = [None if form is None else emitter.form(form) for form in condition.indices]
        if ends[0] is None or ends[1] is None or inside == FALSE:
            return FALSE
        inside = emitter.both(inside, emitter.both(ends[0][1], ends[1][1]))
        rises = self._rises(condition, ends[0][0], ends[1][0], others, emitter)
        result = self.copies.names.fresh("sorted", PYBOOL)
        emitter.statements.append(
            n.If(inside, rises, n.Block((), (FALSE,)), (result,), emitter.location)
        )
        return result

    def _rises(
        self, condition: Sorted, low: n.Atom, high: n.Atom, others: Sequence[n.Atom | None], emitter: Emitter
    ) -> n.Block:
        """A loop over neighbours that ends where the second is smaller."""
        location, names = emitter.location, self.copies.names
        index, alive, result = names.fresh("k", PYINT), names.fresh("alive", PYBOOL), names.fresh("alive", PYBOOL)
        following = self.copies.let(n.Binary("add", index, n.Const(1), False), PYINT, location)
        type = condition.array.type.element  # type: ignore[union-attr]
        loads = []
        for place in (index, following.var):
            indices = tuple(place if other is None else other for other in others)
            loads.append(self.copies.let(n.Load(condition.array, indices, "safe"), type, location, "value"))
        rises = self.copies.let(n.Compare("le", loads[0].var, loads[1].var), PYBOOL, location)
        body = n.Block((following, *loads, rises), (rises.var,))
        label = self.copies.labels.fresh("k")
        loop = n.For(label, index, low, high, body, (n.LoopArg(alive, TRUE),), (result,), 0, location=location)
        return n.Block((loop,), (result,))

    # ---------------------------------------------------------------------------------------------- replays

    def _replay(self, fact: LoopFact, loop: Loop, node: n.For) -> _Replay | None:
        try:
            return self._replayed(fact, loop, node)
        except Unknown:
            return None

    def _replayed(self, fact: LoopFact, loop: Loop, node: n.For) -> _Replay:
        making: list[n.Let] = []
        loops: list[n.Statement] = []
        pairs: list[tuple[int, int, Marks, Touch, Touch]] = []
        answer = _Answer(TRUE, START, n.Const(0))
        cost, size = 0.0, None
        for touches in self._groups(fact, loop):
            lets, marks, size = marks_for(touches[0].view, tuple(t for t in touches if t.access.writes), self.copies, node)
            making += lets
            readers = [t for t in touches if not t.access.writes and not _is_covered(t, marks.writers)]
            for part in (list(marks.writers), readers):
                if not part:
                    continue
                numbers = {touch: len(pairs) + k for k, touch in enumerate(part)}
                pairs += [(0, 0, marks, touch, touch) for touch in part]
                at = {(t.access.region.path, t.access.site.position): t for t in part}
                phase = Phase(Slice(self.table, loop, part), marks, at, numbers, self.copies)
                repeated, state, second = phase.run(answer.state, answer.second)
                loops += [*phase.out, repeated]
                cost += _work(repeated.body)
                answer = _Answer(state.alive, state, second)
        if size is None:
            raise Unknown
        return _Replay(making, loops, answer, size, pairs, cost)
