"""``fastmath=True``: fused products and sums, reciprocals, small powers; right but for a few roundings."""

from __future__ import annotations

import numpy as np
import pytest

import weft

DEVICES = [
    "cpu",
    "interpreter",
    pytest.param("opencl", marks=pytest.mark.opencl),
    pytest.param("cuda", marks=pytest.mark.gpu),
]
fused = pytest.mark.skipif(
    "fma" not in weft.jit(lambda a: a * a + a, fastmath=True).inspect(np.float64(1.0)).ir,
    reason="the processor has no fused multiply-add",
)


def stencil(u, v, c):
    for i in range(1, len(u) - 1):
        v[i] = u[i] * c - u[i - 1] * 0.25 + u[i + 1] * 0.5


def normalised(a, out, length):
    for i in range(len(a)):
        out[i] = a[i] / length


def powers(a, out):
    for i in range(len(a)):
        out[i] = a[i] ** 3 + a[i] ** -2 + a[i] ** 0.5


def ir(function, *args, **options):
    return weft.jit(function, fastmath=True, **options).inspect(*args).ir


@fused
def test_products_and_sums_are_fused():
    a = np.ones(4)
    assert ir(stencil, a, a, 0.3).count("fma(") == 2
    assert "fma(" not in weft.jit(stencil).inspect(a, a, 0.3).ir


def test_a_division_by_what_the_loop_does_not_change_is_a_product():
    text = ir(normalised, np.ones(4), np.ones(4), np.float64(3.0))
    before, _, loop = text.partition("for ")
    assert "/ length" in before
    assert "/" not in loop.partition("}")[0]


def test_a_division_by_a_constant_is_a_product():
    def thirds(a):
        for i in range(len(a)):
            a[i] = a[i] / 3.0

    assert "/ 3.0" not in ir(thirds, np.ones(4))
    assert "/ 3.0" in weft.jit(thirds).inspect(np.ones(4)).ir


def test_small_powers_are_products():
    text = ir(powers, np.ones(4), np.ones(4))
    assert "**" not in text
    assert "sqrt(" in text


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_answers_differ_by_roundings_only(dtype, device):
    a = (np.random.default_rng(1).random(300) + 0.5).astype(dtype)
    for function, further in ((stencil, (dtype(0.3),)), (normalised, (dtype(0.7),)), (powers, ())):
        expected, found = np.zeros_like(a), np.zeros_like(a)
        function(a, expected, *further)
        weft.jit(function, fastmath=True, device=device)(a, found, *further)
        np.testing.assert_allclose(found, expected, rtol=20 * np.finfo(dtype).eps)


@pytest.mark.parametrize("device", DEVICES)
def test_nan_and_infinity_still_count(device):
    a, found = np.array([np.nan, np.inf, -np.inf, 0.0]), np.zeros(4)
    weft.jit(normalised, fastmath=True, device=device)(a, found, np.float64(0.0))
    np.testing.assert_array_equal(found, [np.nan, np.inf, -np.inf, np.nan])

    def count(a):
        nans = 0
        for i in range(len(a)):
            if a[i] != a[i]:
                nans += 1
        return nans

    assert weft.jit(count, fastmath=True, device=device)(a) == 1


def pull(r, m, out):
    for i in range(len(r)):
        out[i] = m[i] / (r[i] * np.sqrt(r[i]))


def steep(r, m, out):
    for i in range(len(r)):
        root = np.sqrt(r[i])
        out[i] = m[i] / (root * root * (r[i] * root)) + m[i] / root


def curves(r, m, out):
    for i in range(len(r)):
        out[i] = np.exp(-r[i]) + np.log(r[i]) / m[i] + np.exp2(m[i]) * np.log2(r[i]) - np.log10(m[i] / r[i])


@pytest.mark.parametrize("function, inverses", [(pull, 1), (steep, 2)])
def test_what_a_root_divides_is_multiplied_by_its_inverse(function, inverses):
    r = np.ones(4, np.float32)
    text = ir(function, r, r, r)
    assert text.count("/") == text.count("1.0:float32 / ") == inverses
    assert ir(function, *(np.ones(4),) * 3).count("1.0:float64 /") == 0, "of float32 only"


def test_a_product_of_many_factors_and_a_root_is_divided_by():
    def far(r, m, out):
        for i in range(len(r)):
            t = r[i] * np.sqrt(r[i])
            for _ in range(1):
                t = t * t
            t = t * t
            out[i] = m[i] / (t * t)

    r = np.ones(4, np.float32)
    assert "1.0:float32 /" not in ir(far, r, r, r)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("function", [pull, steep, curves])
def test_functions_of_float32_differ_by_roundings_only(function, device):
    generator = np.random.default_rng(2)
    r, m = ((generator.random(1000) * 3 + 1.5).astype(np.float32) for _ in range(2))
    expected, found = np.zeros(1000), np.zeros_like(r)
    function(r.astype(np.float64), m.astype(np.float64), expected)
    weft.jit(function, fastmath=True, device=device)(r, m, found)
    np.testing.assert_allclose(found, expected, rtol=3e-6, atol=1e-6)


@pytest.mark.parametrize("device", DEVICES)
def test_special_cases_of_functions_of_float32(device):
    def functions(a, exp, log, root, inverse):
        for i in range(len(a)):
            exp[i] = np.exp(a[i])
            log[i] = np.log(a[i])
            root[i] = np.sqrt(a[i])
            inverse[i] = a[i] / np.sqrt(a[i])

    a = np.array([0.0, 1.0, np.inf, -np.inf, np.nan, -1.0], np.float32)
    found = [np.zeros_like(a) for _ in range(4)]
    weft.jit(functions, fastmath=True, device=device)(a, *found)
    with np.errstate(all="ignore"):
        expected = np.exp(a), np.log(a), np.sqrt(a), a / np.sqrt(a)
    for got, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-6)


def test_pythons_floats_still_raise():
    def inverse(x, n):
        s = 0.0
        for i in range(n):
            s += i / x
        return s

    with pytest.raises(ZeroDivisionError):
        weft.jit(inverse, fastmath=True)(0.0, 3)


def test_the_order_of_debug_is_kept():
    a = np.array([1.0, 0.0])
    with pytest.raises(FloatingPointError):
        weft.jit(normalised, fastmath=True, debug=True)(a, a.copy(), np.float64(0.0))
