"""Checks that no iteration changes are made before a nest: its kernel is then one that cannot raise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE, Simulated
from tests.tune.spellings.program import LARGE
from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import launches_in, substitute, walk
from weft.plan import checks_outside
from weft.plan.place import place
from weft.schedule.directives import Deal
from weft.transform.pipeline import optimise


def means(x, y, k, m):
    for i in range(x.shape[0]):
        total = 0.0
        for j in range(x.shape[1]):
            total += x[i, j]
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] - total / (k * m)


def greatest_of_rows(x, y, k, m):
    for i in range(x.shape[0]):
        y[i, :] = x[i] - np.max(x[i])


def refused_in_the_middle(x, y, k, m):
    for i in range(x.shape[0]):
        y[i, 0] = 1.0
        if k > m:
            raise ValueError("k is larger")
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] + k


def refused_in_some_rows(x, y, k, m):
    for i in range(x.shape[0]):
        y[i, 0] = 1.0
        if x[i, 0] > 0.5:
            if not k <= m:
                raise ValueError("k is larger")
        y[i, 1] = x[i, 0] * k


def one_way_or_another(x, y, k, m):
    for i in range(x.shape[0]):
        if k < m:
            scale = 2.0
        else:
            scale = 3.0
            if m == 7:
                raise KeyError("seven")
        for j in range(x.shape[1]):
            y[i, j] = scale * x[i, j]


def means_of_blocks(x, y, k, m):
    for i in range(x.shape[0]):
        total = 0.0
        for a in range(k):
            for j in range(x.shape[1]):
                total += x[i, j] * a
        total /= k * m
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] - total


def products(x, y, k, m):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] + k * k * m


def summed(x, y, k, m):
    total = 0.0
    for i in range(x.shape[0]):
        if m < 0:
            raise ValueError("negative")
        total += x[i, 0] * (k * m)
    y[0, 0] = 3.0
    return float(total)


def in_halves(x, y, k, m):
    for i in range(y.shape[0]):
        for block in range(0, y.shape[1], 2 * k):
            for j in range(k):
                a = y[i, block + j] + i
                b = y[i, block + j + k] + j
                y[i, block + j] = a + b
                y[i, block + j + k] = a - b


FUNCTIONS = [
    means, greatest_of_rows, refused_in_the_middle, refused_in_some_rows, one_way_or_another, products, summed,
    means_of_blocks, in_halves,
]  # fmt: skip


def arguments(shape):
    x = np.random.default_rng(3).integers(0, 9, shape) / 8
    return x, np.zeros((max(shape[0], 1), shape[1]))


def outcome(function, shape, k, m):
    """What a call gives, and the array that it wrote."""
    x, y = arguments(shape)
    try:
        found = function(x, y, k, m)
    except Exception as error:
        found = type(error).__name__, str(error)
    return found, y.tolist()


@pytest.mark.parametrize(("k", "m"), [(1, 3), (3, 1), (0, 7), (7, 7), (1, -1), (0, 0)])
@pytest.mark.parametrize("shape", [(0, 3), (1, 2), (3, 5), (2, 0), (7, 13)])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_results_and_exceptions_are_pythons(function, shape, k, m):
    if shape[1] < 2 and function not in (means, greatest_of_rows, in_halves):
        pytest.skip("the function writes two columns")
    with np.errstate(all="ignore"):
        expected = outcome(function, shape, k, m)
        assert outcome(Simulated(function), shape, k, m) == expected


@pytest.mark.parametrize("function", [products, summed, means], ids=lambda f: f.__name__)
@pytest.mark.parametrize(("k", "m"), [(2**31, 4), (2**32, 2**31), (2**62, 3), (-(2**40), 2**50), (-(2**31), -1)])
def test_integers_that_do_not_fit_are_told_as_on_the_host(function, k, m):
    expected = outcome(weft.jit(function, device="interpreter"), (3, 5), k, m)
    assert outcome(Simulated(function), (3, 5), k, m) == expected


@pytest.mark.parametrize("function", [f for f in FUNCTIONS if f is not refused_in_some_rows], ids=lambda f: f.__name__)
def test_a_kernel_cannot_raise(function):
    x, y = arguments((7, 13))
    made = place(optimise(program_of(function, x, y, 1, 3)), DEVICE)
    assert all(not launch.results for launch in launches_in(made.program.body))
    is_tested = function not in (means, products)  # of which the call knows that all fits
    assert (checks_outside.REASON in {nest.reason for nest in made.nests}) == is_tested
    assert not any(isinstance(s, n.Copy) and "saved" in s.target for s in walk(made.program.body))


@pytest.mark.parametrize("function", [means, greatest_of_rows], ids=lambda f: f.__name__)
def test_threads_share_rows(function):
    x, y = arguments((7, 13))
    made = place(optimise(program_of(function, x, y, 1, 3), blocks=True, rows=True), DEVICE, layout=LARGE)
    assert any(isinstance(d, Deal) for nest in made.nests for d in nest.schedule)


def test_loops_behind_a_test_of_sizes_are_in_the_grid():
    x, y = arguments((7, 12))
    made = place(optimise(program_of(in_halves, x, y, 1, 3), blocks=True, rows=True), DEVICE, layout=LARGE)
    assert [len(nest.schedule) for nest in made.nests if nest.kernel] == [3]


def on_the_device(program):
    """A program whose arrays are on the device when it starts."""
    types = (replace(p.var, type=replace(p.var.type, memory=DEVICE)) for p in program.params[:2])
    params = tuple(replace(p, var=var) for p, var in zip(program.params, types))
    known = {p.var.name: p.var for p in params}
    assert all(isinstance(var.type, View) for var in known.values())
    body = substitute(program.body, known)
    return replace(program, params=(*params, *program.params[2:]), body=body)


def test_folds_behind_checks_are_taken_apart_where_arrays_are_on_the_device():
    x, y = arguments((7, 13))
    made = place(on_the_device(optimise(program_of(means_of_blocks, x, y, 1, 3))), DEVICE)
    kernels = [nest.label for nest in made.nests if nest.kernel]
    assert any(".folds" in label for label in kernels)
    assert len(kernels) == len(made.nests), "nothing is for the host"
    raising = {launch.kernel.name for launch in launches_in(made.program.body) if launch.results}
    assert {nest.label for nest in made.nests if nest.kernel in raising} == {"i@2"}, "one nest may raise"


def add_nothing(x):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] += 0.0


@pytest.mark.opencl
@pytest.mark.parametrize(("k", "m"), [(1, 3), (7, 7), (3, 1), (0, 0)])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_arrays_on_the_device_are_as_after_an_exception_in_python(function, k, m):
    there = [weft.array(array) for array in arguments((7, 13))]
    for array in there:
        weft.jit(add_nothing, device="opencl")(array)
    try:
        found = weft.jit(function, device="opencl")(*there, k, m)
    except Exception as error:
        found = type(error).__name__, str(error)
    with np.errstate(all="ignore"):
        assert (found, np.asarray(there[1]).tolist()) == outcome(function, (7, 13), k, m)


@pytest.mark.opencl
@pytest.mark.parametrize(("k", "m"), [(1, 3), (7, 7), (3, 1)])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_on_opencl(function, k, m):
    assert outcome(weft.jit(function, device="opencl"), (7, 13), k, m) == outcome(function, (7, 13), k, m)


@pytest.mark.gpu
@pytest.mark.parametrize(("k", "m"), [(1, 3), (7, 7), (3, 1)])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_on_a_gpu(function, k, m):
    for shape in ((1, 2), (7, 13), (64, 1000)):
        assert outcome(weft.jit(function, device="cuda"), shape, k, m) == outcome(function, shape, k, m)
