"""Extremes that are stored where a test says so, as updates: ``if x[i] > best[k]: best[k] = x[i]``.

In this form the elements are read and stored in order. As ``best[k] = max(best[k], x[i])`` iterations of the loop only
meet in what they fold, so they may run at once. NaN never wins a comparison, nor a maximum; of equal numbers the first
one stays.

Not done: loops that read or write such an array in another way, or carry values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from weft.analysis.access.access import table
from weft.analysis.access.aliases import Aliases
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, statement_may_raise
from weft.ir.types import Scalar
from weft.ir.visit import atoms_of, rewrite, walk
from weft.plan.by_key import can_run_twice
from weft.transform.support import with_loops

OPERATORS: dict[tuple[str, bool], n.BinaryOp] = {
    ("gt", True): "max", ("lt", True): "min", ("ge", True): "max", ("le", True): "min",
    ("lt", False): "max", ("gt", False): "min", ("le", False): "max", ("ge", False): "min",
}  # fmt: skip
"""What a comparison of a number with an element finds, and whether the number is its left side."""


def with_guarded_extremes(program: n.Program) -> n.Program:
    """Let loops run at once that store extremes by key under tests; after the pass that marks parallel loops."""
    aliases = cache(lambda: table(program).aliases)

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "sequential":
            return (loop,)  # what a kernel runs in order stays so
        made = _with_updates(loop, aliases)
        return None if made is None else (made,)

    body = with_loops(program.body, change)
    return program if body is program.body else replace(program, body=body)


def _with_updates(nest: n.For, aliases: Callable[[], Aliases]) -> n.For | None:
    """The loops with updates, which may run at once; None where that is not all that they do."""
    if not any(isinstance(s, n.Store) for s in walk(nest.body)) or not _is_simple(nest):
        return None
    uses = Counter(a.name for s in walk(nest.body) for a in atoms_of(s) if isinstance(a, n.Var))
    dropped = {id(s): made for block in _blocks(nest.body) for s, made in _found(block, uses)}
    if not dropped:
        return None

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if id(statement) in dropped:
            return dropped[id(statement)]
        return statement

    (made,) = rewrite(n.Block((nest,)), change).statements
    assert isinstance(made, n.For)
    written = [s for s in walk(made.body) if isinstance(s, (n.Store, n.Update))]
    operators = {(s.view, s.op) for s in written if isinstance(s, n.Update)}
    if any(isinstance(s, n.Store) for s in written) or len(operators) > len({view for view, _ in operators}):
        return None
    known = aliases()
    if any(not known.roots(s.view).isdisjoint(known.overlapping) for s in written):
        return None  # several indices may be one element
    return _parallel(made) if can_run_twice(made, known) else None


def _is_simple(nest: n.For) -> bool:
    """Whether loops only compute, store and branch, and carry nothing."""
    for statement in walk(n.Block((nest,))):
        if isinstance(statement, n.For) and (statement.args or statement.exit is not None):
            return False
        if isinstance(statement, n.Let) and isinstance(statement.value, (n.Alloc, *VIEWS)):
            return False
        if not isinstance(statement, (n.Let, n.Store, n.For, n.If, n.Raise)):
            return False
    return True


def _blocks(block: n.Block) -> Iterator[n.Block]:
    yield block
    for statement in walk(block):
        if isinstance(statement, n.For):
            yield statement.body
        elif isinstance(statement, n.If):
            yield from (statement.then, statement.orelse)


def _found(block: n.Block, uses: Counter[str]) -> Iterator[tuple[n.Statement, tuple[n.Statement, ...]]]:
    """What stands for the statements of a block that belong to extremes under tests."""
    lets = {s.var.name: (k, s) for k, s in enumerate(block.statements) if isinstance(s, n.Let)}
    for place, branch in enumerate(block.statements):
        store = _only_store(branch)
        if store is None or not isinstance(branch, n.If) or not isinstance(branch.condition, n.Var):
            continue
        _, test = lets.get(branch.condition.name, (0, None))
        if test is None or not isinstance(test.value, n.Compare) or uses[test.var.name] != 1:
            continue
        is_left = test.value.left == store.value
        other = test.value.right if is_left else test.value.left
        position, load = lets.get(other.name, (0, None)) if isinstance(other, n.Var) else (0, None)
        op = OPERATORS.get((test.value.op, is_left))
        if op is None or load is None or not _is_same(load, store) or uses[load.var.name] != 1:
            continue
        if not is_left and test.value.right != store.value:
            continue
        if test.value.op in ("ge", "le") and not _is_whole(load):
            continue
        if any(statement_may_raise(s) or not isinstance(s, n.Let) for s in block.statements[position + 1 : place]):
            continue
        assert isinstance(load.value, n.Load)
        update = n.Update(op, store.view, store.indices, store.value, load.value.bounds, branch.location)
        yield from ((load, ()), (test, ()), (branch, (update,)))


def _only_store(statement: n.Statement) -> n.Store | None:
    """The store that is all that a branch does."""
    if not isinstance(statement, n.If) or statement.results or statement.orelse.statements:
        return None
    inner = statement.then.statements
    store = inner[0] if len(inner) == 1 else None
    return store if isinstance(store, n.Store) and store.mask is None and store.indices else None


def _is_same(load: n.Let, store: n.Store) -> bool:
    """Whether an element is loaded that is stored."""
    value = load.value
    is_load = isinstance(value, n.Load) and (value.view, value.indices) == (store.view, store.indices)
    return is_load and load.var.type == store.value.type and isinstance(load.var.type, Scalar)


def _is_whole(load: n.Let) -> bool:
    return isinstance(load.var.type, Scalar) and load.var.type.kind in "iu"


def _parallel(nest: n.For) -> n.For:
    """Loops around updates as loops whose iterations may run at once."""

    def change(statement: n.Statement) -> n.Statement:
        return replace(statement, mapping="parallel") if isinstance(statement, n.For) else statement

    (made,) = rewrite(n.Block((nest,)), change).statements
    assert isinstance(made, n.For)
    return made
