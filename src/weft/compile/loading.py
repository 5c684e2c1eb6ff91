"""Shared libraries that are in memory and in no folder from which the system would load them."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

_numbers = itertools.count(1)


def load_bytes(code: bytes, load: Callable[[str], T]) -> T:
    """What `load` gives for a path under which a library can be loaded while it runs.

    The library is in a file without a name; where the system has none, or does not load them, in a temporary folder.

    Raises
    ------
    OSError
        The system loads it from neither.
    """
    if hasattr(os, "memfd_create"):
        try:
            return _from_memory(code, load)
        except OSError:  # forbidden on some machines
            pass
    with tempfile.TemporaryDirectory(prefix="weft-") as folder:
        path = Path(folder, f"{next(_numbers)}.so")
        path.write_bytes(code)
        return load(str(path))


def _from_memory(code: bytes, load: Callable[[str], T]) -> T:
    with os.fdopen(os.memfd_create("weft"), "wb") as file:
        file.write(code)
        file.flush()
        return load(_path(file.fileno()))


def _path(file: int) -> str:
    """A path of an open file that no other one had: the loader takes files of one path for one library."""
    other_spelling = f"{next(_numbers):b}".replace("0", "/").replace("1", "./")
    return f"/proc/self/fd/{other_spelling}{file}"
