"""Reductions that also store elements: a nest that folds and one that stores, where that gives the same."""

from __future__ import annotations

import numpy as np
import pytest

from tests.frontend.compare import program_of, rebuild
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import trace
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise

from .simulated import DEVICE
from .test_slabs import array, copies


def placed(function, arguments):
    made = place(optimise(program_of(function, *arguments)), DEVICE)
    verify(made.program)
    check_plan(made.program)
    return made


def stencil(u, v):
    r = 0.0
    for i in range(1, u.shape[0] - 1):
        for j in range(u.shape[1]):
            v[i, j] = 0.5 * (u[i - 1, j] + u[i + 1, j])
            r = max(r, abs(v[i, j] - u[i, j]))
    return r


def in_place(u, v):
    s = 0.0
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            u[i, j] = 2.0 * u[i, j] + 1.0
            s += u[i, j]
    return s


def of_one_loop(u, v):
    s, low = 1.0, 9.0
    for i in range(u.shape[0]):
        if u[i, 0] > 0.5:
            v[i, 1] = u[i, 1]
        s += u[i, 1]
        low = min(low, u[i, 0])
    return s, low


def beside_rows(u, v):
    s = 0.0
    for i in range(u.shape[0]):
        v[i, 0] = 3.0 * i
        for j in range(u.shape[1]):
            s += u[i, j]
    return s


def both_on_one_side(u, v):
    s = 0.0
    for i in range(u.shape[0]):
        if u[i, 0] > 0.5:
            v[i, 1] = u[i, 1]
            s += u[i, 1]
    return s


def read_again(u, v):
    s = 0.0
    for i in range(u.shape[0]):
        v[i, 0] = 3.0 * u[i, 1]
        k = int(u[i, 1]) * 0
        s += v[i, k]
    return s


def with_work(u, v):
    s = 0.0
    for i in range(u.shape[0]):
        x = u[i, 0]
        for k in range(50):
            x = x * 0.5 + k
        v[i, 0] = x
        s += x
    return s


def carried_along_a_row(u, v):
    r = 0.0
    for i in range(v.shape[0]):
        for k in range(1, v.shape[1]):
            x = v[i, k - 1]
            r += x
            v[i, k] = x + 1.0
    return r


def sums_so_far(u, v):
    s = 0.0
    for i in range(1, u.shape[0]):
        for k in range(1, u.shape[1]):
            y = u[i, k - 1] + 0.25 * u[i, k]
            s += y
            u[i, k] = y
    return s


def halved_along_a_row(u, v):
    r = 0.0
    for i in range(v.shape[0]):
        for k in range(1, v.shape[1]):
            r = max(r, v[i, k] - v[i, k - 1])
            v[i, k] = 0.5 * v[i, k - 1]
    return r


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("function", "apart"),
    [
        (stencil, True),
        (in_place, True),
        (of_one_loop, True),
        (beside_rows, True),
        (both_on_one_side, False),
        (read_again, False),
        (with_work, False),
        (carried_along_a_row, False),
        (sums_so_far, False),
        (halved_along_a_row, False),
    ],
)
def test_what_is_stored_and_folded(function, apart):
    arguments = [array(20, 9), array(9, 20).reshape(20, 9).copy()]
    expected, got = copies(arguments), copies(arguments)
    result, made = function(*expected), placed(function, arguments)
    kernels = [nest.offloaded.kernel for nest in made.nests if nest.offloaded]
    labels = {nest.label for nest in made.nests if nest.kernel}
    assert kernels and ("i@2" in labels) == apart
    found = trace(made.program, got)
    assert found.error is None
    returned = rebuild(made.program.returns, list(found.results), made.program)
    np.testing.assert_allclose(returned, result, rtol=1e-13)
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_array_equal(a, b)
