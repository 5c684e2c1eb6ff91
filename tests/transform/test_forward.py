"""A new array between two nests goes where nothing is read after it was written, and stays elsewhere."""

import numpy as np
import pytest

from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.safety.shapes import shapes
from weft.transform.simplify.cse import cse
from weft.transform.simplify.dce import dce
from weft.transform.simplify.fold import fold
from weft.transform.simplify.forward import forward

A, B = np.ones((5, 5)), np.ones((5, 5))


def counts(function, *arguments):
    """The nests and new arrays before and after the pass."""
    program = program_of(function, *arguments)
    for run in (fold, cse, dce, shapes, fold, cse, dce):
        program = run(program)
    return _counts(program), _counts(dce(forward(program)))


def _counts(program):
    lets = [s for s in walk(program.body) if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)]
    stores = [s for s in walk(program.body) if isinstance(s, n.Store)]
    return len(stores), len(lets)


def other_array(a, b):
    b[1:-1] = a[2:] + a[:-2]


def same_place(a, b):
    a[1:] = a[1:] * 2 + b[1:]


def shifted(a, b):
    a[1:] = a[:-1] * 2


def transposed(a, b):
    a[:] = a.T


def through_a_name(a, b):
    c = a
    b[:] = c
    c[1:] = b[1:] + c[:-1]


@pytest.mark.parametrize("function", [other_array, same_place])
def test_needless_arrays_go(function):
    before, after = counts(function, A, B)
    assert before == (2, 1)
    assert after == (1, 0)


@pytest.mark.parametrize("function", [shifted, transposed])
def test_needed_arrays_stay(function):
    before, after = counts(function, A, B)
    assert before == after == (2, 1)


def test_each_statement_on_its_own():
    before, after = counts(through_a_name, A, B)
    assert (before, after) == ((4, 2), (3, 1))
