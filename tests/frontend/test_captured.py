"""Captured values: closures, globals, modules; what the function writes back; functions as arguments."""

from __future__ import annotations

import math
import types

import numpy as np
import pytest

import weft
from weft.errors import MultipleErrors, UnsupportedError
from weft.ir import nodes as n

from .compare import check, program_of

NUMBER = 3
FLOAT32 = np.float32(2.5)
TABLE = np.arange(4.0)
PAIR = (1.5, 2)
NAMES = ["a"]
COUNTER = 0
settings = types.ModuleType("settings_of_this_test")
settings.scale = 4.0
settings.table = np.ones(3)


def sources(function, *args):
    return [str(p.source) for p in program_of(function, *args).params]


def test_globals_are_parameters():
    def f(i):
        return TABLE[i] * NUMBER + FLOAT32 + PAIR[1]

    check(f, 2)
    program = program_of(f, 2)
    assert [(p.source.kind, str(p.source)) for p in program.params] == [
        ("argument", "i"), ("global", "TABLE"), ("global", "NUMBER"), ("global", "FLOAT32"), ("global", "PAIR[0]"),
        ("global", "PAIR[1]"),
    ]  # fmt: skip
    assert str(program.params[2].var.type) == "pyint"
    assert str(program.params[3].var.type) == "float32"


def test_closures_are_parameters():
    def make(k, a):
        def f(i):
            return a[i] * k

        return f

    check(make(2.5, np.ones(3)), 1)
    assert sources(make(1, np.ones(3)), 0) == ["i", "a", "k"]


def test_closures_of_helpers():
    def make(k):
        return lambda v: v * k

    double, triple = make(2.0), make(3.0)

    def f(x):
        return double(x) + triple(x)

    check(f, 1.5)
    assert sources(f, 1.5) == ["x", "double:k", "triple:k"]


def test_globals_of_helpers_in_other_modules():
    from . import other_module

    def f(x):
        return other_module.scaled(x)

    check(f, 1.5)
    assert sources(f, 1.5) == ["x", f"<{other_module.__name__}>.SCALE"]


def test_attributes_of_modules():
    import sys

    sys.modules[settings.__name__] = settings

    def f(x):
        return x * settings.scale + settings.table[1] + math.pi

    check(f, 1.5)
    assert sources(f, 1.5) == ["x", "<settings_of_this_test>.scale", "<settings_of_this_test>.table"]


def test_functions_as_arguments_bring_their_closures():
    def f(a, g):
        for i in range(len(a)):
            a[i] = g(a[i])

    k, t = 2.5, np.arange(3.0)
    check(f, np.ones(3), lambda v: v * k + t[1])
    assert sources(f, np.ones(3), lambda v: v * k + t[1]) == ["a", "g.k", "g.t"]


def test_bound_methods_as_arguments():
    import dataclasses

    @dataclasses.dataclass
    class Line:
        slope: float

        def at(self, x):
            return self.slope * x

    def f(g, x):
        return g(x) + 1.0

    check(f, Line(2.0).at, 3.0)


def test_nonlocal_is_written_back():
    def make():
        s, k = 0.0, 1

        def f(a):
            nonlocal s, k
            for i in range(len(a)):
                s += a[i]
            k += 2

        return f, lambda: (s, k)

    (f, seen), (g, expected) = make(), make()
    a = np.array([1.0, 2.0, 4.0])
    from .compare import interpret

    interpret(f, a)
    interpret(f, a)
    g(a)
    g(a)
    assert seen() == expected() == (14.0, 5)
    program = program_of(f, a)
    assert program.writes == (n.Source("closure", "k"), n.Source("closure", "s"))


def test_global_is_written_back():
    def f(n):
        global COUNTER
        COUNTER = COUNTER + n
        return COUNTER

    from .compare import interpret

    before = COUNTER
    assert interpret(f, 2) == before + 2
    assert before + 2 == COUNTER


def test_nonlocal_of_a_nested_function():
    def make():
        s = 0.0

        def f(a):
            def add(v):
                nonlocal s
                s += v

            before = s
            for i in range(len(a)):
                if a[i] > 1.0:
                    add(a[i])
            return s - before

        return f

    check(make(), np.array([1.0, 2.0, 4.0]))


def counter(step):
    count = 0

    def add():
        nonlocal count
        count += step
        return count

    def get():
        return count

    return add, get


def test_variables_of_a_function_that_has_returned():
    """Loops carry variables that closures share. Each iteration used to see their values from before the loop."""

    def f(n):
        add, get = counter(1)
        add_ten, _ = counter(10)
        found = [add() + add_ten() for _ in range(n)]
        s = 0
        for i in range(n):
            if i % 2:
                add()
            s = s * 10 + get()
        while add() < 4 * n:
            s += 1
        return found, s, get(), sum(add_ten() for _ in range(n))

    check(f, 4)


@pytest.mark.parametrize("value", [[1, 2.5], {1: 2}, {1, 2}, object()])
def test_mutable_containers_are_refused_by_name(value):
    captured = value

    def f(i):
        return captured[i]

    with pytest.raises(UnsupportedError, match="'captured' is a"):
        program_of(f, 0)


def test_unknown_names():
    def f(x):
        return x + unknown_number  # noqa: F821

    with pytest.raises(weft.TypeInferenceError, match="name 'unknown_number' is not defined"):
        program_of(f, 1.0)


def test_functions_compiled_by_weft_are_called_as_they_were_written():
    @weft.jit
    def g(x):
        return x * 2.0

    def f(x):
        return g(x) + 1.0

    program_of(f, 1.0)


def test_generators_that_call_themselves_are_refused_with_their_chain():
    def even(n):
        yield n
        for k in odd(n - 1):
            yield k

    def odd(n):
        for k in even(n - 1):
            yield k

    def f(n):
        return sum(k for k in even(n))

    with pytest.raises(UnsupportedError, match="f -> .*even -> .*odd -> .*even"):
        program_of(f, 3)


def test_several_errors_are_reported_together():
    def f(a, b):
        a[0] = a + b
        c = a[[]]
        d = c + 1
        with d:
            d = 1
        return d

    with pytest.raises(MultipleErrors) as caught:
        program_of(f, np.ones(3), np.ones(3))
    lines = [error.location.line - f.__code__.co_firstlineno for error in caught.value.errors]
    assert lines == [1, 2, 4]


def test_errors_inside_helpers_name_the_calls():
    def inner(a):
        return np.nditer(a)

    def outer(a):
        return inner(a) * 2

    def f(a):
        return outer(a)

    with pytest.raises(UnsupportedError) as caught:
        program_of(f, np.ones(3))
    chain = [place.line - inner.__code__.co_firstlineno for place in caught.value.location.chain()]
    assert chain == [1, 4, 7]
    assert "for i in" in str(caught.value) or "loop" in str(caught.value)


@weft.associative
def larger(a, b):
    return a if a > b else b


@weft.associative
def farther(p, q):
    return p if p[0] >= q[0] else q


def test_associative_functions_are_called():
    def f(a):
        m = a[0]
        for i in range(len(a)):
            m = larger(m, a[i])
        return m

    def g(a):
        best = (a[0], 0)
        for i in range(1, len(a)):
            best = farther(best, (a[i], i))
        return best

    values = np.array([1.0, 5.0, 2.0])
    check(f, values)
    check(g, values)
    program = program_of(f, values)
    assert [function.name for function in program.functions] == ["larger"]
    assert program.functions[0].associative


def test_associative_functions_use_their_operands_only():
    @weft.associative
    def scaled(a, b):
        return (a + b) * NUMBER

    def f(x):
        return scaled(x, x)

    with pytest.raises(UnsupportedError, match="uses 'NUMBER' from outside"):
        program_of(f, 1.0)


WEIGHTS = [1, 2, 3]
EDGES = [[0, 1], [2]]
PARTS = [(1000, "M"), (500, "D")]


def weight(i):
    return WEIGHTS[i % len(WEIGHTS)]


def of_lists(n):
    text, total = "", 0
    for value, letter in PARTS:
        while n >= value:
            text, n = text + letter, n - value
    for row in EDGES:
        for k in row:
            total += k * n
    return (
        text,
        total,
        sum([weight(i) for i in range(7)]),
        WEIGHTS[-1:],
        n in WEIGHTS,
        len(EDGES),
        np.array(WEIGHTS) * 2,
    )


def changes_a_list(n):
    WEIGHTS[0] += n
    return WEIGHTS[n]


def test_captured_lists_are_read_anew_and_changed_in_place():
    compiled, changing = weft.jit(of_lists), weft.jit(changes_a_list)
    local = [1.0, 2.0]
    scaled = weft.jit(lambda x: x * local[1] + len(local))

    def same():
        *found, array = compiled(1900)
        *wanted, other = of_lists(1900)
        assert found == wanted and array.dtype == other.dtype and array.tolist() == other.tolist()
        assert list(map(type, found[3])) == list(map(type, wanted[3]))

    same()
    WEIGHTS.append(9)
    EDGES.append([7, 8])
    EDGES[0][1] = 5
    PARTS[1] = (400, "CD")
    same()
    assert changing(1) == 2 and WEIGHTS == [2, 2, 3, 9]
    with pytest.raises(IndexError, match="list index out of range"):
        changing(70)
    assert WEIGHTS == [72, 2, 3, 9]
    WEIGHTS[:] = [1.5, 2.5]
    same()
    assert scaled(2.0) == 6.0
    local[:] = [1.0, 3.0, 4.0]
    assert scaled(2.0) == 9.0
    WEIGHTS[:] = [1, 2.5]
    with pytest.raises(UnsupportedError, match="make the elements alike"):
        compiled(3)


def test_a_captured_array_that_becomes_a_list_is_a_list(monkeypatch):
    monkeypatch.setitem(globals(), "WEIGHTS", np.array([2, 3]))
    doubled = weft.jit(lambda n: WEIGHTS * n)
    assert doubled(2).tolist() == [4, 6]
    monkeypatch.setitem(globals(), "WEIGHTS", [2, 3])
    assert doubled(2) == [2, 3, 2, 3]
    monkeypatch.setitem(globals(), "WEIGHTS", np.array([[1.0], [2.0]]))
    assert doubled(2).tolist() == [[2.0], [4.0]]
