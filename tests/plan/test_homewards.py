"""Copies to the host start behind the kernel that wrote, where the host certainly needs them; each is awaited alone.

`count` compares what a program computes on the simulated device, which knows of copies under way, with Python.
"""

import numpy as np
import pytest

import weft
from tests.plan import thesis
from tests.plan.counting import count, plan
from tests.plan.simulated import DEVICE
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.visit import rewrite
from weft.plan.transfers.check import check_plan


def order(function, *arguments):
    """Copies home, kernels, waits with their arrays, and loops of the host, in the order of a program's text."""
    words = []
    for statement in plan(function, arguments).body.statements:
        if isinstance(statement, n.Copy) and statement.target != DEVICE:
            words.append("out " + statement.view.stem)
        elif isinstance(statement, n.Wait):
            words.append(" ".join(["wait", *(view.stem for view in statement.of)]))
        elif isinstance(statement, (n.Launch, n.For, n.If)):
            words.append(type(statement).__name__)
    return words


def two_results(a, b):
    for i in range(len(a)):
        a[i] = 2 * a[i]
    for i in range(len(b)):
        b[i] = 3 * b[i]
    s = 0.0
    with weft.device("cpu"):
        for i in range(len(a)):
            s = abs(s - a[i])
    with weft.device("cpu"):
        for i in range(len(b)):
            s = abs(s - b[i])
    return s


def test_the_host_waits_for_the_copy_that_it_needs_alone():
    found = order(two_results, np.ones(8), np.ones(8))
    assert found == ["Launch", "out a", "Launch", "out b", "wait a", "For", "wait", "For"]
    count(two_results, np.arange(8.0), np.ones(8))


@pytest.mark.sample(0)
def test_products_go_home_while_others_are_computed():
    count(thesis.series, 5, 3)
    count(thesis.emboss, 6, 3)


def other_half(a, b):
    half = len(a) // 2
    for i in range(half):
        a[i] = 2 * a[i]
    s = 0.0
    with weft.device("cpu"):
        for i in range(half, len(a)):
            s = abs(s - a[i])
    for i in range(half):
        a[i] = a[i] + b[i]
    return s


def test_what_a_kernel_writes_again_before_the_host_needs_it_stays():
    assert count(other_half, np.ones(8), np.ones(8)).copies_out == 1
    count(other_half, np.arange(8.0), np.ones(8))


def perhaps(a, b, wanted):
    for i in range(len(a)):
        a[i] = 2 * a[i]
    s = 0.0
    if wanted:
        with weft.device("cpu"):
            for i in range(len(a)):
                s = abs(s - a[i])
    for i in range(len(a)):
        a[i] = a[i] + b[i]
    return s


@pytest.mark.parametrize("wanted", [False, True])
def test_what_the_host_needs_on_one_way_only_is_copied_there(wanted):
    assert count(perhaps, np.ones(8), np.ones(8), wanted).copies_out == 1 + wanted
    count(perhaps, np.arange(8.0), np.ones(8), wanted)


def on_both_ways(a, b, wanted):
    for i in range(len(a)):
        a[i] = 2 * a[i]
    for i in range(len(b)):
        b[i] = 3 * b[i]
    s = 0.0
    if wanted:
        with weft.device("cpu"):
            for i in range(len(a)):
                s = abs(s - a[i])
    else:
        s = a[0]
    return s


@pytest.mark.parametrize("wanted", [False, True])
def test_what_the_host_needs_on_both_ways_starts_before(wanted):
    assert order(on_both_ways, np.ones(8), np.ones(8), wanted)[:4] == ["Launch", "out a", "Launch", "out b"]
    count(on_both_ways, np.arange(8.0), np.ones(8), wanted)


def raised_between(a, count, x):
    for i in range(len(count)):
        count[i] = 0
    for i in range(len(x)):
        count[int(x[i])] += 1
    for i in range(len(a)):
        a[i] = a[i] + count[0]


def test_what_a_kernel_that_may_raise_writes_too_is_copied_once():
    assert count(raised_between, np.ones(8), np.ones(4, np.int64), np.ones(9)).copies_out == 2
    count(raised_between, np.ones(8), np.ones(4, np.int64), np.arange(9.0) % 4)


def test_a_wait_for_another_array_is_not_enough():
    program = plan(two_results, (np.ones(8), np.ones(8)))
    params = {param.var.stem: param.var for param in program.params}

    def change(statement):
        return n.Wait(DEVICE, (params["b"],)) if isinstance(statement, n.Wait) else statement

    with pytest.raises(InternalError, match="a is used by the host before its copy has arrived"):
        check_plan(n.Program(program.name, program.params, rewrite(program.body, change), program.returns))


def one_of_each_step(x, y, steps):
    s = 0.0
    for t in range(steps):
        for i in range(x.shape[0]):
            x[i] = x[i] * 0.5 + y[i]
        s += x[0]
    return s


def test_an_element_that_the_host_reads_in_each_step_comes_home_alone_and_the_rest_once():
    counts = count(one_of_each_step, np.arange(50.0), np.ones(50), 5)
    assert counts.bytes_out == 5 * 8 + 49 * 8 and counts.copies_out == 6


def one_of_what_is_written_twice(x, y):
    for i in range(y.shape[0]):
        y[i] = 2.0 * x[i]
    s = y[3]
    for i in range(y.shape[0]):
        y[i] = s * x[i]
    return s


def test_what_a_kernel_writes_again_comes_home_in_part_before():
    counts = count(one_of_what_is_written_twice, np.arange(50.0), np.zeros(50))
    assert counts.bytes_out == 8 + 50 * 8
