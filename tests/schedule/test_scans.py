"""Tiles of scans and packing loops under schedules that were written by hand, and what threads put together."""

from __future__ import annotations

import numpy as np
import pytest

from tests.frontend.compare import program_of
from tests.plan.simulated import Simulated, placed
from tests.plan.test_blocks import kept, kept_and_left, kept_with_places, numbers, running
from weft.backends.cuda.dialect import generate_kernels
from weft.errors import ArgumentError
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.check.check_kernels import check_memory
from weft.ir.types import INT32, PYINT, View
from weft.ir.visit import free_variables, walk
from weft.plan.place import Layout, place
from weft.schedule import Bind, Scan
from weft.schedule.legality import Limits
from weft.transform.pipeline import optimise


def under(*numbers_of_scan, **others):
    return Bind("i.blocks", "y", 1), Scan("i.each", "x", *numbers_of_scan, **others)


def check(function, arguments, schedule):
    """A call under a schedule does what CPython does."""
    expected, got = [a.copy() for a in arguments], [a.copy() for a in arguments]
    answer, found = function(*expected), Simulated(function, schedule=schedule)(*got)
    for a, b in zip((*np.atleast_1d(answer), *expected), (*np.atleast_1d(found), *got), strict=True):
        np.testing.assert_array_equal(b, a)


def tiles_of(function, *arguments):
    """The program with the kernel whose blocks are tiles, and the loop over these."""
    program = placed(program_of(function, *arguments))
    loops = (s for launch in walk(program.body) if isinstance(launch, n.Launch) for s in walk(launch.kernel.body))
    return program, next(s for s in loops if isinstance(s, n.For) and s.mapping == "blocks" and s.args)


RUNS = under(256, 32, run=16), under(1024, 8, run=1), under(256, 32, staged=40000), under(256, 32, staged=0, run=4)


@pytest.mark.sample(1)
@pytest.mark.parametrize("schedule", RUNS)
def test_packing_in_runs_of_any_length(schedule):
    check(kept, numbers(8200, np.float32), schedule)


@pytest.mark.sample(1)
@pytest.mark.parametrize("schedule", [under(256, 31, run=31), under(256, 31, run=1, staged=0), under(992, 8)])
def test_sums_in_runs(schedule):
    check(running, numbers(8000, np.float32), schedule)


def far_apart(x, out):
    m = 0
    for i in range(len(x)):
        if x[i] > 0.5:
            out[i] = m
            m += 300_000_000
    return m


def test_counters_whose_sum_in_a_tile_is_more_than_32_bits_hold():
    check(far_apart, [numbers(9001, np.float32)[0], np.zeros(9001, np.int64)], ())


@pytest.mark.parametrize("schedule", [under(256, 32, run=5), under(128, 32, run=4), under(1024, 8, run=16)])
def test_runs_make_up_a_tile(schedule):
    with pytest.raises(ArgumentError, match="tile-size"):
        placed(program_of(kept, *numbers(10, np.float32)), schedule=schedule)


@pytest.mark.parametrize("function, others, early", [
    (kept, (np.float32,), True), (kept_and_left, (np.float32, np.int64), True),
    (kept_with_places, (np.float32, np.int64), False),
])  # fmt: skip
def test_a_block_that_only_packs_does_so_before_it_looks_back(function, others, early):
    _, blocks = tiles_of(function, *numbers(9001, *others))
    statements, carried = blocks.body.statements, {arg.var for arg in blocks.args}
    place = next(k for k, s in enumerate(statements) if isinstance(s, n.For) and s.together is not None)
    phase = next(s for s in statements[place:] if isinstance(s, n.For) and s.mapping == "threads")
    assert carried.isdisjoint(free_variables(n.Block((phase,)))) == early


def test_threads_that_pack_wait_where_they_count_and_where_they_look_back():
    program, _ = tiles_of(kept, *numbers(9001, np.float32))
    source = generate_kernels(program)
    kernel = source[source.rindex("__global__") :]
    assert kernel.count("__syncthreads()") == 1 and kernel.count("count_together<256, 8, 8>") == 1
    assert kernel.index("announce<") < kernel.rindex("out_tile[", 0, kernel.index("hand_on("))


def so_far(x, out):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        out[i] = s


@pytest.mark.parametrize("dtype, begin", [
    (np.float32, "__shared__ __align__(128) float x_tile["), (np.float64, "extern __shared__ __align__(128) char "),
])  # fmt: skip
def test_tiles_that_copies_fill_begin_at_rows_of_the_banks(dtype, begin):
    limits = Limits(threads=1024, shared=227 * 1024, cores=132)
    types = tuple(describe(a, f"argument {k}") for k, a in enumerate(numbers(10, dtype, dtype=dtype)))
    program = optimise(build(so_far, types), turns=False, blocks=True, rows=True)
    assert begin in generate_kernels(place(program, "cuda", layout=Layout(limits)).program)


def test_threads_do_together_what_is_outside_of_their_loops():
    own = n.Var("own", View(INT32, 2, contiguous=True))
    thread, part, value = (n.Var(name, PYINT) for name in ("thread", "part", "value"))
    loaded = n.Let(value, n.Load(own, (part, n.Const(0)), "safe"))
    loop = n.For("i.together", part, n.Const(0), n.Const(32), n.Block((loaded,)), together=n.Together(1))
    made = n.Let(own, n.Alloc((n.Const(32), n.Const(1)), INT32, None, "registers"))
    threads = n.For("i.thread", thread, n.Const(0), n.Const(32), n.Block((loop,)), mapping="threads")
    assert not list(check_memory(n.Block((made, loop))))
    assert list(check_memory(n.Block((made, threads))))
