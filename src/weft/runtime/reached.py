"""Arrays that a step in Python reaches by itself: those in its closure, in its module's variables, in its object.

The compiled program may have such an array on a device, or elements of it in registers, and knows only of arrays that
the step declares. What a step could reach is read from the names in its bytecode, and in that of functions that it
names; other ways, such as ``globals()[...]``, are not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from weft.errors import UnsupportedError
from weft.frontend.source.given_lists import is_taken
from weft.frontend.source.signature import cells, is_coherent, undecorated

Array = np.ndarray[Any, Any]

MOST_ITEMS = 100
"""How many items of one container are looked at."""

MOST_WORK: Any = 1000
"""How long it is tried to tell two interleaved arrays apart."""


@contextmanager
def only_declared(
    name: str, function: object, leaves: Sequence[object], declared: Sequence[tuple[Array, bool]]
) -> Iterator[None]:
    """While a step runs, arrays that it reaches and only reads are read-only.

    Parameters
    ----------
    name, function
        The step.
    leaves
        The arguments and captured values of the program.
    declared
        The arrays in ``reads`` and ``writes``, and whether each is in ``writes``.

    Raises
    ------
    UnsupportedError
        It reaches an array of the program that it does not declare, or a list that is an argument.
    """
    with ExitStack() as stack:
        for array in _reached(function, set(), 0):
            if isinstance(array, list):
                if is_taken(array):
                    raise _reaches_list(name)
                continue
            if not any(_meet(array, leaf) for leaf in leaves):
                continue
            written = [writes for other, writes in declared if _holds(other, array)]
            if not written:
                raise _undeclared(name)
            if isinstance(array, np.ndarray) and array.flags.writeable and not any(written):
                array.flags.writeable = False
                stack.callback(_make_writable, array)
        yield


def _make_writable(array: Array) -> None:
    array.flags.writeable = True


def _undeclared(name: str) -> UnsupportedError:
    return UnsupportedError(
        f"the step {name} reaches an array of the compiled function that it does not declare",
        cause="the array may be on a device, or partly in registers, while the step runs",
        hint="give it to weft.python in reads=(...) or writes=(...), by the name that the compiled function has for it",
    )


def _reaches_list(name: str) -> UnsupportedError:
    return UnsupportedError(
        f"the step {name} reaches a list that is an argument of the compiled function",
        cause="the function works on an array of its elements; the list gets them when the call ends",
        hint="pass an array instead of the list, and give it to weft.python in reads=(...) or writes=(...)",
    )


def _meet(array: object, leaf: object) -> bool:
    """Whether two arrays share elements."""
    if not isinstance(array, np.ndarray) or not isinstance(leaf, np.ndarray):
        return array is leaf
    if not np.may_share_memory(array, leaf):
        return False
    try:
        return np.shares_memory(array, leaf, max_work=MOST_WORK)
    except np.exceptions.TooHardError:
        return True


def _holds(declared: Array, array: object) -> bool:
    """Whether all of an array is inside of one that is declared; of an array of Weft's that cannot be told."""
    if not isinstance(array, np.ndarray):
        return False
    low, high = np.lib.array_utils.byte_bounds(array)
    first, last = np.lib.array_utils.byte_bounds(declared)
    return first <= low and high <= last


def _reached(value: object, known: set[int], depth: int) -> Iterator[object]:
    """The arrays and lists that a function, an object or a container leads to."""
    value = undecorated(value)
    if isinstance(value, np.ndarray) or is_coherent(value):
        yield value
    elif id(value) not in known and depth < 8:
        known.add(id(value))
        if isinstance(value, list):
            yield value
        for inner in _inside(value):
            yield from _reached(inner, known, depth + 1)


def _inside(value: Any) -> Iterator[object]:
    if isinstance(value, FunctionType):
        contents = cells(value)
        yield from contents.values()
        yield from value.__defaults__ or ()
        yield from (value.__kwdefaults__ or {}).values()
        names = {name for code in _codes(value.__code__) for name in code.co_names}
        yield from (value.__globals__[name] for name in names if name in value.__globals__)
    elif isinstance(value, MethodType):
        yield value.__func__
        yield value.__self__
    elif isinstance(value, partial):
        yield value.func
        yield from value.args
        yield from value.keywords.values()
    elif isinstance(value, (list, tuple, dict)):
        items = list(value.values() if isinstance(value, dict) else value) if len(value) <= MOST_ITEMS else []
        yield from items
    elif not isinstance(value, (type, ModuleType)):
        yield from _fields(value)


def _fields(value: object) -> Iterator[object]:
    """What the attributes of an object of a class of the user's hold."""
    if (type(value).__module__ or "").partition(".")[0] in ("builtins", "numpy", "weft"):
        return
    yield from list(getattr(value, "__dict__", {}).values())[:MOST_ITEMS]
    for name in getattr(type(value), "__slots__", ()):
        yield getattr(value, name, None)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
