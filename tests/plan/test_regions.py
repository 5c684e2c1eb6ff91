"""What is left of boxes without others: never less than that, and never outside of what there was."""

import itertools
from random import Random

import pytest

from weft.analysis.values.linear import ZERO, Form, constant, symbol
from weft.plan.transfers.regions import Side, Space

N, SIZE = symbol("n"), symbol("size")
SIDES = [constant(0), constant(1), constant(3), constant(4), N, N - 3, N + 1, 2 * N, SIZE, SIZE - 1]


def at_most(form: Form) -> bool:
    """Whether a form is not negative for all n and sizes from 0 on, as far as signs tell."""
    return all(factor >= 0 for factor in form.terms.values())


def elements(box, n, size):
    """The elements of a box for given numbers."""
    values = {"n": constant(n), "size": constant(size)}
    sides = [(side.low.substitute(values).value, side.stop.substitute(values).value) for side in box]
    return set(itertools.product(*(range(max(low, 0), min(stop, size)) for low, stop in sides)))


@pytest.mark.parametrize("seed", range(300))
def test_a_difference_is_inside_of_the_box_and_holds_all_that_was_not_taken(seed):
    random = Random(seed)
    axes = random.choice((1, 1, 2))
    space = Space((SIZE,) * axes, at_most)
    box, taken = (tuple(Side(*random.sample(SIDES, 2)) for _ in range(axes)) for _ in range(2))
    left = space.minus((box,), (taken,))
    for n, size in itertools.product(range(0, 9, 2), range(0, 10, 3)):
        found = set().union(*(elements(part, n, size) for part in left))
        whole = elements(box, n, size)
        assert whole - elements(taken, n, size) <= found <= whole


def test_elements_that_are_taken_twice_are_gone():
    space = Space((SIZE,), at_most)
    (left,) = space.minus(((Side(ZERO, SIZE),),), ((Side(ZERO, constant(4)),),))
    assert left == (Side(constant(4), SIZE),)
    parts = space.minus((left,), ((Side(N - 3, N - 2),),))
    assert all((k,) not in elements(part, 5, 9) for part in parts for k in range(4))
