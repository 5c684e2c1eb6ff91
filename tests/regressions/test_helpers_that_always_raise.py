"""Helper functions that always raise, wherever an expression calls them: what stands behind the call is never done."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def never(n):
    raise ValueError(f"never {n}")


def either(n):
    if n > 2:
        raise IndexError("above")
    else:
        raise KeyError("below")


def sums(a, n):
    a[0] = 7
    a[1] = 1 + never(n)


def branches(a, n):
    a[0] = n
    if n > 2:
        a[1] = 2 * never(n)
    return a[0]


def choices(a, n):
    return n if n < 3 else either(n)


def loops(a, n):
    for i in range(n):
        a[i] = a[i] + never(i)


def updates(a, n):
    a[2] = 5
    a[0] += either(n)
    a[3] = 5


def calls(a, n):
    return max(n, never(n)) + float(either(n))


def nested(n):
    return -either(n)


def helpers(a, n):
    a[0] = nested(n) * 2


def whole_arrays(a, n):
    return np.sum(a * never(n))


def indices(a, n):
    return a[never(n)]


FUNCTIONS = [sums, branches, choices, loops, updates, calls, helpers, whole_arrays, indices]


def ended(function, n):
    a = np.arange(6)
    try:
        found = function(a, n)
    except Exception as error:
        found = type(error).__name__, str(error).splitlines()[0]
    return found, a.tolist()


@pytest.mark.parametrize("device", ["cpu", "interpreter"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_is_raised_is_what_cpython_raises(function, device):
    compiled = weft.jit(function, device=device)
    for n in (0, 1, 5):
        assert ended(compiled, n) == ended(function, n)


def lists(a, n):
    found = [1 + never(i) for i in range(n)]
    return len(found)


def test_what_a_list_that_is_empty_never_calls():
    compiled = weft.jit(lists, device="cpu")
    for n in (0, 3):
        found = ended(compiled, n)
        assert found == ended(lists, n)
