"""Random array programs give what NumPy gives, bit for bit."""

from __future__ import annotations

import copy
import linecache

import numpy as np
import pytest

import weft
from tests.arrays.generator import Generator

SEEDS = range(40)
SIZES = (1, 2, 3, 8, 17)


@pytest.mark.parametrize("seed", SEEDS)
def test_on_the_processor(seed):
    compare(seed, "cpu")


@pytest.mark.opencl
@pytest.mark.parametrize("seed", SEEDS[:10])
def test_by_opencl(seed):
    compare(seed, "opencl")


def function_of(seed: int):
    """The function of a seed."""
    text, name = Generator(seed).source(), f"<array program {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"np": np}
    exec(compile(text, name, "exec"), space)
    return space["f"], text


def arguments(seed: int, size: int):
    random = np.random.default_rng([seed, size])
    vectors = [random.integers(-8, 9, size) / 4.0 for _ in range(3)]
    return (
        *vectors, random.integers(-3, 4, size), (random.integers(-8, 9, size) / 4).astype(np.float32),
        random.integers(-8, 9, (4, size)) / 4.0, 0.75,
    )  # fmt: skip


def compare(seed: int, device: str) -> None:
    function, text = function_of(seed)
    compiled = weft.jit(device=device)(function)
    for size in SIZES:
        theirs = arguments(seed, size)
        mine = copy.deepcopy(theirs)
        with np.errstate(all="ignore"):
            wanted = outcome(function, theirs)
        found = outcome(compiled, mine)
        if isinstance(wanted, Exception):
            assert isinstance(found, (type(wanted), weft.Error)), f"{wanted}\n{text}"
            continue
        if isinstance(found, Exception):
            raise AssertionError(text) from found
        for a, b in zip((*found, *mine), (*wanted, *theirs), strict=True):
            assert np.asarray(a).dtype == np.asarray(b).dtype, text
            np.testing.assert_array_equal(a, b, f"size {size}\n{text}")


def outcome(function, given):
    try:
        return function(*given)
    except Exception as error:
        return error
