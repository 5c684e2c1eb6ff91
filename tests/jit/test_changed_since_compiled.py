"""Parts of a program that change after it was compiled: defaults, builtins, libraries, twins of a function."""

from __future__ import annotations

import builtins
import dataclasses
import itertools
import math
import sys
import types
from typing import Any

import numpy as np
import pytest

import weft

DEVICES = ("interpreter", "cpu")
everywhere = pytest.mark.parametrize("device", DEVICES)


@dataclasses.dataclass
class Point:
    x: Any


def of_default(held):
    def helper(x, p=held):
        return x * p.x

    return helper


def of_keyword_default(held):
    def helper(x, *, p=held):
        return x * p.x

    return helper


def of_tuple_default(held):
    def helper(x, p=(1, held)):
        return x * p[1].x

    return helper


@everywhere
@pytest.mark.parametrize("made", [of_default, of_keyword_default, of_tuple_default], ids=lambda f: f.__name__)
def test_a_field_of_a_default_value(device, made):
    held = Point(2.0)
    helper = made(held)

    def plain(x):
        return helper(x)

    compiled = weft.jit(plain, device=device)
    for held.x in (2.0, 5.0, 5, True, -0.0, 0.0, 2.0):
        for _ in range(3):
            assert repr(compiled(1.0)) == repr(plain(1.0))


@everywhere
@pytest.mark.parametrize("name", ["pow", "divmod"])
def test_a_builtin_that_is_replaced(device, name, monkeypatch):
    def plain(a):
        s = 0.0
        for i in range(a.shape[0]):
            s += pow(a[i], 2.0) + divmod(a[i], 3.0)[0]
        return s

    other = {"pow": lambda x, y: x - y, "divmod": lambda x, y: (x, y)}[name]
    compiled, a = weft.jit(plain, device=device), np.array([1.0, -2.0, 9.5])
    before = [compiled(a) for _ in range(3)]
    assert before == [plain(a)] * 3
    with monkeypatch.context() as patch:
        patch.setattr(builtins, name, other)
        after, expected = [compiled(a) for _ in range(3)], [plain(a)] * 3
    assert after == expected != before
    assert compiled(a) == before[0]


def nine(x):
    return 9.0


REPLACED = {
    "np.sqrt": (np, "sqrt", nine, lambda x: np.sqrt(x) + 1.0),
    "math.sqrt": (math, "sqrt", nine, lambda x: math.sqrt(x) + 1.0),
    "math.pi": (math, "pi", 3.0, lambda x: x * math.pi),
    "np.pi": (np, "pi", 3.0, lambda x: x * np.pi),
}


@everywhere
@pytest.mark.parametrize("case", REPLACED)
def test_a_part_of_a_library_that_is_replaced(device, case, monkeypatch):
    module, name, other, plain = REPLACED[case]
    compiled = weft.jit(plain, device=device)
    before = [compiled(4.0) for _ in range(3)]
    with monkeypatch.context() as patch:
        patch.setattr(module, name, other)
        after, expected = [compiled(4.0) for _ in range(3)], [plain(4.0)] * 3
        assert weft.jit(lambda x: plain(x), device=device)(4.0) == expected[0]
    assert after == expected != before == [plain(4.0)] * 3
    assert compiled(4.0) == before[0]


@everywhere
def test_two_functions_that_use_different_names_of_a_module(device, monkeypatch):
    module: Any = types.ModuleType("module_of_two_names")
    module.first, module.second = nine, nine
    monkeypatch.setitem(sys.modules, module.__name__, module)

    def helper(x):
        return module.second(x)

    def plain(x):
        return module.first(x) + helper(x)

    compiled = weft.jit(plain, device=device)
    for name, other in itertools.product(("second", "first"), (lambda x: x * 2.0, nine)):
        setattr(module, name, other)
        for _ in range(3):
            assert compiled(1.0) == plain(1.0)


def shifted(function, *given):
    """A call that needs another variant than one whose arguments do not overlap."""
    a = np.arange(7.0)
    function(*given, a[1:], a[:-1])
    return a.tolist()


def twins(number):
    """Functions of one content, each with a helper of its own."""
    for _ in range(number):

        def helper(x, k=2.0):
            return x * k

        yield helper, (lambda helper: lambda a, b: each(helper, a, b))(helper)


def each(helper, a, b):
    for i in range(a.shape[0]):
        a[i] = helper(b[i])


def change_defaults(helper):
    helper.__defaults__ = (100.0,)


def change_code(helper):
    helper.__code__ = (lambda x, k=2.0: x * k + 7.0).__code__


@pytest.mark.parametrize("store", ["cold", "warm"])
@pytest.mark.parametrize("changed", [0, 1, 2])
@pytest.mark.parametrize("change", [change_defaults, change_code])
def test_a_variant_is_not_made_from_a_twin_that_changed(store, changed, change, monkeypatch):
    """With a warm store the program is first made when the second variant is needed."""
    monkeypatch.setattr(
        "weft.runtime.dispatch.callee._specialisations", type(weft.runtime.dispatch.callee._specialisations)()
    )
    monkeypatch.setattr("weft.runtime.dispatch.callee._recent", {})
    if store == "warm":
        for _, plain in twins(1):
            weft.jit(plain, device="cpu")(np.arange(6.0), np.arange(6.0))
        weft.runtime.dispatch.callee._specialisations.clear()
        weft.runtime.dispatch.callee._recent.clear()
    made = list(twins(3))
    compiled = [weft.jit(plain, device="cpu") for _, plain in made]
    for function in compiled:
        function(np.arange(6.0), np.arange(6.0))
    change(made[changed][0])
    for (_, plain), function in zip(made, compiled, strict=True):
        assert shifted(function) == shifted(plain)


@pytest.mark.parametrize("changed", [0, 1, 2])
def test_a_variant_is_not_made_from_an_argument_that_changed(changed):
    compiled = weft.jit(each, device="cpu")
    helpers = [helper for helper, _ in twins(3)]
    for helper in helpers:
        compiled(helper, np.arange(6.0), np.arange(6.0))
    change_defaults(helpers[changed])
    for helper in (*helpers, *reversed(helpers)):
        assert shifted(compiled, helper) == shifted(each, helper)


def test_what_was_compiled_of_a_function_that_changed_cannot_be_made_again():
    (helper, plain) = next(iter(twins(1)))
    compiled = weft.jit(plain, device="cpu")
    makers = compiled.specialise(np.arange(3.0), np.arange(3.0)).request.program
    makers()
    change_defaults(helper)
    with pytest.raises(weft.SourceError, match="was changed since it was compiled"):
        makers()


def test_a_number_that_decides_a_type_for_other_arguments_only():
    """What is learnt for ints must not be compiled into the variants for floats that were there before."""
    exponent = 2

    def plain(a, b, x):
        for i in range(a.shape[0]):
            a[i] = b[i] + x**exponent

    compiled = weft.jit(plain, device="cpu")
    compiled(np.zeros(3), np.zeros(3), 1.5)
    compiled(np.zeros(3), np.zeros(3), 3)
    for x in (1.5, 3, 1.5):
        for exponent in (2, 3, 1):
            assert shifted(lambda a, b, x=x: compiled(a, b, x)) == shifted(lambda a, b, x=x: plain(a, b, x))
