"""Arrays: indices, slices, views, fields, local arrays, attributes."""

from __future__ import annotations

import numpy as np
import pytest

from weft.ir.types import NUMPY_TYPES

from .compare import check

M = np.arange(24.0).reshape(4, 6)


def test_negative_indices():
    def f(a, i):
        a[-1] = a[-2] + a[i]
        return a[i]

    for i in (-6, -1, 0, 5):
        check(f, M[0], i)


@pytest.mark.parametrize("i", [6, -7, 100])
def test_indices_outside_raise(i):
    def f(a, i):
        a[0] = 5.0
        return a[i]

    check(f, M[0], i)


def test_indices_of_numpy_types():
    def f(a, p):
        s = 0.0
        for k in range(len(p)):
            s += a[p[k]]
        return s

    for dtype in (np.int64, np.int8, np.uint16, np.uint64):
        check(f, M[0], np.array([0, 2, 5], dtype))


SLICES = [
    lambda a, i, j: a[i:j],
    lambda a, i, j: a[i:],
    lambda a, i, j: a[:j],
    lambda a, i, j: a[:],
    lambda a, i, j: a[::2],
    lambda a, i, j: a[i:j:2],
    lambda a, i, j: a[::-1],
    lambda a, i, j: a[i:j:-1],
    lambda a, i, j: a[i::-2],
    lambda a, i, j: a[:j:-3],
    lambda a, i, j: a[1:-1],
    lambda a, i, j: a[-3:-1],
    lambda a, i, j: a[-100:100],
    lambda a, i, j: a[4:2],
    lambda a, i, j: a[5::-1],
    lambda a, i, j: a[-2::-2],
    lambda a, i, j: a[slice(i, j)],
    lambda a, i, j: a[i:None:None],
]


@pytest.mark.parametrize("f", SLICES)
def test_slices(f):
    for i, j in ((0, 6), (1, 4), (-2, 3), (4, 1), (-100, 100), (7, -7), (-1, 0)):
        check(f, M[1], i, j)
    check(f, M[1, :0], 0, 1)


def test_slices_with_steps_of_either_sign():
    def f(a, i, j, k):
        return a[i:j:k]

    for k in (1, 2, -1, -3, 50, -50, 0):
        for i, j in ((0, 6), (5, 0), (-1, 2)):
            check(f, M[1], i, j, k)


def test_slices_share_memory():
    def f(a):
        b = a[1:-1:2]
        for k in range(len(b)):
            b[k] = -b[k]
        return b.shape[0]

    check(f, M[0])


def test_rows_columns_and_new_axes():
    def f(m, i):
        row, column = m[i], m[:, i]
        block = m[1:3, ::2]
        thin = m[:, None, i]
        last = m[..., -1]
        all_new = m[None, ..., None]
        row[0] += column[1] + block[1, 2]
        return row, column, block, thin, last, all_new, m[i][2], m[i, 1:][0], m[(i, 2)]

    for i in (0, 2, -1):
        check(f, M, i)


def test_an_index_in_a_tuple():
    def f(m):
        p = (1, 2)
        m[p] = 5.0
        return m[p]

    check(f, M)


def test_zero_dimensions():
    def f(a, m):
        a[()] = a[()] + 1.0
        a[...] = a + m[0, 0]
        return a * 2.0

    check(f, np.array(3.0), M)


def test_transposes():
    def f(m, c):
        t = m.T
        t[0, 1] = 77.0
        u = np.transpose(c, (2, 0, 1))
        return t, u, c.transpose(1, 2, 0), np.swapaxes(c, 0, -1), c.swapaxes(1, 2), t.T, c.T, m.transpose()

    check(f, M, np.arange(24).reshape(2, 3, 4))


def test_attributes():
    def f(m, c):
        rows, columns = m.shape
        return rows, columns, m.ndim, m.size, len(m), m.shape[-1], m.itemsize, m.nbytes, c.size, np.shape(m), np.ndim(c)

    check(f, M, np.zeros((2, 0, 3), np.float32))


def test_dtypes():
    def f(m, c):
        if m.dtype == np.float64 and c.dtype == np.dtype(np.int32) and c.dtype != "float32":
            return np.empty(2, dtype=c.dtype)
        return np.empty(3, dtype=np.float64)

    def g(m):
        return np.zeros(3, m.dtype), m.dtype.type(2), np.finfo(m.dtype).eps, np.iinfo(np.int16).max

    check(lambda m, c: len(f(m, c)), M, np.zeros(3, np.int32))
    check(g, M)


def test_complex_parts():
    def f(z, out):
        for i in range(len(z)):
            out[i] = z[i].real * 2 + z[i].imag
            z.real[i] = 0.0
            z[i] = z[i].conjugate() * 1j
        return z.imag, z.real

    check(f, np.array([1 + 2j, 3 - 1j]), np.zeros(2))
    check(f, np.array([1 + 2j, 3 - 1j], np.complex64), np.zeros(2))


RECORD = np.dtype([("x", "f8"), ("n", "i4"), ("v", "f4", (2,)), ("in", [("a", "u1"), ("b", "f8")])])


def test_fields():
    def f(r):
        s = 0.0
        for i in range(len(r)):
            s += r[i]["x"] + r["n"][i]
            r["x"][i] = i * 2
            r[i]["n"] += 5
            r["v"][i, 1] = 3.0
            r[i]["v"][0] += 1.0
            r["in"]["a"][i] = 7
            r[i]["in"]["b"] = s
            one = r[i]
            one["x"] += one["n"]
        return s, r["v"], r["in"]["b"]

    values = np.zeros(3, RECORD)
    values["x"] = [1, 2, 3]
    check(f, values)


def test_records_are_copied():
    def f(r):
        r[0] = r[1]
        r[1]["n"] = 9

    values = np.zeros(2, [("x", "f8"), ("n", "i4")])
    values["x"] = [1, 2]
    check(f, values)


def test_local_arrays():
    def f(a, n, x):
        t = np.empty(n)
        for i in range(n):
            t[i] = x * i
        return (
            t, np.zeros((n, 2)), np.ones(3, dtype=np.int8), np.full(n, x), np.full((2, n), 7), np.zeros(n, bool),
            np.zeros_like(a), np.ones_like(a, dtype=np.float32), np.full_like(a, 5), np.zeros(2, "complex64"),
            np.zeros([n, 1], int), np.zeros(shape=(1,), dtype=float), np.full(2, np.float32(x)), np.zeros(()),
        )  # fmt: skip

    check(f, np.arange(3, dtype=np.int16), 2, 1.5)


def test_negative_extents_raise():
    def f(n):
        return np.zeros(n)

    check(f, -1)


def test_arrays_of_numbers():
    def f(x, n):
        a = np.array([1, 2, 3])
        b = np.array([[x, 2], [3, n]])
        c = np.array((x, 1.0), dtype=np.float32)
        d = np.array([np.float32(1), np.float32(2)])
        a[0] = n
        return a, b, c, d, np.array([n, True])

    check(f, 2.5, 7)


def test_arrays_made_in_a_loop_are_new_each_time():
    def f(a):
        last = a
        for i in range(3):
            t = np.zeros(2)
            t[0] = i + last[0]
            last = t
        return last

    check(f, np.ones(2))


@pytest.mark.parametrize("type", NUMPY_TYPES)
def test_elements_of_all_types(type):
    def f(a, out):
        for i in range(len(a)):
            out[i] = a[len(a) - 1 - i]
        return out[0]

    values = np.array([0, 1, 1, 0, 1]).astype(type.dtype)
    check(f, values, np.zeros_like(values))


def test_stores_convert_as_numpy_does():
    def f(a, x, n, y):
        a[0] = x
        a[1] = n
        a[2] = y
        a[3] = True

    for dtype in (np.int8, np.int32, np.int64, np.uint8, np.uint64, np.float32, np.float16, np.complex64, np.bool_):
        check(f, np.zeros(4, dtype), 3.7, 5, np.float32(2.5))


@pytest.mark.parametrize("value", [300, -1, 2**40, float("nan"), float("inf"), 1e300])
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64])
def test_stores_that_do_not_fit(value, dtype):
    def f(a, x):
        a[0] = x

    if dtype == np.uint8 and isinstance(value, float):
        pytest.skip("an undefined conversion of C")
    check(f, np.zeros(1, dtype), value, message=False)


def test_read_only_arrays():
    def f(a):
        a[0] = 1.0

    frozen = np.zeros(3)
    frozen.flags.writeable = False

    def g(b):
        return f(b)

    with pytest.raises(ValueError, match="read-only"):
        from .compare import interpret

        interpret(g, frozen)


def test_strided_arrays_and_broadcast_ones():
    def f(a, b):
        s = 0.0
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                s += a[i, j] * b[i, j]
        return s

    check(f, M[::2, ::-3], np.broadcast_to(np.array([1.0, 2.0]), (2, 2)))


def test_item():
    def f(a, m):
        return a[0].item(), m.item(1, 2), a[1].real

    check(f, np.array([1.5, 2.5], np.float32), M)


def test_views_of_different_layouts_share_a_variable():
    def f(m, n):
        v = m[0]
        if n > 0:
            v = m[:, 0]
        for i in range(3):
            v = v[::-1]
            v[0] += 1.0
        return v[0]

    check(f, M, 0)
    check(f, M, 1)


def test_eight_dimensions():
    def f(a):
        return a[0, 1, 0, 1, 0, 1, 0, 1] + a[1].shape[6]

    check(f, np.arange(256.0).reshape((2,) * 8))


def test_loops_over_array_elements_of_parts():
    def f(m):
        s = 0.0
        for row in m[1:]:
            for v in row[::2]:
                s += v
        for column in m.T:
            s *= 0.5
            s += column[-1]
        return s

    check(f, M)
