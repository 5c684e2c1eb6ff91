"""What steps fold without anything that steps write, found for all steps at once.

``for i: rank = 0; for j: rank += x[j] < x[i]; out[rank] = x[i]`` has to store in order, and would launch a kernel for
each fold and wait for it. No fold reads what is stored, so that one kernel finds all of them before; the steps that are
left read the results from an array. Threads of the processor do the same in rounds of some thousand steps, where there
are more steps than threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from weft.analysis.access.access import AccessTable, table
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, statement_may_raise
from weft.ir.neutral import stored_as
from weft.ir.types import PYINT, Scalar, View
from weft.ir.visit import atoms_of, defined_by, free_variables, walk
from weft.plan.scratch import Why
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.support import with_loops

KINDS = (n.Let, n.If, n.For)
ROUND = 1 << 14
"""The steps of a round on the processor: memory for what they find, and what an exception finds in vain."""
ENOUGH = 256
"""As many steps occupy all threads; of fewer, threads share each fold."""


def with_values_ahead(program: n.Program, why_host: Why) -> n.Program:
    """Let one kernel find what parallel loops in steps of the host give, where that is known before the steps.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    return _changed(program, lambda ahead: ahead.statements(why_host))


def with_values_in_rounds(program: n.Program) -> n.Program:
    """The same for the threads of the processor."""
    return _changed(program, lambda ahead: ahead.rounds())


def _changed(program: n.Program, written: Callable[[_Ahead], tuple[n.Statement, ...] | None]) -> n.Program:
    if not any(_holds_folds(s) for s in walk(program.body)):
        return program
    accesses, copies = table(program), Copies(program)

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "sequential":
            return (loop,)
        if not _holds_folds(loop) or loop.label not in accesses.structure.loops:
            return None
        return written(_Ahead(loop, accesses, copies))

    body = with_loops(program.body, change)
    return program if body is program.body else replace(program, body=body)


def _holds_folds(loop: n.Statement) -> bool:
    """Whether a loop that runs in order has loops directly inside that threads could share, and that give something."""
    if not isinstance(loop, n.For) or loop.mapping != "sequential" or loop.exit is not None or loop.index.type != PYINT:
        return False
    return any(isinstance(s, n.For) and s.mapping == "parallel" and s.results for s in loop.body.statements)


class _Ahead:
    """The statements of a loop that can run before it: they read nothing that it writes, and cannot raise."""

    def __init__(self, loop: n.For, accesses: AccessTable, copies: Copies) -> None:
        self.loop, self.accesses, self.copies = loop, accesses, copies
        region = accesses.structure.loops[loop.label].body
        self.written = [a.array for a in accesses.within(region) if a.writes]
        self.early: list[n.Statement] = []
        self.late: list[n.Statement] = []
        self.folded: set[str] = set()
        self._sort()

    def _sort(self) -> None:
        """Find what can run early: until the first statement that may raise, since what follows may rely on it."""
        unknown, raised = {arg.var.name for arg in self.loop.args}, False
        for statement in self.loop.body.statements:
            raised = raised or statement_may_raise(statement)
            needed = {v.name for v in free_variables(n.Block((statement,)))}
            defined = {v.name for v in defined_by(statement)}
            if raised or needed & unknown or not self._is_pure(statement):
                unknown |= defined
                self.late.append(statement)
                continue
            self.early.append(statement)
            if needed & self.folded or any(isinstance(s, n.For) for s in walk(n.Block((statement,)))):
                self.folded |= defined
            else:
                self.late.append(statement)

    def _is_pure(self, statement: n.Statement) -> bool:
        return all(isinstance(s, KINDS) and self._reads_nothing_written(s) for s in walk(n.Block((statement,))))

    def _reads_nothing_written(self, statement: n.Statement) -> bool:
        value = statement.value if isinstance(statement, n.Let) else None
        if isinstance(value, (n.Alloc, n.Undefined, *VIEWS)):
            return False
        if isinstance(statement, n.For) and (statement.mapping != "parallel" or statement.exit is not None):
            return False
        views = (a for a in atoms_of(statement) if isinstance(a, n.Var) and isinstance(a.type, View))
        return not any(self.accesses.aliases.may_alias(view, array) for view in views for array in self.written)

    @property
    def crossing(self) -> Iterator[n.Var]:
        """What is found early and needed late."""
        needed = {v.name for v in free_variables(n.Block(tuple(self.late), self.loop.body.yields))}
        return (v for s in self.early for v in defined_by(s) if v.name in self.folded & needed)

    def statements(self, why_host: Why) -> tuple[n.Statement, ...] | None:
        """The kernel, and the loop without what it found; None where there is none."""
        loop, crossing = self.loop, list(self.crossing)
        if not crossing or not all(isinstance(v.type, Scalar) for v in crossing):
            return None
        write = Writing(self.copies.names, loop.location)
        trips = write.trips(loop.start, loop.stop, "trips")
        arrays = self._find(write, loop.start, trips, trips)
        kernel = write.statements[-1]
        assert isinstance(kernel, n.For)
        if why_host(kernel):
            return None
        return (*write.statements, self._rest(loop, arrays, loop.start))

    def rounds(self) -> tuple[n.Statement, ...] | None:
        """Rounds of steps, of which threads find what they fold before the steps run in order; None where there are
        none."""
        loop, crossing = self.loop, list(self.crossing)
        types = [*(v.type for v in crossing), *(arg.var.type for arg in loop.args)]
        if not crossing or not all(isinstance(type, Scalar) for type in types):
            return None
        write = Writing(self.copies.names, loop.location)
        trips = write.trips(loop.start, loop.stop, "trips")
        enough = write.compare("ge", trips, n.Const(ENOUGH), "enough")
        with write.apart() as statements:
            rounds = write.op("add", write.op("floordiv", write.op("sub", trips, 1), ROUND), 1)
            label = self.copies.labels.fresh(f"{loop.label}.rounds")
            with write.loop(label, 0, rounds, carried=[arg.init for arg in loop.args], stem="round") as one:
                done = write.op("mul", one.index, ROUND)
                first, size = write.op("add", loop.start, done), write.op("min", write.op("sub", trips, done), ROUND)
                arrays = self._find(write, first, size, size)
                rest = self._rest(loop, arrays, first)
                steps = self.copies.loop(rest, first, write.op("add", first, size), one.values)
                write.add(steps)
                one.next = steps.results
        plain = self.copies.block(n.Block((loop,), loop.results))
        made = n.If(enough, n.Block(tuple(statements), one.results), plain, loop.results, loop.location)
        return (*write.statements, made)

    def _find(self, write: Writing, first: n.Atom, trips: n.Atom, size: n.Atom) -> list[n.Var]:
        """Write the loop that finds what steps fold, from the first one on; the arrays that have it then."""
        crossing = list(self.crossing)
        arrays = [
            write.let(n.Alloc((size,), stored_as(v.type)), View(stored_as(v.type), 1, contiguous=True), v.stem)
            for v in crossing
            if isinstance(v.type, Scalar)
        ]
        inner = self.copies.block(n.Block(tuple(self.early), tuple(crossing)))
        with write.loop(
            self.copies.labels.fresh(f"{self.loop.label}.ahead"), 0, trips, "parallel", stem="step"
        ) as step:
            values = write.copy(inner, {self.loop.index.name: write.op("add", first, step.index)})
            for array, value in zip(arrays, values, strict=True):
                write.store(array, (step.index,), value)
        return arrays

    def _rest(self, loop: n.For, arrays: Sequence[n.Var], first: n.Atom) -> n.For:
        """The loop without what was found."""
        rest = Writing(self.copies.names, loop.location)
        place = rest.op("sub", loop.index, first)
        for var, array in zip(self.crossing, arrays, strict=True):
            loaded: n.Expression = n.Load(array, (place,), "safe")
            if stored_as(var.type) != var.type:
                loaded = n.Cast(rest.let(loaded, stored_as(var.type)), checked=False)
            rest.add(n.Let(var, loaded, loop.location))
        return replace(loop, body=replace(loop.body, statements=(*rest.statements, *self.late)))
