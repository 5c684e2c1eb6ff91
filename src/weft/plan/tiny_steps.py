"""Loops in whose every step host and device wait for one another: where a step is small, the host runs it all.

``for i: first = d[i, k]; for j: d[i, j] = min(d[i, j], first + d[k, j])`` launches a kernel of one row in each step,
and the host reads an element that a kernel wrote. Copy, launch and wait take longer than a processor needs for the row.
How much a step does is bounded by its trip counts, of which the largest over all steps are taken. Where these are known
before the loop, the program asks them, and has the loop twice.

Nothing is asked where kernels follow one another without the host, which queues them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace

from weft.analysis.access.access import Access, AccessTable, table
from weft.analysis.access.structure import Loop
from weft.analysis.values.hull import hull
from weft.analysis.values.linear import Form, constant
from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import atoms_of, blocks_of, free_variables, walk
from weft.machine.waiting import SMALL
from weft.plan.scratch import Why
from weft.plan.transfers.footprints import is_stable
from weft.plan.transfers.views import ViewMaker
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.support import with_loops

REASON = "its steps are too small for a device to wait for"

PARALLEL = ("parallel", "turns")


def with_tiny_steps(program: n.Program, why_host: Why) -> tuple[n.Program, frozenset[str]]:
    """Let the host run loops whose steps are small, and in which host and device take turns.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host
        Why a nest cannot be a kernel; None where it can.

    Returns
    -------
    tuple
        The program, and the labels of the parallel nests that are to stay on the host.
    """
    steps, copies, kept = _Steps(table(program), why_host), Copies(program), set[str]()

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping in PARALLEL and why_host(loop) is None:
            return (loop,)
        work = steps.work(loop)
        if work is None:
            return None
        (own,) = copies.block(n.Block((loop,))).statements
        assert isinstance(own, n.For)
        kept.update(s.label for s in walk(n.Block((own,))) if isinstance(s, n.For) and s.mapping in PARALLEL)
        views, write = ViewMaker(copies.names, steps.var), Writing(copies.names, loop.location)
        are_small = write.compare("lt", views.atom(work, write.statements, loop.location), SMALL)
        results = tuple(copies.names.fresh(r.stem, r.type) for r in loop.results)
        sides = n.Block((own,), own.results), n.Block((replace(loop, results=results),), results)
        return (*write.statements, n.If(are_small, *sides, loop.results, loop.location))

    body = with_loops(program.body, change)
    return (replace(program, body=body), frozenset(kept)) if kept else (program, frozenset())


class _Steps:
    """What the steps of the loops of a program do."""

    def __init__(self, table: AccessTable, why_host: Why) -> None:
        self.table, self.why_host = table, why_host

    def var(self, name: str) -> n.Var:
        """The variable of a name."""
        return self.table.structure.definition(name).var

    def work(self, loop: n.For) -> Form | None:
        """The statements that kernels run in a step of the innermost loops that a loop of the host has, at most; None
        where kernels do not take turns with the host in each of these, or nothing is known before the loop."""
        if any(isinstance(result.type, View) for result in loop.results):
            return None
        around = self.table.structure.loops[loop.label]
        nests = list(self._nests(n.Block((loop,))))
        if not nests or not all(self._take_turns(self._holder(nest)) for nest in nests):
            return None
        total = constant(0)
        for nest in nests:
            work = self._run(nest, around)
            if work is None:
                return None
            total = total + work
        return total

    def _nests(self, block: n.Block) -> Iterator[n.For]:
        """The outermost nests of a block that can be kernels."""
        for statement in block.statements:
            if isinstance(statement, n.For) and statement.mapping in PARALLEL and not self.why_host(statement):
                yield statement
                continue
            for inner in blocks_of(statement):
                yield from self._nests(inner)

    def _holder(self, nest: n.For) -> Loop:
        """The innermost loop of the host around a nest."""
        return self.table.structure.loops[nest.label].around[-1]

    def _take_turns(self, loop: Loop) -> bool:
        """Whether in a step of a loop kernels need what the host computes from what kernels wrote.

        Where the host only looks at results, or fills arrays by itself, copies and kernels overlap.
        """
        nests = list(self._nests(loop.node.body))
        inside = [self.table.structure.loops[nest.label].body for nest in nests]
        accesses = [a for a in self.table.within(loop.body) if a.array.name in self.table.structure.definitions]
        kernels = [a for a in accesses if any(body.contains(a.region) for body in inside)]
        host = [a for a in accesses if a not in kernels]
        made = self._roots(a for a in kernels if a.writes)
        late = {a.value.name for a in host if a.reads and isinstance(a.value, n.Var) and self.table.roots(a) & made}
        late |= {result.name for nest in nests for result in nest.results}
        touched = self._roots(kernels)
        stores = (a.site.statement for a in host if a.writes and self.table.roots(a) & touched)
        needed = [atom for store in stores for atom in atoms_of(store)]
        needed += [var for nest in nests for var in free_variables(n.Block((nest,)))]
        return self._follow((atom.name for atom in needed if isinstance(atom, n.Var)), late)

    def _roots(self, accesses: Iterable[Access]) -> frozenset[str]:
        return frozenset[str]().union(*map(self.table.roots, accesses))

    def _follow(self, names: Iterable[str], late: Container[str]) -> bool:
        """Whether one of some values is a late one, or computed from one."""
        waiting, seen = list(names), set[str]()
        while waiting:
            name = waiting.pop()
            if name in late:
                return True
            if name not in seen:
                waiting += [atom.name for atom in self._sources(name) if isinstance(atom, n.Var)]
            seen.add(name)
        return False

    def _sources(self, name: str) -> Iterable[n.Atom]:
        """What the value of a variable is computed from, as far as that stands in one step."""
        definition = self.table.structure.definition(name)
        branch = definition.statement
        if isinstance(branch, n.If) and definition.kind == "result":
            return branch.condition, branch.then.yields[definition.place], branch.orelse.yields[definition.place]
        return () if definition.value is None else atoms_of(definition.value)

    def _run(self, loop: n.For, around: Loop) -> Form | None:
        """The statements of all iterations of a loop, at most."""
        here = self.table.structure.loops[loop.label]
        once = self._block(loop.body, around)
        if once is None:
            return None
        trips = self.table.forms.of(loop.stop) - self.table.forms.of(loop.start)
        most = hull(self.table.ranges, trips, here.region, around)
        bound = next((form for form in most.high if is_stable(self.table, form)), None) if most else None
        return None if bound is None else bound * once

    def _block(self, block: n.Block, around: Loop) -> Form | None:
        total = constant(len(block.statements))
        for statement in block.statements:
            if isinstance(statement, n.While):
                return None
            parts = [self._run(statement, around)] if isinstance(statement, n.For) else []
            parts += [self._block(inner, around) for inner in blocks_of(statement)] if not parts else []
            for part in parts:
                if part is None:
                    return None
                total = total + part
        return total
