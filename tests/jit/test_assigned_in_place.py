"""Code and default values that are assigned in place are noticed, of the function itself and of all that it reaches."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest

import weft


def replacement(x, k=2):
    return x * 50 + k


def one_more(x):
    return x + 1


def make_helper():
    def helper(x, k=2, *, m=1):
        return x * k + m

    return helper


def direct():
    helper = make_helper()

    def call(a):
        return helper(a[0])

    return call, helper


def transitive():
    helper = make_helper()

    def between(x):
        return helper(x) + 1.0

    def call(a):
        return between(a[0])

    return call, helper


def compiled():
    helper = make_helper()
    jitted = weft.jit(helper)

    def call(a):
        return jitted(a[0])

    return call, helper


def method():
    helper = make_helper()

    class Holder:
        scaled = staticmethod(helper)

    def call(a):
        return Holder.scaled(a[0])

    return call, helper


def of_module():
    helper = make_helper()
    module = types.ModuleType("module_of_helpers")
    module.helper = helper
    sys.modules[module.__name__] = module

    def call(a):
        return module.helper(a[0])

    return call, helper


def in_loop():
    helper = make_helper()

    def call(a):
        total = 0.0
        for i in range(a.shape[0]):
            total += helper(a[i])
        return total

    return call, helper


def assign_defaults(helper):
    helper.__defaults__ = (7,)


def assign_other_type(helper):
    helper.__defaults__ = (2.5,)


def assign_keyword_defaults(helper):
    helper.__kwdefaults__ = {"m": 9}


def change_keyword_defaults(helper):
    helper.__kwdefaults__["m"] = 11


def assign_code(helper):
    helper.__kwdefaults__ = None
    helper.__code__ = replacement.__code__


CHANGES = [assign_defaults, assign_other_type, assign_keyword_defaults, change_keyword_defaults, assign_code]


@pytest.mark.parametrize("form", [direct, transitive, compiled, method, of_module, in_loop], ids=lambda f: f.__name__)
@pytest.mark.parametrize("change", CHANGES, ids=lambda c: c.__name__)
def test_a_helper_that_is_changed_in_place(form, change):
    plain, helper = form()
    function, a = weft.jit(plain), np.array([2.0, 3.0])
    for _ in range(3):  # the last ones by the entry stub alone
        assert function(a) == plain(a)
    before, held = plain(a), (helper.__code__, helper.__defaults__, dict(helper.__kwdefaults__))
    change(helper)
    for _ in range(3):
        assert function(a) == plain(a) != before
    helper.__code__, helper.__defaults__, helper.__kwdefaults__ = held
    for _ in range(3):
        assert function(a) == plain(a) == before


@pytest.mark.parametrize("change", CHANGES, ids=lambda c: c.__name__)
def test_the_function_itself_that_is_changed_in_place(change):
    plain = make_helper()
    function = weft.jit(plain)
    for _ in range(3):
        assert function(2.0) == plain(2.0) == function(2.0, 2)
    change(plain)
    for _ in range(3):
        assert function(2.0) == plain(2.0)
        assert function(2.0, 3) == plain(2.0, 3)


def test_a_function_of_another_number_of_parameters():
    def plain(a, b):
        return a[0] - b

    def other(a):
        return a[0] * 4.0

    function, a = weft.jit(plain), np.array([2.0])
    for _ in range(3):
        assert function(a, 5.0) == -3.0
    plain.__code__ = other.__code__
    for _ in range(3):
        assert function(a) == 8.0
    with pytest.raises(TypeError, match="positional argument"):
        function(a, 5.0)


def test_a_default_that_is_taken_away():
    def plain(x, k=2.0):
        return x * k

    function = weft.jit(plain)
    assert [function(3.0) for _ in range(3)] == [6.0] * 3
    plain.__defaults__ = None
    with pytest.raises(TypeError, match="missing a required argument"):
        function(3.0)
    assert function(3.0, 3.0) == 9.0


def test_a_function_that_is_an_argument():
    helper = make_helper()
    function = weft.jit(lambda f, x: f(x))
    assert function(helper, 2.0) == helper(2.0) == 5.0
    helper.__defaults__ = (10,)
    assert function(helper, 2.0) == helper(2.0) == 21.0
