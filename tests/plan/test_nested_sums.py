"""Reductions over several loops: rows for themselves, with the bits that they have in slabs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.frontend.compare import program_of, rebuild
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import trace
from weft.ir.reference.simulated import SimulatedDevice
from weft.ir.visit import walk
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.schedule.directives import Bind
from weft.transform.pipeline import optimise

from .simulated import DEVICE
from .test_slabs import array, copies


def total(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s += a[i, j]
    return s


def of_three_loops(a):
    s = 1.5
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(1, a.shape[2]):
                s += a[i, j, k] * a[i, j, k - 1]
    return s


def triangle(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(i):
            s += a[i, j]
    return s


def rows_that_differ(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(i):
            for k in range(a.shape[1]):
                s += a[j, k] * i
    return s


def several(a, b):
    s, low = 0.0, 1e9
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s += a[i, j]
            low = min(low, a[i, j])
        b[i] = i * 2.0
    return s, low


def mean_of_rows(a, w):
    s = 0.0
    for i in range(a.shape[0]):
        weight = w[i] + 1.0
        for j in range(2, a.shape[1] - 1):
            s += weight * a[i, j]
    return s


IN_ROWS = {
    total: lambda: [array(90, 7)],
    of_three_loops: lambda: [array(13, 5, 6)],
    triangle: lambda: [array(16, 17)],
    rows_that_differ: lambda: [array(12, 9)],
    several: lambda: [array(50, 6), np.zeros(50)],
    mean_of_rows: lambda: [array(70, 8), array(70)],
}


def placed(function, arguments, **options):
    return place(optimise(program_of(function, *arguments)), DEVICE, **options)


def labels(placement):
    return {nest.label for nest in placement.nests if nest.kernel}


@pytest.mark.sample(1)
@pytest.mark.parametrize("function", IN_ROWS)
def test_rows_are_folded_for_themselves_and_in_slabs_to_the_same_bits(function):
    arguments = IN_ROWS[function]()
    expected, got = copies(arguments), copies(arguments)
    made, cut = placed(function, arguments), placed(function, arguments, slabs=True)
    assert any(label.endswith(".rows") for label in labels(made))
    for placement in (made, cut):
        verify(placement.program)
        check_plan(placement.program)
    result = function(*expected)
    found = trace(made.program, got)
    assert found.error is None
    returned = rebuild(made.program.returns, list(found.results), made.program)
    np.testing.assert_allclose(returned, result, rtol=1e-12)
    for memory in (9_000, 12_345, None):
        given = copies(arguments)
        in_slabs = trace(cut.program, given, {DEVICE: SimulatedDevice(memory=memory)})
        assert in_slabs.error is None, in_slabs.error
        assert in_slabs.results == found.results
        assert all(np.array_equal(a, b) for a, b in zip(given, got, strict=True))


def ratios(a, b):
    s = 0.0
    for i in range(a.shape[0]):
        scale = 1.0 / (1 + i)
        for j in range(a.shape[1]):
            s += float(a[i, j]) * scale / float(b[i, j])
    return s


def numbered(a, b):
    count = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            count += int(a[i, j]) // int(b[i, j])
    return count


def test_rows_may_raise_and_the_first_exception_is_the_one_of_the_loops():
    arguments = [array(40, 26), 1.0 + array(40, 26)]
    expected = ratios(*arguments)
    for slabs in (False, True):
        placement = placed(ratios, arguments, slabs=slabs)
        verify(placement.program)
        check_plan(placement.program)
        assert any(label.endswith(".rows") for label in labels(placement))
        found = trace(placement.program, copies(arguments))
        assert found.error is None, found.error
        np.testing.assert_allclose(found.results[0], expected, rtol=1e-12)
        wrong = copies(arguments)
        wrong[1][33, 7] = 0.0
        raised = trace(placement.program, wrong).error
        assert isinstance(raised, ZeroDivisionError), raised


def test_integers_whose_sum_may_overflow_are_not_folded_by_row():
    assert not any(label.endswith(".rows") for label in labels(placed(numbered, [array(4, 26), 1.0 + array(4, 26)])))


def test_sizes_of_which_nothing_is_to_be_summed():
    for shape in ((0, 0), (0, 5), (5, 0), (1, 1), (3, 1)):
        program = placed(total, [array(2, 2)]).program
        found = list(trace(program, [np.ones(shape)]).results)
        assert rebuild(program.returns, found, program) == float(np.ones(shape).sum())


def test_a_short_row_is_no_element():
    def of_colours(image):
        s = 0.0
        for i in range(image.shape[0]):
            for c in range(3):
                s += image[i, c]
        return s

    assert labels(placed(of_colours, [array(20, 3)])) == {"i", "i.all"}


def test_what_uses_a_sum_on_its_way_stays_as_it_is():
    def running(a, b):
        s = 0.0
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                s += a[i, j]
            b[i] = s
        return s

    assert not any(label.endswith(".rows") for label in labels(placed(running, [array(9, 8), np.zeros(9)])))


def test_a_nest_with_a_schedule_of_the_user_stays_as_it_is():
    schedule = (Bind("i.pieces", "x", 64),)
    assert labels(placed(total, [array(9, 8)], schedule=schedule)) == {"i", "i.all"}


def test_a_slab_has_fewer_rows_than_a_piece():
    arguments = IN_ROWS[total]()
    found = trace(placed(total, arguments, slabs=True).program, arguments, {DEVICE: SimulatedDevice(memory=2_000)})
    assert found.error is None
    assert found.copied_bytes["host", DEVICE] == arguments[0].nbytes + 90 * 8
    assert sum(step.kind == "launch" for step in found.steps) > 5


def test_no_row_follows_those_that_end_where_indices_do():
    def from_afar(a, low, high):
        s = 0.0
        for i in range(low, high):
            for j in range(a.shape[0]):
                s += a[j] * i
        return s

    program = placed(from_afar, [array(5), 0, 9]).program
    for low, high in ((2**63 - 10, 2**63 - 1), (-(2**63), -(2**63) + 5), (3, 40), (7, 7), (9, -9)):
        found = trace(program, [array(5), low, high])
        assert found.error is None
        assert found.results[0] == pytest.approx(from_afar(array(5), low, high), rel=1e-12)


def residual(u, v, steps):
    r = 0.0
    for t in range(steps):
        r = 0.0
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                r += (v[i, j] - u[i, j]) ** 2
        u, v = v, u
    return r, u


@pytest.mark.sample(0)
def test_a_residual_of_each_step_in_slabs():
    arguments = [array(60, 9), array(60, 9), 3]
    made, cut = placed(residual, arguments), placed(residual, arguments, slabs=True)
    check_plan(cut.program)
    assert any(isinstance(s, n.For) and s.label.endswith(".together") for s in walk(cut.program.body))
    expected, got = copies(arguments), copies(arguments)
    found = trace(made.program, expected)
    in_slabs = trace(cut.program, got, {DEVICE: SimulatedDevice(memory=5_000)})
    assert in_slabs.error is None, in_slabs.error
    assert in_slabs.results[0] == found.results[0] == pytest.approx(residual(*copies(arguments))[0], rel=1e-12)
    assert all(np.array_equal(a, b) for a, b in zip(expected[:2], got[:2], strict=True))
