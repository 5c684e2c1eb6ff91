"""Generated text does not depend on the order of sets, which differs from process to process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

WRITE = """
import hashlib
import numpy as np
import weft
from tests.arrays.test_programs import PROGRAMS

for name in ("rgb_to_gray", "softmax", "trapezoid", "knapsack_rows"):
    program = PROGRAMS[name]
    given = program.make(np.random.default_rng(5), 5, np.float32)
    for device in ("cpu", "opencl"):
        source = weft.jit(program.function, device=device).inspect(*given).source
        print(name, device, hashlib.sha256(source.encode()).hexdigest())
"""


@pytest.mark.opencl
def test_two_processes_write_the_same():
    first, second = map(written, "12")
    assert first == second and len(first) == 8


def written(seed: str) -> list[str]:
    """What the texts of some programs are, by a process with a seed for its hashes."""
    folder = Path(__file__).parents[2]
    given = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-c", WRITE]
    done = subprocess.run(command, cwd=folder, env=given, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()
