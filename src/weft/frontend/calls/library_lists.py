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


def move(items, source, target):
    """Give one place the element of another one."""


def resize(items, size):
    """Set the number of elements; there is room for them."""


def reserve(items, room):
    """Make room for so many elements."""


def alike(items):
    """A new list for elements of the same type."""


def bounds(index):
    """The start, stop and step of a slice."""


def is_list(value):
    """Whether a value is a list of numbers."""


def has_places(items):
    """Whether something is a list whose elements `load` gives."""


def arrays_of(items):
    """The arrays in a list of arrays, as a tuple."""


def refuse_list_of_arrays(items):
    """Refuse what a list of arrays is not there for."""


def refuse_slice(items):
    """Refuse a slice of a list left of an assignment."""


def position(index):
    """An index as Python's int, as ``operator.index``."""


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


def are_equal(item, value):
    """Whether two elements are equal: CPython asks whether two NaN are one object, which nobody knows here."""
    if item == value:
        return True
    if item != item and value != value:
        raise UnsupportedError("NaN in a list is compared with NaN, which are equal if they are one object")
    return False


def are_equal_items(item, value):
    """Whether two items of tuples are equal, see `are_equal`."""
    if item == value:
        return True
    if item != item and value != value:
        raise UnsupportedError("NaN in a tuple is compared with NaN, which are equal if they are one object")
    return False


def first_difference(items, others):
    """Where two lists differ first; the length of the shorter one if it is the beginning of the other."""
    k = 0
    while k < size_of(items) and k < size_of(others) and are_equal(load(items, k), load(others, k)):
        k += 1
    return k


def require_order_of_each(items):
    """For lists in a list or in its elements: refuse elements that have no order."""
    for k in range(size_of(items)):
        require_order_in(load(items, k))


def require_order_in(item):
    """For the lists in one element: refuse elements that have no order."""


def refuse_empty(size):
    if size == 0:
        raise UnsupportedError("an array is made of an empty list, whose type in NumPy is float64 then")


def refuse_none_of(own, size):
    found = False
    for k in range(size):
        if own[k]:
            found = True
    if not found:
        raise UnsupportedError("an array is made of a list of numbers that all have the narrower of its two types")


def take_apart(items, made):
    """Append to a list that is returned a new object for each reference in another list."""
    for k in range(size_of(items)):
        made.append(as_result(load(items, k)))


def as_result(item):
    """An object that is returned, by what its fields hold now; translated in `lists`."""
    raise NotImplementedError


def mark(marks, number):
    """Note that an object is in the result."""
    if marks[number]:
        raise UnsupportedError("one object is in two places of the result: return it once, or return its fields")
    marks[number] = True


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
        return load(self, within(position(index), size_of(self), "list index out of range"))

    def __setitem__(self, index, value):
        if isinstance(index, slice):
            refuse_slice(self)
        else:
            store(self, within(position(index), size_of(self), "list assignment index out of range"), value)

    def __delitem__(self, index):
        if isinstance(index, slice):
            refuse_slice(self)
        else:
            self.pop(within(position(index), size_of(self), "list assignment index out of range"))

    def __contains__(self, value):
        for item in self:
            if are_equal(item, value):
                return True
        return False

    def __eq__(self, other):
        if not is_list(other):
            return False
        if size_of(self) != size_of(other):
            return False
        for k in range(size_of(self)):
            if not are_equal(load(self, k), load(other, k)):
                return False
        return True

    def __lt__(self, other):
        if not is_list(other):
            return NotImplemented
        if not has_places(self) or not has_places(other):
            return size_of(self) < size_of(other)
        k = first_difference(self, other)
        if k == size_of(self) or k == size_of(other):
            return size_of(self) < size_of(other)
        return load(self, k) < load(other, k)

    def __le__(self, other):
        if not is_list(other):
            return NotImplemented
        if not has_places(self) or not has_places(other):
            return size_of(self) <= size_of(other)
        k = first_difference(self, other)
        if k == size_of(self) or k == size_of(other):
            return size_of(self) <= size_of(other)
        return load(self, k) <= load(other, k)

    def __gt__(self, other):
        return other < self if is_list(other) else NotImplemented

    def __ge__(self, other):
        return other <= self if is_list(other) else NotImplemented

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
        count = max(position(times), 0)
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
        if has_places(items):  # they are counted once, since it may be the list itself
            for k in range(size_of(items)):
                self.append(load(items, k))
        else:
            for item in items:
                self.append(item)

    def insert(self, index, value):
        size = size_of(self)
        place = limited(position(index), size)
        self.append(value)
        for k in range(size, place, -1):
            move(self, k - 1, k)
        store(self, place, value)

    def pop(self, index=-1):
        size = size_of(self)
        if size == 0:
            raise IndexError("pop from empty list")
        place = within(position(index), size, "pop index out of range")
        value = load(self, place)
        for k in range(place, size - 1):
            move(self, k + 1, k)
        resize(self, size - 1)
        return value

    def remove(self, value):
        for k in range(size_of(self)):
            if are_equal(load(self, k), value):
                self.pop(k)
                return
        raise ValueError("list.remove(x): x not in list")

    def index(self, value):
        for k in range(size_of(self)):
            if are_equal(load(self, k), value):
                return k
        raise ValueError(f"{value!r} is not in list")

    def count(self, value):
        total = 0
        for item in self:
            if are_equal(item, value):
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

    def sort(self, *, key=None, reverse=False):
        if size_of(self) == 0:
            return
        if key is None:
            require_order(self)
        else:
            keys = [key(item) for item in self]
            require_order(keys)
        if reverse:
            self.reverse()
        if key is None:
            merge_sort(self)
        else:
            if reverse:
                keys.reverse()
            merge_sort_by(self, keys)
        if reverse:
            self.reverse()


List.__name__ = "list"


class Fixed:
    """The class of lists of arrays that are arguments: the items are known when compiling."""

    def __len__(self):
        return len(arrays_of(self))

    def __getitem__(self, index):
        if isinstance(index, slice):
            return refuse_list_of_arrays(self)
        return arrays_of(self)[index]

    def __setitem__(self, index, value):
        refuse_list_of_arrays(self)


Fixed.__name__ = "list of arrays"


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
    index = position(index)
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


def merge_sort_by(items, keys):
    """Sort in place by keys, which are sorted, too: see `merge_sort`."""
    size = size_of(items)
    other = items.copy()
    other_keys = keys.copy()
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
                    first = not load(keys, b) < load(keys, a)
                if first:
                    store(other, k, load(items, a))
                    store(other_keys, k, load(keys, a))
                    a += 1
                else:
                    store(other, k, load(items, b))
                    store(other_keys, k, load(keys, b))
                    b += 1
        for k in range(size):
            store(items, k, load(other, k))
            store(keys, k, load(other_keys, k))
        width *= 2


def list_of(items):
    """``list(items)``."""
    return [item for item in items]


def sorted_of(items, key=None, reverse=False):
    """``sorted(items)``."""
    new = [item for item in items]
    new.sort(key=key, reverse=reverse)
    return new


def middle_of(items, start, stop):
    """The list of the items between two places."""
    return [items[k] for k in range(start, stop)]
