"""Sums of products in tiles: what is one, and that tiles do the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.transform.same import assert_same
from weft.analysis.access.aliases import Aliases
from weft.analysis.access.structure import Structure
from weft.analysis.access.tensor_contraction import CONSTRAINTS, Contraction
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.parallel.reduction_interchange import reduction_interchange
from weft.transform.pipeline import optimise
from weft.transform.vector import tensor_contractions as module
from weft.transform.vector.fma_reductions import fma_reductions
from weft.transform.vector.tensor_contractions import Registers, tensor_contractions

RNG = np.random.default_rng(3)
SHAPES = ((1, 1, 1), (5, 9, 4), (8, 6, 3), (13, 11, 17), (4, 5, 0), (0, 3, 2))


@pytest.fixture(autouse=True)
def small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """So small that a few iterations are many tiles, parts and pieces."""
    sizes = {"LEAST_TRIPS": 1, "MANY_PRODUCTS": 0, "TAKEN_APART": 3, "STEP_BYTES": 160, "PACKED_BYTES": 600}
    for name, value in {**sizes, "PIECE_ROWS": 6, "PIECE_TILES": 2, "LEAST_PIECES": 1}.items():
        monkeypatch.setattr(module, name, value)


REGISTERS = Registers(8, 16)


def product(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def scaled(a, b, c):
    for i in range(c.shape[0]):
        row = a[i]
        for j in range(c.shape[1]):
            s = 2.0 * c[i, j]
            before = c[i, j]
            for k in range(a.shape[1]):
                s += row[k] * b[k, j]
            c[i, j] = 1.5 * s + before if s > 1.0 else -s


def both_turned(a, b, c):
    for i in range(c.shape[1]):
        for j in range(c.shape[0]):
            s = 0.0
            for k in range(a.shape[1]):
                s += b[k, i] * a[j, k]
            c[j, i] = s


def into_the_other_order(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c.T[j, i] = s


def subtracting(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = c[i, j]
            for k in range(a.shape[1]):
                s -= a[i, k] * b[k, j]
            c[i, j] = s


def weighted(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(1, a.shape[1]):
                s += (a[i, k] * a[0, k] + 1.0) * (b[k - 1, j] - b[k, j])
            c[i, j] = s


def on_the_outside(a, b, c):
    for k in range(a.shape[1]):
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def between(a, b, c):
    for i in range(c.shape[0]):
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] -= a[i, k] * b[k, j]


def zeros_first(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0.0
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def with_more_behind(a, b, c):
    n, m = c.shape
    for i in range(n):
        scale = 2 * i
        for j in range(m):
            c[i, j] = 0.5
        for k in range(a.shape[1]):
            for j in range(m):
                c[i, j] -= a[i, k] * scale * b[k, j]
        for j in range(m):
            c[i, j] = max(c[i, j], 0.0)


PARTED = (zeros_first, with_more_behind)
TILED = (product, scaled, both_turned, into_the_other_order, subtracting, weighted, on_the_outside, between, *PARTED)


def arrays(rows: int, columns: int, inner: int, dtype: Any = np.float64) -> tuple[Any, ...]:
    made = (RNG.random((rows, inner)), RNG.random((inner, columns)), RNG.random((rows, columns)))
    return tuple((x * 9).astype(dtype) for x in made)


def prepared(function: Callable[..., Any], dtype: Any = np.float64) -> n.Program:
    """The program as the pass finds it."""
    types = [describe(x) for x in arrays(3, 3, 3, dtype)]
    return fma_reductions(reduction_interchange(optimise(build(function, types))))


@pytest.mark.parametrize("function", TILED, ids=lambda f: f.__name__)
def test_tiles_do_the_same(function: Callable[..., Any]) -> None:
    before = prepared(function)
    after = tensor_contractions(before, REGISTERS)
    assert after is not before
    assert_same(before, after, *(arrays(*shape) for shape in SHAPES), exact=False)


@pytest.mark.parametrize("function", PARTED, ids=lambda f: f.__name__)
def test_what_stands_beside_the_sums_stays_where_it_was(function: Callable[..., Any]) -> None:
    before = optimise(build(function, [describe(x) for x in arrays(3, 3, 3)]))
    after = reduction_interchange(before)
    assert after is not before
    assert_same(before, after, *(arrays(*shape) for shape in SHAPES), exact=False)


def told_what_comes(a, b, c):
    for i in range(c.shape[0]):
        most = 0.0
        for j in range(c.shape[1]):
            c[i, j] = 0.0
            most = max(most, b[0, j])
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
        c[i, 0] = most


def test_a_loop_is_not_parted_where_a_value_crosses() -> None:
    before = optimise(build(told_what_comes, [describe(x) for x in arrays(3, 3, 3)]))
    assert reduction_interchange(before) == before


@pytest.mark.parametrize("function", (on_the_outside, between, zeros_first), ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", (np.float32, np.int32, np.uint8, np.int64))
def test_every_type_that_has_lanes(dtype: Any, function: Callable[..., Any]) -> None:
    before = prepared(function, dtype)
    after = tensor_contractions(before, REGISTERS)
    assert after is not before
    assert_same(before, after, *(arrays(*shape, dtype) for shape in SHAPES), exact=dtype != np.float32)


def test_tiles_ask_for_what_the_next_column_reads() -> None:
    loops = [
        s for s in walk(tensor_contractions(prepared(product), REGISTERS).body) if isinstance(s, n.For) and s.fetch
    ]
    [fetch] = [loop.fetch for loop in loops]
    factor = next(s.value.view for s in walk(loops[0].body) if isinstance(s, n.Let) and _is_of_lanes(s.value))
    assert fetch is not None and fetch.view == factor


def _is_of_lanes(value: n.Expression) -> bool:
    return isinstance(value, n.Load) and isinstance(value.indices[-1], n.Var) and len(value.indices) == 3


def test_results_depend_on_no_tile() -> None:
    before = prepared(scaled, np.float32)
    one, other = (tensor_contractions(before, registers) for registers in (REGISTERS, Registers(16, 32)))
    assert_same(one, other, arrays(13, 11, 17, np.float32))


def test_a_sum_from_nothing_is_the_one_in_order() -> None:
    before = prepared(product)
    assert_same(before, tensor_contractions(before, REGISTERS), arrays(13, 11, 17))


def test_few_iterations_run_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST_TRIPS", 24)
    before = prepared(scaled)
    assert_same(before, tensor_contractions(before, REGISTERS), arrays(13, 11, 17))


@pytest.mark.parametrize("registers", ((32, 64), (16, 32), (16, 16), (32, 16)))
@pytest.mark.parametrize("size", (1, 2, 4, 8))
def test_a_tile_leaves_registers_for_the_factors(registers: tuple[int, int], size: int) -> None:
    rows, lanes = Registers(*registers).tile(size)
    assert rows >= 1 and lanes * size % registers[1] == 0
    assert rows * (lanes * size // registers[1]) <= 3 * registers[0] // 4


# --------------------------------------------------------------------------------------------------- constraints


def in_a_triangle(a, b, c):
    for i in range(c.shape[0]):
        for j in range(i):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def one_after_the_other(a, b, c):
    for i in range(1, c.shape[0]):
        for j in range(c.shape[1]):
            s = c[i - 1, j]
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def two_sums(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            t = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
                t += a[i, k] + b[k, j]
            c[i, j] = s - t


def distances(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                d = a[i, k] - b[k, j]
                s += d * d
            c[i, j] = s


def largest_product(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s = max(s, a[i, k] * b[k, j])
            c[i, j] = s


REFUSED = {
    in_a_triangle: "check_bounds_are_fixed",
    one_after_the_other: "check_loops_are_parallel",
    two_sums: "check_sum_is_proven",
    distances: "check_factors_are_apart",
    largest_product: "check_sum_is_proven",
}


def broken(program: n.Program) -> set[str]:
    """The first constraint that each pair of loops of a program breaks."""
    aliases = Aliases(Structure([p.var for p in program.params], program.body), program.overlaps)
    found = (Contraction.of(s) for s in walk(program.body) if isinstance(s, n.For))
    return {next((check.__name__ for check in CONSTRAINTS if not check(pair, aliases)), "") for pair in found if pair}


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_what_breaks_a_constraint_is_left_alone(function: Callable[..., Any]) -> None:
    program = prepared(function)
    assert broken(program) == {REFUSED[function]}
    assert tensor_contractions(program, REGISTERS) is program


def test_complex_numbers_have_no_lanes() -> None:
    program = prepared(product, np.complex128)
    assert broken(program) == {"check_type_has_lanes"}
    assert tensor_contractions(program, REGISTERS) is program


def test_factors_that_are_written_are_not_copied() -> None:
    program = prepared(product)
    (outer,) = (s for s in program.body.statements if isinstance(s, n.For))
    pair = Contraction.of(outer)
    assert pair is not None and broken(program) == {""}
    structure = Structure([p.var for p in program.params], program.body)
    overlapping = Aliases(structure, [p.var.name for p in program.params])
    assert [check.__name__ for check in CONSTRAINTS if not check(pair, overlapping)] == ["check_factors_stay"]


def test_a_sum_into_overlapping_places_stays_an_update() -> None:
    def antidiagonals(a, b, c):
        for i in range(a.shape[0]):
            for k in range(a.shape[1]):
                for j in range(b.shape[1]):
                    c[0, i + j] += a[i, k] * b[k, j]

    types = [describe(x) for x in (np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 6)))]
    program = optimise(build(antidiagonals, types))
    assert reduction_interchange(program) is program
