"""`weft.cluster`: the same bits for any number of pieces, over NumPy and Dask arrays, with workers that die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import weft
from weft.errors import ArgumentError, UnsupportedError
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.split.regions import Rows, rows_of

da = pytest.importorskip("dask.array")


def smooth(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def smooth_and_sum(u, v):
    for i in range(2, u.shape[0] - 1):
        for j in range(u.shape[1]):
            v[i, j] = u[i - 2, j] * 0.3 + u[i + 1, j]
    for j in range(u.shape[1]):
        s = 0.0
        for i in range(u.shape[0]):
            s += v[i, j]
        u[0, j] = s


@pytest.fixture
def start():
    return np.random.default_rng(0).random((50, 30))


@pytest.mark.parametrize("pieces", [1, 2, 3, 7, 60])
def test_bits_do_not_depend_on_the_number_of_pieces(start, pieces):
    u, v = start.copy(), start.copy()
    weft.cluster(smooth_and_sum, pieces=4)(u, v)
    left, right = start.copy(), start.copy()
    weft.cluster(smooth_and_sum, pieces=pieces)(left, right)
    assert np.array_equal(u, left) and np.array_equal(v, right)
    weft.jit(smooth_and_sum, device="cpu")(left := start.copy(), right := start.copy())
    assert np.allclose(u, left, rtol=1e-13) and np.array_equal(v, right)


@pytest.mark.parametrize("chunks", [((20, 30), (10, 30)), ((50, 7), (13, 11)), ((50, 30), (50, 30))])
def test_dask_arrays_are_cut_at_their_chunks(start, chunks):
    u, v = start.copy(), start.copy()
    weft.cluster(smooth_and_sum, pieces=1)(u, v)
    before = da.from_array(start, chunks=chunks[0]), da.from_array(start, chunks=chunks[1])
    left, right = weft.cluster(weft.jit(smooth_and_sum))(*before)
    assert isinstance(left, da.Array) and left.shape == u.shape
    left, right = da.compute(left, right)
    assert np.array_equal(u, left) and np.array_equal(v, right)
    assert np.array_equal(before[0].compute(), start)


def test_one_written_array_is_returned_alone(start):
    found = weft.cluster(smooth)(da.from_array(start, chunks=(20, 30)), da.zeros(start.shape, chunks=(17, 30)))
    wanted = np.zeros(start.shape)
    weft.jit(smooth, device="cpu")(start, wanted)
    assert found.chunks[0] == (1, 16, 17, 15, 1)
    assert np.array_equal(found.compute(), wanted)


def test_pieces_get_the_rows_that_they_need():
    u = np.zeros((9, 9))
    program = build(smooth_and_sum, (describe(u, "u"), describe(u, "v")))
    first, second = rows_of(program, "i"), rows_of(program, "j@2")
    assert first == {"u": Rows(0, 2, 1, None), "v": Rows(0, 0, 0, 0)}
    assert second == {"u": Rows(1, 0, 0, 0), "v": Rows(1, 0, 0, None)}
    assert first["u"].needed(2, 5, 9) == slice(0, 6)


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_workers_of_a_cluster_run_the_pieces(client, start):
    wanted = start.copy()
    weft.jit(smooth, device="cpu")(start, wanted)
    found = start.copy()
    weft.cluster(smooth)(start, found)
    assert np.array_equal(found, wanted)


def test_a_worker_that_is_killed_loses_no_result(client, start):
    wanted = start.copy()
    weft.jit(smooth, device="cpu")(start, wanted)
    first = next(iter(client.scheduler_info()["workers"].values()))
    process = client.submit(os.getpid, workers=[first["name"]], pure=False).result()
    killer = threading.Timer(0.05, os.kill, (process, signal.SIGKILL))
    killer.start()
    deadline = time.monotonic() + 20
    while True:
        found = start.copy()
        weft.cluster(smooth, pieces=12)(start, found)
        assert np.array_equal(found, wanted)
        if not killer.is_alive() or time.monotonic() > deadline:
            break
    found = start.copy()
    weft.cluster(smooth, pieces=5)(start, found)
    assert np.array_equal(found, wanted)


def test_a_write_whose_rows_are_unknown_is_refused():
    def reversed_rows(x, y):
        for i in range(len(x)):
            y[len(x) - 1 - i] = x[i]

    with pytest.raises(UnsupportedError, match="which rows of y a piece of the loop over i writes is not known"):
        weft.cluster(reversed_rows, pieces=2)(np.zeros(5), np.zeros(5))


def test_a_chunk_of_unknown_size_is_refused():
    x = da.arange(10, chunks=5, dtype=float)
    with pytest.raises(ArgumentError, match="'x' has chunks of unknown size"):
        weft.cluster(doubled)(x[x > 3], np.zeros(6))


def doubled(x, y):
    for i in range(len(x)):
        y[i] = 2 * x[i]


@pytest.mark.parametrize("pieces", [0, -1, True, 1.5])
def test_pieces_must_be_a_positive_number(pieces):
    with pytest.raises(ArgumentError, match="pieces"):
        weft.cluster(doubled, pieces=pieces)


def test_what_is_no_function_is_refused():
    with pytest.raises(ArgumentError, match="weft.cluster takes a function, not int"):
        weft.cluster(3)


SCRIPT = """
import numpy as np, weft
from distributed import Client, LocalCluster

def half(x):
    return 0.5 * x

def steps(u, v, count):
    for t in range(count):
        for i in range(1, len(u) - 1):
            v[i] = half(u[i - 1] + u[i + 1])
        u, v = v, u

if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as local, Client(local):
        u, v = np.arange(40.0) ** 2, np.zeros(40)
        a, b = u.copy(), v.copy()
        weft.cluster(steps, pieces=3)(u, v, 5)
        steps(a, b, 5)
        print("equal", np.array_equal(u, a) and np.array_equal(v, b))
"""


def test_functions_of_a_script_run_on_workers(tmp_path):
    pytest.importorskip("distributed")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip().endswith("equal True"), done.stderr[-2000:]
