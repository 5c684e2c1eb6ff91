"""What loops compute of their counters is not tested for overflow where the ends of the loops say that it fits."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.types import PYINT
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def squares(a, b, out):
    for i in range(a, b):
        out[i - a] = i * i % 7


def places(a, b, out):
    for i in range(a, b):
        for j in range(3):
            out[i - a] += (1103515245 * i + 12345 * j) % 1009


def between(a, b, out):
    for i in range(a, b):
        out[i - a] = (min(i, b - i) * (i - a)) // 3 % 11


FUNCTIONS = [squares, places, between]


def checks(function):
    program = optimise(program_of(function, 1, 5, np.zeros(4, np.int64)))
    lets = (s.value for s in walk(program.body) if isinstance(s, n.Let) and s.var.type == PYINT)
    return [v for v in lets if isinstance(v, n.Binary) and v.op in ("mul", "add", "sub") and v.checked]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_they_are_not_tested(function):
    assert not checks(function)


def carried(a, b, out):
    k = 1
    for i in range(b):
        k = k * 3 % 1000003
        out[i] = k * k * a


def of_elements(a, b, out):
    for i in range(b):
        out[i] = int(out[i]) * a


@pytest.mark.parametrize("function", [carried, of_elements], ids=lambda f: f.__name__)
def test_others_are(function):
    assert checks(function)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_results_are_pythons_or_refused(function):
    compiled = weft.jit(function)
    for low in (
        0,
        5,
        -7,
        2**20,
        2**31 - 2,
        2**31,
        2**32 - 3,
        -(2**31) - 2,
        3_037_000_495,
        3_037_000_497,
        -(2**33),
        2**62,
    ):
        given, expected = np.zeros(5, np.int64), np.zeros(5, np.int64)
        function(low, low + 5, expected)
        try:
            compiled(low, low + 5, given)
        except OverflowError:
            most = max(abs(low), abs(low + 5))
            assert most * most >= 2**63 or most * 1103515245 + 24690 >= 2**63
        else:
            np.testing.assert_array_equal(given, expected)
