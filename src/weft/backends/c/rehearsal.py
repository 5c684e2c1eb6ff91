"""What of a parallel loop may fail, without what it does: run first, it tells how far the loop gets.

Iterations on other threads, behind the one that fails, would have written their elements already. So where the threads
share a loop that may raise, and whether it does not depend on what it writes, its tests run alone first, and the loop
then runs only until that iteration fails: arrays are left as CPython leaves them. Overflow of Python integers and want
of memory, which CPython does not know there, are no reason for it.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from functools import partial

from weft.analysis.access.read_order import reads_what_it_stored
from weft.backends.text.printer_facts import ANY, Facts
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, may_raise, statement_may_raise
from weft.ir.types import PYFLOAT, PYINT
from weft.ir.visit import arrays_made_in, free_variables, rewrite, walk
from weft.transform.scan.tiles import names_used
from weft.transform.simplify.dce import cleaned

_DIVISIONS = frozenset({"truediv", "floordiv", "mod"})


def rehearsal(loop: n.For, facts: Facts, undone: bool = False) -> n.For | None:
    """The tests of a loop, as a loop over the same iterations.

    Parameters
    ----------
    loop
        A parallel loop.
    facts
        What is known of its arrays.
    undone
        Whether its stores can be undone: then its tests may read what its own iteration writes, since they run with it.

    Returns
    -------
    The loop; None where there is nothing to find out, or where it cannot be found out beforehand.
    """
    if not block_may_raise(loop.body) or any(isinstance(s, (n.External, n.Call)) for s in walk(loop.body)):
        return None
    own = arrays_made_in(loop.body)
    writes = [s for s in walk(loop.body) if isinstance(s, (n.Store, n.Update)) and not facts.roots(s.view) <= own]
    written = frozenset().union(*(facts.roots(s.view) for s in writes))
    tests = {id(write): _test(write, number) for number, write in enumerate(writes)}
    body = rewrite(loop.body, lambda s: tests.get(id(s), s))
    body = _needed(replace(body, yields=()))
    carried = {a.var.name for a in loop.args}
    if not writes or not any(map(is_reason, walk(body))) or any(v.name in carried for v in free_variables(body)):
        return None
    if undone:
        return replace(loop, body=body, args=(), results=())
    used = names_used(body)  # of other elements only the place is tested
    elements = _Written(written, facts)
    if any(s.var.name in used and elements.are_read(s) for s in walk(body) if isinstance(s, n.Let)) and (
        any(isinstance(s, n.Update) for s in writes)
        or reads_what_it_stored(loop.body, elements.roots, elements.are_apart)
    ):
        return None
    return replace(loop, body=body, args=(), results=())


class _Written:
    """The elements that a loop writes, as seen from one iteration: other iterations write to others."""

    def __init__(self, written: frozenset[str], facts: Facts) -> None:
        self.written, self.facts = written, facts

    def roots(self, view: n.Var) -> frozenset[str]:
        """What the loop writes that a view may show; all of that where nobody knows."""
        roots = self.facts.roots(view)
        return self.written if ANY in roots or ANY in self.written else roots & self.written

    def are_read(self, let: n.Let) -> bool:
        """Whether an assignment reads one of them."""
        return isinstance(let.value, n.Load) and bool(self.roots(let.value.view))

    def are_apart(self, loop: n.For | n.While) -> bool:
        """Whether every iteration of an inner loop touches elements of its own, by its counter."""
        inside = [s.value if isinstance(s, n.Let) else s for s in walk(loop.body)]
        touched = [s for s in inside if isinstance(s, (n.Load, n.Store)) and self.roots(s.view)]
        if not isinstance(loop, n.For) or not all(loop.index in s.indices for s in touched):
            return False
        places = {(root, s.indices) for s in touched for root in self.facts.roots(s.view)}
        views = {s.view.name for s in touched}
        return len(places) == len({root for root, _ in places}) == len(views)


def _needed(body: n.Block) -> n.Block:
    """What is left for the tests; integers that lead to none of them are not tested themselves."""
    sums = {s.var.name: s for s in walk(body) if isinstance(s, n.Let) and _may_overflow(s)}
    without = rewrite(body, lambda s: _unchecked(s) if isinstance(s, n.Let) and s.var.name in sums else s)
    without = _by_divisors(cleaned(without))
    return rewrite(without, lambda s: sums.get(s.var.name, s) if isinstance(s, n.Let) else s)


def _by_divisors(body: n.Block) -> n.Block:
    """The tests with nothing computed that is only divided, since the divisor alone decides whether that raises."""
    while True:
        changed = rewrite(body, partial(_divided, used=names_used(body)))
        if changed is body:
            return body
        body = cleaned(changed)


def _divided(statement: n.Statement, used: Container[str]) -> n.Statement:
    value = statement.value if isinstance(statement, n.Let) else None
    if not isinstance(statement, n.Let) or not isinstance(value, n.Binary) or statement.var.name in used:
        return statement
    left = value.left
    if value.op not in _DIVISIONS or left.type not in (PYINT, PYFLOAT) or isinstance(left, n.Const):
        return statement
    one = n.Const(1, PYINT) if left.type == PYINT else n.Const(1.0, PYFLOAT)
    return replace(statement, value=replace(value, left=one))


def _may_overflow(let: n.Let) -> bool:
    value = let.value
    return isinstance(value, n.Binary) and value.op in ("add", "sub", "mul") and value.checked and let.var.type == PYINT


def _unchecked(let: n.Let) -> n.Let:
    assert isinstance(let.value, n.Binary)
    return replace(let, value=replace(let.value, checked=False))


def is_reason(statement: n.Statement) -> bool:
    """Whether a statement by itself may raise what CPython raises."""
    if isinstance(statement, n.Let):
        memory = isinstance(statement.value, n.Alloc)
        return not memory and not _may_overflow(statement) and may_raise(statement.value, statement.var.type)
    return isinstance(statement, (n.Raise, n.Store, n.Update)) and statement_may_raise(statement)


def _test(write: n.Store | n.Update, number: int) -> tuple[n.Let, ...]:
    """What may fail of an assignment to an element: the test of its place."""
    if write.bounds == "safe":
        return ()
    element = n.Var(f"{write.view.name}.tested{number}", write.value.type)
    return (n.Let(element, n.Load(write.view, write.indices, write.bounds), write.location),)
