"""Captured values are read anew at every call, and assigned ones are written back."""

from __future__ import annotations

import dataclasses
import gc
import sys
import types
import weakref

import numpy as np
import pytest

import weft

DEVICES = ("interpreter", "cpu")
FACTOR = 2.0
DATA = np.arange(4.0)
COUNT = 0


@dataclasses.dataclass
class Settings:
    scale: float
    shift: int


SETTINGS = Settings(1.0, 2)


@pytest.mark.parametrize("device", DEVICES)
def test_global_number_is_read_at_every_call(device, monkeypatch):
    function = weft.jit(lambda x: x * FACTOR, device=device)
    assert function(3.0) == 6.0
    monkeypatch.setitem(globals(), "FACTOR", 5.0)
    assert function(3.0) == 15.0
    monkeypatch.setitem(globals(), "FACTOR", 5)
    assert function(3) == 15
    assert isinstance(function(3), int)


@pytest.mark.parametrize("device", DEVICES)
def test_global_array_is_read_at_every_call(device, monkeypatch):
    def total():
        s = 0.0
        for i in range(len(DATA)):
            s += DATA[i]
        return s

    function = weft.jit(total, device=device)
    assert function() == 6.0
    monkeypatch.setitem(globals(), "DATA", np.ones(10))
    assert function() == 10.0
    monkeypatch.setitem(globals(), "DATA", np.ones(10)[::2])
    assert function() == 5.0


@pytest.mark.parametrize("device", DEVICES)
def test_captured_dataclass(device):
    function = weft.jit(lambda x: x * SETTINGS.scale + SETTINGS.shift, device=device)
    assert function(3.0) == 5.0
    SETTINGS.scale = 10.0
    try:
        assert function(3.0) == 32.0
    finally:
        SETTINGS.scale = 1.0


def make(number):
    def scaled(x):
        return x * number

    return scaled


def test_a_thousand_closures_over_one_code_are_one_specialisation():
    functions = [weft.jit(make(k)) for k in range(1000)]
    assert [f(2) for f in functions] == [2 * k for k in range(1000)]
    assert len({id(s) for f in functions for s in f._callee.specialisations}) == 1


@pytest.mark.parametrize("run", ["jit", "parallel_for", "argument"])
def test_captured_arrays_are_let_go(run):
    data = np.zeros(5)
    watch = weakref.ref(data)

    def fill(i):
        data[i] = 2.0 * i  # noqa: F821

    if run == "jit":
        weft.jit(fill)(1)
    elif run == "parallel_for":
        weft.parallel_for(5, fill)
    else:
        weft.jit(lambda function, i: function(i))(fill, 1)
    assert data[1] == 2.0
    del data, fill
    gc.collect()
    assert watch() is None


def test_variant_is_made_by_the_function_that_is_still_there():
    def make(number):
        def shift(a, b):
            for i in range(len(a) - 1):
                b[i + 1] = a[i] + number

        return weft.jit(shift)

    first, second = make(1.0), make(2.0)
    first(np.zeros(3), np.zeros(3))
    second(np.zeros(3), np.zeros(3))
    del second
    gc.collect()
    a = np.zeros(3)
    first(a, a)
    np.testing.assert_array_equal(a, [0.0, 1.0, 2.0])


def test_array_captured_and_passed_is_found_to_alias():
    data = np.arange(5.0)

    @weft.jit
    def shift(a):
        for i in range(len(a) - 1):
            a[i + 1] = data[i] + 1.0

    shift(data)
    np.testing.assert_array_equal(data, [0.0, 1.0, 2.0, 3.0, 4.0])


@pytest.mark.parametrize("device", DEVICES)
def test_nonlocal_is_written_back(device):
    total = 1

    @weft.jit(device=device)
    def add(a):
        nonlocal total
        for i in range(len(a)):
            total += a[i]

    add(np.arange(4))
    assert total == 7
    add(np.arange(3))
    assert total == 10


@pytest.mark.parametrize("device", DEVICES)
def test_global_is_written_back(device, monkeypatch):
    monkeypatch.setitem(globals(), "COUNT", 0)

    @weft.jit(device=device)
    def count(a):
        global COUNT
        for i in range(len(a)):
            if a[i] > 0:
                COUNT += 1
        return COUNT

    assert count(np.array([1, -1, 2])) == 2
    assert COUNT == 2
    assert count(np.array([1, -1, 2])) == 4
    assert COUNT == 4


def test_helper_of_another_module_has_its_own_globals():
    module = types.ModuleType("weft_test_helper_module")
    source = "LIMIT = 3\ndef clip(x):\n    return x if x < LIMIT else LIMIT\n"
    import linecache
    import sys

    linecache.cache["<weft test>"] = (len(source), None, source.splitlines(True), "<weft test>")
    exec(compile(source, "<weft test>", "exec"), vars(module))
    sys.modules[module.__name__] = module
    try:
        clip = module.clip
        function = weft.jit(lambda x: clip(x))
        assert function(7) == 3
        module.LIMIT = 5
        assert function(7) == 5
        through_module = weft.jit(lambda x: module.clip(x) + module.LIMIT)
        assert through_module(7) == 10
        module.LIMIT = 1
        assert through_module(7) == 2
    finally:
        del sys.modules[module.__name__]


def helper(x):
    return x + 1


def test_helper_put_in_anothers_place_is_used(monkeypatch):
    function = weft.jit(lambda x: helper(x))
    assert function(1) == 2
    monkeypatch.setitem(globals(), "helper", lambda x: x + 10)
    assert function(1) == 11


def test_mutable_container_is_refused():
    numbers, mixed = {1, 2, 3}, [1, 2.5]
    with pytest.raises(weft.Error, match="numbers"):
        weft.jit(lambda: 1 in numbers)()
    with pytest.raises(weft.Error, match="mixed"):
        weft.jit(lambda: mixed[0])()


class Limits:
    low = 1.0


@dataclasses.dataclass
class Base:
    x: float
    scale = 2.0

    def value(self):
        return self.x * self.scale


@dataclasses.dataclass
class Derived(Base):
    y: float = 0.0


@pytest.mark.parametrize("device", DEVICES)
def test_attribute_of_a_class_that_changes(device, monkeypatch):
    function = weft.jit(lambda x: x * Limits.low, device=device)
    assert function(3.0) == 3.0
    monkeypatch.setattr(Limits, "low", 4.0)
    assert function(3.0) == 12.0


@pytest.mark.parametrize("device", DEVICES)
def test_method_that_changes(device, monkeypatch):
    function = weft.jit(lambda p: p.value(), device=device)
    assert function(Derived(3.0)) == 6.0
    monkeypatch.setattr(Base, "scale", 5.0)
    assert function(Derived(3.0)) == 15.0
    monkeypatch.setattr(Base, "value", lambda self: self.x + 100.0)
    assert function(Derived(3.0)) == 103.0


def helper_with_default(x, by=2):
    return x * by


def digest_of(function):
    from weft.frontend.source.fingerprint import fingerprint

    return fingerprint(function).digest


def test_default_of_a_helper_is_part_of_the_key(monkeypatch):
    function = lambda x: helper_with_default(x)  # noqa: E731
    before = digest_of(function)
    monkeypatch.setattr(helper_with_default, "__defaults__", (3,))
    assert digest_of(function) != before


def test_function_in_a_module_in_a_module_is_part_of_the_key():
    package, inner = types.ModuleType("weft_test_package"), types.ModuleType("weft_test_package.inner")
    package.inner = inner
    inner.scale = lambda x: x * 2
    function = lambda x: package.inner.scale(x)  # noqa: E731
    before = digest_of(function)
    inner.scale = lambda x: x * 3
    assert digest_of(function) != before


def test_attribute_of_a_class_is_part_of_the_key(monkeypatch):
    function = lambda x: x * Limits.low  # noqa: E731
    before = digest_of(function)
    monkeypatch.setattr(Limits, "low", 2.0)
    assert digest_of(function) != before


AXIS = 1
RANK = 2


def test_an_axis_that_is_captured_is_part_of_the_specialisation(monkeypatch):
    @weft.jit
    def turned(a):
        return np.swapaxes(a, 0, AXIS).shape

    a = np.zeros((2, 3, 4))
    assert turned(a) == (3, 2, 4)
    monkeypatch.setattr(sys.modules[__name__], "AXIS", 2)
    assert turned(a) == (4, 3, 2)
    monkeypatch.setattr(sys.modules[__name__], "AXIS", 1)
    assert turned(a) == (3, 2, 4)
    assert len(turned.specialisations) == 2


def test_closures_over_axes_are_told_apart():
    def made(axis):
        @weft.jit
        def turned(a):
            return np.transpose(a, (axis, 1 - axis)).shape

        return turned

    a = np.zeros((2, 3))
    assert [made(axis)(a) for axis in (0, 1, 0)] == [(2, 3), (3, 2), (2, 3)]


def test_a_rank_that_is_captured():
    @weft.jit
    def cube(n):
        return np.zeros((n,) * RANK)

    assert cube(3).shape == (3, 3)


def test_a_position_in_a_tuple_of_different_types():
    @weft.jit
    def chosen(t):
        return t[AXIS]

    assert chosen((1.0, 2, None)) == 2


def test_the_sign_of_an_exponent_that_is_captured():
    @weft.jit
    def power(x):
        return x**RANK

    assert power(5) == 25
