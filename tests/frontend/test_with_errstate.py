"""``with np.errstate(...)``: warnings are not given anyway; what asks for exceptions is refused."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def ignored(a):
    with np.errstate(divide="ignore", invalid="ignore"):
        b = np.where(a > 0, 1 / a, 0.0)
    return b


def shown(a):
    with np.errstate(all="warn"):
        for i in range(len(a)):
            if a[i] > 2:
                break
            a[i] = np.log(a[i])
    return a


def returned(a):
    with np.errstate(all="ignore"), np.errstate(over="ignore"):
        return a / 0


def raising(a):
    with np.errstate(divide="raise"):
        return 1 / a


def named(a):
    with np.errstate(divide="ignore") as state:
        return 1 / a, state


@pytest.mark.parametrize("function", [ignored, shown, returned])
@pytest.mark.parametrize("size", [0, 1, 4])
def test_blocks(function, size):
    with np.errstate(all="ignore"):
        wanted = function(np.arange(float(size)))
    np.testing.assert_array_equal(weft.jit(function, device="cpu")(np.arange(float(size))), wanted)


@pytest.mark.parametrize("function", [raising, named])
def test_refused(function):
    with pytest.raises(weft.errors.UnsupportedError, match="np.errstate"):
        weft.jit(function, device="cpu")(np.arange(3.0))
