"""The cyclic garbage collector stands still while a function is compiled: it finds little, and looks at all programs.

It takes a tenth of a first call: what is made of a program lives until the program is compiled.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["standing_still"]


@contextmanager
def standing_still() -> Iterator[None]:
    """Collect no cycles inside of the block; of nested or concurrent blocks the first to begin ends it."""
    was_running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_running:
            gc.enable()
