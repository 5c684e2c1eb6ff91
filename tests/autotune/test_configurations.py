"""Kernels from configuration files of the thesis, and spaces as models of MiniZinc."""

from __future__ import annotations

import copy
import json
import re

import numpy as np
import pytest

import weft
from weft.errors import ArgumentError

MATMUL = """
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n) {
    __local float left[TILE_SIZE][TILE_SIZE], right[TILE_SIZE][TILE_SIZE];
    int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float s = 0.0f;
    for (int t = 0; t < n; t += TILE_SIZE) {
        left[y][x] = a[row * n + t + x];
        right[y][x] = b[(t + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE_SIZE; k++) s += left[y][k] * right[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = s;
}
"""


def task(rows, tile, kind, device, priority):
    return {
        "launch_config": {"globalsize": [512, rows, 1], "groupsize": [tile, tile, 1]},
        "build_flags": [f"TILE_SIZE={tile}"],
        "hardware": {"cl_version": "1.1", "dev_type": kind, "device": device, "vendor": "a vendor"},
        "priority": priority,
    }


APPENDIX_B = {
    "configs": [
        {
            "split_type": "overlap",
            "kernel_name": "matmul",
            "kernel_file": "matmul.cl",
            "split_factors": [0.5625, 0.4375],
            "split_dim": 1,
            "task_configs": [task(288, 16, "CPU", "i7-2630QM", 1), task(224, 32, "GPU", "GeForce GT 550M", 0)],
        }
    ]
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "matmul.cl").write_text(MATMUL)
    return tmp_path


def written(folder, content):
    path = folder / "matmul.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


@pytest.mark.parametrize("without_braces", [False, True])
def test_the_file_of_the_thesis_is_read_with_offsets(folder, without_braces):
    content = json.dumps(APPENDIX_B)
    kernel = weft.kernel.from_json(written(folder, content[1:-1] if without_braces else content))
    found = kernel.configuration
    assert (found.grid, found.axis, found.overlap) == ((512, 512, 1), 1, 0)
    assert [(s.device, s.offset, s.size, s.group, s.defines) for s in found.slices] == [
        ("GeForce GT 550M", (0, 0, 0), (512, 224, 1), (32, 32, 1), {"TILE_SIZE": 32}),
        ("i7-2630QM", (0, 224, 0), (512, 288, 1), (16, 16, 1), {"TILE_SIZE": 16}),
    ]
    assert [type(argument).__name__ for argument in kernel.arguments] == ["In", "In", "InOut", "Scalar"]


@pytest.mark.opencl
def test_a_kernel_that_was_read_runs(folder):
    kernel = weft.kernel.from_json(written(folder, APPENDIX_B))
    rng = np.random.default_rng(0)
    a, b, c = rng.random((512, 512), np.float32), rng.random((512, 512), np.float32), np.zeros((512, 512), np.float32)
    kernel(a, b, c, 512)
    assert np.allclose(c, a @ b, rtol=1e-4)


def test_overlap_is_clamped(folder):
    content = copy.deepcopy(APPENDIX_B)
    (one,) = content["configs"]
    one["split_factors"] = [480 / 512, 224 / 512]
    one["task_configs"][0]["launch_config"]["globalsize"][1] = 480
    found = weft.kernel.from_json(written(folder, content)).configuration
    assert found.overlap == 192 and [s.offset[1] for s in found.slices] == [0, 32]


def changed(change):
    content = copy.deepcopy(APPENDIX_B)
    change(content["configs"][0])
    return content


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[", "is no configuration of a kernel"),
        ({}, "is no configuration of a kernel: KeyError: 'configs'"),
        ({"configs": []}, "is no configuration of a kernel: IndexError"),
        (changed(lambda c: c.pop("kernel_name")), "KeyError: 'kernel_name'"),
        (changed(lambda c: c.update(kernel_name="other")), "the source has no function 'other'"),
        (changed(lambda c: c.update(kernel_file="other.cl")), "cannot be read"),
        (changed(lambda c: c.update(split_factors=[0.5, 0.5])), "split_factors contradicts the rest"),
        (changed(lambda c: c.update(split_dim=7)), "split_dim contradicts the rest"),
        (
            changed(lambda c: c["task_configs"][0]["launch_config"].update(groupsize=[7, 16, 1])),
            "512 points in dimension 0 are no whole groups of 7",
        ),
        (
            changed(lambda c: c["task_configs"][0]["launch_config"].update(globalsize=[256, 288, 1])),
            "globalsize contradicts the rest",
        ),
    ],
)
def test_files_that_contradict_themselves_are_refused(folder, content, message):
    with pytest.raises(ArgumentError) as caught:
        weft.kernel.from_json(written(folder, content))
    assert message in str(caught.value)


SOURCE = (
    """__kernel void conv(__global const float *x, __global float *y, int n) { y[get_global_id(0)] = x[0] + WG; }"""
)


def conv(**options):
    described = {"tunables": {"WG": range(1, 33)}, "constraints": ["n % WG == 0", "WG > 2 or WG == 1"]}
    arguments = (weft.In("x"), weft.Out("y"), "n")
    return weft.kernel(SOURCE, "conv", arguments=arguments, grid=lambda n: (n,), block=("WG",), **described | options)


def test_a_space_is_written_as_a_model_of_minizinc():
    x = np.zeros(96, np.float32)
    text = conv().export(
        "mzn", x, x.copy(), limits={"sizes": (512, 512, 64), "threads": 512, "local": 16384, "units": 4}
    )
    assert "constraint ((96 mod WG) = 0); % n % WG == 0" in text
    assert "constraint ((WG > 2) \\/ (WG = 1));" in text
    assert "int: max_wg_size_z = 64;" in text and "int: local_mem_size = 16384;" in text
    assert text.count("solve satisfy;") == 1 and "var {1, 2, 3, " in text


def test_functions_are_tables_of_what_they_allow():
    x = np.zeros(96, np.float32)
    text = conv(constraints=[lambda WG, n: n % WG == 0 and WG > 8]).export("mzn", x, x.copy())
    (values,) = re.findall(r"table\(\[WG\], \[\|(.*)\|\]\)", text)
    assert values.split(" | ") == ["12", "16", "24", "32"]


@pytest.mark.parametrize(
    ("options", "form", "message"),
    [
        ({}, "xml", "'xml' is no form"),
        ({"tunables": {"WG": [0.5, 1.0]}, "constraints": []}, "mzn", "'WG' is no whole number"),
        ({"tunables": {}, "constraints": [], "block": (1,), "defines": {"WG": 1}}, "mzn", "conv has no tunables"),
    ],
)
def test_what_cannot_be_exported_is_refused(options, form, message):
    x = np.zeros(96, np.float32)
    described = {"tunables": {"WG": range(1, 33)}, "constraints": ["n % WG == 0"], "block": ("WG",), **options}
    arguments = (weft.In("x"), weft.Out("y"), "n")
    kernel = weft.kernel(SOURCE, "conv", arguments=arguments, grid=lambda n: (n,), **described)
    with pytest.raises(ArgumentError) as caught:
        kernel.export(form, x, x.copy())
    assert message in str(caught.value)
