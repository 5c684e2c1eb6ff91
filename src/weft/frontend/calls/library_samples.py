"""What a function of a library returns, found by calling it: on small arrays of the types that the program has."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from weft.ir import nodes as n
from weft.ir.library_steps import called
from weft.ir.types import Scalar, View

EXTENTS = (3, 2, 1, 4, 16, 64)
"""The extents of arrays of which the program does not know them: functions take some only, as a cross product does."""

MOST_ELEMENTS = 10**5
_NUMBERS: dict[str, tuple[Any, ...]] = {"b": (True,), "i": (2, 1, 0, -1), "u": (2, 1, 0), "f": (0.5, 1.0), "c": (1.0,)}

Array = np.ndarray[Any, Any]
Known = Sequence["int | None"]


def returned(
    name: str,
    keywords: tuple[str, ...],
    operands: Sequence[tuple[n.Atom, Known]],
    made: Callable[[list[Any]], list[Any]],
) -> tuple[Any, list[Any]]:
    """What a function returns, and the samples it was called with.

    Parameters
    ----------
    name, keywords
        The function, and the names of its last arguments.
    operands
        Arrays and numbers, and the extents of arrays as far as they are known.
    made
        The arguments, made of operands.

    Raises
    ------
    Exception
        What the function raised for the first of the samples, where it takes none of them.
    """
    first: Exception | None = None
    for samples in _samples(operands):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return called(name, keywords, made(samples)), samples
        except Exception as error:
            first = first or error
    assert first is not None
    raise first


def _samples(operands: Sequence[tuple[n.Atom, Known]]) -> Iterator[list[Any]]:
    kinds = [atom.type.kind if isinstance(atom.type, Scalar) else "" for atom, _ in operands]
    used = [kind for kind in dict.fromkeys(kinds) if kind]
    most = max((atom.type.ndim for atom, _ in operands if isinstance(atom.type, View)), default=0)
    extents = [extent for extent in EXTENTS if extent**most <= MOST_ELEMENTS]
    for fill, extent in product((_simple, _positive), extents):
        for numbers in product(*(_NUMBERS[kind] for kind in used)):
            chosen = dict(zip(used, numbers, strict=True))
            yield [
                _array(atom.type, known, extent, fill) if isinstance(atom.type, View) else _number(atom, chosen[kind])
                for (atom, known), kind in zip(operands, kinds, strict=True)
            ]


def _number(atom: n.Atom, value: Any) -> Any:
    assert isinstance(atom.type, Scalar)
    value = atom.value if isinstance(atom, n.Const) else value
    return value if atom.type.weak else atom.type.dtype.type(value)


def _array(type: View, known: Known, extent: int, fill: Callable[[Array], None]) -> Array:
    """An array that cannot be written."""
    assert isinstance(type.element, Scalar)
    array = np.zeros(tuple(extent if k is None else k for k in known), type.element.dtype)
    if type.ndim > 0:
        fill(array)
    array.flags.writeable = False
    return array


def _simple(array: Array) -> None:
    """Ones on diagonals, or numbers that rise from 0."""
    array[...] = np.arange(array.shape[0]) if array.ndim == 1 else np.eye(*array.shape[-2:])


def _positive(array: Array) -> None:
    """Numbers that rise from 1, or matrices without zeros: of lengths, and of bands."""
    elements = np.arange(1, array.size + 1)
    array[...] = (elements if array.ndim == 1 else elements * 7 % 11 + 1).reshape(array.shape)
