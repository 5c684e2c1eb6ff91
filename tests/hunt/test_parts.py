"""The hunt finds what is put in its way, and makes it small."""

from __future__ import annotations

import itertools
import os
import time

import numpy as np
import pytest

from . import workers
from .generator import generate
from .metamorphic import sibling
from .oracle import Outcome, Verdict, _all_calls, compare, judge
from .program import Arguments, Program, View, function_of
from .reducer import shrink
from .states import compared_after

SOURCE = """def f(a, b, n, m, k, x):
    s = 0
    for i in range(n):
        if a[i] > 1.0:
            b[i] = a[i] + 2.0
        s += i
    return s
"""


def program(source: str = SOURCE) -> Program:
    values = [View(0, 0, (4,), (1,)), View(1, 0, (4,), (1,)), 4, 2, 1, 1.0]
    return Program(0, source, [Arguments([np.arange(4.0), np.zeros(4)], values)])


@pytest.mark.parametrize(("value", "kind"), [(0.0, "same"), (-0.0, "difference"), (np.nan, "difference")])
def test_an_element_that_differs_is_seen(value: float, kind: str):
    given = program()
    wanted, got = (Outcome(6, None, [np.zeros(4), np.array([0.0, 0.0, 0.0, v])]) for v in (0.0, value))
    assert compare(given, given.calls[0], wanted, got, function_of(SOURCE)).kind == kind


def test_an_exception_of_another_type_is_seen():
    given = program()
    one, other = Outcome(None, IndexError("x"), []), Outcome(None, ValueError("x"), [])
    assert compare(given, given.calls[0], one, other, function_of(SOURCE)).is_finding


def test_an_error_of_the_compiler_is_internal():
    given = program()
    got = Outcome(None, KeyError("w"), [])
    assert compare(given, given.calls[0], Outcome(6, None, []), got, function_of(SOURCE)).kind == "internal"


CLAIMED = """def f(a, b, n):
    for i in weft.assume_independent(range(n)):
        a[i] = b[0] + 1.0
"""


@pytest.mark.parametrize(
    ("views", "kind"),
    [
        ([View(0, 0, (4,), (1,)), View(1, 0, (4,), (1,))], "difference"),
        ([View(0, 0, (4,), (1,)), View(0, 2, (4,), (1,))], "same"),
        ([View(0, 0, (4,), (0,)), View(1, 0, (4,), (1,))], "same"),
    ],
)
def test_claims_that_nobody_checks_are_trusted_where_arrays_are_apart(views: list[View], kind: str):
    call = Arguments([np.zeros(9), np.zeros(9)], [*views, 4], aliased=views[0].buffer == views[1].buffer)
    given = Program(0, CLAIMED, [call])
    assert _all_calls(given, function_of(CLAIMED), lambda a, b, n: None, referee=False).kind == kind


def test_the_interpreter_is_not_asked_for_races():
    source = "def f(a, n):\n    for i in weft.prange(1, n):\n        a[i] += a[1]\n"
    call = Arguments([np.ones(20, np.int64)], [View(0, 0, (20,), (1,)), 20])
    assert judge(Program(0, source, [call], must_race=True, independent=False), "cpu", referee=True).kind == "same"
    assert judge(Program(0, source, [call], must_race=True, independent=False), "cpu").notes


@pytest.mark.parametrize("seed", [300001612])
def test_programs_are_python(seed: int):
    compile(generate(seed).source, "<generated>", "exec")


def test_a_program_is_made_as_small_as_its_fault():
    small = shrink(program(), lambda candidate: "+ 2.0" in candidate.source, 20.0)
    assert len(small.source.splitlines()) == 2
    assert len(small.calls) == 1


def test_another_spelling_is_another_text():
    found = [sibling(program(), seed) for seed in range(10)]
    assert all(other is None or other.source != SOURCE and other.origin == SOURCE for other in found)
    assert any(found)


@pytest.mark.parametrize(("test", "compared"), [("a[i] > 1.0", {0, 1}), ("b[i] > 1.0", {0})])
def test_after_an_exception_only_what_is_promised_is_compared(test: str, compared: set[int]):
    body = f"        b[i] = 2.0\n        if {test}:\n            raise ValueError\n"
    source = "def f(a, b, n, m, k, x):\n    for i in range(n):\n" + body
    given = program(source)
    try:
        function_of(source)(*given.calls[0].build()[0])
    except ValueError as error:
        assert compared_after(source, given.calls[0], error) == compared


def test_a_process_that_dies_is_a_finding_and_not_the_end(monkeypatch: pytest.MonkeyPatch):
    def one(seed: int, device: str) -> tuple[Program, Verdict]:
        if seed == 1:
            os._exit(3)
        return program(), Verdict("same")

    monkeypatch.setattr(workers, "one", one)
    found = list(workers.reports(iter(range(4)), "cpu", 1, time.monotonic() + 30.0))
    assert [(r.seed, r.verdict.kind) for r in found] == [(0, "same"), (1, "crash"), (2, "same"), (3, "same")]


def test_a_program_that_does_not_end_is_a_finding_and_not_the_end(monkeypatch: pytest.MonkeyPatch):
    def one(seed: int, device: str) -> tuple[Program, Verdict]:
        while seed == 0:
            pass
        return program(), Verdict("same")

    monkeypatch.setattr(workers, "one", one)
    monkeypatch.setitem(workers.PATIENCE, "cpu", 0.3)
    found = itertools.islice(workers.reports(itertools.count(), "cpu", 1, time.monotonic() + 30.0), 2)
    assert [(r.seed, r.verdict.kind) for r in found] == [(0, "hang"), (1, "same")]
