"""All passes together: alone switched off, over random programs, in time."""

from __future__ import annotations

import pytest

from tests.random_programs.check import check as check_program
from tests.random_programs.generator import generate
from tests.random_programs.stages import Stage, built, guarded
from weft.transform.pipeline import NAMES, for_cpu, optimise
from weft.transform.safety import aliasing

from .programs import inputs, loops, mandelbrot, product, stencil
from .same import assert_same


def test_unknown_passes_are_refused():
    with pytest.raises(ValueError, match="there is no pass sift"):
        optimise(stencil(), disable=frozenset({"sift"}))


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_pass_can_be_left_out(name):
    left_out = frozenset({name})
    for program in (stencil(), product(), mandelbrot()):
        changed = for_cpu(optimise(program, disable=left_out, verify=True), disable=left_out, verify=True)
        assert_same(program, changed, *inputs(program, 5, sizes=(0, 1, 4, 9)), exact=False)


def without(name: str) -> Stage:
    """The pipeline without one pass, interpreted."""
    left_out = frozenset({name})
    return Stage(
        f"without {name}", lambda f, values: guarded(optimise(built(f, values), disable=left_out, verify=True))
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(12))
def test_random_programs_without_each_pass(seed):
    from random import Random

    program = generate(Random(7000 + seed))
    found = check_program(program, [without(name) for name in sorted(NAMES)], [0, 1])
    assert not found.differences, "\n".join(map(str, found.differences))


@pytest.mark.parametrize("seed", range(40))
def test_random_programs_for_a_cpu(seed):
    from random import Random

    stage = Stage("for a CPU", lambda f, values: guarded(for_cpu(optimise(built(f, values)), verify=True)))
    found = check_program(generate(Random(8000 + seed)), [stage], [0, 1, 2])
    assert not found.differences, "\n".join(map(str, found.differences))


def test_parameters_that_are_one_view_become_one():
    program = aliasing.merge_parameters(stencil(), ["u", "v"])
    assert [p.var.name for p in program.params] == ["u"]
    assert not any(loop.mapping == "parallel" for loop in loops(optimise(program)).values())


def test_parameters_that_overlap_are_not_parallel():
    program = aliasing.overlapping(stencil(), [("u", "v")])
    assert program.overlaps == ("u", "v")
    assert not any(loop.mapping == "parallel" for loop in loops(optimise(program)).values())
