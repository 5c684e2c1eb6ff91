"""Placed programs on an NVIDIA GPU give what the interpreter gives."""

import numpy as np
import pytest

from tests.backends.placed import run_on
from tests.plan import programs
from weft.ir.reference.interpreter import run

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("name", programs.PLACED)
def test_a_placed_program_gives_the_interpreters_answer(name):
    make, arguments = programs.PLACED[name]
    program = make()
    expected, got = arguments(), arguments()
    left, right = run(program, expected), run_on("cuda", program, got)
    results = () if right is None else right if isinstance(right, tuple) else (right,)
    for a, b in zip((*expected, *left), (*got, *results)):
        np.testing.assert_array_equal(a, b)


def test_a_fault_is_raised_as_on_the_host():
    got = np.zeros(5)
    with pytest.raises(IndexError, match="index 5 is out of bounds"):
        run_on("cuda", programs.scale(), (np.arange(9.0), got))
    np.testing.assert_array_equal(got, np.arange(5.0) * 2)


def test_a_grid_beyond_the_limit_of_one_launch():
    rows = 4 * 65535 + 5
    a, b, c = np.arange(float(rows)), np.arange(3.0), np.zeros((rows, 3))
    run_on("cuda", programs.outer(), (a, b, c))
    np.testing.assert_array_equal(c, a[:, None] + b)
