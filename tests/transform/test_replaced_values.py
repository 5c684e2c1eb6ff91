"""Carried integers that are kept or replaced are bounded by what replaces them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def of_the_nearest(a, b, r):
    for i in range(r.shape[0]):
        found = -1
        best = 1e30
        for k in range(a.shape[0]):
            if a[k] > 0.2 and a[k] * b[i] < best:
                best = a[k] * b[i]
                found = k
        if found >= 0:
            r[i] = a[found]


def beyond(a, b, r):
    for i in range(r.shape[0]):
        found = 0
        for k in range(a.shape[0]):
            if a[k] > 0.5:
                found = k + 1
        r[i] = b[i] + a[found]


@pytest.mark.parametrize(("function", "safe"), ((of_the_nearest, True), (beyond, False)))
def test_the_element_found_is_inside(function, safe):
    rng = np.random.default_rng(3)
    inputs = [(rng.random(size), rng.random(5), np.zeros(5)) for size in (1, 2, 9)]
    before = build(function, [describe(x) for x in inputs[0]])
    after = optimise(before)
    loads = [s.value for s in walk(after.body) if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
    assert all(load.bounds == "safe" for load in loads) is safe
    assert_same(before, after, *inputs)
