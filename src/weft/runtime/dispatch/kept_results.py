"""Checks that what a function with `functools.cache` reads has not changed since the function was first compiled.

``SCALE = 2`` and ``@functools.cache def f(x): return x * SCALE``: after ``SCALE = 3`` CPython gives the old results
for arguments that it has seen. In compiled code the cache begins empty in each call. So a change is refused until
`f.cache_clear` is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import FunctionType
from typing import Any, cast

from weft.errors import UnsupportedError
from weft.frontend.source.fingerprint import Guard, content, parts_of_function

NOTE = "__weft_read__"
"""The attribute of such a function that holds what it read when it was first compiled."""


def check_unchanged(kept: Iterable[tuple[Any, Sequence[Guard]]]) -> list[Guard]:
    """Check that functions read the same as when they were first compiled.

    Parameters
    ----------
    kept
        The functions whose results are kept, with what each reads now.

    Returns
    -------
    list of Guard
        What must still hold for compiled code to be right: nobody has cleared the results since.

    Raises
    ------
    UnsupportedError
        If a number, a string or a function that one of them reads has changed.
    """
    guards: list[Guard] = []
    for wrapper, read in kept:
        own: dict[str, Any] = vars(wrapper)
        if NOTE not in own:
            own[NOTE] = list(read)
            _forget_when_cleared(wrapper)
        for container, name, before in own[NOTE]:
            if not _is_same(before, content(container, name, before)):
                raise _changed(wrapper, name)
        guards.append((own, NOTE, own[NOTE]))
    return guards


def _forget_when_cleared(wrapper: Any) -> None:
    """Let `wrapper.cache_clear` forget the note, too."""
    own, clear = vars(wrapper), type(wrapper).cache_clear

    def cache_clear() -> None:
        """Clear the cache and its statistics."""
        own.pop(NOTE, None)
        clear(wrapper)

    own["cache_clear"] = cache_clear


def _is_same(before: object, now: object) -> bool:
    """Whether two objects mean the same: numbers, strings and tuples of one value, functions alike."""
    if before is now or type(before) is not type(now):
        return before is now
    if isinstance(before, FunctionType):
        (code, *defaults), (other, *others) = parts_of_function(before), parts_of_function(cast("FunctionType", now))
        return code == other and repr(defaults) == repr(others)
    return repr(before) == repr(now)


def _changed(wrapper: Any, name: str) -> UnsupportedError:
    function = wrapper.__name__
    return UnsupportedError(
        f"'{name}' is another one now, and '{function}' keeps its results by functools.cache or lru_cache",
        cause=f"{function} reads {name}; CPython keeps what it gave before the change, and compiled code does not",
        hint=f"call {function}.cache_clear() after the change, or pass {name} to {function} as an argument",
    )
