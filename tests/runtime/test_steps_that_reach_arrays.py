"""A step in Python reaches arrays by its closure, its module or its object: declared, or refused."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import weft
from weft.errors import UnsupportedError

DEVICES = ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)]
everywhere = pytest.mark.parametrize("device", DEVICES)
N = 32
TABLE = np.zeros(N)


class Holder:
    def __init__(self, array):
        self.array = array

    def add(self):
        self.array[0] += 100.0


def by_closure(array):
    def step():
        array[0] += 100.0

    return step


def by_view(array):
    return by_closure(array[:3])


def by_helper(array):
    inner = by_closure(array)

    def step():
        inner()

    return step


def by_default(array):
    def step(held=array):
        held[0] += 100.0

    return step


def by_list(array):
    held = [None, (1, array)]

    def step():
        held[1][1][0] += 100.0

    return step


def by_object(array):
    return Holder(array).add


def by_object_in_closure(array):
    holder = Holder(array)

    def step():
        holder.add()

    return step


def add_to(held):
    held[0] += 100.0


def by_partial(array):
    return functools.partial(add_to, array)


def add_to_table():
    TABLE[0] += 100.0


def by_module(array):
    global TABLE
    TABLE = array
    return add_to_table


WAYS = [by_closure, by_view, by_helper, by_default, by_list, by_object, by_object_in_closure, by_partial, by_module]
ways = pytest.mark.parametrize("way", WAYS, ids=lambda f: f.__name__)


def undeclared(step, device):
    @weft.jit(device=device)
    def stepped(a, times):
        for t in range(times):
            for i in range(a.shape[0]):
                a[i] += 1.0
            weft.python(step)

    return stepped


def writing(step, device):
    @weft.jit(device=device)
    def stepped(a, times):
        for t in range(times):
            for i in range(a.shape[0]):
                a[i] += 1.0
            weft.python(step, writes=(a,))

    return stepped


def reading(step, device):
    @weft.jit(device=device)
    def stepped(a, times):
        for t in range(times):
            for i in range(a.shape[0]):
                a[i] += 1.0
            weft.python(step, reads=(a,))

    return stepped


@everywhere
@ways
def test_an_array_that_is_not_declared_is_refused(way, device):
    a = np.zeros(N)
    with pytest.raises(UnsupportedError, match="reaches an array of the compiled function that it does not declare"):
        undeclared(way(a), device)(a, 2)


@everywhere
@ways
def test_the_remedy(way, device):
    a = np.zeros(N)
    writing(way(a), device)(a, 2)
    assert a[0] == 202.0 and np.all(a[1:] == 2.0)


@everywhere
@ways
def test_an_array_that_is_read_only_by_declaration(way, device):
    a = np.zeros(N)
    with pytest.raises(ValueError, match="read-only"):
        reading(way(a), device)(a, 2)
    assert a.flags.writeable and a[0] == 1.0


@everywhere
def test_a_captured_array(device):
    kept = np.zeros(N)
    step = by_closure(kept)

    @weft.jit(device=device)
    def stepped(a):
        for i in range(a.shape[0]):
            kept[i] += a[i]
        weft.python(step)

    with pytest.raises(UnsupportedError, match="does not declare"):
        stepped(np.ones(N))


@everywhere
@ways
def test_arrays_of_the_step_alone_are_its_own(way, device):
    a, own = np.zeros(N), np.zeros(N)
    undeclared(way(own), device)(a, 3)
    assert own[0] == 300.0 and np.all(a == 3.0)


@everywhere
def test_other_elements_of_one_array_are_its_own(device):
    both = np.zeros((N, 2))
    undeclared(by_closure(both[:, 1]), device)(both[:, 0], 3)
    assert both[0, 1] == 300.0 and np.all(both[:, 0] == 3.0)


@everywhere
def test_what_a_step_reads_is_current(device):
    a, seen = np.zeros(N), []

    def look():
        seen.append(float(a.sum()))

    reading(look, device)(a, 3)
    assert seen == [N, 2.0 * N, 3.0 * N] and a.flags.writeable
