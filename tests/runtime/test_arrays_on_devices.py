"""Coherent arrays on devices of their own memory: what is current where, and that nothing that was written is lost."""

import gc
import threading

import numpy as np
import pytest

import weft
from weft.errors import DeviceError
from weft.runtime import _stub
from weft.runtime.devices import accelerators

pytestmark = pytest.mark.opencl


def doubled(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]
    return y


def total(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
    return s


def swapped_steps(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        u, v = v, u
    return u


on_device = weft.jit(doubled, device="opencl")
on_host = weft.jit(doubled)


@pytest.fixture
def pair():
    return weft.array(np.arange(6.0)), weft.zeros(6)


def test_arrays_stay_where_they_were_written(pair):
    x, y = pair
    assert on_device(x, y) is y
    assert x.where == ("host", "opencl") and y.where == ("opencl",)
    on_device(y, x)
    assert x.where == y.where[:1] or x.where == ("opencl",)
    np.testing.assert_array_equal(x, 4 * np.arange(6.0))
    assert x.where == ("host", "opencl")


def test_what_the_host_writes_arrives_on_the_device(pair):
    x, y = pair
    on_device(x, y)
    x[0] = 7
    assert x.where == ("host",)
    on_device(x, y)
    on_host(y, x)
    assert y.where == ("host", "opencl") and x.where == ("host",)
    np.testing.assert_array_equal(x, [28, 4, 8, 12, 16, 20])


def test_a_written_part_leaves_the_rest(pair):
    x, y = pair
    y[...] = 9
    on_device(x[:2], y[2:4])
    np.testing.assert_array_equal(y, [9, 9, 0, 2, 9, 9])
    on_device(y[::-2], x[:3])
    np.testing.assert_array_equal(x, [18, 4, 18, 3, 4, 5])


def test_zeros_and_unspecified_elements_are_not_copied(pair):
    x, y = weft.zeros(6), weft.empty(6)
    on_device(x, y)
    assert x.where == ("opencl",) and y.where == ("opencl",)
    np.testing.assert_array_equal(y, np.zeros(6))


def test_a_sum_over_an_array_on_the_device(pair):
    x, y = pair
    on_device(x, y)
    assert weft.jit(total, device="opencl")(y) == 30.0


def test_swaps_inside_of_a_function():
    u = np.random.default_rng(1).random(50)
    given = weft.array(u), weft.array(u)
    plain = swapped_steps(u.copy(), u.copy(), 7)
    made = weft.jit(swapped_steps, device="opencl")(*given, 7)
    assert made is given[1]
    np.testing.assert_array_equal(made, plain)


def test_plain_and_coherent_arrays_in_one_call(pair):
    x, _ = pair
    y = np.zeros(6)
    on_device(x, y)
    np.testing.assert_array_equal(y, 2 * np.arange(6.0))
    on_device(y, x)
    np.testing.assert_array_equal(x, 4 * np.arange(6.0))


def test_captured_arrays_move_too():
    table = weft.array([1.0, 2.0, 3.0])

    @weft.jit(device="opencl")
    def add(x):
        for i in range(x.shape[0]):
            x[i] += table[i]

    x = weft.zeros(3)
    add(x)
    assert "opencl" in table.where
    table[0] = 5
    add(x)
    np.testing.assert_array_equal(x, [6, 4, 6])


def test_a_device_block_moves_arrays(pair):
    x, y = pair
    with weft.device("opencl"):
        on_host(x, y)
    assert y.where == ("opencl",)
    on_host(y, x)
    np.testing.assert_array_equal(x, 4 * np.arange(6.0))


def test_overlapping_parts_of_one_array_are_seen_as_such():
    x = weft.array(np.arange(8.0))
    plain = np.arange(8.0)
    on_device(x[:-1], x[1:])
    doubled(plain[:-1], plain[1:])
    np.testing.assert_array_equal(x, plain)
    on_device(x, x)
    np.testing.assert_array_equal(x, 2 * plain)


def test_a_part_of_an_array_on_the_device_is_returned_as_a_slice(pair):
    x, _ = pair
    with weft.device("opencl"):
        part = weft.jit(lambda x: x[1:3])(x)
    assert isinstance(part, weft.Array) and part.shape == (2,)
    part[...] = -1
    np.testing.assert_array_equal(x, [0, -1, -1, 3, 4, 5])


def running(x):
    for i in range(1, x.shape[0]):
        x[i] = x[i] * x[i - 1] + x[i]
    return x[0] + x[x.shape[0] - 1]


def test_loops_that_the_host_runs_take_their_arrays_from_it(pair):
    x, y = pair
    on_device(x, y)
    run = weft.jit(running, device="opencl")
    plain = 2 * np.arange(6.0)
    assert run(y) == running(plain)
    assert y.where == ("opencl",)  # the host had what it needed, and its results went back
    np.testing.assert_array_equal(y, plain)
    on_device(y, x)
    assert x.where == ("opencl",)
    assert run(x) == running(2 * plain)


def test_what_is_taken_from_the_host_is_known_to_other_processes(own_store):
    """The second round stands for another process: it finds in the store what the first one compiled."""
    from weft.runtime.dispatch import callee

    for _ in range(2):
        callee._specialisations.clear()
        x = weft.array(np.arange(1.0, 5.0))
        with weft.profile() as p:
            weft.jit(running, device="opencl")(x)
        assert x[1] == 4
    assert not p.of("compile")


def test_explain_knows_such_functions(pair):
    assert weft.explain(weft.jit(running, device="opencl"), pair[0]).placement


# -------------------------------------------------------------------------------------------------------- loans


def test_a_view_that_lives_shows_what_the_device_writes(pair):
    x, y = pair
    seen = np.asarray(y)
    on_device(x, y)
    np.testing.assert_array_equal(seen, 2 * np.arange(6.0))
    del seen
    on_device(y, x)
    on_device(x, y)
    assert y.where == ("opencl",)


def test_a_write_through_an_old_view_between_two_calls_arrives(pair):
    x, y = pair
    with x.host() as h:
        old = h[2:4]
    on_device(x, y)
    old[0] = 100
    on_device(x, y)
    np.testing.assert_array_equal(y, [0, 2, 200, 6, 8, 10])
    on_device(y, x)
    np.testing.assert_array_equal(old, [400, 12])
    del old, h
    on_device(y, x)
    assert x.where == ("opencl",)


def test_calls_inside_of_the_block_see_what_was_written(pair):
    x, y = pair
    with x.host() as h:
        h[0] = 5
        on_device(x, y)
        h[0] = 6
        on_device(x, y)
    assert y[0] == 12


def test_the_end_of_a_block_makes_the_host_current(pair):
    x, y = pair
    on_device(x, y)
    with y.host() as h:
        h[1] = 50
    assert y.where == ("host",)
    on_device(y, x)
    np.testing.assert_array_equal(x, [0, 100, 8, 12, 16, 20])


def test_two_memories_are_not_lent_at_once(pair):
    x, y = pair
    on_device(x, y)
    place = accelerators.table("opencl")
    with y.host() as h, pytest.raises(DeviceError, match="lent elsewhere"):
        h[0] = 1
        _stub.Loan(y._storage, place, True)
    del h
    lent = _stub.Loan(y._storage, place, True)
    with pytest.raises(DeviceError, match="lent elsewhere"), y.host():
        pass
    del lent
    with y.host() as h:
        h[0] = 3
    assert y[0] == 3


def test_a_copy_of_what_the_device_lent_is_not_trusted(pair):
    x, y = pair
    place = accelerators.table("opencl")
    lent = _stub.Loan(x._storage, place, True)
    np.testing.assert_array_equal(x, np.arange(6.0))
    assert x.where == ("host", "opencl")
    on_host(x, y)
    on_host(y, x)
    assert x.where == ("host", "opencl")
    on_device(x, y)
    np.testing.assert_array_equal(y, 8 * np.arange(6.0))
    del lent


# ------------------------------------------------------------------------------------------- memory and threads


def test_memory_is_given_back_when_an_array_dies(pair):
    place = accelerators.table("opencl")
    on_device(*pair)
    gc.collect()
    before, _ = _stub.device_memory(place)
    big = weft.zeros(100_000), weft.empty(100_000)
    on_device(*big)
    assert _stub.device_memory(place)[0] >= before + 1_600_000
    del big
    used, kept = _stub.device_memory(place)
    assert used == before and kept >= 1_600_000
    assert _stub.device_trim(place) == 0
    assert _stub.device_memory(place) == (before, 0)


def test_threads_use_arrays_at_once():
    arrays = [(weft.array(np.full(1000, float(k))), weft.zeros(1000)) for k in range(6)]

    def work(x, y):
        for _ in range(20):
            on_device(x, y)
            np.testing.assert_array_equal(y, 2 * np.asarray(x))

    threads = [threading.Thread(target=work, args=pair) for pair in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, (_, y) in enumerate(arrays):
        assert y[0] == 2 * k


def test_waiting_for_everything(pair):
    on_device(*pair)
    weft.synchronize()


# ------------------------------------------------------------------------------------------------------- failing


def roots(x, y):
    for i in range(x.shape[0]):
        if x[i] < 0:
            raise ValueError("root of a negative number")
        y[i] = x[i] ** 0.5


def test_a_fault_on_the_device_leaves_what_cpython_leaves(pair):
    x, y = weft.array([4.0, 9.0, -1.0, 16.0]), weft.array(np.full(4, 7.0))
    run = weft.jit(roots, device="opencl")
    on_device(x, y)
    on_device(x, x)
    y[...] = 7
    on_device(x[:0], y)
    with pytest.raises(ValueError, match="root of a negative number"):
        run(x, y)
    plain = np.full(4, 7.0)
    with pytest.raises(ValueError, match="root"):
        roots(np.array([8.0, 18.0, -2.0, 32.0]), plain)
    np.testing.assert_array_equal(y, plain)
    x[2] = 0
    run(x, y)
    assert y.where == ("opencl",)
    np.testing.assert_allclose(y, np.sqrt([8.0, 18.0, 0.0, 32.0]), rtol=1e-15)


def counted_by_key(key, total, weight):
    for i in range(key.shape[0]):
        total[key[i]] += weight[i]


def test_coherent_arrays_and_those_of_numpy_take_turns(pair):
    run = weft.jit(counted_by_key, device="opencl")
    key, weight = np.array([0, 1, 2, 3, 1]), np.ones(5)
    expected = [1.0, 2.0, 1.0, 1.0]
    for _ in range(2):
        there, plain = weft.zeros(4), np.zeros(4)
        run(weft.array(key), there, weft.array(weight))
        run(key, plain, weight)
        np.testing.assert_array_equal(there, expected)
        np.testing.assert_array_equal(plain, expected)
        run(weft.array(key), there, weft.array(weight))
        np.testing.assert_array_equal(there, np.multiply(2, expected))


def shifted_into(w, v):
    for i in range(1, w.shape[0]):
        w[i] = v[i - 1] + 1.0


def test_an_array_of_numpy_that_shows_a_coherent_one_is_known_to_overlap_it(pair):
    run = weft.jit(shifted_into, device="opencl")
    shown, lent = weft.array(np.zeros(8)), weft.array(np.zeros(8))
    on_device(shown, shown)
    run(shown, np.asarray(shown))
    with lent.host() as view:
        run(lent, view)
    np.testing.assert_array_equal(shown, np.arange(8.0))
    np.testing.assert_array_equal(lent, np.arange(8.0))


def chosen_by_key(x, u, key):
    a = u
    if key[0] > 1:
        a = x
    for i in range(u.shape[0]):
        a[i] = a[i] * 0.5 + 1.0
    x[key[0]] += 1.0
    for i in range(u.shape[0]):
        x[i] = u[i] + x[i]
    u[key[1]] = 3.0
    for i in range(u.shape[0]):
        u[i] = u[i] + 1.0


@pytest.mark.sample(1)
@pytest.mark.parametrize("first", ["nwn", "wnn", "wwn", "nww"])
def test_calls_with_arrays_of_either_kind_come_in_any_order(pair, first):
    make, run = {"n": np.array, "w": weft.array}, weft.jit(chosen_by_key, device="opencl")

    def answer(function, kinds):
        x = make[kinds[0]](np.arange(8.0))
        u = x if kinds[1] == "s" else make[kinds[1]](np.arange(8.0) + 3)
        function(x, u, make[kinds[2]](np.array([0, 0, 2])))
        return np.array(x), np.array(u)

    for kinds in (first, "wsw", "wsn", "nsn", "nsw", first):
        expected = answer(chosen_by_key, kinds.replace("w", "n"))
        for got, wanted in zip(answer(run, kinds), expected, strict=True):
            np.testing.assert_array_equal(got, wanted)


def one_of_two_rows(x, u, v, steps, key):
    w = u
    if steps > 2:
        w = v
    for i in range(u.shape[0]):
        w[i] = w[i] + x[i]
    x[key[0]] += 1.0
    u[key[0]] += 1.0
    for i in range(u.shape[0]):
        x[i] = u[i] + v[i]
    for i in range(u.shape[0]):
        u[i] = u[i] + v[i]


def test_what_one_program_of_a_call_took_home_is_not_sent_back_over_another_ones_results(pair):
    run, key = weft.jit(one_of_two_rows, device="opencl"), np.array([0, 2, 1, 3, 4, 5])
    for a, b, c in [(0, 1, 2), (0, 1, 1), (0, 1, 1)]:
        plain = np.arange(24.0).reshape(3, 8)
        rows = weft.array(plain)
        on_device(rows[0], rows[1])
        plain = np.array(rows)
        on_device(rows[0], rows[0])
        plain[0] = rows[0]
        one_of_two_rows(plain[a], plain[b], plain[c], 5, key)
        run(rows[a], rows[b], rows[c], 5, weft.array(key))
        np.testing.assert_array_equal(rows, plain)
