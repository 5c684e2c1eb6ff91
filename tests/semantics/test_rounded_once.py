"""Semantics, "One value, several types": a Python float that is rounded once gives CPython's bits, or is refused."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weft
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir.reference.interpreter import run

from .rounded_once import MEETINGS, PARAMETERS, ROUNDED, STORED_RIGHT, Case, arguments, cases, outcome
from .tools import every_device

CALLS = 6
REFUSALS = (weft.Error, OverflowError, ZeroDivisionError, ValueError)
ALL = list(cases())
HELD_AND_NOT = [(0.1, 0.1), (0.5, 0.25), (-0.1, -0.0), (3.0, float("inf")), (-2.0, float("nan")), (0.1, 1e300)]


def interpreted(case: Case) -> Callable[..., Any] | None:
    """The program translated and interpreted; None where it is refused."""
    try:
        program = build(case.function(), [describe(value) for value in arguments(case, 1.0, 1.0)])
    except weft.InternalError:
        raise
    except weft.Error:
        return None
    return lambda *values: run(program, list(values))


def check(case: Case, function: Callable[..., Any], w: float, b: float) -> bool:
    """Whether a call gives CPython's bits; anything but a refusal is an error otherwise."""
    given = arguments(case, w, b)
    want, got = outcome(case.function(), given), outcome(function, given)
    if isinstance(got, REFUSALS) and not isinstance(got, weft.InternalError):
        return type(got) is type(want)
    assert got == want, f"{case.source}{case} {w} {b}"
    return True


@pytest.mark.parametrize("seed", range(3))
def test_every_meeting_expression_and_sink(seed):
    draw, right = random.Random(seed), 0
    for case in draw.sample(ALL, 150):
        function = interpreted(case)
        for _ in range(CALLS if function else 0):
            right += check(case, function, draw.choice(PARAMETERS), draw.choice(PARAMETERS))
    assert right > 300


@every_device
def test_generated_code_agrees(device):
    draw, done = random.Random(7), 0
    for case in draw.sample([case for case in ALL if case.dtype == "float32"], 20 if device == "cpu" else 10):
        if "narrow" not in case.sink and interpreted(case) is not None:
            function = weft.jit(case.function(), device=device)
            done += sum(check(case, function, draw.choice(PARAMETERS), draw.choice(PARAMETERS)) for _ in range(CALLS))
    assert done > 15


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("meeting", MEETINGS)
def test_what_is_rounded_once_is_not_refused(meeting, dtype):
    draw = random.Random(meeting)
    programs = [Case(meeting, "0.0", dtype, *parts) for parts in itertools.product(STORED_RIGHT, ROUNDED)]
    for case in draw.sample(programs, 15):
        function = interpreted(case)
        assert function is not None, case
        for w, b in HELD_AND_NOT:
            assert check(case, function, w, b), (case, w, b)


# ------------------------------------------------------------------------------------- what must be refused


def wider(a, w, b, out):
    for i in range(a.shape[0]):
        out[i] = max(a[i], 0.0) * w + b


def test_what_is_rounded_twice_is_refused():
    a = np.array([1, -1], np.float32)
    for dtype in (np.float64, np.float16):
        weft.jit(wider)(a, 0.1, 0.25, np.zeros(2, dtype))
        with pytest.raises(weft.TypeInferenceError, match=r"np\.float32"):
            weft.jit(wider)(a, 0.1, 0.1, np.zeros(2, dtype))


def scaled(a, w, b, out):
    for i in range(a.shape[0]):
        out[i] = max(a[i], 3.0) * w + b


def test_other_numbers_are_looked_at_when_they_occur():
    out = np.zeros(1, np.float32)
    weft.jit(scaled)(np.array([4], np.float32), 0.1, 0.0, out)
    with pytest.raises(weft.TypeInferenceError):
        weft.jit(scaled)(np.array([1], np.float32), 1 + 2.0**-24, 2.0**-24, out)
