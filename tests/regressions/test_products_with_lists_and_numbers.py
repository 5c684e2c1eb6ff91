"""``np.dot(m, [1, 2, 3])`` takes the list as an array, and ``np.dot(m, 2.5)`` the number as NumPy's float64."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.analysis.tools import function_of

FUNCTIONS = ("dot", "inner", "outer", "vdot", "matmul")
OTHERS = ("[1.0, 2.0, 3.0]", "(1, 2, 3)", "[[1, 2, 3], [4, 5, 6], [7, 8, 9]]", "[True, False, True]")
NUMBERS = ("2", "2.5", "True", "np.float32(3)", "1j")
SHAPES = ((3,), (3, 3), (2, 3, 3), (0, 3))


def check(body: str, *arguments: np.ndarray) -> None:
    function = function_of(f"def f(a):\n    return {body}\n")
    try:
        wanted = function(*arguments)
    except (ValueError, TypeError) as error:
        with pytest.raises((type(error), weft.errors.Error)):
            weft.jit(function, device="cpu")(*arguments)
        return
    found = weft.jit(function, device="cpu")(*arguments)
    assert type(found) is type(wanted)
    assert np.asarray(found).dtype == np.asarray(wanted).dtype and np.shape(found) == np.shape(wanted)
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("other", (*OTHERS, *NUMBERS))
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["float32", "int8", "float64"])
def test_functions(name, other, shape, dtype):
    array = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    check(f"np.{name}(a, {other})", array)
    check(f"np.{name}({other}, a)", array)


@pytest.mark.parametrize("other", (*OTHERS[:2], OTHERS[3], *NUMBERS))
def test_methods_and_operators(other):
    array = np.arange(9, dtype=np.float32).reshape(3, 3)
    check(f"a.dot({other})", array)
    check(f"a @ {other}", array)
    check(f"{other} @ a", array)


def test_numbers_alone():
    check("np.dot(2.0, 3.0)", np.ones(1))
    check("np.dot(a[0], 3.0)", np.ones(1, np.float32))
    check("np.inner(2, 3)", np.ones(1))


@pytest.mark.parametrize(
    "other", ["[1, 2, 3]", "[0.5, 1, 2]", "(1, 2, 3)", "[True, False, True]", "[]", "[x for x in a[0]]"]
)
def test_lists_beside_arrays(other):
    array = np.arange(9, dtype=np.float32).reshape(3, 3)
    for operator in ("+", "-", "*", "/", "<", "==", "@"):
        check(f"a {operator} {other}", array)
        check(f"{other} {operator} a", array)
    check(f"np.where(a > 1, {other}, a)", array)


@pytest.mark.parametrize("values", ["[1.0, 2.0]", "[1, 2]"])
@pytest.mark.parametrize("operator", ["+", "*"])
def test_a_list_beside_an_array_becomes_an_array_in_place_too(values, operator):
    function = function_of(f"def f(a):\n    x = {values}\n    x {operator}= a\n    return x\n")
    for array in (np.array([3.0, 4.0]), np.array([3.0, 4.0], np.float32)):
        found, expected = weft.jit(function, device="cpu")(array), function(array)
        assert found.dtype == expected.dtype and np.array_equal(found, expected)
