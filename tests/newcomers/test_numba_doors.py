"""Programs of Numba's users run with the import changed."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

import weft
from weft import guvectorize, jit, njit, prange, stencil, vectorize


@pytest.mark.parametrize(
    "options",
    [
        {"nopython": True}, {"parallel": True, "cache": True}, {"nogil": True, "boundscheck": False},
        {"inline": "always"}, {"error_model": "python"}, {"fastmath": True}, {"locals": {}},
    ],
    ids=str,
)  # fmt: skip
def test_options_that_change_nothing_are_taken(options):
    @njit(**options)
    def total(a):
        s = 0.0
        for i in prange(a.shape[0]):
            s += a[i]
        return s

    assert total(np.arange(5.0)) == 10.0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"nopython": False}, "no object mode"),
        ({"error_model": "numpy"}, "elements of arrays divide as in NumPy"),
        ({"locals": {"x": "float32"}}, "where they are assigned"),
        ({"fastmath": {"nnan"}}, "fastmath=True"),
        ({"target": "cuda"}, 'device="cpu"'),
    ],
    ids=str,
)
def test_options_that_mean_something_get_an_answer(options, said):
    with pytest.raises(weft.ArgumentError, match=said):
        jit(**options)(lambda x: x)


def test_unknown_options_are_type_errors():
    with pytest.raises(TypeError, match="unexpected keyword argument 'nopyton'"):
        jit(nopyton=True)


@pytest.mark.parametrize("signature", ["float64(float64)", ["float64(float64)"]], ids=str)
def test_signatures_get_an_answer(signature):
    with pytest.raises(weft.ArgumentError, match="no signature"):
        njit(signature)


def test_the_plain_function_is_py_func():
    def double(x):
        return 2 * x

    assert njit(double).py_func is double


def test_inspect_reads_well_at_a_prompt():
    text = repr(njit(lambda x: x + 1.0).inspect(1.0))
    assert text.startswith("ir\n--\n") and "\nsource\n------\n" in text and "\\n" not in text.splitlines()[2]


# -------------------------------------------------------------------------------------------------- vectorize


@vectorize
def relative(x, y):
    if x == y:
        return 0.0
    return abs(x - y) / (abs(x) + abs(y))


def test_vectorize_broadcasts():
    x, y = np.arange(6.0).reshape(2, 3), np.array([1.0, 2.0, 5.0])
    expected = [[relative.py_func(a, b) for a, b in zip(row, y, strict=True)] for row in x]
    np.testing.assert_array_equal(relative(x, y), expected)
    np.testing.assert_array_equal(relative(x, 2.0), [[relative.py_func(a, 2.0) for a in row] for row in x])
    assert relative(3.0, 1.0) == 0.5


def test_vectorize_writes_to_out_and_takes_what_is_empty():
    out = np.zeros((2, 3))
    assert relative(np.ones((2, 3)), 3.0, out=out) is out
    assert (out == 0.5).all()
    assert relative(np.ones((0, 3)), 1.0).shape == (0, 3)
    with pytest.raises(ValueError, match="out has"):
        relative(np.ones(4), 3.0, out=out)


def test_vectorize_converts_to_the_first_signature_that_fits():
    @vectorize(["int64(int64, int64)", "float64(float64, float64)"], target="parallel", nopython=True)
    def add(a, b):
        return a + b

    assert add(np.arange(3, dtype=np.int32), np.int8(2)).dtype == np.int64
    assert add(np.arange(3, dtype=np.float32), 1.0).tolist() == [1.0, 2.0, 3.0]
    assert add(np.arange(3, dtype=np.float32), 1.0).dtype == np.float64
    with pytest.raises(TypeError, match="no signature"):
        add(np.ones(3, complex), 1.0)


def test_vectorized_functions_are_called_in_compiled_loops():
    @njit
    def largest(x, y):
        found = 0.0
        for i in range(x.shape[0]):
            found = max(found, relative(x[i], y[i]))
        return found

    x, y = np.array([1.0, 4.0]), np.array([1.0, 12.0])
    assert largest(x, y) == 0.5


# ------------------------------------------------------------------------------------------------ guvectorize


@guvectorize(["void(float64[:], float64[:], float64[:])"], "(n),(n)->()", nopython=True)
def dot(a, b, result):
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i] * b[i]
    result[0] = s


def test_guvectorize_loops_over_what_is_around():
    a, b = np.arange(24.0).reshape(2, 3, 4), np.arange(4.0)
    np.testing.assert_array_equal(dot(a, b), (a * b).sum(-1))
    assert dot(b, b).tolist() == 14.0


def test_guvectorize_takes_numbers_and_gives_arrays():
    @guvectorize("(n),()->(n)")
    def shifted(a, by, result):
        for i in range(a.shape[0]):
            result[i] = a[i] + by

    a = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(shifted(a, 2.0), a + 2.0)
    np.testing.assert_array_equal(shifted(a, np.array([1.0, 10.0])), a + [[1.0], [10.0]])


def test_guvectorize_compares_sizes():
    with pytest.raises(ValueError, match="dimension n"):
        dot(np.ones((2, 3)), np.ones(4))
    with pytest.raises(weft.ArgumentError, match="size m"):
        guvectorize("(n)->(m)")
    with pytest.raises(weft.ArgumentError, match="no layout"):
        guvectorize("n")


# ---------------------------------------------------------------------------------------------------- stencil


def test_stencil_leaves_the_border():
    @stencil
    def mean(a):
        return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])

    a = np.random.default_rng(0).random((5, 6))
    expected = np.zeros_like(a)
    for i in range(1, 4):
        for j in range(1, 5):
            expected[i, j] = 0.25 * (a[i, j + 1] + a[i + 1, j] + a[i, j - 1] + a[i - 1, j])
    np.testing.assert_array_equal(mean(a), expected)


def test_stencil_reaches_to_one_side_and_fills_with_cval():
    @stencil("constant", cval=-1.0)
    def rise(a, scale):
        step = a[0] - a[-2]
        return scale * step

    a = np.array([1.0, 2.0, 4.0, 8.0])
    assert rise(a, 2.0).tolist() == [-1.0, -1.0, 6.0, 12.0]
    assert rise(a[:1], 2.0).tolist() == [-1.0]


def test_stencil_with_a_neighbourhood_and_an_ordinary_array():
    @stencil(neighborhood=((-1, 1),), standard_indexing=("w",))
    def weighted(a, w):
        s = 0.0
        for k in range(-1, 2):
            s += w[k + 1] * a[k]
        return s

    a, w = np.arange(5.0), np.array([0.25, 0.5, 0.25])
    assert weighted(a, w).tolist() == [0.0, 1.0, 2.0, 3.0, 0.0]


def test_stencil_says_what_it_misses():
    @stencil
    def far(a, k):
        return a[k]

    with pytest.raises(weft.ArgumentError, match="neighborhood"):
        far(np.ones(3), 1)
    with pytest.raises(weft.ArgumentError, match="border"):
        stencil("wrap")


# --------------------------------------------------------------------------------------------------- settings


def test_threads_are_set_and_told():
    before = weft.get_num_threads()
    try:
        weft.set_num_threads(1)
        assert weft.get_num_threads() == weft.config.num_threads == 1
        weft.config.num_threads = 2
        assert weft.get_num_threads() == 2
        with pytest.raises(weft.ArgumentError, match="no number of threads"):
            weft.set_num_threads(0)
    finally:
        weft.set_num_threads(before)


def test_the_environment_says_how_many_threads_there_are():
    program = "import weft; print(weft.get_num_threads()); weft.config"
    run = subprocess.run(
        [sys.executable, "-c", program], env={**__import__("os").environ, "WEFT_NUM_THREADS": "3"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout == "3\n"


def test_config_is_listed(capsys):
    from weft.cli import main

    assert main(["config"]) == 0
    said = capsys.readouterr().out
    assert "num_threads" in said and "WEFT_CACHE_DIR" in said and math.isfinite(weft.config.num_threads)
