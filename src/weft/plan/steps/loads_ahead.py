"""Loops that one thread runs in order load what several iterations read before they run the first of them.

``for i: c = a * c + x[i, j]; y[i, j] = c`` has a thread for each `j`, which waits for `x[i, j]` in each step: compilers
must not load the next element before `y[i, j]` is stored, since the two may be the same. The accesses prove that they
are not. So the loop runs in rounds of some iterations: first all their loads that need no carried value, then the
iterations one after another, with what was loaded. The iterations left over run as they were written.

Not done: loops that contain loops or may end early, loops that other passes have made (over tiles), and loops without
stores, whose loads a compiler moves by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from weft.analysis.access.reach import Reach
from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import PYINT
from weft.ir.visit import atoms_of, defined_by, has_fewer_trips, rewrite, walk
from weft.schedule.writing import Writing
from weft.transform.peel import Copies

ROUND, FEW = 8, 4
"""Iterations of a round, and of a round whose iterations have many loads."""

MOST_LOADS = 8
"""The most loads of an iteration: until they are used, the loaded values take up registers."""

MOST_STATEMENTS = 256
"""Statements that a round may have."""

AHEAD = ".ahead"
"""How the labels of loops over rounds end."""


def with_loads_ahead(nest: n.For, copies: Copies, reach: Reach) -> n.For:
    """A nest in which threads load what several iterations read before they run them.

    Parameters
    ----------
    nest
        A parallel nest, as its kernel runs it.
    copies
        Makes copies of iterations.
    reach
        The accesses of the program that the nest is in.
    """
    if any(isinstance(s, n.For) and s.mapping == "turns" for s in walk(n.Block((nest,)))):
        return nest
    body = rewrite(nest.body, lambda s: _in_rounds(s, copies, reach) if isinstance(s, n.For) else s)
    return nest if body is nest.body else replace(nest, body=body)


def _in_rounds(loop: n.For, copies: Copies, reach: Reach) -> n.For | tuple[n.Statement, ...]:
    """A loop, in rounds if it has loads that may be done ahead."""
    if loop.mapping != "sequential" or loop.exit is not None or has_fewer_trips(loop, 2 * ROUND):
        return loop
    if "." in loop.label:
        return loop
    inside = list(walk(loop.body))
    if not all(isinstance(s, (n.Let, n.Store, n.If)) for s in inside) or not any(
        isinstance(s, n.Store) for s in inside
    ):
        return loop
    moved = list(_moved(loop, reach))
    loads = sum(_is_load(loop.body.statements[k]) for k in moved)
    count = ROUND if loads <= MOST_LOADS // 2 else FEW
    if not 0 < loads <= MOST_LOADS or count * len(inside) > MOST_STATEMENTS:
        return loop
    return tuple(_rounds(loop, frozenset(moved), count, copies))


def _rounds(loop: n.For, moved: frozenset[int], count: int, copies: Copies) -> list[n.Statement]:
    """The loop in rounds, and what is left over. In a round the statements at the places `moved` come first."""
    write = Writing(copies.names, loop.location)
    rounds = write.op("floordiv", write.trips(loop.start, loop.stop, "trips"), count, "rounds")
    args = tuple(n.LoopArg(copies.names.fresh(a.var.stem, a.var.type), a.init) for a in loop.args)
    results = tuple(copies.names.fresh(r.stem, r.type) for r in loop.results)
    index = copies.names.fresh("round", PYINT)
    with write.apart() as body:
        first = write.op("add", loop.start, write.op("mul", index, count), "first")
        values: tuple[n.Atom, ...] = tuple(a.var for a in args)
        later: list[n.Statement] = []
        for k in range(count):
            iteration = copies.iteration(loop, write.op("add", first, k, loop.index.stem), values)
            values = iteration.yields
            for place, statement in enumerate(iteration.statements):
                (write.statements if place in moved else later).append(statement)
        body.extend(later)
    label = copies.labels.fresh(f"{loop.label}{AHEAD}")
    write.add(
        n.For(label, index, n.Const(0), rounds, n.Block(tuple(body), values), args, results, location=loop.location)
    )
    rest = write.op("add", loop.start, write.op("mul", rounds, count), "rest")
    inits = tuple(replace(a, init=r) for a, r in zip(loop.args, results, strict=True))
    write.add(replace(loop, start=rest, args=inits))
    return write.statements


def _moved(loop: n.For, reach: Reach) -> Iterator[int]:
    """The places in a body of the loads that may be done ahead, and of what their indices need. They need no carried
    value, and read no element that an earlier iteration stores."""
    statements = loop.body.statements
    late = {arg.var.name for arg in loop.args}
    wanted: set[int] = set()
    defining: dict[str, int] = {}
    for place, statement in enumerate(statements):
        used = {a.name for a in atoms_of(statement) if isinstance(a, n.Var)} if isinstance(statement, n.Let) else set()
        if not isinstance(statement, n.Let) or used & late or may_raise(statement.value, statement.var.type):
            late |= {v.name for v in defined_by(statement)}
            continue
        if isinstance(statement.value, n.Load):
            if not _may_be_first(loop, statements, place, reach):
                late.add(statement.var.name)
                continue
            if loop.index.name in _needed(used, defining, statements):
                wanted |= {place, *_places(used, defining, statements)}
        defining[statement.var.name] = place
    yield from sorted(wanted)


def _needed(used: set[str], defining: dict[str, int], statements: Sequence[n.Statement]) -> set[str]:
    """Names that some variables are computed from, themselves included."""
    found, todo = set[str](), list(used)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            if name in defining:
                todo += [a.name for a in atoms_of(statements[defining[name]]) if isinstance(a, n.Var)]
    return found


def _places(used: set[str], defining: dict[str, int], statements: Sequence[n.Statement]) -> set[int]:
    return {defining[name] for name in _needed(used, defining, statements) if name in defining}


def _may_be_first(loop: n.For, statements: Sequence[n.Statement], place: int, reach: Reach) -> bool:
    """Whether a load reads nothing that an earlier iteration stores, nor its own iteration before the load."""
    load = statements[place]
    access = reach.access(load)
    assert isinstance(load, n.Let) and isinstance(load.value, n.Load)
    if access is None or load.value.bounds != "safe" or load.value.mask is not None:
        return False
    for at, statement in enumerate(statements):
        for store in (s for s in walk(n.Block((statement,))) if isinstance(s, n.Store)):
            other = reach.access(store)
            if other is None:
                return False
            if not reach.table.aliases.may_alias(access.array, other.array):
                continue
            nearest = 0 if at > place else -1
            if access.array != other.array or not any(
                a is not None and b is not None and a[0] == b[0] == loop.label and b[1] - a[1] <= nearest
                for a, b in zip(reach.moved(access), reach.moved(other), strict=True)
            ):
                return False
    return True


def _is_load(statement: n.Statement) -> bool:
    return isinstance(statement, n.Let) and isinstance(statement.value, n.Load)
