"""The rules that the verifier has for the memory of kernels: what threads share, and what each has for itself."""

from __future__ import annotations

from collections.abc import Iterator

from weft.ir import nodes as n
from weft.ir.visit import blocks_of


def check_memory(block: n.Block, threads: tuple[n.Var, ...] = (), owned: frozenset[str] = frozenset()) -> Iterator[str]:
    """Arrays of a block have constant sizes and are made outside of loops over threads where all threads share them;
    of arrays in registers a thread reaches its own alone, but in what all threads do together. Between loops over
    threads, code may read the first thread's element if all threads have the same value there.

    Parameters
    ----------
    block
        The body of a kernel, or a block in it.
    threads
        The counters of the loops over threads around it.
    owned
        Names of arrays in registers that are known.
    """
    for statement in block.statements:
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc) and statement.value.memory:
            yield from _check_alloc(statement, statement.value, threads)
            if statement.value.memory == "registers":
                owned |= {statement.var.name}
        for view, indices in _accesses(statement):
            if view.name in owned and not _is_own(statement, indices, threads):
                yield f"{view.name} is in registers and is reached by other threads than its own"
        is_thread = isinstance(statement, n.For) and statement.mapping == "threads"
        inner = (*threads, statement.index) if is_thread and isinstance(statement, n.For) else threads
        is_together = isinstance(statement, n.For) and statement.together is not None
        if is_together and threads:
            yield "each thread does what all of them do together"
        for part in blocks_of(statement):
            yield from check_memory(part, inner, frozenset() if is_together else owned)


def _is_own(statement: n.Statement, indices: tuple[n.Atom, ...], threads: tuple[n.Var, ...]) -> bool:
    if threads:
        return indices[: len(threads)] == threads
    return isinstance(statement, n.Let) and bool(indices) and all(index == n.Const(0) for index in indices)


def _check_alloc(let: n.Let, alloc: n.Alloc, threads: tuple[n.Var, ...]) -> Iterator[str]:
    if not all(isinstance(extent, n.Const) for extent in alloc.shape):
        yield f"{let.var.name} is in memory {alloc.memory!r}, and its size is not constant"
    if alloc.memory == "shared" and threads:
        yield f"{let.var.name} is shared and is made by each thread"


def _accesses(statement: n.Statement) -> Iterator[tuple[n.Var, tuple[n.Atom, ...]]]:
    if isinstance(statement, (n.Store, n.Update)):
        yield statement.view, statement.indices
    elif isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
        yield statement.value.view, statement.value.indices
