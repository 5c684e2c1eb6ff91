"""A thread has one iteration that counts by key in a loop of its own, and many that count once."""

from __future__ import annotations

import numpy as np

from tests.frontend.compare import program_of
from tests.tune.spellings.program import LARGE
from weft.plan.place import place
from weft.schedule.directives import Bind
from weft.transform.pipeline import optimise


def walks(targets, seeds, visits, steps):
    for i in range(len(seeds)):
        node = seeds[i] % len(targets)
        for _ in range(steps):
            node = targets[node]
            visits[node] += 1


def rows(targets, seeds, visits, steps):
    for i in range(len(seeds)):
        k = seeds[i]
        while k > 0:
            visits[k % 16] += 1
            k //= 16


def counted(targets, seeds, visits, steps):
    for i in range(len(seeds)):
        visits[seeds[i]] += 1


def points(function):
    arguments = np.zeros(9, np.int64), np.zeros(9, np.int64), np.zeros(16, np.int64), 3
    placed = place(optimise(program_of(function, *arguments), blocks=True, rows=True), "cuda", layout=LARGE)
    return [d.points for nest in placed.nests for d in nest.schedule if nest.kernel and isinstance(d, Bind)]


def test_long_iterations_have_threads_of_their_own():
    assert set(points(walks)) == {1}
    assert set(points(rows)) == {1}


def test_short_iterations_share_a_thread():
    assert max(points(counted)) > 1
