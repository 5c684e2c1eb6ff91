"""Lists that are arguments: which ones are taken, and the arrays that stand for them while a call runs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from typing import Any, TypeAlias
from typing import cast as typed

import numpy as np

from weft.errors import ArgumentError
from weft.frontend.calls.text_steps import columns_of
from weft.frontend.source.signature import (
    ArgumentType,
    Constant,
    FixedListType,
    ListType,
    TextType,
    TupleType,
    describe,
    flatten,
)
from weft.ir.types import PYINT, Scalar, View

Column: TypeAlias = "np.ndarray[Any, Any]"

MOST_LEVELS = 4
"""How deep lists lie in lists."""

LONGEST_OPTION = 64
"""Strings of up to so many characters are part of the specialisation, as options are."""

TEXT = TextType()

MOST_ARRAYS = 16
"""Arrays in one list: code is written for each of them."""


def describe_argument(value: object, name: str = "", memory: str = "host") -> ArgumentType:
    """The type of an argument, which may be a list, or a tuple with lists inside: see `describe`."""
    if type(value) is list:
        return _describe_list(value, name, memory)
    if type(value) is str and len(value) > LONGEST_OPTION:
        return TEXT
    if type(value) is tuple:
        return TupleType(tuple(describe_argument(item, f"{name}[{k}]", memory) for k, item in enumerate(value)))
    return describe(value, name, memory)


def describe_captured(value: object, name: str = "", memory: str = "host") -> ArgumentType:
    """The type of a captured value, which may be a list of numbers, strings, tuples or lists: see `describe`."""
    if type(value) is not list:
        return describe(value, name, memory)
    found = _describe_list(value, name, memory)
    if not isinstance(found, ListType):
        raise ArgumentError("a captured list of arrays cannot be used in compiled code", argument=name)
    return found


def _describe_list(value: list[Any], name: str, memory: str) -> ArgumentType:
    kinds = sorted(set(map(type, value)), key=lambda kind: kind.__name__)
    if not kinds:
        return ListType(None)
    if kinds == [tuple]:
        return _describe_tuples(value, name)
    if kinds == [dict]:
        return _describe_dicts(value, name)
    if kinds == [list] and not any(type(item) is np.ndarray for row in value for item in row[:1]):
        return ListType(_describe_rows(value, name, memory))
    if kinds == [str]:
        return ListType(TEXT)
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
            cause=f"lists hold numbers of one type, strings, tuples or lists of these, or up to {MOST_ARRAYS} arrays",
            hint=_instead_of(kinds[0]),
        )
    return FixedListType(items)


def _instead_of(kind: type) -> str:
    """What to pass instead of a list of such elements."""
    if kind in (list, np.ndarray):
        return "pass one array of a dimension more, made with np.array, where all elements have one length"
    return "pass arrays of the numbers that are used, one for each of them"


def _describe_rows(rows: list[list[Any]], name: str, memory: str) -> ListType:
    """What the lists in a list have in common; empty ones may hold anything."""
    if name.count("[") >= MOST_LEVELS:
        raise ArgumentError("lists lie in lists too many times", argument=name, hint="pass an array")
    kinds = set(map(type, itertools.chain.from_iterable(rows)))
    if kinds == {list}:
        return ListType(_describe_rows([*itertools.chain.from_iterable(rows)], f"{name}[0]", memory))
    found = {_describe_list(row, f"{name}[{k}]", memory) for k, row in enumerate(rows) if row}
    if len(found) > 1:
        raise _mixed(" and ".join(sorted(kind.__name__ for kind in kinds)), name)
    (type_,) = found or {ListType(None)}
    if not isinstance(type_, ListType):
        raise _mixed("list", name)
    return type_


def _describe_tuples(value: list[tuple[object, ...]], name: str) -> ArgumentType:
    types = {tuple(map(type, item)) for item in value}
    found = describe(value[0], f"{name}[0]")
    parts = tuple(map(_part_of_tuple, found.items)) if isinstance(found, TupleType) else ()
    if len(types) > 1 or not parts or None in parts:
        raise ArgumentError(
            "the tuples in the list are not alike, or hold other things than numbers and strings",
            argument=name,
            cause="all elements of a list from outside the function have one type",
            hint="make them alike, for example with float around each number, or pass one array for each place in them",
        )
    return ListType(typed("tuple[Scalar | TextType, ...]", parts))


def _describe_dicts(value: list[dict[Any, object]], name: str) -> ListType:
    """Dicts with the same keys in the same order, whose values are alike."""
    keys = tuple(value[0])
    kinds = {tuple((type(key), key) for key in one) for one in value}
    if not keys or len(kinds) > 1 or not all(type(key) in (str, int) for key in keys):
        raise ArgumentError(
            "the dicts in the list do not all have the same keys in the same order, or keys are not strings or ints",
            argument=name,
            cause="all elements of a list from outside the function have one type",
            hint="make them alike first: [{k: row.get(k, type(v)()) for k, v in rows[0].items()} for row in rows]",
        )
    parts = [_part_of_tuple(describe(item, f"{name}[0][{key!r}]")) for key, item in value[0].items()]
    if None in parts or len({tuple(map(type, one.values())) for one in value}) > 1:
        raise ArgumentError(
            "values of one key in the dicts in the list differ in type, or are neither numbers nor strings",
            argument=name,
            cause="all elements of a list from outside the function have one type",
            hint="give all values of a key one type, for example with float around each number",
        )
    return ListType(typed("tuple[Scalar | TextType, ...]", tuple(parts)), keys)


def _part_of_tuple(found: ArgumentType) -> Scalar | TextType | None:
    """What a part of a tuple in a list is; None for what cannot be one."""
    if isinstance(found, Scalar):
        return found
    return TEXT if isinstance(found, Constant) and type(found.value) is str else None


def _mixed(kinds: str, name: str) -> ArgumentError:
    return ArgumentError(
        f"the list holds elements of the types {kinds}",
        argument=name,
        cause="all elements of a list from outside the function have one type",
        hint="make the elements alike before the call, or pass an array that np.array makes of the list",
    )


class Lists:
    """The lists among the arguments of a call, each as an array for every number of an element.

    When the call ends, also by an exception, they get the elements that it changed.
    """

    def __init__(self) -> None:
        self._taken: dict[int, tuple[list[_Level], list[Column]]] = {}
        self._inner: dict[int, list[Any]] = {}
        """Lists that others hold."""
        self._dicts: set[int] = set()
        """Dicts that lists hold."""

    def __enter__(self) -> Lists:
        self._token = _running.set((*_running.get(), self))
        return self

    def __exit__(self, *exception: object) -> None:
        _running.reset(self._token)
        self._give_back()

    def __contains__(self, value: object) -> bool:
        return id(value) in self._taken or id(value) in self._inner

    def holds_dict(self, value: object) -> bool:
        """Whether a dict lies in one of the lists."""
        return id(value) in self._dicts

    def arrays(self, value: list[Any], type: ListType) -> list[Column]:
        """The arrays for a list: the same ones where it is passed twice.

        Raises
        ------
        ArgumentError
            An int does not fit in 64 bits, or a list is an argument and lies in another one, or in two of them.
        """
        if id(value) not in self._taken:
            columns: list[Column] = []
            levels: list[_Level] = []
            known = set(self._inner)
            self._add([value], type, columns, levels)
            if (
                known & {id(row) for level in levels[1:] for row in level.holders}
                or self._taken.keys() & self._inner.keys()
                or id(value) in self._inner
            ):
                raise ArgumentError(
                    "a list is an argument, or lies in one, and lies in another one",
                    cause="compiled code takes them for two lists",
                    hint="pass a copy, made with copy.deepcopy, for one of them",
                )
            self._taken[id(value)] = levels, columns
        return self._taken[id(value)][1]

    def captured(self, value: list[Any]) -> list[Column]:
        """The arrays for a list that a captured name stands for."""
        described = describe_argument(value)
        assert isinstance(described, ListType)
        return self.arrays(value, described)

    def _add(self, holders: list[list[Any]], type: ListType, columns: list[Column], levels: list[_Level]) -> None:
        """Add the arrays of the elements of lists that lie in one array, one list behind the other."""
        elements = holders[0] if len(holders) == 1 else [*itertools.chain.from_iterable(holders)]
        if not isinstance(type.item, ListType):
            tuples = [tuple(one.values()) for one in elements] if type.keys else elements
            self._dicts.update(map(id, elements) if type.keys else ())
            parts = list(zip(*tuples, strict=True)) if isinstance(type.item, tuple) else [elements]
            scalars = _scalars(type)
            try:
                pairs = zip(parts or [[]] * len(scalars), scalars, strict=True)
                found = [column for part, scalar in pairs for column in _columns(part, scalar)]
            except OverflowError:
                raise ArgumentError(
                    "an int in the list does not fit in 64 bits", hint="pass floats, or an array of np.uint64"
                ) from None
            levels.append(_Level(holders, type, found))
            columns += found
            return
        rows = [*{id(row): row for row in elements}.values()]
        numbers = {id(row): k for k, row in enumerate(rows)}
        places = np.array([numbers[id(row)] for row in elements], np.int64)
        sizes = np.array([len(row) for row in rows], np.int64)
        table = np.stack([np.cumsum(sizes) - sizes, sizes, sizes], axis=1).ravel()
        levels.append(_Level(holders, type, [places], rows))
        columns += [places, table]
        self._inner.update((id(row), row) for row in rows)
        self._add(rows, type.item, columns, levels)

    def _give_back(self) -> None:
        """Assign what the call changed to the elements of the lists."""
        for levels, _ in self._taken.values():
            for level in levels:
                level.give_back()


class _Level:
    """Lists, one behind the other, and the arrays of their elements; `rows` are the lists that elements name."""

    def __init__(
        self, holders: list[list[Any]], type: ListType, arrays: list[Column], rows: Sequence[list[Any]] = ()
    ) -> None:
        self.holders = holders
        self.type = type
        self.arrays = arrays
        self.rows = rows
        self.before = [array.copy() for array in arrays]

    def give_back(self) -> None:
        """Assign elements that are others now."""
        different = [_bytes(new) != _bytes(old) for new, old in zip(self.arrays, self.before, strict=True)]
        if not any(map(np.any, different)):
            return
        changed = np.logical_or.reduce([row.any(axis=1) for row in different])
        ends = np.cumsum([len(holder) for holder in self.holders])
        for k in np.flatnonzero(changed).tolist():
            which = int(np.searchsorted(ends, k, side="right"))
            holder = self.holders[which]
            holder[k - int(ends[which])] = self._element(k)  # counted from the end

    def _element(self, position: int) -> object:
        if isinstance(self.type.item, ListType):
            return self.rows[int(self.arrays[0][position])]
        pairs = zip(self.arrays, _scalars(self.type), strict=True)
        numbers = [
            array[position].item() if typed(Scalar, scalar).weak else array[position] for array, scalar in pairs
        ]  # lists of strings never change
        return tuple(numbers) if isinstance(self.type.item, tuple) else numbers[0]


_running: ContextVar[tuple[Lists, ...]] = ContextVar("_running", default=())
"""Those of the calls that run now."""


def is_taken(value: object) -> bool:
    """Whether a list is an argument of a call that runs now, so that its elements may be others than those in it."""
    return any(value in lists for lists in _running.get())


def _columns(values: Sequence[Any], type: Scalar | TextType) -> list[Column]:
    """The arrays of one number or string of each element."""
    return [np.array(values, type.dtype)] if isinstance(type, Scalar) else columns_of(values)


def _scalars(type: ListType) -> tuple[Scalar | TextType, ...]:
    assert not isinstance(type.item, ListType)
    return type.item if isinstance(type.item, tuple) else (type.item or PYINT,)


def _bytes(array: Column) -> Column:
    return array.view(np.uint8).reshape(len(array), array.itemsize)


def leaves_of(values: Iterable[object], types: Sequence[ArgumentType], lists: Lists) -> list[object]:
    """The leaves of arguments, in the order of `Program.params`."""
    return [leaf for value, type in zip(values, types, strict=True) for leaf in flatten(value, type, lists.arrays)]
