"""Loops that only launch kernels, over a driver that only pretends: graphs run the same kernels in the same order."""

import ctypes
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import IN, OUT, STREAM, main, pretending

import weft
from weft.runtime.devices import accelerators

FIRST = 8
"""So many arguments of kernels are looked at: two arrays, and two numbers."""

KERNEL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.POINTER(ctypes.c_uint64)))


def swapped(u, v, steps):
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = u[i - 1] + u[i + 1]
        u, v = v, u


def rotated(u, v, w, steps):
    for _ in range(steps):
        for i in range(u.shape[0]):
            v[i] = u[i] + w[i]
        u, v, w = v, w, u


def counted(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = u[i - 1] * t + u[i + 1]
        u, v = v, u


def halved(u, v, n):
    while n > 1:
        for i in range(u.shape[0]):
            v[i] = u[i] * n
        u, v = v, u
        n = n // 2


def guarded(u, v, steps):
    for t in range(steps):
        if t % 5 != 3:
            for i in range(u.shape[0]):
                v[i] = u[i] + t
        for i in range(u.shape[0]):
            u[i] = v[i]


def raising(u, v, steps, last):
    for t in range(steps):
        if t == last:
            raise ValueError("enough")
        for i in range(u.shape[0]):
            v[i] = u[i] * t
        u, v = v, u


def leaving(u, v, steps, last):
    for t in range(steps):
        for i in range(u.shape[0]):
            v[i] = u[i] * t
        u, v = v, u
        if t == last:
            return t
    return -1


def nested(u, v, steps):
    for t in range(steps):
        for _ in range(t):
            for i in range(u.shape[0]):
                v[i] = u[i] * t
            u, v = v, u


def arrays(count):
    return [weft.array(np.arange(8.0)) for _ in range(count)]


class Watched:
    """A function whose kernels note the arguments with which they run."""

    def __init__(self, driver, function):
        self.function = weft.jit(function, device="cuda")
        self.seen = []
        self.kernels = []
        driver.library.fake_arguments(FIRST)
        accelerators.open_device("cuda").load = self.load

    def load(self, binary, names):
        numbers = range(len(self.kernels), len(self.kernels) + len(names))
        kernels = [KERNEL(lambda given, k=k: self.run(k, given)) for k in numbers]
        self.kernels.extend(kernels)
        return tuple(ctypes.cast(kernel, ctypes.c_void_p).value for kernel in kernels)

    def run(self, kernel, given):
        self.seen.append((kernel, *(given[k][0] for k in range(FIRST))))
        return 0

    def __call__(self, *args):
        """The kernels that a call ran, with their first arguments."""
        self.function(*args)
        weft.synchronize()
        seen, self.seen[:] = list(self.seen), []
        return seen


def words(driver, *wanted):
    return [call for call in driver.calls() if call.startswith(wanted)]


@pretending
def test_a_repeated_loop_becomes_graphs(driver):
    function = weft.jit(swapped, device="cuda")
    u, v = arrays(2)
    function(u, v, 1000)
    first = words(driver, "launch", "graph", "instantiate", "set node")
    assert first.count(f"launch {STREAM}") < 250 and first.count("instantiate") <= 3
    function(u, v, 1000)
    second = words(driver, "launch", "graph", "instantiate", "set node")
    assert second.count(f"graph {STREAM}") >= 15 and second.count(f"launch {STREAM}") < 100 and "set node" not in second
    function(u, v, 1000)
    third = words(driver, "launch", "graph", "instantiate", "set node")
    assert third.count(f"launch {STREAM}") < 16 and set(third) == {f"graph {STREAM}", f"launch {STREAM}"}


@pretending
def test_kernels_run_in_the_order_of_the_loop(driver):
    run = Watched(driver, swapped)
    u, v = arrays(2)
    for steps in (1, 2, 3, 15, 16, 17, 31, 64, 65, 127, 128, 129, 300, 1000, 1000, 999, 64, 65):
        seen = run(u, v, steps)
        assert len(seen) == steps
        places = [(call[1], call[4]) for call in seen]
        assert places == [places[0] if t % 2 == 0 else places[0][::-1] for t in range(steps)], steps


@pretending
def test_a_permutation_of_three_arrays_sets_no_nodes(driver):
    run = Watched(driver, rotated)
    given = arrays(3)
    for steps in (300, 300, 300):
        driver.calls()
        seen = run(*given, steps)
        assert len(seen) == steps and all(seen[k] == seen[k % 3] for k in range(steps))
    assert not words(driver, "set node")


@pretending
def test_kernels_that_take_the_counter_get_it_in_graphs(driver):
    run = Watched(driver, counted)
    u, v = arrays(2)
    for steps in (40, 500, 500, 501):
        given = np.array([call[8] for call in run(u, v, steps)], np.uint64)
        counters = list(given.view(np.float64))
        assert counters == list(range(steps))
    assert words(driver, "set node")


@pytest.mark.sample(0)
@pretending
def test_while_loops_and_branches_keep_their_order(driver):
    run = Watched(driver, halved)
    u, v = arrays(2)
    seen = run(u, v, 1 << 40)
    assert len(seen) == 40 and len({call[1] for call in seen}) == 2
    run = Watched(driver, guarded)
    expected = [k for t in range(200) for k in ((0, 1) if t % 5 != 3 else (1,))]
    for _ in range(3):
        assert [call[0] for call in run(u, v, 200)] == expected


@pretending
def test_an_exception_comes_after_the_kernels_before_it(driver):
    run = Watched(driver, raising)
    u, v = arrays(2)
    for last in (0, 5, 40, 100):
        with pytest.raises(ValueError, match="enough"):
            run(u, v, 200, last)
        assert len(run.seen) == last
        run.seen.clear()
    assert len(run(u, v, 200, -1)) == 200


@pretending
def test_a_return_ends_the_loop(driver):
    run = Watched(driver, leaving)
    u, v = arrays(2)
    for last in (0, 5, 40, 100):
        assert len(run(u, v, 200, last)) == last + 1


@pretending
def test_nested_loops(driver):
    run = Watched(driver, nested)
    u, v = arrays(2)
    for steps in (3, 20, 20):
        assert len(run(u, v, steps)) == steps * (steps - 1) // 2


@pretending
def test_python_threads_share_graphs(driver):
    function = weft.jit(swapped, device="cuda")
    function(*arrays(2), 300)
    driver.library.fake_quiet(1)
    failed = []

    def call():
        try:
            for _ in range(20):
                function(*arrays(2), 300)
            weft.synchronize()
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


@pretending
def test_other_arrays_are_set_on_the_nodes(driver):
    run = Watched(driver, swapped)
    u, v = arrays(2)
    for _ in range(3):
        run(u, v, 200)
    driver.calls()
    x, y = arrays(2)
    seen = run(x, y, 200)
    calls = driver.calls()
    assert calls.count("set node") and "instantiate" not in calls and calls.count(f"launch {STREAM}") < 16
    others = {call[1] for call in run(u, v, 9)}
    assert len({call[1] for call in seen} - others) == 2


@pretending
def test_copies_home_come_after_the_graphs(driver):
    function = weft.jit(swapped, device="cuda")
    u, v = np.arange(8.0), np.arange(8.0)
    for _ in range(3):
        driver.calls()
        function(u, v, 200)
    calls = words(driver, "in", "out", "graph", "await", "finish")
    last = max(k for k, call in enumerate(calls) if call.startswith("graph"))
    assert calls.index(f"await {STREAM} {IN}") < calls.index(f"graph {STREAM}")
    assert f"await {OUT} {STREAM}" in calls[last:] and not [c for c in calls[:last] if c.startswith("out")]


@pretending
def test_the_host_does_not_run_far_ahead(driver):
    function = weft.jit(swapped, device="cuda")
    u, v = arrays(2)
    for _ in range(3):
        driver.calls()
        function(u, v, 1000)
    calls = words(driver, "graph", "finish")
    ahead = 0
    for call in calls:
        ahead = ahead + 1 if call.startswith("graph") else min(ahead, 3)
        assert ahead <= 4, calls


@pretending
def test_a_graph_that_fails_is_an_error_and_is_made_anew(driver):
    function = weft.jit(swapped, device="cuda")
    u, v = arrays(2)
    for _ in range(3):
        function(u, v, 200)
    driver.fail("graph", 719)
    with pytest.raises(weft.DeviceError, match="719"):
        function(u, v, 200)
    driver.fail("graph", 0)
    driver.calls()
    x, y = arrays(2)
    for _ in range(3):
        function(x, y, 200)
    assert words(driver, "graph")


@pretending
def test_the_ledger_has_each_kernel(driver):
    function = weft.jit(swapped, device="cuda")
    u, v = arrays(2)
    for _ in range(4):
        with weft.profile() as p:
            function(u, v, 200)
        launches = [e for e in p.events if e.kind == "launch"]
        assert len(launches) == 200 and {e.line for e in launches} == {swapped.__code__.co_firstlineno + 2}


@pretending
def test_more_kinds_of_loops_than_are_kept(driver):
    function = weft.jit(swapped, device="cuda")
    u, v = arrays(2)
    for _ in range(2):
        for steps in range(20, 50):
            function(u, v, steps)
    assert words(driver, "instantiate")


if __name__ == "__main__":
    main(globals())
