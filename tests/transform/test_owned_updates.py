"""What one iteration alone updates: loops around it run on threads, and the array needs no copies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import weft

pytestmark = pytest.mark.usefixtures("on_four_threads")


def means_by_key(h, key):
    for s in range(h.shape[0]):
        for p in range(key.shape[1]):
            h[s, key[s, p]] += 1.0
        total = 0.0
        for j in range(h.shape[1]):
            total += h[s, j]
        for j in range(h.shape[1]):
            h[s, j] /= total


def running_counts(h, key):
    for s in range(h.shape[0]):
        for j in range(h.shape[1]):
            h[s, j] = 0
        for p in range(key.shape[1]):
            h[s, key[s, p]] += 1
        for j in range(1, h.shape[1]):
            h[s, j] += h[s, j - 1]


def over_two_loops(h, key):
    for s in range(h.shape[0]):
        for q in range(key.shape[0]):
            for p in range(key.shape[1]):
                h[s, key[q, p]] *= 1.5
        for j in range(h.shape[1]):
            h[s, j] = h[s, j] + 2


def largest_by_key(h, key):
    for s in range(h.shape[0]):
        for p in range(key.shape[1]):
            h[s, key[s, p]] = max(h[s, key[s, p]], p * 0.5)
        for j in range(h.shape[1]):
            h[s, j] = -h[s, j]


def from_the_end(h, key):
    for s in range(h.shape[0]):
        for p in range(key.shape[1]):
            h[-1 - s, -1 - key[s, p]] += 1.0
        h[-1 - s, 0] = h[-1 - s, 0] * 2.0


def crossing(h, key):
    """No iteration owns what it updates."""
    for s in range(h.shape[0]):
        for p in range(key.shape[1]):
            h[key[s, p], s] += 1.0
        h[0, 0] += h[s, 1]


def counts_beside_values(h, key):
    """No iteration owns what it updates, and another row of the array is stored to."""
    for i in range(key.shape[1]):
        h[0, key[0, i]] += 1.0
        h[1, i] = h[1, i] * 2.0


OWNED: list[Callable[..., object]] = [means_by_key, running_counts, over_two_loops, largest_by_key, from_the_end]


def inputs(shape: tuple[int, int], keys: int, dtype: type) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    return (rng.random(shape) * 5).astype(dtype), rng.integers(0, min(shape), (shape[0], keys))


@pytest.mark.parametrize("function", [*OWNED, crossing, counts_beside_values], ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_answer_is_that_of_the_loop(function, dtype):
    compiled = weft.jit(function)
    for shape, keys in (((2, 4), 4), ((5, 50), 50), ((40, 300), 300), ((3, 3), 0)):
        given, key = inputs(shape, keys, dtype)
        expected, found = given.copy(), given.copy()
        with np.errstate(all="ignore"):
            function(expected, key)
        compiled(found, key)
        np.testing.assert_allclose(found, expected, rtol=1e-5 if dtype is np.float32 else 1e-13)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint16])
def test_integers_wrap_as_numpy_wraps_them(dtype):
    compiled = weft.jit(running_counts)
    given, key = inputs((9, 11), 400, dtype)
    expected, found = given.copy(), given.copy()
    with np.errstate(all="ignore"):
        running_counts(expected, key)
    compiled(found, key)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("function", OWNED, ids=lambda f: f.__name__)
def test_the_outer_loop_is_shared(function):
    source = weft.jit(function).inspect(*inputs((9, 11), 20, np.float64)).source
    assert "runtime->parallel(" in source
    assert ", 1, 0.0);" not in source


def test_a_loop_whose_iterations_share_what_they_update_is_not():
    assert ", 1, 0.0);" in weft.jit(counts_beside_values).inspect(*inputs((5, 50), 50, np.float64)).source


# ------------------------------------------------------------------- elements that are apart, though by no constant


def factors(m):
    for s in range(m.shape[0]):
        for j in range(m.shape[1]):
            for k in range(j):
                m[s, j, j] -= m[s, j, k] * m[s, j, k]
            m[s, j, j] = np.sqrt(m[s, j, j])
            for i in range(j + 1, m.shape[1]):
                for k in range(j):
                    m[s, i, j] -= m[s, i, k] * m[s, j, k]
                m[s, i, j] /= m[s, j, j]


def above(m):
    n = m.shape[1]
    for s in range(m.shape[0]):
        for j in range(n):
            for k in range(j + 1, n):
                m[s, j, j] += m[s, j, k] * 0.5


def up_to_itself(m):
    for s in range(m.shape[0]):
        for j in range(m.shape[1]):
            for k in range(j + 1):
                m[s, j, j] += m[s, j, k] * 0.5


def back_from_the_end(m):
    n = m.shape[1]
    for s in range(m.shape[0]):
        for j in range(n):
            for k in range(1, n):
                m[s, j, 0] += m[s, j, -k] * 0.5


def solved(m):
    n = m.shape[1]
    for s in range(m.shape[0]):
        for i in range(n):
            for k in range(i):
                m[s, i, n - 1] -= m[s, i, k] * m[s, k, n - 1]


def two_diagonals(m):
    for s in range(m.shape[0]):
        for j in range(m.shape[1]):
            for k in range(j):
                m[s, j, j] += m[s, j, k] * m[s, k, j]
                m[s, k, k] *= 0.9


def beside_a_branch(m):
    for s in range(m.shape[0]):
        for j in range(m.shape[1]):
            for k in range(m.shape[1]):
                if k != j:
                    m[s, j, j] += m[s, j, k]
                else:
                    m[s, j, j] += m[s, j, k] * 0.5


@pytest.mark.parametrize(
    "function",
    [factors, above, up_to_itself, back_from_the_end, solved, two_diagonals, beside_a_branch],
    ids=lambda f: f.__name__,
)
def test_elements_that_a_loop_reads_beside_the_one_it_updates(function):
    compiled = weft.jit(function)
    for shape in ((1, 1, 1), (3, 5, 5), (7, 2, 3), (20, 12, 12), (5, 40, 40)):
        given = np.random.default_rng(1).random(shape)
        if function is factors:
            given = given @ given.transpose(0, 2, 1) + np.eye(shape[1]) * shape[1]
            given = given[:, :, : shape[1]]
        expected, found = given.copy(), given.copy()
        outcomes = []
        for call, array in ((function, expected), (compiled, found)):
            try:
                with np.errstate(all="ignore"):
                    outcomes.append(call(array))
            except IndexError:
                outcomes.append(IndexError)
        assert outcomes[0] is outcomes[1]
        np.testing.assert_allclose(found, expected, rtol=1e-11)


def test_such_an_element_is_kept_in_a_register():
    source = weft.jit(factors).inspect(np.ones((5, 8, 8))).source
    assert ", 1, 0.0);" not in source
    assert "runtime->parallel(factors_s_piece" in source


def beside_nests(h, key):
    """Nests over two loops, which become one, stand around it."""
    for i in range(h.shape[0]):
        for j in range(h.shape[1]):
            h[i, j] = h[i, j] * 2.0
    for s in range(h.shape[0]):
        for p in range(key.shape[1]):
            h[s, key[s, p]] += 1.0
        h[s, 0] = h[s, 0] * 0.5
    for i in range(key.shape[0]):
        for j in range(key.shape[1]):
            h[0, key[i, j]] += 1.0


@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
def test_beside_nests_whose_loops_become_one(device):
    given, key = inputs((9, 11), 20, np.float64)
    expected, found = given.copy(), given.copy()
    beside_nests(expected, key)
    weft.jit(beside_nests, device=device)(found, key)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
