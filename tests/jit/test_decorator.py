"""The decorator in all its forms, and what a compiled function keeps of the plain one."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import warnings

import numpy as np
import pytest

import weft


def add(a, b, scale=2.0):
    """Adds."""
    for i in range(len(a)):
        b[i] = b[i] + scale * a[i]
    return b


compiled_add = weft.jit(add)


@weft.jit
def at_module_level(a):
    total = 0.0
    for i in range(len(a)):
        total += a[i]
    return total


def check_adds(function):
    b = np.ones(3)
    assert function(np.arange(3.0), b) is b
    np.testing.assert_array_equal(b, [1.0, 3.0, 5.0])


def test_plain_form():
    check_adds(weft.jit(add))


def test_form_with_options():
    check_adds(weft.jit(device="cpu")(add))


def test_form_with_function_and_options():
    check_adds(weft.jit(add, device="cpu"))


def test_jit_of_a_compiled_function_takes_the_new_options():
    again = weft.jit(weft.jit(add), device="interpreter")
    check_adds(again)
    assert again.__wrapped__ is add


def test_keyword_and_default_arguments():
    function = weft.jit(add)
    b = np.zeros(2)
    function(b=b, a=np.ones(2), scale=3.0)
    np.testing.assert_array_equal(b, [3.0, 3.0])


def test_keyword_only_argument():
    @weft.jit
    def f(a, *, by):
        return a * by

    assert f(2, by=3) == 6
    assert f(2, by=4) == 8
    with pytest.raises(TypeError):
        f(2, 3)


@pytest.mark.parametrize("arguments", [(), (1,), (1, 2, 3, 4)])
def test_wrong_number_of_arguments_is_a_type_error(arguments):
    with pytest.raises(TypeError, match=r"add\(\)"):
        weft.jit(add)(*arguments)


def test_metadata_survives():
    assert compiled_add.__name__ == "add"
    assert compiled_add.__doc__ == "Adds."
    assert compiled_add.__wrapped__ is add
    assert inspect.signature(compiled_add) == inspect.signature(add)
    assert "add" in repr(compiled_add)


def test_pickles_by_name():
    assert pickle.loads(pickle.dumps(at_module_level)) is at_module_level


def test_pickles_where_the_name_is_the_plain_function():
    check_adds(pickle.loads(pickle.dumps(compiled_add)))


def test_copies_are_the_function_itself():
    assert copy.copy(compiled_add) is compiled_add
    assert copy.deepcopy(compiled_add) is compiled_add


@dataclasses.dataclass
class Scaled:
    factor: float

    @weft.jit
    def sum(self, a):
        total = 0.0
        for i in range(len(a)):
            total += self.factor * a[i]
        return total

    @staticmethod
    @weft.jit
    def twice(x):
        return 2 * x

    @weft.jit
    @staticmethod
    def thrice(x):
        return 3 * x


def test_method():
    assert Scaled(2.0).sum(np.arange(4.0)) == 12.0
    assert Scaled(3.0).sum(np.arange(4.0)) == 18.0
    assert Scaled.sum(Scaled(1.0), np.arange(4.0)) == 6.0


def test_static_methods():
    assert Scaled.twice(2) == 4
    assert Scaled(1.0).twice(2.5) == 5.0
    assert Scaled.thrice(2) == 6


def test_jit_of_a_bound_method():
    assert weft.jit(Scaled(2.0).sum)(np.ones(3)) == 6.0


def test_unknown_device():
    with pytest.raises(weft.DeviceError, match="there is no device 'gpu'"):
        weft.jit(add, device="gpu")


def test_unknown_pass():
    with pytest.raises(weft.ArgumentError, match="there is no pass vectorize"):
        weft.jit(add, disable=("vectorize",))


@pytest.mark.parametrize("name", ["licm", "parallelise", "fold"])
def test_pass_switched_off(name):
    check_adds(weft.jit(add, disable=(name,)))


def test_function_written_in_c_has_no_source():
    with pytest.raises(weft.SourceError, match="written in C"):
        weft.jit(len)


@pytest.mark.parametrize("thing", [3, int, "x = 1"])
def test_not_a_function(thing):
    with pytest.raises(weft.ArgumentError, match=r"weft\.jit takes a Python function"):
        weft.jit(thing)


def test_specialisations_are_listed():
    function = weft.jit(lambda a: a + a)
    function(1)
    function(2)
    function(1.0)
    assert [text.partition("(")[2] for text in function.specialisations] == ["pyint)", "pyfloat)"]


def test_many_specialisations_warn_and_name_what_varies():
    @weft.jit(device="interpreter")
    def f(fixed, many):
        return fixed

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for count in range(1, 20):
            f(1, tuple(range(count)))
    (warning,) = [w for w in caught if issubclass(w.category, weft.WeftWarning)]
    assert str(warning.message).startswith("W002")
    assert "what varies: many" in str(warning.message)


def test_inspect_shows_all_stages():
    function = weft.jit(add)
    shown = function.inspect(np.ones(3), np.ones(3))
    assert "program add" in shown.ir
    assert "i (line" in shown.schedule
    assert "for (" in shown.source
    assert "ret" in shown.assembly


def test_inspect_without_arguments_shows_the_last_specialisation():
    function = weft.jit(add)
    function(np.ones(3, np.float32), np.ones(3, np.float32), 1.0)
    assert "float32" in function.inspect().ir


def test_context_overrides_the_device_of_the_decorator():
    function = weft.jit(add, device="cpu")
    check_adds(function)
    with weft.device("interpreter") as device:
        assert device.name == "interpreter"
        check_adds(function)
    check_adds(function)
    assert len(function.specialisations) == 2


def greet(a):
    for i in range(len(a)):
        print("element", i, "is", a[i])


def test_print_works_in_the_interpreter(capsys):
    weft.jit(greet, device="interpreter")(np.arange(2.0))
    assert capsys.readouterr().out == "element 0 is 0.0\nelement 1 is 1.0\n"


def test_breakpoints_show_the_variables_in_the_interpreter(monkeypatch, capsys):
    def stopping(a):
        total = 0.0
        for i in range(len(a)):
            total += a[i]
            breakpoint()
        return total

    stops = []
    monkeypatch.setattr("pdb.set_trace", lambda: stops.append(capsys.readouterr().out))
    assert weft.jit(stopping, device="interpreter")(np.arange(3.0)) == 3.0
    assert len(stops) == 3
    assert "i=1" in stops[1]
    assert "total=" in stops[1]


def test_a_breakpoint_is_refused_where_it_would_be_compiled():
    def stopping(a):
        breakpoint()

    with pytest.raises(weft.UnsupportedError, match="breakpoint works in the interpreter only") as caught:
        weft.jit(stopping)(np.arange(2.0))
    assert caught.value.location.line == stopping.__code__.co_firstlineno + 1


@pytest.mark.opencl
def test_the_first_device_of_a_kind_has_a_number_too():
    @weft.jit(device="opencl:0")
    def filled(a):
        for i in range(len(a)):
            a[i] = 2.0

    a = np.zeros(5)
    filled(a)
    assert (a == 2.0).all()
    with weft.device("opencl:0") as there:
        assert there.name == "opencl"
