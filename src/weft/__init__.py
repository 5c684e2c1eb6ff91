"""Weft runs ordinary Python loops over NumPy arrays as compiled parallel code.

The public names are these and no others.
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
    TimeoutError,
    TypeInferenceError,
    UnsupportedError,
    WeftWarning,
)
from weft.frontend.steps import python
from weft.jit import STOP, associative, assume_independent, jit, prange
from weft.parallel import for_each, parallel_for
from weft.runtime import (
    Array,
    array,
    device,
    devices,
    empty,
    empty_like,
    stream,
    synchronize,
    zeros,
    zeros_like,
)
from weft.version import __version__ as __version__

if TYPE_CHECKING:
    from weft.report.explain import explain
    from weft.report.profile import profile

__all__ = [
    "STOP",
    "ArgumentError",
    "Array",
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
    "TimeoutError",
    "TypeInferenceError",
    "UnsupportedError",
    "WeftWarning",
    "__version__",
    "array",
    "associative",
    "assume_independent",
    "device",
    "devices",
    "empty",
    "empty_like",
    "explain",
    "for_each",
    "jit",
    "parallel_for",
    "prange",
    "profile",
    "python",
    "stream",
    "synchronize",
    "zeros",
    "zeros_like",
]


_LATER = {"explain": "weft.report.explain", "profile": "weft.report.profile"}
"""Names whose modules are imported when they are first used: the compiler's parts behind them take a while to load."""


def __getattr__(name: str) -> object:
    """Import what is imported late."""
    if name not in _LATER:
        raise AttributeError(f"module 'weft' has no attribute '{name}'")
    globals()[name] = found = getattr(import_module(_LATER[name]), name)
    return found


def __dir__() -> list[str]:
    return __all__
