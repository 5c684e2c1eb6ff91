"""What tells the type of a sum over rows of different lengths stands in a loop of its own, and nests stay folds."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.random_programs.stages import planned_and_interpreted
from weft.ir import nodes as n
from weft.ir.visit import launches_in, walk
from weft.plan.place import place
from weft.transform.pipeline import optimise


def triangle(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(i):
            s += a[i, j]
    return s


def far_rows(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(i + 2, a.shape[1]):
            s += a[i, j]
    return s, a.shape[0]


def three_deep(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(i):
            for k in range(1, j):
                s += a[i, k]
    return s


def two_results(a):
    s, most = 0, 0.0
    for i in range(a.shape[0]):
        for j in range(i):
            s += a[i, j]
        for j in range(i // 2):
            most = max(most, a[i, j])
    return s, most


def stores(a):
    s = 0.0
    for i in range(a.shape[0]):
        a[i, 0] = i
        for j in range(1, i):
            s += a[i, j]
    return s


def raises(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(i + 3):
            s += a[i, j - 2]
    return s


def by_steps(a):
    s = 0.0
    for t in range(3):
        for i in range(t, a.shape[0]):
            for j in range(t, i, 2):
                s = s + a[i, j] * t
    return s


APART = [triangle, far_rows, three_deep, two_results, stores, by_steps]


def outcome(function, a):
    try:
        result = function(a)
    except IndexError as error:
        return type(error), str(error), a.tolist()
    results = result if isinstance(result, tuple) else (result,)
    return [type(r) for r in results], results, a.tolist()


@pytest.mark.parametrize("function", [*APART, raises], ids=lambda f: f.__name__)
def test_results_have_their_types(function):
    compiled = weft.jit(function, device="cpu")
    for shape in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 1), (1, 4), (6, 6), (7, 2)]:
        values = np.arange(shape[0] * shape[1], dtype=np.float64).reshape(shape) - 4
        for a in (values, values * 0):
            assert outcome(compiled, a.copy()) == outcome(function, a.copy()), shape


@pytest.mark.parametrize("function", APART, ids=lambda f: f.__name__)
def test_nests_carry_no_flag(function):
    made = optimise(program_of(function, np.ones((3, 3))), verify=True)
    loops = [s for s in walk(made.body) if isinstance(s, n.For)]
    flagged = [loop for loop in loops if any(arg.var.type.kind == "b" for arg in loop.args)]
    assert flagged
    assert all(loop.exit is not None for loop in flagged)
    assert not any(isinstance(s, n.Let) and isinstance(s.value, n.Load) for one in flagged for s in walk(one.body))


@pytest.mark.parametrize("device", ["cpu", "opencl"])
def test_reports_and_warnings_know_the_loops_that_were_written(device):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled = weft.jit(triangle, device=device)
        assert compiled(np.ones((4, 4))) == 6.0
    shown = weft.explain(compiled, np.ones((4, 4)))
    assert [(loop.line > 0, loop.verdict) for loop in shown.loops] == [(True, "reduction")] * 2
    assert all(place.line > 0 for place in shown.placement)
    assert "own" not in str(shown)


def last_above(a):
    s = 0
    for i in range(a.shape[0]):
        if a[i, 0] > 2:
            s = a[i, 0]
    return s


def test_reports_name_what_was_written():
    (loop,) = weft.explain(last_above, np.ones((4, 4))).loops
    assert loop.reason == "iterations meet only in what they fold: s (last value assigned)"


def beside_other_nests(a, u, n, m):
    s = 0.0
    for i in range(n):
        for j in range(i):
            s += a[i, j]
    t = 1.0
    for i in range(n // 2, n):
        for j in range(0, m, 2):
            t += a[i, j] * a[j, i]
    r = 0
    for q in range(n * n):
        r += u[q] * (q // m)
    return s, t, r


def test_kernels_of_loops_that_nobody_wrote_have_names_of_their_own():
    arguments = (np.arange(49.0).reshape(7, 7), np.arange(49.0), 7, 3)
    placement = place(
        optimise(program_of(beside_other_nests, *arguments), turns=False, blocks=True, rows=True), "cuda:0"
    )
    kernels = {launch.kernel.name: launch.kernel for launch in launches_in(placement.program.body)}
    assert all(launch.kernel is kernels[launch.kernel.name] for launch in launches_in(placement.program.body))
    assert {nest.kernel for nest in placement.nests if nest.kernel} <= kernels.keys()
    called = planned_and_interpreted(beside_other_nests, arguments)
    for n_, m in ((7, 3), (1, 2), (0, 1), (6, 7)):
        assert called((*arguments[:2], n_, m)) == beside_other_nests(*arguments[:2], n_, m)
