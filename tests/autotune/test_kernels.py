"""Kernels written by hand: in C and OpenCL C, called and tuned, with candidates that fail in every way."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.autotune.foreign.arguments import declared_in
from weft.autotune.foreign.cuda_kernels import compiled
from weft.autotune.foreign.languages import RefusedError, Text
from weft.errors import ArgumentError, Error

DOUBLE = """
#include <stdlib.h>
#include <unistd.h>
void twice(const double *x, double *y, int n) {
    if (MODE == 1) abort();
    if (MODE == 2) for (;;) sleep(1);
    double factor = MODE == 3 ? 3.0 : 2.0;
#if MODE == 4
    this is no C
#endif
    for (int b = 0; b < n; b += BLOCK)
        for (int i = b; i < b + BLOCK && i < n; i++) y[i] = factor * x[i];
}
"""
CONVOLUTION = """
__kernel void conv(__global const float *x, __global const float *mask, __global float *y, int n) {
    __local float part[WG + MASK - 1];
    int i = get_global_id(0), l = get_local_id(0), first = get_group_id(0) * WG;
    for (int k = l; k < WG + MASK - 1; k += WG) part[k] = x[first + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0.0f;
    for (int k = 0; k < MASK; k++) s += part[l + k] * mask[k];
    y[i] = s;
}
"""
CUDA = """
template <int N> __device__ float times(float x) { return N * x; }
__global__ void scale(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = times<FACTOR>(x[i]);
}
"""


def twice(**options):
    arguments = (weft.In("x"), weft.Out("y"), "n")
    return weft.kernel(DOUBLE, "twice", arguments=arguments, **options)


def convolution(**options):
    described = {
        "arguments": (weft.In("x"), weft.In("mask"), weft.Out("y"), "n"),
        "grid": lambda n: (n,),
        "block": ("wg",),
        "defines": {"WG": "wg", "MASK": 9},
        "tunables": {"wg": [1, 3, 8, 64, 256]},
        "constraints": ["n % wg == 0"],
        "local_bytes": lambda mask, wg: (len(mask) + wg - 1) * 4,
        "reference": lambda x, mask: np.convolve(x, mask[::-1], "valid"),
    }
    return weft.kernel(CONVOLUTION, "conv", **{**described, **options})


@pytest.fixture
def signal():
    rng = np.random.default_rng(0)
    return rng.random(1024 + 8, np.float32), rng.random(9, np.float32), np.zeros(1024, np.float32)


def test_a_function_in_c_is_called():
    x, y = np.arange(10.0), np.zeros(10)
    twice(tunables={"BLOCK": [4]}, defines={"MODE": 0})(x, y)
    assert y.tolist() == (2 * x).tolist()


def test_numbers_that_are_given_count():
    x, y = np.arange(10.0), np.zeros(10)
    twice(tunables={"BLOCK": [4]}, defines={"MODE": 0})(x, y, 3)
    assert y.tolist() == [0.0, 2.0, 4.0] + [0.0] * 7


def test_candidates_that_crash_hang_lie_or_do_not_compile_are_kept_with_their_reasons():
    kernel = twice(tunables={"MODE": [0, 1, 2, 3, 4], "BLOCK": [8]}, reference=lambda x: 2 * x)
    x, y = np.arange(100.0), np.zeros(100)
    best = weft.tune(kernel, x, y, strategy="exhaustive", evaluations=5, timeout=8.0, remember=False)
    found = {c.point["MODE"]: (c.status, c.reason) for c in best.tuning.candidates}
    assert found[0] == ("measured", "")
    assert found[1] == ("crashed", "it was ended by signal 6")
    assert found[2] == ("timeout", "it took longer than 8 s")
    assert found[3] == ("wrong", "y[1] is 3.0 instead of 2.0, and 99 of 100 differ")
    assert found[4][0] == "failed" and found[4][1].startswith("gcc refuses the kernel")
    assert best.tuning.best.point["MODE"] == 0
    assert y.tolist() == [0.0] * 100
    best(x, y)
    assert y.tolist() == (2 * x).tolist()
    assert "timeout" in str(best.tuning) and "5 of 5 points tried" in str(best.tuning)


def test_where_all_candidates_fail_the_reasons_are_said():
    kernel = twice(tunables={"MODE": [3, 4], "BLOCK": [8]}, reference=lambda x: 2 * x)
    with pytest.raises(Error, match="no candidate of twice gave a right answer, of 2 that were tried"):
        weft.tune(kernel, np.arange(9.0), np.zeros(9), evaluations=2, remember=False)


def test_times_are_kept_and_used_again(own_store):
    kernel = twice(tunables={"MODE": [0], "BLOCK": [8, 64]})
    x, y = np.arange(50.0), np.zeros(50)
    first = weft.tune(kernel, x, y, evaluations=2)
    again = weft.tune(kernel, x, y, evaluations=2)
    assert all(candidate.is_known for candidate in again.tuning.candidates)
    assert {c.seconds for c in again.tuning.candidates} == {c.seconds for c in first.tuning.candidates}
    wider = weft.tune(twice(tunables={"MODE": [0], "BLOCK": [8, 16, 64]}), x, y, evaluations=3)
    assert sorted(c.is_known for c in wider.tuning.candidates) == [False, True, True]


@pytest.mark.opencl
def test_a_kernel_of_opencl_is_tuned_under_its_constraints(signal):
    x, mask, y = signal
    best = weft.tune(convolution(), x, mask, y, strategy="exhaustive", budget=120.0, remember=False)
    assert {c.point["wg"]: c.status for c in best.tuning.candidates} == dict.fromkeys((1, 8, 64, 256), "measured")
    best(x, mask, y)
    assert np.allclose(y, np.convolve(x, mask[::-1], "valid"), rtol=1e-5)


@pytest.mark.opencl
def test_limits_of_the_device_reject_points_with_a_reason(signal):
    x, mask, y = signal
    kernel = convolution(tunables={"wg": [8, 1 << 15]}, constraints=[])
    best = weft.tune(kernel, x, mask, y, strategy="exhaustive", budget=60.0, remember=False)
    rejected = next(c for c in best.tuning.candidates if c.point["wg"] == 1 << 15)
    assert rejected.status == "failed" and "the device has at most" in rejected.reason
    kernel.use({"wg": 1 << 15})
    with pytest.raises(ArgumentError, match="conv cannot run at .*32768 threads"):
        kernel(x, mask, y)


def test_points_are_found_for_a_device_that_is_not_here(signal):
    x, mask, y = signal
    kernel = convolution(tunables={"wg": range(1, 1025)})
    limits = {"sizes": (512, 512, 64), "threads": 256, "local": 1200, "units": 8}
    found = [point["wg"] for point in kernel.legal(kernel.bind(x, mask, y), limits)]
    assert sorted(found) == [1, 2, 4, 8, 16, 32, 64, 128]
    few = [point["wg"] for point in kernel.legal(kernel.bind(x, mask, y), limits, enough=False)]
    assert sorted(few) == [1, 2, 4, 8, 16, 32, 64, 128, 256]


def test_text_of_cuda_is_compiled_with_its_macros():
    pytest.importorskip("cuda.bindings.nvrtc")
    text = Text(CUDA, "scale", "cuda", {"FACTOR": 3})
    binary, name = compiled(text, "sm_90")
    assert binary[:4] == b"\x7fELF" and b"scale" in name
    piece, _ = compiled(Text(CUDA, "scale", "cuda", {"FACTOR": 3}, is_piece=True), "sm_90")
    assert b"weft_first_block" in piece and b"weft_first_block" not in binary
    with pytest.raises(RefusedError, match="NVRTC refuses the kernel\n  Cause: .*FACTOR"):
        compiled(Text(CUDA, "scale", "cuda"), "sm_90")


@pytest.mark.gpu
def test_a_kernel_of_cuda_is_tuned():
    kernel = weft.kernel(
        CUDA, "scale", arguments=(weft.In("x"), weft.Out("y"), "n"), grid=lambda n: (n,), block=("threads",),
        defines={"FACTOR": 3}, tunables={"threads": [32, 128, 1024, 2048]}, reference=lambda x: 3 * x,
    )  # fmt: skip
    x, y = np.arange(1000, dtype=np.float32), np.zeros(1000, np.float32)
    best = weft.tune(kernel, x, y, strategy="exhaustive", evaluations=4, remember=False)
    found = {c.point["threads"]: c.status for c in best.tuning.candidates}
    assert found == {32: "measured", 128: "measured", 1024: "measured", 2048: "failed"}
    best(x, y)
    assert y.tolist() == (3 * x).tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"tunables": {"UNUSED": [1, 2]}},
            "the tunable 'UNUSED' changes nothing: the source of conv never",
        ),
        ({"defines": {"WGS": "wg"}}, "the macro 'WGS' changes nothing"),
        ({"block": ()}, "the kernel has no grid"),
        ({"arguments": (weft.In("x"), weft.In("mask"), "n")}, "the kernel has no output"),
        ({"arguments": (weft.In("x"), weft.Out("y"), "n")}, "conv has 4 parameters, and 3 are described"),
        ({"arguments": (weft.In("x"), weft.In("mask"), weft.Out("y"), weft.In("n"))}, "'n' is a number in the source"),
        ({"arguments": (weft.In("x"), "mask", weft.Out("y"), "n")}, "'mask' is an array in the source"),
        ({"arguments": (weft.In("x"), weft.In("x"), weft.Out("y"), "n")}, "the argument name 'x' is twice there"),
        ({"arguments": (weft.In("x"), 3, weft.Out("y"), "n")}, "3 is no argument of a kernel"),
        ({"language": "fortran"}, "'fortran' is no language"),
        (
            {"arguments": (weft.In("x"), weft.In("mask"), weft.Out("y"), weft.Scalar("n", "int64"))},
            "'n' is int32 in the source (int n), not int64",
        ),
    ],
)
def test_descriptions_that_contradict_the_source_are_refused(options, message):
    with pytest.raises(ArgumentError) as caught:
        convolution(**options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x, m, y: (x.astype(np.float64), m, y), "'x' is an array of float64, and the kernel takes float32"),
        (lambda x, m, y: (x[::2], m, y), "'x' is not contiguous in memory"),
        (lambda x, m, y: (x, m), "'y' is missing"),
        (lambda x, m, y: (x, m, y, 2.5), "'n' is 2.5, which int32 cannot hold"),
        (lambda x, m, y: (x, m, y, 1 << 40), "which int32 cannot hold"),
        (lambda x, m, y: (x, m, y, "4"), "'n' is str, and the kernel takes a number"),
        (lambda x, m, y: (list(x), m, y), "'x' is list, and the kernel takes a NumPy array"),
        (lambda x, m, y: (x, m, np.broadcast_to(y, y.shape)), "'y' is written, and the array is read-only"),
        (lambda x, m, y: (x, m, y, 1, 2), "the kernel takes x, mask, y, n"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(signal, change, message):
    with pytest.raises(ArgumentError) as caught:
        convolution().bind(*change(*signal))
    assert message in str(caught.value)


def test_a_name_that_the_source_does_not_define_is_refused():
    with pytest.raises(ArgumentError, match="the source has no function 'thrice'"):
        weft.kernel(DOUBLE, "thrice", arguments=(weft.Out("y"),))


def test_a_file_that_is_not_there_is_refused():
    with pytest.raises(ArgumentError, match=r"'nowhere.cl' cannot be read: No such file or directory"):
        weft.kernel("nowhere.cl", "f", arguments=(weft.Out("y"),))


def test_declarations_are_read_past_comments_and_qualifiers():
    text = "/* f(int a) { */ void f(__global const float * restrict x, // no\n unsigned int n, uint8_t t[]) { }"
    found = [(one.is_pointer, one.dtype) for one in declared_in(text, "f") or []]
    assert found == [(True, "float32"), (False, "uint32"), (True, "uint8")]
