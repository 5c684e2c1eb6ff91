"""Outlines say for given sizes what there is to do."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import weft
from tests.acceptance import oracle
from tests.acceptance.registry import PROGRAMS
from tests.backends.kernels import GOLDEN
from weft.cost.work import UNKNOWN_TRIPS, Outline
from weft.plan.outline import ACCESS, outline
from weft.runtime.dispatch.choosing import size_of


def outlined(function, *args, device="cuda"):
    return outline(weft.jit(function).specialise(*args).program(), device)


def matrix():
    return np.ones((4, 4))


def vector():
    return np.ones(4)


def heat(u, v, steps):
    for _t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u
    return u


def test_a_time_loop_launches_its_nest_in_each_step():
    found = outlined(heat, matrix(), matrix(), 3)
    (nest,) = found.work([(102, 202), (102, 202), 50]).nests
    assert (nest.times, nest.iterations, nest.bytes) == (50, 100 * 200, 2 * 8 * 100 * 200)
    assert nest.operations == {"simple64": (4 + 5 * ACCESS) * 100 * 200}
    assert nest.on_device and not nest.waits
    assert [(use.name, use.read, use.written) for use in found.arrays] == [("u", True, True), ("v", True, True)]


def copies(function, *leaves, arguments):
    """What moves, as (array, bytes, rows): to the device, and home."""
    found = outlined(function, *arguments).work(leaves).copies
    assert all(copy.times == 1 for copy in found)
    return [
        sorted((copy.name, copy.bytes, copy.rows) for copy in found if copy.inwards == inwards)
        for inwards in (True, False)
    ]


def smoothed(u, v, steps):
    for _t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u


def test_the_border_of_an_array_crosses_in_strips_and_its_inner_part_in_rows():
    into, home = copies(smoothed, (102, 202), (102, 202), 50, arguments=(matrix(), matrix(), 3))
    column, row = ("v", 8 * 100, 100), ("v", 8 * 202, 1)
    assert into == sorted([("u", 8 * 102 * 202, 1), row, row, column, column])
    assert home == [("u", 8 * 100 * 200, 100)] * 2


def test_a_new_array_comes_home_and_a_fault_is_no_rule():
    def root(a):
        found = np.zeros(a.shape[0])
        for i in range(1, a.shape[0]):
            found[i] = 1 // int(a[i])
        return found

    into, home = copies(root, (1000,), arguments=(vector(),))
    assert into == [("a", 8 * 999, 1)]
    assert home == [("", 8 * 999, 1)]


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def test_elements_that_are_read_again_count_once():
    found = outlined(product, matrix(), matrix(), matrix())
    (nest,) = found.work([(10, 20), (20, 30), (10, 30)]).nests
    assert nest.bytes == 8 * (10 * 20 + 20 * 30 + 10 * 30)
    assert nest.operations == {"simple64": ACCESS * 10 * 30, "product64": 2 * 10 * 20 * 30}
    assert [(use.read, use.written) for use in found.arrays] == [(True, False), (True, False), (False, True)]


def triangle(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] = 1.0


def test_a_triangle_is_half_of_the_square():
    (nest,) = outlined(triangle, matrix()).work([(100, 100)]).nests
    assert nest.iterations == pytest.approx(5000, rel=0.02)


def dot(a, b):
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i] * b[i]
    return s


def test_the_host_waits_for_a_sum():
    (nest,) = outlined(dot, vector(), vector()).work([(1000,), (1000,)]).nests
    assert nest.waits


def running(a, b):
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i]
        b[i] = s


def test_a_scan_runs_in_tiles_and_leaves_little_to_the_host():
    work = outlined(running, vector(), vector()).work([(10**8,), (10**8,)])
    kernels = sum(nest.times * sum(nest.operations.values()) for nest in work.kernels)
    host = sum(nest.times * sum(nest.operations.values()) for nest in work.nests if not nest.on_device)
    assert 1e8 < kernels < 5e8
    assert host < 1e6


def logistic(a, b):
    for i in range(1, a.shape[0]):
        a[i] = 3.7 * a[i - 1] * (1.0 - a[i - 1])
    for i in range(a.shape[0]):
        b[i] = a[i] + 1.0


def test_what_the_host_and_kernels_touch_is_shared():
    work = outlined(logistic, vector(), vector()).work([(1000,), (1000,)])
    host = [nest for nest in work.nests if nest.shared]
    assert [(nest.times, nest.iterations, nest.on_device) for nest in host] == [(999, 1, False)]
    assert all(
        not nest.on_device for nest in outlined(logistic, vector(), vector(), device="cpu").work([(9,), (9,)]).nests
    )


def sifted(a, limit):
    found = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        if a[i] > limit:
            found[i] = np.sqrt(a[i])
    return found


def test_a_new_array_is_returned():
    work = outlined(sifted, vector(), 0.5).work([(1000,), 0.5])
    assert work.results == 8000
    assert work.kernels[-1].operations["division64"] == 1000


def halved(a):
    for i in range(a.shape[0]):
        x = a[i]
        while x > 1.0:
            x = x * 0.5
        a[i] = x


def test_what_depends_on_data_counts_as_a_few_rounds():
    work = outlined(halved, vector()).work([(100,)])
    (nest,) = work.nests
    assert nest.operations["chained64"] >= 100 * UNKNOWN_TRIPS


def chosen(a, n):
    if n > 10:
        for i in range(a.shape[0]):
            a[i] = 1.0


def test_a_branch_on_a_size_is_followed():
    found = outlined(chosen, vector(), 3)
    assert len(found.work([(100,), 11]).nests) == 1
    assert not found.work([(100,), 10]).nests


def rows(a, first):
    part = a[first:]
    for i in range(part.shape[0]):
        for j in range(part.shape[1]):
            part[i, j] = 2.0 * part[i, j]


def test_slices_have_their_own_extents():
    (nest,) = [nest for nest in outlined(rows, matrix(), 1).work([(100, 10), 40]).nests if nest.on_device]
    assert nest.iterations == 600


@pytest.mark.parametrize("name", GOLDEN)
def test_outlines_of_programs_say_numbers(name):
    function, arguments = PROGRAMS[name].bind(oracle.cases(name)[0])
    specialisation, _, leaves = weft.jit(function).examine(*arguments)
    for device in ("cpu", "cuda", "opencl"):
        work = specialisation.outline(device).work([size_of(leaf) for leaf in leaves])
        numbers = [
            x for nest in work.nests for x in (nest.times, nest.iterations, nest.bytes, *nest.operations.values())
        ]
        assert all(number >= 0 for number in numbers)
        assert device != "cpu" or not work.kernels


def test_an_outline_is_kept_in_the_store():
    found = outlined(dot, vector(), vector())
    again = pickle.loads(pickle.dumps(found))
    assert isinstance(again, Outline) and again == found
    assert again.work([(10,), (10,)]) == found.work([(10,), (10,)])
