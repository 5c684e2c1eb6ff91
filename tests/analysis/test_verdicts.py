"""Verdicts, and what they say."""

from __future__ import annotations

import runpy

import numpy as np
import pytest

import weft
from weft.analysis.dependence.certainty import Must
from weft.analysis.dependence.conditions import Sorted
from weft.analysis.dependence.verdicts import judge
from weft.analysis.recurrences.recurrences import WHICH_TYPE
from weft.analysis.recurrences.tiling import tiling
from weft.transform.simplify.dce import dce

from .tools import KEYS, MASK, MATRIX, VECTOR, facts_of, function_of, program_of, verdicts_of


def fact(function, *arguments, loop="i"):
    return facts_of(function, *arguments)[loop]


def kinds(found):
    """What becomes of carried values, but for those that tell which type a result has."""
    return {c.name: (c.kind, c.operator) for c in found.carried if c.name != WHICH_TYPE}


# -------------------------------------------------------------------------------------------------- parallel


def test_independent_iterations():
    def f(a, b):
        for i in range(len(a)):
            a[i] = b[i] * 2.0

    assert verdicts_of(f, VECTOR, VECTOR) == {"i": "parallel"}


def test_a_matrix_product():
    def f(a, b, c):
        for i in range(a.shape[0]):
            for j in range(b.shape[1]):
                s = 0.0
                for k in range(a.shape[1]):
                    s += a[i, k] * b[k, j]
                c[i, j] = s

    assert verdicts_of(f, MATRIX, MATRIX, MATRIX) == {"i": "parallel", "j": "parallel", "k": "reduction"}


def test_a_value_that_is_only_read_after_the_loop():
    def f(a, out):
        t = 0.0
        for i in range(len(a)):
            t = a[i] * 2.0
            out[i] = t
        return t

    found = fact(f, VECTOR, VECTOR)
    assert found.verdict == "parallel"
    assert kinds(found)["t"] == ("last", None)


def test_an_array_that_every_iteration_writes_before_it_reads():
    def f(x, out):
        t = np.empty(3)
        for i in range(len(x)):
            t[0] = x[i]
            t[1] = x[i] * x[i]
            t[2] = 1.0
            for k in range(3):
                out[i] = out[i] + t[k]

    found = fact(f, VECTOR, VECTOR)
    assert found.verdict == "parallel"
    assert [(p.array.stem, p.copied_out) for p in found.private] == [("t", False)]


def test_a_private_array_that_is_needed_after_the_loop():
    def f(a, work):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                work[j] = a[i, j]
            for j in range(a.shape[1]):
                a[i, j] = work[j] * 2.0

    found = fact(f, MATRIX, VECTOR)
    assert [(p.array.stem, p.copied_out) for p in found.private] == [("work", True)]


def test_an_array_that_is_read_before_it_is_written_is_not_private():
    def f(x, out):
        t = np.zeros(3)
        for i in range(len(x)):
            out[i] = t[0]
            t[0] = x[i]

    assert fact(f, VECTOR, VECTOR).verdict == "sequential"


def test_an_array_that_is_partly_written_is_not_private():
    def f(x, out):
        t = np.zeros(3)
        for i in range(len(x)):
            for k in range(1, 3):
                t[k] = x[i]
            for k in range(3):
                out[i] = out[i] + t[k]

    assert fact(f, VECTOR, VECTOR).verdict == "sequential"


def test_an_array_that_is_written_under_a_guard_is_not_private():
    def f(x, out):
        t = np.zeros(3)
        for i in range(len(x)):
            if x[i] > 0.0:
                t[0] = x[i]
            out[i] = t[0]

    assert fact(f, VECTOR, VECTOR).verdict == "sequential"


def test_swapped_arrays():
    def f(u, v, steps):
        for t in range(steps):
            for i in range(1, len(u) - 1):
                v[i] = u[i - 1] + u[i + 1]
            u, v = v, u
        return u

    assert verdicts_of(f, VECTOR, VECTOR, 3) == {"t": "sequential", "i": "parallel"}


# ------------------------------------------------------------------------------------------------- reductions


@pytest.mark.parametrize(
    ("statement", "operator"),
    [
        ("s += x[i]", "add"),
        ("s = s + x[i]", "add"),
        ("s = x[i] + s", "add"),
        ("s -= x[i]", "add"),
        ("s *= x[i]", "mul"),
        ("s = min(s, x[i])", "min"),
        ("s = max(x[i], s)", "max"),
        ("s = x[i] if x[i] < s else s", "min"),
        ("s = s if x[i] <= s else x[i]", "max"),
        ("s = s + x[i] * 2.0 - x[i]", "add"),
    ],
)
def test_folds(statement, operator, tmp_path):
    found = fact(source(tmp_path, statement), VECTOR)
    assert found.verdict == "reduction"
    assert kinds(found) == {"s": ("reduction", operator)}


def source(folder, statement):
    """A function with a statement in its loop; its source is in a file, since the frontend reads it there."""
    text = f"def f(x):\n    s = 1.0\n    for i in range(len(x)):\n        {statement}\n    return s\n"
    path = folder / "program.py"
    path.write_text(text, encoding="utf-8")
    scope: dict[str, object] = {}
    exec(compile(text, str(path), "exec"), scope)
    return scope["f"]


@pytest.mark.parametrize("statement", ["s = x[i] / s", "s = s * s + x[i]", "s = x[i] ** s", "s = s % x[i]"])
def test_what_is_no_fold(statement, tmp_path):
    assert fact(source(tmp_path, statement), VECTOR).verdict == "sequential"


def test_a_guarded_fold():
    def f(x):
        s = 0.0
        count = 0
        for i in range(len(x)):
            if x[i] > 0.5:
                s += x[i]
                count += 1
        return s, count

    found = fact(f, VECTOR)
    assert kinds(found) == {"s": ("reduction", "add"), "count": ("reduction", "add")}
    assert found.reassociates


def test_integers_are_not_reassociated():
    def f(x):
        s = 0
        for i in range(len(x)):
            s += x[i]
        return s

    assert not fact(f, KEYS).reassociates


def test_a_guard_that_depends_on_the_fold():
    def f(x):
        s = 0.0
        for i in range(len(x)):
            if s < 10.0:
                s += x[i]
        return s

    assert fact(f, VECTOR).verdict == "sequential"


def test_logic():
    def f(x):
        all_positive = True
        any_large = False
        for i in range(len(x)):
            all_positive = all_positive and x[i] > 0.0
            if x[i] > 9.0:
                any_large = True
        return all_positive, any_large

    assert kinds(fact(f, VECTOR)) == {"all_positive": ("reduction", "and"), "any_large": ("reduction", "or")}


def test_the_place_of_a_minimum():
    def f(x):
        low = x[0]
        place = 0
        for i in range(1, len(x)):
            if x[i] < low:
                low = x[i]
                place = i
        return low, place

    found = fact(f, VECTOR)
    assert found.verdict == "reduction"
    assert kinds(found) == {"low": ("reduction", "min"), "place": ("companion", "min")}
    (place,) = [c for c in found.carried if c.name == "place"]
    assert found.carried[place.partner].name == "low"


def test_ties_and_nans_of_extremes():
    def f(x):
        first = x[0]
        last = x[0]
        replaced = x[0]
        for i in range(1, len(x)):
            if x[i] < first:
                first = x[i]
            if x[i] <= last:
                last = x[i]
            replaced = min(x[i], replaced)
        return first, last, replaced

    rules = {c.name: (c.ties_last, c.nan_replaces) for c in fact(f, VECTOR).carried}
    assert rules == {"first": (False, False), "last": (True, False), "replaced": (True, True)}


def test_a_fold_into_an_element():
    def f(x, out):
        for i in range(len(x)):
            out[0] += x[i]

    found = fact(f, VECTOR, VECTOR)
    assert found.verdict == "reduction"
    assert [u.operator for u in found.updates] == ["add"]


def test_folds_by_key():
    def f(key, x, total):
        for i in range(len(key)):
            total[key[i]] += x[i]

    found = fact(f, KEYS, VECTOR, VECTOR)
    assert found.verdict == "reduction"


def test_a_fold_by_key_whose_elements_are_also_read():
    def f(key, x, total):
        for i in range(len(key)):
            total[key[i]] += total[0]

    assert fact(f, KEYS, VECTOR, VECTOR).verdict == "sequential"


def test_folds_by_different_operators():
    def f(key, x, total):
        for i in range(len(key)):
            total[key[i]] += x[i]
            total[key[i]] *= 2.0

    assert fact(f, KEYS, VECTOR, VECTOR).verdict == "checked"


def test_a_loaded_value_with_another_use_is_no_fold():
    def f(key, x, total, out):
        for i in range(len(key)):
            old = total[key[i]]
            total[key[i]] = old + x[i]
            out[i] = old

    assert fact(f, KEYS, VECTOR, VECTOR, VECTOR).verdict != "reduction"


def test_a_load_before_an_inner_loop_is_no_part_of_an_update_in_it():
    def f(a, c):
        for i in range(len(c)):
            t = c[i]
            for j in range(len(a)):
                c[i] = t + a[j]

    found = fact(f, VECTOR, VECTOR, loop="j")
    assert (found.verdict, found.updates) == ("parallel", ())


def test_the_largest_by_key():
    def f(key, x, best):
        for i in range(len(key)):
            if x[i] > best[key[i]]:
                best[key[i]] = x[i]

    found = fact(f, KEYS, VECTOR, VECTOR)
    assert (found.verdict, found.updates[0].operator) == ("reduction", "max")


# ----------------------------------------------------------------------------------- scans, packing, searches


@pytest.mark.parametrize("value", ["k", "a[i] * k", "i"])
def test_a_counter_that_is_stored_needs_its_value(value):
    f = function_of(f"""def f(a, out):
    k = 0
    for i in range(len(a)):
        if a[i] > 0.0:
            out[k] = {value}
            k += 1
""")
    expected = ("compaction", "counter") if value == "i" else ("scan", "scan")
    found = fact(f, VECTOR, VECTOR)
    assert (found.verdict, kinds(found)["k"][0]) == expected


def test_a_counter_is_what_its_own_branch_made_of_it():
    def f(a, c, out, z):
        k = 0
        for i in range(len(a)):
            if a[i] > 0.0:
                out[k] = a[i]
                t = k + 100
            else:
                t = 0
            if c[i] > 0.0:
                k += 1
            z[i] = t

    assert fact(f, VECTOR, VECTOR, VECTOR, VECTOR).verdict == "sequential"


def test_places_go_with_their_own_extremes():
    def f(a, out):
        least, most, at, where, s = a[0], a[0], 0, 0, 0.0
        for i in range(len(a)):
            if a[i] < least:
                least, at = a[i], i
            if a[i] > most:
                most, where = a[i], i
            s += a[i]
            out[i] = s
        return at, where

    verdicts = judge(dce(program_of(f, VECTOR, VECTOR)))
    found = tiling(verdicts, verdicts.table.structure.loops["i"])
    names = [c.name for c in found.fact.carried]
    companions = {part.value.name: [names[k] for k in part.companions] for part in found.parts}
    assert companions == {"least": ["at"], "most": ["where"], "s": []}


def test_a_prefix_sum():
    def f(x, out):
        s = 0.0
        for i in range(len(x)):
            s += x[i]
            out[i] = s

    found = fact(f, VECTOR, VECTOR)
    assert (found.verdict, kinds(found)["s"]) == ("scan", ("scan", "add"))


def test_a_recurrence_in_memory():
    def f(a, b, x):
        for i in range(1, len(x)):
            x[i] = a[i] * x[i - 1] + b[i]

    found = fact(f, VECTOR, VECTOR, VECTOR)
    assert found.verdict == "scan"
    assert [(s.operator, s.distance) for s in found.scans] == [("linear", Must(1))]


def test_a_recurrence_that_is_not_linear():
    def f(x):
        for i in range(1, len(x)):
            x[i] = x[i - 1] * x[i - 1]

    assert fact(f, VECTOR).verdict == "sequential"


def test_a_recurrence_of_second_order():
    def f(x):
        for i in range(2, len(x)):
            x[i] = x[i - 1] + x[i - 2]

    assert fact(f, VECTOR).verdict == "sequential"


def test_a_fold_whose_value_goes_through_memory():
    def f(x, out):
        s = 0.0
        for i in range(len(x)):
            out[i] = s
            s = out[i] + x[i]
        return s

    assert fact(f, VECTOR, VECTOR).verdict in ("scan", "sequential")


def test_packing():
    def f(x, out):
        k = 0
        for i in range(len(x)):
            if x[i] > 0.0:
                out[k] = x[i]
                k += 1
        return k

    found = fact(f, VECTOR, VECTOR)
    assert (found.verdict, kinds(found)["k"]) == ("compaction", ("counter", "add"))


def test_a_counter_that_does_not_always_grow_overwrites():
    def f(x, out):
        k = 0
        for i in range(len(x)):
            out[k] = x[i]
            if x[i] > 0.0:
                k += 1
        return k

    assert fact(f, VECTOR, VECTOR).verdict == "sequential"


def test_a_counter_that_falls():
    def f(x, out):
        k = 10
        for i in range(len(x)):
            if x[i] > 0.0:
                out[k] = x[i]
                k -= 1
        return k

    assert fact(f, VECTOR, VECTOR).verdict in ("scan", "sequential")


def test_a_search():
    def f(x, value):
        place = -1
        for i in range(len(x)):
            if x[i] == value:
                place = i
                break
        return place

    assert fact(f, KEYS, 3).verdict == "search"


def test_a_loop_that_ends_by_its_sum():
    def f(x, limit):
        s = 0.0
        for i in range(len(x)):
            s += x[i]
            if s > limit:
                return i
        return -1

    found = fact(f, VECTOR, 3.0)
    assert found.verdict == "sequential"
    assert found.reason.endswith("where the loop ends depends on it")


# ---------------------------------------------------------------------------------------- checked and claimed


def test_indices_from_an_array_are_checked():
    def f(a, p):
        for i in range(len(p)):
            a[p[i]] = i

    found = fact(f, VECTOR, KEYS)
    assert found.verdict == "checked"
    assert "all different" in found.reason


def test_sparse_rows_are_checked():
    def f(start, value):
        for i in range(len(start) - 1):
            for k in range(start[i], start[i + 1]):
                value[k] = value[k] * 2.0

    found = fact(f, KEYS, VECTOR)
    assert found.verdict == "checked"
    assert any(isinstance(c, Sorted) for c in found.conditions)


def test_a_proven_race():
    def f(a):
        for i in weft.prange(1, len(a)):
            a[i] = a[i - 1]

    with pytest.raises(weft.RaceError) as caught:
        facts_of(f, VECTOR)
    assert "a[i - 1]" in str(caught.value)
    assert caught.value.location is not None
    assert caught.value.other is not None


def test_a_race_for_one_element():
    def f(a, out):
        for i in weft.prange(len(a)):
            out[0] = a[i]

    with pytest.raises(weft.RaceError):
        facts_of(f, VECTOR, VECTOR)


def test_a_race_for_a_variable():
    def f(a):
        s = 1.0
        for i in weft.prange(len(a)):
            s = a[i] / s
        return s

    with pytest.raises(weft.RaceError):
        facts_of(f, VECTOR)


def test_a_claim_that_is_not_proven_is_checked():
    def f(a, p):
        for i in weft.prange(len(p)):
            a[p[i]] = i

    found = fact(f, VECTOR, KEYS)
    assert (found.verdict, found.claimed) == ("checked", True)
    assert found.conditions


def test_the_users_word():
    def f(a, p):
        for i in weft.assume_independent(range(len(p))):
            a[p[i]] = a[p[0]]

    found = fact(f, VECTOR, KEYS)
    assert (found.verdict, found.claimed) == ("parallel", True)
    assert "your word" in found.reason


def test_a_sum_in_a_claimed_loop():
    def f(a):
        s = 0.0
        for i in weft.prange(len(a)):
            s += a[i]
        return s

    assert fact(f, VECTOR).verdict == "reduction"


# ------------------------------------------------------------------------------------------------- the reasons


def test_a_reason_names_both_accesses_and_lines():
    def f(a):
        for i in range(1, len(a)):
            a[i] = a[i - 1] * a[i - 1]

    found = fact(f, VECTOR)
    line = f.__code__.co_firstlineno + 2
    assert found.reason.count(f"(line {line})") == 2
    assert "a[i - 1]" in found.reason
    assert [place.line for place in found.between] == [line, line]


def test_a_reason_for_a_carried_value():
    def f(a):
        x = 0.5
        for i in range(len(a)):
            x = 3.7 * x * (1.0 - x)
            a[i] = x

    found = fact(f, VECTOR)
    assert found.reason.startswith("x is used (line ")
    assert len(found.between) == 2


def test_overlapping_arguments_are_not_told_apart():
    from weft.analysis.dependence.verdicts import judge

    from .tools import program_of

    def f(a, b):
        for i in range(len(a)):
            a[i] = b[i]

    program = program_of(f, VECTOR, VECTOR)
    assert judge(program).loops["i"].verdict == "parallel"
    assert judge(program, ["a", "b"]).loops["i"].verdict == "sequential"


def test_masks():
    def f(mask, packed, out):
        k = 0
        for i in range(len(out)):
            if mask[i]:
                out[i] = packed[k]
                k += 1

    assert fact(f, MASK, VECTOR, VECTOR).verdict in ("scan", "compaction")


# ------------------------------------------------------------------------------- elements that say where to store


@pytest.mark.parametrize(
    "index", ["t + int(p[0])", "2 * t + int(p[1]) // 2", "t + max(int(p[0]), 3)", "t + min(int(p[0]), int(p[1]))"]
)
def test_an_element_that_an_outer_loop_writes_is_another_one_in_each_of_its_iterations(index):
    text = f"""
def f(a, p, q, n, m):
    for t in range(n):
        p[0] = q[t]
        p[1] = q[t + 1]
        for i in range(m):
            a[{index}] = t + p[1]
"""
    keys = np.zeros(3, np.uint8)
    assert facts_of(function_of(text.strip() + "\n"), VECTOR, keys, keys, 3, 3)["t"].verdict == "sequential"


LEAST = {
    "min of old and new": "m[{p}] = min(m[{p}], x[i])",
    "min of new and old": "m[{p}] = min(x[i], m[{p}])",
    "less": "if x[i] < m[{p}]:\n            m[{p}] = x[i]",
    "at most": "if x[i] <= m[{p}]:\n            m[{p}] = x[i]",
    "np.minimum": "m[{p}] = np.minimum(m[{p}], x[i])",
}
"""Folds by the least element, with rules of their own for equal values (zeros have signs) and for NaN."""

ALIKE = {frozenset({"min of old and new", "less"})}


@pytest.mark.parametrize("first", LEAST)
@pytest.mark.parametrize("second", LEAST)
def test_folds_with_other_rules_for_ties_and_nan_are_different_folds(first, second, tmp_path):
    body = [LEAST[first].format(p="k[i]"), LEAST[second].format(p="j[i]")]
    text = "def f(m, k, j, x):\n    for i in range(len(x)):\n" + "".join(f"        {s}\n" for s in body)
    (tmp_path / "folds.py").write_text("import numpy as np\n\n\n" + text, encoding="utf-8")
    names = runpy.run_path(str(tmp_path / "folds.py"))
    is_one = first == second or frozenset({first, second}) in ALIKE
    assert (fact(names["f"], VECTOR, KEYS, KEYS, VECTOR).verdict == "reduction") == is_one
