"""StreamIt's twelve programs beside plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.dataflow.streamit import tables
from tests.dataflow.streamit.programs import PROGRAMS, plain_des
from weft import dataflow


def graph_of(name, device=None):
    program = PROGRAMS[name]
    return program, dataflow.graph(program.graph, device=device, **{k: v.dtype for k, v in program.inputs.items()})


def check(program, graph, cut=None):
    if cut is None:
        got = graph.collect(**program.inputs, tail="drop")
    else:
        pieces = {k: (v[i : i + cut] for i in range(0, len(v), cut)) for k, v in program.inputs.items()}
        got = graph.collect(**pieces, tail="drop")
    wanted = program.plain(**program.inputs)
    for g, w in zip(got if isinstance(got, tuple) else (got,), wanted if isinstance(wanted, tuple) else (wanted,)):
        assert len(g) > 0
        if program.exact:
            np.testing.assert_array_equal(g, w[: len(g)])
        else:
            np.testing.assert_allclose(g, w[: len(g)], rtol=1e-9, atol=1e-9)
        assert len(w) - len(g) < 200


def test_there_are_twelve():
    assert len(PROGRAMS) == 12


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    check(*graph_of(name))


@pytest.mark.parametrize("name", ["FFT", "FM radio", "vocoder", "MPEG-2"])
def test_program_on_pieces_of_a_stream(name):
    check(*graph_of(name), cut=7)


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", [x if x in ("DCT", "radar") else pytest.param(x, marks=pytest.mark.slow) for x in PROGRAMS]
)
def test_program_through_opencl(name):
    check(*graph_of(name, "opencl"))


def test_the_plain_des_is_des():
    """The worked example that textbooks print."""
    got = plain_des(tables.bits(0x0123456789ABCDEF, 64))
    assert got.tolist() == tables.bits(0x85E813540F0AB405, 64).tolist()
