"""The plan verifier tells equal boxes equal, and still finds what is missing."""

from dataclasses import replace

import numpy as np
import pytest

from tests.plan.simulated import DEVICE, Simulated, placed
from weft.errors import InternalError
from weft.frontend import build
from weft.frontend.signature import describe
from weft.ir import nodes as n
from weft.ir.visit import rewrite
from weft.plan.check import check_plan


def reversed_tail(n, a):
    tail = a[1:][::-1]
    for i in range(min(n, len(tail))):
        a[i] = tail[i]


def program():
    values = (5, np.arange(9.0))
    return placed(build(reversed_tail, tuple(describe(v, k) for v, k in zip(values, ("n", "a")))))


def test_a_side_with_a_shorter_form_inside_a_branch_is_the_same_side():
    check_plan(program())


def test_a_copy_that_is_missing_at_the_end_of_a_branch_is_found():
    def without(statement):
        is_copy = isinstance(statement, n.Copy) and statement.target == DEVICE
        return replace(statement, source=DEVICE, target="host") if is_copy else statement

    broken = program()
    with pytest.raises(InternalError, match="may be old"):
        check_plan(replace(broken, body=rewrite(broken.body, without)))


@pytest.mark.parametrize("count", [-2, 0, 1, 3, 4, 5, 20])
@pytest.mark.parametrize("size", [0, 1, 2, 5, 8])
def test_a_reversed_tail_written_over_its_array_is_right(count, size):
    expected, found = np.arange(float(size)), np.arange(float(size))
    reversed_tail(count, expected)
    Simulated(reversed_tail)(count, found)
    np.testing.assert_array_equal(found, expected)
