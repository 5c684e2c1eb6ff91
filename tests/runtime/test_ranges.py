"""Ranges of NVIDIA's profilers: one for each program, and none where no profiler listens."""

import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import weft
from weft.runtime import _stub
from weft.runtime.devices import nvtx_ranges


def scaled(x):
    for i in range(x.shape[0]):
        x[i] = 2 * x[i]


@pytest.fixture
def seen():
    found = []
    _stub.watch_programs(found.append, lambda: found.append("end"), found.append)
    yield found
    _stub.watch_programs(None, None, None)


def test_a_program_is_a_range_with_its_name_and_the_line_that_called_it(seen):
    weft.jit(scaled, device="cpu")(np.ones(3))
    (name, file, line), end = seen
    assert name == "scaled" and file == __file__ and end == "end"
    assert "weft.jit(scaled" in open(__file__).read().split("\n")[line - 1]


def test_a_range_is_closed_when_the_program_fails(seen):
    def fails(x):
        x[0] = 1 // int(x[0])

    with pytest.raises(ZeroDivisionError):
        weft.jit(fails, device="cpu")(np.zeros(1))
    assert len(seen) % 2 == 0 and seen[-1] == "end"


@pytest.mark.opencl
def test_kernels_copies_and_waits_are_ranges_inside_of_their_program(seen):
    pytest.importorskip("pyopencl")
    scaled_there = weft.jit(scaled, device="opencl")
    scaled_there(np.ones(3))
    seen.clear()
    x = np.ones(3)
    scaled_there(x)
    assert x[0] == 2
    program, *inside, last = seen
    assert program[0] == "scaled" and last == "end"
    assert inside[1::2] == ["end"] * 4
    said = [nvtx_ranges.event_label(*event) for event in inside[::2]]
    line = scaled.__code__.co_firstlineno
    assert said == [
        f"copy in x (scaled, line {line + 1})", f"launch scaled_0 (scaled, line {line + 1})",
        f"copy out x (scaled, line {line + 1})", f"wait (scaled, line {line})",
    ]  # fmt: skip


@pytest.mark.opencl
def test_launches_that_are_held_back_and_threads_close_their_ranges(seen):
    pytest.importorskip("pyopencl")

    def steps(x, n):
        for _ in range(n):
            for i in range(x.shape[0]):
                x[i] = 0.5 * x[i]

    run = weft.jit(steps, device="opencl")
    arrays = [weft.array(np.ones(8)) for _ in range(3)]
    threads = [threading.Thread(target=run, args=(array, 20)) for array in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    weft.synchronize()
    assert seen.count("end") * 2 == len(seen)


def test_labels():
    assert nvtx_ranges.label("heat", "/somewhere/model.py", 12) == "heat (model.py:12)"
    assert nvtx_ranges.label(None, None, 0) == "a program"


PROGRAM = """
import sys, types

told = []

class Domain:
    def get_event_attributes(self, message):
        return message

    def push_range(self, attributes):
        told.append(attributes)

    def pop_range(self):
        told.append("end")

sys.modules["nvtx"] = types.SimpleNamespace(get_domain=lambda name: Domain())
import numpy as np, weft

@weft.jit(device="cpu")
def f(x):
    return x + 1

f(1)
print(told)
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize(("listener", "expected"), [("tool.so", "['f (program.py:23)', 'end']"), ("", "[]")])
def test_a_profiler_is_told(tmp_path, listener, expected):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM))
    env = {**os.environ, nvtx_ranges.LISTENER: listener}
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=60, env=env)
    assert done.stdout.strip() == expected, done.stderr
