"""Functions with ``*args`` and ``**kwargs``, and calls that unpack tuples, lists and dicts, beside CPython."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import weft

DEVICES = ["cpu", "interpreter", pytest.param("opencl", marks=pytest.mark.opencl)]


def same(function, *args, device="cpu", **kwargs):
    """Compiled code returns or raises what Python does, and leaves the same in the arguments."""
    wanted, got = (copy.deepcopy((args, kwargs)) for _ in range(2))
    expected = outcome(function, *wanted)
    assert outcome(weft.jit(function, device=device), *got) == expected
    assert repr(got) == repr(wanted)
    return expected


def outcome(function, args, kwargs):
    try:
        return repr(function(*args, **kwargs))
    except (ArithmeticError, LookupError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def total(*values):
    s = 0
    for v in values:
        s += v
    return s, len(values)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("values", [(), (1,), (1.5,), (1, 2, 3), (np.float32(1), np.float32(2)), (0.5, 1, True)])
def test_numbers(values, device):
    same(total, *values, device=device)


def shifted(step, *arrays, limit=9.0, **more):
    for a in arrays:
        for i in range(a.shape[0]):
            a[i] = min(a[i] / step, limit)
    if "shift" in more:
        arrays[0][0] += more["shift"]
    return len(more), more.get("shift", 0.5), arrays[-1][0]


@pytest.mark.parametrize("device", DEVICES)
def test_arrays(device):
    a, b = np.arange(1.0, 6.0), np.arange(3.0)
    same(shifted, 2.0, a, device=device)
    same(shifted, 0.125, a, b, limit=7.0, device=device)
    same(shifted, 2.0, a, b, shift=3.0, other=1, device=device)
    assert "IndexError" in same(shifted, 2.0, b, np.zeros(0), device=device)


def test_arrays_that_share_memory():
    def f(*arrays):
        for k in range(1, 4):
            for a in arrays:
                a[k] += a[k - 1]

    wanted, got = np.arange(6.0), np.arange(6.0)
    f(wanted[1:], wanted[:-1], wanted)
    weft.jit(f)(got[1:], got[:-1], got)
    np.testing.assert_array_equal(got, wanted)


def test_the_order_of_named_arguments_counts():
    def f(**named):
        result = 0.0
        for name, value in named.items():
            result = result * 10 + value * (2 if name == "b" else 1)
        return result, len(named)

    same(f)
    assert same(f, a=1, b=2) != same(f, b=2, a=1)


def test_what_is_assigned_to_named_arguments_stays_inside():
    def f(n, **named):
        named["x"] += n
        return named["x"] * 3

    options = {"x": 2}
    assert weft.jit(f)(3, **options) == 15
    assert options == {"x": 2}


def test_helpers_pass_them_on():
    def inner(a, /, b, *rest, c=3, **named):
        return a + b + 2 * len(rest) + c + 3 * len(named) + named.get("a", 0)

    def f(*args, **kwargs):
        return inner(*args, **kwargs)

    same(f, 1, 2)
    same(f, 1, b=2.5, a=3)
    same(f, 1, 2, 3, 4, c=5, d=6)


def test_calls_that_unpack():
    def add(*values, scale=1):
        return sum(values) * scale

    def f(x, n):
        pair = (1, 2)
        options = {"scale": x}
        options["scale"] += 1
        items = [x, 2.0]
        return add(*pair, x, *(n,), **options), max(*pair), divmod(*(n, 2)), add(*items), add(*items[:1])

    def known(x, n):
        pair = (1, 2)
        options = {"scale": x}
        options["scale"] += 1
        items = [x, 2.0]
        return add(*pair, x, *(n,), **options), max(*pair), divmod(*(n, 2)), add(*items)

    same(known, 2.5, 7)
    with pytest.raises(weft.UnsupportedError, match="takes a tuple, and this is a list whose length is not known"):
        weft.jit(f)(2.5, 7)


def test_methods_and_constructors():
    class Scale:
        def __init__(self, *parts, **options):
            self.a, self.b = parts
            self.k = options["k"]

        def apply(self, *values):
            return sum(values) * self.a + self.k

    def f(x):
        scale = Scale(x, 2, k=3.0)
        return scale.apply(1, x), scale.b

    same(f, 2.0)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda g: g(1), "missing argument: 'b'"),
        (lambda g: g(1, b=2, c=3), "unexpected keyword argument 'c'"),
        (lambda g: g(1, 2, b=3), "unexpected keyword argument 'b'"),
        (lambda g: g(*(1, 2), **{"d": 3}, d=4), "'d' is given twice"),
        (lambda g: g(*2), "'\\*' in a call takes a tuple, and this is int"),
        (lambda g: g(1, **2), "'\\*\\*' in a call takes a dict, and this is int"),
    ],
)
def test_calls_that_do_not_fit(call, text):
    def g(a, b, *, d=0):
        return a + b + d

    def f(x):
        return call(g)

    with pytest.raises(weft.Error, match=text):
        weft.jit(f)(1)


def test_arguments_are_bound_as_in_python():
    function = weft.jit(shifted)
    with pytest.raises(TypeError, match="missing a required argument: 'step'"):
        function()
    with pytest.raises(TypeError, match="multiple values for argument 'step'"):
        function(1.0, step=2.0)
