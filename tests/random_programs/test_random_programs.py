"""Random programs give CPython's answers at every stage; the long run is ``python -m tests.random_programs``."""

from contextlib import suppress
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from weft.errors import RaceError

from .check import check
from .generator import FAMILIES, Generator, generate, random_programs
from .stages import CHECKED, CPYTHON, INTERPRETED, OPTIMISED, PLANNED, Stage, compiled, in_slabs, small_tiles
from .verdicts import judged
from .writer import Number, RandomProgram

RAISING = {"raising", "raising_exactly", "raising_in_a_nest"}
QUICK = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)


def differences(program, *stages, seeds=range(3)):
    """What the stages get wrong, as text that shows the program."""
    found = check(program, stages, seeds)
    return "\n".join(map(str, found.differences)) + (f"\n{program}" if found.differences else "")


def test_the_oracle_agrees_with_itself():
    for seed in range(50):
        assert differences(generate(Random(seed)), CPYTHON) == ""


@pytest.mark.parametrize("family", sorted(FAMILIES.keys() - RAISING))
def test_every_family_makes_programs_that_run(family):
    for seed in range(5):
        program = Generator(Random(seed)).program(family)
        for inputs in range(3):
            with np.errstate(all="ignore"):
                program.function()(*program.arguments(inputs))


def test_no_family_is_hidden_by_what_another_one_keeps():
    for family in sorted(FAMILIES.keys() - RAISING):
        made = Generator(Random(1))
        made.program(family)
        assert not FAMILIES.keys() & vars(made).keys()


def test_a_wrong_answer_is_found():
    def off_by_one(function, arguments):
        def call(values):
            result = function(*values)
            for value in values:
                if isinstance(value, np.ndarray) and value.dtype == np.float64 and value.size:
                    value.flat[0] += 1
            return result

        return call

    assert "instead of" in differences(Generator(Random(2)).program("elementwise"), Stage("wrong", off_by_one))


def test_a_wrong_exception_is_found():
    def failing(function, arguments):
        def call(values):
            raise IndexError("no")

        return call

    assert "IndexError" in differences(Generator(Random(2)).program("elementwise"), Stage("failing", failing))


@QUICK
@given(random_programs())
def test_the_frontend_keeps_the_meaning(program):
    assert differences(program, INTERPRETED) == ""


@pytest.mark.parametrize("family", ["elementwise", "nest", "reduction", "borders", "interleaved"])
def test_small_slabs_keep_the_meaning(family):
    for seed in range(4):
        assert differences(Generator(Random(seed)).program(family), in_slabs(400)) == ""


@pytest.mark.sample(0)
@QUICK
@given(random_programs())
def test_the_passes_keep_the_meaning(program):
    assert differences(program, OPTIMISED, CHECKED) == ""


@settings(QUICK, max_examples=15)
@given(random_programs())
def test_the_plan_keeps_the_meaning(program):
    assert differences(program, PLANNED) == ""


@pytest.mark.parametrize("seed", range(12))
def test_host_and_device_take_turns(seed):
    assert differences(Generator(Random(seed)).program("interleaved"), INTERPRETED, OPTIMISED, PLANNED) == ""


@pytest.mark.parametrize("seed", range(12))
def test_iterations_of_the_host_overlap(seed):
    assert differences(Generator(Random(seed)).program("overlapping"), INTERPRETED, OPTIMISED, PLANNED) == ""


@pytest.mark.sample(0)
@QUICK
@given(random_programs())
def test_parallel_verdicts_have_no_conflict(program):
    found = check(program, [OPTIMISED], [0])
    if not found.refused:  # as a claim of prange that is proven wrong is
        assert judged(program, range(4)).wrong == []


@pytest.mark.sample(0)
@settings(QUICK, max_examples=15)
@given(random_programs())
def test_the_whole_way_gives_cpythons_answer(program):
    assert differences(program, compiled("interpreter"), compiled("cpu")) == ""


@pytest.mark.sample(0)
@settings(QUICK, max_examples=40)
@given(random_programs())
def test_tiles_keep_the_meaning(program):
    with small_tiles():
        assert differences(program, OPTIMISED, PLANNED) == ""


@pytest.mark.parametrize("family", ["scans", "packings", "searches", "scan", "packing", "search", "leaving", "carried"])
def test_tiles_on_threads_give_cpythons_answer(family, own_store):
    with small_tiles():
        for seed in range(3):
            assert differences(Generator(Random(seed)).program(family), compiled("cpu")) == ""


@pytest.mark.sample(0)
def test_most_programs_have_a_parallel_verdict():
    found = []
    for seed in range(40):
        with suppress(RaceError):  # a claim of prange that is proven wrong has no verdict
            found.append(judged(generate(Random(seed)), range(1)))
    assert len(found) >= 35
    share = sum(any(v != "sequential" for v in f.verdicts.values()) for f in found) / len(found)
    assert share >= 0.6


def test_the_reference_of_a_product_of_constants_is_wider_than_cpythons():
    source = "def program(n):\n    s = 1.0\n    for i in range(n):\n        s *= math.sqrt(2.0)\n    return s\n"
    program = RandomProgram(source, (Number("n"),), ("reduction",), reduces=True)
    assert type(program.widened()(8)) is np.longdouble
    assert differences(program, INTERPRETED) == ""
