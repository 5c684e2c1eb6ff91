"""Subscripts in which both counters of a nest are divided, clamped or chosen: the analysis has an answer for all."""

from __future__ import annotations

import itertools

import pytest

from tests.random_programs.inputs import Array, Number
from tests.random_programs.verdicts import judged
from tests.random_programs.writer import RandomProgram

FORMS = (
    "i + j", "j // 3", "j % 3", "(i + j) // 2", "(2 * i + j) // 3", "min(i, j)", "max(i - j, 0)", "max(i, j) // 2",
    "abs(i - j)", "i // (j + 1)", "(i - j) % 4", "min(i, 3) + j // 2", "(i * 2 + 1) // 2", "j >> 1", "(i + 3 * j) & 3",
)  # fmt: skip
PAIRS = tuple(itertools.product(FORMS, FORMS))


def program(first: str, second: str) -> RandomProgram:
    """A nest that writes at two such subscripts and reads at them the other way round."""
    lines = (
        "def program(n, u):", "    for i in range(n):", "        for j in range(n):",
        f"            u[{first}, {second}] = u[{second}, {first}] + 1.0", "",
    )  # fmt: skip
    return RandomProgram("\n".join(lines), (Number("n"), Array("u", "float64", 2)), (), False)


@pytest.mark.parametrize(("first", "second"), PAIRS[::6])
def test_no_verdict_is_wrong(first, second):
    assert judged(program(first, second), [0]).wrong == []


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_no_verdict_of_all_is_wrong(first, second):
    assert judged(program(first, second), [0, 1]).wrong == []
