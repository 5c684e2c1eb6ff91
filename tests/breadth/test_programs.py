"""Every program of the breadth suite, in every spelling, against CPython at a tiny size."""

from __future__ import annotations

import warnings
from collections import Counter

import numpy as np
import pytest

import weft
from benchmarks.breadth.checking import check_exact, check_near, everything, run, tolerance
from benchmarks.breadth.families import FAMILIES, PROGRAMS
from benchmarks.breadth.program import SIZES, Answer
from tests.breadth.refused import REFUSED


def spellings(shift: int) -> list[object]:
    """Every spelling with one of the types of its program; those that Weft refuses are expected to fail."""
    cases = []
    for name, program in PROGRAMS.items():
        for index in range(len(program.spellings)):
            dtype = program.dtypes[(index + shift) % len(program.dtypes)]
            reason = REFUSED.get((name, index, dtype))
            marks = [pytest.mark.xfail(reason=reason, raises=weft.Error)] if reason else []
            cases.append(pytest.param(name, index, dtype, marks=marks, id=f"{program.family}-{name}-{index}-{dtype}"))
    return cases


every_spelling = pytest.mark.parametrize(("name", "index", "dtype"), spellings(0))


def check(name, index, dtype, device):
    """Compile one spelling; its answer is CPython's, to the last bit where that is promised."""
    program = PROGRAMS[name]
    function = program.spellings[index]
    compiled = weft.jit(function, device=device)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arguments = program.inputs("tiny", dtype)
        expected, got = everything(function, arguments), everything(compiled, arguments)
        if program.answer is Answer.EXACT:
            check_exact(expected, got)
            return
        check_near(expected, got, tolerance(program.answer, dtype))
        if program.answer is Answer.SUMS:  # of multiples of 1/8 every order gives the same bits
            arguments = program.inputs("tiny", dtype, eighths=True)
            check_exact(everything(function, arguments), everything(compiled, arguments))


@every_spelling
def test_is_cpythons(name, index, dtype):
    check(name, index, dtype, "cpu")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "index", "dtype"), spellings(1))
def test_is_cpythons_in_the_other_type(name, index, dtype):
    check(name, index, dtype, "cpu")


@pytest.mark.opencl
@pytest.mark.slow
@every_spelling
def test_is_cpythons_on_opencl(name, index, dtype):
    check(name, index, dtype, "opencl")


@pytest.mark.gpu
@every_spelling
def test_is_cpythons_on_cuda(name, index, dtype):
    check(name, index, dtype, "cuda")


@pytest.mark.parametrize("name", PROGRAMS)
def test_spellings_and_array_expressions_agree(name):
    program = PROGRAMS[name]
    arguments = program.inputs("tiny", "float64")
    results = [program.result(*run(function, arguments)) for function in program.spellings]
    if program.whole:
        expected = program.expected(program.whole(np, *arguments))
        results.append((*expected, *results[0][len(expected) :]))
    for other in results[1:]:
        check_near(results[0], other, tolerance(program.answer, "float64"))


def test_suite_is_broad():
    assert len(PROGRAMS) >= 150
    assert len(FAMILIES) >= 14
    assert min(Counter(program.family for program in PROGRAMS.values()).values()) >= 8
    assert all(len(program.spellings) >= 2 and len(program.sizes) == len(SIZES) for program in PROGRAMS.values())


def test_half_hangs_on_the_name_alone():
    halves = Counter(program.half for program in PROGRAMS.values())
    assert min(halves.values()) > 0.4 * len(PROGRAMS)
    assert (PROGRAMS["star_5"].half, PROGRAMS["product"].half) == ("unseen", "seen")


@pytest.mark.parametrize("name", PROGRAMS)
def test_bounds_grow_with_the_size(name):
    program = PROGRAMS[name]
    least = [program.least_bytes(size, "float64") for size in SIZES]
    work = [program.least_operations(size) for size in SIZES]
    assert 0 < least[0] < least[1] < least[2] < least[3]
    assert 0 < work[0] < work[1] < work[2] < work[3]
