"""Lists of elements of one type, written in the language that Weft compiles.

The methods are inlined like those of a user's class. What is said of memory, how elements lie in arrays and what they
are in Python, are the functions at the top: `weft.frontend.values.lists` translates them.
"""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors
# ruff: noqa: C416, SIM110

from __future__ import annotations

import numpy as np

from weft.errors import UnsupportedError

INHOMOGENEOUS = "setting an array element with a sequence. The requested array has an inhomogeneous shape"


def size_of(items):
    """The number of elements."""


def load(items, place):
    """The element at a place, which is inside."""


def store(items, place, value):
    """Assign the element at a place, which is inside."""


def resize(items, size):
    """Set the number of elements; there is room for them."""


def reserve(items, room):
    """Make room for so many elements."""


def alike(items):
    """A new list for elements of the same type."""


def bounds(index):
    """The start, stop and step of a slice."""


def require_order(items):
    """Refuse elements that have no order: NaN."""


def within(index, size, message):
    place = index + size if index < 0 else index
    if place < 0 or place >= size:
        raise IndexError(message)
    return place


def limited(index, size):
    place = index + size if index < 0 else index
    return max(0, min(place, size))


def grown(array, size, room):
    """An array with the first elements of another one, and room for some more."""
    if room <= array.shape[0]:
        return array
    new = np.empty(max(2 * array.shape[0], room, 8), array.dtype)
    for k in range(size):
        new[k] = array[k]
    return new


def refuse_nan(array, size):
    for k in range(size):
        if array[k] != array[k]:
            raise UnsupportedError("a list with NaN is sorted, whose order is that of Python's algorithm")


def refuse_empty(size):
    if size == 0:
        raise UnsupportedError("an array is made of an empty list, whose type in NumPy is float64 then")


def first_of(array, size):
    return array[:size].copy()


def row_length(before, length):
    if before >= 0 and before != length:
        raise ValueError(INHOMOGENEOUS)
    return length


def matrix_of(items, rows, length):
    if rows == 0:
        raise UnsupportedError("an array is made of an empty list, whose type in NumPy is float64 then")
    return np.array(items).reshape(rows, length)


class List:
    """The class of lists in compiled code."""

    def __len__(self):
        return size_of(self)

    def __getitem__(self, index):
        if isinstance(index, slice):
            start, stop, step = bounds(index)
            return part(self, start, stop, 1 if step is None else step)
        return load(self, within(index, size_of(self), "list index out of range"))

    def __setitem__(self, index, value):
        store(self, within(index, size_of(self), "list assignment index out of range"), value)

    def __contains__(self, value):
        for item in self:
            if item == value:
                return True
        return False

    def __eq__(self, other):
        if not isinstance(other, list):
            return False
        if size_of(self) != size_of(other):
            return False
        for k in range(size_of(self)):
            if load(self, k) != load(other, k):
                return False
        return True

    def __add__(self, other):
        new = self.copy()
        new.extend(other)
        return new

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __mul__(self, times):
        new = alike(self)
        size = size_of(self)
        count = max(times, 0)
        reserve(new, size * count)
        for k in range(size * count):
            store(new, k, load(self, k % size))
        resize(new, size * count)
        return new

    def __rmul__(self, times):
        return self * times

    def append(self, value):
        size = size_of(self)
        reserve(self, size + 1)
        store(self, size, value)
        resize(self, size + 1)

    def extend(self, items):
        for item in items:
            self.append(item)

    def insert(self, index, value):
        size = size_of(self)
        place = limited(index, size)
        self.append(value)
        for k in range(size, place, -1):
            store(self, k, load(self, k - 1))
        store(self, place, value)

    def pop(self, index=-1):
        size = size_of(self)
        if size == 0:
            raise IndexError("pop from empty list")
        place = within(index, size, "pop index out of range")
        value = load(self, place)
        for k in range(place, size - 1):
            store(self, k, load(self, k + 1))
        resize(self, size - 1)
        return value

    def remove(self, value):
        for k in range(size_of(self)):
            if load(self, k) == value:
                self.pop(k)
                return
        raise ValueError("list.remove(x): x not in list")

    def index(self, value):
        for k in range(size_of(self)):
            if load(self, k) == value:
                return k
        raise ValueError(f"{value!r} is not in list")

    def count(self, value):
        total = 0
        for item in self:
            if item == value:
                total += 1
        return total

    def clear(self):
        resize(self, 0)

    def copy(self):
        new = alike(self)
        reserve(new, size_of(self))
        for k in range(size_of(self)):
            store(new, k, load(self, k))
        resize(new, size_of(self))
        return new

    def reverse(self):
        size = size_of(self)
        for k in range(size // 2):
            first = load(self, k)
            store(self, k, load(self, size - 1 - k))
            store(self, size - 1 - k, first)

    def sort(self, reverse=False):
        require_order(self)
        if reverse:
            self.reverse()
        merge_sort(self)
        if reverse:
            self.reverse()


List.__name__ = "list"


def part(items, start, stop, step):
    """``items[start:stop:step]``."""
    if step == 0:
        raise ValueError("slice step cannot be zero")
    new = alike(items)
    size = size_of(items)
    lowest, highest = (0, size) if step > 0 else (-1, size - 1)
    first = bound(start, size, lowest, highest, lowest if step > 0 else highest)
    last = bound(stop, size, lowest, highest, highest if step > 0 else lowest)
    for k in range(first, last, step):
        new.append(load(items, k))
    return new


def bound(index, size, lowest, highest, default):
    """Where a slice begins or ends."""
    if index is None:
        return default
    place = index + size if index < 0 else index
    return max(lowest, min(place, highest))


def merge_sort(items):
    """Sort in place, stably: runs of doubled length are merged from one array to the other."""
    size = size_of(items)
    other = items.copy()
    width = 1
    while width < size:
        for start in range(0, size, 2 * width):
            middle = min(start + width, size)
            end = min(start + 2 * width, size)
            a = start
            b = middle
            for k in range(start, end):
                first = a < middle
                if a < middle and b < end:
                    first = not load(items, b) < load(items, a)
                if first:
                    store(other, k, load(items, a))
                    a += 1
                else:
                    store(other, k, load(items, b))
                    b += 1
        for k in range(size):
            store(items, k, load(other, k))
        width *= 2


def list_of(items):
    """``list(items)``."""
    return [item for item in items]


def sorted_of(items, reverse=False):
    """``sorted(items)``."""
    new = [item for item in items]
    new.sort(reverse=reverse)
    return new


def middle_of(items, start, stop):
    """The list of the items between two places."""
    return [items[k] for k in range(start, stop)]
