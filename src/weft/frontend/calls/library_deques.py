"""``collections.deque``, written in the language that Weft compiles: a list, and where in it the first element is.

What is taken from the left moves that place on. Where more than half of the list is unused, the elements move to its
front. So each operation at an end takes constant time, on the average.
"""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors
# ruff: noqa: C416, SIM110

from __future__ import annotations

from weft.errors import UnsupportedError
from weft.frontend.calls.library_lists import (
    are_equal,
    has_places,
    load,
    move,
    position,
    reserve,
    resize,
    size_of,
    store,
    within,
)

CHANGED = "a deque gets or loses elements while a loop runs over it"
EMPTY = "pop from an empty deque"
OUTSIDE = "deque index out of range"
LEAST = 16


def entries_of(queue):
    """The list that the elements are in."""


def head_of(queue):
    """The place of the first element."""


def set_head(queue, place):
    """Change the place of the first element."""


def limit_of(queue):
    """The largest number of elements, or None."""


def is_unused(queue):
    """Whether nothing is ever put into it."""


def is_in_loop(queue):
    """Whether this stands in a loop that runs over it."""


def is_deque(value):
    """Whether a value is a deque."""


def new_deque(queue):
    """An empty deque with the same limit."""


def align(queue):
    """Move the first element to the front of the list."""
    head = head_of(queue)
    if head > 0:
        items = entries_of(queue)
        size = size_of(items) - head
        for k in range(size):
            move(items, head + k, k)
        resize(items, size)
        set_head(queue, 0)


def refuse_in_loop(queue):
    if is_in_loop(queue):
        raise UnsupportedError(CHANGED)


def check_limit(limit):
    limit = position(limit)
    if limit < 0:
        raise ValueError("maxlen must be non-negative")
    return limit


class Deque:
    """The class of deques."""

    @property
    def maxlen(self):
        return limit_of(self)

    def __len__(self):
        return size_of(entries_of(self)) - head_of(self)

    def __getitem__(self, index):
        place = within(position(index), len(self), OUTSIDE)
        return load(entries_of(self), head_of(self) + place)

    def __setitem__(self, index, value):
        place = within(position(index), len(self), OUTSIDE)
        store(entries_of(self), head_of(self) + place, value)

    def __contains__(self, value):
        items = entries_of(self)
        for k in range(head_of(self), size_of(items)):
            if are_equal(load(items, k), value):
                return True
        return False

    def __eq__(self, other):
        if not is_deque(other):
            return False
        if len(self) != len(other):
            return False
        for k in range(len(self)):
            mine = load(entries_of(self), head_of(self) + k)
            if not are_equal(mine, load(entries_of(other), head_of(other) + k)):
                return False
        return True

    def __iadd__(self, other):
        self.extend(other)
        return self

    def append(self, value):
        refuse_in_loop(self)
        limit = limit_of(self)
        if limit is None:
            entries_of(self).append(value)
        elif limit > 0:
            entries_of(self).append(value)
            if len(self) > limit:
                self.popleft()

    def appendleft(self, value):
        refuse_in_loop(self)
        limit = limit_of(self)
        if limit is None:
            put_left(self, value)
        elif limit > 0:
            put_left(self, value)
            if len(self) > limit:
                self.pop()

    def pop(self):
        refuse_in_loop(self)
        if is_unused(self):
            raise IndexError(EMPTY)
        items = entries_of(self)
        if size_of(items) == head_of(self):
            raise IndexError(EMPTY)
        last = size_of(items) - 1
        value = load(items, last)
        resize(items, last)
        return value

    def popleft(self):
        refuse_in_loop(self)
        if is_unused(self):
            raise IndexError(EMPTY)
        items = entries_of(self)
        head = head_of(self)
        if size_of(items) == head:
            raise IndexError(EMPTY)
        value = load(items, head)
        set_head(self, head + 1)
        if head >= LEAST and 2 * head >= size_of(items):
            align(self)
        return value

    def extend(self, items):
        if is_deque(items) or has_places(items):  # they are counted once, since it may be the deque itself
            copied = [item for item in items]
            for k in range(size_of(copied)):
                self.append(load(copied, k))
        else:
            for item in items:
                self.append(item)

    def extendleft(self, items):
        if is_deque(items) or has_places(items):
            copied = [item for item in items]
            for k in range(size_of(copied)):
                self.appendleft(load(copied, k))
        else:
            for item in items:
                self.appendleft(item)

    def clear(self):
        refuse_in_loop(self)
        entries_of(self).clear()
        set_head(self, 0)

    def copy(self):
        new = new_deque(self)
        items = entries_of(self)
        for k in range(head_of(self), size_of(items)):
            new.append(load(items, k))
        return new

    def count(self, value):
        total = 0
        items = entries_of(self)
        for k in range(head_of(self), size_of(items)):
            if are_equal(load(items, k), value):
                total += 1
        return total

    def reverse(self):
        refuse_in_loop(self)
        align(self)
        entries_of(self).reverse()

    def rotate(self, n=1):
        refuse_in_loop(self)
        if len(self) > 0:
            for _ in range(position(n) % len(self)):
                put_left(self, self.pop())


Deque.__name__ = "deque"


def put_left(queue, value):
    items = entries_of(queue)
    head = head_of(queue)
    if head > 0:
        store(items, head - 1, value)
        set_head(queue, head - 1)
    elif size_of(items) == 0:
        items.append(value)
    else:
        size = size_of(items)
        room = max(size, LEAST)
        reserve(items, size + room)
        resize(items, size + room)
        for k in range(size - 1, -1, -1):
            move(items, k, k + room)
        store(items, room - 1, value)
        set_head(queue, room - 1)
