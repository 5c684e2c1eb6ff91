"""Calls of NumPy and SciPy in compiled programs: steps on the host, which call the library itself.

A call whose result is a number is one step. Otherwise a first step calls the function and says how long the results
are; the program makes arrays of these lengths; further steps copy the results there. What the function returned waits
in between under a number.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from weft.errors import UnsupportedError

Array = np.ndarray[Any, Any]

NUMBER, PLAIN = "number", "plain"
"""What a result is beside an array: a number of NumPy's, a number of Python's."""

_WAITING: dict[int, list[Any]] = {}
_COUNT = itertools.count(1)


@cache
def found(name: str) -> Any:
    """A function of a library by its full name: ``numpy.linalg.solve``, ``numpy.add.at``, ``method.sort``."""
    first, *rest = name.split(".")
    if first == "method":
        return lambda array, *arguments, **keywords: getattr(array, rest[0])(*arguments, **keywords)
    value: Any = importlib.import_module(first)
    for k, part in enumerate(rest):
        if not hasattr(value, part):
            importlib.import_module(".".join([first, *rest[: k + 1]]))
        value = getattr(value, part)
    return value


def called(name: str, keywords: tuple[str, ...], values: Iterable[Any]) -> Any:
    """The result of a function; the last values are those of keywords."""
    given = list(values)
    count = len(given) - len(keywords)
    with np.errstate(all="ignore"):
        return found(name)(*given[:count], **dict(zip(keywords, given[count:], strict=True)))


def forms_of(result: Any) -> tuple[tuple[str, str, int], ...]:
    """What the results of a function are: arrays or numbers, their dtypes, and their dimensions."""
    return tuple(_form(item) for item in parts_of(result))


def parts_of(result: Any) -> tuple[Any, ...]:
    """The results of a function that returns several of them, or the one of a function that does not."""
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


def _form(item: Any) -> tuple[str, str, int]:
    if isinstance(item, np.ndarray):
        return "array", item.dtype.name if item.dtype.isnative else str(item.dtype), item.ndim
    if isinstance(item, np.generic):
        return NUMBER, item.dtype.name, 0
    return PLAIN, type(item).__name__, 0


def call_for_nothing(name: str, keywords: tuple[str, ...], *values: Any) -> None:
    """Call a function that changes an array."""
    called(name, keywords, values)


def call_for_number(name: str, keywords: tuple[str, ...], forms: tuple[Any, ...], *values: Any) -> Any:
    """Call a function whose result is a number."""
    result = called(name, keywords, values)
    check_forms(name, forms, result)
    return parts_of(result)[0]


def call_for_arrays(name: str, keywords: tuple[str, ...], forms: tuple[Any, ...], record: Array, *values: Any) -> int:
    """Call a function, keep what it returns, and write the extents of its arrays to `record`."""
    result = called(name, keywords, values)
    check_forms(name, forms, result)
    parts = parts_of(result)
    extents = [extent for part in parts if isinstance(part, np.ndarray) for extent in part.shape]
    record[: len(extents)] = extents
    number = next(_COUNT)
    _WAITING[number] = list(parts)
    return number


def take_array(number: int, position: int, is_last: bool, out: Array) -> None:
    """Copy one of the arrays that wait to the one that the program made for it."""
    parts = _WAITING.pop(number) if is_last else _WAITING[number]
    out[...] = parts[position]


def take_number(number: int, position: int, is_last: bool) -> Any:
    """One of the numbers that wait."""
    parts = _WAITING.pop(number) if is_last else _WAITING[number]
    return parts[position]


def check_forms(name: str, forms: tuple[Any, ...], result: Any) -> None:
    """Refuse results of other types than those that the program was compiled for."""
    there = forms_of(result)
    if tuple(tuple(form) for form in forms) == there:
        return
    shown, wanted = (", ".join(map(_described, part)) for part in (there, forms))
    if any("complex" in form[1] for form in there):
        hint = "give it complex numbers: write .astype(np.complex128) behind its first argument"
    else:
        hint = "call it outside of the compiled function, and pass the result"
    raise UnsupportedError(
        f"{name} returned {shown}, and compiled code expected {wanted}",
        cause="the type of the result depends on the values of the arguments",
        hint=hint,
    )


def _described(form: tuple[str, str, int]) -> str:
    kind, dtype, ndim = form
    return f"an array of {dtype} with {ndim} dimension{'s' * (ndim != 1)}" if kind == "array" else f"a {dtype}"
