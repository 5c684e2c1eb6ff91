"""``vectorize``: a function of numbers becomes one of arrays, element by element, with NumPy's broadcasting."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from weft.errors import ArgumentError
from weft.jit import jit
from weft.numba_doors.signatures import parse
from weft.numba_doors.written import function_of, index, nest

IGNORED = frozenset({"nopython", "cache", "target", "identity", "forceobj", "looplift", "writable_args"})


class Elementwise:
    """A function of arrays that `vectorize` made; the function of numbers is its ``py_func``."""

    def __init__(self, function: Callable[..., Any], signatures: object, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.nin = len(inspect.signature(function).parameters)
        self._types = parse(signatures) if signatures is not None else []
        self._options = options
        self._one = jit(function, **options)
        self._loops: dict[tuple[int, tuple[bool, ...]], Callable[..., Any]] = {}

    def __repr__(self) -> str:
        return f"<weft elementwise function {self.py_func.__name__}>"

    def __call__(self, *given: Any, out: np.ndarray[Any, Any] | None = None) -> Any:
        """The function of all elements; with numbers alone the function of these."""
        if len(given) != self.nin:
            raise TypeError(f"{self.py_func.__name__}() takes {self.nin} arguments, and {len(given)} were given")
        values, result = self._converted([_array_or_number(value) for value in given])
        arrays = [isinstance(value, np.ndarray) for value in values]
        if not any(arrays):
            return self._number(values, result) if out is None else self._into(out, self._number(values, result))
        shape = np.broadcast_shapes(*(value.shape for value in values if isinstance(value, np.ndarray)))
        spread = [np.broadcast_to(v, shape) if isinstance(v, np.ndarray) else v for v in values]
        if out is None:
            out = np.empty(shape, result or self._result(spread))
        elif out.shape != shape:
            raise ValueError(f"the result has the shape {shape}, and out has {out.shape}")
        self._loop(len(shape), tuple(arrays))(out, *spread)
        return out

    def _number(self, values: Sequence[Any], result: np.dtype[Any] | None) -> Any:
        found = self._one(*values)
        return found if result is None else result.type(found)

    @staticmethod
    def _into(out: np.ndarray[Any, Any], value: Any) -> np.ndarray[Any, Any]:
        out[...] = value
        return out

    def _converted(self, values: Sequence[Any]) -> tuple[list[Any], np.dtype[Any] | None]:
        """The arguments in the types of the first signature that holds them, and the type of its result."""
        if not self._types:
            return list(values), None
        for types, result in self._types:
            if len(types) == len(values) and all(map(_fits, values, types)):
                return [_as(value, type_) for value, type_ in zip(values, types, strict=True)], result
        raise TypeError(f"no signature of {self.py_func.__name__} takes these arguments")

    def _result(self, values: Sequence[Any]) -> np.dtype[Any]:
        """The type of the elements of the result: that of the first one."""
        size = next(value.size for value in values if isinstance(value, np.ndarray))
        if size == 0:
            return np.result_type(*values)
        first = [value.flat[0] if isinstance(value, np.ndarray) else value for value in values]
        return np.asarray(self._one(*first)).dtype

    def _loop(self, rank: int, arrays: tuple[bool, ...]) -> Callable[..., Any]:
        """The compiled loops over arrays of so many dimensions; numbers are the same for all elements."""
        known = self._loops.get((rank, arrays))
        if known is None:
            names = [f"x{k}" for k in range(len(arrays))]
            place = index(rank) or "()"
            items = [f"{name}[{place}]" if is_array else name for name, is_array in zip(names, arrays, strict=True)]
            body = nest(rank, "out", f"out[{place}] = function({', '.join(items)})")
            text = f"def loop(out, {', '.join(names)}):\n{body}\n"
            made = function_of(text, "loop", {"function": self.py_func})
            known = self._loops[rank, arrays] = jit(made, **self._options)
        return known


def _array_or_number(value: Any) -> Any:
    """An argument as a NumPy array, or as the number that it is."""
    if isinstance(value, (bool, int, float, complex, np.generic)):
        return value
    array = np.asarray(value)
    return array if array.ndim else array[()]


def _fits(value: Any, type_: np.dtype[Any]) -> bool:
    return bool(np.can_cast(np.asarray(value).dtype, type_, "safe"))


def _as(value: Any, type_: np.dtype[Any]) -> Any:
    return value.astype(type_, copy=False) if isinstance(value, np.ndarray) else type_.type(value)


def options_of(options: dict[str, Any]) -> dict[str, Any]:
    """The options that are those of `weft.jit`: Numba's other ones ask for what Weft does anyway."""
    target = options.get("target", "cpu")
    if target not in ("cpu", "parallel", "cuda"):
        raise ArgumentError(f"{target!r} is no target", argument="target", hint='say device="cpu", "cuda" or "opencl"')
    kept = {name: value for name, value in options.items() if name not in IGNORED}
    return kept if target != "cuda" else {"device": "cuda", **kept}


def vectorize(signatures: Any = None, /, **options: Any) -> Any:
    """Make a function of numbers one of arrays, as Numba's decorator does: ``@weft.vectorize``.

    Parameters
    ----------
    signatures
        The function; or one signature or a list of them, such as ``"float64(float64, float64)"``: arguments are
        converted to the first one that holds them. Without any the types are those of the arguments.
    **options
        Those of `weft.jit`, and those of Numba's ``vectorize``, which ask for what Weft does anyway.

    Returns
    -------
    Elementwise
        The function of arrays; also a decorator where no function was given.
    """
    kept = options_of(options)
    if callable(signatures) and not type(signatures).__module__.startswith("numba."):
        return Elementwise(signatures, None, kept)
    return lambda function: Elementwise(function, signatures, kept)
