"""Folds by a function of the user, in tiles: the loops of tiles are parallel, and what tiles give is folded in order.

The borders of tiles follow from the number of elements alone, so every device groups the operands alike.
"""

# Arguments are of whatever types the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

from weft.frontend.calls.pattern_words import types_of
from weft.patterns.nests import element, made, place_of, put, single, size_of, zeros_of

LEAST = 64
"""Elements of a tile, at least."""

MOST = 1 << 14
"""Tiles, at most; as many as keep a large GPU busy, and few enough to be folded by one thread."""


def fold_in_tiles(f, at, shape):
    """Combine all elements of an array that has some: ``at(index)`` gives one."""
    count = size_of(shape)
    tiles, size = tiles_of(count)
    outs = made((tiles,), types_of(lambda: f(f(at(zeros_of(shape)), at(zeros_of(shape))), at(zeros_of(shape)))))
    for t in range(tiles):
        if len(shape) == 1:
            put(outs, (t,), run_of(f, at, t * size, min(t * size + size, count)))
        else:
            put(outs, (t,), rows_of(f, at, t * size, min(t * size + size, count), shape))
    total = element(single(outs), 0)
    for t in range(1, tiles):
        total = f(total, element(single(outs), t))
    return total


def tiles_of(count):
    """How many tiles there are, and how many elements each has but the last."""
    size = max(LEAST, (count + MOST - 1) // MOST)
    return (count + size - 1) // size, size


def run_of(f, at, first, last):
    """The elements of a vector from one to another; one at least."""
    total = at((first,))
    for i in range(first + 1, last):
        total = f(total, at((i,)))
    return total


def rows_of(f, at, first, last, shape):
    """The elements from one to another in C order, row by row; one at least."""
    width = shape[-1]
    total = at((*place_of(first // width, shape[:-1]), first % width))
    for row in range((first + 1) // width, (last - 1) // width + 1):
        start = row * width
        for k in range(max(first + 1 - start, 0), min(last - start, width)):
            total = f(total, at((*place_of(row, shape[:-1]), k)))
    return total
