"""Measurements that share a limit of time, and the memory that they work on."""

from __future__ import annotations

import time

import numpy as np

from benchmarks import machine
from benchmarks.budget import LEAST, Budget
from benchmarks.program import copied
from benchmarks.programs import PROGRAMS


def test_without_a_limit_everybody_gets_what_is_asked() -> None:
    assert Budget(None, 3).share(7.0) == 7.0


def test_what_one_does_not_need_the_next_ones_get() -> None:
    budget = Budget(8.0, 2)
    assert 1.9 < budget.share(60.0) <= 2.0
    assert 3.9 < budget.share(60.0) <= 4.0


def test_late_measurements_still_get_a_little() -> None:
    budget = Budget(0.0, 4)
    time.sleep(0.001)
    assert budget.share(1.0) == LEAST


def test_arrays_begin_at_a_line_of_the_cache() -> None:
    for program in PROGRAMS.values():
        arrays = [value for value in program.inputs(1000) if isinstance(value, np.ndarray)]
        assert all(array.ctypes.data % 64 == 0 and array.flags.writeable for array in arrays)


def test_copies_are_apart() -> None:
    array = np.arange(5)
    (copy,) = copied((array,))
    copy[0] = 9
    assert array[0] == 0


def test_the_command_does_not_say_where_the_figures_go(monkeypatch) -> None:
    monkeypatch.setattr("sys.argv", ["x", "--only", "fft", "--json", "somewhere/cpu.json", "--jobs", "2"])
    assert machine.command_line("benchmarks") == "python -m benchmarks --only fft --jobs 2"
