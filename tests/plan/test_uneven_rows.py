"""Stencils and transpositions have a kernel of their own for arrays whose rows begin anywhere; the launch chooses."""

from dataclasses import replace

import numpy as np
import pytest

from tests.schedule.scheduled import arrays, program_of
from weft.ir import nodes as n
from weft.ir.reference.interpreter import run
from weft.ir.reference.machine import Machine
from weft.ir.visit import walk
from weft.plan.place import Layout, place
from weft.plan.transfers.check import check_plan
from weft.schedule import Bind, Walk
from weft.schedule.legality import Limits

LARGE = Layout(Limits(1024, 227 * 1024, 132))


def near(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            for k in range(1, u.shape[2] - 1):
                v[i, j, k] = u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k] - u[i, j, k + 1]


def far(u, v):
    for i in range(3, u.shape[0] - 3):
        for j in range(3, u.shape[1] - 3):
            for k in range(3, u.shape[2] - 3):
                v[i, j, k] = u[i - 3, j, k] + u[i + 3, j, k] + u[i, j - 3, k] + u[i, j + 3, k] - u[i, j, k + 3]


def transposed(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[j, i] = a[i, j]


def permuted(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                b[k, i, j] = 2.0 * a[i, j, k]


def placed(function, device="cuda", layout=LARGE, schedule=(), shape=(8, 8, 8)):
    return place(program_of(function, arrays(shape, shape)()), device, layout=layout, schedule=schedule)


def test_the_rows_decide_between_two_kernels():
    placement = placed(near)
    check_plan(placement.program)
    (choice,) = (s for s in placement.program.body.statements if isinstance(s, n.If))
    launches = [[s for s in walk(block) if isinstance(s, n.Launch)] for block in (choice.then, choice.orelse)]
    assert [len(found) for found in launches] == [1, 1]
    uneven = placement.nests[-1].schedule
    assert any(isinstance(directive, Walk) and directive.staged for directive in uneven)


def test_single_elements_are_asked_for_later():
    even, uneven = (nest.schedule for nest in placed(far).nests if nest.kernel)
    (usual,) = (directive for directive in even if isinstance(directive, Walk))
    assert uneven == tuple(replace(usual, ahead=usual.ahead - 1) if d == usual else d for d in even)


def test_one_kernel_is_enough_that_asks_late_anyway():
    placement = place(program_of(far, arrays((8, 8, 8), (8, 8, 8), dtype="float64")()), "cuda", layout=LARGE)
    assert len([nest for nest in placement.nests if nest.kernel]) == 1


@pytest.mark.parametrize(("dtype", "tiles"), [("float32", [(128, 64), (256, 32)]), ("float64", [(64, 64)])])
def test_transpositions_of_single_elements_go_in_wider_tiles(dtype, tiles):
    placement = place(program_of(transposed, arrays((8, 8), (8, 8), dtype=dtype)()), "cuda", layout=LARGE)
    binds = [{d.axis: d for d in nest.schedule if isinstance(d, Bind)} for nest in placement.nests if nest.kernel]
    assert [(found["x"].step, found["y"].step) for found in binds] == tiles


@pytest.mark.sample(2)
@pytest.mark.parametrize(("begin", "apart", "is_even"), [(0, 0, True), (1, 0, False), (0, 1, False), (0, 4, True)])
@pytest.mark.parametrize(
    ("function", "shape"), [(transposed, (40, 36)), (permuted, (5, 20, 36)), (permuted, (3, 7, 33))]
)
def test_rows_decide_between_two_tiles(monkeypatch, function, shape, begin, apart, is_even):
    def views():
        wide = (*shape[:-1], shape[-1] + begin + apart), (shape[-1], *shape[:-2], shape[-2] + begin + apart)
        return [base[..., begin : base.shape[-1] - apart] for base in arrays(*wide)()]

    launched, launch = [], Machine.launch
    monkeypatch.setattr(Machine, "launch", lambda *given: launched.append(given[2]) or launch(*given))
    expected, got = views(), views()
    is_even &= not any(size % 4 for size in shape[-2:])
    placement = place(program_of(function, got), "cuda", layout=LARGE)
    run(program_of(function, expected), expected)
    run(placement.program, got)
    assert launched == [placement.nests[0 if is_even else -1].kernel]
    np.testing.assert_array_equal(got[1], expected[1])


@pytest.mark.parametrize(("begin", "apart", "is_even"), [(0, 0, True), (1, 0, False), (0, 1, False), (0, 4, True)])
def test_rows_of_whole_vectors_may_begin_elsewhere(monkeypatch, begin, apart, is_even):
    def view():
        (base,) = arrays((8, 8, 16 + begin + apart))()
        return base[:, :, begin : begin + 16]

    launched, launch = [], Machine.launch
    monkeypatch.setattr(Machine, "launch", lambda *given: launched.append(given[2]) or launch(*given))
    placement = placed(near, shape=(8, 8, 16))
    expected, got = [view(), view()], [view(), view()]
    run(program_of(near, expected), expected)
    run(placement.program, got)
    assert launched == [placement.nests[0 if is_even else -1].kernel]
    np.testing.assert_array_equal(got[1], expected[1])


@pytest.mark.parametrize("shape", [(9, 8, 16), (9, 8, 17), (7, 7, 7), (8, 9, 6)])
@pytest.mark.parametrize("function", [near, far])
def test_either_kernel_does_what_the_loop_does(function, shape):
    expected, got = arrays(shape, shape)(), arrays(shape, shape)()
    run(program_of(function, expected), expected)
    run(placed(function, shape=shape).program, got)
    for a, b in zip(expected, got, strict=True):
        np.testing.assert_array_equal(b, a)


@pytest.mark.parametrize(
    "given",
    [
        {"device": "opencl"},
        {"layout": Layout(Limits(1024, 227 * 1024))},
        {"schedule": (Bind("k", "x", 32, 4, 4), Bind("j", "y", 4), Bind("i", "z", 1, 4, 4))},
    ],
)
def test_there_is_one_kernel_where_nothing_is_known_of_the_device_or_the_user_wrote_the_schedule(given):
    assert len([nest for nest in placed(near, **given).nests if nest.kernel]) == 1
