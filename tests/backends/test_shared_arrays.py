"""Arrays that an iteration makes live in the shared memory of its block: the same answers on devices."""

import numpy as np
import pytest

import weft
from tests.schedule.test_deal import huge, neighbours, relaxed, rows, summed_in_steps
from weft.backends.cuda import compiler
from weft.backends.cuda.dialect import generate_kernels
from weft.errors import DeviceError
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.plan.place import place
from weft.transform import pipeline

FUNCTIONS = [neighbours, rows, relaxed, summed_in_steps]


def arguments(rows=37):
    a = np.random.default_rng(1).integers(-9, 9, (rows, 70)).astype(np.float32)
    return a, np.zeros_like(a)


def placed(function, device):
    types = tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments()))
    return place(pipeline.optimise(build(function, types)), device)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_opencl_gives_the_answer_of_python(function):
    try:
        weft.device("opencl")
    except DeviceError:
        pytest.skip("there is no OpenCL device")
    expected, got = arguments(), arguments()
    function(*expected)
    compiled = weft.jit(function, device="opencl")
    compiled(*got)
    np.testing.assert_array_equal(got[1], expected[1])
    assert "deal j and the loops beside it" in str(weft.explain(compiled, *got)).replace("\n", " ")


@pytest.mark.gpu
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_cuda_gives_the_answer_of_python(function):
    expected, got = arguments(), arguments()
    function(*expected)
    weft.jit(function, device="cuda")(*got)
    np.testing.assert_array_equal(got[1], expected[1])


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_nvrtc_compiles_them_without_spills(function):
    try:
        compiler.identity()
    except (DeviceError, ImportError, RuntimeError):
        pytest.skip("NVRTC is not installed")
    text = generate_kernels(placed(function, "cuda").program)
    for needs in compiler.compile_source(text, "sm_90").resources.values():
        assert "__shared__" in text and needs.shared > 0
        assert needs.stack == needs.spill_stores == 0


def test_an_array_too_large_for_shared_memory_is_in_scratch_memory():
    (nest, *_) = placed(huge, "cuda").nests
    assert nest.device == "cuda"
    assert nest.scratch == "'t' of every iteration in scratch memory"
