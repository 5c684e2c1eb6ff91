"""Semantics, "One value, several types": random programs give CPython's values, or an error of Weft's."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import weft
from tests.frontend.compare import rebuild
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir.reference.interpreter import run

from .mixed_programs import Writer, arguments, function_of
from .tools import every_device

CALLS = 5
REFUSALS = (weft.TypeInferenceError, OverflowError, ZeroDivisionError)


def interpreted(function, dtype):
    """The program translated and interpreted; None where it is refused."""
    try:
        program = build(function, [describe(value) for value in arguments(0, dtype)])
    except weft.InternalError:
        raise
    except weft.Error:
        return None
    return lambda *values: rebuild(program.returns, list(run(program, list(values))), program)


def outcome(function, given):
    """What a call returns and leaves in its arrays, or its exception."""
    with np.errstate(all="ignore"):
        try:
            return [*function(*given), *given[4], *given[5]]
        except (ArithmeticError, LookupError, weft.TypeInferenceError) as error:
            return error


def same(want, got):
    """Whether two numbers are the same; an integer zero has no sign."""
    if want != want or got != got or want != got:
        return want != want and got != got
    return want != 0 or isinstance(want, (int, np.integer)) or np.signbit(want) == np.signbit(got)


def verdict(function, compiled, seed, dtype):
    """How one call ends."""
    want, got = outcome(function, arguments(seed, dtype)), outcome(compiled, arguments(seed, dtype))
    if isinstance(want, Exception) and type(want) is type(got):
        return "same"
    if isinstance(got, REFUSALS) and not isinstance(got, weft.InternalError):
        return "refused"
    both = isinstance(want, list) and isinstance(got, list)
    return "same" if both and all(map(same, want, got)) else f"wrong: {want} {got}"


@pytest.mark.parametrize("seed", range(0, 640, 80))
def test_random_programs(seed):
    found = Counter()
    for number in range(seed, seed + 80):
        text, dtype = Writer(number).program(), ("float32", "float32", "float16")[number % 3]
        function = function_of(text)
        compiled = interpreted(function, dtype)
        for call in range(CALLS if compiled else 0):
            found[one := verdict(function, compiled, call, dtype)] += 1
            assert one in ("same", "refused"), f"{text}\n{arguments(call, dtype)}\n{one}"
    assert found["same"] > 80


@every_device
def test_generated_code_agrees(device):
    found = Counter()
    for number in range(1000, 1020 if device == "cpu" else 1008):
        function = function_of(Writer(number).program())
        if interpreted(function, "float32") is not None:
            compiled = weft.jit(function, device=device)
            for call in range(CALLS):
                found[one := verdict(function, compiled, call, "float32")] += 1
                assert one in ("same", "refused"), (number, call, one)
    assert found["same"] > 8
