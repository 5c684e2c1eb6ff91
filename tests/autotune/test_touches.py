"""What kernels touch: a checked run compares it with what they do, and plans of compiled functions use it."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.autotune.foreign_kernels import SCALE, conv, product, scale, smooth, transpose
from tests.autotune.programs_with_kernels import numbers
from weft.autotune.foreign.checking import ContradictionError
from weft.autotune.foreign.kernel import Kernel
from weft.autotune.foreign.touching import Touches, points_of
from weft.errors import ArgumentError
from weft.ir.reference.machine import Machine

TEXT = SCALE.replace("T ", "float ")


def described(touches, text=TEXT, **options):
    given = {
        "arguments": (weft.In("x"), weft.Out("y"), "a", "n"),
        "grid": lambda n: (n,),
        "block": (16,),
        "touches": touches,
    }
    return weft.kernel(text, "scale", **{**given, **options})


def arrays():
    return np.arange(1, 101, dtype=np.float32), np.zeros(100, np.float32)


def point_by_point(i):
    return {"x": i, "y": i}


FINE = {
    "scale": (scale, lambda: (numbers(100), numbers(100), 2, 90)),
    "conv": (conv, lambda: (numbers(108), numbers(9), numbers(100), 100, 9)),
    "transpose": (transpose, lambda: (numbers(150, float).reshape(10, 15), np.zeros((15, 10)), 10, 15)),
    "product": (
        product,
        lambda: (numbers(400).reshape(20, 20), numbers(400).reshape(20, 20), numbers(400).reshape(20, 20), 20),
    ),
    "smooth": (smooth, lambda: (numbers(50), numbers(50), 0.5)),
}


@pytest.mark.opencl
@pytest.mark.parametrize("name", FINE)
def test_a_kernel_that_does_what_is_said_is_found_right(name, own_store):
    kernel, given = FINE[name]
    arguments = given()
    before = [np.copy(value) for value in arguments]
    assert not kernel.is_checked
    kernel.check(*arguments)
    assert kernel.is_checked
    assert all(np.array_equal(one, other) for one, other in zip(before, arguments, strict=True))


WRONG = {
    "another element is written": (lambda i: {"x": i, "y": i + 1}, TEXT, r"it writes y\[0\], which no point touches"),
    "more is said to be written": (
        lambda i: {"x": i, "y": slice(i - 1, i + 1)}, TEXT.replace("i < n", "i > 4 && i < n"),
        r"it does not write y\[0\], which the point \[0\] touches",
    ),
    "another element is read": (
        lambda i: {"x": i + 1, "y": i}, TEXT,
        r"it reads x\[0\] for y\[0\], in the point \[0\], which does not touch that",
    ),
    "points write those of others": (
        point_by_point, TEXT.replace("y[i] =", "y[n - 1 - i] ="),
        r"one of its first 16 points along x writes y\[84\], which the point \[84\] touches, and none of these",
    ),
    "points read those of others": (
        point_by_point, TEXT.replace("x[i]", "x[(i + 1) % n]"),
        r"it reads x\[16\] for y\[15\], in the point \[15\], which does not touch that",
    ),
    "it writes only some": (
        point_by_point, TEXT.replace("y[i] =", "if (x[i] > 50) y[i] ="),
        r"it does not write y\[0\], which the point \[0\]",
    ),
    "it accumulates": (
        point_by_point, TEXT.replace("y[i] =", "y[i] +="), r"what it writes to y\[0\] depends on what was in an output",
    ),
    "it reads outside": (
        point_by_point, TEXT.replace("x[i]", "x[i + 1]"), r"the kernel scale reads outside of an array for y\[99\]",
    ),
    "it writes outside": (
        point_by_point, TEXT.replace("i < n", "i <= n"), r"writes outside of 'y': 1 element behind the last one",
    ),
    "it writes before the first": (
        point_by_point, TEXT.replace("y[i] =", "y[i - 2] ="), r"writes outside of 'y': 2 elements before the first one",
    ),
    "it writes an input": (
        point_by_point, TEXT.replace("const ", "").replace("y[i] =", "x[i] = 3; y[i] ="),
        r"it writes x\[0\], and 'x' is described as weft.In",
    ),
}  # fmt: skip
"""What is said, the text, and the contradiction."""


@pytest.mark.opencl
@pytest.mark.parametrize("case", WRONG)
def test_a_checked_run_finds_what_contradicts_the_description(case, own_store):
    touches, text, message = WRONG[case]
    kernel = described(touches, text)
    with pytest.raises(ContradictionError, match=message):
        kernel.check(*arrays(), 2)
    assert not kernel.is_checked


@pytest.mark.opencl
def test_tuning_checks_what_a_kernel_touches(own_store):
    with pytest.raises(ContradictionError, match=r"it writes y\[0\], which no point touches"):
        weft.tune(described(lambda i: {"x": i, "y": i + 1}), *arrays(), 2, evaluations=1)
    right = described(point_by_point)
    weft.tune(right, *arrays(), 2, evaluations=1)
    assert right.is_checked


@pytest.mark.opencl
def test_one_group_proves_nothing_of_the_others(own_store):
    kernel = described(point_by_point)
    kernel.check(numbers(10), numbers(10), 2)
    assert not kernel.is_checked


@pytest.mark.opencl
def test_kernels_without_touches_are_checked_for_their_outputs(own_store):
    described(None).check(*arrays(), 2)
    with pytest.raises(ContradictionError, match="depends on what was in an output before"):
        described(None, TEXT.replace("y[i] =", "y[i] +=")).check(*arrays(), 2)


def test_functions_in_c_are_checked_too():
    text = "void f(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] += 2 * x[i]; }"
    made = weft.kernel(text, "f", arguments=(weft.In("x"), weft.Out("y"), "n"), language="c")
    with pytest.raises(ContradictionError, match="depends on what was in an output before") as caught:
        made.check(np.ones(5), np.ones(5))
    assert 'weft.InOut("y")' in str(caught.value)
    weft.kernel(text, "f", arguments=(weft.In("x"), weft.InOut("y"), "n"), language="c").check(np.ones(5), np.ones(5))


BAD = {
    "no counter": (lambda: {}, "touches takes nothing"),
    "an unknown name": (lambda i, m: {"y": m}, r"touches has 2 counters, and the grid has 1 dimensions"),
    "no dictionary": (lambda i: i, "touches returns 0"),
    "no such array": (lambda i: {"z": i}, "the arrays of the kernel are x, y"),
    "a float": (lambda i: {"y": i / 2}, "touches says 0.0 of 'y'"),
    "steps down": (lambda i: {"y": slice(i, i + 2, -1)}, "touches has the step -1 for 'y'"),
    "too many axes": (lambda i: {"y": (i, i)}, "of 'y', which has 1 dimensions"),
    "an unknown name behind a known one": (lambda i, n, m: {"y": m}, "'m' is neither an argument nor a tunable"),
}


@pytest.mark.opencl
@pytest.mark.parametrize("case", BAD)
def test_descriptions_that_say_nothing_are_refused(case):
    touches, message = BAD[case]
    with pytest.raises(ArgumentError, match=message):
        described(touches).check(*arrays(), 2)


def test_an_empty_grid_is_nothing_to_check():
    with pytest.raises(ArgumentError, match="the grid has no points"):
        described(point_by_point).check(numbers(0), numbers(0), 2)


def test_a_function_in_c_has_no_points():
    with pytest.raises(ArgumentError, match="touches has no points"):
        weft.kernel(
            "void f(double *y, int n) {}", "f", arguments=(weft.Out("y"), "n"), touches=lambda i: {"y": i}, language="c"
        )


# ------------------------------------------------------------------------------------------------ parts in programs

PARTS = {
    "a point": lambda i: {"x": i, "y": i},
    "a window": lambda i: {"x": slice(i - 1, i + 2), "y": i},
    "behind one another": lambda i: {"x": slice(2 * i, 2 * i + 2), "y": slice(2 * i, 2 * i + 2)},
    "with gaps": lambda i: {"x": slice(3 * i, 3 * i + 2), "y": 2 * i},
    "from the end": lambda i, n: {"x": n - 1 - i, "y": n - i - 1},
    "shifted": lambda i, m: {"x": slice(i, i + m), "y": i + m},
    "scaled by a number": lambda i, m: {"x": slice(m * i, m * i + m), "y": slice(i * m, i * m + m)},
    "all": lambda i: {"x": slice(None), "y": slice(3, None)},
    "up to a point": lambda i: {"x": slice(None, i), "y": slice(i, None)},
    "by extents": lambda i, x: {"x": len(x) - 1 - i, "y": slice(x.shape[0] // 2, x.shape[0] // 2 + 1)},
    "every second": lambda i: {"x": slice(i, i + 4, 2), "y": slice(i, i + 4, 2)},
    "by a remainder": lambda i, n: {"x": i % 4, "y": n % 4},
    "only one array": lambda i: {"y": i},
}


def _nothing(x, y, n, m):
    pass


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize(
    "sizes", [(20, 20, 20, 3), (20, 20, 6, 2), (20, 9, 12, 1), (5, 20, 0, 4), (3, 3, 40, 5), (1, 1, 1, 0)]
)
def test_parts_of_calls_are_what_all_points_touch(name, sizes, monkeypatch):
    monkeypatch.setattr(Kernel, "is_checked", True)
    touches = PARTS[name]
    text = "__kernel void k(__global float *x, __global float *y, int n, int m) { }"
    kernel = weft.kernel(
        text, "k", arguments=(weft.In("x"), weft.Out("y"), "n", "m"), grid=lambda n: (n,), block=(1,), touches=touches,
        reference=_nothing,
    )  # fmt: skip
    seen = []
    real = Machine.external
    monkeypatch.setattr(
        Machine, "external", lambda self, name, given, reads, writes, site: (
            seen.append((given, reads, writes)), real(self, name, given, reads, writes, site)
        )[1],
    )  # fmt: skip

    def function(x, y, n, m):
        kernel(x, y, n, m)

    columns, rows, n, m = sizes
    x, y = np.zeros(columns, np.float32), np.zeros(rows, np.float32)
    compiled = weft.jit(function, device="interpreter")
    compiled(x, y, n, m)
    step = next(iter(compiled.specialise(x, y, n, m).source_program.externals.values())).step
    known = {"x": x, "y": y, "n": n, "m": m}
    said = Touches(touches, ("x", "y"), known).of_points(points_of((n,)), known)
    ((_, (read,), (written,)),) = seen
    for array, view, mark, is_filled in ((x, read, said.get("x"), False), (y, written, said.get("y"), step.filled[0])):
        shown = np.zeros(array.shape, bool)
        if view.size:
            first = (view.ctypes.data - array.ctypes.data) // array.itemsize
            shown[first : first + view.size] = True
        mark = np.ones(array.shape, bool) if mark is None and n else mark
        if mark is not None:
            assert not (mark & ~shown).any(), "something is touched that the call does not say"
        if is_filled:
            assert np.array_equal(shown, mark if mark is not None else np.zeros(array.shape, bool))


@pytest.mark.opencl
def test_an_output_that_is_written_as_a_whole_is_not_sent(monkeypatch, own_store):
    kernel = described(point_by_point)
    kernel.check(*arrays(), 2)

    def function(x, y, z, n):
        kernel(x, y, 2.5, n)
        for i in range(len(z)):
            z[i] = y[i] + 1

    compiled = weft.jit(function, device="opencl")
    given = numbers(100), numbers(100), numbers(100), 30
    plan = str(weft.explain(compiled, *given).plan).splitlines()
    assert [line.split(" bytes")[0] for line in plan if line.startswith("copy in")] == [
        "copy in x[:t], 4*t", "copy in y[t:z.shape[0]], 4*(z.shape[0] - t)",
    ]  # fmt: skip
    compiled(*given)
    wanted = given[1].copy()
    wanted[:30] = np.float32(2.5) * given[0][:30]
    assert np.array_equal(given[2], wanted + 1)


@pytest.mark.opencl
def test_what_was_not_checked_is_not_used(own_store):
    kernel = described(lambda i: {"x": i, "y": slice(i, i + 1)})

    def function(x, y):
        kernel(x, y, 2)

    plan = str(weft.explain(weft.jit(function, device="opencl"), *arrays()).plan)
    assert "copy in y" in plan
    kernel.check(*arrays(), 2)
    plan = str(weft.explain(weft.jit(function, device="opencl"), *arrays()).plan)
    assert "copy in y" not in plan
