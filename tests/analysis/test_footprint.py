"""Hulls, footprints, strides and reuse."""

from __future__ import annotations

import numpy as np
import pytest

from weft.analysis.access.footprint import as_set, footprint
from weft.analysis.access.strides import stride
from weft.analysis.values.hull import hull
from weft.analysis.values.linear import Form, constant, extent, symbol
from weft.cost.polynomial import Polynomial
from weft.cost.reuse_factor import reuse

from .tools import KEYS, MATRIX, VECTOR, table_of


def only(table, kind, name):
    (found,) = [a for a in table.accesses if a.kind == kind and a.view.stem == name]
    return found


def stencil(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = u[i - 1, j + 1]


def test_a_hull_over_all_loops():
    table = table_of(stencil, MATRIX, MATRIX)
    access = only(table, "load", "u")
    rows = hull(table.ranges, access.indices[0].form, access.region)
    assert (rows.low[0], rows.high[0]) == (constant(0), extent("u", 0) - 3)
    assert rows.exact


def test_a_hull_over_the_inner_loop():
    table = table_of(stencil, MATRIX, MATRIX)
    access = only(table, "load", "u")
    i = symbol("i")
    rows = hull(table.ranges, access.indices[0].form, access.region, table.structure.loops["j"])
    assert (rows.low, rows.high) == ((i - 1,), (i - 1,))


def test_a_hull_over_a_triangle_is_an_approximation():
    def f(a):
        for i in range(a.shape[0]):
            for j in range(i):
                a[i, j] = 0.0

    table = table_of(f, MATRIX)
    access = only(table, "store", "a")
    columns = hull(table.ranges, access.indices[1].form, access.region)
    assert (columns.low[0], columns.high[0]) == (constant(0), extent("a", 0) - 2)
    assert not columns.exact


def test_there_is_no_hull_of_what_is_unknown():
    def f(a, p):
        for i in range(len(p)):
            a[p[i]] = 0.0

    table = table_of(f, VECTOR, KEYS)
    access = only(table, "store", "a")
    assert hull(table.ranges, access.indices[0].form, access.region) is None
    (box,) = footprint(table, [access])
    assert box.sides == (None,)


def test_a_box_that_is_filled():
    table = table_of(stencil, MATRIX, MATRIX)
    (written,) = footprint(table, [only(table, "store", "v")])
    assert written.must
    assert written.exact


def test_a_box_under_a_guard_is_not_filled():
    def f(a, b):
        for i in range(len(a)):
            if b[i] > 0.0:
                a[i] = 0.0

    table = table_of(f, VECTOR, VECTOR)
    (box,) = footprint(table, [only(table, "store", "a")])
    assert not box.must
    assert not box.exact


def test_a_box_with_gaps():
    def f(a):
        for i in range(len(a) // 2):
            a[2 * i] = 0.0

    table = table_of(f, VECTOR)
    (box,) = footprint(table, [only(table, "store", "a")])
    assert box.must
    assert not box.exact


def test_a_set_is_exact_where_a_box_is_not():
    def f(a, n):
        for i in range(n):
            for j in range(i + 1):
                a[i, j] = 0.0

    table = table_of(f, MATRIX, 3)
    found, params = as_set(table, only(table, "store", "a"), table.structure.loops["i"])
    assert params == ["n"]
    inside = found.fix_val(__import__("islpy").dim_type.param, 0, 4).count_val()
    assert inside.to_python() == 10


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        (np.zeros((3, 4)), {"i": ("symbolic", "a.strides[0]"), "j": ("unit", "8")}),
        (np.zeros((6, 8))[::2, ::2], {"i": ("symbolic", "a.strides[0]"), "j": ("symbolic", "a.strides[1]")}),
    ],
)
def test_strides(layout, expected):
    def f(a):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] = 0.0

    table = table_of(f, layout)
    access = only(table, "store", "a")
    found = {label: stride(table, access, loop) for label, loop in table.structure.loops.items()}
    assert {label: (s.kind, str(s.bytes)) for label, s in found.items()} == expected


def test_strides_of_a_local_array():
    def f(n, m):
        a = np.zeros((n, m))
        for i in range(n):
            for j in range(m):
                a[i, j] = a[0, j]
        return a

    table = table_of(f, 3, 4)
    (store,) = [a for a in table.accesses if a.kind == "store"]
    (load,) = [a for a in table.accesses if a.kind == "load"]
    outer = table.structure.loops["i"]
    assert stride(table, store, outer).bytes == 8 * symbol("m")
    assert stride(table, load, outer).kind == "none"


def test_an_indirect_access_is_irregular():
    def f(a, p):
        for i in range(len(p)):
            a[p[i]] = 0.0

    table = table_of(f, VECTOR, KEYS)
    assert stride(table, only(table, "store", "a"), table.structure.loops["i"]).kind == "irregular"


def test_reuse_of_a_matrix_product():
    def f(a, b, c, n):
        for i in range(n):
            for j in range(n):
                for k in range(n):
                    c[i, j] += a[i, k] * b[k, j]

    table = table_of(f, MATRIX, MATRIX, MATRIX, 3)
    found = reuse(table, only(table, "load", "a"), table.structure.loops["i"])
    values = {"n": 6}
    assert found.accesses.evaluate(values) == 6**3
    assert found.elements.evaluate(values) == 6**2
    assert found.elements == Polynomial.of(Form({("n", "n"): 1}))


def test_a_box_of_a_loop_that_may_end_early_is_not_filled():
    def f(a, b):
        for i in range(len(a)):
            a[i] = 0.0
            if b[i] > 0.0:
                break

    table = table_of(f, VECTOR, VECTOR)
    (box,) = footprint(table, [only(table, "store", "a")])
    assert not box.must
    assert not box.exact
