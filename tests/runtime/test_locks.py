"""Locks that several threads want in different orders: Python's, those of arrays, of compiling, and of turns.

Each test runs in a process of its own, which ends with the stacks of all threads where they wait for one another.
"""

import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.opencl

SECONDS = 60
"""After which threads count as waiting for one another; each of these programs takes a few."""

BEGIN = """
import faulthandler, threading
import numpy as np, weft
from weft.compile import lock
from weft.runtime import _stub
from weft.runtime.devices import accelerators
from weft.runtime.dispatch import variants

def in_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    return thread

def doubled(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]

def increased(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] + 1.0

LIMIT = 1 << 26
"""


@pytest.fixture
def said_by(tmp_path):
    """What a program prints."""

    def run(program):
        path = tmp_path / "program.py"
        limit = f"\nfaulthandler.dump_traceback_later({SECONDS}, exit=True)\n"
        path.write_text(BEGIN + limit + textwrap.dedent(program))
        done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    return run


@pytest.mark.sample(0)
def test_a_call_that_waits_for_a_compiler_has_no_turn(said_by):
    """It has its turn, and needs a variant; who compiles needs a turn, to measure."""
    said = said_by("""
        limited = weft.jit(increased, device="opencl", memory_limit=LIMIT)
        x, y = np.ones(1000), np.ones(1000)
        limited(x, y)
        has_lock, wants = threading.Event(), threading.Event()
        ask = variants.Variant.aliased

        def aliased(self, leaves, detail):
            wants.set()
            return ask(self, leaves, detail)

        def measure():
            with lock.lock:
                has_lock.set()
                wants.wait()
                limited(np.ones(1000), np.ones(1000))

        variants.Variant.aliased = aliased
        thread = in_thread(measure)
        has_lock.wait()
        limited(x, x)
        thread.join()
        print(x[0], x[999])
    """)
    assert said == ["2.0", "2.0"]


ASKING = """
    run = weft.jit(doubled, device="opencl")
    x, y = weft.array(np.ones(100_000)), weft.zeros(100_000)
    run(x, y)
    device = accelerators.table("opencl")
    copying, never = threading.Event(), threading.Event()

    def opened(what):
        copying.set()
        never.wait(0.05)

    _stub.watch_programs(None, lambda: None, opened)

    def copy():
        for _ in range(5):
            x[...] = 1.0
            run(x, y)

    thread = in_thread(copy)
    while thread.is_alive():
        copying.wait(0.1)
        copying.clear()
        {ask}
    thread.join()
    print(y[0])
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("ask", ["x.where", "_stub.size_class((x,))", "x._storage.address(device)"])
def test_who_asks_about_an_array_lets_go_of_python(said_by, ask):
    """A copy of it is shown to a profiler, which needs Python, while the array is locked."""
    assert said_by(ASKING.replace("{ask}", ask)) == ["2.0"]


USING = """
    import time
    device = accelerators.table("opencl")
    run = weft.jit(increased, device="opencl")
    x, z = weft.array(np.ones(20_000)), np.zeros(20_000)
    run(x, z)
    x._storage.acquire(device, False)
    begun, done = threading.Event(), threading.Event()

    def step():
        begun.set()
        done.wait()

    def stepping(step, x, key, y):
        for i in range(x.shape[0]):
            y[i] = x[i] + y[i]
        weft.python(step)
        {host}
        for i in range(x.shape[0]):
            y[i] = x[i] + y[i]

    slow, y, key = weft.jit(stepping, device="opencl"), weft.zeros(20_000), weft.array(np.array([3]))
    done.set()
    slow(step, x, key, y)
    y[...] = 0.0
    x[...] = 1.0
    begun.clear()
    done.clear()
    thread = in_thread(lambda: slow(step, x, key, y))
    begun.wait()
    before = x._storage.address(device)
    in_slabs = x.__array__().copy()
    x._storage.acquire(0, False)
    left = _stub.device_memory(device)[0]
    with weft.device("opencl", memory_limit=left + 100_000):
        run(x, z)
    print(bool(before), x._storage.address(device) == before)
    done.set()
    thread.join()
    print(z[5], y[3], y[5])
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("host, expected", [("pass", "2.0"), ("x[key[0]] += 1.0", "3.0")])
def test_the_copy_that_a_call_uses_stays_when_slabs_of_another_are_done(said_by, host, expected):
    """In the second program the host works on the array, too: the call has lent it from the device."""
    said = said_by(USING.replace("{host}", host))
    assert said == ["True", "True", "2.0", expected, "2.0"]
