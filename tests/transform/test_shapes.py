"""Shapes that an expression compares are assumed to agree, or to be broadcast; calls with others run other variants."""

import copy
from pathlib import Path

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.runtime.dispatch.variants import MOST_BROADCASTS
from weft.transform import pipeline
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


def differences(x):
    column = x[:, 0:1]
    return column.T - column


def test_a_slice_of_one_column_is_assumed_to_be_broadcast():
    changed = fold(shapes(fold(program_of(differences, np.ones((3, 2))))))
    (outer,) = (s for s in changed.body.statements if isinstance(s, n.For))
    assert not any(isinstance(s, n.If) for s in walk(changed.body) if s is not outer)
    assert changed.assumption is not None


@pytest.mark.parametrize("rows", [0, 1, 2, 5])
@pytest.mark.parametrize("columns", [0, 1, 2])
def test_slices_of_one_column_at_all_sizes(rows, columns):
    x = np.arange(rows * columns, dtype=float).reshape(rows, columns)
    assert_alike(differences, x)


def shifted(w, x, b):
    return w @ x + b


@pytest.mark.parametrize("bias", [(3, 5), (3, 1), (1, 5), (1, 1), (2, 5), (3, 4)])
def test_extents_of_one_that_a_call_has(bias):
    assert_alike(shifted, np.arange(12.0).reshape(3, 4), np.arange(20.0).reshape(4, 5), np.ones(bias))


def test_a_variant_for_extents_of_one_assumes_them():
    def affine(w, x, b):
        return w @ x - b

    compiled = weft.jit(device="cpu")(affine)
    compiled(np.ones((3, 4)), np.ones((4, 5)), np.ones((3, 5)))
    compiled(np.ones((3, 4)), np.ones((4, 5)), np.ones((3, 1)))
    compiled(np.ones((2, 4)), np.ones((4, 6)), np.ones((2, 1)))
    assert [(bool(key.ones), key.checked) for key in variants(compiled)] == [(False, False), (True, False)]


def test_the_first_call_decides_which_variant_comes_first(own_store: Path) -> None:
    def affine(w, x, b):
        return b - w @ x

    compiled = weft.jit(device="cpu")(affine)
    for bias in ((3, 1), (3, 5), (1, 5), (3, 1)):
        arrays = np.ones((3, 4)), np.ones((4, 5)), np.ones(bias)
        assert np.array_equal(compiled(*arrays), affine(*arrays))
    with pytest.raises(ValueError, match="broadcast"):
        compiled(np.ones((3, 4)), np.ones((4, 5)), np.ones((2, 1)))
    found = [(bool(key.ones), key.checked) for key in variants(compiled)]
    assert found == [(True, False), (False, False), (True, False), (False, True)]


def test_the_usual_variant_comes_first_where_it_is_in_the_store(own_store: Path) -> None:
    def affine(w, x, b):
        return b / (w @ x)

    for biases, expected in (([(3, 5)], [False]), ([(3, 1), (3, 5)], [False, True])):
        compiled = weft.jit(device="cpu")(affine)
        for bias in biases:
            arrays = np.ones((3, 4)), np.ones((4, 5)), np.ones(bias)
            assert np.array_equal(compiled(*arrays), affine(*arrays))
        assert [bool(key.ones) for key in variants(compiled)] == expected


def test_calls_with_ever_other_extents_of_one_run_the_checked_variant():
    def total(a, b, c, d):
        return a + b + c + d

    compiled = weft.jit(device="cpu")(total)
    for k in range(1, 15):
        arrays = [np.ones(1 if k >> place & 1 else 4) for place in range(4)]
        assert np.array_equal(compiled(*arrays), total(*arrays))
    assert sum(bool(key.ones) for key in variants(compiled)) == MOST_BROADCASTS
    assert any(key.checked for key in variants(compiled))


def add_column(x, y):
    x[:, 0:1] += y


@pytest.mark.parametrize("column", [(3, 1), (1, 1), (3, 2), (1, 2), (2, 1)])
def test_what_is_assigned_to_is_not_broadcast(column):
    assert_alike(add_column, np.zeros((3, 2)), np.arange(1.0, 1 + np.prod(column)).reshape(column))


def test_operands_of_a_product_are_not_broadcast():
    assert_alike(lambda x, y: x[:, 0:1] @ y, np.ones((3, 2)), np.ones((1, 4)))
    assert_alike(lambda x, y: x[:, 0:1] @ y, np.ones((3, 2)), np.ones((2, 4)))


def test_extents_that_meet_are_remembered(monkeypatch):
    arrays = np.ones((3, 4)), np.ones((4, 5)), np.ones((3, 1))
    compiled = weft.jit(device="cpu")(shifted)
    compiled(*arrays)
    monkeypatch.setattr(pipeline, "extents_that_meet", None)
    (specialisation,) = compiled._callee.specialisations
    specialisation.__dict__.pop("_meetings", None)
    assert specialisation._ones(arrays)


def variants(compiled):
    (specialisation,) = compiled._callee.specialisations
    return list(specialisation.family.variants)


def assert_alike(function, *arguments):
    """A function gives what Python gives, or raises the same, and changes its arguments so."""
    mine, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    wanted, found = outcome(function, theirs), outcome(weft.jit(device="cpu")(function), mine)
    if isinstance(wanted, Exception):
        assert type(found) is type(wanted) and str(wanted).strip() in str(found)
    else:
        assert np.array_equal(found, wanted)
    assert all(map(np.array_equal, mine, theirs))


def outcome(function, arguments):
    try:
        return function(*arguments)
    except ValueError as error:
        return error
