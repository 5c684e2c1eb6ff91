"""A variable that is -0.0 or one of NumPy's integers is refused: no integer has the sign of a zero."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.errors import TypeInferenceError


def least(a):
    m = -0.0
    for i in range(a.shape[0]):
        if a[i] < m:
            m = a[i]
    return m


def under_a_test(a):
    m = -0.0
    if a[0] > 5:
        m = a[0]
    return m


def chosen(a):
    return a[0] if a[0] > 5 else -0.0


def by_max(a):
    return max(a[0], -0.0)


@pytest.mark.parametrize("function", (least, under_a_test, chosen, by_max), ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", ("int64", "int32", "uint8"))
def test_it_is_refused(function, dtype):
    with pytest.raises(TypeInferenceError):
        weft.jit(function)(np.zeros(3, dtype))


def test_zeros_without_a_sign_stay():
    def largest(a):
        m = 0.0
        for i in range(a.shape[0]):
            if a[i] > m:
                m = a[i]
        return m

    assert weft.jit(largest)(np.array([3, 7, 5])) == 7
    assert weft.jit(largest)(np.array([-3])) == 0
