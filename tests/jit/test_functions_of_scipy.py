"""Functions of SciPy count by their names: what SciPy itself imports or remembers at the first call is no change."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from scipy import ndimage
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.distance import cdist

import weft
from weft.frontend.source.fingerprint import fingerprint


def distances(a):
    return cdist(a, a)


def solved(a):
    spd = a @ a.T + np.eye(3)
    return cho_solve(cho_factor(spd), a[:, 0]), scipy.linalg.solve_triangular(np.tril(spd), a[:, 0], lower=True)


def smoothed(a):
    return ndimage.gaussian_filter(a, 1.0)


@pytest.mark.parametrize("function", [distances, solved, smoothed])
def test_calls(function):
    array = np.arange(9.0).reshape(3, 3)
    before = fingerprint(function)
    found, wanted = weft.jit(function, device="cpu")(array), function(array)
    for one, other in zip(np.atleast_1d(found), np.atleast_1d(wanted), strict=True):
        np.testing.assert_allclose(one, other)
    assert fingerprint(function).digest == before.digest


def test_another_function_under_the_name_is_seen(monkeypatch):
    compiled, array = weft.jit(distances, device="cpu"), np.ones((3, 3))
    assert compiled(array)[0, 0] == 0
    monkeypatch.setitem(globals(), "cdist", lambda a, b: a + b)
    assert compiled(array)[0, 0] == 2
