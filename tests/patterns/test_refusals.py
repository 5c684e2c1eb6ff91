"""What patterns refuse, and in which words."""

from __future__ import annotations

import numpy as np
import pytest

import weft

A = np.arange(6.0)


def test_a_collision_is_a_race():
    out = np.zeros(9)
    with pytest.raises(weft.RaceError, match=r"index\[1\] and index\[2\] are both 4") as caught:
        weft.scatter(np.arange(3.0), np.array([1, 4, 4]), out)
    assert 'combine="add"' in str(caught.value)
    assert "weft.prange" not in str(caught.value)
    assert not out.any()


def test_a_collision_in_compiled_code_names_the_call():
    @weft.jit
    def stored(values, index, out):
        return weft.scatter(values, index, out)

    with pytest.raises(weft.RaceError, match="are both 0") as caught:
        stored(A, np.zeros(6, int), A.copy())
    assert "return weft.scatter(values, index, out)" in str(caught.value)


def test_a_negative_index_collides_too():
    with pytest.raises(weft.RaceError, match="are both 8"):
        weft.scatter(np.arange(2.0), np.array([8, -1]), np.zeros(9))


@pytest.mark.parametrize("combine", ["unique", "add"])
def test_a_position_outside(combine):
    out = np.zeros(3)
    with pytest.raises(IndexError):
        weft.scatter(np.ones(2), np.array([0, 3]), out, combine)


def test_as_many_values_as_positions():
    with pytest.raises(ValueError, match="2 values go to 3 positions"):
        weft.scatter(np.ones(2), np.array([0, 1, 2]), np.zeros(3))


def test_an_unknown_operation():
    with pytest.raises(weft.ArgumentError, match="no operation 'plus'") as caught:
        weft.reduce("plus", A)
    assert "add, multiply" in str(caught.value)
    with pytest.raises(weft.ArgumentError, match="by a function, not by 3"):
        weft.reduce(3, A)
    with pytest.raises(weft.ArgumentError, match="no operation 'both'"):
        weft.scatter(A, A.astype(int), A.copy(), combine="both")


def test_an_operation_that_is_not_associative():
    with pytest.raises(weft.ArgumentError, match="is not associative: op\\(op\\(0.0, 1.0\\), 2.0\\) is -3.0"):
        weft.reduce(lambda x, y: x - y, A, debug=True)
    with pytest.raises(weft.ArgumentError, match="is not associative"):
        weft.scan(lambda x, y: x - y, A, debug=True)
    assert weft.reduce(lambda x, y: x + y, A, debug=True) == 15.0


@pytest.mark.parametrize("reduce", [lambda: weft.reduce("max", A[:0]), lambda: weft.reduce(min, A[:0])])
def test_nothing_has_no_maximum(reduce):
    with pytest.raises(ValueError, match="no identity: say initial="):
        reduce()


def test_an_exclusive_scan_needs_a_start():
    with pytest.raises(ValueError, match="starts with initial="):
        weft.scan("max", A, exclusive=True)


def test_several_shapes():
    with pytest.raises(ValueError, match=r"one shape, not \(6,\) and \(5,\)"):
        weft.map(lambda x, y: x, A, A[:5])

    @weft.jit
    def product(a, b):
        return weft.map(lambda x, y: x * y, a, b)

    with pytest.raises(ValueError, match="one shape: 5 elements are not 6"):
        product(A, A[:5])


def test_a_stencil_that_looks_too_far():
    with pytest.raises(IndexError, match="looks 2 elements away, and its radius is 1"):
        weft.stencil(lambda at: at(2), A, radius=1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: weft.stencil(lambda at: at(0), None), "takes arrays of at least one dimension, not NoneType"),
        (lambda: weft.stencil(lambda at: at(0), A, radius=-1), "-1 is no integer of at least 0"),
        (lambda: weft.stencil(lambda at: at(0), A, boundary="mirror"), "there is no boundary 'mirror'"),
        (lambda: weft.gather(A, (0,), boundary="none"), "there is no boundary 'none'"),
        (lambda: weft.soa(A), "takes an array of records, and this one has elements of float64"),
        (lambda: weft.map(3, A), "applies a function, not 3"),
        (lambda: weft.map(abs, 3), "not int"),
        (lambda: weft.filter(A, A), "applies a function"),
        (lambda: weft.reduce("add", [1, 2]), "not list"),
        (lambda: weft.reduce("add", A, axis=1), "the array has no axis 1"),
        (lambda: weft.sort(A, axis=-2), "the array has no axis -2"),
        (lambda: weft.histogram(A, bins=0), "0 is no integer of at least 1"),
    ],
)
def test_arguments(call, words):
    with pytest.raises(weft.ArgumentError) as caught:
        call()
    assert words in str(caught.value)


def test_a_histogram_of_an_empty_range():
    with pytest.raises(ValueError, match="max must be larger than min"):
        weft.histogram(A, 3, (2.0, 1.0))


def test_a_histogram_of_what_is_not_finite():
    with pytest.raises(ValueError, match="is not finite"):
        weft.histogram(np.array([1.0, np.inf]), 3)


def test_a_segment_that_ends_before_it_starts():
    with pytest.raises(ValueError, match="segment 1 goes from 3 to 2"):
        weft.segment_reduce("add", A, np.array([0, 3, 2, 6]))


def test_a_function_that_gives_a_list():
    with pytest.raises(weft.TypeInferenceError, match="the function of a pattern gives a list"):
        weft.map(lambda x: [x], A)


def test_an_error_in_the_function_shows_the_users_line_alone():
    with pytest.raises(weft.UnsupportedError, match="the function 'hash' is not supported") as caught:
        weft.map(lambda x: hash(x), A)
    assert "weft.map(lambda x: hash(x), A)" in str(caught.value)
    assert "entries.py" not in str(caught.value)


WITH_AN_AXIS = {
    "reduce": lambda a, axis: weft.reduce("add", a, axis=axis),
    "scan": lambda a, axis: weft.scan("add", a, axis=axis),
    "sort": lambda a, axis: weft.sort(a, axis=axis),
}


@pytest.mark.parametrize("name", WITH_AN_AXIS)
def test_an_axis_in_compiled_code_is_a_constant(name):
    with pytest.raises(weft.TypeInferenceError, match="the axis of a pattern is an int that is known") as caught:
        weft.jit(WITH_AN_AXIS[name])(A.reshape(2, 3), 1)
    assert "write the number in the call" in str(caught.value)


def test_an_axis_may_be_captured():
    axis, m = 1, A.reshape(2, 3)
    compiled = weft.jit(lambda a: weft.reduce("maximum", a, axis=axis))
    assert compiled(m).tolist() == m.max(axis=1).tolist()
    axis = -2
    assert compiled(m).tolist() == m.max(axis=0).tolist()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda a: weft.reduce("add", a, axis=2),
        lambda a: weft.reduce("add", a[0], axis=1),
        lambda a: weft.scan("add", a, axis=-3),
        lambda a: weft.sort(a, axis=2),
    ],
)
def test_an_axis_that_is_not_there_in_compiled_code(wrong):
    with pytest.raises(weft.TypeInferenceError, match="the array has no axis"):
        weft.jit(wrong)(A.reshape(2, 3))
