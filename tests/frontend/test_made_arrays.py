"""Arrays made in compiled code from rules and from other arrays: elements, dtypes and errors as NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.errors import TypeInferenceError, UnsupportedError

from .compare import check, program_of

POINT = np.dtype([("p", [("x", np.float64), ("y", np.float32)]), ("k", np.int16, (2,))])


@pytest.mark.parametrize("args", [(5,), (0,), (-3,), (1.0,), (2.5,), (np.int32(4),), (np.float32(2.5),)])
def test_arange_up_to_a_stop(args):
    check(lambda n: np.arange(n), *args)


@pytest.mark.parametrize(
    "args",
    [
        (2, 7, 1), (7, 2, 1), (7, 2, -2), (0, 10, 3), (0.5, 3.2, 0.3), (0.0, 1.0, 0.1), (2, 5, 0.5), (0, 5, 0),
        (np.float32(0.1), np.float32(0.9), np.float32(0.1)), (0, float("nan"), 1), (0.0, 1e30, 1.0), (0, -7, -3),
    ],
)  # fmt: skip
def test_arange_with_a_step(args):
    check(lambda start, stop, step: np.arange(start, stop, step), *args)


def test_arange_of_a_dtype_goes_on_as_its_second_element():
    def f(n, step):
        return (
            np.arange(n, dtype=np.float32), np.arange(0.1, n / 4, step, dtype=np.float32),
            np.arange(0, n, step, dtype=np.float16), np.arange(1, n, 2, np.uint8), np.arange(start=1, stop=n, step=3),
            np.arange(n, None, None), np.arange(n % 100, dtype=np.int8),
        )  # fmt: skip

    for n, step in ((10, 1), (300, 1), (10, 0.3), (0, 1)):
        check(f, n, step)


def test_arange_of_numbers_that_do_not_fit_raises():
    check(lambda n: np.arange(0, n, 300, dtype=np.int8), 1000, message=False)
    check(lambda n: np.arange(0, n, 300, dtype=np.int8), 200)


def test_arange_of_complex_numbers_is_refused():
    with pytest.raises(TypeInferenceError, match="np.arange of the dtype complex128 is not supported"):
        program_of(lambda n: np.arange(n, dtype=complex), 3)


@pytest.mark.parametrize("count", [-1, 0, 1, 2, 7])
@pytest.mark.parametrize("ends", [(0.0, 1.0), (3.0, -1.0), (3, 3), (1e-320, 2e-320), (-np.inf, 1.7)])
def test_linspace(ends, count):
    def f(a, b, n):
        return np.linspace(a, b, n), np.linspace(a, b, num=n, endpoint=False), np.linspace(a, b)

    check(f, *ends, count)


def test_linspace_of_narrow_floats():
    check(lambda a: np.linspace(a, 1.0, 3), np.float32(0))


@pytest.mark.parametrize("sizes", [(4, 3, 1), (3, 5, -1), (0, 2, 0), (3, 3, 7), (3, 3, -7)])
def test_eye_and_identity(sizes):
    def f(n, m, k):
        return np.eye(n), np.eye(n, m), np.eye(n, k=k), np.eye(n, m, k, np.int32), np.identity(n, dtype=np.complex64)

    check(f, *sizes)


@pytest.mark.parametrize(
    "array", [np.arange(20.0).reshape(4, 5), np.ones((5, 4)).T, np.arange(81.0).reshape(9, 9)[::2, ::-3]]
)
def test_copies_share_no_memory(array):
    def f(a):
        b, c, d = a.copy(), np.copy(a), np.array(a)
        b[0, 0], c[1, 1] = 77.0, 66.0
        d.fill(3)
        return a, b, c, d, a.T.copy(), np.array(a[0], copy=True)

    check(f, array)


def test_asarray_is_the_array_itself_or_a_converted_copy():
    def f(a):
        same, other = np.asarray(a), np.asarray(a, dtype=np.complex64)
        same[0], other[1] = 5.0, 2.0
        return a, other

    check(f, np.arange(3.0))


def test_astype_converts_elements_and_scalars():
    def f(a):
        s = a[0].astype(np.float32) + a[1].copy()
        return a.astype(np.int16), a.astype(bool), np.array(a[1:], dtype=np.float32), a.astype(complex), s

    check(f, np.array([1.5, 0.0, -3.7]))


def test_copies_of_structured_arrays():
    def f(a):
        b, zeros, ones = a.copy(), np.zeros(3, dtype=POINT), np.ones_like(a)
        b["k"][2, 1] = 9
        zeros["p"]["x"][0] = a["p"]["x"][1]
        return b, zeros, ones

    array = np.zeros(4, POINT)
    array["p"]["x"] = [0.5, 1.5, 2.5, 3.5]
    check(f, array)


def test_arrays_of_no_dimensions():
    check(lambda a, n: (a.copy(), np.array(n), np.array(2.5, dtype=np.float32)), np.array(3.5), 2)


def test_fill_converts_as_assignment_does():
    def f(a, x):
        a.fill(x)
        return a

    check(f, np.zeros(3, np.int8), 2.9)
    check(f, np.zeros(3, np.int8), 300)
    check(f, np.broadcast_to(np.zeros(1), 3), 1.0, message=False)


def test_a_copy_that_depends_on_strides_is_refused():
    with pytest.raises(UnsupportedError, match="gives the array itself or a copy of it") as error:
        program_of(lambda a: np.require(a), np.zeros(3))
    assert "write .copy()" in str(error.value)


def test_arrays_made_in_parallel_loops_are_private():
    def f(a, out):
        for i in weft.prange(len(a)):
            row, weight = a[i].copy(), np.arange(a.shape[1])
            for j in range(len(row)):
                row[j] *= weight[j]
            for j in range(1, len(row)):
                out[i] += row[j] * row[j - 1]

    a = np.arange(12.0).reshape(3, 4)
    check(f, a, np.zeros(3))


def grids(n, a, step):
    x, y = np.ogrid[-1.5:1.5:step, 0:n]
    v, w = np.mgrid[0 : 1 : n * 1j, : a.shape[0]]
    one = np.ogrid[a[0] : 2.5 : 3j]
    return (
        x + y,
        x,
        y,
        v,
        w,
        one,
        np.mgrid[0:n],
        np.mgrid[:3.5],
        np.r_[0:1:5j, n, 1.5:3],
        np.c_[0:n, n:0:-1],
        np.mgrid[-1:1:3j],
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_grids_take_floats_and_numbers_of_points(dtype):
    got, wanted = (f(4, np.array([1, 3], dtype), 0.5) for f in (weft.jit(grids), grids))
    for one, other in zip(got, wanted, strict=True):
        assert one.dtype == other.dtype and one.tolist() == other.tolist()
