"""`weft.parallel_for` and `weft.for_each`: loops that run at once."""

from __future__ import annotations

import numpy as np
import pytest

import weft


@pytest.mark.parametrize(
    "extent",
    [
        range(7), range(2, 7), range(0, 20, 3), range(19, -1, -3), range(5, 5), range(5, 2), range(-4, 3),
        range(2**31 + 5, 2**31 + 9), range(-(2**40), -(2**40) + 30, 7), range(2**62, 2**62 - 12, -4),
    ],
)  # fmt: skip
def test_every_index_of_a_range_is_visited(extent):
    first = min(extent, default=0)
    seen = np.zeros(32, np.int64)

    def body(i):
        seen[i - first] += 1

    weft.parallel_for(extent, body)
    expected = np.zeros(32, np.int64)
    expected[[i - first for i in extent]] = 1
    np.testing.assert_array_equal(seen, expected)


def test_start_stop_body():
    a = np.zeros(6)

    def body(i):
        a[i] = i

    assert weft.parallel_for(2, 5, body) is body
    np.testing.assert_array_equal(a, [0, 0, 2, 3, 4, 0])


def test_start_stop_step_body():
    a = np.zeros(6)

    def body(i):
        a[i] = i

    weft.parallel_for(5, -1, -2, body)
    np.testing.assert_array_equal(a, [0, 1, 0, 3, 0, 5])


def test_decorator_runs_at_once():
    a = np.zeros(3)

    @weft.parallel_for(3)
    def fill(i):
        a[i] = i + 1

    np.testing.assert_array_equal(a, [1, 2, 3])
    fill(0)
    assert a[0] == 1


def test_nested_ranges():
    a = np.zeros((3, 4))

    @weft.parallel_for((3, range(0, 4, 2)))
    def fill(i, j):
        a[i, j] = 10 * i + j

    np.testing.assert_array_equal(a, [[0, 0, 2, 0], [10, 0, 12, 0], [20, 0, 22, 0]])


def test_numpy_integers_are_bounds():
    a = np.zeros(3)

    @weft.parallel_for(np.int32(3))
    def fill(i):
        a[i] = 1

    assert a.sum() == 3


def test_sum_into_a_captured_variable():
    a = np.arange(1000)
    total = 0

    @weft.parallel_for(len(a))
    def add(i):
        nonlocal total
        total += a[i]

    assert total == a.sum()


def test_stop_ends_the_loop_as_break_would():
    a = np.zeros(100)

    @weft.parallel_for(100)
    def fill(i):
        if i == 40:
            return weft.STOP
        a[i] = 1
        return None

    np.testing.assert_array_equal(a, np.arange(100) < 40)


def test_race_is_an_error_with_both_lines():
    a = np.arange(5.0)
    before = a.copy()

    def shift(i):
        a[i + 1] = a[i]

    with pytest.raises(weft.RaceError) as caught:
        weft.parallel_for(4, shift)
    assert caught.value.location is not None
    np.testing.assert_array_equal(a, before)


def test_index_error_of_the_body():
    a = np.zeros(3)

    def fill(i):
        a[i] = 1

    with pytest.raises(IndexError):
        weft.parallel_for(4, fill)


def test_thousand_closures_are_one_specialisation(monkeypatch):
    from weft.runtime.dispatch import specialisation

    made = []
    original = specialisation.Specialisation.__post_init__
    monkeypatch.setattr(
        specialisation.Specialisation, "__post_init__", lambda self: (made.append(self), original(self))[1]
    )
    a = np.zeros(1)
    for number in range(100):

        @weft.parallel_for(1)
        def add(i):
            a[i] += number

    assert a[0] == sum(range(100))
    assert len(made) <= 1


@pytest.mark.parametrize("bound", [1.5, "3", None])
def test_bounds_must_be_integers(bound):
    with pytest.raises(weft.ArgumentError):
        weft.parallel_for(bound, lambda i: None)


def test_no_arguments():
    with pytest.raises(weft.ArgumentError, match="parallel_for"):
        weft.parallel_for()


def test_body_must_be_a_python_function():
    with pytest.raises(weft.ArgumentError, match="body"):
        weft.parallel_for(3, len)


def test_bounds_beyond_64_bits():
    with pytest.raises(weft.ArgumentError, match="64 bits"):
        weft.parallel_for(range(2**64, 2**64 + 1), lambda i: None)


def test_for_each_element():
    a = np.arange(5)
    total = 0

    def add(x):
        nonlocal total
        total += x

    assert weft.for_each(a, add) is add
    assert total == 10


def test_for_each_row_is_a_view():
    a = np.arange(6.0).reshape(3, 2)

    def double(row):
        for k in range(len(row)):
            row[k] *= 2

    weft.for_each(a, double)
    np.testing.assert_array_equal(a, 2 * np.arange(6.0).reshape(3, 2))


def test_for_each_stops():
    seen = np.zeros(10, bool)

    def visit(k):
        if k == 4:
            return weft.STOP
        seen[k] = True
        return None

    weft.for_each(np.arange(10), visit)
    assert seen.sum() == 4


@pytest.mark.parametrize("thing", [[1, 2], np.float64(3.0), np.array(1.0)])
def test_for_each_wants_an_array(thing):
    with pytest.raises(weft.ArgumentError, match="array"):
        weft.for_each(thing, lambda x: None)


def test_fields_of_packed_records():
    packed = np.dtype([("k", np.int8), ("v", np.float64), ("z", np.complex128), ("row", np.int16, (3,))])

    def update(a):
        s = 0.0
        v = a["v"]
        for i in range(len(a)):
            a[i]["v"] += a[i]["k"]
            a[i]["z"] *= 2.0
            a[i]["row"][1] = i
            v[i] *= 2.0
            s += v[i]
        return s

    expected = np.zeros(6, packed)
    expected["v"], expected["k"], expected["z"] = np.arange(6), 3, 1j
    found = expected.copy()
    assert weft.jit(update)(found) == update(expected)
    np.testing.assert_array_equal(found, expected)
