"""Folds: that the rules for extremes are what the analysis says, and that exceptions keep their place."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.analysis.recurrences.chains import extreme_of

from .tools import VECTOR, facts_of

NOTHING = object()
FLOATS = st.sampled_from([0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan])


def takes(new, old, ties_last, nan_replaces):
    """Whether a new value replaces the old one when the minimum is kept."""
    if math.isnan(new) or math.isnan(old):
        return nan_replaces
    return new < old or (ties_last and new == old)


def in_order(values, ties_last, nan_replaces):
    kept = values[0]
    for new in values[1:]:
        kept = new if takes(new, kept, ties_last, nan_replaces) else kept
    return kept


def partial(values, ties_last, nan_replaces):
    """The state of a piece: the value since the last NaN, or nothing yet; and whether a NaN replaced what was there."""
    kept, replaced = NOTHING, False
    for new in values:
        if math.isnan(new):
            if nan_replaces:
                kept, replaced = new, True
        elif kept is NOTHING or takes(new, kept, ties_last, nan_replaces):
            kept = new
    return kept, replaced


def combined(first, second, ties_last, nan_replaces):
    """A value and the state of a later piece."""
    kept, replaced = second
    if kept is NOTHING:
        return first
    if replaced or takes(kept, first, ties_last, nan_replaces):
        return kept
    return first


def same(a, b):
    return np.array(a).tobytes() == np.array(b).tobytes() or (math.isnan(a) and math.isnan(b))


@pytest.mark.parametrize("ties_last", [False, True])
@pytest.mark.parametrize("nan_replaces", [False, True])
@given(values=st.lists(FLOATS, min_size=1, max_size=9), cut=st.integers(1, 9))
def test_partial_extremes_give_the_extreme_in_order(ties_last, nan_replaces, values, cut):
    initial, *rest = values
    rule = (ties_last, nan_replaces)
    found = initial
    for piece in (rest[:cut], rest[cut:]):
        found = combined(found, partial(piece, *rule), *rule)
    assert same(found, in_order(values, *rule))


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ({"lt"}, ("min", False, False)),
        ({"lt", "eq"}, ("min", True, False)),
        ({"gt"}, ("max", False, False)),
        ({"gt", "eq", "unordered"}, ("max", True, True)),
        ({"lt", "gt"}, None),
        (set(), None),
    ],
)
def test_rules_from_comparisons(taken, expected):
    assert extreme_of(taken) == expected


def test_a_fold_that_raises_by_its_partial_value_is_used():
    def f(x, limit):
        s = 0.0
        for i in range(len(x)):
            s += x[i]
            if s > limit:
                raise ValueError("too much")
        return s

    assert facts_of(f, VECTOR, 1.0)["i"].verdict == "scan"


def test_a_division_by_a_partial_value_is_a_use():
    def f(x):
        s = 1
        for i in range(len(x)):
            s += int(x[i])
            t = 1 // s  # noqa: F841 - it is there to raise
        return s

    assert facts_of(f, np.zeros(3, np.int64))["i"].verdict == "scan"


def test_what_is_evaluated_only_while_a_flag_holds_must_not_raise():
    def f(x, y):
        ok = True
        for i in range(len(x)):
            ok = ok and x[i] > y[i]
        return ok

    def g(x):
        ok = True
        for i in range(len(x)):
            ok = ok and x[i] > 0.0
        return ok

    assert facts_of(f, VECTOR, VECTOR)["i"].verdict != "reduction"
    assert facts_of(g, VECTOR)["i"].verdict == "reduction"


def test_checks_of_the_sum_itself_are_part_of_it():
    def f(x):
        s = 0
        for i in range(len(x)):
            s += int(x[i])
        return s

    assert facts_of(f, np.zeros(3, np.int64))["i"].verdict == "reduction"
