"""NumPy's functions of arrays take numbers, too: they used to end in an internal error."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.errors import Error, InternalError

CALLS = {
    "sum": lambda x: np.sum(x),
    "max": lambda x: np.max(x),
    "mean": lambda x: np.mean(x),
    "std": lambda x: np.std(x),
    "var": lambda x: np.var(x),
    "argmax": lambda x: np.argmax(x),
    "all": lambda x: np.all(x),
    "ptp": lambda x: np.ptp(x),
    "cumsum": lambda x: np.cumsum(x),
    "cumprod": lambda x: np.cumprod(x),
    "flip": lambda x: np.flip(x),
    "roll": lambda x: np.roll(x, 1),
    "ravel": lambda x: np.ravel(x),
    "squeeze": lambda x: np.squeeze(x),
    "expand_dims": lambda x: np.expand_dims(x, 0),
    "outer": lambda x: np.outer(x, 2),
    "vdot": lambda x: np.vdot(x, 2),
    "norm": lambda x: np.linalg.norm(x),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", ("float64", "int64"))
def test_numbers(name, dtype):
    function = CALLS[name]

    def program(a):
        return function(a[0])

    a = np.array([-3, 1]).astype(dtype)
    got, expected = weft.jit(program)(a), program(a)
    assert np.array_equal(got, expected)
    assert np.asarray(got).dtype == np.asarray(expected).dtype and np.shape(got) == np.shape(expected)


@pytest.mark.parametrize(
    "function",
    (lambda a: np.diff(a[0]), lambda a: np.diagonal(a[0]), lambda a: np.trace(a[0])),
    ids=("diff", "diagonal", "trace"),
)
def test_numbers_that_are_refused(function):
    with pytest.raises((Error, ValueError)) as caught:
        weft.jit(function)(np.ones(2))
    assert not isinstance(caught.value, InternalError)


def test_numpys_booleans_are_not_rounded():
    def rounded(a):
        return round(a[0])

    with pytest.raises(TypeError):
        rounded(np.ones(1, bool))
    with pytest.raises(weft.TypeInferenceError):
        weft.jit(rounded)(np.ones(1, bool))
    assert weft.jit(lambda: round(True))() == 1
