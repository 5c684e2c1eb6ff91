"""Nests that add to elements which an inner loop chooses become reductions for each element."""

from __future__ import annotations

import numpy as np
import pytest

from tests.frontend.compare import program_of
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import holds, trace
from weft.ir.reference.simulated import SimulatedDevice
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise

from .simulated import DEVICE
from .test_slabs import array, copies


def by_rows(a, s):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s[j] += a[i, j]


def weighted(a, w, s):
    for i in range(a.shape[0]):
        weight = 2.0 * w[i]
        for j in range(1, a.shape[1]):
            s[j] += weight * a[i, j]


def of_planes(a, s):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                s[i, k] += a[i, j, k]


def of_all_but_one_axis(a, s):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                s[k] += a[i, j, k]


def largest(a, s):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s[j] = max(s[j], a[i, j])


TURNED = {
    by_rows: lambda: [array(40, 30), array(30)],
    weighted: lambda: [array(40, 30), array(40), array(30)],
    of_planes: lambda: [array(9, 20, 7), array(9, 7)],
    of_all_but_one_axis: lambda: [array(6, 7, 30), array(30)],
    largest: lambda: [array(40, 30), array(30)],
}


def placed(function, arguments, **options):
    made = place(optimise(program_of(function, *arguments)), DEVICE, **options)
    verify(made.program)
    check_plan(made.program)
    return made


@pytest.mark.parametrize("function", TURNED)
def test_elements_are_added_up_on_the_device_and_in_slabs_to_the_same_bits(function):
    arguments = TURNED[function]()
    expected, got = copies(arguments), copies(arguments)
    function(*expected)
    found = trace(placed(function, arguments).program, got)
    assert found.error is None
    assert sum(step.kind == "launch" for step in found.steps) == 1
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13)
    given, cut = copies(arguments), placed(function, arguments, slabs=True)
    in_slabs = trace(cut.program, given, {DEVICE: SimulatedDevice(memory=7_000)})
    assert in_slabs.error is None, in_slabs.error
    assert sum(step.kind == "launch" for step in in_slabs.steps) > 1
    assert all(np.array_equal(a, b) for a, b in zip(given, got, strict=True))


def triangle(a, s):
    for i in range(a.shape[0]):
        for j in range(i):
            s[j] += a[i, j]


def some(a, s):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 0.5:
                s[j] += a[i, j]


def two(a, s):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s[j] += a[i, j]
            s[j + 1] += a[i, j]


def of_colours(image, s):
    for i in range(image.shape[0]):
        for c in range(3):
            s[c] += image[i, c]


@pytest.mark.parametrize("function", [triangle, some, two])
def test_other_updates_are_sums_by_key(function):
    arguments = [array(20, 20), np.zeros(21)]
    expected, got = copies(arguments), copies(arguments)
    made = placed(function, arguments)
    ends = [nest.kernel.rpartition("_")[2] for nest in made.nests]
    assert ends == ["clears", "largest", "sums", "rounds"]
    function(*expected)
    assert trace(made.program, got).error is None
    np.testing.assert_allclose(got[1], expected[1], rtol=1e-13)


@pytest.mark.parametrize("size", [3, 20, 2000])
def test_sums_of_a_few_columns_are_sums_of_one_kernel(size):
    arguments = [array(size, 20), np.zeros(21)]
    expected, got = copies(arguments), copies(arguments)
    made = placed(of_colours, arguments)
    assert any(nest.kernel for nest in made.nests)
    of_colours(*expected)
    assert trace(made.program, got).error is None
    np.testing.assert_allclose(got[1], expected[1], rtol=1e-12)


def test_elements_to_which_nothing_is_added_need_not_exist():
    program = placed(by_rows, TURNED[by_rows]()).program
    arguments = [np.zeros((0, 30)), np.zeros(4)]
    assert holds(program, arguments)
    assert trace(program, arguments).error is None
