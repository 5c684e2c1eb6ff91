"""Versions of tiles: each does what the kernel does, in the launches that it is for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.schedule.scheduled import program_of
from weft.ir import nodes as n
from weft.ir.interpreter import run
from weft.ir.visit import rewrite, walk
from weft.plan.place import place
from weft.schedule import Bind, Stage
from weft.schedule.versions import halves, version_for

SMALL = (Bind("j", "x", 4, 4, 4), Bind("i", "y", 4, 2), Stage("k", 4))
RING = (Bind("j", "x", 4, 4, 4), Bind("i", "y", 4, 2), Stage("k", 4, buffers=3))


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
        return replace(statement, kernel=halves(statement.kernel)[position])

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
    in_runs, single, both = (sum(1 for _ in walk(made.body)) for made in (*halves(kernel), kernel))
    assert max(in_runs, single) < 0.7 * both and in_runs + single > both


def test_other_devices_have_one_version():
    placed = place(program_of(product, arrays(8, 16, 8)), "opencl", schedule=SMALL)
    assert all(kernel.uniform is None for kernel in placed.kernels)
