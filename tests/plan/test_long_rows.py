"""Few long rows of a reduction are folded in parts, with the same bits in slabs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.frontend.compare import program_of, rebuild
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import trace
from weft.ir.reference.simulated import SimulatedDevice
from weft.plan.place import place
from weft.plan.prepare.folds.split_reductions import FEW, LEAST
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise

from .simulated import DEVICE
from .test_nested_sums import several, total
from .test_slabs import array, copies

LONG = FEW * LEAST
"""Iterations of a row beyond which it is cut, where rows are few."""


def placed(function, arguments, **options):
    made = place(optimise(program_of(function, *arguments)), DEVICE, **options)
    verify(made.program)
    check_plan(made.program)
    return made


def launches(traced):
    return sum(step.kind == "launch" for step in traced.steps)


@pytest.mark.parametrize("length", [LONG - LEAST, LONG - LEAST + 1, LONG, 2 * LONG + 7])
def test_rows_are_cut_where_they_are_long(length):
    arguments = [array(2, length)]
    found = trace(placed(total, arguments).program, arguments)
    assert found.error is None
    assert found.results[0] == pytest.approx(arguments[0].sum(), rel=1e-12)
    assert launches(found) == (2 if length <= LONG - LEAST else 3)


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", [(3, LONG), (1, LONG + 1), (0, LONG), (4, 0), (4, 9)])
def test_slabs_give_the_bits_that_they_give_in_memory(shape):
    arguments = [np.random.default_rng(1).random(shape)]
    made, cut = placed(total, arguments), placed(total, arguments, slabs=True)
    expected = trace(made.program, arguments)
    for memory in (80_000, None):
        found = trace(cut.program, arguments, {DEVICE: SimulatedDevice(memory=memory)})
        assert found.error is None, found.error
        assert found.results == expected.results


def test_what_rows_store_is_a_nest_of_its_own():
    arguments = [array(2, LONG), np.zeros(2)]
    found = trace(placed(several, arguments).program, arguments)
    assert found.error is None
    assert launches(found) == 4
    np.testing.assert_array_equal(arguments[1], [0.0, 2.0])


def of_weighted_rows(a, w):
    s, high = 2.0, -1.0
    for i in range(a.shape[0]):
        weight = w[i] + 1.0
        for j in range(2, a.shape[1]):
            s += weight * a[i, j]
            high = max(high, a[i, j])
    return s, high


@pytest.mark.sample(0)
def test_several_values_of_parts_and_what_stands_before_a_row():
    arguments = [array(3, LONG + 50), array(3)]
    program = placed(of_weighted_rows, arguments).program
    found = trace(program, arguments)
    a, w = arguments
    returned = rebuild(program.returns, list(found.results), program)
    np.testing.assert_allclose(returned, [2.0 + ((w + 1.0)[:, None] * a[:, 2:]).sum(), a[:, 2:].max()], rtol=1e-12)
    assert launches(found) == 3


def smoothed(u, v):
    s = 0.0
    for i in range(1, u.shape[0] - 1):
        for j in range(u.shape[1]):
            v[i, j] = 0.5 * (u[i - 1, j] + u[i + 1, j])
    for i in range(1, u.shape[0] - 1):
        for j in range(u.shape[1]):
            s += v[i, j] - u[i, j]
    return s


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", [(40, 9), (6, LONG + 3)])
def test_whole_rows_run_together_with_other_nests(shape):
    arguments = [np.random.default_rng(2).random(shape), np.zeros(shape)]
    made, cut = placed(smoothed, arguments), placed(smoothed, arguments, slabs=True)
    expected, given = copies(arguments), copies(arguments)
    found = trace(made.program, expected)
    memory = max(arguments[0].nbytes // 2, 12_000) if shape[0] > 6 else arguments[0].nbytes * 2
    in_slabs = trace(cut.program, given, {DEVICE: SimulatedDevice(memory=memory)})
    assert in_slabs.error is None, in_slabs.error
    assert in_slabs.results == found.results
    np.testing.assert_array_equal(given[1], expected[1])
    crossed = in_slabs.copied_bytes["host", DEVICE] / arguments[0].nbytes
    assert crossed < 1.7 if shape[0] > 6 else crossed > 2
