"""Nests over triangles have a thread for each element of a square, and products over them run in tiles."""

from __future__ import annotations

import random

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE, Simulated
from weft.ir.check.verifier import verify
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.schedule.directives import Bind, Stage
from weft.transform.pipeline import optimise


def lower(a, b, c):
    for i in range(c.shape[0]):
        for j in range(i + 1):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * a[j, k]
            c[i, j] = total


def upper(a, b, c):
    for j in range(c.shape[0]):
        for i in range(j, c.shape[0]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[j, k]
            c[i, j] = total


def strict_from_the_end(a, b, c):
    n = c.shape[0]
    for i in range(n - 1, -1, -1):
        for j in range(n - 1, i, -1):
            total = 1.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[j, k]
            c[i, j] = total


def both_halves(a, b, c):
    for i in range(c.shape[0]):
        for j in range(i + 1):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[j, k] + b[i, k] * a[j, k]
            c[i, j] = total
            c[j, i] = total


def added(a, b, c):
    for i in range(c.shape[0]):
        for j in range(i + 1):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[j, k]


def beyond_the_diagonal(a, b, c):
    n = c.shape[0]
    for i in range(n):
        for j in range(n - i):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[i + j, k]
            c[i, j] = total


def nearest(a, b, c):
    for i in range(c.shape[0]):
        for j in range(i):
            low = 9.0
            for k in range(a.shape[1]):
                low = min(low, abs(a[i, k] - a[j, k]))
            c[i, j] = low


def reads_the_other_half(a, b, c):
    for i in range(c.shape[0]):
        for j in range(i):
            total = c[j, i]
            for k in range(a.shape[1]):
                total += a[i, k] * b[j, k]
            c[i, j] = total


def many(a, b, c):
    for t in range(2):
        for i in range(c.shape[0]):
            for j in range(i + 1):
                c[i, j] = a[i, 0] * b[j, 0] + t


def of_numbers(a, b, c):
    for i in range(c.shape[0]):
        for j in range(i):
            total = 0
            for k in range(a.shape[1]):
                total += (k + i) // (i - j)
            c[i, j] = total


def copied(a, b, c):
    for i in range(c.shape[0]):
        scale = a[i, 0]
        for j in range(i + 1):
            c[i, j] = b[j, 0] * scale


def band(a, b, c):
    n = c.shape[0]
    for i in range(n):
        for j in range(max(0, i - 1), min(n, i + 2)):
            c[i, j] = a[i, 0] + b[j, 0]


PRODUCTS = [lower, upper, strict_from_the_end, both_halves, nearest]
WHOLE = [reads_the_other_half, of_numbers, copied]
SQUARES = [*PRODUCTS, added, beyond_the_diagonal, *WHOLE, many]


def arguments(rows, columns, seed=0):
    rng = np.random.default_rng(rows * 100 + columns + seed)
    values = (rng.integers(-9, 9, shape) / 8 for shape in ((rows, columns), (rows, columns), (rows, rows)))
    return tuple(values)


def check(run, function, *sizes):
    found, expected = arguments(*sizes), arguments(*sizes)
    run(*found)
    function(*expected)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def placed(function):
    made = place(optimise(program_of(function, *arguments(9, 8))), DEVICE)
    verify(made.program)
    check_plan(made.program)
    return made


@pytest.mark.parametrize("sizes", [(0, 3), (1, 1), (1, 4), (2, 1), (9, 8), (13, 6), (17, 2)])
@pytest.mark.parametrize("function", [*SQUARES, band], ids=lambda f: f.__name__)
def test_results_are_pythons(function, sizes):
    check(Simulated(function), function, *sizes)
    check(Simulated(function, slabs=True), function, *sizes)


@pytest.mark.parametrize("function", SQUARES, ids=lambda f: f.__name__)
def test_rows_and_columns_are_spread_over_threads(function):
    for nest in (nest for nest in placed(function).nests if nest.kernel):
        assert sum(isinstance(d, Bind) for d in nest.schedule) > 1, nest


@pytest.mark.parametrize("function", PRODUCTS, ids=lambda f: f.__name__)
def test_products_run_in_tiles(function):
    arrays = [np.zeros((9, 8), np.float64), np.zeros((9, 8), np.float64), np.zeros((9, 9), np.float64)]
    made = place(optimise(program_of(function, *arrays)), DEVICE)
    assert any(isinstance(d, Stage) for nest in made.nests for d in nest.schedule)


@pytest.mark.parametrize("function", WHOLE, ids=lambda f: f.__name__)
def test_what_may_be_wrong_outside_of_the_triangle_is_not_computed_there(function):
    assert sum(bool(nest.kernel) for nest in placed(function).nests) == 1


def test_bands_stay():
    (nest,) = (nest for nest in placed(band).nests if nest.kernel)
    assert sum(isinstance(d, Bind) for d in nest.schedule) == 1


def short(a, b, c):
    """Reads fewer rows of `a` than the square has."""
    for i in range(c.shape[0]):
        for j in range(i):
            total = 0.0
            for k in range(i - j, a.shape[0]):
                total += b[j, 0]
            for k in range(b.shape[1]):
                total += a[i - j, k] * b[j, k]
            c[i, j] = total


@pytest.mark.parametrize("sizes", [(1, 3), (2, 2), (9, 8)])
def test_indices_that_leave_their_array_in_the_square(sizes):
    check(Simulated(short), short, *sizes)
    check(Simulated(beyond_the_diagonal), beyond_the_diagonal, *sizes)


@pytest.mark.parametrize("seed", range(40))
def test_random_triangles(seed):
    run = random.Random(seed)
    ends = ["range(i)", "range(i + 1)", "range(i, n)", "range(i + 1, n)", "range(n - i)", "range(n - 1 - i, n)"]
    ends += ["range(n - 1, i, -1)", "range(i - 1, -1, -1)", "range(1, i)", "range(i, n - 2)"]
    reads = [f"{x}[{p}, k]" for x in "ab" for p in ("i", "j", "n - 1 - i", "n - 1 - j", "abs(i - j)")]
    outer = run.choice(["range(n)", "range(1, n)", "range(n - 1, -1, -1)", "range(2, n - 1)"])
    own = run.choice(["c[i, j]", "c[j, i]"])
    first = run.choice(["0.0", own, "a[j, 0]", "b[i, 0]"])
    text = (
        f"def made(a, b, c):\n    n = c.shape[0]\n    for i in {outer}:\n        for j in {run.choice(ends)}:\n"
        f"            total = {first}\n            for k in range(a.shape[1]):\n"
        f"                total += {run.choice(reads)} * {run.choice(reads)}\n            {own} = total\n"
    )
    function = _made(text)
    for sizes in ((run.randint(3, 12), run.randint(1, 5)), (1, 1), (0, 2)):
        check(Simulated(function), function, *sizes)


def _made(text):
    import linecache

    name = f"<triangle {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, object] = {}
    exec(compile(text, name, "exec"), space)
    return space["made"]


def test_a_schedule_of_the_user_is_for_the_nest_as_it_is_written():
    schedule = (Bind("i", "x", 64),)
    made = place(optimise(program_of(lower, *arguments(9, 8))), DEVICE, schedule=schedule)
    (nest,) = (nest for nest in made.nests if nest.kernel)
    assert sum(isinstance(d, Bind) for d in nest.schedule) == 1


@pytest.mark.opencl
@pytest.mark.parametrize("function", [upper, both_halves, of_numbers, short], ids=lambda f: f.__name__)
def test_on_opencl(function):
    run = weft.jit(function, device="opencl")
    check(run, function, 67, 19)
    check(run, function, 1, 2)


@pytest.mark.gpu
@pytest.mark.parametrize("sizes", [(1, 1), (65, 64), (300, 131), (70, 1000)])
@pytest.mark.parametrize("function", [*SQUARES, short], ids=lambda f: f.__name__)
def test_on_a_gpu(function, sizes):
    check(weft.jit(function, device="cuda"), function, *sizes)
