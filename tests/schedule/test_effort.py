"""What a schedule costs to choose, in kernels that are laid out for it: no time is measured."""

import numpy as np
import pytest

from tests.schedule.scheduled import program_of
from weft.plan.place import Layout, place
from weft.schedule import lower
from weft.schedule.legality import Limits


def added(a, b, c):
    for i in range(len(a)):
        c[i] = a[i] + b[i]


def row_sums(a, b, c):
    for i in range(a.shape[0]):
        s = a[i, 0] - a[i, 0]
        for j in range(a.shape[1]):
            s += a[i, j]
        c[i, 0] = s


def turned(a, b, c):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            c[j, i] = a[i, j]


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = a[i, 0] - a[i, 0]
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def laid_out(function, dimensions, monkeypatch):
    """How often a kernel is laid out while a program is placed, and how many kernels it has then."""
    calls = []
    real = lower.lower
    monkeypatch.setattr(lower, "lower", lambda *args: calls.append(args) or real(*args))
    program = program_of(function, [np.zeros((8,) * dimensions, np.float32) for _ in range(3)])
    placed = place(program, "cuda", layout=Layout(Limits(cores=132)))
    return len(calls), sum(bool(nest.kernel) for nest in placed.nests)


@pytest.mark.parametrize(
    "function, dimensions, kernels", [(added, 1, 1), (row_sums, 2, 5), (turned, 2, 2), (product, 2, 5)]
)
def test_each_kernel_is_laid_out_once(function, dimensions, kernels, monkeypatch):
    assert laid_out(function, dimensions, monkeypatch) == (kernels, kernels)
