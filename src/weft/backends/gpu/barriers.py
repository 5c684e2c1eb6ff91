"""Where the threads of a block need not wait for one another after a phase, since they will before it matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weft.ir import nodes as n
from weft.ir.visit import blocks_of


def phases_without_barrier(kernel: n.Kernel) -> frozenset[str]:
    """Labels of phases that what threads do together follows, or the end of the kernel.

    All threads wait in the middle of what they do together, and before that they read only what is their own.
    """
    return frozenset((*_before_together(kernel.body), *last_phases(kernel.body)))


def phases_before(statements: Sequence[n.Statement], place: int) -> frozenset[str]:
    """The label of the phase just before a place among some statements where all threads wait; none if it is none."""
    found = _before(statements, place)
    return frozenset() if found is None else frozenset((found.label,))


def _before_together(block: n.Block) -> Iterator[str]:
    for k, statement in enumerate(block.statements):
        if isinstance(statement, n.For) and statement.together is not None:
            found = _before(block.statements, k)
            if found is not None:
                yield found.label
        for inner in blocks_of(statement):
            yield from _before_together(inner)


def last_phases(block: n.Block) -> Iterator[str]:
    """The label of the phase at the end of what a block does, if it ends with one."""
    last = block.statements[-1] if block.statements else None
    if isinstance(last, n.For) and last.mapping == "blocks":
        yield from last_phases(last.body)
    elif _is_phase(last):
        assert isinstance(last, n.For)
        yield last.label


def _before(statements: Sequence[n.Statement], place: int) -> n.For | None:
    """The phase before a statement, with nothing in between but arrays that threads have for themselves."""
    while place > 0 and _is_own_array(statements[place - 1]):
        place -= 1
    found = statements[place - 1] if place > 0 else None
    return found if isinstance(found, n.For) and _is_phase(found) else None


def _is_own_array(statement: n.Statement) -> bool:
    value = statement.value if isinstance(statement, n.Let) else None
    return isinstance(value, n.Alloc) and value.memory == "registers"


def _is_phase(statement: n.Statement | None) -> bool:
    """Whether a statement is a phase after which nothing is awaited but the threads."""
    is_loop = isinstance(statement, n.For) and statement.mapping == "threads" and not statement.args
    return is_loop and isinstance(statement, n.For) and statement.under_way is None
