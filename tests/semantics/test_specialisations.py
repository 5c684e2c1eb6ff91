"""Semantics, "Captured values", "A specialisation" and "Types"."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import weft

from .tools import every_device, same

factor = 2.0


@pytest.mark.parametrize("device", ["interpreter", "cpu"])
def test_globals_and_closures_are_read_anew_at_every_call(device):
    global factor
    offset = 1.0

    @weft.jit(device=device)
    def scaled(x):
        return factor * x + offset

    assert scaled(3.0) == 7.0
    factor, offset = 10.0, 0.5
    assert scaled(3.0) == 30.5
    factor = 2.0


def test_a_thousand_closures_are_one_specialisation():
    def adder(k):
        @weft.jit
        def add(x):
            return x + k

        return add

    functions = [adder(float(k)) for k in range(1000)]
    assert [f(1.0) for f in functions] == [k + 1.0 for k in range(1000)]
    assert len({id(f.specialisations[0]) for f in functions}) == 1


@pytest.mark.parametrize("value", [[1.0, "a"], {"a": 1}, {1, 2}])
def test_mutable_containers_are_refused(value):
    @weft.jit
    def first(x):
        for item in value:
            x = x + 1.0
        return x

    with pytest.raises(weft.UnsupportedError):
        first(1.0)


def test_many_specialisations_are_a_warning_that_names_what_varies():
    @weft.jit
    def same_value(x):
        return x

    with pytest.warns(weft.WeftWarning, match="W002"):
        for ndim in range(9):
            for dtype in (np.float64, np.float32, np.int64):
                same_value(np.zeros((1,) * ndim, dtype))


def test_nonlocal_sums_are_reductions():
    total = 0.0

    @weft.jit
    def add(x):
        nonlocal total
        for i in range(len(x)):
            total += x[i]

    add(np.arange(10.0))
    add(np.ones(3))
    assert total == 48.0
    assert "reduction" in {loop.verdict for loop in weft.explain(add, np.ones(3)).loops}


def test_sizes_and_numbers_stay_symbolic():
    @weft.jit
    def filled(a, k):
        for i in range(len(a)):
            a[i] = k * i

    for size in (1, 7, 1000):
        filled(np.zeros(size), size)
    assert len(filled.specialisations) == 1


@every_device
@pytest.mark.parametrize("ndim", range(9))
def test_arrays_of_up_to_eight_dimensions(device, ndim):
    first = (0,) * ndim
    last = (-1,) * ndim

    def corners(a):
        a[last] = a[first] + 1.0
        return a[last]

    same(corners, np.arange(2.0**ndim).reshape((2,) * ndim), device=device)


class Point(NamedTuple):
    x: float
    y: np.ndarray


@dataclass
class Mass:
    at: Point
    scale: float


@every_device
def test_structures_of_numbers_and_arrays(device):
    def moved(mass, pair, nothing):
        for i in range(len(mass.at.y)):
            mass.at.y[i] = mass.at.x * mass.scale + pair[0] * pair[1][i]
        return nothing is None

    y, z = np.zeros(5), np.arange(5.0)
    assert weft.jit(moved, device=device)(Mass(Point(2.0, y), 3.0), (0.5, z), None) is True
    assert y.tolist() == [6.0 + 0.5 * k for k in range(5)]


def test_misaligned_and_byte_swapped_arrays_are_refused_by_name():
    @weft.jit
    def first(values):
        return values[0]

    misaligned = np.frombuffer(bytearray(33), np.float64, 4, 1)
    for array, word in ((misaligned, "aligned"), (np.zeros(3, ">f8"), "byte")):
        with pytest.raises(weft.ArgumentError, match="values") as raised:
            first(array)
        assert word in str(raised.value)


def test_a_read_only_array_that_is_written_is_refused():
    @weft.jit
    def fill(a):
        for i in range(len(a)):
            a[i] = 1.0

    a = np.zeros(3)
    a.flags.writeable = False
    with pytest.raises((ValueError, weft.Error)):
        fill(a)
    assert not a.any()


def test_the_order_of_arguments_by_name_and_default_is_pythons():
    @weft.jit
    def combined(a, b=2.0, *, c=3.0):
        return a * 100 + b * 10 + c

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (combined(1.0), combined(b=5.0, a=1.0), combined(1.0, c=0.0)) == (123.0, 153.0, 120.0)


@pytest.mark.parametrize("device", ["interpreter", "cpu"])
@pytest.mark.parametrize("defaults", [(1, 2), (1.5, 2.5), (1, 1.0), (True, 1), ((1, 2), (1, 3)), (None, 4)], ids=str)
def test_functions_that_differ_in_a_default_value_are_different(device, defaults):
    def made(value):
        def by_place(x, by=value):
            return x if by is None else x + (by[1] if isinstance(by, tuple) else by)

        def by_name(x, *, by=value):
            return x if by is None else x + (by[1] if isinstance(by, tuple) else by)

        def calling_by_place(x):
            return by_place(x)

        def calling_by_name(x):
            return by_name(x)

        return by_place, by_name, calling_by_place, calling_by_name

    for value in defaults:
        for function in made(value):
            same(function, 3, device=device)


@pytest.mark.parametrize("device", ["interpreter", "cpu"])
def test_a_captured_array_that_can_no_longer_be_written_is_not_written(device):
    def filling(a):
        @weft.jit(device=device)
        def fill(x):
            for i in range(len(a)):
                a[i] = x

        return fill

    writable, fixed = np.zeros(3), np.zeros(3)
    fixed.flags.writeable = False
    filling(writable)(1.0)
    assert (writable == 1.0).all()
    with pytest.raises((ValueError, weft.Error)):
        filling(fixed)(1.0)
    assert not fixed.any()
    fill = filling(writable)
    fill(2.0)
    writable.flags.writeable = False
    with pytest.raises((ValueError, weft.Error)):
        fill(3.0)
    assert (writable == 2.0).all()
