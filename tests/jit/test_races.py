"""Claims of `weft.prange` that only the values at a call confirm or refute."""

from __future__ import annotations

import numpy as np
import pytest

import weft


@weft.jit
def scatter(index, x, out):
    for i in weft.prange(len(index)):
        out[index[i]] = x[i]


def checked(function, *args):
    """What the function does is what plain Python does."""
    expected, found = [[np.copy(a) if isinstance(a, np.ndarray) else a for a in args] for _ in range(2)]
    results = function.__wrapped__(*expected), function(*found)
    for a, b in zip((results[0], *expected), (results[1], *found), strict=True):
        np.testing.assert_array_equal(a, b)


def refused(function, *args):
    """The function raises a RaceError, and has written nothing; gives its text."""
    before = [np.copy(a) for a in args]
    with pytest.raises(weft.RaceError) as caught:
        function(*args)
    for a, b in zip(args, before, strict=True):
        np.testing.assert_array_equal(a, b)
    assert caught.value.location is not None
    assert caught.value.other is not None
    return str(caught.value)


@pytest.mark.parametrize("count", [0, 1, 7, 5000])
def test_places_that_are_different(count):
    rng = np.random.default_rng(1)
    checked(scatter, rng.permutation(count), rng.random(count), np.zeros(count))
    checked(scatter, rng.permutation(count) - count, rng.random(count), np.zeros(count))


def test_the_error_names_the_iterations_and_the_element():
    text = refused(scatter, np.array([4, 2, 0, 2]), np.ones(4), np.zeros(5))
    assert "iteration i = 1 writes out[index[i]]" in text
    assert "iteration i = 3 writes out[index[i]]" in text
    assert "the same element out[2]" in text


def test_indices_that_are_equal_counted_from_both_ends():
    assert "out[1]" in refused(scatter, np.array([0, 1, -2]), np.ones(3), np.zeros(3))


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.uint64])
def test_narrow_indices(dtype):
    checked(scatter, np.arange(5).astype(dtype), np.ones(5), np.zeros(5))
    refused(scatter, np.array([3, 3], dtype), np.ones(2), np.zeros(5))


def test_an_index_outside_raises_as_without_the_claim():
    out = np.zeros(3)
    with pytest.raises(IndexError, match="index 7 is out of bounds"):
        scatter(np.array([2, 0, 7, 2]), np.ones(4), out)
    np.testing.assert_array_equal(out, [1, 0, 1])


def test_a_value_that_is_missing_raises_as_without_the_claim():
    out = np.zeros(4)
    with pytest.raises(IndexError):
        scatter(np.arange(4), np.ones(2), out)
    np.testing.assert_array_equal(out, [1, 1, 0, 0])


def test_only_what_runs_counts():
    @weft.jit
    def positive(index, x, out):
        for i in weft.prange(len(index)):
            if x[i] > 0:
                out[index[i]] = x[i]

    index = np.array([0, 1, 1, 2])
    checked(positive, index, np.array([1.0, 2.0, -1.0, 3.0]), np.zeros(3))
    refused(positive, index, np.ones(4), np.zeros(3))


def test_an_index_that_is_chosen():
    @weft.jit
    def choose(p, q, flag, out):
        for i in weft.prange(len(flag)):
            k = p[i] if flag[i] else q[i]
            out[k] = i

    p, q = np.array([0, 0, 2]), np.array([1, 1, 1])
    checked(choose, p, q, np.array([True, False, True]), np.zeros(3))
    refused(choose, p, q, np.array([True, True, True]), np.zeros(3))


def test_reads_of_what_another_iteration_writes():
    @weft.jit
    def move(p, q, a):
        for i in weft.prange(len(p)):
            a[p[i]] = a[q[i]] + 1.0

    checked(move, np.arange(3), np.arange(3, 6), np.arange(6.0))
    checked(move, np.arange(3), np.arange(3), np.arange(6.0))
    checked(move, np.arange(3), np.array([5, 5, 5]), np.arange(6.0))
    text = refused(move, np.arange(3), np.array([3, 4, 0]), np.arange(6.0))
    assert "iteration i = 0 writes a[p[i]]" in text
    assert "iteration i = 2 reads a[q[i]]" in text


def test_an_iteration_may_write_an_element_twice():
    @weft.jit
    def pairs(p, q, a):
        for i in weft.prange(len(p)):
            a[p[i]] = 1.0
            a[q[i]] = 2.0

    checked(pairs, np.arange(4), np.arange(4), np.zeros(4))
    text = refused(pairs, np.array([0, 1, 2]), np.array([3, 4, 1]), np.zeros(5))
    assert "a[p[i]]" in text
    assert "a[q[i]]" in text


def test_rows_and_inner_loops():
    @weft.jit
    def rows(index, x, out):
        for i in weft.prange(len(index)):
            for k in range(x.shape[1]):
                out[index[i], k] = x[i, k]

    x = np.arange(6.0).reshape(3, 2)
    checked(rows, np.array([2, 0, 1]), x, np.zeros((3, 2)))
    checked(rows, np.array([2, 2, 1]), x[:, :0], np.zeros((3, 2)))
    assert "out[2, 0]" in refused(rows, np.array([2, 2, 1]), x, np.zeros((3, 2)))


def test_rows_as_views():
    @weft.jit
    def rows(index, out):
        for i in weft.prange(len(index)):
            row = out[index[i]]
            row[0] = i

    checked(rows, np.array([2, 0, -2]), np.zeros((3, 2)))
    refused(rows, np.array([2, -1]), np.zeros((3, 2)))


def test_rows_that_overlap():
    @weft.jit
    def scale(start, value):
        for i in weft.prange(len(start) - 1):
            for k in range(start[i], start[i + 1]):
                value[k] = value[k] * i + 1.0

    checked(scale, np.array([0, 2, 2, 5]), np.ones(5))
    refused(scale, np.array([0, 3, 2, 5]), np.ones(5))


def test_offsets():
    @weft.jit
    def shift(a, n, m):
        for i in weft.prange(n):
            a[i] = a[i + m] + 1.0

    for m in (0, 5, 9):
        checked(shift, np.arange(20.0), 5, m)
    a = np.arange(20.0)
    with pytest.raises(weft.RaceError, match="iteration i = 3 writes"):
        shift(a, 5, 3)
    np.testing.assert_array_equal(a, np.arange(20.0))


def test_steps_of_zero():
    @weft.jit
    def spread(a, b, step):
        for i in weft.prange(len(b)):
            a[i * step] = b[i]

    checked(spread, np.zeros(9), np.ones(3), 4)
    checked(spread, np.zeros(9), np.ones(1), 0)
    with pytest.raises(weft.RaceError):
        spread(np.zeros(9), np.ones(3), 0)


def test_iterations_of_other_steps_are_counted():
    @weft.jit
    def stepped(index, out):
        for i in weft.prange(4, len(index), 3):
            out[index[i]] = i

    index = np.array([0, 0, 0, 0, 5, 0, 0, 6, 0, 0, 5])
    text = refused(stepped, index, np.zeros(9))
    assert "iteration number 0 of the loop over i" in text
    assert "iteration number 2 of the loop over i" in text
    checked(stepped, index[:10], np.zeros(9))


def test_large_offsets_raise_as_without_the_claim():
    @weft.jit
    def far(index, offset, out):
        for i in weft.prange(len(index)):
            out[index[i] + offset] = i

    checked(far, np.array([1, 0]), 2, np.zeros(4))
    with pytest.raises(IndexError):
        far(np.array([1, 1]), 2**62, np.zeros(4))


def test_a_sum_beside_what_is_checked():
    @weft.jit
    def total(index, x, out):
        s = 0
        for i in weft.prange(len(index)):
            out[index[i]] = x[i]
            s += x[i]
        return s

    rng = np.random.default_rng(1)
    checked(total, rng.permutation(1000), rng.integers(0, 99, 1000), np.zeros(1000, np.int64))
    refused(total, np.array([1, 1]), np.array([2, 3]), np.zeros(2, np.int64))


def test_inside_another_loop_every_run_is_checked_before_the_first():
    @weft.jit
    def steps(index, out):
        for t in range(index.shape[0]):
            for i in weft.prange(index.shape[1]):
                out[index[t, i]] = out[index[t, i]] * 2.0 + i

    checked(steps, np.array([[0, 1, 2], [2, 0, 1]]), np.ones(3))
    text = refused(steps, np.array([[0, 1, 2], [2, 0, 1], [2, 2, 1]]), np.ones(3))
    assert "iteration i = 0" in text
    assert "iteration i = 1" in text
    assert "out[2]" in text


def test_runs_that_meet_one_another_are_no_race():
    @weft.jit
    def steps(index, out):
        for t in range(5):
            for k in range(t):
                for i in weft.prange(t, len(index)):
                    out[k, index[i]] = out[k, index[i]] * 2.0 + i * t

    checked(steps, np.arange(9)[::-1].copy(), np.ones((5, 9)))
    assert "the same element out[k, 3]" in refused(steps, np.array([0, 1, 2, 3, 3, 3]), np.ones((5, 9)))


def test_a_loop_around_that_never_runs():
    @weft.jit
    def steps(count, index, out):
        for _ in range(count):
            for i in weft.prange(len(index)):
                out[index[i]] = i

    checked(steps, 3, np.arange(4), np.zeros(4))
    checked(steps, 0, np.array([1, 1]), np.zeros(4))
    checked(steps, -1, np.array([1, 1]), np.zeros(4))
    refused(steps, 1, np.array([1, 1]), np.zeros(4))


def test_indices_that_the_loop_around_changes_are_checked_each_time():
    @weft.jit
    def steps(index, out):
        for t in range(len(index)):
            for i in weft.prange(len(index)):
                out[index[i]] = out[index[i]] * 2.0 + i
            index[t] = 0

    checked(steps, np.array([2]), np.ones(3))
    out = np.ones(3)
    with pytest.raises(weft.RaceError):
        steps(np.array([1, 2, 0]), out)
    np.testing.assert_array_equal(out, [4, 2, 3])  # the second run is refused before it writes


def test_a_loop_around_that_may_end_is_not_looked_ahead_of():
    @weft.jit
    def steps(index, out):
        for t in range(index.shape[0]):
            if index[t, 0] < 0:
                break
            for i in weft.prange(index.shape[1]):
                out[index[t, i]] = i

    checked(steps, np.array([[0, 1], [-1, 0], [1, 1]]), np.ones(3))
    with pytest.raises(weft.RaceError):
        steps(np.array([[0, 1], [1, 1]]), np.ones(3))


def test_claims_inside_of_claims_are_checked():
    @weft.jit
    def nested(p, q, out):
        for i in weft.prange(len(p)):
            for j in weft.prange(len(q)):
                out[p[i], q[j]] = i * 10 + j

    checked(nested, np.array([2, 0]), np.array([1, 2, 0]), np.zeros((3, 3)))
    checked(nested, np.array([2, 0]), np.array([1]), np.zeros((3, 3)))
    assert "iteration i = 0" in refused(nested, np.array([1, 1]), np.array([0, 1]), np.zeros((3, 3)))
    assert "iteration j = 1" in refused(nested, np.array([0, 1]), np.array([0, 1, 1]), np.zeros((3, 3)))
    checked(nested, np.array([2, 0])[:0], np.array([1, 1]), np.zeros((3, 3)))


def test_claims_inside_of_a_loop_that_is_parallel():
    @weft.jit
    def rows(q, x, out):
        for i in range(out.shape[0]):
            for j in weft.prange(len(q)):
                out[i, q[j]] = x[i, j]

    x = np.arange(12.0).reshape(3, 4)
    checked(rows, np.array([1, 2, 0, 3]), x, np.zeros((3, 4)))
    assert "the same element out[i, 2]" in refused(rows, np.array([2, 2, 0, 3]), x, np.zeros((3, 4)))


def test_offsets_that_the_loop_around_computes():
    @weft.jit
    def blocks(a, width, shift):
        for b in range(3):
            for i in weft.prange(width):
                a[b + i] = a[b * shift + i + 1] + 1.0

    for shift in (8, 40):
        a = np.arange(100.0)
        with pytest.raises(weft.RaceError):
            blocks(a, 5, shift)
        np.testing.assert_array_equal(a, np.arange(100.0))
    checked(blocks, np.arange(100.0), 1, 40)


def test_a_loop_that_is_not_reached():
    @weft.jit
    def maybe(index, out, wanted):
        if wanted:
            for i in weft.prange(len(index)):
                out[index[i]] = i

    maybe(np.array([1, 1]), np.zeros(2), False)
    with pytest.raises(weft.RaceError):
        maybe(np.array([1, 1]), np.zeros(2), True)


def test_the_users_word_is_taken():
    @weft.jit
    def trusted(index, out):
        for i in weft.assume_independent(range(len(index))):
            out[index[i]] = 1.0

    checked(trusted, np.array([1, 1]), np.zeros(2))


def test_bodies_of_parallel_for():
    index, out = np.array([2, 0, 1]), np.zeros(3)

    def body(i):
        out[index[i]] = i

    weft.parallel_for(3, body)
    np.testing.assert_array_equal(out, [1, 2, 0])
    index[0] = 0
    with pytest.raises(weft.RaceError, match="the same element out"):
        weft.parallel_for(3, body)
    np.testing.assert_array_equal(out, [1, 2, 0])
    weft.parallel_for(1, body)


def test_folds_are_no_races():
    @weft.jit
    def add(index, x, out):
        for i in weft.prange(len(index)):
            out[index[i]] += x[i]

    checked(add, np.array([1, 1, 0]), np.array([2, 3, 4]), np.zeros(2, np.int64))


def test_the_error_comes_before_earlier_loops_write():
    @weft.jit
    def later(index, x, out, other):
        for i in range(len(x)):
            other[i] = x[i] * 2.0
        local = np.zeros(len(x))
        for i in range(len(x)):
            local[i] += x[i]
        for i in weft.prange(len(index)):
            out[index[i]] = local[i]
        return local

    checked(later, np.array([0, 2, 1, 3]), np.ones(4), np.zeros(4), np.zeros(4))
    refused(later, np.array([0, 2, 1, 2]), np.ones(4), np.zeros(4), np.zeros(4))


def test_the_error_comes_behind_what_computes_the_indices():
    @weft.jit
    def halved(index, x, out, other):
        for i in range(len(index)):
            index[i] = index[i] // 2
        for i in range(len(x)):
            other[i] = x[i]
        for i in weft.prange(len(index)):
            out[index[i]] = x[i]

    checked(halved, np.array([0, 2, 4, 6]), np.ones(4), np.zeros(4), np.zeros(4))
    index, other, out = np.array([0, 2, 4, 3]), np.zeros(4), np.zeros(4)
    with pytest.raises(weft.RaceError):
        halved(index, np.ones(4), out, other)
    np.testing.assert_array_equal(index, [0, 1, 2, 1])
    assert not other.any() and not out.any()


def test_exceptions_of_earlier_statements_come_first():
    @weft.jit
    def guarded(index, x, out):
        for i in range(len(x)):
            x[i] += 1.0
        if x[0] > 5.0:
            raise ValueError("too large")
        for i in weft.prange(len(index)):
            out[index[i]] = x[i]

    with pytest.raises(ValueError, match="too large"):
        guarded(np.array([0, 0]), np.array([7.0, 1.0]), np.zeros(2))
    x = np.array([1.0, 1.0])
    with pytest.raises(weft.RaceError):
        guarded(np.array([0, 0]), x, np.zeros(2))
    np.testing.assert_array_equal(x, [2.0, 2.0])


@weft.jit
def columns(v, k, m):
    for i in weft.prange(1, len(v)):
        v[i, k] = v[i - 1, m] + 1.0


@weft.jit
def last_column(v):
    for i in weft.prange(1, len(v)):
        v[i, 0] = v[i - 1, -1] + 1.0


@weft.jit
def rarely_read(v, limit):
    for i in weft.prange(1, len(v)):
        before = 0.0
        if v[i, 1] > limit:
            before = v[i - 1, 0]
        v[i, 0] = before + 1.0


@weft.jit
def distances(a, k, n):
    for i in weft.prange(k, n):
        a[abs(i - k)] = i


@weft.jit
def windows(a, k, n):
    for i in weft.prange(n):
        row = a[i + k :]
        row[i] = i


@pytest.mark.sample(2)
@pytest.mark.parametrize(("k", "m"), [(0, 2), (2, 0), (-1, 0), (0, -1)])
def test_other_columns_are_no_conflict(k, m):
    checked(columns, np.arange(64.0).reshape(8, 8), k, m)
    checked(last_column, np.arange(64.0).reshape(8, 8))


@pytest.mark.parametrize(("k", "m"), [(2, 2), (-1, 7), (7, -1), (-8, 0)])
def test_the_same_column_is_a_conflict(k, m):
    refused(columns, np.arange(64.0).reshape(8, 8), k, m)


def test_a_read_that_does_not_happen_is_no_proof_of_a_conflict():
    checked(rarely_read, np.arange(64.0).reshape(8, 8), 1000.0)


@pytest.mark.parametrize("k", [0, 1, 5])
def test_values_that_are_chosen_are_no_proof_of_a_conflict(k):
    checked(distances, np.zeros(40), k, 12)
    checked(windows, np.zeros(40), k, 12)


def running_sum(a, b):
    s = 0.0
    for i in weft.prange(len(a)):
        s += a[i]
        b[i] = s


def greatest_so_far(a, b):
    s = 0.0
    for i in weft.prange(len(a)):
        s = max(s, a[i])
        b[i] = s


def packed(a, b):
    k = 0
    for i in weft.prange(len(a)):
        if a[i] > 0.5:
            b[k] = a[i]
            k += 1


def packed_from_behind(a, b):
    k = len(b) - 1
    for i in weft.prange(len(a)):
        if a[i] > 0.5:
            b[k] = a[i]
            k -= 1


@pytest.mark.parametrize("function", [running_sum, greatest_so_far, packed, packed_from_behind])
def test_values_that_an_iteration_has_from_the_one_before_refute_the_claim(function):
    with pytest.raises(weft.RaceError, match="the iteration before"):
        weft.jit(function)(np.random.default_rng(0).random(100), np.zeros(100))


def after_a_write_in_the_first_branch(flag, index, out, mark):
    if flag:
        mark[0] = 1.0
        for i in weft.prange(len(index)):
            out[index[i]] = i
    else:
        mark[1] = 2.0


def after_a_write_in_the_second_branch(flag, index, out, mark):
    if not flag:
        mark[1] = 2.0
    else:
        mark[0] = 1.0
        for i in weft.prange(len(index)):
            out[index[i]] = i


def after_a_write_in_both_branches(flag, index, out, mark):
    if flag:
        mark[0] = 1.0
        for i in weft.prange(len(index)):
            out[index[i]] = i
    else:
        mark[1] = 2.0
        for i in weft.prange(len(index)):
            out[index[i]] = 2 * i


@pytest.mark.parametrize(
    "function",
    [after_a_write_in_the_first_branch, after_a_write_in_the_second_branch, after_a_write_in_both_branches],
)
def test_a_race_in_a_branch_is_found_before_the_branch_writes(function):
    refused(weft.jit(function), 1, np.array([1, 2, 1]), np.zeros(5), np.zeros(2))


def test_an_array_that_cannot_be_made_raises_before_a_race_that_comes_later():
    @weft.jit
    def f(n, index, out, mark):
        mark[0] = 1.0
        made = np.zeros(n)
        for i in weft.prange(len(index)):
            out[index[i]] = i
        return made

    out, mark = np.zeros(5), np.zeros(1)
    with pytest.raises(ValueError):
        f(-1, np.array([1, 2, 1]), out, mark)
    assert mark[0] == 1.0 and not out.any()


def test_inner_loops_begin_where_an_array_says():
    @weft.jit
    def rows(low, high, place, out):
        for i in weft.prange(len(low)):
            for j in range(low[i], high[i]):
                out[place[j]] = i

    place = np.array([5, 4, 3, 2, 1, 0])
    checked(rows, np.array([0, 2, 4]), np.array([2, 4, 6]), place, np.zeros(6))
    checked(rows, np.array([4, 0, 3]), np.array([6, 2, 3]), place, np.zeros(6))
    refused(rows, np.array([0, 1, 4]), np.array([2, 4, 6]), place, np.zeros(6))
