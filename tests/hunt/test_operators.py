"""A slice of the matrix of operators: every function is tried, some pairs of types in compiled code."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest

from tests.hunt.operations import TYPES, unknown_functions
from tests.hunt.operators import FORMS, LAYOUTS, Outcome, all_types, report, run_types

SCALARS = tuple(all_types()[k] for k in range(3, len(all_types()), 41))
LOOPS = (("float32", "float32", "strided"), ("bool", "float64", "contiguous"), ("float", "int16", "reversed"))


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """NumPy's warnings are not what this is about."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def test_the_matrix_knows_all_functions_of_numbers() -> None:
    assert unknown_functions() == []


@pytest.mark.sample(2)
@pytest.mark.parametrize("types", SCALARS, ids=" ".join)
def test_scalars_are_cpythons(types: tuple[str, ...]) -> None:
    outcome = Outcome()
    run_types(types, "interpreter", [], [], outcome)
    assert outcome.comparisons > 100
    assert not outcome.differences, report(outcome)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("left", "right", "layout"), LOOPS, ids=" ".join)
def test_elements_of_loops_are_numpys(left: str, right: str, layout: str) -> None:
    outcome = Outcome()
    for only in ("x + y", "x - y", "x * y", "x // y", "x % y", "x < y", "np.maximum", "np.fmin", "np.clip"):
        run_types((left, right), "cpu", ["guarded"], [layout], outcome, only)
    assert outcome.comparisons > 1000
    assert not outcome.differences, report(outcome)


@pytest.mark.slow
@pytest.mark.parametrize("types", all_types(), ids=" ".join)
def test_the_whole_matrix(types: tuple[str, ...]) -> None:
    outcome = Outcome()
    run_types(types, "cpu", FORMS, LAYOUTS, outcome)
    assert not outcome.differences, report(outcome)


def test_all_types_are_paired() -> None:
    assert len(all_types()) == len(TYPES) * (len(TYPES) + 1)
