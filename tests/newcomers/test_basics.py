"""What beginners write in single functions: CPython's answers, types and exceptions, and what it leaves in arrays."""

from __future__ import annotations

import copy
import math
from typing import Any, NamedTuple

import numpy as np
import pytest

import weft

NUMBERS = [
    0,
    1,
    2,
    3,
    -1,
    7,
    True,
    False,
    0.0,
    -0.0,
    1.0,
    2.5,
    math.nan,
    math.inf,
    np.float32(2),
    np.int8(3),
    np.uint8(0),
]


def same(function: Any, *arguments: Any) -> None:
    """Assert that the compiled function does what the Python one does."""
    compiled = weft.jit(function)
    given, other = copy.deepcopy(arguments), copy.deepcopy(arguments)
    with np.errstate(all="ignore"):
        expected, got = outcome(function, given), outcome(compiled, other)
    assert_equal(got, expected)
    assert_equal(other, given)


def outcome(function: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        return function(*arguments)
    except weft.Error:
        raise
    except Exception as error:
        return error


def assert_equal(got: Any, expected: Any) -> None:
    if isinstance(expected, Exception):
        assert type(got).__name__ == type(expected).__name__ and str(got) == str(expected)
    elif isinstance(expected, (tuple, list)):
        assert type(got) is type(expected) and len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            assert_equal(one, other)
    elif isinstance(expected, np.ndarray):
        assert got.dtype == expected.dtype and got.shape == expected.shape
        assert got.tobytes() == expected.tobytes()
    else:
        assert type(got) is type(expected)
        assert repr(got) == repr(expected)


# ---------------------------------------------------------------------------------------------------------- match


def by_value(x):
    match x:
        case 0:
            return 10.0
        case 1 | 2:
            return 20.0
        case -1:
            return 30.0
        case 2.5:
            return 40.0
        case _:
            return -1.0


def by_guard(x):
    total = 0
    match x:
        case 0:
            total = 5
        case n if n < 3:
            total = 50
        case n:
            total = 500
    return total


def by_identity(x):
    match x:
        case True:
            return 1
        case False:
            return 2
        case None:
            return 3
    return 4


def by_word(kind, a, b):
    match kind:
        case "add" | "plus":
            return a + b
        case "mul":
            return a * b
        case 3:
            return a - b
        case _:
            raise ValueError("unknown")


def of_an_expression(n, x):
    match n % 3:
        case 0 if x > 0.0:
            return 1.0
        case 1:
            return 2.0
    return 3.0


def in_a_loop(a):
    counts = np.zeros(4, dtype=np.int64)
    for v in a:
        match v:
            case 0:
                counts[0] += 1
                continue
            case 2 | 3:
                counts[1] += 10
            case k if k > 100:
                counts[2] += k
                break
            case _:
                counts[3] += 100
    return counts


def of_tuples(p):
    match p:
        case (0, 0):
            return 0
        case (0, y):
            return y
        case (x, 1 | 2 as y) if x > y:
            return x * 100 + y
        case [x, y]:
            return x * 10 + y
        case x:
            return -1


def of_pairs_in_pairs(p):
    match p:
        case (x, (y, z)):
            return x + y * z
        case (x, y):
            return x * y


def of_two(a, b):
    match a, b:
        case 0, 0:
            return "none"
        case 0, _:
            return "none"
    return "none"


def nested(x, y):
    match x:
        case 0:
            match y:
                case 0:
                    r = 1
                case _:
                    r = 2
        case _:
            r = 3
    return r


def by_class(x):
    match x:
        case bool():
            return 1
        case int():
            return 2
        case float():
            return 3
        case Point(x=0, y=b):
            return b
        case Point(x=a, y=b):
            return a * b
    return 4


class Point(NamedTuple):
    x: float
    y: float


def with_a_return_of_a_name(subject):
    match subject + 1:
        case 1:
            return subject * 3
        case subject:
            return subject * 2


@pytest.mark.parametrize("x", NUMBERS, ids=repr)
@pytest.mark.parametrize("function", [by_value, by_guard, by_identity, by_class, with_a_return_of_a_name])
def test_match_of_numbers(function, x):
    same(function, x)


def test_match_of_other_things():
    for kind in ("add", "plus", "mul", "x", 3, 4):
        same(by_word, kind, 2.0, 3)
    for n in range(-3, 4):
        for x in (0.0, 1.0, math.nan):
            same(of_an_expression, n, x)
    same(by_identity, None)
    for p in (
        (0, 0),
        (0, 3),
        (5, 2),
        (5, 1.0),
        (1, 2),
        (3, 1),
        (1, 2, 3),
        (),
        4,
        np.arange(2),
        Point(0, 4),
        Point(1, 4),
    ):
        same(of_tuples, p)
    for p in ((1, (2, 3)), (1, 2.0), (0, (0, 0.5))):
        same(of_pairs_in_pairs, p)
    for p in (Point(0, 4.0), Point(1, 4.0), (1, 2)):
        same(by_class, p)
    for x in range(2):
        for y in range(2):
            same(nested, x, y)
            same(of_two, x, y)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float32", "float64"])
def test_match_in_loops(dtype):
    for values in ([], [0, 1, 2, 3, 0], [5, 101, 0], [3, 3, 3]):
        same(in_a_loop, np.array(values, dtype=dtype))


def test_match_of_an_array_is_ambiguous_as_in_python():
    with pytest.raises(ValueError, match="ambiguous"):
        weft.jit(by_value)(np.arange(3))


# ----------------------------------------------------------------------------- names, imports, lists of generators


def imported(x):
    import math as m
    from math import pi, sqrt

    import numpy as np

    return sqrt(x) * pi + m.floor(x), np.exp(np.float64(x))


def deleted(n):
    total = 0
    for i in range(n):
        if i % 2:
            t = i
        else:
            t = -i
        total += t
        del t
    return total


def starred(a):
    first, *rest, last = a
    return first, len(rest), sum(rest), last


def searched(a, x):
    return x in a, x not in a


def by_key(a):
    return max(a, key=lambda v: v * v), min(a, key=lambda v: -v * v), max(a, key=None)


def of_generators(a, x):
    t = sorted(v * v for v in a)
    return t[0], t[-1], len(list(v for v in a if v > x)), max((v for v in a if v > x), default=x)


VECTORS = [np.array(v, dtype=d) for d in ("int8", "int64", "float32", "float64") for v in ([], [3], [2, -3, 3, 0, -2])]


@pytest.mark.parametrize("a", VECTORS, ids=str)
def test_vectors(a):
    for x in (0, 3, 2.5, 300, math.nan, np.int8(3), np.float32(-2)):
        same(searched, a, x)
    same(by_key, a)
    if len(a) != 1:
        same(starred, a)
    if len(a):
        same(of_generators, a, a.dtype.type(-4))
        same(of_generators, a, a.dtype.type(4))


def test_names():
    for x in (0.0, 2.0, 7):
        same(imported, x)
    for n in (0, 1, 5):
        same(deleted, n)


def test_patched_module_that_a_function_imports_is_seen(monkeypatch):
    compiled = weft.jit(imported)
    before = compiled(4.0)
    monkeypatch.setattr(math, "sqrt", math.fabs)
    assert compiled(4.0) == imported(4.0) != before
