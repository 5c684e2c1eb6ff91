"""Loops that store the partial results of a fold, some iterations side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.transform.same import assert_same
from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.types import FLOAT32, FLOAT64, INT32, PYINT, UINT8, UINT64, Scalar
from weft.ir.visit import rewrite, walk
from weft.transform.vector.vector_scan import LANES, vector_scan

SIZES = (0, 1, LANES - 1, LANES, LANES + 1, 3 * LANES, 5 * LANES + 3)


def partial_results(
    element: Scalar, op: n.BinaryOp = "add", combine: str | None = None, turned: bool = False
) -> n.Program:
    """``s = s op x[i] * x[i]; out[i] = s``, whose fold may be grouped otherwise where `combine` says so."""
    build = Builder("partial")
    x, out = build.array("x", element), build.array("out", element)
    first = build.param("first", element)
    with build.loop("i", 0, build.dim(x), {"s": first}) as i:
        loaded = build.load(x, i.index, bounds="safe")
        square = build.binary("mul", loaded, loaded)
        new = build.binary(op, square, i["s"]) if turned else build.binary(op, i["s"], square)
        build.store(out, i.index, value=new, bounds="safe")
        i.carry(new)
    return regrouped(build.program(i.results[0]), combine)


def regrouped(program: n.Program, combine: str | None) -> n.Program:
    """The program with a fold that may be grouped otherwise."""

    def change(statement: n.Statement) -> n.Statement:
        if not isinstance(statement, n.For):
            return statement
        return replace(statement, args=tuple(replace(a, combine=combine) for a in statement.args))

    return replace(program, body=rewrite(program.body, change))


def runs_in_lanes(program: n.Program) -> bool:
    return any(isinstance(s, n.Let) and isinstance(s.value, n.RunningLanes) for s in walk(program.body))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("element", "op"),
    [(INT32, "add"), (UINT8, "add"), (UINT64, "mul"), (UINT64, "xor"), (INT32, "and"), (INT32, "or")],
)
def test_integers_give_the_same(element: Scalar, op: n.BinaryOp, turned: bool) -> None:
    program = partial_results(element, op, op, turned)
    changed = vector_scan(program)
    assert runs_in_lanes(changed)
    random = np.random.default_rng(1)
    for size in SIZES:
        x = random.integers(0, 100, size).astype(element.dtype)
        assert_same(program, changed, [x, np.zeros_like(x), element.dtype.type(5)])


@pytest.mark.parametrize("element", [FLOAT32, FLOAT64])
def test_floats_differ_by_roundings(element: Scalar) -> None:
    program = partial_results(element, "add", "add")
    changed = vector_scan(program)
    assert runs_in_lanes(changed)
    for size in SIZES:
        x = np.random.default_rng(2).random(size).astype(element.dtype)
        assert_same(program, changed, [x, np.zeros_like(x), element.dtype.type(0.5)], exact=False)


def test_sums_of_zeros_keep_their_sign() -> None:
    program = partial_results(FLOAT64, "mul", "mul")
    x, out = np.ones(3 * LANES), np.zeros(3 * LANES)
    assert_same(program, vector_scan(program), [x, out, np.float64(-0.0)])


def test_nans_and_infinities_stay() -> None:
    program = partial_results(FLOAT64, "add", "add")
    for special in (np.nan, np.inf):
        x = np.ones(3 * LANES)
        x[LANES + 3] = special
        assert_same(program, vector_scan(program), [x, np.zeros_like(x), np.float64(0.0)])


def test_a_fold_in_order_stays_in_order() -> None:
    program = partial_results(FLOAT64)
    assert vector_scan(program) is program


def test_a_fold_that_says_where_to_store_stays() -> None:
    build = Builder("packed")
    x, out = build.array("x", INT32), build.array("out", INT32)
    with build.loop("i", 0, build.dim(x), {"k": build.const(0, INT32)}) as i:
        place = build.cast(i["k"], PYINT)
        build.store(out, place, value=build.load(x, i.index, bounds="safe"), bounds="safe")
        i.carry(build.binary("add", i["k"], build.load(x, i.index, bounds="safe")))
    program = regrouped(build.program(), "add")
    assert vector_scan(program) is program
