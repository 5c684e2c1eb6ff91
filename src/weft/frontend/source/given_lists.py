"""Lists that are arguments: which ones are taken, and the arrays that stand for them while a call runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from typing import Any, TypeAlias

import numpy as np

from weft.errors import ArgumentError
from weft.frontend.source.signature import (
    ArgumentType,
    FixedListType,
    ListType,
    TupleType,
    describe,
    flatten,
    parts_of,
)
from weft.ir.types import PYINT, Scalar, View

Column: TypeAlias = "np.ndarray[Any, Any]"

MOST_ARRAYS = 16
"""Arrays in one list: code is written for each of them."""


def describe_argument(value: object, name: str = "", memory: str = "host") -> ArgumentType:
    """The type of an argument, which may be a list, or a tuple with lists inside: see `describe`."""
    if type(value) is list:
        return _describe_list(value, name, memory)
    if type(value) is tuple:
        return TupleType(tuple(describe_argument(item, f"{name}[{k}]", memory) for k, item in enumerate(value)))
    return describe(value, name, memory)


def _describe_list(value: list[Any], name: str, memory: str) -> ArgumentType:
    kinds = sorted(set(map(type, value)), key=lambda kind: kind.__name__)
    if not kinds:
        return ListType(None)
    if kinds == [tuple]:
        return _describe_tuples(value, name)
    first = describe_argument(value[0], f"{name}[0]", memory)
    if isinstance(first, Scalar):
        if len(kinds) > 1:
            raise _mixed(" and ".join(kind.__name__ for kind in kinds), name)
        return ListType(first)
    items = tuple(describe_argument(item, f"{name}[{k}]", memory) for k, item in enumerate(value[:MOST_ARRAYS]))
    if len(value) > MOST_ARRAYS or not all(isinstance(item, View) for item in items):
        raise ArgumentError(
            f"a list of {len(value)} elements of the type {kinds[0].__name__} cannot be passed to compiled code",
            argument=name,
            cause=f"lists hold numbers of one type, tuples of these, or up to {MOST_ARRAYS} arrays",
            hint=_instead_of(kinds[0]),
        )
    return FixedListType(items)


def _instead_of(kind: type) -> str:
    """What to pass instead of a list of such elements."""
    if kind is str:
        return "pass numbers: codes of the strings from np.unique(a, return_inverse=True), or a tuple of a few strings"
    if kind in (list, np.ndarray):
        return "pass one array of a dimension more, made with np.array, where all elements have one length"
    return "pass arrays of the numbers that are used, one for each of them"


def _describe_tuples(value: list[tuple[object, ...]], name: str) -> ArgumentType:
    types = {tuple(map(type, item)) for item in value}
    found = describe(value[0], f"{name}[0]")
    numbers = tuple(part for part in parts_of(found) if isinstance(part, Scalar))
    if len(types) > 1 or found != TupleType(numbers) or not numbers:
        raise ArgumentError(
            "the tuples in the list are not alike, or hold other things than numbers",
            argument=name,
            cause="all elements of a list have one type in compiled code",
            hint="make them alike, for example with float around each number, or pass one array for each place in them",
        )
    return ListType(numbers)


def _mixed(kinds: str, name: str) -> ArgumentError:
    return ArgumentError(
        f"the list holds elements of the types {kinds}",
        argument=name,
        cause="all elements of a list have one type in compiled code",
        hint="make the elements alike before the call, or pass an array that np.array makes of the list",
    )


class Lists:
    """The lists among the arguments of a call, each as an array for every number of an element.

    When the call ends, also by an exception, they get the elements that it changed.
    """

    def __init__(self) -> None:
        self._taken: dict[int, tuple[list[Any], ListType, list[Column], list[Column]]] = {}

    def __enter__(self) -> Lists:
        self._token = _running.set((*_running.get(), self))
        return self

    def __exit__(self, *exception: object) -> None:
        _running.reset(self._token)
        self._give_back()

    def __contains__(self, value: object) -> bool:
        return id(value) in self._taken

    def arrays(self, value: list[Any], type: ListType) -> list[Column]:
        """The arrays for a list: the same ones where it is passed twice.

        Raises
        ------
        ArgumentError
            An int does not fit in 64 bits.
        """
        if id(value) not in self._taken:
            columns = list(zip(*value, strict=True)) if isinstance(type.item, tuple) else [value]
            try:
                found = [np.array(c, s.dtype) for c, s in zip(columns, _scalars(type), strict=True)]
            except OverflowError:
                raise ArgumentError(
                    "an int in the list does not fit in 64 bits", hint="pass floats, or an array of np.uint64"
                ) from None
            self._taken[id(value)] = value, type, found, [array.copy() for array in found]
        return self._taken[id(value)][2]

    def _give_back(self) -> None:
        """Assign what the call changed to the elements of the lists."""
        for value, type, now, before in self._taken.values():
            different = [_bytes(new) != _bytes(old) for new, old in zip(now, before, strict=True)]
            if not any(map(np.any, different)):
                continue
            changed = np.logical_or.reduce([rows.any(axis=1) for rows in different])
            for k in np.flatnonzero(changed).tolist():
                numbers = [a[k].item() if s.weak else a[k] for a, s in zip(now, _scalars(type), strict=True)]
                value[k] = tuple(numbers) if isinstance(type.item, tuple) else numbers[0]


_running: ContextVar[tuple[Lists, ...]] = ContextVar("_running", default=())
"""Those of the calls that run now."""


def is_taken(value: object) -> bool:
    """Whether a list is an argument of a call that runs now, so that its elements may be others than those in it."""
    return any(value in lists for lists in _running.get())


def _scalars(type: ListType) -> tuple[Scalar, ...]:
    return type.item if isinstance(type.item, tuple) else (type.item or PYINT,)


def _bytes(array: Column) -> Column:
    return array.view(np.uint8).reshape(len(array), array.itemsize)


def leaves_of(values: Iterable[object], types: Sequence[ArgumentType], lists: Lists) -> list[object]:
    """The leaves of arguments, in the order of `Program.params`."""
    return [leaf for value, type in zip(values, types, strict=True) for leaf in flatten(value, type, lists.arrays)]
