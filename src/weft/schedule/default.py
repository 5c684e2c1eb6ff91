"""The schedule that a kernel gets when nobody says otherwise, from the strides of its accesses."""

from __future__ import annotations

from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.schedule.directives import AXES, Bind, Schedule
from weft.schedule.legality import grid_chain

GROUPS: dict[int, tuple[int, ...]] = {1: (256,), 2: (64, 4), 3: (64, 2, 2)}
"""Threads of a block along x, y and z, by the number of loops in the grid."""


def default_schedule(kernel: n.Kernel, shared: frozenset[str] = frozenset()) -> Schedule:
    """The default schedule: the outermost parallel loops over the grid, unit strides along x.

    Parameters
    ----------
    kernel
        A nest whose grid loops have the mapping ``parallel``.
    shared
        Names of parameters that may show the same storage as another one.
    """
    chain = grid_chain(kernel, shared)
    if not chain:
        return ()
    order = sorted(chain, key=lambda loop: (-_unit_strides(kernel, loop), -chain.index(loop)))
    groups = GROUPS[len(chain)]
    return tuple(Bind(loop.label, AXES[k], groups[k]) for k, loop in enumerate(order))


def _unit_strides(kernel: n.Kernel, loop: n.For) -> int:
    """How many accesses have the loop's counter in their last index and nowhere else."""
    derived = {loop.index.name}
    count = 0
    for statement in walk(kernel.body):
        if isinstance(statement, n.Let) and _uses(statement.value, derived):
            derived.add(statement.var.name)
        indices = _indices(statement)
        if indices and _is(indices[-1], derived) and not any(_is(i, derived) for i in indices[:-1]):
            count += 1
    return count


def _uses(value: n.Expression, names: set[str]) -> bool:
    """Whether an expression moves by one when one of the names does."""
    if isinstance(value, n.Cast):
        return _is(value.operand, names)
    if not isinstance(value, n.Binary):
        return False
    return (value.op in ("add", "sub") and _is(value.left, names)) or (value.op == "add" and _is(value.right, names))


def _is(atom: n.Atom, names: set[str]) -> bool:
    return isinstance(atom, n.Var) and atom.name in names


def _indices(statement: n.Statement) -> tuple[n.Atom, ...]:
    if isinstance(statement, (n.Store, n.Update)):
        return statement.indices
    if isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
        return statement.value.indices
    return ()
