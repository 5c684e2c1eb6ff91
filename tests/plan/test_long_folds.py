"""Long folds of few points: folded in parts, with the bits that they have in slabs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.frontend.compare import program_of
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import trace
from weft.ir.reference.simulated import SimulatedDevice
from weft.plan.place import Layout, place
from weft.plan.prepare.folds import long_folds
from weft.plan.prepare.folds.long_folds import CHUNKS
from weft.plan.transfers.check import check_plan
from weft.schedule.directives import Bind, Stage
from weft.schedule.legality import Limits
from weft.transform.pipeline import optimise

from .simulated import DEVICE
from .test_slabs import array, copies

LARGE = Layout(Limits(cores=1))


@pytest.fixture(autouse=True)
def _short_parts(monkeypatch):
    monkeypatch.setattr(long_folds, "LEAST", 8)
    monkeypatch.setattr(long_folds, "ENOUGH", 64)


def gram(x, w, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            total = 0.0
            for r in range(x.shape[0]):
                total += w[r] * x[r, i] * x[r, j]
            out[i, j] = 0.5 * total


def cosines(x, y):
    n = len(x)
    for k in range(len(y)):
        total = 0.0
        for t in range(n):
            total += x[t] * math.cos(0.5 * ((k * t) % n) / n)
        y[k] = total


def nearest(q, p, out):
    for i in range(len(q)):
        best = 99.0
        for j in range(len(p)):
            best = min(best, (q[i] - p[j]) ** 2)
        out[i] = best


def tallies(x, out):
    for b in range(len(out)):
        count = 0
        for t in range(len(x)):
            if x[t] > b * 0.25:
                count += 1
        out[b] = count


def over_its_own_row(x, y):
    for i in range(1, x.shape[0]):
        scale = y[i] * 2.0
        largest = x[i, 0]
        total = 1.0
        for j in range(3, x.shape[1]):
            largest = max(largest, x[i, j])
            total += scale * x[i, j]
        x[i, 1] = largest
        y[i] = total


def of_other_lengths(x, out):
    for i in range(len(out)):
        total = 0.0
        for j in range(len(x) - i):
            total += x[j] * x[j + i]
        out[i] = total


def of_what_is_stored(x, out):
    for i in range(x.shape[0]):
        x[i, 1] = 3.0
        total = 0.0
        for j in range(x.shape[1]):
            total += x[i, j]
        out[i] = total


def that_may_raise(x, out):
    for i in range(len(out)):
        total = 0.0
        for j in range(len(x)):
            total += 1.0 / float(x[j] - i)
        out[i] = total


def in_steps(q, p, out, steps):
    for _ in range(steps):
        nearest(q, p, out)
        q[0] = out[1]


def of_two_folds(x, out):
    for i in range(len(out)):
        total = 0.0
        for j in range(len(x)):
            total += x[j] * i
        square = 0.0
        for j in range(len(x)):
            square += (x[j] - total) ** 2
        out[i] = square


CASES = {
    gram: lambda: [array(93, 3), array(93), np.zeros((3, 3))],
    cosines: lambda: [array(75), np.zeros(4)],
    nearest: lambda: [array(4), array(70), np.zeros(4)],
    tallies: lambda: [array(66), np.zeros(3, np.int64)],
    over_its_own_row: lambda: [array(3, 38), array(3)],
}
OTHERS = {
    of_other_lengths: lambda: [array(40), np.zeros(3)],
    of_what_is_stored: lambda: [array(3, 40), np.zeros(3)],
    that_may_raise: lambda: [array(40), np.zeros(3)],
    of_two_folds: lambda: [array(40), np.zeros(3)],
}


def placed(function, arguments, **options):
    return place(optimise(program_of(function, *arguments)), DEVICE, layout=LARGE, **options)


def is_in_parts(placement):
    return any(CHUNKS in nest.label for nest in placement.nests if nest.kernel)


@pytest.mark.sample(2)
@pytest.mark.parametrize("function", [cosines, tallies, over_its_own_row])
def test_parts_are_kernels_in_memory_and_in_slabs_with_the_same_bits(function):
    arguments = CASES[function]()
    expected, got = copies(arguments), copies(arguments)
    made, cut = placed(function, arguments), placed(function, arguments, slabs=True)
    assert is_in_parts(made)
    for placement in (made, cut):
        verify(placement.program)
        check_plan(placement.program)
    function(*expected)
    assert trace(made.program, got).error is None
    for one, other in zip(expected, got, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    in_slabs = trace(cut.program, arguments, {DEVICE: SimulatedDevice(memory=30_000)})
    assert in_slabs.error is None, in_slabs.error
    assert all(np.array_equal(a, b) for a, b in zip(arguments, got, strict=True))


@pytest.mark.parametrize("rows", [0, 1, 31, 32, 33, 39, 40, 41, 64])
def test_lengths_around_those_of_parts(rows):
    arguments = [array(rows) if rows else np.zeros(0), np.zeros(2)]
    expected, got = copies(arguments), copies(arguments)
    cosines(*expected)
    assert trace(placed(cosines, CASES[cosines]()).program, got).error is None
    np.testing.assert_allclose(expected[1], got[1], rtol=1e-12)


def test_parts_of_products_are_products_in_tiles():
    parts, *_ = (nest for nest in placed(gram, CASES[gram]()).nests if CHUNKS in nest.label)
    assert any(isinstance(directive, Stage) for directive in parts.schedule)


@pytest.mark.parametrize("function", OTHERS)
def test_what_stays_whole(function):
    assert not is_in_parts(placed(function, OTHERS[function]()))


def test_nests_in_loops_of_the_host_stay_whole():
    assert not is_in_parts(placed(in_steps, [array(3), array(40), np.zeros(3), 2]))


def test_a_schedule_of_the_user_is_for_the_nest_as_it_is_written():
    schedule = (Bind("i", "x", 64),)
    assert not is_in_parts(placed(nearest, CASES[nearest](), schedule=schedule))
