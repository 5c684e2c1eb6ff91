"""Puts parallel nests on a device: copies in, a launch, copies out, in place of each.

The placement is naive: every nest gets its arrays and gives them back, so the host's memory is current between nests and
whatever stays on the host needs no care. A nest in which something could raise runs on the device first; where it
reports a fault, nothing is copied back and the host runs it again from the same data, up to the exception.

Not done here: moving copies out of loops, keeping arrays on the device between nests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, written_views
from weft.ir.types import PYBOOL, PYINT, View
from weft.ir.visit import Names, free_variables, renamed, rewrite, substitute, walk
from weft.plan.kernels import why_host
from weft.plan.reductions import split
from weft.schedule.default import default_schedule
from weft.schedule.lower import lower, sequential

HOST = "host"


@dataclass(frozen=True)
class Placed:
    """Where a parallel nest runs, and why it stays on the host when it does."""

    label: str
    line: int
    device: str
    reason: str = ""


@dataclass(frozen=True)
class Placement:
    """A program with its nests placed, and what became of each."""

    program: n.Program
    nests: tuple[Placed, ...]


def place(program: n.Program, device: str) -> Placement:
    """Put the parallel nests of a program on a device.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    device
        The name of a memory other than ``host``, and of the device that works in it.
    """
    placer = _Placer(Names.of(program), device, program)
    body = placer.block(program.body)
    return Placement(replace(program, body=body), tuple(placer.placed))


class _Placer:
    def __init__(self, names: Names, device: str, program: n.Program) -> None:
        self.names = names
        self.device = device
        self.name = program.name
        self.placed: list[Placed] = []

    def block(self, block: n.Block) -> n.Block:
        statements: list[n.Statement] = []
        for statement in block.statements:
            statements.extend(self.statement(statement))
        return replace(block, statements=tuple(statements))

    def statement(self, statement: n.Statement) -> Sequence[n.Statement]:
        if isinstance(statement, n.For) and statement.mapping == "parallel":
            reason = why_host(statement)
            where = HOST if reason else self.device
            self.placed.append(Placed(statement.label, statement.location.line, where, reason or ""))
            if not reason:
                return self.offload(statement)
        if isinstance(statement, n.For):
            return [replace(statement, body=self.block(statement.body))]
        if isinstance(statement, n.While):
            return [replace(statement, condition=self.block(statement.condition), body=self.block(statement.body))]
        if isinstance(statement, n.If):
            return [replace(statement, then=self.block(statement.then), orelse=self.block(statement.orelse))]
        return [statement]

    def offload(self, nest: n.For) -> Sequence[n.Statement]:
        """A nest as copies, a launch, and what follows on the host."""
        before: tuple[n.Statement, ...] = ()
        kernel_nest, partials, after = nest, (), ()
        if nest.args:
            parts = split(nest, self.names)
            before, kernel_nest, partials, after = parts.before, parts.kernel, parts.partials, (parts.fold,)
        inner = renamed(n.Block((kernel_nest,)), self.names)
        views = [v for v in free_variables(inner) if isinstance(v.type, View)]
        scalars = [v for v in free_variables(inner) if not isinstance(v.type, View)]
        written = _written(inner)
        outputs = [v for v in views if v in written]
        launch, grid = self.launch(nest, inner, [*views, *scalars])
        copies = [n.Copy(v, HOST, self.device, nest.location) for v in views if v not in partials]
        back = [n.Copy(v, self.device, HOST, nest.location) for v in outputs]
        done = [n.Free(v, self.device, nest.location) for v in views]
        if not block_may_raise(inner):
            return [*before, *copies, *grid, launch, *back, *done, n.Wait(self.device, nest.location), *after]
        return [*before, *copies, *grid, *self.guarded(nest, launch, back, done, after)]

    def guarded(
        self,
        nest: n.For,
        launch: n.Launch,
        back: Sequence[n.Statement],
        done: Sequence[n.Statement],
        after: Sequence[n.Statement],
    ) -> list[n.Statement]:
        """The launch of a nest that may raise, and the choice that its fault flag makes."""
        fault = self.names.fresh("fault", PYBOOL)
        wait = n.Wait(self.device, nest.location)
        again = renamed(n.Block((_sequential(nest),)), self.names).statements[0]
        assert isinstance(again, n.For)
        finish = renamed(n.Block(tuple(after)), self.names).statements if after else ()
        results = finish[0].results if finish and isinstance(finish[0], n.For) else ()
        host = n.Block((again,), again.results)
        device = n.Block((*back, wait, *finish), results)
        choice = n.If(fault, host, device, nest.results, nest.location)
        return [replace(launch, results=(fault,)), choice, *done]

    def launch(self, nest: n.For, inner: n.Block, operands: Sequence[n.Var]) -> tuple[n.Launch, list[n.Statement]]:
        """The launch of a kernel under its default schedule, and the statements that compute its grid."""
        params = {v.name: self.names.fresh(v.stem, v.type) for v in operands}
        body = substitute(inner, params)
        name = f"{self.name.replace('.', '_')}_{len(self.placed)}"
        kernel = n.Kernel(name, tuple(params.values()), body, location=nest.location)
        lowered = lower(kernel, default_schedule(kernel, self.device), self.names)
        statements: list[n.Statement] = []
        extra: list[n.Atom] = []
        grid: list[n.Atom] = [n.Const(1)] * (3 - len(lowered.dimensions))
        back = {param.name: operand for operand, param in zip(operands, params.values(), strict=True)}
        for dimension in lowered.dimensions:
            start, stop = (substitute(atom, back) for atom in (dimension.start, dimension.stop))
            extent, blocks = self.extent(start, stop, dimension.group, nest, statements)
            extra += [n.Const(0), extent]
            grid.append(blocks)
        return n.Launch(lowered.kernel, self.device, (*operands, *extra), tuple(reversed(grid)), location=nest.location), statements

    def extent(
        self, start: n.Atom, stop: n.Atom, group: int, nest: n.For, statements: list[n.Statement]
    ) -> tuple[n.Atom, n.Atom]:
        """The trip count of a loop, never negative, and the number of blocks that cover it."""
        difference, extent, padded, blocks = (
            self.names.fresh(stem, PYINT) for stem in ("difference", "extent", "padded", "blocks")
        )
        statements += [
            n.Let(difference, n.Binary("sub", stop, start, checked=False), nest.location),
            n.Let(extent, n.Binary("max", difference, n.Const(0), checked=False), nest.location),
            n.Let(padded, n.Binary("add", extent, n.Const(group - 1), checked=False), nest.location),
            n.Let(blocks, n.Binary("floordiv", padded, n.Const(group), checked=False), nest.location),
        ]
        return extent, blocks


def _sequential(nest: n.For) -> n.For:
    """The nest as the host runs it again, one iteration after the other."""
    made = rewrite(n.Block((nest,)), sequential).statements[0]
    assert isinstance(made, n.For)
    return made


def _written(block: n.Block) -> set[n.Var]:
    """Views outside a block whose storage it writes to, also through views made inside."""
    made: dict[str, n.Var] = {}
    written: set[n.Var] = set()
    for statement in walk(block):
        if isinstance(statement, n.Let) and isinstance(statement.value, (n.Subview, n.Transpose, n.FieldView)):
            base = statement.value.view
            made[statement.var.name] = made.get(base.name, base)
        for view in written_views(statement):
            written.add(made.get(view.name, view))
    return written
