"""The arguments of a call as arrays whose addresses can be compared, wherever their memory is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from weft.frontend.signature import HOST, device_interface, device_strides
from weft.ir.types import Scalar, View
from weft.runtime.arrays import Array


def as_arrays(leaves: Sequence[object], types: Sequence[Scalar | View | None], table: int) -> list[object]:
    """The leaves of a call as NumPy arrays at their addresses where it runs: only to compare addresses.

    `table` is that of the device on which those are that are not on the host.
    """
    return [
        _at_address(leaf, table if isinstance(type, View) and type.memory != HOST else 0)
        for leaf, type in zip(leaves, types, strict=True)
    ]


class _Addressed:
    """Memory that NumPy must not look at."""

    def __init__(self, interface: dict[str, Any]) -> None:
        self.__array_interface__ = {
            "version": 3, "shape": interface["shape"], "strides": device_strides(interface),
            "typestr": interface["typestr"], "data": (interface["data"][0], False),
        }  # fmt: skip


def _at_address(leaf: object, place: int) -> object:
    if isinstance(leaf, Array):
        return leaf.layout(leaf._storage.address(place))
    interface = None if isinstance(leaf, (np.ndarray, np.generic, int, float, complex)) else device_interface(leaf)
    return leaf if interface is None else np.asarray(_Addressed(interface))
