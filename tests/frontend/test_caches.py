"""Functions with a cache inside of compiled ones: which calls share an entry, beside CPython."""

import functools
from itertools import product

import numpy as np
import pytest

from tests.frontend.compare import interpret, outcome

CALLS = (
    "g(n)", "g(float(n))", "g(np.int64(n))", "g(np.float64(n))", "g(n == 1)", "g(x=n)", "g(x=float(n))", "g(n, 2)",
    "g(n, y=2)",
)  # fmt: skip
BODIES = {"counts": ("nonlocal c; c += 1", "return 1.5"), "pure": ("pass", "return 1.0 if isinstance(x, int) else 2.0")}
PROGRAM = """
def program(n):
    c = 0
    @functools.cache
    def g(x, y=2):
        {count}
        {body}
    return {first}, {second}, {first}, c
"""


def judged(path, body, first, second):
    """What a program gives, or that it is refused; it must be CPython's answer otherwise."""
    count, body = BODIES[body]
    text = PROGRAM.format(count=count, body=body, first=first, second=second)
    path.write_text(text)
    space = {"functools": functools, "np": np}
    exec(compile(text, str(path), "exec"), space)
    kind, got = outcome(lambda: interpret(space["program"], 1))
    assert kind != "weft.InternalError", got
    assert kind.startswith("weft.") or got == space["program"](1), text
    return kind


@pytest.mark.sample(3)
@pytest.mark.parametrize(("first", "second"), list(product(CALLS, CALLS)))
def test_calls_have_the_entries_of_cpython(first, second, tmp_path):
    """One int by position, other numbers, keywords and defaults: what CPython keeps apart is kept apart, or refused."""
    kinds = {body: judged(tmp_path / f"{body}.py", body, first, second) for body in BODIES}
    if first == second:
        assert set(kinds.values()) == {"returned"}


def test_ways_of_a_call_that_cannot_be_seen_are_computed(tmp_path):
    for first, second in (("g(n)", "g(x=n)"), ("g(n)", "g(n, 2)"), ("g(float(n))", "g(x=float(n))")):
        assert judged(tmp_path / "one.py", "pure", first, second) == "returned"
