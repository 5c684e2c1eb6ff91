"""The programs of pieces and of the bounds of loops, and what runs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import FunctionType, TracebackType
from typing import TYPE_CHECKING, Literal, TypeAlias

from weft.ir.interface import END_OF_PIECE, FIRST_OF_PIECE, RESULT, VALUE
from weft.runtime._stub import Dispatcher
from weft.runtime.dispatch.callee import Callee
from weft.split.footprints import narrowed
from weft.split.steps import Item, Path, item_at, item_of, plan_for_devices

if TYPE_CHECKING:
    from weft.frontend.source.signature import ArgumentType
    from weft.ir.nodes import Program

Kind: TypeAlias = Literal[
    "piece", "bounds", "merge", "rest", "groups", "fold", "piece of rows", "groups of rows", "totals", "scan"
]
"""The programs of a loop: some of its iterations, its bounds, what puts folds together; what follows all loops; and of
a loop that adds floats, see `weft.split.cutting.Groups`, what gives partial results and what folds them. Those of rows
have some rows of arrays only, see `weft.split.footprints`; for `totals` and `scan` see `weft.split.scans`."""

OF_ROWS: Mapping[Kind, Kind] = {"piece": "piece of rows", "groups": "groups of rows"}

ENDS = FIRST_OF_PIECE, END_OF_PIECE
"""The arguments of a piece besides those of the loop."""

SHORTCUTS = 8
"""Combinations of types that the entry stub tries before it asks Python."""


def result_name(number: int) -> str:
    """The name of the argument that has the result of a loop."""
    return f"{RESULT} {number}"


def value_name(number: int) -> str:
    """The name of the argument that has a value to be put together."""
    return f"{VALUE} {number}"


def built(function: FunctionType, types: tuple[ArgumentType, ...], memory: str) -> Program:
    """The program of a function that is not cut."""
    from weft.frontend import build

    return build(function, types, memory)


def piece_of(function: FunctionType, path: Path, types: tuple[ArgumentType, ...], memory: str) -> Program:
    """The program of a piece: its arguments are those of the function, the counters of steps, and two bounds."""
    from weft.split.cutting import Phase

    found = item_at(built(function, types[: -1 - len(path)], memory), path)
    assert isinstance(found, Phase)
    return found.piece


def bounds_of(function: FunctionType, path: Path, types: tuple[ArgumentType, ...], memory: str) -> Program:
    """The program of the bounds of a loop."""
    own = types[: len(types) - len(path) + 1]
    return item_at(built(function, own, memory), path).bounds


def program_of(
    function: FunctionType, path: Path, kind: Kind, own: int, types: tuple[ArgumentType, ...], memory: str
) -> Program:
    """A program of a function on several devices.

    Parameters
    ----------
    function
        The function.
    path
        Which of its loops; the path of none for what follows the last one.
    kind
        Which program of the loop.
    own
        How many arguments the function has; those behind them are counters, results of loops, and bounds.
    types, memory
        The types of all arguments, and where coherent arrays are.
    """
    found = plan_for_devices(built(function, types[:own], memory))
    if kind == "rest":
        program = found.rest
    else:
        item = item_of(found.items, path)
        program = _program_of(item, kind)
    assert program is not None
    return program


def _program_of(item: Item, kind: Kind) -> Program | None:
    if kind == "bounds":
        return item.bounds
    for whole, of_rows in OF_ROWS.items():
        if kind == of_rows:
            program = _program_of(item, whole)
            assert program is not None
            return narrowed(program, item.footprints)  # type: ignore[union-attr]
    if kind in ("totals", "scan"):
        scan = getattr(item, "scan")  # noqa: B009 - steps have none
        return scan.totals if kind == "totals" else scan.piece  # type: ignore[no-any-return]
    if kind in ("groups", "fold"):
        groups = getattr(item, "groups")  # noqa: B009 - steps have none
        return groups.piece if kind == "groups" else groups.fold  # type: ignore[no-any-return]
    return getattr(item, kind)  # type: ignore[no-any-return]


class Entry(Dispatcher):
    """Runs a program with positional arguments: in the entry stub, once it has run with such arguments.

    Parameters
    ----------
    callee
        What compiles and runs it.
    names
        The names of the arguments.
    timeout
        Seconds that it may take; 0 for no limit.

    Attributes
    ----------
    callee
        As given.
    misses
        How many calls Python had to look at: those with arguments of new types, or after a change of what the function
        depends on.
    """

    def __init__(self, callee: Callee, names: Sequence[str], timeout: float) -> None:
        self.callee = callee
        self.misses = 0
        self._names = tuple(names)
        self._arity, self._timeout = len(self._names), timeout

    if TYPE_CHECKING:

        def __call__(self, *args: object) -> object: ...

    def _miss(self, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        """Run a call that the stub cannot take."""
        self.misses += 1
        result, shortcut = self.callee.call(dict(zip(self._names, args, strict=True)))
        if shortcut is not None:
            self._add(shortcut.handle, shortcut.captures, shortcut.guards, shortcut.classes)
            del self._choices[SHORTCUTS:]
        return result

    def _users_frames(self, error: BaseException, trace: TracebackType) -> TracebackType:
        """The traceback as it is: the function that is split shortens it."""
        return trace
