"""Loops that a thread runs in order load what several iterations read first, unless an earlier one stores it."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import trace
from weft.ir.visit import walk
from weft.plan.place import place
from weft.plan.steps.loads_ahead import AHEAD, ROUND
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise

from .simulated import DEVICE
from .test_slabs import array


def decay(x, y):
    for j in range(x.shape[1]):
        level = 1.0
        for i in range(x.shape[0]):
            level = 0.5 * level + x[i, j]
            y[i, j] = level


def upwards(x, y):
    for j in range(x.shape[1]):
        for i in range(x.shape[0] - 2, -1, -1):
            y[i, j] = x[i, j] - 0.25 * x[i + 1, j] * y[i + 1, j]


def from_further_on(x, y):
    for j in range(x.shape[1]):
        for i in range(x.shape[0] - 3):
            x[i, j] = 0.5 * x[i, j] + 0.25 * x[i + 3, j] + y[2 * i, j]


def from_before(x, y):
    for j in range(x.shape[1]):
        for i in range(3, x.shape[0]):
            x[i, j] = y[i, j] + 0.25 * x[i - 3, j]


def stored_before_it_is_read(x, y):
    for j in range(x.shape[1]):
        for i in range(x.shape[0] - 1):
            x[i + 1, j] = y[i, j]
            x[i, j] = x[i, j] + 0.5 * x[i + 1, j]


def at_places_that_are_read(x, order):
    for j in range(x.shape[1]):
        level = 0.0
        for i in range(order.shape[0]):
            level = 0.5 * level + x[int(order[i, j]) % x.shape[0], j]
            order[i, j] = level


def reset(x, y):
    for j in range(x.shape[1]):
        level = 0.0
        for i in range(x.shape[0]):
            level += x[i, j]
            if level > 1.0:
                y[i, j] = level
                level = 0.0


def wherever(x, y):
    for j in range(x.shape[1]):
        for i in range(x.shape[0]):
            x[i * i % x.shape[0], j] = x[i, j] * 0.5 + y[i, j]


MOVED = {decay: 1, upwards: 2, from_further_on: 3, from_before: 1, stored_before_it_is_read: 1, reset: 1,
    at_places_that_are_read: 1, wherever: 1,
}  # fmt: skip
"""Loads of an iteration that are done ahead; those that an earlier iteration may store are not."""


def placed(function):
    return place(optimise(program_of(function, array(70, 3), array(70, 3))), DEVICE)


def in_rounds(placement):
    launches = [s.kernel for s in walk(placement.program.body) if isinstance(s, n.Launch)]
    return [s for kernel in launches for s in walk(kernel.body) if isinstance(s, n.For) and AHEAD in s.label]


@pytest.mark.parametrize("function", MOVED)
def test_rounds_compute_what_the_loop_does(function):
    placement = placed(function)
    verify(placement.program)
    check_plan(placement.program)
    for rows in (1, 2, ROUND + 1, 3 * ROUND, 43):
        expected = [array(rows, 3), array(2 * rows, 3)]
        got = copy.deepcopy(expected)
        function(*expected)
        assert trace(placement.program, got).error is None
        assert all(np.array_equal(a, b) for a, b in zip(expected, got, strict=True)), rows


@pytest.mark.parametrize("function", MOVED)
def test_loads_stand_before_all_stores_of_a_round(function):
    (loop, *_) = in_rounds(placed(function))
    statements = loop.body.statements
    first = next(k for k, s in enumerate(statements) if any(isinstance(t, n.Store) for t in walk(n.Block((s,)))))
    loads = sum(isinstance(s, n.Let) and isinstance(s.value, n.Load) for s in statements[:first])
    assert loads >= MOVED[function] * ROUND


def test_it_can_be_switched_off():
    program = optimise(program_of(decay, array(70, 3), array(70, 3)))
    assert in_rounds(place(program, DEVICE)) and not in_rounds(place(program, DEVICE, frozenset({"loads_ahead"})))
