"""A plan as a list of what it does: every place on a device, copy, launch and wait, with region, bytes and lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from weft.analysis.access import AccessTable
from weft.analysis.access import table as access_table
from weft.analysis.linear import Form, constant
from weft.analysis.structure import Region
from weft.ir import nodes as n
from weft.ir.memories import HOST
from weft.ir.types import View
from weft.plan import regions
from weft.plan.transfers import is_device, without_kernels
from weft.plan.views import box_of


@dataclass(frozen=True)
class Action:
    """Something that a plan does.

    Attributes
    ----------
    kind
        ``allocate``, ``copy_in``, ``copy_out``, ``keep`` (beside what a kernel may spoil), ``restore``, ``launch``,
        ``wait`` or ``free``.
    array
        The array as the user named it; of a launch the kernel.
    region
        The part of the array, as slices.
    bytes
        How many bytes that are, as a product of extents.
    line
        The line of the source that made it necessary.
    often
        When it happens: ``once``, or in which loop, and under which condition.
    awaited
        For a copy to the host, the line at which the host waits for it; 0 where that is the end of the program.
    naive
        What moving the arrays around every launch would do for this array instead.
    """

    kind: str
    array: str
    region: str = ""
    bytes: str = ""
    line: int = 0
    often: str = "once"
    awaited: int | None = None
    naive: str = ""

    @property
    def does(self) -> str:
        """The kind in words."""
        return self.kind.replace("_", " ")


@dataclass(frozen=True)
class Plan:
    """All actions of a program, in the order of its text."""

    actions: tuple[Action, ...] = ()

    def __iter__(self) -> Iterator[Action]:
        return iter(self.actions)

    def __len__(self) -> int:
        return len(self.actions)

    def to_json(self, indent: int | None = None) -> str:
        """The actions as JSON: a list of objects."""
        return json.dumps([asdict(action) for action in self.actions], indent=indent)

    def __str__(self) -> str:
        return "\n".join(map(_line, self.actions))

    __repr__ = __str__

    def annotated(self, source: str, first: int = 1) -> str:
        """The lines of a source, whose first one has a number, each with the actions that it causes below it."""
        lines = []
        for number, line in enumerate(source.splitlines(), first):
            lines.append(f"{number:5}  {line}")
            lines += [f"       # {_line(action)}" for action in self.actions if action.line == number]
        return "\n".join(lines)


def _line(action: Action) -> str:
    words = [f"{action.does} {action.array}{action.region}".rstrip()]
    if action.bytes:
        words.append(f"{action.bytes} bytes")
    words.append(action.often)
    words.append(f"for line {action.line}")
    if action.awaited is not None:
        words.append(f"awaited in line {action.awaited}" if action.awaited else "awaited at the end")
    if action.naive:
        words.append(f"naive: {action.naive}")
    return ", ".join(words)


def actions_of(program: n.Program, naive: n.Program) -> Plan:
    """The actions of a placed program, each beside what the naive placement of the same program does."""
    instead = _by_array(tuple(_Lister(naive).actions()))
    found = []
    for action in _Lister(program).actions():
        text = instead.get((action.kind, action.array), "")
        found.append(action if not text else Action(**{**asdict(action), "naive": text}))
    return Plan(tuple(found))


def _by_array(actions: Sequence[Action]) -> dict[tuple[str, str], str]:
    """How often the naive placement does something to each array, in words."""
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for action in actions:
        times = counts.setdefault((action.kind, action.array), {})
        times[action.often] = times.get(action.often, 0) + 1
    return {
        key: " and ".join(f"{number} times {often}" if number > 1 else often for often, number in times.items())
        for key, times in counts.items()
        if key[0] in ("allocate", "copy_in", "copy_out")
    }


class _Lister:
    """Walks a placed program and says what it does."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.table: AccessTable = access_table(without_kernels(program))

    def actions(self) -> Iterator[Action]:
        yield from self._block(self.table.structure.root, ())

    def _block(self, region: Region, around: tuple[str, ...]) -> Iterator[Action]:
        for position, statement in enumerate(region.block.statements):
            inner = region.inner.get(position, ())
            if isinstance(statement, (n.Reserve, n.Copy, n.Free)):
                yield self._of_array(region, position, statement, around)
            elif isinstance(statement, n.Launch):
                yield Action("launch", statement.kernel.name, line=statement.location.line, often=_often(around))
            elif isinstance(statement, n.Wait):
                yield Action("wait", "", line=statement.location.line, often=_often(around))
            elif isinstance(statement, (n.For, n.While)):
                name = "while" if isinstance(statement, n.While) else _users(statement.index.stem)
                for part in inner:
                    yield from self._block(part, (*around, f"in every iteration of {name}"))
            elif isinstance(statement, n.If):
                for part, when in zip(inner, self._conditions(statement), strict=True):
                    yield from self._block(part, (*around, when) if when else around)

    def _conditions(self, branch: n.If) -> tuple[str, str]:
        """When each way of a branch is taken, in words; nothing where that is nearly always."""
        condition = branch.condition
        definition = self.table.structure.definition(condition) if isinstance(condition, n.Var) else None
        if definition is not None and isinstance(definition.statement, n.Launch):
            return "after a fault", ""
        if isinstance(condition, n.Var) and condition.stem == "runs":
            return "", "if the loop does not run"
        line = branch.location.line
        return f"if the condition in line {line} holds", f"if that in line {line} does not"

    def _of_array(
        self, region: Region, position: int, statement: n.Reserve | n.Copy | n.Free, around: tuple[str, ...]
    ) -> Action:
        array, box = box_of(self.table, statement.view)
        assert isinstance(array.type, View)
        extents = self.table.forms.view(array).extents
        whole = box == tuple(regions.Side(constant(0), size) for size in extents)
        shown = "" if whole else regions.text(box, extents)
        size: Form = constant(array.type.element.size)
        for side in box:
            size = size * (side.stop - side.low)
        kind, awaited = _kind(statement), None
        if kind in ("copy_out", "restore"):
            awaited = _awaited(region.block, position)
        text = _users(str(size)) if isinstance(statement, (n.Copy, n.Reserve)) else ""
        return Action(kind, array.stem, _users(shown), text, statement.location.line, _often(around), awaited)


def _kind(statement: n.Reserve | n.Copy | n.Free) -> str:
    if isinstance(statement, n.Copy):
        if statement.target == HOST:
            return "copy_out" if is_device(statement.source) else "restore"
        return "copy_in" if is_device(statement.target) else "keep"
    return "allocate" if isinstance(statement, n.Reserve) else "free"


def _awaited(block: n.Block, position: int) -> int:
    """The line of the wait that follows in a block; 0 where it is at the end of the program."""
    waits = [s for s in block.statements[position:] if isinstance(s, n.Wait)]
    return waits[0].location.line if waits else 0


def _often(around: tuple[str, ...]) -> str:
    return ", ".join(around) or "once"


def _users(text: str) -> str:
    """A text with the user's names of variables."""
    return re.sub(r"(?<=[A-Za-z_0-9])\.\d+\b", "", text)
