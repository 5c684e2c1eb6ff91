"""Loops over one flattened counter: the nest gives what the loop gives, for every size and every way to write it."""

import numpy as np
import pytest

import weft
from weft.analysis.values.linear import constant, symbol
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.loops.rows_and_columns import divided


def rows_and_columns(u, v):
    n, m = u.shape
    for k in range(n * m):
        i = k // m
        j = k % m
        if 0 < i < n - 1 and 0 < j < m - 1:
            v[i, j] = u[i - 1, j] + u[i, j + 1] * 2 - k


def inner_points(u, v):
    n, m = u.shape
    for k in range((n - 2) * (m - 2)):
        i, j = divmod(k, m - 2)
        v[i + 1, j + 1] = u[i, j + 1] - u[i + 2, j + 1]


def some_rows(u, v):
    n, m = u.shape
    for k in range(m, (n - 1) * m):
        v[k // m, k % m] = u[k // m - 1, k % m] + k


def flat_array(a, v):
    n, m = v.shape
    for k in range(n * m):
        if k % m != 0 and k % m != m - 1:
            v[k // m, k % m] = a[k - 1] + a[k + 1]


def total(u, v):
    n, m = u.shape
    s = 0.5
    last = -1
    for k in range(n * m):
        s = s * 0.5 + u[k // m, k % m]
        if u[k // m, k % m] > 0.5:
            last = k
    return s, last


def claimed(u, v):
    n, m = u.shape
    for k in weft.prange(n * m):
        v[k // m, k % m] = u[k // m, k % m] * k


def left_early(u, v):
    n, m = u.shape
    for k in range(n * m):
        if u[k // m, k % m] > 0.9:
            break
        v[k // m, k % m] = k
    return k if n * m > 0 else -1


TWO_AXES = [rows_and_columns, inner_points, some_rows, flat_array, total, claimed, left_early]


@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (4, 0), (1, 1), (1, 5), (5, 1), (2, 2), (3, 7), (16, 33)], ids=str)
@pytest.mark.parametrize("function", TWO_AXES, ids=lambda f: f.__name__)
def test_two_axes(function, shape):
    u = np.random.default_rng(3).random(shape)
    if function is inner_points and (shape[0] - 2) * (shape[1] - 2) > 0 and min(shape) < 2:
        pytest.skip("CPython reads outside of the arrays")
    u = u.ravel() if function is flat_array else u
    expected, found = np.full(shape, -1.0), np.full(shape, -1.0)
    right = function(u, expected)
    assert weft.jit(function)(u, found) == right
    np.testing.assert_array_equal(found, expected)


def products_first(u, v):
    p, n, m = u.shape
    for k in range(p * n * m):
        z = k // (n * m)
        y = k // m % n
        x = k % m
        v[z, y, x] = u[z, y, x] * 2 + k


def remainders_again(u, v):
    p, n, m = u.shape
    for k in range(p * n * m):
        z = k // (n * m)
        rest = k % (n * m)
        y = rest // m
        x = rest % m
        v[z, y, x] = u[z, y, x] - k


def quotients_again(u, v):
    p, n, m = u.shape
    for k in range(p * n * m):
        x = k % m
        rows = k // m
        y = rows % n
        z = rows // n
        if x > 0:
            v[z, y, x] = u[z, y, x - 1]


@pytest.mark.parametrize("shape", [(0, 2, 3), (2, 0, 3), (2, 3, 0), (1, 1, 1), (2, 3, 4), (5, 7, 9)], ids=str)
@pytest.mark.parametrize("function", [products_first, remainders_again, quotients_again], ids=lambda f: f.__name__)
def test_three_axes(function, shape):
    u = np.random.default_rng(4).random(shape)
    expected, found = np.zeros(shape), np.zeros(shape)
    function(u, expected)
    weft.jit(function)(u, found)
    np.testing.assert_array_equal(found, expected)
    assert depth(function, u, found) == 3


def by_parameters(a, n, m):
    for k in range(n * m):
        a[k] = k // m * 1000 + k % m


def by_a_multiple(a, n, m):
    for k in range(n * 6):
        a[k] = k // 6 * 100 + k % 3 * 10 + k // 2 % 3 + k % 12 - k // 12


@pytest.mark.parametrize("n", [-7, -1, 0, 1, 5])
@pytest.mark.parametrize("m", [-3, -1, 0, 1, 4])
@pytest.mark.parametrize("function", [by_parameters, by_a_multiple], ids=lambda f: f.__name__)
def test_divisors_of_any_sign(function, n, m):
    expected, found = np.zeros(64, int), np.zeros(64, int)
    function(expected, n, m)
    weft.jit(function)(found, n, m)
    np.testing.assert_array_equal(found, expected)


def not_a_multiple(a, n, m):
    for k in range(n):
        a[k] = k // m + k % m


@pytest.mark.parametrize("sizes", [(0, 3), (7, 3), (9, 3), (5, -2)])
def test_other_trips_stay(sizes):
    expected, found = np.zeros(16, int), np.zeros(16, int)
    not_a_multiple(expected, *sizes)
    weft.jit(not_a_multiple)(found, *sizes)
    np.testing.assert_array_equal(found, expected)
    assert depth(not_a_multiple, found, *sizes) == 1


def raising(u, v):
    n, m = u.shape
    for k in range(n * m):
        v[k // m, k % m] = 1 / u[k // m, k % m].item()


def test_elements_before_an_exception_are_stored():
    u = np.arange(12, dtype=float).reshape(3, 4) - 6
    expected, found = np.zeros_like(u), np.zeros_like(u)
    with pytest.raises(ZeroDivisionError):
        raising(u, expected)
    with pytest.raises(ZeroDivisionError):
        weft.jit(raising)(u, found)
    np.testing.assert_array_equal(found, expected)


def test_division_of_forms():
    a, b = symbol("a"), symbol("b")
    assert divided((a - 2) * (b - 2), b - 2) == a - 2
    assert divided(a * b * 6, b * 3) == a * 2
    assert divided(a * b + 1, b) is None
    assert divided(a * 3, constant(2)) is None
    assert divided(constant(0), b) == constant(0)
    assert divided(a, constant(0)) is None


def depth(function, *arguments):
    """How deep the loops of the optimised program are nested."""

    def of(block):
        loops = [s for s in block.statements if isinstance(s, n.For)]
        inner = [of(b) for s in block.statements if isinstance(s, n.If) for b in (s.then, s.orelse)]
        return max([1 + of(s.body) for s in loops] + inner, default=0)

    program = weft.jit(function).specialise(*arguments).program()
    assert any(isinstance(s, n.For) for s in walk(program.body))
    return of(program.body)
