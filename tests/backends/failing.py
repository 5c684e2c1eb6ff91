"""A device that does what another one does, counts it, and fails on demand: what the generated drivers must survive."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import weft.runtime

_POINTER, _SIZE, _BUFFER = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint64
_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "allocate": (_POINTER, _SIZE, ctypes.POINTER(_BUFFER)),
    "release": (_POINTER, _BUFFER),
    "copy_in": (_POINTER, _BUFFER, _SIZE, _POINTER, _SIZE),
    "copy_out": (_POINTER, _POINTER, _BUFFER, _SIZE, _SIZE),
    "launch": (_POINTER, _POINTER, _POINTER, _POINTER, _POINTER, ctypes.c_int),
    "wait": (_POINTER,),
    "take_flag": (_POINTER, ctypes.POINTER(_BUFFER)),
    "give_flag": (_POINTER, _BUFFER, _POINTER),
}
"""The functions of ``device.h`` that may fail, which are its first ones, in its order."""

_HEADER = Path(weft.runtime.__file__).parent / "native" / "support" / "device.h"
_OTHERS = len(re.findall(r"\(\*\w+\)\(const weft_device", _HEADER.read_text())) - len(_SIGNATURES)
"""How many functions come after them."""

_TYPES = {name: ctypes.CFUNCTYPE(ctypes.c_int, *types) for name, types in _SIGNATURES.items()}


class _Table(ctypes.Structure):
    _fields_ = [("state", _POINTER), *_TYPES.items(), ("others", _POINTER * _OTHERS)]


@dataclass
class Failing:
    """Stands between a driver and the table of a device at an address.

    `done` counts the calls of each function; call number `number` of the function `kind` fails with `status`.
    """

    right: int
    kind: str = ""
    number: int = -1
    status: int = -9999
    done: Counter[str] = field(default_factory=Counter)
    live: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._right = _Table.from_address(self.right)
        self._functions = {name: _TYPES[name](self._forward(name)) for name in _SIGNATURES}
        self._table = _Table(self._right.state, **self._functions, others=self._right.others)

    @property
    def address(self) -> int:
        """Where the table is."""
        return ctypes.addressof(self._table)

    def demand(self, kind: str = "", number: int = -1) -> None:
        """Count anew, and let one call fail."""
        self.kind, self.number = kind, number
        self.done.clear()

    def _forward(self, name: str) -> Any:
        right = getattr(self._right, name)

        def call(_: int, *arguments: Any) -> int:
            self.done[name] += 1
            if (name, self.done[name] - 1) == (self.kind, self.number):
                return self.status
            status = int(right(self.right, *arguments))
            if status == 0:
                self.live["buffers"] += {"allocate": 1, "release": -1}.get(name, 0)
                self.live["flags"] += {"take_flag": 1, "give_flag": -1}.get(name, 0)
            return status

        return call
