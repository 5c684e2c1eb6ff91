"""How wide the indices of a kernel are: chosen, written by hand, refused by name, and the same results."""

import ctypes
import re
import subprocess

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import program_of
from weft.analysis.values.widths import LARGEST, is_narrow
from weft.backends.cuda.dialect import generate_kernels as in_cuda
from weft.backends.gpu.modules import modules_of
from weft.backends.host import driver
from weft.backends.opencl.dialect import generate_kernels as in_opencl
from weft.errors import ArgumentError
from weft.ir.forms.json_form import from_json, to_json
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.plan.place import Layout, place
from weft.schedule import Indices, describe


def blurred(u, w, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = w[0] * (u[i - 1, j] + u[i + 1, j]) + w[1] * u[i, j]


def placed(*schedule, device="cuda", **options):
    arrays = np.zeros((8, 9), np.float32), np.zeros(2, np.float32), np.zeros((8, 9), np.float32)
    return place(program_of(blurred, arrays), device, schedule=schedule, **options)


def test_kernels_have_a_narrow_version_and_one_for_large_arrays():
    made = placed()
    assert [is_narrow(kernel) for kernel in made.kernels] == [True, False]
    assert made.kernel_names == ("blurred_0", "blurred_0_wide")
    assert made.kernel_lines == 2 * made.kernel_lines[:1]


def test_the_wide_version_is_compiled_when_it_is_needed():
    assert [(module.kernels, module.is_needed) for module in modules_of(placed().program)] == [
        (("blurred_0",), True),
        (("blurred_0_wide",), False),
    ]


def test_indices_can_be_wide_in_all_launches():
    made = placed(Indices("i", 64))
    assert made.kernel_names == ("blurred_0",)
    assert "index_t" not in in_cuda(made.program)
    assert made.nests[0].schedule[-1] == Indices("i", 64)


def test_narrow_indices_are_the_default_and_may_be_written():
    default, written = placed(), placed(Indices("i", 32))
    assert in_cuda(default.program) == in_cuda(written.program)
    assert "index_t" in in_cuda(default.program)
    assert "index_t" in in_opencl(placed(device="opencl").program)


@pytest.mark.parametrize("bits", [16, 0, 128])
def test_other_widths_are_refused(bits):
    with pytest.raises(ArgumentError, match="index-width"):
        placed(Indices("i", bits))


def sums(a, b):
    for i in range(a.shape[0]):
        row = a[i, 1::2]
        s = 0.0
        for j in range(len(row)):
            s += row[j]
        b[i] = s


def test_kernels_that_make_views_are_wide():
    program = program_of(sums, (np.zeros((3, 9)), np.zeros(3)))
    made = place(program, "cuda")
    if any(is_narrow(kernel) for kernel in made.kernels):
        pytest.skip("the view has been replaced by accesses to the array")
    with pytest.raises(ArgumentError, match="index-width: it makes a view of 'a'"):
        place(program, "cuda", schedule=(Indices("i", 32),))


def test_a_version_that_spills_gives_way_to_the_wide_one():
    usual = placed().nests[0]
    tried = placed().tried(usual)
    assert tried == (*usual.schedule, Indices("i", 32))
    made = placed(layout=Layout(avoid={usual.kernel: frozenset((tried,))}))
    assert made.kernel_names == ("blurred_0",)
    assert made.nests[0].schedule == usual.schedule == made.tried(made.nests[0])


def test_the_report_says_it():
    assert describe((Indices("i", 64), Indices("j", 32))).split("\n") == [
        "compute indices of i in 64 bits",
        "compute indices of j in 32 bits where they fit",
    ]


def test_a_version_comes_back_from_text_and_json():
    made = placed().program
    assert parse(to_text(made, locations=True)) == from_json(to_json(made)) == made


HELPERS = """
#include <stdbool.h>
#include <stdint.h>
static double weft_size(int64_t value) { return value < 0 ? -(double)value : (double)value; }
static double weft_reach(int64_t extent, int64_t stride, int64_t size) {
    return (double)extent * (stride > -size && stride < size ? (double)size : weft_size(stride));
}
"""


@pytest.fixture(scope="module")
def fits(tmp_path_factory):
    """The condition of the launch as a function of extents and strides in bytes, which are passed by name."""
    source = driver.generate(placed().program).source
    condition = re.search(r"bool fits = ([^;]*);", source)[1]
    names = sorted(set(re.findall(r"\b[a-z]\w*", condition)) - {"weft_reach", "weft_size", "double"})
    folder = tmp_path_factory.mktemp("fits")
    text, library = folder / "fits.c", folder / "fits.so"
    lines = [f"int64_t {name} = given[{k}];" for k, name in enumerate(names)]
    text.write_text(f"{HELPERS}int fits(const int64_t *given) {{ {' '.join(lines)} return {condition}; }}\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, text], check=True)
    function = ctypes.CDLL(str(library)).fits

    def call(rows, columns, stride):
        values = {name: columns - 2 if name.startswith("extent") else 2 for name in names}
        for array in "uv":
            values |= {f"{array}_n0": rows, f"{array}_n1": columns, f"{array}_s0": stride}
        values |= {"w_n0": 2, "extent": max(rows - 2, columns - 2, 0)}
        return bool(function((ctypes.c_int64 * len(names))(*(values[name] for name in names))))

    return call


@pytest.mark.parametrize(
    ("rows", "columns", "stride", "narrow"),
    [
        (8, 9, 36, True),
        (0, 0, 0, True),
        (16384, 16384, 65536, True),
        (2**15, 2**15, 2**17, True),
        (2**15, 2**16 - 4, 2**18, False),
        (2**15, 2**15, -(2**17), True),
        (2**16, 2**15, -(2**18), False),
        (2, 9, 2**33 + 4, False),
        (2, 9, 38, False),
        (2**31, 1, 4, False),
        (1, 2**31, 4, False),
        (2**30, 1, 4, False),
        (2**62, 2, 2**62, False),
        (3, 3, -(2**63), False),
        (LARGEST // 2 - 1024, 1, 4, True),
    ],
)
def test_the_launch_finds_whether_indices_fit(fits, rows, columns, stride, narrow):
    assert fits(rows, columns, stride) == narrow


def from_the_end(a, b, x, n):
    for i in range(n):
        p = 1
        s = 0.0
        for _ in range(5):
            q = max(p, 0)
            k = int(x[i])
            k = k + (q if k < 0 else 0)
            if 0 <= k:
                if k < a.shape[0]:
                    s = s + a[k]
            p = p * 2
        b[i] = s


@pytest.mark.opencl
def test_what_a_loop_adds_to_an_index_may_grow():
    x = np.arange(-10, 10).astype(np.int32)
    expected, got = np.zeros(20), np.zeros(20)
    from_the_end(np.arange(10.0), expected, x, 20)
    weft.jit(from_the_end, device="opencl")(np.arange(10.0), got, x, 20)
    np.testing.assert_array_equal(got, expected)
