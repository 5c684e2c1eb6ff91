"""Proving a plan takes work that grows with the program, whatever sizes are not known."""

import numpy as np
import pytest

from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE, Simulated
from weft.plan.place import place
from weft.plan.transfers import check
from weft.plan.transfers.cases import Cases
from weft.transform.pipeline import optimise

SIZE = 9


def swept(ptr, ind, val, n, first, a, b, c):
    """Rows of a sparse matrix between loops over parts of arrays, of which no bound is known to be another's."""
    for i in range(first, n):
        a[i] = 3.0 * c[i]
    for i in range(len(ptr) - 1):
        s = 0.0
        for k in range(ptr[i], ptr[i + 1]):
            s += val[k] * a[ind[k]]
        b[i] = s
    for i in range(n):
        a[i] = 0.5 * b[i] + a[i]
    for i in range(1, n - 1):
        c[i] = b[i - 1] + b[i + 1]


def twice(rows, n, first, arrays):
    swept(*rows, n, first, *arrays)
    swept(*rows, n, first, *arrays)


def one(rows, n, first, arrays):
    twice(rows, n, first[0], arrays[0])


def two(rows, n, first, arrays):
    twice(rows, n, first[0], arrays[0])
    twice(rows, n, first[1], arrays[1])


def three(rows, n, first, arrays):
    twice(rows, n, first[0], arrays[0])
    twice(rows, n, first[1], arrays[1])
    twice(rows, n, first[2], arrays[2])


PROGRAMS = (one, two, three)


def arguments(count):
    rng = np.random.default_rng(7)
    rows = np.arange(0, 2 * SIZE + 1, 2), rng.integers(0, SIZE, 2 * SIZE), rng.normal(size=2 * SIZE)
    arrays = tuple(tuple(rng.normal(size=SIZE) for _ in range(3)) for _ in range(count))
    return rows, SIZE, tuple(range(1, count + 1)), arrays


def proofs(function, count, monkeypatch):
    """How many proofs placing a function asks for, and whether its plan is proven."""
    asked = []
    proves = Cases.proves

    def counted(cases, form, region):
        asked.append(form)
        return proves(cases, form, region)

    program = optimise(program_of(function, *arguments(count)))
    with monkeypatch.context() as patch:
        patch.setattr(Cases, "proves", counted)
        placed = place(program, DEVICE).program
    assert check.is_proven(placed)
    return len(asked)


def test_proofs_grow_with_the_number_of_nests(monkeypatch):
    found = [proofs(function, count, monkeypatch) for count, function in enumerate(PROGRAMS, 1)]
    assert found[2] - found[1] < 1.2 * (found[1] - found[0])


@pytest.mark.parametrize("count", [1, 2, 3])
def test_answers_are_those_of_python(count):
    function = PROGRAMS[count - 1]
    expected, found = arguments(count), arguments(count)
    function(*expected)
    Simulated(function)(*found)
    for ours, theirs in zip(found[-1], expected[-1], strict=True):
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(a, b)
