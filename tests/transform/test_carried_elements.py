"""Elements that the next iteration reads go there in a variable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.loops.carried_elements import carried_elements
from weft.transform.pipeline import optimise

from .same import check


def chain_of_extremes(h, a):
    for i in range(1, h.shape[0]):
        for j in range(1, h.shape[1]):
            h[i, j] = max(h[i - 1, j - 1] + a[j], h[i, j - 1] - 2.0, 0.0)


def read_twice_and_left(h, a):
    for i in range(h.shape[0]):
        for j in range(1, h.shape[1]):
            h[i, j] = abs(h[i, j - 1]) - h[i, j - 1] * a[j]
            if a[j] > 0.9:
                break


def backwards(h, a):
    for i in range(h.shape[0]):
        for j in range(h.shape[1] - 2, -1, -1):
            h[i, j] = a[j] if a[j] > h[i, j + 1] else h[i, j + 1] * 0.5


def another_store(h, a):
    for i in range(h.shape[0]):
        for j in range(1, h.shape[1]):
            h[i, j] = abs(h[i, j - 1] * a[j])
            h[i, 0] = 1.0


def only_sometimes(h, a):
    for i in range(h.shape[0]):
        for j in range(1, h.shape[1]):
            if a[j] > 0.5:
                h[i, j] = abs(h[i, j - 1]) + 1.0


def two_apart(h, a):
    for i in range(h.shape[0]):
        for j in range(2, h.shape[1]):
            h[i, j] = abs(h[i, j - 2] * a[j])


def place_that_a_condition_chooses(h, a):
    x = np.zeros(2)
    for j in range(h.shape[1]):
        k = 1 if j > 3 else 0
        x[k] = abs(x[k] * 0.5 - a[j])
    h[0, 0], h[-1, -1] = x[0], x[1]


def places_that_change_in_turn(h, a):
    x = np.zeros(2)
    p, q = 0, 1
    for j in range(h.shape[1]):
        x[p] = abs(x[p] * 0.5 - a[j])
        p, q = q, p
    h[0, 0], h[-1, -1] = x[p], x[q]


def carried(program: n.Program) -> int:
    return sum(len(s.args) for s in walk(program.body) if isinstance(s, n.For))


def compared(function: Callable[..., Any]) -> int:
    """How many values loops carry besides, after the same results as before."""
    rng = np.random.default_rng(3)
    inputs = [[rng.random((3, size)), rng.random(size)] for size in (1, 2, 3, 9)]
    program = optimise(build(function, tuple(describe(v, "x") for v in inputs[0])))
    return carried(check(program, carried_elements, *inputs)) - carried(program)


@pytest.mark.parametrize("function", [chain_of_extremes, read_twice_and_left, backwards])
def test_the_next_iteration_gets_the_element(function):
    assert compared(function) == 1


@pytest.mark.parametrize(
    "function", [another_store, only_sometimes, two_apart, place_that_a_condition_chooses, places_that_change_in_turn]
)
def test_elements_that_others_write_or_that_are_not_always_stored_are_read_again(function):
    assert compared(function) == 0
