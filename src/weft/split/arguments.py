"""The arguments of calls that run in pieces: NumPy arrays that do not overlap where one of them is written."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np

from weft.errors import ArgumentError

NUMBERS = frozenset((bool, int, float, complex))
EXTREMES = frozenset({"min", "max"})
REPEATABLE = EXTREMES | {"and", "or"}
"""Operators that may fold the same operand in several times."""
IN_PLACE = {
    "add": np.add, "mul": np.multiply, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip


def bound(
    function: Callable[..., Any],
    args: Sequence[object],
    kwargs: Mapping[str, object],
    signature: inspect.Signature | None = None,
) -> dict[str, object]:
    """The arguments of a call by name, defaults included; the function's signature is found where it is not given."""
    name = function.__qualname__
    try:
        found = (signature or inspect.signature(function)).bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{name}(): {error}") from None
    found.apply_defaults()
    return dict(found.arguments)


def check_arrays(arguments: Mapping[str, object], writes: Iterable[str]) -> None:
    """Refuse arrays that pieces cannot share.

    Raises
    ------
    ArgumentError
        An array that is written overlaps another one, or itself; an argument has arrays inside.
    """
    for name, value in arguments.items():
        if not isinstance(value, (np.ndarray, np.generic, bool, int, float, complex, str, type(None))):
            raise ArgumentError(
                f"{name!r} is {type(value).__name__}, and calls in pieces take NumPy arrays and numbers",
                argument=name,
                hint=f"pass np.asarray({name})",
            )
    arrays = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
    for name in writes:
        if name not in arrays:
            raise ArgumentError(
                f"{name!r} is written, and is no argument that is an array",
                argument=name,
                hint="pass the arrays that the function changes as arguments of their own",
            )
        if overlaps_itself(arrays[name]):
            raise ArgumentError(f"{name!r} has elements that share memory", argument=name, hint=f"pass {name}.copy()")
        for other in arrays:
            if other != name:
                check_apart(arrays, name, other)


def check_apart(arguments: Mapping[str, object], name: str, other: str) -> None:
    """ArgumentError where two arrays may share memory, of which one is written."""
    if np.may_share_memory(arguments[name], arguments[other]):
        raise ArgumentError(
            f"{name!r} and {other!r} may share memory, and one of them is written",
            argument=name,
            cause="pieces that run at the same time would see one another's changes",
            hint="pass a copy of one of them",
        )


def overlaps_itself(array: np.ndarray[Any, Any]) -> bool:
    """Whether two elements of an array may be one: its strides do not step over what lies inside."""
    covered = array.itemsize
    for stride, extent in sorted((abs(s), n) for s, n in zip(array.strides, array.shape, strict=True)):
        if extent <= 1:
            continue
        if stride < covered:
            return True
        covered = stride * (extent - 1) + covered
    return False


def own_copy(array: np.ndarray[Any, Any], operator: str) -> np.ndarray[Any, Any]:
    """What the piece of another device folds into: as the array is, or elements that change nothing."""
    if operator in REPEATABLE:
        return np.array(array)
    value = {"mul": 1}.get(operator, 0)
    return np.full(array.shape, -0.0 if operator == "add" and array.dtype.kind in "fc" else value, array.dtype)


def merge_into(array: np.ndarray[Any, Any], piece: np.ndarray[Any, Any], operator: str) -> None:
    """Fold the elements of a piece into an array."""
    if operator in EXTREMES:
        better = piece > array if operator == "max" else piece < array
        array[better] = piece[better]
    else:
        IN_PLACE[operator](array, piece, out=array, casting="unsafe")


def at_a_glance(values: Iterable[object]) -> tuple[object, ...] | None:
    """What decides the types of plain arguments; None where one is of another kind, or may overlap itself."""
    found: list[object] = []
    for value in values:
        if type(value) is np.ndarray:
            flags = value.flags
            if not flags.c_contiguous:
                return None
            found.append((value.dtype, value.ndim, flags.num))
        elif type(value) in NUMBERS:
            found.append(type(value))
        else:
            return None
    return tuple(found)


def apart_pairs(arguments: Mapping[str, object], changed: Set[str]) -> Iterator[tuple[str, str]]:
    """Pairs of arrays of which one is written."""
    arrays = (name for name, value in arguments.items() if isinstance(value, np.ndarray))
    for one, other in itertools.combinations(arrays, 2):
        if one in changed or other in changed:
            yield one, other
