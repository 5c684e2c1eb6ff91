"""Weft runs ordinary Python loops over NumPy arrays as compiled parallel code.

The public names are these and no others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.errors import (
    ArgumentError,
    CompilerError,
    DeviceError,
    Error,
    InternalError,
    MultipleErrors,
    NoCompilerError,
    OutOfMemoryError,
    RaceError,
    SourceError,
    StoreError,
    TypeInferenceError,
    UnsupportedError,
    WeftWarning,
)
from weft.jit import STOP, associative, assume_independent, jit, prange
from weft.parallel import for_each, parallel_for
from weft.runtime import device, devices
from weft.version import __version__ as __version__

if TYPE_CHECKING:
    from weft.report import explain

__all__ = [
    "STOP",
    "ArgumentError",
    "CompilerError",
    "DeviceError",
    "Error",
    "InternalError",
    "MultipleErrors",
    "NoCompilerError",
    "OutOfMemoryError",
    "RaceError",
    "SourceError",
    "StoreError",
    "TypeInferenceError",
    "UnsupportedError",
    "WeftWarning",
    "__version__",
    "associative",
    "assume_independent",
    "device",
    "devices",
    "explain",
    "for_each",
    "jit",
    "parallel_for",
    "prange",
]


def __getattr__(name: str) -> object:
    """Import `explain` when it is first used: the compiler's parts behind it take a while to load."""
    if name != "explain":
        raise AttributeError(f"module 'weft' has no attribute '{name}'")
    from weft.report import explain

    globals()[name] = explain
    return explain


def __dir__() -> list[str]:
    return __all__
