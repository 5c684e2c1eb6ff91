"""What steps that run in order fold is found by all threads before, in rounds of steps."""

import math

import numpy as np
import pytest

import weft
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.plan.steps import values_ahead
from weft.runtime import _stub

SIZES = (0, 1, 2, 255, 256, 257, 1031)


def places(x, out):
    for i in range(len(x)):
        place = 0
        for j in range(len(x)):
            place += x[j] < x[i] or (x[j] == x[i] and j < i)
        out[place] = x[i]


def nearest(x, centres, counts, last):
    for i in range(x.shape[0]):
        best, which = math.inf, 0
        for c in range(len(centres)):
            distance = abs(x[i] - centres[c])
            if distance < best:
                best, which = distance, c
        counts[which] += 1
        last[which] = i


def chained(x, w, key, out):
    before = 0.0
    for i in range(len(x)):
        total = 0.0
        for k in range(len(w)):
            total += x[i] * w[k]
        before = 0.5 * before + total
        out[key[i]] = before
    return before


def grows(x, out):
    """Steps that read what earlier ones wrote: nothing can be found before."""
    for i in range(1, len(out)):
        total = 0.0
        for k in range(len(x)):
            total += x[k] if x[k] < out[i - 1] else 0.125
        out[i] = total


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch):
    monkeypatch.setattr(values_ahead, "ROUND", 64)


def arguments_of(function, size):
    rng = np.random.default_rng(size)
    x = rng.integers(-50, 50, size) / 8
    if function is places:
        return [x, np.zeros(size)]
    if function is nearest:
        return [x, np.linspace(-5, 5, 7), np.zeros(7, np.int64), np.full(7, -1)]
    if function is chained:
        return [x, rng.integers(-9, 9, 5) / 8, rng.integers(0, max(size, 1), size), np.zeros(size)]
    return [rng.integers(-9, 9, 5) / 8, np.ones(size)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("function", [places, nearest, chained, grows])
def test_the_same_as_step_by_step(function, size):
    compare(function, arguments_of(function, size))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_bits_do_not_depend_on_threads(threads):
    arguments = arguments_of(chained, 1031)
    arguments[0] = np.random.default_rng(1).standard_normal(1031)
    usual = [a.copy() for a in arguments]
    weft.jit(device="cpu")(chained)(*usual)
    _stub.set_threads(threads)
    _stub.set_grain(0.0)
    try:
        weft.jit(device="cpu")(chained)(*arguments)
    finally:
        _stub.set_threads(0)
        _stub.set_grain(1e4)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(arguments, usual, strict=True))


@pytest.mark.parametrize("where", [0, 3, 63, 64, 300, 700])
def test_an_index_outside_leaves_the_steps_before_it(where):
    arguments = arguments_of(chained, 701)
    arguments[2][where] = 5000
    compare(chained, arguments)


def test_arrays_that_share_memory():
    x = np.arange(600.0) % 37
    mine, theirs = x.copy(), x.copy()
    weft.jit(device="cpu")(places)(mine, mine)
    places(theirs, theirs)
    assert np.array_equal(mine, theirs)
    mine, theirs = np.arange(1200.0) % 41, np.arange(1200.0) % 41
    weft.jit(device="cpu")(places)(mine[:600], mine[300:900])
    places(theirs[:600], theirs[300:900])
    assert np.array_equal(mine, theirs)


def test_threads_find_the_folds():
    specialisation = weft.jit(device="cpu")(places).specialise(np.ones(5), np.ones(5))
    loops = [s for s in walk(specialisation.shaped().body) if isinstance(s, n.For)]
    assert any(".ahead" in loop.label and loop.mapping == "parallel" for loop in loops)
    plain = weft.jit(device="cpu", disable=("values_ahead",))(places).specialise(np.ones(5), np.ones(5))
    assert not any(".ahead" in s.label for s in walk(plain.shaped().body) if isinstance(s, n.For))


def compare(function, arguments):
    """Arrays, result and exception are those of Python."""
    mine, theirs = [[a.copy() for a in arguments] for _ in range(2)]
    found, wanted = outcome(weft.jit(device="cpu")(function), mine), outcome(function, theirs)
    assert found == wanted or type(found) is type(wanted) is IndexError
    for a, b in zip(mine, theirs, strict=True):
        assert a.tobytes() == b.tobytes()


def outcome(function, arguments):
    try:
        return function(*arguments)
    except IndexError as error:
        return error
