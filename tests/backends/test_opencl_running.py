"""Placed programs on an OpenCL device give what the interpreter gives."""

import numpy as np
import pytest

from tests.backends.placed import run_on
from tests.plan import programs
from weft.ir.reference.interpreter import run

pytestmark = pytest.mark.opencl


@pytest.mark.parametrize("name", programs.PLACED)
def test_a_placed_program_gives_the_interpreters_answer(name):
    make, arguments = programs.PLACED[name]
    program = make()
    expected, got = arguments(), arguments()
    left, right = run(program, expected), run_on("opencl", program, got)
    results = () if right is None else right if isinstance(right, tuple) else (right,)
    for a, b in zip((*expected, *left), (*got, *results)):
        np.testing.assert_array_equal(a, b)


def test_a_fault_is_raised_as_on_the_host():
    got = np.zeros(5)
    with pytest.raises(IndexError, match="index 5 is out of bounds"):
        run_on("opencl", programs.scale(), (np.arange(9.0), got))
    np.testing.assert_array_equal(got, np.arange(5.0) * 2)
