"""Graphs as users write them beside a simulation, bit by bit and type by type, in one piece and in short ones."""

from __future__ import annotations

import numpy as np
import pytest

from tests.dataflow.test_small_programs import tokens
from tests.dataflow.token_simulation import simulated
from tests.dataflow.users_programs import PROGRAMS
from weft import dataflow

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")


def check(name, device=None, cut=None):
    function, types, longest, rtol = PROGRAMS[name]
    graph = dataflow.graph(function, device=device, **types)
    first, each = graph.schedule.first, graph.schedule.repetitions
    numbers = {key: node.number for key, node in graph.inputs.items()}
    periods = min((longest - first[k]) // each[k] for k in numbers.values())
    inputs = {key: tokens(types[key], first[k] + periods * each[k]) for key, k in numbers.items()}
    pieces = {k: [v[i : i + cut] for i in range(0, len(v), cut)] for k, v in inputs.items()} if cut else inputs
    got = graph.collect(**pieces)
    wanted = simulated(graph, inputs, 10 * longest)
    assert periods > 0
    for found, plain in zip(got if isinstance(got, tuple) else (got,), wanted):
        assert 0 < len(found) <= len(plain)
        assert found.dtype == np.asarray(plain[-1]).dtype
        close = np.array(plain[: len(found)]).astype(found.dtype)
        np.testing.assert_allclose(found, close, rtol=rtol, atol=rtol, equal_nan=found.dtype.kind in "fc")


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    check(name)
    check(name, cut=5)


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
@pytest.mark.sample(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_through_opencl(name):
    check(name, "opencl")
