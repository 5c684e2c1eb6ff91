"""Loops that look for an extreme and its place, in pieces for a device."""

import numpy as np
import pytest

from tests.frontend.compare import program_of, rebuild
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import run
from weft.ir.visit import walk
from weft.plan.place import place
from weft.transform.pipeline import optimise
from weft.transform.scan import arg_reductions


def first_smallest(x):
    best = np.inf
    at = -1
    for i in range(len(x)):
        if x[i] < best:
            best = x[i]
            at = i
    return best, at


def last_largest(x):
    best = np.float64(0)
    at = -7
    for i in range(2, len(x)):
        if best <= x[i]:
            best = x[i]
            at = 3 * i + 1
    return best, at


def from_behind(x):
    best = x[0]
    at = 0
    for i in range(-len(x), 0):
        if x[i] > best:
            best = x[i]
            at = i
    return best, at


def special(size, seed):
    generator = np.random.default_rng(seed)
    x = generator.integers(-3, 3, size).astype(np.float64)
    for value in (0.0, -0.0, np.nan, np.inf, -np.inf):
        x[generator.random(size) < generator.choice([0, 0.1, 0.6])] = value
    return x if seed % 3 else -abs(x)


@pytest.mark.parametrize("function", [first_smallest, last_largest, from_behind], ids=lambda f: f.__name__)
def test_the_first_or_the_last_place_is_found_as_in_order(function, monkeypatch):
    monkeypatch.setattr(arg_reductions, "LEAST", 8)
    program = optimise(program_of(function, np.ones(3)), turns=False, blocks=True)
    verify(program)
    for seed in range(40):
        x = special(1 + seed * 3, seed)
        with np.errstate(all="ignore"):
            expected = function(x)
        best, at = rebuild(program.returns, list(run(program, (x,))), program)
        assert at == expected[1]
        np.testing.assert_array_equal(best, expected[0])
        assert np.signbit(best) == np.signbit(expected[0])


def test_only_devices_get_pieces():
    given = program_of(first_smallest, np.ones(3))
    labels = [{s.label for s in walk(optimise(given, turns=False, blocks=blocks).body) if isinstance(s, n.For)}
              for blocks in (False, True)]  # fmt: skip
    assert ["i.pieces" in found for found in labels] == [False, True]


def test_pieces_that_the_host_asks_are_no_loop_that_stays_behind():
    program = optimise(program_of(first_smallest, np.ones(3)), turns=False, blocks=True)
    placed = place(program, "cuda")
    assert [bool(nest.kernel) for nest in placed.nests] == [True, False]
    assert placed.sequential() == ()
