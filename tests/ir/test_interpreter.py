"""The interpreter gives every node its meaning."""

import numpy as np
import pytest

from tests.ir import programs
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.reference.interpreter import holds, run
from weft.ir.types import COMPLEX128, FLOAT32, FLOAT64, INT8, INT64, PYBOOL, PYFLOAT, PYINT, Vector, View, element_of


def one_operation(name, *types, result=None):
    """A program of one expression: `build` makes it of the parameters."""
    build = Builder(name)
    return build, [build.param(f"p{k}", t) for k, t in enumerate(types)]


def test_a_loop_carries_a_value():
    assert run(programs.total(), (np.arange(5.0),)) == (10.0,)


def test_results_have_the_type_of_the_program():
    (result,) = run(programs.total(), (np.arange(5.0),))
    assert type(result) is np.float64


def test_a_parameter_that_is_returned_is_the_same_object():
    x, y = np.arange(5.0), np.zeros(5)
    (result,) = run(programs.scale(), (x, y, np.float64(3)))
    assert result is y
    assert y.tolist() == [0, 3, 6, 9, 12]


def test_arrays_of_any_strides_are_used_in_place():
    data = np.arange(10.0)
    run(programs.scale(), (data[::2], data[::-2], np.float64(0)))
    assert data.tolist() == [0, 0, 2, 0, 4, 0, 6, 0, 8, 0]


def test_a_loop_ends_after_the_iteration_that_yields_false():
    assert run(programs.search(), (np.array([4, 7, 7, 9]), np.int64(7))) == (1,)
    assert run(programs.search(), (np.array([4, 7, 7, 9]), np.int64(5))) == (-1,)


def test_while_and_if():
    assert run(programs.collatz(), (27,)) == (111,)


def test_update_combines_in_place():
    counts = np.zeros(3, np.int64)
    run(programs.histogram(), (np.array([0, 2, 2, 1, 2]), counts))
    assert counts.tolist() == [1, 1, 3]


def test_functions_yield_several_values():
    assert run(programs.helper(), (17, 5)) == (3, 2)


def test_masked_lanes_are_neither_read_nor_written():
    y = np.zeros(6)
    (total,) = run(programs.vectors(), (np.arange(6.0), y))
    assert total == 30
    assert y.tolist() == [0, 2, 4, 6, 8, 10]


def test_lanes_are_folded_pairwise_in_order():
    build, (view,) = one_operation("fold", View(FLOAT64, 1))
    index = build.let(n.Lanes(n.Const(0)), Vector(PYINT, 4))
    loaded = build.let(n.Load(view, (index,)), Vector(FLOAT64, 4))
    program = build.program(build.let(n.ReduceLanes("sub", loaded), FLOAT64))
    assert run(program, (np.array([10.0, 1.0, 5.0, 2.0]),)) == ((10 - 1) - (5 - 2),)


def test_lanes_are_folded_with_those_before_them():
    build, (view,) = one_operation("running", View(FLOAT64, 1))
    index = build.let(n.Lanes(n.Const(0)), Vector(PYINT, 4))
    loaded = build.let(n.Load(view, (index,)), Vector(FLOAT64, 4))
    folded = build.let(n.RunningLanes("sub", loaded), Vector(FLOAT64, 4))
    program = build.program(build.let(n.Lane(folded, 3), FLOAT64))
    assert run(program, (np.array([10.0, 1.0, 5.0, 2.0]),)) == ((10 - 1) - (5 - 2),)


def test_an_index_out_of_bounds_raises_with_its_place():
    build, (x,) = one_operation("out", View(FLOAT64, 1))
    with build.loop("i", 0, 5) as loop:
        build.location = programs.line(7)
        build.load(x, loop.index)
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3") as caught:
        run(build.program(), (np.zeros(3),))
    assert caught.value.weft_location.line == 7
    assert caught.value.weft_iteration == {"i": 3}


def test_python_bounds_count_from_the_end():
    build, (x, index) = one_operation("negative", View(FLOAT64, 1), PYINT)
    program = build.program(build.load(x, index))
    assert run(program, (np.arange(3.0), -1)) == (2.0,)
    with pytest.raises(IndexError):
        run(program, (np.arange(3.0), -4))


@pytest.mark.parametrize("index", [-1, 3])
def test_checked_bounds_refuse_negative_indices(index):
    build, (x, position) = one_operation("check", View(FLOAT64, 1), PYINT)
    program = build.program(build.load(x, position, bounds="check"))
    with pytest.raises(IndexError):
        run(program, (np.arange(3.0), index))


def test_a_wrong_proof_is_found():
    build, (x, position) = one_operation("safe", View(FLOAT64, 1), PYINT)
    program = build.program(build.load(x, position, bounds="safe"))
    with pytest.raises(InternalError, match="proven inside"):
        run(program, (np.arange(3.0), -1))


def test_clamped_bounds_finish_and_then_raise():
    build, (x, y) = one_operation("clamp", View(FLOAT64, 1), View(FLOAT64, 1))
    build.store(y, 0, value=build.load(x, 9, bounds="clamp"))
    y_values = np.zeros(1)
    with pytest.raises(IndexError):
        run(build.program(), (np.arange(3.0), y_values))
    assert y_values[0] == 2.0


def test_python_integers_overflow():
    build, (a, b) = one_operation("overflow", PYINT, PYINT)
    program = build.program(build.mul(a, b))
    assert run(program, (2**40, 2**20)) == (2**60,)
    with pytest.raises(OverflowError):
        run(program, (2**40, 2**40))


def test_numpy_integers_wrap():
    build, (a,) = one_operation("wrap", INT8)
    assert run(build.program(build.add(a, 1)), (np.int8(127),)) == (-128,)


def test_division_by_zero_depends_on_the_types():
    build, (a, b) = one_operation("python", PYFLOAT, PYFLOAT)
    with pytest.raises(ZeroDivisionError, match="float division by zero|division by zero"):
        run(build.program(build.binary("truediv", a, b)), (1.0, 0.0))
    build, (a, b) = one_operation("numpy", FLOAT64, FLOAT64)
    assert run(build.program(build.binary("truediv", a, b)), (np.float64(1), np.float64(0))) == (np.inf,)


def test_raise_formats_its_operands():
    build, (a,) = one_operation("raises", PYINT)
    build.fail("ValueError", "negative: {}", a)
    with pytest.raises(ValueError, match="negative: -3"):
        run(build.program(), (-3,))


def test_raise_without_message_has_no_arguments():
    build, _ = one_operation("raises")
    build.fail("KeyError", "")
    with pytest.raises(KeyError) as caught:
        run(build.program(), ())
    assert caught.value.args == ()


def test_subview_slices_drops_and_adds_axes():
    build, (x,) = one_operation("subview", View(FLOAT64, 2))
    reverse = n.Slice(n.Const(2), n.Const(2), n.Const(-2))
    program = build.program(build.subview(x, 1, reverse), build.subview(x, None, 0, 0))
    data = np.arange(6.0).reshape(2, 3)
    row, corner = run(program, (data,))
    assert row.tolist() == [5, 3]
    assert corner.shape == (1,)
    assert np.shares_memory(row, data)


def test_a_subview_of_single_elements_is_a_view():
    build, (x,) = one_operation("element", View(FLOAT64, 1))
    element = build.subview(x, 1)
    build.store(element, value=7.0)
    data = np.zeros(3)
    run(build.program(), (data,))
    assert data.tolist() == [0, 7, 0]


def test_slices_outside_are_a_mistake():
    build, (x,) = one_operation("slice", View(FLOAT64, 1))
    program = build.program(build.subview(x, n.Slice(n.Const(0), n.Const(4), n.Const(1))))
    with pytest.raises(InternalError, match="leaves an axis"):
        run(program, (np.zeros(3),))


def test_transpose_and_parts_of_complex_arrays_are_views():
    build, (x,) = one_operation("parts", View(COMPLEX128, 2))
    program = build.program(build.field(build.transpose(x, 1, 0), "imag"))
    data = np.array([[1 + 2j, 3 + 4j]])
    (imaginary,) = run(program, (data,))
    assert imaginary.tolist() == [[2], [4]]
    assert np.shares_memory(imaginary, data)


def test_neighbouring_axes_are_merged():
    build, (x,) = one_operation("merged", View(FLOAT64, 3))
    program = build.program(build.let(n.Mergeable(x, 1), PYBOOL), build.merge(x, 1))
    data = np.arange(24.0).reshape(4, 3, 2)
    fits, merged = run(program, (data[::2],))
    assert fits
    assert merged.tolist() == data[::2].reshape(2, 6).tolist()
    assert np.shares_memory(merged, data)


def test_an_axis_is_split():
    build, (x,) = one_operation("split", View(FLOAT64, 2))
    program = build.program(build.split(x, 1, 2, 3))
    data = np.arange(24.0).reshape(4, 6)
    (found,) = run(program, (data[::2],))
    assert found.tolist() == data[::2].reshape(2, 2, 3).tolist()
    assert np.shares_memory(found, data)


def test_whether_axes_can_be_merged():
    build, (x,) = one_operation("mergeable", View(FLOAT64, 2))
    program = build.program(build.let(n.Mergeable(x, 0), PYBOOL))
    data = np.zeros((4, 6))
    assert [run(program, (a,)) for a in (data, data[:, :5], data[:, ::2], data.T)] == [
        (True,),
        (False,),
        (True,),
        (False,),
    ]


def test_fields_of_records_are_views():
    dtype = np.dtype([("mass", "f8"), ("place", "f4", (3,))])
    build, (x,) = one_operation("fields", View(element_of(dtype), 1))
    place = build.field(x, "place")
    build.store(place, 1, 2, value=5.0)
    data = np.zeros(2, dtype)
    run(build.program(), (data,))
    assert data["place"][1, 2] == 5


def test_alloc_fills_and_refuses_negative_extents():
    build, (count,) = one_operation("alloc", PYINT)
    program = build.program(build.alloc((count, 2), FLOAT32, 1.5))
    (array,) = run(program, (3,))
    assert array.dtype == np.float32
    assert array.tolist() == [[1.5, 1.5]] * 3
    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        run(program, (-1,))


def test_fma_rounds_once():
    build, operands = one_operation("fma", FLOAT64, FLOAT64, FLOAT64)
    program = build.program(build.let(n.Fma(*operands), FLOAT64))
    a = np.float64(1 + 2**-30)
    assert run(program, (a, a, np.float64(-1))) == (2**-29 + 2**-60,)


def test_fma_of_narrow_floats_rounds_once():
    build, operands = one_operation("fma", FLOAT32, FLOAT32, FLOAT32)
    program = build.program(build.let(n.Fma(*operands), FLOAT32))
    values = np.float32(1 + 2**-12), np.float32(1 + 2**-12), np.float32(2**-40)
    assert run(program, values) == (np.float32(1 + 2**-11 + 2**-23),)


def test_views_are_carried_and_swapped():
    build = Builder("swap")
    u, v = build.array("u", FLOAT64), build.array("v", FLOAT64)
    with build.loop("t", 0, 3, {"u": u, "v": v}) as loop:
        build.store(loop["v"], 0, value=build.add(build.load(loop["u"], 0), 1.0))
        loop.carry(loop["v"], loop["u"])
    first, second = np.zeros(1), np.zeros(1)
    (result,) = run(build.program(loop.results[0]), (first, second))
    assert result is second
    assert (first[0], second[0]) == (2, 3)


def test_external_functions_are_called_with_the_arrays():
    build = Builder("external")
    x = build.array("x", FLOAT64)
    build.externals["halve"] = lambda array: array.__imul__(0.5).sum()
    result = build.fresh("r", FLOAT64)
    build.add_statement(n.External((result,), "halve", (x,), reads=(x,), writes=(x,)))
    data = np.ones(4)
    assert run(build.program(result), (data,)) == (2.0,)
    assert data[0] == 0.5


def test_print_needs_no_registration(capsys):
    build, (a,) = one_operation("prints", PYINT)
    build.add_statement(n.External((), "print", (a,)))
    run(build.program(), (42,))
    assert capsys.readouterr().out == "42\n"


def test_the_assumption_is_evaluated_on_the_parameters():
    build, (a,) = one_operation("assume", PYINT)
    with build.block() as statements:
        positive = build.compare("gt", a, 0)
    program = build.program(assumption=n.Block(tuple(statements), (positive,)))
    assert holds(program, (1,))
    assert not holds(program, (-1,))


def test_values_of_the_wrong_type_are_refused():
    with pytest.raises(InternalError, match="the parameter x"):
        run(programs.total(), (np.arange(5),))
    with pytest.raises(InternalError, match="1 parameters"):
        run(programs.total(), ())


def test_selection_and_logic():
    build, (a, b) = one_operation("logic", PYBOOL, PYBOOL)
    both = build.binary("and", a, b)
    program = build.program(build.select(both, 1, 2), build.unary("not", both))
    assert run(program, (True, False)) == (2, True)


def test_a_kernel_works_on_the_memory_of_its_device():
    data = np.arange(1.0, 4.0)
    assert run(programs.kernel_plan(), (data,)) == (2.0,)
    assert data.tolist() == [2, 4, 6]


def test_a_missing_copy_to_the_device_is_found():
    with pytest.raises(InternalError, match="gpu reads bytes .* a copy is missing"):
        run(programs.kernel_plan(copy_in=False), (np.ones(3),))


def test_a_missing_copy_back_is_found():
    with pytest.raises(InternalError, match="a copy is missing"):
        run(programs.kernel_plan(copy_out=False), (np.ones(3),))


def test_a_launch_says_whether_its_kernel_failed():
    build = Builder("failing")
    x = build.array("x", FLOAT64)
    inner, extent = build.fresh("x", View(FLOAT64, 1)), build.fresh("n", PYINT)
    with build.block() as statements:
        with build.loop("i", 0, extent) as loop:
            build.store(inner, loop.index, value=1.0, bounds="clamp")
    kernel = n.Kernel("fill", (inner, extent), n.Block(tuple(statements)))
    failed = build.fresh("failed", PYBOOL), build.fresh("failed", PYBOOL)
    for result, count in zip(failed, (3, 4)):
        build.add_statement(n.Launch(kernel, "cpu", (x, n.Const(count)), results=(result,)))
    assert run(build.program(*failed), (np.zeros(3),)) == (False, True)


def test_use_after_free_is_found():
    build = Builder("freed")
    x = build.array("x", INT64)
    for statement in (n.Copy(x, "host", "gpu"), n.Free(x, "gpu"), n.Free(x, "gpu"), n.Copy(x, "gpu", "host")):
        build.add_statement(statement)
    with pytest.raises(InternalError, match="not current in gpu"):
        run(build.program(), (np.zeros(2, np.int64),))
