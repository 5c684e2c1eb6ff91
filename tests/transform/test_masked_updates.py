"""Integers that are updated where a condition holds, and loops over bits that are written out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.types import INT64, Scalar
from weft.ir.visit import walk
from weft.transform.loops.unroll import MOST_BITS, unroll
from weft.transform.pipeline import for_cpu, optimise
from weft.transform.vector.masked_updates import masked_updates


def thirds(x, out):
    a = b = c = 0
    for i in range(len(x)):
        if x[i] < 0.3:
            a += 1
        elif x[i] < 0.6:
            b += 3
        else:
            c -= 1
    out[0], out[1], out[2] = a, b, c


def nested(x, out):
    k = 0
    for i in range(len(x)):
        if x[i] < 0.7:
            if x[i] > 0.2:
                k += 1
        elif x[i] > 0.9:
            k += 1
    out[0] = k


def both_sides(x, out):
    k = 0
    for i in range(len(x)):
        if x[i] < 0.5:
            k += 1
        else:
            k -= 1
    out[0] = k


def other_way_round(x, out):
    k = 100
    for i in range(len(x)):
        if x[i] < 0.5:
            k = 1 - k
        else:
            k = 7 - k
    out[0] = k


def bits_of_words(x, out):
    k = out[0]
    for i in range(len(x)):
        if x[i] < 0.5:
            k ^= i
        if x[i] < 0.3:
            k |= 1 << (i % 31)
        if x[i] > 0.9:
            k &= 12345
    out[0] = k


def floats_and_products(x, out):
    s, p = -0.0, 1
    for i in range(len(x)):
        if x[i] < -1.0:
            s += 0.0
        if x[i] < 0.1:
            p *= 3
    out[0], out[1] = s, p


def of_numpy(x, out):
    k = np.uint8(250)
    for i in range(len(x)):
        if x[i] < 0.5:
            k += np.uint8(1)
    out[0] = k


PROGRAMS = (thirds, nested, both_sides, other_way_round, bits_of_words, floats_and_products, of_numpy)


def inputs() -> list[list[Any]]:
    rng = np.random.default_rng(1)
    return [[rng.random(size), rng.integers(0, 99, 4)] for size in (0, 1, 9, 40)] + [
        [np.full(9, np.nan), np.zeros(4, int)]
    ]


def selections(program: n.Program) -> int:
    return sum(isinstance(s, n.Let) and isinstance(s.value, n.Select) for s in walk(program.body))


@pytest.mark.parametrize("function", PROGRAMS)
def test_updates_do_the_same(function: Callable[..., Any]) -> None:
    before = optimise(build(function, [describe(x) for x in inputs()[2]]), frozenset({"tiles"}))
    assert_same(before, masked_updates(before), *inputs())


def test_counts_need_no_selection() -> None:
    before = optimise(build(thirds, [describe(x) for x in inputs()[2]]), frozenset({"tiles"}))
    after = masked_updates(before)
    assert selections(before) == 5
    chosen = [s.value for s in walk(after.body) if isinstance(s, n.Let) and isinstance(s.value, n.Select)]
    assert [{value.then, value.orelse} & {n.Const(0)} for value in chosen] == [{n.Const(0)}] * 2  # of what adds 3


# ---------------------------------------------------------------------------------------------- loops over bits


def packed(flags, words):
    for i in range(len(words)):
        word = 0
        for b in range(32):
            if flags[32 * i + b]:
                word |= 1 << b
        words[i] = word


def reversed_bits(flags, words):
    for i in range(len(words)):
        value = words[i]
        turned = 0
        for b in range(64):
            turned = (turned << 1) ^ ((value >> b) & 1)
        words[i] = turned


def sums_of_floats(flags, words):
    for i in range(len(words)):
        total = 0.0
        for b in range(32):
            total += 0.5 * flags[32 * i + b]
        words[i] = int(total)


def bits() -> list[list[Any]]:
    rng = np.random.default_rng(2)
    return [[rng.random(32 * size) < 0.5, rng.integers(-(2**31), 2**31, size)] for size in (0, 1, 5)]


@pytest.mark.parametrize("function", [packed, reversed_bits, sums_of_floats])
def test_loops_over_bits_do_the_same(function: Callable[..., Any]) -> None:
    before = optimise(build(function, [describe(x) for x in bits()[2]]))
    assert_same(before, masked_updates(before), *bits())
    assert_same(before, unroll(masked_updates(before)), *bits())
    assert_same(before, for_cpu(before, verify=True), *bits())


def test_loops_over_bits_are_written_out() -> None:
    program = unroll(masked_updates(optimise(build(packed, [describe(x) for x in bits()[2]]))))
    assert sum(isinstance(s, n.For) for s in walk(program.body)) == 1
    assert MOST_BITS == 64
    assert selections(program) == 0


def test_long_loops_over_floats_stay() -> None:
    program = unroll(optimise(build(sums_of_floats, [describe(x) for x in bits()[2]])))
    assert sum(isinstance(s, n.For) for s in walk(program.body)) == 2


# ------------------------------------------------------------------------------------- folds in loops that were made


def folds(op: n.BinaryOp, is_used: bool, element: Scalar) -> n.Program:
    """Rows of numbers, each folded in a loop that nobody judged; `is_used`: by more than the fold itself."""
    build = Builder("rows")
    a, out = build.array("a", INT64, 2), build.array("out", INT64)
    width = build.dim(a, 1)
    with build.loop("i", 0, build.dim(a, 0)) as i:
        with build.loop("j", 0, width, {"k": build.const(5, element)}) as j:
            value = build.cast(build.load(a, i.index, j.index, bounds="safe"), element)
            old = build.binary("xor", value, j["k"]) if is_used else value
            new = build.binary(op, j["k"], old)
            j.carry(new)
        build.store(out, i.index, value=build.cast(j.results[0], INT64), bounds="safe")
    return build.program()


@pytest.mark.parametrize("op", ["add", "or", "xor", "and"])
@pytest.mark.parametrize("is_used", [False, True])
def test_folds_of_integers_are_marked(op: n.BinaryOp, is_used: bool) -> None:
    program = folds(op, is_used, INT64)
    cases = [[np.arange(rows * 5).reshape(rows, 5) * 77777, np.zeros(rows, np.int64)] for rows in (0, 1, 4)]
    after = masked_updates(program)
    assert_same(program, after, *cases)
    (inner,) = [s for s in walk(after.body) if isinstance(s, n.For) and s.args]
    assert (inner.mapping, inner.args[0].combine) == (("sequential", None) if is_used else ("parallel", op))


def test_folds_that_subtract_are_not_marked() -> None:
    program = folds("sub", False, INT64)
    assert all(s.mapping == "sequential" for s in walk(masked_updates(program).body) if isinstance(s, n.For))
