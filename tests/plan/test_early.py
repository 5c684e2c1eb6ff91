"""Copies to the device start as early as they may, and never earlier."""

import numpy as np
import pytest

import weft
from tests.plan import thesis
from tests.plan.counting import plan
from tests.plan.simulated import DEVICE, Simulated
from weft.ir import nodes as n
from weft.ir.visit import walk


def order(function, *arguments, naive=False, inside=None):
    """What a plan does in a block: copies with their arrays, launches, waits, and loops of the host."""
    block = plan(function, arguments, naive).body
    if inside is not None:
        block = next(s.body for s in walk(block) if isinstance(s, n.For) and s.label == inside)
    words = []
    for statement in block.statements:
        if isinstance(statement, n.Copy):
            words.append(("in " if statement.target == DEVICE else "out ") + statement.view.stem)
        elif isinstance(statement, (n.Launch, n.Wait, n.For, n.External)):
            words.append(type(statement).__name__)
    return words


def test_each_matrix_is_sent_when_it_is_filled():
    found = order(thesis.series, 4, 3, inside="t")
    assert found[:8] == ["Wait", "For", "in a", "For", "in b", "For", "in c", "For"]


def test_each_product_starts_for_home_behind_its_kernel():
    """Between the matrices and the products stands what the host does with the results of the iteration before."""
    found = order(thesis.series, 4, 3, inside="t")
    assert found[8:] == ["For", "Launch", "out e", "in d", "Launch", "out f", "Launch", "out g"]


@pytest.mark.sample(0)
def test_naive_copies_stand_before_their_launches():
    found = order(thesis.series, 4, 3, naive=True, inside="t")
    assert found.index("in a") > found.index("For") and found[found.index("in a") - 1] == "For"
    assert found[found.index("in b") + 1] == "Launch" and found[:4] == ["For"] * 4


def written_again(a, b, c):
    with weft.device("cpu"):
        for i in range(len(a)):
            a[i] = 1.5 * a[i]
    with weft.device("cpu"):
        for i in range(len(b)):
            b[i] = a[i] + 0.5
    with weft.device("cpu"):
        for i in range(2, len(a)):
            a[i] = 0.25
    for i in range(len(a)):
        c[i] = a[i] + b[i]


def test_a_copy_stands_behind_the_last_write_of_its_array():
    found = order(written_again, np.ones(8), np.ones(8), np.ones(8))
    assert found[:5] == ["For", "For", "in b", "For", "in a"]
    arrays = [np.arange(8.0), np.zeros(8), np.zeros(8)]
    expected = [a.copy() for a in arrays]
    written_again(*expected)
    Simulated(written_again)(*arrays)
    for got, right in zip(arrays, expected):
        np.testing.assert_array_equal(got, right)


def written_by_a_choice(a, b, c, k):
    with weft.device("cpu"):
        for i in range(len(a)):
            chosen = a if k < i else b
            chosen[i] = 1.5
    for i in range(len(a)):
        c[i] = b[i] * 2.0


def test_a_copy_stands_behind_a_loop_that_may_write_its_array_by_another_name():
    found = order(written_by_a_choice, np.ones(8), np.ones(8), np.ones(8), 3)
    assert found[0] == "For" and found.index("in b") < found.index("Launch")


def behind_a_wait(a, b, c):
    for i in range(len(b)):
        b[i] = 2 * b[i]
    s = b[0]
    with weft.device("cpu"):
        for i in range(len(c)):
            c[i] = s
    for i in range(len(a)):
        a[i] = a[i] + c[i]
    return s


def test_a_copy_that_the_host_would_have_to_wait_for_stays_behind_the_wait():
    found = order(behind_a_wait, np.ones(8), np.ones(8), np.ones(8))
    assert found.index("in a") > found.index("Wait") > found.index("Launch")


def looks(a):
    return float(a[0])


def reads_a_step(a, b):
    s = weft.python(looks, b, reads=b, returns=float)
    for i in range(len(a)):
        a[i] = a[i] + s


def test_nothing_is_sent_before_a_step_in_python():
    found = order(reads_a_step, np.ones(8), np.ones(8))
    assert found.index("in a") > found.index("External")
