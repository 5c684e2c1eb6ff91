"""A pattern: a function of arrays that is a loop in compiled code, and is compiled on the spot outside of it."""

from __future__ import annotations

import functools
import inspect
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from weft.errors import ArgumentError, Error
from weft.frontend.source.signature import undecorated
from weft.patterns import entries

if TYPE_CHECKING:
    from weft.ir.location import Location
    from weft.jit import Function


_MOST_FUNCTIONS = 256
"""Functions of users for which a pattern keeps its compiled loops."""


class Pattern:
    """A function of arrays, callable in and outside of compiled code.

    Parameters
    ----------
    plain
        Its signature and documentation; called outside of compiled code, it checks its arguments and gives those of
        `entry`.
    loops
        What a call in compiled code is: a function of the same signature, in the language that Weft compiles.
    entry
        What a call outside runs, compiled.
    """

    def __init__(self, plain: Callable[..., Any], loops: Callable[..., Any], entry: Callable[..., Any]) -> None:
        functools.update_wrapper(self, plain)
        self._plain = plain
        self._entry = entry
        self._compiled: OrderedDict[object, Function[..., Any]] = OrderedDict()
        self.__wrapped__ = loops
        self.__signature__ = inspect.signature(plain)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = self._plain(*args, **kwargs)
        try:
            return self._function(given[0])(*given)
        except Error as error:
            raise _shown(error) from error.__cause__

    def _function(self, operation: object) -> Function[..., Any]:
        """The entry, compiled for one operation: each function of the user counts its own specialisations."""
        key = getattr(undecorated(operation), "__code__", operation if isinstance(operation, str) else "")
        found = self._compiled.get(key)
        if found is None:
            from weft.jit import jit

            found = self._compiled[key] = jit(self._entry)
            if len(self._compiled) > _MOST_FUNCTIONS:
                self._compiled.popitem(last=False)
        return found

    def __repr__(self) -> str:
        return f"<pattern weft.{self.__name__}>"  # type: ignore[attr-defined]

    def __reduce__(self) -> str:
        return str(self.__name__)  # type: ignore[attr-defined]


def pattern(
    loops: Callable[..., Any], entry: Callable[..., Any], kind: type[Pattern] = Pattern
) -> Callable[[Callable[..., Any]], Pattern]:
    """Make a pattern of a function that checks the arguments of a call outside of compiled code."""
    return lambda plain: kind(plain, loops, entry)


def _shown(error: Error) -> Error:
    """An error of a call outside of compiled code: the place of Weft's own entry tells the user nothing."""
    error.location = _outside(error.location)
    return error.with_traceback(None)


def _outside(place: Location | None) -> Location | None:
    if place is None or (place.call is None and place.file == entries.__file__):
        return None
    return replace(place, call=_outside(place.call))


def check_function(f: object, name: str) -> None:
    """Refuse what cannot be called."""
    if not callable(f):
        raise ArgumentError(
            f"weft.{name} applies a function, not {f!r}", argument="f", hint=f"write weft.{name}(lambda x: x + 1, a)"
        )


def check_array(a: object, name: str, argument: str = "a") -> None:
    """Refuse what is no array."""
    if not (hasattr(a, "shape") and hasattr(a, "dtype")) or getattr(a, "ndim", 0) == 0:
        raise ArgumentError(
            f"weft.{name} takes arrays of at least one dimension, not {type(a).__name__}",
            argument=argument,
            hint="pass np.asarray(x)",
        )


def check_arrays(a: object, name: str, argument: str = "a") -> None:
    """Refuse what is neither an array nor a tuple of arrays."""
    for item in a if isinstance(a, tuple) and a else (a,):
        check_array(item, name, argument)


def check_axis(axis: object, ndim: int) -> None:
    """Refuse what is no axis of an array."""
    if not isinstance(axis, int) or not -ndim <= axis < ndim:
        raise ArgumentError(
            f"the array has no axis {axis!r}", argument="axis", hint=f"say a number from {-ndim} to {ndim - 1}"
        )


def first(a: Any) -> Any:
    """An array; the first one of a tuple of arrays."""
    return a[0] if isinstance(a, tuple) else a
