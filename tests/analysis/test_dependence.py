"""Dependences: which are found, at which distance, and under which conditions there are none."""

from __future__ import annotations

import numpy as np
import pytest

from weft.analysis.dependence.conditions import AnyOf, Distinct, NonNegative, NonZero, Sorted
from weft.analysis.dependence.dependence import carried
from weft.analysis.values.linear import symbol

from .tools import KEYS, MATRIX, VECTOR, function_of, table_of


def found(function, *arguments, loop="i"):
    table = table_of(function, *arguments)
    return list(carried(table, table.structure.loops[loop]))


def summary(dependences):
    """Kinds and distances; a distance that is only possible stands in brackets."""
    return sorted(((d.kind, distance(d)) for d in dependences), key=str)


def distance(dependence):
    certain, possible = dependence.certain_distance, dependence.distance
    if certain is not None:
        return certain.value
    return None if possible is None else [possible.value]


def test_no_dependence_between_different_elements():
    def f(a, b):
        for i in range(len(a)):
            a[i] = b[i] + a[i]

    assert found(f, VECTOR, VECTOR) == []


def test_flow_to_the_next_iteration():
    def f(a):
        for i in range(1, len(a)):
            a[i] = a[i - 1] + 1.0

    assert summary(found(f, VECTOR)) == [("flow", 1)]


def test_anti_to_the_next_iteration():
    def f(a):
        for i in range(len(a) - 1):
            a[i] = a[i + 1]

    assert summary(found(f, VECTOR)) == [("anti", 1)]


def test_output_to_the_same_element():
    def f(a, b):
        for i in range(len(b)):
            a[0] = b[i]

    assert summary(found(f, VECTOR, VECTOR)) == [("output", None)]


def test_a_negative_index_reaches_the_end():
    def f(a):
        for i in range(len(a)):
            a[i] = a[i - 1]

    assert {d.kind for d in found(f, VECTOR)} == {"flow", "anti"}


def test_strides_that_do_not_meet():
    def f(a):
        for i in range(len(a) // 2):
            a[2 * i] = a[2 * i + 1]

    assert found(f, VECTOR) == []


def test_a_distance_beyond_the_loop():
    def f(a, m):
        for i in range(m):
            a[i + m] = a[i]

    assert found(f, VECTOR, 3) == []


def test_the_outer_loop_carries_and_the_inner_does_not():
    def f(a):
        for i in range(1, a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] = a[i - 1, j]

    assert summary(found(f, MATRIX)) == [("flow", [1])]  # the inner counter has to be the same, too
    assert found(f, MATRIX, loop="j") == []


@pytest.mark.parametrize(
    ("written", "read", "expected"),
    [
        ("1", "1", 1), ("k", "k", 1), ("-1", "-1", 1), ("k + 1", "1 + k", 1), ("k * m", "m * k", 1),
        ("k % m", "k % m", 1), ("p[0]", "p[0]", 1), ("-1", "a.shape[1] - 1", 1), ("i", "i - 1", 1),
        ("a.shape[1] - 1", "len(b) - 1", [1]), ("1", "-1", [1]), ("k", "m", [1]), ("k", "-1", [1]),
        ("0", "k - m", [1]), ("i", "2", [1]), ("p[k]", "p[k]", [1]), ("p[i]", "p[i]", [1]),
    ],
)  # fmt: skip
def test_a_distance_is_certain_only_if_all_indices_always_agree(written, read, expected):
    text = f"def f(a, b, p, k, m):\n    for i in range(1, len(b)):\n        a[i, {written}] = a[i - 1, {read}] * 2\n"
    flows = [d for d in found(function_of(text), MATRIX, VECTOR, KEYS, 1, 2) if d.kind == "flow"]
    assert [distance(d) for d in flows] == [expected]


def test_values_that_no_iteration_changes_decide_at_the_call():
    def f(a, k, m):
        for i in range(1, len(a)):
            a[i, k] = a[i - 1, m] * 2.0

    wanted = {NonZero(symbol("k") - symbol("m")), NonNegative(symbol("k")), NonNegative(symbol("m"))}
    assert [set(d.conditions) for d in found(f, MATRIX, 1, 2) if d.kind == "flow"] == [wanted]


def test_a_triangle_and_its_transpose():
    def f(a):
        for i in range(a.shape[0]):
            for j in range(i):
                a[i, j] = a[j, i]

    assert found(f, MATRIX) == []


def test_guards_are_used():
    def f(a):
        for i in range(len(a) - 1):
            if i % 2 == 0:
                a[i] = a[i + 1]

    assert found(f, VECTOR) == []


def test_flattened_indices_are_two_dimensions():
    def f(a, n, m):
        for i in range(n):
            for j in range(m):
                a[i * m + j] = 1.0

    assert found(f, VECTOR, 3, 3) == []
    assert found(f, VECTOR, 3, 3, loop="j") == []


def test_division_and_remainder_are_two_dimensions():
    def f(a):
        m = a.shape[1]
        for k in range(a.shape[0] * m):
            a[k // m, k % m] = 1.0

    assert found(f, MATRIX, loop="k") == []


def test_a_width_of_its_own_is_a_condition():
    def f(a, n, m, width):
        for i in range(n):
            for j in range(m):
                a[i * width + j] = 1.0

    m, width = symbol("m"), symbol("width")
    wanted = {c for d in found(f, VECTOR, 3, 3, 3) for c in d.conditions}
    assert wanted == {NonNegative(width - m), NonNegative(width)}


def test_an_offset_is_a_condition():
    def f(a, n, m):
        for i in range(n):
            a[i] = a[i + m]

    conditions = {c for d in found(f, VECTOR, 3, 3) for c in d.conditions}
    n, m = symbol("n"), symbol("m")
    assert AnyOf((NonNegative(-m), NonNegative(m - n))) in conditions


def test_a_stride_is_a_condition():
    def f(a, n, m):
        for i in range(n):
            a[m * i] = 1.0

    assert NonZero(symbol("m")) in {c for d in found(f, VECTOR, 3, 3) for c in d.conditions}


def test_indices_from_an_array_must_be_distinct():
    def f(a, p):
        for i in range(len(p)):
            a[p[i]] = 1.0

    (dependence,) = found(f, VECTOR, KEYS)
    (condition,) = dependence.conditions
    assert isinstance(condition, Distinct)
    assert condition.loop == "i"


def test_rows_of_a_sparse_matrix_must_be_sorted():
    def f(start, value):
        for i in range(len(start) - 1):
            for k in range(start[i], start[i + 1]):
                value[k] = 0.0

    conditions = {c for d in found(f, KEYS, VECTOR) for c in d.conditions}
    assert {type(c) for c in conditions} == {Sorted, NonNegative}


def test_other_indices_from_an_array_are_a_dependence_without_conditions():
    def f(a, p, q):
        for i in range(len(p)):
            a[p[i]] = a[q[i]]

    assert any(d.conditions is None for d in found(f, VECTOR, KEYS, KEYS))


def test_fields_do_not_meet():
    def f(p):
        for i in range(1, len(p)):
            p[i]["x"] = p[i - 1]["y"]

    assert found(f, np.zeros(3, [("x", "f8"), ("y", "f8")])) == []


def test_overlapping_fields_meet():
    def f(p):
        for i in range(1, len(p)):
            p[i]["x"] = p[i - 1]["y"]

    both = np.dtype({"names": ["x", "y"], "formats": ["f8", "f8"], "offsets": [0, 4], "itemsize": 16})
    assert summary(found(f, np.zeros(3, both))) == [("flow", [1])]


def test_an_array_of_the_iteration_is_its_own():
    def f(out):
        for i in range(len(out)):
            t = np.zeros(3)
            t[0] = i
            out[i] = t[0]

    assert found(f, VECTOR) == []


@pytest.mark.parametrize(("step", "expected"), [(1, [("flow", 1)]), (2, [("flow", 2)]), (5, [("flow", 5)])])
def test_distances(step, expected):
    def one(a):
        for i in range(1, len(a)):
            a[i] = a[i - 1]

    def two(a):
        for i in range(2, len(a)):
            a[i] = a[i - 2]

    def five(a):
        for i in range(5, len(a)):
            a[i] = a[i - 5]

    assert summary(found({1: one, 2: two, 5: five}[step], VECTOR)) == expected


def test_the_iteration_that_ends_the_loop_is_the_last():
    def f(a, out):
        for i in range(len(a)):
            if a[i] > 0.0:
                out[0] = i
                break

    assert found(f, VECTOR, VECTOR) == []


def test_dependences_of_large_sizes_are_proven():
    def f(a):
        for i in range(len(a)):
            a[i // 2] = i

    assert all(d.is_proven() for d in found(f, VECTOR))


def test_dependences_under_a_guard_are_not_proven():
    def f(a, b):
        for i in range(1, len(a)):
            if b[i] > 0.0:
                a[i] = a[i - 1]

    assert not any(d.is_proven() for d in found(f, VECTOR, VECTOR))


@pytest.mark.parametrize("turn", ["u, v = v, u", "pass"], ids=["swapped", "kept"])
def test_rows_of_arrays_that_take_turns_may_be_one_row(turn):
    """Row 1 of the one array is row 0 of the other: in a later iteration that one has the first one's name."""
    f = function_of(f"""def f(m, n):
    u, v = m[0:2], m[1:3]
    for t in range(n):
        p, q = u[0], u[1]
        for j in range(m.shape[1]):
            p[j] = q[j] * 2.0
        {turn}
""")
    table = table_of(f, MATRIX, 4)
    store, load = (next(a.site.statement for a in table.accesses if a.kind == kind) for kind in ("store", "load"))
    may_meet = table.aliases.may_alias(store.view, load.value.view, table.structure.loops["t"])
    assert may_meet == (turn != "pass")
