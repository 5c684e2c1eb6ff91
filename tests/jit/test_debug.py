"""``debug=True``: the first NaN, overflow or division by zero raises, on every backend."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.transform.watch import EXCEPTION

DEVICES = [
    "cpu",
    "interpreter",
    pytest.param("opencl", marks=pytest.mark.opencl),
    pytest.param("cuda", marks=pytest.mark.gpu),
]
pytestmark = pytest.mark.filterwarnings("ignore:W001")


def raised(function, *args, device="cpu"):
    """What a call in debug mode says, on one line; its place is in the function."""
    with pytest.raises(FloatingPointError) as caught:
        weft.jit(function, debug=True, device=device)(*args)
    notes = getattr(caught.value, "__notes__", [])
    return "\n".join([str(caught.value), *notes])


def quotients(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] / b[i]


def products(a, b, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] * b[i, j]


def logarithms(a, out):
    for i in range(len(a)):
        out[i] = np.log(a[i])


def total(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s


@pytest.mark.parametrize("device", DEVICES)
class TestOnEveryDevice:
    def test_a_division_by_zero_with_line_and_index(self, device):
        text = raised(quotients, np.ones(4), np.array([3.0, 2.0, 0.0, 0.0]), np.zeros(4), device=device)
        assert text.startswith("the first division by zero: 1.0 / 0.0")
        assert f"line {quotients.__code__.co_firstlineno + 2}, in quotients" in text
        assert text.endswith("in the iteration i = 2")

    def test_an_overflow_with_all_counters(self, device):
        a = np.ones((3, 3))
        a[1, 2] = 1e200
        text = raised(products, a, a, np.zeros((3, 3)), device=device)
        assert text.startswith("the first overflow: 1e+200 * 1e+200 is infinite")
        assert text.endswith("in the iteration i = 1, j = 2")

    def test_a_nan(self, device):
        assert raised(logarithms, np.array([2.0, -1.0]), np.zeros(2), device=device).startswith(
            "the first NaN: log(-1.0) is nan"
        )

    def test_fine_numbers_give_what_they_give_without(self, device):
        rng = np.random.default_rng(1)
        a, out = rng.random(1000) + 0.5, np.zeros(1000)
        weft.jit(quotients, debug=True, device=device)(a, a[::-1].copy(), out)
        np.testing.assert_array_equal(out, a / a[::-1])

    def test_what_is_not_finite_from_the_start_is_no_finding(self, device):
        a, out = np.array([np.nan, np.inf, 1.0]), np.zeros(3)
        weft.jit(quotients, debug=True, device=device)(a, np.ones(3), out)
        np.testing.assert_array_equal(out, a)


def test_the_code_is_compiled():
    function = weft.jit(quotients, debug=True)
    function(np.ones(2), np.ones(2), np.ones(2))
    assert EXCEPTION in function.inspect().ir
    assert "fault" in function.inspect().source


def test_elements_before_the_first_finding_are_written():
    out = np.zeros(3)
    raised(quotients, np.ones(3), np.array([2.0, 0.0, 1.0]), out)
    assert out[0] == 0.5


def test_sums_are_made_in_the_order_of_the_source():
    assert "1e+308 + 1e+308" in raised(total, np.array([1e308, 1e308, -1e308]))
    a = np.random.default_rng(1).random(1000)
    assert weft.jit(total, debug=True)(a) == total(a)


def test_a_claim_of_a_sum_is_still_right():
    def claimed(a):
        s = 0.0
        for i in weft.prange(len(a)):
            s += a[i]
        return s

    assert weft.jit(claimed, debug=True)(np.ones(9)) == 9.0
    assert "the first overflow" in raised(claimed, np.full(4, 1e308))


def test_a_branch_that_avoids_the_operation_is_respected():
    def careful(a, out):
        for i in range(len(a)):
            out[i] = 1.0 / a[i] if a[i] != 0 else 0.0
            if a[i] > 0:
                out[i] += np.log(a[i])

    a, out = np.array([0.0, 1.0, 2.0]), np.zeros(3)
    weft.jit(careful, debug=True)(a, out)
    np.testing.assert_array_equal(out, [0.0, 1.0, 0.5 + np.log(2.0)])


def test_invariant_operations_of_a_loop_that_never_runs():
    def scaled(a, x):
        for i in range(len(a)):
            a[i] = a[i] * (1 / x)

    weft.jit(scaled, debug=True)(np.ones(0), np.float64(0))
    assert "1.0 / 0.0" in raised(scaled, np.ones(1), np.float64(0))


def test_narrower_floats_overflow():
    def narrow(a, out):
        for i in range(len(a)):
            out[i] = a[i]

    assert raised(narrow, np.array([1e300]), np.zeros(1, np.float32)).startswith(
        "the first overflow: 1e+300 as float32"
    )


def test_integers_of_numpy_divided_by_zero():
    def halves(a, b, out):
        for i in range(len(a)):
            out[i] = a[i] % b[i]

    a = np.array([7, 8])
    assert raised(halves, a, np.array([2, 0]), a.copy()).startswith("the first division by zero: 8 % 0")


def test_complex_numbers():
    def squares(z):
        for i in range(len(z)):
            z[i] = z[i] * z[i]

    assert "the first overflow" in raised(squares, np.array([1 + 1j, 1e300j]))


def test_powers_and_functions_of_math():
    def powers(a, out):
        for i in range(len(a)):
            out[i] = a[i] ** -1.5

    assert raised(powers, np.array([1.0, 0.0]), np.zeros(2)).startswith("the first division by zero: 0.0 ** -1.5")
    assert raised(lambda x: np.exp(x), np.float64(1000)).startswith("the first overflow: exp(1000.0) is infinite")


def test_helpers_say_who_called_them():
    def inverse(x):
        return 1 / x

    def inverses(a, out):
        for i in range(len(a)):
            out[i] = inverse(a[i])

    text = raised(inverses, np.zeros(1), np.zeros(1))
    assert "<locals>.inverse\n" in text
    assert "called from" in text


def test_neighbouring_loops_are_watched_one_after_the_other():
    """Joined loops would find the root of the second one first."""

    def logarithms_and_roots(a, b, c):
        for i in range(len(a)):
            b[i] = np.log(a[i])
        for i in range(len(a)):
            c[i] = b[i] / a[i] + np.sqrt(c[i])

    arrays = np.array([1.0, 2.0, -3.0]), np.zeros(3), np.array([-1.0, 1.0, 1.0])
    with pytest.raises(FloatingPointError, match="log"):
        weft.jit(logarithms_and_roots, device="cpu", debug=True)(*arrays)
