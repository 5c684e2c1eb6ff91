"""The IR of a few typical functions, as text: what the translation looks like, for readers and reviewers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from weft.ir.forms.text import to_text

from .compare import program_of

FOLDER = Path(__file__).parent / "golden"


def heat(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u
    return u


def search(a, x):
    for i in range(len(a)):
        if a[i] == x:
            return i
    return -1


def sum_of_positive(a):
    s = 0.0
    for i in range(a.shape[0]):
        if a[i] < 0:
            continue
        s += a[i]
    return s


def first_and_last(a):
    for i in range(0, len(a), 2):
        if a[i] > 0:
            break
        last = i
    else:
        return -1, -1
    return i, last


def steps_to_one(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
        if steps > 1000:
            raise ValueError(f"no end after {steps} steps")
    return steps


A = np.zeros(3)
M = np.zeros((3, 3))
CASES = {
    heat: (M, M, 3), search: (A, 1.0), sum_of_positive: (A.astype(np.float32),), first_and_last: (A,),
    steps_to_one: (27,),
}  # fmt: skip


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_text_of_the_program(function, golden):
    golden(FOLDER / f"{function.__name__}.txt", to_text(program_of(function, *CASES[function])))
