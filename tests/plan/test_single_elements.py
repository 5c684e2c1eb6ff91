"""Elements of arrays on the device that lie between kernels stay there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE
from weft.errors import UnsupportedError
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import holds, run
from weft.ir.types import View
from weft.ir.visit import launches_in, substitute
from weft.plan.kernels import why_host
from weft.plan.place import host_statements, place
from weft.plan.steps.single_elements import with_single_elements
from weft.transform.pipeline import optimise


def first_stored(x, y, p):
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = y[i - 1] + x[i]


def ends_stored(x, y, p):
    for i in range(1, len(x) - 1):
        y[i] = 0.5 * (x[i - 1] + x[i + 1])
    y[0] = y[1] if len(x) > 2 else 0.0
    y[len(x) - 1] = x[0]


def a_pivot_read(x, y, p):
    scale = 2.0 + x[p]
    for i in range(len(x)):
        y[i] = x[i] * scale
    y[p] = scale
    for i in range(len(x)):
        x[i] = y[i] + y[p] * scale


def chosen_by_an_element(x, y, p):
    for t in range(len(x)):
        if x[t] > 0:
            for i in range(len(x)):
                y[i] = y[i] + x[i]
        for i in range(len(x)):
            x[i] = 0.5 * y[len(x) - 1 - i]


def one_element_in_steps(x, y, p):
    for t in range(len(y)):
        w = x[t] if len(x) == len(y) else 0.0
        y[t] = w * 0.5
        for i in range(len(x)):
            x[i] = x[i] * 0.5 + w


def summed_with_an_element(x, y, p):
    total = 0.0
    for t in range(len(y)):
        w = y[t]
        for i in range(len(x)):
            total += x[i] * w
        for i in range(len(y)):
            y[i] = 0.5 * x[len(y) - 1 - i]
    return total


def two_elements_change_places(x, y, p):
    x[0], x[p] = x[p], x[0]
    for i in range(len(x)):
        y[i] = x[i] - x[p]
    return y[p] + x[0]


KEPT = [
    first_stored, ends_stored, a_pivot_read, chosen_by_an_element, one_element_in_steps, summed_with_an_element,
    two_elements_change_places,
]  # fmt: skip


def ended_by_an_element(x, y, p):
    t = 0
    while x[p] < 100.0:
        for i in range(len(x)):
            x[i] = x[i] + 50.0
        t += 1
    return t


def in_order(x, y, p):
    for i in range(1, len(x)):
        x[i] = x[i - 1] * x[i] + y[i]


HOME = [ended_by_an_element, in_order]


def arguments(size, p=0):
    rng = np.random.default_rng(size)
    return rng.integers(-9, 9, size) / 8, rng.integers(-9, 9, size) / 8, p


def optimised(function):
    return optimise(program_of(function, *arguments(9)), blocks=True, rows=True)


def moved(function):
    program = optimised(function)
    there = frozenset(p.var.name for p in program.params if isinstance(p.var.type, View))
    return with_single_elements(program, there, lambda nest: why_host(nest, {}, DEVICE), lambda loop: False)


def placed_there(function, disable=frozenset()):
    program = optimised(function)
    views = {p.var.name: replace(p.var, type=replace(p.var.type, memory=DEVICE)) for p in program.params[:2]}
    params = (replace(p, var=views.get(p.var.name, p.var)) for p in program.params)
    return place(replace(substitute(program, views), params=tuple(params)), DEVICE, disable)


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize("function", [*KEPT, *HOME], ids=lambda f: f.__name__)
def test_results_are_pythons(function, size):
    program = moved(function)
    verify(program)
    for p in {0, size // 2, size - 1}:
        found, expected = list(arguments(size, p)), arguments(size, p)
        if not holds(program, found):
            continue
        given, said = run(program, found), function(*expected)
        assert list(given)[: said is not None] == [said][: said is not None]
        for a, b in zip(found, expected):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("function", KEPT, ids=lambda f: f.__name__)
def test_elements_stay_on_the_device(function):
    placement = placed_there(function)
    assert not any(isinstance(s, n.Copy) and s.target == DEVICE for s in host_statements(placement.program.body))
    with pytest.raises(UnsupportedError, match="and this runs on the host"):
        placed_there(function, frozenset({"single_elements"}))


@pytest.mark.parametrize("function", HOME, ids=lambda f: f.__name__)
def test_steps_that_would_wait_for_elements_are_left(function):
    with pytest.raises(UnsupportedError, match="and this runs on the host"):
        placed_there(function)


def test_no_step_waits():
    program = placed_there(chosen_by_an_element).program
    (steps,) = (s for s in host_statements(program.body) if isinstance(s, n.For))
    assert not any(isinstance(s, (n.Copy, n.Wait)) for s in host_statements(steps.body))
    assert len(list(launches_in(steps.body))) == 3


@pytest.mark.opencl
@pytest.mark.parametrize("function", [*KEPT, *HOME], ids=lambda f: f.__name__)
def test_on_opencl(function):
    run = weft.jit(function, device="opencl")
    for size, p in [(37, 11), (5, 4), (1, 0)]:
        given, expected = arguments(size, p), arguments(size, p)
        x, y = weft.array(given[0]), weft.array(given[1])
        for _ in range(2):
            assert run(x, y, p) == function(*expected)
            np.testing.assert_array_equal(np.array(x), expected[0])
            np.testing.assert_array_equal(np.array(y), expected[1])
