"""`spec`: stands for an array that is not there, in predictions."""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from weft.errors import ArgumentError

HINT = 'weft.spec((8192, 8192), "f4")'

MOST_DIMENSIONS = 64
"""Of NumPy's arrays."""


class Spec:
    """An array by its shape and dtype alone; made by `spec`."""

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.shape, self.dtype = shape, dtype

    def __repr__(self) -> str:
        return f"weft.spec({self.shape}, {self.dtype.str[1:]!r})"

    @property
    def nbytes(self) -> int:
        """Bytes that the array would have."""
        return int(np.prod(self.shape, dtype=object)) * self.dtype.itemsize

    def array(self) -> np.ndarray[Any, Any]:
        """An array of this kind whose memory nobody touches: it takes addresses only."""
        if not self.nbytes:
            return np.empty(self.shape, self.dtype)
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000)
        try:
            room = mmap.mmap(-1, self.nbytes, flags=flags)
        except (OSError, OverflowError, ValueError) as error:
            raise ArgumentError(
                f"{self!r} has {self.nbytes} bytes, which this machine has no addresses for",
                argument="spec",
                hint="smaller extents",
            ) from error
        return np.frombuffer(room, self.dtype).reshape(self.shape)


def spec(shape: int | Sequence[int], dtype: object = None) -> Spec:
    """A stand-in for an array: `weft.predict` takes it in place of one.

    Parameters
    ----------
    shape
        The extents.
    dtype
        What `numpy.dtype` takes, such as ``"f4"``.

    Raises
    ------
    ArgumentError
        There is no dtype, or something is none.

    Examples
    --------
    >>> import weft
    >>> weft.spec((2, 3), "f4")
    weft.spec((2, 3), 'f4')
    """
    if dtype is None:
        raise ArgumentError(
            "a stand-in needs a dtype: how long a call takes depends on it", argument="dtype", hint=HINT
        )
    extents = tuple(shape) if isinstance(shape, Iterable) else (shape,)
    if not all(_is_extent(extent) for extent in extents) or len(extents) > MOST_DIMENSIONS:
        raise ArgumentError(f"{shape!r} is no shape", argument="shape", hint=HINT)
    try:
        found = np.dtype(dtype)  # type: ignore[call-overload]
    except TypeError:
        raise ArgumentError(f"{dtype!r} is no dtype", argument="dtype", hint=HINT) from None
    if found.hasobject:
        raise ArgumentError(f"arrays of dtype {found} are not supported", argument="dtype", hint=HINT)
    return Spec(tuple(map(int, extents)), found)


def _is_extent(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and bool(value >= 0)
