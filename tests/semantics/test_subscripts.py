"""Two subscripts of one array that are the same element always, never, or for some values: the answer is CPython's."""

from __future__ import annotations

import copy
import random
import warnings

import numpy as np
import pytest

import weft

from . import subscripts
from .subscripts import VALUES, Case

TOGETHER = 8
"""Loops in one function: it is compiled once for all of them."""

ALL = tuple(subscripts.cases())


def groups(number: int, seed: int) -> list[tuple[Case, ...]]:
    """Some cases of the class, the same ones every time."""
    chosen = random.Random(seed).sample(ALL, number * TOGETHER)
    return [tuple(chosen[k : k + TOGETHER]) for k in range(0, len(chosen), TOGETHER)]


def check(cases: tuple[Case, ...], device: str) -> None:
    function = subscripts.function(cases)
    compiled = weft.jit(function, device=device)
    for seed, (k, m) in enumerate(VALUES):
        expected = subscripts.arguments(cases, seed, k, m)
        got = copy.deepcopy(expected)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function(*expected)
            compiled(*got)
        for case, right, found in zip(cases, expected[4:], got[4:]):
            np.testing.assert_array_equal(found, right, err_msg=f"{case} for k = {k}, m = {m}")


@pytest.mark.parametrize("part", range(10))
def test_the_answer_is_right(part):
    check(groups(10, 1)[part], "cpu")


@pytest.mark.opencl
@pytest.mark.parametrize("part", range(2))
def test_the_answer_is_right_on_a_device(part):
    check(groups(2, 2)[part], "opencl")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(0, len(ALL), TOGETHER))
def test_every_answer_is_right(part):
    check(ALL[part : part + TOGETHER], "cpu")


@pytest.mark.parametrize("case", random.Random(3).sample(ALL, 16), ids=str)
def test_a_race_is_reported_only_where_there_is_one(case):
    function = subscripts.function((case,), "weft.prange")
    compiled = weft.jit(function, device="cpu")
    for seed, (k, m) in enumerate(VALUES):
        expected = subscripts.arguments((case,), seed, k, m)
        got = copy.deepcopy(expected)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            subscripts.function((case,))(*expected)
            try:
                compiled(*got)
            except weft.RaceError:
                assert case.is_in_conflict(10, k, m), f"{case} for k = {k}, m = {m}"
            else:
                np.testing.assert_array_equal(got[4], expected[4])
