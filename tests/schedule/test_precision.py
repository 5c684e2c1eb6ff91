"""``precision="tf32"``: tensor cores where the user allows them, and nothing anywhere else."""

from dataclasses import replace

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import kernel_of, program_of
from tests.schedule.test_stages import arrays, product
from weft.backends.cuda import compiler
from weft.backends.cuda.dialect import generate_kernels
from weft.errors import ArgumentError, UnsupportedError
from weft.ir.forms.json_form import from_json, to_json
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.ir.reference.interpreter import run
from weft.machine.facts import Facts
from weft.plan.place import Layout, place
from weft.runtime.devices import accelerators
from weft.schedule import Bind, Stage
from weft.schedule.legality import Limits, check_schedule

MATRICES = (Bind("j", "x", 4, 2, 2), Bind("i", "y", 8, 2), Stage("k", 16, 1, 3, True))
ROOM = Limits(1024, 227 * 1024, 132)


def placed(shapes=((8, 8),) * 3, schedule=(), precision="tf32"):
    program = program_of(product, arrays(*shapes, dtype=np.float32)())
    return place(program, "cuda", schedule=schedule, layout=Layout(ROOM, precision=precision))


@pytest.mark.sample(0)
def test_float32_is_multiplied_by_tensor_cores_where_that_is_allowed():
    made = placed()
    assert [d.matrix for nest in made.nests for d in nest.schedule if isinstance(d, Stage)] == [True, True, True]
    text = generate_kernels(made.program)
    assert "#if __CUDA_ARCH__ >= 800\nmultiply_tf32_tiles<" in text and "copy_late_16(&a_tile" in text
    for needs in compiler.compile_source(text, "sm_90").resources.values():
        assert needs.spill_stores + needs.spill_loads == 0


def test_without_a_word_of_the_user_there_are_no_tensor_cores_for_float32():
    made = placed(precision="")
    assert not any(d.matrix for nest in made.nests for d in nest.schedule if isinstance(d, Stage))
    assert "tf32" not in generate_kernels(made.program)


def test_a_schedule_with_matrix_instructions_needs_the_precision():
    kernel = kernel_of(program_of(product, arrays((4, 4), (4, 4), (4, 4), dtype=np.float32)()))[0]
    assert [v.constraint for v in check_schedule(kernel, MATRICES)] == ["matrix-instructions"]
    assert not check_schedule(replace(kernel, precision="tf32"), MATRICES)


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", [(16, 32, 8), (17, 21, 11), (3, 5, 7)])
def test_tiles_for_tensor_cores_are_laid_out_like_any_other(shape):
    rows, inner, columns = shape
    a, b, c = arrays((rows, inner), (inner, columns), (rows, columns), dtype=np.float32)()
    made = placed(((rows, inner), (inner, columns), (rows, columns)), MATRICES)
    assert parse(to_text(made.program, locations=True)) == from_json(to_json(made.program)) == made.program
    run(made.program, [a, b, c])
    np.testing.assert_array_equal(c, a @ b)


def test_it_has_no_effect_on_the_processor_and_the_report_says_so():
    a, b, c = arrays((33, 40), (40, 21), (33, 21), dtype=np.float32)()
    function = weft.jit(product, device="cpu", precision="tf32")
    function(a, b, c)
    np.testing.assert_array_equal(c, a @ b)
    assert "precision='tf32' has no effect on the processor" in str(weft.explain(function, a, b, c))


@pytest.mark.opencl
def test_a_device_without_tensor_cores_refuses_it():
    a, b, c = arrays((8, 8), (8, 8), (8, 8), dtype=np.float32)()
    with pytest.raises(UnsupportedError, match="no instructions for products of tf32 numbers"):
        weft.jit(product, device="opencl", precision="tf32")(a, b, c)


@pytest.mark.parametrize("architecture, has", [("sm_75", False), ("sm_80", True), ("sm_90", True), ("sm_120a", True)])
def test_tensor_cores_for_tf32_are_there_from_sm_80_on(architecture, has):
    facts = Facts("cuda", "a device", "none", 1, 1, architecture, 1024, 32, 1, 4096)
    assert accelerators.has_tensor_cores(facts) is has


def test_no_other_word_is_a_precision():
    with pytest.raises(ArgumentError, match="'half' is no precision"):
        weft.jit(product, precision="half")


def errors(found, a, b):
    """How far elements are from the product, as a part of the sum of the factors' sizes."""
    wide = a.astype(np.float64) @ b.astype(np.float64)
    return np.abs(found - wide) / (np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64))


@pytest.mark.gpu
@pytest.mark.parametrize("libraries", [False, True])
@pytest.mark.parametrize("shape", [(128, 64, 256), (129, 65, 257), (37, 250, 400), (1000, 1500, 700)])
def test_each_factor_is_rounded_to_ten_bits_behind_the_point(shape, libraries):
    rows, inner, columns = shape
    generator = np.random.default_rng(4)
    a, b = (generator.standard_normal(s).astype(np.float32) for s in ((rows, inner), (inner, columns)))
    c = np.zeros((rows, columns), np.float32)
    weft.jit(product, device="cuda", precision="tf32", libraries=libraries)(a, b, c)
    largest = errors(c, a, b).max()
    rounding = 2.0**-11 if not libraries else 2.0**-10  # the library may cut digits off
    assert largest <= 2 * rounding + rounding**2 + inner * 2.0**-23
    if not libraries:  # a library may be more precise than it has to be, as where rows are not aligned
        assert largest > 1e-6, "the precision was not used"


@pytest.mark.gpu
def test_whole_numbers_of_eleven_bits_are_multiplied_exactly():
    generator = np.random.default_rng(4)
    a, b = (generator.integers(-64, 64, s).astype(np.float32) for s in ((200, 150), (150, 170)))
    c = np.zeros((200, 170), np.float32)
    weft.jit(product, device="cuda", precision="tf32", libraries=False)(a, b, c)
    np.testing.assert_array_equal(c, a @ b)
