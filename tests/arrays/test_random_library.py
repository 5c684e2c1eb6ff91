"""Random programs with functions of the library give what NumPy gives, or are refused."""

from __future__ import annotations

import copy
import linecache

import numpy as np
import pytest

import weft
from tests.arrays.library_generator import LibraryGenerator
from tests.arrays.test_random import arguments

SEEDS = range(120)


@pytest.mark.parametrize("seed", SEEDS)
def test_on_the_processor(seed):
    compare(seed, "cpu")


def test_most_are_compiled():
    assert sum(compare(seed, "cpu") for seed in SEEDS[:12]) >= 5


@pytest.mark.opencl
@pytest.mark.parametrize("seed", SEEDS[:8])
def test_by_opencl(seed):
    compare(seed, "opencl")


def compare(seed, device):
    """Whether a program was compiled; if it was, its results and what it changed are NumPy's."""
    text, name = LibraryGenerator(seed).source(), f"<library program {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"np": np}
    exec(compile(text, name, "exec"), space)
    compiled = weft.jit(space["f"], device=device)
    for size in (2, 3, 8):
        given = arguments(seed, size)
        taken = copy.deepcopy(given)
        try:
            with np.errstate(all="ignore"):
                expected = space["f"](*given)
        except Exception as error:
            with pytest.raises((type(error), weft.Error)):
                compiled(*taken)
            continue
        try:
            got = compiled(*taken)
        except weft.InternalError:
            raise
        except weft.Error:
            return False
        for first, second in zip((*expected, *given), (*got, *taken), strict=True):
            a, b = np.asarray(first), np.asarray(second)
            assert a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), f"{size}\n{text}"
    return True
