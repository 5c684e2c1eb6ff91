"""Dicts and sets whose keys are computed, written in the language that Weft compiles.

The keys lie in a list in the order in which they came, the values in another one. An array of slots, whose number is a
power of two, finds the place of a key: the search begins at the slot that its hash says, and goes on to the next ones.
What is said of memory are the functions at the top: `weft.frontend.values.tables` translates them.
"""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import math

import numpy as np

from weft.errors import UnsupportedError
from weft.frontend.calls.library_dicts import are_alike, equals_table
from weft.frontend.calls.library_lists import load, position, size_of

CHANGED = "a dict or set becomes longer or shorter while a loop runs over it"
OTHER = "a new key has another type than the keys that are there: convert it, for example with int(...)"
FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
NAN = "NaN is a key of a dict or set: two NaN are one key if they are one object"
LARGE = "a key of a dict or set is infinite, or a float from 2**63 on"
LARGEST, FRACTIONS = 2.0**63, 2.0**53
SHIFT, END = np.uint64(29), np.uint64(2)


def keys_of(table):
    """The list of the keys."""


def values_of(table):
    """The list of the values."""


def slots_of(table):
    """The array of slots: the place of a key, or -1."""


def set_slots(table, slots):
    """Use another array of slots."""


def is_never_filled(table):
    """Whether nothing is ever stored in it."""


def fits(table, key):
    """Whether a key has the type of the keys that are there."""


def is_looped_over(table):
    """Whether this stands in a loop that runs over the table."""


def words_of(key):
    """The numbers in a key, as a tuple of np.uint64."""


def missing(key):
    """Raise KeyError."""


def default_of(table):
    """Call the function of a defaultdict."""


def new_like(table):
    """An empty table of the same kind."""


def table_of(view):
    """The dict that a view shows."""


def view_keys(table):
    """The keys as Python shows them: what comes later is seen."""


def view_values(table):
    """The values in the same way."""


def view_items(table):
    """Pairs of both in the same way."""


def is_counts(value):
    """Whether a value is a Counter."""


def is_table(value):
    """Whether a value is a dict with computed keys."""


def is_record(value):
    """Whether a value is a dict that lists hold."""


def is_set(value):
    """Whether a value is a set."""


def float_word(number):
    """A word for a float: that of the int which it is equal to, if there is one."""
    if number != number:
        raise UnsupportedError(NAN)
    if abs(number) >= LARGEST:
        raise UnsupportedError(LARGE)
    whole = math.floor(number)
    return whole + int((number - whole) * FRACTIONS)


def hash_of(key):
    found = np.uint64(0)
    for word in words_of(key):
        found = (found ^ word) * FIRST
        found = (found ^ (found >> SHIFT)) * SECOND
    return int(found >> END)


def place_of(table, key):
    """The place of a key in the list of keys; -1 where it is none."""
    found = -1
    if not is_never_filled(table):
        slots = slots_of(table)
        count = slots.shape[0]
        if count > 0:
            keys = keys_of(table)
            slot = hash_of(key) % count
            while found < 0 and slots[slot] >= 0:
                place = int(slots[slot])
                if load(keys, place) == key:
                    found = place
                slot = (slot + 1) % count
    return found


def enter(slots, hashed, place):
    """Note the place of a key that is not there yet."""
    count = slots.shape[0]
    slot = hashed % count
    while slots[slot] >= 0:
        slot = (slot + 1) % count
    slots[slot] = place


def index(table, count):
    """Fill a new array of slots."""
    slots = np.empty(count, np.int64)
    for k in range(count):
        slots[k] = -1
    keys = keys_of(table)
    for k in range(size_of(keys)):
        enter(slots, hash_of(load(keys, k)), k)
    set_slots(table, slots)


def add(table, key):
    """Append a key that is not there yet."""
    if is_looped_over(table):
        raise UnsupportedError(CHANGED)
    if not fits(table, key):
        raise UnsupportedError(OTHER)
    keys = keys_of(table)
    size = size_of(keys)
    keys.append(key)
    count = slots_of(table).shape[0]
    if 2 * size >= count:
        index(table, 2 * count + 8)
    else:
        enter(slots_of(table), hash_of(key), size)


def take(table, place):
    """Take a key out."""
    if is_looped_over(table):
        raise UnsupportedError(CHANGED)
    keys_of(table).pop(place)
    index(table, slots_of(table).shape[0])


class Table:
    """The class of dicts whose keys are computed."""

    def __len__(self):
        return size_of(keys_of(self))

    def __contains__(self, key):
        return place_of(self, key) >= 0

    def __getitem__(self, key):
        if is_never_filled(self):
            missing(key)
        place = place_of(self, key)
        if place < 0:
            missing(key)
        return load(values_of(self), place)

    def __setitem__(self, key, value):
        place = place_of(self, key)
        if place < 0:
            add(self, key)
            values_of(self).append(value)
        else:
            values_of(self)[place] = value

    def __delitem__(self, key):
        place = place_of(self, key)
        if place < 0:
            missing(key)
        take(self, place)
        values_of(self).pop(place)

    def __eq__(self, other):
        if is_record(other):
            return equals_table(other, self)
        if not is_table(other):
            return False
        if len(self) != len(other):
            return False
        for k in range(len(self)):
            place = place_of(other, load(keys_of(self), k))
            if place < 0:
                return False
            if not are_alike(load(values_of(self), k), load(values_of(other), place)):
                return False
        return True

    def keys(self):
        return view_keys(self)

    def values(self):
        return view_values(self)

    def items(self):
        return view_items(self)

    def get(self, key, default=None):
        if is_never_filled(self):
            return default
        place = place_of(self, key)
        return default if place < 0 else load(values_of(self), place)

    def setdefault(self, key, default=None):
        place = place_of(self, key)
        if place < 0:
            place = size_of(keys_of(self))
            add(self, key)
            values_of(self).append(default)
        return load(values_of(self), place)

    def pop(self, key, *default):
        place = place_of(self, key)
        if place < 0:
            if len(default) == 0:
                missing(key)
            return default[0]
        value = load(values_of(self), place)
        take(self, place)
        values_of(self).pop(place)
        return value

    def popitem(self):
        place = size_of(keys_of(self)) - 1
        if place < 0:
            raise KeyError("popitem(): dictionary is empty")
        key = load(keys_of(self), place)
        value = load(values_of(self), place)
        take(self, place)
        values_of(self).pop(place)
        return key, value

    def clear(self):
        if is_looped_over(self):
            raise UnsupportedError(CHANGED)
        keys_of(self).clear()
        values_of(self).clear()
        set_slots(self, np.empty(0, np.int64))

    def copy(self):
        new = new_like(self)
        new.update(self)
        return new

    def update(self, other):
        if is_table(other):
            for k in range(len(other)):
                self[load(keys_of(other), k)] = load(values_of(other), k)
        else:
            for key, value in other:
                self[key] = value


Table.__name__ = "dict"


class DefaultTable(Table):
    """The class of ``collections.defaultdict``."""

    def __getitem__(self, key):
        place = place_of(self, key)
        if place < 0:
            value = default_of(self)
            place = size_of(keys_of(self))
            add(self, key)
            values_of(self).append(value)
        return load(values_of(self), place)


DefaultTable.__name__ = "defaultdict"


class Counts(Table):
    """The class of ``collections.Counter``."""

    def __getitem__(self, key):
        if is_never_filled(self):
            return 0
        place = place_of(self, key)
        return 0 if place < 0 else load(values_of(self), place)

    def update(self, items):
        if is_table(items):
            for k in range(len(items)):
                key = load(keys_of(items), k)
                self[key] = self[key] + load(values_of(items), k)
        else:
            for item in items:
                self[item] = self[item] + 1

    def __eq__(self, other):
        if not is_counts(other):
            return Table.__eq__(self, other)
        mine = all(self[key] == other[key] for key in keys_of(self))
        return mine and all(self[key] == other[key] for key in keys_of(other))

    def total(self):
        return sum(values_of(self))

    def most_common(self, n=None):
        pairs = [(load(keys_of(self), k), load(values_of(self), k)) for k in range(len(self))]
        pairs.sort(key=second, reverse=True)
        return pairs if n is None else pairs[: max(position(n), 0)]


Counts.__name__ = "Counter"


def second(pair):
    return pair[1]


class Set:
    """The class of sets."""

    def __len__(self):
        return size_of(keys_of(self))

    def __contains__(self, key):
        return place_of(self, key) >= 0

    def add(self, key):
        if place_of(self, key) < 0:
            add(self, key)

    def discard(self, key):
        place = place_of(self, key)
        if place >= 0:
            take(self, place)

    def remove(self, key):
        place = place_of(self, key)
        if place < 0:
            missing(key)
        take(self, place)

    def clear(self):
        if is_looped_over(self):
            raise UnsupportedError(CHANGED)
        keys_of(self).clear()
        set_slots(self, np.empty(0, np.int64))

    def copy(self):
        new = new_like(self)
        new.update(self)
        return new

    def update(self, *others):
        for other in others:
            for item in items_of(other):
                self.add(item)

    def union(self, *others):
        new = self.copy()
        new.update(*others)
        return new

    def intersection(self, other):
        new = new_like(self)
        if is_set(other) and len(self) < len(other):  # CPython keeps the elements of the shorter one: 1, 1.0 or True
            for item in items_of(self):
                if item in other:
                    new.add(item)
        else:
            for item in items_of(other):
                if item in self:
                    new.add(item)
        return new

    def difference(self, other):
        new = self.copy()
        for item in items_of(other):
            new.discard(item)
        return new

    def issubset(self, other):
        return all(item in other for item in keys_of(self))

    def isdisjoint(self, other):
        return all(item not in self for item in items_of(other))

    def __or__(self, other):
        return self.union(other) if is_set(other) else NotImplemented

    def __and__(self, other):
        return self.intersection(other) if is_set(other) else NotImplemented

    def __sub__(self, other):
        return self.difference(other) if is_set(other) else NotImplemented

    def __ior__(self, other):
        if not is_set(other):
            return NotImplemented
        self.update(other)
        return self

    def __isub__(self, other):
        if not is_set(other):
            return NotImplemented
        for item in keys_of(other):
            self.discard(item)
        return self

    def __iand__(self, other):
        if not is_set(other):
            return NotImplemented
        both = self.intersection(other)
        self.clear()
        self.update(both)
        return self

    def __eq__(self, other):
        if not is_set(other):
            return False
        return len(self) == len(other) and self.issubset(other)

    def __le__(self, other):
        return self.issubset(other) if is_set(other) else NotImplemented


Set.__name__ = "set"


def items_of(items):
    """What a method of sets may run over in any order."""
    return keys_of(items) if is_set(items) else items


class Keys:
    """The class of ``d.keys()``."""

    def __len__(self):
        return size_of(keys_of(table_of(self)))

    def __contains__(self, key):
        return place_of(table_of(self), key) >= 0


class Values:
    """The class of ``d.values()``."""

    def __len__(self):
        return size_of(keys_of(table_of(self)))

    def __contains__(self, value):
        return value in values_of(table_of(self))


class Items:
    """The class of ``d.items()``."""

    def __len__(self):
        return size_of(keys_of(table_of(self)))
