"""What calls of patterns outside of compiled code check of their arguments; each check has a test that fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index as as_index
from types import FunctionType
from typing import Any

import numpy as np

from weft.errors import ArgumentError
from weft.frontend.source.signature import undecorated
from weft.patterns.operations import NAMES

SHORT = ("+", "*", "min", "max", "&", "|", "^")
"""Short forms of `NAMES`, in their order."""

BOUNDARIES = ("zero", "edge", "reflect", "wrap")
SAMPLE = 12
"""Elements among which triples are tried."""


def check_operation(op: object, name: str, argument: str = "op") -> None:
    """Refuse what is neither an operator's name nor a function."""
    if isinstance(op, str) and op not in NAMES and op not in SHORT:
        raise ArgumentError(
            f"weft.{name} knows no operation {op!r}",
            argument=argument,
            hint=f"say one of {', '.join(NAMES)}, or pass a function of two elements",
        )
    if not isinstance(op, str) and not callable(op):
        raise ArgumentError(
            f"weft.{name} combines by a function, not by {op!r}",
            argument=argument,
            hint='say "add", or pass a function',
        )


def check_same_shapes(arrays: Sequence[Any], name: str) -> None:
    """Refuse arrays of several shapes."""
    for array in arrays[1:]:
        if array.shape != arrays[0].shape:
            raise ValueError(f"weft.{name} takes arrays of one shape, not {arrays[0].shape} and {array.shape}")


def check_boundary(boundary: object) -> None:
    """Refuse what is no rule for elements outside."""
    if boundary not in BOUNDARIES:
        raise ArgumentError(
            f"there is no boundary {boundary!r}", argument="boundary", hint=f"say one of {', '.join(BOUNDARIES)}"
        )


def check_radius(radius: object) -> None:
    """Refuse what is no distance."""
    check_count(radius, "radius", 0)


def check_count(count: object, argument: str, least: int = 1) -> None:
    """Refuse what is no integer of at least `least`."""
    try:
        found = as_index(count)  # type: ignore[arg-type]
    except TypeError:
        found = least - 1
    if found < least:
        raise ArgumentError(
            f"{count!r} is no integer of at least {least}", argument=argument, hint="say a larger number"
        )


def are_apart(written: Any, *others: Any) -> bool:
    """Whether arrays of NumPy share no memory with one that is written; False where that is not known."""
    arrays = (written, *others)
    return all(type(array) is np.ndarray for array in arrays) and not any(
        np.may_share_memory(written, other) for other in others
    )


def check_associative(op: str | Callable[..., Any], a: Any) -> None:
    """Try an operation on triples of elements: a sample, so passing proves nothing.

    Raises
    ------
    ArgumentError
        The order of combining matters by more than roundings do.
    """
    function = undecorated(op)
    if isinstance(op, (str, np.ufunc)) or not isinstance(function, FunctionType):
        return
    sample = _sample(a)
    for i, x in enumerate(sample):
        y, z = sample[(i + 1) % len(sample)], sample[(i + 2) % len(sample)]
        left, right = function(function(x, y), z), function(x, function(y, z))
        if not _is_close(left, right):
            raise ArgumentError(
                f"{function.__qualname__} is not associative: op(op({x}, {y}), {z}) is {left}, "
                f"and op({x}, op({y}, {z})) is {right}",
                argument="op",
                cause="a reduction combines its elements in groups, so that they can be computed at once",
                hint="write the loop, which combines them one after the other",
            )


def _sample(a: Any) -> list[Any]:
    arrays = [np.asarray(item).ravel() for item in (a if isinstance(a, tuple) else (a,))]
    last = len(arrays[0]) - 1
    places = {last * k // (SAMPLE - 1) for k in range(SAMPLE)} if last >= 0 else set()
    rows = [tuple(array[place] for array in arrays) for place in sorted(places)]
    return rows if isinstance(a, tuple) else [row[0] for row in rows]


def _is_close(left: Any, right: Any) -> bool:
    return bool(np.allclose(np.asarray(left), np.asarray(right), rtol=1e-5, atol=1e-8, equal_nan=True))
