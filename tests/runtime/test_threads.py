"""Threads: loops on many of them, calls from many of them, forks, and Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import weft
from weft.runtime import _stub


@weft.jit
def fill(a, start):
    for i in range(len(a)):
        a[i] = start + i * 2.0


@weft.jit
def total_of(a):
    total = 0.0
    for i in range(len(a)):
        total += a[i]
    return total


@pytest.fixture
def many_threads():
    _stub.set_threads(4)
    _stub.set_grain(0.0)
    yield
    _stub.set_grain(20_000.0)
    _stub.set_threads(0)


@pytest.mark.usefixtures("many_threads")
@pytest.mark.parametrize("size", [0, 1, 2, 3, 7, 64, 1000, 100_003])
def test_loops_of_any_size_on_threads(size):
    a = np.zeros(size)
    fill(a, 1.0)
    np.testing.assert_array_equal(a, 1.0 + np.arange(size) * 2.0)


@pytest.mark.usefixtures("many_threads")
def test_sums_are_the_same_on_any_number_of_threads():
    a = np.random.default_rng(1).random(100_003)
    found = set()
    for count in (1, 2, 3, 4):
        _stub.set_threads(count)
        found.add(total_of(a))
    _stub.set_grain(1e12)
    found.add(total_of(a))
    assert len(found) == 1


@pytest.mark.usefixtures("many_threads")
def test_calls_from_several_python_threads_at_once():
    def work(number):
        a = np.zeros(5000)
        for repeat in range(50):
            fill(a, number + repeat)
            assert a[0] == number + repeat and a[-1] == number + repeat + 2.0 * 4999
        return total_of(a)

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(work, range(12)))
    assert results == pytest.approx([5000 * (k + 49) + 4999 * 5000 for k in range(12)])


def test_first_calls_from_several_python_threads_compile_once():
    @weft.jit
    def fresh(a):
        for i in range(len(a)):
            a[i] = a[i] * 1.0625
        return a

    barrier = threading.Barrier(4)

    def work(number):
        barrier.wait()
        return fresh(np.full(3, float(number)))

    with ThreadPoolExecutor(4) as pool:
        for number, a in enumerate(pool.map(work, range(4))):
            np.testing.assert_array_equal(a, np.full(3, number * 1.0625))
    assert len(fresh.specialisations) == 1


@pytest.mark.usefixtures("many_threads")
def test_call_after_a_fork():
    a = np.zeros(10_000)
    fill(a, 0.0)
    child = os.fork()
    if child == 0:
        try:
            fill(a, 5.0)
            good = a[0] == 5.0 and a[-1] == 5.0 + 2.0 * 9999

            @weft.jit
            def new(x):
                return x + 0.03125

            good = good and new(1.0) == 1.03125
        finally:
            os._exit(0 if good else 1)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.01)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the child process hangs")
    assert os.waitstatus_to_exitcode(status) == 0
    fill(a, 1.0)
    assert a[1] == 3.0


ENDLESS = {
    "while": """
        @weft.jit
        def work(a):
            a[1] = 1.0
            n = 0
            while a[0] == 0:
                n += 1
                if n > 1000:
                    n = 0
            return n
    """,
    "parallel": """
        @weft.jit
        def work(a):
            a[1] = 1.0
            out = np.zeros(64)
            for i in range(64):
                n = 0
                while a[0] == 0:
                    n += 1
                    if n > 1000:
                        n = 0
                out[i] = n
            return out
    """,
    "for": """
        @weft.jit
        def work(a):
            a[1] = 1.0
            x = 0.5
            for i in range(10**15):
                x = 3.9 * x * (1.0 - x) + a[0]
            return x
    """,
}
"""Loops without an end of their own; the second element says that the program has begun."""

INTERRUPTED = """
import os, signal, threading, time
import numpy as np, weft
{program}
def interrupt():
    while a[1] == 0.0:
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGINT)

a = np.zeros(2)
work.specialise(a).family.variant()
threading.Thread(target=interrupt, daemon=True).start()
try:
    work(a)
except KeyboardInterrupt:
    print("interrupted")
if {again}:
    print(work(np.ones(2)))
"""


@pytest.mark.parametrize("kind", ENDLESS)
def test_interrupt_ends_an_endless_loop(kind, tmp_path):
    path = tmp_path / "endless.py"
    path.write_text(INTERRUPTED.format(program=textwrap.dedent(ENDLESS[kind]), again=kind == "while"))
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["interrupted", "0"][: 1 + (kind == "while")], done.stderr


def test_number_of_threads_from_the_environment():
    program = (
        "import os, numpy as np, weft\nfrom weft.runtime import _stub\n"
        "_stub.set_grain(0.0)\n"
        "def fill(a):\n    for i in range(len(a)):\n        a[i] = i\n"
        "weft.jit(fill)(np.zeros(1000000))\nprint(len(os.listdir('/proc/self/task')))"
    )
    path = os.path.join(os.environ["WEFT_CACHE_DIR"], "count_threads.py")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(program)
    counts = []
    for number in ("1", "3"):
        environment = {**os.environ, "WEFT_NUM_THREADS": number, "OPENBLAS_NUM_THREADS": "1"}
        output = subprocess.run([sys.executable, path], env=environment, capture_output=True, text=True, check=True)
        counts.append(int(output.stdout))
    assert counts == [1, 3]
