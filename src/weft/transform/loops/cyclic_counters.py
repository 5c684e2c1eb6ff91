"""Cyclic counters: what goes round in a loop, and what counts the rounds, as functions of the loop's counter.

``j += 1; if j == m: j = 0; i += 1`` in a loop over `k` is ``j = k % m`` and ``i = k // m``, however it is written: by a
branch, by a choice, by ``j = (j + 1) % m``, at the start or at the end of an iteration, from another first value. So
nothing is handed on from iteration to iteration, and `weft.transform.loops.delinearise` makes rows and columns of it.

Only where the loop can run in parallel then. That there is at least one value to go through is proven, or assumed of
the arguments.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from weft.analysis.access.structure import Loop
from weft.analysis.values.linear import Form, constant, symbol
from weft.analysis.values.ranges import Ranges
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.scribe import Scribe
from weft.ir.types import PYINT
from weft.ir.visit import Names, atoms_of, walk
from weft.transform.emit import Emitter, assuming
from weft.transform.loops.rows_and_columns import are_known
from weft.transform.support import judged, ranges_of, replace_at

MOST_LOOPS = 8
MOST_VALUES = 2**62
AT_ONCE = ("parallel", "reduction", "checked")


def cyclic_counters(program: n.Program) -> n.Program:
    """Give counters that go round in closed form."""
    left: set[str] = set()
    for _ in range(MOST_LOOPS):
        if not any(isinstance(s, n.For) and any(a.var.type == PYINT for a in s.args) for s in walk(program.body)):
            break
        changed = _first_changed(program, left)
        if changed is None:
            break
        program = changed
    return program


def _first_changed(program: n.Program, left: set[str]) -> n.Program | None:
    ranges = ranges_of(program)
    for loop in ranges.structure.loops.values():
        node = loop.node
        if not isinstance(node, n.For) or node.exit is not None or node.claim != "range" or loop.label in left:
            continue
        if node.index.type != PYINT or node.mapping != "sequential":
            continue
        cycle = next((c for k in range(len(node.args)) if (c := _cycle(ranges, loop, node, k)) is not None), None)
        if cycle is None:
            continue
        changed = _Closing(program, ranges, loop, node, cycle).program()
        if changed is not None and judged(changed).loops[loop.label].verdict in AT_ONCE:
            return changed
        left.add(loop.label)
    return None


@dataclass(frozen=True)
class _Cycle:
    """A carried value that goes from `low` to `last`, and begins `ahead` of `low`; -1: before it.

    `next` is the name of the value that an iteration hands on.
    """

    place: int
    low: int
    last: Form
    ahead: int
    next: str

    @property
    def period(self) -> Form:
        return self.last + 1 - self.low


@dataclass(frozen=True)
class _Rounds:
    """A carried value that grows by `step` in each round: from its second on, or from its first on, in all iterations
    that end with the lowest value of the counter."""

    step: n.Atom
    first_too: bool


@dataclass(frozen=True)
class _Choice:
    """A value that is one of two, by a condition."""

    condition: n.Atom
    then: n.Atom
    orelse: n.Atom


def _choice(ranges: Ranges, loop: Loop, atom: n.Atom) -> _Choice | None:
    """How a value is chosen by a statement of the body of a loop."""
    if not isinstance(atom, n.Var):
        return None
    definition = ranges.structure.definition(atom)
    if definition.region is not loop.body:
        return None
    if isinstance(definition.value, n.Select):
        return _Choice(definition.value.condition, definition.value.then, definition.value.orelse)
    branch = definition.statement
    if isinstance(branch, n.If) and atom in branch.results:
        place = branch.results.index(atom)
        return _Choice(branch.condition, branch.then.yields[place], branch.orelse.yields[place])
    return None


def _cycle(ranges: Ranges, loop: Loop, node: n.For, place: int) -> _Cycle | None:
    """The way in which a carried value goes round, if it does."""
    arg, after = node.args[place], node.body.yields[place]
    first = ranges.forms.of(arg.init).value
    if arg.var.type != PYINT or arg.combine is not None or first is None or not isinstance(after, n.Var):
        return None
    low, last = 0, _by_remainder(ranges, loop, arg.var, after)
    choice = _choice(ranges, loop, after)
    if choice is not None:
        sides = [ranges.forms.of(side) for side in (choice.then, choice.orelse)]
        onwards = symbol(arg.var.name) + 1
        if onwards not in sides:
            return None
        back = sides[1 - sides.index(onwards)].value
        if back is None:
            return None
        low, last = back, _last(ranges, loop, arg.var, choice.condition, sides.index(onwards) == 1)
    if last is None or first - low < -1:
        return None
    return _Cycle(place, low, last, first - low, after.name)


def _by_remainder(ranges: Ranges, loop: Loop, var: n.Var, after: n.Var) -> Form | None:
    """The last value of ``var = (var + 1) % m``."""
    definition = ranges.structure.definition(after)
    value = definition.value
    if definition.region is not loop.body or not isinstance(value, n.Binary) or value.op != "mod":
        return None
    period = ranges.forms.of(value.right)
    if ranges.forms.of(value.left) != symbol(var.name) + 1 or not _is_fixed(ranges, loop, period):
        return None
    return period - 1


_INVERSE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
_MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def _last(ranges: Ranges, loop: Loop, var: n.Var, condition: n.Atom, is_end: bool) -> Form | None:
    """The value after which a counter begins again, if a condition says so where it is true, or else false."""
    test = ranges.structure.definition(condition).value if isinstance(condition, n.Var) else None
    if not isinstance(test, n.Compare):
        return None
    difference = ranges.forms.of(test.left) - ranges.forms.of(test.right)
    factor = difference.coefficient(var.name).value
    if factor not in (1, -1) or difference.degree(var.name) != 1:
        return None
    op = test.op if factor == 1 else _MIRRORED[test.op]
    op = op if is_end else _INVERSE[op]
    last = symbol(var.name) - difference * factor
    if op not in ("eq", "ge", "gt") or not _is_fixed(ranges, loop, last):
        return None
    return last + 1 if op == "gt" else last


def _is_fixed(ranges: Ranges, loop: Loop, form: Form) -> bool:
    return not any(ranges.structure.is_inside(name, loop) for name in form.names)


class _Closing:
    """Writes a loop with a cyclic counter, and what counts its rounds, in closed form."""

    def __init__(self, program: n.Program, ranges: Ranges, loop: Loop, node: n.For, cycle: _Cycle) -> None:
        self.before, self.ranges, self.loop, self.node, self.cycle = program, ranges, loop, node, cycle
        self.names = Names.of(program)
        self.emitter = Emitter(ranges.structure, loop.region, loop.position, self.names, node.location)
        self.assumed: dict[Form, None] = {}

    def program(self) -> n.Program | None:
        """The program with the loop in its new form; None where something is not known."""
        cycle, node = self.cycle, self.node
        least = max(1, cycle.ahead + 1)
        period = self.emitter.form(cycle.period)
        if period is None or not all(map(self._holds, (cycle.period - least, constant(MOST_VALUES) - cycle.period))):
            return None
        steps = {p: rounds for p in range(len(node.args)) if (rounds := self._rounds(p)) is not None}
        places = {cycle.place, *steps}
        inside, after = Scribe(self.names, node.location), Scribe(self.names, node.location)
        done = inside.op("sub", node.index, node.start)
        nexts = self._written(inside, inside.op("add", done, cycle.ahead + 1), period, steps)
        body = self._without(node.body, places, nexts)
        if cycle.ahead < 0:
            if any(node.results[p].name in _used(self.before.body) for p in places) or self._reads(body, places):
                return None
            values: dict[int, n.Atom] = {}
        else:
            values = self._written(inside, inside.op("add", done, cycle.ahead), period, steps)
        kept = [p for p in range(len(node.args)) if p not in places]
        first = tuple(n.Let(node.args[p].var, _copy(v), node.location) for p, v in values.items())
        named = tuple(n.Let(node.body.yields[p], _copy(v), node.location) for p, v in nexts.items())  # type: ignore[arg-type]
        new = replace(
            node,
            args=tuple(node.args[p] for p in kept),
            results=tuple(node.results[p] for p in kept),
            body=n.Block((*inside.statements, *first, *named, *body), tuple(node.body.yields[p] for p in kept)),
        )
        trips = after.op("add", after.trips(node.start, node.stop), cycle.ahead)
        finals = self._written(after, trips, period, steps) if cycle.ahead >= 0 else {}
        results = tuple(n.Let(node.results[p], _copy(v), node.location) for p, v in finals.items())
        statements = (*self.emitter.statements, new, *(after.statements if results else ()), *results)
        changed = replace(self.before, body=replace_at(self.before.body, {self.loop.path: statements}))
        return assuming(changed, self.assumed, self.ranges, self.names)

    def _holds(self, form: Form) -> bool:
        """Whether a form is not negative before the loop, or is assumed not to be."""
        if self.ranges.nonnegative(form, self.loop.region):
            return True
        if not are_known(self.before, form):
            return False
        self.assumed[form] = None
        return True

    def _rounds(self, place: int) -> _Rounds | None:
        """By how much a carried value grows in each round, if that is when it changes."""
        node, ranges, cycle = self.node, self.ranges, self.cycle
        arg = node.args[place]
        if place == cycle.place or arg.var.type != PYINT or arg.combine is not None:
            return None
        choice = _choice(ranges, self.loop, node.body.yields[place])
        if choice is None:
            return None
        grown = [ranges.forms.of(side) - symbol(arg.var.name) for side in (choice.then, choice.orelse)]
        is_end = grown[1] == constant(0)
        step = grown[0] if is_end else grown[1]
        if constant(0) not in grown or not _is_fixed(ranges, self.loop, step):
            return None
        counter = node.args[cycle.place].var
        is_left = _last(ranges, self.loop, counter, choice.condition, is_end) == cycle.last
        if not is_left and not self._asks_for_low(choice.condition, "eq" if is_end else "ne"):
            return None
        amount = self.emitter.form(step)
        return None if amount is None else _Rounds(amount, cycle.ahead < 0 and not is_left)

    def _asks_for_low(self, condition: n.Atom, op: str) -> bool:
        """Whether a condition compares the next value with the lowest."""
        test = self.ranges.structure.definition(condition).value if isinstance(condition, n.Var) else None
        if not isinstance(test, n.Compare) or test.op != op:
            return False
        of = self.ranges.forms.of
        return of(test.left) - of(test.right) == of(n.Var(self.cycle.next, PYINT)) - self.cycle.low

    def _written(self, scribe: Scribe, count: n.Atom, period: n.Atom, steps: dict[int, _Rounds]) -> dict[int, n.Atom]:
        """The values after so many iterations, by their places."""
        values: dict[int, n.Atom] = {}
        rest = scribe.let(n.Binary("mod", count, period))
        values[self.cycle.place] = _plus(scribe, rest, n.Const(self.cycle.low))
        for place, grown in steps.items():
            rounds: n.Atom = scribe.let(n.Binary("floordiv", count, period))
            if grown.first_too:
                rounds = scribe.op("add", rounds, 1)
            if grown.step != n.Const(1):
                rounds = scribe.let(n.Binary("mul", rounds, grown.step))
            values[place] = _plus(scribe, rounds, self.node.args[place].init)
        return values

    def _without(self, body: n.Block, places: set[int], nexts: dict[int, n.Atom]) -> tuple[n.Statement, ...]:
        """The statements of the body that do not compute the next values, which are known."""
        gone = {body.yields[p] for p in nexts}
        statements: list[n.Statement] = []
        for statement in body.statements:
            if isinstance(statement, n.Let) and statement.var in gone:
                continue
            if isinstance(statement, n.If) and gone & set(statement.results):
                statement = _without_results(statement, gone)
            statements.append(statement)
        return tuple(_live(statements, {a.name for a in body.yields if isinstance(a, n.Var) and a not in gone}))

    def _reads(self, statements: Iterable[n.Statement], places: set[int]) -> bool:
        """Whether statements use the values that an iteration begins with."""
        return not _used(n.Block(tuple(statements))).isdisjoint(self.node.args[p].var.name for p in places)


def _plus(scribe: Scribe, left: n.Atom, right: n.Atom) -> n.Atom:
    return left if right == n.Const(0) else scribe.let(n.Binary("add", left, right))


def _copy(atom: n.Atom) -> n.Expression:
    return n.Binary("add", atom, n.Const(0), checked=False)


def _used(block: n.Block) -> set[str]:
    """The names that the statements of a block use."""
    atoms = [a for s in walk(block) for a in atoms_of(s)]
    inner = [a for s in walk(block) for b in _blocks(s) for a in b.yields]
    return {a.name for a in (*atoms, *inner, *block.yields) if isinstance(a, n.Var)}


def _blocks(statement: n.Statement) -> tuple[n.Block, ...]:
    if isinstance(statement, n.If):
        return statement.then, statement.orelse
    if isinstance(statement, n.While):
        return statement.condition, statement.body
    return (statement.body,) if isinstance(statement, n.For) else ()


def _without_results(branch: n.If, gone: set[n.Atom]) -> n.If:
    kept = [k for k, result in enumerate(branch.results) if result not in gone]
    sides = [replace(side, yields=tuple(side.yields[k] for k in kept)) for side in (branch.then, branch.orelse)]
    return replace(branch, then=sides[0], orelse=sides[1], results=tuple(branch.results[k] for k in kept))


def _live(statements: list[n.Statement], needed: set[str]) -> list[n.Statement]:
    """The statements without sums and tests that nobody uses any more: those of counters, which do not overflow."""
    kept: list[n.Statement] = []
    needed = set(needed)
    for statement in reversed(statements):
        if isinstance(statement, n.If) and not statement.results:
            sides = [_live(list(side.statements), set()) for side in (statement.then, statement.orelse)]
            if not any(sides):
                continue
        elif isinstance(statement, n.Let) and statement.var.name not in needed and _is_of_counters(statement.value):
            continue
        kept.insert(0, statement)
        needed |= _used(n.Block((statement,)))
    return kept


def _is_of_counters(value: n.Expression) -> bool:
    return isinstance(value, n.Compare) or (isinstance(value, n.Binary) and value.op in ("add", "sub"))
