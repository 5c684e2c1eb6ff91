"""Time limits of calls: a loop that does not end is ended, on every backend, and the process goes on."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import weft

DEVICES = ["cpu", "interpreter", *(d.name for d in weft.devices() if d.name == "opencl")]
SECONDS = 0.2


def endless(a):
    a[1] += 1.0
    n = 0
    while a[0] == 0:
        n = (n + 1) % 1000
    return n


def in_parallel(a, out):
    for i in range(out.shape[0]):
        n = 0
        while a[0] == 0:
            n = (n + 1) % 1000
        out[i] = n


def steps(a, out):
    k = 0
    while a[0] == 0:
        for i in range(out.shape[0]):
            out[i] = out[i] + 1.0
        k = (k + 1) % 1000
    return k


def limited_on(device, function):
    """A function with a limit; what the driver compiles when a kernel is launched first does not count."""
    weft.jit(function, device=device)(np.ones(1), np.zeros(8))
    weft.jit(function, device=device)(weft.array([1.0]), weft.zeros(8))
    return weft.jit(function, device=device, timeout=SECONDS)


def elapsed(call):
    start = time.monotonic()
    with pytest.raises(weft.TimeoutError, match=r"did not end within 0\.2 s"):
        call()
    return time.monotonic() - start


@pytest.mark.parametrize("device", DEVICES)
def test_an_endless_loop_is_ended_within_a_second(device):
    limited = weft.jit(endless, device=device, timeout=SECONDS)
    assert limited(np.ones(2)) == 0
    a = np.zeros(2)
    assert SECONDS <= elapsed(lambda: limited(a)) < SECONDS + 1
    assert a[1] == 1
    assert limited(np.ones(2)) == 0


@pytest.mark.parametrize("device", DEVICES)
def test_a_loop_over_parallel_loops_is_ended(device):
    limited = weft.jit(steps, device=device, timeout=SECONDS)
    a, out = np.ones(1), np.zeros(100)
    limited(a, out)
    a[0] = 0
    assert elapsed(lambda: limited(a, out)) < SECONDS + 1
    assert out[0] > 0 and np.ptp(out) <= 1


@pytest.mark.parametrize("device", [d for d in DEVICES if d != "interpreter"])
def test_threads_and_kernels_are_ended_too(device):
    limited = limited_on(device, in_parallel)
    limited(np.ones(1), np.zeros(8))
    assert elapsed(lambda: limited(np.zeros(1), np.zeros(8))) < SECONDS + 1
    out = np.ones(8)
    limited(np.ones(1), out)
    assert not out.any()


@pytest.mark.parametrize("device", [d for d in DEVICES if d != "interpreter"])
def test_an_endless_kernel_on_a_coherent_array_is_ended(device):
    limited = limited_on(device, in_parallel)
    limited(weft.array([1.0]), weft.zeros(8))
    out = weft.array(np.ones(8))
    assert elapsed(lambda: limited(weft.array([0.0]), out)) < SECONDS + 1
    limited(weft.array([1.0]), out)
    assert not np.asarray(out).any()


def waits_inside(a, n):
    while a[0] == 0:
        n = (n + 1) % 1000
    return n


@pytest.mark.parametrize("device", [d for d in DEVICES if d != "interpreter"])
def test_an_endless_loop_in_a_function_of_a_kernel_is_ended(device):
    def calls(a, out):
        for i in range(out.shape[0]):
            out[i] = waits_inside(a, i)

    limited = limited_on(device, calls)
    limited(np.ones(1), np.zeros(8))
    assert elapsed(lambda: limited(np.zeros(1), np.zeros(8))) < SECONDS + 1


@pytest.mark.parametrize("device", [d for d in DEVICES if d != "interpreter"])
def test_limits_of_kernels_on_several_python_threads(device):
    limited = limited_on(device, in_parallel)
    limited(np.ones(1), np.zeros(8))
    ended = []
    call = lambda: ended.append(elapsed(lambda: limited(np.zeros(1), np.zeros(8))))  # noqa: E731
    threads = [threading.Thread(target=call) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ended) == 2 and max(ended) < 2 * SECONDS + 1


def test_loops_that_run_at_once_have_limits():
    a, out = np.zeros(1), np.zeros(8)

    def body(i):
        n = 0
        while a[0] == 0:
            n = (n + 1) % 1000
        out[i] = n

    def row(item):
        n = 0
        while a[0] == 0:
            n = (n + 1) % 1000
        item[0] = n

    assert elapsed(lambda: weft.parallel_for(8, body, timeout=SECONDS)) < SECONDS + 10
    assert elapsed(lambda: weft.parallel_for(8, timeout=SECONDS)(body)) < SECONDS + 1
    assert elapsed(lambda: weft.for_each(np.zeros((4, 1)), row, timeout=SECONDS)) < SECONDS + 10
    a[0] = 1
    weft.parallel_for(8, body, timeout=SECONDS)
    weft.parallel_for(8, body)
    with pytest.raises(weft.ArgumentError, match="is no time limit"):
        weft.parallel_for(8, body, timeout=0)


def test_a_coherent_array_is_usable_afterwards():
    limited = weft.jit(endless, device="cpu", timeout=SECONDS)
    a = weft.zeros(2)
    elapsed(lambda: limited(a))
    assert list(a) == [0, 1]


def test_a_call_in_time_is_not_disturbed():
    limited = weft.jit(endless, device="cpu", timeout=0.01)
    for _ in range(100):
        assert limited(np.ones(2)) == 0
    time.sleep(0.02)
    assert limited(np.ones(2)) == 0


def test_compiling_does_not_count():
    def fresh(a):
        return a[0] + 0.265625

    assert weft.jit(fresh, device="cpu", timeout=1e-3)(np.ones(1)) == 1.265625


def test_calls_of_several_python_threads_have_limits_of_their_own():
    limited = weft.jit(endless, device="cpu", timeout=SECONDS)
    limited(np.ones(2))
    ended = []
    threads = [threading.Thread(target=lambda: ended.append(elapsed(lambda: limited(np.zeros(2))))) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert limited(np.ones(2)) == 0
    for thread in threads:
        thread.join()
    assert len(ended) == 4 and max(ended) < SECONDS + 1


def test_a_limit_holds_for_calls_inside_of_a_call():
    inner = weft.jit(endless, device="cpu")
    inner(np.ones(2))

    def call(a):
        inner(np.asarray(a))

    def outer(a):
        weft.python(call, a, writes=(a,))
        return a[1]

    limited = weft.jit(outer, device="cpu", timeout=SECONDS)
    limited(np.ones(2))
    assert elapsed(lambda: limited(np.zeros(2))) < SECONDS + 1


def test_the_error_is_that_of_python_too():
    limited = weft.jit(endless, device="cpu", timeout=0.05)
    with pytest.raises(builtins.TimeoutError):
        limited(np.zeros(2))
    assert issubclass(weft.TimeoutError, weft.Error)


@pytest.mark.parametrize("limit", [0, -1.0, "1", True, float("nan")])
def test_what_is_no_limit_is_refused(limit):
    with pytest.raises(weft.ArgumentError, match="is no time limit"):
        weft.jit(endless, timeout=limit)


AFTER_A_FORK = """
import os
import numpy as np, weft

@weft.jit(device="cpu", timeout=0.2)
def wait_for(a):
    n = 0
    while a[0] == 0:
        n = (n + 1) % 1000
    return n

def is_ended():
    try:
        wait_for(np.zeros(1))
    except weft.TimeoutError:
        return True

assert is_ended()
child = os.fork()
if not child:
    os._exit(0 if is_ended() else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert is_ended()
"""


def test_limits_after_a_fork(tmp_path):
    path = tmp_path / "forks.py"
    path.write_text(textwrap.dedent(AFTER_A_FORK))
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=60, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
