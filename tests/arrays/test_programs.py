"""Whole NumPy programs give NumPy's answers, at several sizes, in two precisions, on the processor and by OpenCL."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import weft
from tests.arrays.programs import data, fields, sciences, solvers, tutorials  # noqa: F401 - they register themselves
from tests.arrays.programs.registry import PROGRAMS, Program

FLOATS = ("float32", "float64")


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_on_the_processor(name, dtype):
    compare(PROGRAMS[name], dtype, "cpu")


@pytest.mark.opencl
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_by_opencl(name, dtype):
    compare(PROGRAMS[name], dtype, "opencl")


def test_there_are_enough_programs():
    assert len(PROGRAMS) >= 90


def compare(program: Program, dtype: str, device: str) -> None:
    """Run a program by NumPy and compiled, for all its sizes."""
    compiled = weft.jit(device=device)(program.function)
    for size in program.sizes:
        arguments = program.make(np.random.default_rng(size), size, np.dtype(dtype).type)
        mine, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
        wanted = outcome(program.function, theirs)
        found = outcome(compiled, mine)
        assert_same(found, wanted, program, dtype, f"{size}: result")
        assert_same(mine, theirs, program, dtype, f"{size}: arguments")


def outcome(function, arguments):
    """The result, or the exception."""
    try:
        with np.errstate(all="ignore"):
            return function(*arguments)
    except (ValueError, IndexError, ArithmeticError) as error:
        return error


def assert_same(found, wanted, program, dtype, what):
    if isinstance(wanted, Exception):
        assert isinstance(found, type(wanted)), (what, found, wanted)
        assert str(wanted).strip() in str(found), what
        return
    if isinstance(found, Exception):
        raise AssertionError(what) from found
    if isinstance(wanted, tuple):
        assert isinstance(found, tuple) and len(found) == len(wanted), what
        for k, (a, b) in enumerate(zip(found, wanted, strict=True)):
            assert_same(a, b, program, dtype, f"{what}[{k}]")
        return
    assert type(found) is type(wanted), (what, type(found), type(wanted))
    a, b = np.asarray(found), np.asarray(wanted)
    assert (a.dtype, a.shape) == (b.dtype, b.shape), (what, a.dtype, b.dtype, a.shape, b.shape)
    if program.exact or a.dtype.kind in "biu":
        np.testing.assert_array_equal(a, b, what)
        return
    close = program.tolerance * max(np.finfo(a.dtype).eps, np.finfo(dtype).eps)
    size = np.abs(b[np.isfinite(b)]).max(initial=0.0)
    np.testing.assert_allclose(a, b, rtol=close, atol=close * size, err_msg=what)
