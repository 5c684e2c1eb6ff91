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
    from weft.autotune.foreign.arguments import In, InOut, Out, Scalar
    from weft.autotune.foreign.describing import kernel
    from weft.autotune.spaces.space import Space
    from weft.autotune.tuning import load_tuning, tune
    from weft.errors import (
        ArgumentError,
        CompilerError,
        DeviceError,
        Error,
        IndexError,
        InternalError,
        MultipleErrors,
        NameError,
        NoCompilerError,
        OutOfMemoryError,
        RaceError,
        SourceError,
        StoreError,
        TimeoutError,
        TypeInferenceError,
        UnboundLocalError,
        UnsupportedError,
        ValueError,
        WeftWarning,
    )
    from weft.frontend.calls.python_calls import python
    from weft.jit import STOP, associative, assume_independent, jit, njit, prange
    from weft.numba_doors.elementwise import vectorize
    from weft.numba_doors.generalized import guvectorize
    from weft.parallel import for_each, parallel_for
    from weft.patterns import filter, gather, histogram, map, reduce, scan, scatter, segment_reduce, soa, sort, stencil
    from weft.patterns.cfunction import cfunction
    from weft.report.explain import explain
    from weft.report.predict import predict
    from weft.report.profile import profile
    from weft.report.stand_in import spec
    from weft.runtime.arrays.arrays import Array, array, empty, empty_like, zeros, zeros_like
    from weft.runtime.devices.devices import device, devices
    from weft.runtime.devices.queues import stream, synchronize
    from weft.runtime.settings import config, get_num_threads, set_num_threads
    from weft.split.cluster.cluster import cluster
    from weft.tasks import Future, invoke, submit

__all__ = [
    "STOP",
    "ArgumentError",
    "Array",
    "CompilerError",
    "DeviceError",
    "Error",
    "Future",
    "In",
    "InOut",
    "IndexError",
    "InternalError",
    "MultipleErrors",
    "NameError",
    "NoCompilerError",
    "Out",
    "OutOfMemoryError",
    "RaceError",
    "Scalar",
    "SourceError",
    "Space",
    "StoreError",
    "TimeoutError",
    "TypeInferenceError",
    "UnboundLocalError",
    "UnsupportedError",
    "ValueError",
    "WeftWarning",
    "__version__",
    "array",
    "associative",
    "assume_independent",
    "cfunction",
    "cluster",
    "config",
    "device",
    "devices",
    "empty",
    "empty_like",
    "explain",
    "filter",
    "for_each",
    "gather",
    "get_num_threads",
    "guvectorize",
    "histogram",
    "invoke",
    "jit",
    "kernel",
    "load_tuning",
    "map",
    "njit",
    "parallel_for",
    "prange",
    "predict",
    "profile",
    "python",
    "reduce",
    "scan",
    "scatter",
    "segment_reduce",
    "set_num_threads",
    "soa",
    "sort",
    "spec",
    "stencil",
    "stream",
    "submit",
    "synchronize",
    "tune",
    "vectorize",
    "zeros",
    "zeros_like",
]


_MODULES = {
    "weft.autotune.foreign.arguments": ("In", "InOut", "Out", "Scalar"),
    "weft.autotune.foreign.describing": ("kernel",),
    "weft.autotune.spaces.space": ("Space",),
    "weft.autotune.tuning": ("load_tuning", "tune"),
    "weft.frontend.calls.python_calls": ("python",),
    "weft.jit": ("STOP", "associative", "assume_independent", "jit", "njit", "prange"),
    "weft.numba_doors.elementwise": ("vectorize",),
    "weft.numba_doors.generalized": ("guvectorize",),
    "weft.parallel": ("for_each", "parallel_for"),
    "weft.patterns.cfunction": ("cfunction",),
    "weft.patterns": (
        "filter", "gather", "histogram", "map", "reduce", "scan", "scatter", "segment_reduce", "soa", "sort", "stencil",
    ),
    "weft.report.explain": ("explain",),
    "weft.report.predict": ("predict",),
    "weft.report.profile": ("profile",),
    "weft.report.stand_in": ("spec",),
    "weft.runtime.arrays.arrays": ("Array", "array", "empty", "empty_like", "zeros", "zeros_like"),
    "weft.runtime.devices.devices": ("device", "devices"),
    "weft.runtime.devices.queues": ("stream", "synchronize"),
    "weft.runtime.settings": ("config", "get_num_threads", "set_num_threads"),
    "weft.tasks": ("Future", "invoke", "submit"),
    "weft.split.cluster.cluster": ("cluster",),
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
