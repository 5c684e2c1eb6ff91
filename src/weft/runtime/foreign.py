"""Arrays of other libraries that are already on an NVIDIA GPU: CuPy, PyTorch, JAX, and whatever has their interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from weft.errors import ArgumentError
from weft.frontend.signature import describe_device_array, device_interface, device_strides
from weft.ir.types import View

LEGACY_STREAM = 1
"""The stream on which libraries work that name none."""


Layout = tuple[str, int, bool, bool]
"""Element type, dimensions, whether the last is contiguous, whether it must not be written."""


def place_of(value: object, type: View, known: set[Layout]) -> tuple[int, ...] | None:
    """Address, extents and strides of an array, after its producer is done with it; None where it is no such array.

    `known` keeps the layouts that were found to be of the type, since finding out takes longer than launching a kernel.
    """
    interface = device_interface(value)
    if interface is None:
        return None
    shape, size = interface["shape"], type.element.size
    strides = interface.get("strides") or _strides(shape, size)
    address, read_only = interface["data"]
    contiguous = not shape or 0 in shape or shape[-1] == 1 or strides[-1] == size
    layout = (interface["typestr"], len(shape), contiguous, read_only)
    if layout not in known or interface.get("mask") is not None:
        if not _is_of(interface, type):
            return None
        known.add(layout)
    _wait_for_producer(interface)
    return (address or 0, *shape, *strides)


def _is_of(interface: dict[str, Any], type: View) -> bool:
    try:
        return describe_device_array(interface) == type
    except ArgumentError:
        return False


def _strides(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """The strides of a C-contiguous array."""
    strides = [size] * len(shape)
    for k in range(len(shape) - 2, -1, -1):
        strides[k] = strides[k + 1] * shape[k + 1]
    return tuple(strides)


def _wait_for_producer(interface: dict[str, Any]) -> None:
    """Wait for the stream that the interface names; from version 3 on None says that there is nothing to wait for."""
    stream = interface.get("stream") if interface.get("version", 0) >= 3 else LEGACY_STREAM
    if stream is None:
        return
    from weft.backends.cuda.devices import wait_for_stream

    wait_for_stream(int(stream))


def as_arrays(leaves: Sequence[object]) -> list[object]:
    """The leaves of a call with arrays on a device as NumPy arrays at their addresses: only to compare addresses."""
    return [_at_address(leaf) for leaf in leaves]


class _Addressed:
    """Memory that NumPy must not look at."""

    def __init__(self, interface: dict[str, Any]) -> None:
        self.__array_interface__ = {
            "version": 3, "shape": interface["shape"], "strides": device_strides(interface),
            "typestr": interface["typestr"], "data": (interface["data"][0], False),
        }  # fmt: skip


def _at_address(leaf: object) -> object:
    interface = None if isinstance(leaf, (np.ndarray, np.generic, int, float, complex)) else device_interface(leaf)
    return leaf if interface is None else np.asarray(_Addressed(interface))
