"""Functions that run at once: `weft.invoke`, `weft.submit`, and how they are stopped."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import CancelledError

import numpy as np
import pytest

import weft


@weft.jit
def count_up(limit):
    x = 0.5
    k = 0
    while k < limit:
        x = x * 3.5 * (1.0 - x)
        k += 1
    return x


@weft.jit
def total(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s


def test_results_come_in_order():
    assert weft.invoke(lambda: 1, lambda: "b", lambda: None) == (1, "b", None)
    assert weft.invoke() == ()


def test_functions_run_at_once():
    barrier = threading.Barrier(3, timeout=20)
    assert sorted(weft.invoke(*[lambda: barrier.wait()] * 3)) == [0, 1, 2]


def test_one_thread_runs_one_after_the_other():
    now, most = 0, 0

    def work():
        nonlocal now, most
        now += 1
        most = max(most, now)
        time.sleep(0.01)
        now -= 1

    weft.invoke(*[work] * 4, threads=1)
    assert most == 1


def test_the_first_failure_is_raised():
    def fail(kind):
        raise kind("no")

    with pytest.raises(KeyError):
        weft.invoke(lambda: 1, lambda: fail(KeyError), threads=1)


def test_a_failure_stops_the_others():
    count_up(10)
    begin = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        weft.invoke(lambda: count_up(10**12), lambda: 1 // 0)
    assert time.monotonic() - begin < 60


def test_submitted_calls_give_results():
    futures = [weft.submit(total, np.full(1000, float(k))) for k in range(8)]
    assert [future.result() for future in futures] == [1000.0 * k for k in range(8)]
    assert all(future.done() and not future.cancelled() for future in futures)


def test_a_running_program_is_cancelled():
    count_up(10)
    future = weft.submit(count_up, 10**12)
    while not future.running():
        time.sleep(0.001)
    with pytest.raises(weft.TimeoutError, match=r"not done after 0.05 seconds"):
        future.result(timeout=0.05)
    assert future.cancel()
    with pytest.raises(CancelledError):
        future.result(timeout=60)
    assert future.cancelled()


def test_a_call_that_has_not_begun_never_does():
    gate = threading.Event()
    blocked = [weft.submit(gate.wait, 20) for _ in range(64)]
    last = weft.submit(total, np.ones(3))
    assert last.cancel()
    gate.set()
    assert last.cancelled()
    with pytest.raises(CancelledError):
        last.result()
    assert all(future.result() for future in blocked)


def test_a_cancelled_thread_works_on():
    count_up(10)
    for _ in range(80):  # more than there are flags
        future = weft.submit(count_up, 10**12)
        while not future.running():
            time.sleep(0.0005)
        future.cancel()
        assert future.exception().__class__ is CancelledError
    assert weft.submit(total, np.ones(5)).result() == 5.0


def test_a_limit_of_time():
    count_up(10)
    with pytest.raises(weft.TimeoutError):
        weft.submit(count_up, 10**12, timeout=0.05).result()


def test_an_exception_arrives():
    future = weft.submit(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        future.result()
    assert isinstance(future.exception(), ZeroDivisionError)


def test_a_future_can_be_awaited():
    async def main():
        return await weft.submit(total, np.ones(7))

    assert asyncio.run(main()) == 7.0


def test_callbacks():
    seen = []
    future = weft.submit(lambda: 3)
    future.result()
    future.add_done_callback(lambda f: seen.append(f.result()))
    assert seen == [3]


@pytest.mark.parametrize("call", [lambda: weft.submit(3), lambda: weft.invoke(print, 3)])
def test_what_cannot_be_called(call):
    with pytest.raises(weft.ArgumentError, match="3 cannot be called"):
        call()


def test_no_threads():
    with pytest.raises(weft.ArgumentError, match="0 threads"):
        weft.invoke(print, threads=0)
