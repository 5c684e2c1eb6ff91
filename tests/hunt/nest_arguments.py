"""Arguments of the programs of `nests`: arrays of several types and layouts, which may overlap, offsets and keys."""

from __future__ import annotations

from random import Random

import numpy as np

from .program import GUARD, Arguments, View

DTYPES = {
    "matrix": ("f8", "f8", "f8", "f4", "i4", "i8", "u1", "c16", "i2"),
    "vector": ("f8", "f8", "f4", "i4", "i8", "u1", "c16"),
    "index": ("i8", "i8", "i4", "u1", "i1"),
    "mask": ("u1", "b1", "b1", "i4"),
    "float": ("f8", "f4"), "count": ("i8", "i4", "f8", "u1"), "offset": ("i8", "i8", "i4", "u1", "i1"),
}  # fmt: skip

TYPES = {
    "a": "matrix", "b": "matrix", "c": "matrix", "x": "vector", "w": "vector", "y": "vector", "u": "vector",
    "v": "vector",
    "o": "float", "z": "count", "k": "index", "e": "index", "r": "offset", "g": "mask",
}  # fmt: skip
LAYOUTS = ("C", "C", "C", "C", "C", "strided", "backwards", "fortran", "overlap")


def aliases(rng: Random, dtypes: dict[str, str]) -> dict[str, str]:
    """An array that shows a part of the memory of another one, if two have one type."""
    pairs = [(one, other) for names in ("abc", "xwyuv") for one in names for other in names if one < other]
    fitting = [(one, other) for one, other in pairs if dtypes[one] == dtypes[other]]
    return dict(rng.sample(fitting, 1)) if fitting else {}


def _shape(name: str, n: int, m: int) -> tuple[int, ...]:
    if name in "abc":
        return max(n, m), max(n, m)
    return {"u": (n * m + 3,), "v": (n * m + 3,), "z": (max(n, 16),), "r": (n + 1,)}.get(name, (max(n, m),))


def arguments(
    rng: Random, names: list[str], dtypes: dict[str, str], layouts: dict[str, str], aliased: dict[str, str], size: int
) -> Arguments:
    """Small whole numbers mostly, so that sums do not depend on their order."""
    draw = np.random.default_rng(rng.getrandbits(32))
    n, m = size, rng.choice((size, size, 4, 8, 3, 1))
    made = Arguments([], [])
    shown: dict[str, View] = {}
    for name in (name for name in names if name in TYPES):
        shape = _shape(name, n, m)
        steps = _steps(shape, layouts[name])
        ends = [(length - 1) * step for length, step in zip(shape, steps) if length]
        low, high = sum(min(0, end) for end in ends), sum(max(0, end) for end in ends)
        values = _values(rng, draw, name, np.dtype(dtypes[name]), high - low + 1 + 2 * GUARD, n, m)
        made.buffers.append(values)
        view = View(len(made.buffers) - 1, GUARD - low, shape, steps)
        earlier = next((one for one, two in aliased.items() if two == name), None)
        if earlier in shown and len(shown[earlier].shape) == len(shape):
            base = shown[earlier]
            if max(np.prod(shape), 1) <= max(np.prod(base.shape), 1):
                shift = rng.choice((0, 0, 1, -1, 2))
                view = View(base.buffer, base.offset + shift, shape, base.strides)
                made.aliased = True
        shown[name] = view
        made.values.append(view)
    if any(layout == "overlap" for layout in layouts.values()):
        made.aliased = True
    numbers = {"n": n, "m": m, "t": rng.choice((0.0, 1.0, 2.0, -3.0))}
    made.values += [number for name, number in numbers.items() if name in names]
    return made


def _steps(shape: tuple[int, ...], layout: str) -> tuple[int, ...]:
    if layout == "overlap":
        return (1,) * len(shape) if len(shape) > 1 else (1,)
    step = 2 if layout == "strided" else 1
    inner = max(shape[-1], 1) * step
    if len(shape) == 1:
        return (-1,) if layout == "backwards" else (step,)
    return {"fortran": (1, max(shape[0], 1)), "backwards": (-inner, -1)}.get(layout, (inner, step))


def _values(
    rng: Random, draw: np.random.Generator, name: str, dtype: np.dtype, count: int, n: int, m: int
) -> np.ndarray:
    if name == "r":
        steps = draw.integers(0, 3, count)
        return np.minimum(np.cumsum(steps) - steps[: GUARD + 1].sum(), max(n, m)).clip(0).astype(dtype)
    if name in "ke":
        low = -1 if dtype.kind == "i" and rng.random() < 0.15 else 0
        return draw.integers(low, max(n, 1) + (rng.random() < 0.1), count).astype(dtype)
    if dtype.kind == "b" or name == "g":
        return draw.integers(0, 2, count).astype(dtype)
    if name == "z":
        return np.zeros(count, dtype)
    low = 0 if dtype.kind == "u" else -4
    values = draw.integers(low, 6, count).astype(dtype)
    if dtype.kind == "c":
        values = values + 1j * draw.integers(-2, 3, count)
    if dtype.kind == "f" and rng.random() < 0.1:
        values = np.where(draw.random(count) < 0.2, draw.choice([np.nan, np.inf, -0.0, -np.inf], count), values)
    return values.astype(dtype)
