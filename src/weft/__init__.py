"""Weft runs ordinary Python loops over NumPy arrays as compiled parallel code.

The public names are these and no others; they are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
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

if TYPE_CHECKING:
    from weft.jit import STOP, associative, assume_independent, for_each, jit, parallel_for, prange
    from weft.report import explain
    from weft.runtime import device, devices

__version__ = "0.1.0"

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

_HOME = {
    "STOP": "weft.jit",
    "associative": "weft.jit",
    "assume_independent": "weft.jit",
    "device": "weft.runtime",
    "devices": "weft.runtime",
    "explain": "weft.report",
    "for_each": "weft.jit",
    "jit": "weft.jit",
    "parallel_for": "weft.jit",
    "prange": "weft.jit",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'weft' has no attribute '{name}'")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
