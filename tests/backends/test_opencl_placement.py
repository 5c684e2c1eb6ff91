"""Arrays that stay on a real device: states after faults and exceptions, strided copies, loops that do not run."""

import numpy as np
import pytest

import weft
from tests.plan import test_transfers, thesis

pytestmark = pytest.mark.opencl


def on_device(function):
    return weft.jit(function, device="opencl")


@pytest.mark.sample(2)
@pytest.mark.parametrize("steps", [0, 1, 2, 7])
def test_time_steps_copy_the_border_and_the_inner_elements(steps):
    rng = np.random.default_rng(3)
    u, v = rng.random((9, 11)), rng.random((9, 11))
    expected_u, expected_v = u.copy(), v.copy()
    thesis.jacobi(expected_u, expected_v, steps)
    result = on_device(thesis.jacobi)(u, v, steps)
    np.testing.assert_array_equal(u, expected_u)
    np.testing.assert_array_equal(v, expected_v)
    assert result is (v if steps % 2 else u)


def test_arrays_of_different_shapes_that_change_places():
    u, v = np.random.default_rng(3).random((6, 6)), np.zeros((7, 8))
    expected_u, expected_v = u.copy(), v.copy()
    thesis.jacobi(expected_u, expected_v, 1)
    on_device(thesis.jacobi)(u, v, 1)
    np.testing.assert_array_equal(v, expected_v)
    np.testing.assert_array_equal(u, expected_u)


def test_a_kernel_that_fails_starts_again_from_what_it_found():
    x, y = np.arange(4.0), np.array([0.0, 1.0, 3.0, 2.0])
    expected_x, expected_y = x.copy(), y.copy()
    with pytest.raises(IndexError):
        test_transfers.indirect(expected_x, expected_y, 9)
    with pytest.raises(IndexError):
        on_device(test_transfers.indirect)(x, y, 9)
    np.testing.assert_array_equal(x, expected_x)
    np.testing.assert_array_equal(y, expected_y)


def test_an_exception_of_the_host_finds_the_kernels_results():
    x, y = np.arange(9.0), np.full(3, 3.0)
    with pytest.raises(IndexError):
        on_device(test_transfers.raises_between)(x, y)
    np.testing.assert_array_equal(x, np.arange(9.0) + 1.0)


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_an_array_of_the_function_changes_places_with_an_argument(steps):
    u = np.arange(9.0)
    expected = test_transfers.own_buffer(u.copy(), steps)
    np.testing.assert_array_equal(on_device(test_transfers.own_buffer)(u, steps), expected)


def test_the_naive_placement_gives_the_same():
    u, v = np.random.default_rng(3).random((9, 9)), np.zeros((9, 9))
    expected_u, expected_v = u.copy(), v.copy()
    on_device(thesis.jacobi)(expected_u, expected_v, 5)
    weft.jit(thesis.jacobi, device="opencl", disable=("placement",))(u, v, 5)
    np.testing.assert_array_equal(u, expected_u)
    np.testing.assert_array_equal(v, expected_v)


@pytest.mark.sample(0)
def test_explain_shows_what_moves():
    made = weft.explain(on_device(thesis.jacobi), np.zeros((9, 9)), np.zeros((9, 9)), 5)
    assert any(action.kind == "copy_out" for action in made.plan)
    assert "What moves" in str(made)


def added_up(a):
    a[1:3] += 1.0


def changed_in_part(n, a, b):
    for t in range(n):
        for i in range(2 * n + 7):
            a[i] = 1.0 + i
        for i in range(1, n - 1):
            a[i] = a[i + 1] * 0.5
        if b[2] > 1.5:
            raise ValueError("large")
        if a[2] > 0.0:
            weft.python(added_up, a, writes=(a,))


def changed_in_part_of_rows(n, a, b):
    for t in range(n):
        for i in range(n):
            for j in range(n):
                a[i, j] = 1.0 + i * j
        for i in range(1, n - 1):
            for j in range(1, n - 2):
                a[i, j] = a[i, j + 1] * 0.5 + a[i - 1, j]
        if b[2] > 1.5:
            raise ValueError("large")
        if a[2, 2] > 0.0:
            weft.python(added_up, b, writes=(b,))


@pytest.mark.parametrize("function, shape", [(changed_in_part, (18,)), (changed_in_part_of_rows, (7, 8))])
def test_what_the_host_has_changed_of_an_array_is_there_after_an_exception(function, shape):
    expected, got = (np.ones(shape), np.full(9, 2.0)), (np.ones(shape), np.full(9, 2.0))
    with pytest.raises(ValueError, match="large"):
        function(5, *expected)
    with pytest.raises(ValueError, match="large"):
        on_device(function)(5, *got)
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_array_equal(a, b)
