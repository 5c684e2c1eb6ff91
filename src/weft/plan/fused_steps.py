"""Several steps of a time loop in one kernel, where two arrays change places after every step.

``for t in range(steps): v[...] = f(u); u, v = v, u`` becomes two loops. The first one launches a kernel that runs an
odd number of steps at once, see `weft.schedule.march`; the second one runs the steps that are left as they were
written, at least one. So both arrays hold afterwards what the program leaves in them: the last two steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from weft.errors import ArgumentError
from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import PYINT, View
from weft.ir.visit import free_variables, substitute, walk
from weft.passes.peel import Copies
from weft.passes.support import with_loops
from weft.schedule.choice import concerns
from weft.schedule.directives import Schedule, Steps
from weft.schedule.nests import grid_chain
from weft.schedule.stencils import Stencil, stencil_of
from weft.schedule.strips import steps_at_once
from weft.schedule.writing import Writing

HOST = "host"

LARGE = 1 << 25
"""Bytes of an array from which on two do not stay in the second-level cache, so that fewer passes over them pay."""

Why = Callable[[n.For], "str | None"]


def with_fused_steps(program: n.Program, schedule: Schedule, why_host: Why) -> n.Program:
    """Let kernels run several steps of loops at once where that is legal, and worth it or asked for.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    schedule
        What the user wrote: how many steps of a loop run at once, if anything. Nests for which there are other
        directives stay as they are.
    why_host
        Why a nest cannot be a kernel; None where it can.

    Raises
    ------
    ArgumentError
        Steps of a loop cannot run at once that the user wants to.
    """
    copies = Copies(program)

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping == "parallel":
            return (loop,)
        asked = [d.count for d in schedule if isinstance(d, Steps) and d.loop == loop.label]
        if asked == [1]:
            return None
        found = _Found.of(loop, why_host)
        if isinstance(found, str):
            if asked:
                raise ArgumentError(f"steps: steps of {loop.label!r} cannot run at once: {found}", argument="schedule")
            return None
        count = asked[0] if asked else found.best(schedule)
        if asked and (count < 1 or count % 2 == 0):
            raise ArgumentError(f"steps: {count} steps of {loop.label!r}, which is no odd number", argument="schedule")
        return tuple(found.statements(count, copies, always=bool(asked))) if count > 1 else None

    body = with_loops(program.body, change)
    return program if body is program.body else replace(program, body=body)


class _Found:
    """A loop whose steps can run at once: its nest, which stencil that is, and the two arrays."""

    def __init__(self, loop: n.For, nest: n.For, stencil: Stencil) -> None:
        self.loop, self.nest, self.stencil = loop, nest, stencil

    @classmethod
    def of(cls, loop: n.For, why_host: Why) -> _Found | str:
        """What is there to know of a loop, or why its steps cannot run at once."""
        args = [arg.var for arg in loop.args]
        if loop.exit is not None or len(args) != 2 or tuple(loop.body.yields) != (args[1], args[0]):
            return "two arrays, and nothing else, have to change places after each step"
        if not all(isinstance(a.type, View) for a in args) or args[0].type != args[1].type:
            return "what changes places is no pair of arrays alike"
        if loop.args[0].init == loop.args[1].init:
            return "there is one array only"
        nests = [s for s in loop.body.statements if isinstance(s, n.For)]
        others = [s for s in loop.body.statements if not isinstance(s, n.For)]
        if len(nests) != 1 or not all(map(_is_arithmetic, others)):
            return "a step is not one nest"
        if loop.index in free_variables(n.Block(tuple(loop.body.statements))):
            return f"what a step does depends on {loop.label!r}"
        if nests[0].mapping != "parallel" or nests[0].args or why_host(nests[0]):
            return "the nest of a step is no kernel"
        return cls._of_nest(loop, nests[0], args)

    @classmethod
    def _of_nest(cls, loop: n.For, nest: n.For, args: list[n.Var]) -> _Found | str:
        block = n.Block((nest,))
        chain = grid_chain(n.Kernel("", free_variables(block), block))
        stored = {s.view for s in walk(block) if isinstance(s, n.Store)}
        if len(stored) != 1 or not stored <= set(args):
            return "a step does not write one of the arrays"
        (target,) = stored
        found = stencil_of(chain, args[0] if target == args[1] else args[1])
        return found if isinstance(found, str) else cls(loop, nest, found)

    def best(self, schedule: Schedule) -> int:
        """How many steps are to run at once, where nobody asks: of arrays that the device has already, since too many
        elements would be brought there for a few steps that do not run at once."""
        kernel = n.Kernel("", (), n.Block((self.nest,)))
        is_laid_out = any(concerns(directive, kernel) for directive in schedule)
        source = self.stencil.source.type
        is_there = isinstance(source, View) and source.memory != HOST
        return steps_at_once(self.stencil) if is_there and not is_laid_out else 1

    def statements(self, count: int, copies: Copies, always: bool) -> list[n.Statement]:
        """The loop that runs so many steps at once, of large arrays or `always`, and the one that runs what is left."""
        loop, write = self.loop, Writing(copies.names, self.loop.location)
        steps = write.op("max", write.op("sub", loop.stop, loop.start), 1, "steps")
        rounds = write.op("floordiv", write.op("sub", steps, 1), count, "rounds")
        if not always:
            source = next(a.init for a in loop.args if a.var == self.stencil.source)
            assert isinstance(source, n.Var)
            rows, columns = (write.let(n.Dim(source, k), PYINT, "extent") for k in (0, 1))
            size = write.op("mul", write.op("mul", rows, columns), self.stencil.element.size)
            is_large = write.op("min", write.op("floordiv", size, LARGE), 1)
            rounds = write.op("mul", rounds, is_large, "rounds")
        first = write.op("add", loop.start, write.op("mul", rounds, count), "first")
        results = tuple(copies.names.fresh(r.stem, r.type) for r in loop.results)
        target = self.stencil.store.view
        nest = replace(self.nest, steps=n.Steps(count, self.stencil.source, target, loop.label))
        body = n.Block(tuple(nest if s is self.nest else s for s in loop.body.statements), loop.body.yields)
        args = tuple(replace(arg, var=copies.names.fresh(arg.var.stem, arg.var.type)) for arg in loop.args)
        given = {old.var.name: new.var for old, new in zip(loop.args, args, strict=True)}
        made = n.For(
            copies.labels.fresh(f"{loop.label}.rounds"), copies.names.fresh("round", loop.index.type), n.Const(0),
            rounds, substitute(copies.block(body), given), args, results, location=loop.location,
        )  # fmt: skip
        left = tuple(replace(arg, init=result) for arg, result in zip(loop.args, results, strict=True))
        return [*write.statements, made, replace(loop, start=first, args=left)]


def _is_arithmetic(statement: n.Statement) -> bool:
    """Whether a statement defines a number, which is the same in each step and does not fail."""
    if not isinstance(statement, n.Let) or isinstance(statement.value, (n.Load, n.Alloc)):
        return False
    return not isinstance(statement.var.type, View) and not may_raise(statement.value, statement.var.type)
