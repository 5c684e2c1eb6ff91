"""Chains of calls over Dask arrays: graphs grow with their length, and every task has a name of its own."""

from __future__ import annotations

import numpy as np
import pytest

import weft

da = pytest.importorskip("dask.array")


def smooth(u, v):
    for i in range(2, len(u) - 1):
        for c in range(u.shape[1]):
            v[i, c] = (u[i - 2, c] + u[i, c] + u[i + 1, c]) / 3


def back(u, v):
    for i in range(1, len(u) - 1):
        for c in range(u.shape[1]):
            u[i, c] = v[i - 1, c] * 0.5 + v[i + 1, c] * 0.5


def scaled(u, v):
    for i in range(len(u)):
        for c in range(u.shape[1]):
            u[i, c] = u[i, c] * 0.75 + v[i, c]


def chained(calls: list, steps: int, chunks: object) -> tuple:
    u0 = np.random.default_rng(0).random((400, 3))
    u, v = (da.from_array(a, chunks=(chunks, 3)) for a in (u0, np.zeros_like(u0)))
    a, b = u0.copy(), np.zeros_like(u0)
    for _ in range(steps):
        for call in calls:
            if call is smooth:
                v = weft.cluster(call)(u, v)
            else:
                u = weft.cluster(call)(u, v)
            weft.jit(call, device="cpu")(a, b)
    return u, v, a, b


@pytest.mark.parametrize("chunks", [100, (100, 150, 150), 400])
def test_a_long_chain_gives_the_answer_of_the_loops(chunks):
    for _ in range(3):
        u, v, a, b = chained([smooth, back, scaled], 12, chunks)
        found = da.compute(u, v, scheduler="sync")
        np.testing.assert_array_equal(found[0], a)
        np.testing.assert_array_equal(found[1], b)


def test_a_graph_grows_with_the_chain():
    short, long = (len(chained([smooth, back], steps, 100)[0].__dask_graph__()) for steps in (5, 20))
    assert long <= 4 * short


def test_no_name_is_so_long_that_dask_cuts_it():
    u, *_ = chained([smooth, back, scaled, scaled], 10, 100)
    keys = u.__dask_optimize__(u.__dask_graph__(), u.__dask_keys__())
    assert max(len(key if isinstance(key, str) else key[0]) for key in keys) < 115


def test_blocks_along_both_axes():
    u0 = np.random.default_rng(1).random((60, 30))
    u = da.from_array(u0, chunks=((20, 25, 15), (11, 19)))
    v = da.zeros((60, 30), chunks=((17, 43), (30,)))
    wanted = np.zeros_like(u0)
    weft.jit(smooth, device="cpu")(u0, wanted)
    np.testing.assert_array_equal(weft.cluster(smooth)(u, v).compute(scheduler="sync"), wanted)


def test_one_axis_and_whole_arrays():
    def weighted(x, w, y):
        for i in range(len(x)):
            y[i] = x[i] * w[0] + w[len(w) - 1]

    x0, w0 = np.arange(50.0), np.array([2.0, 3.0, 5.0])
    y = weft.cluster(weighted)(da.from_array(x0, chunks=20), da.from_array(w0, chunks=2), da.zeros(50, chunks=20))
    np.testing.assert_array_equal(y.compute(scheduler="sync"), x0 * 2.0 + 5.0)
