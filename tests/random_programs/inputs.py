"""Arguments for random programs: arrays of sizes that keep all accesses inside, in several layouts, maybe aliased."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Array:
    """An array parameter.

    One-dimensional arrays have ``2 n + 8`` elements, two-dimensional ones ``n + 4`` rows and columns. `values` says
    what is in them: ``quarters`` (sums of which are exact; small integers in arrays of integers), ``index`` (integers
    below n), ``permutation``, or ``square``: quarters in an array of ``n n + 4`` elements.
    `same_as` names an earlier array whose memory it shares, `shift` elements on.
    """

    name: str
    dtype: str
    ndim: int = 1
    values: str = "quarters"
    layout: str = "plain"
    same_as: str = ""
    shift: int = 0


@dataclass(frozen=True)
class Number:
    """A scalar parameter: ``n`` is the size, others are numbers of a type."""

    name: str
    type: str = "int"


Parameter = Array | Number


def arguments(parameters: tuple[Parameter, ...], seed: int) -> tuple[Any, ...]:
    """One value for each parameter; the same seed gives the same values."""
    generator = np.random.default_rng(seed)
    n = int(
        generator.choice([0, 1, 2, 3, 5, 6, 7, 8, 9, 17], p=[0.04, 0.04, 0.06, 0.06, 0.2, 0.2, 0.15, 0.1, 0.1, 0.05])
    )
    made: dict[str, np.ndarray] = {}
    values: list[Any] = []
    for parameter in parameters:
        if isinstance(parameter, Number):
            values.append(n if parameter.name == "n" else _number(parameter, generator))
        else:
            made[parameter.name] = _array(parameter, n, generator, made)
            values.append(made[parameter.name])
    return tuple(values)


def _number(parameter: Number, generator: np.random.Generator) -> Any:
    if parameter.type == "int":
        return int(generator.integers(0, 4))
    value = float(generator.integers(-8, 9)) / 4
    return value if parameter.type == "float" else np.dtype(parameter.type).type(value)


def _array(parameter: Array, n: int, generator: np.random.Generator, made: dict[str, np.ndarray]) -> np.ndarray:
    if parameter.same_as:
        source = made[parameter.same_as]
        return source if not parameter.shift else _shifted(source, parameter.shift)
    shape = (2 * n + 8,) if parameter.ndim == 1 else (n + 4, n + 4)
    if parameter.values == "square":
        shape = (n * n + 4,)
    values = _values(parameter, n, shape, generator).astype(parameter.dtype)
    return _laid_out(values, parameter.layout)


def _shifted(source: np.ndarray, shift: int) -> np.ndarray:
    """The same elements from a later one on; the last ones are beyond the source's end, so it is shortened first."""
    whole = source.base if source.base is not None else source
    return whole[shift : shift + source.shape[0]]


def _values(parameter: Array, n: int, shape: tuple[int, ...], generator: np.random.Generator) -> np.ndarray:
    if parameter.values == "permutation":
        order = np.arange(shape[0])
        order[:n] = generator.permutation(n)
        return order
    if parameter.values == "index":
        return generator.integers(0, max(n, 1), shape)
    if parameter.dtype == "bool":
        return generator.integers(0, 2, shape)
    if np.dtype(parameter.dtype).kind in "iu":
        return generator.integers(0 if np.dtype(parameter.dtype).kind == "u" else -4, 6, shape)
    if np.dtype(parameter.dtype).kind == "c":
        return generator.integers(-8, 9, shape) / 4 + generator.integers(-8, 9, shape) / 4 * 1j
    return generator.integers(-8, 9, shape) / 4


def _laid_out(values: np.ndarray, layout: str) -> np.ndarray:
    """The values in memory of a certain shape."""
    if layout == "strided" and values.ndim == 1:
        memory = np.zeros(2 * len(values), values.dtype)
        memory[::2] = values
        return memory[::2]
    if layout == "reversed":
        return np.ascontiguousarray(values[::-1])[::-1]
    if layout == "transposed":
        return np.ascontiguousarray(values.T).T
    if layout == "within" and values.ndim == 1:
        memory = np.zeros(len(values) + 4, values.dtype)
        memory[: len(values)] = values
        return memory[: len(values)]
    return np.ascontiguousarray(values)
