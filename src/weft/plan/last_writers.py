"""Stores by key on devices: ``table[key[i]] = x[i]``, where the last iteration that stores to an element counts.

A first kernel notes the number of the last store to each element, by an integer maximum; a second one runs the nest
again and lets only that one store. So iterations run in any order.

Not done: nests that carry values, or read what they store.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from weft.analysis.access.aliases import Aliases
from weft.ir import nodes as n
from weft.ir.effects import VIEWS
from weft.ir.types import INT64, PYINT, View
from weft.ir.visit import Names, rewrite, walk
from weft.plan.by_key import (
    ByKey,
    Why,
    can_run_twice,
    converted,
    ends_of,
    if_possible,
    is_steady,
    over_elements,
    settled,
    settled_value,
)
from weft.schedule.writing import Writing

NOBODY = -1
"""What stands for the last store where there was none."""

MOST_ITERATIONS = 1 << 40
"""A loop that is longer would never end; the host can be stopped in it."""


def last_writers(nest: n.For, names: Names, aliases: Aliases, why_host: Why) -> ByKey | None:
    """The kernels for a nest whose iterations only meet where they store; None where it is none.

    Parameters
    ----------
    nest
        The outermost loop.
    names
        Fresh names.
    aliases
        Which views may show the same memory, in the whole program.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    if nest.mapping != "sequential" or nest.args or nest.exit is not None or nest.index.type != PYINT:
        return None
    stores = [s for s in walk(nest.body) if isinstance(s, n.Store)]
    if not stores or not _is_simple(nest) or not can_run_twice(nest, aliases):
        return None
    views = list(dict.fromkeys(s.view for s in stores))
    if any(aliases.may_alias(a, b) for a, b in combinations(views, 2)):
        return None
    if not all(is_steady(end, aliases.structure) for end in ends_of(nest)):
        return None
    return if_possible(_written(nest, names, stores, views), why_host)


def _is_simple(nest: n.For) -> bool:
    """Whether iterations do nothing but compute and store: and one iteration stores to an element once for each store
    of the program, since loops inside of it that store are parallel."""
    for statement in walk(nest.body):
        if isinstance(statement, n.Store) and (statement.mask is not None or not statement.indices):
            return False
        if isinstance(statement, n.Let) and isinstance(statement.value, VIEWS):
            return False
        if isinstance(statement, n.For) and _stores(statement) and (statement.mapping != "parallel" or statement.args):
            return False
        if not isinstance(statement, (n.Let, n.Store, n.For, n.If, n.Raise)):
            return False
    return True


def _stores(loop: n.For) -> bool:
    return any(isinstance(s, n.Store) for s in walk(loop.body))


def _written(nest: n.For, names: Names, stores: Iterable[n.Store], views: Iterable[n.Var]) -> ByKey:
    """What stands for the nest."""
    write = Writing(names, nest.location)
    numbers = {id(store): number for number, store in enumerate(stores)}
    made: dict[str, tuple[n.Var, tuple[n.Atom, ...]]] = {}
    for view in views:
        type = view.type
        assert isinstance(type, View)
        extents = tuple(write.let(n.Dim(view, axis), PYINT, "extent") for axis in range(type.ndim))
        made[view.name] = write.let(n.Alloc(extents, INT64), View(INT64, type.ndim, contiguous=True), "last"), extents

    def rank(inner: Writing, store: n.Store) -> n.Atom:
        place = inner.op("mul", inner.op("sub", nest.index, nest.start), len(numbers))
        return converted(inner, inner.op("add", place, numbers[id(store)], "number"), INT64)

    def noting(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if not isinstance(statement, n.Store):
            return _labelled(statement, "last")
        inner = Writing(names, statement.location)
        number, (last, _) = rank(inner, statement), made[statement.view.name]
        inner.add(n.Update("max", last, statement.indices, number, statement.bounds, statement.location))
        return tuple(inner.statements)

    def storing(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if isinstance(statement, n.Raise):
            return ()
        inner = Writing(names, getattr(statement, "location", nest.location))
        if isinstance(statement, n.Let):
            inner.add(replace(statement, value=settled_value(inner, statement.value)))
            return tuple(inner.statements)
        if not isinstance(statement, n.Store):
            return _labelled(statement, "stores")
        number, (last, _) = rank(inner, statement), made[statement.view.name]
        indices = settled(inner, statement.view, statement.indices, statement.bounds)
        is_last = inner.compare("eq", inner.load(last, *indices, stem="last"), number, "is_last")
        with inner.when(is_last):
            inner.add(replace(statement, indices=indices, bounds="safe"))
        return tuple(inner.statements)

    def cleared(last: n.Var, extents: Sequence[n.Atom]) -> n.For:
        def clear(inner: Writing, at: Sequence[n.Atom]) -> None:
            inner.store(last, at, n.Const(NOBODY, INT64))

        return over_elements(names, f"{nest.label}.nobody", extents, clear, nest.location)

    fits = write.compare("le", write.op("sub", nest.stop, nest.start), MOST_ITERATIONS, "fits")
    clears = tuple(cleared(*one) for one in made.values())
    return ByKey(
        tuple(write.statements), fits, tuple(last for last, _ in made.values()), clears,
        _parallel(rewrite(n.Block((nest,)), noting)), (_parallel(rewrite(n.Block((nest,)), storing)),),
    )  # fmt: skip


def _labelled(statement: n.Statement, what: str) -> n.Statement:
    return replace(statement, label=f"{statement.label}.{what}") if isinstance(statement, n.For) else statement


def _parallel(block: n.Block) -> n.For:
    (nest,) = block.statements
    assert isinstance(nest, n.For)
    return replace(nest, mapping="parallel")
