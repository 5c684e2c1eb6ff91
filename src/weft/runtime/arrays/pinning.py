"""Plain arrays that come again are made known to the driver, once: copies of them need no detour from then on.

What is made known is the memory of the array at the bottom of all views, which must own it; it ends when that array
dies. Memory of any other owner is left alone, since nobody tells when it goes.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

import numpy as np

from weft.runtime import _stub

MANY = 256
"""Arrays that came once are forgotten when there are more of them."""


@dataclass(frozen=True)
class _Seen:
    """An array that came: the number of its object, and its memory."""

    number: int
    address: int
    size: int


@dataclass
class _Known:
    """An array that came again, and whether the driver took it."""

    seen: _Seen
    reference: weakref.ref[Any]
    pinned: bool


_once: dict[int, _Seen] = {}
_known: dict[int, _Known] = {}


def seen(array: np.ndarray[Any, Any], table: int) -> None:
    """Note that an array is an argument of a program on a device."""
    base = owner_of(array)
    if base is None:
        return
    now = _Seen(id(base), base.__array_interface__["data"][0], base.nbytes)
    known = _known.get(now.number)
    if known is not None and known.seen == now:
        return
    if known is not None:
        _forget(now.number)
    if _once.get(now.number) == now:
        del _once[now.number]
        _pin(base, now, table)
        return
    if len(_once) >= MANY:
        _once.clear()
    _once[now.number] = now


def is_pinned(array: np.ndarray[Any, Any]) -> bool:
    """Whether the driver knows the memory of an array that came before."""
    base = owner_of(array)
    known = None if base is None else _known.get(id(base))
    return known is not None and known.pinned and known.reference() is base


def owner_of(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
    """The array at the bottom of all views, where it owns its memory."""
    base: Any = array
    while isinstance(base, np.ndarray) and base.base is not None:
        base = base.base
    owns = type(base) is np.ndarray and base.flags.owndata and base.flags.writeable
    return base if owns else None


def _pin(base: np.ndarray[Any, Any], seen: _Seen, table: int) -> None:
    """Let the driver know an array's memory; the weak reference also keeps NumPy from moving it (`resize`)."""
    pinned = _stub.device_pin(table, seen.address, seen.size) == 0
    _known[seen.number] = _Known(seen, weakref.ref(base, lambda _: _forget(seen.number)), pinned)


def _forget(number: int) -> None:
    known = _known.pop(number, None)
    if known is not None and known.pinned:
        _stub.device_unpin(known.seen.address)
