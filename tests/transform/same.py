"""Whether two programs do the same, by the interpreter."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import holds, run


def outcome(program: n.Program, values: Sequence[object]) -> tuple[Any, list[Any], tuple[str, str] | None]:
    """Results, the arguments afterwards, and the exception."""
    own = copy.deepcopy(list(values))
    try:
        return run(program, own), own, None
    except (ArithmeticError, ValueError, IndexError, AssertionError, RuntimeError) as error:
        return (), own, (type(error).__name__, str(error))


def assert_same(before: n.Program, after: n.Program, *inputs: Sequence[object], exact: bool = True) -> None:
    """Both programs give the same results, leave the same arrays, and raise the same; inputs that break what `after`
    assumes are left out."""
    verify(after)
    for values in inputs:
        if not holds(after, values):
            continue
        expected, found = outcome(before, values), outcome(after, values)
        assert expected[2] == found[2], values
        assert_equal((*expected[0], *expected[1]), (*found[0], *found[1]), exact)


def assert_equal(expected: Sequence[Any], found: Sequence[Any], exact: bool) -> None:
    """The same values of the same types, to the last bit where `exact`."""
    for a, b in zip(expected, found, strict=True):
        assert type(a) is type(b), (a, b)
        if exact:
            np.testing.assert_array_equal(a, b)
        else:
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-9)


def check(program: n.Program, change: Callable[[n.Program], n.Program], *inputs: Sequence[object]) -> n.Program:
    """The changed program, which does the same."""
    verify(program)
    after = change(program)
    assert_same(program, after, *inputs)
    return after
