"""Elements of iterations after the one that raises keep what they held, also in loops that run in strips."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def positive_parts(a, d):
    for i in range(len(a)):
        if a[i] > 0:
            d[i] = a[i]


@pytest.mark.parametrize("size", [40, 1000])
def test_guarded_conversion_that_fails(size):
    a, d = np.ones(size), np.zeros(size, np.int32)
    a[5] = np.inf
    with pytest.raises(OverflowError):
        weft.jit(positive_parts)(a, d)
    assert d.tolist() == [1] * 5 + [0] * (size - 5)


def updated_twice(a, c, p):
    for i in range(len(a)):
        c[i] += a[p[i]]
        c[i] = a[p[i] + 1]


def updated_under_a_test(a, c, p):
    for i in range(len(a)):
        if i % 2:
            c[i] += a[i]
            c[i] *= a[p[i]]


def updated_in_an_array_that_ends_early(a, c, p):
    for i in range(len(a)):
        c[i] -= a[p[i]]


@pytest.mark.parametrize("function", (updated_twice, updated_under_a_test, updated_in_an_array_that_ends_early))
def test_updates_on_threads(function, on_four_threads):
    """Whether the place of an element that is updated is inside does not depend on what the loop writes."""
    a, compiled = np.arange(40.0), weft.jit(function, device="cpu")
    for seed, extent in enumerate((39, 40, 50) * 20):
        p = np.random.default_rng(seed).integers(0, 38, 40)
        p[seed % 40] = 40
        expected, got = np.ones(extent), np.ones(extent)
        errors = []
        for call, array in ((function, expected), (compiled, got)):
            try:
                call(a, array, p)
            except IndexError as error:
                errors.append(type(error))
        assert len(errors) in (0, 2)
        assert got.tolist() == expected.tolist()


def stores_beside_a_private_array(a, c, p):
    for i in range(len(a)):
        w = np.ones(3)
        w[p[i] % 41 // 13] = a[i]
        c[i] = w[2]


def fills_a_private_array(a, c, p):
    for i in range(len(a)):
        w = np.ones(3)
        for j in range(p[i] // 13 + 1):
            w[j] = j
        c[i] = w[2]


def quotients_of_what_is_stored(a, c, p):
    for i in range(len(a)):
        c[i] += float(c[i]) % float(a[i] + 1)
        assert p[i] < 40
        c[i] = float(c[i]) / float(a[i] + 2)


def whole_quotients_of_what_is_stored(k, c, p):
    for i in range(len(k)):
        c[i] = c[i] + 1.0
        c[i] = float(c[i]) // (40 - int(p[i]))


OF_OTHER_THINGS = (
    stores_beside_a_private_array,
    fills_a_private_array,
    quotients_of_what_is_stored,
    whole_quotients_of_what_is_stored,
)


@pytest.mark.parametrize("function", OF_OTHER_THINGS, ids=lambda f: f.__name__)
def test_what_does_not_depend_on_what_is_stored(function, on_four_threads):
    """The place of an element of an iteration's own array, and a divisor, decide alone whether an iteration raises."""
    a, compiled = np.arange(40.0), weft.jit(function, device="cpu")
    for seed in range(60):
        p = np.random.default_rng(seed).integers(0, 38, 40)
        p[seed % 40] = 40
        expected, got = np.full(40, 3.0), np.full(40, 3.0)
        errors = []
        for call, array in ((function, expected), (compiled, got)):
            try:
                call(a, array, p)
            except (IndexError, AssertionError, ZeroDivisionError) as error:
                errors.append(type(error))
        assert len(errors) == 2 and errors[0] is errors[1]
        assert got.tolist() == expected.tolist()
