"""Doubts: tests of what a loop does not change stand before it, and raise only where they find something."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.reference.interpreter import run
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def of_parameters(a, w, b, out):
    for i in range(a.shape[0]):
        out[i] = max(a[i], 1.0) * w + b


def of_nested_loops(a, w, b, out):
    for k in range(2):
        for i in range(a.shape[0]):
            out[i] = max(a[i], 1.0) * w + k * b


def of_what_is_computed(a, w, b, out):
    s = math.exp(w)
    for i in range(a.shape[0]):
        out[i] = max(a[i], 1.0) * s + b


def of_an_element(a, w, b, out):
    s = float(out[0])
    for i in range(a.shape[0]):
        out[i] = max(a[i], 1.0) * s + b


def raised_by_the_user(a, w, b, out):
    for i in range(a.shape[0]):
        if w > 5.0:
            raise ValueError("too large")
        out[i] = a[i] * np.float32(w)


PROGRAMS = [of_parameters, of_nested_loops, of_what_is_computed, of_an_element]


def arguments(w, b):
    return np.array([2, 0.5, 3], np.float32), w, b, np.ones(3, np.float32)


def loops_without_tests(program):
    loops = [s for s in walk(program.body) if isinstance(s, n.For)]
    return [loop for loop in loops if not any(isinstance(s, n.Raise) for s in walk(loop.body))]


@pytest.mark.parametrize("function", PROGRAMS)
def test_a_loop_is_left_without_tests(function):
    program = optimise(build(function, [describe(x) for x in arguments(0.5, 0.5)]), verify=True)
    assert loops_without_tests(program)


def test_tests_of_parameters_are_made_at_the_call():
    program = build(of_parameters, [describe(x) for x in arguments(0.5, 0.5)])
    assert not [s for s in walk(optimise(program).body) if isinstance(s, n.Raise)]
    assert [s for s in walk(optimise(program, checked=True).body) if isinstance(s, n.Raise)]


@pytest.mark.parametrize("function", PROGRAMS)
def test_results_stay_and_errors_do(function):
    program = build(function, [describe(x) for x in arguments(0.5, 0.5)])
    for w, b in ((0.5, 0.25), (0.1, 0.1), (1 + 2.0**-30, 2.0**-24), (0.0, 1e300)):
        plain, fast = outcome(program, w, b), outcome(optimise(program, checked=True), w, b)
        assert plain == fast
        assert outcome(weft.jit(function, device="cpu"), w, b) == plain


def outcome(compiled, w, b):
    given = arguments(w, b)
    try:
        run(compiled, list(given)) if isinstance(compiled, n.Program) else compiled(*given)
    except weft.TypeInferenceError as error:
        return str(error).splitlines()[0]
    return given[-1].tobytes()


def test_errors_of_the_user_stay_in_the_loop():
    program = build(raised_by_the_user, [describe(x) for x in arguments(0.5, 0.5)])
    assert not loops_without_tests(optimise(program))
