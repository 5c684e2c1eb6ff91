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
_NUMBERS: dict[str, tuple[Any, ...]] = {"b": (True,), "i": (1, 2, 0, -1), "u": (1, 2, 0), "f": (0.5, 1.0), "c": (1.0,)}

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
    for extent in (extent for extent in EXTENTS if extent**most <= MOST_ELEMENTS):
        for numbers in product(*(_NUMBERS[kind] for kind in used)):
            chosen = dict(zip(used, numbers, strict=True))
            yield [
                _array(atom.type, known, extent) if isinstance(atom.type, View) else _number(atom, chosen[kind])
                for (atom, known), kind in zip(operands, kinds, strict=True)
            ]


def _number(atom: n.Atom, value: Any) -> Any:
    assert isinstance(atom.type, Scalar)
    value = atom.value if isinstance(atom, n.Const) else value
    return value if atom.type.weak else atom.type.dtype.type(value)


def _array(type: View, known: Known, extent: int) -> np.ndarray[Any, Any]:
    """An array that cannot be written: ones on diagonals, or numbers that rise."""
    assert isinstance(type.element, Scalar)
    shape = tuple(extent if k is None else k for k in known)
    array = np.zeros(shape, type.element.dtype)
    if type.ndim == 1:
        array[...] = np.arange(shape[0])
    elif type.ndim > 1:
        array[...] = np.eye(shape[-2], shape[-1])
    array.flags.writeable = False
    return array
