"""What functions read whose results `functools` keeps is not changed unseen: CPython would give the old results."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import pytest

import weft


@dataclass
class Settings:
    factor: int = 2


class Units:
    FACTOR = 2


SCALE, WEIGHT, NAME, PAIR, SETTINGS = 2, 0.5, "two", (1, 2), Settings()
ROOT, WHOLE = math.sqrt, Settings(3)


def helper(x):
    return x + SCALE


@functools.cache
def of_a_number(x):
    return x * SCALE


@functools.lru_cache(maxsize=None)
def of_a_float(x):
    return x * WEIGHT


@functools.cache
def of_a_text(x):
    return x * 2 if NAME == "two" else x


@functools.cache
def of_a_tuple(x):
    return x * PAIR[1]


@functools.cache
def of_a_field(x):
    return x * SETTINGS.factor


@functools.cache
def of_a_class(x):
    return x * Units.FACTOR


@functools.cache
def of_a_helper(x):
    return helper(x)


@functools.cache
def of_a_builtin(x):
    return ROOT(x + 1) * 2


@functools.cache
def of_an_object(x):
    return x * WHOLE.factor


@functools.cache
def of_another_cache(x):
    return of_a_number(x) + 1


CHANGES = {
    of_a_number: ("SCALE", 3), of_a_float: ("WEIGHT", 0.25), of_a_text: ("NAME", "three"), of_a_tuple: ("PAIR", (1, 5)),
    of_a_field: ("factor", 7), of_a_class: ("FACTOR", 8), of_a_helper: ("SCALE", 9), of_another_cache: ("SCALE", 4),
    of_a_builtin: ("ROOT", math.exp), of_an_object: ("WHOLE", Settings(5)),
}  # fmt: skip


def owner_of(name):
    return {"factor": SETTINGS, "FACTOR": Units}.get(name)


@pytest.mark.sample(3)
@pytest.mark.parametrize("device", ["interpreter", "cpu"])
@pytest.mark.parametrize("kept", CHANGES, ids=lambda f: f.__name__)
def test_a_change_of_what_is_read_is_refused_until_the_cache_is_cleared(kept, device, monkeypatch):
    def twice(n):
        return kept(n) + kept(n)

    def change(value):
        owner = owner_of(name)
        if owner is None:
            monkeypatch.setitem(globals(), name, value)
        else:
            monkeypatch.setattr(owner, name, value)

    def clear():
        of_a_number.cache_clear()
        kept.cache_clear()

    (name, new), old = CHANGES[kept], None
    old = globals().get(name, getattr(owner_of(name), name, None))
    clear()
    compiled = weft.jit(twice, device=device)
    before = compiled(3)
    assert before == compiled(3) == twice(3)
    change(new)
    for _ in range(2):
        with pytest.raises(weft.UnsupportedError, match=f"'{name}' is another one now"):
            compiled(3)
    change(old)
    assert compiled(3) == before
    change(new)
    clear()
    assert before != compiled(3) == compiled(3) == twice(3)
    change(old)
    with pytest.raises(weft.UnsupportedError, match="cache_clear"):
        compiled(3)


def test_another_function_of_the_same_text_is_no_change(monkeypatch):
    def twice(n):
        return of_a_helper(n) * 2

    of_a_helper.cache_clear()
    compiled = weft.jit(twice, device="interpreter")
    assert compiled(1) == twice(1)
    text = type(helper)(helper.__code__, globals(), "helper")
    monkeypatch.setitem(globals(), "helper", text)
    assert compiled(1) == twice(1)
