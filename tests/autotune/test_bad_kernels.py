"""Descriptions of kernels that cannot be started: each is refused in words, in a direct call and in a compiled one."""

from __future__ import annotations

import re

import numpy as np
import pytest

import weft
from tests.autotune.foreign_kernels import SCALE
from tests.autotune.programs_with_kernels import between_loops, numbers
from weft.errors import ArgumentError

CASES = {
    "an empty space": (
        {"constraints": ["wg > 100"]},
        r"the space has no points.*'wg > 100' removes the last of them; the nearest miss is \{'wg': 16\}",
    ),
    "a function that raises": (
        {"constraints": [lambda wg: 1 / 0 > wg]},
        r"raises ZeroDivisionError: division by zero.*at the point \{'wg': 16\}",
    ),
    "an expression that raises": (
        {"constraints": ["wg % (n - n) == 0"]}, r"'wg % \(n - n\) == 0' raises ZeroDivisionError.*at the point",
    ),
    "a constraint without parameters": ({"constraints": ["wgg > 1"]}, r"names 'wgg', which is no parameter.*write wg"),
    "a grid of another name": ({"grid": lambda m: (m,)}, "asks for 'm', which is neither an argument nor a tunable"),
    "a grid that raises": ({"grid": lambda n: (n // 0,)}, "grid of the kernel raises ZeroDivisionError"),
    "a grid of parts": ({"grid": lambda n: (n / 3,)}, r"grid of the kernel gives \(33.3"),
    "a grid below zero": ({"grid": lambda n: (-n,)}, r"grid of the kernel gives \(-100,\)"),
    "a grid that is nothing": ({"grid": lambda n: None}, "grid of the kernel gives None"),
    "a grid that is a number": ({"grid": lambda n: n}, "grid of the kernel gives 100"),
    "a grid without end": ({"grid": lambda n: (float("inf"),)}, r"grid of the kernel gives \(inf,\)"),
    "another number of dimensions": ({"block": ("wg", "wg")}, "the grid of scale has 1 dimensions, and block has 2"),
    "too much local memory": ({"local_bytes": lambda wg: 10**9}, "1000000000 bytes of local memory, and the device"),
    "too many threads": ({"tunables": {"wg": [1 << 20]}}, "1048576 threads in dimension 0, and the device has at most"),
}  # fmt: skip


def described(**options):
    given = {
        "arguments": (weft.In("x"), weft.Out("y"), "a", "n"), "grid": lambda n: (n,), "block": ("wg",),
        "tunables": {"wg": [16, 32]},
    }  # fmt: skip
    return weft.kernel(SCALE.replace("T ", "float "), "scale", **{**given, **options})


@pytest.mark.opencl
@pytest.mark.parametrize("case", CASES)
def test_a_description_that_cannot_be_started_is_refused(case):
    options, message = CASES[case]
    kernel = described(**options)

    def function(x, y):
        kernel(x, y, 2)

    for call in (lambda x, y: kernel(x, y, 2), weft.jit(function, device="opencl")):
        with pytest.raises(ArgumentError) as caught:
            call(numbers(100), numbers(100))
        assert re.search(message, str(caught.value), re.S), str(caught.value)
    assert "kernel(x, y, 2)" in str(caught.value), "the compiled call says where"


@pytest.mark.opencl
def test_grids_are_computed_with_numbers_of_python():
    """In int32 the product would wrap to zero, and nothing would run."""
    text = "__kernel void k(__global int *y, int n) { if (get_global_id(0) == 0) y[0] = get_global_size(0) / n; }"
    kernel = weft.kernel(
        text, "k", arguments=(weft.InOut("y"), "n"), grid=lambda n: (n * n * 2 // n,), block=(1024,), defines={},
    )  # fmt: skip

    def function(y, n):
        kernel(y, n)

    for call in (kernel, weft.jit(function, device="opencl")):
        y = np.zeros(1, np.int32)
        call(y, 1 << 16)
        assert y[0] == 2


@pytest.mark.opencl
def test_a_function_with_a_kernel_is_not_split_before_it_was_checked(own_store):
    split = weft.jit(between_loops, device=("opencl:0.0", "opencl:0.1"))
    with pytest.raises(ArgumentError, match="the kernel scale cannot be cut over opencl:0.0, opencl:0.1") as caught:
        split(numbers(1000), numbers(1000), numbers(1000))
    assert "scale(x, y, 2.5)" in str(caught.value) and "kernel.check(x, y, a, n)" in str(caught.value)


def test_a_tunable_that_nobody_mentions_is_refused():
    with pytest.raises(
        ArgumentError, match="the tunable 'tile' changes nothing: the source of scale never mentions it"
    ):
        described(tunables={"wg": [16], "tile": [1, 2]})


@pytest.mark.opencl
def test_macros_of_tunables_have_the_names_that_were_given():
    """A tunable that `defines` names is no macro by its own name, which may be a variable of the source."""
    text = "__kernel void k(__global int *y, int n) { int wg = get_global_id(0); if (wg < n) y[wg] = WG + wg; }"
    kernel = weft.kernel(
        text, "k", arguments=(weft.Out("y"), "n"), grid=lambda n: (n,), block=("wg",), defines={"WG": "wg"},
        tunables={"wg": [4]},
    )  # fmt: skip
    y = np.zeros(6, np.int32)
    kernel(y)
    assert y.tolist() == [4, 5, 6, 7, 8, 9]
