"""Dicts whose keys are known when compiling, written in the language that Weft compiles.

What is said of keys and values are the functions at the top: `weft.frontend.values.dicts` translates them.
"""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

from weft.errors import UnsupportedError


def keys_of(items):
    """The keys, as a tuple."""


def values_of(items):
    """The values, as a tuple."""


def items_of(items):
    """Pairs of a key and a value, as a tuple."""


def view_of(items, kind):
    """What shows the keys, the values or the pairs of a dict, by the number of these."""


def find(items, key):
    """The value of a key; KeyError where it is none."""


def find_or(items, key, default):
    """The value of a key, or another one."""


def assign(items, key, value):
    """Give a key a value."""


def are_equal_dicts(items, other):
    """Whether two dicts have equal items; if lists hold neither of them, translate again with computed keys."""


def equals_table(items, table):
    """Whether a dict that lists hold equals one whose keys are computed."""
    if len(keys_of(items)) != len(table):
        return False
    return all(key in table and are_alike(value, table[key]) for key, value in items_of(items))


def are_alike(item, value):
    """Whether two values of dicts are equal."""
    if item == value:
        return True
    if item != item and value != value:
        raise UnsupportedError("a NaN in a dict is compared with a NaN; they are equal only if they are one object")
    return False


def copy_of(items):
    """A copy of a dict that lists hold; for other dicts, translate again with computed keys."""


def become_table(items):
    """Begin anew with a dict whose keys are computed."""


class Dict:
    """The class of dicts in compiled code."""

    def __len__(self):
        return len(keys_of(self))

    def __getitem__(self, key):
        return find(self, key)

    def __setitem__(self, key, value):
        assign(self, key, value)

    def __contains__(self, key):
        return key in keys_of(self)

    def get(self, key, default=None):
        return find_or(self, key, default)

    def __delitem__(self, key):
        become_table(self)

    def __eq__(self, other):
        return are_equal_dicts(self, other)

    def setdefault(self, key, default=None):
        become_table(self)

    def pop(self, key, *default):
        become_table(self)

    def popitem(self):
        become_table(self)

    def clear(self):
        become_table(self)

    def copy(self):
        return copy_of(self)

    def update(self, other):
        become_table(self)

    def keys(self):
        return view_of(self, 0)

    def values(self):
        return view_of(self, 1)

    def items(self):
        return view_of(self, 2)


Dict.__name__ = "dict"


class Record(Dict):
    """The base of the classes of dicts that lists hold."""

    keys_of_all = ()
