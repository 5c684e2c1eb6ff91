"""Graphs of many kinds beside a simulation that fires token by token."""

from __future__ import annotations

import numpy as np
import pytest

from tests.dataflow.small_programs import PROGRAMS
from tests.dataflow.token_simulation import simulated
from weft import dataflow

ON_DEVICES = ["rates_chain", "biquad", "cyclo_two", "peeks_both", "hosts", "patterns_inside", "transpose", "bits"]


def tokens(dtype, count):
    random, dtype = np.random.default_rng(count), np.dtype(dtype)
    if dtype.kind == "b":
        return random.random(count) < 0.5
    if dtype.kind in "iu":
        return random.integers(0, 100, count).astype(dtype)
    if dtype.kind == "c":
        return (random.standard_normal(count) + 1j * random.standard_normal(count)).astype(dtype)
    return random.standard_normal(count).astype(dtype)


def check(name, device=None):
    function, types, longest = PROGRAMS[name]
    graph = dataflow.graph(function, device=device, **types)
    first, each = graph.schedule.first, graph.schedule.repetitions
    numbers = {key: node.number for key, node in graph.inputs.items()}
    periods = min((longest - first[k]) // each[k] for k in numbers.values())
    counts = {key: first[k] + periods * each[k] for key, k in numbers.items()}
    inputs = {key: tokens(types[key], count) for key, count in counts.items()}
    got = graph.collect(**inputs)
    wanted = simulated(graph, inputs, 10 * longest)
    assert periods > 0
    for found, plain in zip(got if isinstance(got, tuple) else (got,), wanted):
        assert 0 < len(found) <= len(plain)
        is_narrow = found.dtype in (np.float32, np.complex64)
        rtol, atol = (1e-5, 1e-6) if is_narrow else (1e-11, 1e-12)
        np.testing.assert_allclose(found, plain[: len(found)], rtol=rtol, atol=atol)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    check(name)


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [x if x in ON_DEVICES else pytest.param(x, marks=pytest.mark.slow) for x in PROGRAMS])
def test_program_through_opencl(name):
    check(name, "opencl")
