"""Short loops inside of kernels are written out where straight code is left."""

import numpy as np

from tests.tune.spellings import products, stencils
from tests.tune.spellings.program import Program
from weft.frontend import build
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import run
from weft.ir.visit import walk
from weft.plan.prepare.short_loops import with_straight_code
from weft.schedule.directives import Share
from weft.transform import pipeline


def program_of(function, arguments):
    return pipeline.optimise(build(function, Program((function,), arguments).types()))


def loops_of(program):
    return [s.label for s in walk(program.body) if isinstance(s, n.For)]


def given(program):
    generator = np.random.default_rng(1)
    return [generator.random(a.shape) for a in program.arguments]


BOX, CHANNELS = stencils.PROGRAMS[1], products.PROGRAMS[7]


def test_a_window_is_written_out_and_does_what_it_did():
    before = program_of(stencils.box_offsets, BOX.arguments)
    after = with_straight_code(before, ())
    verify(after)
    assert (loops_of(before), loops_of(after)) == (["i", "j", "a", "b"], ["i", "j"])
    one, other = given(BOX), given(BOX)
    run(before, one)
    run(after, other)
    np.testing.assert_array_equal(one[-1], other[-1])


def test_a_window_inside_of_a_longer_loop_stays():
    before = program_of(products.channels, CHANNELS.arguments)
    assert loops_of(with_straight_code(before, ())) == loops_of(before)


def test_a_loop_that_a_schedule_names_stays():
    before = program_of(stencils.box_offsets, BOX.arguments)
    assert with_straight_code(before, (Share("a", "x", 4),)) is before
