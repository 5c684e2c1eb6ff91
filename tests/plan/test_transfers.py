"""Data moves only when it must: the programs of the literature, the known gaps of planners, and states after faults."""

import numpy as np
import pytest

import weft
from tests.plan import thesis
from tests.plan.counting import count, counts_of, plan
from tests.plan.simulated import Simulated
from weft.ir.reference.interpreter import trace

ROUNDS = 5
BYTES = 8


def array(*shape):
    return np.random.default_rng(7).random(shape)


# ------------------------------------------------------------------------------------------------ golden counts


@pytest.mark.sample(0)
def test_a_series_of_matrix_products_moves_four_matrices_in_and_three_out():
    naive = count(thesis.series, 6, ROUNDS, naive=True)
    assert (naive.copies_in, naive.copies_out, naive.allocations) == (6 * ROUNDS, 3 * ROUNDS, 9 * ROUNDS)
    planned = count(thesis.series, 6, ROUNDS)
    assert (planned.copies_in, planned.copies_out) == (4 * ROUNDS, 3 * ROUNDS)
    assert planned.allocations == 7 + 4  # matrices of the next iteration arrive while products of this one are computed
    assert planned.waits <= 4 * ROUNDS


def test_bodies_move_before_and_after_the_steps_and_forces_never():
    planned = count(thesis.bodies, array(7, 2), array(7, 2), array(7), ROUNDS)
    assert (planned.copies_in, planned.bytes_in) == (3, (14 + 14 + 7) * BYTES)
    assert (planned.copies_out, planned.bytes_out) == (2, (14 + 14) * BYTES)
    assert (planned.allocations, planned.waits) == (4, 1)


def test_an_embossed_image_goes_in_and_its_picture_out():
    planned = count(thesis.emboss, 8, ROUNDS)
    assert (planned.copies_in, planned.copies_out, planned.allocations) == (ROUNDS, ROUNDS, 2 + 1)


@pytest.mark.parametrize("steps", [1, 2, 5, 40])
def test_arrays_that_change_places_are_copied_once_each_way(steps):
    planned = count(thesis.jacobi, array(8, 9), array(8, 9), steps)
    assert (planned.copies_in, planned.copies_out) == (5, 2)
    assert planned.bytes_in == (8 * 9 + 8 * 9 - 6 * 7) * BYTES  # what the first step reads, and the other one's border
    assert planned.bytes_out == 2 * 6 * 7 * BYTES
    assert (planned.allocations, planned.waits) == (2, 1)


def test_a_loop_that_does_not_run_moves_nothing():
    planned = count(thesis.jacobi, array(8, 9), array(8, 9), 0)
    assert (planned.copies_in, planned.copies_out, planned.allocations, planned.waits) == (0, 0, 0, 0)


# ------------------------------------------------------------------------------------------- gaps of other planners


def two_readers(x, y, z):
    for i in range(len(x)):
        y[i] = x[i] * 2.0
    for i in range(len(x)):
        z[i] = x[i] + y[i]


def test_g1_a_second_reader_copies_nothing():
    planned = count(two_readers, array(9), np.zeros(9), np.zeros(9))
    assert (planned.copies_in, planned.copies_out) == (1, 2)


def stored_then_added(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0.0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def stored_then_perhaps(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = a[i, j]
            if b[i, j] > 0.5:
                c[i, j] = b[i, j]


def perhaps_and_a_part(a, b, c):
    for i in range(c.shape[0]):
        for j in range(1, c.shape[1]):
            c[i, j] = a[i, j]
            if b[i, j] > 0.5:
                c[i, j - 1] = b[i, j]


@pytest.mark.parametrize(
    ("function", "sent"), [(stored_then_added, 2), (stored_then_perhaps, 2), (perhaps_and_a_part, 3)]
)
def test_what_is_stored_first_is_not_sent(function, sent):
    planned = count(function, array(6, 6), array(6, 6), array(6, 6))
    assert planned.copies_in == sent


def host_comes_first(a, b, c, n, steps):
    for i in range(n):
        b[i] = b[i] + a[i]
    for _ in range(steps):
        with weft.device("cpu"):
            for i in range(1, n):
                c[i] = c[i] + a[i]
        b, a = a, b
        for i in range(1, n):
            b[i] = b[i] + a[i]


def test_a_loop_of_the_host_at_the_head_of_an_iteration_sees_what_its_array_has_become():
    planned = count(host_comes_first, array(9), array(9), array(9), 9, 4)
    assert planned.launches == 5


def becomes_the_other(a, b, n, steps):
    for _ in range(steps):
        for i in range(n):
            if a[i] > 0.5:
                a[i] = a[i] + a[i]
        for i in range(1, n - 1):
            b[i] = 1.0 * i
        b, a = a, b
        for i in range(n, 2 * n):
            b[i] = a[i + 1] * 0.5
        with weft.device("cpu"):
            for i in range(4):
                b[i] = b[i] + a[i]


@pytest.mark.parametrize("n", [0, 1, 5, 9])
def test_what_an_array_lacks_when_it_becomes_another_one_is_sent(n):
    count(becomes_the_other, array(30), array(30), n, 3)


def sent_ahead(x, y, n, steps):
    for i in range(n):
        x[i] = x[i] + y[i]
    for _ in range(steps):
        for i in range(4):
            x[i] = x[i + 1] * 0.5
        for i in range(4):
            x[i] *= 0.5


@pytest.mark.parametrize("n", [2, 4, 7])
def test_the_host_waits_for_what_was_sent_before_a_loop_before_it_writes_there(n):
    count(sent_ahead, array(12), array(12), n, 3)  # `check_plan` says if not


def nothing(x):
    x[0] += 1.0


def with_a_step(x, y, steps):
    for _ in range(steps):
        for i in range(len(x)):
            x[i] = x[i] + y[i]
        weft.python(nothing, x, writes=(x,))


def test_a_step_in_python_moves_what_it_declares_and_nothing_else():
    planned = count(with_a_step, array(9), array(9), ROUNDS)
    assert (planned.copies_in, planned.copies_out) == (1 + ROUNDS, ROUNDS)
    assert planned.waits == ROUNDS


def with_a_look(x, steps):
    for _ in range(steps):
        for i in range(len(x)):
            x[i] = x[i] + 1.0
        weft.python(len, x, reads=(x,), returns=int)


def test_what_a_step_only_reads_is_not_sent_again():
    planned = count(with_a_look, array(9), ROUNDS)
    assert (planned.copies_in, planned.copies_out) == (1, ROUNDS)


def host_changes_it(x, y, steps):
    for t in range(steps):
        for i in range(len(x)):
            y[i] = x[i] + t
        for i in range(1, len(x)):
            x[i] = x[i] / (1.0 + x[i - 1] * x[i - 1])


def test_g2_the_first_iteration_has_what_was_there_before_the_loop():
    planned = count(host_changes_it, array(9), np.zeros(9), ROUNDS)
    assert (planned.copies_in, planned.copies_out) == (ROUNDS, 1)


def two_producers(x, y, half):
    for i in range(1, len(x)):
        x[i] = x[i] / (1.0 + x[i - 1] * x[i - 1])
    for i in range(half):
        x[i] = 1.0 * i
    for i in range(len(x)):
        y[i] = x[i] * 2.0


def test_g3_only_the_hosts_part_of_an_array_is_copied():
    planned = count(two_producers, array(9), np.zeros(9), 4)
    assert planned.bytes_in == 5 * BYTES
    assert planned.bytes_out == (4 + 9) * BYTES


def inner_elements(x):
    for i in range(1, len(x) - 1):
        x[i] = 2.0 * i


def some_elements(x, y):
    for i in range(len(x)):
        if y[i] > 0.5:
            x[i] = y[i]


def test_g4_a_copy_home_brings_what_the_kernel_wrote_and_no_garbage():
    planned = count(inner_elements, array(9))
    assert (planned.bytes_in, planned.bytes_out) == (0, 7 * BYTES)
    planned = count(some_elements, array(9), array(9))  # which ones is not known: all of them go in before
    assert (planned.bytes_in, planned.bytes_out) == (2 * 9 * BYTES, 9 * BYTES)


def test_g5_the_host_waits_before_it_overwrites_what_is_being_copied():
    x, y = array(9), np.zeros(9)
    placed = plan(host_changes_it, (x, y, ROUNDS))
    steps = [(s.kind, s.target) for s in trace(placed, (x, y, ROUNDS)).steps if s.kind in ("copy", "wait")]
    sent = [k for k, step in enumerate(steps) if step == ("copy", "cuda")]
    assert all(("wait", "") in steps[a:b] for a, b in zip(sent, sent[1:]))


def doubled(x):
    for i in range(len(x)):
        x[i] = x[i] * 2.0


def helper_in_two_places(x, y):
    doubled(x)
    for i in range(1, len(x)):
        x[i] = x[i] / (1.0 + x[i - 1] * x[i - 1])
    doubled(y)
    doubled(y)


def test_g6_a_helper_is_planned_where_it_is_called():
    planned = count(helper_in_two_places, array(9), array(9))
    assert (planned.copies_in, planned.copies_out, planned.launches) == (2, 2, 3)


def one_of_two_ways(x, y, flag):
    doubled(x)
    if flag:
        for i in range(1, len(x)):
            x[i] = x[i] / (1.0 + x[i - 1] * x[i - 1])
    for i in range(len(x)):
        y[i] = x[i] + 1.0


@pytest.mark.parametrize("flag", [True, False])
def test_g7_a_way_that_was_never_taken_is_right_too(flag):
    planned = count(one_of_two_ways, array(9), np.zeros(9), flag)
    assert planned.copies_in == (2 if flag else 1)


def test_g8_arguments_come_from_outside_and_go_there():
    planned = count(doubled, array(9))
    assert (planned.copies_in, planned.copies_out) == (1, 1)


def one_at_a_time(x, rounds):
    result = 0.0
    for t in range(rounds):
        y = np.empty(len(x))
        for i in range(len(x)):
            y[i] = x[i] + t
        for i in range(1, len(x)):
            result = (result + y[i]) * y[i - 1]
    return result


def test_g9_what_an_iteration_makes_is_given_back_in_it():
    x = array(9)
    traced = trace(plan(one_at_a_time, (x, ROUNDS)), (x, ROUNDS))
    held = most = 0
    for step in traced.steps:
        held += step.size * ((step.kind == "allocation") - (step.kind == "release"))
        most = max(most, held)
    assert most == 2 * 9 * BYTES
    assert not traced.held


def in_a_row(x, y):
    doubled(x)
    doubled(y)
    doubled(x)
    doubled(y)


def test_g10_the_host_waits_once_for_kernels_in_a_row():
    planned = count(in_a_row, array(9), array(9))
    assert (planned.launches, planned.waits) == (4, 1)


# ---------------------------------------------------------------------------------------- exceptions and odd shapes


def raises_between(x, y):
    for i in range(len(x)):
        x[i] = x[i] + 1.0
    y[int(y[0])] = 3.0
    for i in range(len(x)):
        x[i] = x[i] * 2.0


def test_an_exception_of_the_host_finds_the_kernels_results():
    x, y = np.arange(9.0), np.full(3, 3.0)
    traced = trace(plan(raises_between, (x, y)), (x, y))
    assert isinstance(traced.error, IndexError)
    np.testing.assert_array_equal(x, np.arange(9.0) + 1.0)


def indirect(x, y, steps):
    for t in range(steps):
        for i in range(len(x)):
            x[i] = x[i] + 1.0
        for i in range(len(x)):
            y[i] = y[i] + x[int(y[i])]


def test_a_kernel_that_fails_in_the_middle_is_started_again_from_what_it_found():
    start = np.array([0.0, 1.0, 3.0, 2.0])
    x, y = np.arange(4.0), start.copy()
    expected_x, expected_y = np.arange(4.0), start.copy()
    with pytest.raises(IndexError):
        indirect(expected_x, expected_y, 9)
    traced = trace(plan(indirect, (x, y, 9)), (x, y, 9))
    assert isinstance(traced.error, IndexError)
    np.testing.assert_array_equal(x, expected_x)
    np.testing.assert_array_equal(y, expected_y)


def test_a_kernel_that_may_fail_moves_nothing_per_step():
    x, y = np.zeros(4), np.zeros(4)
    few, many = (counts_of(trace(plan(indirect, (x, y, 1)), (x * 0 - n, y * 0, n)).steps) for n in (1, 3))
    assert (many.copies_in, many.copies_out) == (few.copies_in, few.copies_out)


def while_steps(u, v, limit):
    t = 0
    while t < limit:
        for i in range(len(u)):
            v[i] = u[i] * 0.5 + v[i]
        u, v = v, u
        t += 1
    return u


@pytest.mark.parametrize("limit", [0, 1, 4])
def test_a_while_loop_swaps_on_the_device(limit):
    planned = count(while_steps, array(9), array(9), limit)
    assert planned.copies_in <= 2
    assert planned.copies_out <= 2


def triangle(a, n):
    for k in range(n):
        for i in range(k + 1, n):
            a[i, 0] = a[i, 0] - a[k, 0]


def rows_in_turn(a, b, n):
    for t in range(n):
        for j in range(a.shape[1]):
            a[t, j] = b[j] + t


@pytest.mark.parametrize("function", [triangle])
def test_elements_that_depend_on_the_loop_around_are_copied_before_it(function):
    planned = count(function, array(6, 6), 6)
    assert (planned.copies_in, planned.copies_out) == (1, 1)


def test_rows_written_one_after_the_other_come_home_together():
    planned = count(rows_in_turn, array(6, 5), array(5), 6)
    assert planned.copies_out == 1


def own_buffer(u, steps):
    v = np.empty_like(u)
    for t in range(steps):
        for i in range(len(u)):
            v[i] = u[i] * 0.5 + 1.0
        u, v = v, u
    return u


@pytest.mark.parametrize("steps", [0, 1, 2, 5])
def test_an_array_of_the_function_changes_places_with_an_argument(steps):
    planned = count(own_buffer, array(9), steps)
    assert planned.copies_in <= 1
    assert planned.copies_out <= 2


def chosen_after_a_kernel(a, b, flag):
    for i in range(len(a)):
        a[i] = a[i] * 2.0
    if flag:
        a, b = b, a
    for i in range(len(a)):
        a[i] = b[i] + 1.0
    return a


@pytest.mark.parametrize("flag", [True, False])
def test_arrays_that_change_places_under_a_condition_stay_on_the_device(flag):
    planned = count(chosen_after_a_kernel, array(9), array(9), flag)
    assert planned.copies_in <= 2
    assert planned.copies_out == 2


def steps_under_a_condition(u, v, flag):
    for i in range(len(u)):
        u[i] = u[i] * 2.0
    if flag:
        for t in range(3):
            for i in range(len(u)):
                v[i] = u[i] * 0.5 + v[i]
            u, v = v, u
    for i in range(len(u)):
        u[i] = u[i] + v[i]
    return u


@pytest.mark.parametrize("flag", [True, False])
def test_time_steps_under_a_condition(flag):
    planned = count(steps_under_a_condition, array(9), array(9), flag)
    assert (planned.copies_in, planned.copies_out) == (2, 2)


def halved_and_noted(a, b, n):
    for t in range(n):
        done = False
        if a[0] > 3.0:
            for i in range(len(a)):
                a[i] = a[i] * 0.5
            done = True
        if done:
            b[t] = a[1]
        a[0] += 1.0


def chosen_by_two_ways(a, b, n):
    for t in range(n):
        if a[0] > 3.0:
            done = b[t] > 0.0
            for i in range(len(a)):
                a[i] = a[i] * 0.5
        elif a[1] > 3.0:
            for i in range(len(a)):
                a[i] = a[i] - b[i]
            done = True
        else:
            done = False
        if done:
            for i in range(len(a)):
                b[i] += a[i]
        a[0] += 1.0


@pytest.mark.parametrize("function", [halved_and_noted, chosen_by_two_ways])
def test_what_a_branch_notes_beside_a_kernel_is_no_fault_of_it(function):
    given = np.arange(4.0, 12.0), np.ones(8)
    expected, found = [x.copy() for x in given], [x.copy() for x in given]
    function(*expected, 6)
    Simulated(function)(*found, 6)
    np.testing.assert_array_equal(found, expected)
