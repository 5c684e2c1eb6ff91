"""What a function's names lead to may change between two calls; the next call sees it, as in CPython."""

from __future__ import annotations

import dataclasses
import functools
import importlib.util
import linecache
import sys
import weakref
from typing import Any

import numpy as np
import pytest

import weft

DEVICES = ("interpreter", "cpu")
everywhere = pytest.mark.parametrize("device", DEVICES)
HERE = sys.modules[__name__]


def double(x):
    return x * 2.0


def triple(x):
    return x * 3.0


@dataclasses.dataclass
class Settings:
    number: Any
    what: Any

    def used(self, x):
        return self.what(x)


@dataclasses.dataclass(slots=True)
class Slots:
    number: Any
    what: Any


@dataclasses.dataclass(frozen=True)
class Outer:
    inner: Settings


SETTINGS = Settings(1.0, "a")
SLOTS = Slots(1.0, "a")
INSIDE = (Settings(1.0, "a"), 2.0)
NESTED = Outer(Settings(1.0, "a"))


def by_object(x):
    return x + SETTINGS.number if SETTINGS.what == "a" else x - 100.0


def by_slots(x):
    return x + SLOTS.number if SLOTS.what == "a" else x - 100.0


def by_tuple(x):
    return x + INSIDE[0].number if INSIDE[0].what == "a" else x - 100.0


def by_nested(x):
    return x + NESTED.inner.number if NESTED.inner.what == "a" else x - 100.0


OBJECTS = [(by_object, SETTINGS), (by_slots, SLOTS), (by_tuple, INSIDE[0]), (by_nested, NESTED.inner)]


@everywhere
@pytest.mark.parametrize(("function", "held"), OBJECTS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_field_of_a_captured_object(device, function, held):
    compiled = weft.jit(function, device=device)
    for what, number in [("a", 1.0), ("b", 1.0), ("a", 2.0), (None, 2.0), ("a", -0.0), ("a", 3), ("a", True)]:
        held.what, held.number = what, number
        for x in (5.0, -0.0, 5):
            if what == "a" or isinstance(x, float):
                assert repr(compiled(x)) == repr(function(x))
    held.what, held.number = "a", 1.0


@everywhere
def test_a_function_in_a_captured_object(device):
    held = Settings(0.0, double)
    compiled = weft.jit(lambda x: held.used(x), device=device)
    assert compiled(5.0) == 10.0
    held.what = triple
    assert compiled(5.0) == 15.0
    held.what = double
    assert compiled(5.0) == 10.0


@everywhere
def test_a_captured_object_of_which_only_what_is_compiled_in_is_used(device):
    held = Settings(0.0, "a")
    compiled = weft.jit(lambda x: x if held.what == "a" else -x, device=device)
    assert [compiled(2.0), compiled(2.0)] == [2.0, 2.0]
    held.what = "b"
    assert [compiled(2.0), compiled(2.0)] == [-2.0, -2.0]


@everywhere
@pytest.mark.parametrize("name", ["min", "abs", "len"])
def test_a_builtin_that_the_module_hides_later(device, name, monkeypatch):
    def used(a):
        s = 0.0
        for i in range(len(a)):
            s = min(s, abs(a[i]) - 3.0)
        return s

    other = {"min": max, "abs": lambda x: -x, "len": lambda a: 1}[name]
    compiled, a = weft.jit(used, device=device), np.array([1.0, -2.0, 0.5])
    assert compiled(a) == used(a)
    monkeypatch.setattr(HERE, name, other, raising=False)
    assert compiled(a) == used(a)
    monkeypatch.undo()
    assert compiled(a) == used(a)


@everywhere
def test_what_a_class_inherits_and_later_has_itself(device):
    class Base:
        scale = 2.0

        def value(self):
            return self.x * self.scale

    class Middle(Base):
        pass

    @dataclasses.dataclass
    class Derived(Middle):
        x: float

    compiled, p = weft.jit(lambda p: p.value(), device=device), Derived(3.0)
    assert compiled(p) == 6.0
    Derived.scale = 5.0
    assert compiled(p) == 15.0
    Middle.value = lambda self: self.x
    assert compiled(p) == 3.0
    del Derived.scale, Middle.value
    assert compiled(p) == 6.0


NUMBER: Any = 1
NUMBERS = [True, np.True_, 1, np.int64(1), 1.0, np.float64(1.0), -0.0, 0.0, np.float64(-0.0), False, np.False_, 0]


@everywhere
def test_captured_numbers_that_are_equal_and_of_other_types(device, monkeypatch):
    def plus(x):
        return x + NUMBER

    compiled = weft.jit(plus, device=device)
    for number in (*NUMBERS, *reversed(NUMBERS)):
        monkeypatch.setattr(HERE, "NUMBER", number)
        for x in (-0.0, 1, True):
            expected, got = plus(x), compiled(x)
            assert (type(got), repr(got)) == (type(expected), repr(expected)), (number, x)


SMALL: list[Any] = [True, 1, np.int64(1), np.True_, False, 0, np.int8(0), 2, -1, 1.0]
TAKES: dict[str, Any] = {
    "exponent": lambda x: x**NUMBER,
    "base": lambda x: NUMBER**x,
    "digits": lambda x: round(x, NUMBER),
    "axis": lambda x: np.zeros((2, 3)).shape[NUMBER],
    "times": lambda x: len((1, 2) * NUMBER),
}


def result_of(function, x):
    try:
        return repr(function(x))
    except weft.Error:
        return "refused"
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("take", TAKES)
@pytest.mark.parametrize("first", SMALL, ids=repr)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_was_compiled_for_one_number_decides_nothing_for_an_equal_one(take, first, monkeypatch):
    """Of numbers that decide a type: True, 1, 1.0 and NumPy's are keys of their own, whichever comes first."""
    plain = TAKES[take]
    for second in SMALL:
        monkeypatch.setattr("weft.frontend.source.fixed._known", weakref.WeakKeyDictionary())
        compiled = weft.jit(plain, device="interpreter")
        for number in (first, second, first):
            monkeypatch.setattr(HERE, "NUMBER", number)
            for x in (3, 4.0):
                monkeypatch.setattr("weft.frontend.source.fixed._known", weakref.WeakKeyDictionary())
                fresh = result_of(weft.jit(plain, device="interpreter"), x)
                got = result_of(compiled, x)
                assert got == fresh
                assert got in ("refused", result_of(plain, x))


EXPONENTS: Any = (2, 1)
POINT = Settings(2, None)


@everywhere
@pytest.mark.parametrize("number", [2, -1, 0, 3])
def test_a_number_inside_of_a_tuple_or_an_object_decides_a_type(device, number, monkeypatch):
    monkeypatch.setattr(HERE, "EXPONENTS", (number, 1))
    for function in (lambda x: x ** EXPONENTS[0], lambda x: x**POINT.number):
        compiled = weft.jit(function, device=device)
        for POINT.number in (number, 1, number):
            assert repr(compiled(3)) == repr(function(3))


@everywhere
def test_what_a_function_that_is_an_argument_captures_decides_no_type(device):
    names: dict[str, Any] = {}
    text = "E = 2\n\ndef power(x):\n    return x ** E\n"
    linecache.cache["<of no module>"] = (len(text), None, text.splitlines(True), "<of no module>")
    exec(compile(text, "<of no module>", "exec"), names)
    compiled = weft.jit(lambda f, x: f(x), device=device)
    for names["E"] in (2, 0, 3, 2):
        assert compiled(names["power"], 3) == 3 ** names["E"]
    names["E"] = -1
    with pytest.raises(weft.errors.UnsupportedError, match="the exponent is -1"):
        compiled(names["power"], 3)


TUPLE: Any = ()


@everywhere
def test_tuples_of_the_same_numbers_in_another_structure(device, monkeypatch):
    def seen(x):
        return len(TUPLE), x

    compiled = weft.jit(seen, device=device)
    for value in (((1, 2), 3), ((1,), 2, 3), ((1, 2, 3),), (1, (2, 3)), ((), 1, 2, 3), (((1,),), 2, 3)):
        monkeypatch.setattr(HERE, "TUPLE", value)
        assert compiled(1.0) == seen(1.0)


def wrapped_by(change):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(x):
            return change(function(x))

        return wrapper

    return decorate


def tenfold(x):
    return x * 10


WRAPPERS = [wrapped_by(lambda x: x + 1), wrapped_by(lambda x: x - 1)]
USED: Any = tenfold


@everywhere
def test_wrappers_of_one_function_are_told_apart(device, monkeypatch):
    def through(x):
        return USED(x)

    compiled = weft.jit(through, device=device)
    for wrapper in (WRAPPERS[0](tenfold), WRAPPERS[1](tenfold), tenfold):
        monkeypatch.setattr(HERE, "USED", wrapper)
        assert compiled(2) == through(2)
        assert weft.jit(wrapper, device=device)(2) == wrapper(2)


def module(name, text, folder, monkeypatch):
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    made = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, made)
    spec.loader.exec_module(made)
    return made


@everywhere
def test_a_method_that_was_defined_in_another_module(device, tmp_path, monkeypatch):
    text = "K = 1\n\ndef same(x):\n    return x\n\ndef area(self):\n    return same(self.x) * {} + K\n"
    first = module("weft_first", text.format(2), tmp_path, monkeypatch)
    second = module("weft_second", text.format(3), tmp_path, monkeypatch)

    @dataclasses.dataclass
    class Shape:
        x: float
        area = first.area

    compiled, p = weft.jit(lambda p: p.area(), device=device), Shape(3.0)
    assert compiled(p) == 7.0
    Shape.area = second.area
    assert compiled(p) == 10.0
    second.K = 2.5
    assert compiled(p) == 11.5
    second.same = lambda x: x * 100.0
    assert compiled(p) == 902.5


@pytest.mark.parametrize("old", ["x + 1", "-x", "x + 1.0", "x if x else 1", "min(x, 2)"])
def test_a_file_that_was_edited_since_it_was_imported_is_refused(old, tmp_path, monkeypatch):
    text = "def f(x):\n    return {}\n\ndef g(x):\n    return f(x)\n"
    made = module("weft_edited", text.format(old), tmp_path, monkeypatch)
    assert weft.jit(made.g)(3) == made.g(3)
    (tmp_path / "weft_edited.py").write_text(text.format("x + 5"), encoding="utf-8")
    for function in (made.f, made.g):
        with pytest.raises(weft.SourceError, match="another text than when the function was defined"):
            weft.jit(function)(np.float32(3))


STEPS = 0.0


def counted():
    global STEPS
    STEPS += 1.0


def looked():
    return float(STEPS)


def through():
    counted()


@everywhere
@pytest.mark.parametrize("step", [counted, through])
def test_a_step_that_assigns_what_the_function_reads_is_refused(device, step):
    @weft.jit(device=device)
    def stepped(a):
        for i in range(a.shape[0]):
            a[i] += STEPS
            weft.python(step)

    with pytest.raises(weft.UnsupportedError, match="assigns 'STEPS'"):
        stepped(np.zeros(3))


@everywhere
def test_a_step_that_uses_what_the_function_assigns_is_refused(device):
    @weft.jit(device=device)
    def stepped(a):
        global STEPS
        for i in range(a.shape[0]):
            STEPS = a[i]
            a[i] = weft.python(looked, returns=float)

    with pytest.raises(weft.UnsupportedError, match="uses 'STEPS', which the compiled function assigns"):
        stepped(np.zeros(3))


@everywhere
def test_a_step_and_a_function_in_one_closure(device):
    total = scale = 1.0

    def note():
        nonlocal total
        total += 1.0

    @weft.jit(device=device)
    def reads_total(a):
        for i in range(a.shape[0]):
            weft.python(note)
            a[i] = total

    @weft.jit(device=device)
    def reads_another(a):
        for i in range(a.shape[0]):
            weft.python(note)
            a[i] = scale

    with pytest.raises(weft.UnsupportedError, match="assigns 'total'"):
        reads_total(np.zeros(2))
    reads_another(np.zeros(2))
    assert total == 3.0
