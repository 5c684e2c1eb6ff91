"""Reductions by functions of the user: in tiles whose borders follow from the number of elements, on every device."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import weft

CAP = 3.0
random = np.random.default_rng(8)

MODULUS = 97


def affine(p, q):
    """Composes affine maps: associative, and not commutative."""
    return p[0] * q[0] % 97, (p[1] * q[0] + q[1]) % MODULUS


def capped(a, b):
    return a + b - a * b / CAP


def product(p, q):
    return p[0] * q[0] - p[1] * q[1], p[0] * q[1] + p[1] * q[0]


@pytest.fixture(params=["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
def device(request):
    with weft.device(request.param):
        yield request.param


SIZES = (1, 2, 63, 64, 65, 2047, 2048, 2049, 2111, 40_000)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("size", SIZES)
def test_operands_keep_their_order(device, size):
    a, b = random.integers(1, 97, size), random.integers(1, 97, size)
    wanted = functools.reduce(affine, zip(a.tolist(), b.tolist()))
    assert tuple(weft.reduce(affine, (a, b))) == wanted
    started = functools.reduce(affine, zip(a.tolist(), b.tolist()), (3, 5))
    assert tuple(weft.reduce(affine, (a, b), initial=(3, 5))) == started


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("shape", [(1, 1), (7, 300), (300, 7), (2, 5000), (5000, 1), (9, 8, 7), (3, 5, 2, 40)])
def test_elements_are_combined_in_c_order(device, shape):
    a, b = random.integers(1, 97, shape), random.integers(1, 97, shape)
    wanted = functools.reduce(affine, zip(a.ravel().tolist(), b.ravel().tolist()))
    assert tuple(weft.reduce(affine, (a, b))) == wanted
    turned = functools.reduce(affine, zip(a.T.ravel().tolist(), b.T.ravel().tolist()))
    assert tuple(weft.reduce(affine, (a.T, b.T))) == turned


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("size", SIZES)
def test_functions_with_captured_numbers(device, size):
    a = random.random(size) / size
    np.testing.assert_allclose(weft.reduce(capped, a), functools.reduce(capped, a.tolist()), rtol=1e-12)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("size", SIZES)
def test_operands_may_change_places(device, size):
    a = random.integers(1, 9973, size)
    wanted = functools.reduce(lambda x, y: x * y % 9973, a.tolist(), 5)
    assert weft.reduce(lambda x, y: x * y % 9973, a, initial=5, commutative=True) == wanted


def test_nothing_needs_a_first_value(device):
    with pytest.raises(ValueError, match="zero-size array"):
        weft.reduce(capped, np.empty(0))
    assert weft.reduce(capped, np.empty(0), initial=2.0) == 2.0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.opencl
def test_devices_group_alike():
    """No float of these sums is exact, so another grouping would show."""
    turn = random.random(100_000)
    found = []
    for name in ("cpu", "opencl"):
        with weft.device(name):
            found.append(weft.reduce(capped, turn * 1e-3, commutative=name == "opencl"))
    np.testing.assert_array_equal(*found)


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
def test_tiles_are_a_kernel():
    @weft.jit(device="opencl")
    def folded(a):
        return weft.reduce(capped, a)

    @weft.jit(device="opencl")
    def turned(a, b):
        return weft.reduce(product, (a, b))

    a = random.random(10_000)
    assert folded.inspect(a).source.count("__kernel") == 1
    assert turned.inspect(a, a).source.count("__kernel") == 1


def test_in_a_loop_a_fold_makes_no_arrays():
    @weft.jit
    def rows(m):
        out = np.empty(len(m))
        for i in range(len(m)):
            out[i] = weft.reduce(capped, m[i])
        return out

    m = random.random((50, 30)) / 30
    np.testing.assert_allclose(rows(m), [functools.reduce(capped, row.tolist()) for row in m], rtol=1e-13)
    assert "partials" not in rows.inspect(m).ir and "parallel" in rows.inspect(m).ir
