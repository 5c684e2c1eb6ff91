"""The access table: maps through views, domains, kinds of maps."""

from __future__ import annotations

import numpy as np
import pytest

from weft.analysis.access.access import written_roots
from weft.analysis.recurrences.recurrences import closed_form
from weft.analysis.values.linear import constant, element, extent, quotient, symbol

from .tools import KEYS, MATRIX, VECTOR, program_of, table_of


def indices(access):
    assert access.indices is not None
    return [index.form for index in access.indices]


def only(table, kind, name):
    (found,) = [a for a in table.accesses if a.kind == kind and a.view.stem == name]
    return found


def test_affine_indices():
    def f(a, b):
        for i in range(1, len(a)):
            a[i] = b[2 * i - 1]

    table = table_of(f, VECTOR, VECTOR)
    i = symbol(table.structure.loops["i"].node.index.name)
    assert indices(only(table, "store", "a")) == [i]
    assert indices(only(table, "load", "b")) == [2 * i - 1]
    assert table.classify(only(table, "load", "b")) == ("affine", "")


def test_a_constant_negative_index_counts_from_the_end():
    def f(a):
        for i in range(len(a)):
            a[-1] = i

    table = table_of(f, VECTOR)
    (store,) = table.accesses
    assert indices(store) == [extent("a", 0) - 1]
    assert store.indices[0].sign is None


def test_an_index_of_unknown_sign_has_two_places():
    def f(a, k):
        for i in range(len(a)):
            a[i + k] = 1.0

    table = table_of(f, VECTOR, 1)
    (store,) = table.accesses
    assert store.indices[0].sign is not None
    assert store.indices[0].wrap == extent("a", 0)


def test_views_are_seen_through():
    def f(a):
        rows = a[1:, ::2]
        turned = rows.T
        for i in range(turned.shape[0]):
            for j in range(turned.shape[1]):
                turned[i, j] = 0.0

    table = table_of(f, MATRIX)
    store = only(table, "store", "turned")
    i, j = (symbol(table.structure.loops[label].node.index.name) for label in "ij")
    assert store.array.stem == "a"
    row, column = indices(store)
    assert column == 2 * i
    assert row.coefficient(str(j)) == constant(1)


def test_a_row_of_a_matrix():
    def f(a):
        for i in range(a.shape[0]):
            row = a[i]
            for j in range(len(row)):
                row[j] = 0.0

    table = table_of(f, MATRIX)
    store = only(table, "store", "row")
    assert [str(form) for form in indices(store)] == ["i", "j"]


def test_fields_are_told_apart():
    point = np.zeros(3, [("x", "f8"), ("y", "f8")])

    def f(p):
        for i in range(len(p)):
            p[i]["x"] = p[i]["y"]

    table = table_of(f, point)
    assert {a.fields for a in table.accesses} == {("x",), ("y",)}


def test_indirect_indices():
    def f(a, p):
        for i in range(len(p)):
            a[p[i]] = 1.0

    table = table_of(f, VECTOR, KEYS)
    store = only(table, "store", "a")
    assert indices(store) == [element("p", [symbol("i")])]
    assert table.classify(store)[0] == "indirect"


def test_elements_of_a_written_array_are_no_symbols():
    def f(p):
        for i in range(len(p)):
            p[p[i]] = i

    table = table_of(f, KEYS)
    store = only(table, "store", "p")
    assert indices(store) != [element("p", [symbol("i")])]
    assert table.classify(store)[0] == "indirect"


def test_quasi_affine_indices():
    def f(a, out):
        for i in range(len(out)):
            out[i] = a[i // 3] + a[i % 3]

    table = table_of(f, VECTOR, VECTOR)
    loads = [a for a in table.accesses if a.kind == "load"]
    i = symbol("i")
    assert [indices(a) for a in loads] == [[quotient(i, constant(3))], [i - 3 * quotient(i, constant(3))]]
    assert {table.classify(a)[0] for a in loads} == {"quasi-affine"}


def test_an_index_that_a_while_loop_computes_is_unknown():
    def f(a):
        for i in range(len(a)):
            k = i
            while k > 10:
                k = k // 3 - 1
            a[k] = 0.0

    table = table_of(f, VECTOR)
    kind, reason = table.classify(only(table, "store", "a"))
    assert kind == "unknown"
    assert "k" in reason


def test_a_product_of_counters_is_unknown():
    def f(a):
        for i in range(4):
            for j in range(4):
                a[i * j] = 0.0

    table = table_of(f, VECTOR)
    assert table.classify(only(table, "store", "a"))[0] == "unknown"


def test_arrays_that_change_names_have_several_roots():
    def f(u, v, steps):
        for t in range(steps):
            for i in range(len(u)):
                v[i] = u[i]
            u, v = v, u

    table = table_of(f, VECTOR, VECTOR, 3)
    store, load = only(table, "store", "v"), only(table, "load", "u")
    assert table.roots(store) == {"u", "v"}
    assert not table.aliases.may_alias(store.array, load.array)
    assert table.aliases.may_alias(store.array, load.array, table.structure.loops["t"])


def test_arrays_that_are_not_swapped_may_become_the_same():
    def f(u, v, steps):
        for t in range(steps):
            for i in range(len(u)):
                v[i] = u[i]
            u = v

    table = table_of(f, VECTOR, VECTOR, 3)
    store, load = only(table, "store", "v"), only(table, "load", "u")
    assert table.aliases.may_alias(store.array, load.array)


def test_a_choice_between_arrays():
    def f(a, b, first):
        c = a if first else b
        for i in range(len(a)):
            c[i] = a[i]

    table = table_of(f, VECTOR, VECTOR, True)
    (store,) = [a for a in table.accesses if a.kind == "store"]
    assert table.roots(store) == {"a", "b"}


def test_induction_variables_are_closed():
    def f(a):
        k = 3
        for i in range(len(a)):
            a[k] = 0.0
            k += 2

    table = table_of(f, VECTOR)
    assert indices(only(table, "store", "a")) == [2 * symbol("i") + 3]


def test_induction_through_a_nest():
    def f(a, flat):
        k = 0
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                flat[k] = a[i, j]
                k += 1

    table = table_of(f, MATRIX, VECTOR)
    i, j = symbol("i"), symbol("j")
    assert indices(only(table, "store", "flat")) == [i * extent("a", 1) + j]


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.int64])
def test_arithmetic_that_may_wrap_is_not_affine(dtype):
    def f(a, p):
        for i in range(len(p)):
            a[p[i] + p[i]] = 0.0

    table = table_of(f, VECTOR, np.zeros(3, dtype))
    (form,) = indices(only(table, "store", "a"))
    assert form.value is None
    assert element("p", [symbol("i")]).symbols.isdisjoint(form.symbols)


def test_numpy_arithmetic_that_fits_is_affine():
    def f(a, p):
        for i in range(len(p)):
            k = np.int64(i)
            a[k + 1] = 0.0

    table = table_of(f, VECTOR, KEYS)
    assert indices(only(table, "store", "a")) == [symbol("i") + 1]


def test_written_roots():
    def f(a, b):
        low = a[1:]
        for i in range(len(low)):
            low[i] = b[i]

    assert written_roots(program_of(f, VECTOR, VECTOR)) == {"a"}


def test_guards_make_an_access_uncertain():
    def f(a, b):
        for i in range(len(a)):
            if b[i] > 0.0:
                a[i] = 1.0

    table = table_of(f, VECTOR, VECTOR)
    body = table.structure.loops["i"].body
    assert only(table, "load", "b").is_certain_in(body)
    assert not only(table, "store", "a").is_certain_in(body)


def test_closed_forms_of_carried_values():
    def f(a, x):
        k = 3
        m = 0
        for i in range(2, len(a)):
            if x[i] > 0.0:
                m += 1
            k += 2
            a[k] = m
        return k, m

    table = table_of(f, VECTOR, VECTOR)
    loop = table.structure.loops["i"]
    found = {arg.var.stem: closed_form(table, loop, place) for place, arg in enumerate(loop.node.args)}
    assert found["k"] == 2 * symbol("i") - 1
    assert found["m"] is None
