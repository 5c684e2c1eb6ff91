"""Several steps of a stencil in one kernel: every element is what the steps one by one leave."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.schedule.scheduled import arrays, kernel_of, program_of, scheduled
from weft.errors import ArgumentError
from weft.ir import nodes as n
from weft.ir.reference.interpreter import run, trace
from weft.schedule import Bind, Steps


def jacobi(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def lopsided(u, v, f):
    for i in range(2, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 3):
            v[i, j] = 0.5 * (u[i - 2, j - 1] + u[i + 1, j + 1] - u[i, j + 3]) + f[i, j] * u[i + 1, j]


def down(u, v):
    for i in range(1, u.shape[0]):
        for j in range(u.shape[1]):
            v[i, j] = u[i - 1, j] + 1


def strips(group, halo, rows, run=4):
    return Bind("j", "x", group, run, run, halo), Bind("i", "y", 1, rows, rows)


def marked(program, count):
    """The program with its nest marked as so many steps."""
    kernel, operands, names, nest = kernel_of(program)
    by_name = {v.stem: v for v in operands}
    steps = n.Steps(count, by_name["u"], by_name["v"], "t")
    statements = (replace(s, steps=steps) if s is nest else s for s in program.body.statements)
    return replace(program, body=replace(program.body, statements=tuple(statements)))


def check_steps(function, make, count, binds):
    """Several steps at once leave what they leave one by one, and threads do not disturb one another."""
    first, got, traced = make(), make(), make()
    program = program_of(function, first)
    made = scheduled(marked(program, count), (*binds, Steps("t", count)))
    u, v, *others = (a.copy() for a in first)
    for _ in range(count):
        run(program, (u, v, *others))
        u, v = v, u
    run(made, got)
    np.testing.assert_array_equal(got[0], first[0])
    np.testing.assert_array_equal(got[1], u)
    conflicts = trace(made, traced).conflicts
    assert not [label for label in conflicts if conflicts[label] and (".thread" in label or ".block" in label)]


@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (3, 3), (5, 9), (16, 22)])
@pytest.mark.parametrize("offset", [0, 4])
def test_steps_of_a_stencil_of_any_shape_and_alignment(shape, offset):
    check_steps(jacobi, arrays(shape, shape, offset=offset), 3, strips(4, 4, 8))


@pytest.mark.sample(0)
def test_blocks_inside_of_the_loops_have_code_of_their_own():
    check_steps(jacobi, arrays((40, 50), (40, 50)), 3, strips(6, 4, 4))


@pytest.mark.sample(0)
def test_five_steps_of_float64():
    check_steps(jacobi, arrays((34, 30), (34, 30), dtype=np.float64), 5, strips(10, 6, 4, run=2))


@pytest.mark.sample(0)
def test_a_stencil_that_reaches_further_to_one_side_and_reads_another_array():
    check_steps(lopsided, arrays(*((24, 40),) * 3), 3, strips(8, 12, 8))


def test_a_stencil_of_integers_without_neighbours_in_a_row():
    check_steps(down, arrays((20, 21), (20, 21), dtype=np.int32), 3, strips(4, 0, 8))


@pytest.mark.sample(0)
@settings(max_examples=5, deadline=None)
@given(
    st.tuples(st.integers(1, 18), st.integers(1, 26)), st.sampled_from([3, 5]), st.integers(1, 12),
    st.sampled_from([np.float32, np.float64]),
)  # fmt: skip
def test_random_sizes(shape, count, rows, dtype):
    run = 16 // np.dtype(dtype).itemsize
    check_steps(jacobi, arrays(shape, shape, dtype=dtype), count, strips(12, 8, rows, run))


@pytest.mark.parametrize(
    ("binds", "count", "constraint"),
    [
        (strips(4, 0, 8), 3, "halo"),
        (strips(2, 4, 8), 3, "halo"),
        (strips(4, 4, 8), 5, "steps"),
        ((Bind("j", "x", 4, 4, 4, 4), Bind("i", "y", 2, 8, 8)), 3, "strips"),
    ],
)
def test_what_is_not_legal_is_refused(binds, count, constraint):
    program = marked(program_of(jacobi, arrays((9, 9), (9, 9))()), 3)
    with pytest.raises(ArgumentError, match=constraint):
        scheduled(program, (*binds, Steps("t", count)))


def test_a_nest_that_is_one_step_has_no_halo():
    with pytest.raises(ArgumentError, match="steps"):
        scheduled(program_of(jacobi, arrays((9, 9), (9, 9))()), strips(4, 4, 8))
