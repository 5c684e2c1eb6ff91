"""A plan as a list of what it does: every place on a device, copy, launch and wait, with region, bytes and lines."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from weft.analysis.access.access import AccessTable
from weft.analysis.access.access import table as access_table
from weft.analysis.access.structure import Region
from weft.analysis.values.linear import Form, constant
from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.ir.types import View
from weft.plan.transfers import regions
from weft.plan.transfers.causes import Causes
from weft.plan.transfers.memory_spaces import is_device, without_kernels
from weft.plan.transfers.views import box_of

COUNTED = ("allocate", "copy_in", "copy_out")
"""What is compared with what the naive placement does."""

WHOLE = {"copy_out": "all of it before the call", "copy_in": "all of it after the call"}
"""What it does with arrays that are on a device, and that the host works on."""

WIDTH = 100

LONGEST = 80
"""Longer regions and sizes, such as those of slabs, are in the JSON form only."""


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
        The line of the source at which it starts: 0 at the end of the program.
    starts
        The same in words: ``12`` for before that line, ``after 12`` for behind the loop or branch there, ``end``.
    often
        When it happens: ``once``, or in which loop, and under which condition.
    awaited
        Who waits for it: for a copy to the host the place, as in `starts`, at which the host does; for one to the
        device the first kernel that needs it, as in ``kernel 12``.
    causes
        The lines that read what is sent, or wrote what comes home; of arrays that are on the device already, the lines
        of the host that need them.
    naive
        What moving the arrays around every launch would do for this array instead; ``never`` where it would not.
    """

    kind: str
    array: str
    region: str = ""
    bytes: str = ""
    line: int = 0
    starts: str = ""
    often: str = "once"
    awaited: str = ""
    causes: tuple[int, ...] = ()
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
        """The lines of a source, whose first one has a number, with the actions as comments where they start."""
        lines = source.splitlines()
        notes: dict[int, list[Action]] = {}
        for action in self.actions:
            notes.setdefault(_row(action, lines, first), []).append(action)
        text = []
        for row, line in enumerate([*lines, ""]):
            margin = " " * 7 + line[: len(line) - len(line.lstrip())]
            for action in notes.get(row, ()):
                text.append(
                    textwrap.fill(
                        _line(action, False),
                        WIDTH,
                        initial_indent=f"{margin}# ",
                        subsequent_indent=f"{margin}#   ",
                        break_on_hyphens=False,
                    )
                )
            text += [f"{first + row:5}  {line}".rstrip()] if row < len(lines) else []
        return "\n".join(text)


def _row(action: Action, lines: Sequence[str], first: int) -> int:
    """Above which of some lines an action is shown: those that start behind a block, above the first line after it."""
    row = action.line - first
    if not action.line or not 0 <= row < len(lines):
        return len(lines)
    if not action.starts.startswith("after"):
        return row
    depth = len(lines[row]) - len(lines[row].lstrip())
    inside = (
        k for k in range(row + 1, len(lines)) if lines[k].strip() and len(lines[k]) - len(lines[k].lstrip()) <= depth
    )
    return next(inside, len(lines))


def _line(action: Action, placed: bool = True) -> str:
    """An action in words, with the place where it starts unless it stands there."""
    region = action.region if len(action.region) <= LONGEST else "[its rows]"
    words = [f"{action.does} {action.array}{region}".rstrip()]
    if 0 < len(action.bytes) <= LONGEST:
        words.append(f"{action.bytes} bytes")
    words.append(action.often)
    if placed:
        words.append(_place_in_words(action.starts).replace("in line", "before line"))
    if action.causes:
        lines = f"line{'s' if len(action.causes) > 1 else ''} {', '.join(map(str, action.causes))}"
        is_result = action.kind in ("copy_out", "restore") and action.awaited != str(action.causes[0])
        words.append(f"written in {lines}" if is_result else f"for {lines}")
    if action.awaited:
        words.append(f"awaited {_place_in_words(action.awaited)}")
    if action.naive:
        words.append(f"naive: {action.naive}")
    return ", ".join(words)


def _place_in_words(place: str) -> str:
    """``by the kernel of line 12``, ``in line 12``, ``after line 12``, ``at the end``."""
    kind, _, line = place.rpartition(" ")
    if kind:
        return f"by the kernel of line {line}" if kind == "kernel" else f"after line {line}"
    return f"in line {line}" if line != "end" else "at the end"


def actions_of(program: n.Program, naive: n.Program) -> Plan:
    """The actions of a placed program, each beside what the naive placement of the same program does."""
    instead = _by_array(tuple(_Lister(naive).actions()))
    found, guests = [], {param.var.stem for param in program.params if param.home != HOST}
    for action in _Lister(program).actions():
        never = WHOLE.get(action.kind, "never") if action.array in guests else "never"
        array = action.array.removesuffix("_window")
        text = instead.get((action.kind, array), never) if action.kind in COUNTED else ""
        found.append(replace(action, naive=text))
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
        if key[0] in COUNTED
    }


class _Lister:
    """Walks a placed program and says what it does."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.table: AccessTable = access_table(without_kernels(program))
        self.causes = Causes(program, self.table)
        self.last = _last_of_user(self.table.structure.root.block)

    def actions(self) -> Iterator[Action]:
        yield from self._block(self.table.structure.root, ())

    def _block(self, region: Region, around: tuple[str, ...]) -> Iterator[Action]:
        for position, statement in enumerate(region.block.statements):
            inner = region.inner.get(position, ())
            if isinstance(statement, n.Reserve) and statement.owed:
                continue
            if isinstance(statement, (n.Reserve, n.Copy, n.Free)):
                yield self._of_array(region, position, statement, around)
            elif isinstance(statement, n.Launch):
                line = statement.location.line
                yield Action("launch", statement.kernel.name, "", "", line, str(line), _often(around))
            elif isinstance(statement, n.Wait):
                arrays = ", ".join(dict.fromkeys(view.stem for view in statement.of))
                yield Action("wait", arrays, "", "", *self._place(region, position), _often(around))
            elif isinstance(statement, (n.For, n.While)):
                name = "while" if isinstance(statement, n.While) else _users(statement.index.stem)
                times = () if self._runs_once(statement) else (f"in every iteration of {name}",)
                for part in inner:
                    yield from self._block(part, (*around, *times))
            elif isinstance(statement, n.If):
                for part, when in zip(inner, self._conditions(statement), strict=True):
                    yield from self._block(part, (*around, when) if when else around)

    def _runs_once(self, loop: n.For | n.While) -> bool:
        """Whether a loop is the late stage of one iteration of another one (see `pipelining`)."""
        first = self._value(loop.start) if isinstance(loop, n.For) else None
        before = self._value(first.left) if isinstance(first, n.Binary) and first.op == "max" else None
        if not isinstance(loop, n.For) or not isinstance(before, n.Binary):
            return False
        return (before.op, before.left, before.right) == ("sub", loop.stop, n.Const(1))

    def _value(self, atom: n.Atom) -> n.Expression | None:
        return self.table.structure.definition(atom).value if isinstance(atom, n.Var) else None

    def _conditions(self, branch: n.If) -> tuple[str, str]:
        """When each way of a branch is taken, in words; nothing where that is nearly always."""
        condition = branch.condition
        if self.table.structure.launch_of(condition) is not None:
            return "after a fault", ""
        if isinstance(condition, n.Var) and condition.stem == "runs":
            return "", "if the loop does not run"
        if isinstance(condition, n.Var) and condition.stem == "fits":
            return "", "if there is no room for windows"
        if isinstance(condition, n.Var) and condition.stem == "several":
            return "for several of them at once", ""
        line = branch.location.line
        return f"if the condition in line {line} holds", f"if that in line {line} does not"

    def _of_array(
        self, region: Region, position: int, statement: n.Reserve | n.Copy | n.Free, around: tuple[str, ...]
    ) -> Action:
        view = statement.view
        if isinstance(statement, n.Copy) and statement.onto is not None and statement.target == HOST:
            view = statement.onto
        array, box = box_of(self.table, view)
        held = self._held(statement, array)
        assert isinstance(array.type, View)
        extents = self.table.forms.view(array).extents
        whole = box == tuple(regions.Side(constant(0), size) for size in extents)
        shown = "" if whole else regions.text(box, extents)
        size = _product(array.type.element.size, [side.stop - side.low for side in box])
        kind, awaited, causes = _kind(statement), "", tuple[int, ...]()
        if kind in ("copy_out", "restore"):
            again = 0 if isinstance(region.owner, (n.For, n.While)) else position
            awaited = self._awaited(region, position, array) or self._awaited(region, again, array) or "end"
            causes = self.causes.writer((*region.path, position), held)
        elif kind in ("copy_in", "allocate"):
            line, causes = self.causes.reader((*region.path, position), held)
            awaited = "" if kind != "copy_in" else f"kernel {line}" if line else "end"
        if not causes and self.causes.owners.is_guest(held.name):
            causes = (statement.location.line,)  # of the host, which reads it, or wrote it
        text = _users(size) if isinstance(statement, (n.Copy, n.Reserve)) else ""
        place = self._place(region, position)
        return Action(kind, array.stem, _users(shown), text, *place, _often(around), awaited, causes)

    def _held(self, statement: n.Reserve | n.Copy | n.Free, array: n.Var) -> n.Var:
        """The array that a kernel knows what is copied as: itself, or its window."""
        if not isinstance(statement, n.Copy) or statement.onto is None:
            return array
        return box_of(self.table, statement.view if statement.target == HOST else statement.onto)[0]

    def _place(self, region: Region, position: int) -> tuple[int, str]:
        """Where an action starts: a line, and the same in words."""
        if region is self.table.structure.root and position > self.last:
            return 0, "end"
        statement, own = region.block.statements[position], _of_user(region.block)
        line = statement.location.line
        earlier = [k for k in own if k < position]
        later = [k for k in own if k > position]
        if isinstance(statement, n.Copy) and statement.source == HOST and earlier and later:
            following, preceding = (region.block.statements[k].location.line for k in (later[0], earlier[-1]))
            if following != line:  # it starts where the host has last written, and not where it is needed
                return preceding, f"after {preceding}"
        before = (s for s in region.block.statements[:position] if isinstance(s, (n.For, n.While, n.If, n.Launch)))
        is_behind = any(s.location.line == line for s in before)
        return line, f"after {line}" if is_behind else str(line)

    def _awaited(self, region: Region, position: int, array: n.Var) -> str:
        """Where the host waits first for a copy of an array that starts at a position of a block, if inside of it."""
        for k in range(position, len(region.block.statements)):
            statement = region.block.statements[k]
            if isinstance(statement, n.Wait) and (not statement.of or array in statement.of):
                return self._place(region, k)[1]
            for inner in region.inner.get(k, ()):
                if found := self._awaited(inner, 0, array):
                    return found
        return ""


def _product(size: int, extents: Sequence[Form]) -> str:
    """The bytes of a box, as the product of its sides."""
    sides = [str(extent) for extent in extents if extent != constant(1)]
    return "*".join([str(size), *(f"({side})" if " " in side else side for side in sides)])


def _kind(statement: n.Reserve | n.Copy | n.Free) -> str:
    if isinstance(statement, n.Copy):
        if statement.target == HOST:
            return "copy_out" if is_device(statement.source) else "restore"
        return "copy_in" if is_device(statement.target) else "keep"
    return "allocate" if isinstance(statement, n.Reserve) else "free"


def _of_user(block: n.Block) -> list[int]:
    """The positions of the statements that the plan did not make."""
    made = (n.Reserve, n.Copy, n.Free, n.Wait, n.Let)
    return [k for k, statement in enumerate(block.statements) if not isinstance(statement, made)]


def _last_of_user(block: n.Block) -> int:
    """The position of the last statement that the plan did not make."""
    return max(_of_user(block), default=-1)


def _often(around: tuple[str, ...]) -> str:
    return ", ".join(around) or "once"


def _users(text: str) -> str:
    """A text with the user's names of variables."""
    return re.sub(r"(?<=[A-Za-z_0-9])\.\d+\b", "", text)
