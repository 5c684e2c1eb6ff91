"""Python source and argument types to IR: `build`, and `signature.describe` for the types.

What compiles is imported when it is first used, so that a warm call needs no more than `signature` and `fingerprint`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.frontend.control.parallel import build_for_each, build_parallel_for
    from weft.frontend.program import build

__all__ = ["build", "build_for_each", "build_parallel_for"]

_HOME = {
    "build": "weft.frontend.program",
    "build_for_each": "weft.frontend.control.parallel",
    "build_parallel_for": "weft.frontend.control.parallel",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'weft.frontend' has no attribute '{name}'")
    return getattr(import_module(_HOME[name]), name)
