"""Memory of the host through which devices exchange rows: it is used again, so that the driver knows it.

New memory costs more than the copies: the system clears each page when it is first touched, and a driver that does not
know memory copies it by a detour.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from weft.runtime.arrays import pinning
from weft.runtime.devices import accelerators
from weft.runtime.devices.devices import CPU

Key: TypeAlias = "tuple[tuple[int, ...], str]"

MANY = 64
"""Arrays that are kept at most."""


class Exchange:
    """Arrays that nobody uses at the moment."""

    def __init__(self) -> None:
        self._free: dict[Key, list[np.ndarray[Any, Any]]] = {}

    def taken(self, shape: tuple[int, ...], dtype: np.dtype[Any], device: str) -> np.ndarray[Any, Any]:
        """An array for rows of a device, with any elements."""
        try:
            found = self._free[shape, dtype.str].pop()
        except (KeyError, IndexError):
            found = np.empty(shape, dtype)
        if device != CPU:
            pinning.seen(found, accelerators.table(device))
        return found

    def give(self, arrays: list[np.ndarray[Any, Any]]) -> None:
        """Keep arrays for later calls."""
        if sum(map(len, self._free.values())) + len(arrays) > MANY:
            self._free.clear()
        for array in arrays[:MANY]:
            self._free.setdefault((array.shape, array.dtype.str), []).append(array)
