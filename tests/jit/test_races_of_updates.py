"""Under ``prange`` an update whose element another iteration reads elsewhere is a race; updates that meet are none."""

from __future__ import annotations

import types

import numpy as np
import pytest

import weft


def by_row(v, p, q):
    for i in weft.prange(p.shape[0]):
        v[p[i]] += v[q[i]]


def largest(v, p, q):
    for i in weft.prange(p.shape[0]):
        v[p[i]] = max(v[p[i]], v[q[i]])


def read_before(v, p, q):
    for i in weft.prange(p.shape[0]):
        x = v[q[i]]
        v[p[i]] += x * 2.0


def read_behind(v, p, q):
    w = np.zeros(p.shape[0])
    for i in weft.prange(p.shape[0]):
        v[p[i]] += 1.0
        w[i] = v[q[i]]
    return w


def two_updates(v, p, q):
    for i in weft.prange(p.shape[0]):
        v[p[i]] += 1.0
        v[p[i] // 2] += v[q[i]]


def under_a_test(v, p, q):
    for i in weft.prange(p.shape[0]):
        if p[i] != q[i]:
            v[p[i]] += v[q[i]]


def in_rows(v, p, q):
    for r in range(2):
        for i in weft.prange(p.shape[0]):
            v[p[i]] += v[q[i]] + r


def writes(p, q, function):
    """The places that each iteration folds into, and those that it reads otherwise."""
    pairs = [({a, a // 2} if function is two_updates else {a}, {b}) for a, b in zip(p.tolist(), q.tolist())]
    return [pair for pair in pairs if function is not under_a_test or pair[0] != pair[1]]


def races(p, q, function):
    found = writes(p, q, function)
    return any(w & r for i, (w, _) in enumerate(found) for j, (_, r) in enumerate(found) if i != j)


def in_order(function):
    """The same function in Python."""
    names = {**function.__globals__, "weft": types.SimpleNamespace(prange=range)}
    return types.FunctionType(function.__code__, names)


FUNCTIONS = [by_row, largest, read_before, read_behind, two_updates, under_a_test, in_rows]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_exactly_the_races_are_found(function):
    compiled, draw, found = weft.jit(function, device="cpu"), np.random.default_rng(1), set()
    for _ in range(80):
        size = int(draw.integers(3, 24))
        p, q = draw.integers(0, size, (2, int(draw.integers(0, 6))))
        given, wanted = np.arange(float(size)), np.arange(float(size))
        race = races(p, q, function)
        found.add(race)
        if race:
            with pytest.raises(weft.RaceError, match="not independent"):
                compiled(given, p, q)
            assert np.array_equal(given, wanted)  # nothing was written
        else:
            assert np.array_equal(compiled(given, p, q), in_order(function)(wanted, p, q))
            assert np.array_equal(given, wanted)
    assert found == {False, True}


def shifted(v, k, m):
    for i in weft.prange(1, v.shape[0]):
        v[i, k] += v[i - 1, m]


def one_for_all(v, k, m):
    for i in weft.prange(v.shape[0]):
        v[i, 0] += v[k, m]


def multiplied(v, k, m):
    for i in weft.prange(1, v.shape[0]):
        v[i, k] = v[i, k] * v[i - 1, m]


@pytest.mark.parametrize("function", [shifted, one_for_all, multiplied], ids=lambda f: f.__name__)
def test_a_column_that_is_perhaps_the_same(function):
    compiled = weft.jit(function, device="cpu")
    for k in range(3):
        for m in range(3):
            given = np.arange(12.0).reshape(4, 3)
            wanted = given.copy()
            if (m == 0) if function is one_for_all else (k == m):
                with pytest.raises(weft.RaceError):
                    compiled(given, k, m)
            else:
                compiled(given, k, m)
                in_order(function)(wanted, k, m)
            assert np.array_equal(given, wanted)


def mixed(v, p, q):
    for i in weft.prange(p.shape[0]):
        v[p[i]] += 1.0
        v[q[i]] *= 2.0


def test_updates_by_several_operators_run_in_order():
    """What marks cannot decide is not claimed to be a race, and the answer is right."""
    p = np.array([0, 1, 2, 0])
    given, wanted = np.arange(4.0), np.arange(4.0)
    weft.jit(mixed, device="cpu")(given, p, p)
    in_order(mixed)(wanted, p, p)
    assert np.array_equal(given, wanted)


def test_the_error_names_two_iterations():
    with pytest.raises(weft.RaceError) as caught:
        weft.jit(by_row, device="cpu")(np.arange(9.0), np.array([4, 4, 4]), np.array([7, 4, 8]))
    text = str(caught.value)
    assert "i = 1" in text and ("i = 0" in text or "i = 2" in text) and "v[4]" in text
