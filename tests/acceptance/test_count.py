"""The programs themselves: enough of them, three or more a family, and registered without mistakes."""

from __future__ import annotations

from collections import Counter

import pytest

from . import oracle
from . import programs as programs  # registers them
from .registry import PROGRAMS, VERDICTS

CLASSIC_FAMILIES = (
    "linear_dependence",
    "induction_variables",
    "global_data_flow",
    "control_flow",
    "symbolic_sizes",
    "statement_reordering",
    "loop_distribution",
    "interchange",
    "node_splitting",
    "expansion",
    "scalar_renaming",
    "peeling",
    "wrap_around",
    "crossing_thresholds",
    "diagonals",
    "reductions",
    "recurrences",
    "search",
    "packing",
    "rerolling",
    "aliasing",
    "indirect_addressing",
    "intrinsics",
)


def test_there_are_two_hundred_programs() -> None:
    assert len(PROGRAMS) >= 200


@pytest.mark.parametrize("family", sorted({*CLASSIC_FAMILIES, *programs.FAMILIES}))
def test_every_family_has_three(family: str) -> None:
    assert Counter(program.family for program in PROGRAMS.values())[family] >= 3


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_loop_has_a_known_verdict(name: str) -> None:
    program = PROGRAMS[name]
    loops = program.loops()
    assert {verdict for accepted in program.verdicts.values() for verdict in accepted} <= set(VERDICTS)
    assert [loop.name for loop in loops if program.expected(loop) is None] == []
    assert set(program.verdicts) <= {name for loop in loops for name in (loop.name, loop.variable)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_cpython_raises_where_it_should(name: str) -> None:
    program = PROGRAMS[name]
    errors = [oracle.expected(name, index).error for index in range(len(oracle.cases(name)))]
    if program.raises is None:
        assert errors == [None] * len(errors)
    else:
        assert None in errors
        assert any(isinstance(error, program.raises) for error in errors)
