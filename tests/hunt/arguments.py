"""Arrays for calls: every type and layout, arguments that share memory, ordinary and extreme values."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from .program import GUARD, Arguments, View


@dataclass(frozen=True)
class Extent:
    """A length: ``factor * n + pad``."""

    factor: int
    pad: int

    def at(self, n: int) -> int:
        return self.factor * n + self.pad

    @property
    def text(self) -> str:
        return {0: str(self.pad)}.get(
            self.factor, ("n" if self.factor == 1 else f"{self.factor} * n") + (f" + {self.pad}" if self.pad else "")
        )


@dataclass
class Shape:
    """What is known of an array when a program is written."""

    name: str
    dtype: str
    extents: tuple[Extent, ...]
    layout: str = "C"
    index: bool = False
    """Whether it holds positions below n."""

    writable: bool = True
    group: str = ""
    """The name of the memory: views share it."""

    @property
    def rank(self) -> int:
        return len(self.extents)


def arguments(rng: Random, features: frozenset[str], arrays: list[Shape], numbers: dict[str, str], n: int) -> Arguments:
    """Arguments of one call; `numbers` says what each parameter that is no array is."""
    kind = rng.choice(("zeros", "nan", "inf", "exact", "rounded")) if "wild" in features and rng.random() < 0.5 else ""
    made = Arguments([], [], kind, "extreme" in features and rng.random() < 0.3)
    for shape in arrays:
        made.values.append(_aliased(rng, features, shape, made, n) or _fresh(rng, features, shape, made, n))
    made.values += [_number(rng, kind, n) for kind in numbers.values()]
    return made


def _number(rng: Random, kind: str, n: int) -> Any:
    if kind == "n":
        return n
    if kind == "m":  # at most n
        return rng.choice((0, n, max(n - 1, 0), rng.randint(0, n)))
    if kind == "k":
        return rng.choice((0, 1, 1, 2))
    return rng.choice((0.0, 1.0, 2.0, -1.0, 3.0))


def _fresh(rng: Random, features: frozenset[str], shape: Shape, made: Arguments, n: int) -> View:
    sizes = tuple(extent.at(n) for extent in shape.extents)
    steps = steps_of(sizes, shape.layout)
    low = sum(min(0, (size - 1) * step) for size, step in zip(sizes, steps) if size)
    high = sum(max(0, (size - 1) * step) for size, step in zip(sizes, steps) if size)
    values = _values(rng, features, shape, high - low + 1 + 2 * GUARD, n, made)
    made.buffers.append(values)
    return View(len(made.buffers) - 1, GUARD - low, sizes, steps)


def steps_of(sizes: tuple[int, ...], layout: str) -> tuple[int, ...]:
    """The strides of a layout, in elements."""
    order = list(range(len(sizes)))
    if layout in ("C", "strided", "backwards", "padded", "broadcast"):
        order.reverse()
    steps, step = [0] * len(sizes), 2 if layout == "strided" else 1
    for axis in order:
        steps[axis] = step
        step *= max(sizes[axis], 1) + (layout == "padded")
    if layout == "backwards":
        steps[0] = -steps[0]
    if layout == "broadcast":
        steps[0] = 0
    return tuple(steps)


def _aliased(rng: Random, features: frozenset[str], shape: Shape, made: Arguments, n: int) -> View | None:
    """A window of memory that an earlier argument shows: the same, shifted, backwards or transposed."""
    earlier = [v for v in made.values if isinstance(v, View) and made.buffers[v.buffer].dtype == np.dtype(shape.dtype)]
    if "alias" not in features or shape.index or not earlier or rng.random() < 0.4:
        return None
    other, sizes = rng.choice(earlier), tuple(extent.at(n) for extent in shape.extents)
    inner = steps_of(sizes, shape.layout)[-1:] == (1,)
    candidates = [other.strides, other.strides[::-1], tuple(-s for s in other.strides[:1]) + other.strides[1:]]
    candidates += [steps_of(sizes, shape.layout), other.strides[-1:] * len(sizes)]
    fitting = [steps for steps in candidates if len(steps) == len(sizes) and (steps[-1:] == (1,)) == inner]
    length = len(made.buffers[other.buffer])
    for _ in range(4):
        if fitting:
            steps = rng.choice(fitting)
            offset = other.offset + rng.choice((0, 0, 1, -1, 2, rng.randint(-4, 8)))
            low = offset + sum(min(0, (size - 1) * step) for size, step in zip(sizes, steps) if size)
            high = offset + sum(max(0, (size - 1) * step) for size, step in zip(sizes, steps) if size)
            if low >= 0 and high < length:
                made.aliased = True
                return View(other.buffer, offset, sizes, steps)
    return None


def _values(rng: Random, features: frozenset[str], shape: Shape, count: int, n: int, made: Arguments) -> np.ndarray:
    dtype = np.dtype(shape.dtype)
    source = np.random.default_rng(rng.getrandbits(32))
    if shape.index:
        low = -n if "negative" in features and rng.random() < 0.3 else 0
        values = source.integers(low, max(n, 1), count)
        return (np.arange(count) % max(n, 1) if rng.random() < 0.15 else values).astype(dtype)
    if dtype.kind == "b":
        return source.integers(0, 2, count).astype(dtype)
    if dtype.kind in "iu":
        return _integers(rng, source, dtype, count, made.extreme)
    values = source.integers(-3, 4, count).astype(dtype)
    if dtype.kind == "c":
        values = values + (1j * source.integers(-2, 3, count)).astype(dtype)
    if made.wild:
        some = _specials(dtype, made.wild)
        places = source.random(count) < rng.choice((0.1, 0.5))
        values = np.where(places, source.choice(some, count), values).astype(dtype)
    return values


def _integers(rng: Random, source: Any, dtype: Any, count: int, extreme: bool) -> np.ndarray:
    values = source.integers(0 if dtype.kind == "u" else -4, 6, count).astype(dtype)
    if extreme:
        info = np.iinfo(dtype)
        some = np.array([info.min, info.max, info.max - 1, info.min + 1, 0], dtype)
        values = np.where(source.random(count) < rng.choice((0.1, 0.4)), source.choice(some, count), values)
    return values.astype(dtype)


SPECIALS = {
    "zeros": [0.0, -0.0],
    "nan": [np.nan, 1.0],
    "inf": [np.inf, -np.inf, 2.0],
    "exact": [np.nan, np.inf, -np.inf, -0.0, 0.0],
}
"""Values whose sums and products do not depend on their order; all others are rounded."""


def _specials(dtype: Any, wild: str) -> np.ndarray:
    part = np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype
    info = np.finfo(part)
    rounded = [*SPECIALS["exact"], info.max, -info.max, info.tiny, info.smallest_subnormal, -info.tiny, 0.5, 1.1]
    some = SPECIALS.get(wild, rounded)
    if dtype.kind == "c":
        some = [complex(x, y) for x in some for y in (1.0, -0.0)]
    return np.array(some).astype(dtype)
