"""``np.vectorize`` in compiled code, beside NumPy: results, their types, exceptions, and the order of calls."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft

SCALE = 3


@np.vectorize
def larger(x, y):
    return x * y if x > y else x + y


@np.vectorize
def scaled(x):
    return x * SCALE


def of_module(a, b):
    return larger(a, b)


def of_global(a, b):
    return scaled(a)


def of_lambda(a, b):
    f = np.vectorize(lambda v: v * 2 + 1)
    return f(a)


def of_two_types(a, b):
    return np.vectorize(lambda v: 1 if v > 1 else 0.5, otypes=[float])(a)


def of_several(a, b):
    return np.vectorize(lambda v: (v, v * 0.5, v > 1))(a)


def of_letters(a, b):
    return np.vectorize(lambda v: (v + 1, v), otypes="fd")(a)


def counted(a, b):
    count = 0

    def f(v):
        nonlocal count
        count += 1
        return v + count

    return np.vectorize(f)(a), count


def changes_its_argument(a, b):
    def f(v):
        a[...] = a[::-1]
        return v

    return np.vectorize(f)(a), a.copy()


def decorated(a, b):
    @np.vectorize(otypes=["d"])
    def f(x, y=2.0):
        if x > 6:
            raise ValueError("large")
        total = 0.0
        for k in range(3):
            total += x * y + k
        return total

    return f(a, y=b), f(a)


def of_types(a, b):
    return np.vectorize(lambda u: isinstance(u, float), otypes=[bool])(a), np.vectorize(lambda u: math.sqrt(abs(u)))(a)


def divided(a, b):
    return np.vectorize(lambda u: 1 / u, otypes=[float])(a)


def of_sequences(a, b):
    return np.vectorize(lambda u: u * u)([1, 2, len(a)]), np.vectorize(lambda u, v: u - v)((1.5, 2), a[:1])


FUNCTIONS = (
    of_module, of_global, of_lambda, of_two_types, of_several, of_letters, counted, changes_its_argument, decorated,
    of_types, divided, of_sequences,
)  # fmt: skip


def arrays():
    r = np.random.default_rng(0)
    v, m, w = r.normal(size=5), r.normal(size=(3, 5)), r.integers(1, 9, 5)
    return {
        "alike": (v, v[::-1]), "rows": (v, m), "columns": (m[:, :1], v), "number": (v, 2.0), "one": (v, v[:1]),
        "alone": (v[:1], v), "apart": (v, v[:4]), "ints": (w, v), "empty": (v[:0], v[:1]), "short": (w.astype("i1"), w),
        "single": (v.astype("f4"), w), "strided": (m[:, ::2], m[:, ::2]), "zero": (np.array([1.0, 0.0, 2.0]), 1),
        "flags": (w > 4, w), "special": (np.array([np.nan, -0.0, np.inf, 3.0]), 0.5),
    }  # fmt: skip


def outcome(function, given):
    copied = [a.copy() if isinstance(a, np.ndarray) else a for a in given]
    try:
        return function(*copied), copied
    except Exception as error:
        return (type(error), str(error)), copied


def shown(value):
    """All that can be seen of a result, signs and NaN included."""
    if isinstance(value, (tuple, list)):
        return [shown(item) for item in value]
    return (value.dtype, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else (type(value), value)


@pytest.mark.parametrize("name", arrays())
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_vectorized(function, name):
    given = arrays()[name]
    assert shown(outcome(weft.jit(function), given)) == shown(outcome(function, given))


@pytest.mark.parametrize("values", ([3.0, -5.0, 7.9], [3.0, np.nan]))
def test_results_are_converted_as_numpy_does(values):
    def f(a):
        return np.vectorize(lambda v: v / 2, otypes=[int])(a)

    given = (np.array(values),)
    assert shown(outcome(weft.jit(f), given)) == shown(outcome(f, given))


def test_results_that_do_not_fit_raise():
    def f(a):
        return np.vectorize(lambda v: v * 1000)(a)

    given = (np.array([1, 100_000_000], np.int32),)
    assert shown(outcome(weft.jit(f), given)) == shown(outcome(f, given))


@pytest.mark.parametrize("value", (3, 3.5, True))
def test_numbers_give_arrays_without_dimensions(value):
    def f(x):
        return np.vectorize(lambda v: v + 1)(x)

    assert shown(weft.jit(f)(value)) == shown(f(value))


def test_another_function_in_the_object_is_seen():
    made = np.vectorize(lambda v: v + 1.0)

    @weft.jit
    def f(a):
        return made(a)

    a = np.arange(3.0)
    assert f(a).tolist() == [1.0, 2.0, 3.0]
    made.pyfunc = lambda v: v - 1.0
    assert f(a).tolist() == [-1.0, 0.0, 1.0]


def test_variables_of_the_function_outside_are_seen():
    offset = 1.0

    @np.vectorize
    def shifted(v):
        return v + offset

    @weft.jit
    def f(a):
        return shifted(a)

    a = np.arange(3.0)
    assert f(a).tolist() == [1.0, 2.0, 3.0]
    offset = 5.0
    assert f(a).tolist() == [5.0, 6.0, 7.0]


@pytest.mark.parametrize(
    "made",
    (
        lambda: np.vectorize(math.floor, cache=True),
        lambda: np.vectorize(lambda u, v: u, excluded={1}),
        lambda: np.vectorize(np.sum, signature="(n)->()"),
    ),
)
def test_options_are_refused(made):
    outside = made()

    @weft.jit
    def f(a):
        return outside(a)

    with pytest.raises(weft.UnsupportedError, match="np.vectorize is not supported with this"):
        f(np.ones(3))


def test_the_first_result_says_the_dtype():
    @weft.jit
    def f(a):
        return np.vectorize(lambda v: v if v > 0.5 else 0)(a)

    assert f(np.array([1.0, 0.0, 2.0])).tolist() == [1.0, 0.0, 2.0]
    with pytest.raises(weft.TypeInferenceError):  # NumPy would make an array of ints
        f(np.array([0.0, 1.5]))
