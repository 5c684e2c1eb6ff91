"""Views of dicts with constant keys show what the dict has when they are read."""

from __future__ import annotations

import pytest

import weft
from weft.errors import UnsupportedError


def total(view):
    return sum(view)


def shown(n):
    d = {"a": n, "b": 2}
    values, pairs, keys = d.values(), d.items(), d.keys()
    before = sum(values), len(keys)
    d["a"] = 5
    d["b"] += 7
    found = sum(values), max(values), [b for _, b in pairs], total(values), 12 in values
    for i in range(3):
        d["a"] += i
        n += total(values)
    d["zz"] = 1
    return before, found, n, len(keys), list(keys), "zz" in keys, len(pairs)


def test_views_follow_their_dict():
    assert weft.jit(shown)(3) == shown(3)


@pytest.mark.parametrize(
    "function",
    [
        lambda n: {"a": n}.keys() == {"a": n}.keys(),
        lambda n: {"a": n, "b": n}.values()[0],
        lambda n: {"a": n, "b": n}.values() + (n,),
        lambda n: str({"a": n, "b": n}.items()),
    ],
    ids=["compared", "subscripted", "joined", "text"],
)
def test_views_are_no_tuples(function):
    with pytest.raises(UnsupportedError, match="keys, values or items of a dict are compared"):
        weft.jit(function)(1)
