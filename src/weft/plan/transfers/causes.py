"""Which lines of the source make a plan move an array: those of kernels that read it there, or wrote it there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weft.analysis.access.access import AccessTable
from weft.analysis.access.structure import Path
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, written_views
from weft.ir.types import View
from weft.ir.visit import launches_in, walk
from weft.plan.transfers.owners import Owners


@dataclass(frozen=True)
class _Use:
    """What a launch does with arrays, by the name of their group: the lines that read them, and those that write."""

    path: Path
    line: int
    reads: dict[str, frozenset[int]]
    writes: dict[str, frozenset[int]]


class Causes:
    """The lines that cause the copies of a placed program."""

    def __init__(self, program: n.Program, table: AccessTable) -> None:
        self.table = table
        self.owners = Owners(program, table)
        self.uses = list(self._uses(program))

    def _uses(self, program: n.Program) -> Iterator[_Use]:
        kernels = {s.kernel.name: s.kernel for s in launches_in(program.body)}
        for site in self.table.structure.root.sites():
            if isinstance(site.statement, n.Launch):
                yield self._use(site.path, site.statement, kernels[site.statement.kernel.name])

    def _use(self, path: Path, launch: n.Launch, kernel: n.Kernel) -> _Use:
        reads: dict[str, frozenset[int]] = {}
        writes: dict[str, frozenset[int]] = {}
        given = zip(kernel.params, launch.operands, strict=True)
        group = {param.name: self.group(atom) for param, atom in given if isinstance(atom.type, View)}
        for statement in walk(kernel.body):
            line = frozenset({statement.location.line} - {0})
            if isinstance(statement, n.Let) and isinstance(statement.value, VIEWS):
                source = next((v.name for v in _viewed(statement.value) if v.name in group), None)
                group |= {statement.var.name: group[source]} if source else {}
            elif isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
                _add(reads, group.get(statement.value.view.name), line)
            for view in written_views(statement):
                _add(writes, group.get(view.name), line)
                _add(reads, group.get(view.name) if isinstance(statement, n.Update) else None, line)
        return _Use(path, launch.location.line, reads, writes)

    def group(self, view: n.Atom) -> str:
        """The arrays that may change places with the one of a view, under one name."""
        assert isinstance(view, n.Var)
        return self.owners.group(self.owners.handle(view))

    def reader(self, path: Path, array: n.Var) -> tuple[int, tuple[int, ...]]:
        """The line of the kernel that needs what is sent at a place of the program, and the lines in it that do."""
        group = self.group(array)
        found = self._nearest(path, [u for u in self.uses if group in u.reads or group in u.writes], after=True)
        return (found.line, _sorted(found.reads.get(group) or found.writes[group])) if found else (0, ())

    def writer(self, path: Path, array: n.Var) -> tuple[int, ...]:
        """The lines that wrote what is brought home at a place of the program."""
        group = self.group(array)
        found = self._nearest(path, [u for u in self.uses if group in u.writes], after=False)
        return _sorted(found.writes[group]) if found else ()

    @staticmethod
    def _nearest(path: Path, uses: list[_Use], after: bool) -> _Use | None:
        """The use that is next, or was last, in the order of the text; of a loop around both, in the next iteration."""
        ahead, behind = [u for u in uses if u.path > path], [u for u in uses if u.path < path]
        first, second = (ahead, behind[:1]) if after else (behind[::-1], ahead[-1:])
        return next(iter((*first, *second)), None)


def _viewed(value: n.Expression) -> Iterator[n.Var]:
    """The views that a view is made of."""
    view = getattr(value, "view", None)
    if isinstance(view, n.Var):
        yield view


def _add(lines: dict[str, frozenset[int]], group: str | None, line: frozenset[int]) -> None:
    if group is not None:
        lines[group] = lines.get(group, frozenset()) | line


def _sorted(lines: frozenset[int]) -> tuple[int, ...]:
    return tuple(sorted(lines))
