"""Semantics, "Exceptions"."""

from __future__ import annotations

import numpy as np
import pytest

import weft

from .tools import every_device, place_of, same_error


def raising(a, out):
    for i in range(len(a)):
        if a[i] < 0.0:
            raise ValueError("negative")
        out[i] = a[i] * 2.0


def asserting(a, out):
    for i in range(len(a)):
        out[i] = a[i]
        assert a[i] >= 0.0, "negative"


def dividing(a, out):
    for i in range(len(a)):
        out[i] = 7 // int(a[i] + 1.0)


def indexing(a, out):
    for i in range(len(a)):
        out[int(a[i]) * 100 + i] = 1.0


@every_device
@pytest.mark.parametrize("function", [raising, asserting, dividing])
@pytest.mark.parametrize("place", [0, 1, 50, 99])
def test_it_arrives_as_in_python_with_the_state_of_python(device, function, place):
    a = np.arange(100.0)
    a[place] = -1.0
    a[99] = -1.0
    error = same_error(function, a, np.zeros(100), device=device)
    assert "line" in place_of(error) and f"i = {place}" in place_of(error)


@every_device
def test_an_index_arrives_with_the_state_of_python(device):
    a = np.zeros(100)
    a[[40, 70]] = 1.0
    assert "i = 40" in place_of(same_error(indexing, a, np.zeros(100), device=device))


@every_device
def test_the_first_in_the_order_of_the_source_is_seen(device):
    def two(a, b, out):
        for i in range(len(a)):
            if a[i] < 0.0:
                raise KeyError("a")
            if b[i] < 0.0:
                raise ValueError("b")
            out[i] = a[i] + b[i]

    a, b = np.ones(50), np.ones(50)
    a[30], b[30] = -1.0, -1.0
    assert type(same_error(two, a, b, np.zeros(50), device=device)) is KeyError
    b[20] = -1.0
    assert type(same_error(two, a, b, np.zeros(50), device=device)) is ValueError


@every_device
def test_the_outer_loop_comes_first(device):
    def nest(a, out):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                if a[i, j] > 0.0:
                    raise ValueError("found")
                out[i, j] = 1.0

    a = np.zeros((9, 11))
    a[2, 8] = a[3, 1] = a[7, 0] = 1.0
    assert "i = 2, j = 8" in place_of(same_error(nest, a, np.zeros((9, 11)), device=device))


@every_device
def test_a_condition_that_hangs_on_what_is_written_leaves_earlier_iterations_complete(device):
    def dependent(a):
        for i in range(len(a)):
            a[i] = a[i] * 2.0
            if a[i] > 10.0:
                raise ValueError("large")

    a = np.ones(100)
    a[40] = 6.0
    error = same_error(dependent, a.copy(), device=device, arrays=False)
    assert "i = 40" in place_of(error)
    with pytest.raises(ValueError):
        weft.jit(dependent, device=device)(a)
    assert (a[:40] == 2.0).all() and a[40] == 12.0


@every_device
def test_iterations_behind_an_exit_have_no_effect(device):
    def until(a, out):
        for i in range(len(a)):
            if a[i] == 0.0:
                return i
            out[i] = 1.0 / a[i]
        return -1

    a = np.ones(100)
    a[[60, 61]] = 0.0
    out = np.zeros(100)
    assert weft.jit(until, device=device)(a, out) == 60
    assert out[60:].tolist() == [0.0] * 40 and (out[:60] == 1.0).all()


def key_error(x):
    for i in range(len(x)):
        if x[i] > 0:
            raise KeyError(x[i])


def index_as_argument(x):
    for i in range(len(x)):
        if x[i] > 0:
            raise IndexError(i)


def text_of_an_element(x):
    for i in range(len(x)):
        if x[i] > 0:
            raise ValueError(f"{x[i]} at {i}, that is {x[i]!r}")


@every_device
@pytest.mark.parametrize("function", [key_error, index_as_argument, text_of_an_element])
@pytest.mark.parametrize("dtype", [np.float32, np.int16, np.float64])
def test_an_exception_has_the_arguments_of_python(device, function, dtype):
    x = np.array([0, 0.1 if dtype is not np.int16 else 3, 5], dtype)
    found = []
    for call in (function, weft.jit(function, device=device)):
        with pytest.raises((LookupError, ValueError)) as caught:
            call(x)
        found.append((type(caught.value), caught.value.args, [type(a) for a in caught.value.args]))
    assert found[0] == found[1]
