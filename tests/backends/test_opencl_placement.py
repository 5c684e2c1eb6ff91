"""Arrays that stay on a real device: states after faults and exceptions, strided copies, loops that do not run."""

import numpy as np
import pytest

import weft
from tests.plan import test_transfers, thesis

pytestmark = pytest.mark.opencl


def on_device(function):
    return weft.jit(function, device="opencl")


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


def test_explain_shows_what_moves():
    made = weft.explain(on_device(thesis.jacobi), np.zeros((9, 9)), np.zeros((9, 9)), 5)
    assert any(action.kind == "copy_out" for action in made.plan)
    assert "What moves" in str(made)
