"""What is known of integers: from loops, branches, extents, types, and values that are carried."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from tests.hunt.program import forget, function_of
from tests.random_programs.stages import optimised_and_interpreted
from weft.analysis.values.linear import extent, symbol
from weft.analysis.values.ranges import ranges
from weft.ir import nodes as n

from .tools import KEYS, VECTOR, program_of


def at(function, *arguments, array="out"):
    """The ranges of a function, the first store to an array, and the form of its first index."""
    found = ranges(program_of(function, *arguments))
    for site in found.structure.root.sites():
        if isinstance(site.statement, n.Store) and site.statement.view.stem == array:
            return found, site.region, found.forms.of(site.statement.indices[0])
    raise AssertionError


def test_loop_bounds():
    def f(out):
        for i in range(2, len(out) - 1):
            out[i] = 0.0

    found, region, index = at(f, VECTOR)
    assert found.nonnegative(index - 2, region)
    assert found.nonnegative(extent("out", 0) - 2 - index, region)
    assert found.nonnegative(extent("out", 0) - 4, region)
    assert not found.nonnegative(extent("out", 0) - 5, region)


def test_branches():
    def f(out, k):
        for i in range(len(out)):
            if k >= 0 and i + k < len(out):
                out[i + k] = 0.0

    found, region, index = at(f, VECTOR, 1)
    assert found.nonnegative(index, region)
    assert found.nonnegative(extent("out", 0) - 1 - index, region)


def test_the_other_branch():
    def f(out, k):
        if k < 0 or k >= len(out):
            pass
        else:
            out[k] = 0.0

    found, region, index = at(f, VECTOR, 1)
    assert found.nonnegative(index, region)
    assert found.nonnegative(extent("out", 0) - 1 - index, region)


def test_what_an_earlier_raise_excludes():
    def f(out, k):
        if k < 3:
            raise ValueError("small")
        for i in range(1):
            out[k] = 0.0

    found, region, index = at(f, VECTOR, 1)
    assert found.nonnegative(index - 3, region)


def test_types():
    def f(out, p):
        for i in range(len(p)):
            out[p[i]] = 0.0

    found, region, index = at(f, VECTOR, np.zeros(3, np.uint8))
    assert found.nonnegative(index, region)
    assert found.nonnegative(255 - index, region)
    assert not found.nonnegative(254 - index, region)


def test_remainders():
    def f(out, p):
        for i in range(len(p)):
            out[int(p[i]) % 7] = 0.0

    found, region, index = at(f, VECTOR, KEYS)
    assert found.nonnegative(index, region)
    assert found.nonnegative(6 - index, region)


def test_a_counter_is_bounded_by_the_iterations():
    def f(out, x):
        k = 0
        for i in range(len(x)):
            if x[i] > 0.0:
                out[k] = x[i]
                k += 1

    found, region, index = at(f, VECTOR, VECTOR)
    assert found.nonnegative(index, region)
    assert found.nonnegative(symbol("i") - index, region)
    assert found.nonnegative(extent("x", 0) - 1 - index, region)


def test_minimum_and_maximum():
    def f(out, k):
        out[max(0, min(k, len(out) - 1))] = 0.0

    found, region, index = at(f, VECTOR, 1)
    assert found.nonnegative(index, region)
    assert not found.nonnegative(extent("out", 0) - 1 - index, region)  # an empty array has index 0 too


def test_what_a_test_chooses():
    def after(out):
        for i in range(len(out)):
            out[i + 1 if i < len(out) - 1 else 0] = 0.0

    def before(out):
        for i in range(len(out)):
            out[i - 1 if i > 0 else len(out) - 1] = 0.0

    def beyond(out):
        for i in range(len(out)):
            out[i + 2 if i < len(out) - 1 else 0] = 0.0

    for function in (after, before):
        found, region, index = at(function, VECTOR)
        assert found.nonnegative(index, region)
        assert found.nonnegative(extent("out", 0) - 1 - index, region)
    found, region, index = at(beyond, VECTOR)
    assert not found.nonnegative(extent("out", 0) - 1 - index, region)
    assert found.nonnegative(extent("out", 0) - index, region)


def test_conditions():
    def f(out, k):
        for i in range(4, len(out)):
            if i > 2:
                out[i] = 0.0

    found, region, _ = at(f, VECTOR, 1)
    condition = region.owner.condition
    assert found.proves(condition, region.parent)
    assert not found.refutes(condition, region.parent)


def test_intervals():
    def f(out):
        for i in range(2, 9):
            out[3 * i + 1] = 0.0

    found = ranges(program_of(f, VECTOR))
    (store,) = [s for s in found.structure.root.sites() if isinstance(s.statement, n.Store)]
    assert found.interval(store.statement.indices[0], store.region) == (7, 25)


def test_shifts_of_lengths_keep_the_sign():
    def f(out, k):
        for i in range(5):
            for j in range(len(out) >> i):
                out[j] = 0.0
            out[1 << i] = 0.0
            out[k >> i] = 0.0
            out[np.int8(1) << np.int8(i)] = 0.0

    found = ranges(program_of(f, VECTOR, 1))
    stores = [s for s in found.structure.root.sites() if isinstance(s.statement, n.Store)]
    halves, _, right, narrow = (found.forms.of(s.statement.indices[0]) for s in stores)
    assert found.nonnegative(extent("out", 0) - 1 - halves, stores[0].region)
    assert found.interval(stores[1].statement.indices[0], stores[1].region)[0] == 1
    assert not found.nonnegative(right, stores[2].region)
    assert not found.nonnegative(narrow, stores[3].region)


def test_a_search_downwards_ends_no_lower_than_its_limit():
    def f(out, x):
        for i in range(1, len(out)):
            k = i
            while k > 0 and x[k - 1] > 0.0:
                k -= 1
            out[k] = 0.0

    found, region, index = at(f, VECTOR, VECTOR)
    assert found.nonnegative(index, region)
    assert found.nonnegative(extent("out", 0) - 1 - index, region)
    assert not found.nonnegative(index - 1, region)


def test_products_of_block_numbers_fit():
    def f(out):
        for b in range(len(out) // 8):
            out[8 * b] = 0.0

    found, region, index = at(f, VECTOR)
    assert found.nonnegative(extent("out", 0) - 8 - index, region)
    assert found.nonnegative(2**62 - index, region)


def test_a_bound_names_nothing_that_one_branch_computes():
    def f(out, v, w):
        if v <= w:
            v = v if v < w else w
        out[v] = 0.0

    found, region, index = at(f, VECTOR, 1, 1)
    assert not found.nonnegative(symbol("w") - index, region)
    assert not found.nonnegative(index - symbol("w"), region)


CONDITIONS = ("{v} {c} {w}", "{v} {c} {w} + 1", "{v} {c} 0", "not {v} {c} {w}", "{v} {c} {w} and {w} {d} 1")
VALUES = ("{v} if {v} {c} {w} else {w}", "min({v}, {w})", "max({v}, {w})", "{v} + 1", "{w} - {v}", "{w}", "abs({v})")


def choices(seed):
    """A function that assigns integers in nested branches, and then returns how they compare."""
    draw = Random(seed)

    def filled(text):
        v, w = draw.sample(["v", "w"], 2)
        return text.format(v=v, w=w, c=draw.choice(("<", "<=", ">", ">=")), d=draw.choice(("<", ">=")))

    def replaced(indent):
        if indent < 3 and draw.random() < 0.4:
            return f"{'    ' * indent}if {filled(draw.choice(CONDITIONS))}:\n{replaced(indent + 1)}"
        return f"{'    ' * indent}{draw.choice('vw')} = {filled(draw.choice(VALUES))}\n"

    body = "".join(
        f"    if {filled(draw.choice(CONDITIONS))}:\n{replaced(2)}"
        + (f"    else:\n{replaced(2)}" if draw.random() < 0.4 else "")
        for _ in range(2)
    )
    results = ", ".join(filled("{v} {c} {w}") for _ in range(2))
    return f"def f(v, w):\n{body}    return {results}, v {draw.choice(('<', '>='))} w + 1, v, w\n"


@pytest.mark.parametrize("seed", range(16))
def test_what_is_proven_after_branches_holds_for_all_numbers(seed):
    function = function_of(choices(seed))
    try:
        compiled = optimised_and_interpreted(function, (1, 2))
        for pair in product(range(-2, 3), repeat=2):
            assert compiled(pair) == function(*pair), choices(seed)
    finally:
        forget(function)
