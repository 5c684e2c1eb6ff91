"""What instrumented processes run: acceptance programs or random ones, with the answers compared as always.

``python -m tests.sanitizers.child acceptance FIRST STEP [DEVICE]``: every STEP-th program from FIRST on, every case.
``python -m tests.sanitizers.child random SEED COUNT``: so many random programs.
``python -m tests.sanitizers.child callers``, ``interrupt`` and ``fork``: calls at once, Ctrl-C, and a forked process.
``python -m tests.sanitizers.child limits`` and ``lanes``: time limits, and a device that pretends, on several threads.
``python -m tests.sanitizers.child race`` and ``outside``: mistakes that the sanitizers must report.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from random import Random

from .instrumented import use_instrumented_stub

use_instrumented_stub()

from weft.runtime import _stub  # noqa: E402

THREADS = 4


def run_acceptance(first: str, step: str, device: str = "cpu") -> None:
    """Run the cases of acceptance programs on a device, loops of any size in pieces."""
    from tests.acceptance import oracle
    from tests.acceptance.registry import PROGRAMS
    from tests.acceptance.test_programs import test_answer_is_that_of_cpython

    for name in list(PROGRAMS)[int(first) :: int(step)]:
        for index, _ in enumerate(oracle.cases(name)):
            print(name, index, flush=True)
            test_answer_is_that_of_cpython(name, index, device)


def run_random(seed: str, count: str) -> None:
    """Run random programs on the processor."""
    from tests.random_programs.check import check
    from tests.random_programs.generator import generate
    from tests.random_programs.stages import compiled

    for number in range(int(seed), int(seed) + int(count)):
        print("random program", number, flush=True)
        found = check(generate(Random(number)), [compiled("cpu")], range(3))
        assert not found.differences, found.differences


def run_callers() -> None:
    """Calls from several Python threads at once share the pool."""
    import numpy as np

    import weft

    def fill(a, b):
        total = 0.0
        for i in range(len(a)):
            a[i] = b[i] + 1.0
            total += b[i]
        return total

    ready = weft.jit(fill)
    ready(np.zeros(8), np.zeros(8))

    def call() -> None:
        for size in range(1, 200):
            a, b = np.zeros(size), np.ones(size)
            assert ready(a, b) == size and (a == 2.0).all()

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def run_interrupt() -> None:
    """Ctrl-C reaches a loop that has no end of its own."""
    import numpy as np

    import weft

    def spin(a):
        x = 0.5
        while x < 2.0:
            x = 3.5 * x * (1.0 - x)
        return a[0]

    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        weft.jit(spin)(np.zeros(1))
    except KeyboardInterrupt:
        print("interrupted", flush=True)


def run_limits() -> None:
    """Time limits of calls of several threads end loops that have no end of their own."""
    import numpy as np

    import weft

    def wait_for(a):
        n = 0
        while a[0] == 0:
            n = (n + 1) % 1000
        return n

    limited = weft.jit(wait_for, device="cpu", timeout=0.2)
    limited(np.ones(1))

    def call(value: float) -> None:
        for _ in range(3):
            try:
                assert limited(np.full(1, value)) == 0 and value
            except weft.TimeoutError:
                assert not value

    _at_once([lambda: call(0.0), lambda: call(1.0), lambda: call(0.0)])


def run_turns() -> None:
    """Loops whose threads take turns, and loops that are undone behind the iteration that fails."""
    import numpy as np

    import weft

    def running(x, out):
        total = 0.0
        for i in range(len(x)):
            total += x[i]
            out[i] = total

    def gathered(x, places, out):
        for i in range(len(places)):
            out[i] = x[places[i]]

    size = 300_000
    x, out = np.ones(size), np.zeros(size)
    summed, read = weft.jit(running, device="cpu"), weft.jit(gathered, device="cpu")
    for _ in range(3):
        summed(x, out)
        assert out[-1] == size
    for bad in (0, 5, size // 2, size - 1):
        places = np.arange(size)
        places[bad:] = np.where(np.arange(size - bad) % 1000 == 0, size, places[bad:])
        out[:] = -1.0
        try:
            read(x, places, out)
        except IndexError:
            assert (out[:bad] == 1.0).all()
            assert (out[bad:] == -1.0).all()


def run_lanes() -> None:
    """Several threads queue copies on one device, which pretends."""
    import numpy as np

    import weft
    from tests.runtime import fake_cuda
    from weft.runtime.devices import accelerators

    driver = fake_cuda.install(str(fake_cuda._library()))
    driver.library.fake_quiet(1)

    table = accelerators.table("cuda")

    def call() -> None:
        for size in range(1, 200):
            x, y = weft.array(np.ones(size)), weft.zeros(size)
            for w in (x, y):
                w._storage.acquire(table, True)
                w._storage.wrote(table)
            assert x[0] == 1.0 and y[0] == 0.0
            x[0] = 2.0
            x._storage.acquire(table, False)
            weft.synchronize()

    _at_once([call] * THREADS)


def _at_once(calls: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def run_fork() -> None:
    """A child of a fork has no threads of its parent, and starts its own."""
    import numpy as np

    import weft

    def double(a):
        for i in range(len(a)):
            a[i] = 2.0 * a[i]

    ready = weft.jit(double)
    ready(np.ones(1000))
    child = os.fork()
    if child == 0:
        a = np.ones(1000)
        ready(a)
        os._exit(0 if (a == 2.0).all() else 1)
    _, status = os.waitpid(child, 0)
    assert status == 0, status
    ready(np.ones(1000))


def run_race() -> None:
    """A race that the user has taken the responsibility for."""
    import numpy as np

    import weft

    def racing(a):
        for i in weft.assume_independent(range(len(a) - 1)):
            a[i + 1] = a[i] + 1.0

    ready = weft.jit(racing)
    for _ in range(500):  # a call that one thread does alone has no race; the first race that is seen ends the process
        ready(np.zeros(100_000))


def run_outside() -> None:
    """A read outside of its array, by a compiler that takes every index for proven."""
    import numpy as np

    import weft
    from tests.faults.faults import FAULTS
    from tests.faults.planting import planted

    def outside(a):
        total = 0.0
        for i in range(len(a)):
            total += a[i + 1]
        return total

    (fault,) = (f for f in FAULTS if f.name == "every index is proven inside")
    with planted(fault):
        weft.jit(outside)(np.zeros(100))


COMMANDS = {
    "acceptance": run_acceptance, "random": run_random, "callers": run_callers, "interrupt": run_interrupt,
    "fork": run_fork, "limits": run_limits, "lanes": run_lanes, "turns": run_turns, "race": run_race,
    "outside": run_outside,
}  # fmt: skip

if __name__ == "__main__":
    _stub.set_threads(THREADS)
    _stub.set_grain(0.0)
    COMMANDS[sys.argv[1]](*sys.argv[2:])
