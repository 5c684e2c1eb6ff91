"""Indices that change their sign take loops apart; every part's conditions are asked, whichever of the others run."""

from __future__ import annotations

import itertools
import linecache
from typing import Any

import numpy as np
import pytest

import weft
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.transform.safety.bounds import bounds
from weft.transform.safety.index_limits import index_limits
from weft.transform.safety.split_by_sign import split_by_sign

from .same import assert_same

OFFSETS = range(-3, 3)
SHAPES = ((1, 1), (2, 2), (3, 1), (2, 4), (4, 3))
FORMS = {
    "copy": "v[{a}, k] = u[{b}, {c}]",
    "load": "s += u[{a}, {b}] + v[{c}, k]",
    "update": "v[{a}, {b}] += u[{c}, k]",
    "guard": "if u[{a}, {b}] < 2:\n            v[{c}, k] = v[k, {a}]",
    "bound": "if {a} >= k:\n            v[{c}, k] = u[{b}, {a}]\n        v[{c}, {b}] += 1.0",
    "assert": "assert (u[{a}, {b}] if v[{c}, -1] == u[{c}, {b}] else 1) < 2",
    "nest": "for j in range(k):\n            v[{c}, j] = u[{a}, j] + u[{b}, j - 1]",
}


def function_of(form: str, offsets: tuple[int, ...]) -> Any:
    """A function with one loop, whose text can be found."""
    texts = (f"i {'+' if o > 0 else '-'} {abs(o)}" if o else "i" for o in offsets)
    body = FORMS[form].format(**dict(zip("abc", texts, strict=True)))
    source = f"def f(u, v, n, k):\n    s = 0.0\n    for i in range(n):\n        {body}\n    return s\n"
    name = f"<parts {form} {offsets}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    scope: dict[str, Any] = {}
    exec(compile(source, name, "exec"), scope)
    return scope["f"]


def arrays(first: tuple[int, int], second: tuple[int, int]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Two arrays with elements around them that nobody may touch; and the memory that they lie in."""
    around = [np.arange(100.0).reshape(10, 10) % 3 for _ in range(2)]
    inside = [x[3 : 3 + s[0], 3 : 3 + s[1]] for x, s in zip(around, (first, second), strict=True)]
    return inside, around


CALLS = list(itertools.product(SHAPES, SHAPES[:2], range(4), (0, 1, 2)))
TRIPLES = list(itertools.product(OFFSETS, repeat=3))


@pytest.mark.sample(0)
@pytest.mark.parametrize("form", FORMS)
def test_where_the_assumption_holds_no_element_outside_is_touched(form: str):
    """The interpreter asks of every access that is taken for proven whether it is inside."""
    for k, offsets in enumerate(TRIPLES):
        if k % (2 * len(FORMS)) == list(FORMS).index(form):
            before = build(function_of(form, offsets), [describe(x) for x in (*arrays((2, 2), (2, 2))[0], 1, 1)])
            inputs = [(*arrays(first, second)[0], n, k) for first, second, n, k in CALLS]
            assert_same(before, bounds(split_by_sign(index_limits(before))), *inputs)


def ended(call: Any, case: tuple[Any, ...]) -> tuple[Any, list[np.ndarray]]:
    """What a call gives or raises, and the memory afterwards."""
    first, second, n, k = case
    inside, around = arrays(first, second)
    try:
        return call(*inside, n, k), around
    except (IndexError, AssertionError) as error:
        return (type(error), str(error)), around


@pytest.mark.sample(2)
@pytest.mark.filterwarnings("ignore::weft.WeftWarning")
@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
@pytest.mark.parametrize(("form", "offsets"), [
    ("copy", (0, -1, -2)), ("copy", (-2, 1, -3)), ("load", (-1, -2, 0)), ("update", (-1, -3, -2)),
    ("guard", (-1, -2, 0)),
    ("bound", (-2, 0, -1)), ("assert", (0, -2, -1)), ("nest", (-2, -1, 0)),
])  # fmt: skip
def test_as_in_cpython(form: str, offsets: tuple[int, ...], device: str):
    function = function_of(form, offsets)
    compiled = weft.jit(function, device=device)
    for case in CALLS:
        expected, found = ended(function, case), ended(compiled, case)
        assert found[0] == expected[0], case
        for left, right in zip(expected[1], found[1], strict=True):
            np.testing.assert_array_equal(right, left, str(case))
