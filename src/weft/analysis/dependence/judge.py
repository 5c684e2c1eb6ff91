"""Judges one loop: from what it carries and from its dependences to a verdict with its reason."""

from __future__ import annotations

from dataclasses import replace

from weft.analysis import effort
from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop
from weft.analysis.dependence import wording
from weft.analysis.dependence.certainty import May
from weft.analysis.dependence.conditions import Condition, Distinct, NonNegative
from weft.analysis.dependence.dependence import Dependence, find, never_meet, pairs, suspect
from weft.analysis.dependence.influence import influence
from weft.analysis.dependence.loop_facts import LoopFact, Verdict
from weft.analysis.dependence.question import Question
from weft.analysis.recurrences.private import PrivateArray, private_array
from weft.analysis.recurrences.recurrences import (
    LINEAR,
    WHICH_TYPE,
    Carried,
    MemoryScan,
    carried,
    constant_while_running,
    memory_scan,
)
from weft.analysis.recurrences.same_values import ASSIGN, same_value_stores
from weft.analysis.recurrences.updates import UpdatePair, same_fold
from weft.analysis.termination.faults import region_may_raise
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.python_calls import callee_of


class Judge:
    """Judges one loop; everything around it is held fixed."""

    def __init__(self, table: AccessTable, loop: Loop, found: list[UpdatePair], associative: frozenset[str]) -> None:
        self.table = table
        self.loop = loop
        self.associative = associative
        self.claim: n.Claim = loop.node.claim if isinstance(loop.node, n.For) else "range"
        self.update_of = {access: pair for pair in found for access in pair.accesses}
        self.shared: dict[UpdatePair, None] = {}
        self.same: dict[frozenset[str], tuple[UpdatePair, ...]] = {}
        self.met: list[Dependence] = []
        self.scans: list[MemoryScan] = []
        self.private: list[PrivateArray] = []
        self.all: list[Dependence] = []
        self.doubtful: tuple[Dependence, ...] = ()

    def fact(self) -> LoopFact:
        node = self.loop.node
        if isinstance(node, n.While):
            return self._while(node)
        step = next((s for s in self.loop.body.sites() if isinstance(s.statement, n.External)), None)
        if step is not None:
            return self._calls_python(node, step.statement)
        values = carried(self.table, self.loop, self.associative)
        blocking = _blocking(values)
        if blocking is not None and self.claim == "range":  # whatever memory says: most of the time goes into asking
            return self._blocked_by_value(values, blocking, claimed=False)
        return self._decide(values, [] if self.claim == "independent" else self._open_dependences())

    def _calls_python(self, node: n.For, step: n.Statement) -> LoopFact:
        assert isinstance(step, n.External)
        callee, line = callee_of(step.reference), wording.line_of(step.location)
        return self._fact("sequential", f"it calls {callee}{line}", (node.location, step.location), ())

    def _while(self, node: n.While) -> LoopFact:
        change = next((c for c in map(self._definition_of, node.body.yields) if c is not None), node.location)
        reason = "how often a while loop runs is known only when it ends: it tests{} what it computes{}"
        lines = wording.line_of(node.location), wording.line_of(change)
        return self._fact("sequential", reason.format(*lines), (node.location, change), ())

    def _open_dependences(self) -> list[Dependence]:
        """The dependences that neither reductions nor scans nor private arrays explain.

        What the quick tests leave is explained first: where something certain is in the way, isl need not be asked.
        """
        found = (suspect(self.table, self.loop, a, b) for a, b in pairs(self.table, self.loop))
        self.all = [d for d in found if d is not None]
        rest = self._unexplained()
        if any(d.is_settled and d.conditions is None for d in rest):
            return rest
        self.all = [d for d in self.all if d.is_real]
        return self._unexplained()

    def _unexplained(self) -> list[Dependence]:
        self.shared, self.private, self.met = {}, [], []
        rest = [d for d in self.all if not self._is_shared_update(d)]
        self.met = [d for d in rest if self._is_same_value(d)]
        rest = [d for d in rest if d not in self.met]
        return self._without_scans(self._without_private(rest))

    def _is_shared_update(self, dependence: Dependence) -> bool:
        """Whether both accesses fold into the array by one operator."""
        first, second = (self.update_of.get(a) for a in (dependence.source, dependence.sink))
        if first is None or second is None or not same_fold(first, second):
            return False
        if not self.table.roots(dependence.source).isdisjoint(self.table.aliases.overlapping):
            return False  # several indices may be one element, which folds do not expect
        if not self._only_folded(dependence.source, first) or self._is_decidable(dependence):
            return False
        self.shared[first] = self.shared[second] = None
        return True

    def _is_same_value(self, dependence: Dependence) -> bool:
        """Whether all stores to the array store one value, and the program cannot tell which iteration was first."""
        roots = self.table.roots(dependence.source)
        if self._is_decidable(dependence) or roots != self.table.roots(dependence.sink):
            return False
        if roots not in self.same:
            self.same[roots] = same_value_stores(self.table, self.loop, dependence.source)
        return bool(self.same[roots])

    @staticmethod
    def _is_decidable(dependence: Dependence) -> bool:
        """Whether a cheap test at the call may show that there is no dependence: then nothing need be folded."""
        conditions = dependence.conditions
        return bool(conditions) and not any(isinstance(c, Distinct) for c in conditions or ())

    def _only_folded(self, folded: Access, pair: UpdatePair) -> bool:
        """Whether all that the loop does with the elements into which it folds is to fold by one operator."""
        inside = [a for a in self.table.of_same_storage(folded) if self.loop.body.contains(a.region)]
        folds = {a for a in inside if a in self.update_of and same_fold(self.update_of[a], pair)}
        return not any(self._may_meet(a, b) for a in inside if a not in folds for b in folds)

    def _may_meet(self, a: Access, b: Access) -> bool:
        """Whether two accesses may touch one element, in any iterations of the loop."""
        if not (a.writes or b.writes):
            return False
        if find(self.table, self.loop, a, b) or find(self.table, self.loop, b, a):
            return True
        return not never_meet(Question(self.table, self.loop, a, b, "same"))

    def _without_private(self, dependences: list[Dependence]) -> list[Dependence]:
        rest = list(dependences)
        for array in dict.fromkeys(d.source.array for d in dependences):
            found = private_array(self.table, self.loop, array)
            if found is not None and not (found.copied_out and self.claim == "prange"):
                self.private.append(found)
                rest = [d for d in rest if d.source.array != array or d.sink.array != array]
        return rest

    def _without_scans(self, dependences: list[Dependence]) -> list[Dependence]:
        found = [(d, self._scan(d)) for d in dependences]
        scans = [scan for _, scan in found if scan is not None]
        stores = [scan.store for scan in scans]
        if len(set(stores)) < len(stores):
            return dependences  # a recurrence of higher order
        self.scans = scans
        return [d for d, scan in found if scan is None]

    def _scan(self, dependence: Dependence) -> MemoryScan | None:
        affordable = effort.current().spend(len(self.table.within(self.loop.body)))
        return memory_scan(self.table, self.loop, dependence, self.associative) if affordable else None

    def _decide(self, values: tuple[Carried, ...], rest: list[Dependence]) -> LoopFact:
        node = self.loop.node
        assert isinstance(node, n.For)
        blocking = _blocking(values)
        if blocking is not None:
            return self._blocked_by_value(values, blocking, self.claim == "prange")
        if rest or self.scans or any(c.kind in ("scan", "counter") for c in values):
            rest = [d for d in self.all if d in rest or d in self.met]  # the loop has an order, so these count too
        elif self.met:
            self.shared.update((u, None) for d in self.met for u in self.same[self.table.roots(d.source)])
        hard = [d for d in rest if d.conditions is None or not d.conditions]
        if self.claim == "prange":
            return self._claimed(values, rest)
        if hard:
            return self._blocked_by_memory(values, hard[0])
        if rest and self._exclude_one_another(rest):
            return self._blocked_by_memory(values, rest[0])
        conditions = tuple(dict.fromkeys(c for d in rest for c in d.conditions or ()))
        if rest and (self.scans or any(c.kind in ("scan", "counter") for c in values)):
            return self._blocked_by_memory(values, rest[0])
        self.doubtful = tuple(rest)
        if node.exit is not None:
            return self._search(values, conditions)
        return self._free(values, conditions)

    def _exclude_one_another(self, rest: list[Dependence]) -> bool:
        """Whether the conditions for the absence of several dependences can hold only where nothing runs twice."""
        forms = [c.form for d in rest for c in d.conditions or () if isinstance(c, NonNegative)]
        found = [d.meeting.question.prover for d in rest if d.meeting is not None]
        return any(found[0].nonnegative(-(a + b) - 1) for k, a in enumerate(forms) for b in forms[k + 1 :])

    def _claimed(self, values: tuple[Carried, ...], rest: list[Dependence]) -> LoopFact:
        """A ``prange`` loop: a claim is no proof. What can be checked is checked; what cannot is not relied on."""
        for dependence in rest:
            if dependence.is_proven():
                return self._blocked_by_memory(values, dependence, refuted=True)
        for scan in self.scans:
            between = (scan.store.location, scan.load.location)
            reason = wording.conflict_text(self._counter, scan.store, scan.load, May(scan.distance.value))
            refuted = scan.load.is_certain_in(self.loop.body)
            return self._fact("sequential", reason, between, values, refuted=refuted)
        ordered = next((found for found in map(self._in_order, values) if found is not None), None)
        if ordered is not None:
            return self._blocked_by_value(values, ordered, claimed=True)
        hard = next((d for d in rest if not d.conditions), None)
        self.doubtful = tuple(rest)
        if hard is not None:
            return self._unproven(values, hard)
        if rest:
            conditions = tuple(dict.fromkeys(c for d in rest for c in d.conditions or ()))
            return self._fact("checked", self._condition_text(conditions), (), values, conditions, claimed=True)
        node = self.loop.node
        return self._search(values, ()) if getattr(node, "exit", None) is not None else self._free(values, ())

    def _in_order(self, value: Carried) -> Carried | None:
        """A carried value that is neither folded nor a last value, so that the order of iterations counts."""
        if value.kind in ("scan", "counter"):
            return value
        if value.kind == "reduction" and value.operator == LINEAR:
            return replace(value, reason="it is changed by operators of different kinds", location=self._use(value))
        if value.kind not in ("induction", "last") or value.place in constant_while_running(self.table, self.loop):
            return None
        reached = influence(self.table, self.loop.body, (self.loop.node.args[value.place].var.name,))
        is_used = reached.effects or reached.places - {value.place}
        return replace(value, location=value.location or self._use(value)) if is_used else None

    def _use(self, value: Carried) -> Location | None:
        """The first use of what the iteration before gave to a carried value."""
        uses = self.table.structure.uses.get(self.loop.node.args[value.place].var.name, ())
        places = (getattr(use.statement, "location", None) for use in uses)
        return next((place for place in places if place is not None), None)

    def _unproven(self, values: tuple[Carried, ...], found: Dependence) -> LoopFact:
        fact = self._blocked_by_memory(values, found)
        advice = "; prange claims that it is not so, which weft.assume_independent takes on your word"
        return replace(fact, reason=fact.reason + advice)

    def _search(self, values: tuple[Carried, ...], conditions: tuple[Condition, ...]) -> LoopFact:
        node = self.loop.node
        assert isinstance(node, n.For) and node.exit is not None
        if self.scans:
            return self._ends_by_scan(values, self.scans[0])
        endless = next((s for s in self.loop.body.sites() if isinstance(s.statement, n.While)), None)
        if endless is not None:
            between = (node.location, endless.statement.location)
            lines = tuple(map(wording.line_of, between))
            reason = f"the loop may end early{lines[0]}, and an iteration after that might never end{lines[1]}"
            return self._fact("sequential", reason, between, values)
        if conditions:
            return self._fact("checked", self._condition_text(conditions), (), values, conditions)
        return self._fact("search", "it ends at the first iteration that finds something", (), values)

    def _ends_by_scan(self, values: tuple[Carried, ...], scan: MemoryScan) -> LoopFact:
        node = self.loop.node
        between = (node.location, scan.store.location)
        lines = tuple(map(wording.line_of, between))
        reason = (
            f"the loop may end early{lines[0]}, and {scan.store.view.stem} goes from iteration to iteration{lines[1]}"
        )
        return self._fact("sequential", reason, between, values)

    def _free(self, values: tuple[Carried, ...], conditions: tuple[Condition, ...]) -> LoopFact:
        """The verdict where nothing is in the way, from the strongest need of the values to the weakest."""
        if any(c.kind == "counter" for c in values):
            name = next(c.name for c in values if c.kind == "counter")
            return self._fact("compaction", f"{name} counts the elements that are stored", (), values, conditions)
        if self.scans or any(c.kind == "scan" for c in values):
            return self._fact("scan", self._scan_text(values), (), values, conditions)
        if conditions:
            return self._fact("checked", self._condition_text(conditions), (), values, conditions)
        if self.shared or any(c.kind in ("reduction", "companion") for c in values):
            return self._fact("reduction", self._reduction_text(values), (), values)
        return self._fact("parallel", self._parallel_text(), (), values)

    def _blocked_by_value(self, values: tuple[Carried, ...], blocking: Carried, claimed: bool) -> LoopFact:
        node = self.loop.node
        use = blocking.location or node.location
        change = self._definition_of(node.body.yields[blocking.place]) or node.location
        lines = wording.line_of(use), wording.line_of(change)
        reason = f"{blocking.name} is used{lines[0]} with the value that the iteration before gave it{lines[1]}"
        if blocking.reason:
            reason += f", and {blocking.reason}"
        return self._fact("sequential", reason, (use, change), values, refuted=claimed)

    def _definition_of(self, atom: n.Atom) -> Location | None:
        if not isinstance(atom, n.Var):
            return None
        definition = self.table.structure.definition(atom)
        if definition.kind == "result" and isinstance(definition.statement, n.If):
            for region in definition.region.inner[definition.position]:
                value = region.block.yields[definition.place]
                if isinstance(value, n.Var) and region.contains(self.table.structure.definition(value).region):
                    return self._definition_of(value)
        return getattr(definition.statement, "location", None)

    def _blocked_by_memory(self, values: tuple[Carried, ...], found: Dependence, refuted: bool = False) -> LoopFact:
        between = (found.source.location, found.sink.location)
        reason = wording.conflict_text(self._counter, found.source, found.sink, found.distance, found.is_doubtful)
        if found.reason:
            reason = f"{reason} perhaps, since {found.reason}"
        return self._fact("sequential", reason, between, values, refuted=refuted)

    @property
    def _counter(self) -> str:
        node = self.loop.node
        return node.index.stem if isinstance(node, n.For) else node.label

    def _parallel_text(self) -> str:
        if self.claim == "independent":
            return "by your word: assume_independent"
        if self.private:
            names = ", ".join(p.array.stem for p in self.private)
            return f"no iteration touches what another writes, when each has its own {names}"
        return "no iteration touches what another writes"

    def _reduction_text(self, values: tuple[Carried, ...]) -> str:
        folded = [c for c in values if c.kind == "reduction"]
        shown = [c for c in folded if c.name != WHICH_TYPE] or folded
        folds = [f"{c.name} ({WORDS.get(c.operator or '', c.operator)})" for c in shown]
        updates = [u for u in self.shared if u.operator != ASSIGN]
        folds += [f"{u.store.view.stem} ({WORDS.get(u.operator, u.operator)})" for u in updates]
        same = dict.fromkeys(u.store.view.stem for u in self.shared if u.operator == ASSIGN)
        meeting = ["in what they fold: " + ", ".join(dict.fromkeys(folds))] if folds else []
        meeting += ["where they store the same value: " + ", ".join(same)] if same else []
        return "iterations meet only " + ", and ".join(meeting)

    def _scan_text(self, values: tuple[Carried, ...]) -> str:
        names = [c.name for c in values if c.kind == "scan"] + [s.store.view.stem for s in self.scans]
        return "partial results of a fold are used: " + ", ".join(dict.fromkeys(names))

    @staticmethod
    def _condition_text(conditions: tuple[Condition, ...]) -> str:
        return "decided at the call: parallel if " + " and ".join(str(c) for c in conditions)

    def _fact(
        self,
        verdict: Verdict,
        reason: str,
        between: tuple[Location, ...],
        values: tuple[Carried, ...],
        conditions: tuple[Condition, ...] = (),
        claimed: bool = False,
        refuted: bool = False,
    ) -> LoopFact:
        node = self.loop.node
        return LoopFact(
            node.label,
            node.location,
            verdict,
            reason,
            between,
            values,
            tuple(self.shared),
            tuple(self.scans),
            tuple(self.private),
            conditions,
            region_may_raise(self.table, self.loop.body),
            self._writes(),
            claimed or self.claim == "independent",
            refuted,
            tuple(self.all),
            self.doubtful,
        )

    def _writes(self) -> bool:
        return any(
            a.writes and not self.table.aliases.is_fresh_in(a.array, self.loop)
            for a in self.table.within(self.loop.body)
        )


WORDS = {
    "add": "sum", "mul": "product", "min": "minimum", "max": "maximum", "and": "and", "or": "or", "xor": "parity",
    "assign": "last value assigned", "linear": "linear recurrence",
}  # fmt: skip
"""What operators are called in a report."""


def _blocking(values: tuple[Carried, ...]) -> Carried | None:
    """A carried value with which iterations run in order, whatever they do in memory."""
    return next((c for c in values if c.kind in ("sequential", "previous", "view")), None)
