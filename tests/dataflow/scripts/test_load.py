"""Scripts of P2CL (Jiang 2018): the dot product and the FFT of the thesis, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import weft
from weft import dataflow
from weft.dataflow import GraphError

HERE = Path(__file__).parent
DOT, FFT = ((HERE / name).read_text() for name in ("dot.xml", "fft.xml"))
BASIC = {"multiply": lambda a, b: a * b, "add": lambda a, b: a + b}


def butterfly(x, index, m):
    angle = -math.pi * index / m
    c, s = np.float32(math.cos(angle)), np.float32(math.sin(angle))
    re, im = x[0] - x[2], x[1] - x[3]
    return x[0] + x[2], x[1] + x[3], re * c - im * s, re * s + im * c


def process(operations, length="4", out="4", more=""):
    """A script of some operations on one list of floats."""
    return (
        "<p2cl><function><decl>void twice(float a, float *b)</decl></function>" + more + "<process>"
        f'<port name="x" direction="in" type="float" length="{length}"/>'
        f'<port name="y" direction="out" type="float" length="{out}"/>{operations}</process></p2cl>'
    )


def operation(kind, **says):
    items = "".join(f"<{name}>{value}</{name}>" for name, value in says.items() if name != "offsets")
    items += "".join(f"<offset>{value}</offset>" for value in says.get("offsets", ()))
    return f"<operation><skeleton_type>{kind}</skeleton_type>{items}</operation>"


def run(script, x, **functions):
    made = dataflow.load(script, functions={"twice": lambda a: a + a, **functions})
    return dataflow.graph(lambda x: made(x), x=np.float32).collect(np.array(x, np.float32)).tolist()


def test_the_dot_product():
    dot = dataflow.load(HERE / "dot.xml", functions=BASIC)
    assert dot.name == "dot"
    assert dot(np.array([1, 2, 3, 4]), np.array([1, 2, 3, 4])) == 30
    graph = dataflow.graph(lambda a, b: dot(a, b), a=np.int32, b=np.int32)
    a = np.arange(40, dtype=np.int32)
    np.testing.assert_array_equal(graph.collect(a, a), (a * a).reshape(-1, 4).sum(axis=1))


def test_the_fft():
    fft = dataflow.load(FFT, functions={"butterfly": butterfly})
    graph = dataflow.graph(lambda x: fft(x), x=np.float32)
    z = np.random.default_rng(3).standard_normal((3, 64, 2)).astype(np.float32)
    found = graph.collect(z.ravel()).view(np.complex64).reshape(3, 64)
    wanted = np.fft.fft(z.view(np.complex64)[..., 0])
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
def test_the_dot_product_through_opencl():
    dot = dataflow.load(DOT, functions=BASIC)
    graph = dataflow.graph(lambda a, b: dot(a, b), device="opencl", a=np.int32, b=np.int32)
    a = np.arange(40, dtype=np.int32)
    np.testing.assert_array_equal(graph.collect(a, a), (a * a).reshape(-1, 4).sum(axis=1))


def test_patterns():
    gather = operation("gather", tuple_size=1, input_range=8, length=4, offsets=(0, 4))
    assert run(process(gather, 8, 8), range(8)) == [0, 4, 1, 5, 2, 6, 3, 7]
    scatter = operation("scatter", tuple_size=1, output_range=8, length=4, offsets=(0, 4))
    assert run(process(gather + scatter, 8, 8), range(8)) == [*range(8)]
    transpose = operation("transpose", width=2, height=4, tuple_size=1)
    assert run(process(transpose, 8, 8), range(8)) == [0, 2, 4, 6, 1, 3, 5, 7]
    assert run(process(operation("map", function="twice", length=4)), [1, 2, 3, 4]) == [2, 4, 6, 8]


def test_the_edge_of_a_gather_is_zero():
    around = operation("gather", tuple_size=1, input_range=3, length=3, offsets=(-1, 1))
    assert run(process(around, 3, 6), [1, 2, 3]) == [0, 2, 1, 3, 2, 0]


def test_elements_that_a_scatter_leaves_out_are_zero():
    spread = operation("scatter", tuple_size=1, output_range=4, length=2, offsets=(2,))
    assert run(process(spread, 2, 4), [5, 6]) == [0, 0, 5, 6]


def test_stages_in_segments():
    text = operation("transpose", width=2, height="pow(2, 2 - i)", tuple_size=1)
    text = f"<stage_generate><num_of_stages>3</num_of_stages><iterator_name>i</iterator_name><map><num_of_extensions>pow(2, i)</num_of_extensions>{text}</map></stage_generate>"  # noqa: E501
    assert run(process(text, 8, 8), range(8)) == [0, 4, 2, 6, 1, 5, 3, 7]


@pytest.mark.parametrize(
    ("script", "words", "remedy"),
    [
        ("<p2cl>", "is no XML", "closed"),
        ("<p2cl/>", "has no <process>", "<process>"),
        (process(operation("zip", length=4)), "no pattern 'zip'", "map, reduce, gather"),
        (process(operation("map", function="twice", length=3)), "of 3 atoms is given a list of 4", "agree"),
        (process(operation("map", function="twice")), "says no length", "<length>"),
        (process(operation("map", function="thrice", length=4)), "thrice is not declared", "void thrice"),
        (process(operation("map", function="twice", length="n")), "no variable 'n'", "shared_variable n"),
        (process(operation("map", function="twice", length="4 / 3")), "is 4/3, which is no integer", "multiples"),
        (process(operation("map", function="twice", length="__import__('os')")), "has no value", "pow(a, b)"),
        (process(operation("map", function="twice", length=4), out=5), "y of 5", "lengths"),
        (process("", more="<function><decl>void g(double a, float *b)</decl></function>"), "no type 'double'", "float"),
    ],
)
def test_refusals(script, words, remedy):
    with pytest.raises(GraphError) as caught:
        dataflow.load(script, functions={"twice": lambda a: a + a})
    assert words in str(caught.value) and remedy in str(caught.value)


def test_a_function_that_is_not_passed():
    with pytest.raises(GraphError, match="there is no function add") as caught:
        dataflow.load(DOT, functions={"multiply": BASIC["multiply"]})
    assert 'functions={"add": ...}' in str(caught.value)
    assert isinstance(caught.value, weft.Error)
