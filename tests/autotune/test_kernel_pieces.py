"""Kernels of users on several devices: the bits of one device, or a refusal with a remedy."""

from __future__ import annotations

import copy
import itertools
import random

import numpy as np
import pytest

import weft
from tests.autotune.foreign_kernels import conv, parts, product, scale, smooth, transpose, twice
from tests.autotune.programs_with_kernels import PROGRAMS, numbers
from tests.split.halves import HALVES, two_halves
from weft.autotune.foreign.checking import ContradictionError
from weft.autotune.foreign.cut import dividing, pieces
from weft.autotune.foreign.cut.footprints import said
from weft.autotune.foreign.kernel import Kernel
from weft.autotune.foreign.touching import Touches, points_of
from weft.errors import ArgumentError, OutOfMemoryError, UnsupportedError
from weft.split.shares import Speeds

__all__ = ["two_halves"]
on_halves = pytest.mark.usefixtures("two_halves", "own_store")

HISTOGRAM = """__kernel void hist(__global const uchar *x, __global T *bins, int n) {
    int i = get_global_id(0);
    if (i < n) ADD;
}"""
BLOCKS = """__kernel void blocks(__global const int *x, __global int *y, int n) {
    __local int part[WG];
    int i = get_global_id(0), l = get_local_id(0);
    part[l] = i < n ? x[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) { int s = 0; for (int k = 0; k < WG; k++) s += part[k]; y[get_group_id(0)] = s; }
}"""
VECTORS = """__kernel void vectors(__global const float4 *x, __global float4 *y, int n) {
    int i = get_global_id(0);
    if (i < n) y[i] = x[i].wzyx;
}"""
UPDATED = """__kernel void updated(__global float *u, __global const float *v, int rows, int columns) {
    int j = get_global_id(0), i = get_global_id(1);
    if (i < rows && j < columns) u[i * columns + j] = 2 * u[i * columns + j] + v[i];
}"""


def histogram(kind="int", add="atomic_add(&bins[x[i]], 1)", **options):
    return weft.kernel(
        HISTOGRAM.replace("T ", f"{kind} ").replace("ADD", add), "hist",
        arguments=(weft.In("x"), weft.InOut("bins"), "n"), grid=lambda n: (n,), block=(32,),
        touches=lambda i: {"x": i, "bins": slice(None)}, **options,
    )  # fmt: skip


blocks = weft.kernel(
    BLOCKS, "blocks", arguments=(weft.In("x"), weft.Out("y"), "n"), grid=lambda n: (n,), block=("WG",),
    tunables={"WG": [8, 16]}, touches=lambda i, WG: {"x": i, "y": i // WG},
)  # fmt: skip
vectors = weft.kernel(
    VECTORS, "vectors", arguments=(weft.In("x"), weft.Out("y"), "n"), grid=lambda n: (n,), block=(4,),
    touches=lambda i: {"x": slice(4 * i, 4 * i + 4), "y": slice(4 * i, 4 * i + 4)},
)  # fmt: skip
updated = weft.kernel(
    UPDATED, "updated", arguments=(weft.InOut("u"), weft.In("v"), "rows", "columns"),
    grid=lambda rows, columns: (columns, rows), block=(4, 2), touches=lambda j, i: {"u": (i, j), "v": i},
)  # fmt: skip


def square(n, seed):
    return numbers(n * n, seed=seed).reshape(n, n)


CASES = {
    "scale": (scale, lambda n: (numbers(n), numbers(n, seed=1), 2, n - 3)),
    "conv": (conv, lambda n: (numbers(n + 8), numbers(9), numbers(n), n, 9)),
    "transpose": (transpose, lambda n: (numbers(7 * n, float).reshape(7, n), np.ones((n, 7)), 7, n)),
    "product": (product, lambda n: (*(square(n % 40 + 9, k) for k in range(3)), n % 40 + 9)),
    "sums of groups": (blocks, lambda n: (numbers(n, np.int32), np.zeros(-(-n // 8), np.int32), n)),
    "vectors": (vectors, lambda n: (numbers(4 * n), numbers(4 * n), n)),
    "in place": (updated, lambda n: (numbers(5 * n).reshape(n, 5), numbers(n), n, 5)),
}


@pytest.mark.opencl
@on_halves
@pytest.mark.parametrize("name", CASES)
def test_pieces_leave_what_one_device_leaves(name):
    kernel, arguments = CASES[name]
    kernel.check(*arguments(45))
    for size in (45, 20, 333, 333, 333):
        given, wanted = arguments(size), arguments(size)
        kernel(*wanted, device="opencl")
        kernel(*given, device=HALVES)
        assert all(np.array_equal(a, b) for a, b in zip(given, wanted, strict=True)), size
    ran = kernel.split
    assert [piece.device for piece in ran] == list(HALVES) and ran[0].stop == ran[1].start
    assert str(ran[0]).startswith(f"{kernel.name}: 0 to ")


@pytest.mark.opencl
@on_halves
@pytest.mark.parametrize(
    ("kind", "add"), [("int", "atomic_add(&bins[x[i]], 1)"), ("uint", "atomic_sub(&bins[x[i]], x[i])")]
)
def test_what_pieces_add_is_added_up(kind, add):
    x = np.random.default_rng(0).integers(0, 256, 5000).astype(np.uint8)
    start = np.arange(256).astype(np.int32 if kind == "int" else np.uint32)
    refused, kernel = histogram(kind, add), histogram(kind, add, combine="add")
    refused.check(x[:100], start, 100)
    with pytest.raises(ArgumentError, match="its pieces along x write the same elements of 'bins'") as caught:
        refused(x, start.copy(), 5000, device=HALVES)
    assert 'combine="add"' in str(caught.value)
    kernel.check(x[:10], start, 10)  # one group
    with pytest.raises(ArgumentError, match="no checked run has found that touches is right"):
        kernel(x, start.copy(), 5000, device=HALVES)
    kernel.check(x[:100], start, 100)
    whole, halves = start.copy(), start.copy()
    kernel(x, whole, 5000)
    kernel(x, halves, 5000, device=HALVES)
    assert np.array_equal(whole, halves) and not np.array_equal(whole, start)


@pytest.mark.opencl
@on_halves
def test_promises_that_a_checked_run_contradicts_are_refused():
    x, bins = np.arange(100, dtype=np.uint8), np.ones(256, np.int32)
    with pytest.raises(ContradictionError, match=r"something else than adding to bins\[0\]"):
        histogram(add="atomic_xchg(&bins[x[i]], 1)", combine="add").check(x, bins, 100)
    with pytest.raises(ContradictionError, match=r"idempotent, and a second run changes bins\[0\]"):
        histogram(idempotent=True).check(x, bins, 100)
    turned = UPDATED.replace("u[i *", "u[(rows - 1 - i) *")
    kernel = weft.kernel(
        turned, "updated", arguments=(weft.InOut("u"), weft.In("v"), "rows", "columns"),
        grid=lambda rows, columns: (columns, rows), block=(8, 2), touches=lambda j, i: {"u": (i, j), "v": i},
    )  # fmt: skip
    with pytest.raises(ContradictionError, match=r"one of its first 2 points along y (writes|reads|.*) u\["):
        kernel.check(np.ones((6, 5), np.float32), numbers(6), 6, 5)


@pytest.mark.opencl
@on_halves
@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["pipeline", "rows", "reduce_between"])
def test_programs_with_kernels_have_the_bits_of_one_device(name):
    scale.check(*CASES["scale"][1](70))
    conv.check(*CASES["conv"][1](70))
    function, arguments = PROGRAMS[name]
    whole, halves = weft.jit(function, device="opencl"), weft.jit(function, device=HALVES)
    for size in (17, 300):
        given, wanted = arguments(size), arguments(size)
        returned = whole(*wanted), halves(*given)
        assert np.array_equal(*map(np.asarray, returned))
        assert all(np.array_equal(a, b) for a, b in zip(given, wanted, strict=True)), size
    assert {"scale", "conv"} & {piece.loop for piece in halves.split}


@pytest.mark.opencl
@on_halves
def test_explain_says_how_a_kernel_is_cut():
    conv.check(*CASES["conv"][1](70))
    given = PROGRAMS["pipeline"][1](300)
    explained = weft.explain(weft.jit(PROGRAMS["pipeline"][0], device=HALVES), *given).split
    (kernel, loop) = explained.loops
    assert kernel.is_kernel and not loop.is_kernel and kernel.loop == "conv"
    for p in kernel.pieces:
        assert sorted(p.sent) == ["mask", "x"] and p.returned == {"y": 4 * (p.stop - p.start)}
        assert p.sent["x"] == 4 * (p.stop - p.start + 8)
    assert [kernel.pieces[0].start, kernel.pieces[0].stop, kernel.pieces[1].stop] == [0, kernel.pieces[1].start, 300]
    assert "kernel conv in line" in str(explained) and "cut along x of its grid in whole groups" in str(explained)


@pytest.mark.opencl
@on_halves
def test_kernels_that_cannot_be_cut_in_programs_are_refused_with_their_place():
    def blind(x, even, odd):
        parts(x, even, odd)

    def alone(x, y):
        twice(x, y)

    function = weft.jit(blind, device=HALVES)
    given = numbers(40, np.int32), numbers(40, np.int64), numbers(40, np.int64).astype(np.uint8)
    with pytest.raises(ArgumentError, match="nobody knows which elements a point of its grid touches") as caught:
        function(*given)
    assert "parts(x, even, odd)" in str(caught.value) and "touches=lambda i:" in str(caught.value)
    assert "nobody knows which elements" in str(weft.explain(function, *given).split)
    with pytest.raises(UnsupportedError, match="it has no loop outside of others"):
        weft.jit(alone, device=HALVES)(np.ones(5), np.ones(5))
    with pytest.raises(UnsupportedError, match="it runs a kernel that was written by hand"):
        weft.cluster(blind)(*given)


BAD = {
    "no such device": ((*HALVES[:1], "cpu"), "'cpu' cannot run the kernel scale"),
    "no names": ((1, 2), "are no devices"),
    "a number": (3, "are no devices"),
    "one device": ((HALVES[0],), "1 devices are nothing to split over"),
    "named twice": (("opencl", "opencl"), "is named twice"),
    "the same hardware": (("opencl", "opencl:0.1"), "are the same hardware"),
}


@pytest.mark.opencl
@on_halves
def test_bad_calls_are_refused():
    x = numbers(100)
    for devices, message in BAD.values():
        with pytest.raises(ArgumentError, match=message):
            scale(x, x.copy(), 2, 100, device=devices)
    with pytest.raises(ArgumentError, match="no checked run has found") as caught:
        scale(x, x.copy(), 2, 100, device=HALVES)
    assert "kernel.check(x, y, a, n)" in str(caught.value)
    scale.check(x, x.copy(), 2, 100)
    with pytest.raises(ArgumentError, match="'y' and 'x' may share memory"):
        scale(x, x, 2, 100, device=HALVES)
    smooth.check(x, x.copy(), 0.5)
    with pytest.raises(ArgumentError, match="its source asks for get_global_size"):
        smooth(x, x.copy(), 0.5, device=HALVES)
    transpose.check(np.ones((3, 20)), np.ones((20, 3)), 3, 20)  # one group along y
    transpose(np.ones((3, 20)), np.ones((20, 3)), 3, 20, device=HALVES)
    with pytest.raises(ArgumentError, match="the checked run had one group along y"):
        transpose(np.ones((20, 3)), np.ones((3, 20)), 20, 3, device=HALVES)
    for options, message in (
        ({"combine": "mul"}, "'mul' is no way to combine"),
        ({"combine": "add", "idempotent": True}, "does not do the same when it runs twice"),
    ):
        with pytest.raises(ArgumentError, match=message):
            histogram(**options)


# ----------------------------------------------------------------------------------------------- simulated devices


class Imitated:
    """A kernel on a device that is not there: ``y[i] = 3 * x[i] + x[i + 1]`` for the points of its groups."""

    def __init__(self, device):
        self.device, self.memory = device, {}

    def prepare(self, arguments, run):
        for name in ("x", "y"):
            window, array = run.window(name), arguments[name]
            self.memory[name] = np.full(window.before + array.nbytes, 0xA5, np.uint8)
            if window.is_sent:
                self.memory[name][window.before :] = array.view(np.uint8)

    def start(self, arguments, run):
        (first,), (threads,), (groups,) = run.first, run.block, run.groups
        for i in range(first * threads, (first + groups) * threads):
            if i < arguments["n"]:
                left, right = (self.at("x", i + k, run) for k in range(2))
                self.at("y", i, run)[0] = 3 * left[0] + right[0]
        return 0.0

    def at(self, name, index, run):
        place = run.window(name).place + 4 * index
        assert place >= 0, "before the memory of a device"
        return self.memory[name][place : place + 4].view(np.int32)

    def finish(self, arguments, run):
        arguments["y"].view(np.uint8)[:] = self.memory["y"][run.window("y").before :]


@pytest.fixture
def simulated(monkeypatch):
    """Four devices that are not there, each with a group size of its own."""
    sizes = dict(zip(("opencl:5", "opencl:6", "opencl:7", "opencl:8"), (4, 6, 9, 2), strict=True))
    limits = {"memory": 1 << 30, "allocation": 1 << 30}
    monkeypatch.setattr(Kernel, "confirmed", pieces_confirmed())
    monkeypatch.setattr(Kernel, "is_checked", True)
    monkeypatch.setattr(Kernel, "point_for", lambda kernel, values, device: {"wg": sizes[device]})
    monkeypatch.setattr(Kernel, "loaded_for", lambda kernel, point, values, device, run: Imitated(device))
    monkeypatch.setattr(pieces, "limits_of", lambda language, device: limits)
    monkeypatch.setattr(dividing, "model", lambda device: (device,))
    return tuple(sizes), limits


def pieces_confirmed():
    from weft.autotune.foreign.confirming import Confirmed

    return Confirmed((0,), frozenset())


def neighbours(**options):
    text = "__kernel void near(__global const int *x, __global int *y, int n) { wg; }"
    return weft.kernel(
        text, "near", arguments=(weft.In("x"), weft.Out("y"), "n"), grid=lambda n: (n,), block=("wg",),
        tunables={"wg": [2, 4, 6, 9]}, touches=lambda i: {"x": slice(i, i + 2), "y": i}, **options,
    )  # fmt: skip


def test_simulated_devices_with_groups_of_several_sizes(simulated):
    devices, _ = simulated
    kernel = neighbours(idempotent=True)
    for count, n in itertools.product((2, 3, 4), (1, 2, 9, 36, 37, 200)):
        x, y = np.arange(n + 1, dtype=np.int32), np.full(n + 5, -1, np.int32)
        ran = pieces.run_on(kernel, devices[:count], kernel.bind(x, y, n))
        assert y[:n].tolist() == [4 * i + 1 for i in range(n)] and (y[n:] == -1).all()
        assert [ran[0][2], *(r[3] for r in ran)] == [*(r[2] for r in ran), n], "pieces stand behind one another"
    with pytest.raises(ArgumentError, match="devices of different models") as caught:
        pieces.run_on(neighbours(), devices, neighbours().bind(x, y, n))
    assert "idempotent=True" in str(caught.value)


def test_a_piece_that_does_not_fit_says_what_would(simulated):
    devices, limits = simulated
    limits["allocation"] = 500
    kernel, x = neighbours(idempotent=True), np.zeros(2001, np.int32)
    with pytest.raises(OutOfMemoryError, match="does not fit into the memory of 'opencl:5'") as caught:
        pieces.run_on(kernel, devices[:2], kernel.bind(x, np.zeros(2000, np.int32), 2000))
    assert "points would fit" in str(caught.value)


def test_slices_cover_a_grid_with_whole_groups():
    choose = random.Random(1)
    for _ in range(500):
        groups = [choose.choice((1, 2, 3, 4, 8, 32, 48)) for _ in range(choose.randint(2, 5))]
        speeds, count = Speeds(len(groups)), choose.randint(1, 300)
        speeds.learn([(1, 1.0)] * len(groups)), speeds.learn([(1, 1.0)] * len(groups))
        speeds.learn([(choose.randint(1, 1000), choose.random() + 0.01) for _ in groups])
        owns, slices, twice_computed = dividing.ranges(count, groups, speeds)
        assert [0, *(end for _, end in owns)] == [*(begin for begin, _ in owns), count]
        for (begin, end), (low, high), group in zip(owns, slices, groups, strict=True):
            assert low % group == high % group == 0
            assert begin >= end or low <= begin < end <= high
        assert twice_computed >= 0 and (len(set(groups)) > 1 or not twice_computed)
    assert dividing.ranges(960, [64, 96], Speeds(2)) == ([(0, 512), (512, 960)], [(0, 512), (480, 960)], 32)


# ------------------------------------------------------------------------------------------------------ footprints

TOUCHES = {
    "a point": lambda i, j: {"x": (i, j)},
    "a window": lambda i, j: {"x": (slice(i - 1, i + 2), j)},
    "from the end": lambda i, j, n: {"x": (n - 1 - i, 2 * j - i)},
    "quotients": lambda i, j: {"x": (i // 3, (2 * i + j) % 4)},
    "with gaps": lambda i, j: {"x": (3 * i, slice(2 * j, 2 * j + 6, 2))},
    "diagonal": lambda i, j: {"x": (i, i)},
    "rows": lambda i, j: {"x": i + j},
    "up to a point": lambda i, j: {"x": (slice(None, i), slice(j, None))},
    "all of some": lambda i, j: {"x": (slice(1, 4), slice(None))},
    "blocks": lambda i, j: {"x": (slice(4 * i, 4 * i + 4), slice(-j, 3 - j))},
}


@pytest.mark.parametrize("name", TOUCHES)
def test_boxes_hold_what_points_touch(name):
    x, n = np.zeros((9, 11)), 7
    known = {"x": x, "n": n}
    touches = Touches(TOUCHES[name], ("x",), known)
    found = said(touches, known)["x"]
    for box in itertools.product(((0, 7), (2, 3), (1, 5)), ((0, 3), (2, 6))):
        points = [p for p in points_of((7, 6)) if all(low <= c < high for c, (low, high) in zip(p, box, strict=True))]
        marks = touches.of_points(points, known)["x"]
        shown = np.zeros(x.shape, bool)
        shown[tuple(slice(low, high) for low, high in found.box(box))] = True
        assert not (marks & ~shown).any()
        assert not found.is_filled or np.array_equal(marks, shown)
    assert found.is_filled == (name in ("a point", "a window", "all of some", "blocks"))


@pytest.mark.parametrize(
    "function",
    [
        lambda i, j: {"x": max(i, 0)}, lambda i, j: {"x": i if i < 3 else 0}, lambda i, j: {"x": i * j},
        lambda i, j: {"x": [1, 2, 3][i]}, lambda i, j: {"x": 0 if i == 1 else j}, lambda i, j: {"x": i / 2},
        lambda i, j: {"x": int(i)}, lambda i, j: {"x": 5 if i else 0}, lambda i, j: {"x": i % j},
    ],
)  # fmt: skip
def test_what_is_not_followed_says_nothing(function):
    known = {"x": np.zeros((9, 11))}
    assert said(Touches(function, ("x",), known), known) is None


def test_kernels_are_copied_with_what_they_promise():
    assert copy.copy(histogram(combine="add")).combine == "add"
