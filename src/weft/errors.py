"""What Weft says when it cannot do what it was asked.

Every error prints in the same order: what happened, the place in the user's source with a caret under the expression,
the calls that led there, the cause, and one thing to write instead. Run-time exceptions of compiled code are not
defined here: they are the very exceptions that CPython raises (`IndexError`, `ZeroDivisionError`, ...); `add_location`
tells them the line and the iteration.

This module imports nothing from Weft, since every other part imports it.
"""

from __future__ import annotations

import builtins
import importlib
import json
import linecache
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from weft.ir.location import Location

_ExceptionT = TypeVar("_ExceptionT", bound=BaseException)


@dataclass(frozen=True)
class Code:
    """Statements to write in place of some lines of the user's file.

    Attributes
    ----------
    text
        The statements, not indented.
    first, last
        The lines of the file that they replace, counted from one, both included.
    """

    text: str
    first: int
    last: int

    def applied_to(self, source: str) -> str:
        """The text of the file with the statements in it, indented as the lines that they replace."""
        lines = source.splitlines(keepends=True)
        old = lines[self.first - 1]
        margin = old[: len(old) - len(old.lstrip())]
        new = [f"{margin}{line}\n" for line in self.text.splitlines()]
        return "".join([*lines[: self.first - 1], *new, *lines[self.last :]])


class Error(Exception):
    """Base class of all errors of Weft.

    Parameters
    ----------
    message
        What happened, in one sentence, in the user's words.
    location
        The expression in the user's source, when there is one.
    cause
        Why Weft cannot go on, when the message alone does not say it.
    hint
        One thing to write instead.

    Attributes
    ----------
    message, location, cause, hint
        The parameters, as they were given.
    code
        What to write instead, where Weft can write it: a `Code` made from the user's own lines.
    iteration
        The values of the loop counters around the place, by name and outermost first, where a program raised it.
    """

    code: Code | None = None
    iteration: Mapping[str, int] | None = None

    def __init__(self, message: str, location: Location | None = None, *, cause: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.location = location
        self.cause = cause
        self.hint = hint

    @property
    def remedy(self) -> str:
        """What to do, in words; the same as `hint`."""
        return self.hint

    def __reduce__(self) -> str | tuple[Any, ...]:
        """As any exception; said here since tblib, which Dask installs, passes over classes that do not say it."""
        return super().__reduce__()

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield self.message
        if self.location is not None:
            yield from place_lines(self.location)
        if self.iteration:
            yield iteration_line(self.iteration)
        yield from self._detail_lines()
        if self.cause:
            yield f"  Cause: {self.cause}"
        if self.hint:
            yield f"  Instead: {self.hint}"
        if self.code is not None:
            yield from (f"    {line}" for line in self.code.text.splitlines())

    def _detail_lines(self) -> Iterator[str]:
        """Lines that only this class of error has; they stand after the place."""
        return iter(())


class UnsupportedError(Error):
    """Python that Weft does not compile: the construct, the place, and what to write instead."""


class TypeInferenceError(Error, TypeError):
    """A value whose type cannot be told before the program runs, or an operation that its types do not have."""

    is_of_changing_type: bool = False
    """Whether a variable has one type and then another: a loop may be translated otherwise then."""

    classes: frozenset[type] = frozenset()
    """Where a variable may be one of several objects: their classes. A new translation may make them references."""


class NameError(TypeInferenceError, builtins.NameError):
    """A name that is not defined: CPython's class, with the place."""


class UnboundLocalError(NameError, builtins.UnboundLocalError):
    """A variable that nothing has assigned where it is used: CPython's class, with the place."""


class IndexError(TypeInferenceError, builtins.IndexError):
    """An index that no element can have, whatever the values are: CPython's class, with the place."""


class ValueError(UnsupportedError, builtins.ValueError):
    """A value that an operation cannot take, such as the truth of an array: CPython's class, with the place."""


class SourceError(Error):
    """The source text of a function cannot be had, so there is nothing to compile."""


class RaceError(Error):
    """Iterations that were claimed to be independent touch the same element.

    Parameters
    ----------
    message, location, cause, hint
        As for `Error`; `location` is the first of the two accesses.
    other
        The second access.
    """

    def __init__(
        self,
        message: str,
        location: Location | None = None,
        *,
        other: Location | None = None,
        cause: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(message, location, cause=cause, hint=hint)
        self.other = other

    def _detail_lines(self) -> Iterator[str]:
        if self.other is not None:
            yield "  and"
            yield from place_lines(self.other)


class ArgumentError(Error, TypeError):
    """An argument of a call that compiled code cannot take.

    Parameters
    ----------
    message, location, cause, hint
        As for `Error`.
    argument
        The name of the parameter in the user's function.
    """

    def __init__(
        self,
        message: str,
        location: Location | None = None,
        *,
        argument: str = "",
        cause: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(message, location, cause=cause, hint=hint)
        self.argument = argument

    def _detail_lines(self) -> Iterator[str]:
        if self.argument:
            yield f"  Argument: {self.argument}"


class InternalError(Error):
    """A mistake of Weft itself: found by one of its own checks, or an exception that it should not have raised.

    Attributes
    ----------
    is_early
        Whether nothing of the call had run: it can be run otherwise, see ``weft.jit(on_error=...)``.
    """

    is_early = False

    def __init__(self, message: str, location: Location | None = None, *, cause: str = "", hint: str = "") -> None:
        super().__init__(message, location, cause=cause, hint=hint or _REPORT)


class CompilerError(InternalError):
    """The compiler behind a backend refused the generated code.

    Parameters
    ----------
    message, location, cause, hint
        As for `Error`.
    source_path, log_path
        Files that hold the generated source and all that the compiler said.
    log
        The first complaints of the compiler.
    """

    def __init__(
        self,
        message: str,
        location: Location | None = None,
        *,
        source_path: Path | None = None,
        log_path: Path | None = None,
        log: str = "",
        cause: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(message, location, cause=cause, hint=hint)
        self.hint = hint
        self.source_path = source_path
        self.log_path = log_path
        self.log = log

    def _detail_lines(self) -> Iterator[str]:
        for line in self.log.splitlines()[:_LOG_LINES]:
            yield f"    {line}"
        if self.source_path is not None:
            yield f"  Generated source: {self.source_path}"
        if self.log_path is not None:
            yield f"  Log of the compiler: {self.log_path}"


class NoCompilerError(Error):
    """There is no C compiler on this machine."""

    def __init__(self, message: str = "no C compiler was found", location: Location | None = None) -> None:
        super().__init__(
            message,
            location,
            cause="Weft compiles for the processor through gcc or clang, and found neither on the path",
            hint='install gcc or clang, or, where that is not possible: pip install "weft[cc]"',
        )


class DeviceError(Error):
    """A device that does not exist, cannot be used, or failed."""


class OutOfMemoryError(DeviceError, MemoryError):
    """A device has not enough memory for the arrays of a call.

    Parameters
    ----------
    message, location, cause, hint
        As for `Error`.
    needed, free
        Bytes that the call needs and bytes that the device has left.
    """

    def __init__(
        self,
        message: str,
        location: Location | None = None,
        *,
        needed: int | None = None,
        free: int | None = None,
        cause: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(message, location, cause=cause, hint=hint)
        self.needed = needed
        self.free = free

    def _detail_lines(self) -> Iterator[str]:
        if self.needed is not None:
            yield f"  Needed: {format_bytes(self.needed)}"
        if self.free is not None:
            yield f"  Free: {format_bytes(self.free)}"


class TimeoutError(Error, builtins.TimeoutError):
    """A call or a loop took longer than its ``timeout=...`` allows.

    Arrays hold what was written until then, as after Ctrl-C.
    """


class StoreError(Error):
    """The store on disk was asked for something that it cannot do."""


class MultipleErrors(Error):
    """Several errors that were found in one compilation.

    Parameters
    ----------
    errors
        The errors, in the order of the source.
    """

    def __init__(self, errors: Sequence[Error]) -> None:
        self.errors = tuple(errors)
        super().__init__(f"{len(self.errors)} errors were found")
        self.args = (self.errors,)

    def _detail_lines(self) -> Iterator[str]:
        shown = _most_important(self.errors)
        for number, error in enumerate(shown, 1):
            first, *rest = str(error).splitlines()
            yield f"({number}) {type(error).__name__}: {first}"
            yield from rest
        if len(shown) < len(self.errors):
            yield f"and {len(self.errors) - len(shown)} more"


class WeftWarning(UserWarning):
    """A warning of Weft. Its text starts with its id, so that a filter can name it.

    Examples
    --------
    >>> import warnings
    >>> warnings.filterwarnings("ignore", message="W001")
    """


WARNINGS: Mapping[str, str] = {
    "W001": "a loop runs sequentially on a GPU",
    "W002": "a function has many specialisations",
    "W003": "the store on disk cannot be used",
    "W004": "the store on disk is not the user's own",
    "W005": "Python runs a function",
    "W006": "tuned results of another machine are not used",
    "W007": "an argument is computed first",
    "W008": "arrays do not stay on devices",
    "W010": "a prediction goes by figures of another machine",
}
"""What each warning is about, by its id."""


def warn(identity: str, message: str, location: Location | None = None) -> None:
    """Issue one of the `WARNINGS`, at the user's line where there is one.

    Parameters
    ----------
    identity
        A key of `WARNINGS`.
    message
        What was found and what it costs.
    location
        The line that the warning is about.
    """
    text = (
        f"{identity}: {WARNINGS[identity]}: {message} "
        f'(silence it with warnings.filterwarnings("ignore", message="{identity}"))'
    )
    if location is None:
        warnings.warn(text, WeftWarning, stacklevel=2)
    else:
        warnings.warn_explicit(text, WeftWarning, location.file, location.line, registry=_registry)


def raise_all(errors: Sequence[Error]) -> None:
    """Raise the errors that a check collected: the only one itself, several as `MultipleErrors`, none not at all."""
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise MultipleErrors(errors)


ITSELF = "{0}"
"""The message of an exception that is made with a value, and not with its text."""

SEVERAL = "{*}"
"""How the message of an exception begins that is made with several arguments; a list in JSON follows, of strings, null
for None, and 0 for the next operand."""


def arguments_of(
    message: str, operands: Sequence[object], formatted: Callable[..., str] = str.format
) -> tuple[object, ...]:
    """What an exception is made with.

    Parameters
    ----------
    message, operands
        A ``str.format`` template, or what `SEVERAL` or `ITSELF` says, and what that formats.
    formatted
        What formats them.
    """
    if message == ITSELF:
        return (operands[0] if len(operands) == 1 else tuple(operands),)
    if message.startswith(SEVERAL):
        left = iter(operands)
        return tuple(next(left) if part == 0 else part for part in json.loads(message.removeprefix(SEVERAL)))
    return (formatted(message, *operands),) if message else ()


def exception_for(
    name: str, message: str, operands: Sequence[object], location: Location, other: Location | None = None
) -> BaseException:
    """The exception that a compiled program raises; `add_location` is still to tell it its place, if it is not Weft's.

    Parameters
    ----------
    name
        A builtin class, or ``module:qualname``.
    message, operands
        Its message as a ``str.format`` template, or nothing, and what that formats.
    location, other
        Where it is raised, and the second place that a `RaceError` shows.
    """
    kind = _exception_class(name)
    if issubclass(kind, RaceError):
        return kind(message.format(*operands), location, other=other, cause=RACE_CAUSE, hint=RACE_HINT)
    return kind(*arguments_of(message, operands))


def _exception_class(name: str) -> type[BaseException]:
    module, _, qualname = name.rpartition(":")
    found: object = importlib.import_module(module) if module else builtins
    for part in qualname.split("."):
        found = getattr(found, part, None)
    if not (isinstance(found, type) and issubclass(found, BaseException)):
        raise InternalError(f"{name} is no exception")
    return found


RACE_CAUSE = "weft.prange, weft.parallel_for and weft.for_each claim that iterations may run in any order"
RACE_HINT = "use range in a function under weft.jit; Weft makes the loop parallel where it can"


def add_location(exception: _ExceptionT, location: Location, iteration: Mapping[str, int] | None = None) -> _ExceptionT:
    """Tell an ordinary Python exception where in the compiled code it was raised.

    The type and the arguments stay those of CPython; the place becomes a note (PEP 678), or, on Python 3.10, which has
    no notes, further lines of the message. Errors of Weft say their place themselves: those that have none get it.

    Parameters
    ----------
    exception
        The exception, not yet raised.
    location
        The expression that raised it.
    iteration
        The values of the loop counters around it, by the names in the source, outermost first.

    Returns
    -------
    BaseException
        The same object.
    """
    if isinstance(exception, Error):
        exception.location = exception.location or location
        exception.iteration = exception.iteration or iteration
        return exception
    lines = list(place_lines(location))
    if iteration:
        lines.append(iteration_line(iteration))
    if str(exception) in _ADVICE:
        lines.append(f"  Instead: {_ADVICE[str(exception)]}")
    note = "\n".join(lines)
    if hasattr(exception, "add_note"):
        exception.add_note(note)
    else:
        message = str(exception)
        exception.args = (f"{message}\n{note}" if message else note,)
    return exception


def iteration_line(iteration: Mapping[str, int]) -> str:
    """The values of loop counters, as a line of a message."""
    return "  in the iteration " + ", ".join(f"{name} = {value}" for name, value in iteration.items())


def place_lines(location: Location) -> Iterator[str]:
    """A place in the user's source and the calls that led there, innermost first, as a traceback shows them."""
    places = [place for place in location.chain() if place.line]
    half = MOST_CALLS_SHOWN // 2
    left_out = len(places) - 2 * half
    for number, place in enumerate(places if left_out <= 0 else [*places[:half], *places[-half:]]):
        if number:
            yield (
                "  called from"
                if left_out <= 0 or number != half
                else f"  called from {left_out} other places, and from"
            )
        yield from _span_lines(place)


def format_bytes(count: int) -> str:
    """A number of bytes as people write it, in powers of 1024.

    Examples
    --------
    >>> format_bytes(1536)
    '1.5 KiB'
    """
    size = float(count)
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"


def _span_lines(location: Location) -> Iterator[str]:
    """File and line and, where the span is known and the source can be had, the source with a caret under it."""
    inside = f", in {location.function}" if location.function else ""
    yield f"  {_shown_file(location.file)}, line {location.line}{inside}"
    text = linecache.getline(location.file, location.line).rstrip()
    if not location.end_line or not text.strip():
        return
    stripped = text.lstrip()
    margin = len(text) - len(stripped)
    start = max(_characters(text, location.column) - margin, 0)
    end = _characters(text, location.end_column) - margin if location.end_line == location.line else len(stripped)
    yield f"    {stripped}"
    yield f"    {' ' * start}{'^' * max(end - start, 1)}"


MOST_CALLS_SHOWN = 8
"""Calls that led to a place that are printed: the first and the last ones."""

MOST_SHOWN = 10
"""Errors of one compilation that are printed."""


def _most_important(errors: Sequence[Error]) -> list[Error]:
    """The errors to print, in the order of the source.

    One of each kind comes before a second one of the same kind: both have the same remedy. Constructs that Weft does
    not compile come before types that do not fit, since these often follow from them.
    """
    seen: dict[str, int] = {}
    ranks = []
    for place, error in enumerate(errors):
        seen[error.hint] = seen.get(error.hint, 0) + 1
        ranks.append((seen[error.hint], not isinstance(error, UnsupportedError), place))
    chosen = sorted(place for *_, place in sorted(ranks)[:MOST_SHOWN])
    return [errors[place] for place in chosen]


def _shown_file(file: str) -> str:
    """How a file is called: that of a notebook cell has a name that nobody knows, so the cell is named."""
    if file.startswith("Cell In["):
        return file
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive is not None else None
    named = getattr(getattr(shell, "compile", None), "format_code_name", None)
    found = named(file) if named is not None else None
    return f"{found[0]} {found[1]}" if found else f'File "{file}"'


def _characters(text: str, column: int) -> int:
    """Turn a column of `ast`, which counts UTF-8 bytes, into a number of characters."""
    return len(text.encode()[:column].decode(errors="ignore"))


_ADVICE: Mapping[str, str] = {
    "assignment destination is read-only": "pass a copy of the array, which its method copy makes",
}
"""What to do about exceptions of CPython's whose text does not say it."""
_LOG_LINES = 10
_REPORT = "this is a mistake in Weft and not in your program; please report it with the function that led to it"
_registry: dict[str | tuple[str, type[Warning], int], int] = {}
