"""Launches that may raise have others beside them for other sizes: the right one runs, and faults are as before."""

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import program_of
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import trace
from weft.ir.reference.simulated import SimulatedDevice
from weft.ir.visit import launches_in
from weft.plan.place import Layout, place
from weft.plan.transfers.check import check_plan
from weft.schedule.legality import Limits
from weft.tune import default

DEVICE = Layout(Limits(1024, 227 * 1024, 132))
LONG = 64


def chosen_rows(x, chosen, out):
    for i in range(len(chosen)):
        s = x[0, 0] - x[0, 0]
        for j in range(x.shape[1]):
            s += x[chosen[i], j] * x[chosen[i], j]
        out[i] = s


def steps_of_products(a, b, chosen, c, d):
    for t in range(2):
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                s = a[0, 0] - a[0, 0]
                for k in range(a.shape[1]):
                    s += a[i, k] * b[k, chosen[j]]
                d[i, j] = s + c[i, j]
        c, d = d, c


def rows(columns, chosen):
    x = (np.arange(3 * columns) % 7 - 3.0).astype(np.float32).reshape(3, columns)
    return x, np.array(chosen), np.full(3, -1.0, np.float32)


def factors(columns, chosen):
    a, b = (np.arange(3 * columns, dtype=np.float32).reshape(shape) % 5 for shape in ((3, columns), (columns, 3)))
    return a, b, np.array(chosen), np.ones((3, 3), np.float32), np.zeros((3, 3), np.float32)


def launched(program, arguments):
    """The kernels that a run launches, and what it raises."""
    seen = trace(program, arguments, {"cuda": SimulatedDevice()})
    return [step.target for step in seen.steps if step.kind == "launch"], seen.error


@pytest.mark.parametrize("slabs", [False, True])
@pytest.mark.parametrize("function, given", [(chosen_rows, rows), (steps_of_products, factors)])
def test_the_length_of_rows_decides_also_where_an_index_may_be_outside(function, given, slabs, monkeypatch):
    monkeypatch.setattr(default, "LONG_ROW", LONG)
    program = place(program_of(function, given(8, [0, 1, 2])), "cuda", layout=DEVICE, slabs=slabs).program
    verify(program)
    if not slabs:
        check_plan(program)
    usual, long = (launch.kernel.name for launch in launches_in(program.body))
    for columns, kernel in ((1, usual), (LONG - 1, usual), (LONG, long)):
        for chosen in ([2, 0, -1], [1, 3, 0]):
            arguments, expected = given(columns, chosen), given(columns, chosen)
            error = raised(function, expected)
            kernels, found = launched(program, arguments)
            assert (type(found), str(found)) == (type(error), str(error))
            assert set(kernels) == ({kernel} if error is None else set())
            for one, other in zip(arguments, expected, strict=True):
                np.testing.assert_array_equal(one, other)


def raised(function, arguments):
    """What a call raises."""
    try:
        function(*arguments)
    except IndexError as error:
        return error
    return None


@pytest.mark.opencl
def test_a_device_runs_the_same_kernels():
    made = weft.jit(chosen_rows, device="opencl")
    for columns in (1, default.LONG_ROW - 1, default.LONG_ROW):
        for chosen in ([2, 0, -1], [1, 3, 0]):
            arguments, expected = rows(columns, chosen), rows(columns, chosen)
            error = raised(chosen_rows, expected)
            with weft.profile() as p:
                found = raised(made, arguments)
            assert [e.kernel for e in p.of("launch")] == [f"chosen_rows_{int(columns == default.LONG_ROW)}"]
            assert (type(found), str(found)) == (type(error), str(error))
            np.testing.assert_array_equal(arguments[2], expected[2])
