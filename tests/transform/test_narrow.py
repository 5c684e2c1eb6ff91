"""Small integers that are computed as small ones."""

from __future__ import annotations

import runpy
from typing import Any

import numpy as np
import pytest

import weft
from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.types import INT16, INT32, PYINT
from weft.ir.visit import walk
from weft.transform.pipeline import optimise
from weft.transform.simplify.narrow import narrow
from weft.transform.simplify.narrow_comparisons import narrow_comparisons

EDGES = np.array([0, 255, 1, 254, 128, 127, 7, 0, 255, 255], np.uint8)


def emboss(a, b, r):
    for i in range(r.shape[0]):
        value = 128 + int(a[i]) - int(b[i])
        r[i] = min(max(value, 0), 255)


def grey(a, b, r):
    for i in range(r.shape[0]):
        value = 30000 * int(a[i]) + abs(int(b[i]) - 300)
        r[i] = 1 if value > 40000 else 0


def index(a, b, r):
    for i in range(r.shape[0]):
        r[(int(a[i]) + int(b[i])) % r.shape[0]] = 1


def average(a, b, r):
    for i in range(r.shape[0]):
        r[i] = np.uint8(np.float64(int(a[i]) + int(b[i])) * 0.5)


def types_of(program: n.Program) -> set[object]:
    """The types of the values in the program that arithmetic makes."""
    lets = (s for s in walk(program.body) if isinstance(s, n.Let))
    return {s.var.type for s in lets if isinstance(s.value, n.Binary)}


@pytest.mark.parametrize(("function", "type"), ((emboss, INT16), (grey, INT32), (average, INT16)))
def test_small_integers_become_small(function: Any, type: object) -> None:
    arguments = (EDGES, EDGES[::-1].copy(), np.zeros(10, np.uint8))
    before = optimise(build(function, [describe(x) for x in arguments]))
    after = narrow(before)
    assert type in types_of(after) and PYINT not in types_of(after)
    assert_same(before, after, arguments)


def test_an_index_stays() -> None:
    arguments = (EDGES, EDGES, np.zeros(10, np.uint8))
    before = optimise(build(index, [describe(x) for x in arguments]))
    assert PYINT in types_of(narrow(before))
    assert_same(before, narrow(before), arguments)


CONSTANTS = [0, 100, 2**15 - 1, 2**15, 40_000, 2**16 - 1, 2**16, 70_000, 2**31 - 1, 2**31, 2**32 + 5, 2**40]
COMPARED = """
def compared(a, b, out):
    for i in range(len(a)):
        out[i, 0] = int(a[i]) - int(b[i]) < CONSTANT
        out[i, 1] = int(a[i]) + int(b[i]) > CONSTANT
        out[i, 2] = min(int(a[i]) - int(b[i]), CONSTANT) < CONSTANT
        out[i, 3] = max(int(a[i]) - int(b[i]), CONSTANT) == CONSTANT
"""


@pytest.mark.parametrize("constant", [*CONSTANTS, *(-c - 1 for c in CONSTANTS)])
def test_constants_of_any_size_meet_small_integers(constant, tmp_path):
    file = tmp_path / "compared.py"
    file.write_text(COMPARED.replace("CONSTANT", f"({constant})"), encoding="utf-8")
    compared = runpy.run_path(str(file))["compared"]
    a, b = (np.random.default_rng(k).integers(0, 255, 64, np.uint8, endpoint=True) for k in range(2))
    a[:2], b[:2] = (255, 0), (0, 255)
    expected, got = np.zeros((64, 4), bool), np.zeros((64, 4), bool)
    compared(a, b, expected)
    weft.jit(compared)(a, b, got)
    np.testing.assert_array_equal(expected, got)


def compared(a, level, other, r):
    """All comparisons with limits that stay the same, on both sides, and one with what is read in the loop."""
    for i in range(a.shape[0]):
        v = int(a[i])
        bits = 0
        bits += 1 if v < level else 0
        bits += 2 if v <= level else 0
        bits += 4 if v > level else 0
        bits += 8 if level >= v else 0
        bits += 16 if level == v else 0
        if a[i] != other:
            bits += 32
        r[i] = bits + (64 if v < r[i] else 0)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16])
def test_limits_that_lie_outside_are_compared_as_what_is_next_to_the_range(dtype: Any) -> None:
    limits = np.iinfo(dtype)
    values = np.array([limits.min, limits.max, limits.min + 1, limits.max - 1, 0, 1, 100, 127], dtype)
    levels = [-(2**63), 2**63 - 1, *(e + d for e in (limits.min, limits.max, 0, 65536, -65536) for d in (-1, 0, 1))]
    cases = [(values, x, np.int64(-x - 1), np.full(8, 50)) for x in levels]
    before = optimise(build(compared, [describe(x) for x in cases[0]]))
    after = narrow_comparisons(before)
    narrow_type = INT16 if limits.bits == 8 else INT32
    made = [s.value for s in walk(after.body) if isinstance(s, n.Let) and isinstance(s.value, n.Compare)]
    assert sum(c.left.type == narrow_type for c in made) == 6
    assert_same(before, after, *cases)
