"""Mistakes of Weft itself: whatever the compiler raises and should not becomes `InternalError`, at the user's line.

Nothing of a call has run while it is compiled, so the arguments are as they were, and the call can be left to Python.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from traceback import walk_tb
from types import FrameType

from weft.errors import CompilerError, Error, InternalError
from weft.frontend.source.fixed import NeedsValue
from weft.ir.location import Location

_NO_MISTAKES = (NeedsValue, OSError, MemoryError, Warning)
"""What compiling may raise: a request, what the system lacks, and warnings that the user wants to be errors."""
_STAGES = {
    "frontend": "reading the function",
    "analysis": "looking for parallel loops",
    "transform": "looking for parallel loops",
    "plan": "laying out the loops for a device",
    "schedule": "laying out the loops for a device",
    "machine": "predicting how long the call takes",
    "backends": "writing code",
}
"""What Weft does in each of its folders."""
CAUSE = "this is a mistake in Weft and not in your program; the call had not begun, and its arguments are as they were"
_IN_PYTHON = 'weft.jit(on_error="python") lets Python run such calls, with a warning'


@contextmanager
def compiling(place: Callable[[], Location]) -> Iterator[None]:
    """Make mistakes inside of the block internal errors; refusals and errors of the user's stay what they are.

    Parameters
    ----------
    place
        Where the function is, for errors that no statement is known for.

    Raises
    ------
    InternalError
        Something was raised that is no error of Weft's.
    """
    try:
        yield
    except _NO_MISTAKES:
        raise
    except InternalError as error:
        _complete(error, place())
        raise
    except Error:
        raise
    except Exception as error:
        raise _internal(error, place()) from error


@contextmanager
def not_early(unless: bool) -> Iterator[None]:
    """Tell internal errors inside of the block that the call had begun, unless it had not."""
    try:
        yield
    except InternalError as error:
        error.is_early = unless
        raise


def definition_of(file: str, line: int, name: str) -> Location:
    """The line of ``def`` of a function whose decorators, if any, begin at a line."""
    while linecache.getline(file, line).lstrip().startswith("@"):
        line += 1
    text = linecache.getline(file, line).rstrip()
    margin = len(text) - len(text.lstrip())
    return Location(file, line, margin, line, len(text.encode()), name)


def _complete(error: InternalError, place: Location) -> None:
    """Tell an error of one of Weft's own checks a place and what to do."""
    if error.is_early:
        return
    error.is_early = True
    if error.location is None:
        error.location = _location(error) or place
    if isinstance(error, CompilerError):
        error.hint = f"{error.hint}; meanwhile {_IN_PYTHON}" if error.hint else _hint(error)
    else:
        error.cause, error.hint = error.cause or CAUSE, _hint(error)


def _internal(error: Exception, place: Location) -> InternalError:
    """The error that stands for an exception."""
    said = str(error).partition("\n")[0]
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    made = InternalError(
        f"Weft made a mistake while {_stage(error)}: {what}",
        _location(error) or place,
        cause=CAUSE,
        hint=_hint(error),
    )
    made.is_early = True
    return made


def _hint(error: Exception) -> str:
    name = _pass(error)
    leave_out = f'weft.jit(disable=("{name}",)) leaves the pass out, and ' if name else ""
    return f"please report this text with the function; meanwhile {leave_out}{_IN_PYTHON}"


def _frames(error: BaseException) -> list[FrameType]:
    """The frames of Weft that an exception came through, outermost first."""
    frames = (frame for frame, _ in walk_tb(error.__traceback__))
    return [frame for frame in frames if _module(frame).startswith("weft.")]


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _pass(error: Exception) -> str:
    """The name of the pass that failed, where it is one that can be left out; empty otherwise."""
    from weft.transform.pipeline import NAMES

    names = (f.f_code.co_name for f in _frames(error) if _module(f).startswith("weft.transform."))
    return next((name for name in names if name in NAMES), "")


def _stage(error: Exception) -> str:
    name = _pass(error)
    if name:
        return f"running the pass {name}"
    folders = [_module(frame).split(".")[1] for frame in _frames(error)]
    return next((_STAGES[folder] for folder in folders if folder in _STAGES), "compiling")


def _location(error: Exception) -> Location | None:
    """The innermost statement or expression that Weft had in hand; what Weft adds to a function has no span."""
    for frame in reversed(_frames(error)):
        for value in frame.f_locals.values():
            found = _location_in(value, frame.f_locals)
            if found is not None and found.end_line:
                return found
    return None


def _location_in(value: object, others: Mapping[str, object]) -> Location | None:
    """Where a variable of Weft's is in the user's source, where it is a part of that; a program is no place."""
    if isinstance(value, Location):
        return value
    if isinstance(value, ast.AST):
        return _located(value, others) if hasattr(value, "lineno") else None
    if type(value).__name__ == "Program" or not type(value).__module__.startswith("weft."):
        return None
    found = getattr(value, "location", None)
    return found if isinstance(found, Location) else None


def _located(node: ast.AST, others: Mapping[str, object]) -> Location | None:
    """Where a node is, as the context says that stands beside it."""
    from weft.frontend.values.scope import Context

    context = next((value for value in others.values() if isinstance(value, Context)), None)
    return None if context is None else context.location(node)
