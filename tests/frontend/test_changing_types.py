"""Variables whose type the first iteration of a loop changes: integers become floats, None becomes an array."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import weft
from weft.errors import TypeInferenceError


def iterated(a, x, n):
    for _ in range(n):
        x = a @ x / 2
    return x


def until_close(a, x, n):
    x = np.ones(2, dtype=int)
    for _ in range(n):
        x = a @ x
        x = x / np.linalg.norm(x)
        if x[0] > 0.9:
            break
    return x


def the_one_before(a, x, n):
    before, s = None, 0.0
    for i in range(n):
        now = a @ x * i
        if before is not None:
            s += np.abs(now - before).max()
        before = now
    return s


def an_index_that_becomes_a_float(a, x, n):
    last = np.argmax(x)
    out = np.zeros(n)
    for i in range(n):
        out[i] = a[int(last) % 2, 0]
        last = out[i] + 0.5
    return out, last


def in_the_inner_loop(a, x, n):
    y = x
    for _ in range(2):
        for _ in range(n):
            y = y * 0.5
        x[:] = x + 1
    return y


def under_a_condition(a, x, n):
    y = x
    for i in range(n):
        if i % 2 == 0:
            y = y * 0.5
    return y


def returned_early(a, x, n):
    r = x.astype(np.float32)
    for i in range(n):
        r = a @ r
        x[0] = i
        if r[0] > 3:
            return r
    return r + 1


PROGRAMS = (iterated, until_close, an_index_that_becomes_a_float, in_the_inner_loop, under_a_condition, returned_early)


def arguments(n):
    return np.array([[1.5, 2.0], [3.0, 4.0]]), np.array([1, 2]), n


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("function", [*PROGRAMS, the_one_before])
def test_as_numpy(function, n):
    mine, theirs = copy.deepcopy(arguments(n)), copy.deepcopy(arguments(n))
    found, wanted = weft.jit(function, device="cpu")(*mine), function(*theirs)
    for a, b in zip(*(v if isinstance(v, tuple) else (v,) for v in (found, wanted)), strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_allclose(a, b, rtol=1e-14)
    np.testing.assert_array_equal(mine[1], theirs[1])


@pytest.mark.parametrize("function", PROGRAMS)
def test_a_loop_that_does_not_run(function):
    with pytest.raises(TypeInferenceError, match="since the loop did not run, and .*: write . = |write last = "):
        weft.jit(function, device="cpu")(*arguments(0))


def test_what_is_not_used_after_a_loop_that_does_not_run():
    assert weft.jit(the_one_before, device="cpu")(*arguments(0)) == 0.0


def test_the_error_says_what_to_write():
    def f(x, n):
        for _ in range(n):
            x = x / 2
        return x

    def mended(x, n):
        x = x.astype(np.float64)
        for _ in range(n):
            x = x / 2
        return x

    x = np.arange(3)
    with pytest.raises(TypeInferenceError, match=r"write x = x\.astype\(np\.float64\) before the loop"):
        weft.jit(f, device="cpu")(x, 0)
    np.testing.assert_array_equal(weft.jit(mended, device="cpu")(x, 0), x)


def test_a_type_that_changes_later_is_refused():
    def f(x, n):
        y = x
        for i in range(n):
            if i == 2:
                y = y[0]
            x[0] = y.sum()
        return x

    with pytest.raises(TypeInferenceError):
        weft.jit(f, device="cpu")(np.ones((2, 2)), 4)
