"""Coherent arrays that a call does not need make room for those that it does: on OpenCL's CPU device."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

import weft
from weft.runtime import _stub
from weft.runtime.devices import accelerators

pytestmark = pytest.mark.opencl

REASON = "evicted to make room"
COUNT = 10_000
BYTES = 8 * COUNT


def doubled(x, y):
    for i in range(x.shape[0]):
        y[i] = 2.0 * x[i]


def increased(x):
    for i in range(x.shape[0]):
        x[i] += 1.0


def total(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
    return s


def halved(x, y):
    for i in range(x.shape[0]):
        if x[i] < 0.0:
            raise ValueError("negative")
        y[i] = x[i] * 0.5


def calling(callback, x, y):
    for i in range(x.shape[0]):
        x[i] = x[i] + 1.0
    weft.python(callback)
    for i in range(x.shape[0]):
        y[i] = x[i] + y[i]


run, add_one, summed = (weft.jit(f, device="opencl") for f in (doubled, increased, total))


def numbers(seed):
    return np.random.default_rng(seed).random(COUNT)


def evicted(profile, kind):
    return [event for event in profile.of(kind) if event.reason == REASON]


@pytest.fixture(autouse=True)
def room():
    """What is in use before a test; limits are counted from there on."""
    if not any(d.name == "opencl" for d in weft.devices()):
        pytest.skip("no OpenCL device")
    gc.collect()
    return _stub.device_memory(accelerators.table("opencl"))[0]


def within(room, arrays):
    """A limit that so many arrays fit into."""
    return weft.device("opencl", memory_limit=room + arrays * (BYTES + BYTES // 8))


def test_an_array_that_only_the_device_has_goes_home_and_comes_back(room):
    x, y = weft.array(numbers(1)), weft.array(numbers(2))
    add_one(x)
    with within(room, 1), weft.profile() as p:
        add_one(y)
    assert x.where == ("host",) and y.where == ("opencl",)
    assert [e.bytes for e in evicted(p, "copy_out")] == [BYTES]
    assert [(e.bytes, e.array) for e in evicted(p, "free")] == [(BYTES, "x")]
    with within(room, 1):
        add_one(x)
    assert np.array_equal(x, numbers(1) + 1.0 + 1.0) and np.array_equal(y, numbers(2) + 1.0)


def test_what_the_host_has_too_is_freed_and_not_copied(room):
    x, y = weft.array(numbers(1)), weft.array(numbers(2))
    summed(x)
    with within(room, 1), weft.profile() as p:
        add_one(y)
    assert not evicted(p, "copy_out") and len(evicted(p, "free")) == 1
    assert x.where == ("host",)


def test_zeros_that_nobody_has_written_are_zeros_afterwards(room):
    x, y = weft.zeros(COUNT), weft.array(numbers(2))
    summed(x)
    with within(room, 1), weft.profile() as p:
        add_one(y)
    assert not evicted(p, "copy_out") and x.where == ()
    assert summed(x) == 0.0 and not np.asarray(x).any()


def test_the_least_recently_used_goes_first(room):
    a, b, c, d = (weft.array(numbers(k)) for k in range(4))
    for each in (a, b, c, a):
        add_one(each)
    with within(room, 3):
        add_one(d)
    assert [each.where for each in (a, b, c, d)] == [("opencl",), ("host",), ("opencl",), ("opencl",)]


def test_only_as_many_go_as_must(room):
    arrays = [weft.array(numbers(k)) for k in range(4)]
    for each in arrays:
        add_one(each)
    with within(room, 4):
        run(arrays[0], weft.array(numbers(5)))
    assert [each.where for each in arrays[1:]] == [("host",), ("opencl",), ("opencl",)]


def test_arguments_of_the_call_stay(room):
    x, y, z = (weft.array(numbers(k)) for k in range(3))
    for each in (x, z):
        add_one(each)
    with within(room, 2):
        run(x, y)
    assert x.where == y.where == ("opencl",) and z.where == ("host",)
    assert np.array_equal(y, 2.0 * (numbers(0) + 1.0)) and np.array_equal(z, numbers(2) + 1.0)


def test_numpy_arguments_push_coherent_arrays_out(room):
    x, y, z = weft.array(numbers(1)), numbers(2), np.zeros(COUNT)
    add_one(x)
    with within(room, 2), weft.profile() as p:
        run(y, z)
    assert len(p.of("launch")) == 1
    assert x.where == ("host",) and np.array_equal(z, 2.0 * y)


def test_what_runs_in_slabs_has_the_room_that_others_can_make(room):
    held = [weft.array(numbers(k)) for k in range(3)]
    for each in held:
        add_one(each)
    x, y = np.concatenate([numbers(k) for k in range(6)]), np.zeros(6 * COUNT)
    with within(room, 3), weft.profile() as p:
        run(x, y)
    assert np.array_equal(y, 2.0 * x)
    assert len(p.of("launch")) <= 24
    assert all(np.array_equal(each, numbers(k) + 1.0) for k, each in enumerate(held))


def test_a_view_on_the_host_shows_the_elements_still(room):
    x, y = weft.array(numbers(1)), weft.array(numbers(2))
    shown = np.asarray(x)
    add_one(x)
    with within(room, 1):
        add_one(y)
    assert np.array_equal(shown, numbers(1) + 1.0)


def test_what_is_lent_on_the_device_stays(room):
    x, y = weft.array(numbers(1)), weft.array(numbers(2))
    lent = _stub.Loan(x._storage, accelerators.table("opencl"), True)
    with within(room, 1), pytest.raises(weft.OutOfMemoryError):
        summed(y[:COUNT])
    assert x._storage.address(accelerators.table("opencl")) == lent.address
    del lent
    with within(room, 1):
        assert summed(y) == pytest.approx(numbers(2).sum())
    assert x.where == ("host",) and np.array_equal(x, numbers(1))


def test_what_is_lent_on_the_host_is_freed(room):
    x, y = weft.array(numbers(1)), weft.array(numbers(2))
    with x.host() as h:
        summed(x)
        h[0] = 7.0
        with within(room, 1):
            add_one(y)
        h[1] = 8.0
    assert np.array_equal(np.asarray(x)[:2], [7.0, 8.0])


def test_nothing_is_evicted_for_what_cannot_fit(room):
    x, big, k = weft.array(numbers(1)), weft.array(np.ones(100 * COUNT)), weft.array(np.arange(100 * COUNT))

    def gathered(a, k, b):
        for i in range(b.shape[0]):
            b[i] = a[k[i]]

    add_one(x)
    with within(room, 2), pytest.raises(weft.OutOfMemoryError):
        weft.jit(gathered)(big, k, weft.zeros(100 * COUNT))
    assert x.where == ("opencl",)


def test_nothing_is_evicted_where_there_is_room(room):
    x, y = weft.array(numbers(1)), weft.array(numbers(2))
    with within(room, 2), weft.profile() as p:
        add_one(x)
        add_one(y)
    assert x.where == y.where == ("opencl",)
    assert not any(e.reason == REASON for e in p.events)


def test_an_array_kept_for_a_fault_makes_room_too(room):
    x, y, z = weft.array(numbers(1)), weft.array(numbers(2)), weft.array(numbers(3))
    checked = weft.jit(halved, device="opencl")
    checked(weft.array([4.0]), weft.zeros(1))
    for each in (x, y, z):
        add_one(each)
    with within(room, 3):
        checked(x, y)
    assert z.where == ("host",)
    assert np.array_equal(y, (numbers(1) + 1.0) * 0.5)


def test_a_part_that_a_call_returns_is_on_the_device(room):
    x, y = weft.array(numbers(1)), weft.array(numbers(2))
    add_one(y)
    with within(room, 1):
        part = weft.jit(lambda x: x[1:3])(x)
    assert np.array_equal(part, numbers(1)[1:3])


def test_many_arrays_take_turns(room):
    arrays = [weft.array(numbers(k)) for k in range(8)]
    with within(room, 3):
        for step in range(3):
            for each in arrays:
                add_one(each)
    assert sum(each.where == ("opencl",) for each in arrays) <= 3
    for k, each in enumerate(arrays):
        assert np.array_equal(each, numbers(k) + 1.0 + 1.0 + 1.0)


def threads_do(*works):
    failed = []

    def guarded(work):
        try:
            work()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)
    assert not failed, failed


@pytest.mark.parametrize("coherent", [False, True])
def test_threads_with_limits_take_turns(room, coherent):
    results = {}

    def work(seed):
        def call():
            mine = [numbers(seed + k) for k in range(3)]
            arrays = [weft.array(m) for m in mine] if coherent else [m.copy() for m in mine]
            with within(room, 2):
                for _ in range(10):
                    for k in range(3):
                        run(arrays[k], arrays[(k + 1) % 3])
                        mine[(k + 1) % 3] = 2.0 * mine[k]
            results[seed] = all(np.array_equal(a, m) for a, m in zip(arrays, mine, strict=True))

        return call

    threads_do(work(10), work(20), work(30))
    assert results == {10: True, 20: True, 30: True}


def test_threads_that_look_at_arrays_while_others_push_them_out(room):
    shared = [weft.array(numbers(k)) for k in range(4)]
    for each in shared:
        add_one(each)

    def push():
        with within(room, 2):
            for k in range(60):
                summed(shared[k % 4])

    def look():
        for k in range(60):
            assert np.array_equal(np.asarray(shared[k % 4]), numbers(k % 4) + 1.0)

    def make():
        for k in range(60):
            made = weft.array(numbers(k))
            with within(room, 3):
                add_one(made)
            assert made[0] == numbers(k)[0] + 1.0

    threads_do(push, look, make)


def test_a_step_in_python_lets_others_have_their_turn(room):
    x, y, other = numbers(1), np.zeros(COUNT), weft.array(numbers(2))

    def elsewhere():
        def work():
            with within(room, 6):
                add_one(other)

        threads_do(work)

    stepping = weft.jit(calling, device="opencl")
    with within(room, 5):
        stepping(elsewhere, x, y)
    assert np.array_equal(other, numbers(2) + 1.0)
    assert np.array_equal(y, numbers(1) + 1.0)


# ------------------------------------------------------------------------------ arrays that a program holds by itself


AS_WRITTEN = ("fusion", "inline_producers")
"""Passes that would leave fewer kernels than there are loops."""


def staged(x, y):
    n = x.shape[0]
    t, s, r = np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        t[i] = 2.0 * x[i]
    for i in range(1, n - 1):
        s[i] = t[i - 1] + t[i + 1]
    for i in range(1, n - 1):
        r[i] = s[i] * t[i]
    for i in range(1, n - 1):
        y[i] = s[i] + r[i]
    for i in range(n):
        x[i] = t[i] - 1.0


def in_a_loop(x, y, steps):
    n = x.shape[0]
    t, s = np.zeros(n), np.ones(n)
    for k in range(steps):
        for i in range(n):
            t[i] = x[i] + 1.0 * k
        for i in range(n):
            s[i] = s[i] * 0.5 + t[i]
        for i in range(n):
            y[i] = y[i] + s[i]


def overlapping(x, y):
    n = x.shape[0]
    t = np.empty(n)
    for i in range(n):
        t[i] = x[i] + 1.0
    head, tail = y[: n // 2 + 1], y[n // 2 :]
    for i in range(n // 2 + 1):
        head[i] = t[i]
    for i in range(n - n // 2):
        tail[i] = t[i] + x[i]
    for i in range(n):
        y[i] = y[i] + t[i]


@pytest.mark.sample(1)
@pytest.mark.parametrize("arrays", [3, 4, 5, 6])
def test_a_program_whose_kernels_fit_one_by_one_runs_at_once(room, arrays):
    x, y = numbers(1), numbers(2)
    expected = x.copy(), y.copy()
    staged(*expected)
    with within(room, arrays), weft.profile() as p:
        weft.jit(staged, device="opencl", disable=AS_WRITTEN)(x, y)
    assert np.array_equal(x, expected[0]) and np.array_equal(y, expected[1])
    assert len(p.of("launch")) == 5
    assert bool(evicted(p, "copy_out")) == bool(evicted(p, "free")) == (arrays < 5)
    again = [e for e in p.of("copy_in") if "needed again" in e.reason]
    assert bool(again) == (arrays < 5)


def long_way(x, y):
    n = x.shape[0]
    a, b, c, d = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        a[i] = x[i] + 1.0
    for i in range(1, n):
        b[i] = a[i] + a[i - 1]
    for i in range(1, n):
        c[i] = b[i] * 3.0
    for i in range(2, n):
        d[i] = c[i] - c[i - 1]
    for i in range(2, n):
        y[i] = a[i] + d[i]


def test_arguments_that_are_coherent_stay_while_a_program_makes_room(room):
    x, y, expected = weft.array(numbers(1)), weft.array(numbers(2)), numbers(2)
    long_way(numbers(1), expected)
    with within(room, 4), weft.profile() as p:
        weft.jit(long_way, device="opencl", disable=AS_WRITTEN)(x, y)
    assert np.array_equal(x, numbers(1)) and np.array_equal(y, expected)
    assert x.where == ("host", "opencl") and y.where[-1] == "opencl" and evicted(p, "free")


def test_views_that_overlap_come_back_with_what_was_written_through_others(room):
    x, y = numbers(1), numbers(2)
    expected = y.copy()
    overlapping(x, expected)
    compiled = weft.jit(overlapping, device="opencl", disable=AS_WRITTEN)
    for arrays in (3, 4):
        got = y.copy()
        with within(room, arrays):
            compiled(x, got)
        assert np.array_equal(got, expected)


def test_a_loop_in_which_arrays_take_turns(room):
    x, y = numbers(1), numbers(2)
    expected = y.copy()
    in_a_loop(x, expected, 6)
    compiled = weft.jit(in_a_loop, device="opencl", disable=AS_WRITTEN)
    for arrays in (2, 3, 4):
        got = y.copy()
        with within(room, arrays):
            compiled(x, got, 6)
        assert np.array_equal(got, expected)


def test_what_was_evicted_is_given_back_when_the_program_ends(room):
    x, y = numbers(1), numbers(2)
    with within(room, 3):
        weft.jit(staged, device="opencl", disable=AS_WRITTEN)(x, y)
    assert _stub.device_memory(accelerators.table("opencl"))[0] == room
