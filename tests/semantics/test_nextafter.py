"""``np.nextafter`` gives what the installed NumPy gives, also for zeros of two signs, which NumPy 2.5 changed."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.backends.text import mathematics


def after(a, b, out):
    for i in range(a.shape[0]):
        out[i] = np.nextafter(a[i], b[i])


def pairs(dtype):
    info = np.finfo(dtype)
    edges = [0.0, 1.0, np.inf, info.tiny, info.smallest_subnormal, info.max]
    values = np.array([*edges, *(-x for x in edges), np.nan], dtype)
    return [np.ascontiguousarray(x.ravel()) for x in np.meshgrid(values, values)]


def bits(array):
    """The bits; all NaN are one."""
    return np.where(np.isnan(array), array.dtype.type(np.nan), array).view(f"u{array.itemsize}").tolist()


@pytest.mark.parametrize("device", ["interpreter", "cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_all_edges(dtype, device):
    a, b = pairs(dtype)
    out = np.zeros_like(a)
    weft.jit(after, device=device)(a, b, out)
    assert bits(out) == bits(np.nextafter(a, b))


@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
@pytest.mark.parametrize("second", [False, True])
def test_equal_halves_in_both_kinds_of_numpy(second, device, monkeypatch):
    """C says that the second one is the result, and so does NumPy since 2.5."""
    monkeypatch.setattr(mathematics, "EQUAL_GIVES_SECOND", second)
    a, b = pairs("f2")

    def zeros(a, b, out, given=float(second)):  # the default keeps the two apart in the store
        for i in range(a.shape[0]):
            out[i] = np.nextafter(a[i], b[i])

    out = np.zeros_like(a)
    weft.jit(zeros, device=device)(a, b, out)
    equal = a == b
    assert equal.sum() > 4
    assert bits(out[equal]) == bits((b if second else a)[equal])
    assert bits(out[~equal]) == bits(np.nextafter(a, b)[~equal])
