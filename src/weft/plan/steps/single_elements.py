"""Single elements of arrays that are on the device already, read and stored there, between kernels.

``y[0] = x[0]`` before a scan, or ``if not marked[i]`` around a kernel in a loop, would bring whole arrays home. So the
statements are a kernel of one iteration. What it finds goes through arrays of one element: kernels behind it load from
them, and the host does only where it needs a value itself. A condition around a kernel is tested inside of it.

In a loop nothing is done where the host needs a value in each step: it would wait each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from weft.analysis.access.access import table
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, block_may_raise, statement_may_raise
from weft.ir.location import UNKNOWN
from weft.ir.neutral import stored_as
from weft.ir.types import Scalar, View
from weft.ir.visit import atoms_of, blocks_of, defined_by, free_variables, substitute, walk
from weft.plan.scratch import Why
from weft.schedule.writing import Writing
from weft.transform.peel import Copies

KINDS = (n.Let, n.Store, n.If)
LABEL = "element"


def with_single_elements(
    program: n.Program, there: frozenset[str], why_host: Why, is_placed: Callable[[n.For], bool]
) -> n.Program:
    """Let kernels of one iteration do what the host would do with elements of arrays on the device.

    Parameters
    ----------
    program
        Before its nests are placed.
    there
        Names of the parameters whose arrays are on the device.
    why_host
        Why a nest cannot be a kernel; None where it can.
    is_placed
        Whether a loop that runs in order becomes kernels as a whole.
    """
    if not there or program.pins:
        return program
    views = {v.name: v for s in _of_host(program.body, why_host) for v in _views(s)}
    if not views:
        return program
    aliases = table(program).aliases
    touched = frozenset(name for name, view in views.items() if aliases.roots(view) & there)
    mover = _Mover(Copies(program), touched, why_host, is_placed)
    body = mover.block(program.body, is_repeated=False)
    return replace(program, body=body) if mover.moved else program


def _is_kernel(statement: n.Statement, why_host: Why) -> bool:
    if not isinstance(statement, n.For) or statement.mapping not in ("parallel", "turns"):
        return False
    return why_host(statement) is None


def _of_host(block: n.Block, why_host: Why) -> Iterator[n.Statement]:
    """Every statement of a block that no kernel does."""
    for statement in block.statements:
        if not _is_kernel(statement, why_host):
            yield statement
            for inner in blocks_of(statement):
                yield from _of_host(inner, why_host)


def _views(statement: n.Statement) -> Iterable[n.Var]:
    """The arrays whose elements a statement itself reads or stores."""
    if isinstance(statement, n.Let):
        return [statement.value.view] if isinstance(statement.value, n.Load) else []
    return [statement.view] if isinstance(statement, (n.Store, n.Update)) else []


class _Mover:
    """Makes kernels of runs of statements."""

    def __init__(
        self, copies: Copies, touched: frozenset[str], why_host: Why, is_placed: Callable[[n.For], bool]
    ) -> None:
        self.copies, self.touched, self.why_host, self.is_placed = copies, touched, why_host, is_placed
        self.moved = False

    def block(self, block: n.Block, is_repeated: bool) -> n.Block:
        """A block of the host; `is_repeated` in a loop."""
        run, done = _Run(self, is_repeated), list[n.Statement]()
        for k, statement in enumerate(block.statements):
            if run.takes(statement):
                continue
            if not run.lets_pass(statement):
                done += run.flushed(n.Block(block.statements[k:], block.yields))
            done += run.behind(self.inside(statement, is_repeated))
        done += run.flushed(n.Block((), block.yields))
        done += run.loaded({a.name for a in block.yields if isinstance(a, n.Var)})
        return block if run.failed else replace(block, statements=tuple(done))

    def inside(self, statement: n.Statement, is_repeated: bool) -> n.Statement:
        """A statement of the host with the blocks in it done."""
        if isinstance(statement, n.If) and self.holds_kernels(statement):
            then, orelse = (self.block(b, is_repeated) for b in (statement.then, statement.orelse))
            return replace(statement, then=then, orelse=orelse)
        if isinstance(statement, n.For) and self.is_host_loop(statement):
            return replace(statement, body=self.block(statement.body, True))
        if isinstance(statement, n.While) and self.holds_kernels(statement):
            return replace(statement, body=self.block(statement.body, True))
        return statement

    def is_host_loop(self, loop: n.For) -> bool:
        """Whether a loop of the host launches kernels in its steps."""
        return not _is_kernel(loop, self.why_host) and self.holds_kernels(loop) and not self.is_placed(loop)

    def holds_kernels(self, statement: n.Statement) -> bool:
        """Whether there are kernels inside of a statement."""
        return any(s is not statement and _is_kernel(s, self.why_host) for s in walk(n.Block((statement,))))

    def touches(self, statement: n.Statement) -> bool:
        """Whether a statement reads or stores elements of arrays on the device."""
        return any(v.name in self.touched for s in walk(n.Block((statement,))) for v in _views(s))

    def can_move(self, statement: n.Statement) -> bool:
        """Whether a statement may be a part of a kernel: it only computes, reads and stores, and cannot raise."""
        block = n.Block((statement,))
        makes = (s.value for s in walk(block) if isinstance(s, n.Let))
        plain = not any(isinstance(value, (n.Alloc, n.Undefined, *VIEWS)) for value in makes)
        others = (v for s in walk(block) for v in _views(s) if v.name not in self.touched)
        kinds = all(isinstance(s, KINDS) for s in walk(block))
        return kinds and plain and not any(others) and not block_may_raise(block)


class _Run:
    """Statements one behind the other that will be a kernel, and what the kernels before it have found."""

    def __init__(self, mover: _Mover, is_repeated: bool) -> None:
        self.mover, self.is_repeated = mover, is_repeated
        self.group: list[n.Statement] = []
        self.found: dict[str, tuple[n.Var, n.Var]] = {}
        self.failed = False

    def takes(self, statement: n.Statement) -> bool:
        """Take a statement into the run, if it belongs there."""
        needed = {v.name for v in free_variables(n.Block((statement,)))}
        belongs = self.mover.touches(statement) or needed & (self.made | self.found.keys())
        if not belongs or not self.mover.can_move(statement):
            return False
        self.group.append(statement)
        return True

    @property
    def made(self) -> set[str]:
        """Names of what the run defines."""
        return {v.name for s in self.group for v in defined_by(s)}

    def lets_pass(self, statement: n.Statement) -> bool:
        """Whether a statement behind the run may as well stand before it."""
        if not isinstance(statement, (n.Let, n.Store)) or statement_may_raise(statement):
            return False
        needed = {v.name for v in free_variables(n.Block((statement,)))}
        return not self.mover.touches(statement) and not needed & self.made

    def flushed(self, rest: n.Block) -> list[n.Statement]:
        """The run as a kernel, and the arrays for what it finds."""
        group, self.group = self.group, []
        if not group:
            return []
        needed = {v.name for v in free_variables(rest)}
        crossing = [v for s in group for v in defined_by(s) if v.name in needed]
        if not all(isinstance(v.type, Scalar) for v in crossing):
            self.failed = True
            return group
        copies = self.mover.copies
        write = Writing(copies.names, getattr(group[0], "location", UNKNOWN))
        arrays = [
            write.let(n.Alloc((n.Const(1),), stored_as(v.type)), View(stored_as(v.type), 1, contiguous=True), v.stem)
            for v in crossing
        ]
        with write.loop(copies.labels.fresh(LABEL), 0, 1, "parallel", stem=LABEL):
            known = self.loads(write, {v.name for v in free_variables(n.Block(tuple(group)))})
            copied = copies.block(n.Block(tuple(group), tuple(crossing)))
            values = write.copy(copied, known)
            for array, value in zip(arrays, values, strict=True):
                write.store(array, (n.Const(0),), value)
        if not _is_kernel(write.statements[-1], self.mover.why_host):
            self.failed = True
            return group
        self.mover.moved = True
        self.found.update({v.name: (v, array) for v, array in zip(crossing, arrays, strict=True)})
        return write.statements

    def loads(self, write: Writing, names: set[str]) -> dict[str, n.Atom]:
        """Write the loads of what kernels have found, by name."""
        known: dict[str, n.Atom] = {}
        for name in sorted(names & self.found.keys()):
            var, array = self.found[name]
            value = write.load(array, n.Const(0))
            known[name] = (
                value if value.type == var.type else write.let(n.Cast(value, checked=False), var.type, var.stem)
            )
        return known

    def behind(self, statement: n.Statement) -> list[n.Statement]:
        """A statement behind the run, with what was found before: a kernel loads it itself."""
        kernel = self.in_kernel(statement)
        if kernel is not None:
            return kernel
        return [*self.loaded({v.name for v in free_variables(n.Block((statement,)))}), statement]

    def loaded(self, names: set[str]) -> list[n.Statement]:
        """What brings home values that the host needs."""
        wanted = names & self.found.keys()
        self.failed = self.failed or bool(wanted and self.is_repeated)
        statements: list[n.Statement] = []
        for name in sorted(wanted):
            var, array = self.found.pop(name)
            write = Writing(self.mover.copies.names, UNKNOWN)
            value: n.Expression = n.Load(array, (n.Const(0),), "safe")
            if stored_as(var.type) != var.type:
                value = n.Cast(write.let(value, stored_as(var.type)), checked=False)
            statements += [*write.statements, n.Let(var, value)]
        return statements

    def in_kernel(self, statement: n.Statement) -> list[n.Statement] | None:
        """A kernel, or a choice whether one runs, with loads inside; None where the host needs a value."""
        condition, lets, loop = _chosen(statement) if isinstance(statement, n.If) else (None, [], statement)
        if not isinstance(loop, n.For) or loop.mapping != "parallel" or not _is_kernel(loop, self.mover.why_host):
            return None
        if loop.args and condition is not None:
            return None
        outside = {a.name for s in lets for a in atoms_of(s) if isinstance(a, n.Var)}
        ends = loop.start, loop.stop, *(arg.init for arg in loop.args)
        outside |= {a.name for a in ends if isinstance(a, n.Var)}
        if outside & self.found.keys():
            return None
        wanted = {v.name for v in free_variables(loop.body)}
        if condition is not None:
            if condition.name not in self.found:
                return None
            wanted.add(condition.name)
        if not wanted & self.found.keys():
            return None
        write = Writing(self.mover.copies.names, loop.location)
        known = self.loads(write, wanted)
        body = substitute(loop.body, known)
        if condition is not None:
            body = n.Block((n.If(known[condition.name], body, location=loop.location),))
        made = replace(loop, body=replace(body, statements=(*write.statements, *body.statements)))
        return [*lets, made] if self.mover.why_host(made) is None else None


def _chosen(choice: n.If) -> tuple[n.Var | None, list[n.Statement], n.Statement]:
    """What a choice runs if its condition holds: definitions that cannot raise, and one loop."""
    *lets, loop = choice.then.statements or (choice,)
    plain = all(isinstance(s, n.Let) and not _views(s) and not statement_may_raise(s) for s in lets)
    makes = any(isinstance(s.value, (n.Alloc, n.Undefined, *VIEWS)) for s in lets if isinstance(s, n.Let))
    if choice.results or choice.orelse.statements or not plain or makes or not isinstance(choice.condition, n.Var):
        return None, [], choice
    return choice.condition, lets, loop
