"""What becomes of the values that a loop carries: sums and other folds, counters, scans, last values, and the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop
from weft.analysis.dependence.certainty import Must
from weft.analysis.dependence.dependence import Dependence
from weft.analysis.dependence.influence import Influence, influence, uses_in_indices
from weft.analysis.recurrences.chains import ASSIGN, REVERSED, Chain, Chains
from weft.analysis.values.forms import is_integer
from weft.analysis.values.linear import Form
from weft.analysis.values.ranges import branches_of
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.interface import TELLS_TYPE
from weft.ir.location import Location
from weft.ir.types import Scalar, View

CarriedKind: TypeAlias = Literal[
    "unchanged", "dead", "exit", "induction", "last", "previous",
    "reduction", "companion", "scan", "counter", "view", "sequential",
]  # fmt: skip
"""What a carried value is.

``unchanged``: never changes. ``dead``: nobody needs it. ``exit``: tells whether the loop goes on. ``induction``: a
linear function of the counter. ``last``: computed anew in every iteration and read only after the loop. ``previous``:
a value of the iteration before, computed anew each time. ``reduction``: folded by `Carried.operator`. ``companion``:
replaced together with an extreme, as the place of a minimum is. ``scan``: folded, and the partial results are used.
``counter``: grows, and says where to store. ``view``: an array under a changing name. ``sequential``: none of these.
"""

LINEAR = "linear"
"""The operator of ``s = a * s + b``: composition of linear functions."""


WHICH_TYPE = "what tells the type of a result"
"""What reports call a carried Boolean that the user did not write, see `TELLS_TYPE`."""


@dataclass(frozen=True)
class Carried:
    """What one carried value of a loop is.

    Attributes
    ----------
    place
        Its position among the arguments of the loop.
    name
        The user's name.
    kind
        See `CarriedKind`.
    operator
        For folds: an operator of `Binary`, ``assign`` (the last value assigned under a guard), ``linear``, or the
        name of an associative function.
    ties_last, nan_replaces, nan_stays
        For extremes: see `weft.analysis.recurrences.chains`.
    partner
        For a companion: the position of the extreme.
    is_float
        Whether folding in another order changes roundings.
    reason
        Why the value is what it is, in the user's words.
    location
        A use of the value of the iteration before.
    """

    place: int
    name: str
    kind: CarriedKind
    operator: str | None = None
    ties_last: bool = False
    nan_replaces: bool = False
    nan_stays: bool = False
    partner: int | None = None
    is_float: bool = False
    reason: str = ""
    location: Location | None = None


def carried(table: AccessTable, loop: Loop, associative: Iterable[str] = ()) -> tuple[Carried, ...]:
    """What every carried value of a loop is."""
    return _Classifier(table, loop, frozenset(associative)).run()


def closed_form(table: AccessTable, loop: Loop, place: int) -> Form | None:
    """The value of a carried integer as a function of the loop's counter, or None."""
    if table.forms.step_of(loop, place) is None:
        return None
    return table.forms.of(loop.node.args[place].var)


class _Classifier:
    def __init__(self, table: AccessTable, loop: Loop, associative: frozenset[str]) -> None:
        self.table = table
        self.loop = loop
        self.associative = associative
        self.exit = loop.node.exit if isinstance(loop.node, n.For) else None
        self.constant = constant_while_running(table, loop)
        known = {loop.node.args[place].var.name for place in self.constant}
        self.reached: list[Influence] = [
            influence(table, loop.body, (arg.var.name,), known - {arg.var.name}) for arg in loop.node.args
        ]
        self.chains: dict[int, Chain] = {}

    def run(self) -> tuple[Carried, ...]:
        found = [self._one(place) for place in range(len(self.loop.node.args))]
        return tuple(self._companion(c, found) for c in found)

    def _one(self, place: int) -> Carried:
        arg, value = self.loop.node.args[place], self.loop.node.body.yields[place]
        reached = self.reached[place]
        if place in self.constant:
            return self._made(place, "exit" if place == self.exit else "last")
        if value == arg.var:
            return self._made(place, "unchanged")
        if isinstance(arg.var.type, View):
            return self._made(place, "view", reason="it names another array then", location=self._use(place))
        if self.table.forms.step_of(self.loop, place) is not None:
            return self._made(place, "induction")
        if self._is_dead(place):
            return self._made(place, "dead")
        if place not in reached.places:
            unread = reached.names == {arg.var.name}
            return self._made(
                place, "last" if unread and not reached.effects else "previous", location=self._use(place)
            )
        return self._folded(place, reached)

    def _is_dead(self, place: int) -> bool:
        """Whether the value is used only for its own next value, and not after the loop."""
        reached = self.reached[place]
        result = self.loop.node.results[place].name
        if reached.effects or reached.places - {place} or self.table.structure.uses.get(result):
            return False
        return not reached.may_raise_besides(())

    def _folded(self, place: int, reached: Influence) -> Carried:
        arg, value = self.loop.node.args[place], self.loop.node.body.yields[place]
        chain = Chains(self.table, (arg.var.name,), reached, self.associative, self.loop.body).of(value)
        if chain is None:
            return self._sequential(place, "the next value is no fold of the one before")
        self.chains[place] = chain
        operator = chain.operator or (LINEAR if is_linear(chain) else None)
        if operator is None:
            return self._sequential(place, "it is changed by operators of different kinds")
        others = reached.places - {place}
        if self.exit in others:
            return self._sequential(place, "where the loop ends depends on it")
        if others - self._companions_of(place, chain):
            return self._sequential(place, "other values that are carried depend on it")
        if not reached.effects and not reached.may_raise_besides(chain.links):
            return self._made(place, "reduction", operator, chain)
        if not self._is_counter(place, chain, reached):
            return self._made(place, "scan", operator, chain, location=_first_place(reached))
        if not chain.guarded:
            return self._sequential(place, "it grows by an amount that is not always the same")
        return self._made(place, "counter", operator, chain, location=_first_place(reached))

    def _is_counter(self, place: int, chain: Chain, reached: Influence) -> bool:
        """Whether a value that only grows says where to store, and is not itself stored."""
        arg, names = self.loop.node.args[place], reached.names
        stores = [site.statement for site, only_whether in reached.effects.items() if not only_whether]
        least, _ = self.table.ranges.steps(self.loop, place) if is_integer(arg.var.type) else (None, None)
        grows = chain.operator == "add" and least is not None and least >= 0
        return grows and bool(stores) and all(uses_in_indices(statement, names) for statement in stores)

    def _companion(self, found: Carried, others: list[Carried]) -> Carried:
        """The value as a companion of an extreme that it goes with."""
        for other in others:
            chain = self.chains.get(other.place)
            if chain is None or other.kind != "reduction" or other.place == found.place:
                continue
            if found.place in self.reached[other.place].places and found.place in self._companions_of(
                other.place, chain
            ):
                return self._made(found.place, "companion", other.operator, chain, partner=other.place)
        return found

    def _companions_of(self, place: int, chain: Chain) -> set[int]:
        """The carried values that are replaced exactly where the extreme at `place` is."""
        if chain.operator not in ("min", "max"):
            return set()
        return {
            other
            for other in range(len(self.loop.node.args))
            if other not in (place, self.exit) and self._goes_with(other, chain)
        }

    def _goes_with(self, place: int, chain: Chain) -> bool:
        arg, value = self.loop.node.args[place], self.loop.node.body.yields[place]
        reached = self.reached[place]
        if reached.effects or reached.places - {place} or reached.faults:
            return False
        return self._follows(value, {arg.var.name}, chain, reached)

    def _follows(self, value: n.Atom, sources: set[str], chain: Chain, reached: Influence) -> bool:
        """Whether a value is the carried one, except where the extreme is replaced."""
        if not isinstance(value, n.Var):
            return False
        if value.name in sources:
            return True
        definition = self.table.structure.definition(value)
        statement, place = definition.statement, definition.place
        if isinstance(statement, n.For) and definition.kind == "result":
            arg = statement.args[place]
            inner = self._follows(statement.body.yields[place], {arg.var.name}, chain, reached)
            return inner and self._follows(arg.init, sources, chain, reached)
        choice = branches_of(definition)
        if choice is None:
            return False
        condition, branches = choice[0], choice[1:]
        name = condition.name if isinstance(condition, n.Var) else ""
        if (name, True) in chain.decisions or (name, False) in chain.decisions:
            taken, kept = branches if (name, True) in chain.decisions else branches[::-1]
            replaced = not isinstance(taken, n.Var) or taken.name not in reached.names
            return replaced and self._follows(kept, sources, chain, reached)
        if name in reached.names or name in chain.links:
            return False
        return all(self._follows(branch, sources, chain, reached) for branch in branches)

    def _sequential(self, place: int, reason: str) -> Carried:
        return self._made(place, "sequential", reason=reason, location=self._use(place))

    def _use(self, place: int) -> Location | None:
        """Where the value of the iteration before is used."""
        uses = self.table.structure.uses.get(self.loop.node.args[place].var.name, ())
        places = [getattr(use.statement, "location", None) for use in uses]
        return next((location for location in places if location is not None), None)

    def _made(
        self,
        place: int,
        kind: CarriedKind,
        operator: str | None = None,
        chain: Chain | None = None,
        partner: int | None = None,
        reason: str = "",
        location: Location | None = None,
    ) -> Carried:
        var = self.loop.node.args[place].var
        is_float = isinstance(var.type, Scalar) and var.type.kind in "fc"
        rules = (chain.ties_last, chain.nan_replaces, chain.nan_stays) if chain else (False, False, False)
        name = WHICH_TYPE if var.stem == TELLS_TYPE else var.stem
        return Carried(place, name, kind, operator, *rules, partner, is_float, reason, location)


def _first_place(reached: Influence) -> Location | None:
    """The first place outside of a fold that uses its partial results."""
    places = (getattr(site.statement, "location", None) for site in reached.effects)
    return next((location for location in places if location is not None), None)


def constant_while_running(table: AccessTable, loop: Loop) -> frozenset[int]:
    """The carried values that have their initial value in every iteration, since the loop ends when they change.

    These are the flag that `For.exit` names, and values like the `found` of ``if found: break``.
    """
    node = loop.node
    if isinstance(node, n.While) or node.exit is None:
        return frozenset()
    found = {node.exit}
    decided = _ending_condition(table, node.body.yields[node.exit])
    if decided is not None:
        for place, (arg, value) in enumerate(zip(node.args, node.body.yields, strict=True)):
            if value == decided[0] and arg.init == n.Const(not decided[1], arg.var.type):
                found.add(place)
    return frozenset(found)


def _ending_condition(table: AccessTable, goes_on: n.Atom) -> tuple[n.Atom, bool] | None:
    """A value and the truth of it with which a loop ends, where the flag says no more than that."""
    choice = branches_of(table.structure.definition(goes_on)) if isinstance(goes_on, n.Var) else None
    if choice is None:
        return None
    condition, then, orelse = choice
    ends = [isinstance(side, n.Const) and side.value is False for side in (then, orelse)]
    if ends[0] == ends[1] or not isinstance(condition, n.Var):
        return None
    value = table.structure.definition(condition).value
    if isinstance(value, n.Unary) and value.op == "not":
        return value.operand, ends[1]
    return condition, ends[0]


def is_linear(chain: Chain) -> bool:
    """Whether a chain is a linear function of the carried value, whose coefficients do not depend on it."""
    return chain.operators <= {"add", "mul", REVERSED, ASSIGN} and not chain.converted


@dataclass(frozen=True, eq=False)
class MemoryScan:
    """A recurrence through memory: ``x[i] = a[i] * x[i - 1] + b[i]``.

    Attributes
    ----------
    load, store
        The element of an earlier iteration, and the element that is made from it.
    operator
        As for `Carried`.
    distance
        How many iterations lie between them: in every iteration that has such an earlier one.
    """

    load: Access
    store: Access
    operator: str
    distance: Must[int]


def memory_scan(
    table: AccessTable, loop: Loop, dependence: Dependence, associative: Iterable[str] = ()
) -> MemoryScan | None:
    """The recurrence that a flow dependence of a loop makes, or None where it is no fold."""
    load, store = dependence.sink, dependence.source
    if dependence.kind != "flow" or not _may_scan(load, store, loop) or not store.is_certain_in(loop.body):
        return None
    distance = dependence.certain_distance
    if distance is None:
        return None
    loads = [a for a in table.within(loop.body) if _same_map(a, load) and a.kind == "load"]
    sources = tuple(a.value.name for a in loads if isinstance(a.value, n.Var))
    reached = table.influences.get((loop.label, sources))
    if reached is None:
        reached = table.influences[loop.label, sources] = influence(table, loop.body, sources)
    if reached.places:
        return None
    value = store.value
    names = frozenset(associative)
    chain = None if value is None else Chains(table, sources, reached, names, loop.body).of(value)
    if chain is None:
        return None
    operator = chain.operator or (LINEAR if is_linear(chain) else None)
    return None if operator in (None, ASSIGN) else MemoryScan(load, store, str(operator), distance)


def _may_scan(load: Access, store: Access, loop: Loop) -> bool:
    return load.kind == "load" and store.kind == "store" and load.loops[-1] is loop and store.loops[-1] is loop


def _same_map(a: Access, b: Access) -> bool:
    return (a.array, a.fields, a.indices, a.loops) == (b.array, b.fields, b.indices, b.loops)
