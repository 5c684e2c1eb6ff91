"""Predictions of kernels that users wrote: what they say that they touch is moved once."""

from __future__ import annotations

import numpy as np
import pytest

from tests.autotune.foreign_kernels import CUDA_TEXT
from tests.predict.test_device import copied, demand_of, seconds
from weft.autotune.foreign.arguments import In, Out
from weft.autotune.foreign.describing import kernel
from weft.autotune.foreign.kernel import Kernel

scale = kernel(
    CUDA_TEXT, "scale", arguments=(In("x"), Out("y"), "a", "n"), grid=lambda n: (n,), block=("wg",),
    tunables={"wg": [128]}, local_bytes=lambda wg: 4 * wg, touches=lambda i: {"x": i, "y": i},
)  # fmt: skip


def scaled(x, y, n):
    scale(x, y, 2.5, n)


def repeated(x, y, n):
    for t in range(10):
        scale(x, y, 2.5, n)


def arrays(n=1_000_000):
    return np.zeros(n, np.float32), np.zeros(n, np.float32)


def test_a_kernel_takes_as_long_as_a_copy_of_its_arrays():
    assert seconds(scaled, *arrays(), 1_000_000) == pytest.approx(seconds(copied, *arrays()), rel=0.05)


def test_what_is_assumed_is_said():
    (said,) = demand_of(scaled, *arrays(), 10).assumptions
    assert "the kernel scale touches each element once, and computes in no time" in said


def test_what_is_touched_is_counted_once_it_was_checked(monkeypatch):
    (whole,) = demand_of(scaled, *arrays(), 1000).launches
    assert [access.dram for access in whole.accesses] == [4e6, 4e6]
    monkeypatch.setattr(Kernel, "is_checked", True)
    (part,) = demand_of(scaled, *arrays(), 1000).launches
    assert [(access.mode, access.dram) for access in part.accesses] == [("load", 4e3), ("store", 4e3)]


def test_each_launch_counts():
    (launch,) = demand_of(repeated, *arrays(), 1000).launches
    assert launch.times == 10
