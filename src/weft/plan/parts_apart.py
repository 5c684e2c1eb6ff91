"""Nests that run several loops one after the other, as a nest for each, where that is what schedules are for.

``for j: (for i: top = max(top, x[i, j])); (for i: y[i, j] = x[i, j] - top)`` has a thread for each column, and threads
next to one another must not share rows: neighbours lie along `j`. As two nests the first is a reduction whose columns
threads share, the second has a thread for each element. Iterations of a parallel loop do not meet, so it may run one
part for all of them before the next; what a part hands on is in an array that the program makes.

A loop that folds what it stores is taken apart in the same way: the fold reads what was stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

from weft.analysis.access.access import table
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, block_may_raise
from weft.ir.neutral import stored_as
from weft.ir.types import Scalar, View
from weft.ir.visit import atoms_of, defined_by, free_variables, has_fewer_trips, walk
from weft.plan.scratch import Why
from weft.schedule.directives import Bind, Schedule
from weft.schedule.nests import grid_chain, is_repeatable
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.support import with_loops
from weft.tune.blocks import SHORT, accesses_along
from weft.tune.choice import concerns
from weft.tune.default import default_schedule


def with_parts_apart(program: n.Program, schedule: Schedule, why_host: Why) -> n.Program:
    """Take the loops of nests apart that would have a thread for each iteration.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    schedule
        What the user wrote: nests that it is about stay as they are.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    copies, aliases = Copies(program), cache(lambda: table(program).aliases)

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "parallel":
            return None
        if loop.args or why_host(loop) or not _is_simple(loop):
            return (loop,)
        kernel = _kernel(loop)
        if any(concerns(directive, kernel) for directive in schedule) or not _is_plain(kernel):
            return (loop,)
        if any(aliases().may_alias(a, b) for a, b in combinations(filter(_is_view, kernel.params), 2)):
            return (loop,)
        before, parts = _apart(loop, copies)
        return (*before, *parts) if any(map(_is_better, parts)) else (loop,)

    body = with_loops(program.body, change)
    return program if body is program.body else replace(program, body=body)


def _kernel(nest: n.For) -> n.Kernel:
    block = n.Block((nest,))
    return n.Kernel("", free_variables(block), block)


def _is_simple(nest: n.For) -> bool:
    """Whether a nest can be taken apart: it cannot raise, and works on elements of arrays that are there before it."""
    block = n.Block((nest,))
    kinds = (n.Let, n.Store, n.For, n.If)
    others = any(isinstance(s, n.Let) and isinstance(s.value, (n.Alloc, n.Undefined, *VIEWS)) for s in walk(block))
    return not others and not block_may_raise(block) and all(isinstance(s, kinds) for s in walk(block))


def _is_plain(kernel: n.Kernel) -> bool:
    """Whether each thread runs all loops of its iterations, more than one."""
    chain = grid_chain(kernel)
    return len(chain) == 1 and bool(_long(chain[0].body)) and all(isinstance(d, Bind) for d in default_schedule(kernel))


def _is_better(part: n.For) -> bool:
    """Whether threads share a loop of a nest, or have an element each."""
    kernel = _kernel(part)
    return len(grid_chain(kernel)) > 1 or not all(isinstance(d, Bind) for d in default_schedule(kernel))


def _long(block: n.Block) -> list[n.For]:
    """The loops of a block that are parallel, and not known to be short."""
    loops = (s for s in block.statements if isinstance(s, n.For) and s.mapping == "parallel" and s.exit is None)
    return [loop for loop in loops if not has_fewer_trips(loop, SHORT)]


def _apart(nest: n.For, copies: Copies) -> tuple[list[n.Statement], list[n.For]]:
    """What makes the arrays that parts of a nest hand on, and the parts: loops that threads can share stay together."""
    before, parts = _Parts(nest, copies).apart(is_deep)
    if len(parts) == 1:
        return _Parts(nest, copies).apart(lambda loop: True, around=_runs_along(nest))
    found: list[n.For] = []
    for part in parts:
        if _is_plain(_kernel(part)) and len(_long(part.body)) > 1:
            arrays, inner = _Parts(part, copies).apart(lambda loop: True)
            before, found = [*before, *arrays], [*found, *inner]
        else:
            found.append(part)
    return before, found


def _runs_along(nest: n.For) -> bool:
    """Whether neighbours lie along the only loop in a nest, which gives nothing: it needs threads of its own."""
    loops = _long(nest.body)
    return len(loops) == 1 and not loops[0].args and accesses_along(_kernel(nest), loops[0]) > 0


def is_deep(loop: n.For) -> bool:
    """Whether there are loops inside of a loop."""
    return any(isinstance(s, n.For) for s in walk(loop.body))


def _is_view(var: n.Var) -> bool:
    return isinstance(var.type, View)


class _Parts:
    """Takes a nest apart."""

    def __init__(self, nest: n.For, copies: Copies) -> None:
        self.nest, self.kernel, self.copies = nest, _kernel(nest), copies

    def apart(
        self, stands_alone: Callable[[n.For], bool], around: bool = False
    ) -> tuple[list[n.Statement], list[n.For]]:
        """What makes the arrays that parts hand on, and the parts; one for each loop that `stands_alone`, and what is
        `around` loops in others."""
        statements = [part for s in self.nest.body.statements for part in self.folds_apart(s)]
        again = [s for s in statements if is_repeatable(s, self.kernel)]
        groups: list[list[n.Statement]] = [[]]
        latest: n.For | None = None
        for statement in (s for s in statements if not is_repeatable(s, self.kernel)):
            if isinstance(statement, n.For) and _long(n.Block((statement,))):
                is_next = latest is not None and (stands_alone(statement) or stands_alone(latest))
                if is_next or (around and groups[-1]):
                    groups.append([])
                latest = statement
            elif around and latest is not None and groups[-1][-1] is latest:
                groups.append([])
            groups[-1].append(statement)
        if len(groups) == 1:
            return [], [self.nest]
        made = {v.name: k for k, group in enumerate(groups) for s in group for v in defined_by(s)}
        wanted = [self.needed(group, again) for group in groups]
        handed = {
            v.name: v
            for k, (group, lets) in enumerate(zip(groups, wanted, strict=True))
            for v in free_variables(n.Block((*lets, *group)))
            if v.name in made and made[v.name] != k
        }
        if not all(isinstance(v.type, Scalar) for v in handed.values()):
            return [], [self.nest]
        write = Writing(self.copies.names, self.nest.location)
        extent = write.trips(self.nest.start, self.nest.stop, "iterations")
        arrays: dict[str, n.Var] = {}
        for v in handed.values():
            element = stored_as(v.type)
            type_ = View(element, 1, contiguous=True)
            arrays[v.name] = write.let(n.Alloc((extent,), element), type_, v.stem)
        parts = [
            self.part(k, group, lets, made, arrays, handed)
            for k, (group, lets) in enumerate(zip(groups, wanted, strict=True))
        ]
        return write.statements, parts

    def needed(self, group: Sequence[n.Statement], again: Sequence[n.Statement]) -> list[n.Statement]:
        """The definitions that a part uses and computes again."""
        names = {v.name for v in free_variables(n.Block(tuple(group)))}
        lets: list[n.Statement] = []
        for let in reversed(again):
            if names & {v.name for v in defined_by(let)}:
                names |= {a.name for a in atoms_of(let) if isinstance(a, n.Var)}
                lets.append(let)
        return lets[::-1]

    def part(
        self,
        number: int,
        group: Sequence[n.Statement],
        lets: Sequence[n.Statement],
        made: dict[str, int],
        arrays: dict[str, n.Var],
        handed: dict[str, n.Var],
    ) -> n.For:
        """One part for all iterations: what others hand on is loaded first, and stored last what it hands on."""
        nest = self.nest
        first, last = Writing(self.copies.names, nest.location), Writing(self.copies.names, nest.location)
        used = {v.name for v in free_variables(n.Block((*lets, *group)))}
        for name, array in arrays.items():
            write = last if made[name] == number else first
            if made[name] != number and name not in used:
                continue
            place = write.op("sub", nest.index, nest.start, "place")
            if made[name] == number:
                write.store(array, (place,), handed[name])
                continue
            value: n.Expression = n.Load(array, (place,), "safe")
            assert isinstance(array.type, View)
            if array.type.element != handed[name].type:
                value = n.Cast(write.let(value, array.type.element, "stored"), checked=False)
            write.add(n.Let(handed[name], value, nest.location))
        between = self.in_order(group, lets)
        body = n.Block((*first.statements, *between, *last.statements))
        made_nest = replace(nest, body=body)
        if number == 0:
            return made_nest
        (copy,) = self.copies.block(n.Block((made_nest,))).statements
        assert isinstance(copy, n.For)
        return copy

    def in_order(self, group: Sequence[n.Statement], lets: Sequence[n.Statement]) -> list[n.Statement]:
        """The statements of a part, each definition before what uses it."""
        waiting, placed = list(lets), list[n.Statement]()
        pending = {v.name for s in (*group, *lets) for v in defined_by(s)}
        for statement in (*group, None):
            for let in list(waiting):
                if not {v.name for v in free_variables(n.Block((let,)))} & pending:
                    placed.append(let)
                    waiting.remove(let)
                    pending -= {v.name for v in defined_by(let)}
            if statement is not None:
                placed.append(statement)
                pending -= {v.name for v in defined_by(statement)}
        return [*placed, *waiting]

    def folds_apart(self, statement: n.Statement) -> tuple[n.Statement, ...]:
        """A loop that folds what it stores as one that stores, and one that folds; others as they are."""
        if not isinstance(statement, n.For) or statement not in _long(n.Block((statement,))) or not statement.args:
            return (statement,)
        body, carried = statement.body, {arg.var.name for arg in statement.args}
        stores = [s for s in walk(body) if isinstance(s, n.Store)]
        if len(stores) != 1 or not any(stores[0] is s for s in body.statements):
            return (statement,)
        (store,) = stores
        view, value = store.view, store.value
        assert isinstance(view.type, View)
        if not isinstance(value, n.Var) or value.type != view.type.element or store.bounds != "safe" or store.mask:
            return (statement,)
        storing = self.slice(body, _names((), atoms_of(store)), "")
        places = self.slice(body, _names((), store.indices), value.name)
        folding = self.slice(body, _names((), body.yields), value.name)
        if not any(isinstance(s, n.For) for s in storing) or carried & _names(storing, atoms_of(store)):
            return (statement,)
        if value.name in _names(places, ()) or value.name not in _names(folding, body.yields):
            return (statement,)
        if not all(isinstance(s, n.Let) and not self.loads(s, view) for s in (*places, *folding)):
            return (statement,)
        alone = replace(statement, args=(), results=(), body=n.Block((*storing, store)))
        (copy,) = self.copies.block(n.Block((alone,))).statements
        load = n.Let(value, n.Load(view, store.indices, "safe"), store.location)
        rest = [s for s in folding if not any(s is place for place in places)]
        return copy, replace(statement, body=n.Block((*places, load, *rest), body.yields))

    def loads(self, let: n.Let, view: n.Var) -> bool:
        """Whether a definition reads an array."""
        return isinstance(let.value, n.Load) and let.value.view == view

    def slice(self, body: n.Block, names: set[str], given: str) -> list[n.Statement]:
        """The statements of a body that define some values, less what only a given one needs."""
        needed, found = names - {given}, list[n.Statement]()
        for statement in reversed(body.statements):
            if needed & {v.name for v in defined_by(statement)}:
                needed |= {v.name for v in free_variables(n.Block((statement,)))} - {given}
                found.append(statement)
        return found[::-1]


def _names(statements: Sequence[n.Statement], yields: Sequence[n.Atom]) -> set[str]:
    return {v.name for v in free_variables(n.Block(tuple(statements), tuple(yields)))}
