"""Makers of inputs: the same program over several sizes and memory layouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .registry import Case, MakeCases

VECTOR_SIZES = (257, 0, 1, 7, 5003)
MATRIX_SIZES = (17, 0, 1, 4, 60)

Make = Callable[[np.random.Generator, int], Case]


def each_size(make: Make, sizes: tuple[int, ...] = VECTOR_SIZES, *, layouts: bool = True) -> MakeCases:
    """Cases of every size, and the first once more with all arrays non-contiguous."""

    def cases(rng: np.random.Generator) -> list[Case]:
        made = [make(rng, size) for size in sizes]
        if layouts:
            made.append(tuple(spread(value) for value in make(rng, sizes[0])))
        return made

    return cases


def each_matrix(make: Make, sizes: tuple[int, ...] = MATRIX_SIZES, *, layouts: bool = True) -> MakeCases:
    """`each_size` with sizes fit for loops two or three deep."""
    return each_size(make, sizes, layouts=layouts)


def each_dtype(make: Callable[[np.random.Generator, type], Case], dtypes: tuple[type, ...]) -> MakeCases:
    """One case for each dtype."""
    return lambda rng: [make(rng, dtype) for dtype in dtypes]


def spread(value: Any) -> Any:
    """The same values in an array whose axes are all strided; anything else is returned as it is."""
    if not isinstance(value, np.ndarray) or value.ndim == 0:
        return value
    wide = np.zeros(tuple(2 * extent + 1 for extent in value.shape), value.dtype)
    view = wide[tuple(slice(1, None, 2) for _ in value.shape)]
    view[...] = value
    return view


def signed(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Floats of both signs, evenly spread over (-1, 1)."""
    return rng.uniform(-1.0, 1.0, shape)


def with_nans(values: np.ndarray, *positions: int) -> np.ndarray:
    """A copy with NaN at the positions."""
    out = values.copy()
    out[list(positions)] = np.nan
    return out
