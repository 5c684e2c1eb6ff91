"""Small integers that are computed as small ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.passes.same import assert_same
from weft.frontend import build
from weft.frontend.signature import describe
from weft.ir import nodes as n
from weft.ir.types import INT16, INT32, PYINT
from weft.ir.visit import walk
from weft.passes.narrow import narrow
from weft.passes.pipeline import optimise

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
