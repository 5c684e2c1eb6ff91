"""Nests of which no loop is parallel run along the diagonals of tiles."""

from __future__ import annotations

import random

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE, Simulated
from weft.analysis.dependence import wavefronts as diagonals
from weft.ir.visit import launches_in
from weft.plan.place import place
from weft.plan.steps import wavefronts
from weft.transform.pipeline import optimise


def aligned(d, a, b):
    for i in range(1, d.shape[0]):
        for j in range(1, d.shape[1]):
            best = d[i - 1, j - 1] + (2.0 if a[i - 1] == b[j - 1] else -1.0)
            up = d[i - 1, j] - 0.5
            if up > best:
                best = up
            left = d[i, j - 1] - 0.5
            if left > best:
                best = left
            d[i, j] = best


def with_gaps(d, a, b):
    e, f = np.zeros(d.shape), np.zeros(d.shape)
    for i in range(1, d.shape[0]):
        for j in range(1, d.shape[1]):
            e[i, j] = max(e[i, j - 1] - 1.0, d[i, j - 1] - 3.0)
            f[i, j] = max(f[i - 1, j] - 1.0, d[i - 1, j] - 3.0)
            d[i, j] = max(d[i - 1, j - 1] + (2.0 if a[i - 1] == b[j - 1] else -1.0), max(e[i, j], f[i, j]))


def from_the_end(d, a, b):
    for i in range(d.shape[0] - 2, -1, -1):
        for j in range(d.shape[1] - 2, -1, -1):
            if a[i] == b[j]:
                d[i, j] = d[i + 1, j + 1] + 1.0
            else:
                d[i, j] = max(d[i + 1, j], d[i, j + 1])


def columns_outside(d, a, b):
    for j in range(1, d.shape[1]):
        for i in range(1, d.shape[0]):
            d[i, j] = 0.5 * d[i, j] + min(d[i - 1, j], d[i, j - 1])


def relaxed(d, a, b):
    for _ in range(3):
        for i in range(1, d.shape[0] - 1):
            for j in range(1, d.shape[1] - 1):
                r = d[i - 1, j] + d[i + 1, j] + d[i, j - 1] + d[i, j + 1] - 4.0 * d[i, j]
                d[i, j] += 1.5 * 0.25 * r


def of_nine_points(d, a, b):
    for i in range(1, d.shape[0] - 1):
        for j in range(1, d.shape[1] - 1):
            above = d[i - 1, j - 1] + d[i - 1, j] + d[i - 1, j + 1]
            d[i, j] = 0.125 * (above + d[i, j - 1] + d[i, j + 1] + d[i + 1, j - 1] + d[i + 1, j] + d[i + 1, j + 1])


def triangular(d, a, b):
    n = min(d.shape[0], d.shape[1])
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            d[i, j] = max(d[i + 1, j], d[i, j - 1]) + 0.5


def lower_triangle(d, a, b):
    for i in range(1, d.shape[0]):
        for j in range(1, min(i, d.shape[1])):
            d[i, j] = min(d[i - 1, j], d[i, j - 1]) * 0.25 + d[i - 1, j - 1]


def in_a_band(d, a, b):
    for i in range(1, d.shape[0]):
        for j in range(max(1, i - 3), min(d.shape[1] - 1, i + 3) + 1):
            d[i, j] = max(d[i - 1, j], d[i, j - 1]) * 0.5 + d[i - 1, j - 1]


def chains(d, a, b):
    n = min(d.shape[0], d.shape[1])
    for j in range(1, n):
        for i in range(j - 1, -1, -1):
            best = d[i, i] + d[i + 1, j]
            for k in range(i + 1, j):
                best = min(best, d[i, k] + d[k + 1, j])
            d[i, j] = best


def best_of_all(d, a, b):
    best = 0
    count = 0
    for i in range(1, d.shape[0]):
        for j in range(1, d.shape[1]):
            d[i, j] = max(0.0, max(d[i - 1, j], d[i, j - 1]) - 1.0, d[i - 1, j - 1] + a[i - 1] - b[j - 1])
            best = max(best, a[i - 1] + b[j - 1])
            count += a[i - 1] == b[j - 1]
    return best, count


WAVES = [
    aligned, with_gaps, from_the_end, columns_outside, relaxed, of_nine_points, triangular, lower_triangle, in_a_band,
    chains, best_of_all,
]  # fmt: skip


def too_far_back(d, a, b):
    for i in range(1, d.shape[0]):
        for j in range(d.shape[1] - 4):
            d[i, j] = d[i - 1, j + 4] + d[i, j - 1]


def anywhere(d, a, b):
    for i in range(1, d.shape[0]):
        for j in range(1, d.shape[1]):
            d[i, j] = d[i - 1, a[i - 1]] + d[i, j - 1] * 0.5


def hands_on(d, a, b):
    last = 1.0
    for i in range(1, d.shape[0]):
        for j in range(1, d.shape[1]):
            last = d[i - 1, j] - 0.5 * last
            d[i, j] = last + d[i, j - 1]
    return last


OTHERS = [too_far_back, anywhere, hands_on]


def arguments(rows, columns):
    rng = np.random.default_rng(rows * 100 + columns)
    d = rng.integers(-9, 9, (rows, columns)) / 8
    return d, rng.integers(0, max(min(rows, columns, 4), 1), rows), rng.integers(0, 4, columns)


def check(run, function, rows, columns):
    found, expected = arguments(rows, columns), arguments(rows, columns)
    assert run(*found) == function(*expected)
    np.testing.assert_array_equal(found[0], expected[0])


@pytest.fixture
def small_tiles(monkeypatch):
    monkeypatch.setattr(wavefronts, "SIDE", 4)
    monkeypatch.setattr(wavefronts, "LEAST", 0)
    monkeypatch.setattr(diagonals, "LEAST", 0)


@pytest.mark.parametrize("size", [(0, 3), (1, 1), (2, 5), (9, 8), (13, 6), (4, 17)])
@pytest.mark.parametrize("function", [*WAVES, *OTHERS], ids=lambda f: f.__name__)
def test_results_are_pythons(function, size, small_tiles):
    if function is too_far_back and size[1] < 4:
        size = (size[0], 9)
    check(Simulated(function), function, *size)


@pytest.mark.parametrize("function", WAVES, ids=lambda f: f.__name__)
def test_nests_become_kernels(function):
    found = place(optimise(program_of(function, *arguments(9, 8))), DEVICE)
    assert any(nest.kernel and nest.label.endswith(".front") for nest in found.nests)
    assert any(launches_in(found.program.body))


@pytest.mark.parametrize("function", OTHERS, ids=lambda f: f.__name__)
def test_other_nests_stay(function):
    found = place(optimise(program_of(function, *arguments(9, 8))), DEVICE)
    assert not any(nest.label.endswith(".fronts") for nest in found.nests)


def test_short_diagonals_stay_on_the_host():
    traces = Simulated(aligned)
    traces(*arguments(9, 8))
    assert not any(step.kind == "launch" for step in traces.traces[0].steps)


@pytest.mark.parametrize("seed", range(40))
def test_random_distances(seed, small_tiles):
    run = random.Random(seed)
    reads = []
    for _ in range(run.randint(1, 4)):
        down, across = run.randint(-2, 2), run.randint(-2, 2)
        reads.append(f"{run.choice([0.5, 0.25, -0.5])} * d[i + {down}, j + {across}]")
    rows, columns = ("range(2, n - 2)", "range(n - 3, 1, -1)"), ("range(2, m - 2)", "range(m - 3, 1, -1)")
    text = (
        "def made(d, a, b):\n    n, m = d.shape\n"
        f"    for i in {run.choice(rows)}:\n        for j in {run.choice((*columns, 'range(2, min(i + 1, m - 2))'))}:\n"
        f"            d[i, j] = {' + '.join(reads)}\n"
    )
    check(Simulated(_made(text)), _made(text), run.randint(4, 12), run.randint(4, 12))


def _made(text):
    import linecache

    name = f"<wavefront {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, object] = {}
    exec(compile(text, name, "exec"), space)
    return space["made"]


@pytest.mark.opencl
@pytest.mark.parametrize("function", WAVES, ids=lambda f: f.__name__)
def test_on_opencl(function, monkeypatch):
    monkeypatch.setattr(wavefronts, "LEAST", 0)
    monkeypatch.setattr(diagonals, "LEAST", 0)
    check(weft.jit(function, device="opencl"), function, 131, 70)


@pytest.mark.gpu
@pytest.mark.parametrize("size", [(1, 1), (65, 64), (300, 131), (70, 1000)])
@pytest.mark.parametrize("function", WAVES, ids=lambda f: f.__name__)
def test_on_a_gpu(function, size, monkeypatch):
    monkeypatch.setattr(wavefronts, "LEAST", 0)
    monkeypatch.setattr(diagonals, "LEAST", 0)
    found, expected = arguments(*size), arguments(*size)
    there = [weft.array(x) for x in found]
    assert weft.jit(function, device="cuda")(*there) == weft.jit(function)(*expected)
    np.testing.assert_array_equal(np.asarray(there[0]), expected[0])
