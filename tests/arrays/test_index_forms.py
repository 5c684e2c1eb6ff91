"""Masks beside other indices, lists of positions, ``np.c_``, and functions that change their arguments."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def masks_read(m):
    k = m[0] > 1
    r = np.array([True, False, True])
    return m[:, k], m[1, k], m[None, :, k], m[..., k], m[r, 1:], m[r][:, k]


def lists_read(m):
    return m[[0, 2]], m[[True, False, True], 1:], m[:, [1, 0]], m[[0, 1], [1, 2]], m[np.ix_([0, 2], [1])]


def written(m):
    k = m[0] > 1
    m[:, k] = 7
    m[[0, 2], 1] += 3
    m[1:, m[0] < 4] *= 2
    m[[0, 2]] = m[[2, 0]]


def mask_of_another_length(m):
    return m[:, np.array([True, False])]


def joined(m):
    return np.r_[m[0], 1, 2], np.c_[m, m], np.r_[0:3], np.mgrid[0:2, 0:3], np.r_[True, m[0] > 1]


def changed(m):
    m[0].sort()
    np.add.at(m[1], [0, 0, 1], 1.0)
    np.put(m, [2], [9.0])
    np.fill_diagonal(m, 0)
    np.copyto(m[2], m[1])
    np.sqrt(m, out=m)
    return m[0].argsort(), m[1].repeat(2), np.add.reduceat(m[2], [0, 2]), np.maximum.accumulate(m, axis=1)


def indices_of_two_axes(m):
    np.add.at(m, ([0, 0], [1, 1]), 1.0)
    np.subtract.at(m, (np.array([1]), np.array([2])), 5.0)


def named_results(m):
    found = np.linalg.eigh(m[:, :3] + m[:, :3].T)
    return found.eigenvalues, np.linalg.slogdet(m[:, :3] + np.eye(3))


def singular(m):
    return np.linalg.inv(m[:, :3] * 0)


FUNCTIONS = (
    masks_read, lists_read, written, mask_of_another_length, joined, changed, indices_of_two_axes, named_results,
    singular,
)  # fmt: skip


def run(function, array):
    try:
        return function(array)
    except (IndexError, np.linalg.LinAlgError) as error:
        return type(error), str(error).partition("\n")[0]


def check(expected, got):
    if isinstance(expected, tuple):
        assert len(expected) == len(got)
        for first, second in zip(expected, got, strict=True):
            check(first, second)
    elif isinstance(expected, np.ndarray):
        assert expected.dtype == got.dtype and expected.shape == got.shape and np.array_equal(expected, got)
    else:
        assert expected == got


@pytest.mark.parametrize("function", FUNCTIONS)
def test_as_in_numpy(function):
    given, taken = np.arange(12.0).reshape(3, 4), np.arange(12.0).reshape(3, 4)
    check(run(function, given), run(weft.jit(function), taken))
    check(given, taken)


def test_a_result_whose_type_depends_on_values():
    def f(m):
        return np.linalg.eigvals(m)

    turned = np.array([[0.0, 1.0], [-1.0, 0.0]])
    with pytest.raises(weft.UnsupportedError, match="complex128") as error:
        weft.jit(f)(turned)
    assert "astype" in error.value.hint

    def as_the_hint_says(m):
        return np.linalg.eigvals(m.astype(np.complex128))

    check(as_the_hint_says(turned), weft.jit(as_the_hint_says)(turned))
