"""``guvectorize``: a function of small arrays is called for all of them that larger arrays hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from weft.errors import ArgumentError
from weft.jit import jit
from weft.numba_doors.elementwise import options_of
from weft.numba_doors.signatures import parse
from weft.numba_doors.written import function_of, index, nest

Core = tuple[str, ...]


class Generalized:
    """A function that `guvectorize` made; the function of one small array each is its ``py_func``."""

    def __init__(self, function: Callable[..., Any], signatures: object, layout: str, options: dict[str, Any]) -> None:
        self.py_func = function
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self.inputs, self.outputs = _parse_layout(layout)
        self._types = parse(signatures) if signatures is not None else []
        self._options = options
        self._loops: dict[tuple[int, tuple[bool, ...]], Callable[..., Any]] = {}

    def __repr__(self) -> str:
        return f"<weft generalized function {self.__name__}>"

    def __call__(self, *given: Any) -> Any:
        """The results; arrays behind the inputs take them."""
        inputs = [np.asarray(value) for value in given[: len(self.inputs)]]
        if len(inputs) < len(self.inputs):
            raise TypeError(f"{self.__name__}() takes {len(self.inputs)} arguments, and {len(given)} were given")
        inputs, types = self._converted(inputs)
        sizes, shape = self._sizes(inputs)
        results = list(given[len(self.inputs) :]) or [
            np.zeros((*shape, *(sizes[name] for name in core)), type_)
            for core, type_ in zip(self.outputs, types, strict=True)
        ]
        lent = [r[..., None] if not core else r for r, core in zip(results, self.outputs, strict=True)]
        spread = [np.broadcast_to(x, (*shape, *x.shape[x.ndim - len(core) :])) for x, core in self._pairs(inputs)]
        self._loop(len(shape))(*lent, *spread)
        return results[0] if len(results) == 1 else tuple(results)

    def _pairs(self, inputs: Sequence[np.ndarray[Any, Any]]) -> list[tuple[np.ndarray[Any, Any], Core]]:
        return list(zip(inputs, self.inputs, strict=True))

    def _converted(self, inputs: list[np.ndarray[Any, Any]]) -> tuple[list[np.ndarray[Any, Any]], list[np.dtype[Any]]]:
        """The inputs in the types of the first signature that holds them, and the types of the results."""
        for types, _ in self._types:
            if all(np.can_cast(x.dtype, type_, "safe") for x, type_ in zip(inputs, types, strict=False)):
                known = [x.astype(type_, copy=False) for x, type_ in zip(inputs, types, strict=False)]
                return known, list(types[len(inputs) :])
        if self._types:
            raise TypeError(f"no signature of {self.__name__} takes these arguments")
        return inputs, [np.result_type(*inputs)] * len(self.outputs)

    def _sizes(self, inputs: Sequence[np.ndarray[Any, Any]]) -> tuple[dict[str, int], tuple[int, ...]]:
        """The sizes of the named dimensions, and the shape of those around them."""
        sizes: dict[str, int] = {}
        around = []
        for x, core in self._pairs(inputs):
            if x.ndim < len(core):
                raise ValueError(f"an input of {self.__name__} has {x.ndim} dimensions, and needs {len(core)}")
            split = x.ndim - len(core)
            around.append(x.shape[:split])
            for name, size in zip(core, x.shape[split:], strict=True):
                if sizes.setdefault(name, size) != size:
                    raise ValueError(f"the dimension {name} of {self.__name__} is {sizes[name]} and {size}")
        return sizes, np.broadcast_shapes(*around)

    def _loop(self, rank: int) -> Callable[..., Any]:
        """The compiled loops around the function."""
        key = rank, ()
        known = self._loops.get(key)
        if known is None:
            inputs = [f"x{k}" for k in range(len(self.inputs))]
            outputs = [f"y{k}" for k in range(len(self.outputs))]
            place = f"[{index(rank)}]" if rank else ""
            pairs = zip(inputs, self.inputs, strict=True)
            items = [name + place if core else f"{name}[{index(rank) or '()'}]" for name, core in pairs]
            call = f"function({', '.join([*items, *(name + place for name in outputs)])})"
            text = f"def loop({', '.join([*outputs, *inputs])}):\n{nest(rank, outputs[0], call)}\n"
            made = function_of(text, "loop", {"function": self.py_func})
            known = self._loops[key] = jit(made, **self._options)
        return known


def _parse_layout(layout: str) -> tuple[list[Core], list[Core]]:
    sides = [re.findall(r"\(([^()]*)\)", side) for side in layout.split("->")]
    if len(sides) != 2 or not sides[0] or not sides[1]:
        raise ArgumentError(
            f"{layout!r} is no layout", argument="layout", hint='say, for example, "(n),(n)->()": inputs, then results'
        )
    inputs, outputs = ([tuple(n.strip() for n in part.split(",") if n.strip()) for part in side] for side in sides)
    missing = {name for core in outputs for name in core} - {name for core in inputs for name in core}
    if missing:
        raise ArgumentError(
            f"the size {min(missing)} of a result is that of no input", argument="layout", hint="use a size of an input"
        )
    return inputs, outputs


def guvectorize(signatures: Any, layout: str = "", /, **options: Any) -> Any:
    """Call a function of small arrays for all that larger arrays hold, as Numba's decorator does.

    Parameters
    ----------
    signatures
        A list such as ``["void(float64[:], float64[:])"]``, or, where it is left out, the layout: then inputs keep
        their types, and results have the type that NumPy gives to all inputs together.
    layout
        The dimensions of inputs and results, such as ``"(n),(n)->()"``. The function writes its results to its last
        parameters; a result with no dimension is an array of one element.
    **options
        Those of `weft.jit`, and those of Numba's ``guvectorize``, which ask for what Weft does anyway.
    """
    if not layout:
        signatures, layout = None, signatures
    _parse_layout(layout)
    return lambda function: Generalized(function, signatures, layout, options_of(options))
