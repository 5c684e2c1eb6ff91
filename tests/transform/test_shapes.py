"""Shapes that an expression compares are assumed to agree; calls with others run the checked variant."""

import numpy as np

import weft
from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.safety.shapes import shapes
from weft.transform.simplify.fold import fold


def add(a, b):
    return a + b


def loops(program):
    return [s for s in walk(program.body) if isinstance(s, n.For)]


def test_one_nest_is_left_where_the_arguments_decide():
    program = fold(program_of(add, np.ones(3), np.ones(3)))
    assert len(loops(program)) == 2
    changed = fold(shapes(program))
    assert len(loops(changed)) == 1
    assert changed.assumption is not None


def test_nothing_is_assumed_of_shapes_that_are_known():
    program = program_of(lambda a: a[1:] + a[:-1], np.ones(3))
    assert shapes(program) is program
    assert len(loops(program)) == 1


def test_a_length_that_was_read_decides_nothing():
    def f(a, p):
        return np.ones(p[0]) + a

    program = program_of(f, np.ones(3), np.array([3]))
    assert shapes(program).assumption is None


def test_other_shapes_are_broadcast():
    compiled = weft.jit(device="cpu")(add)
    assert compiled(np.ones(3), np.ones(3)).shape == (3,)
    assert compiled(np.ones(3), np.ones(1)).shape == (3,)
    assert compiled(np.ones(1), np.ones(4)).shape == (4,)
