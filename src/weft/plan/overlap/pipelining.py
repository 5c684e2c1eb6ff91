"""Iterations of a loop of the host overlap: the next one starts before this one's results are looked at.

``for k: fill(image); filter(image, result); use(result)`` waits for the filter in every iteration. Here it becomes

    for k: fill(image); filter(image, result); use(result of k - 1)
    use(result of the last)

which is called software pipelining. The *early* stage of an iteration ends before the first wait behind a kernel; the
*late* one is all that follows. Where the late stage launches kernels too, it stands before the early one's kernels, so
that these do not have to be waited for. What both stages use on the device is in windows that take turns (`renaming`).
A loop without late stage only gets windows, so that copies for the next iteration run beside the kernels of this one.

Legal where the early stage of an iteration and the late one of the iteration before may change places: neither touches
what the other one writes, the early one uses no value that the late one computes, and no exception of one can be seen
to come too early or too late. Whether every read still sees the newest version is for the verifier to prove.

Not done here: loops inside of other loops of the host, loops that can be left early, kernels that may raise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from weft.analysis.access.access import AccessTable
from weft.analysis.access.access import table as access_table
from weft.analysis.access.structure import Region
from weft.ir import nodes as n
from weft.ir.effects import is_repeatable, may_raise, statement_may_raise
from weft.ir.reference.memories import HOST
from weft.ir.types import PYBOOL, PYINT, View
from weft.ir.visit import blocks_of, defined_by, free_variables, launches_in, rewrite, substitute, walk, with_blocks
from weft.plan.overlap.renaming import Renaming, Turns
from weft.plan.transfers.memory_spaces import without_kernels
from weft.plan.transfers.merge_waits import with_few_waits
from weft.schedule.writing import Writing
from weft.transform.peel import Copies

_Atom = TypeVar("_Atom", bound=n.Atom)

_Change = Callable[[tuple[n.Statement, ...]], tuple[n.Statement, ...]]

PLANNED = (n.Launch, n.Copy, n.Reserve, n.Free, n.Wait)
"""What the plan consists of; none of it raises an exception of the program."""


def pipelined(program: n.Program, device: str, there: frozenset[str]) -> n.Program:
    """Let iterations of the loops of the host overlap where that is legal.

    Parameters
    ----------
    program
        With launches, and all that moves their data.
    device
        The memory of the launches.
    there
        Parameters whose arrays are on the device before the program starts.
    """
    bare = without_kernels(program)
    if not any(isinstance(s, n.For) and _launches(s.body.statements) for s in walk(bare.body)):
        return program
    kernels = {s.kernel.name: s.kernel for s in launches_in(program.body)}
    pipeliner = _Pipeliner(bare, device, there, Copies(program))
    body = pipeliner.block(pipeliner.table.structure.root)
    if not pipeliner.changed:
        return program

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if isinstance(statement, (n.Reserve, n.Free)) and statement.view.name in pipeliner.renamed:
            return statement if any(statement is kept for kept in pipeliner.kept) else ()
        if isinstance(statement, n.Launch):
            return replace(statement, kernel=kernels[statement.kernel.name])
        return statement

    return replace(program, body=with_few_waits(rewrite(body, change)))


@dataclass(frozen=True)
class _Touched:
    """The roots of the arrays that some statements touch, on the host and on the device."""

    reads: frozenset[tuple[str, str]] = frozenset()
    writes: frozenset[tuple[str, str]] = frozenset()

    def meets(self, other: _Touched, apart: Iterable[tuple[str, str]] = ()) -> bool:
        """Whether one writes what the other one touches, but for some of it."""
        mine, theirs = self.reads | self.writes, other.reads | other.writes
        return bool(((self.writes & theirs) | (mine & other.writes)).difference(apart))


@dataclass
class _Stages:
    """A loop whose iterations have an early and a late stage.

    Attributes
    ----------
    early
        The statements of the first stage; `start` of them come before the first kernel.
    late
        The second stage, with the numbers that it needs and that are computed again.
    carried
        The names of the loop's arguments that belong to the late stage.
    crossing
        The numbers that the late stage needs from the early one.
    """

    loop: n.For
    region: Region
    early: list[n.Statement]
    start: int
    late: n.Block
    carried: frozenset[str]
    crossing: list[n.Var] = field(default_factory=list)

    @property
    def launches_late(self) -> bool:
        """Whether the late stage launches kernels."""
        return _launches(self.late.statements)


class _Pipeliner:
    def __init__(self, program: n.Program, device: str, there: frozenset[str], copies: Copies) -> None:
        self.table: AccessTable = access_table(program)
        self.params = frozenset(p.var.name for p in program.params)
        self.device = device
        self.copies = copies
        self.renaming = Renaming(program, self.table, device, there, copies.names)
        self.renamed: set[str] = set()
        self.kept: list[n.Statement] = []
        self.changed = False

    def block(self, region: Region) -> n.Block:
        """A block of the host that is in no loop, with its loops pipelined."""
        statements: list[n.Statement] = []
        for position, statement in enumerate(region.block.statements):
            inner = region.inner.get(position, ())
            if isinstance(statement, n.If):
                statement = with_blocks(statement, tuple(map(self.block, inner)))
            made = self.loop(statement, inner[0]) if isinstance(statement, n.For) else None
            statements += [statement] if made is None else made
        return replace(region.block, statements=tuple(statements))

    def loop(self, loop: n.For, region: Region) -> list[n.Statement] | None:
        """What becomes of a loop; None where it stays as it is."""
        if loop.exit is not None or not _launches(loop.body.statements) or not self.is_simple(loop):
            return None
        stages = stages_of(loop, region)
        if stages is None:
            return None
        behind = self.can_follow_kernels(stages)
        moved = self.moved_early(stages, behind)
        windows = self.windows(stages, behind)
        if stages.late.statements and not self.may_change_places(stages, moved, windows):
            return None
        if not self.is_worth_it(stages, behind, windows):
            return None
        self.renamed |= windows.keys()
        self.changed = True
        return _Writer(self, stages, behind, windows).statements()

    def is_simple(self, loop: n.For) -> bool:
        """Whether a loop launches no kernel that may raise, and calls nothing else."""
        known = {HOST, self.device}
        for statement in walk(loop.body):
            if isinstance(statement, (n.External, n.Call)) or (isinstance(statement, n.Launch) and statement.results):
                return False
            if isinstance(statement, n.Reserve) and statement.owed:
                return False
            if isinstance(statement, n.Copy) and (statement.onto or not {statement.source, statement.target} <= known):
                return False
        return True

    def can_follow_kernels(self, stages: _Stages) -> bool:
        """Whether the late stage of the iteration before may stand behind the kernels of the early one."""
        if not stages.late.statements or stages.launches_late:
            return False
        rest = self.moved_early(stages, True)
        windows = self.windows(stages, True)
        return self.homes_may_wait(stages) and self.may_change_places(stages, rest, windows)

    def homes_may_wait(self, stages: _Stages) -> bool:
        """Whether copies home of the early stage may stand at its end."""
        for k, home in enumerate(stages.early):
            if not _is_home(home):
                continue
            behind = self.touched([s for s in stages.early[k + 1 :] if not _is_home(s)])
            if self.touched([home]).meets(behind):
                return False
        return True

    @staticmethod
    def moved_early(stages: _Stages, behind: bool) -> list[n.Statement]:
        """What an iteration does before the late stage of the iteration before."""
        if behind:
            return [s for s in stages.early if not _is_home(s)]
        return stages.early[: stages.start] if stages.late.statements else stages.early

    def windows(self, stages: _Stages, behind: bool) -> dict[str, Turns]:
        """The arrays that get windows."""
        found = [s for s in stages.early if isinstance(s, n.Copy) and (behind or s.source == HOST)]
        names = dict.fromkeys(self.renaming.owners.handle(s.view) for s in found)
        can = self.renaming.can_rename
        return {
            name: self.renaming.turns(name)
            for name in names
            if can(name, stages.loop, stages.region, stages.early, stages.late)
        }

    def may_change_places(self, stages: _Stages, moved: Sequence[n.Statement], windows: Mapping[str, Turns]) -> bool:
        """Whether some of an early stage may come before the late stage of the iteration before."""
        early, late = self.touched(moved), self.touched(stages.late.statements)
        launches = [s for inner in moved for s in launches_in(n.Block((inner,)))]
        newer = {(HOST, root) for s in launches for _, root in self._roots(HOST, s.writes) if root not in windows}
        if early.meets(late, [(self.device, name) for name in windows]) or newer & (late.reads | late.writes):
            return False
        raises, raises_late = self.may_raise(moved, True), self.may_raise(stages.late.statements, False)
        if raises and (raises_late or self.is_visible(late)):
            return False
        return not raises_late or not self.is_visible(early)

    def may_raise(self, statements: Iterable[n.Statement], or_never_end: bool) -> bool:
        """Whether the program may raise an exception in some statements; what the plan consists of does not.

        What never ends would hide an exception that comes later, and so may not come too early; it may come too late.
        """
        for statement in statements:
            if isinstance(statement, (n.For, n.If, n.While)):
                blocks = blocks_of(statement)
                is_endless = or_never_end and isinstance(statement, n.While)
                if is_endless or any(self.may_raise(block.statements, or_never_end) for block in blocks):
                    return True
            elif isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc):
                region = self.table.structure.definition(statement.var).region
                sizes = (self.table.forms.of(extent) for extent in statement.value.shape)
                if not all(self.table.ranges.nonnegative(size, region) for size in sizes):
                    return True
            elif not isinstance(statement, PLANNED) and statement_may_raise(statement):
                return True
        return False

    def is_visible(self, touched: _Touched) -> bool:
        """Whether something is written that the caller sees."""
        return any(name in self.params for _, name in touched.writes)

    def is_worth_it(self, stages: _Stages, behind: bool, windows: Mapping[str, Turns]) -> bool:
        """Whether there is something to overlap: copies to the device, or the host's work on what comes back."""
        arriving = {
            self.renaming.owners.handle(s.view) for s in stages.early if isinstance(s, n.Copy) and s.source == HOST
        }
        works = any(isinstance(s, n.For) for s in stages.late.statements)
        return not arriving.isdisjoint(windows) or (behind and works)

    def touched(self, statements: Iterable[n.Statement]) -> _Touched:
        """What statements touch where."""
        reads, writes = set[tuple[str, str]](), set[tuple[str, str]]()
        for statement in (inner for s in statements for inner in walk(n.Block((s,)))):
            if isinstance(statement, n.Copy):
                reads |= self._roots(statement.source, (statement.view,))
                writes |= self._roots(statement.target, (statement.view,))
            elif isinstance(statement, n.Launch):
                reads |= self._roots(self.device, statement.reads)
                writes |= self._roots(self.device, statement.writes)
            elif isinstance(statement, (n.Store, n.Update)):
                writes |= self._roots(HOST, (statement.view,))
            elif isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
                reads |= self._roots(HOST, (statement.value.view,))
        return _Touched(frozenset(reads), frozenset(writes))

    def _roots(self, memory: str, views: Iterable[n.Var]) -> set[tuple[str, str]]:
        return {(memory, root) for view in views for root in self.table.aliases.roots(view)}


def stages_of(loop: n.For, region: Region) -> _Stages | None:
    """The stages of a loop's iterations; None where the early one needs what the late one computes.

    The late stage begins with the first wait behind a kernel. Numbers that do not depend on memory belong to the stages
    that need them.
    """
    statements = loop.body.statements
    first = next(k for k, s in enumerate(statements) if _launches((s,)))
    rest = range(first + 1, len(statements))
    cut = next(
        (k for k in rest if any(isinstance(s, n.Wait) for s in walk(n.Block((statements[k],))))), len(statements)
    )
    late = _late_names(loop, cut)
    sunk = [s for s in statements[:cut] if _uses(s) & late]
    if not all(map(_is_number, sunk)):
        return None
    early = [s for s in statements[:cut] if s not in sunk]
    carried = frozenset(arg.var.name for arg in loop.args if arg.var.name in late)
    again, needed = list[n.Statement](), _uses(*sunk, *statements[cut:])
    for statement in reversed(early):
        if _is_number(statement) and any(v.name in needed for v in defined_by(statement)):
            again.insert(0, statement)
            needed |= _uses(statement)
    yields = tuple(y for a, y in zip(loop.args, loop.body.yields, strict=True) if a.var.name in carried)
    ordered = [s for s in statements[:cut] if s in sunk or s in again]
    block = n.Block((*ordered, *statements[cut:]), yields)
    made = {v.name: v for s in early for v in defined_by(s)} | {a.var.name: a.var for a in loop.args}
    crossing = [v for v in free_variables(block) if v.name in made and v.name not in carried]
    if any(isinstance(v.type, View) for v in crossing):
        return None
    start = next(k for k, s in enumerate(early) if _launches((s,)))
    block = block if cut < len(statements) else n.Block((), ())
    return _Stages(loop, region, early, start, block, carried, crossing)


def _late_names(loop: n.For, cut: int) -> set[str]:
    """What the late stage computes, and what depends on that in the next iteration."""
    statements = loop.body.statements
    late = {v.name for s in statements[cut:] for v in defined_by(s)}
    size = -1
    while size < len(late):
        size = len(late)
        pairs = zip(loop.args, loop.body.yields, strict=True)
        late |= {arg.var.name for arg, y in pairs if isinstance(y, n.Var) and y.name in late}
        late |= {v.name for s in statements[:cut] if _uses(s) & late for v in defined_by(s)}
    return late


class _Writer:
    """Writes a loop whose iterations overlap."""

    def __init__(self, pipeliner: _Pipeliner, stages: _Stages, behind: bool, windows: Mapping[str, Turns]) -> None:
        self.pipeliner = pipeliner
        self.renaming = pipeliner.renaming
        self.stages = stages
        self.behind = behind
        self.windows = windows
        self.copies = pipeliner.copies
        self.loop = stages.loop
        self.location = stages.loop.location
        self.own = [arg for arg in self.loop.args if arg.var.name in stages.carried]

    def statements(self) -> list[n.Statement]:
        """The loop, what makes its windows, and the late stage of its last iteration."""
        crossing = self.stages.crossing
        before, held, left = (self._again(crossing) for _ in range(3))
        made = [s for name, turns in self.windows.items() for s in self.renaming.made(name, turns, self.location)]
        made += (n.Let(var, n.Undefined(), self.location) for var in before)
        own = [arg.var for arg in self.own]
        inner, found = self._last(self.loop.index, own, _names(crossing, held), self._sparing)
        results = self._again(own)
        args = [replace(arg, combine=None) for arg in self.loop.args]
        args += (arg for turns in self.windows.values() for arg in turns.args())
        args += (n.LoopArg(var, init) for var, init in zip(held, before, strict=True))
        turned = [view for turns in self.windows.values() for view in turns.inside[::-1]]
        yields = (*self._with_late(self.loop.body.yields, found), *turned, *crossing)
        block = n.Block(_needed(self._body(inner), yields), yields)
        views = [view for turns in self.windows.values() for view in turns.left]
        behind = (*self._with_late(self.loop.results, results), *views, *left)
        changed = replace(self.loop, body=block, args=tuple(args), results=behind)
        values = _names(crossing, left) | {t.inside[1].name: t.left[1] for t in self.windows.values()}
        final, last = self._last(self.loop.stop, results, values, tuple)
        given = [r for a, r in zip(self.loop.args, self.loop.results, strict=True) if a in self.own]
        freed = [n.Free(view, self.renaming.device, self.location) for view in views]
        statements = [*made, changed, *(substitute(s, _names(last, given)) for s in final), *freed]
        return self._where_it_fits(statements) if self.windows else statements

    def _where_it_fits(self, statements: list[n.Statement]) -> list[n.Statement]:
        """The statements where the device has room for all windows, and the loop as it was where it has not."""
        device, write = self.renaming.device, Writing(self.copies.names, self.location)
        arrays, needed = [self.renaming.owners.vars[name] for name in self.windows], list[n.Atom]()
        for array in arrays:
            assert isinstance(array.type, View)
            size: n.Atom = n.Const(2 * array.type.element.size)
            for axis in range(array.type.ndim):
                size = write.op("mul", size, write.let(n.Dim(array, axis), PYINT, "extent"), "size")
            needed.append(size)
        room = write.let(n.Room(device), PYINT, "room")
        fits = write.let(n.Compare("le", write.sum(*needed, stem="size"), room), PYBOOL, "fits")
        results = self._again(self.loop.results)
        then = n.Block(tuple(substitute(s, _names(self.loop.results, results)) for s in statements), tuple(results))
        places = [n.Reserve(array, device, self.location) for array in arrays]
        freed = [n.Free(array, device, self.location) for array in arrays]
        self.pipeliner.kept += [*places, *freed]
        plain = self.copies.block(n.Block((self.loop,), self.loop.results))
        orelse = replace(plain, statements=(*places, *plain.statements, *freed))
        return [*write.statements, n.If(fits, then, orelse, self.loop.results, self.location)]

    def _again(self, variables: Iterable[n.Var]) -> list[n.Var]:
        return [self.copies.names.fresh(var.stem, var.type) for var in variables]

    def _with_late(self, values: Iterable[_Atom], late: Iterable[_Atom]) -> list[_Atom]:
        """Values for all of the loop's arguments, with others for those of the late stage."""
        given = iter(late)
        return [next(given) if a in self.own else v for a, v in zip(self.loop.args, values, strict=True)]

    def _on(self, statements: Iterable[n.Statement], which: int) -> tuple[n.Statement, ...]:
        """Statements on the windows of this iteration, or of the one before."""
        return self.renaming.on_windows(statements, {name: t.inside[which] for name, t in self.windows.items()})

    def _last(
        self, stop: n.Atom, inits: Sequence[n.Atom], values: Mapping[str, n.Atom], waiting: _Change
    ) -> tuple[list[n.Statement], list[n.Var]]:
        """The late stage of the iteration before `stop`, if there is one, and the variables that it computes."""
        if not self.stages.late.statements:
            return [], []
        late = replace(self.stages.late, statements=self._on(waiting(self.stages.late.statements), 1))
        write = Writing(self.copies.names, self.location)
        first = write.op("max", write.op("sub", stop, 1), self.loop.start)
        own = [arg.var for arg in self.own]
        index, inside, results = self._again([self.loop.index])[0], self._again(own), self._again(own)
        block = substitute(self.copies.block(late), {self.loop.index.name: index, **values, **_names(own, inside)})
        args = tuple(n.LoopArg(var, init) for var, init in zip(inside, inits, strict=True))
        label = self.copies.labels.fresh(self.loop.label)
        made = n.For(label, index, first, stop, block, args, tuple(results), location=self.location)
        return [*write.statements, made], results

    def _body(self, late: list[n.Statement]) -> list[n.Statement]:
        """The statements of an iteration, with the late stage of the one before."""
        early, start = self.stages.early, self.stages.start
        if not self.stages.late.statements:
            return [*self._on([*self._sparing(early[:start]), *early[start:]], 0)]
        moved = self.pipeliner.moved_early(self.stages, self.behind)
        rest = [s for s in early if _is_home(s)] if self.behind else early[start:]
        waits = [n.Wait(self.renaming.device, self._sent(), self.location)] if self._sent() else []
        return [*waits, *self._on(moved, 0), *late, *self._on(rest, 0)]

    def _sent(self) -> tuple[n.Var, ...]:
        """The arrays that the host writes in an iteration, and that are copied to the device."""
        written = self.pipeliner.touched(self.stages.early).writes
        copies = (s for s in walk(self.loop.body) if isinstance(s, n.Copy) and s.source == HOST)
        sent = dict.fromkeys(self.renaming.owners.handle(copy.view) for copy in copies)
        return tuple(self.renaming.owners.vars[name] for name in sent if (HOST, name) in written)

    def _sparing(self, statements: Sequence[n.Statement]) -> tuple[n.Statement, ...]:
        """The statements with waits for certain copies of the early stage in place of waits for all.

        The late stage looks at what has come home, and the early one writes what has been sent.
        """
        copies = (s for s in self.stages.early if isinstance(s, n.Copy) and s.target == HOST)
        homes = [self.renaming.owners.handle(copy.view) for copy in copies]
        of = tuple(self.renaming.owners.vars[name] for name in dict.fromkeys(homes))
        return _naming(statements, of if self.stages.late.statements else self._sent())


def _naming(statements: Iterable[n.Statement], of: tuple[n.Var, ...]) -> tuple[n.Statement, ...]:
    """The statements with waits for some arrays in place of waits for all, as far as nothing else has been copied."""
    found = list[n.Statement]()
    copied = not of
    for statement in statements:
        inner = any(isinstance(s, n.Copy) for s in walk(n.Block((statement,))))
        if isinstance(statement, n.Wait) and not statement.of and not copied:
            statement = replace(statement, of=of)
        elif not copied and not (inner and isinstance(statement, (n.For, n.While))):
            blocks = (replace(b, statements=_naming(b.statements, of)) for b in blocks_of(statement))
            statement = with_blocks(statement, tuple(blocks))
        copied = copied or inner
        found.append(statement)
    return tuple(found)


def _launches(statements: Iterable[n.Statement]) -> bool:
    return any(launches_in(n.Block(tuple(statements))))


def _is_home(statement: n.Statement) -> bool:
    return isinstance(statement, n.Copy) and statement.target == HOST


def _uses(*statements: n.Statement) -> set[str]:
    return {var.name for var in free_variables(n.Block(statements))}


def _is_number(statement: n.Statement) -> bool:
    """Whether a statement computes something that does not depend on memory, and cannot fail."""
    if not isinstance(statement, n.Let) or not is_repeatable(statement.value):
        return False
    return not may_raise(statement.value, statement.var.type)


def _names(variables: Iterable[n.Var], values: Iterable[n.Atom]) -> dict[str, n.Atom]:
    return {var.name: value for var, value in zip(variables, values, strict=True)}


def _needed(statements: Sequence[n.Statement], yields: Iterable[n.Atom]) -> tuple[n.Statement, ...]:
    """The statements without numbers that nobody uses."""
    needed = {atom.name for atom in yields if isinstance(atom, n.Var)}
    kept: list[n.Statement] = []
    for statement in reversed(statements):
        if _is_number(statement) and not any(var.name in needed for var in defined_by(statement)):
            continue
        kept.append(statement)
        needed |= _uses(statement)
    return tuple(reversed(kept))
