"""Every program, on every case and every backend, gives the answer of CPython."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import weft
from weft.runtime import _stub

from . import comparison, oracle
from . import programs as programs  # registers them
from .copying import arrays_in, leaves
from .oracle import Outcome
from .registry import PROGRAMS, Program

BACKENDS = {
    "interpreter": (),
    "cpu": (),
    "cpu-threads": (),
    "opencl": (pytest.mark.opencl,),
    "cuda": (pytest.mark.gpu,),
}
"""``cpu-threads`` wakes the threads for loops of any size."""

ALWAYS, USUALLY = 0.0, 20_000.0
"""Nanoseconds of work from which on the threads take part."""

LARGEST_FOR_THE_INTERPRETER = 2000
"""Elements above which a case is left to the compiled backends."""


def _parameters() -> list[Any]:
    return [
        pytest.param(name, index, device, marks=marks, id=f"{name}-{index}-{device}")
        for device, marks in BACKENDS.items()
        for name in PROGRAMS
        for index, case in enumerate(oracle.cases(name))
        if device != "interpreter" or oracle.largest_size(case) <= LARGEST_FOR_THE_INTERPRETER
    ]


@pytest.fixture
def grain(device: str) -> Iterator[None]:
    """Let the threads take part in loops of any size, where the device asks for it."""
    if device != "cpu-threads":
        yield
        return
    _stub.set_threads(4)
    _stub.set_grain(ALWAYS)
    yield
    _stub.set_grain(USUALLY)
    _stub.set_threads(0)


@pytest.mark.usefixtures("grain")
@pytest.mark.parametrize(("name", "index", "device"), _parameters())
def test_answer_is_that_of_cpython(name: str, index: int, device: str) -> None:
    program = PROGRAMS[name]
    expected = oracle.expected(name, index)
    got = oracle.run(program, oracle.cases(name)[index], lambda function: _compiled(function, device))
    check_exception(program, expected, got)
    assert not got.after.wrote_outside(), "bytes outside the arrays have changed"
    if expected.error is None:
        check_result(program, index, expected, got)
    if expected.error is None or program.exact_state:
        check_arrays(program, index, expected, got)


@functools.cache
def _compiled(function: Callable[..., Any], device: str) -> Callable[..., Any]:
    """One compiled function for all cases of a program."""
    return weft.jit(function, device=device.partition("-")[0])


def check_exception(program: Program, expected: Outcome, got: Outcome) -> None:
    """The same class of exception, with the program's own text, or none."""
    if expected.error is None:
        if got.error is not None:
            raise got.error
        return
    assert got.error is not None, f"{type(expected.error).__name__} was not raised"
    if not isinstance(got.error, type(expected.error)):
        raise got.error
    if program.message is not None:
        assert program.message in str(got.error)


def check_result(program: Program, index: int, expected: Outcome, got: Outcome) -> None:
    """Equal values in equal places; an array that was an argument is the same object."""
    comparison.check_structure(expected.result, got.result, "result")
    assert got.origins == expected.origins, "arguments come back as other objects"
    wide, magnitude = _references(program, index, expected)
    for place, leaf in enumerate(leaves(expected.result)):
        other = list(leaves(got.result))[place]
        where = f"result {place}"
        if leaf is None:
            assert other is None, f"{where}: {other!r} instead of None"
            continue
        comparison.check_same_type(leaf, other, where)
        check_value(
            program, index, leaf, other, where, list(leaves(wide.result))[place], list(leaves(magnitude.result))[place]
        )


def check_arrays(program: Program, index: int, expected: Outcome, got: Outcome) -> None:
    """Equal arguments after the call; those that CPython left alone are exactly as they were."""
    wide, magnitude = _references(program, index, expected)
    before = arrays_in(oracle.cases(program.name)[index])
    for place, (left, right) in enumerate(zip(expected.after.arrays, got.after.arrays)):
        where = f"array {place}"
        if comparison.is_same(before[place], left):
            comparison.check_exact(left, right, where)
        else:
            check_value(program, index, left, right, where, wide.after.arrays[place], magnitude.after.arrays[place])


def check_value(program: Program, index: int, left: Any, right: Any, where: str, wide: Any, magnitude: Any) -> None:
    """Compare by the program's tolerance."""
    if program.tolerance == "exact":
        comparison.check_exact(left, right, where)
    elif program.tolerance == "reduction":
        length = oracle.largest_size(oracle.cases(program.name)[index])
        comparison.check_reassociated(left, right, where, wide, magnitude, length)
    else:
        ulps = comparison.ULPS_OF_MATH if program.tolerance == "math" else float(program.tolerance)
        comparison.check_ulps(left, right, where, ulps)


def _references(program: Program, index: int, expected: Outcome) -> tuple[Outcome, Outcome]:
    if program.tolerance != "reduction" or expected.error is not None:
        return expected, expected
    return oracle.in_wide_precision(program.name, index), oracle.of_magnitudes(program.name, index)
