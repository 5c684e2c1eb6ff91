"""Which changes of the order of iterations and statements keep what a program computes.

Interchange and distribution keep every dependence and the order of exceptions; peeling is always legal, and here it is
said whether it takes the dependences away. A fold of floats is never put in another order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop
from weft.analysis.dependence.dependence import Dependence, carried, never_meet, pairs
from weft.analysis.dependence.question import MARK, Question
from weft.analysis.dependence.wording import access_text, line_of
from weft.analysis.recurrences.recurrences import carried as carried_values
from weft.analysis.values.linear import Form, constant, symbol
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, is_repeatable, statement_may_raise
from weft.ir.location import Location
from weft.ir.visit import atoms_of, blocks_of, defined_by, free_variables


@dataclass(frozen=True)
class Legality:
    """Whether a change is legal, and where it is not, why, and what is in the way."""

    legal: bool
    reason: str = ""
    between: tuple[Location, ...] = ()


LEGAL = Legality(True)


def can_interchange(table: AccessTable, outer: str, inner: str, associative: frozenset[str] = frozenset()) -> Legality:
    """Whether two loops, the one directly inside of the other, may change places."""
    first, second = table.structure.loops[outer], table.structure.loops[inner]
    for check in (check_nest, check_no_exit, check_bounds, check_no_raise):
        found = check(table, first, second)
        if not found.legal:
            return found
    found = check_folds(table, first, second, associative)
    return found if not found.legal else check_directions(table, first, second)


def check_nest(table: AccessTable, outer: Loop, inner: Loop) -> Legality:
    """The outer loop does nothing but run the inner one."""
    if not isinstance(outer.node, n.For) or not isinstance(inner.node, n.For):
        return Legality(False, "only for loops change places")
    for statement in outer.node.body.statements:
        harmless = (
            isinstance(statement, n.Let)
            and is_repeatable(statement.value)
            and not block_may_raise(n.Block((statement,)))
        )
        if statement is not inner.node and not harmless:
            return Legality(False, "there are statements between the loops", (statement.location,))
    return LEGAL if inner.region is outer.body else Legality(False, "the loops are not directly nested")


def check_no_exit(table: AccessTable, outer: Loop, inner: Loop) -> Legality:
    """No loop ends early."""
    for loop in (outer, inner):
        if isinstance(loop.node, n.For) and loop.node.exit is not None:
            return Legality(False, "a loop may end early", (loop.node.location,))
    return LEGAL


def check_bounds(table: AccessTable, outer: Loop, inner: Loop) -> Legality:
    """The inner loop runs over the same range in every iteration of the outer one."""
    assert isinstance(inner.node, n.For)
    names = table.forms.of(inner.node.start).names | table.forms.of(inner.node.stop).names
    if any(table.structure.is_inside(name, outer) for name in names):
        return Legality(False, "the range of the inner loop depends on the outer one", (inner.node.location,))
    return LEGAL


def check_no_raise(table: AccessTable, outer: Loop, inner: Loop) -> Legality:
    """No iteration raises: otherwise another exception could come first."""
    if block_may_raise(outer.node.body):
        return Legality(False, "an iteration may raise an exception, and another one could come first")
    return LEGAL


def check_folds(table: AccessTable, outer: Loop, inner: Loop, associative: frozenset[str]) -> Legality:
    """What both loops carry is folded in any order: integers and Booleans, never floats."""
    for value in (*carried_values(table, outer, associative), *carried_values(table, inner, associative)):
        if value.kind in ("unchanged", "induction"):
            continue
        if value.kind != "reduction" or value.is_float or value.operator not in COMMUTATIVE:
            return Legality(False, f"{value.name} is carried from iteration to iteration in order")
    return LEGAL


COMMUTATIVE = frozenset({"add", "mul", "min", "max", "and", "or", "xor"})


def check_directions(table: AccessTable, outer: Loop, inner: Loop, skew: int = 0) -> Legality:
    """No dependence goes to a later outer and an earlier inner iteration, once the inner counter is skewed."""
    backwards = -_grows(inner) - _grows(outer) * skew - 1
    for source, sink in pairs(table, outer):
        if not never_meet(Question(table, outer, source, sink, assumed=(backwards,))):
            return Legality(False, _in_the_way(source, sink), (source.location, sink.location))
    return LEGAL


def stays_within(table: AccessTable, outer: Loop, inner: Loop) -> Legality:
    """Whether all dependences between iterations of the outer loop are within the same iteration of the inner one."""
    grows = _grows(inner)
    for source, sink in pairs(table, outer):
        for apart in (grows - 1, -grows - 1):
            if not never_meet(Question(table, outer, source, sink, assumed=(apart,))):
                return Legality(False, _in_the_way(source, sink), (source.location, sink.location))
    return LEGAL


MOST_SKEWED = 2


def skew_of(table: AccessTable, outer: Loop, inner: Loop) -> int | None:
    """The least `c` for which ``inner + c * outer`` never falls from an iteration to one that depends on it.

    Iterations may run in square tiles of the outer counter and that one then, and along their diagonals in a tile: the
    sum of both counters grows with every dependence. None where there is no small one.
    """
    skews = range(MOST_SKEWED + 1)
    return next((skew for skew in skews if check_directions(table, outer, inner, skew).legal), None)


def _grows(loop: Loop) -> Form:
    """By how much the counter of a loop is larger in the second instance of a question."""
    assert isinstance(loop.node, n.For)
    return symbol(loop.node.index.name + MARK) - symbol(loop.node.index.name)


def _in_the_way(source: Access, sink: Access) -> str:
    return (
        f"{access_text(source)}{line_of(source.location)} must come before {access_text(sink)}{line_of(sink.location)}"
    )


def has_different_maps(table: AccessTable, loop: Loop) -> bool:
    """Whether a loop writes an array that it also accesses elsewhere: a quick look, before it is judged."""
    return any(a.indices is None or a.indices != b.indices for a, b in pairs(table, loop))


@dataclass(frozen=True)
class Peel:
    """Whether a loop carries no dependence in memory once its first, or its last, iteration is taken out."""

    first: bool
    last: bool


def can_peel(table: AccessTable, label: str) -> Peel:
    """Which iteration of a loop, taken out, takes all dependences with it."""
    loop = table.structure.loops[label]
    if not isinstance(loop.node, n.For):
        return Peel(False, False)
    start, stop = table.forms.of(loop.node.start), table.forms.of(loop.node.stop)
    counter = symbol(loop.node.index.name)
    later = symbol(loop.node.index.name + MARK)
    found = list(carried(table, loop))
    if not found:
        return Peel(False, False)
    return Peel(_gone(table, found, counter - start - 1), _gone(table, found, stop - 2 - later))


def _gone(table: AccessTable, found: list[Dependence], assumed: Form) -> bool:
    return all(never_meet(Question(table, d.loop, d.source, d.sink, assumed=(assumed,))) for d in found)


def pivots_of(table: AccessTable, label: str) -> Iterator[Form]:
    """Where a loop may be cut so that neither the iterations before the cut nor those behind it depend on one another:
    values, known before the loop, of the counter of the one iteration between."""
    loop = table.structure.loops[label]
    assert isinstance(loop.node, n.For)
    counter, later = symbol(loop.node.index.name), symbol(loop.node.index.name + MARK)
    found = list(carried(table, loop))
    for pivot in dict.fromkeys(_meeting_points(table, loop, found)):
        if _gone(table, found, pivot - 1 - later) and _gone(table, found, counter - pivot - 1):
            yield pivot


def _meeting_points(table: AccessTable, loop: Loop, found: list[Dependence]) -> Iterator[Form]:
    """What the counter of a loop is equal to where an access that moves with it meets one that does not."""
    counter = loop.node.index.name if isinstance(loop.node, n.For) else ""
    for dependence in found:
        axes = zip(dependence.source.indices or (), dependence.sink.indices or (), strict=False)
        for moving, fixed in (pair for left, right in axes for pair in ((left, right), (right, left))):
            if moving.form.degree(counter) != 1 or moving.form.coefficient(counter) != constant(1):
                continue
            point = fixed.form - moving.form.without(counter)
            if not any(table.structure.is_inside(name, loop) for name in point.names):
                yield point


@dataclass(frozen=True)
class Group:
    """Statements of a loop that must stay together.

    Attributes
    ----------
    positions
        Their positions in the body.
    carries
        Whether they depend on earlier iterations of themselves.
    """

    positions: tuple[int, ...]
    carries: bool


@dataclass(frozen=True)
class Distribution:
    """A loop as several loops, one after the other.

    Attributes
    ----------
    legal, reason
        Whether it may be split into the groups.
    groups
        The groups in an order in which their loops may run.
    crossing
        Variables that one group defines and another uses: they are computed again, or kept in an array.
    """

    legal: bool
    reason: str = ""
    groups: tuple[Group, ...] = ()
    crossing: tuple[n.Var, ...] = field(default=())


def can_distribute(table: AccessTable, label: str) -> Distribution:
    """Whether and how the statements of a loop can be given loops of their own."""
    loop = table.structure.loops[label]
    if not isinstance(loop.node, n.For) or loop.node.exit is not None:
        return Distribution(False, "a loop that may end early stays together")
    edges = edges_between(table, loop)
    groups = tuple(
        Group(tuple(sorted(part)), len(part) > 1 or part[0] in edges.get(part[0], ()))
        for part in ordered_components(len(loop.node.body.statements), edges)
    )
    groups = tuple(g for g in groups if not _is_definition_only(loop.node.body, g))
    if len(groups) < 2:
        return Distribution(False, "its statements depend on one another", groups)
    if any(statement_may_raise(loop.node.body.statements[p]) for g in groups[:-1] for p in g.positions):
        return Distribution(False, "an exception must come after all that earlier iterations do", groups)
    return Distribution(True, "", groups, _crossing(loop.node.body, groups))


def _is_definition_only(body: n.Block, group: Group) -> bool:
    """Whether a group only defines values: it goes with those that use them."""
    return all(isinstance(body.statements[p], n.Let) for p in group.positions) and not group.carries


def edges_between(table: AccessTable, loop: Loop) -> dict[int, set[int]]:
    """Which statement of a body must come before which, in the same or in later iterations."""
    edges: dict[int, set[int]] = {}
    for before, after in (*_by_values(loop.node.body), *_by_carried(loop), *_by_memory(table, loop)):
        edges.setdefault(before, set()).add(after)
    return edges


def uses(statement: n.Statement) -> set[str]:
    names = {a.name for a in atoms_of(statement) if isinstance(a, n.Var)}
    return names | {v.name for block in blocks_of(statement) for v in free_variables(block)}


def _by_values(body: n.Block) -> Iterator[tuple[int, int]]:
    defined: dict[str, int] = {}
    for position, statement in enumerate(body.statements):
        for name in uses(statement):
            if name in defined:
                yield defined[name], position
        defined.update((v.name, position) for v in defined_by(statement))


def _by_carried(loop: Loop) -> Iterator[tuple[int, int]]:
    """From what makes a carried value to what uses it in the next iteration."""
    body = loop.node.body
    makers = {v.name: p for p, s in enumerate(body.statements) for v in defined_by(s)}
    for arg, value in zip(loop.node.args, body.yields, strict=True):
        if isinstance(value, n.Var) and value.name in makers:
            for position, statement in enumerate(body.statements):
                if arg.var.name in uses(statement):
                    yield makers[value.name], position


def _by_memory(table: AccessTable, loop: Loop) -> Iterator[tuple[int, int]]:
    depth = len(loop.body.path)
    for dependence in carried(table, loop):
        yield dependence.source.site.path[depth], dependence.sink.site.path[depth]
    inside = table.within(loop.body)
    for source in inside:
        for sink in inside:
            first, second = source.site.path[depth], sink.site.path[depth]
            if first < second and (source.writes or sink.writes) and _meet_in_one_iteration(table, loop, source, sink):
                yield first, second


def _meet_in_one_iteration(table: AccessTable, loop: Loop, source: Access, sink: Access) -> bool:
    if not table.aliases.may_alias(source.array, sink.array):
        return False
    return not never_meet(Question(table, loop, source, sink, "same"))


def _crossing(body: n.Block, groups: tuple[Group, ...]) -> tuple[n.Var, ...]:
    home = {p: k for k, group in enumerate(groups) for p in group.positions}
    makers = {v.name: (p, v) for p, s in enumerate(body.statements) for v in defined_by(s)}
    found: dict[n.Var, None] = {}
    for position, statement in enumerate(body.statements):
        for name in uses(statement):
            if name in makers and home.get(makers[name][0]) != home.get(position):
                found[makers[name][1]] = None
    return tuple(found)


def ordered_components(size: int, edges: dict[int, set[int]]) -> list[list[int]]:
    """The strongly connected components (Tarjan), each before those that it has edges to; source order where free."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    found: list[list[int]] = []

    def visit(node: int) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ()), reverse=True):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            place = stack.index(node)
            found.append(stack[place:])
            del stack[place:]

    for node in reversed(range(size)):
        if node not in index:
            visit(node)
    return found[::-1]
