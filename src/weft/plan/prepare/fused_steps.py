"""Several steps of a time loop in one kernel, where two arrays change places after every step.

``for t in range(steps): v[...] = f(u); u, v = v, u`` has fewer iterations then. The first ones launch a kernel that
runs an odd number of steps at once, see `weft.schedule.lowering.temporal_blocking`; the others run the steps that are
left as they were written, at least one. So both arrays hold afterwards what the program leaves in them: the last two
steps. Which of the two kernels an iteration launches is a branch inside of the one loop: what moves for it does not
depend on that.
"""

from __future__ import annotations

from dataclasses import replace

from weft.errors import ArgumentError
from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import PYBOOL, PYINT, View
from weft.ir.visit import free_variables, walk
from weft.plan.scratch import Why
from weft.schedule.directives import Schedule, Steps
from weft.schedule.lowering.stencils import Stencil, stencil_of
from weft.schedule.nests import grid_chain
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.support import with_loops
from weft.tune.choice import concerns
from weft.tune.strips import steps_at_once

HOST = "host"

LARGE = 1 << 25
"""Bytes of an array from which on two do not stay in the second-level cache, so that fewer passes over them pay."""


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
        """How many steps are to run at once, where nobody asks."""
        kernel = n.Kernel("", (), n.Block((self.nest,)))
        is_laid_out = any(concerns(directive, kernel) for directive in schedule)
        return 1 if is_laid_out else steps_at_once(self.stencil)

    def statements(self, count: int, copies: Copies, always: bool) -> list[n.Statement]:
        """The loop over the launches: those that run so many steps at once, of large arrays or `always`, and then those
        of what is left."""
        loop, write = self.loop, Writing(copies.names, self.loop.location)
        steps = write.trips(loop.start, loop.stop, "steps")
        rounds = write.op("floordiv", write.op("max", write.op("sub", steps, 1), 0), count, "rounds")
        if not always:
            rounds = write.op("mul", rounds, self.is_large(write), "rounds")
        launches = write.op("sub", steps, write.op("mul", rounds, count - 1), "launches")
        last = write.op("add", loop.start, rounds)
        stop = write.op("add", loop.start, launches)
        inner = Writing(copies.names, self.loop.location)
        is_round = inner.let(n.Compare("lt", loop.index, last), PYBOOL, "several")
        (nest,) = copies.block(n.Block((self.nest,))).statements
        assert isinstance(nest, n.For)
        nest = replace(nest, steps=n.Steps(count, self.stencil.source, self.stencil.store.view, loop.label))
        inner.add(n.If(is_round, n.Block((nest,)), n.Block((self.nest,)), location=self.nest.location))
        body = tuple(s for old in loop.body.statements for s in (inner.statements if old is self.nest else (old,)))
        return [*write.statements, replace(loop, stop=stop, body=replace(loop.body, statements=body))]

    def is_large(self, write: Writing) -> n.Atom:
        """One if fewer passes over the arrays pay, else zero."""
        source = next(a.init for a in self.loop.args if a.var == self.stencil.source)
        assert isinstance(source, n.Var)
        rows, columns = (write.let(n.Dim(source, k), PYINT, "extent") for k in (0, 1))
        size = write.op("mul", write.op("mul", rows, columns), self.stencil.element.size)
        return write.op("min", write.op("floordiv", size, LARGE), 1)


def _is_arithmetic(statement: n.Statement) -> bool:
    """Whether a statement defines a number, which is the same in each step and does not fail."""
    if not isinstance(statement, n.Let) or isinstance(statement.value, (n.Load, n.Alloc)):
        return False
    return not isinstance(statement.var.type, View) and not may_raise(statement.value, statement.var.type)
