"""Versions of tiles: each does what the kernel does, in the launches that it is for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.schedule.scheduled import program_of
from weft.ir import nodes as n
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.ir.reference.interpreter import run
from weft.ir.types import FLOAT32, PYBOOL, View
from weft.ir.visit import rewrite, walk
from weft.plan.place import place
from weft.schedule import Bind, Privatise, Stage, Turn, frame
from weft.schedule.versions import version_for, ways

SMALL = (Bind("j", "x", 4, 4, 4), Bind("i", "y", 4, 2), Stage("k", 4))
RING = (Bind("j", "x", 4, 4, 4), Bind("i", "y", 4, 2), Stage("k", 4, buffers=3))

VIEW = n.Var("a", View(FLOAT32, 2))


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = np.float32(0)
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def arrays(rows, columns, depth):
    generator = np.random.default_rng(1)
    a, b = (generator.integers(-9, 9, shape).astype(np.float32) for shape in ((rows, depth), (depth, columns)))
    return a, b, np.zeros((rows, columns), np.float32)


def with_version(program, position):
    """A program that launches a version of each kernel, by its place among them."""

    def change(statement):
        if not isinstance(statement, n.Launch):
            return statement
        return replace(statement, kernel=ways(statement.kernel)[position])

    return replace(program, body=rewrite(program.body, change))


def tile_of(schedule):
    given = arrays(8, 16, 8)
    placed = place(program_of(product, given), "cuda", schedule=schedule)
    (kernel,) = {s.kernel for s in walk(placed.program.body) if isinstance(s, n.Launch)}
    return placed.program, kernel


@pytest.mark.parametrize("schedule", [SMALL, RING], ids=["two buffers", "ring"])
@pytest.mark.parametrize("shape", [(8, 16, 8), (16, 32, 8), (8, 16, 5), (24, 16, 0), (7, 12, 8), (9, 20, 5), (1, 4, 1)])
def test_launches_of_aligned_runs_run_the_version_for_these(schedule, shape):
    program, _ = tile_of(schedule)
    a, b, c = arrays(*shape)
    run(with_version(program, 0), (a, b, c))
    np.testing.assert_array_equal(c, a @ b)


@pytest.mark.parametrize("schedule", [SMALL, RING], ids=["two buffers", "ring"])
@pytest.mark.parametrize("shape", [(8, 16, 8), (7, 15, 8), (1, 1, 1), (9, 17, 11), (24, 16, 0)])
def test_the_version_for_arrays_that_are_not_aligned_is_right_for_all(schedule, shape):
    program, _ = tile_of(schedule)
    a, b, c = arrays(*shape)
    run(with_version(program, 1), (a, b, c))
    np.testing.assert_array_equal(c, a @ b)


def values_of(kernel, rows, columns, pitch):
    """Values of the parameters of a kernel for arrays with rows of so many bytes."""
    extents = {"i_extent": rows, "j_extent": columns}
    known = {p.name: extents.get(p.name.partition(".")[0], 0) for p in kernel.params}
    return {**known, **{f"{view.name}.strides[0]": pitch for view, _ in kernel.uniform.aligned}}


def test_the_version_follows_from_extents_and_rows():
    _, kernel = tile_of(SMALL)
    chosen = [
        version_for(kernel, values_of(kernel, *sizes)).name.removeprefix(kernel.name)
        for sizes in ((8, 16, 64), (16, 32, 128), (9, 16, 64), (8, 17, 80), (8, 16, 68), (9, 17, 68))
    ]
    assert chosen == ["_runs", "_runs", "_runs", "_single", "_single", "_single"]


def test_a_version_has_half_of_the_kernel():
    _, kernel = tile_of(SMALL)
    in_runs, single, both = (sum(1 for _ in walk(made.body)) for made in (*ways(kernel), kernel))
    assert max(in_runs, single) < 0.7 * both and in_runs + single > both


def transposed(x, out):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[j, i] = x[i, j]


def histogram(x, counts):
    for i in range(len(x)):
        counts[x[i]] += 1


def kernel_of(function, given, schedule):
    """A placed program, and its one kernel."""
    placed = place(program_of(function, given), "cuda", schedule=schedule)
    (kernel,) = {s.kernel for s in walk(placed.program.body) if isinstance(s, n.Launch)}
    return placed.program, kernel


@pytest.fixture
def of_any_length(monkeypatch):
    """Kernels have versions for each way to access arrays also if they are short."""
    monkeypatch.setattr(frame, "LONG", 0)
    monkeypatch.setattr(frame, "LONG_WAY", 0)


TURNED = (Bind("i", "x", 2, 4, 4), Bind("j", "y", 2, 4), Turn("j"))
KEYS = (Bind("i", "x", 4, 16, 4), Privatise("counts", 8, copies=2, few=4))


@pytest.mark.parametrize(("position", "shape"), [(0, (16, 8)), (0, (12, 9)), (1, (16, 8)), (1, (13, 7))])
def test_each_way_of_a_transposition_is_right_where_it_runs(of_any_length, position, shape):
    x, out = np.random.default_rng(1).random(shape).astype(np.float32), np.zeros(shape[::-1], np.float32)
    program, kernel = kernel_of(transposed, (x, out), TURNED)
    assert [way.name.removeprefix(kernel.name) for way in ways(kernel)] == ["_runs", "_single"]
    run(with_version(program, position), (x, out))
    np.testing.assert_array_equal(out, x.T)


def test_short_kernels_have_both_ways():
    _, kernel = kernel_of(transposed, (np.zeros((8, 8)), np.zeros((8, 8))), TURNED)
    assert kernel.uniform is None


@pytest.mark.parametrize(("position", "many"), [(0, 4), (1, 8), (2, 20), (2, 3)])
def test_each_way_to_update_by_key_is_right_where_it_runs(of_any_length, position, many):
    x = np.random.default_rng(many).integers(0, many, 300).astype(np.int32)
    counts = np.zeros(many, np.int32)
    program, kernel = kernel_of(histogram, (x, counts), KEYS)
    run(with_version(program, position), (x, counts))
    np.testing.assert_array_equal(counts, np.bincount(x, minlength=many))


def test_the_way_to_update_by_key_follows_from_the_number_of_keys(of_any_length):
    _, kernel = kernel_of(histogram, (np.zeros(9, np.int32), np.zeros(9, np.int32)), KEYS)
    few, some, many = ways(kernel)
    ((view, most),) = kernel.uniform.few
    for extent, version in ((most, few), (most + 1, some), (8, some), (9, many)):
        assert version_for(kernel, {f"{view.name}.shape[0]": extent}).name == version.name
    assert len({few.name, some.name, many.name}) == 3


def test_the_text_of_a_kernel_says_all_its_ways(of_any_length):
    program, kernel = kernel_of(histogram, (np.zeros(9, np.int32), np.zeros(9, np.int32)), KEYS)
    (read,) = {s.kernel for s in walk(parse(to_text(program)).body) if isinstance(s, n.Launch)}
    assert read.uniform == kernel.uniform


def test_rows_that_end_early_have_no_vectors():
    uniform = n.Uniform(n.Var("t", PYBOOL), whole=((VIEW, 4),), aligned=((VIEW, 16),))
    test = n.If(uniform.test, n.Block(()), n.Block(()))
    kernel = n.Kernel("k", (VIEW,), n.Block((test,)), uniform=uniform)
    for extent, pitch, suffix in ((64, 256, "_runs"), (61, 256, "_single"), (64, 260, "_single")):
        sizes = {f"{VIEW.name}.shape[1]": extent, f"{VIEW.name}.strides[0]": pitch}
        assert version_for(kernel, sizes).name == f"k{suffix}"


def test_other_devices_have_one_version():
    placed = place(program_of(product, arrays(8, 16, 8)), "opencl", schedule=SMALL)
    assert all(kernel.uniform is None for kernel in placed.kernels)
