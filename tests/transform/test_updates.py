"""Elements that are folded into where something behind their load may raise."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def columns(starts, rows, values, x, y):
    for j in range(len(x)):
        for p in range(starts[j], starts[j + 1]):
            y[rows[p]] += values[p] * x[j]


def counted(keys, places, table, y):
    for i in range(len(keys)):
        y[keys[i]] = y[keys[i]] - table[places[i]]


def arguments(function, wrong=""):
    generator = np.random.default_rng(1)
    rows = generator.integers(-7, 7, 40)
    if "key" in wrong:
        rows[21] = 7
    if function is columns:
        starts = np.arange(0, 41, 4)
        starts[-1] += 3 if "value" in wrong else 0
        return starts, rows, generator.integers(0, 9, 40) / 8, np.arange(10.0), np.zeros(7)
    places = generator.integers(0, 5, 40)
    places[21 if "both" in wrong else 30] = 5 if wrong else 0
    return rows, places, generator.integers(0, 9, 5), np.zeros(7, np.int64)


@pytest.mark.parametrize("function", [columns, counted])
def test_they_are_updates(function):
    program = optimise(program_of(function, *arguments(function)), checked=True)
    assert any(isinstance(s, n.Update) for s in walk(program.body))
    read = [s.value.view.stem for s in walk(program.body) if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
    assert "y" not in read


def outcome(run, function, wrong):
    given = arguments(function, wrong)
    try:
        run(*given)
    except IndexError as error:
        return str(error), given[-1]
    return "", given[-1]


@pytest.mark.parametrize("function", [columns, counted])
def test_exceptions_come_in_their_order(function):
    for device in ("cpu", "interpreter"):
        compiled = weft.jit(function, device=device)
        for wrong in ("", "key", "value", "key and value", "key and value, both"):
            expected, found = outcome(function, function, wrong), outcome(compiled, function, wrong)
            assert found[0] == expected[0] and bool(wrong) == bool(found[0]), wrong
            np.testing.assert_array_equal(found[1], expected[1])
