"""Programs of `weft.parallel_for` and `weft.for_each`."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import weft
from weft.errors import ArgumentError
from weft.frontend import build_for_each, build_parallel_for
from weft.frontend.source.captured import read, write
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import run
from weft.ir.visit import walk


def run_program(program, body, arguments):
    verify(program)
    values = []
    for param in program.params:
        source = param.source
        if source.kind == "argument":
            values.append(arguments[source.name][source.path[0]] if source.path else arguments[source.name])
        else:
            values.append(read(body, source, {}))
    flat = list(run(program, values))
    for source in reversed(program.writes):
        write(body, source, flat.pop())


def parallel_for(body, *ranges, steps_known=True):
    steps = [r.step if steps_known else None for r in ranges]
    program = build_parallel_for(body, steps)
    arguments = {"start": [r.start for r in ranges], "stop": [r.stop for r in ranges], "step": [r.step for r in ranges]}
    run_program(program, body, arguments)
    return program


@pytest.mark.parametrize("steps_known", [True, False])
@pytest.mark.parametrize("indices", [range(5), range(0), range(2, 9, 3), range(8, -1, -2), range(5, 2)])
def test_one_range(indices, steps_known):
    seen = np.zeros(10, int)

    def body(i):
        seen[i] += i + 1

    parallel_for(body, indices, steps_known=steps_known)
    expected = np.zeros(10, int)
    for i in indices:
        expected[i] += i + 1
    np.testing.assert_array_equal(seen, expected)


def test_nested_ranges_claim_to_be_parallel():
    out = np.zeros((4, 6))
    scale = 2.5

    def body(i, j):
        out[i, j] += scale * i + j

    program = parallel_for(body, range(1, 4), range(0, 6, 2))
    for i, j in itertools.product(range(1, 4), range(0, 6, 2)):
        out[i, j] -= scale * i + j
    assert not out.any()
    loops = [s for s in walk(program.body) if isinstance(s, n.For)]
    assert [(loop.label, loop.claim, loop.exit) for loop in loops] == [("i", "prange", None), ("j", "prange", None)]


def test_stop_ends_all_ranges():
    out = np.zeros((4, 4), int)

    def body(i, j):
        out[i, j] = 1
        if i * j == 2:
            return weft.STOP

    parallel_for(body, range(4), range(4))
    assert out.sum() == 4 + 3


def test_stop_after_other_returns():
    out = np.zeros(6, int)

    def body(i):
        if i == 1:
            return
        out[i] = 1
        if i > 2:
            return weft.STOP
        return None

    parallel_for(body, range(6))
    np.testing.assert_array_equal(out, [1, 0, 1, 1, 0, 0])


def test_sums_in_outer_variables():
    def make():
        s = 0

        def body(i):
            nonlocal s
            s += i

        return body, lambda: s

    body, result = make()
    parallel_for(body, range(10))
    assert result() == 45


def test_bodies_are_lambdas_or_take_defaults():
    out = np.zeros(3)

    def helper(i, k):
        out[i] = k

    parallel_for(lambda i: helper(i, i * 2), range(3))
    np.testing.assert_array_equal(out, [0, 2, 4])

    def body(i, k=3.0):
        out[i] = k

    parallel_for(body, range(3))
    np.testing.assert_array_equal(out, [3, 3, 3])


def test_a_body_of_another_number_of_indices():
    with pytest.raises(ArgumentError, match="the body takes 1 arguments"):
        build_parallel_for(lambda i: None, (1, 1))


def test_for_each_element():
    counts = np.zeros(5, int)

    def body(v):
        counts[v] += 1

    array = np.array([1, 3, 3, 0])
    run_program(build_for_each(body, describe(array)), body, {"array": array})
    np.testing.assert_array_equal(counts, [1, 1, 0, 2, 0])


def test_for_each_row_is_a_view():
    def body(row):
        row[0] = 7.0
        if row[1] > 2.0:
            return weft.STOP

    array = np.arange(6.0).reshape(3, 2)
    run_program(build_for_each(body, describe(array)), body, {"array": array})
    np.testing.assert_array_equal(array[:, 0], [7, 7, 4])
