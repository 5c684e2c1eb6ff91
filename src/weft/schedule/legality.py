"""Which schedules a kernel allows: a list of named constraints, each a small check with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from weft.ir import nodes as n
from weft.ir.effects import VIEWS, may_raise, written_views
from weft.ir.visit import walk
from weft.schedule.directives import AXES, Bind, Reorder, Schedule, Split, Vectorise

MAX_GROUP = 1024
"""Threads of a block at most, on every GPU of the last ten years."""


@dataclass(frozen=True)
class Violation:
    """A constraint that a schedule breaks: its name, and the reason in the user's words."""

    constraint: str
    reason: str

    def __str__(self) -> str:
        return f"{self.constraint}: {self.reason}"


def check_schedule(kernel: n.Kernel, schedule: Schedule) -> tuple[Violation, ...]:
    """All constraints that a schedule of a kernel breaks; none when it is legal."""
    return tuple(violation for check in CHECKS for violation in check(kernel, schedule))


def check_loops_exist(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Every directive names a loop of the kernel, or one that an earlier split made."""
    known = set(_loops(kernel))
    for directive in schedule:
        names = (directive.outer, directive.inner) if isinstance(directive, Reorder) else (directive.loop,)
        for name in names:
            if name not in known:
                yield Violation("loop-exists", f"there is no loop {name!r}; there are {', '.join(sorted(known))}")
        if isinstance(directive, Split) and directive.loop in known:
            known |= {f"{directive.loop}.{part}" for part in ("tile", "in", "rest")}


def check_bound_loops_are_parallel(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Only parallel loops without results run over a grid or in lanes."""
    loops = _loops(kernel)
    for directive in schedule:
        if isinstance(directive, (Bind, Vectorise)) and directive.loop in loops:
            loop = loops[directive.loop]
            if loop.mapping != "parallel" or (loop.args and isinstance(directive, Bind)):
                yield Violation("parallel", f"iterations of {directive.loop!r} depend on one another")


def check_axes(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Each axis is bound once, and a block has no more threads than a device can hold."""
    bound = [d for d in schedule if isinstance(d, Bind)]
    axes = [d.axis for d in bound]
    if len(set(axes)) < len(axes):
        yield Violation("axis-once", "two loops are bound to one axis of the grid")
    if set(axes) != set(AXES[: len(set(axes))]):
        yield Violation("axis-order", "the axes of a grid are used from x on")
    threads = 1
    for directive in bound:
        threads *= directive.group
    if threads > MAX_GROUP or any(d.group < 1 for d in bound):
        yield Violation("group-size", f"a block of {threads} threads; between 1 and {MAX_GROUP} are possible")


def check_bound_loops_are_nested(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Bound loops are the outermost ones, nested without effects between, their bounds known before the launch."""
    names = {d.loop for d in schedule if isinstance(d, Bind)}
    chain = [loop.label for loop in grid_chain(kernel)]
    if names and names != set(chain[: len(names)]):
        possible = ", ".join(chain) or "none"
        yield Violation("outermost", f"loops that can run over the grid are, outermost first: {possible}")


def check_factors(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Tiles have at least one iteration."""
    for directive in schedule:
        if isinstance(directive, Split) and directive.factor < 1:
            yield Violation("tile-size", f"a tile of {directive.factor} iterations of {directive.loop!r}")


def check_cut_loops_do_not_end_early(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """A loop that a ``break`` can end is not cut: its later tiles would run."""
    loops = _loops(kernel)
    for directive in schedule:
        if isinstance(directive, Split) and directive.loop in loops and loops[directive.loop].exit is not None:
            yield Violation("early-end", f"{directive.loop!r} may end early")


def check_exchange_keeps_order(kernel: n.Kernel, schedule: Schedule) -> Iterator[Violation]:
    """Exchanged loops are perfectly nested and rectangular, and both are parallel."""
    loops = _loops(kernel)
    for directive in schedule:
        if isinstance(directive, Reorder) and directive.outer in loops and directive.inner in loops:
            outer, inner = loops[directive.outer], loops[directive.inner]
            reason = why_not_exchanged(outer, inner)
            if reason:
                yield Violation("dependence-order", reason)


CHECKS: tuple[Callable[[n.Kernel, Schedule], Iterator[Violation]], ...] = (
    check_loops_exist,
    check_bound_loops_are_parallel,
    check_axes,
    check_bound_loops_are_nested,
    check_factors,
    check_cut_loops_do_not_end_early,
    check_exchange_keeps_order,
)


def why_not_exchanged(outer: n.For, inner: n.For) -> str | None:
    """Why two loops cannot be exchanged; None where both are parallel, which keeps every dependence."""
    if outer.body.statements != (inner,):
        return f"{inner.label!r} is not all that {outer.label!r} does"
    if outer.index in (inner.start, inner.stop):
        return f"how long {inner.label!r} runs depends on {outer.label!r}"
    if outer.mapping != "parallel" or inner.mapping != "parallel" or outer.args or inner.args:
        return f"iterations of {outer.label!r} or {inner.label!r} depend on one another"
    return None


def grid_chain(kernel: n.Kernel, shared: frozenset[str] = frozenset()) -> tuple[n.For, ...]:
    """The loops that can run over a grid, outermost first, at most three.

    Each is parallel, carries nothing, has bounds known before the launch, and holds the next after `Let`s that every
    iteration of the next can evaluate for itself.

    Parameters
    ----------
    kernel
        The nest, its loops still whole.
    shared
        Names of parameters that may show the same storage as another one; all others are distinct.
    """
    known = {v.name for v in kernel.params}
    written = {v.name for s in walk(kernel.body) for v in _written_roots(s, kernel)}
    chain: list[n.For] = []
    block = kernel.body
    while len(chain) < 3 and block.statements:
        *lets, loop = block.statements
        if not isinstance(loop, n.For) or loop.mapping != "parallel" or loop.args:
            break
        if not all(_is_known(a, known) for a in (loop.start, loop.stop)):
            break
        if chain and not all(_is_repeatable(s, written, shared) for s in lets):
            break
        chain.append(loop)
        block = loop.body
    return tuple(chain)


def _is_repeatable(statement: n.Statement, written: set[str], shared: frozenset[str]) -> bool:
    """Whether a statement may run once for each iteration of a loop that follows it, also while others are running."""
    if not isinstance(statement, n.Let) or may_raise(statement.value, statement.var.type):
        return False
    if isinstance(statement.value, n.Alloc):
        return False
    if not isinstance(statement.value, n.Load):
        return True
    root = statement.value.view.name
    return not written or (root not in written and not (root in shared and written & shared))


def _written_roots(statement: n.Statement, kernel: n.Kernel) -> Iterator[n.Var]:
    """Parameters through which a statement writes, and those of which a view is made, which may be written."""
    yield from written_views(statement)
    if isinstance(statement, n.Let) and isinstance(statement.value, VIEWS):
        yield statement.value.view
        yield statement.var
    if isinstance(statement, n.Call):
        yield from (a for a in statement.operands if isinstance(a, n.Var))


def _is_known(atom: n.Atom, known: set[str]) -> bool:
    return isinstance(atom, n.Const) or atom.name in known


def _loops(kernel: n.Kernel) -> dict[str, n.For]:
    return {s.label: s for s in walk(kernel.body) if isinstance(s, n.For)}
