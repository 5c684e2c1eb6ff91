"""Arguments for random programs: arrays of sizes that keep all accesses inside, in several layouts, maybe aliased."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Array:
    """An array parameter.

    One-dimensional arrays have ``2 n + 8`` elements, two-dimensional ones ``n + 4`` rows and columns, those of more
    dimensions 6 along each. `values` says what is in them: ``quarters`` (sums of which are exact; small integers in
    arrays of integers), ``index`` (integers below n), ``permutation``, ``square``: quarters in an array of ``n n + 4``
    elements, ``special`` (with NaN, infinities and signed zeros) or ``ends`` (integers near those of their type).
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


SIZES = {
    0: 0.04, 1: 0.04, 2: 0.06, 3: 0.06, 5: 0.18, 6: 0.18, 7: 0.15, 8: 0.1, 9: 0.1, 17: 0.05, 33: 0.02, 70: 0.02,
}  # fmt: skip
"""The sizes, with how often each is chosen: around the lanes of vectors, and beyond one round of them."""


def arguments(parameters: tuple[Parameter, ...], seed: int) -> tuple[Any, ...]:
    """One value for each parameter; the same seed gives the same values."""
    generator = np.random.default_rng(seed)
    n = int(generator.choice(list(SIZES), p=list(SIZES.values())))
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
    shapes = {0: (), 1: (2 * n + 8,), 2: (n + 4, n + 4), 3: (6,) * 3, 4: (6,) * 4}
    shape = (n * n + 4,) if parameter.values == "square" else shapes[parameter.ndim]
    if parameter.dtype in RECORDS:
        return _records(parameter.dtype, shape, generator)
    with np.errstate(all="ignore"):
        values = np.asarray(_values(parameter, n, shape, generator)).astype(parameter.dtype)
    return _laid_out(values, parameter.layout)


RECORDS = {"point": np.dtype([("x", "f8"), ("k", "i4"), ("c", "u1"), ("v", "f4", (3,))], align=True)}
"""Structured types by name."""

SPECIAL = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1.5, -2.25, 0.5, 1e-310, 6e4, -1.0])


def _records(name: str, shape: tuple[int, ...], generator: np.random.Generator) -> np.ndarray:
    made = np.zeros(shape, RECORDS[name])
    for field in made.dtype.names or ():
        made[field] = generator.integers(0, 8, made[field].shape)
    return made


def _near_ends(dtype: np.dtype[Any], shape: tuple[int, ...], generator: np.random.Generator) -> np.ndarray:
    limits = np.iinfo(dtype)
    chosen = np.array([limits.min, limits.min + 1, limits.max, limits.max - 1, 0, 1, 2, limits.max // 2], dtype)
    return chosen[generator.integers(0, len(chosen), shape)]


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
    if parameter.values == "special":
        return SPECIAL[generator.integers(0, len(SPECIAL), shape)]
    if parameter.values == "ends":
        return _near_ends(np.dtype(parameter.dtype), shape, generator)
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
    if layout == "inner":
        memory = np.zeros((*values.shape, 2), values.dtype)
        memory[..., 1] = values
        return memory[..., 1]
    if layout == "reversed":
        return np.ascontiguousarray(values[::-1])[::-1]
    if layout == "transposed":
        return np.ascontiguousarray(values.T).T
    if layout == "within" and values.ndim == 1:
        memory = np.zeros(len(values) + 4, values.dtype)
        memory[: len(values)] = values
        return memory[: len(values)]
    return np.array(values, order="C")
