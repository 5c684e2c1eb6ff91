"""Objects that hold one another, or themselves, and long chains of objects."""

import pytest

import weft


class Node:
    def __init__(self, weight, other=None):
        self.weight = weight
        self.other = other


def pair():
    first, second = Node(1.5), Node(2.5)
    first.other, second.other = second, first
    return first


def chain(length):
    last = None
    for k in range(length):
        last = Node(float(k), last)
    return last


CAPTURED = pair()


def test_a_captured_object_in_a_circle_has_its_attributes():
    compiled = weft.jit(lambda x: x * CAPTURED.weight + CAPTURED.other.weight)
    assert compiled(2.0) == 2.0 * 1.5 + 2.5
    CAPTURED.weight = 3.0
    try:
        assert compiled(2.0) == 2.0 * 3.0 + 2.5
    finally:
        CAPTURED.weight = 1.5


def test_an_argument_in_a_circle_has_its_attributes():
    assert weft.jit(lambda node: node.weight + node.other.weight)(pair()) == 4.0


def test_what_holds_itself_is_refused_where_it_is_used():
    with pytest.raises(weft.UnsupportedError, match="compiled code cannot use"):
        weft.jit(lambda node: node.other.other.weight)(pair())


def test_the_first_objects_of_a_long_chain():
    assert weft.jit(lambda node: node.weight + node.other.other.weight)(chain(3000)) == 2999.0 + 2997.0
