"""Nests that run several loops one after the other are taken apart where a schedule is for each of them alone."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.counting import one_thread
from tests.plan.simulated import DEVICE, Simulated
from tests.tune.spellings.program import LARGE
from weft.plan.place import place
from weft.schedule.directives import Bind, Deal, Share, Stage
from weft.transform.pipeline import optimise
from weft.tune import choice


def columns(x, w, y, s):
    for j in range(x.shape[1]):
        top = 0.0
        for i in range(x.shape[0]):
            top += x[i, j]
        half = 0.5 * top
        for i in range(x.shape[0]):
            y[i, j] = x[i, j] - half + w[j, j]


def from_the_second(x, w, y, s):
    for j in range(1, x.shape[1]):
        total = x[0, j]
        count = 0
        for i in range(1, x.shape[0]):
            total = max(total, x[i, j])
            count += x[i, j] > 0.5
        w[0, j] = total
        for i in range(x.shape[0] - 1, -1, -1):
            y[i, j] = x[i, j] * count + w[0, j]


def products_beside_extremes(x, w, y, s):
    for i in range(x.shape[0]):
        top = -100.0
        for j in range(x.shape[0]):
            total = 0.0
            for c in range(x.shape[1]):
                total += x[i, c] * x[j, c]
            s[i, j] = total
            top = max(top, total)
        norm = 0.0
        for j in range(x.shape[0]):
            s[i, j] = s[i, j] - top
            norm += s[i, j]
        for c in range(x.shape[1]):
            total = 0.0
            for j in range(x.shape[0]):
                total += s[i, j] * x[j, c]
            y[i, c] = total + norm


def where_a_later_one_looks_back(x, w, y, s):
    for i in range(x.shape[0]):
        least = 100.0
        for j in range(x.shape[0]):
            total = 0.0
            for c in range(x.shape[1]):
                total += x[i, c] * x[j, c]
            s[i, x.shape[0] - 1 - j] = total
            least = min(least, 2.0 * total - x[j, 0])
        y[i, 0] = least


def running(x, w, y, s):
    for i in range(x.shape[0]):
        top = 0.0
        for j in range(x.shape[0]):
            total = 0.0
            for c in range(x.shape[1]):
                total += x[i, c] * x[j, c]
            top = max(top, total)
            s[i, j] = top
        for c in range(x.shape[1]):
            y[i, c] = x[i, c] + top


def stored_before_it_is_read(x, w, y, s):
    for j in range(x.shape[1]):
        y[0, j] = 2.0
        for i in range(x.shape[0]):
            y[i, j] += x[i, j]
        first = y[0, j]
        for i in range(x.shape[0]):
            y[i, j] = y[i, j] + first


def flags(x, w, y, s):
    for j in range(x.shape[1]):
        seen = False
        for i in range(x.shape[0]):
            seen = seen or bool(x[i, j] > 0.9)
        for i in range(x.shape[0]):
            y[i, j] = x[i, j] if seen else -x[i, j]


def pivots(x, w, y, s):
    for k in range(min(x.shape[0], x.shape[1]) - 1):
        for i in range(k + 1, x.shape[0]):
            factor = x[i, k] * x[k, k]
            x[i, k] = factor
            for j in range(k + 1, x.shape[1]):
                x[i, j] -= factor * x[k, j]


def beside_a_row(x, w, y, s):
    for i in range(x.shape[0]):
        first = 0.5 * y[i, 0]
        s[i, 0] = first
        for j in range(x.shape[1]):
            y[i, j] += first * x[i, j]
        s[i, i] = y[i, 0] + first


FUNCTIONS = [
    columns, from_the_second, products_beside_extremes, where_a_later_one_looks_back, running,
    stored_before_it_is_read, flags, pivots, beside_a_row,
]  # fmt: skip


def arguments(rows, columns, dtype="float64"):
    rng = np.random.default_rng(rows)
    x = (rng.integers(-4, 9, (rows, columns)) / 8).astype(dtype)
    w = (rng.integers(0, 9, (columns, columns)) / 8).astype(dtype)
    return x, w, np.full((max(rows, 1), max(columns, 1)), -0.0, dtype), np.zeros((rows, rows), dtype)


def nests(function):
    arrays = arguments(40, 50)
    program = optimise(program_of(function, *arrays), blocks=True, rows=True)
    return [nest for nest in place(program, DEVICE, layout=LARGE).nests if nest.kernel]


def check(run, function, *sizes):
    found, expected = arguments(*sizes), arguments(*sizes)
    run(*found)
    function(*expected)
    for one, other in zip(found, expected):
        np.testing.assert_array_equal(one, other)
        numbers = ~np.isnan(other)  # processors and devices make NaNs of other signs
        np.testing.assert_array_equal(np.signbit(one[numbers]), np.signbit(other[numbers]))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("sizes", [(0, 3), (1, 1), (3, 2), (2, 1), (7, 13)])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_results_are_pythons(function, sizes, dtype):
    if sizes[0] == 0 and function in (from_the_second, stored_before_it_is_read):
        pytest.skip("the function needs a row")
    with mock.patch.object(choice, "candidates", one_thread):
        check(Simulated(function), function, *sizes, dtype)


def test_the_parts_of_attention_have_the_schedules_of_products_and_rows():
    kinds = [{type(d) for d in nest.schedule} for nest in nests(products_beside_extremes)]
    assert any(Deal in kind for kind in kinds) and sum(Stage in kind for kind in kinds) >= 2


def test_threads_share_columns_and_have_an_element_each():
    schedules = [nest.schedule for nest in nests(columns)]
    assert any(isinstance(d, Share) for d in schedules[0])
    assert sum(isinstance(d, Bind) for d in schedules[-1]) == 2


def test_a_nest_that_the_user_has_a_schedule_for_stays_whole():
    arrays = arguments(40, 50)
    program = optimise(program_of(columns, *arrays))
    placed = place(program, DEVICE, schedule=(Bind("j", "x", 64),))
    assert len([nest for nest in placed.nests if nest.kernel]) == 1


def test_arrays_that_may_share_memory_are_left_alone():
    def shared(a):
        turned = a.T
        for j in range(a.shape[1]):
            total = 0.0
            for i in range(a.shape[0]):
                total += a[i, j]
            for i in range(a.shape[0]):
                turned[j, i] = a[i, j] + total

    for size in (2, 5):
        found, expected = (np.arange(2.0 * size).reshape(2, size) for _ in range(2))
        Simulated(shared)(found)
        shared(expected)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.opencl
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_on_opencl(function):
    run = weft.jit(function, device="opencl")
    for sizes in ((1, 1), (40, 50), (67, 130)):
        check(run, function, *sizes)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_on_a_gpu(function, dtype):
    run = weft.jit(function, device="cuda")
    for sizes in ((1, 1), (40, 50), (67, 130)):
        check(run, function, *sizes, dtype)


@pytest.mark.parametrize("function", [pivots, beside_a_row], ids=lambda f: f.__name__)
def test_a_loop_along_neighbours_has_threads_of_its_own(function):
    assert any(len([d for d in nest.schedule if isinstance(d, Bind)]) == 2 for nest in nests(function))
