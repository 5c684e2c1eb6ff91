"""Results that CPython has and compiled code has no type for: Weft says so, with the line."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def whole(x):
    return int(x)


def power(x, y):
    return x**y


def powers(a, y):
    for i in range(len(a)):
        a[i] = float(a[i]) ** y


@pytest.mark.parametrize("device", ["cpu", "interpreter"])
@pytest.mark.parametrize("x", [1e300, -1e19, 2.0**63, -(2.0**63) - 2048])
def test_an_int_beyond_64_bits(x, device):
    with pytest.raises(OverflowError, match="^integer overflow: the result does not fit in 64 bits"):
        weft.jit(whole, device=device)(x)


def test_the_largest_ints_of_floats():
    compiled = weft.jit(whole)
    for x in (2.0**63 - 1024, -(2.0**63)):
        assert compiled(x) == int(x)


@pytest.mark.parametrize("device", ["cpu", "interpreter"])
@pytest.mark.parametrize(("x", "y"), [(-2.0, 0.5), (-2, 0.5), (-1e300, -1.5)])
def test_a_power_that_is_complex(x, y, device):
    with pytest.raises(weft.ValueError, match="fractional power is a complex number") as caught:
        weft.jit(power, device=device)(x, y)
    assert caught.value.location.line == power.__code__.co_firstlineno + 1
    assert caught.value.cause
    assert "complex(x)" in caught.value.hint


def test_elements_before_a_power_that_is_complex_are_stored():
    a = np.array([4.0, 9.0, -1.0, 16.0])
    with pytest.raises(weft.ValueError, match="complex number"):
        weft.jit(powers)(a, 0.5)
    np.testing.assert_equal(a[:3], [2.0, 3.0, -1.0])
