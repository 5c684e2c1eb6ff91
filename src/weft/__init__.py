"""Weft runs ordinary Python loops over NumPy arrays as compiled parallel code.

The public names are these and no others.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from weft.version import __version__ as __version__

if TYPE_CHECKING:
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
    from weft.report.explain import explain
    from weft.report.profile import profile
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


_MODULES = {
    "weft.frontend.steps": ("python",),
    "weft.jit": ("STOP", "associative", "assume_independent", "jit", "prange"),
    "weft.parallel": ("for_each", "parallel_for"),
    "weft.report.explain": ("explain",),
    "weft.report.profile": ("profile",),
    "weft.runtime": (
        "Array", "array", "device", "devices", "empty", "empty_like", "stream", "synchronize", "zeros", "zeros_like",
    ),
}  # fmt: skip
_WHERE = {name: module for module, names in _MODULES.items() for name in names}
"""The modules of the public names but those of errors."""


class _Package(ModuleType):
    """The package: the modules behind its names, and NumPy, are imported when a name is first used."""

    def __getattr__(self, name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'weft' has no attribute '{name}'")
        self.__dict__[name] = found = getattr(import_module(_WHERE.get(name, "weft.errors")), name)
        return found

    def __setattr__(self, name: str, value: object) -> None:
        """`weft.jit` is the decorator, also after its module was imported."""
        if name not in _WHERE or not isinstance(value, ModuleType):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return __all__


sys.modules[__name__].__class__ = _Package
