"""The interpreter counts what runs, finds conflicts between iterations, and watches floating-point values."""

import numpy as np

from tests.ir import programs
from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.reference.interpreter import run, trace
from weft.ir.types import COMPLEX128, FLOAT64, INT64, PYFLOAT


def kinds(conflicts):
    """The conflicts of one loop, as pairs of kind and name."""
    return {(c.kind, c.name) for c in conflicts}


def copy_loop(offset, extent=4):
    """``y[i + offset] = x[i]`` over whole views, which may be the same."""
    build = Builder("copy")
    x, y = build.array("x", FLOAT64), build.array("y", FLOAT64)
    with build.loop("i", 0, extent) as loop:
        build.store(y, build.add(loop.index, offset), value=build.load(x, loop.index))
    return build.program()


def test_operations_and_accesses_are_counted():
    counts = trace(programs.total(), (np.arange(5.0),)).counts
    assert counts.operations == {("add", "float64"): 5, ("load", "float64"): 5}
    assert counts.total("load", "store") == 5


def test_lanes_are_counted_one_by_one():
    counts = trace(programs.vectors(), (np.arange(8.0), np.zeros(8))).counts
    assert counts.operations["store", "float64"] == 8
    assert counts.operations["add", "float64"] == 8 + 2 * 3 + 2


def test_independent_iterations_have_no_conflict():
    result = trace(programs.scale(), (np.arange(5.0), np.zeros(5), np.float64(2)))
    assert result.conflicts == {"i": []}


def test_a_recurrence_is_a_flow_conflict_with_both_places():
    (conflict,) = trace(programs.recurrence(), (np.zeros(5),)).conflicts["i"]
    assert (conflict.kind, conflict.name, conflict.count) == ("flow", "x", 3)
    assert (conflict.first.line, conflict.second.line) == (3, 2)
    assert conflict.iterations == (1, 2)


def test_reading_ahead_is_an_anti_conflict():
    data = np.arange(6.0)
    assert kinds(trace(copy_loop(0), (data[1:], data)).conflicts["i"]) == {("anti", "y")}


def test_aliased_arguments_are_in_conflict():
    data = np.arange(6.0)
    assert kinds(trace(copy_loop(1), (data, data)).conflicts["i"]) == {("flow", "x")}


def test_writing_one_element_again_is_an_output_conflict():
    build = Builder("last")
    x = build.array("x", FLOAT64)
    with build.loop("i", 0, 3):
        build.store(x, 0, value=1.0)
    assert kinds(trace(build.program(), (np.zeros(1),)).conflicts["i"]) == {("output", "x")}


def test_a_value_written_in_the_same_iteration_is_no_flow():
    build = Builder("scratch")
    x, t = build.array("x", FLOAT64), build.array("t", FLOAT64)
    with build.loop("i", 0, 3) as loop:
        build.store(t, 0, value=2.0)
        build.store(x, loop.index, value=build.load(t, 0))
    assert kinds(trace(build.program(), (np.zeros(3), np.zeros(1))).conflicts["i"]) == {("anti", "t"), ("output", "t")}


def test_local_arrays_of_an_iteration_are_private():
    build = Builder("private")
    x = build.array("x", FLOAT64)
    with build.loop("i", 0, 50) as loop:
        local = build.alloc((1,), FLOAT64, 1.0)
        build.store(local, 0, value=build.load(x, loop.index))
        build.store(x, loop.index, value=build.load(local, 0))
    assert trace(build.program(), (np.zeros(50),)).conflicts == {"i": []}


def test_the_outermost_differing_loop_carries_a_conflict():
    build = Builder("nest")
    x = build.array("x", FLOAT64, 2)
    with build.loop("i", 1, 3) as outer:
        with build.loop("j", 0, 3) as inner:
            above = build.load(x, build.sub(outer.index, 1), inner.index)
            build.store(x, outer.index, inner.index, value=above)
    conflicts = trace(build.program(), (np.zeros((3, 3)),)).conflicts
    assert kinds(conflicts["i"]) == {("flow", "x")}
    assert conflicts["j"] == []


def test_a_conflict_inside_one_outer_iteration_belongs_to_the_inner_loop():
    build = Builder("rows")
    x = build.array("x", FLOAT64, 2)
    with build.loop("i", 0, 3) as outer:
        with build.loop("j", 1, 3) as inner:
            left = build.load(x, outer.index, build.sub(inner.index, 1))
            build.store(x, outer.index, inner.index, value=left)
    conflicts = trace(build.program(), (np.zeros((3, 3)),)).conflicts
    assert conflicts["i"] == []
    assert kinds(conflicts["j"]) == {("flow", "x")}


def test_a_carried_variable_that_is_used_is_a_conflict():
    assert kinds(trace(programs.total(), (np.ones(3),)).conflicts["i"]) == {("scalar", "s")}


def test_a_reduction_that_is_marked_is_none():
    build = Builder("reduction")
    x = build.array("x", FLOAT64)
    with build.loop("i", 0, build.dim(x), {"s": build.const(0.0, FLOAT64)}, mapping="parallel") as loop:
        loop.args = tuple(n.LoopArg(a.var, a.init, "add") for a in loop.args)
        loop.carry(build.add(loop["s"], build.load(x, loop.index)))
    assert trace(build.program(loop.results[0]), (np.ones(3),)).conflicts["i"] == []


def test_a_last_value_is_no_conflict():
    build = Builder("last")
    with build.loop("i", 0, 3, {"last": 0}) as loop:
        loop.carry(build.mul(loop.index, 2))
    result = trace(build.program(loop.results[0]), ())
    assert result.results == (4,)
    assert result.conflicts == {"i": []}


def test_updates_by_one_operator_are_not_in_conflict():
    result = trace(programs.histogram(), (np.array([0, 0, 1]), np.zeros(2, np.int64)))
    assert result.conflicts == {"i": []}


def test_an_update_and_a_read_are_in_conflict():
    build = Builder("mixed")
    x, y = build.array("x", INT64), build.array("y", INT64)
    with build.loop("i", 0, 3) as loop:
        build.store(y, loop.index, value=build.load(x, 0))
        build.update("add", x, 0, value=1)
    assert kinds(trace(build.program(), (np.zeros(1, np.int64), np.zeros(3, np.int64))).conflicts["i"]) == {
        ("anti", "x"),
        ("flow", "x"),
    }


def test_parts_of_complex_numbers_are_told_apart():
    build = Builder("parts")
    x = build.array("x", COMPLEX128)
    real, imaginary = build.field(x, "real"), build.field(x, "imag")
    with build.loop("i", 0, 3) as loop:
        build.store(real, loop.index, value=build.load(imaginary, loop.index))
    assert trace(build.program(), (np.zeros(3, complex),)).conflicts == {"i": []}


def test_an_exception_ends_the_trace():
    result = trace(programs.total(), (np.arange(5.0),))
    assert result.error is None
    result = trace(copy_loop(0, extent=9), (np.zeros(3), np.zeros(9)))
    assert isinstance(result.error, IndexError)


def test_the_first_nan_is_reported_with_place_and_iteration():
    build = Builder("nan")
    x = build.array("x", FLOAT64)
    with build.loop("i", 0, 3) as loop:
        build.location = programs.line(4)
        value = build.load(x, loop.index)
        build.store(x, loop.index, value=build.sub(value, value))
    found = []
    run(build.program(), (np.array([1.0, np.inf, np.inf]),), report=found.append)
    assert [str(f) for f in found] == ["the first NaN comes from sub(inf, inf) at loops.py:4:1 in the iteration i = 1"]


def test_nan_in_the_input_is_not_reported():
    found = []
    run(programs.scale(), (np.full(3, np.nan), np.zeros(3), np.float64(2)), report=found.append)
    assert found == []


def test_overflow_is_reported_once():
    build = Builder("overflow")
    x = build.array("x", FLOAT64)
    with build.loop("i", 0, 3) as loop:
        build.location = programs.line(4)
        build.store(x, loop.index, value=build.mul(build.load(x, loop.index), 1e200))
    found = []
    run(build.program(), (np.array([1.0, 1e200, 1e300]),), report=found.append)
    assert [str(f) for f in found] == [
        "the first overflow comes from mul(1e+200, 1e+200) at loops.py:4:1 in the iteration i = 1"
    ]


def test_a_division_by_zero_is_reported():
    build = Builder("division")
    a, b = build.param("a", INT64), build.param("b", INT64)
    found = []
    assert run(build.program(build.binary("floordiv", a, b)), (np.int64(1), np.int64(0)), report=found.append) == (0,)
    assert found[0].kind == "division by zero"


def test_nan_from_finite_operands_is_reported():
    build = Builder("root")
    a = build.param("a", PYFLOAT)
    found = []
    run(build.program(build.math("sqrt", a)), (-1.0,), report=found.append)
    assert (found[0].kind, found[0].operation) == ("nan", "sqrt")
