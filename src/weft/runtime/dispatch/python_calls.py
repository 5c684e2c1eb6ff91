"""Steps of compiled programs that are Python functions: what a step gets of the memory of the call that runs it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from weft.errors import UnsupportedError
from weft.ir.python_calls import Step
from weft.ir.types import Scalar, View
from weft.runtime.arrays.memory import array_at, dtype_of, holds, scalar_of
from weft.runtime.reached import only_declared

DIMENSIONS = 8
"""WEFT_MAX_DIMS of ``weft.h``."""

Array = np.ndarray[Any, Any]


def run_step(
    step: Step, function: Callable[..., Any], leaves: Sequence[object], parts: Sequence[bytes]
) -> bytes | None:
    """Call the function of a step.

    Parameters
    ----------
    step
        What to call it with.
    function
        The function.
    leaves
        The flat arguments of the call.
    parts
        The operands as the program has them: a ``weft_view`` or a ``weft_value`` each.

    Returns
    -------
    bytes
        The result as a ``weft_value``; None where there is none.
    """
    if step.is_of_library:
        return _packed(step.call(function, _as_they_are(step, leaves, parts)), step.returns)
    copies: list[tuple[Array, Array, bool]] = []
    operands = [
        _lent(type, data, leaves, written, copies) if isinstance(type, View) else scalar_of(type, data)
        for type, data, written in zip(step.operands[: step.given], parts, step.written, strict=False)
    ]
    _check_apart(step, copies)
    declared = [
        (_array(type, data), written)
        for type, data, written in zip(step.operands, parts, step.written, strict=True)
        if isinstance(type, View)
    ]
    try:
        with only_declared(step.name, function, leaves, declared):
            return _packed(step.call(function, operands), step.returns)
    finally:
        for original, copy, written in copies:
            if written:
                original[...] = copy


def _as_they_are(step: Step, leaves: Sequence[object], parts: Sequence[bytes]) -> list[Any]:
    """Operands of a function that keeps no array: the memory of the program."""
    return [
        array_at(*layout_of(type, data), dtype_of(type), leaves, type.writable)
        if isinstance(type, View)
        else scalar_of(type, data)
        for type, data in zip(step.operands, parts, strict=True)
    ]


def _lent(
    type: View, data: bytes, leaves: Sequence[object], written: bool, copies: list[tuple[Array, Array, bool]]
) -> Array:
    """An array of the program: memory of an array of the caller's, or a copy of memory that goes with the call."""
    address, shape, strides = layout_of(type, data)
    dtype = dtype_of(type)
    owner = next((leaf for leaf in leaves if isinstance(leaf, np.ndarray) and holds(leaf, address)), None)
    if owner is not None and _is_same(owner, address, shape, strides, dtype):
        return owner
    array = array_at(address, shape, strides, dtype, owner, type.writable)
    if owner is not None or array.size == 0:
        return array
    copy: Array = array.copy()
    copies.append((array, copy, written))
    return copy


def layout_of(type: View, data: bytes) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """The address, the shape and the strides in bytes of an operand."""
    address, _, *sizes = struct.unpack(f"QQ{2 * DIMENSIONS}q", data)
    return address, tuple(sizes[: type.ndim]), tuple(sizes[DIMENSIONS : DIMENSIONS + type.ndim])


def _array(type: View, data: bytes) -> Array:
    """An operand as the program has it."""
    return array_at(*layout_of(type, data), dtype_of(type), None, type.writable)


def _is_same(
    array: Array, address: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]
) -> bool:
    return (array.ctypes.data, array.shape, array.strides, array.dtype) == (address, shape, strides, dtype)


def _check_apart(step: Step, copies: Sequence[tuple[Array, Array, bool]]) -> None:
    """Refuse copies of one memory of which one is changed: the function would see two arrays."""
    for (a, _, a_written), (b, _, b_written) in combinations(copies, 2):
        if (a_written or b_written) and np.may_share_memory(a, b):
            raise UnsupportedError(
                f"{step.name} is given two views of one array, and changes it",
                cause="arrays of the compiled function itself, and weft.Array, are lent to Python as copies",
                hint="give it one of them",
            )


def _packed(value: Any, type: Scalar | None) -> bytes | None:
    """A result as a ``weft_value``."""
    if type is None:
        return None
    if type.kind == "c":
        return struct.pack("dd", value.real, value.imag)
    if type.kind == "f":
        return struct.pack("d", float(value))
    return struct.pack("Q" if type.kind == "u" else "q", int(value))
