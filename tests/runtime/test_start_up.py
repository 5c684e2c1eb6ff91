"""What a new process waits for: the import, and the first call on a warm store. The best of a few processes counts."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROCESSES = 5
IMPORT, FIRST_CALL, CALL = 0.150, 0.040, 8e-6
"""Seconds; for the import those of the processor, since reading files takes as long as other work leaves it."""

PROGRAM = """
import json, time
start = time.process_time()
import weft
imported = time.process_time()
import numpy as np

@weft.jit
def add(a, b, c):
    for i in range(len(a)):
        c[i] = a[i] + b[i]

arrays = [np.ones(5) for _ in range(3)]
defined = time.perf_counter()
add(*arrays)
called = time.perf_counter()
for _ in range(20000):
    add(*arrays)
end = time.perf_counter()
print(json.dumps([imported - start, called - defined, (end - called) / 20000]))
"""


@pytest.fixture(scope="module")
def best(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    (folder / "program.py").write_text(PROGRAM)
    outputs = [
        subprocess.run([sys.executable, "program.py"], cwd=folder, capture_output=True, text=True, check=True).stdout
        for _ in range(PROCESSES + 1)
    ]
    return [min(times) for times in zip(*map(json.loads, outputs[1:]), strict=True)]


def test_import(best):
    assert best[0] <= IMPORT


def test_first_call_with_a_warm_store(best):
    assert best[1] <= FIRST_CALL


def test_call_with_three_small_arrays(best):
    assert best[2] <= CALL
