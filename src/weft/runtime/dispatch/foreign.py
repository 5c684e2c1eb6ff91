"""The arguments of a call as arrays whose addresses can be compared, wherever their memory is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from weft.frontend.source.signature import HOST, device_interface, device_strides
from weft.ir.types import Scalar, View
from weft.runtime.arrays.arrays import Array

NOWHERE = 1 << 60
"""From here on no memory has addresses."""
SPACING = 64
"""Bytes between the made-up addresses of two storages."""


def as_arrays(leaves: Sequence[object], types: Sequence[Scalar | View | None], table: int) -> list[object]:
    """The leaves of a call as NumPy arrays at their addresses where it runs: only to compare addresses.

    `table` is that of the device on which those are that are not on the host. Bytes of coherent arrays that have no
    place there yet are given addresses that are nobody's.
    """
    places = [table if isinstance(type, View) and type.memory != HOST else 0 for type in types]
    unplaced: dict[int, int] = {}
    end = NOWHERE
    for leaf, place in zip(leaves, places, strict=True):
        if isinstance(leaf, Array) and not leaf._storage.address(place) and id(leaf._storage) not in unplaced:
            unplaced[id(leaf._storage)] = end
            end += leaf._storage.size + SPACING
    return [_at_address(leaf, place, unplaced) for leaf, place in zip(leaves, places, strict=True)]


class _Addressed:
    """Memory that NumPy must not look at."""

    def __init__(self, interface: dict[str, Any]) -> None:
        self.__array_interface__ = {
            "version": 3, "shape": interface["shape"], "strides": device_strides(interface),
            "typestr": interface["typestr"], "data": (interface["data"][0], False),
        }  # fmt: skip


def _at_address(leaf: object, place: int, unplaced: dict[int, int]) -> object:
    if isinstance(leaf, Array):
        return leaf.layout(leaf._storage.address(place) or unplaced[id(leaf._storage)])
    interface = None if isinstance(leaf, (np.ndarray, np.generic, int, float, complex)) else device_interface(leaf)
    return leaf if interface is None else np.asarray(_Addressed(interface))
