"""Edges of array expressions: overlapping arguments, order of evaluation, types, exceptions."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import weft
from tests.arrays.test_programs import outcome


def same(function, *arguments, exact=True):
    """Assert that a function does compiled what it does in Python; shared memory between arguments stays shared."""
    theirs, mine = copy.deepcopy(arguments), copy.deepcopy(arguments)
    wanted, found = outcome(function, theirs), outcome(weft.jit(device="cpu")(function), mine)
    if isinstance(wanted, Exception):
        assert isinstance(found, type(wanted)), found
        assert str(wanted).strip() in str(found)
        return
    if isinstance(found, Exception):
        raise found
    for a, b in zip(_flat((found, mine)), _flat((wanted, theirs)), strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        assert np.shape(a) == np.shape(b)
        np.testing.assert_array_equal(a, b) if exact else np.testing.assert_allclose(a, b)


def _flat(value):
    if isinstance(value, tuple):
        return [leaf for item in value for leaf in _flat(item)]
    return [] if value is None else [value]


def numbers(count=6):
    return np.arange(count) * 1.5 - 2


# ------------------------------------------------------------------------------------------------ shared memory


def shifted(u, v):
    u[1:] = v[:-1] * 2
    return u


def test_one_array_given_twice():
    a = numbers()
    mine, theirs = a.copy(), a.copy()
    weft.jit(device="cpu")(shifted)(mine, mine)
    shifted(theirs, theirs)
    np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize(
    ("first", "second"), [(slice(0, 5), slice(1, 6)), (slice(1, 6), slice(0, 5)), (slice(5, 0, -1), slice(0, 5))]
)
def test_overlapping_arguments(first, second):
    mine, theirs = numbers(), numbers()
    weft.jit(device="cpu")(shifted)(mine[first], mine[second])
    shifted(theirs[first], theirs[second])
    np.testing.assert_array_equal(mine, theirs)


def test_a_matrix_and_its_transpose():
    def f(a):
        a += a.T
        a[:] = a.T
        a[0] = a[:, 1]
        return a

    same(f, np.arange(9.0).reshape(3, 3))


def test_the_right_side_is_complete_before_the_first_write():
    def f(a):
        a[1:] = a[:-1]
        a[:-1] += a[1:]
        a[::2] = a[1::2] + a[0]
        a[:] = a[::-1]
        a -= a[2]
        a /= a[0:1] + 10
        return a

    same(f, numbers())


def test_a_swap_of_parts():
    def f(a, m):
        a[:3], a[3:] = a[3:].copy(), a[:3].copy()
        m[0], m[1] = m[1].copy(), m[0].copy()
        return a, m

    same(f, numbers(), np.arange(6.0).reshape(2, 3))


def test_a_name_stands_for_the_array_and_not_for_a_copy():
    def f(a):
        b = a
        b += 1
        c = a[1:3]
        c[:] = 9
        d = +a
        d[0] = 100
        return a, b, d

    same(f, numbers())


def test_a_helper_that_writes_an_operand():
    def f(a):
        def bump(x):
            x += 10
            return x

        return (a + 1) + bump(a), np.where(a > 0, a * 2, bump(a)), a * bump(a)

    same(f, numbers())


def test_an_array_made_in_each_iteration():
    def f(a, n):
        kept = a
        for k in range(n):
            a = a + k
            if k == 1:
                kept = a
        return a, kept

    same(f, numbers(), 4)


def test_results_are_arrays_of_their_own():
    def f(a):
        b = a * 2
        c = b
        b = b + 1
        return a, b, c

    x = numbers()
    first, second, third = weft.jit(device="cpu")(f)(x)
    assert first is x
    assert not np.shares_memory(second, third)


# ------------------------------------------------------------------------------------------------------- slices


@pytest.mark.parametrize("size", [0, 1, 2, 5])
def test_bounds_outside_of_the_array(size):
    def f(a):
        return a[10:], a[-10:2], a[3:1], a[::-2] * 1, a[:-10:-1] + 0, a[5::-1] * 2, a[1:100:3] + 1

    same(f, numbers(size))


def test_slices_of_all_kinds():
    def f(m, k):
        m[..., 0] = 1
        m[None][0, 1] = 2
        m[k:, ::-2] += 3
        m[-1] *= m[0]
        m[:, k] = m[:, -1]
        m[1:2] -= m
        return m, m[:, None, ::2] + 1, m[k][..., None] * m[:, 1]

    same(f, np.arange(12.0).reshape(1, 12).repeat(1, 0).reshape(3, 4)[:1], 0)


def test_stores_convert():
    def f(i, b, f32):
        i[:] = f32
        i[0] = 3
        b[:] = f32 > 1
        f32[:] = i / 3
        f32 += 1
        i += 2
        i //= 2
        return i, b, f32

    same(f, np.arange(4), np.zeros(4, bool), np.linspace(-2, 2, 4).astype(np.float32))


# ------------------------------------------------------------------------------------------------------- shapes


@pytest.mark.parametrize("shapes", [((3,), (3,)), ((3,), (1,)), ((1,), (3,)), ((2, 3), (3,)), ((2, 3), (2, 1)),
                                    ((2, 1), (1, 3)), ((1, 1), (2, 3)), ((0,), (1,)), ((3,), (0,)), ((2,), (3,)),
                                    ((2, 3), (2,)), ((4, 1, 3), (2, 1))])  # fmt: skip
def test_broadcasting(shapes):
    def f(a, b):
        c = a * 2 + b
        return c, np.sum(a + b), (a - b).sum(axis=0), np.maximum(a, b) > 0

    same(f, *(np.arange(np.prod(s)).reshape(s) + 1.0 for s in shapes))


@pytest.mark.parametrize("shape", [(3,), (1,), (2,), (1, 3), (2, 3), (1, 1, 3), (0,)])
def test_assignment_broadcasts_the_right_side_alone(shape):
    def f(m, x):
        m[:] = x
        return m

    same(f, np.zeros((2, 3)), np.arange(np.prod(shape)).reshape(shape) + 1.0)


@pytest.mark.parametrize("shape", [(3,), (1,), (4,), (2, 3)])
def test_update_in_place_keeps_the_shape(shape):
    def f(a, b):
        a += b
        return a

    theirs, mine = np.ones(3), np.ones(3)
    other = np.arange(np.prod(shape)).reshape(shape) + 1.0
    wanted = outcome(f, (theirs, other))
    if isinstance(wanted, ValueError):
        with pytest.raises((ValueError, weft.TypeInferenceError)):
            weft.jit(device="cpu")(f)(mine, other)
    else:
        np.testing.assert_array_equal(weft.jit(device="cpu")(f)(mine, other), wanted)


# -------------------------------------------------------------------------------------------------------- types

DTYPES = ("bool", "int8", "uint8", "int32", "uint64", "int64", "float16", "float32", "float64", "complex64")


@pytest.mark.parametrize("first", DTYPES)
def test_types_of_operations(first):
    def f(a, b, c, d):
        return a + b, a * c, a + 1, a * 2.5, 1 - c, a == b, d + a, abs(a), a + True, c / 2, a * a

    def values(dtype):
        return np.array([0, 1, 1, 0]).astype(dtype)

    same(f, values(first), values("int16"), values("float32"), values("complex128"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_types_of_reductions(dtype):
    def f(a):
        return a.sum(), a.mean(), a.prod(), a.any(), a.all(), a.sum(axis=0), a.mean(axis=1), np.count_nonzero(a)

    same(f, np.array([[0, 1, 1], [1, 1, 0]]).astype(dtype), exact=dtype != "float16")


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d != "complex64"])
def test_types_of_extremes(dtype):
    def f(a):
        return a.min(), a.max(axis=0), a.argmin(), a.argmax(axis=1), np.max(a, axis=(0, 1), keepdims=True)

    same(f, np.array([[0, 1, 1], [1, 1, 0]]).astype(dtype))


def test_nan_and_signed_zero():
    def f(a):
        return a.max(), a.min(), a.argmax(), a.argmin(), np.maximum(a, 0), np.where(a > 0, a, -a), a.any(), np.sign(a)

    same(f, np.array([1.0, np.nan, -0.0, np.inf, np.nan]))


def test_a_number_that_does_not_fit():
    def f(a):
        return a + 300

    same(f, np.zeros(3, np.int8))


def test_powers():
    def f(a, i):
        return a**2, a**0.5, a**-1, a**1, a**3.0 * 0, i**2, i**3, 2.0**i, np.square(a), i**0

    same(f, np.array([0.0, 1.5, -2.0, np.inf]), np.arange(4))


def test_integers_to_negative_powers():
    def f(i):
        return i**-1

    same(f, np.arange(1, 4))


# --------------------------------------------------------------------------------------------------- reductions


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), (1, 1), (2, 3)])
def test_reductions_of_nothing(shape):
    def f(a):
        return a.sum(), a.prod(), a.any(), a.all(), np.sum(a, axis=0), np.prod(a, axis=-1), np.count_nonzero(a)

    def g(a):
        return a.max()

    def h(a):
        return a.min(axis=0)

    def k(a):
        return a.argmax(axis=-1)

    for function in (f, g, h, k):
        same(function, np.ones(shape))


def test_options_of_reductions():
    def f(m, mask, out):
        np.sum(m, axis=0, out=out)
        return (
            m.sum(initial=10.0), m.max(initial=100.0), m.sum(axis=1, where=mask), np.sum(m, dtype=np.float32),
            m.mean(axis=(0, 1)), m.std(axis=0, ddof=1), m.sum(-1, keepdims=True), np.add.reduce(m),
            m.max(axis=1, keepdims=True),
        )  # fmt: skip

    m = np.arange(12.0).reshape(3, 4)
    same(f, m, m % 3 == 0, np.zeros(4), exact=False)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_are_as_accurate_as_pairwise_ones(dtype):
    x = np.random.default_rng(0).random(3_000_000).astype(dtype)
    exact = float(x.astype(np.longdouble).sum())
    found = weft.jit(device="cpu")(lambda a: a.sum())(x)
    assert abs(float(found) - exact) <= max(abs(float(x.sum()) - exact), 2 * np.spacing(np.dtype(dtype).type(exact)))


# ---------------------------------------------------------------------------------------------------- positions


@pytest.mark.parametrize("positions", [[0, 2, 1], [-1, -3], [], [3], [-4]])
def test_positions(positions):
    def f(a, p):
        return a[p], a[p] * 2 + 1

    same(f, np.arange(3.0), np.array(positions, dtype=np.int64))


def test_positions_on_several_axes():
    def f(m, p, q):
        return m[p], m[:, p], m[p, q], m[p, 1:], m[p[:, None], q], m[0, p], m[..., p]

    same(f, np.arange(12.0).reshape(3, 4), np.array([0, 2, 1]), np.array([1, 1, 0]))


def test_stores_to_positions():
    def f(a, m, p):
        a[p] = a[p] + 1
        a[p] += 1
        m[p] = 0
        m[p, p] = a[:3]
        m[:, p] *= 2
        return a, m

    same(f, np.arange(5.0), np.ones((4, 4)), np.array([2, 0, 2]))


@pytest.mark.parametrize("values", [1, 2, 3, 4])
def test_stores_to_masks(values):
    def f(a, mask, v):
        a[mask] = v
        return a

    same(f, np.zeros(5), np.array([True, False, True, False, True]), np.arange(values) + 1.0)


def test_masks_of_rows_and_of_matrices():
    def f(m, rows):
        picked = m[rows]
        m[rows] = 7
        m[m > 6.5] -= 1
        return picked, m[m > 2], m, m[rows, :].sum()

    same(f, np.arange(12.0).reshape(3, 4), np.array([True, False, True]))


def test_a_mask_of_another_length():
    def f(a, mask):
        return a[mask]

    same(f, np.zeros(3), np.array([True, False]))


# ------------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    "function",
    [
        lambda a: np.asfortranarray(a),
        lambda a: a[a],
        lambda a: 1 if a > 0 else 2,
    ],
)
def test_refused_in_words(function):
    with pytest.raises(weft.Error) as caught:
        weft.jit(device="cpu")(function)(numbers())
    assert caught.value.hint and caught.value.location is not None


def test_update_of_integers_by_floats():
    def f(i):
        i += 0.5
        return i

    with pytest.raises(weft.TypeInferenceError, match="same_kind"):
        weft.jit(device="cpu")(f)(np.arange(3))


def test_read_only_array():
    def f(a):
        a[:] = 0

    a = numbers()
    a.flags.writeable = False
    with pytest.raises(ValueError, match="assignment destination is read-only"):
        weft.jit(device="cpu")(f)(a)
