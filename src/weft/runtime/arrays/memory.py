"""What compiled code left at an address, as NumPy and Python have it: arrays, and numbers of a ``weft_value``."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from weft.ir.types import Record, Scalar, View


def dtype_of(type_: Scalar | View | Record) -> np.dtype[Any]:
    """The NumPy dtype of a scalar type or of a view's elements."""
    if isinstance(type_, View):
        return dtype_of(type_.element)
    if isinstance(type_, Scalar):
        return type_.dtype
    fields = type_.fields
    return np.dtype(
        {
            "names": [f.name for f in fields],
            "formats": [(dtype_of(f.type), f.shape) for f in fields],
            "offsets": [f.offset for f in fields],
            "itemsize": type_.size,
        }
    )


class _Memory:
    """Bytes at an address, kept alive by their owner, for NumPy to look at."""

    def __init__(self, address: int, size: int, owner: object, writable: bool) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "shape": (size,),
            "typestr": "|u1",
            "data": (address, not writable),
        }


def array_at(
    address: int,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    dtype: np.dtype[Any],
    owner: object,
    writable: bool = True,
) -> np.ndarray[Any, Any]:
    """An array over memory that `owner` keeps alive."""
    if 0 in shape:
        return np.empty(shape, dtype)
    spans = [(n - 1) * s for n, s in zip(shape, strides, strict=True)]
    low = sum(span for span in spans if span < 0)
    high = sum(span for span in spans if span > 0) + dtype.itemsize
    array: np.ndarray[Any, Any]
    root = _root(owner)
    if root is not None and 0 <= address + low - root.ctypes.data <= root.nbytes - high + low:
        array = np.ndarray(shape, dtype, root, address - root.ctypes.data, strides)
        array.flags.writeable &= writable
        return array
    memory = np.asarray(_Memory(address + low, high - low, owner, writable))
    array = np.ndarray(shape, dtype, memory, -low, strides)
    return array


def _root(array: object) -> np.ndarray[Any, Any] | None:
    """The array that NumPy gives as the base of all views of an array; None where its memory is not in one piece."""
    while type(array) is np.ndarray and type(array.base) is np.ndarray:
        array = array.base
    return array if type(array) is np.ndarray and array.flags.c_contiguous else None


def holds(array: np.ndarray[Any, Any], address: int) -> bool:
    low, high = np.lib.array_utils.byte_bounds(array)
    return low <= address < high


def number_of(type_: Scalar, data: bytes) -> Any:
    """The number in the bytes of a ``weft_value``, as a Python number."""
    if type_.kind == "c":
        return complex(*struct.unpack("dd", data))
    if type_.kind == "f":
        return struct.unpack("d", data[:8])[0]
    value = struct.unpack("Q" if type_.kind == "u" else "q", data[:8])[0]
    return bool(value) if type_.kind == "b" else value


def scalar_of(type_: Scalar, data: bytes) -> Any:
    """The number in the bytes of a ``weft_value``, as Python or NumPy has numbers of a type."""
    number = number_of(type_, data)
    return number if type_.weak else type_.dtype.type(number)
