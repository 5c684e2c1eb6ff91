"""Objects of other libraries that are arrays of the host: taken as NumPy arrays that share their memory.

An object whose numbers would have to be copied is refused: what a function writes would not arrive in it. A lazy array
of Dask is computed first, with a warning.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from weft.errors import ArgumentError, Error, warn
from weft.frontend.remedies.values import OTHERWISE, for_object
from weft.frontend.source.signature import device_interface, is_coherent

_PLAIN = (int, float, complex, str, bytes, tuple, list, dict, set, frozenset, type, np.ndarray, np.generic)
"""Classes that are taken, or refused, as they are."""


def taken(value: Any, name: str) -> Any:
    """An argument as compiled code takes it: an array of another library as one of NumPy, anything else itself.

    Raises
    ------
    ArgumentError
        Its numbers would have to be copied.
    """
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(taken(item, f"{name}[{k}]") for k, item in enumerate(value))
    if value is None or isinstance(value, _PLAIN) or callable(value):
        return value
    if isinstance(value, memoryview):
        return np.asarray(value)
    if not _is_array(value) or is_coherent(value):
        return value
    if _library(value) == "dask" and hasattr(value, "compute"):
        warn("W007", f"{name} is an array of Dask; what the function writes does not arrive in it")
        return _read_only(np.asarray(value.compute()))
    try:
        found = _shared(value)
    except Error:
        raise
    except Exception as error:
        raise _refusal(value, name, str(error).partition("\n")[0]) from None
    if found is None:
        raise _refusal(value, name, "its numbers would have to be copied, and what is written would be lost")
    return found


def _is_array(value: Any) -> bool:
    return any(hasattr(value, name) for name in ("__array__", "__array_interface__", "__dlpack__"))


def _library(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def _shared(value: Any) -> Any:
    """A NumPy array with the memory of an object, the object itself where it is on a GPU; None where it has no such."""
    if not hasattr(value, "__array_interface__") and hasattr(value, "__dlpack__"):
        if device_interface(value) is not None:
            return value
        return _of_tensor(value)
    if getattr(value, "__cuda_array_interface__", None) is not None:
        return value
    first, second = np.asarray(value), np.asarray(value)
    return first if first.size == 0 or np.may_share_memory(first, second) else None


def _of_tensor(value: Any) -> np.ndarray[Any, Any]:
    """An array with ``__dlpack__`` in memory of the host; PyTorch's own method gives one that can be written."""
    shared = value.numpy() if _library(value) == "torch" else np.from_dlpack(value)
    return np.asarray(shared)


def _read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    view = cast("np.ndarray[Any, Any]", array.view())
    view.flags.writeable = False
    return view


_BY_NUMPY = "make an array of it with np.asarray, pass that, and read the results from it"


def _refusal(value: Any, name: str, cause: str) -> ArgumentError:
    return ArgumentError(
        f"the memory of an object of the class {type(value).__name__} cannot be used",
        argument=name,
        cause=cause,
        hint=hint if (hint := for_object(value)) != OTHERWISE.format(type(value).__name__) else _BY_NUMPY,
    )
