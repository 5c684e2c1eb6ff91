"""The pruned sets of A. Erdem's thesis (Milano, 2016, table 4.3): convolution and product on its four devices."""

from __future__ import annotations

import numpy as np
import pytest

import weft

CPU = {"sizes": (8192, 8192, 8192), "threads": 8192, "local": 32768}
DEVICES = {
    "workstation CPU": {**CPU, "units": 4},
    "workstation GPU": {"sizes": (512, 512, 64), "threads": 512, "local": 16384, "units": 2},
    "laptop CPU": {**CPU, "units": 8},
    "laptop GPU": {"sizes": (1024, 1024, 64), "threads": 1024, "local": 49152, "units": 2},
}
SMALL = [1, 2, 4, 5, 8, 10, 16, 20, 32, 40, 64, 80, 128, 160, 256, 320, 512]
LARGE = [*SMALL, 640, 1024, 1280, 2048, 2560, 4096, 5120]
CONVOLUTION = {
    "workstation CPU": LARGE, "workstation GPU": SMALL, "laptop CPU": LARGE, "laptop GPU": [*SMALL, 640, 1024],
}  # fmt: skip
PRODUCT = {
    "workstation CPU": [1, 2, 4, 8, 16, 32, 64],
    "workstation GPU": [1, 2, 4, 8, 16],
    "laptop CPU": [1, 2, 4, 8, 16, 32, 64],
    "laptop GPU": [1, 2, 4, 8, 16, 32],
}


@pytest.mark.parametrize("device", DEVICES)
def test_groups_of_the_convolution(device):
    kernel = weft.kernel(
        "__kernel void conv(__global const float *x, __global const float *m, __global float *y, int n) { y[WG] = 0; }",
        "conv", arguments=(weft.In("x"), weft.In("mask"), weft.Out("y"), "n"), grid=lambda n: (n,), block=("WG",),
        tunables={"WG": range(1, 8193)}, constraints=["n % WG == 0"],
        local_bytes=lambda mask, WG: (len(mask) + WG - 1) * 4,
    )  # fmt: skip
    count = 655360
    values = kernel.bind(np.zeros(count + 624, np.float32), np.zeros(625, np.float32), np.zeros(count, np.float32))
    assert sorted(point["WG"] for point in kernel.legal(values, DEVICES[device])) == CONVOLUTION[device]


@pytest.mark.parametrize("device", DEVICES)
def test_tiles_of_the_product(device):
    kernel = weft.kernel(
        "__kernel void mm(__global const float *a, __global float *c, int n) { c[TILE] = 0; }",
        "mm", arguments=(weft.In("a"), weft.Out("c"), "n"), grid=lambda n: (n, n), block=("TILE", "TILE"),
        tunables={"TILE": range(1, 257)}, constraints=["n % TILE == 0"], local_bytes=lambda TILE: 8 * TILE**2,
    )  # fmt: skip
    values = kernel.bind(np.zeros(4, np.float32), np.zeros(4, np.float32), 1024)
    assert sorted(point["TILE"] for point in kernel.legal(values, DEVICES[device])) == PRODUCT[device]
